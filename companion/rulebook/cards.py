"""Which cards has each game, as data for programs? What every card is called, and what it is worth."""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.engine import bisque, decktet
from companion.engine.beloz import cards as beloz
from companion.engine.beluga_cup.cards import DECKS, Deck
from companion.engine.rivals import whales
from companion.engine.what_the_fish.cards import BEAVER_BUDDHA, WTF_CARDS, WtfCard


class ByFlood(msgspec.Struct, frozen=True):
    """A number that depends on whether the card's plain is flooded."""

    dry: int
    flooded: int


class AnimalCard(msgspec.Struct, frozen=True, tag_field="deck", tag="animals"):
    """A card of BeloZ. Strength compares cards of one plain."""

    id: str
    name: str
    plain: beloz.Plain
    colour: str
    animal: beloz.Animal
    number: int
    points: ByFlood
    strength: ByFlood


class DecktetCard(msgspec.Struct, frozen=True, tag_field="deck", tag="decktet"):
    """A card of the Decktet. ``rank`` is 0 for a Pawn, a Court and the Excuse.

    ``points`` is what it adds to its suits in the pot of Bisque, null in other games. ``decks`` are the options ``deck`` of
    Beluga Cup that play with it.
    """

    id: str
    name: str
    kind: decktet.Kind
    rank: int
    suits: tuple[decktet.Suit, ...]
    points: int | None = None
    decks: tuple[Deck, ...] = ()


class WhaleCard(msgspec.Struct, frozen=True, tag_field="deck", tag="whales"):
    """A card of Rivals as look-ups name it: a whale by its value, or a turtle."""

    id: Literal[whales.Whale, "turtle"]
    name: str


class WtfCardData(msgspec.Struct, frozen=True, tag_field="deck", tag="wtf"):
    """A WTF card of What the Fish!, and whom it must name. ``beaver-buddha`` is the event ``buddha``."""

    id: str
    name: str
    effect: str
    target: bool
    to: bool


Card = AnimalCard | DecktetCard | WhaleCard | WtfCardData


def beloz_cards() -> list[Card]:
    return [
        AnimalCard(
            id=f"{plain}-{animal}",
            name=f"{beloz.PLAIN_TITLES[plain]} {beloz.ANIMAL_TITLES[animal]}",
            plain=plain,
            colour=beloz.COLOURS[plain],
            animal=animal,
            number=number,
            points=ByFlood(beloz.DRY_POINTS[number - 1], beloz.FLOODED_POINTS[number - 1]),
            strength=ByFlood(number, beloz.FLOODED_STRENGTH[number - 1]),
        )
        for plain in beloz.PLAINS
        for animal, number in beloz.NUMBERS.items()
    ]


def beluga_cup_cards() -> list[Card]:
    decks = {card.id: tuple(deck for deck, cards in DECKS.items() if card in cards) for card in decktet.EXTENDED}
    return [
        DecktetCard(card.id, card.title, card.kind, card.rank, card.suits, decks=decks[card.id]) for card in decktet.EXTENDED
    ]


def bisque_cards() -> list[Card]:
    return [
        DecktetCard(card.id, card.title, card.kind, card.rank, card.suits, points=bisque.points(card)) for card in decktet.BASIC
    ]


def rivals_cards() -> list[Card]:
    return [*(WhaleCard(value, f"a whale of {value}") for value in whales.VALUES), WhaleCard("turtle", "a turtle")]


def what_the_fish_cards() -> list[Card]:
    cards: list[tuple[str, WtfCard]] = [*WTF_CARDS.items(), ("beaver-buddha", BEAVER_BUDDHA)]
    return [WtfCardData(name, card.label, card.effect, bool(card.target), bool(card.to)) for name, card in cards]
