"""How does a phone join a table? It says whose it is, then where that person sits, or that it only watches."""

from __future__ import annotations

from collections.abc import Sequence

from flask import redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue

from companion.engine.core import MOST_PEOPLE
from companion.engine.text import Name, Sentence, listing
from companion.tables import results, seating
from companion.web.forms import NameForm
from companion.web.guard.access import TableAccess, players_only, resolve_link, watch_only
from companion.web.table.around import SeatAtTable, around, chosen_game, places_around
from companion.web.table.page import back, bp


@bp.route("/join", methods=["GET", "POST"])
@players_only
def join(token: str) -> ResponseReturnValue:
    """Ask whose phone this is: a new name, somebody who sits here already, or nobody who plays."""
    access = resolve_link(token)
    form = NameForm()
    if request.method == "GET":
        if access.name is not None:
            return redirect(url_for("table.enter", token=token))
        form.name.data = session.get("me", "")
        return join_page(access, form)
    if request.form.get("do") == "watch":
        watch_only(access.row.id)
        return redirect(url_for("table.enter", token=token), 303)
    try:
        session["me"] = seating.check_newcomer(access.table, form.name.data or "")
    except seating.TableError as refused:
        form.refuse(refused.message)
        return join_page(access, form, 422)
    return redirect(url_for("table.sit", token=token), 303)


def join_page(access: TableAccess, form: NameForm, status: int = 200) -> ResponseReturnValue:
    """Render the first step of joining."""
    return render_template(
        "table/join.html",
        **around(access),
        form=form,
        places=from_a_free_seat(places_around(access, chosen_game(access.table))),
        running=results.running(access.table.id),
        full=len(access.table.players) >= MOST_PEOPLE,
    ), status


@bp.route("/join/seat", methods=["GET", "POST"])
@players_only
def sit(token: str) -> ResponseReturnValue:
    """Ask where somebody sits; a tap sits them down."""
    access = resolve_link(token)
    name = str(session.get("me", ""))
    if access.name is not None or not name:
        return redirect(url_for("table.enter", token=token), 303)
    if request.method == "GET":
        return seat_page(access, name)
    nearest = [place.seat for place in picture(access)]  # as it was tapped on; then it turns
    try:
        player = seating.sit_down(access.table.id, name, phone=access.phone, seat=request.form.get("seat", type=int))
    except seating.TableError as refused:
        if refused.field == "seat":
            return seat_page(access, name, refused.message, 409)
        form = NameForm(formdata=None)
        form.name.data = name
        form.name.errors = [refused.message]
        return join_page(access, form, 422)
    session["sat_down"] = (player.id, nearest.index(player.seat) if player.seat in nearest else 0)
    return back(token)


def seat_page(access: TableAccess, name: str, refusal: str = "", status: int = 200) -> ResponseReturnValue:
    """Render the second step of joining. ``turn`` in the address turns the picture by so many seats."""
    places = picture(access)
    return render_template(
        "table/seat.html",
        **around(access),
        name=name,
        places=places,
        partners=partners(places),
        turn=request.values.get("turn", 0, type=int) % len(places),
        refusal=refusal,
    ), status


def picture(access: TableAccess) -> list[SeatAtTable]:
    """Return the table as somebody who chooses a seat sees it, turned as often as they asked for."""
    seats = seating.seats_to_join(access.table.players, chosen_game(access.table).seats[0])
    places = from_a_free_seat(places_around(access, chosen_game(access.table), seats))
    turn = request.values.get("turn", 0, type=int) % len(places)
    return places[turn:] + places[:turn]


def from_a_free_seat(places: list[SeatAtTable]) -> list[SeatAtTable]:
    """Turn the picture so that a free seat is nearest to whoever comes to the table."""
    first = next((index for index, place in enumerate(places) if place.player is None), 0)
    return places[first:] + places[:first]


def partners(places: Sequence[SeatAtTable]) -> dict[int, Sentence]:
    """Return whose partner somebody would be at each free seat, where teams play."""
    sides = {place.side for place in places}
    if None in sides or len(sides) == len(places):
        return {}
    return {
        place.seat: listing([Name(partner.player.name) for partner in places if partner.player and partner.side == place.side])
        for place in places
        if place.player is None
    }
