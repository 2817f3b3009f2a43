"""How does a table of this phone let others in, without a server? It shows a code, reads theirs, and answers them."""

from __future__ import annotations

from flask import abort, current_app, render_template
from flask.typing import ResponseReturnValue

from companion.engine.text import say
from companion.web.guard.access import players_only, resolve_link
from companion.web.table.around import around, chosen_game, places_around
from companion.web.table.page import bp


@bp.get("/let-in")
@players_only
def let_in(token: str) -> ResponseReturnValue:
    """Show the code for the next phone, and who is in; 404 where a server has the table."""
    access = resolve_link(token)
    if not current_app.config["POCKET"]:
        abort(404, say("This table is on the server. Others join it by its link."))
    places = places_around(access, chosen_game(access.table))
    return render_template("table/let_in.html", **around(access), places=places)
