"""How do people make a sheet of their own? By half sentences that their answers end; the sheet is made anew with each."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from companion.engine.sheet.document import SheetDocument
from companion.plugin import FormData, RuleError, say
from companion.sheets.passing import received

MOST_NAMED: Final = 6  # columns that the page asks for
LARGEST: Final = 99_999


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
            {"id": f"column-{n}", "name": column[:60], "kind": "addends", "least": least, "most": LARGEST}
            for n, column in enumerate(names, 1)
        ],
    }
    if document["shape"] == "rounds":
        document["ends"] = _ends(typed)
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
