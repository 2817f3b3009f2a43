"""Let each line of a log carry the hash of the line before it. Lines that are there are chained now, and their match says when.

Add which backups were put back, and what phones say that they saw of a match.

Follows 0013.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from alembic import op

from companion.engine import chain

revision = "0014"
down_revision = "0013"

AT_ONCE = 1000  # rows that are read and written together


def upgrade() -> None:
    """Go one step forward."""
    op.add_column("entries", sa.Column("chain", sa.String(length=64), server_default="", nullable=False))
    op.add_column("matches", sa.Column("names", sa.JSON(), nullable=True))
    op.add_column("matches", sa.Column("chained", sa.DateTime(), nullable=True))
    _chain_lines(op.get_bind(), datetime.now(UTC).replace(tzinfo=None))
    op.create_table(
        "restores",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("made", sa.DateTime(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_restores"),
    )
    op.create_table(
        "witnesses",
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("match_number", sa.Integer(), nullable=False),
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("entries", sa.Integer(), nullable=False),
        sa.Column("head", sa.String(length=64), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id", "match_number"],
            ["matches.table_id", "matches.number"],
            name="fk_witnesses_table_id_match_number_matches",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("table_id", "match_number", "person", name="pk_witnesses"),
    )


def _chain_lines(connection: sa.Connection, chained: datetime) -> None:
    matches = sa.table(
        "matches",
        *map(sa.column, ("table_id", "number", "game", "edition", "seq")),
        *(sa.column(name, sa.JSON()) for name in ("players", "others", "options")),
        *(sa.column(name, sa.DateTime()) for name in ("created", "chained")),
    )
    entries = sa.table(
        "entries",
        *map(sa.column, ("table_id", "match_number", "seq", "key", "player", "kind", "body", "chain")),
        sa.column("at", sa.DateTime()),
    )
    write = (
        sa.update(entries)
        .where(
            entries.c.table_id == sa.bindparam("its_table"),
            entries.c.match_number == sa.bindparam("its_number"),
            entries.c.seq == sa.bindparam("line"),
        )
        .values(chain=sa.bindparam("hash"))
    )
    for match in connection.execute(sa.select(matches).where(matches.c.seq > 0)).all():
        its = {"its_table": match.table_id, "its_number": match.number}
        head = chain.beginning(
            game=match.game,
            edition=match.edition,
            players=match.players,
            options=match.options,
            created=match.created,
            chained=chained,
        )
        people = [*match.players, *match.others]
        lines = sa.select(entries).where(entries.c.table_id == match.table_id, entries.c.match_number == match.number)
        heads = []
        for line in connection.execute(lines.order_by(entries.c.seq)).all():
            head = _after(head, line, people)
            heads.append({**its, "line": line.seq, "hash": head})
        for at in range(0, len(heads), AT_ONCE):
            connection.execute(write, heads[at : at + AT_ONCE])
    connection.execute(sa.update(matches).where(matches.c.seq > 0).values(chained=chained))


def _after(head: str, line: sa.Row[Any], people: list[str]) -> str:
    body = json.loads(line.body)
    is_player = line.player is not None and line.player < len(people)
    return chain.link(
        head,
        key=line.key,
        at=line.at,
        kind=line.kind,
        player=line.player,
        name=people[line.player] if is_player else None,
        of=body.get("of"),
        events=body.get("events", []),
    )
