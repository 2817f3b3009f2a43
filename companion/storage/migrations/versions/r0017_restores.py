"""Let a line of a log say that a backup was put back.

Follows 0016.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"

KINDS = "kind IN ('events', 'undo', 'correct', 'doubt', 'agree', 'restore')"
COLUMNS = ("table_id", "match_number", "seq", "key", "player", "at", "kind", "body", "chain")


def upgrade() -> None:
    """Go one step forward."""
    if op.get_bind().dialect.name == "postgresql":  # the parts of a divided relation follow
        op.drop_constraint(op.f("ck_entries_kind"), "entries", type_="check")
        op.create_check_constraint(op.f("ck_entries_kind"), "entries", KINDS)
        return
    op.rename_table("entries", "old_entries")
    op.create_table(
        "entries",
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("match_number", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("player", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("chain", sa.String(length=64), server_default="", nullable=False),
        sa.CheckConstraint(KINDS, name=op.f("ck_entries_kind")),
        sa.ForeignKeyConstraint(
            ["table_id", "match_number"],
            ["matches.table_id", "matches.number"],
            name=op.f("fk_entries_table_id_match_number_matches"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("table_id", "match_number", "seq", name=op.f("pk_entries")),
        sa.UniqueConstraint("table_id", "match_number", "key", name=op.f("uq_entries_table_id_match_number_key")),
    )
    old, new = (sa.table(name, *map(sa.column, COLUMNS)) for name in ("old_entries", "entries"))
    op.execute(sa.insert(new).from_select(COLUMNS, sa.select(*(old.c[name] for name in COLUMNS))))
    op.drop_table("old_entries")
