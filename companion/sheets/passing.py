"""How does a sheet get from one phone to another? As text that a link, a QR code or a file holds, whole."""

from __future__ import annotations

import binascii
import re
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from codecs import BOM_UTF8
from contextlib import suppress
from typing import Final

import msgspec

from companion.engine.records import RecordError, decode_sheet
from companion.engine.sheet.document import SheetDocument
from companion.plugin import RuleError, say
from companion.sheets.placing import placed

LONGEST_LINK: Final = 2_000  # characters that a link's text may have: a larger sheet is passed on as a file
LARGEST: Final = 2**16  # bytes of a sheet, however small its text is
MOST_IN_LINES: Final = 2**12  # bytes of a document that a page shows in lines: each bracket may add to all lines in it
_IN_A_LINK: Final = re.compile(r"[?&]s=([\w-]+)", re.ASCII)
_LETTERS: Final = re.compile(rf"[A-Za-z0-9_-]{{1,{LARGEST}}}")


def text_of(document: SheetDocument) -> str:
    """Return a sheet as text for a link: JSON, compressed, in letters that addresses may have."""
    packed = zlib.compress(msgspec.json.encode(document), 9)
    return urlsafe_b64encode(packed).decode().rstrip("=")


def received(text: str | bytes) -> SheetDocument:
    """Return the sheet of a link or its text, of JSON that was typed, or of a file's bytes.

    Raises RuleError with the sentence that says what is wrong, and in which line of what :func:`opened` returns.

    Whatever a stranger sends is bounded before it is read: no text grows beyond :data:`LARGEST`.
    """
    data = _document(text)
    try:
        return decode_sheet(data)
    except RecordError as refused:
        if refused.field == "sheet.format" and b'"companion-sheet/' in data:
            newer = say("A newer Companion made this sheet. Update this one, and open it again.")
            raise RuleError(newer, field="sheet") from None
        raise RuleError(placed(refused, opened(text)), field="sheet") from refused


def opened(text: str | bytes) -> str:
    """Return a sheet as people read and mend it: as it was written, or what a link holds, in lines. Raises RuleError."""
    data = _document(text)
    if _is_link(text) and len(data) <= MOST_IN_LINES:
        with suppress(msgspec.DecodeError, RecursionError):
            data = msgspec.json.format(data, indent=2)
    return data.removeprefix(BOM_UTF8).decode(errors="replace")


def _is_link(text: str | bytes) -> bool:
    return isinstance(text, str) and not text.lstrip().startswith("{")


def _document(text: str | bytes) -> bytes:
    """Return the JSON of a file, of a link or its text, or what was typed as JSON itself. Raises RuleError."""
    data = text if isinstance(text, bytes) else text.encode(errors="replace")
    if isinstance(text, str) and _is_link(text):
        data = _unpacked(of_a_link[1] if (of_a_link := _IN_A_LINK.search(text)) else text.strip())
    if len(data) > LARGEST:
        raise RuleError(say("This sheet is too large."), field="sheet")
    return data


def _unpacked(text: str) -> bytes:
    broken = RuleError(say("This link is not whole, or not of a sheet. Ask for it once more."), field="sheet")
    if _LETTERS.fullmatch(text) is None:  # decoding would leave out what is none of them
        raise broken
    try:
        packed = urlsafe_b64decode(text + "=" * (-len(text) % 4))
        unpacking = zlib.decompressobj()
        data = unpacking.decompress(packed, LARGEST + 1)
    except (binascii.Error, ValueError, zlib.error):
        raise broken from None
    if (not unpacking.eof and len(data) <= LARGEST) or unpacking.unused_data:
        raise broken
    return data
