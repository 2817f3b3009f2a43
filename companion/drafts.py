"""What a table's phones share of the next entry before it is complete. The next line of its log voids it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec
from sqlalchemy import Connection, bindparam, delete, insert, select

from companion import database, live, stored
from companion.engine.core import JSON, RuleError
from companion.models import Draft
from companion.prepared import Prepared

LARGEST: Final = 16 * 1024  # bytes

_READ = Prepared(select(Draft.after, Draft.body).where(Draft.match_id == bindparam("match_id")))
_DROP = Prepared(delete(Draft).where(Draft.match_id == bindparam("match_id")))
_ADD = Prepared(insert(Draft).values({name: bindparam(name) for name in ("match_id", "after", "body")}))


def draft(match_id: int, seq: int) -> dict[str, JSON] | None:
    """What is known of the entry after line ``seq``; None when there is nothing, or when it was about another line."""
    if not 0 < match_id <= stored.LARGEST_ID:
        return None
    with database.reading() as connection:
        return _read(connection, match_id, seq)


def _read(connection: Connection, match_id: int, seq: int) -> dict[str, JSON] | None:
    row = _READ.one(connection, match_id=match_id)
    return None if row is None else as_of(seq, *row)


def as_of(seq: int, after: int | None, body: str | None) -> dict[str, JSON] | None:
    """The draft as it is stored, if it belongs to a log at line ``seq``; else None."""
    if after != seq or body is None:
        return None
    draft: dict[str, JSON] = msgspec.json.decode(body)
    return draft


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
        _DROP.all(connection, match_id=match_id)
        if new is not None:
            body = msgspec.json.encode(new)
            if len(body) > LARGEST:
                raise RuleError("That is more than one entry can hold. Take something back first.")
            _ADD.all(connection, match_id=match_id, after=held.seq, body=body.decode())
        live.changed(held.table_id)
    return new
