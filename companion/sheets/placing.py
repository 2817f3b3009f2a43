"""In which line of a sheet's text is the mistake? Its author mends the text there."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from companion.engine.records import RecordError
from companion.engine.records.errors import UnreadableError
from companion.engine.records.reading import MAX_DIGITS
from companion.plugin import Name, Sentence, listing, say

_TOKEN: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\],]|[^\s{}\[\],:"]+', re.DOTALL)


class _Token(NamedTuple):
    """A name, a value, or its beginning: its path from the whole, and where it stands."""

    path: tuple[str, ...]
    at: int
    is_name: bool
    text: str


def _tokens(text: str) -> Iterator[_Token]:
    """Iterate over the names and values of a JSON text that can be read."""
    path: list[str | int | None] = []  # None: in an object, before its next name
    for token in _TOKEN.finditer(text):
        match token[0]:
            case "}" | "]":
                path.pop()
            case ",":
                path[-1] = path[-1] + 1 if isinstance(path[-1], int) else None
            case word:
                is_name = path[-1:] == [None]
                if is_name:
                    path[-1] = str(json.loads(word))
                yield _Token(tuple(map(str, path)), token.start(), is_name, word)
                if word in {"{", "["}:
                    path.append(None if word == "{" else 0)


def _of_no_field(tokens: list[_Token]) -> _Token | None:
    """Return what is wrong although each part by itself is of its kind: a name that comes again, or an endless number."""
    names = set()
    for token in tokens:
        if (token.is_name and token.path in names) or (token.text[0] != '"' and len(token.text) > MAX_DIGITS):
            return token
        if token.is_name:
            names.add(token.path)
    return None


def placed(refused: RecordError, text: str) -> Sentence:
    """Return the refusal of a sheet with its place in the text: "Line 9, columns 3, kind: …"."""
    if isinstance(refused, UnreadableError):  # its sentence has the place already
        return refused.message
    steps = tuple(refused.field.split(".")[1:])
    tokens = list(_tokens(text))
    if refused.field:
        token = max((token for token in tokens if token.path == steps[: len(token.path)]), key=lambda token: len(token.path))
    elif wrong := _of_no_field(tokens):
        token, steps = wrong, wrong.path
    else:
        return refused.message
    place: list[Sentence | Name] = []
    if "\n" in text.strip():
        place.append(say("Line {n}", n=text.count("\n", 0, token.at) + 1))
    for step in steps:  # people count from 1
        if step.isdecimal() and place:
            place[-1] = Name(f"{place[-1]} {int(step) + 1}")
        else:
            place.append(Name(step))
    bare = refused.message.parts.get("sentence", refused.message)
    return say("{place}: {sentence}", place=listing(place, "comma"), sentence=bare) if place else refused.sentence
