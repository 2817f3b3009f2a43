"""Let a line of a log say that a backup was put back.

Follows 0016.
"""

from __future__ import annotations

from companion.storage.migrations import kinds

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """Go one step forward."""
    kinds.allow("events", "undo", "correct", "doubt", "agree", "restore")
