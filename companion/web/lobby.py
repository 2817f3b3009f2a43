"""How does somebody come to a table? By the tables that this phone knows, by a spoken code, or by a new table."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from itertools import chain, count
from typing import Any, Literal

from flask import Blueprint, current_app, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import select

from companion.engine.core import MOST_PEOPLE, Game, start
from companion.engine.text import Sentence, say, term
from companion.games import PLUGINS, screens_of
from companion.screens.interface import as_sentence
from companion.screens.shelf import OWN, Shelf
from companion.storage.models import Table, db
from companion.tables import handover, results, seating
from companion.tables.names import DAYS, YOUR_NAME
from companion.tables.results import Result
from companion.web import install
from companion.web.delivery.toasts import takes_parts
from companion.web.forms import FIRST_NAMES, CodeForm, NewTableForm
from companion.web.guard.access import known_tables, phone_id, remember_table, resolve_link
from companion.web.guard.limits import (
    EVERYBODY,
    GUESSES_MEANWHILE,
    NEW_TABLES,
    WRONG_CODES,
    WRONG_CODES_OF_ALL,
    count_hit,
    retry_after,
    seconds_to_wait,
    wide_key,
)
from companion.web.language import table_name

bp = Blueprint("lobby", __name__)

TOLD = 12  # tables of which the home page tells what was last played: each is a match to replay

# where the others sit, going round to the right
RIGHT, OPPOSITE, LEFT = say("On your right"), say("Opposite you"), say("On your left")
PLACES: dict[int, tuple[Sentence, ...]] = {2: (OPPOSITE,), 3: (RIGHT, LEFT), 4: (RIGHT, OPPOSITE, LEFT)}


@dataclass(frozen=True, slots=True)
class KnownTable:
    """A table that this phone has been at. Of the newest it is ``told`` what was last played there."""

    table: Table
    token: str
    last: Result | None
    told: bool

    @property
    def url(self) -> str:
        """Where Continue leads: to the match that is being played, else to the table."""
        if self.last is not None and self.last.running:
            return url_for("match.show_match", token=self.token, number=self.last.number)
        return url_for("table.show_table", token=self.token)


def offered() -> dict[str, Game[Any]]:
    """Return the games that can be played here, by slug: those that have screens."""
    return {slug: plugin.game for slug, plugin in PLUGINS.items() if plugin.screens is not None}


@bp.app_template_global()
def shelf_of(slug: str) -> Shelf | None:
    """Return the shelf of a game that is many games; None for any other."""
    plugin = PLUGINS.get(slug)
    return None if plugin is None else plugin.shelf


def turn_of(slug: str) -> Literal["right", "left"]:
    """Return which way the turn of a game runs around the table."""
    screens = screens_of(slug)
    return "right" if screens is None else screens.turn


def known() -> list[KnownTable]:
    """Return the tables on this phone's list whose links still lead somewhere, newest first.

    In a phone that has all of Companion they are those that its database has, whatever the list says: nobody else has them.
    """
    links = dict(known_tables())
    if current_app.config["POCKET"]:
        tables = list(db.session.scalars(select(Table).order_by(Table.id.desc())))
        links |= {table.id: table.play_token for table in tables}
    else:
        tables = list(db.session.scalars(select(Table).where(Table.id.in_(links))))
    by_id = {table.id: table for table in tables}
    reachable = [
        (by_id[number], link)
        for number, link in links.items()
        if number in by_id and link in (by_id[number].play_token, by_id[number].watch_token)
    ]
    return [
        KnownTable(table, link, next(iter(results.newest(table.id, 1)), None) if place < TOLD else None, place < TOLD)
        for place, (table, link) in enumerate(reachable)
    ]


def left() -> KnownTable | None:
    """Return the table that found no room on this phone's list any more; None if all did, or it was told."""
    number, link = session.pop("left", None) or (None, "")
    table = None if number is None else db.session.get(Table, number)
    if table is None or link not in (table.play_token, table.watch_token):
        return None
    return KnownTable(table, link, None, told=False)


def home_page(form: CodeForm, status: int = 200, wait: int = 0, *, may_ask: bool = False) -> ResponseReturnValue:
    """Render the home page, with what was typed as a code and why it failed, and once with the table that was just removed.

    ``may_ask``: the code was not even tried, but its table can be asked to let this phone in.
    """
    page = {
        "games": offered(),
        "known": known(),
        "form": form,
        "may_ask": may_ask,
        "removed": None if takes_parts() else session.pop("removed", None),
        "arrived": None if takes_parts() else session.pop("arrived", None),
        "left": None if takes_parts() else left(),
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
    typed = form.code.data if form.validate() else ""
    try:
        with guessing(typed or ""):
            if typed and handover.is_code(typed):
                session["arrived"] = install.bring(handover.take(typed))
                return redirect(url_for("lobby.home"), 303)
            table = seating.by_code(typed) if typed else None
    except TooManyGuesses as paused:
        form.refuse(paused.sentence)
        return home_page(form, 429, paused.wait, may_ask=True)
    except seating.TableError as refused:
        form.refuse(refused.message)
        return home_page(form, 422)
    if table is None:
        count_hit(*WRONG_CODES)
        return home_page(form, 422)
    phone_id()
    remember_table(table, table.play_token)
    return redirect(url_for("table.enter", token=table.play_token), 303)


class TooManyGuesses(Exception):
    """Why no code is looked up now, and for how many seconds."""

    def __init__(self, sentence: str, wait: int) -> None:
        super().__init__(sentence)
        self.sentence, self.wait = sentence, wait


@contextmanager
def guessing(typed: str) -> Iterator[None]:
    """Inside: look up the code that was ``typed``. One that no table has (TableError) is counted as a guess.

    Raises TooManyGuesses where this phone has guessed too often. While many guess, whoever has guessed has to wait, and not who
    comes with the right code.
    """
    if wait := seconds_to_wait(*WRONG_CODES):
        raise TooManyGuesses(say("Too many wrong codes. Wait a minute, then try again."), wait)
    cost = seating.luck(typed)
    if typed and (
        wait := seconds_to_wait(WRONG_CODES_OF_ALL, key=EVERYBODY, cost=cost)
        and seconds_to_wait(GUESSES_MEANWHILE, key=wide_key())
    ):
        raise TooManyGuesses(say("Codes are paused: too many wrong ones. Scan the QR code, or ask for the link."), wait)
    try:
        yield
    except seating.TableError:
        count_hit(WRONG_CODES_OF_ALL, key=EVERYBODY, cost=cost)
        count_hit(GUESSES_MEANWHILE, key=wide_key())
        count_hit(*WRONG_CODES)
        raise


def places(game: Game[Any] | None) -> tuple[str, ...]:
    """Name the places at a new table, to the right from whoever fills this in."""
    most = game.seats[1] if game else MOST_PEOPLE
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
    """A seat in the drawing on the new-table page: its name, its field's label, and its side."""

    name: str
    label: str
    side: int | None


def drawn(game: Game[Any] | None) -> list[DrawnSeat]:
    """Return the places at a new table, to the right from whoever fills this in; where teams play, one is the partner's."""
    labels = places(game)
    if game is None or len(labels) not in PLACES:
        return [DrawnSeat(label, label, None) for label in labels]
    most = len(labels)
    seats = [DrawnSeat(term("You", "seat"), labels[0], side_at(game, 0, most))]
    for index, label in enumerate(labels[1:], start=1):
        side = side_at(game, index, most)
        partner = side == seats[0].side
        name = say("Your partner") if partner else label
        seats.append(DrawnSeat(name, say("{place}, your partner", place=as_sentence(label)) if partner else label, side))
    return seats


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
    game, shelf = games.get(slug), shelf_of(slug)
    around = drawn(game)
    return (
        render_template(
            "lobby/new.html",
            form=form,
            refusal=refusal,
            slug=slug if game else "home",
            game_title=(shelf.title if shelf else game.title) if game else "",
            around=around if len(around) in PLACES else [],
            people=list(zip((place.label for place in around), form.people, strict=False)),
            first_names=FIRST_NAMES,
            known=[listed for listed in known() if listed.token == listed.table.play_token],
        ),
        status,
        retry_after(wait),
    )


def new_name(name: str) -> str:
    """Return a name like this one that no table on this phone's list has: "Sunday table 2"."""
    taken = {table_name(listed.table.name) for listed in known()}
    return next(free for free in chain((name,), (f"{name} {number}" for number in count(2))) if free not in taken)


def of_today() -> str:
    """Return what a table is called at first: by its day."""
    return new_name(table_name(DAYS[datetime.now().astimezone().weekday()]))


@bp.get("/tables/new")
def new() -> ResponseReturnValue:
    """Ask who plays. One name is enough; the others come with their phones, or are typed here."""
    form = NewTableForm(formdata=None)
    form.table.data = of_today()
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
    if "table" not in request.form:  # a page that was made on another day does not ask
        form.table.data = of_today()
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
    item = request.form.get("item", "")
    if item and shelf_of(game) is not None:
        if item == OWN:  # all of it comes along
            text, number = request.form.get("s"), request.form.get("kept")
            return redirect(url_for("shelves.show_own_at", token=table.play_token, s=text, kept=number), 303)
        return redirect(url_for("shelves.show_item_at", token=table.play_token, slug=item), 303)
    return redirect(url_for("table.show_table", token=table.play_token), 303)


@bp.post("/tables/known")
def put_back() -> ResponseReturnValue:
    """Undo the removal of a table from this phone: list it again, and sign in as the same person unless another phone has."""
    seen = resolve_link(request.form.get("token", ""))
    person = next((player for player in seen.table.players if player.id == request.form.get("person", type=int)), None)
    if seen.may_enter and person is not None and person.phone is None:
        seating.claim(seen.table.id, person.id, seen.phone)
    return redirect(url_for("lobby.home"), 303)
