"""How are rounds and whales told? Who takes how many cards, who called the end, and what lies on a pack."""

from __future__ import annotations

from collections.abc import Sequence

from companion.engine.rivals.whales import Whale
from companion.engine.text import Sentence, listing, say, say_n
from companion.screens.interface import named


def who_takes(players: Sequence[str], cards: tuple[int, ...]) -> Sentence:
    """Return who takes how many cards: "Ana takes 4 cards, Bo 1"."""
    takes = [(players[side], number) for side, number in enumerate(cards) if number]
    if not takes:
        return say("nobody takes a card")
    (name, number), *others = takes
    first = say_n("{player} takes {n} card", "{player} takes {n} cards", number, player=named(name))
    # NOTE: the second player of "Ana takes 4 cards, Bo 1"
    return listing([first, *(say("{player} {n}", player=named(who), n=n) for who, n in others)], "comma")


def ended(players: Sequence[str], ended_by: int | None) -> Sentence:
    """Return how a round ended: "Bo called the end"."""
    if ended_by is None:
        return say("cards ran out")
    return say("{player} called the end", player=named(players[ended_by]))


def whales(number: int) -> Sentence:
    """Return so many whales: "2 whales"."""
    return say_n("{n} whale", "{n} whales", number)


def summed(values: tuple[Whale, ...], strength: int) -> str:
    """Return what lies on one side of a pack, and its strength: "4+3 = 7"."""
    if not values:
        return say("none")
    return str(strength) if len(values) == 1 else f"{'+'.join(map(str, values))} = {strength}"
