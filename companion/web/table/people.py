"""What can be done about one person at a table? Added, claimed by a phone, moved, renamed, removed."""

from __future__ import annotations

from flask import abort, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue

from companion.engine.text import say
from companion.storage.models import Player
from companion.tables import seating
from companion.web.forms import NameForm
from companion.web.guard.access import TableAccess, players_only, resolve_link
from companion.web.table.around import around, chosen_game, places_around
from companion.web.table.page import back, bp

NEXT = {"enter": "table.enter", "seat": "table.sit"}  # where joining goes on


@bp.route("/people/new", methods=["GET", "POST"])
@players_only
def newcomer(token: str) -> ResponseReturnValue:
    """Sit somebody down: with this phone, or without any."""
    access = resolve_link(token)
    seat = request.values.get("seat", type=int)
    form = NameForm()
    if request.method == "GET":
        form.name.data = "" if access.player else session.get("me", "")
        return render_template("table/newcomer.html", **around(access), form=form, seat=seat)
    mine = request.form.get("do") == "me"
    try:
        player = seating.sit_down(access.table.id, form.name.data or "", phone=access.phone if mine else None, seat=seat)
    except seating.TableError as refused:
        form.refuse(refused.message)
        return render_template("table/newcomer.html", **around(access), form=form, seat=seat), 422
    if mine:
        session["me"] = player.name
    return back(token)


@bp.route("/people/<int:number>", methods=["GET", "POST"])
@players_only
def person(token: str, number: int) -> ResponseReturnValue:
    """Show what can be done about one person: say that it is you, let them deal first, change places, rename, remove."""
    access = resolve_link(token)
    who = next((player for player in access.table.players if player.id == number), None)
    if who is None:
        abort(404, say("This person is no longer at the table."))
    form = NameForm()
    if request.method == "GET":
        form.name.data = who.name
        return person_page(access, who, form)
    try:
        change_person(access, who, form)
    except seating.TableError as refused:
        if not refused.field:
            abort(404, refused.message)
        form.refuse(refused.message)
        return person_page(access, who, form, 422)
    following = request.form.get("next", "")
    if following == "match" and access.row.newest:
        return redirect(url_for("match.show_match", token=token, number=access.row.newest), 303)
    return redirect(url_for(NEXT[following], token=token), 303) if following in NEXT else back(token)


def person_page(access: TableAccess, who: Player, form: NameForm, status: int = 200) -> ResponseReturnValue:
    """Return the sheet of one person."""
    places = places_around(access, chosen_game(access.table))
    return render_template(
        "table/person.html",
        **around(access),
        form=form,
        who=who,
        place=next((place for place in places if place.player is who), None),
        places=places,
    ), status


def change_person(access: TableAccess, who: Player, form: NameForm) -> None:
    """Carry out what was asked about a person. Raises TableError."""
    table_id, number = access.table.id, who.id
    seat = request.form.get("seat", type=int)
    match request.form.get("do"):
        case "claim":
            session["me"] = who.name
            seating.claim(table_id, number, access.phone)
        case "pass":
            seating.pass_on(table_id, number, access.phone)
        case "release":
            seating.release(table_id, access.phone)
        case "deal":
            seating.deal_first(table_id, number)
        case "rename":
            seating.rename_person(table_id, number, form.name.data or "")
        case "move":
            seating.change_places(table_id, number, -1 if seat is None else seat)
        case "remove":
            seating.remove(table_id, number)
        case _:
            abort(400, say("This button is out of date. Reload the page."))
