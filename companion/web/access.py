"""Who may do what: whoever holds a table's play link enters, whoever holds its watch link looks on."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import ParamSpec, TypeVar

from flask import abort, g, session
from sqlalchemy import bindparam, or_, select

from companion.models import Player, Table, db

P = ParamSpec("P")
R = TypeVar("R")

_TABLE = select(Table).where(or_(Table.play_token == bindparam("token"), Table.watch_token == bindparam("token")))

_NAME = select(Player.name).where(Player.table_id == bindparam("table"), Player.phone == bindparam("phone")).limit(1)

KNOWN_TABLES = 12  # as many as a home page can show and a cookie can hold


@dataclass(frozen=True, slots=True)
class Visit:
    """Somebody looking at a table: which table, by which link, with which phone, and as whom, if the phone said so."""

    table: Table
    token: str
    may_enter: bool
    phone: str

    @property
    def player(self) -> Player | None:
        """Whoever this phone said it belongs to: "I am Ana"."""
        if not self.may_enter:
            return None
        return next((player for player in self.table.players if player.phone == self.phone), None)

    @property
    def name(self) -> str | None:
        """The name of whoever this phone said it belongs to; quicker to find than the whole player."""
        if not self.may_enter:
            return None
        return db.session.execute(_NAME, {"table": self.table.id, "phone": self.phone}).scalar()


def phone_id() -> str:
    """This phone's own random name, kept in its cookie; it says nothing about anybody."""
    phone = session.get("phone")
    if not isinstance(phone, str):
        phone = session["phone"] = secrets.token_urlsafe(12)
        session.permanent = True
    return phone


def remember(table: Table, token: str) -> None:
    """Put the table first among those that this phone knows."""
    known = [[number, link] for number, link in known_tables() if number != table.id]
    tables = [[table.id, token], *known][:KNOWN_TABLES]
    if session.get("tables") != tables:
        session["tables"] = tables
        session.permanent = True


def forget(table_id: int) -> None:
    """Take the table off this phone's list."""
    session["tables"] = [[number, link] for number, link in known_tables() if number != table_id]


def known_tables() -> list[tuple[int, str]]:
    """The tables that this phone has been at, newest first, each with the link it came by."""
    tables = session.get("tables")
    if not isinstance(tables, list):
        return []
    return [(int(number), str(link)) for number, link in tables]


def visit(token: str) -> Visit:
    """The table behind a link; 404 when there is none, or when the link has been replaced. Looked up once a request."""
    known = g.get("visit")
    if isinstance(known, Visit) and known.token == token:
        return known
    table = db.session.execute(_TABLE, {"token": token}).scalar_one_or_none()
    if table is None:
        abort(404, "No table has this link. It may have been replaced: ask somebody at the table to show the code again.")
    may_enter = secrets.compare_digest(table.play_token.encode(), token.encode())
    remember(table, token)
    seen = g.visit = Visit(table, token, may_enter, phone_id())
    return seen


def players_only(view: Callable[P, R]) -> Callable[P, R]:
    """For views that change something: with the watch link they answer 403 and change nothing."""

    @wraps(view)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> R:
        link = str(kwargs["token"])
        if not visit(link).may_enter:
            abort(403, "This link is for watching. To enter something, open the table's play link.")
        return view(*args, **kwargs)

    return guarded
