"""What does a Bisque match show? The pot and its suits, the chefs, the open goals, and every hand with its sums."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from companion.engine.bisque import (
    COOKS,
    TRICKS,
    BisqueState,
    GoalScore,
    HandResult,
    Pot,
    Reveal,
    apply,
    outlook,
    preview_goals,
    suit_parts,
    suit_totals,
)
from companion.engine.core import Event, Line, RuleError
from companion.engine.decktet import CARDS, Suit
from companion.engine.text import Name, Part, Sentence, listing, say, say_n, term
from companion.matches.log import InForce, Log
from companion.screens.bisque import draft as drafts
from companion.screens.bisque.draft import Goals
from companion.screens.bisque.goals import GOALS, answers
from companion.screens.bisque.trick import DECK
from companion.screens.interface import THE_END, Board, DraftBody, Fact, Stage, Value, as_sentence, own_row, with_capital


@dataclass(frozen=True, slots=True)
class EventOfHand:
    """One event of an entry, with the states around it. ``only_event`` is False when the entry holds others too."""

    entry: InForce
    event: Event
    before: BisqueState
    after: BisqueState
    only_event: bool

    @property
    def number(self) -> int:
        """Return the trick's number in its hand, from 1."""
        return len(self.before.pot) + 1

    @property
    def hand(self) -> int:
        """Return the hand's number in the match, from 1."""
        return len(self.before.played) + 1

    @property
    def winner(self) -> str | None:
        """Return who won the trick, if anybody noted it."""
        by = self.event.by if isinstance(self.event, Pot) else None
        return None if by is None else self.before.players[by]

    @property
    def card(self) -> str:
        """Return the card that went into the pot."""
        return self.event.card if isinstance(self.event, Pot) else ""

    @property
    def title(self) -> str:
        """Return what that card is called."""
        return CARDS[self.card].title if self.card else ""


@dataclass(frozen=True, slots=True)
class HandRow:
    """A line of the history: a hand that is over with its tricks, or the end that the players chose."""

    step: EventOfHand
    result: HandResult | None = None
    tricks: tuple[EventOfHand, ...] = ()

    @property
    def scores(self) -> tuple[int, ...]:
        """Return what the hand added."""
        return tuple(goal.points for goal in self.result.goals) if self.result else ()

    @property
    def parts(self) -> list[dict[str, Any]]:
        """Return what each suit of the pot was worth, card by card."""
        return parts(tuple(trick.card for trick in self.result.pot)) if self.result else []


def steps(log: Log) -> Iterator[EventOfHand]:
    """Return every event in force, oldest first."""
    for entry in log.entries:
        for event, before, after in entry.steps:
            yield EventOfHand(entry, event, before.state, after.state, only_event=len(entry.events) == 1)


def history(log: Log) -> tuple[list[HandRow], tuple[EventOfHand, ...]]:
    """Return the hands that are over, newest first, and the tricks of the hand in progress."""
    rows: list[HandRow] = []
    tricks: list[EventOfHand] = []
    for step in steps(log):
        if isinstance(step.event, Pot):
            tricks.append(step)
        elif isinstance(step.event, Reveal):
            rows.append(HandRow(step, step.after.played.newest, tuple(tricks)))
            tricks = []
        else:
            rows.append(HandRow(step))
    return rows[::-1], tuple(tricks)


def parts(pot: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return each suit with its total and the sum behind it: "Crown 10 + 8"."""
    totals = suit_totals(pot)
    return [
        {"suit": suit, "total": totals[suit], "sum": summed([_part(card, points) for card, points in cards])}
        for suit, cards in suit_parts(pot).items()
    ]


def summed(parts: Sequence[Part]) -> Part | None:
    """Return the numbers in a row: "8 + Crown 10"; None for none."""
    total = parts[0] if parts else None
    for part in parts[1:]:
        total = say("{sum} + {part}", sum=total if total is not None else 0, part=part)
    return total


def _part(card: str, points: int) -> Part:
    kind = CARDS[card].kind
    if kind == "number":
        return points
    # NOTE: a card and its points in a sum: "Crown 10 + 8"
    return say("{rank} {points}", rank=term("Ace", "rank") if kind == "ace" else term("Crown", "rank"), points=points)


def served_now(state: BisqueState, goals: Goals, goal_scores: Sequence[GoalScore | None]) -> list[dict[str, Any]]:
    """Return what saving the hand would give each chef, once all goals lie open: the new total, and what it adds."""
    reveal = drafts.reveal(goals)
    if reveal is None or len(state.pot) < TRICKS:
        return []
    totals = apply(state, reveal).scores
    return [
        {"side": cook, "name": state.players[cook], "total": totals[cook], "change": goal.points}
        for cook, goal in enumerate(goal_scores)
        if goal
    ]


def hand_result(state: BisqueState, goal_scores: Sequence[GoalScore | None], served: Sequence[Mapping[str, Any]]) -> Sentence:
    """Return how the hand ends that is about to be saved, in words: "Cy wins the hand and is ahead"."""
    best = max(goal.points for goal in goal_scores if goal)
    top = max(seat["total"] for seat in served)
    won = [name for name, goal in zip(state.players, goal_scores, strict=True) if goal and goal.points == best]
    ahead = [seat["name"] for seat in served if seat["total"] == top]
    last = len(state.played) + 1 == state.hands
    count, who = len(won), listing([Name(name) for name in won])
    if won == ahead:
        if last:
            return say_n("{who} wins the hand and the match", "{who} share the hand and the match", count, who=who)
        return say_n("{who} wins the hand and is ahead", "{who} share the hand and are ahead", count, who=who)
    hand = say_n("{who} wins the hand.", "{who} share the hand.", count, who=who)
    first = listing([Name(name) for name in ahead])
    if last:
        match_result = say_n("{who} wins the match.", "{who} win the match.", len(ahead), who=first)
    else:
        match_result = say_n("{who} is ahead.", "{who} are ahead.", len(ahead), who=first)
    return listing([hand, match_result], "text")


def choosing(state: BisqueState, chosen: Sequence[int], viewer: int | None, redeals: int = 0) -> Sentence:
    """Return who has chosen a goal before the first trick, never which; about the others, as each phone asks its own player."""
    # NOTE: who plays the first card of a hand
    opener = say("{player} plays first.", player=Name(state.players[state.opener]))
    if len(chosen) == COOKS:
        return listing([say("Everybody has chosen."), opener], "text")
    others = [cook for cook in range(COOKS) if cook != viewer]
    done = [Name(state.players[cook]) for cook in others if cook in chosen]
    if not done and redeals:
        return listing([say("The cards were dealt again."), opener], "text")
    if not done:
        deals = say("{player} deals twelve cards each.", player=Name(state.players[state.dealer]))
        return listing([deals, opener], "text")
    thinking = [Name(state.players[cook]) for cook in others if cook not in chosen]
    sentences = [say_n("{who} has chosen.", "{who} have chosen.", len(done), who=listing(done))]
    if thinking:
        sentences.append(say_n("{who} is still thinking.", "{who} are still thinking.", len(thinking), who=listing(thinking)))
    return listing(sentences, "text")


@dataclass(frozen=True, slots=True, kw_only=True)
class BisqueBoard(Board):
    """What a match's page shows as ``board``, besides names and links."""

    stage: Literal["trick", "reveal", "over"]
    hand: int
    hands: int
    trick: int
    places: int
    dealer: str
    leader: int | None
    chefs: Sequence[Mapping[str, Any]]
    pot: Sequence[str]
    tricks: Sequence[EventOfHand]
    suits: Mapping[Suit, int]
    parts: Sequence[Mapping[str, Any]]
    deck: Sequence[str]
    goal_cards: Sequence[str]
    answers: Mapping[str, Mapping[str, Any]]
    goals: Goals
    goals_text: str
    shown: Sequence[GoalScore | None]
    hidden: int
    best: int | None
    served_now: Sequence[Mapping[str, Any]]
    hand_result: str
    needs: Sentence | None
    chosen: Sequence[int]
    redeals: int
    choosing: str
    rows: Sequence[HandRow]
    series: Sequence[Mapping[str, Any]]
    sums: Sequence[Line]


def board(log: Log, stored: DraftBody | None, viewer: int | None) -> BisqueBoard:
    """Return everything that the match's page shows besides names and links."""
    state: BisqueState = log.position.state
    standing = log.position.standing()
    rows, tricks = history(log)
    pot = tuple(trick.card for trick in state.pot)
    full = len(pot) == TRICKS
    goals = drafts.read(stored) if full else drafts.HIDDEN
    try:
        goal_scores = preview_goals(state, goals)
    except RuleError:  # a draft from before a correction of this very hand
        goals = drafts.HIDDEN
        goal_scores = preview_goals(state, goals)
    chosen = () if pot else drafts.chosen(stored)
    served = served_now(state, goals, goal_scores)
    points = [log.start.state.scores, *(row.step.after.scores for row in reversed(rows) if row.result)]
    return BisqueBoard(
        stage="over" if standing.finished else "reveal" if full else "trick",
        hand=min(len(state.played) + 1, state.hands),
        hands=state.hands,
        trick=len(pot) + 1,
        places=TRICKS,
        dealer=state.players[state.dealer],
        leader=state.leader,
        asks=None if log.position.finished else state.leader,
        chefs=[
            {"name": name, "total": state.scores[cook], "you": cook == viewer, "won": cook in standing.winners}
            for cook, name in enumerate(state.players)
        ],
        pot=pot,
        tricks=tricks,
        suits=suit_totals(pot),
        parts=parts(pot),
        deck=DECK,
        goal_cards=GOALS,
        answers={} if viewer is None else answers(pot),  # only a player's phone keeps a goal
        goals=goals,
        goals_text=drafts.text(goals),
        shown=goal_scores,
        hidden=goals.count(None),
        best=max((goal.points for goal in goal_scores if goal), default=0) if served else None,
        served_now=served,
        hand_result=hand_result(state, goal_scores, served) if served else "",
        needs=outlook(state, goals),
        chosen=chosen,
        redeals=0 if pot else drafts.redeals(stored),
        choosing=choosing(state, chosen, viewer, drafts.redeals(stored)),
        rows=rows,
        series=[
            {"side": cook, "name": name, "points": [running_sums[cook] for running_sums in points]}
            for cook, name in enumerate(state.players)
        ],
        sums=standing.lines,
    )


def change_label(entry: InForce, _number: int) -> int | None:
    """Return where totals change: after the entry that ends a hand, by the hand's number."""
    hands = len(entry.after.state.played)
    return hands if hands > len(entry.before.state.played) else None


def hand_end(log: Log, entry: InForce) -> InForce | None:
    """Return the entry that scored the hand of this entry, None while nobody did."""
    after = (later for later in log.entries if later.seq >= entry.seq)
    return next((later for later in after if any(isinstance(event, Reveal) for event in later.events)), None)


def row(log: Log, entry: InForce) -> str:
    """Return the row that shows an entry: a trick is shown in its hand's."""
    end = hand_end(log, entry)
    if any(isinstance(event, Pot | Reveal) for event in entry.events):
        return "hand-now" if end is None else own_row(end)
    return own_row(entry)


def numbers(log: Log, entry: InForce) -> tuple[int, ...]:
    """Return the numbers in an entry's row: what its hand added to each total."""
    end = hand_end(log, entry)
    result = end.after.state.played.newest if end else None
    return () if result is None else tuple(goal.points for goal in result.goals)


def valued(entry: InForce, sides: Sequence[str]) -> Value:
    """Return what an entry says, beside what another phone said instead."""
    event = entry.events[0]
    if isinstance(event, Reveal):
        goals = tuple(Fact(Name(name), with_capital(CARDS[goal].title)) for name, goal in zip(sides, event.goals, strict=True))
        return Value(with_capital(describe_entry(entry, sides)), facts=goals)
    if isinstance(event, Pot):
        title = with_capital(CARDS[event.card].title)
        winner = say("winner skipped") if event.by is None else Name(sides[event.by])
        return Value(title, facts=(Fact(say("Into the pot"), title), Fact(say("Won by"), winner)))
    return Value(with_capital(describe_entry(entry, sides)))


def called(entry: InForce, _sides: Sequence[str]) -> Sentence:
    """Return an entry's name: "trick 7", "hand 3"."""
    state: BisqueState = entry.before.state
    event = entry.events[0]
    if isinstance(event, Pot):
        # NOTE: what is saved, corrected or undone: "Undo trick 7", "Ana saved trick 7"
        return term("trick {n}", "what was entered", n=len(state.pot) + 1)
    if isinstance(event, Reveal):
        # NOTE: what is saved, corrected or undone: "Undo hand 3", "Ana saved hand 3"
        return term("hand {n}", "what was entered", n=len(state.played) + 1)
    return THE_END


def describe_entry(entry: InForce, sides: Sequence[str]) -> Sentence:
    """Return one line about an entry: "trick 7 of hand 3, the 8 of waves and leaves, won by Bo"."""
    state: BisqueState = entry.before.state
    event = entry.events[0]
    hand = len(state.played) + 1
    if isinstance(event, Pot):
        parts: dict[str, Part] = {"n": len(state.pot) + 1, "hand": hand, "card": as_sentence(CARDS[event.card].title)}
        if event.by is None:
            return say("trick {n} of hand {hand}, {card}", **parts)
        return say("trick {n} of hand {hand}, {card}, won by {player}", **parts, player=Name(sides[event.by]))
    if isinstance(event, Reveal):
        result = entry.after.state.played.newest
        goals = () if result is None else result.goals
        points = [
            say("{points} for {player}", points=goal.points, player=Name(name))
            for goal, name in zip(goals, sides, strict=False)
        ]
        # NOTE: an entry: "hand 3, 12 for Ana, 8 for Bo, 20 for Cy"
        return say("{hand}, {points}", hand=called(entry, sides), points=listing(points, "comma"))
    return called(entry, sides)


def stage(log: Log) -> Stage:
    """Return the hand that is played, and how many tricks of all hands are over."""
    state: BisqueState = log.position.state
    hands = len(state.played)
    over = 100 * (hands + len(state.pot) / TRICKS) / state.hands
    return Stage(say("Hand {n} of {all}", n=min(hands + 1, state.hands), all=state.hands), over)
