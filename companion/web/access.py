"""Who may do what at a table? The play link may write, the watch link may only read."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, wraps
from typing import NamedTuple, ParamSpec, Protocol, TypeVar

from flask import abort, g, request, session
from sqlalchemy import and_, bindparam, func, or_, select
from sqlalchemy.orm import aliased

from companion.engine.text import say
from companion.matches import repository
from companion.matches.repository import Stands
from companion.storage import database, notifications
from companion.storage.models import Draft, Match, MatchId, Player, Table, db
from companion.storage.statements import Statement

P = ParamSpec("P")
R = TypeVar("R")

FETCHED = frozenset(("stream.follow", "table.qr", "install.of_table"))  # by a page, and not by whoever looks at it
KNOWN_TABLES = 12  # as many as a home page can show and a cookie can hold

# All that a page of a match has to ask the database, if the match's log is known already.
_OF_TABLE = aliased(Match)
_AT_LINK = Statement(
    select(
        *(Table.id, Table.seq, Table.name, Table.play_token, Player.name),
        select(func.max(_OF_TABLE.number)).where(_OF_TABLE.table_id == Table.id).scalar_subquery(),
        *(Match.seq, Match.players, Match.others, repository.LAST_KEY, Draft.body, Draft.steps),
    )
    .outerjoin(Player, and_(Player.table_id == Table.id, Player.phone == bindparam("phone")))
    .outerjoin(Match, and_(Match.table_id == Table.id, Match.number == bindparam("number")))
    .outerjoin(Draft, and_(Draft.table_id == Match.table_id, Draft.match_number == Match.number, Draft.after == Match.head))
    .where(or_(Table.play_token == bindparam("token"), Table.watch_token == bindparam("token")))
)


class TableRow(NamedTuple):
    """A table as every page knows it: ``seq`` has grown with everything that its phones might show, ``newest`` is the number of
    its newest match, 0 before the first.
    """

    id: int
    seq: int
    name: str
    newest: int


class MatchRow(NamedTuple):
    """A match as the database has it: its log's last line, how its people are called now, the last line's key, and what the
    phones share of the next entry, with the steps that led there.
    """

    id: MatchId
    seq: int
    players: Sequence[str]
    others: Sequence[str]
    key: str | None
    draft: str | None
    steps: str | None

    @property
    def stands(self) -> Stands:
        """Where its log is."""
        return Stands(self.seq, self.players, self.others, self.key)


@dataclass(frozen=True)
class TableAccess:
    """Somebody looking at a table: which table, by which link, with which phone, and as whom, if the phone said so.

    ``name`` is the name of whoever this phone said it belongs to: "I am Ana". ``match`` is the match that was asked for, if
    there is one with that number.
    """

    row: TableRow
    token: str
    may_enter: bool
    phone: str
    name: str | None
    match: MatchRow | None = None

    @cached_property
    def table(self) -> Table:
        """The whole table, with its people: for the table's own pages."""
        return db.session.get_one(Table, self.row.id)

    @property
    def player(self) -> Player | None:
        """Whoever this phone said it belongs to."""
        if not self.may_enter:
            return None
        return next((player for player in self.table.players if player.phone == self.phone), None)


class HasId(Protocol):
    """Whatever a table is known by."""

    @property
    def id(self) -> int: ...


def phone_id() -> str:
    """Return this phone's own random name, kept in its cookie; it says nothing about anybody."""
    phone = session.get("phone")
    if not isinstance(phone, str):
        phone = session["phone"] = secrets.token_urlsafe(12)
        session.permanent = True
    return phone


def remember_table(table: HasId, token: str) -> None:
    """Put the table first among those that this phone knows, by this link."""
    known = [[number, link] for number, link in known_tables() if number != table.id]
    tables = [[table.id, token], *known][:KNOWN_TABLES]
    if session.get("tables") != tables:
        session["tables"] = tables
        session.permanent = True


def forget_table(table_id: int) -> None:
    """Take the table off this phone's list."""
    session["tables"] = [[number, link] for number, link in known_tables() if number != table_id]


def known_tables() -> list[tuple[int, str]]:
    """Return the tables that this phone has been at, newest first, each with the link it came by."""
    tables = session.get("tables")
    if not isinstance(tables, list):
        return []
    return [(int(number), str(link)) for number, link in tables]


def resolve_link(token: str, number: int | None = None) -> TableAccess:
    """Return the table behind a link, with its match of this number; 404 without such a table, or for a replaced link.

    Looked up once a request.
    """
    known = g.get("table_access")
    if isinstance(known, TableAccess) and known.token == token and (number is None or g.table_access_number == number):
        return known
    row = None
    if token.isascii() and token.isprintable():  # other text is never a link of ours, and some databases refuse it
        asked = number if number is not None and number <= repository.LARGEST_ID else None
        with database.reading() as connection:
            row = _AT_LINK.one(connection, token=token, phone=session.get("phone"), number=asked)
    if row is None:
        abort(404, say("No table has this link. It may have been replaced: ask somebody at the table to show the code again."))
    table_id, seq, table_name, play_token, name, newest, last, players, others, key, draft, steps = row
    table_row = TableRow(table_id, seq, table_name, newest or 0)
    may_enter = secrets.compare_digest(play_token, token)
    there = last, players, others, key, draft, steps
    match = None if last is None or number is None else MatchRow(MatchId(table_id, number), *there)
    if came_to_stay(table_id):
        remember_table(table_row, token if may_enter or (table_id, play_token) not in known_tables() else play_token)
    g.table_access = seen = TableAccess(table_row, token, may_enter, phone_id(), name if may_enter else None, match)
    g.table_access_number = number
    return seen


def came_to_stay(table_id: int) -> bool:
    """Return False if this phone was only led to an unknown table: by another site, or by what a page fetches itself.

    Else a page elsewhere could fill the phone's list with foreign tables, and push its own ones off.
    """
    if request.method == "POST" or any(number == table_id for number, _ in known_tables()):
        return True
    headers = request.headers
    fetched = request.endpoint in FETCHED or "Companion-Fetch" in headers
    return headers.get("Sec-Fetch-Site") != "cross-site" and not fetched


def players_only(view: Callable[P, R]) -> Callable[P, R]:
    """Let views that change something answer 403 to the watch link, and change nothing."""

    @wraps(view)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> R:
        link, number = str(kwargs["token"]), kwargs.get("number")
        seen = resolve_link(link, number if isinstance(number, int) else None)
        if not seen.may_enter:
            abort(403, say("This link is for watching. To enter something, open the table's play link."))
        if request.method == "POST":
            notifications.hub().acts(seen.row.id, seen.phone)
        return view(*args, **kwargs)

    return guarded
