"""The calculator: the points for fish that were eaten, without a table."""

from __future__ import annotations

from typing import Any, ClassVar

from werkzeug.datastructures import MultiDict

from companion.engine.beluga_cup import Cup, final
from companion.engine.core import RuleError
from companion.engine.decktet import SUITS, Suit
from companion.screens.beluga_cup.page import SIDES, CupPage
from companion.screens.page import Outcome, Rerender

MOST_FIGURES = 2


class CalculatorPage(CupPage):
    """How many fish of each suit both players have eaten, and what that scores, suit by suit."""

    template: ClassVar[str] = "games/beluga-cup/calculate.html"
    kind: ClassVar[str] = "calculate"
    what: ClassVar[str] = "cup"

    @property
    def outbox_label(self) -> str:
        """What waits when it can't be sent."""
        return "The calculation"

    def typed(self, side: int, suit: str) -> str:
        """What stands in a field."""
        return self.form_data.get(f"{suit}_{side}", "").strip()

    def outcome(self) -> Outcome:
        """A tap on a fish adds one; the rest is only asked."""
        side, _, suit = self.form_data.get("add", "").partition(":")
        if side in SIDES and suit in SUITS:
            known = self.number(int(side), suit)
            if known is not None:
                self.form_data = MultiDict(self.form_data)
                self.form_data[f"{suit}_{side}"] = str(known + 1)
        return Rerender(wrong=self.cup is None)

    def number(self, side: int, suit: str) -> int | None:
        """The number in a field, 0 if it is empty; None if it is none, and the reason is then at the field."""
        typed = self.typed(side, suit)
        if not typed:
            return 0
        if typed.isascii() and typed.isdecimal() and len(typed) <= MOST_FIGURES:
            return int(typed)
        self.errors.setdefault(f"{side}.{suit}", f"“{typed[:12]}” is no number of fish.")
        return None

    @property
    def eaten(self) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
        """The fish of both players by suit, or None while something typed is no number."""
        piles = [[self.number(side, suit) for suit in SUITS] for side in (0, 1)]
        known = [tuple(number for number in pile if number is not None) for pile in piles]
        return (known[0], known[1]) if all(len(pile) == len(SUITS) for pile in known) else None

    @property
    def cup(self) -> Cup | None:
        """Points, winners and the sum by suit; None when the fish can't be, and the reason is then at the field."""
        eaten = self.eaten
        if eaten is None:
            return None
        try:
            return final(self.players, eaten)
        except RuleError as refused:
            self.refuse(refused.message, refused.field)
            return None

    @property
    def anything(self) -> bool:
        """True once a fish was entered."""
        return any(self.typed(side, suit) for side in (0, 1) for suit in SUITS)

    @property
    def lines(self) -> list[dict[str, Any]]:
        """The sum by suit."""
        cup = self.cup
        return [{"label": line.what, "values": line.amounts, "rule": line.rule} for line in cup.lines] if cup else []

    @property
    def verdict_words(self) -> str:
        """Who wins with these fish."""
        cup = self.cup
        if cup is None:
            return ""
        if len(cup.winners) > 1:
            return "A shared cup"
        return f"{self.players[cup.winners[0]]} wins the cup"

    @property
    def suits(self) -> tuple[Suit, ...]:
        """The suits, in their order."""
        return SUITS

    def refuse(self, sentence: str, field: str) -> None:
        """Put a refusal at its field ("eaten.0.suns" at the sun fish of the first)."""
        self.errors.setdefault(field.removeprefix("eaten."), sentence)

    def events(self) -> None:
        """Nothing is entered."""
        return
