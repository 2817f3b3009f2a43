"""How does one zone stand by itself? What each side lacks, who is ahead, who eats, and the sum behind both totals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

import msgspec

from companion.engine.beluga_cup.account import side_told, why_eaten
from companion.engine.beluga_cup.cards import Deck
from companion.engine.beluga_cup.match import place
from companion.engine.beluga_cup.plays import TableZone, read_zone
from companion.engine.beluga_cup.words import fish
from companion.engine.beluga_cup.zones import NUMBERS, Zone, eater, make_zone, size
from companion.engine.core import Line, RuleError
from companion.engine.decktet import SUIT_INDEX, Card
from companion.engine.text import Sentence, capital, name, say


class Contest(msgspec.Struct, frozen=True):
    """How a zone stands: a line that says it, the sentences and the ruling behind that, and who eats, if somebody does.

    ``lines`` add up to the rank totals of both sides. ``tied``: both sides are full and worth the same, so that it must be
    known who placed the last card.
    """

    zone: Zone
    title: Sentence
    sentences: tuple[Sentence, ...]
    rule: str
    lines: tuple[Line, ...]
    eater: int | None = None
    tied: bool = False


def contest(players: tuple[str, ...], deck: Deck, table: TableZone, last: int | None = None) -> Contest:
    """Return how the zone stands whose cards were placed in this order; ``last`` is who placed the last one, if that is known.

    Its number is that of its fish (ruling U1). Aces of a side that follow each other count as one play (ruling U3).
    Raises RuleError (field ``fish`` or ``sides.1.2``) for fish and cards that can't be, and for a card that did not fit.
    """
    if not table.fish:
        raise RuleError(say("Which fish swim in the zone? Zone 1 has one, zone 4 has four."), rule="U1", field="fish")
    number = next((number for number in NUMBERS if size(number) == len(table.fish)), 0)
    lies = read_zone(deck, table, number, {})
    zone = make_zone(number, lies.fish)
    for side in (0, 1):
        for first, cards in _turns(lies.sides[side]):
            zone = place(players, zone, side, cards, f"sides.{side}.{first + len(cards) - 1}")
    return _contest(players, zone, last)


def ranks(zone: Zone) -> Iterator[Line]:
    """Iterate over the sum behind both rank totals, a line a card (rulings U4 and U9)."""
    for side, cards in enumerate(zone.sides):
        for card in cards:
            amounts = (zone.worth(card), None) if side == 0 else (None, zone.worth(card))
            if card.rank:
                yield Line(capital(card.title), amounts, "U4")
            else:
                matching = sum(zone.demand[SUIT_INDEX[suit]] for suit in card.suits)
                title = say("{card:C}: 4 for each fish of its suits, here {n}", card=card.title, n=matching)
                yield Line(title, amounts, "U9")


def _turns(cards: Sequence[Card]) -> Iterator[tuple[int, tuple[Card, ...]]]:
    """Iterate over the cards of a side by plays, each with the place of its first card."""
    for _, play in groupby(enumerate(cards), key=lambda placed: None if placed[1].kind == "ace" else placed[0]):
        placed = tuple(play)
        yield placed[0][0], tuple(card for _, card in placed)


def _contest(players: tuple[str, ...], zone: Zone, last: int | None) -> Contest:
    lines = tuple(ranks(zone))
    leader, high, low = zone.leader(), max(zone.total(0), zone.total(1)), min(zone.total(0), zone.total(1))
    tied = leader is None
    eats = eater(zone, 0 if last is None else last)
    if eats is None:
        title = (
            say("Nobody is ahead: {n} each", n=high)
            if leader is None
            else say("{player} is ahead, {high} to {low}", player=name(players[leader]), high=high, low=low)
        )
        return Contest(zone, title, tuple(side_told(players, zone, side) for side in (0, 1)), "U4", lines)
    if tied and last is None:
        why = say(
            "Both sides are full and worth {total}: whoever placed the last card eats {fish}.",
            total=high,
            fish=fish(zone.demand),
        )
        return Contest(zone, say("A tie at {total}", total=high), (why,), "U4", lines, tied=True)
    sentences = (why_eaten(players, zone, eats), say("{player} plays next.", player=name(players[1 - eats])))
    title = say("{player} eats {fish}", player=name(players[eats]), fish=fish(zone.demand))
    return Contest(zone, title, sentences, "U4", lines, eats, tied)
