"""How is a table carried from one Companion to another on the command line? As a file. Phones may go on playing meanwhile."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from sqlalchemy import or_, select
from sqlalchemy.exc import DBAPIError

from companion.app import start
from companion.settings import StartupError
from companion.storage.models import Table, db
from companion.tables import table_file

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
    named = LINK.fullmatch(link.partition("?")[0])
    if named is None:
        raise MovingError("A table is named by its link, or by what stands in it after /t/.")
    with _at_the_tables():
        found = or_(Table.play_token == named[1], Table.watch_token == named[1])
        table = db.session.scalar(select(Table).where(found))
        if table is None:
            raise MovingError("No table has this link. It may have been replaced.")
        body = table_file.export_table(table.id)
        called = table.name
        try:
            with file.open("xb") as opened:
                opened.write(body)
        except FileExistsError:
            raise MovingError(f"{file} is there already. Choose another name.") from None
    return f"The table “{called}” is in {file}."


def import_from(file: BinaryIO) -> str:
    """Make a new table of what a file holds; returns its links, a line each."""
    data = file.read(table_file.LARGEST + 1)
    with _at_the_tables():
        try:
            table = table_file.import_table(data)
        except table_file.TableFileError as refused:
            raise MovingError(str(refused)) from None
        return f"The table “{table.name}” is here.\nto play: /t/{table.play_token}\nto watch: /t/{table.watch_token}"
