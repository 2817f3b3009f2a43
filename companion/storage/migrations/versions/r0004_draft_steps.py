"""Keep drafts by the entry after which they come, with their steps.

Follows 0003.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

_MATCHES = sa.table("matches", sa.column("id"), sa.column("seq"), sa.column("head"))
_ENTRIES = sa.table("entries", sa.column("match_id"), sa.column("seq"), sa.column("kind"), sa.column("body"))
_DRAFTS = sa.table("drafts", sa.column("match_id"), sa.column("after"), sa.column("body"), sa.column("steps"))


def upgrade() -> None:
    """Go one step forward."""
    connection = op.get_bind()
    op.add_column("matches", sa.Column("head", sa.Integer(), server_default="0", nullable=False))
    held = connection.execute(
        sa.select(_DRAFTS.c.match_id, _DRAFTS.c.body).join(
            _MATCHES, sa.and_(_MATCHES.c.id == _DRAFTS.c.match_id, _MATCHES.c.seq == _DRAFTS.c.after)
        )
    ).all()  # all others were void
    heads = {}
    for (match_id,) in connection.execute(sa.select(_MATCHES.c.id).where(_MATCHES.c.seq > 0)).all():
        lines = sa.select(_ENTRIES.c.seq, _ENTRIES.c.kind, _ENTRIES.c.body).where(_ENTRIES.c.match_id == match_id)
        heads[match_id] = _head(connection.execute(lines.order_by(_ENTRIES.c.seq.desc())))
        connection.execute(sa.update(_MATCHES).where(_MATCHES.c.id == match_id).values(head=heads[match_id]))
    op.drop_table("drafts")
    op.create_table(
        "drafts",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("after", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("steps", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_drafts_match_id_matches"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("match_id", "after", name=op.f("pk_drafts")),
    )
    steps = json.dumps({"done": [{"id": "before", "what": "", "draft": None}]})  # nobody noted them: together they are one
    for match_id, body in held:
        row = {"match_id": match_id, "after": heads.get(match_id, 0), "body": body, "steps": steps}
        connection.execute(sa.insert(_DRAFTS).values(row))


def _head(newest_first: Iterable[Sequence[Any]]) -> int:
    """Return the newest entry in force: not undone, or undone by an undo that was undone itself."""
    gone = set()
    for seq, kind, body in newest_first:
        if kind == "undo" and seq not in gone:
            gone.add(json.loads(body)["of"])
        elif kind == "events" and seq not in gone:
            return int(seq)
    return 0
