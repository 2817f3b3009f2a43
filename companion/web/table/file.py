"""How does a table leave in a file, and come back from one?"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import chain
from threading import BoundedSemaphore

from flask import Blueprint, Response, current_app, redirect, render_template, request, session, stream_with_context, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import RequestEntityTooLarge, TooManyRequests

from companion.engine.text import said, say
from companion.storage.yielding import breathe
from companion.tables import seating, table_file
from companion.web.delivery.toasts import takes_parts
from companion.web.errors import too_fast
from companion.web.guard.access import phone_id, players_only, remember_table, resolve_link
from companion.web.guard.limits import FILES, address_key, take
from companion.web.language import table_name

bp = Blueprint("table_file", __name__)

AROUND_A_FILE = 16 * 1024  # bytes that a form has besides its file
PIECE = 64 * 1024  # bytes that are compressed and sent at once
AT_ONCE, PATIENCE = 2, 20.0  # files that are read at once, whoever sends them, and seconds until others are told to come again
CARRIES = frozenset(("table_file.upload", "bringing_back.bring"))  # their forms hold a table's file
MOST_NAMED = 5  # games whose matches were left out, as a page names them
LINK = re.compile(r"[\w-]{16,64}", re.ASCII)
CARRYING = "companion.carrying"  # where a request notes for whom it carries a table


def carries_a_file(blueprint: Blueprint) -> None:
    """Let the blueprint's forms hold a table's file: larger than other forms, and one at a time of an address."""
    blueprint.url_value_preprocessor(let_a_file_in)
    blueprint.teardown_request(let_the_next_in)


def let_a_file_in(endpoint: str | None, _values: object) -> None:
    """Allow a table's file to be larger than other forms, unless another one of its address is carried now, or many came.

    That is decided before anything of it is read. Each would have its turns, and others would wait for all of them.
    """
    if endpoint in CARRIES:
        request.max_content_length = table_file.LARGEST + AROUND_A_FILE
    if endpoint != "table_file.download" and not (endpoint in CARRIES and request.method == "POST"):
        return
    address = address_key()
    if address in _carrying():
        raise TooManyRequests(say("Another table is being imported. Try again in a moment."), retry_after=5)
    if request.method == "POST" and (seconds := take(FILES)):
        raise TooManyRequests(say("Too many files in a short time. Nothing was lost: try again later."), retry_after=seconds)
    _carrying().add(address)
    request.environ[CARRYING] = address


def let_the_next_in(_error: BaseException | None) -> None:
    """Let the address's next table come."""
    if CARRYING in request.environ:
        _carrying().discard(request.environ.pop(CARRYING))


def _carrying() -> set[str]:
    """Return the addresses for which a table is being read or written now."""
    busy: set[str] = current_app.extensions.setdefault("companion-carrying", set())
    return busy


carries_a_file(bp)


@bp.get("/t/<token>/table.json")
@players_only
def download(token: str) -> ResponseReturnValue:
    """Send the table with all its matches, undone and corrected entries included, as a file to keep."""
    table = resolve_link(token).row
    pieces = table_file.export_pieces(table.id)
    first = next(pieces)  # what is wrong with the database has a page of its own
    headers = {"Content-Disposition": to_keep(table.name), "Cache-Control": "no-store"}
    body = stream_with_context(in_pieces(chain((first,), pieces)))
    return Response(body, mimetype="application/json", headers=headers)


def to_keep(name: str, *of: str) -> str:
    """Return the header of a file to keep. It has a name, what it is of, and the day: "monday-beloz-1-2026-11-23.json".

    Letters that not every file system takes are left out.
    """
    letters = unicodedata.normalize("NFKD", table_name(name)).encode("ascii", "ignore").decode().lower()
    named = "-".join(re.findall(r"[a-z0-9]+", letters)) or "table"
    return f'attachment; filename="{"-".join((named, *of, f"{datetime.now(UTC):%Y-%m-%d}"))}.json"'


def in_pieces(parts: Iterable[bytes]) -> Iterator[bytes]:
    """Send a long body in pieces, so that others have their turns while it is compressed and sent."""
    for part in parts:
        for begin in range(0, len(part), PIECE):
            yield part[begin : begin + PIECE]
            breathe()


@contextmanager
def working() -> Iterator[None]:
    """Inside: few files are read at once, whoever sends them, for each takes memory. Raises TooManyRequests."""
    places: BoundedSemaphore = current_app.extensions.setdefault("companion-files", BoundedSemaphore(AT_ONCE))
    if not places.acquire(timeout=PATIENCE):
        raise TooManyRequests(say("Another table is being imported. Try again in a moment."), retry_after=5)
    try:
        yield
    finally:
        places.release()


@bp.route("/tables/import", methods=["GET", "POST"])
def upload() -> ResponseReturnValue:
    """Make a new table from a file. A phone that carries its own says who it belongs to there: ``me``.

    A phone that is handed the table by another says by which ``link`` it is played.
    """
    if request.method == "GET":
        return import_page()
    file = request.files.get("file")
    left_out: Counter[str] = Counter()
    try:
        with working():
            data = b"" if file is None else file.read(table_file.LARGEST + 1)
            if not data:
                return import_page(say("Choose a file exported from Companion."), 422)
            table = table_file.import_table(data, left_out, link=link_handed_on())
    except table_file.TableFileError as refused:
        return import_page(said(refused), 422)
    phone, me = phone_id(), request.form.get("me", "")
    if person := next((player for player in table.players if player.name == me), None):
        seating.claim(table.id, person.id, phone)
        session["me"] = me
    remember_table(table, table.play_token)
    note_left_out(table.id, left_out)
    return redirect(url_for("table.show_table", token=table.play_token), 303)


def link_handed_on() -> str:
    """Return the link of a table that another phone hands on to this one. A server gives links of its own."""
    link = request.form.get("link", "")
    return link if current_app.config["POCKET"] and LINK.fullmatch(link) else ""


def note_left_out(table_id: int, left_out: Counter[str]) -> None:
    """Remember which games' matches stayed in a table's file, for the page of the table. The names may be anything."""
    if left_out:
        session["left_out"] = [table_id, dict(left_out.most_common(MOST_NAMED))]


@bp.app_template_global()
def left_out_of(table_id: int) -> str:
    """Return what a table's page says of matches that did not come with it; a page that is fetched for parts says it too.

    On a server it is said once. A phone's copy of a table says it as long as no other one came.
    """
    number, left_out = session.get("left_out", (None, {}))
    if number != table_id:
        return ""
    if not (current_app.config["POCKET"] or takes_parts()):
        session.pop("left_out")
    return table_file.told_of(left_out)


def import_page(refusal: str = "", status: int = 200) -> tuple[str, int, dict[str, str]]:
    """Return the page on which a file is chosen, with the reason why the last one would not do.

    A page elsewhere may have opened it to hand over a table. So that the two can speak, it does not part from its opener.
    """
    return render_template("table/import.html", refusal=refusal), status, {"Cross-Origin-Opener-Policy": "unsafe-none"}


@bp.errorhandler(TooManyRequests)
def too_many(error: TooManyRequests) -> ResponseReturnValue:
    """Say on the page itself that too many files came, and when to try again."""
    if request.endpoint != "table_file.upload":
        return too_fast(error)
    any_form = error.description == TooManyRequests.description
    why = (
        say("Too many tries in a short time. Nothing was lost: try again in a minute.") if any_form else error.description or ""
    )
    page, status, headers = import_page(why, 429)
    return page, status, headers | {"Retry-After": str(error.retry_after)}


@bp.errorhandler(RequestEntityTooLarge)
def too_large(_error: RequestEntityTooLarge) -> ResponseReturnValue:
    """Say on the page itself that the file is too large."""
    return import_page(
        say(
            "This file is larger than {largest} MiB, the most that a table’s file can be.", largest=table_file.LARGEST // 2**20
        ),
        413,
    )
