"""What does a round of Rivals give, and who wins the count? Asked without a table."""

from __future__ import annotations

from typing import ClassVar

from companion.engine.text import term
from companion.screens.look_up import PageCalculator
from companion.screens.rivals.count import CountPage
from companion.screens.rivals.round import RoundPage

SAMPLE_PLAYERS = (term("Red", "fleet"), term("Blue", "fleet"))


class RoundCalculator(PageCalculator):
    """Who takes the packs of a round?"""

    slug: ClassVar[str] = "rivals"
    page: ClassVar[type[RoundPage]] = RoundPage
    players: ClassVar[tuple[str, ...]] = SAMPLE_PLAYERS


class CountCalculator(PageCalculator):
    """Who wins with these captured whales?"""

    slug: ClassVar[str] = "rivals"
    page: ClassVar[type[CountPage]] = CountPage
    players: ClassVar[tuple[str, ...]] = SAMPLE_PLAYERS
