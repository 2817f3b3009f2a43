"""Let a club evening choose when a table counts as quiet, and whether its list shows names.

Follows 0020.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    """Go one step forward."""
    op.add_column("clubs", sa.Column("quiet", sa.Integer(), nullable=False, server_default="15"))
    op.add_column("clubs", sa.Column("pawns", sa.Boolean(), nullable=False, server_default=sa.false()))
