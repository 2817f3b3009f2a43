"""How does an older database become a newer one? Revision by revision: :func:`upgrade` takes all that are due.

A new revision is written by ``python -m companion.storage.migrations "what it does"`` in a checkout, from what models.py says,
and then read and corrected by hand.
"""

from __future__ import annotations

import logging
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from flask import Flask
from sqlalchemy import Connection, Engine, text

from companion.storage.models import db
from companion.storage.statements import execute_raw

HERE = Path(__file__).resolve().parent
LOCK = 0x434F4D50  # the number of PostgreSQL's advisory lock: "COMP"

logging.getLogger("alembic").setLevel(logging.WARNING)  # it tells of each step that it looks at


class NewerDatabase(Exception):
    """The database was made by a newer Companion than this one. The message is a sentence."""


def migrate(app: Flask) -> None:
    """Bring the application's database to the newest schema. Of several processes that start at once, one does it."""
    wished: int = app.config["SETTINGS"].partitions
    with app.app_context():
        upgrade(db.engine, partitions=wished)
        with db.engine.connect() as reading:
            parts = partitions_of(reading)
    if wished not in {0, parts}:
        app.logger.warning(
            "COMPANION_PARTITIONS is %d, and the entries here have %s. It counts when the database is made or first brought up "
            "to date; docs/hosting.md tells how to change it later.",
            wished,
            f"{parts} parts" if parts else "none",
        )


def upgrade(engine: Engine, *, partitions: int = 0) -> None:
    """Bring the database to the newest schema, in one transaction: it succeeds whole, or nothing has changed.

    A PostgreSQL whose entries are made anew by it (an empty one, or one from before revision 0007) gets them in so many hash
    ``partitions`` by table. Safe to run by several processes at once. Raises NewerDatabase, and SQLAlchemy's OperationalError
    when it is away.
    """
    with engine.connect() as reading:
        if revision(reading) == newest():
            return
    with engine.connect() as connection:
        sqlite = connection.dialect.name == "sqlite"
        if sqlite:
            # a rebuilt table is dropped in between, and that must not take along what refers to it; only possible out here
            execute_raw(connection, "PRAGMA foreign_keys = OFF")
        try:
            with connection.execution_options(companion_writing=True).begin():
                if not sqlite:
                    connection.execute(text("SET LOCAL lock_timeout = 0"))  # another process may be at it,
                    connection.execute(text("SET LOCAL statement_timeout = 0"))  # and it may take long
                    connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
                _upgrade(connection, partitions)
                if sqlite and (broken := connection.exec_driver_sql("PRAGMA foreign_key_check").all()):
                    raise RuntimeError(f"{len(broken)} rows would refer to nothing after the migration; nothing was changed.")
        finally:
            if sqlite:
                execute_raw(connection, "PRAGMA foreign_keys = ON")


def _upgrade(connection: Connection, partitions: int) -> None:
    present = revision(connection)
    revisions = {script.revision for script in _scripts().walk_revisions()}
    if present is not None and present not in revisions:
        raise NewerDatabase(f"This database is at revision {present}, which this Companion does not know. A newer one made it.")
    config = configuration()
    config.attributes |= {"connection": connection, "partitions": partitions}
    command.upgrade(config, "head")


def configuration() -> Config:
    """Alembic's settings. It finds the revisions here, in a checkout and in an installed package."""
    config = Config()
    config.set_main_option("script_location", str(HERE).replace("%", "%%"))
    config.set_main_option("file_template", "r%%(rev)s_%%(slug)s")
    return config


def newest() -> str | None:
    """Return the newest revision that this Companion knows."""
    return _scripts().get_current_head()


def partitions_of(connection: Connection) -> int:
    """Into how many partitions a migrated database cuts its entries; 0 if they are in one piece."""
    if connection.dialect.name == "sqlite":
        return 0
    query = text("SELECT count(*) FROM pg_inherits WHERE inhparent = 'entries'::regclass")
    return int(connection.execute(query).scalar_one())


def revision(connection: Connection) -> str | None:
    """Return the revision of a database; None while it is empty."""
    return MigrationContext.configure(connection).get_current_revision()


def _scripts() -> ScriptDirectory:
    return ScriptDirectory.from_config(configuration())
