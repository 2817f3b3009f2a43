"""Where did a table of this phone come from, and what of it is nowhere else? Only phones have these pages."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, Flask, abort, redirect, request, session, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import delete, func, select

from companion.storage import database
from companion.storage.models import Match, Table, db
from companion.tables import seating
from companion.web.access import forget_table, players_only, resolve_link

bp = Blueprint("carrying", __name__, url_prefix="/t/<token>")


@dataclass(frozen=True, slots=True)
class Origin:
    """The table's address on the server, and how many entries the phone has made since it took the table along."""

    link: str
    new: int


def origin(table_id: int) -> Origin | None:
    """Return where a table came from; None if it began in this phone."""
    link, known = session.get("origins", {}).get(str(table_id), (None, 0))
    return None if link is None else Origin(link, how_many_entries(table_id) - known)


def how_many_entries(table_id: int) -> int:
    """Return how many lines the logs of a table's matches have."""
    return db.session.execute(select(func.coalesce(func.sum(Match.seq), 0)).where(Match.table_id == table_id)).scalar_one()


@bp.post("/origin")
@players_only
def note_origin(token: str) -> ResponseReturnValue:
    """Remember where a table came from or is about to go, and as whom; ``taken``: all that it has is there too."""
    table_id, link = resolve_link(token).row.id, request.form.get("link", "")
    if not link.startswith("/t/"):
        abort(400)
    known = how_many_entries(table_id) if request.form.get("taken") else 0
    access, me = resolve_link(token), request.form.get("me", "")
    if person := next((player for player in access.table.players if player.name == me), None):
        seating.claim(table_id, person.id, access.phone)
    session["origins"] = {**session.get("origins", {}), str(table_id): [link, known]}
    return redirect(url_for("table.show_table", token=token), 303)


def remove(table_id: int) -> None:
    """Delete a table: nobody else has this one."""
    forget_table(table_id)
    session["origins"] = {number: where for number, where in session.get("origins", {}).items() if number != str(table_id)}
    with database.writing(("table", table_id)) as connection:
        connection.execute(delete(Table).where(Table.id == table_id))


def init_app(app: Flask) -> None:
    """Let the phone's pages say where their table came from."""
    app.register_blueprint(bp)
    app.add_template_global(origin, "origin_of")
