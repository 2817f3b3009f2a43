"""What is a file with all tables? An SQLite database with the present schema; and how much does it hold?"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from sqlalchemy import URL, Connection, Engine, insert, inspect, select
from sqlalchemy.exc import SQLAlchemyError

from companion.storage import database, migrations
from companion.storage.models import Base, Match, Restore, Table, now

try:
    import fcntl
except ImportError:  # Windows has none: there a file that nobody writes any more is told by its age
    LOCKS = False
else:
    LOCKS = True

AT_ONCE: Final = 1000  # rows that are read and written together
SQLITE: Final = b"SQLite format 3\x00"  # how such a file begins
VERSION_TABLE: Final = "alembic_version"

_TORN = (
    "SELECT count(*) FROM matches m "
    "WHERE m.seq <> (SELECT count(*) FROM entries WHERE table_id = m.table_id AND match_number = m.number) "
    "OR m.seq <> coalesce((SELECT max(seq) FROM entries WHERE table_id = m.table_id AND match_number = m.number), 0)"
)
_COUNTED = "SELECT (SELECT count(*) FROM tables), (SELECT count(*) FROM matches), (SELECT count(*) FROM entries)"


PARTIAL: Final = ".companion-partial"  # how a backup ends that is still being written
CHECKING: Final = "companion-restore-"  # how a folder begins in which one is checked
_HELD: Final = "held"  # the file in it that says whether anybody still does
_ABANDONED: Final = 24 * 3600  # seconds after which nobody still writes a file, where no lock tells


class BackupError(Exception):
    """It can't be written, or not be put back, and nothing was changed. The message is a sentence."""


@dataclass(frozen=True, slots=True)
class SnapshotCounts:
    """How much there is: tables with people, their matches, and all lines of the matches' logs."""

    tables: int
    matches: int
    entries: int

    def __str__(self) -> str:
        counted = ((self.tables, "table", "tables"), (self.matches, "match", "matches"), (self.entries, "entry", "entries"))
        tables, matches, entries = (f"{number:,} {singular if number == 1 else plural}" for number, singular, plural in counted)
        return f"{tables}, {matches} and {entries}"


@contextmanager
def held(handle: int) -> Iterator[None]:
    """Inside: this open file is seen to be in use, until this process lets go of it or dies.

    Without locks it is closed at once: Windows neither renames nor removes what is open.
    """
    if not LOCKS:
        os.close(handle)
        yield
        return
    fcntl.flock(handle, fcntl.LOCK_EX)
    try:
        yield
    finally:
        os.close(handle)


@contextmanager
def checking_folder() -> Iterator[Path]:
    """Lend a folder of one's own for a while; those that others left behind when they were killed are removed."""
    _remove_abandoned(Path(tempfile.gettempdir()).glob(f"{CHECKING}*/{_HELD}"))
    with tempfile.TemporaryDirectory(prefix=CHECKING) as name, held(os.open(f"{name}/{_HELD}", os.O_CREAT | os.O_RDWR, 0o600)):
        yield Path(name)


def remove_partial(folder: Path) -> None:
    """Remove what was left in a folder when writing a backup was killed."""
    _remove_abandoned(folder.glob(f".*{PARTIAL}"))


def _remove_abandoned(files: Iterable[Path]) -> None:
    for file in files:
        with suppress(OSError):  # it is gone meanwhile, somebody is at it, or it is not ours
            if not LOCKS:
                if time.time() - file.stat().st_mtime > _ABANDONED:
                    _remove_with_its_parts(file)
                continue
            handle = os.open(file, os.O_RDWR | os.O_NOFOLLOW)
            try:
                if os.fstat(handle).st_uid != os.getuid():
                    continue
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                _remove_with_its_parts(file)
            finally:
                os.close(handle)


def _remove_with_its_parts(file: Path) -> None:
    if file.name == _HELD:
        shutil.rmtree(file.parent)
    else:
        for part in file.parent.glob(f"{file.name}*"):
            part.unlink()


def address(text: str) -> URL:
    """Return the address of the database.

    Raises BackupError unless it is one of SQLite or PostgreSQL.
    """
    try:
        return database.address(text)
    except ValueError as wrong:
        raise BackupError(str(wrong)) from wrong


def sqlite_file(url: URL) -> Path | None:
    """Return the file of an SQLite database, None for PostgreSQL. Raises BackupError for one in memory."""
    if url.get_backend_name() != "sqlite":
        return None
    if not url.database or url.database == ":memory:":
        raise BackupError("These tables are only in memory. There is no file to back up or restore.")
    return Path(url.database)


def has_tables(connection: Connection) -> bool:
    """Return True if a Companion has used this database."""
    return inspect(connection).has_table(VERSION_TABLE)


def copy_rows(reading: Connection, writing: Connection) -> None:
    """Copy all rows into a database that has none."""
    for table in Base.metadata.sorted_tables:
        result = reading.execution_options(yield_per=AT_ONCE).execute(select(table).order_by(*table.primary_key))
        for rows in result.mappings().partitions():
            writing.execute(insert(table), [dict(row) for row in rows])


def note_moment(file: Path) -> None:
    """Write into a backup when it was made, if its version has a place for that."""
    with closing(sqlite3.connect(file)) as writing:
        names = {name for (name,) in writing.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if Restore.__tablename__ in names:
            writing.execute("INSERT INTO restores (made) VALUES (?)", (in_sqlite(now()),))
            writing.commit()


def in_sqlite(moment: datetime) -> str:
    """Return a moment as SQLite keeps it."""
    return moment.isoformat(" ", "microseconds")


def one_file(engine: Engine) -> None:
    """Leave one SQLite file, without a log beside it."""
    engine.dispose()
    with closing(sqlite3.connect(engine.url.database or "")) as last:
        last.execute("PRAGMA journal_mode = DELETE")


def checked_copy(file: Path, copy: Path) -> SnapshotCounts:
    """Return a copy of a backup, brought up to date.

    Raises BackupError when it is none, is damaged, or is of a newer version.
    """
    try:
        with file.open("rb") as opened:
            begins = opened.read(len(SQLITE))
    except OSError as refused:
        raise BackupError(f"{file} can't be read: {refused.strerror}.") from refused
    if begins != SQLITE:
        raise BackupError(f"{file} is not a backup of Companion: it is not an SQLite file.")
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as reading:
            reading.execute("PRAGMA trusted_schema = OFF")
            _sound(reading, file)
            with closing(sqlite3.connect(copy)) as writing:
                reading.backup(writing)
                writing.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as failed:
        raise BackupError(f"{file} is damaged: {failed}.") from failed
    made = database.open_engine(URL.create("sqlite", database=str(copy)))
    try:
        migrations.upgrade(made)
    except migrations.NewerDatabase as newer:
        raise BackupError(
            f"{file} was written by a newer Companion. Install that version, then restore it. ({newer})"
        ) from newer
    except (SQLAlchemyError, RuntimeError) as failed:
        why = getattr(failed, "orig", failed)  # leaves out the SQL statement
        raise BackupError(f"{file} can't be brought up to date: {str(why).strip()}") from failed
    one_file(made)
    _ours(copy, file)
    return check(copy, file)


def _sound(reading: sqlite3.Connection, file: Path) -> None:
    """Raise BackupError unless this is a database as Companion makes it, of whatever version."""
    kinds = {kind for (kind,) in reading.execute("SELECT DISTINCT type FROM sqlite_master")}
    names = {name for (name,) in reading.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if VERSION_TABLE not in names or not {Table.__tablename__, Match.__tablename__} <= names:
        raise BackupError(f"{file} is not a backup of Companion: it holds other things.")
    if kinds - {"table", "index"}:
        raise BackupError(f"{file} holds {' and '.join(sorted(kinds - {'table', 'index'}))}s, which Companion never makes.")
    for name in names:  # what an index or a column computes is computed by whoever checks it, and may take for ever
        if any(hidden for *_, hidden in reading.execute("SELECT * FROM pragma_table_xinfo(?)", (name,))):
            raise BackupError(f"{file} holds columns that are computed, which Companion never makes.")
        for index, partial in reading.execute("SELECT name, partial FROM pragma_index_list(?)", (name,)).fetchall():
            columns = reading.execute("SELECT cid FROM pragma_index_xinfo(?)", (index,))
            if partial or any(column < -1 for (column,) in columns):
                raise BackupError(f"{file} holds indexes that are computed, which Companion never makes.")
    reading.execute("PRAGMA ignore_check_constraints = ON")
    (state,) = reading.execute("PRAGMA integrity_check(1)").fetchone()
    if state != "ok":
        raise BackupError(f"{file} is damaged: {state}.")


def _ours(copy: Path, file: Path) -> None:
    """Raise BackupError unless an up-to-date copy has the tables and columns that Companion makes, and no others."""
    with closing(sqlite3.connect(copy)) as reading:
        names = {name for (name,) in reading.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        others = {name for name in names if not name.startswith("sqlite_")} - {VERSION_TABLE, *Base.metadata.tables}
        for name, table in Base.metadata.tables.items():
            columns = {column for (column,) in reading.execute("SELECT name FROM pragma_table_info(?)", (name,))}
            others |= {f"{name}.{column}" for column in columns - {column.name for column in table.columns}}
    if others:
        raise BackupError(f"{file} holds other things than Companion's: {', '.join(sorted(others))[:200]}.")


def check(copy: Path, file: Path | None = None) -> SnapshotCounts:
    """Return what this database holds. Raises BackupError when it is damaged, naming ``file``."""
    called = copy if file is None else file
    try:
        with closing(sqlite3.connect(copy)) as reading:
            reading.execute("PRAGMA trusted_schema = OFF")
            (state,) = reading.execute("PRAGMA integrity_check(1)").fetchone()
            if state != "ok":
                raise BackupError(f"{called} is damaged: {state}.")
            if reading.execute("PRAGMA foreign_key_check").fetchone() is not None:
                raise BackupError(f"{called} is damaged: some rows have lost what they belong to.")
            (torn,) = reading.execute(_TORN).fetchone()
            if torn:
                raise BackupError(f"{called} is damaged: {torn} of its matches lack entries.")
            tables, matches, entries = reading.execute(_COUNTED).fetchone()
    except sqlite3.Error as failed:
        raise BackupError(f"{called} is damaged: {failed}.") from failed
    return SnapshotCounts(tables, matches, entries)
