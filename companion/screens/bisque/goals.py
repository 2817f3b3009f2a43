"""How are goals shown together when the pot is full, corrected later, or looked at by one phone alone?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Final

from werkzeug.datastructures import MultiDict

from companion.engine.bisque import (
    COOKS,
    BisqueState,
    GoalScore,
    Reveal,
    check_turned_up,
    preview_goal,
    preview_goals,
    suit_totals,
)
from companion.engine.core import Event, RuleError
from companion.engine.decktet import CARDS, NUMBERS, Suit
from companion.engine.text import Name, listing, say
from companion.screens.bisque import draft as drafts
from companion.screens.bisque.draft import Goals
from companion.screens.bisque.trick import COOK_WORDS
from companion.screens.interface import (
    DraftBody,
    FormData,
    Mend,
    Outcome,
    PageContext,
    PageView,
    Rerender,
    ScreenPage,
    Submit,
    UpdateDraft,
)

GOALS: Final = tuple(card.id for card in NUMBERS)  # to tap
CHANGED: Final = say("Another phone has changed a goal. This is how they lie now. Save again if it is right.")


MEND: Final = "mend:"  # before the card of a tap: it was turned up for the wrong player


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalsView(PageView):
    """Three goals, each a card or nothing yet, their ``titles`` in words, and what each scores in the pot.

    A score is None where the goal is hidden or can't be. ``gone`` are the cards in the pot, ``who`` is the player whose goal is
    being turned up, ``complete`` is True once all are known.
    """

    goals: Goals
    titles: tuple[str, ...]
    scores: tuple[GoalScore | None, ...]
    gone: tuple[str, ...]
    who: str
    complete: bool
    mend: Mend | None = None
    kind: ClassVar[str] = "reveal"
    cards: ClassVar[tuple[str, ...]] = GOALS


class RevealPage(ScreenPage[BisqueState]):
    """Every player's goal. On the match's page the phones share those that lie open; a correction has all three at once."""

    template: ClassVar[str] = "games/bisque/reveal.html"

    def __init__(self, context: PageContext) -> None:
        super().__init__(context)
        self.number = len(self.state.played) + 1
        self.goals = drafts.read(context.draft) if context.shared else goals_of(self.form_data)

    def prefill(self) -> FormData:
        """Return the goals that are corrected."""
        goals = [goal for event in self.context.replacing[:1] if isinstance(event, Reveal) for goal in event.goals]
        return MultiDict({f"goal_{cook}": goal for cook, goal in enumerate(goals)})

    @property
    def outbox_label(self) -> str:
        """Return "Hand 3"."""
        return say("Hand {n}", n=self.number)

    @property
    def who(self) -> str:
        """Return the player whose goal is being turned up."""
        who = self.form_data.get("who", "")
        return who if who in COOK_WORDS else ""

    @property
    def next_question(self) -> str:
        """Return whose goals are still hidden, as a sentence; empty when none is."""
        names = [Name(self.players[cook]) for cook, goal in enumerate(self.goals) if goal is None]
        if not names:
            return ""
        if len(names) == COOKS:
            return say("Still face down: all three goals.")
        return say("Still face down: {players}.", players=listing(names))

    def events(self) -> tuple[Event, ...] | None:
        """Return the reveal, once all goals are known."""
        event = drafts.reveal(self.goals)
        return None if event is None else (event,)

    def outcome(self) -> Outcome:
        """Turn one goal up or down for everybody, or enter all three."""
        if self.form_data.get("ask"):
            return Rerender()
        if self.context.shared and "save" not in self.form_data:
            return self._tapped()
        if self.context.shared and self.form_data["save"] != drafts.text(self.goals):
            self.errors[""] = CHANGED
            return Rerender(wrong=True)
        entry = self.ready()
        if entry is None:
            self.errors[""] = self.next_question
            return Rerender(wrong=True)
        return Submit(entry, say("{what} saved", what=say("Hand {n}", n=self.number)))

    def _tapped(self) -> Outcome:
        if self.form_data.get("hide") in COOK_WORDS:
            player, goal = int(self.form_data["hide"]), None
        elif not self.who:
            self.errors[""] = say("Whose goal is it? Tap a name first, then the card.")
            return Rerender(wrong=True)
        else:
            player, goal = int(self.who), self.form_data.get("goal", "").removeprefix(MEND) or None
        wrong = self._wrong(player, goal) if self.form_data.get("goal", "").startswith(MEND) else None

        def turned(goals: Goals) -> Goals:
            cleared = goals if wrong is None else drafts.turned(goals, wrong, None)
            after = drafts.turned(cleared, player, goal)
            check_turned_up(self.state, after, player)
            return after

        def change(stored: DraftBody | None) -> DraftBody | None:
            present, seen = drafts.read(stored), self.form_data.get("goals")
            if wrong is not None:
                drafts.check_seen(seen, present, wrong, None)
            drafts.check_seen(seen, present, player, goal)
            return drafts.stored(turned(present))

        turned(self.goals)  # refused while what was tapped is at hand
        name = Name(self.players[player])
        label = say("{player}’s goal", player=name) if goal else say("{player}’s goal face down again", player=name)
        return UpdateDraft(change, step=label)

    def _wrong(self, player: int, goal: str | None) -> int | None:
        """Return the other player for whom this goal lies open, if there is one."""
        return next(
            (cook for cook, other_goal in enumerate(self.goals) if other_goal == goal is not None and cook != player), None
        )

    def _mend(self) -> Mend | None:
        """Return how a goal is mended that was turned up for the wrong player, as this tap shows."""
        goal = self.form_data.get("goal", "")
        if not self.context.shared or not self.errors or not self.who or "hide" in self.form_data:
            return None
        wrong = self._wrong(int(self.who), goal)
        if wrong is None:
            return None
        return Mend(
            next(iter(self.errors.values())),
            say("Then {player}’s goal is face down again.", player=Name(self.players[wrong])),
            # NOTE: a button: the goal that was tapped is this player's
            say("It is {player}’s goal", player=Name(self.players[int(self.who)])),
            f"{MEND}{goal}",
        )

    def place_of(self, field: str) -> str:
        """Return the goal's place ("goal_1"), or the top."""
        return place_of_goal(field)

    def view(self) -> GoalsView:
        """Return the goals with what the engine says of them."""
        scores = self.asked(lambda: preview_goals(self.state, self.goals))
        return GoalsView(
            errors=self.errors,
            outbox_label=self.outbox_label,
            goals=self.goals,
            titles=titles(self.goals),
            scores=scores or (None,) * COOKS,
            gone=cards_in(self.state),
            who=self.who,
            complete=self.events() is not None,
            mend=self._mend(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class MyGoalView(PageView):
    """The score of one goal in this pot. It is None before a goal is tapped, and for an impossible goal."""

    score: GoalScore | None
    pot: tuple[str, ...]
    suits: Mapping[Suit, int]
    cards: ClassVar[tuple[str, ...]] = GOALS


class MyGoalPage(ScreenPage[BisqueState]):
    """What one goal scores now, for a phone without JavaScript: asked, answered, and forgotten. It enters nothing, ever."""

    template: ClassVar[str] = "games/bisque/goal.html"

    def outcome(self) -> Outcome:
        """Show the page again, with the answer."""
        if not self.form_data.get("goal"):
            self.errors["goal"] = say("Tap your goal first.")
        return Rerender(wrong=self._score() is None)

    def place_of(self, field: str) -> str:
        """Return the goal: nothing else is asked."""
        return "goal"

    def view(self) -> MyGoalView:
        """Return what the goal scores."""
        score, pot = self._score(), cards_in(self.state)
        return MyGoalView(errors=self.errors, score=score, pot=pot, suits=suit_totals(pot))

    def _score(self) -> GoalScore | None:
        goal = self.form_data.get("goal", "")
        return self.asked(lambda: preview_goal(goal, cards_in(self.state))) if goal else None


def goals_of(data: FormData) -> Goals:
    """Return the goals that a form holds."""
    return tuple(data.get(f"goal_{cook}") or None for cook in range(COOKS))


def titles(goals: Goals) -> tuple[str, ...]:
    """Return each goal in words; empty where there is none."""
    return tuple(CARDS[goal].title if goal in CARDS else "" for goal in goals)


def cards_in(state: BisqueState) -> tuple[str, ...]:
    """Return the cards in the pot."""
    return tuple(trick.card for trick in state.pot)


def place_of_goal(field: str) -> str:
    """Return the place in a form of the goal that the engine's field is ("goals.1"), or nothing."""
    place = field.replace(".", "_").replace("goals", "goal")
    return place if place in {f"goal_{cook}" for cook in range(COOKS)} else ""


@lru_cache(maxsize=256)
def answers(pot: tuple[str, ...]) -> Mapping[str, Mapping[str, Any]]:
    """Return what each card of two suits would score as a goal now, or why it can't be one. So no phone need tell its own.

    Found out once for all seats, whose pages differ.
    """
    answers_by_card: dict[str, dict[str, Any]] = {}
    for card in GOALS:
        try:
            score = preview_goal(card, pot)
        except RuleError as refused:
            answers_by_card[card] = {"refusal": refused.message}
        else:
            answers_by_card[card] = {"points": score.points, "why": score.why}
        answers_by_card[card]["title"] = CARDS[card].title
    return answers_by_card
