"""Which may you play on a pack, and who takes what? Exercises of Rivals.

Rounds are dealt and played at random, by the rules, and each exercise is chosen so that somebody who misreads one rule answers
it wrongly. You are player 0. How many whales of each value there are is unknown (ruling V1), so the cards here are assumed:
high ones are rarer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

from companion.engine.core import Options
from companion.engine.exercises.chance import Chance
from companion.engine.exercises.exercise import Exercise, Group, Lesson, Option, Result, count_for_two
from companion.engine.rivals import RivalsState, start, taken, weigh
from companion.engine.rivals.plays import Card, LegalPlay, LegalPlays, PackView
from companion.engine.rivals.plays import answer as answer_plays
from companion.engine.rivals.turns import FIRST_ACTIONS
from companion.engine.rivals.whales import ACTIONS, HAND, TURTLES, Sides, Whale
from companion.engine.text import Name, Part, say, term

YOU, BO = 0, 1
PLAYERS = ("You", "Bo")
WHALES: tuple[Whale, ...] = (1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 6, 10)
_TURTLE_CARD: Card = "turtle"
DECK: tuple[Card, ...] = (*WHALES, *[_TURTLE_CARD] * TURTLES)
GREY: tuple[Whale, ...] = (1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 10)
TURNS = 14  # of a random round at most
SEARCHED = 400  # rounds at most; the rarest position turns up within some dozens
FITTING = 6  # positions of which the most telling is taken
DEALS = 16  # values of hidden whales of which the most telling are taken


@dataclass(frozen=True, slots=True)
class Laid:
    """A whale on a pack: its value, and whether it lies face up."""

    value: Whale
    open: bool


@dataclass(frozen=True, slots=True)
class Pack:
    """A pack: its grey whales (the top one lies face up), and both players' whales on it, player 0's first."""

    grey: int
    top: Whale
    sides: tuple[tuple[Laid, ...], tuple[Laid, ...]]


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn of player 0, with an action left: all packs, the hand, and the pack (from 1) that is asked about."""

    packs: tuple[Pack, Pack, Pack]
    hand: tuple[Card, ...]
    pack: int


@dataclass(frozen=True, slots=True)
class Ended:
    """A round that is over, with all its whales face up."""

    packs: tuple[Pack, Pack, Pack]


_TURTLE = Lesson(
    say("A {word} takes a whale that lies face down, never one that lies open.", word=term("turtle", "rule")),
    "V8",
)
_THREE = Lesson(say("Of each player at most {word} lie on a pack.", word=term("three whales", "rule")), "play")
_END = Lesson(
    say("You may {word} only when both players have a whale on every pack.", word=term("end the round", "rule")),
    "V3",
)
_FACE_UP = Lesson(
    say("A whale goes down {word} only if its value is the same as the top grey whale’s.", word=term("face up", "rule")),
    "V8",
)

Asked = Literal["play", "open"]


def exercise(number: int) -> Exercise:
    """Return the exercise with this number: twice in three a turn, else the end of a round."""
    chance = Chance("rivals", number)
    return _score(chance) if chance.below(3) == 0 else _play(chance)


# A turn


def _view(turn: Turn) -> LegalPlays:
    views = tuple(
        PackView(pack.top, len(pack.sides[YOU]), len(pack.sides[BO]), sum(not whale.open for whale in pack.sides[BO]))
        for pack in turn.packs
    )
    return LegalPlays("rivals", turn.hand, 1, (views[0], views[1], views[2]))


def _right(turn: Turn, question: Asked) -> frozenset[str]:
    """Return the cards that may be played on the pack, and whether the round may be ended, from the engine."""
    answer = answer_plays(_view(turn))
    on_pack = [play for play in answer.plays if play.pack == turn.pack]
    if question == "open":
        return frozenset(str(play.card) for play in on_pack if play.face_up is True)
    return frozenset([*(str(play.card) for play in on_pack), *(["end"] if answer.may_end_round else [])])


def _any_turtle(turn: Turn) -> frozenset[str]:
    theirs = turn.packs[turn.pack - 1].sides[BO]
    return _right(turn, "play") | ({"turtle"} if theirs and "turtle" in turn.hand else set())


def _more_than_three(turn: Turn) -> frozenset[str]:
    return _right(turn, "play") | {str(card) for card in turn.hand if card != "turtle"}


def _end_anyway(turn: Turn) -> frozenset[str]:
    """Return what may be done if only your own whales had to lie on every pack."""
    mine = all(pack.sides[YOU] for pack in turn.packs)
    return _right(turn, "play") | ({"end"} if mine else set())


def _or_higher(turn: Turn) -> frozenset[str]:
    pack = turn.packs[turn.pack - 1]
    return frozenset(str(card) for card in turn.hand if card != "turtle" and card >= pack.top)


def _or_lower(turn: Turn) -> frozenset[str]:
    pack = turn.packs[turn.pack - 1]
    return frozenset(str(card) for card in turn.hand if card != "turtle" and card <= pack.top)


_READINGS: tuple[tuple[Asked, Callable[[Turn], frozenset[str]], Lesson], ...] = (
    ("play", _any_turtle, _TURTLE),
    ("play", _more_than_three, _THREE),
    ("play", _end_anyway, _END),
    ("open", _or_higher, _FACE_UP),
    ("open", _or_lower, _FACE_UP),
)


def _play(chance: Chance) -> Exercise:
    question, reads, lesson = chance.choice(_READINGS)
    made: list[Exercise] = []
    for _ in range(SEARCHED):
        for turn in _turns(chance):
            right, misread = _right(turn, question), reads(turn)
            if right and right != misread and len(set(turn.hand)) > 2:
                made.append(_exercise(chance, turn, question, misread, lesson))
                break
        if made and (made[-1].cost > 0 or len(made) == FITTING):
            break
    return max(made, key=lambda exercise: exercise.cost)


def _exercise(chance: Chance, turn: Turn, question: Asked, misread: frozenset[str], lesson: Lesson) -> Exercise:
    right = _right(turn, question)
    cards = sorted(set(turn.hand), key=lambda card: (card == "turtle", card if card != "turtle" else 0))
    if question == "open":
        cards = [card for card in cards if card != "turtle"]
    options = [Option(str(card), _named(card), str(card)) for card in cards]
    if question == "play":
        options.append(Option("end", say("End the round")))
    wrong = sorted(misread - right) or sorted(misread)
    deals = [_hidden(chance, turn) for _ in range(DEALS)]
    played = [{option.key: _played_on(turn, option.key, question, right, deal) for option in options} for deal in deals]
    theirs, telling = max(
        zip(deals, played, strict=True),
        key=lambda deal: max(deal[1][key] for key in right) - min(deal[1][key] for key in wrong),
    )
    return Exercise(
        kind="play",
        ask=(
            say("Which may you play on pack {pack}?", pack=turn.pack)
            if question == "play"
            else say("Which may you play face up on pack {pack}?", pack=turn.pack)
        ),
        position=turn,
        groups=(Group(say("Tap all that the rules allow"), tuple(options)),),
        right=right,
        misread=misread,
        wrong=min(wrong, key=telling.__getitem__),
        results={key: Result(grey, say("grey whales for you, if the round ended"), grey) for key, grey in telling.items()},
        lesson=lesson,
        hidden=tuple(map(tuple, theirs)),
    )


def _named(card: Card) -> Part:
    return term("turtle", "rule") if card == "turtle" else Name(str(card))


def _hidden(chance: Chance, turn: Turn) -> list[list[int]]:
    """Return values that Bo's whales may have: those face up as they lie, those face down from what is not seen."""
    theirs = [whale for pack in turn.packs for whale in pack.sides[BO]]
    unseen = list(WHALES)
    for whale in theirs:
        if whale.open:
            unseen.remove(whale.value)
    values = chance.shuffled(unseen)
    return [[int(whale.value if whale.open else values.pop()) for whale in pack.sides[BO]] for pack in turn.packs]


def _played_on(turn: Turn, key: str, question: Asked, right: frozenset[str], theirs: Sequence[Sequence[int]]) -> int:
    """Return the grey whales that you would take if the round ended after this play.

    A whale that may not lie face up is turned over, and Bo's turtle takes the best one that lies face down there.
    """
    packs = []
    for number, (pack, values) in enumerate(zip(turn.packs, theirs, strict=True), 1):
        mine, other = [int(whale.value) for whale in pack.sides[YOU]], list(values)
        if number == turn.pack and key not in {"end", "turtle"}:
            mine.append(int(key))
        if number == turn.pack and key == "turtle":
            down = [value for value, whale in zip(values, pack.sides[BO], strict=True) if not whale.open] or other
            if down:
                other.remove(max(down))
        if number == turn.pack and question == "open":
            down = [int(whale.value) for whale in pack.sides[YOU] if not whale.open]
            down += [] if key in right else [int(key)]
            if down:
                mine.remove(max(down))
        packs.append((pack.grey, sum(mine) > sum(other)))
    return sum(grey for grey, ahead in packs if ahead)


# A round at random


class _Round:
    """A round that is dealt and played at random: both hands and decks, and what lies on the packs."""

    def __init__(self, chance: Chance) -> None:
        self.chance = chance
        self.decks = [chance.shuffled(DECK), chance.shuffled(DECK)]
        self.hands: list[list[Card]] = [[], []]
        grey = chance.shuffled(GREY)
        self.packs = [Pack(number, grey[number], ((), ())) for number in (1, 2, 3)]
        self.player, self.actions, self.over = YOU, FIRST_ACTIONS, False
        self._draw()

    def turn(self, pack: int) -> Turn:
        """Return what the player to move sees, as player 0."""
        first, two, three = self.packs if self.player == YOU else [_turned(pack) for pack in self.packs]
        return Turn((first, two, three), tuple(self.hands[self.player]), pack)

    def move(self) -> None:
        """Make one action at random: a play, or the end of the round if it may be called."""
        answer = answer_plays(_view(self.turn(1)))
        if not answer.plays or (answer.may_end_round and self.chance.below(6) == 0):
            self.over = True
            return
        self._lay(self.chance.choice(answer.plays))
        self.actions -= 1
        if not self.actions:
            self.player, self.actions = 1 - self.player, ACTIONS
            self._draw()

    def _lay(self, play: LegalPlay) -> None:
        self.hands[self.player].remove(play.card)
        pack = self.packs[play.pack - 1]
        sides = list(pack.sides)
        if play.card == "turtle":
            other = 1 - self.player
            down = [place for place, whale in enumerate(sides[other]) if not whale.open]
            gone = self.chance.choice(down)
            sides[other] = tuple(whale for place, whale in enumerate(sides[other]) if place != gone)
        else:
            sides[self.player] = (*sides[self.player], Laid(play.card, play.face_up is True))
        self.packs[play.pack - 1] = Pack(pack.grey, pack.top, (sides[0], sides[1]))

    def _draw(self) -> None:
        hand, deck = self.hands[self.player], self.decks[self.player]
        while len(hand) < HAND and deck:
            hand.append(deck.pop())


def _turned(pack: Pack) -> Pack:
    return Pack(pack.grey, pack.top, (pack.sides[1], pack.sides[0]))


def _turns(chance: Chance) -> list[Turn]:
    """Return the turns of a round at random, in a new order."""
    played = _Round(chance)
    turns: list[Turn] = []
    while not played.over and len(turns) < TURNS:
        turns.append(played.turn(1 + chance.below(3)))
        played.move()
    return chance.shuffled(turns)


# The end of a round

Takes = tuple[int, int]


def _weighed(ended: Ended, by: Callable[[Sequence[int]], int]) -> Takes:
    ahead = [(pack.grey, by(_values(pack, YOU)), by(_values(pack, BO))) for pack in ended.packs]
    return sum(grey for grey, mine, theirs in ahead if mine > theirs), sum(
        grey for grey, mine, theirs in ahead if theirs > mine
    )


def _values(pack: Pack, player: int) -> tuple[Whale, ...]:
    return tuple(whale.value for whale in pack.sides[player])


def _packs_won(ended: Ended) -> Takes:
    """Return how many packs each wins, as if each were one whale."""
    ones = tuple(Pack(1, pack.top, pack.sides) for pack in ended.packs)
    return _weighed(Ended((ones[0], ones[1], ones[2])), sum)


def _shared(ended: Ended) -> Takes:
    """Return what each takes if a tie were shared."""
    first, second = _weighed(ended, sum)
    half = sum(pack.grey // 2 for pack in ended.packs if sum(_values(pack, YOU)) == sum(_values(pack, BO)))
    return first + half, second + half


_MISCOUNTS: tuple[tuple[Callable[[Ended], Takes], Lesson], ...] = (
    (
        partial(_weighed, by=len),
        Lesson(
            say("The higher {word} wins a pack, however many whales make it up.", word=term("strength", "rule")),
            "strength",
        ),
    ),
    (
        partial(_weighed, by=lambda values: max(values, default=0)),
        Lesson(
            say("The {word} of a pack is the sum of all your whales there.", word=term("strength", "rule")),
            "strength",
        ),
    ),
    (
        _packs_won,
        Lesson(
            say("Whoever wins a pack takes all its {word}.", word=term("grey whales", "rule")),
            "end",
        ),
    ),
    (
        _shared,
        Lesson(say("Nobody takes a pack that is {word}.", word=term("tied", "rule")), "V2"),
    ),
)


def _score(chance: Chance) -> Exercise:
    miscount, lesson = chance.choice(_MISCOUNTS)
    for _ in range(SEARCHED):
        ended = _ended(chance)
        results = weigh(_state(ended), _sides(ended))
        right, wrong = taken(results), miscount(ended)
        if right != wrong:
            break
    counts = (count(ended) for count, _ in _MISCOUNTS)
    near = ((right[1], right[0]), (right[0] + 1, right[1]), (right[0], right[1] + 1))
    ask = say("How many grey whales does each take?")
    return count_for_two(ended, ask, say("Tap the answer"), right, (*counts, *near), wrong=wrong, lesson=lesson)


def _ended(chance: Chance) -> Ended:
    played = _Round(chance)
    for _ in range(TURNS):
        if not played.over:
            played.move()
    first, two, three = (Pack(pack.grey, pack.top, (_open(pack.sides[0]), _open(pack.sides[1]))) for pack in played.packs)
    return Ended((first, two, three))


def _open(side: tuple[Laid, ...]) -> tuple[Laid, ...]:
    return tuple(Laid(whale.value, open=True) for whale in side)


def _sides(ended: Ended) -> tuple[Sides, ...]:
    return tuple((_values(pack, YOU), _values(pack, BO)) for pack in ended.packs)


def _state(ended: Ended) -> RivalsState:
    return start((Name(PLAYERS[0]), Name(PLAYERS[1])), Options())
