"""What do people ask between two turns? Which fish comes next, and who would have the cup with what has been eaten."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from companion.engine.beluga_cup.events import MOST_FISH
from companion.engine.beluga_cup.scoring import Eaten, explanation, points, winners
from companion.engine.beluga_cup.words import fish_of
from companion.engine.beluga_cup.zones import Counts
from companion.engine.core import Line, RuleError
from companion.engine.decktet import SUITS
from companion.engine.text import name, say


class Cup(msgspec.Struct, frozen=True):
    """The points of both players for what they have eaten, who wins with them, and the sum suit by suit."""

    points: tuple[int, int]
    winners: tuple[int, ...]
    lines: tuple[Line, ...]


def chances(bag: Counts) -> tuple[Fraction, ...]:
    """Return how likely the next fish is of each suit, in canonical order; all 0 when the bag is empty."""
    left = sum(bag)
    return tuple(Fraction(number, left) if left else Fraction(0) for number in bag)


def final(players: tuple[str, ...], eaten: Eaten) -> Cup:
    """Return the end of a match in which they ate these fish (ruling U6).

    Raises RuleError (field ``eaten.1.moons``) when both together have more of a suit than the fullest bag holds (ruling U1).

    >>> final(("Ana", "Bo"), ((2, 3, 0, 0, 0, 0), (1, 1, 0, 0, 0, 0))).points
    (2, 0)
    """
    for suit, mine, theirs in zip(SUITS, *eaten, strict=True):
        if mine + theirs > MOST_FISH:
            message = say(
                "A bag has at most {most} fish of a suit, so {one} and {other} can't have eaten {fish}.",
                most=MOST_FISH,
                one=name(players[0]),
                other=name(players[1]),
                fish=fish_of(suit, mine + theirs),
            )
            raise RuleError(message, rule="U1", field=f"eaten.{int(theirs > mine)}.{suit}")
    return Cup(points(eaten), winners(eaten), tuple(explanation(players, eaten, finished=True)))
