"""What is there without a network? The service worker's script, and which pages a phone may keep to show them again.

The worker runs under HTTPS and on this machine itself; elsewhere browsers offer none. It keeps what the header
``Companion-Keep`` allows and nothing else.
"""

from __future__ import annotations

from pathlib import Path

from flask import Blueprint, Flask, Response, current_app, g, json, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion.games import PLUGINS
from companion.web.delivery import game_files, scripts, style_sheets
from companion.web.guard.access import TableAccess, known_tables

bp = Blueprint("offline", __name__)

KEEP = "Companion-Keep"  # the version of the scripts that the page runs, then the addresses of this phone's tables
GONE = "Companion-Gone"  # no table has this link (any more): what the phone keeps of it goes
MOST_KEPT = 12  # tables, the newest, whose pages a phone keeps: each answer tells their links
WORKER, NO_WORKER = "js/service-worker.js", "js/no-service-worker.js"
CODES = ("qr.mjs", "qr-decode.mjs")  # with these, phones that have no Companion draw and read codes too
OF_A_SCREEN = ("js/screen.js", "js/screen-plain.js", "js/club.js")  # a television keeps nothing

# Pages that are alike for whoever looks at them, and a table's own. None of them holds a hand: those are sent by forms, whose
# answers are not kept.
PUBLIC = frozenset(
    (
        *("offline.show", "lobby.home", "rules.index", "rules.show_book"),
        *("calculator.calculate", "may_i.empty_look_up", "pocket.start"),
    )
)
OF_A_TABLE = frozenset(
    (
        "table.show_table",
        "table.matches",
        "match.show_match",
        "match.enter",
        "match.show_view",
        "fairness.show_seal",
        "may_i.from_match",
    )
)
MAY_BE_KEPT = PUBLIC | OF_A_TABLE


@bp.get("/sw.js")
def worker() -> ResponseReturnValue:
    """Send the service worker. Where the host switched it off, send one that empties the phone's cache and unregisters itself.

    It has to be at the root: a worker sees the pages below its own address.
    """
    folder = Path(current_app.static_folder or "")
    if current_app.config["SERVICE_WORKER"]:
        manifest = {"version": current_app.config["STATIC_VERSION"], "assets": [*assets(folder), *codes()], "pages": pages()}
        script = f"self.companion = {json.dumps(manifest)};\n{scripts.sent(folder / WORKER)}"
    else:
        script = scripts.sent(folder / NO_WORKER)
    return Response(script, mimetype="text/javascript", headers={"Cache-Control": "no-cache"})


@bp.get("/offline")
def show() -> ResponseReturnValue:
    """Show what the worker shows instead of a page that this phone has not kept."""
    return render_template("offline.html")


def assets(folder: Path) -> list[str]:
    """Return the addresses of what pages are made of: styles, scripts, drawings, and the files of installed games."""
    files = [*folder.glob("js/*.js"), *folder.glob("icons/*.svg")]
    names = [*style_sheets.names(folder), *sorted(str(file.relative_to(folder)) for file in files), *game_files.names()]
    return [url_for("static", filename=name) for name in names if name not in {WORKER, NO_WORKER, *OF_A_SCREEN}]


def codes() -> list[str]:
    """Return the addresses of what draws and reads codes, where phones are offered Companion: its tables let others in."""
    package = current_app.extensions["companion-pocket"]
    names = [name for name in CODES if package and name in package.files]
    return [url_for("pocket.file", version=package.version, name=name) for name in names]


def pages() -> list[str]:
    """Return the addresses of the pages that every phone has with it.

    The last one asks the phone that is the table, so that its guests may reload their pages.
    """
    at_another_phone = [url_for("pocket.start")] if current_app.extensions["companion-pocket"] else []
    books = [url_for("rules.show_book", slug=slug) for slug, plugin in PLUGINS.items() if plugin.book]
    look_ups = [url_for("may_i.empty_look_up", slug=slug) for slug, plugin in PLUGINS.items() if plugin.look_up]
    return [url_for("offline.show"), url_for("lobby.home"), url_for("rules.index"), *books, *look_ups, *at_another_phone]


def init_app(app: Flask) -> None:
    """Say with each page that the phone may keep that it may, and of a link that leads nowhere that nothing of it stays."""

    @app.after_request
    def mark(response: Response) -> Response:
        if response.status_code == 404 and "token" in (request.view_args or {}) and "table_access" not in g:
            response.headers[GONE] = "1"
        if app.config["SERVICE_WORKER"] and may_be_kept(response):
            tables = [link for _, link in known_tables()[:MOST_KEPT]]
            seen = g.get("table_access")
            if request.endpoint in PUBLIC or (isinstance(seen, TableAccess) and seen.token in tables):
                response.headers[KEEP] = " ".join(
                    [app.config["STATIC_VERSION"], *(f"{request.root_path}/t/{link}" for link in tables)]
                )
        return response


def may_be_kept(response: Response) -> bool:
    """Return whether phones may keep this page: it is of the right kind, whole, and has no query.

    The answer to a form may be the page to which the form leads. The test is then about that page.
    """
    is_listed = request.endpoint in MAY_BE_KEPT and request.method == "GET" and not request.query_string
    return (
        (is_listed or response.content_location is not None)
        and response.status_code in {200, 304}
        and not response.cache_control.no_store
    )
