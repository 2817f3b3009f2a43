"""How sentences of Beluga Cup are put together."""

from __future__ import annotations

from collections.abc import Sequence

# What a fish of the suit is called.
FISH: dict[str, str] = {"moons": "moon", "suns": "sun", "waves": "wave", "leaves": "leaf", "wyrms": "wyrm", "knots": "knot"}


def join(words: Sequence[str], conjunction: str = "and") -> str:
    """The words as a list in a sentence: "a", "a and b", "a, b and c"."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {conjunction} {words[-1]}"


def capital(words: str) -> str:
    """The words with a capital at their beginning."""
    return words[:1].upper() + words[1:]
