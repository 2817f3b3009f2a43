"""Add what people tell their table's almanac: ratings on, two names of one person, earlier matches.

Follows 0012.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Go one step forward."""
    op.create_table(
        "almanac_notes",
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.CheckConstraint("kind IN ('ratings', 'same', 'past')", name=op.f("ck_almanac_notes_kind")),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_almanac_notes_table_id_tables", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("table_id", "number", name="pk_almanac_notes"),
    )
