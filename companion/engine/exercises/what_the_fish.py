"""What kills, what saves for the fewest points, and which total decides? Exercises of What the Fish!

Swims are laid at random, by the rules, and each is chosen so that somebody who misreads one rule answers it wrongly.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from companion.engine.exercises.chance import Chance
from companion.engine.exercises.exercise import Ending, Exercise, Group, Lesson, Option, Result, tiles
from companion.engine.text import Name, say, term
from companion.engine.what_the_fish.cheapest import Ask, asked, cheapest
from companion.engine.what_the_fish.cheapest import answer as answer_cheapest
from companion.engine.what_the_fish.duel import Duel, launch

HIGHEST = 20  # card of an exercise, so that sums stay small
HAND = 6
OWNER, OTHER = 0, 1
LAYERS = 5  # of a swim in an exercise at most, the fish included
SEARCHED = 4000  # swims at most; the rarest turns up within some hundred


@dataclass(frozen=True, slots=True)
class Swim:
    """A swim, what is asked of whoever moves next (``kill`` or ``protect``), and their cards of that kind."""

    duel: Duel
    ask: Ask
    hand: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True)
class SwimExercise(Exercise):
    """An exercise in which the chosen cards count together, so that a play is a set of them."""

    def compare(self, chosen: frozenset[str]) -> tuple[Ending, Ending]:
        """Return what the chosen cards do together, and what the cheapest do; after a right answer what misreading would do."""
        position = self.position
        assert isinstance(position, Swim)
        other = self.misread if chosen == self.right else chosen
        first, second = (self._laid(position, keys) for keys in (other, self.right))
        return first, second

    def _laid(self, position: Swim, keys: frozenset[str]) -> Ending:
        values = [position.hand[int(key)] for key in sorted(keys, key=int)]
        return Ending(Name(" + ".join(map(str, values))), laid(position, values), keys == self.right)


def laid(swim: Swim, values: list[int]) -> Result:
    """Return what these cards do to the swim: enough or not, and how many points they spend."""
    duel = swim.duel
    for value in values:
        duel = duel.lay(OTHER if swim.ask == "kill" else OWNER, "attack" if swim.ask == "kill" else "protection", value)
    total, spent = duel.top.total, sum(values)
    if not duel.top.beats:
        short = (
            say("points, and the fish lives: {total} is not above {over}", total=total, over=duel.top.over)
            if swim.ask == "kill"
            else say("points, and the fish dies: {total} is not above {over}", total=total, over=duel.top.over)
        )
        return Result(spent, short, -1000)
    enough = say("points, and it dies") if swim.ask == "kill" else say("points, and it is saved")
    return Result(spent, enough, -spent)


Totals = tuple[int, int]  # the points in the layer so far, and the total that it must exceed


def _equal(duel: Duel, ask: Ask) -> Totals:
    already, over = _true(duel, ask)
    return already, over - 1


def _added_up(duel: Duel, ask: Ask) -> Totals:
    """Return the totals if the layers of a side added up: all attacks so far against the fish and all protections."""
    kind = "attack" if ask == "kill" else "protection"
    mine = sum(layer.total for layer in duel.layers if layer.kind == kind)
    theirs = sum(layer.total for layer in duel.layers if (layer.kind == "attack") != (kind == "attack"))
    return mine, theirs


def _alone(duel: Duel, ask: Ask) -> Totals:
    """Return the totals if cards of one layer did not add up."""
    return 0, _true(duel, ask)[1]


def _the_fish(duel: Duel, ask: Ask) -> Totals:
    """Return the totals if only the fish itself had to be exceeded."""
    return _true(duel, ask)[0], duel.rank


def _true(duel: Duel, ask: Ask) -> Totals:
    question = asked(duel, ask)
    return question.already, question.to_beat


_READINGS: tuple[tuple[Callable[[Duel, Ask], Totals], Lesson], ...] = (
    (
        _equal,
        Lesson(
            say("A layer must be {word} than the one below: equal is not enough.", word=term("strictly greater", "rule")),
            "W1",
        ),
    ),
    (
        _added_up,
        Lesson(
            say("Each {word} counts alone: earlier ones add nothing.", word=term("layer", "rule")),
            "layer",
        ),
    ),
    (
        _alone,
        Lesson(
            say("All cards of a {word} count together, whoever laid them.", word=term("layer", "rule")),
            "layer",
        ),
    ),
    (
        _the_fish,
        Lesson(
            say("The number {word} is that of the newest layer, not that of the fish.", word=term("to beat", "rule")),
            "to-beat",
        ),
    ),
)


def exercise(number: int) -> Exercise:
    """Return the exercise with this number: twice in three the cards of a hand, else the total that decides."""
    chance = Chance("what-the-fish", number)
    return _score(chance) if chance.below(3) == 0 else _play(chance)


def _swim(chance: Chance) -> Swim:
    """Return a swim after some layers, each of one or two cards: the last may be short of what it must exceed."""
    duel = launch(OWNER, 3 + chance.below(HIGHEST - 2))
    for step in range(chance.below(LAYERS)):
        side = OTHER if step % 2 == 0 else OWNER
        kind: Literal["attack", "protection"] = "attack" if side == OTHER else "protection"
        duel = duel.lay(side, kind, 1 + chance.below(HIGHEST))
        while not duel.top.beats:
            if chance.below(4) == 0:
                return Swim(duel, "kill" if side == OTHER else "protect")
            duel = duel.lay(side, kind, 1 + chance.below(HIGHEST))
    return Swim(duel, "kill" if duel.top.kind != "attack" else "protect")


def _play(chance: Chance) -> Exercise:
    reads, lesson = chance.choice(_READINGS)
    for _ in range(SEARCHED):
        random_swim = _swim(chance)
        hand = tuple(sorted(1 + chance.below(HIGHEST) for _ in range(HAND)))
        swim = Swim(random_swim.duel, random_swim.ask, hand)
        right, misread = _cheapest(_true(swim.duel, swim.ask), hand), _cheapest(reads(swim.duel, swim.ask), hand)
        if right and misread and right != misread and _only(_true(swim.duel, swim.ask), hand, right):
            break
    assert answer_cheapest(asked(swim.duel, swim.ask, hand)).enough
    options = tuple(Option(str(place), Name(str(value)), str(value)) for place, value in enumerate(hand))
    return SwimExercise(
        kind="swim",
        ask=say("What kills it for the fewest points?") if swim.ask == "kill" else say("What saves it for the fewest points?"),
        position=swim,
        groups=(Group(say("Tap the KILL cards") if swim.ask == "kill" else say("Tap the PROTECT cards"), options),),
        right=right,
        misread=misread,
        wrong=min(misread - right or misread),
        results=_alone_laid(swim),
        lesson=lesson,
        why=answer_cheapest(asked(swim.duel, swim.ask, hand)).why,
    )


def _alone_laid(swim: Swim) -> Mapping[str, Result]:
    return {str(place): laid(swim, [value]) for place, value in enumerate(swim.hand)}


def _cheapest(totals: Totals, hand: tuple[int, ...]) -> frozenset[str]:
    """Return the places of the cheapest cards that exceed this total; none where nothing is needed or nothing is enough."""
    already, over = totals
    cards = cheapest(hand, over + 1 - already) if over >= already else None
    left, places = list(enumerate(hand)), []
    for card in cards or ():
        pair = next(pair for pair in left if pair[1] == card)
        left.remove(pair)
        places.append(str(pair[0]))
    return frozenset(places)


def _only(totals: Totals, hand: tuple[int, ...], right: frozenset[str]) -> bool:
    """Return whether no other cards of the hand do it for as few points."""
    missing = totals[1] + 1 - totals[0]
    least = sum(hand[int(place)] for place in right)
    ways = [
        places
        for size in range(1, len(hand) + 1)
        for places in combinations(range(len(hand)), size)
        if missing <= sum(hand[place] for place in places) <= least
    ]
    return len(ways) == 1


def _score(chance: Chance) -> Exercise:
    reads, lesson = chance.choice(_READINGS)
    for _ in range(SEARCHED):
        swim = _swim(chance)
        right, wrong = _least(_true(swim.duel, swim.ask)), _least(reads(swim.duel, swim.ask))
        if right != wrong and wrong > 0:
            break
    others = (*(_least(read(swim.duel, swim.ask)) for read, _ in _READINGS), right - 1, right + 1, right + 2)
    answers = tiles(right, wrong, (other for other in others if other > 0))
    return Exercise(
        kind="score",
        ask=(
            say("How many points does it take to kill it?")
            if swim.ask == "kill"
            else say("How many points does it take to save it?")
        ),
        position=swim,
        groups=(
            Group(
                say("Tap the fewest that do it"),
                tuple(Option(str(tile), Name(str(tile))) for tile in answers),
                one=True,
            ),
        ),
        right=frozenset({str(right)}),
        misread=frozenset({str(wrong)}),
        wrong=str(wrong),
        results={str(tile): laid(swim, [tile]) for tile in answers},
        lesson=lesson,
    )


def _least(totals: Totals) -> int:
    return totals[1] + 1 - totals[0]
