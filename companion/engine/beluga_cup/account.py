"""What did an event of a match do? In sentences: which cards met what, who ate and why, what is left in the bag."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from companion.engine.beluga_cup.events import BelugaCupEvent, Discard, Eat, ExcuseSwap, ExcuseTake, Fill, Play, Shuffle
from companion.engine.beluga_cup.match import BelugaCup
from companion.engine.beluga_cup.words import fish
from companion.engine.beluga_cup.zones import Zone, count, each, in_words, lay
from companion.engine.decktet import CARDS
from companion.engine.text import Sentence, listing, name, say, say_n


class Account(msgspec.Struct, frozen=True):
    """An event as people tell it: a line, the sentences behind it, and the player who ate, if somebody did.

    ``rule`` is the ruling that decided it.
    """

    title: Sentence
    sentences: tuple[Sentence, ...]
    rule: str
    eater: int | None = None


def account(before: BelugaCup, event: BelugaCupEvent, after: BelugaCup) -> Account:
    """Return what ``event`` did, which led from one state to the other."""
    match event:
        case Fill():
            by = (
                say("Companion drew them out of the sealed bag.")
                if event.drawn_by == "app"
                else say("They were drawn by hand.")
            )
            title = say("Zone {zone}: {fish}", zone=event.zone, fish=fish(count(event.fish)))
            return Account(title, (by, _left(after)), "U1")
        case Play():
            return _played(before, event, after)
        case Discard():
            return _discarded(before, event, after)
        case Eat():
            zone, player = before.zone(event.zone), name(before.players[event.player])
            eats = say("{player} eats {fish}.", player=player, fish=fish(zone.demand))
            return Account(_eats(before, zone, event.player), (eats, *_over(after, zone)), "U4", event.player)
        case ExcuseSwap():
            return _swapped(before, event, after)
        case ExcuseTake():
            player = name(before.players[event.player])
            title = say("{player} takes back {card}", player=player, card=CARDS[event.card].title)
            where = say(
                "{player} played the Excuse and took the card from their own side of zone {zone}.",
                player=player,
                zone=event.zone,
            )
            return Account(title, (where, *_next(after)), "U10")
        case Shuffle():
            return Account(say("The deck was shuffled"), tuple(_pile(after)), "U13")


def _discarded(before: BelugaCup, event: Discard, after: BelugaCup) -> Account:
    player = name(before.players[event.player])
    cards = (
        say_n(
            "{player} showed the hand and discarded {n} card.",
            "{player} showed the hand and discarded {n} cards.",
            event.cards,
            player=player,
        )
        if event.cards
        else say("{player} showed the hand and discarded nothing.", player=player)
    )
    return Account(say("{player}: no card fits", player=player), (cards, *_next(after)), "U8")


def _swapped(before: BelugaCup, event: ExcuseSwap, after: BelugaCup) -> Account:
    title = say("{player} swaps fish in zone {zone}", player=name(before.players[event.player]), zone=event.zone)
    drawn, returned = fish(count(event.drawn)), fish(count(event.returned))
    swap = (
        say("Drawn out of the sealed bag: {drawn}. Put back: {returned}.", drawn=drawn, returned=returned)
        if event.drawn_by == "app"
        else say("Drawn by hand: {drawn}. Put back: {returned}.", drawn=drawn, returned=returned)
    )
    demand = say("Zone {zone} now: {fish}.", zone=event.zone, fish=fish(after.zone(event.zone).demand))
    return Account(title, (swap, demand, *_next(after)), "U10")


def _played(before: BelugaCup, event: Play, after: BelugaCup) -> Account:
    names = before.players
    zone, cards = before.zone(event.zone), [CARDS[card] for card in event.cards]
    laid = lay(zone, event.side, cards)
    player, cards_played = name(names[event.player]), listing([card.title for card in cards])
    where = (
        say("{player} played {cards} on their own side of zone {zone}.", player=player, cards=cards_played, zone=zone.number)
        if event.side == event.player
        else say(
            "{player} played {cards} on {other}’s side of zone {zone}.",
            player=player,
            cards=cards_played,
            other=name(names[event.side]),
            zone=zone.number,
        )
    )
    played = listing([where, _meets(zone, laid, event.side)], "text")
    if after.zone(event.zone).fish:
        title = say("{player}: {cards}, zone {zone}", player=player, cards=cards_played, zone=event.zone)
        return Account(title, (played, side_told(names, laid, event.side), *_next(after)), "U2" if len(cards) == 1 else "U3")
    eater = int(after.eaten[1] != before.eaten[1])
    return Account(_eats(before, zone, eater), (played, why_eaten(names, laid, eater), *_over(after, zone)), "U4", eater)


def side_told(names: Sequence[str], zone: Zone, side: int) -> Sentence:
    """Return what a side of a zone still lacks, and what its cards are worth, in sentences."""
    player, total = name(names[side]), zone.total(side)
    if zone.full(side):
        return say("{player}’s side is full. Its cards are worth {total}.", player=player, total=total)
    lacks = fish(zone.lacking[side])
    return say("{player}’s side still lacks {fish}. Its cards are worth {total}.", player=player, fish=lacks, total=total)


def why_eaten(names: Sequence[str], zone: Zone, eater: int) -> Sentence:
    """Return why this player eats a zone whose sides are both full, in a sentence (ruling U4)."""
    first, second = zone.total(0), zone.total(1)
    player, eaten = name(names[eater]), fish(zone.demand)
    if first == second:
        return say(
            "Both sides are full and worth {total}: {player} placed the last card and eats {fish}.",
            total=first,
            player=player,
            fish=eaten,
        )
    return say(
        "Both sides are full: {one}’s cards are worth {first}, {other}’s {second}, so {player} eats {fish}.",
        one=name(names[0]),
        first=first,
        other=name(names[1]),
        second=second,
        player=player,
        fish=eaten,
    )


def _meets(zone: Zone, laid: Zone, side: int) -> Sentence:
    met = each([before - after for before, after in zip(zone.lacking[side], laid.lacking[side], strict=True)])
    return say("That meets {suits}.", suits=in_words(met))


def _eats(before: BelugaCup, zone: Zone, player: int) -> Sentence:
    return say("{player} eats zone {zone}", player=name(before.players[player]), zone=zone.number)


def _over(after: BelugaCup, zone: Zone) -> Iterator[Sentence]:
    if after.over:
        left = sum(after.bag)
        yield say("The bag has {n} fish left, too few for zone {zone}: the match is over.", n=left, zone=zone.number)
    else:
        yield say("Zone {zone} gets new fish.", zone=zone.number)
        yield from _next(after)


def _next(after: BelugaCup) -> Iterator[Sentence]:
    if after.turn is not None:
        yield say("{player} plays next.", player=name(after.players[after.turn]))


def _pile(after: BelugaCup) -> Iterator[Sentence]:
    yield say("Every discarded card may be in a hand again.")
    if after.pile is not None and after.pile.left is not None:
        left = after.pile.left
        yield say_n("{n} card waits in the draw pile.", "{n} cards wait in the draw pile.", left)


def _left(after: BelugaCup) -> Sentence:
    return say_n("The bag has {n} fish left.", "The bag has {n} fish left.", sum(after.bag))
