"""What does an old television show? The same as the big screen, by tables and plain colours of HTML 4: it knows nothing newer.

Its link is of one evening and opens this page alone.
"""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion.engine.text import say
from companion.games import theme_of
from companion.screens.theme import pair_of
from companion.storage.models import Table, now
from companion.tables import evening_links
from companion.web import screen
from companion.web.guard.access import resolve_link
from companion.web.table.qr import qr_picture, table_url

bp = Blueprint("old_screen", __name__)

WIDE: Final = (960, 1280, 1920, 3840)  # as old.css has sizes for
DRAWN_FOR: Final = 1280
MARGINS: Final = (68, 32)  # of which televisions may cut off a part
SHIFTS: Final = ((0, 0), (6, 0), (6, 6), (0, 6), (-6, 6), (-6, 0), (-6, -6), (0, -6), (6, -6))  # another each loading
COLOURS: Final = ("ground", "callout", "ink", "text_muted", "accent")


@bp.get("/old/<link>")
@bp.get("/old/<link>/<int:wide>")
def show(link: str, wide: int = DRAWN_FOR) -> ResponseReturnValue:
    """Show the table on a television so many pixels wide. By the spoken code it leads to the link of this evening."""
    if "-" not in link:
        tonight = evening_links.link_of(screen.table_called(link))
        return redirect(url_for("old_screen.show", link=tonight, wide=wide, dark=request.args.get("dark")))
    pictures, values = screen.picture(resolve_link(_table_of(link).watch_token))
    return render_template(pictures, **values, paint=colours(str(values.get("game", "home"))), link=link)


@bp.context_processor
def looks() -> dict[str, object]:
    """Give each page, that of a failure too, its base, the size that its address asks for, its place and plain colours."""
    wide = (request.view_args or {}).get("wide", DRAWN_FOR)
    size = max((width for width in WIDE if width <= wide), default=WIDE[0])
    shift = SHIFTS[int(now().timestamp() // screen.AGAIN) % len(SHIFTS)]
    margins = [(margin + by) * size // DRAWN_FOR for margin, by in zip(MARGINS, shift, strict=True)]
    return {"base": "screen/old.html", "wide": size, "margins": margins, "paint": colours("home")}


def colours(game: str) -> dict[str, str]:
    """Return the plain colours of a game's page by their names: light ones, or with ``?dark`` dark ones."""
    theme = theme_of(game)
    return {name: pair_of(theme, name)["dark" in request.args] for name in COLOURS}


@bp.get("/old/<link>.png")
def code(link: str) -> Response:
    """Draw the QR code of the link to watch."""
    return Response(qr_picture(table_url(_table_of(link).watch_token)), mimetype="image/png")


def _table_of(link: str) -> Table:
    table = evening_links.table_of(link)
    if table is None:
        abort(404, say("No table shows here now. This address was good for one evening: a phone at the table has a new one."))
    return table
