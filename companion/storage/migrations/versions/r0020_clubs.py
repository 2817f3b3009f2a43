"""Add club evenings: lists of tables.

Follows 0019.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    """Go one step forward."""
    op.create_table(
        "clubs",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("link", sa.String(length=32), nullable=False),
        sa.Column("host_link", sa.String(length=32), nullable=False),
        sa.Column("created", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_clubs"),
        sa.UniqueConstraint("link", name="uq_clubs_link"),
        sa.UniqueConstraint("host_link", name="uq_clubs_host_link"),
    )
    op.create_table(
        "club_tables",
        sa.Column("club_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("watch_token", sa.String(length=32), nullable=False),
        sa.ForeignKeyConstraint(["club_id"], ["clubs.id"], name="fk_club_tables_club_id_clubs", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("club_id", "number", name="pk_club_tables"),
        sa.UniqueConstraint("club_id", "watch_token", name="uq_club_tables_club_id_watch_token"),
    )
