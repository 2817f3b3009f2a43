"""A pot and its goals on one page, without a table: what does it score?"""

from __future__ import annotations

from typing import ClassVar

from companion.engine.bisque import TRICKS, Pot, suit_totals
from companion.engine.core import Event, RuleError
from companion.engine.decktet import Suit
from companion.screens.bisque.goals import GoalFields
from companion.screens.bisque.trick import TrickPage
from companion.screens.page import Outcome, PageContext, Rerender


class SoupPage(GoalFields):
    """Cards tapped into a pot, up to three goals, and their points. Nothing is kept."""

    kind: ClassVar[str] = "soup"
    template: ClassVar[str] = "games/bisque/soup.html"
    outbox_label: ClassVar[str] = ""
    places: ClassVar[int] = TRICKS
    deck: ClassVar[tuple[str, ...]] = TrickPage.deck

    def __init__(self, context: PageContext) -> None:
        super().__init__(context)
        self.tapped = tuple(self.form_data.getlist("pot"))
        try:
            for card in self.tapped:
                self.state = context.position.game.apply(self.state, Pot(card))
        except RuleError as refused:  # then none is counted: which one is too many, nobody knows
            self.state = context.position.state
            self.errors["pot"] = refused.message

    @property
    def pot(self) -> tuple[str, ...]:
        """The cards that the engine took."""
        return tuple(one.card for one in self.state.pot)

    @property
    def suits(self) -> dict[Suit, int]:
        """The points of each suit in the pot."""
        return suit_totals(self.pot)

    def outcome(self) -> Outcome:
        """The page again, with the answer."""
        known = [goal for goal in self.goals if goal]
        scored = [score for score in self.scores if score]
        return Rerender(wrong=bool(self.errors) or len(scored) < len(known))

    def ready(self) -> tuple[Event, ...] | None:
        """Never anything to enter."""
        return None
