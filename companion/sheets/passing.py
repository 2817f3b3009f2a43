"""How does a sheet get from one phone to another? As text that a link, a QR code or a file holds, whole."""

from __future__ import annotations

import binascii
import re
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Final

import msgspec

from companion.engine.records import RecordError, decode_sheet
from companion.engine.sheet.document import SheetDocument
from companion.plugin import RuleError, say

LONGEST_LINK: Final = 2_000  # characters that a link's text may have: a larger sheet is passed on as a file
LARGEST: Final = 2**16  # bytes of a sheet, however small its text is
_LETTERS: Final = re.compile(rf"[A-Za-z0-9_-]{{1,{LARGEST}}}")


def text_of(document: SheetDocument) -> str:
    """Return a sheet as text for a link: JSON, compressed, in letters that addresses may have."""
    packed = zlib.compress(msgspec.json.encode(document), 9)
    return urlsafe_b64encode(packed).decode().rstrip("=")


def received(text: str | bytes) -> SheetDocument:
    """Return the sheet of a link's text, or of a file's bytes. Raises RuleError with the sentence that says what is wrong.

    Whatever a stranger sends is bounded before it is read: no text grows beyond :data:`LARGEST`.
    """
    data = text if isinstance(text, bytes) else _unpacked(text)
    if len(data) > LARGEST:
        raise RuleError(say("This sheet is too large."), field="sheet")
    try:
        return decode_sheet(data)
    except RecordError as refused:
        raise RuleError(refused.message, field="sheet") from refused


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
