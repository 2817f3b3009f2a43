"""How is a sentence stored? The template and the parts are kept, and each phone puts them into its own language."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from companion.engine.text import Name, Part, Sentence

MARK = "\u241e"  # begins a stored sentence; what was stored in plain words has none


class Stored(msgspec.Struct, frozen=True, array_like=True):
    """A sentence: its English words, template, parts by name, plural, context, and how a listing joins its parts."""

    words: str
    template: str
    parts: dict[str, int | float | str | list[Any]]
    plural: str = ""
    context: str = ""
    joined: Any = ""


_STORED: Final = msgspec.json.Decoder(Stored)


def store(text: str) -> str:
    """Return the text as a line to be stored: a sentence with all its parts, other text as it is."""
    return MARK + msgspec.json.encode(_stored(text)).decode() if isinstance(text, Sentence) else text


def read(line: str) -> str:
    """Return the text of such a line; one that can't be read is left out."""
    if not line.startswith(MARK):
        return line
    try:
        return _sentence(_STORED.decode(line[len(MARK) :]))
    except msgspec.MsgspecError:
        return ""


def _stored(text: Sentence) -> Stored:
    parts: dict[str, int | float | str | list[Any]] = {}
    for name, part in text.parts.items():
        if isinstance(part, Sentence):
            parts[name] = msgspec.to_builtins(_stored(part))
        else:
            parts[name] = str(part) if isinstance(part, str) else part
    return Stored(str(text), text.template, parts, text.plural, text.context, text.joined)


def _sentence(stored: Stored) -> Sentence:
    parts: dict[str, Part] = {}
    for name, part in stored.parts.items():
        if isinstance(part, list):
            parts[name] = _sentence(msgspec.convert(part, Stored))
        else:
            parts[name] = Name(part) if isinstance(part, str) else part
    return Sentence(stored.words, stored.template, parts, plural=stored.plural, context=stored.context, joined=stored.joined)
