"""All tables in one file: written while phones play, and put back while nobody does.

The file is an SQLite database with the present schema, whichever database the tables are kept in; so a file that was written
from SQLite can be put back into PostgreSQL, and the other way round. It is written under another name, checked, and only then
called as it should be: a file that is there is whole.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from sqlalchemy import URL, Connection, Engine, NullPool, create_engine, func, insert, inspect, select, text
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError

from companion import database, migrations
from companion.models import Base, Match, Table

AT_ONCE: Final = 1000  # rows that are read and written together
LEAVING: Final = 2.0  # seconds that PostgreSQL may take to notice that a Companion has gone
SQLITE: Final = b"SQLite format 3\x00"  # how such a file begins
VERSION_TABLE: Final = "alembic_version"

_TORN = (
    "SELECT count(*) FROM matches m WHERE m.seq <> (SELECT count(*) FROM entries e WHERE e.match_id = m.id) "
    "OR m.seq <> coalesce((SELECT max(e.seq) FROM entries e WHERE e.match_id = m.id), 0)"
)
_COUNTED = "SELECT (SELECT count(*) FROM tables), (SELECT count(*) FROM matches), (SELECT count(*) FROM entries)"


class BackupError(Exception):
    """It can't be written, or not be put back, and nothing was changed. The message is a sentence."""


@dataclass(frozen=True, slots=True)
class Holds:
    """How much there is: tables with people, their matches, and all lines of the matches' logs."""

    tables: int
    matches: int
    entries: int

    def __str__(self) -> str:
        counted = ((self.tables, "table", "tables"), (self.matches, "match", "matches"), (self.entries, "entry", "entries"))
        one, two, three = (f"{number:,} {one if number == 1 else many}" for number, one, many in counted)
        return f"{one}, {two} and {three}"


def address(text: str) -> URL:
    """The address of the database. Raises BackupError for what is none, or is another database than SQLite and PostgreSQL."""
    try:
        return database.address(text)
    except (ValueError, ArgumentError) as wrong:
        raise BackupError(str(wrong)) from wrong


def backup(url: URL, file: Path, *, replace: bool = False) -> Holds:
    """Write everything that is stored into ``file``, as it is at one moment; phones go on meanwhile. Raises BackupError.

    A file of this name is only replaced with ``replace``. It can be read by its owner alone: it holds the tables' links.
    """
    if file.exists() and not replace:
        raise BackupError(f"{file} is there already. Choose another name, or say --force to replace it.")
    if not file.parent.is_dir():
        raise BackupError(f"There is no folder {file.parent}.")
    own = _sqlite_file(url)
    if own is not None and file.exists() and own.exists() and file.samefile(own):
        raise BackupError(f"{file} is what the tables are kept in. A backup needs a file of its own.")
    with _under_another_name(file) as partial:
        if own is not None:
            if not own.is_file():
                raise BackupError(f"There are no tables to back up: {own} is not there.")
            _copy_sqlite(own, partial)
        else:
            _copy_rows_out(url, partial)
        return _check(partial)


def restore(url: URL, file: Path, *, replace: bool = False) -> tuple[Holds, Path | None]:
    """Put back what :func:`backup` wrote, now or with an older version; what is stored now goes. Raises BackupError.

    Tables that are there are only given up with ``replace``, and are written to a file first, whose path is returned. Nothing
    is changed unless everything went well, and nothing at all while somebody uses the database.
    """
    own = _sqlite_file(url)
    folder = own.parent if own is not None else None
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        if own is not None and file.exists() and own.exists() and file.samefile(own):
            raise BackupError(f"{file} is what the tables are kept in already.")
    with tempfile.TemporaryDirectory(prefix="companion-restore-") as name:
        checked = Path(name) / "checked.sqlite"
        holds = _checked_copy(file, checked)
        if own is not None:
            return holds, _into_sqlite(own, checked, replace=replace)
        return holds, _into_postgresql(url, checked, replace=replace)


def _sqlite_file(url: URL) -> Path | None:
    """The file of an SQLite database, None for PostgreSQL. Raises BackupError for one that is in no file."""
    if url.get_backend_name() != "sqlite":
        return None
    if not url.database or url.database == ":memory:":
        raise BackupError("These tables are in memory alone, and in no file.")
    return Path(url.database)


@contextmanager
def _under_another_name(file: Path) -> Iterator[Path]:
    """A new file next to ``file``, which gets its name once everything went well and it is on the disk."""
    try:
        handle, name = tempfile.mkstemp(prefix=f".{file.name}-", suffix=".partial", dir=file.parent)  # for its owner's eyes
    except OSError as refused:
        raise BackupError(f"{file.parent} can't be written to: {refused.strerror}.") from refused
    partial = Path(name)
    try:
        os.close(handle)
        yield partial
        with partial.open("rb") as written:
            os.fsync(written.fileno())
        partial.replace(file)
    except sqlite3.Error as failed:
        raise BackupError(f"The backup could not be written: {failed}.") from failed
    except DBAPIError as away:
        raise BackupError(f"The database can't be read: {str(away.orig).strip()}") from away
    finally:
        for leftover in file.parent.glob(f"{partial.name}*"):
            leftover.unlink(missing_ok=True)


def _copy_sqlite(source: Path, target: Path) -> None:
    """All pages as they are at one moment. Writers go on, and wait for nothing."""
    patience = database.BUSY_TIMEOUT / 1000
    with closing(sqlite3.connect(source, timeout=patience)) as reading, closing(sqlite3.connect(target)) as writing:
        reading.backup(writing)
        writing.execute("PRAGMA journal_mode = DELETE")  # one file, and nothing beside it


def _copy_rows_out(url: URL, target: Path) -> None:
    """All rows of a PostgreSQL database, read in one transaction that sees one moment."""
    source = _engine(url)
    with source.connect().execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True) as reading:
        _need_present_schema(migrations.revision(reading) if _has_tables(reading) else None)
        made = _engine(URL.create("sqlite", database=str(target)))
        migrations.upgrade(made)
        with made.connect().execution_options(companion_writing=True) as writing, writing.begin():
            _copy_rows(reading, writing)
        _one_file(made)
    source.dispose()


def _copy_rows(reading: Connection, writing: Connection) -> None:
    for table in Base.metadata.sorted_tables:
        found = reading.execution_options(yield_per=AT_ONCE).execute(select(table).order_by(*table.primary_key))
        for rows in found.mappings().partitions():
            writing.execute(insert(table), [dict(row) for row in rows])


def _one_file(engine: Engine) -> None:
    """Leave one SQLite file, without a log beside it."""
    engine.dispose()
    with closing(sqlite3.connect(engine.url.database or "")) as last:
        last.execute("PRAGMA journal_mode = DELETE")


def _engine(url: URL) -> Engine:
    engine = create_engine(url, poolclass=NullPool, **_connecting(url))
    database.prepare(engine)
    return engine


def _connecting(url: URL) -> dict[str, object]:
    options = database.engine_options(url)
    return {name: options[name] for name in ("hide_parameters", "connect_args") if name in options}


def _has_tables(connection: Connection) -> bool:
    return inspect(connection).has_table(VERSION_TABLE)


def _need_present_schema(revision: str | None) -> None:
    if revision is None:
        raise BackupError("There are no tables in this database: no Companion has used it yet.")
    if revision != migrations.newest():
        raise BackupError("This database was not yet brought up to date: start this version of Companion once, then try again.")


# What a file holds


def _checked_copy(file: Path, copy: Path) -> Holds:
    """A copy of a backup, brought up to date. Raises BackupError when it is none, is damaged, or is of a newer version."""
    try:
        with file.open("rb") as opened:
            begins = opened.read(len(SQLITE))
    except OSError as refused:
        raise BackupError(f"{file} can't be read: {refused.strerror}.") from refused
    if begins != SQLITE:
        raise BackupError(f"{file} is no backup of Companion: it is no SQLite file.")
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as reading:
            reading.execute("PRAGMA trusted_schema = OFF")
            _sound(reading, file)
            with closing(sqlite3.connect(copy)) as writing:
                reading.backup(writing)
                writing.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as failed:
        raise BackupError(f"{file} is damaged: {failed}.") from failed
    made = _engine(URL.create("sqlite", database=str(copy)))
    try:
        migrations.upgrade(made)
    except migrations.NewerDatabase as newer:
        raise BackupError(
            f"{file} was written by a newer Companion. Install that version, then restore it. ({newer})"
        ) from newer
    except (SQLAlchemyError, RuntimeError) as failed:
        raise BackupError(f"{file} can't be brought up to date: {failed}") from failed
    _one_file(made)
    return _check(copy, file)


def _sound(reading: sqlite3.Connection, file: Path) -> None:
    """Raise BackupError unless this is a database as Companion makes it, of whatever version."""
    (state,) = reading.execute("PRAGMA integrity_check(1)").fetchone()
    if state != "ok":
        raise BackupError(f"{file} is damaged: {state}.")
    kinds = {kind for (kind,) in reading.execute("SELECT DISTINCT type FROM sqlite_master")}
    names = {name for (name,) in reading.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if VERSION_TABLE not in names or not {Table.__tablename__, Match.__tablename__} <= names:
        raise BackupError(f"{file} is no backup of Companion: it holds other things.")
    if kinds - {"table", "index"}:
        raise BackupError(f"{file} holds {' and '.join(sorted(kinds - {'table', 'index'}))}s, which Companion never makes.")


def _check(copy: Path, file: Path | None = None) -> Holds:
    """What this database holds. Raises BackupError when it is damaged, naming ``file``."""
    called = copy if file is None else file
    try:
        with closing(sqlite3.connect(copy)) as reading:
            reading.execute("PRAGMA trusted_schema = OFF")
            (state,) = reading.execute("PRAGMA integrity_check(1)").fetchone()
            if state != "ok":
                raise BackupError(f"{called} is damaged: {state}.")
            if reading.execute("PRAGMA foreign_key_check").fetchone() is not None:
                raise BackupError(f"{called} is damaged: some of its rows belong to nothing.")
            (torn,) = reading.execute(_TORN).fetchone()
            if torn:
                raise BackupError(f"{called} is damaged: {torn} of its matches lack entries.")
            tables, matches, entries = reading.execute(_COUNTED).fetchone()
    except sqlite3.Error as failed:
        raise BackupError(f"{called} is damaged: {failed}.") from failed
    return Holds(tables, matches, entries)


# Putting it back


def _into_sqlite(own: Path, checked: Path, *, replace: bool) -> Path | None:
    """Make the tables' file hold what ``checked`` holds, in one step: after a power cut it is the old or the new."""
    aside: Path | None = None
    try:
        with closing(sqlite3.connect(own, timeout=0, isolation_level=None)) as present:
            try:
                present.execute("PRAGMA locking_mode = EXCLUSIVE")
                present.execute("PRAGMA journal_mode = DELETE")  # only possible while nobody else has it open
                present.execute("BEGIN EXCLUSIVE")
                present.execute("COMMIT")
            except sqlite3.OperationalError as used:
                raise BackupError("A Companion is running with these tables. Stop it first, then restore.") from used
            if _used(present):
                if not replace:
                    raise BackupError(f"There are tables already, in {own}. Say --force to replace them; they are kept aside.")
                aside = own.with_name(f"before-restore-{datetime.now(UTC):%Y%m%d-%H%M%S}.sqlite")
                _keep_aside(present, aside)
            with closing(sqlite3.connect(checked)) as reading:
                reading.backup(present)
    except sqlite3.Error as failed:
        raise BackupError(f"{own} can't be written: {failed}.") from failed
    return aside


def _used(present: sqlite3.Connection) -> bool:
    """True when anything is stored. What can't even be read counts as something."""
    try:
        names = {name for (name,) in present.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        return "tables" in names and present.execute("SELECT 1 FROM tables LIMIT 1").fetchone() is not None
    except sqlite3.DatabaseError:
        return True


def _keep_aside(present: sqlite3.Connection, aside: Path) -> None:
    aside.touch(mode=0o600)
    with closing(sqlite3.connect(aside)) as keeping:
        present.backup(keeping)


def _into_postgresql(url: URL, checked: Path, *, replace: bool) -> Path | None:
    """Make the PostgreSQL database hold what ``checked`` holds, in one transaction."""
    target = _engine(url)
    aside: Path | None = None
    try:
        with target.connect() as looking:
            until = time.monotonic() + LEAVING
            while looking.execute(text(_OTHERS)).scalar():
                if time.monotonic() > until:
                    raise BackupError("Somebody is connected to this database. Stop every Companion first, then restore.")
                time.sleep(0.05)
            used = (
                _has_tables(looking)
                and inspect(looking).has_table("tables")
                and bool(looking.execute(select(func.count()).select_from(Table)).scalar())
            )
        if used and not replace:
            raise BackupError("There are tables already in this database. Say --force to replace them; they are kept aside.")
        migrations.upgrade(target)
        if used:
            aside = Path.cwd() / f"before-restore-{datetime.now(UTC):%Y%m%d-%H%M%S}.sqlite"
            backup(url, aside)
        source = _engine(URL.create("sqlite", database=str(checked)))
        with source.connect() as reading, target.begin() as writing:
            writing.execute(text(f"TRUNCATE {', '.join(Base.metadata.tables)} RESTART IDENTITY CASCADE"))
            _copy_rows(reading, writing)
            for table in Base.metadata.sorted_tables:
                if table.autoincrement_column is not None and table.primary_key.columns.keys() == ["id"]:
                    writing.execute(text(_COUNT_ON.format(table=table.name)))
        source.dispose()
    except migrations.NewerDatabase as newer:
        raise BackupError(str(newer)) from newer
    except DBAPIError as failed:
        raise BackupError(f"The database can't be written: {str(failed.orig).strip()}") from failed
    finally:
        with suppress(SQLAlchemyError):
            target.dispose()
    return aside


_OTHERS: Final = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() "
    "AND backend_type = 'client backend'"
)
_COUNT_ON: Final = (
    "SELECT setval(pg_get_serial_sequence('{table}', 'id'), coalesce(max(id), 1), max(id) IS NOT NULL) FROM {table}"
)
