"""The whales of Rivals: their values, how many there are, and how many may lie or be held where."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import msgspec

from companion.engine.core import RuleError

VALUES = (1, 2, 3, 4, 5, 6, 10)  # ruling V1
WHALES = 18  # of each colour, for the whole match (ruling V1)
TURTLES = 3  # of each player (ruling V1)
ROUNDS = 3  # each adds one, two and three grey whales to packs 1, 2 and 3 (ruling V2)
MOST_ON_PACK = 3  # whales of one player on one pack (ruling V3)
HAND = 5
ACTIONS = 2

# Wide enough for check_values to refuse wrong values in a sentence, and bounded.
Value = Annotated[int, msgspec.Meta(ge=0, le=99)]
Whales = Annotated[tuple[Value, ...], msgspec.Meta(max_length=WHALES)]
Sides = tuple[Whales, Whales]  # player 0's and player 1's


def check_values(whales: Iterable[int | str], field: str) -> None:
    """Raises RuleError for the first value that no whale has. Turtles have none and are passed over."""
    for index, value in enumerate(whales):
        if value not in VALUES and value != "turtle":
            raise RuleError(f"There is no whale of {value}; whales are 1 to 6 and 10.", rule="V1", field=f"{field}.{index}")
