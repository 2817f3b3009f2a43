"""How are sentences of Beluga Cup put together?"""

from __future__ import annotations

from collections.abc import Sequence

from companion.engine.decktet import SUITS
from companion.engine.text import Sentence, listing, say, say_n, term

# What a fish of the suit is called.
FISH: dict[str, Sentence] = {
    "moons": term("moon", "fish"),
    "suns": term("sun", "fish"),
    "waves": term("wave", "fish"),
    "leaves": term("leaf", "fish"),
    "wyrms": term("wyrm", "fish"),
    "knots": term("knot", "fish"),
}


def zones(numbers: Sequence[int]) -> Sentence:
    """Return these zones in words: "zone 3", "zones 1, 2 and 4"."""
    return say_n("zone {zones}", "zones {zones}", len(numbers), zones=listing(numbers))


def fish_of(suit: str, number: int) -> Sentence:
    """Return so many fish of a suit in words: "1 moon fish"."""
    return say_n("{n} {suit} fish", "{n} {suit} fish", number, suit=FISH[suit])


def fish(counts: Sequence[int]) -> Sentence:
    """Return so many fish of each suit (in canonical order), in words: "2 wyrm fish and 1 knot fish", "no fish"."""
    kinds = [fish_of(suit, number) for suit, number in zip(SUITS, counts, strict=True) if number]
    return listing(kinds) if kinds else say("no fish")
