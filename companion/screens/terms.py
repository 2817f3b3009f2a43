"""What are the games' pieces called on screen? Suits, plains, animals and cards, each as a term that every language has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.engine.beloz.cards import ANIMAL_TITLES, PLAIN_TITLES
from companion.engine.decktet import SUIT_NAMES
from companion.engine.text import Name, Sentence, capital, listing, say, term

SUITS: Final[Mapping[str, Sentence]] = SUIT_NAMES
PLAINS: Final[Mapping[str, Sentence]] = {str(plain): title for plain, title in PLAIN_TITLES.items()}
ANIMALS: Final[Mapping[str, Sentence]] = {str(animal): title for animal, title in ANIMAL_TITLES.items()}
# NOTE: what a card of the Decktet is called below its number: "6 Lunatic"
DECKTET: Final = {
    "2-moons-knots": term("Author", "name of a card"),
    "2-suns-wyrms": term("Desert", "name of a card"),
    "2-waves-leaves": term("Origin", "name of a card"),
    "3-moons-waves": term("Journey", "name of a card"),
    "3-suns-knots": term("Painter", "name of a card"),
    "3-leaves-wyrms": term("Savage", "name of a card"),
    "4-moons-suns": term("Mountain", "name of a card"),
    "4-waves-leaves": term("Sailor", "name of a card"),
    "4-wyrms-knots": term("Battle", "name of a card"),
    "5-moons-leaves": term("Forest", "name of a card"),
    "5-suns-waves": term("Discovery", "name of a card"),
    "5-wyrms-knots": term("Soldier", "name of a card"),
    "6-moons-waves": term("Lunatic", "name of a card"),
    "6-suns-wyrms": term("Penitent", "name of a card"),
    "6-leaves-knots": term("Market", "name of a card"),
    "7-moons-leaves": term("Chance Meeting", "name of a card"),
    "7-suns-knots": term("Castle", "name of a card"),
    "7-waves-wyrms": term("Cave", "name of a card"),
    "8-moons-suns": term("Diplomat", "name of a card"),
    "8-waves-leaves": term("Mill", "name of a card"),
    "8-wyrms-knots": term("Betrayal", "name of a card"),
    "9-moons-suns": term("Pact", "name of a card"),
    "9-waves-wyrms": term("Darkness", "name of a card"),
    "9-leaves-knots": term("Merchant", "name of a card"),
    "crown-moons": term("Huntress", "name of a card"),
    "crown-suns": term("Bard", "name of a card"),
    "crown-waves": term("Sea", "name of a card"),
    "crown-leaves": term("End", "name of a card"),
    "crown-wyrms": term("Calamity", "name of a card"),
    "crown-knots": term("Windfall", "name of a card"),
    "pawn-moons-suns-leaves": term("Harvest", "name of a card"),
    "pawn-moons-wyrms-knots": term("Watchman", "name of a card"),
    "pawn-suns-waves-knots": term("Light Keeper", "name of a card"),
    "pawn-waves-leaves-wyrms": term("Borderland", "name of a card"),
    "court-moons-waves-knots": term("Consul", "name of a card"),
    "court-moons-leaves-wyrms": term("Rite", "name of a card"),
    "court-suns-waves-wyrms": term("Island", "name of a card"),
    "court-suns-leaves-knots": term("Window", "name of a card"),
}
RANKS: Final = {
    "ace": term("Ace", "rank"),
    "crown": term("Crown", "rank"),
    "pawn": term("Pawn", "rank"),
    "court": term("Court", "rank"),
}


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


def card_name(card: str) -> Sentence:
    """Return what a person would call a card.

    >>> [str(card_name(card)) for card in ("6-moons-waves", "ace-moons", "crown-waves", "north-lion", "excuse")]
    ['6 Lunatic', 'Ace of moons', 'Crown Sea', 'Lion of North', 'Excuse']
    """
    rank, *suits = card.split("-")
    if rank in PLAINS:
        # NOTE: a card of BeloZ: "Lion of North"
        return term("{animal:C} of {plain}", "card", animal=ANIMALS["-".join(suits)], plain=PLAINS[rank])
    if card == "excuse":
        return term("Excuse", "name of a card")
    shown = RANKS.get(rank) or Name(rank)
    if card in DECKTET:
        # NOTE: a card of the Decktet: "6 Lunatic", "Crown Sea"
        return term("{rank} {name}", "card", rank=shown, name=DECKTET[card])
    # NOTE: a card of the Decktet without a name: "Ace of moons", "7 of suns and knots"
    return term("{rank} of {suits}", "card", rank=shown, suits=listing([SUITS.get(suit) or Name(suit) for suit in suits]))


def card_label(card: str) -> Sentence:
    """Return the same for who hears it: a card of the Decktet with its suits, which its name does not tell.

    >>> str(card_label("pawn-moons-suns-leaves"))
    'Pawn Harvest, moons, suns and leaves'
    """
    name = card_name(card)
    if card not in DECKTET:
        return name
    return say("{card}, {suits}", card=name, suits=listing([SUITS[suit] for suit in card.split("-")[1:]]))
