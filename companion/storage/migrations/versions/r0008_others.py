"""Let a match name people of its table who do not play it, and entered something in it.

Follows 0007.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Go one step forward."""
    op.add_column("matches", sa.Column("others", sa.JSON(), server_default="[]", nullable=False))
