"""A table in a file: whoever plays at it may keep one, and whoever has one may bring it here."""

from __future__ import annotations

from flask import Blueprint, Response, current_app, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import RequestEntityTooLarge, TooManyRequests

from companion import portable
from companion.web.access import phone_id, players_only, remember, visit
from companion.web.errors import too_fast
from companion.web.protection import limiter, phone_network

bp = Blueprint("portable", __name__)

BROUGHT = "20 per hour"  # from one address
AROUND_A_FILE = 16 * 1024  # bytes that a form has besides its file


@bp.url_value_preprocessor
def let_a_file_in(endpoint: str | None, _values: object) -> None:
    """A table's file may be larger than other forms; decided before anything of it is read."""
    if endpoint == "portable.bring":
        request.max_content_length = portable.LARGEST + AROUND_A_FILE


@bp.get("/t/<token>/table.json")
@players_only
def keep(token: str) -> ResponseReturnValue:
    """The table with all its matches, undone and corrected entries included, as a file to keep."""
    table_id = visit(token).table.id
    busy: set[str] = current_app.extensions.setdefault("companion-bringing", set())
    address = phone_network()
    if address in busy:  # each would have its turns, and others would wait for all of them
        raise TooManyRequests(retry_after=5)
    busy.add(address)
    try:
        body = portable.export_table(table_id)
    finally:
        busy.discard(address)
    headers = {"Content-Disposition": 'attachment; filename="table.json"', "Cache-Control": "no-store"}
    return Response(body, mimetype="application/json", headers=headers)


@bp.route("/tables/import", methods=["GET", "POST"])
@limiter.limit(BROUGHT, methods=["POST"])
def bring() -> ResponseReturnValue:
    """A new table from a file."""
    if request.method == "GET":
        return page()
    file = request.files.get("file")
    data = b"" if file is None else file.read(portable.LARGEST + 1)
    if not data:
        return page("Choose a file exported from Companion.", 422)
    bringing: set[str] = current_app.extensions.setdefault("companion-bringing", set())
    address = phone_network()
    if address in bringing:  # it takes turns with all others, and two would be two of them
        return page("Another table is being brought in from here just now. Try again when it is there.", 429)
    bringing.add(address)
    try:
        table = portable.import_table(data)
    except portable.PortableError as refused:
        return page(str(refused), 422)
    finally:
        bringing.discard(address)
    phone_id()
    remember(table, table.play_token)
    return redirect(url_for("table.show", token=table.play_token), 303)


def page(refusal: str = "", status: int = 200) -> ResponseReturnValue:
    """The page on which a file is chosen, with the reason why the last one would not do."""
    return render_template("table/import.html", refusal=refusal), status


@bp.errorhandler(TooManyRequests)
def too_many(error: TooManyRequests) -> ResponseReturnValue:
    """Said on the page itself."""
    if request.endpoint != "portable.bring":
        return too_fast(error)
    return page("Too many files in a short time. Nothing was lost: try again later.", 429)


@bp.errorhandler(RequestEntityTooLarge)
def too_large(_error: RequestEntityTooLarge) -> ResponseReturnValue:
    """Said on the page itself."""
    return page(f"This file is larger than {portable.LARGEST // 2**20} MiB, the most that a table's file can be.", 413)
