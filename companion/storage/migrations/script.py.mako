"""${message[:1].upper() + message[1:]}.

Follows ${down_revision or "nothing"}.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
${imports if imports else ""}
revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}


def upgrade() -> None:
    """Go one step forward."""
    ${upgrades if upgrades else "pass"}
