"""Let a line of a log be an agreement to an entry, and a table choose that the other side is asked.

Follows 0015.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from companion.storage.migrations import kinds

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Go one step forward."""
    op.add_column("tables", sa.Column("agrees", sa.Boolean(), server_default=sa.false(), nullable=False))
    kinds.allow("events", "undo", "correct", "doubt", "agree")
