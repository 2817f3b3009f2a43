"""Add who asks to be let in at a table.

Follows 0009.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Go one step forward."""
    op.create_table(
        "knocks",
        sa.Column("phone", sa.String(length=32), nullable=False),
        sa.Column("code", sa.String(length=8), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("until", sa.DateTime(), nullable=False),
        sa.Column("link", sa.String(length=32), nullable=True),
        sa.PrimaryKeyConstraint("phone", name="pk_knocks"),
    )
    op.create_index("ix_knocks_code", "knocks", ["code"])
