"""What happened in a match, written down once and for good: record, undo and correct entries, and read where the match stands.

A phone names every entry by a ``key`` of its own and says which line of the log it had ``seen`` last. The same key gives the
same answer again, so that a phone that lost the reply may ask again. A line that the phone has not seen is a
:class:`Conflict`: the person should look first. A new line is checked, appended and announced to the table's phones in one
transaction, or not at all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Generic, TypeVar, Union

import msgspec
from flask import current_app
from sqlalchemy import Connection, bindparam, delete, func, insert, select, update

from companion import database, live
from companion.cache import Logs
from companion.engine import GAMES
from companion.engine.core import JSON, Event, Game, Options, RuleError, start
from companion.engine.records import RecordError, decode_event, decode_options, encode_event
from companion.log import InForce, Kind, Log, Refused, Unknown, Written
from companion.models import Draft, Entry, Match, Table, db, now

__all__ = [
    "Conflict",
    "InForce",
    "KeyReused",
    "Log",
    "OtherEdition",
    "Receipt",
    "Refused",
    "Unknown",
    "Written",
    "again",
    "change_draft",
    "correct",
    "draft",
    "open_match",
    "preview",
    "preview_correction",
    "read",
    "record",
    "undo",
]

E = TypeVar("E")

LARGEST_ID: Final = 2**31 - 1  # of any row, as both databases can hold it
LARGEST_DRAFT: Final = 16 * 1024  # bytes
_KEY: Final = re.compile(r"[!-~]{1,64}")


@dataclass(frozen=True, slots=True)
class Receipt:
    """What line ``seq`` changed: the log ``before`` and ``after`` it. ``again``: it had been stored before this call."""

    seq: int
    again: bool
    before: Log
    after: Log


class Conflict(Exception):  # noqa: N818  # an answer, not a failure
    """Others entered something that this phone has not ``seen``; nothing was stored.

    ``log`` is the newest, ``since`` are its lines that the phone has not seen, each with the player who entered it.
    ``error`` is why it can't be entered as things stand now, in a game where that was tried.
    """

    def __init__(self, seen: int, log: Log, message: str = "", error: RuleError | None = None) -> None:
        super().__init__(message or "Something was entered on another phone meanwhile. Nothing of yours was saved yet.")
        self.seen = seen
        self.log = log
        self.since: tuple[Written, ...] = log.written[max(seen, 0) :]
        self.error = error


class KeyReused(Conflict):
    """The same form was sent before with other content, which is stored as line ``seq``: correct that one instead."""

    def __init__(self, seen: int, log: Log, seq: int) -> None:
        super().__init__(seen, log, "This form was saved already, with something else in it. Correct the saved entry instead.")
        self.seq = seq


class OtherEdition(Exception):  # noqa: N818
    """The match began with other rules than this Companion knows. The message is a sentence."""


class _Body(msgspec.Struct, Generic[E], frozen=True, omit_defaults=True):
    """A line as the database keeps it: only the parts that its kind has."""

    of: int | None = None
    events: tuple[E, ...] = ()


# Prebuilt, because building a statement costs more than executing it.
_HOLD = (
    select(Match.seq, Match.table_id)
    .where(Match.id == bindparam("match_id"))
    .with_for_update(key_share=True)  # until the end of the transaction nobody else adds a line; SQLite has one writer anyway
)
_SEQ = select(Match.seq).where(Match.id == bindparam("match_id"))
_BEGINNING = select(Match.game, Match.edition, Match.players, Match.options).where(Match.id == bindparam("match_id"))
_LINES = (
    select(Entry.seq, Entry.key, Entry.player, Entry.at, Entry.kind, Entry.body)
    .where(Entry.match_id == bindparam("match_id"), Entry.seq > bindparam("after"))
    .order_by(Entry.seq)
)
_ADD_LINE = insert(Entry)
_SET_SEQ = update(Match).where(Match.id == bindparam("match_id")).values(seq=bindparam("line"))
_HOLD_TABLE = select(Table.id).where(Table.id == bindparam("table_id")).with_for_update(key_share=True)
_LAST_NUMBER = select(func.max(Match.number)).where(Match.table_id == bindparam("table_id"))
_DRAFT = select(Draft.after, Draft.body).where(Draft.match_id == bindparam("match_id"))
_DROP_DRAFT = delete(Draft).where(Draft.match_id == bindparam("match_id"))


def open_match(
    table_id: int, game_slug: str, players: Sequence[str], options: Options | Mapping[str, JSON] | None = None
) -> int:
    """Begin a match at a table; returns its number there. Raises RuleError if players or options don't fit, and Unknown."""
    if game_slug not in GAMES:
        raise Unknown(f"There is no game called “{game_slug[:40]}”.")
    game = GAMES[game_slug]
    chosen = _options(game, {} if options is None else options)
    start(game, players, chosen)
    with database.writing() as connection:
        if not 0 < table_id <= LARGEST_ID or connection.execute(_HOLD_TABLE, {"table_id": table_id}).scalar() is None:
            raise Unknown("There is no such table.")
        number: int = (connection.execute(_LAST_NUMBER, {"table_id": table_id}).scalar() or 0) + 1
        connection.execute(
            insert(Match).values(
                table_id=table_id,
                number=number,
                game=game.slug,
                edition=game.edition,
                players=list(players),
                options=msgspec.to_builtins(chosen),
            )
        )
        live.changed(table_id)
    return number


def read(match_id: int) -> Log:
    """The match's log as it stands. Raises Unknown, and OtherEdition. The match is only played as far as it was not before."""
    connection = db.session.connection()
    seq = connection.execute(_SEQ, {"match_id": match_id}).scalar() if 0 < match_id <= LARGEST_ID else None
    if seq is None:
        raise Unknown("There is no such match.")
    return _log(connection, match_id, seq)


def again(match_id: int, key: str) -> Receipt | None:
    """What was answered to the line with this key, or None if there is none.

    For entries that are made from the position (fish that the app draws): made once more, they would not be the same.
    """
    log = read(match_id)
    line = _line_with(log, key)
    return None if line is None else _receipt(log, line.seq)


def record(match_id: int, events: Sequence[Event], *, key: str, seen: int, player: int | None = None) -> Receipt:
    """Enter these events, all of them or none. Raises Refused, Conflict, KeyReused, Unknown, OtherEdition.

    In a game without turns a line that the phone has not seen is no conflict as long as the rules allow the events after it.
    """
    return _write(match_id, "events", None, events, key=key, seen=seen, player=player)


def undo(match_id: int, of: int | None = None, *, key: str, seen: int, player: int | None = None) -> Receipt:
    """Take a line out of force: an entry, a correction (the events before it return) or an undo (what it undid returns).

    ``of`` None means the newest entry or correction that counts. Raises Refused, naming the entry that would become impossible;
    Unknown when there is nothing to undo; Conflict, KeyReused and OtherEdition.
    """
    return _write(match_id, "undo", of, (), key=key, seen=seen, player=player)


def correct(match_id: int, of: int, events: Sequence[Event], *, key: str, seen: int, player: int | None = None) -> Receipt:
    """Give the entry ``of`` other events; everything after it is played again. Raises as :func:`undo` and :func:`record` do.

    A correction that changes nothing is refused: the log should only say what somebody meant.
    """
    return _write(match_id, "correct", of, events, key=key, seen=seen, player=player)


def preview(match_id: int, events: Sequence[Event]) -> Log:
    """The log as :func:`record` would make it. Nothing is stored. Raises Refused, Unknown, OtherEdition."""
    return _preview(match_id, "events", None, events)


def preview_correction(match_id: int, of: int, events: Sequence[Event]) -> Log:
    """The log as :func:`correct` would make it. Nothing is stored. Raises Refused, Unknown, OtherEdition."""
    return _preview(match_id, "correct", of, events)


def _preview(match_id: int, kind: Kind, of: int | None, events: Sequence[Event]) -> Log:
    log = read(match_id)
    line = _line(log, kind, of, _checked(log.start.game, events), key="", player=None)
    return log.add(line)


def _write(
    match_id: int, kind: Kind, of: int | None, events: Sequence[Event], *, key: str, seen: int, player: int | None
) -> Receipt:
    """Append one line. What is stored is what was decoded from its own JSON, so that it can be read for ever."""
    if not _KEY.fullmatch(key):
        raise Refused(RuleError("This form came without its name. Load the page again and enter it once more.", field="key"))
    with database.writing() as connection:
        held = connection.execute(_HOLD, {"match_id": match_id}).one_or_none() if 0 < match_id <= LARGEST_ID else None
        if held is None:
            raise Unknown("There is no such match.")
        log = _log(connection, match_id, held.seq)
        game = log.start.game
        if player is not None and not 0 <= player < len(log.start.players):
            raise Refused(RuleError("Whoever enters this does not play in this match.", field="player"))
        earlier = _line_with(log, key)
        if earlier is not None:
            if not _same(earlier, kind, of, _checked(game, events)):
                raise KeyReused(seen, log, earlier.seq)
            return _receipt(log, earlier.seq)
        stale = seen != log.seq
        if stale and (game.turns or (kind == "undo" and of is None)):
            raise Conflict(seen, log)
        try:
            line = _line(log, kind, of, _checked(game, events), key=key, player=player)
            after = log.add(line)
            if kind == "undo" and after.counting == log.counting:
                raise Unknown("This is not in force, so there is nothing to undo.")
        except Refused as refused:
            if stale:
                raise Conflict(seen, log, error=refused.error) from refused
            raise
        _store(connection, match_id, held.table_id, line)
        _keep(after)
    return Receipt(line.seq, False, log, after)


def _line(log: Log, kind: Kind, of: int | None, events: tuple[Event, ...], *, key: str, player: int | None) -> Written:
    """The line that is to be written next. Raises Refused when it would say nothing, Unknown when it names no line."""
    if kind == "undo":
        of = log.newest if of is None else of
        if of is None or not 0 < of <= log.seq:
            raise Unknown("There is nothing to undo.")
    elif not events:
        raise Refused(RuleError("There is nothing to enter.", field="events"))
    elif kind == "correct" and of is not None and log.entry(of).events == events:
        raise Refused(RuleError("That is what was entered already; nothing was corrected.", field="events"))
    return Written(log.seq + 1, key, player, now(), kind, of, events)


def _store(connection: Connection, match_id: int, table_id: int, line: Written) -> None:
    connection.execute(
        _ADD_LINE,
        {
            "match_id": match_id,
            "seq": line.seq,
            "key": line.key,
            "player": line.player,
            "at": line.at,
            "kind": line.kind,
            "body": _encode(line.events, line.of),
        },
    )
    connection.execute(_SET_SEQ, {"match_id": match_id, "line": line.seq})
    live.changed(table_id)


def _line_with(log: Log, key: str) -> Written | None:
    """The line with this key. Who asks again asks soon, so the newest are looked at first."""
    return next((line for line in reversed(log.written) if line.key == key), None)


def _same(line: Written, kind: Kind, of: int | None, events: tuple[Event, ...]) -> bool:
    """True when a line says what is sent once more: an undo without a number meant whatever was the newest then."""
    named = line.of if kind == "undo" and of is None else of
    return line.kind == kind and line.of == named and line.events == events


def _receipt(log: Log, seq: int) -> Receipt:
    return Receipt(seq, True, log.as_of(seq - 1), log.as_of(seq))


# Events and options


def _options(game: Game[Any], given: Options | Mapping[str, JSON]) -> Options:
    """The options as the game declares them. Raises RuleError."""
    try:
        return decode_options(game, msgspec.to_builtins(given))
    except RecordError as wrong:
        raise RuleError(wrong.message, rule=wrong.rule, field=wrong.field) from wrong


def _encode(events: Sequence[Event], of: int | None = None) -> str:
    """A line's body. Raises Refused for what JSON can't hold."""
    try:
        return msgspec.json.encode(_Body(of, tuple(events))).decode()
    except (TypeError, ValueError, OverflowError) as wrong:
        raise Refused(RuleError("This holds something that can't be written down.", field="events")) from wrong


def _checked(game: Game[Any], events: Sequence[Event]) -> tuple[Event, ...]:
    """The events as they will be read from the log. Raises Refused when one is none of this game's, or has impossible parts."""
    try:
        return _decoder(game.event_types()).decode(_encode(events)).events
    except RuleError as error:
        raise Refused(error) from error
    except msgspec.ValidationError:
        for index, event in enumerate(events):
            try:
                decode_event(game, encode_event(event))
            except RecordError as wrong:
                raise Refused(RuleError(wrong.message, rule=wrong.rule, field=wrong.field), event=index) from wrong
        raise


@cache
def _decoder(kinds: tuple[type[Event], ...]) -> msgspec.json.Decoder[_Body[Any]]:
    return msgspec.json.Decoder(_Body[Union[kinds]])  # type: ignore[valid-type]  # noqa: UP007  # known only now


# Logs, kept and caught up


def _log(connection: Connection, match_id: int, seq: int) -> Log:
    """The log up to line ``seq``: as it was kept, and what has been written since."""
    kept = _logs().get(match_id)
    if kept is not None and kept.seq == seq:
        return kept
    if kept is not None and kept.seq > seq:
        _logs().forget(match_id)
        kept = None
    log = kept or _begin(connection, match_id)
    decoder = _decoder(log.start.game.event_types())
    lines = []
    for row in connection.execute(_LINES, {"match_id": match_id, "after": log.seq}):
        body = decoder.decode(row.body)
        lines.append(Written(row.seq, row.key, row.player, row.at, row.kind, body.of, body.events))
    log = log.with_lines((*log.written, *lines))
    _keep(log)
    return log


def _begin(connection: Connection, match_id: int) -> Log:
    """The log before its first line."""
    match = connection.execute(_BEGINNING, {"match_id": match_id}).one()
    if match.game not in GAMES:
        raise Unknown(f"This match is a game of “{match.game}”, which this Companion does not know.")
    game = GAMES[match.game]
    if match.edition != game.edition:
        raise OtherEdition(
            f"This match began with edition {match.edition} of the rules of {game.title}; "
            f"this Companion plays by edition {game.edition}. Its record is still there."
        )
    return Log(match_id, start(game, match.players, _options(game, match.options)))


def _logs() -> Logs:
    """The present application's logs."""
    logs: Logs | None = current_app.extensions.get("companion-logs")
    if logs is None:
        logs = current_app.extensions["companion-logs"] = Logs()
    return logs


def _keep(log: Log) -> None:
    """Keep the log, once all its lines are stored for good."""
    logs = _logs()
    if database.is_writing():
        database.after_commit(lambda: logs.keep(log))
    else:
        logs.keep(log)


# Drafts


def draft(match_id: int, seq: int) -> dict[str, JSON] | None:
    """What the table's phones share of the entry after line ``seq``; None when there is nothing, or it was for another line."""
    if not 0 < match_id <= LARGEST_ID:
        return None
    return _draft(db.session.connection(), match_id, seq)


def _draft(connection: Connection, match_id: int, seq: int) -> dict[str, JSON] | None:
    row = connection.execute(_DRAFT, {"match_id": match_id}).one_or_none()
    if row is None or row.after != seq:
        return None
    body: dict[str, JSON] = msgspec.json.decode(row.body)
    return body


def change_draft(match_id: int, change: Callable[[dict[str, JSON] | None], dict[str, JSON] | None]) -> dict[str, JSON] | None:
    """Let ``change`` make a new draft of the present one, or None to drop it; returns the new one. All phones hear of it.

    ``change`` runs where nobody else can change the draft: it must not wait for anything. What it raises is passed on, and
    nothing is changed. Raises Unknown when there is no such match, and RuleError when the draft grows out of bounds.
    """
    with database.writing() as connection:
        held = connection.execute(_HOLD, {"match_id": match_id}).one_or_none() if 0 < match_id <= LARGEST_ID else None
        if held is None:
            raise Unknown("There is no such match.")
        old = _draft(connection, match_id, held.seq)
        new = change(old)
        if new == old:
            return new
        connection.execute(_DROP_DRAFT, {"match_id": match_id})
        if new is not None:
            body = msgspec.json.encode(new)
            if len(body) > LARGEST_DRAFT:
                raise RuleError("That is more than one entry can hold. Take something back first.")
            connection.execute(insert(Draft).values(match_id=match_id, after=held.seq, body=body.decode()))
        live.changed(held.table_id)
    return new
