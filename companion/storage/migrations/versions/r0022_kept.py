"""Let a phone keep what its owner made or received: score sheets of one's own.

Follows 0021.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    """Go one step forward."""
    op.create_table(
        "kept",
        sa.Column("phone", sa.String(length=32), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("phone", "number", name="pk_kept"),
    )
