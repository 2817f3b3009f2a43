"""What does a pot score? A pot and its goals on one page, without a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from companion.engine.bisque import COOKS, TRICKS, BisqueState, GoalScore, Pot, preview_goals, suit_totals
from companion.engine.decktet import Suit
from companion.engine.text import term
from companion.screens.bisque.draft import Goals
from companion.screens.bisque.goals import GOALS, cards_in, goals_of, place_of_goal, titles
from companion.screens.bisque.trick import DECK
from companion.screens.interface import PageView
from companion.screens.look_up import Calculator


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


class SoupCalculator(Calculator):
    """Cards tapped into a pot, up to three goals, and their points."""

    slug: ClassVar[str] = "bisque"
    file: ClassVar[str] = "soup"
    players: ClassVar[tuple[str, ...]] = (term("You", "seat"), term("Left", "seat"), term("Right", "seat"))

    def look_up(self) -> None:
        """Put the cards into the pot; if one can't be none is counted, since nobody knows which one is too many."""
        self.goals = goals_of(self.form_data)
        self.tapped = self.picked("pot")
        self.state: BisqueState = self.asked(self._filled) or self.position.state
        self.scores: tuple[GoalScore | None, ...] = self.asked(lambda: preview_goals(self.state, self.goals)) or (None,) * COOKS

    def _filled(self) -> BisqueState:
        position = self.position
        for card in self.tapped:
            position = position.apply(Pot(card))
        state: BisqueState = position.state
        return state

    def where(self, field: str) -> str:
        """Return the goal's place, or the pot."""
        return place_of_goal(field) or "pot"

    @property
    def wrong(self) -> bool:
        """Return True if the pot can't be, or a goal that was chosen."""
        return super().wrong or sum(score is not None for score in self.scores) < sum(goal is not None for goal in self.goals)

    def view(self) -> SoupView:
        """Return the pot, and what the goals score in it."""
        pot = cards_in(self.state)
        return SoupView(
            errors=self.errors,
            tapped=self.tapped,
            pot=pot,
            suits=suit_totals(pot),
            goals=self.goals,
            titles=titles(self.goals),
            scores=self.scores,
        )
