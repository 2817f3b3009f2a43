"""Which whales has Rivals? Their values, how many there are, and how many may lie or be held where."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

import msgspec

from companion.engine.core import RuleError
from companion.engine.text import Name, listing, say

Whale = Literal[1, 2, 3, 4, 5, 6, 10]
VALUES: tuple[Whale, ...] = get_args(Whale)  # ruling V1
WHALES = 18  # of each colour, for the whole match (ruling V1)
GREY = 18  # whales that are fought for (rule text: Setup)
TURTLES = 3  # of each player (ruling V1)
ROUNDS = 3  # each adds one, two and three grey whales to packs 1, 2 and 3 (ruling V2)
MOST_ON_PACK = 3  # whales of one player on one pack (ruling V3)
HAND = 5
ACTIONS = 2

Whales = Annotated[tuple[Whale, ...], msgspec.Meta(max_length=WHALES)]
Sides = tuple[Whales, Whales]  # player 0's and player 1's

_BY_VALUE: dict[str, Whale] = {str(value): value for value in VALUES}


def whale(text: str) -> Whale:
    """Return the whale whose value is written like this. Raises RuleError when there is none (ruling V1)."""
    if text not in _BY_VALUE:
        no_whale = say("“{text}” is not a whale. Their values are {values}.", text=Name(text[:12]), values=listing(VALUES))
        raise RuleError(no_whale, rule="V1")
    return _BY_VALUE[text]


def pack_sizes(number: int) -> tuple[int, ...]:
    """Return how many grey whales pack ``number`` (1 to 3) can hold: its number, and more where ties stayed (ruling V2)."""
    return tuple(number * rounds for rounds in range(1, ROUNDS + 1))
