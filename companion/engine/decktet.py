"""Which cards has the Decktet? Suits, rank and name of each one, and which belong to which deck."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, get_args

import msgspec

Suit = Literal["moons", "suns", "waves", "leaves", "wyrms", "knots"]
SUITS: tuple[Suit, ...] = get_args(Suit)  # in canonical order
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


class Card(msgspec.Struct, frozen=True):
    """One card. ``suits`` are in canonical order.

    ``rank`` is a number: 1 for an Ace, 2 to 9 as printed, 10 for a Crown, and 0 for a Pawn, a Court or the Excuse, whose worth
    (if any) depends on the game. ``name`` is what the card shows ("the Battle"), ``id`` what records call it.
    """

    id: str
    name: str
    rank: int
    kind: Kind
    suits: tuple[Suit, ...]

    @property
    def mark(self) -> str:
        """What the corner of the card says: "A", "2" to "9", "Crown", "Pawn", "Court" or "Excuse"."""
        return "A" if self.kind == "ace" else str(self.rank) if self.kind == "number" else self.kind.capitalize()

    @property
    def title(self) -> str:
        """How a player would call it: "the 4 of wyrms and knots", "the Ace of moons", "the Harvest", "the Excuse"."""
        if self.kind == "number":
            return f"the {self.rank} of {self.suits[0]} and {self.suits[1]}"
        if self.kind in ("ace", "crown"):
            return f"the {self.kind.capitalize()} of {self.suits[0]}"
        return self.name


def _number(rank: int, *cards: tuple[str, Suit, Suit]) -> Iterable[Card]:
    for name, first, second in cards:
        yield Card(f"{rank}-{first}-{second}", name, rank, "number", (first, second))


def _figure(kind: Literal["pawn", "court"], *cards: tuple[str, Suit, Suit, Suit]) -> Iterable[Card]:
    for name, *suits in cards:
        yield Card("-".join((kind, *suits)), name, 0, kind, tuple(suits))


ACES: tuple[Card, ...] = tuple(Card(f"ace-{suit}", f"the Ace of {suit.capitalize()}", ACE, "ace", (suit,)) for suit in SUITS)

NUMBERS: tuple[Card, ...] = (
    *_number(2, ("the Author", "moons", "knots"), ("the Desert", "suns", "wyrms"), ("the Origin", "waves", "leaves")),
    *_number(3, ("the Journey", "moons", "waves"), ("the Painter", "suns", "knots"), ("the Savage", "leaves", "wyrms")),
    *_number(4, ("the Mountain", "moons", "suns"), ("the Sailor", "waves", "leaves"), ("the Battle", "wyrms", "knots")),
    *_number(5, ("the Forest", "moons", "leaves"), ("the Discovery", "suns", "waves"), ("the Soldier", "wyrms", "knots")),
    *_number(6, ("the Lunatic", "moons", "waves"), ("the Penitent", "suns", "wyrms"), ("the Market", "leaves", "knots")),
    *_number(7, ("the Chance Meeting", "moons", "leaves"), ("the Castle", "suns", "knots"), ("the Cave", "waves", "wyrms")),
    *_number(8, ("the Diplomat", "moons", "suns"), ("the Mill", "waves", "leaves"), ("the Betrayal", "wyrms", "knots")),
    *_number(9, ("the Pact", "moons", "suns"), ("the Darkness", "waves", "wyrms"), ("the Merchant", "leaves", "knots")),
)

CROWNS: tuple[Card, ...] = (
    Card("crown-moons", "the Huntress", CROWN, "crown", ("moons",)),
    Card("crown-suns", "the Bard", CROWN, "crown", ("suns",)),
    Card("crown-waves", "the Sea", CROWN, "crown", ("waves",)),
    Card("crown-leaves", "the End", CROWN, "crown", ("leaves",)),
    Card("crown-wyrms", "the Calamity", CROWN, "crown", ("wyrms",)),
    Card("crown-knots", "the Windfall", CROWN, "crown", ("knots",)),
)

PAWNS: tuple[Card, ...] = tuple(
    _figure(
        "pawn",
        ("the Harvest", "moons", "suns", "leaves"),
        ("the Watchman", "moons", "wyrms", "knots"),
        ("the Light Keeper", "suns", "waves", "knots"),
        ("the Borderland", "waves", "leaves", "wyrms"),
    )
)

COURTS: tuple[Card, ...] = tuple(
    _figure(
        "court",
        ("the Consul", "moons", "waves", "knots"),
        ("the Rite", "moons", "leaves", "wyrms"),
        ("the Island", "suns", "waves", "wyrms"),
        ("the Window", "suns", "leaves", "knots"),
    )
)

EXCUSE = Card("excuse", "the Excuse", 0, "excuse", ())

BASIC: tuple[Card, ...] = (*ACES, *NUMBERS, *CROWNS)  # 36 cards, by rank
EXTENDED: tuple[Card, ...] = (*BASIC, *PAWNS, *COURTS, EXCUSE)  # 45 cards
CARDS: dict[str, Card] = {card.id: card for card in EXTENDED}
