"""How are sentences of Beluga Cup put together?"""

from __future__ import annotations

from collections.abc import Sequence

from companion.engine.decktet import SUITS
from companion.engine.text import join_names

# What a fish of the suit is called.
FISH: dict[str, str] = {"moons": "moon", "suns": "sun", "waves": "wave", "leaves": "leaf", "wyrms": "wyrm", "knots": "knot"}


def zones(numbers: Sequence[int]) -> str:
    """These zones in words: "zone 3", "zones 1, 2 and 4"."""
    return f"zone{'s' if len(numbers) > 1 else ''} {join_names([str(number) for number in numbers])}"


def capital(words: str) -> str:
    """The words with a capital at their beginning."""
    return words[:1].upper() + words[1:]


def fish(counts: Sequence[int]) -> str:
    """So many fish of each suit (in canonical order), in words: "1 moon fish", "2 wyrm and 1 knot fish", "no fish"."""
    kinds = [f"{number} {FISH[suit]}" for suit, number in zip(SUITS, counts, strict=True) if number]
    return f"{join_names(kinds)} fish" if kinds else "no fish"
