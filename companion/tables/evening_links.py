"""Which link of a table is good for one evening? What stands on an old television is read by all in the room, so it ends."""

from __future__ import annotations

import hmac
from datetime import datetime, timedelta
from typing import Final

from flask import current_app
from sqlalchemy import select

from companion.almanac.facts import PAUSE
from companion.matches.repository import LARGEST_ID
from companion.storage.models import Entry, Table, db, now

HOUR: Final = timedelta(hours=1)
LONGEST: Final = 40  # characters


def link_of(table: Table) -> str:
    """Return the table's link of this evening: its number, its age in hours, our signature. Alike for the whole hour."""
    return _signed(table, (now() - table.created) // HOUR)


def table_of(link: str) -> Table | None:
    """Return the table of a link; None once the evening is over, or the link to watch was replaced."""
    number, hour, *rest = link.split("-")[:3] if len(link) <= LONGEST else ["", ""]
    if not (rest and number.isascii() and number.isdecimal() and hour.isascii() and hour.isdecimal()):
        return None
    table = db.session.get(Table, min(int(number), LARGEST_ID))
    if table is None or not hmac.compare_digest(_signed(table, int(hour)).encode(), link.encode()):
        return None
    return table if _goes_on(table.id, table.created + int(hour) * HOUR) else None


def _signed(table: Table, hour: int) -> str:
    key = current_app.secret_key or ""
    text = f"an evening of {table.id} {hour} {table.watch_token}".encode()
    return f"{table.id}-{hour}-{hmac.digest(key.encode() if isinstance(key, str) else key, text, 'sha256').hex()[:12]}"


def _goes_on(table_id: int, since: datetime) -> bool:
    """Return True while nobody paused for longer than an evening lasts without an entry."""
    query = select(Entry.at).where(Entry.table_id == table_id, Entry.at > since).order_by(Entry.at)
    for at in (*db.session.scalars(query), now()):
        if (at - since).total_seconds() > PAUSE:
            return False
        since = at
    return True
