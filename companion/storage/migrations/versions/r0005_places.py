"""Add a table's game and dealer, and who began a match. Make seats places at the real table.

Follows 0004.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

TURN_LEFT = ("bisque", "what-the-fish")  # seats were numbered in turn order, so these games were drawn the other way round


def upgrade() -> None:
    """Go one step forward."""
    op.add_column("tables", sa.Column("game", sa.String(length=40), nullable=True))
    op.add_column("tables", sa.Column("dealer", sa.Integer(), nullable=True))
    op.add_column("matches", sa.Column("begun_by", sa.Integer(), nullable=True))
    keep_people_where_they_sit(op.get_bind())


def keep_people_where_they_sit(connection: sa.Connection) -> None:
    """Choose the game that each table played last, and number its seats to the right, as they were drawn for that game."""
    last = sa.text(
        "SELECT table_id, game FROM matches m WHERE number = (SELECT max(number) FROM matches WHERE table_id = m.table_id)"
    )
    seated = sa.text("SELECT id, seat FROM players WHERE table_id = :table ORDER BY seat")
    for table, game in connection.execute(last).all():
        connection.execute(sa.text("UPDATE tables SET game = :game WHERE id = :table"), {"game": game, "table": table})
        if game in TURN_LEFT:
            people = connection.execute(seated, {"table": table}).all()
            seats = [seat for _, seat in people]
            for (player, _), seat in zip(people, seats[:1] + seats[:0:-1], strict=True):
                connection.execute(sa.text("UPDATE players SET seat = :seat WHERE id = :id"), {"seat": seat, "id": player})
