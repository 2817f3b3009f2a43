"""What a table's phones share of the next entry before it is complete. The next line of its log voids it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec
from sqlalchemy import Connection, bindparam, delete, insert, select

from companion import database, live, stored
from companion.engine.core import JSON, RuleError
from companion.models import Draft, db

LARGEST: Final = 16 * 1024  # bytes

_READ = select(Draft.after, Draft.body).where(Draft.match_id == bindparam("match_id"))
_DROP = delete(Draft).where(Draft.match_id == bindparam("match_id"))
_ADD = insert(Draft)


def draft(match_id: int, seq: int) -> dict[str, JSON] | None:
    """What is known of the entry after line ``seq``; None when there is nothing, or when it was about another line."""
    return _read(db.session.connection(), match_id, seq) if 0 < match_id <= stored.LARGEST_ID else None


def _read(connection: Connection, match_id: int, seq: int) -> dict[str, JSON] | None:
    row = connection.execute(_READ, {"match_id": match_id}).one_or_none()
    if row is None or row.after != seq:
        return None
    body: dict[str, JSON] = msgspec.json.decode(row.body)
    return body


def change_draft(match_id: int, change: Callable[[dict[str, JSON] | None], dict[str, JSON] | None]) -> dict[str, JSON] | None:
    """Let ``change`` make a new draft of the present one, or None to drop it; returns the new one. All phones hear of it.

    ``change`` runs where nobody else can change the draft: it must not wait for anything. What it raises is passed on, and
    nothing is changed. Raises Unknown when there is no such match, and RuleError when the draft grows out of bounds.
    """
    with database.writing() as connection:
        held = stored.hold(connection, match_id)
        old = _read(connection, match_id, held.seq)
        new = change(old)
        if new == old:
            return new
        connection.execute(_DROP, {"match_id": match_id})
        if new is not None:
            body = msgspec.json.encode(new)
            if len(body) > LARGEST:
                raise RuleError("That is more than one entry can hold. Take something back first.")
            connection.execute(_ADD, {"match_id": match_id, "after": held.seq, "body": body.decode()})
        live.changed(held.table_id)
    return new
