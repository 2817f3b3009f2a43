"""How does a match of Bisque go? Three cooks fill one pot, and each scores the weaker of two suits on a hidden goal.

A hand is eleven tricks, each of which puts a card into the pot, and then the goals are revealed together (ruling Q1). Goals
are never known here before that. A hand of single-suited cards is dealt again by the same dealer (ruling Q6): the look-up
tells when, and the match waits.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Annotated, Literal

import msgspec

from companion.engine.core import Answer, Event, Game, Line, Lines, Options, PersistentList, Question, RuleError, Standing
from companion.engine.decktet import ACE, BASIC, CARDS, SUIT_NAMES, SUITS, Card, Suit
from companion.engine.text import Name, Sentence, is_you, name, say, say_n, term

COOKS = 3
TRICKS = 11  # and so many cards fill the pot (ruling Q1)
HAND = 12
YOU = term("You", "seat")  # who asks, where nobody sits at a table
ACE_POINTS = 5  # ruling Q3; a number card counts its number, a Crown 10

CardId = Annotated[str, msgspec.Meta(max_length=40)]
Player = Annotated[int, msgspec.Meta(ge=0, le=COOKS - 1)]

_IN_PLAY = {card.id: card for card in BASIC}


class BisqueOptions(Options, frozen=True):
    """How many hands a match has (ruling Q5): no rule says at most, and 10,000 are more than a record can hold."""

    hands: Annotated[int, msgspec.Meta(ge=1, le=10_000)] = 6


class Pot(Event, frozen=True, tag="pot"):
    """A trick is over: the card that its winner picked goes into the pot. ``by`` is the winner, if anybody noted it."""

    card: CardId
    by: Player | None = None


class Reveal(Event, frozen=True, tag="reveal"):
    """The pot is full and the goals are turned up, one a player."""

    goals: tuple[CardId, CardId, CardId]


class GoalScore(msgspec.Struct, frozen=True):
    """What a goal scores in a pot: its two suits, the total of each there, and the points, which are the lower of these."""

    goal: str
    suits: tuple[Suit, Suit]
    totals: tuple[int, int]
    points: int

    @property
    def why(self) -> Sentence:
        """Where the points come from: "the lower of 18 waves and 13 leaves"."""
        (first, second), (first_total, second_total) = (SUIT_NAMES[suit] for suit in self.suits), self.totals
        if first_total == second_total:
            return say("{first} and {second} both {points}", first=first, second=second, points=first_total)
        return say(
            "the lower of {one} {first} and {other} {second}", one=first_total, first=first, other=second_total, second=second
        )


class HandResult(msgspec.Struct, frozen=True):
    """A hand that is over: its pot and what each player's goal scored in it."""

    pot: tuple[Pot, ...]
    goals: tuple[GoalScore, ...]


class BisqueState(msgspec.Struct, frozen=True):
    """A match: the pot of the hand in progress, the scores, and the hands that are over.

    After the last hand the pot is empty, and dealer and opener are who would go on.
    """

    players: tuple[str, ...]
    hands: int
    pot: tuple[Pot, ...] = ()
    scores: tuple[int, ...] = (0,) * COOKS
    played: PersistentList[HandResult] = PersistentList.EMPTY

    @property
    def dealer(self) -> int:
        """Who dealt this hand: player 0 the first, then each at the left of the one before (ruling Q5)."""
        return len(self.played) % COOKS

    @property
    def opener(self) -> int:
        """Who leads the first trick of this hand: the player at the dealer's left (ruling Q5)."""
        return (self.dealer + 1) % COOKS

    @property
    def leader(self) -> int | None:
        """Who leads the next trick: the winner of the last one, or None if nobody noted that."""
        return self.pot[-1].by if self.pot else self.opener


def start(players: tuple[str, ...], options: BisqueOptions) -> BisqueState:
    """Return the state before the first trick of the first hand."""
    return BisqueState(players, options.hands)


def finished(state: BisqueState) -> bool:
    """Return True once the last hand's goals are revealed."""
    return len(state.played) >= state.hands


def points(card: Card) -> int:
    """Return what a card in the pot adds to each of its suits (ruling Q3)."""
    return ACE_POINTS if card.rank == ACE else card.rank  # a Crown's rank is 10


@lru_cache(maxsize=64)  # every card that can be a goal asks for those of one pot
def suit_totals(pot: tuple[str, ...]) -> Mapping[Suit, int]:
    """Return the points of every suit in a pot of these cards, all six in canonical order.

    >>> suit_totals(("ace-moons", "5-suns-waves"))["waves"]
    5
    """
    totals = dict.fromkeys(SUITS, 0)
    for card in pot:
        for suit in CARDS[card].suits:
            totals[suit] += points(CARDS[card])
    return MappingProxyType(totals)


def suit_parts(pot: tuple[str, ...]) -> dict[Suit, tuple[tuple[str, int], ...]]:
    """Return which cards make up every suit's points, as they went in: (card, points); all six suits in canonical order."""
    return {suit: tuple((card, points(CARDS[card])) for card in pot if suit in CARDS[card].suits) for suit in SUITS}


def goal_score(goal: str, pot: tuple[str, ...]) -> GoalScore:
    """Return what this goal, a card of two suits, scores in a pot of these cards: the lower of its two suits (ruling Q3).

    >>> goal_score("4-moons-suns", ("ace-moons", "5-suns-waves", "crown-suns")).points
    5
    """
    totals = suit_totals(pot)
    first, second = CARDS[goal].suits
    return GoalScore(goal, (first, second), (totals[first], totals[second]), min(totals[first], totals[second]))


def apply(state: BisqueState, event: Pot | Reveal) -> BisqueState:
    """Return the match after one more trick, or after the goals. Raises RuleError with the reason when the rules refuse it."""
    return _pot(state, event) if isinstance(event, Pot) else _reveal(state, event)


def _basic(card: str, field: str) -> Card:
    """Return the card of this id. Raises RuleError when it is none, or left out of Bisque."""
    if card in _IN_PLAY:
        return _IN_PLAY[card]
    if card in CARDS:
        left_out = say("{card:C} is not in play: Bisque takes the basic Decktet.", card=CARDS[card].title)
        raise RuleError(left_out, rule="Setup", field=field)
    unknown = say(
        "“{name}” is not a card of the basic Decktet. Cards are like ace-moons, 4-wyrms-knots or crown-knots.", name=Name(card)
    )
    raise RuleError(unknown, field=field)


def _pot(state: BisqueState, event: Pot) -> BisqueState:
    card = _basic(event.card, "card")
    if len(state.pot) == TRICKS:
        raise RuleError(say("The pot is full with {n} cards. Reveal the goals now.", n=TRICKS), rule="Q1")
    for number, trick in enumerate(state.pot, 1):
        if trick.card == event.card:
            refusal = say("{card:C} is in the pot already, from trick {trick}.", card=card.title, trick=number)
            raise RuleError(refusal, rule="Game Play", field="card")
    return BisqueState(state.players, state.hands, (*state.pot, event), state.scores, state.played)


def check_corrected(state: BisqueState, card: str, later: tuple[Event, ...]) -> None:
    """Raise RuleError when a trick that is put right can't have this card: another trick of the hand has it, or a goal is it.

    ``later`` is what was entered after that trick; what belongs to the hands after this one does not matter.
    """
    pots = [trick.card for trick in state.pot]
    goals: tuple[str, ...] = ()
    pots.append("")  # the trick itself
    for event in later:
        if isinstance(event, Reveal):
            goals = event.goals
            break
        if isinstance(event, Pot):
            pots.append(event.card)
    if card in pots:
        number = pots.index(card) + 1
        why = say(
            "{card:C} went into the pot with trick {trick}. Give trick {trick} another card first.",
            card=CARDS[card].title,
            trick=number,
        )
        raise RuleError(why, rule="Game Play", field="card")
    if card in goals:
        player = name(state.players[goals.index(card)])
        goal = say("{card:C} is {player}’s goal. Correct the goals first.", card=CARDS[card].title, player=player)
        raise RuleError(goal, rule="Q2", field="card")


def _check_full(state: BisqueState) -> None:
    """Raise RuleError while tricks are still to play (ruling Q1)."""
    if len(state.pot) < TRICKS:
        hidden = say_n(
            "The goals stay hidden until the pot holds {cards} cards: {n} trick is still to play.",
            "The goals stay hidden until the pot holds {cards} cards: {n} tricks are still to play.",
            TRICKS - len(state.pot),
            cards=TRICKS,
        )
        raise RuleError(hidden, rule="Q1")


def _reveal(state: BisqueState, event: Reveal) -> BisqueState:
    _check_full(state)
    pot = tuple(trick.card for trick in state.pot)
    for player, goal in enumerate(event.goals):
        _check_players_goal(state, goal, player, pot, event.goals[:player])
    goals = tuple(goal_score(goal, pot) for goal in event.goals)
    scores = tuple(score + goal.points for score, goal in zip(state.scores, goals, strict=True))
    return BisqueState(state.players, state.hands, (), scores, state.played.add(HandResult(state.pot, goals)))


def _check_players_goal(
    state: BisqueState, goal: str, player: int, pot: tuple[str, ...], before: tuple[str | None, ...]
) -> None:
    """Raise RuleError for a card that can't be this player's goal, given those of the players before (ruling Q2)."""
    owner, field = state.players[player], f"goals.{player}"
    card = _check_goal(goal, pot, owner, field)
    if goal not in before:
        return
    other = state.players[before.index(goal)]
    if is_you(owner):
        taken = say("{card:C} can’t be your goal: it is {other}’s.", card=card.title, other=name(other))
    elif is_you(other):
        taken = say("{card:C} can’t be {player}’s goal: it is yours.", card=card.title, player=name(owner))
    else:
        taken = say(
            "{card:C} can’t be {player}’s goal: it is {other}’s.", card=card.title, player=name(owner), other=name(other)
        )
    raise RuleError(taken, rule="Q2", field=field)


def _check_goal(goal: str, pot: tuple[str, ...], owner: str, field: str) -> Card:
    """Return the card of a player's goal. Raises RuleError for a card that can't be one (ruling Q2)."""
    card = _basic(goal, field)
    if card.kind != "number":
        single = (
            say("{card:C} can’t be your goal: a goal has two suits.", card=card.title)
            if is_you(owner)
            else say("{card:C} can’t be {player}’s goal: a goal has two suits.", card=card.title, player=name(owner))
        )
        raise RuleError(single, rule="Q2", field=field)
    if goal in pot:
        refusal = (
            say("{card:C} can’t be your goal: it is in the pot.", card=card.title)
            if is_you(owner)
            else say("{card:C} can’t be {player}’s goal: it is in the pot.", card=card.title, player=name(owner))
        )
        raise RuleError(refusal, rule="Q2", field=field)
    return card


def preview_goals(state: BisqueState, goals: tuple[str | None, ...]) -> tuple[GoalScore | None, ...]:
    """Return what each player's goal would score if the pot stayed as it is; None for a goal that nobody knows yet.

    Raises RuleError as a reveal of these goals would, however full the pot is.
    """
    pot = tuple(trick.card for trick in state.pot)
    scored: list[GoalScore | None] = []
    for player, goal in enumerate(goals):
        if goal is not None:
            _check_players_goal(state, goal, player, pot, goals[:player])
        scored.append(None if goal is None else goal_score(goal, pot))
    return tuple(scored)


def check_turned_up(state: BisqueState, goals: tuple[str | None, ...], player: int) -> None:
    """Raise RuleError when this player's goal can't lie open: the pot is not full, or the goal can't be one (``goals.0``)."""
    goal = goals[player]
    if goal is not None:
        _check_full(state)
        others = tuple(None if other == player else card for other, card in enumerate(goals))
        _check_players_goal(state, goal, player, tuple(trick.card for trick in state.pot), others)


def preview_goal(goal: str, pot: tuple[str, ...]) -> GoalScore:
    """Return what a goal would score if the pot stayed as it is.

    Raises RuleError (field ``goal``) for a card that can't be one.
    """
    _check_goal(goal, pot, YOU, "goal")
    return goal_score(goal, pot)


def last_goal(state: BisqueState, goals: tuple[str | None, ...]) -> tuple[int, int] | None:
    """Return whose goal decides the match, and the points with which it wins alone (ruling Q5).

    None unless the last hand's pot is full and exactly one goal is still face down. The points may be 0 or less: then any goal
    wins.
    """
    hidden = [player for player, goal in enumerate(goals) if goal is None]
    if len(state.played) + 1 != state.hands or len(state.pot) < TRICKS or len(hidden) != 1:
        return None
    (player,) = hidden
    turned_up = preview_goals(state, goals)
    totals = [score + goal.points for score, goal in zip(state.scores, turned_up, strict=True) if goal is not None]
    return player, max(totals) - state.scores[player] + 1


def possible_points(state: BisqueState, goals: tuple[str | None, ...]) -> set[int]:
    """Return what a goal that is still face down can be worth: of any card of two suits that lies nowhere in sight."""
    pot = tuple(trick.card for trick in state.pot)
    cards = (card.id for card in BASIC if card.kind == "number" and card.id not in pot and card.id not in goals)
    return {goal_score(card, pot).points for card in cards}


def outlook(state: BisqueState, goals: tuple[str | None, ...]) -> Sentence | None:
    """Return what the last goal must be worth, in words; None where it decides nothing yet."""
    decides = last_goal(state, goals)
    if decides is None:
        return None
    player, least = decides
    who, possible = name(state.players[player]), possible_points(state, goals)
    if least <= min(possible):
        return say("{player} wins with any goal.", player=who)
    if least <= max(possible):
        return say("{player} needs {n} to win.", player=who, n=least)
    if least - 1 in possible:
        return say("{player} can only share the win, with {n}.", player=who, n=least - 1)
    return say("{player} can’t win any more.", player=who)


def standing(state: BisqueState) -> Standing:
    """Return scores, the live pot, and what each goal brought. The highest total wins; equal: all of them (ruling Q5)."""
    over = finished(state)
    best = max(state.scores)
    played = list(state.played)
    pot = tuple(trick.card for trick in state.pot)
    return Standing(
        scores=state.scores,
        sides=state.players,
        finished=over,
        winners=tuple(player for player, score in enumerate(state.scores) if score == best) if over else (),
        lines=Lines(
            lambda: (
                _goal_line(state, number, player, goal)
                for number, hand in enumerate(played, 1)
                for player, goal in enumerate(hand.goals)
            )
        ),
        rounds=tuple(tuple(goal.points for goal in hand.goals) for hand in played),
        details={
            "pot": list(pot),
            "suits": dict(suit_totals(pot)),
            "dealer": state.dealer,
            "opener": state.opener,
        },
    )


def _goal_line(state: BisqueState, hand: int, player: int, goal: GoalScore) -> Line:
    (first, second), (first_total, second_total) = goal.suits, goal.totals
    title = say(
        "Hand {hand}, {player}: {card}, the lower of {one} {first}, {other} {second}",
        hand=hand,
        player=name(state.players[player]),
        card=CARDS[goal.goal].title,
        one=first_total,
        first=SUIT_NAMES[first],
        other=second_total,
        second=SUIT_NAMES[second],
    )
    return Line(title, tuple(goal.points if cook == player else None for cook in range(COOKS)), "Scoring")


class Trick(Question, frozen=True):
    """Who wins this trick, and which cards may be picked for the pot?"""

    game: Literal["bisque"]
    trick: tuple[CardId, CardId, CardId]


class TrickAnswer(Answer, frozen=True):
    """The winner's position in the trick, the two cards that may be picked, as played, and why."""

    winner: int
    may_pick: tuple[str, ...]
    why: Sentence


class Hand(Question, frozen=True):
    """Which cards of a hand can be the goal?"""

    game: Literal["bisque"]
    hand: Annotated[tuple[CardId, ...], msgspec.Meta(min_length=HAND, max_length=HAND)]


class HandAnswer(Answer, frozen=True):
    """The cards of two suits, in the hand's order, and whether there is none, so that the cards are dealt again."""

    goals: tuple[str, ...]
    redeal: bool


def answer(question: Trick | Hand) -> TrickAnswer | HandAnswer:
    """Answer either look-up. Raises RuleError for cards that are not in play, or twice there."""
    if isinstance(question, Trick):
        return _trick(_different(question.trick, "trick"))
    cards = _different(question.hand, "hand")
    goals = tuple(card.id for card in cards if card.kind == "number")  # ruling Q2
    return HandAnswer(goals, redeal=not goals)  # ruling Q6


def _different(ids: tuple[str, ...], field: str) -> tuple[Card, ...]:
    cards = tuple([_basic(card, f"{field}.{index}") for index, card in enumerate(ids)])
    for index, card in enumerate(ids):
        if card in ids[:index]:
            twice = say("{card:C} is here twice. There is only one.", card=cards[index].title)
            raise RuleError(twice, field=f"{field}.{index}")
    return cards


def check_picked(ids: tuple[str, ...], place: Literal["trick", "hand"]) -> None:
    """Raise RuleError when these, which may still be too few, can't lie in a trick or be in a hand together."""
    _different(ids, place)
    picked = len(ids)
    if place == "trick" and picked > COOKS:
        many = say("A trick has {most} cards, not {n}. Take one of them back.", most=COOKS, n=picked)
        raise RuleError(many, rule="Game Play", field=place)
    if place == "hand" and picked > HAND:
        many = say("A hand has {most} cards, not {n}. Take one of them back.", most=HAND, n=picked)
        raise RuleError(many, rule="Deal", field=place)


def _trick(cards: tuple[Card, ...]) -> TrickAnswer:
    """Return who wins: the highest rank, an Ace being the lowest; of equal ranks the first played (ruling Q4)."""
    ranks = [card.rank for card in cards]
    highest = max(ranks)
    winner = ranks.index(highest)
    may_pick = tuple([card.id for position, card in enumerate(cards) if position != winner])
    card = cards[winner].title
    why = (
        say("{card:C} wins: the first of the highest rank.", card=card)
        if ranks.count(highest) > 1
        else say("{card:C} wins: the highest rank.", card=card)
    )
    return TrickAnswer(winner, may_pick, why)


GAME: Game[BisqueState] = Game(
    slug="bisque",
    title="Bisque",
    seats=(COOKS, COOKS),
    options=BisqueOptions,
    events=(Pot, Reveal),
    start=start,
    apply=apply,
    finished=finished,
    standing=standing,
    questions=(Trick, Hand),
    answer=answer,
)
