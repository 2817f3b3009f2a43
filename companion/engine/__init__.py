"""Which games does the engine know? Each module or package here that ends with its ``GAME``; there is no list to keep.

The engine stands alone, so it finds its own games. :mod:`companion.games` says what else belongs to each of them, and adds
those of installed packages to the same registry.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Final

from companion.engine.core import Game

_NO_GAME: Final = frozenset({"records"})  # it reads and writes what the games play, so it comes after them


def _own() -> Iterator[Game[Any]]:
    for module in iter_modules(__path__):
        if module.name not in _NO_GAME:
            game = getattr(import_module(f"{__name__}.{module.name}"), "GAME", None)
            if game is not None:
                yield game


GAMES: Final[dict[str, Game[Any]]] = {game.slug: game for game in _own()}
PACKAGES: Final[dict[str, str]] = {}  # by a game's slug, the name of the installed package that added it
