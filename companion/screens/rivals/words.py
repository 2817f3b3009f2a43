"""How are rounds and whales told? Who takes how many cards, who called the end, and what lies on a pack."""

from __future__ import annotations

from collections.abc import Sequence

from companion.engine.rivals.whales import Whale


def told(players: Sequence[str], cards: tuple[int, ...]) -> str:
    """Return who takes how many cards: "Ana takes 4 cards, Bo 1"."""
    takes = [(players[side], number) for side, number in enumerate(cards) if number]
    if not takes:
        return "nobody takes a card"
    (name, number), *others = takes
    return f"{name} takes {number} {'card' if number == 1 else 'cards'}" + "".join(f", {who} {n}" for who, n in others)


def ended(players: Sequence[str], ended_by: int | None) -> str:
    """Return how a round ended: "Bo called the end"."""
    return "cards ran out" if ended_by is None else f"{players[ended_by]} called the end"


def whales(number: int) -> str:
    """Return so many whales: "2 whales"."""
    return f"{number} whale" if number == 1 else f"{number} whales"


def summed(values: tuple[Whale, ...], strength: int) -> str:
    """Return what lies on one side of a pack, and its strength: "4+3 = 7"."""
    if not values:
        return "none"
    return str(strength) if len(values) == 1 else f"{'+'.join(map(str, values))} = {strength}"
