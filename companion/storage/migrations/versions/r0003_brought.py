"""Note which matches came here in a table's file.

Follows 0002.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Go one step forward."""
    op.add_column("matches", sa.Column("brought", sa.Boolean(), nullable=False, server_default=sa.false()))
