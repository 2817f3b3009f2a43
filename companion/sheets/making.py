"""How do people make a sheet of their own? By half sentences that their answers end; the sheet is made anew with each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import msgspec

from companion.engine.sheet.document import SheetDocument, Teams
from companion.engine.sheet.expressions import written
from companion.engine.sheet.reading import read
from companion.engine.sheet.scoring import Around, score_row
from companion.plugin import FormData, RuleError, Standing, say
from companion.sheets.passing import received

MOST_NAMED: Final = 6  # columns that the page asks for
LARGEST: Final = 99_999
STEP: Final = 5
NAMES: Final = ("Ana", "Bo", "Cy", "Di")
EXAMPLES: Final = ((20, 10, 35, 15), (0, 5, 0, 10), (5, 0, 0, 5))  # what stands in the columns of the sheet that is shown
OF_A_LEDGER: Final = ((15, -5, -20, 10), (0, 0, 0, 0))


@dataclass(frozen=True, slots=True)
class Example:
    """The sheet as it will look, with numbers in it: who plays, each column with its cells, the totals, and who is ahead."""

    names: tuple[str, ...]
    lines: tuple[tuple[str, tuple[str, ...]], ...]
    totals: tuple[str, ...]
    leads: tuple[int, ...]


def example(document: SheetDocument) -> Example:
    """Return a sheet that somebody made with numbers in it, as the engine adds them up."""
    sheet = read(document)
    names = tuple(" & ".join(NAMES[team::2]) for team in range(2)) if isinstance(document.sides, Teams) else NAMES
    given = OF_A_LEDGER if document.sum == 0 else EXAMPLES
    rows = [given[min(at, len(given) - 1)][: len(names)] for at in range(len(sheet.own))]
    if document.sum == 0 and len(names) == 2:
        rows[0] = (15, -15)
    around = Around(1, (0,) * len(names), names, None, tuple(range(len(names))))
    cells = [{column.id: row[side] for column, row in zip(sheet.own, rows, strict=True)} for side in range(len(names))]
    scores = score_row(sheet, around, cells, partly=True).scores
    points = tuple(int(score) for score in scores)  # what stands in the example is whole
    leads = Standing(points, names, False, ()).ahead(lowest_wins=document.wins == "lowest")
    lines = tuple((column.column.name, tuple(map(written, row))) for column, row in zip(sheet.own, rows, strict=True))
    return Example(names, lines, tuple(map(written, scores)), leads)


def tapped(typed: FormData) -> FormData | None:
    """Return the answers after a tap on one of the page's own keys: five more or less, another column. None for other keys."""
    after = FormData(typed)
    if typed.get("more"):
        after.setlist("column", [*typed.getlist("column"), ""][:MOST_NAMED])
    elif (step := typed.get("step")) in {"-", "+"}:
        text = typed.get("limit", "").strip()
        limit = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 0
        limit = limit // STEP * STEP + STEP if step == "+" else -(-limit // STEP) * STEP - STEP
        after["limit"] = str(min(max(limit, STEP), LARGEST // STEP * STEP))
    else:
        return None
    return after


def made(typed: FormData) -> SheetDocument:
    """Return the sheet that these answers make. Raises RuleError, whose field is the question's name."""
    name = typed.get("name", "").strip()
    if not name:
        raise RuleError(say("Give the sheet a name."), field="name")
    names = [column.strip() for column in typed.getlist("column")[:MOST_NAMED] if column.strip()] or [str(say("Points"))]
    least = -LARGEST if typed.get("minus") else 0
    document: dict[str, Any] = {
        "format": "companion-sheet/1",
        "name": name[:60],
        "players": [2, 12],
        "wins": "lowest" if typed.get("wins") == "lowest" else "highest",
        "shape": typed.get("shape", "rounds") if typed.get("shape") in {"rounds", "boxes", "end"} else "rounds",
        "columns": [
            {
                "id": f"column-{n}",
                "name": column[:60],
                "kind": "addends",
                "least": least,
                "most": LARGEST,
                "step": STEP if typed.get("steps") else 1,
            }
            for n, column in enumerate(names, 1)
        ],
    }
    if document["shape"] == "rounds":
        document["ends"] = _ends(typed)
    if typed.get("plays") == "teams":
        document |= {"players": [4, 4], "sides": {"teams": 2, "of": 2}}
    if typed.get("ledger"):
        document["sum"] = 0
        for column in document["columns"]:
            column["least"] = -LARGEST
    return received(msgspec.json.encode(document))


def _ends(typed: FormData) -> dict[str, Any]:
    way = typed.get("ends", "hand")
    if way not in {"at", "rounds"}:
        return {"hand": True}
    text = typed.get("limit", "").strip()
    if not (text.isascii() and text.isdigit() and 0 < int(text[:6]) <= LARGEST and len(text) < 6):
        raise RuleError(say("Write a number from 1 to {most}.", most=LARGEST), field="limit")
    return {way: int(text), "hand": True}
