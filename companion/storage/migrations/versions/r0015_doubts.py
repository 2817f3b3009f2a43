"""Let a line of a log be a doubt about an entry.

Follows 0014.
"""

from __future__ import annotations

from companion.storage.migrations import kinds

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Go one step forward."""
    kinds.allow("events", "undo", "correct", "doubt")
