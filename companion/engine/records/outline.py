"""Where the parts of a JSON document are, found before anything of it is decoded.

Records come from anywhere, so their size is settled first: reading costs the same for each byte, holds nothing but the offsets
of the events, and goes no deeper and no further than a record can go. It also sees what a decoder passes over in silence:
a name given twice, half of a surrogate pair, a number of ten thousand digits.
"""

from __future__ import annotations

import codecs
import re
from array import array
from dataclasses import dataclass

import msgspec

from companion.engine.records.refusals import RecordError, UnreadableError, in_words, quoted

MAX_BYTES = 4 * 2**20  # of a document
MAX_PART = 2**16  # bytes of one event, of the options, of a look-up
MAX_EVENTS = 20_000
MAX_DEPTH = 32
MAX_KEYS = 64  # in one object
MAX_ITEMS = 1_000  # in one list, the events aside
MAX_TEXT = 4_000  # bytes of one text as written
MAX_DIGITS = 30  # characters of one number as written

# No group is repeated possessively (``(...)*+``): Python 3.11.2 loses its place where one matches in part.
_SPACE = rb"[ \t\n\r]*+"
_STRING = rb'"[^"\x00-\x1f]*+"'  # where escapes are covered
_NUMBER = rb"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][-+]?[0-9]++)?"
_TOKEN = re.compile(
    # 1 a comma, 2 a name; then 3 an opening, 4 a closing, 5 a text (no name whose value is missing), 6 a number, 7 a word
    _SPACE + rb"(?:(,)" + _SPACE + rb")?(?:(" + _STRING + rb")" + _SPACE + rb":" + _SPACE + rb")?"
    rb"(?:([{\[])|([}\]])|(" + _STRING + rb")(?(2)|(?!" + _SPACE + rb":))|(" + _NUMBER + rb")|(true|false|null))"
)  # fmt: skip
_COMMA, _NAME, _OPEN, _CLOSE, _TEXT, _DIGITS = range(1, 7)
_BLANK = re.compile(_SPACE)
_BEGUN = re.compile(_SPACE + rb"(?:," + _SPACE + rb")?(?:" + _STRING + _SPACE + rb"(?::" + _SPACE + rb")?)?")
_ESCAPES = tuple(b"\\%c" % letter for letter in b'\\"/bfnrt')  # the backslash's own first: what follows it escapes nothing
_NO_ESCAPE = re.compile(rb"\\(?!u[0-9a-fA-F]{4})")
_WORD = re.compile(rb"-?[A-Za-z_]{1,20}")
_BOM = codecs.BOM_UTF8
_CONTINUATION = bytes(range(0x80, 0xC0))
_PIECE = 2**16  # bytes looked at in one go


@dataclass(frozen=True, slots=True)
class Outline:
    """A readable document: its bytes (without a byte order mark), and where its parts are (offsets from, to).

    ``parts`` is None when it is no object.
    """

    data: bytes
    parts: dict[str, tuple[int, int]] | None
    starts: array[int]  # of the events, if the part called so is a list
    ends: array[int]
    fault: RecordError | None  # the first thing within an event that is readable and yet wrong

    def part(self, name: str) -> bytes | None:
        """The bytes of a part of this name, or None."""
        if self.parts is None or name not in self.parts:
            return None
        start, end = self.parts[name]
        return self.data[start:end]


def read_outline(data: bytes, *, log: bytes = b"") -> Outline:
    """Where the parts of this document are. ``log`` names the one whose items are events.

    Raises UnreadableError when it is no JSON or too much of it, RecordError for a fault outside the events. A fault within an
    event is kept in the outline, because an earlier event may be wrong, too.
    """
    data = data.removeprefix(_BOM)
    too_large = len(data) > MAX_BYTES
    try:
        found = _scan(data, log)
    except UnreadableError as unreadable:
        if not (too_large and unreadable.at >= MAX_BYTES - _PIECE):  # what is cut off there was most likely longer
            raise
        found = None
    if found is None or too_large:
        size = MAX_BYTES // 2**20
        raise UnreadableError(None, f"The document is larger than {size} MiB, the most that a record can be.", at=MAX_BYTES)
    _check_encoding(data)
    return found


def _scan(data: bytes, log: bytes) -> Outline:
    starts, ends = array("L"), array("L")
    parts: dict[str, tuple[int, int]] = {}
    faults: dict[bool, RecordError] = {}  # the first in the document itself (False) and in an event (True)
    outer: list[tuple[set[bytes] | None, int]] = []  # what encloses the innermost: its names (None: a list), items so far
    names: set[bytes] | None = None
    items = 0
    depth = 0
    event: int | None = None  # the one being read
    in_log = False
    part = b""
    part_start = 0
    is_object = False
    seen: dict[bytes, bytes] = {}  # names as written, and what they are: the same few come again and again
    match = _TOKEN.match
    covered = _covered(data)
    at = 0

    def fault(event: int | None, message: str, where: int) -> None:
        if (event is not None) not in faults:  # finding the place takes long: do it once
            faults[event is not None] = RecordError(event, f"{message} ({_place(data, where)}).")

    while True:
        token = match(covered, at)
        if token is None:
            raise _malformed(data, covered, at)
        kind = token.lastindex
        at = token.end()
        name = token[_NAME]
        if name is not None and covered is not data:
            name = data[token.start(_NAME) : token.end(_NAME)]

        if kind == _CLOSE:
            start = at - 1
            if not depth or (data[start] == 0x7D) is (names is None):
                raise _broken(data, start, "a bracket closes here that was not opened")
            if token[_COMMA] is not None:
                raise _broken(data, token.start(_COMMA), "a comma stands before the closing bracket")
            if name is not None:
                raise _broken(data, start, "a value is missing after the colon")
            depth -= 1
            names, items = outer.pop()
        else:
            if not depth:
                if token[_COMMA] is not None:
                    raise _broken(data, token.start(_COMMA), "nothing can begin with a comma")
            elif items and token[_COMMA] is None:
                raise _broken(data, _past_blank(data, token.start()), "a comma is missing")
            elif not items and token[_COMMA] is not None:
                raise _broken(data, token.start(_COMMA), "a value is missing before the comma")
            items += 1
            start = token.start(kind or 0)
            if name is not None:
                if names is None:
                    raise _broken(data, token.start(_NAME), "a name can't stand here")
                plain = seen.get(name)
                if plain is None:
                    plain = name[1:-1]
                    if len(name) > MAX_TEXT:
                        fault(event, "A name is too long", token.start(_NAME))
                    elif b"\\" in plain:
                        text = _text(name)
                        if text is None:
                            fault(event, "Half of a character (a lone surrogate) stands in a name", token.start(_NAME))
                        else:
                            plain = text.encode()
                    elif len(seen) < MAX_KEYS:
                        seen[name] = plain
                if plain in names:
                    fault(event, f"The name {_quoted(plain)} is given twice", token.start(_NAME))
                elif items > MAX_KEYS:
                    raise _excessive(data, start, event, f"one object has more than {MAX_KEYS} names")
                names.add(plain)
                if depth == 1:
                    part, part_start = plain, start
            elif names is not None:
                raise _broken(data, start, "a name with a colon is missing before the value")
            elif in_log and depth == 2:  # an item of the log
                if items > MAX_EVENTS:
                    raise _excessive(data, start, None, f"there are more than {MAX_EVENTS:,} events")
                event = items - 1
                starts.append(start)
            elif items > MAX_ITEMS:
                raise _excessive(data, start, event, f"one list has more than {MAX_ITEMS:,} items")
            if kind == _OPEN:
                depth += 1
                if depth > MAX_DEPTH:
                    raise _excessive(data, start, event, f"it is nested more than {MAX_DEPTH} deep")
                outer.append((names, items))
                names, items = (set() if data[start] == 0x7B else None), 0
                if depth == 1:
                    is_object = names is not None
                elif depth == 2 and names is None and part == log and is_object:
                    in_log = True
                continue
            if kind == _TEXT:
                if at - start > MAX_TEXT:
                    fault(event, f"A text is longer than {MAX_TEXT:,} bytes", start)
                elif data.find(b"\\u", start, at) > 0 and _text(data[start:at]) is None:
                    fault(event, "Half of a character (a lone surrogate) stands in a text", start)
            elif kind == _DIGITS and at - start > MAX_DIGITS:
                fault(event, f"A number has more than {MAX_DIGITS} digits", start)

        # a value ends here
        if depth == 2 and in_log:
            ends.append(at)
            event = None
        elif depth == 1:
            in_log = False
            if is_object:
                parts[part.decode(errors="replace")] = (part_start, at)
        elif not depth:
            break

    if (rest := _past_blank(data, at)) < len(data):
        raise _broken(data, rest, "the document is complete, and yet there is more")
    if False in faults:
        raise faults[False]
    return Outline(data, parts if is_object else None, starts, ends, faults.get(True))


def _covered(data: bytes) -> bytes:
    """As long as the data, with something harmless in place of every escape: each quotation mark begins or ends a text.

    In place of the first backslash that JSON does not allow stands what no text can hold.
    """
    if b"\\" not in data:
        return data
    for escape in _ESCAPES:
        data = data.replace(escape, b"__")
    wrong = _NO_ESCAPE.search(data)
    return data if wrong is None else data[: wrong.start()] + b"\0" + data[wrong.end() :]


def _past_blank(data: bytes, at: int) -> int:
    blank = _BLANK.match(data, at)
    return at if blank is None else blank.end()


def _text(written: bytes) -> str | None:
    """The text that stands there in quotation marks and perhaps escapes; None if half a character is in it."""
    try:
        return msgspec.json.decode(written, type=str)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def _quoted(name: bytes) -> str:
    return quoted(name[:MAX_TEXT].decode(errors="replace"))


def _check_encoding(data: bytes) -> None:
    if data.isascii():
        return
    decoder = codecs.getincrementaldecoder("utf-8")()
    view = memoryview(data)
    for start in range(0, len(data), _PIECE):
        piece = view[start : start + _PIECE]
        pending = len(decoder.getstate()[0])
        try:
            decoder.decode(piece, final=start + _PIECE >= len(data))
        except UnicodeDecodeError as error:
            at = start - pending + error.start
            raise RecordError(None, f"This is not UTF-8 text ({_place(data, at)}).") from None


def _place(data: bytes, at: int) -> str:
    """``line 3, column 14`` for people, who count characters from 1; a document on one line has columns alone."""
    line = data.count(b"\n", 0, at) + 1
    start = data.rfind(b"\n", 0, at) + 1
    column = 1 + sum(
        len(data[piece : min(piece + _PIECE, at)].translate(None, _CONTINUATION)) for piece in range(start, at, _PIECE)
    )
    only = line == 1 and not data.find(b"\n", at, -1) > 0
    return f"column {column}" if only else f"line {line}, column {column}"


def _broken(data: bytes, at: int, what: str) -> UnreadableError:
    return UnreadableError(None, f"This is not JSON: {what} ({_place(data, at)}).", at=at)


def _excessive(data: bytes, at: int, event: int | None, what: str) -> UnreadableError:
    return UnreadableError(event, f"This is more than a record can hold: {what} ({_place(data, at)}).", at=at)


def _malformed(data: bytes, covered: bytes, at: int) -> UnreadableError:
    """Why no token can be read from here."""
    begun = _BEGUN.match(covered, at)
    at = at if begun is None else begun.end()
    if at >= len(data):
        if not data.strip():
            return UnreadableError(None, "There is nothing to read here: the document is empty.", at=at)
        return _broken(data, at, "it ends before it is complete")
    here = data[at]
    if here == 0x22:
        return _broken(data, at, "a text has no end, or a character or backslash in it that JSON does not allow")
    if (word := _WORD.match(data, at)) is not None:
        return _broken(data, at, f"{word[0].decode()} is no value; possible: {in_words(['true', 'false', 'null'])}")
    if here >= 0x7F or here < 0x20:
        return _broken(data, at, f"the byte {here:#04x} can't stand here; is this UTF-8 text?")
    return _broken(data, at, f"{chr(here)} can't stand here")
