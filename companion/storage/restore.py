"""How are tables put back from a file of :mod:`companion.storage.backup`? While nobody plays; whole, or not at all."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from sqlalchemy import URL, func, inspect, select, text
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from companion.storage import database, migrations
from companion.storage.backup import backup
from companion.storage.models import Base, Table
from companion.storage.snapshot import (
    BackupError,
    SnapshotCounts,
    checked_copy,
    checking_folder,
    copy_rows,
    has_tables,
    sqlite_file,
)

LEAVING: Final = 2.0  # seconds that PostgreSQL may take to notice that a Companion has gone


def put_back(
    url: URL, file: Path, *, note: Callable[[Path], None], replace: bool = False, partitions: int = 0
) -> tuple[SnapshotCounts, Path | None]:
    """Put back what :func:`backup` wrote, now or with an older version; what is stored now goes. Raises BackupError.

    An empty PostgreSQL gets its entries in so many ``partitions``. Tables that are there are only given up with ``replace``,
    and are written to a file first, whose path is returned. Nothing is changed unless everything went well, and nothing at all
    while somebody uses the database. Companion draws no more from a sealed bag that comes back: somebody may know its seed.
    ``note`` writes into the copy that it is put back (:mod:`companion.matches.restoring`).
    """
    database_file = sqlite_file(url)
    folder = database_file.parent if database_file is not None else None
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        if database_file is not None and file.exists() and database_file.exists() and file.samefile(database_file):
            raise BackupError(f"{file} holds the tables themselves. Choose a backup.")
    with checking_folder() as beside:
        checked = beside / "checked.sqlite"
        holds = checked_copy(file, checked)
        _open_bags(checked)
        note(checked)
        if database_file is not None:
            return holds, _into_sqlite(database_file, checked, replace=replace)
        return holds, _into_postgresql(url, checked, replace=replace, partitions=partitions)


def _open_bags(checked: Path) -> None:
    """Let nothing more be drawn from the bags in the file: their seeds may have been shown after it was written."""
    with closing(sqlite3.connect(checked)) as writing:
        writing.execute("UPDATE bags SET shown = 1")
        writing.commit()


def _into_sqlite(database_file: Path, checked: Path, *, replace: bool) -> Path | None:
    """Make the tables' file hold what ``checked`` holds, in one step: after a power cut it is the old or the new."""
    aside: Path | None = None
    try:
        with closing(sqlite3.connect(database_file, timeout=0, isolation_level=None)) as present:
            try:
                present.execute("PRAGMA locking_mode = EXCLUSIVE")
                present.execute("PRAGMA journal_mode = DELETE")  # only possible while nobody else has it open
                present.execute("BEGIN EXCLUSIVE")
                present.execute("COMMIT")
            except sqlite3.OperationalError as used:
                raise BackupError("A Companion is running with these tables. Stop it first, then restore.") from used
            if _used(present):
                if not replace:
                    raise BackupError(
                        f"There are tables already, in {database_file}. Say --force to replace them; they are kept aside."
                    )
                aside = database_file.with_name(f"before-restore-{datetime.now(UTC):%Y%m%d-%H%M%S}.sqlite")
                _keep_aside(present, aside)
            with closing(sqlite3.connect(checked)) as reading:
                reading.backup(present)
    except sqlite3.Error as failed:
        raise BackupError(f"{database_file} can't be written: {failed}.") from failed
    return aside


def _used(present: sqlite3.Connection) -> bool:
    """Return True when anything is stored. What can't even be read counts as something."""
    try:
        names = {name for (name,) in present.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        return "tables" in names and present.execute("SELECT 1 FROM tables LIMIT 1").fetchone() is not None
    except sqlite3.DatabaseError:
        return True


def _keep_aside(present: sqlite3.Connection, aside: Path) -> None:
    aside.touch(mode=0o600)
    with closing(sqlite3.connect(aside)) as keeping:
        present.backup(keeping)


def _into_postgresql(url: URL, checked: Path, *, replace: bool, partitions: int) -> Path | None:
    """Make the PostgreSQL database hold what ``checked`` holds, in one transaction."""
    target = database.open_engine(url)
    aside: Path | None = None
    try:
        with target.connect() as looking:
            until = time.monotonic() + LEAVING
            while looking.execute(text(_OTHERS)).scalar():
                if time.monotonic() > until:
                    raise BackupError("Somebody is connected to this database. Stop every Companion first, then restore.")
                time.sleep(0.05)
            used = (
                has_tables(looking)
                and inspect(looking).has_table("tables")
                and bool(looking.execute(select(func.count()).select_from(Table)).scalar())
            )
        if used and not replace:
            raise BackupError("There are tables already in this database. Say --force to replace them; they are kept aside.")
        migrations.upgrade(target, partitions=partitions)
        if used:
            aside = Path.cwd() / f"before-restore-{datetime.now(UTC):%Y%m%d-%H%M%S}.sqlite"
            backup(url, aside)
        source = database.open_engine(URL.create("sqlite", database=str(checked)))
        with source.connect() as reading, target.begin() as writing:
            writing.execute(text(f"TRUNCATE {', '.join(Base.metadata.tables)} RESTART IDENTITY CASCADE"))
            copy_rows(reading, writing)
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
