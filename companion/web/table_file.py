"""How does a table leave in a file, and come back from one?"""

from __future__ import annotations

from collections.abc import Iterator

from flask import Blueprint, Response, current_app, redirect, render_template, request, stream_with_context, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import RequestEntityTooLarge, TooManyRequests

from companion.engine.text import said, say
from companion.storage.turns import breathe
from companion.tables import table_file
from companion.web.access import phone_id, players_only, remember_table, resolve_link
from companion.web.errors import too_fast
from companion.web.limits import FILES, address_key, take

bp = Blueprint("table_file", __name__)

AROUND_A_FILE = 16 * 1024  # bytes that a form has besides its file
PIECE = 64 * 1024  # bytes that are compressed and sent at once
CARRIES = frozenset(("table_file.upload", "bringing_back.bring"))  # their forms hold a table's file
CARRYING = "companion.carrying"  # where a request notes for whom it carries a table


@bp.app_url_value_preprocessor
def let_a_file_in(endpoint: str | None, _values: object) -> None:
    """Allow a table's file to be larger than other forms; decided before anything of it is read."""
    if endpoint in CARRIES:
        request.max_content_length = table_file.LARGEST + AROUND_A_FILE


@bp.before_app_request
def one_at_a_time() -> None:
    """Refuse a second table of one address while a first is carried, and too many files, before anything of them is read.

    Each would have its turns, and others would wait for all of them.
    """
    carried = request.endpoint == "table_file.download" or (request.endpoint in CARRIES and request.method == "POST")
    if not carried:
        return
    address = address_key()
    if address in _carrying():
        raise TooManyRequests(say("Another table is on its way just now. Try again when it is there."), retry_after=5)
    if request.method == "POST" and (seconds := take(FILES)):
        raise TooManyRequests(say("Too many files in a short time. Nothing was lost: try again later."), retry_after=seconds)
    _carrying().add(address)
    request.environ[CARRYING] = address


@bp.teardown_app_request
def carried(_error: BaseException | None) -> None:
    """Let the address's next table come."""
    if CARRYING in request.environ:
        _carrying().discard(request.environ.pop(CARRYING))


def _carrying() -> set[str]:
    """Return the addresses for which a table is being read or written now."""
    busy: set[str] = current_app.extensions.setdefault("companion-carrying", set())
    return busy


@bp.get("/t/<token>/table.json")
@players_only
def download(token: str) -> ResponseReturnValue:
    """Send the table with all its matches, undone and corrected entries included, as a file to keep."""
    body = table_file.export_table(resolve_link(token).table.id)
    headers = {"Content-Disposition": 'attachment; filename="table.json"', "Cache-Control": "no-store"}
    return Response(stream_with_context(in_pieces(body)), mimetype="application/json", headers=headers)


def in_pieces(body: bytes) -> Iterator[bytes]:
    """Send a long body in pieces, so that others have their turns while it is compressed and sent."""
    for begin in range(0, len(body), PIECE):
        yield body[begin : begin + PIECE]
        breathe()


@bp.route("/tables/import", methods=["GET", "POST"])
def upload() -> ResponseReturnValue:
    """Make a new table from a file."""
    if request.method == "GET":
        return import_page()
    file = request.files.get("file")
    data = b"" if file is None else file.read(table_file.LARGEST + 1)
    if not data:
        return import_page(say("Choose a file exported from Companion."), 422)
    try:
        table = table_file.import_table(data)
    except table_file.TableFileError as refused:
        return import_page(said(refused), 422)
    phone_id()
    remember_table(table, table.play_token)
    return redirect(url_for("table.show_table", token=table.play_token), 303)


def import_page(refusal: str = "", status: int = 200) -> tuple[str, int]:
    """Return the page on which a file is chosen, with the reason why the last one would not do."""
    return render_template("table/import.html", refusal=refusal), status


@bp.errorhandler(TooManyRequests)
def too_many(error: TooManyRequests) -> ResponseReturnValue:
    """Say on the page itself that too many files came, and when to try again."""
    if request.endpoint != "table_file.upload":
        return too_fast(error)
    any_form = error.description == TooManyRequests.description
    why = (
        say("Too many tries in a short time. Nothing was lost: try again in a minute.") if any_form else error.description or ""
    )
    return *import_page(why, 429), {"Retry-After": str(error.retry_after)}


@bp.errorhandler(RequestEntityTooLarge)
def too_large(_error: RequestEntityTooLarge) -> ResponseReturnValue:
    """Say on the page itself that the file is too large."""
    return import_page(
        say(
            "This file is larger than {largest} MiB, the most that a table's file can be.", largest=table_file.LARGEST // 2**20
        ),
        413,
    )
