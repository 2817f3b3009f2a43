"""Who has how many points for the fish eaten so far, why, and who wins the cup?"""

from __future__ import annotations

from collections.abc import Iterator

from companion.engine.beluga_cup.zones import Counts
from companion.engine.core import Line
from companion.engine.decktet import SUIT_NAMES, SUITS, Suit
from companion.engine.text import Sentence, name, say

Eaten = tuple[Counts, Counts]


def suit_points(eaten: Eaten) -> Iterator[tuple[int, int]]:
    """Iterate over the points of both players for each suit: who has more scores the number of the other's (ruling U6)."""
    for mine, theirs in zip(*eaten, strict=True):
        yield (theirs if mine > theirs else 0, mine if theirs > mine else 0)


def scoring_suits(eaten: Eaten, player: int) -> tuple[Suit, ...]:
    """Return the suits for which the player scores (ruling U6)."""
    return tuple(suit for suit, scored in zip(SUITS, suit_points(eaten), strict=True) if scored[player])


def points(eaten: Eaten) -> tuple[int, int]:
    """Return the points of both players if the match ended now (ruling U6)."""
    by_suit = tuple(suit_points(eaten))
    return sum(first for first, _ in by_suit), sum(second for _, second in by_suit)


def fish_eaten(eaten: Eaten) -> tuple[int, int]:
    """Return how many fish each has eaten, of all suits together."""
    return sum(eaten[0]), sum(eaten[1])


def winners(eaten: Eaten) -> tuple[int, ...]:
    """Return who wins the cup: more points, then more fish eaten; still equal: both of them (ruling U6)."""
    first, second = points(eaten)
    if first == second:
        first, second = fish_eaten(eaten)
    return (0, 1) if first == second else (int(second > first),)


def explanation(players: tuple[str, ...], eaten: Eaten, finished: bool) -> Iterator[Line]:
    """Iterate over the sum behind the points, suit by suit, and what broke a tie at the end."""
    for suit, mine, theirs, scored in zip(SUITS, *eaten, suit_points(eaten), strict=True):
        yield Line(_compare(players, SUIT_NAMES[suit], mine, theirs), scored, "U6")
    first, second = points(eaten)
    if finished and first == second:
        mine, theirs = fish_eaten(eaten)
        if mine == theirs:
            equal = say("Equal points, and each ate {n} fish: a shared cup", n=mine)
        else:
            ahead = name(players[int(theirs > mine)])
            more, fewer = max(mine, theirs), min(mine, theirs)
            equal = say("Equal, more fish: {player}, {more} to {fewer}", player=ahead, more=more, fewer=fewer)
        yield Line(equal, (None, None), "U6")


def _compare(players: tuple[str, ...], suit: Sentence, mine: int, theirs: int) -> Sentence:
    if mine == theirs:
        if mine == 0:
            return say("{suit:C}: nobody ate any", suit=suit)
        return say("{suit:C}: {n} each, so nobody scores", suit=suit, n=mine)
    ahead = int(theirs > mine)
    return say(
        "{suit:C}: {more} to {fewer}, {player} scores {fewer}",
        suit=suit,
        player=name(players[ahead]),
        more=max(mine, theirs),
        other=name(players[1 - ahead]),
        fewer=min(mine, theirs),
    )
