"""Who may do what at a table? The play link may write, the watch link may only read."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, wraps
from typing import NamedTuple, ParamSpec, Protocol, TypeVar

from flask import abort, current_app, g, redirect, request, session
from sqlalchemy import and_, bindparam, func, or_, select
from sqlalchemy.orm import aliased

from companion.engine.text import say
from companion.matches import repository
from companion.matches.repository import Stands
from companion.storage import database, notifications
from companion.storage.models import Draft, Entry, Match, MatchId, Player, Table, db, now
from companion.storage.statements import Statement
from companion.tables import knocks

P = ParamSpec("P")
R = TypeVar("R")

FETCHED = frozenset(("stream.follow", "table.qr", "install.of_table", "old_screen.show"))  # and not by who looks for a table
JOINING = frozenset(("table.join", "table.sit"))  # where a phone says whose it is
KNOWN_TABLES = 80  # as many as a cookie can hold, of which browsers keep 4,096 bytes
WATCHED_TABLES = 12

# The evening's older match that was changed last, if later than the newest line of the match in sight: its new winner is news
# there. An evening has few matches, and only their last lines are read.
OF_AN_EVENING = 12  # matches
_OLDER, _CHANGED, _NEWEST = aliased(Match), aliased(Entry), aliased(Entry)
_NEWEST_AT = (
    select(_NEWEST.at)
    .where(_NEWEST.table_id == Match.table_id, _NEWEST.match_number == Match.number, _NEWEST.seq == Match.seq)
    .correlate(Match)
    .scalar_subquery()
)
_CHANGED_SINCE = (
    select(_OLDER.number)
    .join(
        _CHANGED,
        and_(_CHANGED.table_id == _OLDER.table_id, _CHANGED.match_number == _OLDER.number, _CHANGED.seq == _OLDER.seq),
    )
    .where(_OLDER.table_id == Match.table_id, _OLDER.number.between(Match.number - OF_AN_EVENING, Match.number - 1))
    .where(_CHANGED.at > func.coalesce(_NEWEST_AT, Match.created))
    .order_by(_CHANGED.at.desc())
    .limit(1)
    .correlate(Match)
    .scalar_subquery()
)

# All that a page of a match has to ask the database, if the match's log is known already.
_OF_TABLE = aliased(Match)
_AT_LINK = Statement(
    select(
        *(Table.id, Table.seq, Table.name, Table.created, Table.agrees, Table.play_token, Table.watch_token, Player.name),
        select(func.max(_OF_TABLE.number)).where(_OF_TABLE.table_id == Table.id).scalar_subquery(),
        knocks.NUMBER_AT_TABLE,
        *(Match.seq, Match.players, Match.others, repository.LAST_KEY, Draft.body, Draft.steps, _CHANGED_SINCE),
    )
    .outerjoin(Player, and_(Player.table_id == Table.id, Player.phone == bindparam("phone")))
    .outerjoin(Match, and_(Match.table_id == Table.id, Match.number == bindparam("number")))
    .outerjoin(Draft, and_(Draft.table_id == Match.table_id, Draft.match_number == Match.number, Draft.after == Match.head))
    .where(or_(Table.play_token == bindparam("token"), Table.watch_token == bindparam("token")))
)


class TableRow(NamedTuple):
    """A table as every page knows it.

    ``seq`` grows with everything that a phone of the table might show. ``newest`` is the number of its newest match, 0 before
    the first. ``agrees``: after each entry the other side is asked. ``knock`` is the number of a phone that asks to be let in.
    """

    id: int
    seq: int
    name: str
    newest: int
    created: datetime
    agrees: bool
    knock: int | None = None


class MatchRow(NamedTuple):
    """A match as the database has it: its log's last line, how its people are called now, the last line's key, and what the
    phones share of the next entry, with the steps that led there.

    ``changed_since`` is the number of an older match of the table in which something was done after that line, if there is one.
    """

    id: MatchId
    seq: int
    players: Sequence[str]
    others: Sequence[str]
    key: str | None
    draft: str | None
    steps: str | None
    changed_since: int | None = None

    @property
    def stands(self) -> Stands:
        """Where its log is."""
        return Stands(self.seq, self.players, self.others, self.key)


@dataclass(frozen=True)
class TableAccess:
    """A phone that opens a table, by one of the table's links and for one of its players.

    ``name`` is the name of the phone's player, who said "I am Ana", or None. ``match`` is the match of the address, if the
    table has one with that number. ``way_back`` is the play link of a phone that chose only to watch.
    """

    row: TableRow
    token: str
    may_enter: bool
    phone: str
    name: str | None
    match: MatchRow | None = None
    way_back: str = ""

    @cached_property
    def table(self) -> Table:
        """The whole table, with its people: for the table's own pages."""
        return db.session.get_one(Table, self.row.id)

    @property
    def player(self) -> Player | None:
        """The phone's player, or None."""
        if not self.may_enter:
            return None
        return next((player for player in self.table.players if player.phone == self.phone), None)


class HasId(Protocol):
    """Whatever a table is known by."""

    @property
    def id(self) -> int: ...


class HasBirth(HasId, Protocol):
    """A table, as far as it tells itself from all others."""

    @property
    def created(self) -> datetime: ...


def secrets_name(table: HasBirth) -> str:
    """Return under which name phones keep what only they may know of a table: its players' goals.

    Numbers of tables are alike on every server and in every phone, and are given again. This name is no other table's, says
    nothing of a link, and stays when a link is replaced. That of a table in this phone says so: it goes with Companion.
    """
    key = current_app.secret_key or ""
    key = hashlib.sha256(key.encode() if isinstance(key, str) else key).digest()
    born = f"{table.id} {table.created.isoformat()}".encode()
    name = hashlib.blake2b(born, key=key, digest_size=12, person=b"secrets").hexdigest()
    return f"pocket-{name}" if current_app.config["POCKET"] else name


def phone_id() -> str:
    """Return this phone's own random name, kept in its cookie; it says nothing about anybody."""
    phone = session.get("phone")
    if not isinstance(phone, str):
        phone = session["phone"] = secrets.token_urlsafe(12)
        session.permanent = True
    return phone


def remember_table(table: HasId, token: str) -> None:
    """Put the table first among those that this phone knows, by this link."""
    list_tables([(table.id, token), *(other for other in known_tables() if other[0] != table.id)])


def list_tables(tables: Sequence[tuple[int, str]]) -> None:
    """Let this phone's list have these tables, newest first. Where room ends, the home page names the one that left."""
    most = len(tables) if current_app.config["POCKET"] else KNOWN_TABLES  # a phone's storage holds a cookie of any size
    listed = [[number, link] for number, link in tables[:most]]
    if session.get("tables") != listed:
        session["tables"] = listed
        session.permanent = True
    if len(tables) > most:
        session["left"] = list(tables[most])


def forget_table(table_id: int) -> None:
    """Take the table off this phone's list."""
    session["tables"] = [[number, link] for number, link in known_tables() if number != table_id]


def known_tables() -> list[tuple[int, str]]:
    """Return the tables that this phone has been at, newest first, each with the link it came by."""
    tables = session.get("tables")
    if not isinstance(tables, list):
        return []
    return [(int(number), str(link)) for number, link in tables]


def watches_only(table_id: int) -> bool:
    """Return True if somebody said that this phone only watches the table."""
    return table_id in session.get("watches", ())


def watch_only(table_id: int) -> None:
    """Let this phone only watch the table, until it says whose it is."""
    watched = [number for number in session.get("watches", ()) if number != table_id]
    session["watches"] = [table_id, *watched][:WATCHED_TABLES]


def lead_to_watching(play_token: str, watch_token: str) -> None:
    """Lead a phone that only watches from the link to play to the same page by the link to watch, which has no keys.

    Not from where it says whose it is after all. What it sends is refused with 403.
    """
    if (request.view_args or {}).get("token") != play_token or request.endpoint in JOINING or request.form.get("do") == "claim":
        return
    if request.method == "POST":
        abort(403, say("This phone only watches. Say who you are, then enter it again."))
    address = request.full_path if request.query_string else request.path
    abort(redirect(request.root_path + address.replace(play_token, watch_token, 1)))


def resolve_link(token: str, number: int | None = None) -> TableAccess:
    """Return the table behind a link, with its match of this number; 404 without such a table, or for a replaced link.

    Looked up once a request.
    """
    resolved = g.get("table_access")
    if isinstance(resolved, TableAccess) and resolved.token == token and (number is None or g.table_access_number == number):
        return resolved
    row = None
    if token.isascii() and token.isprintable():  # other text is never a link of ours, and some databases refuse it
        number_asked = number if number is not None and number <= repository.LARGEST_ID else None
        with database.reading() as connection:
            row = _AT_LINK.one(connection, token=token, phone=session.get("phone"), number=number_asked, now=now())
    if row is None:
        if current_app.config["POCKET"]:
            here = say(
                "This phone does not have this table. It was put online or removed, or it is on another phone. "
                "There, tap “Let others in”."
            )
            abort(404, here)
        abort(404, say("No table has this link. It may have been replaced: ask somebody at the table to show the code again."))
    table_id, seq, table_name, created, agrees, play_token, watch_token, name, newest, knock, *of_match = row
    last, players, others, key, draft, steps, since = of_match
    may_enter = secrets.compare_digest(play_token, token)
    table_row = TableRow(table_id, seq, table_name, newest or 0, created, agrees, knock if may_enter else None)
    row_of_match = last, players, others, key, draft, steps, since
    match = None if last is None or number is None else MatchRow(MatchId(table_id, number), *row_of_match)
    if came_to_stay(table_id):
        remember_table(table_row, token if may_enter or (table_id, play_token) not in known_tables() else play_token)
    way_back = ""
    if watches_only(table_id):
        if may_enter and name is not None:
            session["watches"] = [number for number in session["watches"] if number != table_id]
        elif may_enter:
            lead_to_watching(play_token, watch_token)
        elif (table_id, play_token) in known_tables():
            way_back = play_token
    g.table_access = seen = TableAccess(table_row, token, may_enter, phone_id(), name if may_enter else None, match, way_back)
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
            abort(403, say("This link is for watching. To enter something, open the table’s play link."))
        if request.method == "POST":
            notifications.hub().acts(seen.row.id, seen.phone)
        return view(*args, **kwargs)

    return guarded
