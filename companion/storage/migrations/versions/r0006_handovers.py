"""Add what a phone hands over to another browser of its owner.

Follows 0005.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Go one step forward."""
    op.create_table(
        "handovers",
        sa.Column("code", sa.String(length=8), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("until", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("code", name="pk_handovers"),
    )
