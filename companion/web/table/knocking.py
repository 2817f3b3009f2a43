"""How does a phone come in while codes are paused? It asks, its number appears at the table, and a tap there lets it in."""

from __future__ import annotations

from flask import redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import select

from companion.engine.text import say
from companion.storage.models import Table, db
from companion.tables import knocks, seating
from companion.web import lobby
from companion.web.forms import CodeForm
from companion.web.guard.access import phone_id, players_only, remember_table, resolve_link
from companion.web.guard.limits import KNOCKS, take
from companion.web.table import page as table

bp = lobby.bp  # but for the answer, which belongs to a table


@bp.post("/join/ask")
def ask() -> ResponseReturnValue:
    """Ask the table with this code to let this phone in."""
    form = CodeForm()
    if not form.validate():
        return lobby.home_page(form, 422)
    if wait := take(KNOCKS):
        form.refuse(say("You have asked often enough for now. Scan the QR code, or ask for the link."))
        return lobby.home_page(form, 429, wait)
    try:
        knocks.knock(form.code.data or "", phone_id())
    except seating.TableError as refused:
        form.refuse(refused.message)
        return lobby.home_page(form, 422)
    return redirect(url_for("lobby.wait"), 303)


@bp.get("/join/wait")
def wait() -> ResponseReturnValue:
    """Show this phone's number until somebody has let it in; then lead it to the table."""
    knock = knocks.waiting(session.get("phone", ""))
    if knock is not None and knock.link is None:
        return render_template("lobby/wait.html", number=knock.number)
    opened = None if knock is None else db.session.scalar(select(Table).where(Table.play_token == knock.link))
    if opened is None:  # its time is over, or the link was replaced meanwhile
        form = CodeForm(formdata=None)
        form.code.errors = [say("Nobody let you in. Scan the QR code, or ask for the link.")]
        return lobby.home_page(form, 404)
    remember_table(opened, opened.play_token)
    return redirect(url_for("table.enter", token=opened.play_token), 303)


@table.bp.post("/knock")
@players_only
def answer(token: str) -> ResponseReturnValue:
    """Let the phone in that shows a number, or don't; then lead back to the match, or to the table."""
    access = resolve_link(token)
    number, match = (request.form.get(name, 0, type=int) for name in ("number", "match"))
    if number in knocks.NUMBERS:
        knocks.answer(access.row.id, number, let_in=request.form.get("do") == "in")
    if match:
        return redirect(url_for("match.show_match", token=token, number=match), 303)
    return table.back(token)
