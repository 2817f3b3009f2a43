"""Does each match end as its log does? The server compares head and tail when it starts."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

import msgspec
from flask import Flask
from sqlalchemy import Connection, and_, bindparam, select, tuple_
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import aliased

from companion.engine import chain
from companion.matches import repository
from companion.storage import database
from companion.storage.models import Entry, Match, MatchId
from companion.storage.yielding import breathe

AT_ONCE: Final = 200  # matches that are read together

logger = logging.getLogger(__name__)

_last, _before = aliased(Entry), aliased(Entry)
_TAILS = (
    select(
        *(Match.table_id, Match.number, Match.seq, Match.players, Match.others, Match.names),
        *(_last.key, _last.player, _last.at, _last.kind, _last.body, _last.chain, _before.chain.label("before")),
    )
    .outerjoin(_last, and_(_last.table_id == Match.table_id, _last.match_number == Match.number, _last.seq == Match.seq))
    .outerjoin(
        _before, and_(_before.table_id == Match.table_id, _before.match_number == Match.number, _before.seq == Match.seq - 1)
    )
    .where(Match.seq > 0, tuple_(Match.table_id, Match.number) > tuple_(bindparam("table"), bindparam("number")))
    .order_by(Match.table_id, Match.number)
    .limit(AT_ONCE)
)


class _Body(msgspec.Struct, frozen=True):
    of: int | None = None
    events: list[Any] = []
    made: datetime | None = None


_BODY: Final = msgspec.json.Decoder(_Body)


def compare(app: Flask) -> None:
    """Log each match whose log does not end as the match says. A database that is away is no reason not to start."""
    try:
        with app.app_context():
            for table, number in differing():
                logger.error("match %d of table %d does not end as its log does: a line was cut or changed", number, table)
    except SQLAlchemyError:
        logger.warning("the ends of the logs were not compared: the database is away")


def differing() -> Iterator[MatchId]:
    """Yield the matches whose last line is missing, or whose hash does not follow from its content and the line before."""
    place = MatchId(0, 0)
    while True:
        with database.reading() as connection:
            rows = connection.execute(_TAILS, {"table": place.table_id, "number": place.number}).all()
            ends = [(MatchId(row.table_id, row.number), _fits(row, _hash_before(connection, row))) for row in rows]
        yield from (match_id for match_id, fits in ends if not fits)
        if len(rows) < AT_ONCE:
            return
        place = ends[-1][0]
        breathe()


def _hash_before(connection: Connection, row: Any) -> str:
    """Return the hash that a match's last line builds on; empty if the line before has none."""
    if row.seq > 1:
        return str(row.before or "")
    return repository.chain_beginning(connection, MatchId(row.table_id, row.number))


def _fits(row: Any, before: str) -> bool:
    if row.key is None or not before:
        return False
    people = [*(row.names or []), *(*row.players, *row.others)[len(row.names or []) :]]
    try:
        body = _BODY.decode(row.body)
        name = None if row.player is None or row.player >= len(people) else people[row.player]
        head = chain.link(
            before,
            key=row.key,
            at=row.at,
            kind=row.kind,
            player=row.player,
            name=name,
            of=body.of,
            events=body.events,
            made=body.made,
        )
    except (msgspec.MsgspecError, ValueError):
        return False
    return bool(head == row.chain)
