"""A table: who sits where, how others join, and which matches they have played."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from typing import Any

from flask import Blueprint, Response, abort, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue

from companion import ledger, results, tables
from companion.engine.core import Game, RuleError, check_players, start
from companion.forms import SCREENS
from companion.forms.table import HouseRules, NameForm, house_rules
from companion.models import Player, Table, now
from companion.web.access import Visit, forget, players_only, visit
from companion.web.lobby import offered
from companion.web.qr import address, square

bp = Blueprint("table", __name__, url_prefix="/t/<token>")

FRESH = timedelta(minutes=5)  # how long a match that has just begun takes along the phones that wait at the table


@dataclass(frozen=True, slots=True)
class Place:
    """A place at the drawn table: its number, who sits there (None: free), and the side that they would play for."""

    seat: int
    player: Player | None
    side: int | None
    deals: bool
    you: bool


def chosen_game() -> Game[Any]:
    """The game that this phone looks at: as the address says, else as it said before, else the first there is."""
    games = offered()
    slug = request.values.get("game", "")
    if slug in games:
        if session.get("game") != slug:
            session["game"] = slug
        return games[slug]
    return games.get(session.get("game", ""), next(iter(games.values())))


@cache
def how_many_sides(game: Game[Any], people: int) -> int:
    """How many sides so many people play on."""
    return len(start(game, [f"{n}" for n in range(people)]).standing().sides)


def places_around(here: Visit, game: Game[Any]) -> list[Place]:
    """The table as this phone sees it: in turn order, its owner first, else whoever deals first."""
    fewest, most = game.seats
    around = tables.seats_around(here.table.players, fewest)
    sides = how_many_sides(game, len(around)) if len(around) <= most else 0
    you = here.player
    dealer = next((player for player in around if player is not None), None)
    places = [
        Place(
            seat,
            player,
            side=seat % sides if sides else None,
            deals=player is not None and player is dealer,
            you=player is not None and player is you,
        )
        for seat, player in enumerate(around)
    ]
    first = next((place.seat for place in places if place.you), 0)
    return places[first:] + places[:first]


def in_turn_order(table: Table) -> list[Player]:
    """The people from the one who deals first on."""
    return sorted(table.players, key=lambda player: player.seat)


def seconds_left(table: Table) -> int:
    """For how many seconds the table's code is still good; 0 when there is none."""
    until = tables.open_until(table)
    return 0 if until is None else max(0, math.ceil((until - now()).total_seconds()))


def who_is_here(people: Sequence[Player]) -> str:
    """What is said of the table when somebody has come or gone."""
    names = results.in_words([player.name for player in people])
    return f"{names} {'is' if len(people) == 1 else 'are'} at the table." if people else "Nobody is at the table."


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why something at the table could not be done, where it says so ("start" or "name"), and what was typed there."""

    sentence: str
    place: str
    typed: str = ""


def table_page(
    here: Visit,
    *,
    refusal: Refusal | None = None,
    rules: HouseRules | None = None,
    playing: Sequence[int] = (),
    status: int = 200,
) -> ResponseReturnValue:
    """The table with its people around it, and what can be played."""
    table = here.table
    game = chosen_game()
    people = in_turn_order(table)
    most = game.seats[1]
    last_matches = results.newest(table.id, 2)
    running = next((match for match in last_matches[:1] if match.running), None)
    return render_template(
        "table/table.html",
        **around(here),
        games=offered(),
        places=places_around(here, game),
        turn=SCREENS[game.slug].turn,
        people=people,
        playing=set(playing) or {player.id for player in people[:most]},
        choose=len(people) > most,
        missing=what_is_missing(game, [player.name for player in people[:most]]),
        rules=rules or house_rules(game.slug),
        refusal=refusal,
        me=session.get("me", ""),
        most_people=tables.MOST_PEOPLE,
        in_words=results.in_words,
        announcement=who_is_here(people),
        share=address(here.token),
        qr=square(address(here.token)),
        left=seconds_left(table) if here.may_enter else 0,
        running=running,
        follow=running is not None and running.entries == 0 and now() - running.begun < FRESH,
        last=next((match for match in last_matches if not match.running), None),
        count=results.how_many(table.id),
    ), status


def around(here: Visit) -> Mapping[str, Any]:
    """What every page of a table knows."""
    return {
        "here": here,
        "table": here.table,
        "token": here.token,
        "may_enter": here.may_enter,
        "you": here.player,
        "choice": chosen_game(),
    }


def what_is_missing(game: Game[Any], names: Sequence[str]) -> str:
    """Why the game can't begin with these people, in the engine's words; nothing when it can."""
    try:
        check_players(game, names)
    except RuleError as refused:
        return refused.message
    return ""


@bp.get("", strict_slashes=False)
def show(token: str) -> ResponseReturnValue:
    """The table with its people around it."""
    return table_page(visit(token))


@bp.get("/qr.svg")
def qr(token: str) -> ResponseReturnValue:
    """The link by which this page was reached, as a QR code."""
    visit(token)
    return Response(square(address(token)), mimetype="image/svg+xml")


def back(token: str) -> ResponseReturnValue:
    """To the table, after something was done."""
    return redirect(url_for("table.show", token=token), 303)


# People


def seat_asked() -> tuple[int | None, int]:
    """Which seat was tapped, and how many places the table was drawn with."""
    places = request.values.get("places", 0, type=int)
    return request.values.get("seat", type=int), places if 0 <= places <= tables.MOST_PEOPLE else 0


@bp.route("/people/new", methods=["GET", "POST"])
@players_only
def newcomer(token: str) -> ResponseReturnValue:
    """Somebody sits down: with this phone, or without any."""
    here = visit(token)
    seat, places = seat_asked()
    form = NameForm()
    if request.method == "GET":
        form.name.data = "" if here.player else session.get("me", "")
        return render_template("table/newcomer.html", **around(here), form=form, seat=seat, places=places)
    mine = request.form.get("do") == "me"
    try:
        player = tables.sit_down(
            here.table.id, form.name.data or "", phone=here.phone if mine else None, seat=seat, places=places
        )
    except tables.TableError as refused:
        if request.form.get("on") == "table":
            return table_page(here, refusal=Refusal(refused.message, "name", form.name.data or ""), status=422)
        form.refuse(refused.message)
        return render_template("table/newcomer.html", **around(here), form=form, seat=seat, places=places), 422
    if mine:
        session["me"] = player.name
    return back(token)


@bp.route("/people/<int:number>", methods=["GET", "POST"])
@players_only
def person(token: str, number: int) -> ResponseReturnValue:
    """What can be done about one person: say that it is you, let them deal first, change places, rename, remove."""
    here = visit(token)
    who = next((player for player in here.table.players if player.id == number), None)
    if who is None:
        abort(404, "This person is no longer at the table.")
    form = NameForm()
    if request.method == "GET":
        form.name.data = who.name
        return person_page(here, who, form)
    try:
        do(here, who, form)
    except tables.TableError as refused:
        if not refused.field:
            abort(404, refused.message)
        form.refuse(refused.message)
        return person_page(here, who, form, 422)
    return back(token)


def person_page(here: Visit, who: Player, form: NameForm, status: int = 200) -> ResponseReturnValue:
    """The sheet of one person."""
    game = chosen_game()
    places = places_around(here, game)
    return render_template(
        "table/person.html",
        **around(here),
        form=form,
        who=who,
        place=next((place for place in places if place.player is who), None),
        places=places,
    ), status


def do(here: Visit, who: Player, form: NameForm) -> None:
    """Carry out what was asked about a person. Raises TableError."""
    table_id, number = here.table.id, who.id
    seat, places = seat_asked()
    match request.form.get("do"):
        case "claim":
            session["me"] = who.name
            tables.claim(table_id, number, here.phone)
        case "release":
            tables.release(table_id, here.phone)
        case "deal":
            tables.deal_first(table_id, number, places=places)
        case "rename":
            tables.rename(table_id, number, form.name.data or "")
        case "move":
            tables.change_places(table_id, number, -1 if seat is None else seat, places=places)
        case "remove":
            tables.remove(table_id, number)
        case _:
            abort(400, "This button is none that Companion knows. Load the page again.")


# The table itself, and its links


@bp.route("/name", methods=["GET", "POST"])
@players_only
def name(token: str) -> ResponseReturnValue:
    """Give the table another name."""
    here = visit(token)
    form = NameForm()
    if request.method == "GET":
        form.name.data = here.table.name
        return render_template("table/name.html", **around(here), form=form)
    try:
        tables.call(here.table.id, form.name.data or "")
    except tables.TableError as refused:
        form.refuse(refused.message)
        return render_template("table/name.html", **around(here), form=form), 422
    return back(token)


@bp.get("/links")
@players_only
def links(token: str) -> ResponseReturnValue:
    """Both links with their QR codes, to show, to pass on and to replace."""
    here = visit(token)
    play, watch = address(here.table.play_token), address(here.table.watch_token)
    return render_template(
        "table/links.html",
        **around(here),
        play=play,
        watch=watch,
        play_qr=square(play),
        watch_qr=square(watch),
        left=seconds_left(here.table),
        code_minutes=tables.INVITATION.seconds // 60,
    )


@bp.post("/links")
@players_only
def replace(token: str) -> ResponseReturnValue:
    """Make a link anew, so that the old one leads nowhere; or take the spoken code back."""
    here = visit(token)
    match request.form.get("do"):
        case "play":
            token = tables.replace_play_link(here.table.id)
        case "watch":
            tables.replace_watch_link(here.table.id)
        case "close":
            tables.close_invitation(here.table.id)
        case _:
            abort(400, "This button is none that Companion knows. Load the page again.")
    return redirect(url_for("table.links", token=token), 303)


@bp.post("/invitation")
@players_only
def invite(token: str) -> ResponseReturnValue:
    """Show a new spoken code."""
    here = visit(token)
    tables.open_invitation(here.table.id)
    return redirect(url_for("table.links" if request.form.get("on") == "links" else "table.show", token=token), 303)


@bp.post("/forget")
def leave(token: str) -> ResponseReturnValue:
    """Take the table off this phone's list. The table itself stays as it is."""
    here = visit(token)
    if here.player is not None:
        tables.release(here.table.id, here.phone)
    forget(here.table.id)
    return redirect(url_for("lobby.home"), 303)


# Matches


@bp.get("/matches")
def matches(token: str) -> ResponseReturnValue:
    """All matches of the table, newest first, and who has won most."""
    here = visit(token)
    played = results.newest(here.table.id, results.MOST_LISTED)
    people = results.wins(played)
    slugs = {slug for person in people for slug in person.games}
    return render_template(
        "table/matches.html",
        **around(here),
        played=played,
        count=results.how_many(here.table.id),
        people=people,
        games=[(each.game, each.title) for each in {each.game: each for each in played}.values() if each.game in slugs],
        leader=results.leader(people),
        most=max((len(match.players) for match in played), default=0),
        in_words=results.in_words,
    )


@bp.post("/matches")
@players_only
def begin(token: str) -> ResponseReturnValue:
    """Start a match with the people at the table. While one is being played, that is where everybody is taken."""
    here = visit(token)
    game = chosen_game()
    rules = house_rules(game.slug, request.form)
    playing = request.form.getlist("player", type=int)

    def again(sentence: str, status: int) -> ResponseReturnValue:
        refusal = Refusal(sentence, "start")
        return table_page(here, refusal=refusal, rules=rules, playing=playing, status=status)

    try:
        with tables.changing(here.table.id) as table:
            running = results.running(table.id)
            number = running.number if running else open_match(table, game, playing, rules.options)
    except tables.TableError as refused:
        return again(refused.message, 409)
    except RuleError as refused:
        in_place = rules.refuse(refused.message, refused.field)
        return again("One of the house rules can't be so." if in_place else refused.message, 422)
    return redirect(url_for("match.show", token=token, number=number), 303)


def open_match(table: Table, game: Game[Any], playing: Sequence[int], options: Mapping[str, object]) -> int:
    """Begin the match; whoever deals first is its first player. Raises RuleError, and TableError if seats changed."""
    people = in_turn_order(table)
    seated = [player for player in people if player.id in playing] if playing else people
    if playing and [player.id for player in seated] != list(playing):
        raise tables.TableError("The seats have changed meanwhile. Look at the table, then start again.")
    names = [player.name for player in seated]
    dealer = request.form.get("dealer", type=int)
    first = next((index for index, player in enumerate(seated) if player.id == dealer), 0)
    return ledger.open_match(table.id, game.slug, names[first:] + names[:first], options)
