"""Add what each match came to, so that an almanac need not play all matches again.

Follows 0010.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0010"


def upgrade() -> None:
    """Go one step forward."""
    op.create_table(
        "match_facts",
        sa.Column("table_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("match_number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id", "match_number"],
            ["matches.table_id", "matches.number"],
            name="fk_match_facts_table_id_match_number_matches",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("table_id", "match_number", name="pk_match_facts"),
    )
