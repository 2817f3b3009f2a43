"""How is the next revision begun? From the difference between the newest one and models.py, to read and correct."""

from __future__ import annotations

import sys

from alembic import command
from sqlalchemy import StaticPool, create_engine

from companion.storage import database, migrations


def main(message: str) -> None:
    """Write a revision whose first line says ``message``. No database of anybody's is needed or touched."""
    engine = create_engine("sqlite://", poolclass=StaticPool)
    database.prepare(engine)
    migrations.upgrade(engine)
    number = int(migrations.newest() or 0) + 1
    with engine.connect() as connection:
        config = migrations.configuration()
        config.attributes["connection"] = connection
        command.revision(config, message, autogenerate=True, rev_id=f"{number:04}")


if __name__ == "__main__":
    main(" ".join(sys.argv[1:]) or "change the schema")
