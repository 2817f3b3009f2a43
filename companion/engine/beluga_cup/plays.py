"""Which plays do the cards of a hand allow, and why does a card not fit?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import chain, combinations
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from companion.engine.beluga_cup.cards import DECKS, HAND, Deck, find_cards
from companion.engine.beluga_cup.events import CardName, Player
from companion.engine.beluga_cup.match import BelugaCup, excusable, resting
from companion.engine.beluga_cup.zones import NUMBERS, ONLY_ACES, ZONES, Counts, Zone, eater, in_words, lay, make_zone, refusal
from companion.engine.core import Answer, Question, RuleError
from companion.engine.decktet import CARDS, EXCUSE, SUIT_INDEX, Card, Suit
from companion.engine.text import Sentence, listing, name, say, term


class TableZone(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A zone as it lies on the table: its fish, and the cards on player 0's and player 1's side."""

    fish: Annotated[tuple[Suit, ...], Meta(max_length=12)]
    sides: tuple[Annotated[tuple[CardName, ...], Meta(max_length=45)], Annotated[tuple[CardName, ...], Meta(max_length=45)]]


class LegalPlays(Question, frozen=True):
    """What may this player do with this hand?"""

    game: Literal["beluga-cup"]
    player: Player
    hand: Annotated[tuple[CardName, ...], Meta(max_length=45)]
    zones: Annotated[tuple[TableZone, ...], Meta(max_length=12)]
    deck: Deck = "basic"


class Choice(msgspec.Struct, frozen=True, gc=False):
    """One thing that a player may do: place ``cards`` on a ``side`` of a ``zone``, or ``use`` the Excuse there (ruling U10)."""

    cards: tuple[str, ...]
    zone: int
    side: int | UnsetType = UNSET
    use: Literal["swap", "take"] | UnsetType = UNSET
    card: str | UnsetType = UNSET


class LegalAnswer(Answer, frozen=True):
    """Every legal play, in no special order. Without any the player must discard (ruling U8); ``why`` says it in words."""

    plays: tuple[Choice, ...]
    must_discard: bool
    why: Sentence


class Note(msgspec.Struct, frozen=True):
    """What a page says about a card for one side of a zone.

    ``fits``: the card may be played there alone. ``joins``: it is an Ace that may be played there with others. ``zone``: the
    number of the zone in which it lies now, or None. ``gone``: it was discarded, and no hand can hold it until the next
    shuffle (rulings U12 and U13): then it neither fits nor joins. ``back``: it could be played there alone if only the deck
    had been shuffled. ``why`` is the reason in a sentence. ``eater``: who eats the zone when
    whoever is on turn plays the card there, or None while it is not eaten by that.
    """

    card: Card
    fits: bool
    joins: bool
    zone: int | None
    gone: bool
    why: Sentence
    eater: int | None = None
    back: bool = False

    @property
    def apart(self) -> Sentence | None:
        """Why the card can't be played there together with Aces, in a sentence; None if it can (ruling U3)."""
        return None if self.joins else ONLY_ACES if self.fits else self.why


# A set of suits is a number, in which each suit is a bit.
_BIT = {suit: 1 << number for suit, number in SUIT_INDEX.items()}
_SUITS = {card.id: sum([_BIT[suit] for suit in card.suits]) for card in CARDS.values()}

Group = tuple[tuple[str, ...], int]  # cards that are played together, and their suits

ANY_CARD = say("Any card of the hand may be played.")
IN_HAND = term("the hand", "where a card lies")
IN_ZONE = {number: term("zone {number}", "where a card lies", number=number) for number in (0, *NUMBERS)}  # 0: one alone


def answer(question: LegalPlays) -> LegalAnswer:
    """Return every play of the hand. Raises RuleError for a table or hand that can't be."""
    if len(question.zones) != ZONES:
        sentence = say("A table has {zones} zones, not {n}.", zones=ZONES, n=len(question.zones))
        raise RuleError(sentence, rule="U1", field="zones")
    if len(question.hand) > HAND:
        sentence = say("A hand has at most {most} cards, not {n}.", most=HAND, n=len(question.hand))
        raise RuleError(sentence, rule="U8", field="hand")
    places: dict[str, Sentence] = {}
    zones = tuple(
        [
            read_zone(question.deck, zone, number, places, f"zones.{number - 1}.")
            for number, zone in zip(NUMBERS, question.zones, strict=True)
        ]
    )
    hand = find_cards(question.deck, question.hand, "hand")
    for index, card in enumerate(hand):
        _once(places, card, IN_HAND, f"hand.{index}")
    plays = tuple(choices(zones, question.player, hand))
    return LegalAnswer(plays, not plays, _why(hand, plays))


def choices(zones: Sequence[Zone], player: int, hand: Sequence[Card]) -> Iterator[Choice]:
    """Iterate over every legal play of the player's hand (rulings U2, U3, U10)."""
    single: list[Group] = [((card.id,), _SUITS[card.id]) for card in hand]
    aces = [(card.id, _SUITS[card.id]) for card in hand if card.kind == "ace"]
    excuse = EXCUSE in hand
    for zone in zones:
        number = zone.number
        groups = single
        if len(aces) > 1:
            fish = _bits(zone.demand)
            groups = single + _sets(tuple([ace for ace in aces if ace[1] & fish]))
        for side in (0, 1):
            lacking = _bits(zone.lacking[side])
            if lacking:
                for cards, suits in groups:
                    if suits & lacking:
                        yield Choice(cards, number, side)
        if excuse:
            if zone.fish and zone.untouched:
                yield Choice(("excuse",), number, use="swap")
            for card in zone.sides[player]:
                yield Choice(("excuse",), number, use="take", card=card.id)


@cache
def _bits(counts: Counts) -> int:
    """Return the suits of which there are any. Zones of at most four fish leave few different counts."""
    return sum([bit for bit, amount in zip(_BIT.values(), counts, strict=True) if amount])


@lru_cache(maxsize=128)
def _sets(aces: tuple[tuple[str, int], ...]) -> list[Group]:
    """Return every group of two or more of these Aces, and the suits of the group. Six Aces make the most, 57."""
    groups = [tuple(zip(*group, strict=True)) for size in range(2, len(aces) + 1) for group in combinations(aces, size)]
    return [(names, sum(suits)) for names, suits in groups]


def swaps(state: BelugaCup) -> tuple[int, ...]:
    """Return the numbers of the zones whose fish the Excuse may swap (ruling U10).

    Raises RuleError, which says why, if there is none.
    """
    excusable(state)
    zones = tuple(choice.zone for choice in choices(state.zones, 0, (EXCUSE,)) if choice.use == "swap")
    if not zones:
        message = say("Cards lie in every zone. Fish are swapped only in a zone that nobody has played into.")
        raise RuleError(message, rule="U10", field="zone")
    return zones


def takes(state: BelugaCup, player: int) -> tuple[tuple[int, str], ...]:
    """Return the cards that the player may take back with the Excuse, each with the number of its zone (ruling U10).

    Raises RuleError, which says why, if there is none.
    """
    excusable(state)
    takeable = tuple(
        (choice.zone, choice.card) for choice in choices(state.zones, player, (EXCUSE,)) if choice.card is not UNSET
    )
    if not takeable:
        message = say("{player} has no card on their own side of a zone.", player=name(state.players[player]))
        raise RuleError(message, rule="U10", field="card")
    return takeable


def gather(notes: Sequence[Note]) -> bool:
    """Return whether several Aces could be played there: two or more that match, at least one of them lacking (ruling U3)."""
    aces = [note for note in notes if note.joins]
    return len(aces) > 1 and any(note.fits for note in aces)


def notes(state: BelugaCup, number: int, side: int) -> tuple[Note, ...]:
    """Return what to say about each card of the deck but the Excuse, for one side of a zone, in the deck's order."""
    zone = state.zone(number)
    return tuple(_note(state, zone, side, card) for card in DECKS[state.options.deck] if card.kind != "excuse")


def note(state: BelugaCup, number: int, side: int, card_id: str) -> Note | None:
    """Return what to say about one card for one side of a zone; None for the Excuse and for a card that the deck lacks."""
    card = next((card for card in DECKS[state.options.deck] if card.id == card_id and card.kind != "excuse"), None)
    if card is None:
        return None
    return _note(state, state.zone(number), side, card)


def _note(state: BelugaCup, zone: Zone, side: int, card: Card) -> Note:
    place, gone = state.where(card), state.discarded(card)
    reason = refusal(zone, side, (card,))
    free = place is None and not gone
    joins = card.kind == "ace" and free and not zone.full(side) and bool(zone.demand[SUIT_INDEX[card.suits[0]]])
    if place is not None:
        why = say("{card:C} lies in zone {zone} already.", card=card.title, zone=place)
    elif gone:
        why = resting(card)
    else:
        why = reason or _lacks(zone, side, card)
    fits = reason is None and free
    eats = eater(lay(zone, side, (card,)), state.turn) if fits and state.turn is not None else None
    return Note(card, fits, joins, place, gone, why, eats, back=gone and place is None and reason is None)


def _lacks(zone: Zone, side: int, card: Card) -> Sentence:
    suits = [suit for suit in card.suits if zone.lacking[side][SUIT_INDEX[suit]]]
    return say("This side still lacks {suits}.", suits=in_words(suits))


def read_zone(deck: Deck, zone: TableZone, number: int, places: dict[str, Sentence], path: str = "") -> Zone:
    """Return the zone as it lies. ``places`` holds where each card lies that was read before; the cards of this one are added.

    Raises RuleError (field ``fish`` or ``sides.1.2``, after ``path``) for fish and cards that can't be.
    """
    if len(zone.fish) > ZONES:
        sentence = say("A zone holds at most {most} fish, not {n}.", most=ZONES, n=len(zone.fish))
        raise RuleError(sentence, rule="U1", field=f"{path}fish")
    sides = [find_cards(deck, names, f"{path}sides.{side}") for side, names in enumerate(zone.sides)]
    for side, cards in enumerate(sides):
        for index, card in enumerate(cards):
            field = f"{path}sides.{side}.{index}"
            if card.kind == "excuse":
                raise RuleError(say("The Excuse is never placed on a side of a zone."), rule="U10", field=field)
            _once(places, card, IN_ZONE[number], field)
    return make_zone(number, zone.fish, sides)


def _once(places: dict[str, Sentence], card: Card, place: Sentence, field: str) -> None:
    if card.id in places:
        first = places[card.id]
        if first == place:
            twice = say("There is only one of each card: {card} is twice in {place}.", card=card.title, place=place)
        else:
            twice = say(
                "There is only one of each card: {card} is both in {first} and in {second}.",
                card=card.title,
                first=first,
                second=place,
            )
        raise RuleError(twice, field=field)
    places[card.id] = place


def _why(hand: Sequence[Card], plays: Sequence[Choice]) -> Sentence:
    if not hand:
        return say("There is no card to play.")
    if not plays:
        return say("No card fits: show the hand and discard up to three.")
    usable = set(chain.from_iterable([choice.cards for choice in plays]))
    fitting = [card.title for card in hand if card.id in usable]
    if len(fitting) < len(hand):
        return say("Only {cards} may be played. No other card fits.", cards=listing(fitting))
    return say("{card:C} may be played.", card=fitting[0]) if len(hand) == 1 else ANY_CARD
