"""What goes along when somebody takes a phone's tables into another browser of the same phone, and by which code?

An icon on an iPhone's home screen opens a browser of its own, with no cookies. The code is typed there once.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta

from sqlalchemy import delete

from companion.engine.text import say
from companion.storage.database import writing
from companion.storage.models import Handover, db, now
from companion.tables.seating import CODE_ALPHABET, TableError, typed_code

LENGTH = 8  # two signs more than a table's code: it opens several tables
GOOD_FOR = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Belongings:
    """A phone's own name, the name of its owner, and its tables: the number of each with the link that the phone has."""

    phone: str
    me: str
    tables: Sequence[tuple[int, str]]


def give(belongings: Belongings) -> str:
    """Keep what goes along, and return the code that brings it, once."""
    code = "".join(secrets.choice(CODE_ALPHABET) for _ in range(LENGTH))
    with writing():
        db.session.execute(delete(Handover).where(Handover.until <= now()))
        db.session.add(Handover(code=code, body=json.dumps(asdict(belongings)), until=now() + GOOD_FOR))
    return code


def is_code(typed: str) -> bool:
    """Return whether this looks like one of these codes, and not like a table's."""
    return len(typed_code(typed)) == LENGTH


def take(typed: str) -> Belongings:
    """Return what the code brings, which is good for nothing from then on. Raises TableError (field ``code``)."""
    code = typed_code(typed)
    with writing():
        handover = db.session.get(Handover, code)
        good = handover is not None and handover.until > now()
        if handover is None or not good or not _removed(code):
            raise TableError(
                say("That code doesn’t work. It is good once, for {minutes} minutes.", minutes=GOOD_FOR.seconds // 60),
                field="code",
            )
        body = json.loads(handover.body)
    return Belongings(body["phone"], body["me"], [(int(number), str(link)) for number, link in body["tables"]])


def _removed(code: str) -> bool:
    """Remove a code; False if somebody else did at this very moment."""
    removing = delete(Handover).where(Handover.code == code).returning(Handover.code)
    return db.session.scalar(removing.execution_options(synchronize_session=False)) is not None
