"""What does the command line say of score sheets? Which there are, their documents, and how a match by one stands."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec

from companion.engine import records
from companion.engine.sheet import presets
from companion.engine.sheet.document import SheetDocument


def answer(name: str | None) -> tuple[str, bool]:
    """Return what to print about a sheet, and whether all was well.

    ``name`` is a preset's, or a file with a sheet's document or with the record of a match by a sheet; None lists the presets.
    """
    if name is None:
        return "\n".join(f"{slug:20} {presets.preset(slug).name}" for slug in presets.names()), True
    if name in presets.names():
        return _printed(presets.preset(name)), True
    try:
        data = Path(name).read_bytes()
    except OSError:
        return f"There is no sheet and no file “{name}”. Companion brings {', '.join(presets.names())}.", False
    try:
        if b'"companion-record/1"' in data:
            return json.dumps(records.answer_replay(data), ensure_ascii=False), True
        return _printed(records.decode_sheet(data)), True
    except records.RecordError as refused:
        return json.dumps({"error": {"event": refused.event, "message": refused.message}}, ensure_ascii=False), False


def _printed(document: SheetDocument) -> str:
    return msgspec.json.format(msgspec.json.encode(document), indent=2).decode()
