"""Which cards has the Decktet? Suits, rank and name of each one, and which belong to which deck."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Literal, get_args

import msgspec

from companion.engine.text import Name, Sentence, term

Suit = Literal["moons", "suns", "waves", "leaves", "wyrms", "knots"]
SUITS: tuple[Suit, ...] = get_args(Suit)  # in canonical order
SUIT_NAMES: dict[str, Sentence] = {
    "moons": term("moons", "suit"),
    "suns": term("suns", "suit"),
    "waves": term("waves", "suit"),
    "leaves": term("leaves", "suit"),
    "wyrms": term("wyrms", "suit"),
    "knots": term("knots", "suit"),
}
SUIT_INDEX: dict[str, int] = {suit: index for index, suit in enumerate(SUITS)}

Colour = Literal["grey", "orange", "blue", "brown", "green", "yellow"]
COLOURS: dict[Suit, Colour] = {
    "moons": "grey",
    "suns": "orange",
    "waves": "blue",
    "leaves": "brown",
    "wyrms": "green",
    "knots": "yellow",
}  # of the suit chips

Kind = Literal["ace", "number", "crown", "pawn", "court", "excuse"]
ACE = 1
CROWN = 10


class Card(msgspec.Struct, frozen=True, dict=True):
    """One card. ``suits`` are in canonical order.

    ``rank`` is a number: 1 for an Ace, 2 to 9 as printed, 10 for a Crown, and 0 for a Pawn, a Court or the Excuse, whose worth
    (if any) depends on the game. ``name`` is what the card shows ("the Battle"), ``printed`` the same below its number
    ("Battle"; nothing on an Ace), ``id`` what records call it.
    """

    id: str
    name: Sentence
    printed: Sentence | None
    rank: int
    kind: Kind
    suits: tuple[Suit, ...]

    @property
    def mark(self) -> Sentence | Name:
        """What the corner of the card says: "A", "2" to "9", "Crown", "Pawn", "Court" or "Excuse"."""
        return Name(self.rank) if self.kind == "number" else MARKS[self.kind]

    @cached_property
    def title(self) -> Sentence:
        """How a player would call it: "the 4 of wyrms and knots", "the Ace of moons", "the Harvest", "the Excuse"."""
        match self.kind:
            case "number":
                first, second = (SUIT_NAMES[suit] for suit in self.suits)
                return term("the {rank} of {first} and {second}", "card", rank=self.rank, first=first, second=second)
            case "ace":
                return term("the Ace of {suit}", "card", suit=SUIT_NAMES[self.suits[0]])
            case "crown":
                return term("the Crown of {suit}", "card", suit=SUIT_NAMES[self.suits[0]])
            case _:
                return self.name


MARKS: dict[str, Sentence] = {
    "ace": term("A", "corner of an Ace"),
    "crown": term("Crown", "corner of a card"),
    "pawn": term("Pawn", "corner of a card"),
    "court": term("Court", "corner of a card"),
    "excuse": term("Excuse", "corner of a card"),
}


def _number(rank: int, *cards: tuple[Sentence, Sentence, Suit, Suit]) -> Iterable[Card]:
    for name, printed, first, second in cards:
        yield Card(f"{rank}-{first}-{second}", name, printed, rank, "number", (first, second))


def _figure(kind: Literal["pawn", "court"], *cards: tuple[Sentence, Sentence, Suit, Suit, Suit]) -> Iterable[Card]:
    for name, printed, *suits in cards:
        yield Card("-".join((kind, *suits)), name, printed, 0, kind, tuple(suits))


ACES: tuple[Card, ...] = tuple(
    Card(f"ace-{suit}", term("the Ace of {suit:C}", "card", suit=SUIT_NAMES[suit]), None, ACE, "ace", (suit,)) for suit in SUITS
)

# NOTE: what a card of the Decktet is called in a sentence, and below its number
NUMBERS: tuple[Card, ...] = (
    *_number(
        2,
        (term("the Author", "card"), term("Author", "name of a card"), "moons", "knots"),
        (term("the Desert", "card"), term("Desert", "name of a card"), "suns", "wyrms"),
        (term("the Origin", "card"), term("Origin", "name of a card"), "waves", "leaves"),
    ),
    *_number(
        3,
        (term("the Journey", "card"), term("Journey", "name of a card"), "moons", "waves"),
        (term("the Painter", "card"), term("Painter", "name of a card"), "suns", "knots"),
        (term("the Savage", "card"), term("Savage", "name of a card"), "leaves", "wyrms"),
    ),
    *_number(
        4,
        (term("the Mountain", "card"), term("Mountain", "name of a card"), "moons", "suns"),
        (term("the Sailor", "card"), term("Sailor", "name of a card"), "waves", "leaves"),
        (term("the Battle", "card"), term("Battle", "name of a card"), "wyrms", "knots"),
    ),
    *_number(
        5,
        (term("the Forest", "card"), term("Forest", "name of a card"), "moons", "leaves"),
        (term("the Discovery", "card"), term("Discovery", "name of a card"), "suns", "waves"),
        (term("the Soldier", "card"), term("Soldier", "name of a card"), "wyrms", "knots"),
    ),
    *_number(
        6,
        (term("the Lunatic", "card"), term("Lunatic", "name of a card"), "moons", "waves"),
        (term("the Penitent", "card"), term("Penitent", "name of a card"), "suns", "wyrms"),
        (term("the Market", "card"), term("Market", "name of a card"), "leaves", "knots"),
    ),
    *_number(
        7,
        (term("the Chance Meeting", "card"), term("Chance Meeting", "name of a card"), "moons", "leaves"),
        (term("the Castle", "card"), term("Castle", "name of a card"), "suns", "knots"),
        (term("the Cave", "card"), term("Cave", "name of a card"), "waves", "wyrms"),
    ),
    *_number(
        8,
        (term("the Diplomat", "card"), term("Diplomat", "name of a card"), "moons", "suns"),
        (term("the Mill", "card"), term("Mill", "name of a card"), "waves", "leaves"),
        (term("the Betrayal", "card"), term("Betrayal", "name of a card"), "wyrms", "knots"),
    ),
    *_number(
        9,
        (term("the Pact", "card"), term("Pact", "name of a card"), "moons", "suns"),
        (term("the Darkness", "card"), term("Darkness", "name of a card"), "waves", "wyrms"),
        (term("the Merchant", "card"), term("Merchant", "name of a card"), "leaves", "knots"),
    ),
)

CROWNS: tuple[Card, ...] = (
    Card("crown-moons", term("the Huntress", "card"), term("Huntress", "name of a card"), CROWN, "crown", ("moons",)),
    Card("crown-suns", term("the Bard", "card"), term("Bard", "name of a card"), CROWN, "crown", ("suns",)),
    Card("crown-waves", term("the Sea", "card"), term("Sea", "name of a card"), CROWN, "crown", ("waves",)),
    Card("crown-leaves", term("the End", "card"), term("End", "name of a card"), CROWN, "crown", ("leaves",)),
    Card("crown-wyrms", term("the Calamity", "card"), term("Calamity", "name of a card"), CROWN, "crown", ("wyrms",)),
    Card("crown-knots", term("the Windfall", "card"), term("Windfall", "name of a card"), CROWN, "crown", ("knots",)),
)

PAWNS: tuple[Card, ...] = tuple(
    _figure(
        "pawn",
        (term("the Harvest", "card"), term("Harvest", "name of a card"), "moons", "suns", "leaves"),
        (term("the Watchman", "card"), term("Watchman", "name of a card"), "moons", "wyrms", "knots"),
        (term("the Light Keeper", "card"), term("Light Keeper", "name of a card"), "suns", "waves", "knots"),
        (term("the Borderland", "card"), term("Borderland", "name of a card"), "waves", "leaves", "wyrms"),
    )
)

COURTS: tuple[Card, ...] = tuple(
    _figure(
        "court",
        (term("the Consul", "card"), term("Consul", "name of a card"), "moons", "waves", "knots"),
        (term("the Rite", "card"), term("Rite", "name of a card"), "moons", "leaves", "wyrms"),
        (term("the Island", "card"), term("Island", "name of a card"), "suns", "waves", "wyrms"),
        (term("the Window", "card"), term("Window", "name of a card"), "suns", "leaves", "knots"),
    )
)

EXCUSE = Card("excuse", term("the Excuse", "card"), term("Excuse", "name of a card"), 0, "excuse", ())

BASIC: tuple[Card, ...] = (*ACES, *NUMBERS, *CROWNS)  # 36 cards, by rank
EXTENDED: tuple[Card, ...] = (*BASIC, *PAWNS, *COURTS, EXCUSE)  # 45 cards
CARDS: dict[str, Card] = {card.id: card for card in EXTENDED}
