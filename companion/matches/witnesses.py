"""What do phones say that they saw of a match? Each tells its own newest head after the end."""

from __future__ import annotations

from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import bindparam, delete, insert, select

from companion.matches import repository
from companion.matches.log import Log
from companion.storage import database, notifications
from companion.storage.models import MatchId, Restore, Witness, db, now
from companion.storage.statements import Statement

SHORT: Final = 16  # hex digits of a head that phones keep and tell
WINDOW: Final = 8  # heads that each page tells
EVERYBODY: Final = -1  # no person: what the table decided about a backup that was put back

_ITS = repository.of_match(Witness)
_SEEN = Statement(select(Witness.person, Witness.entries, Witness.head, Witness.at).where(_ITS))
_FORGET = delete(Witness).where(_ITS, Witness.person == bindparam("its_person"))
_NEWEST_RESTORE = select(Restore.made, Restore.at).order_by(Restore.id.desc()).limit(1)


class Seen(NamedTuple):
    """What a phone saw last: the number of a line, the beginning of its hash, and when the phone said so."""

    entries: int
    head: str
    at: datetime


def seen(match_id: MatchId) -> dict[int, Seen]:
    """Return what phones said that they saw, by the number of their person in the match."""
    with database.reading() as connection:
        return {person: Seen(*rest) for person, *rest in _SEEN.all(connection, **match_id.named)}


def tell(match_id: MatchId, person: int, entries: int, head: str) -> None:
    """Store what somebody's phone saw last, and tell the table's phones if that is news."""
    before = seen(match_id).get(person)
    if before is not None and before[:2] == (entries, head):
        return
    with database.writing(("match", match_id)) as connection:
        repository.hold(connection, match_id)
        connection.execute(_FORGET, {**match_id.named, "its_person": person})
        its = {"table_id": match_id.table_id, "match_number": match_id.number}
        connection.execute(insert(Witness), {**its, "person": person, "entries": entries, "head": head, "at": now()})
        notifications.changed(match_id.table_id)


def decided(log: Log) -> str:
    """Return what became of the newest restored backup: nothing yet, ``left`` by somebody's tap, or the match went ``on``.

    Even then a phone can have entries that nobody has sent.
    """
    line = log.restores[-1].seq if log.restores else 0
    decision = seen(log.match_id).get(EVERYBODY)
    if decision is not None and decision.entries == line:
        return "left"
    return "on" if log.seq > line else ""


def leave(log: Log) -> None:
    """Let all phones go by what the newest backup brought back: somebody has decided so for the table."""
    tell(log.match_id, EVERYBODY, log.restores[-1].seq if log.restores else 0, "")


def heads(log: Log, at: int | None = None) -> str:
    """Return the beginnings of the newest hashes, up to the line ``at``, the oldest first and a space between them."""
    last = log.seq if at is None else min(at, log.seq)
    return " ".join(line.chain[:SHORT] for line in log.written[max(0, last - WINDOW) : last])


def newest_restore() -> tuple[datetime, datetime | None] | None:
    """Return two times of the newest restored backup, of its making and of its restoring; None without a restore."""
    row = db.session.execute(_NEWEST_RESTORE).first()
    return None if row is None else (row.made, row.at)
