"""The short way into a small document in which nothing can be wrong that decoders pass over in silence."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from companion.engine.records.outline import MAX_DEPTH, MAX_DIGITS, MAX_KEYS

MAX_PLAIN = 4000  # bytes: no text in it can be too long

_PLAIN = re.compile(rb"[\n\r\t\x20-\x5b\x5d-\x7e]*+")  # no backslash: every name and text is what is written
_LONG_NUMBER = re.compile(rb"[-+.0-9eE]{%d}" % (MAX_DIGITS + 1))


def plain_object(data: bytes | str) -> dict[str, Any] | None:
    """The object that this small JSON text holds; None if it is none, or must be read with care (:mod:`.outline`).

    What is taken here has no name twice, no escapes, and stays within every limit.
    """
    if isinstance(data, str) or len(data) > MAX_PLAIN or _PLAIN.fullmatch(data) is None:
        return None
    if data.count(b"{") + data.count(b"[") > MAX_DEPTH or data.count(b",") >= MAX_KEYS or _LONG_NUMBER.search(data):
        return None
    try:
        found = json.loads(data, object_pairs_hook=_each_once, parse_constant=_no_number)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = dict(pairs)
    if len(names) < len(pairs):
        raise ValueError
    return names


def _no_number(_word: str) -> NoReturn:
    raise ValueError
