"""The score sheets that Companion brings: a file of JSON each, read when somebody first asks for it."""

from __future__ import annotations

from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, Final

import msgspec

from companion.engine.sheet.document import SheetDocument

_FOLDER: Final = files(__package__) / "presets"
_DECODER: Final = msgspec.json.Decoder(SheetDocument)
PLAIN: Final = "plain"
_WORDS: Final = frozenset({"name", "about", "question", "say"})


@cache
def names() -> tuple[str, ...]:
    """Return the ids of all presets, in the order of the alphabet."""
    return tuple(sorted(file.name.removesuffix(".json") for file in _FOLDER.iterdir() if file.name.endswith(".json")))


@cache
def preset(slug: str) -> SheetDocument:
    """Return the document of a preset. Raises KeyError for a name that is none.

    >>> preset("skull-king").players
    (2, 8)
    """
    if slug not in names():
        raise KeyError(slug)
    return _DECODER.decode((_FOLDER / f"{slug}.json").read_bytes())


@lru_cache(maxsize=64)
def in_todays_words(slug: str, document: SheetDocument) -> SheetDocument:
    """Return an earlier edition of a preset, as a match holds it, in today's words: catalogues have no others.

    What it scores stays: only words change, of columns, answers and checks that are still there.
    """
    if slug not in names() or document == preset(slug):
        return document
    return msgspec.convert(_worded(msgspec.to_builtins(document), msgspec.to_builtins(preset(slug))), SheetDocument)


def _worded(part: Any, today: Any) -> Any:
    if isinstance(part, dict) and isinstance(today, dict):
        return {key: today.get(key, old) if key in _WORDS else _worded(old, today.get(key)) for key, old in part.items()}
    if isinstance(part, list | tuple) and isinstance(today, list | tuple):
        newest = {_which(item): item for item in today}
        return [_worded(item, newest.get(_which(item))) for item in part]
    return part


def _which(part: Any) -> object:
    """Return what a part is known by among others: its id, the value of an answer, or what a check asks for."""
    return part.get("id", part.get("value", part.get("that"))) if isinstance(part, dict) else part
