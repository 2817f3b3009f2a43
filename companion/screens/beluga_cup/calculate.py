"""What do eaten fish score? The points of a whole cup, without a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from companion.engine.beluga_cup import Cup, final
from companion.engine.core import Line
from companion.engine.decktet import SUITS, Suit
from companion.engine.text import Name, say
from companion.screens.beluga_cup.page import SAMPLE_PLAYERS, SIDES
from companion.screens.interface import PageView, named
from companion.screens.look_up import Calculator

MOST_FIGURES = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class CalculatorView(PageView):
    """What stands in the fields ("suns_0"), and the cup with the sum by suit, or None while fish are missing or can't be."""

    typed: Mapping[str, str]
    cup: Cup | None
    verdict: str
    lines: Sequence[Line]
    what: ClassVar[str] = "cup"
    suits: ClassVar[tuple[Suit, ...]] = SUITS


class CupCalculator(Calculator):
    """How many fish of each suit both players have eaten, and what that scores, suit by suit."""

    slug: ClassVar[str] = "beluga-cup"
    players: ClassVar[tuple[str, ...]] = SAMPLE_PLAYERS

    def typed(self, side: int, suit: str) -> str:
        """Return what stands in a field."""
        return self.form_data.get(f"{suit}_{side}", "").strip()

    def look_up(self) -> None:
        """Add a fish that was tapped, and ask what all of them score."""
        side, _, suit = self.form_data.get("add", "").partition(":")
        if side in SIDES and suit in SUITS:
            number = self._number(int(side), suit)
            if number is not None:
                self.form_data[f"{suit}_{side}"] = str(number + 1)
        self.cup = self._cup()

    def where(self, field: str) -> str:
        """Return the field that "eaten.0.suns" is."""
        return field.removeprefix("eaten.")

    def view(self) -> CalculatorView:
        """Return the fields, and what the fish score once there are some."""
        typed = {f"{suit}_{side}": self.typed(side, suit) for side in (0, 1) for suit in SUITS}
        cup = self.cup if any(typed.values()) else None
        winners = [self.players[winner] for winner in cup.winners] if cup else []
        return CalculatorView(
            errors=self.errors,
            typed=typed,
            cup=cup,
            verdict=say("{player} wins the cup", player=named(winners[0])) if len(winners) == 1 else say("A shared cup"),
            lines=cup.lines if cup else (),
        )

    def _number(self, side: int, suit: str) -> int | None:
        """Return the number in a field, 0 if it is empty; None if it is none, and the reason is then at the field."""
        typed = self.typed(side, suit)
        if not typed:
            return 0
        if typed.isascii() and typed.isdecimal() and len(typed) <= MOST_FIGURES:
            return int(typed)
        self.refuse(say("“{typed}” is not a number of fish.", typed=Name(typed[:12])), f"{side}.{suit}")
        return None

    def _cup(self) -> Cup | None:
        """Return points, winners and the sum by suit; None when the fish can't be, and the reason is then at the field."""
        piles = [[self._number(side, suit) for suit in SUITS] for side in (0, 1)]
        first, second = (tuple(number for number in pile if number is not None) for pile in piles)
        if len(first) + len(second) < 2 * len(SUITS):
            return None
        return self.asked(lambda: final(self.players, (first, second)))
