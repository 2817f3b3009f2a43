"""Which fish does the app draw out of the sealed bag, and did it draw these and no others?"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from companion.engine import fair_draw
from companion.engine.beluga_cup.events import BelugaCupEvent, BelugaCupOptions, ExcuseSwap, Fill
from companion.engine.beluga_cup.match import BelugaCup, apply, finished, start, swap_size, swappable, waiting
from companion.engine.beluga_cup.zones import by_suit, in_words, size
from companion.engine.core import Drawn, Draws, Event, RuleError, Settled, Stop
from companion.engine.decktet import Suit
from companion.engine.fair_draw import DrawError
from companion.engine.text import say


def draw_fill(state: BelugaCup, key: bytes, zone: int) -> Fill:
    """Return the event by which the app fills a zone. Raises RuleError unless the zone waits for fish."""
    waiting(state, zone)
    return Fill(zone, fair_draw.draw_many(key, state.drawn, by_suit(state.bag), size(zone)), "app")


def draw_swap(state: BelugaCup, key: bytes, zone: int) -> tuple[Suit, ...]:
    """Return the fish that the app draws for a swap of a zone's fish: as many as it holds, or what is left (ruling U10).

    The player then chooses which of them all go back. Raises RuleError where a swap is not possible.
    """
    amount = swap_size(state, swappable(state, zone))
    return fair_draw.draw_many(key, state.drawn, by_suit(state.bag), amount)


def redraw(state: BelugaCup, key: bytes, event: Event) -> Fill | ExcuseSwap | None:
    """Return the event with the fish that the app draws; None if it draws none for it. Raises RuleError as the draws do."""
    if isinstance(event, Fill) and event.drawn_by == "app":
        return draw_fill(state, key, event.zone)
    if isinstance(event, ExcuseSwap) and event.drawn_by == "app":
        return msgspec.structs.replace(event, drawn=draw_swap(state, key, event.zone))
    return None


def drawn(event: Event) -> Drawn | None:
    """Return what the event says came out of the bag, None if nothing did."""
    match event:
        case Fill(zone, fish, by):
            return Drawn(fish, zone, by == "app")
        case ExcuseSwap(zone=zone, drawn=fish, drawn_by=by):
            return Drawn(fish, zone, by == "app")
        case _:
            return None


def settled(options: BelugaCupOptions) -> Settled:
    """Return how the draws of a match with these options were settled."""
    return Settled(options.seal, options.words)


def settle(options: BelugaCupOptions, seal: str) -> BelugaCupOptions:
    """Return these options with a new seal, and no words yet."""
    return msgspec.structs.replace(options, seal=seal, words=())


DRAWS: Draws[BelugaCup] = Draws(redraw, drawn, settled, settle)


def verify(
    players: Sequence[str],
    options: BelugaCupOptions,
    seed: bytes,
    events: Sequence[Event],
    begin: Callable[[tuple[str, ...], BelugaCupOptions], BelugaCup] = start,
) -> int:
    """Return how many fish the app drew, after working out each of them again from the seed and the words.

    ``begin`` is how a match starts by its edition of the rules.
    Raises DrawError if the seed is not the sealed one, at the first draw with other fish or another order, and at the first
    event that the rules refuse or that belongs to another game.
    """
    if options.seal is None:
        raise DrawError(None, say("This match has no seal, so its draws can’t be verified."))
    if len(seed) != fair_draw.SEED_BYTES:
        raise DrawError(None, say("A seed has {bytes} bytes, not {n}.", bytes=fair_draw.SEED_BYTES, n=len(seed)))
    if fair_draw.seal(seed) != options.seal.lower():
        raise DrawError(None, say("The seed is not the one that was sealed before the match."))
    key = fair_draw.key(seed, options.words)
    state = begin(tuple(players), options)
    over = False
    for index, event in enumerate(events):
        if over:
            raise DrawError(index, say("The match is over before this."))
        if isinstance(event, Stop):
            over = True
            continue
        if not isinstance(event, BelugaCupEvent):
            raise DrawError(index, say("This is not an event of Beluga Cup."))
        before = state
        try:
            state = apply(before, event)
        except RuleError as refused:
            raise DrawError(index, refused.message) from refused
        over = finished(state)
        _check(before, key, event, index)
    return state.drawn


def _check(before: BelugaCup, key: bytes, event: Event, index: int) -> None:
    right = redraw(before, key, event)
    if right is not None and right != event:
        got, drawn = in_words(_fish(event)), in_words(_fish(right))
        message = say("Zone {zone} got {got}, but seed and words draw {drawn}.", zone=right.zone, got=got, drawn=drawn)
        raise DrawError(index, message)


def _fish(event: Event) -> tuple[Suit, ...]:
    return event.fish if isinstance(event, Fill) else event.drawn if isinstance(event, ExcuseSwap) else ()
