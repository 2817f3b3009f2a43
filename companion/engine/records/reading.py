"""Can this JSON be read at all, and where are its parts? Size first, then msgspec, then each part by its own type.

Records come from anywhere. msgspec checks a document of 4 MiB in milliseconds and holds nothing of it but slices; only what is
small is made into Python objects. The standard library's reader sees what msgspec passes over in silence: a name given twice.
"""

from __future__ import annotations

import codecs
import json
import re
from dataclasses import dataclass
from typing import Any

import msgspec

from companion.engine.records.errors import RecordError, UnreadableError, error_at, quoted
from companion.engine.text import Name, Sentence, listing, say

MAX_BYTES = 4 * 2**20  # of a document
MAX_PART = 2**16  # bytes of one event, of the options, of a look-up
MAX_EVENTS = 20_000
MAX_DIGITS = 30  # characters of one number as written

TOO_LARGE = say("The document is larger than {size} MiB, the most that a record can be.", size=MAX_BYTES // 2**20)
PART_TOO_LARGE = say("this is larger than {size} KiB, the most that a part of a record can be.", size=MAX_PART // 2**10)

_PLACE = re.compile(r"JSON is malformed: (.*) \(byte (\d+)\)")
# An escape; ``half`` is one half of a character (a surrogate) without the other.
_ESCAPE = re.compile(rb"\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|(?P<half>u[dD][89a-fA-F]..)|.)", re.DOTALL)
_LONG_NUMBER = re.compile(rb"[-+.0-9eE]{%d}" % (MAX_DIGITS + 1))
_PROBLEMS = {
    "trailing characters": say("there is more after its end"),
    "trailing comma in object": say("trailing comma in object"),
    "trailing comma in array": say("trailing comma in array"),
    "invalid character": say("invalid character"),
    "invalid number": say("invalid number"),
    "invalid escaped character": say("invalid escaped character"),
}
_OBJECT = msgspec.json.Decoder(dict[str, msgspec.Raw])
_LIST = msgspec.json.Decoder(list[msgspec.Raw])
_ANY = msgspec.json.Decoder(msgspec.Raw)


@dataclass(frozen=True, slots=True)
class Document:
    """A readable document: the bytes of its parts by name (None if it is not an object).

    ``events`` are those of the part called so, if it is a list. ``doubtful`` is True if a name may stand twice in one of them;
    ``fault`` is half of a character in one of them.
    """

    parts: dict[str, msgspec.Raw] | None
    events: list[msgspec.Raw]
    doubtful: bool = False
    fault: RecordError | None = None

    def check_event(self, index: int) -> None:
        """Raise RecordError if this event is readable and yet wrong."""
        if self.fault is not None and self.fault.event == index:
            raise self.fault
        check_part(self.events[index], index)
        if self.doubtful:
            check_names(self.events[index], index)


def read_document(data: bytes) -> Document:
    """Return the parts of this JSON text.

    Raises:
        UnreadableError: it is not JSON, or more of it than a record can be.
        RecordError: a name is given twice outside the events; within them :func:`check_names` tells.
    """
    data = data.removeprefix(codecs.BOM_UTF8)
    repaired, half = readable(data)
    try:
        parts = _OBJECT.decode(repaired)
    except msgspec.ValidationError:
        return Document(None, [])
    events = []
    if bytes(parts.get("events", b""))[:1] == b"[":
        events = _LIST.decode(parts["events"])
        if len(events) > MAX_EVENTS:
            many = say("A record holds at most {most:,} events, not {n:,}.", most=MAX_EVENTS, n=len(events))
            raise UnreadableError(None, many, at=0)
    for name, part in parts.items():
        if name != "events":
            check_part(part, None, name)
    names = Names()
    small = all(len(bytes(event)) <= MAX_PART for event in events)
    if small:
        json.loads(repaired, object_pairs_hook=names.read, parse_int=float)
    if names.outermost is not None:  # the document's own; those of its parts are told first, where they come first
        raise twice(None, names.outermost)
    if names.twice is not None:
        for name, part in parts.items():
            if name != "events":
                check_names(part, None)
    fault = None
    if half is not None:
        event = event_at(repaired, parts["events"], events, half) if events else None
        fault = half_of_a_character(data, half, event)
        if event is None:
            raise fault
    return Document(parts, events, names.twice is not None or not small, fault)


def readable(data: bytes) -> tuple[bytes, int | None]:
    """Return what :func:`without_halves` does. Raises UnreadableError for what is no JSON, or larger than a document can be."""
    repaired, half = without_halves(data)
    try:
        check_json(repaired)
    except UnreadableError as broken:  # what is too large was perhaps cut off while it was read
        if len(data) <= MAX_BYTES or broken.at < MAX_BYTES - MAX_PART:
            raise
    if len(data) > MAX_BYTES:
        raise UnreadableError(None, TOO_LARGE, at=MAX_BYTES)
    return repaired, half


def without_halves(data: bytes) -> tuple[bytes, int | None]:
    """Return the data with a letter in place of every half of a character, as long as it is, and where the first was.

    Neither reader takes such an escape, so it would hide everything else that is there to say.
    """
    if b"\\u" not in data:
        return data, None
    halves = [escape.start() for escape in _ESCAPE.finditer(data) if escape["half"]]
    if not halves:
        return data, None
    repaired = bytearray(data)
    for start in halves:
        repaired[start : start + 6] = b"\\u0041"
    return bytes(repaired), halves[0]


def half_of_a_character(data: bytes, at: int, event: int | None = None) -> RecordError:
    """Return the refusal of an escape that stands for half of a character."""
    return RecordError(event, say("Half of a character (a lone surrogate) stands here ({place}).", place=place(data, at)))


def event_at(data: bytes, log: msgspec.Raw, events: list[msgspec.Raw], at: int) -> int | None:
    """Return the index of the event that holds this place of the document, or None if it lies outside of them."""
    end = data.find(bytes(log)) + 1
    for index, event in enumerate(events):
        start = data.find(bytes(event), end)
        end = start + len(bytes(event))
        if start <= at < end:
            return index
    return None


def check_json(data: bytes) -> None:
    """Raise UnreadableError, with the place, if this is not JSON in UTF-8."""
    try:
        if not data.isascii():
            data.decode()
        _ANY.decode(data)
    except UnicodeDecodeError as wrong:
        sentence = say("This is not UTF-8 text ({place}).", place=place(data, wrong.start))
        raise UnreadableError(None, sentence, at=wrong.start) from None
    except RecursionError:
        sentence = say("This is more than a record can hold: it is nested too deep.")
        raise UnreadableError(None, sentence, at=0) from None
    except msgspec.DecodeError as wrong:
        raise unreadable(data, str(wrong)) from None


def unreadable(data: bytes, why: str) -> UnreadableError:
    """Return the refusal of bytes that are not JSON, in which msgspec found this."""
    if not data.strip():
        return UnreadableError(None, say("There is nothing to read here: the document is empty."), at=len(data))
    if located := _PLACE.fullmatch(why):
        problem, at = located[1], int(located[2])
        if problem == "trailing characters":  # told one byte late
            at -= 1
        sentence = say("This is not JSON: {what} ({place}).", what=_what(problem), place=place(data, at))
        return UnreadableError(None, sentence, at=at)
    sentence = say("This is not JSON: it ends before it is complete ({place}).", place=place(data, len(data)))
    return UnreadableError(None, sentence, at=len(data))


def _what(problem: str) -> Sentence | Name:
    """Return what msgspec found, in words that can be translated."""
    if problem.startswith("expected "):
        signs = [Name(sign) for sign in problem.removeprefix("expected ").split(" or ")]
        return say("expected {signs}", signs=listing(signs, "or"))
    return _PROBLEMS.get(problem, Name(problem))


def check_part(part: bytes | msgspec.Raw, event: int | None, name: str = "") -> None:
    """Raise RecordError if a part is too large to be looked into, or holds a number of too many digits."""
    data = bytes(part)
    if len(data) > MAX_PART:
        raise error_at(event, name, PART_TOO_LARGE)
    if (long := _LONG_NUMBER.search(data)) is not None and not in_text(data, long.start()):
        raise error_at(event, name, say("a number has more than {most} digits.", most=MAX_DIGITS))


def in_text(data: bytes, at: int) -> bool:
    """Return whether this place of a JSON text is inside quotation marks."""
    return data[:at].replace(b"\\\\", b"").replace(b'\\"', b"").count(b'"') % 2 == 1


class Names:
    """What the standard library's reader tells of objects while it reads: whether one of them has a name twice.

    It keeps nothing of them, so that a large document costs no memory.
    """

    def __init__(self) -> None:
        self.twice: str | None = None  # the first such name
        self.outermost: str | None = None  # and that of the whole, which is read last

    def read(self, pairs: list[tuple[str, Any]]) -> None:
        """Note one object."""
        self.outermost = given_twice(pairs)
        if self.twice is None:
            self.twice = self.outermost


def given_twice(pairs: list[tuple[str, Any]]) -> str | None:
    """Return the first name that stands twice in an object, or None."""
    if len(dict(pairs)) == len(pairs):
        return None
    names = [name for name, _ in pairs]
    return next(name for place, name in enumerate(names) if name in names[:place])


def check_names(part: bytes | msgspec.Raw, event: int | None) -> None:
    """Raise RecordError if a name is given twice anywhere in this part."""
    names = Names()
    json.loads(bytes(part), object_pairs_hook=names.read, parse_int=float)
    if names.twice is not None:
        raise twice(event, names.twice)


def twice(event: int | None, name: str) -> RecordError:
    """Return the refusal of a name that is given twice."""
    return RecordError(event, say("The name {name} is given twice.", name=quoted(name)))


def read_object(data: bytes) -> dict[str, Any]:
    """Return the object in this small JSON text (a look-up, an event, options) as Python values; {} if it is not an object.

    Raises UnreadableError and RecordError, as :func:`read_document` does.
    """
    _, half = readable(data)  # before its size: a file of many look-ups is large, and none of them
    check_part(data.strip(), None)
    if half is not None:
        raise half_of_a_character(data, half)
    document = _NAMES_ONCE.decode(data.decode())
    return document if isinstance(document, dict) else {}


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = dict(pairs)
    if (name := given_twice(pairs)) is not None:
        raise twice(None, name)
    return names


_NAMES_ONCE = json.JSONDecoder(object_pairs_hook=_each_once)


def place(data: bytes, at: int) -> Sentence:
    """Return ``line 3, column 14`` for people, who count characters from 1; a document on one line has columns alone."""
    line = data.count(b"\n", 0, at) + 1
    column = len(data[data.rfind(b"\n", 0, at) + 1 : at].decode(errors="replace")) + 1
    if b"\n" in data.strip():
        return say("line {line}, column {column}", line=line, column=column)
    return say("column {column}", column=column)
