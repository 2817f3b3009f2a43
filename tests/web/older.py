"""What did an earlier version leave behind? A database with something in it."""

from __future__ import annotations

from alembic import command
from sqlalchemy import Engine

from companion.storage import migrations

STATEMENTS = (
    """
    INSERT INTO tables (id, name, play_token, watch_token, seq, created)
    VALUES (3, 'T', 'p3', 'w3', 0, '2026-01-01 00:00:00'), (4, 'T', 'p4', 'w4', 0, '2026-01-01 00:00:00')
    """,
    """
    INSERT INTO matches (id, table_id, number, game, edition, players, options, seq, created)
    VALUES (2, 4, 1, 'beloz', 1, '["Ana", "Bo", "Cy", "Di"]', '{}', 0, '2026-01-01 00:00:00'),
           (5, 3, 1, 'beloz', 1, '["Ana", "Bo", "Cy", "Di"]', '{}', 2, '2026-01-01 00:00:00'),
           (6, 3, 2, 'beloz', 1, '["Ana", "Bo", "Cy", "Di"]', '{}', 1, '2026-01-01 00:00:00')
    """,
    """
    INSERT INTO entries (match_id, seq, key, player, at, kind, body)
    VALUES (5, 1, 'a', 3, '2026-01-01 00:01:00', 'events', '{"events": [{"type": "passed-deal"}]}'),
           (5, 2, 'b', 3, '2026-01-01 00:02:00', 'events', '{"events": [{"type": "passed-deal"}]}'),
           (6, 1, 'a', 3, '2026-01-01 00:03:00', 'events', '{"events": [{"type": "passed-deal"}]}')
    """,
)  # two tables with three matches, whose order is not that of their tables


def bring_to(engine: Engine, revision: str) -> None:
    """Take an empty database as far as this revision and no further."""
    with engine.begin() as connection:
        config = migrations.configuration()
        config.attributes["connection"] = connection
        command.upgrade(config, revision)


def keep_matches(engine: Engine) -> None:
    """Store what every version before 0007 could: two tables, three matches, three entries."""
    with engine.begin() as connection:
        for statement in STATEMENTS:
            connection.exec_driver_sql(statement)
