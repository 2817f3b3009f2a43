"""How does somebody come to a table? By the tables that this phone knows, by a spoken code, or by a new table."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cache
from itertools import chain, count
from typing import Any, Literal

from flask import Blueprint, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import select

from companion.engine.core import Game, start
from companion.engine.text import Name, Sentence, say, term
from companion.games import PLUGINS, screens_of
from companion.screens.page import as_sentence
from companion.storage.models import Table, db
from companion.tables import handover, results, seating
from companion.tables.names import YOUR_NAME
from companion.tables.results import Result
from companion.web import install
from companion.web.access import known_tables, phone_id, remember_table, resolve_link
from companion.web.forms import CodeForm, NewTableForm
from companion.web.language import chosen
from companion.web.limits import EVERYBODY, NEW_TABLES, WRONG_CODES, WRONG_CODES_OF_ALL, count_hit, retry_after, seconds_to_wait

bp = Blueprint("lobby", __name__)


# where the others sit, going round to the right
RIGHT, OPPOSITE, LEFT = say("On your right"), say("Opposite you"), say("On your left")
PLACES: dict[int, tuple[Sentence, ...]] = {2: (OPPOSITE,), 3: (RIGHT, LEFT), 4: (RIGHT, OPPOSITE, LEFT)}


@dataclass(frozen=True, slots=True)
class KnownTable:
    """A table that this phone has been at, and what was last played there."""

    table: Table
    token: str
    last: Result | None

    @property
    def url(self) -> str:
        """Where Continue leads: to the match that is being played, else to the table."""
        if self.last is not None and self.last.running:
            return url_for("match.show_match", token=self.token, number=self.last.number)
        return url_for("table.show_table", token=self.token)


def offered() -> dict[str, Game[Any]]:
    """Return the games that can be played here, by slug: those that have screens."""
    return {slug: plugin.game for slug, plugin in PLUGINS.items() if plugin.screens is not None}


def turn_of(slug: str) -> Literal["right", "left"]:
    """Return which way the turn of a game runs around the table."""
    screens = screens_of(slug)
    return "right" if screens is None else screens.turn


def known() -> list[KnownTable]:
    """Return the tables on this phone's list whose links still lead somewhere, newest first."""
    links = dict(known_tables())
    found = {table.id: table for table in db.session.scalars(select(Table).where(Table.id.in_(links)))}
    return [
        KnownTable(found[number], link, next(iter(results.newest(number)), None))
        for number, link in links.items()
        if number in found and link in (found[number].play_token, found[number].watch_token)
    ]


def home_page(form: CodeForm, status: int = 200, wait: int = 0) -> ResponseReturnValue:
    """Render the home page, with what was typed as a code and why it failed, and once with the table that was just removed."""
    page = {
        "games": offered(),
        "known": known(),
        "form": form,
        "removed": None if "Companion-Fetch" in request.headers else session.pop("removed", None),
        "arrived": None if "Companion-Fetch" in request.headers else session.pop("arrived", None),
    }
    return render_template("lobby/home.html", **page), status, retry_after(wait)


@bp.get("/")
def home() -> ResponseReturnValue:
    """Show what is on the table."""
    return home_page(CodeForm(formdata=None))


@bp.get("/join")
def to_code() -> ResponseReturnValue:
    """Lead home, where joining begins, whoever loads a refused code again."""
    return redirect(url_for("lobby.home"), 303)


@bp.post("/join")
def join() -> ResponseReturnValue:
    """Go to the table that shows this code. Wrong codes are counted, so that they can't be tried one after another."""
    form = CodeForm()
    if wait := seconds_to_wait(*WRONG_CODES):
        form.refuse(say("Too many wrong codes. Wait a minute, then try again."))
        return home_page(form, 429, wait)
    if form.validate():
        # the more codes there are that could be hit by luck, the more a wrong one costs
        cost = max(seating.live_codes(), 1)
        if wait := seconds_to_wait(WRONG_CODES_OF_ALL, key=EVERYBODY, cost=cost):
            form.refuse(
                say("Many wrong codes are being tried just now, so codes have to wait. Scan the QR code, or ask for the link.")
            )
            return home_page(form, 429, wait)
        typed = form.code.data or ""
        try:
            if handover.is_code(typed):
                session["arrived"] = install.bring(handover.take(typed))
                return redirect(url_for("lobby.home"), 303)
            table = seating.by_code(typed)
        except seating.TableError as refused:
            count_hit(WRONG_CODES_OF_ALL, key=EVERYBODY, cost=cost)
            form.refuse(refused.message)
        else:
            phone_id()
            remember_table(table, table.play_token)
            return redirect(url_for("table.enter", token=table.play_token), 303)
    count_hit(*WRONG_CODES)
    return home_page(form, 422)


def places(game: Game[Any] | None) -> tuple[str, ...]:
    """Name the places at a new table, to the right from whoever fills this in."""
    most = game.seats[1] if game else seating.MOST_PEOPLE
    return (YOUR_NAME, *(PLACES.get(most) or (say("Name {n}", n=number) for number in range(2, most + 1))))


@cache
def how_many_sides(game: Game[Any], people: int) -> int:
    """Return how many sides so many people play on."""
    return len(start(game, [f"{n}" for n in range(people)]).standing().sides)


def side_at(game: Game[Any], index: int, people: int) -> int:
    """Return the side of a place: so many seats to the right of the lowest one, at a table of so many people."""
    towards = -index if turn_of(game.slug) == "left" else index
    return towards % people % how_many_sides(game, people)


@dataclass(frozen=True, slots=True)
class DrawnSeat:
    """A place at the drawn table of the new-table page: what it is called there and at its field, and its side."""

    name: str
    label: str
    side: int | None


def drawn(game: Game[Any] | None) -> list[DrawnSeat]:
    """Return the places at a new table, to the right from whoever fills this in; where teams play, one is the partner's."""
    labels = places(game)
    if game is None or len(labels) not in PLACES:
        return [DrawnSeat(label, label, None) for label in labels]
    most = len(labels)
    found = [DrawnSeat(term("You", "seat"), labels[0], side_at(game, 0, most))]
    for index, label in enumerate(labels[1:], start=1):
        side = side_at(game, index, most)
        partner = side == found[0].side
        name = say("Your partner") if partner else label
        found.append(DrawnSeat(name, say("{place}, your partner", place=as_sentence(label)) if partner else label, side))
    return found


def seated(slug: str, people: list[str | None]) -> list[str | None]:
    """Put typed names at their seats. Where their places have no names, they were typed in turn order."""
    game = offered().get(slug)
    if game is None or game.seats[1] in PLACES or turn_of(slug) == "right":
        return people
    return [people[0], *reversed([name for name in people[1:] if name])]


def new_page(form: NewTableForm, status: int = 200, refusal: str = "", wait: int = 0) -> ResponseReturnValue:
    """Return the page of a new table, with labels for the places that its game has."""
    games = offered()
    slug = request.values.get("game", "")
    game = games.get(slug)
    around = drawn(game)
    return (
        render_template(
            "lobby/new.html",
            form=form,
            refusal=refusal,
            slug=slug if game else "home",
            game_title=game.title if game else "",
            around=around if len(around) in PLACES else [],
            people=list(zip((place.label for place in around), form.people, strict=False)),
            known=[each for each in known() if each.token == each.table.play_token],
        ),
        status,
        retry_after(wait),
    )


def new_name(name: str) -> str:
    """Return a name like this one that no table on this phone's list has: "Sunday table 2"."""
    taken = {each.table.name for each in known()}
    return next(each for each in chain((name,), (f"{name} {number}" for number in count(2))) if each not in taken)


@bp.get("/tables/new")
def new() -> ResponseReturnValue:
    """Ask who plays. One name is enough; the others come with their phones, or are typed here."""
    form = NewTableForm(formdata=None)
    form.table.data = new_name(chosen().say(say("{day} table", day=Name(chosen().date(datetime.now().astimezone(), "EEEE")))))
    form.person_0.data = session.get("me", "")
    return new_page(form)


@bp.get("/tables")
def to_new() -> ResponseReturnValue:
    """Lead to the page of a new table whoever loads a refused one again."""
    return redirect(url_for("lobby.new"), 303)


@bp.post("/tables")
def create() -> ResponseReturnValue:
    """Make the table and go there."""
    form = NewTableForm()
    if wait := seconds_to_wait(NEW_TABLES):
        return new_page(form, 429, say("Too many new tables in a short time. Nothing was lost: try again later."), wait)
    if not form.validate():
        return new_page(form, 422)
    game = request.form.get("game", "")
    people = seated(game, [field.data for field in form.people])
    table = seating.create(form.table.data or "", people, phone_id(), game if game in offered() else None)
    count_hit(NEW_TABLES)
    session["me"] = form.person_0.data
    remember_table(table, table.play_token)
    return redirect(url_for("table.show_table", token=table.play_token), 303)


@bp.post("/tables/known")
def put_back() -> ResponseReturnValue:
    """Undo the removal of a table from this phone: list it again, and sign in as the same person unless another phone has."""
    seen = resolve_link(request.form.get("token", ""))
    person = next((each for each in seen.table.players if each.id == request.form.get("person", type=int)), None)
    if seen.may_enter and person is not None and person.phone is None:
        seating.claim(seen.table.id, person.id, seen.phone)
    return redirect(url_for("lobby.home"), 303)
