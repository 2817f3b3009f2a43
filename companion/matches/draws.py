"""The sealed bags of matches whose fish the app draws: their seeds, and that only the bag decides what the app draws.

A seed is in a table of its own, which nothing but this module reads: what pages are made of does not lead to it.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import msgspec
from sqlalchemy import Connection, bindparam, insert, select, update

from companion.engine import fair_draw
from companion.engine.core import Event, Game, Options, Position, RuleError, Stop
from companion.matches.log import InForce, Log, Refused, Written
from companion.storage.models import Bag
from companion.storage.statements import Prepared

_BAG = Prepared(select(Bag.seed, Bag.shown).where(Bag.match_id == bindparam("match_id")))
_SHOW = update(Bag).where(Bag.match_id == bindparam("held_match")).values(shown=True)

NO_BAG = "Companion has no sealed bag for this match, so it can't have drawn these fish. Enter them as drawn by hand."
SHOWN = "The seed of this bag has been shown, so everybody could tell the next fish: Companion draws no more. Draw by hand."
NOT_DRAWN = "These fish did not come out of the sealed bag here. Let Companion draw, or enter what was drawn by hand."
OTHERWISE = "The sealed bag would have given other fish there, and what was drawn stays as it was drawn."


@dataclass(frozen=True, slots=True, repr=False)
class SealedBag:
    """The seed of a match's bag, the key of its draws, and whether the seed was ``shown``. It does not print itself."""

    seed: bytes
    key: bytes
    shown: bool


def sealed(game: Game[Any], options: Options) -> tuple[Options, bytes | None]:
    """The options with a new seal, and the seed behind it; as they are, and None, where the app draws nothing.

    A seal that came along is of no use: nobody but the one who made it would know its seed.
    """
    if game.redraw is None:
        return options, None
    seed = secrets.token_bytes(fair_draw.SEED_BYTES)
    return msgspec.structs.replace(options, seal=fair_draw.seal(seed), words=()), seed


def keep(connection: Connection, match_id: int, seed: bytes) -> None:
    """Store the seed of a new match."""
    connection.execute(insert(Bag).values(match_id=match_id, seed=seed))


def find(connection: Connection, start: Position[Any], match_id: int) -> SealedBag | None:
    """The bag of the match that begins with ``start``, or None if it has none."""
    row = _BAG.one(connection, match_id=match_id)
    if row is None:
        return None
    seed, shown = row
    return SealedBag(seed, fair_draw.key(seed, getattr(start.options, "words", ())), shown)


def shown(connection: Connection, match_id: int) -> bytes | None:
    """The seed of the match's bag if everybody may know it, whatever the match is."""
    row = _BAG.one(connection, match_id=match_id)
    return row[0] if row is not None and row[1] else None


def show(connection: Connection, match_id: int) -> None:
    """Note that everybody may know the seed from now on."""
    connection.execute(_SHOW, {"held_match": match_id})


def draw(connection: Connection, log: Log, events: Sequence[Event]) -> tuple[Event, ...]:
    """These events as the app draws them, where the log stands now. Raises Refused when it can't draw, or the rules say no."""
    game = log.start.game
    if game.redraw is None:
        raise Refused(RuleError(f"Companion draws nothing in {game.title}."))
    found = find(connection, log.start, log.match_id)
    if found is None or found.shown:
        raise Refused(RuleError(NO_BAG if found is None else SHOWN))
    position = log.position
    drawn: list[Event] = []
    for index, event in enumerate(events):
        try:
            drawn.append(_redrawn(position, found.key, event) or event)
            if len(drawn) < len(events):  # the last one is played when it is entered
                position = position.apply(drawn[-1])
        except RuleError as error:
            raise Refused(error, event=index) from error
    return tuple(drawn)


def same_draw(connection: Connection, log: Log, events: Sequence[Event], drawn: Sequence[Event]) -> bool:
    """True if these events, drawn where the log stands, are what was ``drawn``."""
    found = find(connection, log.start, log.match_id)
    position = log.position
    if found is None or len(events) != len(drawn):
        return False
    for event, known in zip(events, drawn, strict=True):
        try:
            if (_redrawn(position, found.key, event) or event) != known:
                return False
            position = position.apply(known)
        except RuleError:
            return False
    return True


def look(connection: Connection, log: Log, event: Event) -> Event:
    """This event with the fish that the app draws for it, though it may not be complete. Raises Refused."""
    game = log.start.game
    found = find(connection, log.start, log.match_id) if game.redraw is not None else None
    if found is None or found.shown:
        raise Refused(RuleError(NO_BAG if found is None else SHOWN))
    if log.position.finished:
        raise Refused(RuleError("The match is over; nothing more is drawn."))
    try:
        return _redrawn(log.position, found.key, event) or event
    except RuleError as error:
        raise Refused(error) from error


def check(connection: Connection, before: Log, after: Log, line: Written, *, by_app: bool = False) -> None:
    """Refuse a line after which fish would be said to be drawn by the app that the bag did not give.

    The refusal never tells what the bag would give: it would be a way to look into it. For the same reason a phone that
    says itself what the app drew is refused, also if it guessed right. ``by_app``: the line is what :func:`draw` made.
    """
    if after.start.game.redraw is None:
        return
    found = cache(lambda: find(connection, after.start, after.match_id))  # of no interest unless the app drew
    places = {entry.seq: place for place, entry in enumerate(before.entries, start=1)}
    for place, entry in enumerate(after.entries):
        if place < len(before.entries) and entry is before.entries[place]:
            continue
        if entry.touched == line.seq:
            if not by_app:
                _check_entry(found, entry, _events_of(before, line.of))
            continue
        try:
            _check_entry(found, entry, entry.events)
        except Refused as refused:
            raise Refused(
                refused.error, of=entry.seq, place=places.get(entry.seq, place + 1), event=refused.event
            ) from refused.error


def _events_of(log: Log, of: int | None) -> tuple[Event, ...]:
    """What the entry holds that is to be corrected; nothing if it is a new one."""
    return () if of is None else log.entry(of).events


def _check_entry(bag_of_match: Callable[[], SealedBag | None], entry: InForce, known: tuple[Event, ...]) -> None:
    """``known`` are the events which the app may have drawn, since it says so itself."""
    position = entry.before
    for index, event in enumerate(entry.events):
        if index:
            position = position.apply(entry.events[index - 1])
        if not app_drew(position, event):
            continue
        found = bag_of_match()
        if found is None:
            raise Refused(RuleError(NO_BAG, field="drawn_by"), event=index)
        if not any(_came_out(event) == _came_out(one) for one in known):
            raise Refused(RuleError(NOT_DRAWN, field="drawn_by"), event=index)
        if event != _redrawn(position, found.key, event):
            raise Refused(RuleError(OTHERWISE, field="fish"), event=index)


def _came_out(event: Event) -> tuple[object, ...]:
    """What came out of the bag for an event, and for what; not what became of it (which fish of a swap went back)."""
    return (type(event), *(getattr(event, name, None) for name in ("zone", "fish", "drawn", "drawn_by")))


def app_drew(position: Position[Any], event: Event) -> bool:
    """True if the event, entered at this position, holds fish that the app drew."""
    return _redrawn(position, bytes(fair_draw.SEED_BYTES), event) is not None


def came_out(event: Event) -> tuple[str, ...]:
    """The fish that an event took out of the bag, in the order in which they came."""
    fish: tuple[str, ...] = getattr(event, "fish", ()) or getattr(event, "drawn", ())
    return fish


def same_fish(position: Position[Any], key: bytes, event: Event) -> bool:
    """True if the event holds the fish that the bag with this key gives at this position."""
    drawn = _redrawn(position, key, event)
    return drawn is not None and _came_out(drawn) == _came_out(event)


def _redrawn(position: Position[Any], key: bytes, event: Event) -> Event | None:
    """The event with the app's fish; None if the app has no part in it. Raises RuleError."""
    redraw = position.game.redraw
    return None if redraw is None or isinstance(event, Stop) else redraw(position.state, key, event)
