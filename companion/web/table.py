"""What can be done at a table? Sit down, change places, go, invite others, start a match, look back on those played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from flask import Blueprint, Response, abort, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue

from companion.engine.core import Game, RuleError
from companion.engine.text import join_names
from companion.games import PLUGINS
from companion.matches import entries
from companion.storage.models import Player, Table
from companion.tables import results, seating
from companion.web.access import KNOWN_TABLES, TableAccess, forget_table, players_only, resolve_link
from companion.web.forms import NameForm
from companion.web.lobby import offered, turn_of
from companion.web.qr import qr_code, table_url
from companion.web.table_page import Place, Refusal, around, chosen_game, places_around, seconds_left, table_page

bp = Blueprint("table", __name__, url_prefix="/t/<token>")


@bp.get("", strict_slashes=False)
def enter(token: str) -> ResponseReturnValue:
    """Go where somebody with the link wants to be: into the match that is being played, else to the table.

    A phone that may enter is asked first who it belongs to.
    """
    access = resolve_link(token)
    if access.may_enter and access.name is None and access.row.id not in session.get("watches", ()):
        return redirect(url_for("table.join", token=token))
    running = results.running(access.row.id)
    if running is not None:
        return redirect(url_for("match.show_match", token=token, number=running.number))
    return redirect(url_for("table.show_table", token=token))


@bp.get("/table")
def show_table(token: str) -> ResponseReturnValue:
    """The table with its people around it."""
    return table_page(resolve_link(token))


@bp.get("/qr.svg")
def qr(token: str) -> ResponseReturnValue:
    """The link by which this page was reached, as a QR code."""
    resolve_link(token)
    return Response(qr_code(table_url(token)), mimetype="image/svg+xml")


NEXT = {"enter": "table.enter", "seat": "table.sit"}


def back(token: str) -> ResponseReturnValue:
    """To the table, after something was done."""
    return redirect(url_for("table.show_table", token=token), 303)


# Joining: first the name, then the seat


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
        session["watches"] = [access.row.id, *(each for each in session.get("watches", ()) if each != access.row.id)][
            :KNOWN_TABLES
        ]
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
        full=len(access.table.players) >= seating.MOST_PEOPLE,
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


def picture(access: TableAccess) -> list[Place]:
    """Return the table as somebody who chooses a seat sees it, turned as often as they asked for."""
    seats = seating.seats_to_join(access.table.players, chosen_game(access.table).seats[0])
    places = from_a_free_seat(places_around(access, chosen_game(access.table), seats))
    turn = request.values.get("turn", 0, type=int) % len(places)
    return places[turn:] + places[:turn]


def from_a_free_seat(places: list[Place]) -> list[Place]:
    """Turn the picture so that a free seat is nearest to whoever comes to the table."""
    first = next((index for index, place in enumerate(places) if place.player is None), 0)
    return places[first:] + places[:first]


def partners(places: Sequence[Place]) -> dict[int, str]:
    """Return whose partner somebody would be at each free seat, where teams play."""
    sides = {place.side for place in places}
    if None in sides or len(sides) == len(places):
        return {}
    return {
        place.seat: join_names([each.player.name for each in places if each.player and each.side == place.side])
        for place in places
        if place.player is None
    }


# People


@bp.route("/people/new", methods=["GET", "POST"])
@players_only
def newcomer(token: str) -> ResponseReturnValue:
    """Somebody sits down: with this phone, or without any."""
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
    """What can be done about one person: say that it is you, let them deal first, change places, rename, remove."""
    access = resolve_link(token)
    who = next((player for player in access.table.players if player.id == number), None)
    if who is None:
        abort(404, "This person is no longer at the table.")
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
    following = request.form.get("next", "")  # where joining goes on
    return redirect(url_for(NEXT[following], token=token), 303) if following in NEXT else back(token)


def person_page(access: TableAccess, who: Player, form: NameForm, status: int = 200) -> ResponseReturnValue:
    """The sheet of one person."""
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
            abort(400, "This button is none that Companion knows. Load the page again.")


# The table itself, and its links


@bp.route("/name", methods=["GET", "POST"])
@players_only
def rename_table(token: str) -> ResponseReturnValue:
    """Give the table another name."""
    access = resolve_link(token)
    form = NameForm()
    if request.method == "GET":
        form.name.data = access.table.name
        return render_template("table/name.html", **around(access), form=form)
    try:
        seating.rename_table(access.table.id, form.name.data or "")
    except seating.TableError as refused:
        form.refuse(refused.message)
        return render_template("table/name.html", **around(access), form=form), 422
    return back(token)


@bp.get("/links")
@players_only
def links(token: str) -> ResponseReturnValue:
    """Both links with their QR codes, to show, to pass on and to replace."""
    access = resolve_link(token)
    play, watch = table_url(access.table.play_token), table_url(access.table.watch_token)
    return render_template(
        "table/links.html",
        **around(access),
        play=play,
        watch=watch,
        play_qr=qr_code(play),
        watch_qr=qr_code(watch),
        left=seconds_left(access.table),
        code_minutes=seating.INVITATION.seconds // 60,
    )


@bp.post("/links")
@players_only
def replace_link(token: str) -> ResponseReturnValue:
    """Make a link anew, so that the old one leads nowhere; or take the spoken code back."""
    access = resolve_link(token)
    match request.form.get("do"):
        case "play":
            token = seating.replace_play_link(access.table.id)
        case "watch":
            seating.replace_watch_link(access.table.id)
        case "close":
            seating.close_invitation(access.table.id)
        case _:
            abort(400, "This button is none that Companion knows. Load the page again.")
    return redirect(url_for("table.links", token=token), 303)


@bp.post("/invitation")
@players_only
def invite(token: str) -> ResponseReturnValue:
    """Show a new spoken code."""
    access = resolve_link(token)
    seating.open_invitation(access.table.id)
    return redirect(url_for("table.links" if request.form.get("on") == "links" else "table.show_table", token=token), 303)


@bp.route("/forget", methods=["GET", "POST"])
def leave(token: str) -> ResponseReturnValue:
    """Take the table off this phone's list, once asked. The table itself stays as it is, and home offers to undo it."""
    access = resolve_link(token)
    if request.method == "GET":
        return render_template("table/leave.html", **around(access))
    removed = {"token": token, "name": access.table.name, "person": None if access.player is None else access.player.id}
    if access.player is not None:
        seating.release(access.table.id, access.phone)
    forget_table(access.table.id)
    session["removed"] = removed
    return redirect(url_for("lobby.home"), 303)


# Matches


@bp.post("/game")
@players_only
def choose(token: str) -> ResponseReturnValue:
    """Choose what the table plays next, for all its phones; while a match is being played, nothing changes."""
    access = resolve_link(token)
    game = request.form.get("choose", "")
    if game in offered() and game != access.table.game and results.running(access.table.id) is None:
        seating.choose_game(access.table.id, game)
    return back(token)


@bp.get("/matches")
def matches(token: str) -> ResponseReturnValue:
    """All matches of the table, newest first, and who has won most."""
    access = resolve_link(token)
    played = results.newest(access.table.id, results.MOST_LISTED)
    people = results.wins(played)
    slugs = {slug for person in people for slug in person.games}
    return render_template(
        "table/matches.html",
        **around(access),
        played=played,
        count=results.how_many(access.table.id),
        people=people,
        games=[(each.game, each.title) for each in {each.game: each for each in played}.values() if each.game in slugs],
        leader=results.leader(people),
        most=max((len(match.players) for match in played), default=0),
    )


@bp.post("/matches")
@players_only
def start_match(token: str) -> ResponseReturnValue:
    """Start a match with the people at the table. While one is being played, that is where everybody is taken."""
    access = resolve_link(token)
    game = offered().get(request.form.get("game", "")) or chosen_game(access.table)
    options = PLUGINS[game.slug].ask_options(request.form)
    playing = request.form.getlist("player", type=int)

    def again(sentence: str, status: int) -> ResponseReturnValue:
        refusal = Refusal(sentence)
        return table_page(access, refusal=refusal, options=options, playing=playing, status=status)

    try:
        with seating.changing(access.table.id) as table:
            running = results.running(table.id)
            number = running.number if running else open_match(table, game, playing, options.values, access.name)
    except seating.TableError as refused:
        return again(refused.message, 409)
    except RuleError as refused:
        in_place = options.refuse(refused.message, refused.field)
        return again("One of the house rules can't be so." if in_place else refused.message, 422)
    return redirect(url_for("match.show_match", token=token, number=number), 303)


def open_match(table: Table, game: Game[Any], playing: Sequence[int], options: Mapping[str, object], by: str | None) -> int:
    """Begin the match; whoever deals first is its first player. Raises RuleError, and TableError if seats changed."""
    people = seating.turn_order(table, turn_of(game.slug))
    seated = [player for player in people if player.id in playing] if playing else people
    if playing and [player.id for player in seated] != list(playing):
        raise seating.TableError("The seats have changed meanwhile. Look at the table, then start again.")
    names = [player.name for player in seated]
    dealer = request.form.get("dealer", type=int)
    first = next((index for index, player in enumerate(seated) if player.id == dealer), 0)
    return entries.open_match(table.id, game.slug, names[first:] + names[:first], options, by=by)
