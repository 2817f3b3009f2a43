"""How sentences of Beluga Cup are put together."""

from __future__ import annotations

from collections.abc import Sequence

from companion.engine.decktet import SUITS

# What a fish of the suit is called.
FISH: dict[str, str] = {"moons": "moon", "suns": "sun", "waves": "wave", "leaves": "leaf", "wyrms": "wyrm", "knots": "knot"}


def join(words: Sequence[str], conjunction: str = "and") -> str:
    """The words as a list in a sentence: "a", "a and b", "a, b and c"."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {conjunction} {words[-1]}"


def zones(numbers: Sequence[int]) -> str:
    """These zones in words: "zone 3", "zones 1, 2 and 4"."""
    return f"zone{'s' if len(numbers) > 1 else ''} {join([str(number) for number in numbers])}"


def capital(words: str) -> str:
    """The words with a capital at their beginning."""
    return words[:1].upper() + words[1:]


def fish(counts: Sequence[int]) -> str:
    """So many fish of each suit (in canonical order), in words: "1 moon fish", "2 wyrm and 1 knot fish", "no fish"."""
    kinds = [f"{number} {FISH[suit]}" for suit, number in zip(SUITS, counts, strict=True) if number]
    return f"{join(kinds)} fish" if kinds else "no fish"
