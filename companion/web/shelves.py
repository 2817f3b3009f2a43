"""What is on a shelf of games? It is searched by name in any language, and begun at a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import count, groupby

from flask import Blueprint, Response, abort, current_app, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue
from markupsafe import Markup
from sqlalchemy import select
from werkzeug.datastructures import FileStorage, MultiDict

from companion.engine.core import RuleError
from companion.engine.text import Name, say
from companion.games import PLUGINS
from companion.languages import languages
from companion.rulebook.book import searched
from companion.screens.shelf import OWN, Shelf, ShelfItem
from companion.storage.models import Match, db
from companion.tables import keeping, seating
from companion.tables.seating import TableError
from companion.web import language
from companion.web.guard.access import phone_id, players_only, resolve_link
from companion.web.guard.limits import KEPT, count_hit, retry_after, seconds_to_wait
from companion.web.lobby import KnownTable, known, turn_of
from companion.web.table.around import around
from companion.web.table.file import to_keep
from companion.web.table.qr import qr_code

bp = Blueprint("shelves", __name__)

LARGEST_FILE = 2**16  # bytes
LONGEST_LINK = 2_000  # characters of an item's text that still make a link
LONGEST_CODE = 2_300  # characters of a link that a QR code still holds
MOST_SHOWN = 4  # of what was played last
ALIKE = 0.75  # how much of a name must be the same, so that one wrong letter still finds it
NOT_FOUND = 3


@dataclass(frozen=True, slots=True)
class OnShelf:
    """An item with the game whose shelf it is on, and the number under which this phone keeps it, 0 if it doesn't."""

    game: str
    item: ShelfItem
    kept: int = 0

    def is_edition_of(self, other: OnShelf) -> bool:
        """Return whether both are editions of one item that somebody made."""
        return self.game == other.game and self.item.in_common == other.item.in_common

    def url(self, token: str | None = None) -> str:
        """Return where it is shown, at a table or without one.

        One that somebody made is all in its address, or where none holds it there is this phone's number of it.
        """
        if not self.item.text:
            at = url_for("shelves.show_item", slug=self.item.slug)
            return url_for("shelves.show_item_at", token=token, slug=self.item.slug) if token else at
        fits = len(self.item.text) <= LONGEST_LINK or not self.kept
        text, number = (self.item.text, None) if fits else (None, self.kept)
        at = url_for("shelves.show_own", s=text, kept=number)
        return url_for("shelves.show_own_at", token=token, s=text, kept=number) if token else at


def shelves() -> Mapping[str, Shelf]:
    """Return the shelves that there are, by the game's slug."""
    return {slug: plugin.shelf for slug, plugin in PLUGINS.items() if plugin.shelf is not None}


def everything() -> Iterator[OnShelf]:
    """Iterate over all items, by title in the phone's language."""
    every = [OnShelf(slug, item) for slug, shelf in shelves().items() for item in shelf.items()]
    return iter(sorted(every, key=lambda entry: plain(language.words(entry.item.title))))


def find(query: str, own: Sequence[OnShelf] = ()) -> list[OnShelf]:
    """Return what a query finds: by its names in every language, by its group, and with one wrong letter.

    What begins with the query comes first, and of that what somebody here made.
    """
    hits = [(hit, entry) for entry in (*own, *everything()) if (hit := _hit(entry.item, query))[0] < NOT_FOUND]
    return [entry for _, entry in sorted(hits, key=lambda hit: hit[0][0])]


def _hit(item: ShelfItem, query: str) -> tuple[int, str]:
    """Return how well a query fits an item, and the words in which it does: its title, another name, or words of its group."""
    title, *also = (language.words(words) for words in (item.title, *item.also))
    elsewhere = (other.say(words) for other in languages().values() for words in (item.title, *item.also))
    hits = [(_rank(query, name), name) for name in (title, *also, *elsewhere)]
    for shelf in shelves().values():
        words = [language.words(words) for words in shelf.groups.get(item.group, ())[:2]]
        hits += [(1, name) for name in words if f" {plain(query)}" in f" {plain(name)}"]
    return min(hits, key=lambda hit: hit[0])


def _rank(query: str, name: str) -> int:
    """Return how well a name fits the query: 0 for its beginning, 1 for a part of it, 2 for a wrong letter; else NOT_FOUND."""
    wanted, name = plain(query), plain(name)
    if name.startswith(wanted):
        return 0
    return 1 if wanted in name else 2 if _alike(wanted, name[: len(wanted)]).ratio() >= ALIKE else NOT_FOUND


def _alike(wanted: str, begun: str) -> SequenceMatcher[str]:
    return SequenceMatcher(None, wanted if len(wanted) > 3 else "", begun)


def plain(text: str) -> str:
    """Return a text as names are compared: small letters without accents."""
    return searched(text.replace("-", " ")).strip()


@bp.app_template_global()
def found_by(item: ShelfItem, query: str) -> tuple[str, str]:
    """Return an item's title with the letters marked that a query finds, and the other words in which it finds them."""
    title, words = language.words(item.title), _hit(item, query)[1]
    return (marked(title, query), "") if words == title else (title, marked(words, query))


def marked(text: str, query: str) -> Markup:
    """Return a text with the letters marked that a query finds in it, accents or not: where a word begins so, if one does."""
    letters = [(letter, at) for at, given in enumerate(text.replace("-", " ")) for letter in searched(given)]
    wanted, name = plain(query), "".join(letter for letter, _ in letters)
    begun = [at for at in range(len(name)) if wanted and name.startswith(wanted, at)]
    begins = min(begun, key=lambda at: f" {name}"[at] != " ", default=0)
    alike = _alike(wanted, name[: len(wanted)]).get_matching_blocks()
    runs = [(begins, len(wanted))] if begun else [(block.b, block.size) for block in alike]
    places = {at for begin, size in runs for _, at in letters[begin : begin + size]}
    for at, given in enumerate(text):
        if at - 1 in places and not searched(given):  # the accent of a letter
            places.add(at)
    parts = (("".join(text[at] for at in run), hit) for hit, run in groupby(range(len(text)), places.__contains__))
    return Markup().join(Markup("<mark>{}</mark>").format(part) if hit else part for part, hit in parts)


def played(table_ids: Sequence[int]) -> list[OnShelf]:
    """Return what these tables played from a shelf, the newest first."""
    return [entry for entry, _ in _played(tuple(table_ids))]


@bp.app_template_global()
def played_last(tables: Sequence[KnownTable]) -> list[tuple[OnShelf, KnownTable]]:
    """Return the two games of a shelf that these tables played last, each with its table: one tap goes on with its people."""
    plays = {joined.table.id: joined for joined in tables if joined.token == joined.table.play_token}
    last = _played(tuple(joined.table.id for joined in tables))
    return [(entry, plays[table]) for entry, table in last if table in plays][:2]


def _played(table_ids: tuple[int, ...]) -> list[tuple[OnShelf, int]]:
    """Return what these tables played from a shelf, the newest first, each with the table."""
    if not table_ids:
        return []
    query = (
        select(Match.game, Match.options, Match.table_id)
        .where(Match.table_id.in_(table_ids), Match.game.in_(list(shelves())))
        .order_by(Match.created.desc())
        .limit(40)
    )
    last: dict[str, tuple[OnShelf, int]] = {}
    for game, options, table in db.session.execute(query):
        item = shelves()[game].played(options)
        if item is not None:
            last.setdefault(item.text or item.slug, (OnShelf(game, item), table))
    return list(last.values())


def kept() -> list[OnShelf]:
    """Return what this phone keeps, the newest first."""
    phone = session.get("phone")
    return [] if not phone else [entry for game, shelf in shelves().items() for entry in _kept(phone, game, shelf)]


def _kept(phone: str, game: str, shelf: Shelf) -> Iterator[OnShelf]:
    for item in keeping.kept(phone, game):
        try:
            yield OnShelf(game, shelf.received(item.text), item.number)
        except RuleError:  # by a later Companion
            continue


@bp.app_template_global()
def own_sheets(tables: Sequence[KnownTable]) -> list[OnShelf]:
    """Return what somebody made: what this phone keeps, then what these tables played, of each the newest edition."""
    return _own_of(played([joined.table.id for joined in tables]))


def _own_of(last: Iterable[OnShelf]) -> list[OnShelf]:
    own: list[OnShelf] = []
    for entry in (*kept(), *(entry for entry in last if entry.item.text)):
        same = [other for other in own if entry.is_edition_of(other)]
        if not any(other.item.text == entry.item.text or other.item.edition > entry.item.edition for other in same):
            own = [other for other in own if other not in same or other.item.edition == entry.item.edition] + [entry]
    return own


def told_apart(entries: Sequence[OnShelf]) -> list[OnShelf]:
    """Return a list in which what has another's name says whose it is: "Sevens (Ana)"."""
    often = Counter(entry.item.title.casefold() for entry in entries)
    return [_with_maker(entry) if entry.item.text and often[entry.item.title.casefold()] > 1 else entry for entry in entries]


def _with_maker(entry: OnShelf) -> OnShelf:
    item = entry.item
    # NOTE: of a sheet that nobody signed, where another one has the same name: "Skull King (own)"
    by = Name(item.by) if item.by else say("own")
    return replace(entry, item=replace(item, title=say("{name} ({by})", name=Name(item.title), by=by)))


def _listed(last: Sequence[OnShelf]) -> Mapping[str, object]:
    query = request.args.get("q", "")[:60]
    group = request.args.get("group", "")
    own = _own_of(last)
    items = (
        find(query, own)
        if query.strip()
        else own
        if group == OWN
        else [entry for entry in everything() if not group or entry.item.group == group]
    )
    ((_, shelf), *_) = shelves().items()
    page = {"shelf": shelf, "found": told_apart(items), "query": query, "group": group}
    return {**page, "last": told_apart(last[:MOST_SHOWN]), "made": own}


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
        item = shelf.received(_read(file))
    elif number := request.values.get("kept", 0, type=int):
        return next((entry for entry in kept() if entry.kept == number), None) or abort(404)
    else:
        item = shelf.received(request.values.get("s", ""))
    return next((entry for entry in kept() if entry.item.text == item.text), OnShelf(game, item))


def _only_shelf() -> tuple[str, Shelf]:
    return next(iter(shelves().items()))


@bp.route("/more/own", methods=["GET", "POST"])
def show_own() -> ResponseReturnValue:
    """Tell in words what is in a sheet that somebody passed on, before it is kept or played, and pass it on."""
    game, shelf = _only_shelf()
    try:
        entry = _own(game, shelf)
    except RuleError as refused:
        return _refused(game, shelf, refused)
    return own_page(entry, shelf)


def _refused(game: str, shelf: Shelf, refused: RuleError) -> ResponseReturnValue:
    """Return the page of a sheet that can't be read: why, and its text, to be mended there."""
    file = request.files.get("file")
    try:
        text = shelf.opened(_read(file) if file is not None and file.filename else request.values.get("s", ""))
    except RuleError:  # a link that is not whole stays as it came
        text = request.values.get("s", "")[:LONGEST_LINK]
    return render_template("shelf/own.html", game=game, shelf=shelf, item=None, refusal=refused.message, text=text), 422


def _read(file: FileStorage) -> bytes:
    """Return what a file holds, as far as any sheet goes."""
    file.stream.seek(0)
    return file.stream.read(LARGEST_FILE + 1)


def own_page(entry: OnShelf, shelf: Shelf, *, refusal: str = "", status: int = 200, wait: int = 0) -> ResponseReturnValue:
    """Return the page of a sheet that somebody made, and why it could not be kept."""
    tables = known()
    link = url_for("shelves.show_own", s=entry.item.text, _external=True)
    others = [other for other in (*kept(), *played([joined.table.id for joined in tables])) if other.is_edition_of(entry)]
    others = [other for other in others if other.item.text != entry.item.text]
    other = max(others, key=lambda other: other.item.edition, default=None)
    older, newer = (entry, other) if other is not None and other.item.edition > entry.item.edition else (other, entry)
    page = {
        "entry": entry,
        "item": entry.item,
        "can_change": shelf.typed(entry.item.text) is not None,
        "other": other,
        "changes": () if older is None or newer is None else shelf.changes(older.item.text, newer.item.text),
        "link": link if len(entry.item.text) <= LONGEST_LINK else None,
        # Companion inside a phone has nothing to scan
        "qr": qr_code(link) if len(link) <= LONGEST_CODE and not current_app.config["POCKET"] else None,
        "known": [joined for joined in tables if joined.token == joined.table.play_token],
        "anew": _new_table(entry),
        "refusal": "",
        "not_kept": refusal,
    }
    return render_template("shelf/own.html", game=entry.game, shelf=shelf, **page), status, retry_after(wait)


def _new_table(entry: OnShelf) -> str | None:
    """Return where a new table is made that plays what somebody made; None where no address holds it."""
    if len(entry.item.text) <= LONGEST_LINK:
        return url_for("lobby.new", game=entry.game, item=OWN, s=entry.item.text)
    return url_for("lobby.new", game=entry.game, item=OWN, kept=entry.kept) if entry.kept else None


def _keep(entry: OnShelf) -> int:
    """Keep a sheet on this phone, instead of its earlier editions, and return its number. Raises TableError."""
    earlier = [other.kept for other in kept() if other.is_edition_of(entry) and other.item.edition < entry.item.edition]
    return keeping.keep(phone_id(), entry.game, entry.item.text, instead=tuple(earlier))


@bp.post("/more/own/keep")
def keep_own() -> ResponseReturnValue:
    """Keep a sheet that somebody passed on."""
    game, shelf = _only_shelf()
    try:
        entry = _own(game, shelf)
    except RuleError as refused:
        return _refused(game, shelf, refused)
    if wait := seconds_to_wait(KEPT):
        return own_page(entry, shelf, refusal=say("Too many sheets in a short time. Try again later."), status=429, wait=wait)
    try:
        number = _keep(entry)
    except TableError as refused:
        return own_page(entry, shelf, refusal=refused.message, status=422)
    count_hit(KEPT)
    return redirect(replace(entry, kept=number).url(), 303)


@bp.post("/more/own/forget")
def forget_own() -> ResponseReturnValue:
    """Keep a sheet no longer. Its page stays open, and offers to keep it again."""
    entry = next((entry for entry in kept() if entry.kept == request.form.get("kept", type=int)), None)
    if entry is None:  # a second tap
        return redirect(url_for("shelves.show"), 303)
    keeping.forget(phone_id(), entry.kept)
    if len(entry.item.text) > LONGEST_LINK:
        return redirect(url_for("shelves.show"), 303)
    return redirect(url_for("shelves.show_own", s=entry.item.text), 303)


@bp.post("/more/own/file")
def save_own() -> ResponseReturnValue:
    """Send a sheet that somebody made as a file."""
    _, shelf = _only_shelf()
    text = request.form.get("s", "")
    try:
        body, name = shelf.document(text), shelf.received(text).title
    except RuleError as refused:
        abort(422, refused.message)
    return Response(body, mimetype="application/json", headers={"Content-Disposition": to_keep(name, "sheet")})


@bp.route("/more/make", methods=["GET", "POST"])
def make() -> ResponseReturnValue:
    """Ask what a sheet of one's own is like, or what changes in one that is there, and show it as it is so far."""
    game, shelf = _only_shelf()
    errors: dict[str, str] = {}
    item = None
    typed: MultiDict[str, str] = request.form if request.method == "POST" else _begun(shelf)
    after = shelf.tapped(typed)
    typed = after or typed
    keeps = request.method == "POST" and after is None and not request.form.get("ask")
    sketch = MultiDict(typed)
    sheets = kept()
    if not typed.get("name", "").strip():
        sketch["name"] = typed.get("nameless") or _free_name(sheets)
    texts = [*(entry.item.text for entry in sheets), *([typed["of"]] if typed.get("of") else [])]
    try:
        item = shelf.made(sketch, texts)
    except RuleError as refused:
        errors[refused.field] = refused.message
    wait = seconds_to_wait(KEPT) if keeps else 0
    if wait:
        errors["sheet"] = say("Too many sheets in a short time. Try again later.")
    elif item is not None and keeps:
        entry = OnShelf(game, item)
        try:
            number = _keep(entry)
        except TableError as refused:
            errors["sheet"] = refused.message
        else:
            count_hit(KEPT)
            return redirect(replace(entry, kept=number).url(), 303)
    status = 429 if wait else 422 if errors and keeps else 200
    page = {"item": item, "typed": typed, "errors": errors, "nameless": sketch["name"], "me": session.get("me", "")}
    return render_template(shelf.maker, game=game, shelf=shelf, **page), status, retry_after(wait)


def _begun(shelf: Shelf) -> MultiDict[str, str]:
    """Return what is typed already on a page that was just opened: all that makes the sheet that is to be changed."""
    of = request.args.get("of", "")
    if not of or "column" in request.args:  # else with the answers so far, as the page itself keeps them in its address
        return request.args
    try:
        typed = shelf.typed(of)
    except RuleError as refused:
        abort(422, refused.message)
    if typed is None:
        abort(422, say("This sheet has more to it than the page asks. Change its file, and open that."))
    return MultiDict([*typed.items(multi=True), ("of", of)])


def _free_name(sheets: Sequence[OnShelf]) -> str:
    """Return a name for a sheet that has none, which no other one here has: "Sheet 2"."""
    taken = {entry.item.title for entry in own_sheets(known())} | {entry.item.title for entry in sheets}
    names_in_turn = (str(language.chosen().say(say("Sheet {n}", n=n))) for n in count(1))
    return next(name for name in names_in_turn if name not in taken)


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
