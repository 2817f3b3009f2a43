"""What does the app draw? Only what the sealed bag decides, whose seeds are stored here.

A seed is in a table of its own, which nothing but this module reads: what pages are made of does not lead to it.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import Connection, insert, select, update

from companion.engine import fair_draw
from companion.engine.core import Drawn, Event, Game, Options, Position, RuleError, Settled, Stop, replay
from companion.engine.text import Name, say
from companion.matches.log import EntryRejected, InForce, Log, Written
from companion.matches.repository import of_match
from companion.storage.models import Bag, MatchId
from companion.storage.statements import Statement

_BAG = Statement(select(Bag.seed, Bag.shown).where(of_match(Bag)))
_SHOW = update(Bag).where(of_match(Bag)).values(shown=True)


NO_BAG = say("Companion has no sealed bag for this match, so it can’t have drawn these fish. Enter them as drawn by hand.")
SHOWN = say("The bag’s seed has been shown, or a backup was put back. Somebody may know the next fish: draw by hand.")
NOT_DRAWN = say("The sealed bag didn’t draw these fish. Let Companion draw, or enter what was drawn by hand.")
OTHERWISE = say("The sealed bag would have drawn other fish there. What was drawn stays.")


@dataclass(frozen=True, slots=True, repr=False)
class SealedBag:
    """The seed of a match's bag, the key of its draws, and whether the seed was ``shown``. It does not print itself."""

    seed: bytes
    key: bytes
    shown: bool


def sealed(game: Game[Any], options: Options) -> tuple[Options, bytes | None]:
    """Return the options with a new seal, and the seed behind it; as they are, and None, where the app draws nothing.

    A seal that came along is of no use: nobody but the one who made it would know its seed.
    """
    if game.draws is None:
        return options, None
    seed = secrets.token_bytes(fair_draw.SEED_BYTES)
    return game.draws.settle(options, fair_draw.seal(seed)), seed


def settled(start: Position[Any]) -> Settled:
    """Return how the draws of the match that begins with ``start`` were settled; by nothing where the app draws nothing."""
    return Settled() if start.game.draws is None else start.game.draws.settled(start.options)


def keep(connection: Connection, match_id: MatchId, seed: bytes) -> None:
    """Store the seed of a new match."""
    connection.execute(insert(Bag).values(table_id=match_id.table_id, match_number=match_id.number, seed=seed))


def find(connection: Connection, start: Position[Any], match_id: MatchId) -> SealedBag | None:
    """Return the bag of the match that begins with ``start``, or None if it has none."""
    row = _BAG.one(connection, **match_id.named)
    if row is None:
        return None
    seed, is_public = row
    return SealedBag(seed, fair_draw.key(seed, settled(start).words), is_public)


def shown(connection: Connection, match_id: MatchId) -> bytes | None:
    """Return the seed of the match's bag if everybody may know it, whatever the match is."""
    row = _BAG.one(connection, **match_id.named)
    return row[0] if row is not None and row[1] else None


def still_sealed(connection: Connection, table_id: int) -> Sequence[int]:
    """Return the numbers of the table's matches whose seed nobody has seen."""
    sealed = select(Bag.match_number).where(Bag.table_id == table_id, ~Bag.shown).order_by(Bag.match_number)
    return connection.execute(sealed).scalars().all()


def show_all(connection: Connection, table_id: int) -> None:
    """Note that everybody may know the seeds of all bags of the table from now on."""
    connection.execute(update(Bag).where(Bag.table_id == table_id).values(shown=True))


def show(connection: Connection, match_id: MatchId) -> None:
    """Note that everybody may know the seed from now on."""
    connection.execute(_SHOW, match_id.named)


def draw(connection: Connection, log: Log, events: Sequence[Event]) -> tuple[Event, ...]:
    """Return these events as the app draws them, where the log stands now. Raises EntryRejected when it can't draw them."""
    game = log.start.game
    if game.draws is None:
        raise EntryRejected(RuleError(say("{game} has no bag to draw from.", game=Name(game.title))))
    bag = find(connection, log.start, log.match_id)
    if bag is None or bag.shown:
        raise EntryRejected(RuleError(NO_BAG if bag is None else SHOWN))
    position = log.position
    drawn: list[Event] = []
    for index, event in enumerate(events):
        try:
            drawn.append(_redrawn(position, bag.key, event) or event)
            if len(drawn) < len(events):  # the last one is played when it is entered
                position = position.apply(drawn[-1])
        except RuleError as error:
            raise EntryRejected(error, event=index) from error
    return tuple(drawn)


def same_draw(connection: Connection, log: Log, events: Sequence[Event], drawn: Sequence[Event]) -> bool:
    """Return True if these events, drawn where the log stands, are what was ``drawn``."""
    bag = find(connection, log.start, log.match_id)
    position = log.position
    if bag is None or len(events) != len(drawn):
        return False
    for event, stored_event in zip(events, drawn, strict=True):
        try:
            if (_redrawn(position, bag.key, event) or event) != stored_event:
                return False
            position = position.apply(stored_event)
        except RuleError:
            return False
    return True


def look(connection: Connection, log: Log, event: Event, before: Sequence[Event] = ()) -> Event:
    """Return this event, after those ``before`` it, with the fish that the app draws for it, though it may not be complete.

    Raises EntryRejected.
    """
    game = log.start.game
    bag = find(connection, log.start, log.match_id) if game.draws is not None else None
    if bag is None or bag.shown:
        raise EntryRejected(RuleError(NO_BAG if bag is None else SHOWN))
    if log.position.finished:
        raise EntryRejected(RuleError(say("The match is over. Companion draws no more fish.")))
    try:
        return _redrawn(replay(log.position, before), bag.key, event) or event
    except RuleError as error:
        raise EntryRejected(error) from error


def check(connection: Connection, before: Log, after: Log, line: Written, *, by_app: bool = False) -> None:
    """Refuse a line after which fish would be said to be drawn by the app that the bag did not give.

    The refusal never tells what the bag would give: it would be a way to look into it. For the same reason a phone that
    says itself what the app drew is refused, also if it guessed right. ``by_app``: the line is what :func:`draw` made.
    """
    if after.start.game.draws is None:
        return
    bag_of_match = cache(lambda: find(connection, after.start, after.match_id))  # of no interest unless the app drew
    if line.kind == "events":  # nothing else has changed by it
        if not by_app:
            _check_entry(bag_of_match, after.entries[-1], ())
        return
    places = {entry.seq: place for place, entry in enumerate(before.entries, start=1)}
    for place, entry in enumerate(after.entries):
        if place < len(before.entries) and entry is before.entries[place]:
            continue
        if entry.touched == line.seq:
            if not by_app:
                _check_entry(bag_of_match, entry, _events_of(before, line.of))
            continue
        try:
            _check_entry(bag_of_match, entry, entry.events)
        except EntryRejected as refused:
            raise EntryRejected(
                refused.error, of=entry.seq, place=places.get(entry.seq, place + 1), event=refused.event
            ) from refused.error


def _events_of(log: Log, of: int | None) -> tuple[Event, ...]:
    """Return what the entry holds that is to be corrected; nothing if it is a new one."""
    return () if of is None else log.entry(of).events


def _check_entry(bag_of_match: Callable[[], SealedBag | None], entry: InForce, accepted: tuple[Event, ...]) -> None:
    """Raise EntryRejected for a draw that is not among the ``accepted`` events, or that the seed contradicts."""
    position = entry.before
    for index, event in enumerate(entry.events):
        if index:
            position = position.apply(entry.events[index - 1])
        drawn = drawn_by_app(position, event)
        if drawn is None:
            continue
        bag = bag_of_match()
        if bag is None:
            raise EntryRejected(RuleError(NO_BAG, field="drawn_by"), event=index)
        if not any(type(event) is type(earlier) and drawn == _drawn(position, earlier) for earlier in accepted):
            raise EntryRejected(RuleError(NOT_DRAWN, field="drawn_by"), event=index)
        if event != _redrawn(position, bag.key, event):
            raise EntryRejected(RuleError(OTHERWISE, field="fish"), event=index)


def drawn_by_app(position: Position[Any], event: Event) -> Drawn | None:
    """Return what the app drew for an event that was entered at this position; None if the app has no part in it."""
    drawn = _drawn(position, event)
    return drawn if drawn is not None and drawn.by_app else None


def same_fish(position: Position[Any], key: bytes, event: Event) -> bool:
    """Return True if the event holds the fish that the bag with this key gives at this position."""
    right = _redrawn(position, key, event)
    return right is not None and _drawn(position, right) == _drawn(position, event)


def _drawn(position: Position[Any], event: Event) -> Drawn | None:
    """Return what an event says came out of the bag, and for what; not what became of it (which fish of a swap went back)."""
    return None if position.game.draws is None else position.game.draws.drawn(event)


def _redrawn(position: Position[Any], key: bytes, event: Event) -> Event | None:
    """Return the event with the app's fish; None if the app has no part in it. Raises RuleError."""
    game = position.game
    return None if game.draws is None or isinstance(event, Stop) else game.draws.redraw(position.state, key, event)
