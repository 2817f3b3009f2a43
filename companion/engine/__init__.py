"""The rules of every game that Companion knows. A new game is one module and one line here."""

from __future__ import annotations

from typing import Any

from companion.engine.beloz import GAME as BELOZ
from companion.engine.beluga_cup import GAME as BELUGA_CUP
from companion.engine.bisque import GAME as BISQUE
from companion.engine.core import Game
from companion.engine.rivals import GAME as RIVALS
from companion.engine.what_the_fish import GAME as WHAT_THE_FISH

GAMES: dict[str, Game[Any]] = {
    BELOZ.slug: BELOZ,
    BELUGA_CUP.slug: BELUGA_CUP,
    BISQUE.slug: BISQUE,
    RIVALS.slug: RIVALS,
    WHAT_THE_FISH.slug: WHAT_THE_FISH,
}
