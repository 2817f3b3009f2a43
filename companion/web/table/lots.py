"""Where is the lot drawn that says who begins, and what proves it?"""

from __future__ import annotations

from flask import redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion.engine.text import Name
from companion.storage.models import Lot
from companion.tables import lots, results, seating
from companion.web.forms import WordForm
from companion.web.guard.access import TableAccess, players_only, resolve_link
from companion.web.lobby import turn_of
from companion.web.table.around import around, chosen_game
from companion.web.table.page import back, bp

bp.add_app_template_global(lots.pending, "pending_lot")
bp.add_app_template_global(lots.how_many, "lots_drawn")
bp.add_app_template_global(lots.record, "lot_record")


@bp.app_template_global()
def fell_on(lot: Lot) -> Name:
    """Return the name of whom a lot fell on."""
    return Name(lots.fell_on(lot))


def lots_page(access: TableAccess, form: WordForm, refusal: str = "", status: int = 200) -> ResponseReturnValue:
    """Return the page of the table's lots."""
    table, game = access.table, chosen_game(access.table)
    people = seating.turn_order(table, turn_of(game.slug))
    playing = request.form.getlist("player", type=int) or [player.id for player in people[: game.seats[1]]]
    return render_template(
        "table/lots.html",
        **around(access),
        form=form,
        refusal=refusal,
        people=people,
        playing=playing,
        running=results.running(table.id),
        drawn=lots.newest(table.id, lots.MOST_LISTED),
        seal=lots.next_seal(table),
    ), status


@bp.get("/lots")
def show_lots(token: str) -> ResponseReturnValue:
    """Show the lots that were drawn, with what proves them, and the seal of the next one. Who watches may see it too."""
    return lots_page(resolve_link(token), WordForm(formdata=None))


@bp.post("/lots")
@players_only
def draw_lot(token: str) -> ResponseReturnValue:
    """Draw who begins. A second tap, and another phone's at the same moment, draws nothing more."""
    access = resolve_link(token)
    form = WordForm()
    number = request.form.get("lot", 0, type=int)
    chosen = request.form.get("on") == "lots"  # the table's page draws among all who sit there
    playing = request.form.getlist("player", type=int) if chosen else [player.id for player in access.table.players]
    try:
        lots.draw(access.table.id, playing, number=number, word=form.word.data or "", by=access.name)
    except seating.TableError as refused:
        if refused.field:
            form.refuse(refused.message)
        return lots_page(access, form, "" if refused.field else refused.message, 422 if refused.field else 409)
    return redirect(url_for("table.show_lots", token=token), 303) if chosen else back(token)
