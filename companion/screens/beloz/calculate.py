"""What is a round of BeloZ worth, without a table?"""

from __future__ import annotations

from typing import ClassVar

from companion.screens.beloz.look_up import SEATS
from companion.screens.beloz.round import RoundPage
from companion.screens.look_up import PageCalculator


class RoundCalculator(PageCalculator):
    """A whole round on one page: who took it, what was announced, the count."""

    slug: ClassVar[str] = "beloz"
    page: ClassVar[type[RoundPage]] = RoundPage
    players: ClassVar[tuple[str, ...]] = SEATS
