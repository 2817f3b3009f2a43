"""What do players of Beluga Cup agree on before a match, and what can happen in one, in the words of the records?"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from companion.engine.beluga_cup.cards import Deck
from companion.engine.core import Event, Options
from companion.engine.decktet import Suit
from companion.engine.fair_draw import LONGEST_WORD, MOST_WORDS

FEWEST_FISH = 7
MOST_FISH = 12  # of a suit in the bag (ruling U1)
MOST_DISCARDED = 3  # cards of a hand in which none fits (ruling U8)

Player = Annotated[int, Meta(ge=0, le=1)]
ZoneNumber = Annotated[int, Meta(ge=1, le=4)]
CardName = Annotated[str, Meta(max_length=40)]
Cards = Annotated[tuple[CardName, ...], Meta(max_length=12)]
Fish = Annotated[tuple[Suit, ...], Meta(max_length=12)]
DrawnBy = Literal["app", "hand"]
Word = Annotated[str, Meta(min_length=1, max_length=LONGEST_WORD)]
Seal = Annotated[str, Meta(max_length=64, pattern="^[0-9a-fA-F]{64}$")]


class BelugaCupOptions(Options, frozen=True):
    """How the players want to play.

    ``fish_per_suit``: fish of each suit in the bag (ruling U1). ``deck``: which cards besides the 36 basic ones (ruling U9).
    ``cards``: whether the players enter their cards (``tracked``) or only who ate. ``seal`` and ``words``: how the app's draws
    were settled (:mod:`companion.engine.fair_draw`), if it draws.
    """

    fish_per_suit: Annotated[int, Meta(ge=FEWEST_FISH, le=MOST_FISH)] = FEWEST_FISH
    deck: Deck = "basic"
    cards: Literal["tracked", "untracked"] = "tracked"
    seal: Seal | None = None
    words: Annotated[tuple[Word, ...], Meta(max_length=MOST_WORDS)] = ()


class Fill(Event, frozen=True, tag="fill"):
    """Fish out of the bag go into a zone."""

    zone: ZoneNumber
    fish: Fish
    drawn_by: DrawnBy


class Play(Event, frozen=True, tag="play"):
    """A player places a card, or several Aces, on a side of a zone."""

    player: Player
    zone: ZoneNumber
    side: Player
    cards: Cards


class Discard(Event, frozen=True, tag="discard"):
    """A player without a legal card shows the hand and discards up to three cards (ruling U8)."""

    player: Player
    cards: Annotated[int, Meta(ge=0, le=MOST_DISCARDED)]


class Eat(Event, frozen=True, tag="eat"):
    """A player eats a zone, at a table that does not enter its cards."""

    zone: ZoneNumber
    player: Player


class ExcuseSwap(Event, frozen=True, tag="excuse-swap"):
    """A player swaps fish of a zone with the Excuse (ruling U10)."""

    player: Player
    zone: ZoneNumber
    drawn: Fish
    returned: Fish
    drawn_by: DrawnBy


class ExcuseTake(Event, frozen=True, tag="excuse-take"):
    """A player takes back a card from the own side of a zone with the Excuse (ruling U10)."""

    player: Player
    zone: ZoneNumber
    card: CardName


class Shuffle(Event, frozen=True, tag="shuffle"):
    """The deck was shuffled now: every discarded card may be in a hand again (ruling U13)."""


BelugaCupEvent = Fill | Play | Discard | Eat | ExcuseSwap | ExcuseTake | Shuffle
