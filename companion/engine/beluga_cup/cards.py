"""Which decks is Beluga Cup played with, and which card does a record or a question name?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from companion.engine.core import RuleError
from companion.engine.decktet import BASIC, CARDS, COURTS, EXCUSE, PAWNS, Card
from companion.engine.text import Name, Sentence, say, term

Deck = Literal["basic", "courts", "pawns"]
DECKS: dict[Deck, tuple[Card, ...]] = {
    "basic": BASIC,
    "courts": (*BASIC, *COURTS, EXCUSE),
    "pawns": (*BASIC, *PAWNS),
}  # ruling U9: the cards to play with; Pawns or Courts may be on the table as zone markers besides

HAND = 6  # cards dealt to each player, and held at the end of every turn (ruling U8)

# NOTE: which cards are in the deck: "You play without the Consul (deck: basic)."
_CALLED: dict[Deck, Sentence] = {
    "basic": term("basic", "deck"),
    "courts": term("courts", "deck"),
    "pawns": term("pawns", "deck"),
}
_NAMED: dict[Deck, dict[str, Card]] = {deck: {card.id: card for card in cards} for deck, cards in DECKS.items()}


def has_excuse(deck: Deck) -> bool:
    """Return whether the Excuse is played with: only together with the Courts (ruling U9)."""
    return EXCUSE in DECKS[deck]


def find_card(deck: Deck, name: str, field: str) -> Card:
    """Return the card with this name. Raises RuleError (with ``field``) if the deck has no such card."""
    card = _NAMED[deck].get(name)
    if card is not None:
        return card
    if name in CARDS:
        without = say("You play without {card} (deck: {deck}).", card=CARDS[name].title, deck=_CALLED[deck])
        raise RuleError(without, rule="U9", field=field)
    raise RuleError(
        say("“{name}” is not a card of the Decktet. Cards are like 4-wyrms-knots, ace-moons or crown-knots.", name=Name(name)),
        field=field,
    )


def find_cards(deck: Deck, names: Sequence[str], field: str) -> tuple[Card, ...]:
    """Return the cards with these names. Raises RuleError at the first that the deck does not have."""
    return tuple([find_card(deck, name, f"{field}.{index}") for index, name in enumerate(names)])
