"""How does somebody come in while codes are paused? Their phone knocks, and somebody at the table lets it in.

A knock names the table's code. Whether the code is right, only the table learns: there the knock's number appears, and who taps
"Let in" has heard it said. With a wrong code nothing happens anywhere, and to whoever knocked both look alike, so nothing is
gained by guessing.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from sqlalchemy import bindparam, delete, func, select, update

from companion.engine.text import say
from companion.storage import notifications
from companion.storage.database import writing
from companion.storage.models import Knock, Table, db, now
from companion.tables.seating import TableError, checked_code

GOOD_FOR: Final = timedelta(minutes=2)
NUMBERS: Final = range(10, 100)  # as two phones show them
MOST: Final = 1_000  # knocks that wait at a time, at all tables together

# Of a table in an outer statement: the number of a knock that waits there, None without one. They are shown one at a time.
NUMBER_AT_TABLE = (
    select(func.min(Knock.number))
    .where(Knock.code == Table.code, Table.code_until > bindparam("now"), Knock.until > bindparam("now"), Knock.link.is_(None))
    .correlate(Table)
    .scalar_subquery()
)


@dataclass(frozen=True, slots=True)
class Waiting:
    """A phone's knock: the number that both phones show, and the play link once somebody has let it in."""

    number: int
    link: str | None


def knock(typed: str, phone: str) -> None:
    """Ask the table with this code to let a phone in; an earlier knock of the phone is over.

    Raises TableError (field ``code``) for what can't be a code, or while too many phones knock.
    """
    code = checked_code(typed)
    with writing():
        moment = now()
        db.session.execute(delete(Knock).where((Knock.until <= moment) | (Knock.phone == phone)))
        taken = set(db.session.scalars(select(Knock.number).where(Knock.code == code)))
        free = [number for number in NUMBERS if number not in taken]
        if not free or (db.session.scalar(select(func.count()).select_from(Knock)) or 0) >= MOST:
            raise TableError(say("Too many people are asking just now. Scan the QR code, or ask for the link."), field="code")
        db.session.add(Knock(phone=phone, code=code, number=secrets.choice(free), until=moment + GOOD_FOR))
        table = db.session.scalar(select(Table.id).where(Table.code == code, Table.code_until > moment))
        if table is not None:
            notifications.changed(table, links_stay=True)


def waiting(phone: str) -> Waiting | None:
    """Return the knock of a phone; None once its time is over, also if nobody wanted to let it in."""
    stored = db.session.get(Knock, phone)
    return None if stored is None or stored.until <= now() else Waiting(stored.number, stored.link or None)


def answer(table_id: int, number: int, *, let_in: bool) -> None:
    """Let the phone in that shows this number at this table, or don't. The first answer holds.

    Whoever is let in has the present play link.
    """
    with writing():
        table = db.session.get_one(Table, table_id)
        db.session.execute(
            update(Knock)
            .where(Knock.code == table.code, Knock.number == number, Knock.until > now(), Knock.link.is_(None))
            .values(link=table.play_token if let_in else "")
        )
        notifications.changed(table_id, links_stay=True)
