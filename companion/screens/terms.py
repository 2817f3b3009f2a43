"""What are the games' pieces called on screen? Suits, plains, animals and cards, each as a term that every language has."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from companion.engine.beloz.cards import ANIMAL_TITLES, PLAIN_TITLES
from companion.engine.decktet import CARDS, SUIT_NAMES
from companion.engine.text import Name, Sentence, capital, listing, say, term

SUITS: Final[Mapping[str, Sentence]] = SUIT_NAMES
PLAINS: Final[Mapping[str, Sentence]] = {str(plain): title for plain, title in PLAIN_TITLES.items()}
ANIMALS: Final[Mapping[str, Sentence]] = {str(animal): title for animal, title in ANIMAL_TITLES.items()}
RANKS: Final = {
    "ace": term("Ace", "rank"),
    "crown": term("Crown", "rank"),
    "pawn": term("Pawn", "rank"),
    "court": term("Court", "rank"),
}
MOST: Final = 500  # cards: all that there are, however they are written


@lru_cache(MOST)
def suit_name(suit: str) -> Sentence:
    """Return a suit as it stands alone: "Moons"."""
    return capital(SUITS[suit])


def plain_name(plain: str) -> Sentence:
    """Return a plain as it stands alone: "North"."""
    return capital(PLAINS[plain])


def animal_name(animal: str) -> Sentence:
    """Return an animal as it stands alone: "Water snake"."""
    return capital(ANIMALS[animal])


def fill_name(fill: str) -> Sentence | str:
    """Return what a printed fill stands for, a plain or a suit, as it stands alone."""
    named = PLAINS.get(fill) or SUITS.get(fill)
    return capital(named) if named else fill.capitalize()


@lru_cache(MOST)
def card_name(card: str) -> Sentence:
    """Return what a person would call a card.

    >>> [str(card_name(card)) for card in ("6-moons-waves", "ace-moons", "crown-waves", "north-lion", "excuse")]
    ['6 Lunatic', 'Ace of moons', 'Crown Sea', 'Lion of North', 'Excuse']
    """
    rank, *suits = card.split("-")
    if rank in PLAINS:
        # NOTE: a card of BeloZ: "Lion of North"
        return term("{animal:C} of {plain}", "card", animal=ANIMALS["-".join(suits)], plain=PLAINS[rank])
    printed = _printed(card)
    if printed and not suits:
        return printed
    rank_word = RANKS.get(rank) or Name(rank)
    if printed:
        # NOTE: a card of the Decktet: "6 Lunatic", "Crown Sea"
        return term("{rank} {name}", "card", rank=rank_word, name=printed)
    # NOTE: a card of the Decktet without a name: "Ace of moons", "7 of suns and knots"
    return term("{rank} of {suits}", "card", rank=rank_word, suits=listing([SUITS.get(suit) or Name(suit) for suit in suits]))


@lru_cache(MOST)
def card_label(card: str) -> Sentence:
    """Return the same for who hears it: a card of the Decktet with its suits, which its name does not tell.

    >>> str(card_label("pawn-moons-suns-leaves"))
    'Pawn Harvest, moons, suns and leaves'
    """
    name = card_name(card)
    suits = card.split("-")[1:]
    return (
        say("{card}, {suits}", card=name, suits=listing([SUITS[suit] for suit in suits])) if suits and _printed(card) else name
    )


def _printed(card: str) -> Sentence | None:
    return CARDS[card].printed if card in CARDS else None
