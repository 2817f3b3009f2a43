"""Let every key of matches, entries, drafts and bags begin with the table; cut entries into parts by table where that is asked.

A match is known by its table and its number there; it had a number of its own among all matches before. Each relation is made
anew and filled from the old one, which is the same on SQLite and PostgreSQL, and writes every row once.

Follows 0006.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import context, op

revision = "0007"
down_revision = "0006"

OLD = {  # with their keys, whose names are needed again: PostgreSQL has them for a whole schema
    "matches": ("pk_matches", "uq_matches_table_id_number"),
    "entries": ("pk_entries", "uq_entries_match_id_key"),
    "drafts": ("pk_drafts",),
    "bags": ("pk_bags",),
}
MATCH = ("table_id", "number", "game", "edition", "players", "options", "seq", "head", "begun_by", "created", "brought")
OF_MATCH = {
    "entries": ("seq", "key", "player", "at", "kind", "body"),
    "drafts": ("after", "body", "steps"),
    "bags": ("seed", "shown"),
}


def upgrade() -> None:
    """Go one step forward."""
    postgresql = op.get_bind().dialect.name == "postgresql"
    for relation, keys in OLD.items():
        op.rename_table(relation, f"old_{relation}")
        for key in keys if postgresql else ():
            op.execute(f"ALTER INDEX {key} RENAME TO old_{key}")
    _create(context.config.attributes.get("partitions", 0) if postgresql else 0)
    matches = sa.table("old_matches", sa.column("id"), *map(sa.column, MATCH))
    op.execute(
        sa.insert(sa.table("matches", *map(sa.column, MATCH))).from_select(MATCH, sa.select(*(matches.c[it] for it in MATCH)))
    )
    for relation, columns in OF_MATCH.items():
        old = sa.table(f"old_{relation}", sa.column("match_id"), *map(sa.column, columns))
        rows = sa.select(matches.c.table_id, matches.c.number, *(old.c[it] for it in columns))
        names = ("table_id", "match_number", *columns)
        new = sa.table(relation, *map(sa.column, names))
        op.execute(sa.insert(new).from_select(names, rows.join_from(old, matches, matches.c.id == old.c.match_id)))
    for relation in reversed(OLD):
        op.drop_table(f"old_{relation}")


def _create(partitions: int) -> None:
    op.create_table(
        "matches",
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("edition", sa.Integer(), nullable=False),
        sa.Column("players", sa.JSON(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("head", sa.Integer(), server_default="0", nullable=False),
        sa.Column("begun_by", sa.Integer(), nullable=True),
        sa.Column("created", sa.DateTime(), nullable=False),
        sa.Column("brought", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.CheckConstraint("seq >= 0", name=op.f("ck_matches_seq")),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_matches_table_id_tables"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("table_id", "number", name=op.f("pk_matches")),
    )
    op.create_table(
        "entries",
        *_of_match("entries"),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("player", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.CheckConstraint("kind IN ('events', 'undo', 'correct')", name=op.f("ck_entries_kind")),
        sa.PrimaryKeyConstraint("table_id", "match_number", "seq", name=op.f("pk_entries")),
        sa.UniqueConstraint("table_id", "match_number", "key", name=op.f("uq_entries_table_id_match_number_key")),
        postgresql_partition_by="HASH (table_id)" if partitions else None,
    )
    for part in range(partitions):
        op.execute(f"CREATE TABLE entries_{part} PARTITION OF entries FOR VALUES WITH (MODULUS {partitions}, REMAINDER {part})")
    op.create_table(
        "drafts",
        *_of_match("drafts"),
        sa.Column("after", sa.Integer(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("steps", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "match_number", "after", name=op.f("pk_drafts")),
    )
    op.create_table(
        "bags",
        *_of_match("bags"),
        sa.Column("seed", sa.LargeBinary(), nullable=False),
        sa.Column("shown", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "match_number", name=op.f("pk_bags")),
    )


def _of_match(relation: str) -> tuple[sa.Column[int], sa.Column[int], sa.ForeignKeyConstraint]:
    return (
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("match_number", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id", "match_number"],
            ["matches.table_id", "matches.number"],
            name=op.f(f"fk_{relation}_table_id_match_number_matches"),
            ondelete="CASCADE",
        ),
    )
