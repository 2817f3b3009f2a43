"""What can be done with a single table on the command line? Named, removed, and carried to another Companion as a file.

Phones may go on playing meanwhile.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import BinaryIO

from sqlalchemy import delete, func, or_, select
from sqlalchemy.exc import DBAPIError

from companion.app import start
from companion.settings import StartupError
from companion.storage import database
from companion.storage.models import Entry, Match, Table, db, now
from companion.tables import table_file

YEAR = timedelta(days=365)
OLD = "  (nothing entered for a year)"
LINK = re.compile(r"(?:.*/t/)?([A-Za-z0-9_-]{1,64})(?:/table)?/?")


class MovingError(Exception):
    """It can't be done, and nothing was changed. The message is a sentence."""


@contextmanager
def _at_the_tables() -> Iterator[None]:
    """Open this Companion's database, brought up to date. What goes wrong with it is a MovingError."""
    try:
        with start().app_context():
            try:
                yield
            finally:
                db.session.remove()
                db.engine.dispose()
    except StartupError as refused:
        raise MovingError(str(refused)) from refused
    except DBAPIError as away:
        raise MovingError(f"The database can't be read or written: {str(away.orig).strip()}") from away
    except OSError as failed:
        raise MovingError(str(failed)) from failed


def export_to(link: str, file: Path) -> str:
    """Write the table that this link leads to into a file that is not there yet; returns what was done, as a sentence."""
    with _at_the_tables():
        table = _at_link(link)
        body = table_file.export_table(table.id)
        called = table.name
        try:
            with file.open("xb") as opened:
                opened.write(body)
        except FileExistsError:
            raise MovingError(f"{file} is there already. Choose another name.") from None
    return f"The table “{called}” is in {file}."


def _at_link(link: str) -> Table:
    """Return the table that a link leads to, of whichever kind it is."""
    named = LINK.fullmatch(link.partition("?")[0])
    if named is None:
        raise MovingError("A table is named by its link, or by what stands in it after /t/.")
    leads_there = or_(Table.play_token == named[1], Table.watch_token == named[1])
    table = db.session.scalar(select(Table).where(leads_there))
    if table is None:
        raise MovingError("No table has this link. It may have been replaced.")
    return table


def every_table() -> str:
    """Return a line for each table, that on which nothing was entered for longest first, and marked after a year of that."""
    newest = func.max(func.coalesce(Entry.at, Match.created, Table.created))
    count = func.count(Match.number.distinct())
    query = (
        select(Table.play_token, Table.name, newest, count)
        .outerjoin(Match, Match.table_id == Table.id)
        .outerjoin(Entry, (Entry.table_id == Match.table_id) & (Entry.match_number == Match.number) & (Entry.seq == Match.seq))
        .group_by(Table.id)
        .order_by(newest, Table.id)
    )
    year_ago = now() - YEAR
    with _at_the_tables():
        lines = [
            f"/t/{link}  {last:%Y-%m-%d}  {matches:>4} matches  {name}{OLD if last < year_ago else ''}"
            for link, name, last, matches in db.session.execute(query)
        ]
    return "\n".join(lines or ["There are no tables."])


def remove(link: str) -> str:
    """Erase the table that this link leads to, with all its matches; returns what was done, as a sentence."""
    with _at_the_tables():
        table = _at_link(link)
        table_id, called = table.id, table.name
        with database.writing(("table", table_id)) as connection:
            connection.execute(delete(Table).where(Table.id == table_id))
    return f"The table “{called}” and its matches are gone."


def import_from(file: BinaryIO) -> str:
    """Make a new table of what a file holds; returns its links, a line each."""
    data = file.read(table_file.LARGEST + 1)
    left_out: Counter[str] = Counter()
    with _at_the_tables():
        try:
            table = table_file.import_table(data, left_out)
        except table_file.TableFileError as refused:
            raise MovingError(str(refused)) from None
        links = f"The table “{table.name}” is here.\nto play: /t/{table.play_token}\nto watch: /t/{table.watch_token}"
        return f"{links}\n{table_file.told_of(left_out)}" if left_out else links
