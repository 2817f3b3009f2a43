"""The score sheets that Companion brings: a file of JSON each, read when somebody first asks for it."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Final

import msgspec

from companion.engine.sheet.document import SheetDocument

_FOLDER: Final = files(__package__) / "presets"
_DECODER: Final = msgspec.json.Decoder(SheetDocument)
PLAIN: Final = "plain"


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
