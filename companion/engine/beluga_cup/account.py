"""What did an event of a match do? In sentences: which cards met what, who ate and why, what is left in the bag."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from companion.engine.beluga_cup.events import BelugaCupEvent, Discard, Eat, ExcuseSwap, ExcuseTake, Fill, Play
from companion.engine.beluga_cup.match import BelugaCup
from companion.engine.beluga_cup.words import capital, fish
from companion.engine.beluga_cup.zones import Zone, count, each, lay
from companion.engine.decktet import CARDS, Card
from companion.engine.text import join_names


class Account(msgspec.Struct, frozen=True):
    """An event as people tell it: a line, the sentences behind it, and the player who ate, if somebody did.

    ``rule`` is the ruling that decided it.
    """

    title: str
    sentences: tuple[str, ...]
    rule: str
    eater: int | None = None


def account(before: BelugaCup, event: BelugaCupEvent, after: BelugaCup) -> Account:
    """What ``event`` did, which led from one state to the other."""
    names = before.players
    match event:
        case Fill():
            by = "Companion drew them out of the sealed bag." if event.drawn_by == "app" else "They were drawn by hand."
            return Account(f"Zone {event.zone}: {fish(count(event.fish))}", (by, _left(after)), "U1")
        case Play():
            return _played(before, event, after)
        case Discard():
            title = f"{names[event.player]}: no card fits"
            cards = "1 card" if event.cards == 1 else f"{event.cards} cards" if event.cards else "none"
            return Account(title, (f"{names[event.player]} showed the hand and discarded {cards}.", *_next(after)), "U8")
        case Eat():
            zone = before.zone(event.zone)
            eats = f"{names[event.player]} eats {fish(zone.demand)}."
            return Account(_eats(before, zone, event.player), (eats, *_over(after, zone)), "U4", event.player)
        case ExcuseSwap():
            title = f"{names[event.player]} swaps fish in zone {event.zone}"
            by = "out of the sealed bag" if event.drawn_by == "app" else "by hand"
            drawn = f"Drawn {by}: {fish(count(event.drawn))}. Put back: {fish(count(event.returned))}."
            return Account(
                title, (drawn, f"Zone {event.zone} now: {fish(after.zone(event.zone).demand)}.", *_next(after)), "U10"
            )
        case ExcuseTake():
            title = f"{names[event.player]} takes back {CARDS[event.card].title}"
            where = f"{names[event.player]} played the Excuse and took the card from their own side of zone {event.zone}."
            return Account(title, (where, *_next(after)), "U10")


def _played(before: BelugaCup, event: Play, after: BelugaCup) -> Account:
    names = before.players
    zone, cards = before.zone(event.zone), [CARDS[name] for name in event.cards]
    laid = lay(zone, event.side, cards)
    whose = "their own" if event.side == event.player else f"{names[event.side]}'s"
    what = join_names([card.title for card in cards])
    played = (
        f"{names[event.player]} played {what} on {whose} side of zone {event.zone}. {_meets(zone, laid, event.side, cards)}"
    )
    if after.zone(event.zone).fish:
        title = f"{names[event.player]}: {what}, zone {event.zone}"
        return Account(title, (played, side_told(names, laid, event.side), *_next(after)), "U2" if len(cards) == 1 else "U3")
    eater = int(after.eaten[1] != before.eaten[1])
    return Account(_eats(before, zone, eater), (played, why_eaten(names, laid, eater), *_over(after, zone)), "U4", eater)


def side_told(names: Sequence[str], zone: Zone, side: int) -> str:
    """What a side of a zone still lacks, and what its cards are worth, in a sentence."""
    state = "is full" if zone.full(side) else f"still lacks {fish(zone.lacking[side])}"
    return f"{names[side]}'s side {state}; its cards are worth {zone.total(side)}."


def why_eaten(names: Sequence[str], zone: Zone, eater: int) -> str:
    """Why this player eats a zone whose sides are both full, in a sentence (ruling U4)."""
    first, second = zone.total(0), zone.total(1)
    if first == second:
        return f"Both sides are full and worth {first}: {names[eater]} placed the last card and eats {fish(zone.demand)}."
    totals = f"{names[0]}'s cards are worth {first}, {names[1]}'s {second}"
    return f"Both sides are full: {totals}, so {names[eater]} eats {fish(zone.demand)}."


def _meets(zone: Zone, laid: Zone, side: int, cards: Sequence[Card]) -> str:
    met = each([before - after for before, after in zip(zone.lacking[side], laid.lacking[side], strict=True)])
    return f"{capital(join_names(met))} {'is' if len(met) == 1 else 'are'} met by {'it' if len(cards) == 1 else 'them'}."


def _eats(before: BelugaCup, zone: Zone, player: int) -> str:
    return f"{before.players[player]} eats zone {zone.number}"


def _over(after: BelugaCup, zone: Zone) -> Iterator[str]:
    if after.over:
        left = sum(after.bag)
        yield f"The bag has {left} fish left, too few for zone {zone.number}: the match is over."
    else:
        yield f"Zone {zone.number} is filled anew."
        yield from _next(after)


def _next(after: BelugaCup) -> Iterator[str]:
    if after.turn is not None:
        yield f"{after.players[after.turn]} plays next."


def _left(after: BelugaCup) -> str:
    return f"{sum(after.bag)} fish are left in the bag."
