"""How are all tables written to one file while phones play?

The file is an SQLite database with the present schema, whichever database the tables are kept in; so a file that was written
from SQLite can be put back into PostgreSQL, and the other way round (:mod:`companion.storage.restore`). It is written under
another name, checked, and only then called as it should be: a file that is there is whole.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from sqlalchemy import URL
from sqlalchemy.exc import DBAPIError

from companion.storage import database, migrations
from companion.storage.snapshot import (
    PARTIAL,
    BackupError,
    SnapshotCounts,
    check,
    copy_rows,
    has_tables,
    held,
    note_moment,
    one_file,
    remove_partial,
    sqlite_file,
)


def backup(url: URL, file: Path, *, replace: bool = False) -> SnapshotCounts:
    """Write everything that is stored into ``file``, as it is at one moment; phones go on meanwhile. Raises BackupError.

    A file of this name is only replaced with ``replace``. It can be read by its owner alone: it holds the tables' links.
    """
    if file.exists() and not replace:
        raise BackupError(f"{file} is there already. Choose another name, or say --force to replace it.")
    if not file.parent.is_dir():
        raise BackupError(f"There is no folder {file.parent}. Make it first, or choose another.")
    database_file = sqlite_file(url)
    if database_file is not None and file.exists() and database_file.exists() and file.samefile(database_file):
        raise BackupError(f"{file} holds the tables themselves. Choose another file for the backup.")
    with _under_another_name(file) as partial:
        if database_file is not None:
            if not database_file.is_file():
                raise BackupError(f"There are no tables to back up: {database_file} is not there.")
            _copy_sqlite(database_file, partial)
        else:
            _copy_rows_out(url, partial)
        note_moment(partial)
        return check(partial)


@contextmanager
def _under_another_name(file: Path) -> Iterator[Path]:
    """Lend a new file next to ``file``, which gets its name once everything went well and it is on the disk."""
    remove_partial(file.parent)
    try:
        handle, name = tempfile.mkstemp(prefix=f".{file.name}-", suffix=PARTIAL, dir=file.parent)  # for its owner's eyes
    except OSError as refused:
        raise BackupError(f"{file.parent} can't be written to: {refused.strerror}.") from refused
    partial = Path(name)
    try:
        with held(handle):
            yield partial
            with partial.open("rb+") as written:  # Windows flushes only what may be written
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
    """Copy all pages as they are at one moment. Writers go on, and wait for nothing."""
    patience = database.BUSY_TIMEOUT / 1000
    with closing(sqlite3.connect(source, timeout=patience)) as reading, closing(sqlite3.connect(target)) as writing:
        reading.backup(writing)
        writing.execute("PRAGMA journal_mode = DELETE")  # one file, and nothing beside it


def _copy_rows_out(url: URL, target: Path) -> None:
    """Copy all rows of a PostgreSQL database, read in one transaction that sees one moment."""
    source = database.open_engine(url)
    with source.connect().execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True) as reading:
        _need_present_schema(migrations.revision(reading) if has_tables(reading) else None)
        made = database.open_engine(URL.create("sqlite", database=str(target)))
        migrations.upgrade(made)
        with made.connect().execution_options(companion_writing=True) as writing, writing.begin():
            copy_rows(reading, writing)
        one_file(made)
    source.dispose()


def _need_present_schema(revision: str | None) -> None:
    if revision is None:
        raise BackupError("There are no tables in this database: no Companion has used it yet.")
    if revision != migrations.newest():
        raise BackupError("This database is of an older Companion. Start this version once, then try again.")
