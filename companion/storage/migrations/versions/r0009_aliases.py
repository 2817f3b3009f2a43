"""Add the other keys of a line: what a second phone called an entry that was stored already.

Follows 0008.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Go one step forward."""
    op.create_table(
        "aliases",
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("match_number", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id", "match_number"],
            ["matches.table_id", "matches.number"],
            name="fk_aliases_table_id_match_number_matches",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("table_id", "match_number", "key", name="pk_aliases"),
    )
