"""How does a match's log say that a backup was put back? In a line of its own, which says when the backup was made."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import msgspec
from sqlalchemy import URL, Connection, and_, func, insert, select, update

from companion.engine import chain
from companion.matches import repository
from companion.storage import database
from companion.storage.models import Entry, Match, MatchFacts, MatchId, Restore, now
from companion.storage.restore import put_back
from companion.storage.snapshot import SnapshotCounts

_HEADS = select(Match.table_id, Match.number, Match.seq, Entry.chain).outerjoin(
    Entry, and_(Entry.table_id == Match.table_id, Entry.match_number == Match.number, Entry.seq == Match.seq)
)
_OF_MATCH = and_(MatchFacts.table_id == Match.table_id, MatchFacts.match_number == Match.number)


def restore(url: URL, file: Path, *, replace: bool = False, partitions: int = 0) -> tuple[SnapshotCounts, Path | None]:
    """Put all tables back from a backup, as :func:`companion.storage.restore.put_back` does, and say so in each log.

    Phones that saw later entries name the moment of the backup. Raises BackupError.
    """
    return put_back(url, file, note=note_restore, replace=replace, partitions=partitions)


def note_restore(file: Path) -> None:
    """Write into the copy of a backup that it is put back now: as a row, and as a line of each match's log.

    A backup without a time of its own has that of its newest line. Nothing that counts changes, so facts that were read from
    a log go on holding.
    """
    engine = database.open_engine(URL.create("sqlite", database=str(file)))
    with engine.connect().execution_options(companion_writing=True) as writing, writing.begin():
        at = now()
        _write_lines(writing, _note(writing, at), at)
    engine.dispose()


def _note(writing: Connection, at: datetime) -> datetime:
    """Store that a backup is put back; return when it was made."""
    newest = writing.execute(select(Restore.id, Restore.made).where(Restore.at.is_(None)).order_by(Restore.id.desc())).first()
    if newest is not None:
        writing.execute(update(Restore).where(Restore.at.is_(None)).values(at=at))
        made: datetime = newest.made
        return made
    made = writing.execute(select(func.max(Entry.at))).scalar() or at
    writing.execute(insert(Restore).values(made=made, at=at))
    return made


def _write_lines(writing: Connection, made: datetime, at: datetime) -> None:
    key = f"restore-{at:%Y%m%d%H%M%S%f}"
    body = msgspec.json.encode({"made": made}).decode()
    lines = []
    for match in writing.execute(_HEADS).all():
        before = match.chain if match.seq else repository.chain_beginning(writing, MatchId(match.table_id, match.number))
        head = (
            ""
            if not before
            else chain.link(  # without a hash before it, the next entry chains all lines
                before, key=key, at=at, kind="restore", player=None, name=None, of=None, events=(), made=made
            )
        )
        its = {"table_id": match.table_id, "match_number": match.number, "seq": match.seq + 1}
        lines.append({**its, "key": key, "at": at, "kind": "restore", "body": body, "chain": head})
    if not lines:
        return
    writing.execute(insert(Entry), lines)
    holding = select(Match.number).where(_OF_MATCH, Match.seq == MatchFacts.seq).exists()
    writing.execute(update(MatchFacts).where(holding).values(seq=MatchFacts.seq + 1, key=key))
    writing.execute(update(Match).values(seq=Match.seq + 1))
