"""What does a phone keep of its own? Score sheets that its owner made, or that somebody passed on to it.

They are the phone's and no table's, until a match is played by one: that match holds it whole.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import delete, func, select
from sqlalchemy.exc import IntegrityError

from companion.engine.text import say
from companion.storage.database import writing
from companion.storage.models import Kept, db
from companion.tables.seating import TableError

MOST: Final = 60  # of a phone


def kept(phone: str, game: str) -> list[Kept]:
    """Return what a phone keeps of a game's shelf, the newest first."""
    return list(db.session.scalars(select(Kept).where(Kept.phone == phone, Kept.game == game).order_by(Kept.number.desc())))


def kept_at_all(phone: str) -> bool:
    """Return whether a phone keeps anything."""
    return db.session.scalar(select(Kept.number).where(Kept.phone == phone).limit(1)) is not None


def keep_those_of(other: str, phone: str) -> None:
    """Keep on a phone what another one of the same person keeps, in its order. Raises TableError as :func:`keep` does."""
    if other != phone:
        for item in db.session.scalars(select(Kept).where(Kept.phone == other).order_by(Kept.number)).all():
            keep(phone, item.game, item.text)


def keep(phone: str, game: str, text: str, *, instead: tuple[int, ...] = ()) -> int:
    """Keep an item, ``instead`` of others, and return its number. An item that the phone has already keeps its number.

    Raises TableError where a phone keeps too many.
    """
    try:
        return _keep(phone, game, text, instead)
    except IntegrityError:  # another process was faster, and took the number; by now what it kept can be read
        return _keep(phone, game, text, instead)


def _keep(phone: str, game: str, text: str, instead: tuple[int, ...]) -> int:
    with writing(("phone", phone)):
        numbers = {item.text: item.number for item in kept(phone, game)}
        if text in numbers:
            return numbers[text]
        if len(numbers) - len(instead) >= MOST:
            raise TableError(say("This phone keeps {most} sheets, as many as it can. Remove one first.", most=MOST))
        newest = db.session.scalar(select(func.max(Kept.number)).where(Kept.phone == phone)) or 0
        db.session.add(Kept(phone=phone, number=newest + 1, game=game, text=text))
        db.session.execute(delete(Kept).where(Kept.phone == phone, Kept.number.in_(instead)))
        return newest + 1


def forget(phone: str, number: int) -> None:
    """Keep an item no longer."""
    with writing():
        db.session.execute(delete(Kept).where(Kept.phone == phone, Kept.number == number))
