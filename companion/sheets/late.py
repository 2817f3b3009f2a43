"""What had a phone typed before another phone saved the round or ended the match? The page shows it."""

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
_LINE: Final = re.compile(r"(bids|row|end)(\d{1,4}) (?:c(\d{1,2})|r)-(\S{1,40}) (.{1,80})")


@dataclass(frozen=True, slots=True)
class LateView:
    """What was typed for a ``part`` of round ``number``: a sentence, and the cell's ``place`` with its ``text``.

    ``correctable``: the round was saved, so that one tap can put it there.
    """

    number: int
    part: str
    correctable: bool
    place: str
    text: str
    sentence: Sentence


def late(state: SheetState, lines: Sequence[str], *, finished: bool) -> Iterator[LateView]:
    """Iterate over what came too late, from the lines that a phone sends: "row7 c0-points 15".

    What was saved just so is left out, and what was not saved yet as long as the match is not ``finished``.
    """
    for line in lines[:MOST]:
        found = _LINE.fullmatch(line)
        if found is None:
            continue
        part, number, of, slug, text = found.groups()
        side = None if of is None else int(of)
        column = state.sheet.column(slug)
        saved = _saved(state, part, int(number), side)
        if column is None or (saved is None and not (finished and _is_open(state, part, int(number), side))):
            continue
        cell = text_of(column, (saved or {}).get(slug))
        if cell == text:
            continue
        typed = {"text": _shown(text), "cell": _label(state, column, side), "n": int(number)}
        if saved is None:
            sentence = say("You had {text} for {cell}. The match ended without it.", **typed)
        elif part == "end":
            sentence = say("You had {text} for {cell}. It was saved with {saved}.", saved=_shown(cell or "–"), **typed)
        elif cell:
            sentence = say("You had {text} for {cell}. Round {n} was saved with {saved}.", saved=_shown(cell), **typed)
        else:
            sentence = say("You had {text} for {cell}. Round {n} was saved without it.", **typed)
        place = f"{'r' if side is None else f'c{side}'}-{slug}"
        yield LateView(int(number), part, saved is not None and part != "end", place, text, sentence)


def _saved(state: SheetState, part: str, number: int, side: int | None) -> Mapping[str, Any] | None:
    """Return what was saved for a side, or for the round itself; None for what was not saved."""
    if side is not None and side >= len(state.sides):
        return None
    if part == "end":
        return (state.filled[side] or None) if state.filled and side is not None else None
    for played in islice(state.rows, max(0, number - 1), number):
        return played.shared if side is None else played.cells[side]
    bids = state.bids
    if bids is None or part != "bids" or number != len(state.rows) + 1:
        return None
    return bids.round if side is None else bids.cells[side]


def _is_open(state: SheetState, part: str, number: int, side: int | None) -> bool:
    """Return whether this part was still being filled when the match ended."""
    if side is not None and side >= len(state.sides):
        return False
    shape = state.sheet.document.shape
    return (part == "end") == (shape == "end") and number == len(state.rows) + 1


def _label(state: SheetState, column: ReadColumn, side: int | None) -> Sentence | Name:
    """Return the name of a cell: its player if each has one to type into, else the column, too."""
    name = sheet_word(state.sheet, column.column.name)
    if side is None:
        return name
    single = sum(each.column.kind not in {"tick", "choice"} for each in state.sheet.own) == 1
    return Name(state.sides[side]) if single else listing([Name(state.sides[side]), name], "comma")


def _shown(text: str) -> Name:
    return Name(text.replace("-", "−"))
