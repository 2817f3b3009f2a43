"""What does a pot score? A pot and its goals on one page, without a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from companion.engine.bisque import COOKS, TRICKS, GoalScore, Pot, State, preview_goals, suit_totals
from companion.engine.core import RuleError
from companion.engine.decktet import Suit
from companion.screens.bisque.draft import Goals
from companion.screens.bisque.goals import GOALS, cards_in, goals_of, place_of_goal, titles
from companion.screens.bisque.trick import DECK
from companion.screens.page import Outcome, PageContext, PageView, Rerender, ScreenPage


@dataclass(frozen=True, slots=True, kw_only=True)
class SoupView(PageView):
    """The cards that were tapped, those of them that the engine took into the pot, the goals and what each scores."""

    tapped: tuple[str, ...]
    pot: tuple[str, ...]
    suits: Mapping[Suit, int]
    goals: Goals
    titles: tuple[str, ...]
    scores: tuple[GoalScore | None, ...]
    places: ClassVar[int] = TRICKS
    deck: ClassVar[tuple[str, ...]] = DECK
    cards: ClassVar[tuple[str, ...]] = GOALS


class SoupPage(ScreenPage[State]):
    """Cards tapped into a pot, up to three goals, and their points. Nothing is kept."""

    template: ClassVar[str] = "games/bisque/soup.html"

    def __init__(self, context: PageContext) -> None:
        super().__init__(context)
        self.goals = goals_of(self.form_data)
        self.tapped = tuple(self.form_data.getlist("pot"))
        try:
            for card in self.tapped:
                self.state = context.position.game.apply(self.state, Pot(card))
        except RuleError as refused:  # then none is counted: which one is too many, nobody knows
            self.state = context.position.state
            self.errors["pot"] = refused.message

    def outcome(self) -> Outcome:
        """Show the page again, with the answer."""
        known = [goal for goal in self.goals if goal]
        scored = [score for score in self._scores() if score]
        return Rerender(wrong=bool(self.errors) or len(scored) < len(known))

    def place_of(self, field: str) -> str:
        """Return the goal's place, or the top."""
        return place_of_goal(field)

    def view(self) -> SoupView:
        """Return the pot, and what the goals score in it."""
        scores, pot = self._scores(), cards_in(self.state)
        return SoupView(
            errors=self.errors,
            tapped=self.tapped,
            pot=pot,
            suits=suit_totals(pot),
            goals=self.goals,
            titles=titles(self.goals),
            scores=scores,
        )

    def _scores(self) -> tuple[GoalScore | None, ...]:
        return self.asked(lambda: preview_goals(self.state, self.goals)) or (None,) * COOKS
