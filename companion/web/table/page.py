"""What is done with a whole table? Shown, named, left; a game chosen, a match started, those played looked back on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from flask import Blueprint, Response, current_app, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue

from companion.engine.core import Game, RuleError
from companion.engine.text import say
from companion.games import PLUGINS
from companion.matches import entries
from companion.storage.models import Table
from companion.tables import results, seating
from companion.web.forms import NameForm
from companion.web.guard.access import forget_table, players_only, resolve_link
from companion.web.language import table_name
from companion.web.lobby import offered, shelf_of, turn_of
from companion.web.table import carrying
from companion.web.table.around import CannotStart, around, chosen_game, table_page
from companion.web.table.qr import qr_code, table_url

bp = Blueprint("table", __name__, url_prefix="/t/<token>")


@bp.get("", strict_slashes=False)
def enter(token: str) -> ResponseReturnValue:
    """Go where somebody with the link wants to be: into the match that is being played, else to the table.

    A phone that may enter is asked first who it belongs to.
    """
    access = resolve_link(token)
    if access.may_enter and access.name is None:
        return redirect(url_for("table.join", token=token))
    running = results.running(access.row.id)
    if running is not None:
        return redirect(url_for("match.show_match", token=token, number=running.number))
    return redirect(url_for("table.show_table", token=token))


@bp.get("/table")
def show_table(token: str) -> ResponseReturnValue:
    """Show the table with its people around it."""
    return table_page(resolve_link(token))


@bp.get("/qr.svg")
def qr(token: str) -> ResponseReturnValue:
    """Send the link by which this page was reached, as a QR code."""
    resolve_link(token)
    return Response(qr_code(table_url(token)), mimetype="image/svg+xml")


def back(token: str) -> ResponseReturnValue:
    """Lead to the table, after something was done."""
    return redirect(url_for("table.show_table", token=token), 303)


@bp.route("/name", methods=["GET", "POST"])
@players_only
def rename_table(token: str) -> ResponseReturnValue:
    """Give the table another name."""
    access = resolve_link(token)
    form = NameForm()
    if request.method == "GET":
        form.name.data = table_name(access.table.name)
        return render_template("table/name.html", **around(access), form=form)
    try:
        seating.rename_table(access.table.id, form.name.data or "")
    except seating.TableError as refused:
        form.refuse(refused.message)
        return render_template("table/name.html", **around(access), form=form), 422
    return back(token)


@bp.route("/forget", methods=["GET", "POST"])
def leave(token: str) -> ResponseReturnValue:
    """Take the table off this phone's list, once asked. The table itself stays as it is, and home offers to undo it."""
    access = resolve_link(token)
    if request.method == "GET":
        return render_template("table/leave.html", **around(access))
    if current_app.config["POCKET"]:
        carrying.remove(access.row.id)
        return redirect(url_for("lobby.home"), 303)
    removed = {"token": token, "name": access.table.name, "person": None if access.player is None else access.player.id}
    if access.player is not None:
        seating.release(access.table.id, access.phone)
    forget_table(access.table.id)
    session["removed"] = removed
    return redirect(url_for("lobby.home"), 303)


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
    """Show all matches of the table, newest first, and who has won most."""
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
        games=[(last.game, last.title) for last in {result.game: result for result in played}.values() if last.game in slugs],
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
        refusal = CannotStart(sentence)
        preset = None if shelf_of(game.slug) else options  # a sheet asks on a page of its own
        return table_page(access, refusal=refusal, options=preset, playing=playing, status=status)

    try:
        with seating.changing(access.table.id) as table:
            running = results.running(table.id)
            if running is None:
                table.agrees = "agrees" in request.form
            number = running.number if running else open_match(table, game, playing, options.values, access.name)
    except seating.TableError as refused:
        return again(refused.message, 409)
    except RuleError as refused:
        in_place = options.refuse(refused.message, refused.field)
        return again(say("Check the house rules.") if in_place else refused.message, 422)
    return redirect(url_for("match.show_match", token=token, number=number), 303)


def open_match(table: Table, game: Game[Any], playing: Sequence[int], options: Mapping[str, object], by: str | None) -> int:
    """Begin the match; whoever deals first is its first player. Raises RuleError, and TableError if seats changed."""
    people = seating.turn_order(table, turn_of(game.slug))
    seated = [player for player in people if player.id in playing] if playing else people
    if playing and [player.id for player in seated] != list(playing):
        raise seating.TableError(say("The seats have changed meanwhile. Look at the table, then start again."))
    names = [player.name for player in seated]
    dealer = request.form.get("dealer", type=int)
    first = next((index for index, player in enumerate(seated) if player.id == dealer), 0)
    return entries.open_match(table.id, game.slug, names[first:] + names[:first], options, by=by)
