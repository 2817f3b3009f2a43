"""How are others let in? By two links with their QR codes, which can be replaced, and by a code that is said aloud."""

from __future__ import annotations

from flask import abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion.engine.text import say
from companion.tables import seating
from companion.web.guard.access import players_only, resolve_link
from companion.web.table.around import around, seconds_left
from companion.web.table.page import bp
from companion.web.table.qr import qr_code, table_url


@bp.get("/links")
@players_only
def links(token: str) -> ResponseReturnValue:
    """Show both links with their QR codes, to show, to pass on and to replace."""
    access = resolve_link(token)
    play, watch = table_url(access.table.play_token), table_url(access.table.watch_token)
    return render_template(
        "table/links.html",
        **around(access),
        play=play,
        watch=watch,
        play_qr=qr_code(play),
        watch_qr=qr_code(watch),
        left=seconds_left(access.table),
        code_minutes=seating.INVITATION.seconds // 60,
    )


@bp.get("/scan")
def scan(token: str) -> ResponseReturnValue:
    """Show the link by which this page was reached as a QR code, to whoever joins in the middle of a match."""
    access = resolve_link(token)
    return render_template("table/scan.html", **around(access), qr=qr_code(table_url(token)))


@bp.post("/links")
@players_only
def replace_link(token: str) -> ResponseReturnValue:
    """Make a link anew, so that the old one leads nowhere; or take the spoken code back."""
    access = resolve_link(token)
    match request.form.get("do"):
        case "play":
            token = seating.replace_play_link(access.table.id)
        case "watch":
            seating.replace_watch_link(access.table.id)
        case "close":
            seating.close_invitation(access.table.id)
        case _:
            abort(400, say("This button is out of date. Reload the page."))
    return redirect(url_for("table.links", token=token), 303)


@bp.post("/invitation")
@players_only
def invite(token: str) -> ResponseReturnValue:
    """Show a new spoken code."""
    access = resolve_link(token)
    seating.open_invitation(access.table.id)
    pages = {"links": "table.links", "big": "screen.offer", "match": "table.enter"}
    return redirect(url_for(pages.get(request.form.get("on", ""), "table.show_table"), token=token), 303)
