"""Let each match say which installed package its game came from.

A match that is there already gets the package that offers its game now. If that was taken away before, its name is unknown.

Follows 0017.
"""

from __future__ import annotations

from importlib.metadata import entry_points

import sqlalchemy as sa
from alembic import op

from companion import GAMES_GROUP

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    """Go one step forward."""
    op.add_column("matches", sa.Column("package", sa.String(length=100), nullable=True))
    matches = sa.table("matches", sa.column("game", sa.String()), sa.column("package", sa.String()))
    for offered in entry_points(group=GAMES_GROUP):
        if offered.dist is not None:
            its = sa.update(matches).where(matches.c.game == offered.name)
            op.execute(its.values(package=offered.dist.name[:100]))
