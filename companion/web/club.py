"""How does a host see all tables of a club evening? On a list with a link of its own, which shows and changes nothing else.

The list is plain HTML that televisions of 2017 can show. It is loaded anew every ten seconds, and where scripts run only what
has changed. A second link is the host's: by it tables are put on the list and taken off.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from flask import Blueprint, abort, current_app, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import TooManyRequests

from companion.engine.text import say
from companion.storage.models import Club
from companion.tables import clubs, seating
from companion.web import lobby
from companion.web.guard.access import phone_id, remember_table
from companion.web.guard.limits import NEW_TABLES, count_hit, seconds_to_wait
from companion.web.language import chosen
from companion.web.table.qr import public, qr_code, table_url

bp = Blueprint("club", __name__, url_prefix="/club")

A_PAGE: Final = 16  # tables that a television has room for: where there are more, it turns the page by itself
MOST_HOSTED: Final = 4  # lists that a phone knows as theirs


@bp.before_request
def only_where_there_are_many_tables() -> None:
    """Answer 404 in a phone that is a table by itself: nobody else could open its list."""
    if current_app.config["POCKET"]:
        abort(404)


def of_link(link: str, *, host: bool) -> Club:
    """Return the club of a link; 404 if there is none, 403 for who may only look and wants to change something."""
    club = clubs.find(link)
    if club is None:
        abort(404, say("No club evening has this link."))
    if host and club.host_link != link:
        abort(403, say("This link is for looking. To change the list, open the host’s link."))
    return club


def hosted() -> list[Club]:
    """Return the lists that this phone is the host of, newest first."""
    links = session.get("clubs", ())
    return [club for link in links if (club := clubs.find(str(link))) is not None and club.host_link == link]


def remember(club: Club) -> None:
    """Let this phone know that it is the host of a list."""
    links = [club.host_link, *(link for link in session.get("clubs", ()) if link != club.host_link)][:MOST_HOSTED]
    if session.get("clubs") != links:
        session["clubs"] = links
        session.permanent = True


@bp.get("", strict_slashes=False)
def start() -> ResponseReturnValue:
    """Show the lists that this phone is the host of, and ask for the name of a new one."""
    return start_page()


def start_page(name: str = "", error: str = "", status: int = 200) -> ResponseReturnValue:
    """Return that page, with what was typed and why it was refused."""
    table = request.values.get("table", "")
    return render_template("club/start.html", hosted=hosted(), name=name, error=error, table=table), status


@bp.post("")
def create() -> ResponseReturnValue:
    """Make a list, with the table on it from which somebody came."""
    leave_room()
    name = request.form.get("name", "")
    try:
        club = clubs.create(name)
        if request.form.get("table"):
            clubs.put_in(club.id, request.form["table"])
    except seating.TableError as refused:
        return start_page(name, refused.message, 422)
    count_hit(NEW_TABLES)
    remember(club)
    return redirect(url_for("club.show", link=club.host_link), 303)


def leave_room() -> None:
    """Refuse with 429 who makes lists and tables too fast."""
    if wait := seconds_to_wait(NEW_TABLES):
        raise TooManyRequests(say("Too many new tables in a short time. Nothing was lost: try again later."), retry_after=wait)


@bp.get("/<link>")
def show(link: str) -> ResponseReturnValue:
    """Show the list; by the host's link the page on which it is changed."""
    club = of_link(link, host=False)
    if club.host_link == link:
        remember(club)
        return host_page(club)
    listed = clubs.tables(club)
    pages = max(1, -(-len(listed) // A_PAGE))
    page = min(max(request.args.get("page", 0, type=int), 0), pages)
    on_page: Sequence[clubs.TableOnList] = listed[(page - 1) * A_PAGE : page * A_PAGE] if page else listed
    address = public(url_for("club.show", link=link))
    return render_template(
        "screen/club.html",
        club=club,
        listed=on_page,
        count=len(listed),
        people=sum(len(table.people) for table in listed),
        to_do=clubs.what_to_do(listed),
        quiet_since=clubs.quiet_since(listed),
        host_link=club.host_link if club.host_link in session.get("clubs", ()) and not page else "",
        next=url_for("club.show", link=link, page=page % pages + 1) if page else url_for("club.show", link=link),
        big=bool(page),
        address=address,
        qr=qr_code(address),
        as_of=datetime.now().astimezone(),
    )


def host_page(club: Club, typed: str = "", error: str = "", status: int = 200) -> ResponseReturnValue:
    """Return the page on which the host puts tables on the list and takes them off."""
    listed = clubs.tables(club)
    links = {table.link for table in listed}
    address = public(url_for("club.show", link=club.link))
    return render_template(
        "club/host.html",
        club=club,
        listed=listed,
        known=[table for table in lobby.known() if table.table.watch_token not in links],
        typed=typed,
        error=error,
        minutes=clubs.QUIET,
        address=address,
        qr=qr_code(address),
    ), status


@bp.get("/<link>/codes")
def codes(link: str) -> ResponseReturnValue:
    """Show a code for each table, to print and lay out: by it people sit down where this phone may enter, else they watch."""
    club = of_link(link, host=True)
    entered = [visited.table for visited in lobby.known() if visited.token == visited.table.play_token]
    may_enter = {table.watch_token: table.play_token for table in entered}
    return render_template(
        "club/codes.html",
        club=club,
        tables=[
            (table, table.link in may_enter, qr_code(table_url(may_enter.get(table.link, table.link))))
            for table in clubs.tables(club)
            if table.link
        ],
    )


@bp.post("/<link>/choices")
def choose(link: str) -> ResponseReturnValue:
    """Set when a table counts as quiet, or whether the list shows names."""
    club = of_link(link, host=True)
    pawns = request.form.get("pawns")
    try:
        clubs.choose(
            club.id,
            quiet=request.form.get("quiet", 0, type=int) if "quiet" in request.form else None,
            pawns=None if pawns is None else pawns == "1",
        )
    except seating.TableError as refused:
        return host_page(club, "", refused.message, 422)
    return redirect(url_for("club.show", link=link), 303)


@bp.post("/<link>/tables")
def put_in(link: str) -> ResponseReturnValue:
    """Put a table on the list, by its link."""
    club = of_link(link, host=True)
    typed = request.form.get("link", "")
    try:
        clubs.put_in(club.id, typed)
    except seating.TableError as refused:
        return host_page(club, typed, refused.message, 422)
    return redirect(url_for("club.show", link=link), 303)


@bp.post("/<link>/new")
def open_table(link: str) -> ResponseReturnValue:
    """Make a new table that is on the list, and lead there: its code lets people sit down."""
    club = of_link(link, host=True)
    leave_room()
    listed = [table.number for table in clubs.tables(club)]
    number = next(free for free in range(1, len(listed) + 2) if free not in listed)
    table = seating.create(chosen().say(say("Table {n}", n=number)), [], phone_id())
    count_hit(NEW_TABLES)
    try:
        clubs.put_in(club.id, table.watch_token)
    except seating.TableError as refused:
        return host_page(club, "", refused.message, 422)
    remember_table(table, table.play_token)
    return redirect(url_for("table.show_table", token=table.play_token), 303)


@bp.post("/<link>/tables/<int:number>")
def take_out(link: str, number: int) -> ResponseReturnValue:
    """Take a table off the list."""
    clubs.take_out(of_link(link, host=True).id, number)
    return redirect(url_for("club.show", link=link), 303)
