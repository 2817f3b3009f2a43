"""What do people ask between two turns? Which fish comes next, who would have the cup, and whose it is whatever comes."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

import msgspec

from companion.engine.beluga_cup.events import MOST_FISH
from companion.engine.beluga_cup.match import BelugaCup
from companion.engine.beluga_cup.scoring import Eaten, explanation, points, winners
from companion.engine.beluga_cup.words import fish_of, zones
from companion.engine.beluga_cup.zones import NOTHING, Counts, Zone, size
from companion.engine.core import Line, RuleError
from companion.engine.decktet import SUITS
from companion.engine.text import Sentence, listing, name, say, say_n


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
                "A bag has at most {most} fish of a suit, so {one} and {other} can’t have eaten {fish}.",
                most=MOST_FISH,
                one=name(players[0]),
                other=name(players[1]),
                fish=fish_of(suit, mine + theirs),
            )
            raise RuleError(message, rule="U1", field=f"eaten.{int(theirs > mine)}.{suit}")
    return Cup(points(eaten), winners(eaten), tuple(explanation(players, eaten, finished=True)))


def is_sure(eaten: Eaten, left: Counts, player: int) -> bool:
    """Return True if a player has the cup alone, whoever eats whichever of the fish that are left (ruling U6).

    Not all of them need be eaten: a match ends when the bag can't fill a zone.

    >>> is_sure(((3, 0, 0, 0, 0, 0), (2, 0, 0, 0, 0, 0)), (0, 1, 0, 0, 0, 0), 0)
    True
    >>> is_sure(((3, 0, 0, 0, 0, 0), (2, 0, 0, 0, 0, 0)), (1, 0, 0, 0, 0, 0), 0)
    False
    """
    # suits don't depend on each other, and pairs that are added keep their order: the worst of all is the sum of the worst
    worst = [_worst(eaten[player][suit], eaten[1 - player][suit], number) for suit, number in enumerate(left)]
    return (sum(by for by, _ in worst), sum(fish for _, fish in worst)) > (0, 0)


@lru_cache(maxsize=4096)  # few numbers of fish, asked for on each page
def _worst(mine: int, theirs: int, left: int) -> tuple[int, int]:
    """Return the worst lead in points, and with it in fish, that a suit can bring."""
    return min(_lead(mine + more, theirs + others) for more in range(left + 1) for others in range(left + 1 - more))


def _lead(mine: int, theirs: int) -> tuple[int, int]:
    scored = theirs if mine > theirs else -mine if theirs > mine else 0
    return scored, mine - theirs


def fish_left(state: BelugaCup) -> Counts:
    """Return the fish that nobody has eaten yet, in the bag and in the zones."""
    return tuple(map(sum, zip(state.bag, *(zone.demand for zone in state.zones), strict=True)))


def sure_winner(state: BelugaCup) -> int | None:
    """Return who has the cup whatever is eaten from now on; None while nobody has, and once the match is over."""
    left = fish_left(state)
    return None if state.over else next((player for player in (0, 1) if is_sure(state.eaten, left, player)), None)


def winning_zones(state: BelugaCup, player: int) -> tuple[int, ...]:
    """Return the zones with which a player has the cup, as they lie now: whatever is eaten afterwards."""
    left = fish_left(state)
    return tuple(zone.number for zone in state.zones if zone.fish and _wins_with(state, left, player, zone))


def _wins_with(state: BelugaCup, left: Counts, player: int, zone: Zone) -> bool:
    mine, theirs = state.eaten[player], state.eaten[1 - player]
    meal = tuple(had + more for had, more in zip(mine, zone.demand, strict=True))
    is_last = sum(state.bag) < size(zone.number)  # ruling U5
    later = NOTHING if is_last else tuple(fish - eaten for fish, eaten in zip(left, zone.demand, strict=True))
    return is_sure((meal, theirs), later, 0)


def outlook(state: BelugaCup) -> Sentence | None:
    """Return what decides the cup now, in a sentence; None while no single meal does."""
    if state.over or state.to_fill:
        return None
    winner = sure_winner(state)
    if winner is not None:
        return say("{player} has the cup, whatever is eaten now.", player=name(state.players[winner]))
    winning = [winning_zones(state, player) for player in (0, 1)]
    if winning[0] == winning[1] == tuple(zone.number for zone in state.zones):
        return say("Whoever eats next has the cup.")
    sentences = [
        say_n(
            "{player} has the cup with {zones}.",
            "{player} has the cup with any of {zones}.",
            len(numbers),
            player=name(state.players[player]),
            zones=zones(numbers),
        )
        for player, numbers in enumerate(winning)
        if numbers
    ]
    return listing(sentences, "text") if sentences else None
