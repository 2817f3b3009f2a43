"""What does the second player need at the count, once the first one's whales are known? Before that all values are secret."""

from __future__ import annotations

from collections.abc import Sequence

from companion.engine.rivals import RivalsState
from companion.engine.rivals.whales import VALUES
from companion.engine.text import Sentence, name, say

Half = Sequence[int] | None  # the values that a player captured, None while they are not counted


def needs(counted: Sequence[int], cards: int) -> int:
    """Return the least value with which so many captured cards win against those that are counted.

    Rule: Winning; ruling V6: equal values go to fewer cards.

    >>> needs((10, 6), 3), needs((10, 6), 1)
    (17, 16)
    """
    return sum(counted) + (cards >= len(counted))


def outlook(state: RivalsState, halves: tuple[Half, Half]) -> Sentence | None:
    """Return what the player who is still to count needs, in words; None unless exactly one is counted."""
    missing = [player for player, half in enumerate(halves) if half is None]
    if len(missing) != 1:
        return None
    (player,) = missing
    counted = halves[1 - player] or ()
    cards = state.captured[player]
    who, least = name(state.players[player]), needs(counted, cards)
    most = cards * max(VALUES)
    if least <= cards * min(VALUES):
        return say("{player} wins, whatever these whales are worth.", player=who)
    if least <= most:
        return say("{player} needs {n} to win.", player=who, n=least)
    if cards == len(counted) and sum(counted) == most:
        return say("{player} can only share the win, with {n}.", player=who, n=most)
    return say("{player} can’t win any more.", player=who)
