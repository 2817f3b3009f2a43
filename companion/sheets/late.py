"""What had a phone typed for a round that another phone has saved since? It is told beside what was saved."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from companion.engine.sheet.match import SheetState
from companion.engine.sheet.reading import ReadColumn
from companion.engine.sheet.scoring import sheet_word
from companion.plugin import Name, Sentence, listing, say
from companion.sheets.typed import text_of

MOST: Final = 12  # cells
_LINE: Final = re.compile(r"(bids|row)(\d{1,4}) (?:c(\d{1,2})|r)-(\S{1,40}) (.{1,80})")


@dataclass(frozen=True, slots=True)
class LateView:
    """What was typed for a ``part`` of round ``number``: a sentence, and the cell's ``place`` with its ``text``."""

    number: int
    part: str
    place: str
    text: str
    sentence: Sentence


def late(state: SheetState, lines: Sequence[str]) -> Iterator[LateView]:
    """Iterate over what came too late, from the lines that a phone sends: "row7 c0-points 15".

    What was not saved yet, or was saved just so, is left out.
    """
    for line in lines[:MOST]:
        found = _LINE.fullmatch(line)
        if found is None:
            continue
        part, number, of, slug, text = found.groups()
        side = None if of is None else int(of)
        column = state.sheet.column(slug)
        saved = _saved(state, part, int(number), side)
        if column is None or saved is None or text_of(column, saved.get(slug)) == text:
            continue
        typed = {"text": _shown(text), "cell": _label(state, column, side), "n": int(number)}
        cell = text_of(column, saved.get(slug))
        sentence = (
            say("You had {text} for {cell}. Round {n} was saved with {saved}.", saved=_shown(cell), **typed)
            if cell
            else say("You had {text} for {cell}. Round {n} was saved without it.", **typed)
        )
        yield LateView(int(number), part, f"{'r' if side is None else f'c{side}'}-{slug}", text, sentence)


def _saved(state: SheetState, part: str, number: int, side: int | None) -> Mapping[str, Any] | None:
    """Return what was saved for a side, or for the round itself; None for a round that was not saved."""
    if side is not None and side >= len(state.sides):
        return None
    for played in islice(state.rows, max(0, number - 1), number):
        return played.shared if side is None else played.cells[side]
    bids = state.bids
    if bids is None or part != "bids" or number != len(state.rows) + 1:
        return None
    return bids.round if side is None else bids.cells[side]


def _label(state: SheetState, column: ReadColumn, side: int | None) -> Sentence | Name:
    """Return the name of a cell: its player if each has one to type into, else the column, too."""
    name = sheet_word(state.sheet, column.column.name)
    if side is None:
        return name
    single = sum(each.column.kind not in {"tick", "choice"} for each in state.sheet.own) == 1
    return Name(state.sides[side]) if single else listing([Name(state.sides[side]), name], "comma")


def _shown(text: str) -> Name:
    return Name(text.replace("-", "−"))
