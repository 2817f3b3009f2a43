"""What is on a shelf of games? It is searched by name in any language, and begun at a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from unicodedata import combining, normalize

from flask import Blueprint, Response, abort, current_app, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import select
from werkzeug.datastructures import MultiDict

from companion.engine.core import RuleError
from companion.engine.text import Sentence, say
from companion.games import PLUGINS
from companion.languages import languages
from companion.screens.shelf import Shelf, ShelfItem
from companion.storage.models import Match, db
from companion.tables import seating
from companion.web import language
from companion.web.guard.access import players_only, resolve_link
from companion.web.lobby import KnownTable, known, turn_of
from companion.web.table.around import around
from companion.web.table.qr import qr_code

bp = Blueprint("shelves", __name__)

LARGEST_FILE = 2**16  # bytes
LONGEST_LINK = 2_000  # characters of an item's text that still make a link
LONGEST_CODE = 2_300  # characters of a link that a QR code still holds
OWN = "own"  # the kind of sheets that somebody made
MOST_SHOWN = 4  # of what was played last
ALIKE = 0.75  # how much of a name must be the same, so that one wrong letter still finds it


@dataclass(frozen=True, slots=True)
class OnShelf:
    """An item with the game whose shelf it is on."""

    game: str
    item: ShelfItem


def shelves() -> Mapping[str, Shelf]:
    """Return the shelves that there are, by the game's slug."""
    return {slug: plugin.shelf for slug, plugin in PLUGINS.items() if plugin.shelf is not None}


def everything() -> Iterator[OnShelf]:
    """Iterate over all items, by title."""
    every = [OnShelf(slug, item) for slug, shelf in shelves().items() for item in shelf.items()]
    return iter(sorted(every, key=lambda entry: plain(entry.item.title)))


def find(query: str) -> list[OnShelf]:
    """Return what a query finds: by its names in every language, by its group, and with one wrong letter.

    What begins with the query comes first.
    """
    wanted = plain(query)
    hits = [(rank, entry) for entry in everything() if (rank := min([_rank(wanted, name) for name in names(entry.item)])) < 3]
    return [entry for _, entry in sorted(hits, key=lambda hit: hit[0])]


def names(item: ShelfItem) -> list[str]:
    """Return all names under which people look for an item, without accents."""
    sayings = [item.title, *item.also, *(words for shelf in shelves().values() for words in shelf.groups.get(item.group, ()))]
    spoken = [each.say(words) if isinstance(words, Sentence) else words for words in sayings for each in languages().values()]
    return list(dict.fromkeys(plain(words) for words in [item.slug, *spoken]))


def _rank(wanted: str, name: str) -> int:
    """Return how well a name fits: 0 it begins so, 1 a word of it does, 2 it is almost that; 3 not at all."""
    if name.startswith(wanted):
        return 0
    if any(word.startswith(wanted) for word in name.split()) or wanted in name:
        return 1
    begun = name[: len(wanted)]
    return 2 if len(wanted) > 3 and SequenceMatcher(None, wanted, begun).ratio() >= ALIKE else 3


def plain(text: str) -> str:
    """Return a text as names are compared: small letters without accents."""
    return "".join(letter for letter in normalize("NFD", str(text).casefold()) if not combining(letter)).strip()


def played(table_ids: Sequence[int]) -> list[OnShelf]:
    """Return what these tables played from a shelf, the newest first."""
    query = (
        select(Match.game, Match.options)
        .where(Match.table_id.in_(table_ids), Match.game.in_(list(shelves())))
        .order_by(Match.created.desc())
        .limit(40)
    )
    last: dict[str, OnShelf] = {}
    for game, options in db.session.execute(query):
        shelf = shelves()[game]
        item = shelf.played(options)
        if item is not None:
            last.setdefault(item.text or item.slug, OnShelf(game, item))
    return list(last.values())


@bp.app_template_global()
def own_sheets(tables: Sequence[KnownTable]) -> list[OnShelf]:
    """Return what these tables played by that somebody made, the newest first."""
    return _own_of(played([joined.table.id for joined in tables])) if tables else []


def _own_of(last: Sequence[OnShelf]) -> list[OnShelf]:
    return [entry for entry in last if entry.item.text]


def _listed(last: Sequence[OnShelf]) -> Mapping[str, object]:
    query = request.args.get("q", "")[:60]
    group = request.args.get("group", "")
    items = (
        find(query)
        if query.strip()
        else _own_of(last)
        if group == OWN
        else [entry for entry in everything() if not group or entry.item.group == group]
    )
    ((_, shelf), *_) = shelves().items()
    return {"shelf": shelf, "found": items, "query": query, "group": group, "last": last[:MOST_SHOWN], "made": _own_of(last)}


@bp.app_template_global()
def on_shelf(shelf: Shelf) -> list[OnShelf]:
    """Return what is on a shelf, for pages that count its kinds."""
    return [OnShelf("", item) for item in shelf.items()]


def _item(slug: str) -> OnShelf:
    entry = next((candidate for candidate in everything() if candidate.item.slug == slug), None)
    if entry is None:
        abort(404)
    return entry


@bp.get("/more")
def show() -> ResponseReturnValue:
    """Show all games of the shelf, or those that match a query."""
    return render_template("shelf/list.html", **_listed(played([joined.table.id for joined in known()])), token=None)


@bp.get("/more/<slug>")
def show_item(slug: str) -> ResponseReturnValue:
    """Show one of them: its scoring in words, and where it can be played."""
    entry = _item(slug)
    tables = [joined for joined in known() if joined.token == joined.table.play_token]
    return render_template("shelf/item.html", game=entry.game, item=entry.item, known=tables)


def _own(game: str, shelf: Shelf) -> OnShelf:
    """Return the item that somebody made, by the text of the address or of the form, or by a file. Raises RuleError."""
    file = request.files.get("file")
    if file is not None and file.filename:
        return OnShelf(game, shelf.received(file.stream.read(LARGEST_FILE + 1)))
    return OnShelf(game, shelf.received(request.values.get("s", "")))


def _only_shelf() -> tuple[str, Shelf]:
    return next(iter(shelves().items()))


@bp.route("/more/own", methods=["GET", "POST"])
def show_own() -> ResponseReturnValue:
    """Tell in words what is in a sheet that somebody passed on, with its link, QR code and file, before it is played."""
    game, shelf = _only_shelf()
    try:
        entry = _own(game, shelf)
    except RuleError as refused:
        return render_template("shelf/own.html", game=game, shelf=shelf, item=None, refusal=refused.message), 422
    tables = [joined for joined in known() if joined.token == joined.table.play_token]
    link = url_for("shelves.show_own", s=entry.item.text, _external=True)
    short = len(entry.item.text) <= LONGEST_LINK
    # Companion inside a phone has nothing to scan
    code = qr_code(link) if len(link) <= LONGEST_CODE and not current_app.config["POCKET"] else None
    page = {"item": entry.item, "link": link if short else None, "qr": code, "known": tables, "refusal": ""}
    return render_template("shelf/own.html", game=game, shelf=shelf, **page)


@bp.post("/more/own/file")
def save_own() -> ResponseReturnValue:
    """Send a sheet that somebody made as a file."""
    _, shelf = _only_shelf()
    try:
        body = shelf.document(request.form.get("s", ""))
    except RuleError as refused:
        abort(422, refused.message)
    return Response(body, mimetype="application/json", headers={"Content-Disposition": "attachment; filename=sheet.json"})


@bp.route("/more/make", methods=["GET", "POST"])
def make() -> ResponseReturnValue:
    """Ask what a sheet of one's own is like, and show it as it is so far."""
    game, shelf = _only_shelf()
    errors: dict[str, str] = {}
    item = None
    typed: MultiDict[str, str] = request.form if request.method == "POST" else request.args
    after = shelf.tapped(typed)
    typed = after or typed
    keeps = request.method == "POST" and after is None and not request.form.get("ask")
    sketch = MultiDict(typed)
    if not typed.get("name", "").strip():
        sketch["name"] = str(language.chosen().say(say("Sheet {n}", n=len(own_sheets(known())) + 1)))
    try:
        item = shelf.made(sketch)
    except RuleError as refused:
        errors[refused.field] = refused.message
    if item is not None and keeps:
        return redirect(url_for("shelves.show_own", s=item.text), 303)
    status = 422 if errors and keeps else 200
    return render_template(shelf.maker, game=game, shelf=shelf, item=item, typed=typed, errors=errors), status


@bp.route("/t/<token>/more/own", methods=["GET", "POST"])
@players_only
def show_own_at(token: str) -> ResponseReturnValue:
    """Ask a table what is to be agreed on before a match by a sheet that somebody made, and who plays."""
    access = resolve_link(token)
    try:
        entry = _own(*_only_shelf())
    except RuleError as refused:
        abort(422, refused.message)
    people = seating.turn_order(access.table, turn_of(entry.game))
    return render_template("shelf/start.html", **around(access), game=entry.game, item=entry.item, people=people)


@bp.get("/t/<token>/more")
@players_only
def show_at(token: str) -> ResponseReturnValue:
    """Show a table what is on the shelf, what it played last first."""
    access = resolve_link(token)
    return render_template("shelf/list.html", **{**around(access), **_listed(played([access.table.id]))})


@bp.get("/t/<token>/more/<slug>")
@players_only
def show_item_at(token: str, slug: str) -> ResponseReturnValue:
    """Ask a table what is to be agreed on before one of them, and who plays."""
    access = resolve_link(token)
    entry = _item(slug)
    people = seating.turn_order(access.table, turn_of(entry.game))
    return render_template("shelf/start.html", **around(access), game=entry.game, item=entry.item, people=people)
