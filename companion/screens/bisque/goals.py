"""The goals: shown together when the pot is full, corrected later, or looked at by one phone alone without being kept."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from werkzeug.datastructures import MultiDict

from companion.engine.bisque import (
    COOKS,
    GoalScore,
    Reveal,
    State,
    check_turned_up,
    preview_goal,
    preview_goals,
    suit_totals,
)
from companion.engine.core import Event, RuleError
from companion.engine.decktet import CARDS, NUMBERS, Suit
from companion.screens.bisque import draft as drafts
from companion.screens.bisque.draft import Goals
from companion.screens.bisque.trick import COOK_WORDS
from companion.screens.page import JSON, Outcome, PageContext, Rerender, Submit, UpdateDraft

GOALS: Final = tuple(card.id for card in NUMBERS)  # to tap
CHANGED: Final = "A goal was changed on another phone meanwhile. This is how they lie now; save again if it is right."


class GoalFields:
    """Three goals on one form, each a card or nothing yet, and what the engine says of them."""

    cards: ClassVar[tuple[str, ...]] = GOALS

    def __init__(self, context: PageContext) -> None:
        self.context = context
        self.state: State = context.position.state
        self.players = context.position.players
        self.errors: dict[str, str] = {}
        self.form_data: MultiDict[str, str] = context.form_data if context.form_data is not None else MultiDict()
        self.goals = self._goals()

    @property
    def gone(self) -> tuple[str, ...]:
        """The cards in the pot."""
        return tuple(one.card for one in self.state.pot)

    def _goals(self) -> Goals:
        if self.context.form_data is None:
            for event in self.context.replacing[:1]:
                if isinstance(event, Reveal):
                    return event.goals
        return tuple(self.form_data.get(f"goal_{cook}") or None for cook in range(COOKS))

    @property
    def scores(self) -> tuple[GoalScore | None, ...]:
        """What each goal scores in the pot as it is, None where it is hidden or can't be (the reason is among the errors)."""
        try:
            return preview_goals(self.state, self.goals)
        except RuleError as refused:
            self.refuse(refused.message, refused.field)
            return (None,) * COOKS

    def title(self, player: int) -> str:
        """A goal in words, or nothing."""
        goal = self.goals[player]
        return CARDS[goal].title if goal in CARDS else ""

    def refuse(self, sentence: str, field: str) -> None:
        """Put a refusal at the goal that it is about, or above all."""
        place = field.replace(".", "_").replace("goals", "goal")
        self.errors.setdefault(place if place in {f"goal_{cook}" for cook in range(COOKS)} else "", sentence)


class RevealPage(GoalFields):
    """Every player's goal. On the match's page the phones share those that lie open; a correction has all three at once."""

    kind: ClassVar[str] = "reveal"
    template: ClassVar[str] = "games/bisque/reveal.html"

    def __init__(self, context: PageContext) -> None:
        super().__init__(context)
        self.number = len(self.state.played) + 1

    def _goals(self) -> Goals:
        if self.context.shared:
            return drafts.read(self.context.draft)
        return super()._goals()

    @property
    def outbox_label(self) -> str:
        """What waits in the outbox when it can't be sent."""
        return f"Hand {self.number}"

    @property
    def who(self) -> str:
        """The player whose goal is being turned up."""
        who = self.form_data.get("who", "")
        return who if who in COOK_WORDS else ""

    @property
    def event(self) -> Reveal | None:
        """The reveal, once all goals are known."""
        return drafts.reveal(self.goals)

    @property
    def next_question(self) -> str:
        """Whose goals are still hidden, as a sentence; empty when none is."""
        names = [self.players[cook] for cook, goal in enumerate(self.goals) if goal is None]
        return "" if not names else f"Still face down: {' and '.join(names) if len(names) < 3 else 'all three goals'}."

    def outcome(self) -> Outcome:
        """A tap turns one goal up or down for everybody; saving enters all three."""
        if self.form_data.get("ask"):
            return Rerender()
        if self.context.shared and "save" not in self.form_data:
            return self._tapped()
        if self.context.shared and self.form_data["save"] != drafts.text(self.goals):
            self.errors[""] = CHANGED
            return Rerender(wrong=True)
        if self.event is None:
            self.errors[""] = self.next_question
            return Rerender(wrong=True)
        return Submit((self.event, *self.context.replacing[1:]), f"Hand {self.number} saved")

    def _tapped(self) -> Outcome:
        if self.form_data.get("hide") in COOK_WORDS:
            player, goal = int(self.form_data["hide"]), None
        elif not self.who:
            self.errors[""] = "Whose goal is it? Tap a name first, then the card."
            return Rerender(wrong=True)
        else:
            player, goal = int(self.who), self.form_data.get("goal") or None

        def change(stored: JSON | None) -> JSON | None:
            goals = drafts.turned(drafts.read(stored), player, goal)
            check_turned_up(self.state, goals, player)
            return drafts.stored(goals)

        check_turned_up(self.state, drafts.turned(self.goals, player, goal), player)  # refused while what was tapped is at hand
        turned = f"{self.players[player]}'s goal"
        return UpdateDraft(change, what=turned if goal else f"{turned} turned down")

    def ready(self) -> tuple[Event, ...] | None:
        """The reveal, once all goals are known, with what else the corrected entry holds after it."""
        return None if self.event is None else (self.event, *self.context.replacing[1:])


class MyGoalPage:
    """What one goal scores now, for a phone without JavaScript: asked, answered, and forgotten. It enters nothing, ever."""

    template: ClassVar[str] = "games/bisque/goal.html"
    outbox_label: ClassVar[str] = ""
    cards: ClassVar[tuple[str, ...]] = GOALS

    def __init__(self, context: PageContext) -> None:
        self.state: State = context.position.state
        self.goal = "" if context.form_data is None else context.form_data.get("goal", "")
        self.errors: dict[str, str] = {}

    @property
    def score(self) -> GoalScore | None:
        """What the goal scores in the pot as it is; None while none was tapped, or when it can't be one."""
        try:
            return preview_goal(self.goal, self.pot) if self.goal else None
        except RuleError as refused:
            self.refuse(refused.message, refused.field)
            return None

    @property
    def pot(self) -> tuple[str, ...]:
        """The cards in the pot."""
        return tuple(one.card for one in self.state.pot)

    @property
    def suits(self) -> dict[Suit, int]:
        """The points of each suit in the pot."""
        return suit_totals(self.pot)

    def outcome(self) -> Outcome:
        """The page again, with the answer."""
        if not self.goal:
            self.errors["goal"] = "Tap your goal first."
        return Rerender(wrong=self.score is None)

    def ready(self) -> tuple[Event, ...] | None:
        """Never anything to enter."""
        return None

    def refuse(self, sentence: str, field: str) -> None:
        """Put a refusal at the goal."""
        self.errors.setdefault("goal", sentence)


def answers(pot: tuple[str, ...]) -> dict[str, dict[str, Any]]:
    """What each card of two suits would score as a goal now, or why it can't be one: so that no phone need tell its own."""
    told: dict[str, dict[str, Any]] = {}
    for card in GOALS:
        try:
            score = preview_goal(card, pot)
        except RuleError as refused:
            told[card] = {"refusal": refused.message}
        else:
            told[card] = {"points": score.points, "why": score.why}
    return told
