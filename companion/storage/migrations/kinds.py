"""How may a line of a log be of one more kind? PostgreSQL alters what the table allows; SQLite makes the table anew."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

COLUMNS = ("table_id", "match_number", "seq", "key", "player", "at", "kind", "body", "chain")  # from 0014 on


def allow(*kinds: str) -> None:
    """Let the lines of a log be of these kinds and no other."""
    allowed = f"kind IN ({', '.join(map(repr, kinds))})"
    if op.get_bind().dialect.name == "postgresql":  # the parts of a divided relation follow
        op.drop_constraint(op.f("ck_entries_kind"), "entries", type_="check")
        op.create_check_constraint(op.f("ck_entries_kind"), "entries", allowed)
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
        sa.CheckConstraint(allowed, name=op.f("ck_entries_kind")),
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
