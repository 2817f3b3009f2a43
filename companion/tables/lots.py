"""Who begins, by lot? A seed that was sealed before decides, so anybody can check that nobody chose.

The seed of a table's next lot is made from the server's secret key. So its seal is known before anybody draws, and nothing is
stored until then. A seed says nothing of the next one. A new play link or a restored backup gives the next lot another seed:
no lot that somebody has seen is drawn again. The lot itself is :func:`companion.engine.fair_draw.lot`. Its words are the names
of those who take part, in the order of their seats, and a word of whoever draws.
"""

from __future__ import annotations

import hmac
from collections.abc import Collection
from typing import Any, Final

from flask import current_app
from sqlalchemy import func, select

from companion.engine import fair_draw
from companion.engine.text import say
from companion.storage.models import Lot, Match, Restore, Table, db
from companion.tables import results, seating
from companion.tables.seating import TableError

FEWEST: Final = 2  # people
MOST_LISTED: Final = 12  # of the newest lots
_PURPOSE: Final = "companion-lot/1"


def how_many(table_id: int) -> int:
    """Return how many lots were drawn at the table."""
    return db.session.scalar(select(func.max(Lot.number)).where(Lot.table_id == table_id)) or 0


def newest(table_id: int, count: int = 1) -> list[Lot]:
    """Return the last lots that were drawn at the table, newest first."""
    query = select(Lot).where(Lot.table_id == table_id).order_by(Lot.number.desc()).limit(count)
    return list(db.session.scalars(query))


def next_seal(table: Table) -> str:
    """Return the seal of the lot that is drawn next: 64 hex digits, which everybody may see."""
    return fair_draw.seal(_seed(table, how_many(table.id) + 1))


def _seed(table: Table, number: int) -> bytes:
    key = current_app.secret_key or ""
    restored = db.session.scalar(select(func.max(Restore.at)))
    of_table = f"{_PURPOSE} {table.id} {table.play_token} {number} {restored}"
    return hmac.digest(key.encode() if isinstance(key, str) else key, of_table.encode(), "sha256")


def fell_on(lot: Lot) -> str:
    """Return the name of whom a lot fell on, as it was called then."""
    words = [*lot.people, lot.word] if lot.word else lot.people
    return lot.people[fair_draw.lot(fair_draw.key(lot.seed, words), len(lot.people))]


def record(lot: Lot) -> dict[str, Any]:
    """Return a lot as data, for whoever works it out again: ``people``, ``word``, ``seal`` and ``seed``."""
    return {"people": lot.people, "word": lot.word, "seal": fair_draw.seal(lot.seed), "seed": lot.seed.hex()}


def draw(table_id: int, playing: Collection[int], *, number: int, word: str = "", by: str | None = None) -> None:
    """Draw the table's lot of this number among these people, and let whom it falls on be first in the next match.

    If another phone has drawn that lot already, nothing is drawn: two taps at the same moment are one lot. Raises TableError
    (field ``word``) for a word that can't be read or is too long, for fewer than two people, if somebody of them has left, and
    while a match is being played.
    """
    word = word.strip()
    if not word.isprintable():
        raise TableError(say("Use only letters that can be seen."), field="word")
    if len(word) > fair_draw.LONGEST_WORD:
        raise TableError(
            say("This word is too long. It may have {most} characters.", most=fair_draw.LONGEST_WORD), field="word"
        )
    with seating.changing(table_id) as table:
        if number <= how_many(table_id):
            return
        if results.running(table_id) is not None:
            raise TableError(say("A match is being played. Draw lots when it is over."))
        people = [player for player in sorted(table.players, key=lambda player: player.seat) if player.id in playing]
        if len(people) != len(set(playing)):
            raise TableError(say("The seats have changed meanwhile. Look at the table, then draw again."))
        if len(people) < FEWEST:
            raise TableError(say("A lot needs at least {n} people.", n=FEWEST))
        last = db.session.scalar(select(func.max(Match.number)).where(Match.table_id == table_id)) or 0
        lot = Lot(table_id=table_id, number=how_many(table_id) + 1, after=last, word=word, by=by)
        lot.people, lot.seed = [player.name for player in people], _seed(table, lot.number)
        db.session.add(lot)
        table.dealer = next(player.seat for player in people if player.name == fell_on(lot))


def pending(table: Table) -> Lot | None:
    """Return the lot that decides who begins the next match; None if there is none, or if somebody else was chosen since."""
    lot = next(iter(newest(table.id)), None)
    first = seating.first_dealer(table)
    if lot is None or first is None or first.name != fell_on(lot):
        return None
    last = db.session.scalar(select(func.max(Match.number)).where(Match.table_id == table.id)) or 0
    return lot if lot.after == last else None
