"""Where did a table of this phone come from, and what of it is nowhere else? Only phones have these pages."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from flask import Blueprint, Flask, abort, current_app, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import delete, func, select

from companion.engine.text import said, say
from companion.matches import fairness
from companion.storage import database
from companion.storage.models import Match, Table, db
from companion.web.guard.access import forget_table, players_only, resolve_link
from companion.web.table.around import around

LONGEST_ADDRESS = 200  # letters of a server's
BELOW = ("/t/", "/j/", "/tables", "/pocket")  # where pages of a server begin: people copy the address of any of them
REMOVED = "companion-removed"  # where the application notes that a table was: its database has to be written anew

bp = Blueprint("carrying", __name__, url_prefix="/t/<token>")


@dataclass(frozen=True, slots=True)
class Origin:
    """The table's address on the server, and how many entries the phone has made since it took the table along."""

    link: str
    new: int


def origin(table_id: int) -> Origin | None:
    """Return where a table came from; None if it began in this phone."""
    link, entries_taken = session.get("origins", {}).get(str(table_id), (None, 0))
    return None if link is None else Origin(link, how_many_entries(table_id) - entries_taken)


def how_many_entries(table_id: int) -> int:
    """Return how many lines the logs of a table's matches have."""
    return db.session.execute(select(func.coalesce(func.sum(Match.seq), 0)).where(Match.table_id == table_id)).scalar_one()


@bp.post("/origin")
@players_only
def note_origin(token: str) -> ResponseReturnValue:
    """Remember the address of the other copy of a table, on the server or on this phone.

    ``taken``: the other copy has the same entries, so the page can tell later how many are new.
    """
    table_id, link = resolve_link(token).row.id, request.form.get("link", "")
    config = current_app.config
    server = session.get("server") if config["SITE"] else config["SERVER_HOME"].removesuffix("/")
    if server is None or not link.startswith(f"{server}/t/"):
        abort(400)
    entries_taken = how_many_entries(table_id) if request.form.get("taken") else 0
    session["origins"] = {**session.get("origins", {}), str(table_id): [link, entries_taken]}
    return redirect(url_for("table.show_table", token=token), 303)


@bp.post("/seeds")
@players_only
def show_seeds(token: str) -> ResponseReturnValue:
    """Show the seeds of all bags, so that they go along: the table is put online, and its copy here will be deleted."""
    fairness.show_all(resolve_link(token).row.id)
    return redirect(url_for("table.show_table", token=token), 303)


class NoAddressError(ValueError):
    """What was typed is no address of a server."""


def server_address(typed: str) -> str:
    """Return the address of the server that was typed, whichever of its pages was copied: ``https://cards.example``.

    Raises:
        NoAddressError: it is none.
    """
    typed = typed.strip()
    address = typed if "://" in typed else f"https://{typed}"
    try:
        parts = urlsplit(address)
        is_address = parts.scheme in {"http", "https"} and is_host(parts)
    except ValueError:
        is_address = False
    if not is_address or len(typed) > LONGEST_ADDRESS:
        raise NoAddressError(say("This is no address of a server. One looks like https://cards.example."))
    path = f"{parts.path}/"
    end = min((path.find(page) for page in BELOW if page in path), default=len(path))
    return f"{parts.scheme}://{parts.netloc}{path[:end].rstrip('/')}"


def is_host(parts: SplitResult) -> bool:
    """Return whether an address names a computer, and nobody who would be sent along. Raises ValueError for a wrong port."""
    host = parts.hostname or ""
    letters = set(host.replace(".", "").replace("-", "").replace(":", ""))
    is_name = bool(letters) and all(letter.isalnum() for letter in letters)
    return is_name and "@" not in parts.netloc and "\\" not in parts.netloc and parts.port != 0


def online_page(token: str, typed: str, refusal: str = "") -> str:
    """Render the page by which a table without a server comes to one: a field for its address, then how it gets there."""
    access = resolve_link(token)
    server = "" if refusal else session.get("server", "")
    its_origin = origin(access.row.id)
    link = its_origin.link if server and its_origin and its_origin.link.startswith(f"{server}/t/") else ""
    page = {"typed": typed, "refusal": refusal, "server": server, "host": server.partition("://")[2], "link": link}
    return render_template("table/online.html", **around(access), **page, new=its_origin.new if its_origin and link else 0)


@bp.get("/online")
@players_only
def show_online(token: str) -> ResponseReturnValue:
    """Ask for a server's address; with the one that this phone knows, say how the table gets there."""
    return online_page(token, session.get("server", ""))


@bp.post("/online")
@players_only
def note_server(token: str) -> ResponseReturnValue:
    """Remember a server's address. Nothing is sent there before its owner taps."""
    typed = request.form.get("server", "")
    try:
        session["server"] = server_address(typed)
    except NoAddressError as wrong:
        return online_page(token, typed, said(wrong)), 422
    return redirect(url_for("carrying.show_online", token=token), 303)


def remove(table_id: int) -> None:
    """Delete a table of this phone alone. With the last table goes the player's name, which a new table would suggest."""
    forget_table(table_id)
    session["origins"] = {number: where for number, where in session.get("origins", {}).items() if number != str(table_id)}
    if session.get("left_out", [None])[0] == table_id:
        session.pop("left_out")  # a later table may have its number
    with database.writing(("table", table_id)) as connection:
        connection.execute(delete(Table).where(Table.id == table_id))
        is_last = not connection.execute(select(func.count()).select_from(Table)).scalar_one()
    if is_last:
        session.pop("me", None)
    current_app.extensions[REMOVED] = True


def init_app(app: Flask) -> None:
    """Let the phone's pages say where their table came from."""
    app.register_blueprint(bp)
    app.add_template_global(origin, "origin_of")
