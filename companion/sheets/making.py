"""How do people make a sheet of their own? By half sentences that their answers end; the sheet is made anew with each."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Final

import msgspec

from companion.engine.records import RecordError, decode_sheet
from companion.engine.sheet.document import SheetDocument, Teams
from companion.engine.sheet.expressions import whole
from companion.engine.sheet.reading import Sheet, read
from companion.engine.sheet.scoring import Around, score_row
from companion.plugin import FormData, Name, RuleError, Sentence, Standing, say, written
from companion.sheets.typed import number_in
from companion.sheets.words import bound_in_words, column_in_words, score_in_words

MOST_NAMED: Final = 6  # columns that the page asks for
LARGEST: Final = 99_999
STEP: Final = 5
USUAL: Final = {"rounds": "10"}  # what a match ends at that ends otherwise than by hand; by points at 100
STEPS: Final = {"-": -STEP, "+": STEP, "--": -10 * STEP, "++": 10 * STEP}  # what a key of the page adds: a tap, held
NAMES: Final = ("Ana", "Bo", "Cy", "Di")
EXAMPLES: Final = ((20, 10, 35, 15), (0, 5, 0, 10), (5, 0, 0, 5))  # what stands in the columns of the sheet that is shown
OF_BIDS: Final = ((2, 1, 0, 1), (2, 0, 0, 1))
SHAPES: Final = ("rounds", "bids", "ledger", "boxes", "end")  # as the shelf lists them
_OF_BIDS: Final = re.compile(
    r"(?P<met>\d+) \+ (?P<each>\d+) \* tricks if tricks == bid else -(?P<missed>\d+) \* abs\(tricks - bid\)", re.ASCII
)
OF_A_LEDGER: Final = ((15, -5, -20, 10), (0, 0, 0, 0))


@dataclass(frozen=True, slots=True)
class Example:
    """The sheet as it will look, with numbers in it: who plays, each column with its cells, the totals, and who is ahead.

    A line begins with the column's number, from 1. ``asked_by`` is the id of the field that a sentence of it comes from.
    """

    names: tuple[str, ...]
    lines: tuple[tuple[int, str, tuple[str, ...]], ...]
    totals: tuple[str, ...]
    leads: tuple[int, ...]
    asked_by: Mapping[Sentence | Name, str]


def is_made_here(document: SheetDocument) -> bool:
    """Return whether a sheet is of the kinds that this page makes, so that it can be shown with numbers in it."""
    ids = [column.id for column in document.columns]
    return ids == ["cards", "bid", "tricks"] or all(column.kind in {"addends", "half", "times"} for column in document.columns)


def example(document: SheetDocument) -> Example:
    """Return a sheet that somebody made with numbers in it, as the engine adds them up."""
    sheet = read(document)
    names = tuple(" & ".join(NAMES[team::2]) for team in range(2)) if isinstance(document.sides, Teams) else NAMES
    given = OF_A_LEDGER if document.sum == 0 else OF_BIDS if sheet.bids_first else EXAMPLES
    rows = [given[min(at, len(given) - 1)][: len(names)] for at in range(len(sheet.own))]
    if document.sum == 0 and len(names) == 2:
        rows[0] = (15, -15)
    around = Around(1, (0,) * len(names), names, None, tuple(range(len(names))))
    cells = [{column.id: row[side] for column, row in zip(sheet.own, rows, strict=True)} for side in range(len(names))]
    shared = {"cards": 3} if sheet.bids_first else {}
    scores = score_row(sheet, around, cells, shared, partly=True).scores
    points = tuple(int(score) for score in scores)  # what stands in the example is whole
    leads = Standing(points, names, False, ()).ahead(lowest_wins=sheet.lowest)
    worth = [[written(whole(number * column.by)) for number in row] for column, row in zip(sheet.own, rows, strict=True)]
    lines = tuple((n, column.column.name, tuple(row)) for n, (column, row) in enumerate(zip(sheet.own, worth, strict=True), 1))
    return Example(names, lines, tuple(map(written, scores)), leads, _asked_by(sheet))


def _asked_by(sheet: Sheet) -> Mapping[Sentence | Name, str]:
    """Return which field of the page each sentence with a number of its own comes from."""
    ways = [way for way in ("rounds", "at") if way in sheet.ends]
    fields: dict[Sentence | Name, str] = {bound_in_words(sheet, way): "field-limit" for way in ways}
    if sheet.score is not None:
        fields[score_in_words(sheet)] = "field-met"
    return fields | {column_in_words(sheet, column): f"at-{n}" for n, column in enumerate(sheet.own, 1)}


def tapped(typed: FormData) -> FormData | None:
    """Return the answers after a tap on a key of the page: 5 or 50 more or less, a column more, less or elsewhere.

    The column that was moved or that came is the one that is open then (``at``). Another end of the match brings
    its usual number, unless somebody has typed one. None for other keys.
    """
    after = FormData(typed)
    ends = typed.get("ends", "hand")
    turned = typed.get("was", ends) != ends != "hand" and typed.get("limit") in {*USUAL.values(), "100"}
    if turned:
        after["limit"] = USUAL.get(ends, "100")
    if (step := typed.get("step")) in STEPS:
        limit = number_in(after.get("limit", ""))
        limit = (limit // STEP if STEPS[step] > 0 else -(-limit // STEP)) * STEP + STEPS[step]
        after["limit"] = written(min(max(limit, STEP), LARGEST // STEP * STEP))
        return after
    key = next((key for key in ("more", "remove", "earlier", "later") if typed.get(key)), None)
    if key is None:
        return after if turned else None
    names, signs = typed.getlist("column"), typed.getlist("sign")
    columns = list(zip_longest(names, signs[: len(names)], fillvalue="")) or [("", "")]
    at = int(typed[key]) - 1 if re.fullmatch("[1-9]", typed[key]) else len(columns)
    if key == "more":
        columns, to = [*columns, ("", "")][:MOST_NAMED], min(at, MOST_NAMED - 1)
    else:
        to = at + {"earlier": -1, "later": 1}.get(key, 0)
        if not (0 <= at < len(columns) and 0 <= to < len(columns)):  # a second tap
            return after
        moved = columns.pop(at)
        if key == "remove":
            to = -1
        else:
            columns.insert(to, moved)
    after.setlist("column", [name for name, _ in columns])
    after.setlist("sign", [sign for _, sign in columns])
    after["at"] = str(to + 1)
    return after


def answers(document: SheetDocument) -> FormData | None:
    """Return the answers that make this sheet, so that it can be changed. None for a sheet that this page can't make."""
    if not is_made_here(document):
        return None
    ends = next(((way, bound) for way, bound in (("at", document.ends.at), ("rounds", document.ends.rounds)) if bound), None)
    columns = [column for column in document.columns if column.of == "side"]
    bids = [column.id for column in columns] == ["bid", "tricks"]
    ledger = document.sum == 0
    below = [column.kind != "times" and column.least not in {0, None} for column in columns]
    if any(column.kind == "half" for column in columns):  # as this page made them before lists had halves
        kinds = ["addends" if column.kind == "half" else column.kind for column in columns]
        columns = [msgspec.structs.replace(of, kind=kind, step=0.5) for of, kind in zip(columns, kinds, strict=True)]
        document = msgspec.structs.replace(document, columns=tuple(columns))
    typed = FormData(
        {
            "name": document.name,
            "by": document.by or "",
            "shape": "bids" if bids else "ledger" if ledger else document.shape,
            "plays": "each" if document.sides == "each" else "teams",
            "wins": document.wins,
            "ends": ends[0] if ends else "hand",
        }
    )
    if ends:
        typed["limit"] = str(ends[1]) if isinstance(ends[1], str) else written(ends[1])
    if all(column.step == STEP for column in columns):
        typed["steps"] = "yes"
    if any(column.step < 1 for column in columns):
        typed["halves"] = "yes"
    if all(below) and not ledger:
        typed["minus"] = "yes"
    typed.setlist("column", [column.name for column in columns])
    signs = zip(columns, below, strict=True)
    typed.setlist("sign", ["-" if column.kind == "times" else "both" if negative else "+" for column, negative in signs])
    if bids:
        typed["word"] = document.columns[0].name
        counts = _OF_BIDS.fullmatch(document.score or "")
        if counts is None:
            return None
        typed.update(counts.groupdict())
    try:
        again = made(typed)
    except RuleError:
        return None
    return typed if msgspec.structs.replace(again, edition=document.edition) == document else None


def made(typed: FormData) -> SheetDocument:
    """Return the sheet that these answers make. Raises RuleError, whose field is the question's name."""
    name = typed.get("name", "").strip()
    if not name:
        raise RuleError(say("Give the sheet a name."), field="name")
    shape = typed.get("shape") if typed.get("shape") in SHAPES else "rounds"
    signs = dict(enumerate(typed.getlist("sign")))
    given = [(column.strip(), signs.get(at, "")) for at, column in enumerate(typed.getlist("column")[:MOST_NAMED])]
    usual = typed.get("usual", "").strip() or str(say("Points"))  # as the maker's language says it
    first = (given[0][0] if given else "") or usual  # as the page calls it
    columns = [(first, signs.get(0, "")), *((name, sign) for name, sign in given[1:] if name)]
    document: dict[str, Any] = {
        "format": "companion-sheet/1",
        "name": name[:60],
        "players": [2, 12],
        "wins": "lowest" if typed.get("wins") == "lowest" else "highest",
        "shape": shape if shape in {"boxes", "end"} else "rounds",
        "columns": [_column(typed, n, name, sign) for n, (name, sign) in enumerate(columns, 1)],
    }
    if by := typed.get("by", "").strip():
        document["by"] = by[:40]
    if document["shape"] == "rounds":
        document["ends"] = _ends(typed)
    if typed.get("plays") == "teams":
        document |= {"players": [4, 4], "sides": {"teams": 2, "of": 2}}
    if shape == "ledger":
        document["sum"] = 0
    elif shape == "bids":
        document |= _of_bids(typed, [name for name, _ in given])
    try:
        return decode_sheet(msgspec.json.encode(document))
    except RecordError as refused:
        raise RuleError(refused.sentence, field=_asked_at(refused.field.split("."), bids=shape == "bids")) from refused


def _asked_at(place: Sequence[str], *, bids: bool) -> str:
    """Return the question whose answer this place of a sheet is: "column-2"; "sheet" where no question is."""
    match place:
        case ["sheet", "name" | "by" as question]:
            return question
        case ["sheet", "columns", number, *_]:
            return f"column-{int(number) + (0 if bids else 1)}"
    return "sheet"


def _column(typed: FormData, n: int, name: str, sign: str) -> dict[str, Any]:
    """Return a column, whose numbers count for its side, against it, or either way."""
    step = STEP if typed.get("steps") else 0.5 if typed.get("halves") else 1
    column = {"id": f"column-{n}", "name": name[:60], "kind": "addends", "least": 0, "most": LARGEST, "step": step}
    if typed.get("shape") == "ledger" or typed.get("minus") or sign == "both":
        column["least"] = -LARGEST
    elif sign == "-":
        column |= {"kind": "times", "by": -1}
    return column


def _of_bids(typed: FormData, names: list[str]) -> dict[str, Any]:
    """Return the columns of bids and tricks, what they are worth, and that all tricks of a round are somebody's."""
    met, each, missed = (_count(typed, name) for name in ("met", "each", "missed"))
    cards, *usual = (*(word.strip()[:60] or "–" for word in typed.getlist("word")), "Cards", "Bid", "Tricks")[:3]
    bid, tricks = (name or word for name, word in zip((*names, "", ""), usual, strict=False))
    number = {"kind": "whole", "least": 0}
    return {
        "columns": [
            {**number, "id": "cards", "name": cards, "of": "round", "least": 1, "most": 30, "when": "before"},
            {**number, "id": "bid", "name": bid[:60], "most": "cards", "when": "before"},
            {**number, "id": "tricks", "name": tricks[:60], "most": "cards"},
        ],
        "score": f"{met} + {each} * tricks if tricks == bid else -{missed} * abs(tricks - bid)",
        "checks": [{"that": "sum(tricks) == cards", "say": "{sum(tricks)} / {cards}"}],
    }


def _count(typed: FormData, name: str) -> int:
    text = typed.get(name, "10").strip()
    if not (text.isascii() and text.isdigit() and len(text) < 4):
        raise RuleError(say("Write a number from 0 to {most}.", most=999), field=name)
    return int(text)


def _ends(typed: FormData) -> dict[str, Any]:
    way = typed.get("ends", "hand")
    if way not in {"at", "rounds"}:
        return {"hand": True}
    limit = number_in(typed.get("limit", ""))
    if not 0 < limit <= LARGEST or (way == "rounds" and isinstance(limit, float)):
        raise RuleError(say("Write a number from 1 to {most}.", most=LARGEST), field="limit")
    return {way: limit, "hand": True}
