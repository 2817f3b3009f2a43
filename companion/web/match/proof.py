"""Does a phone still have the log that the server has? Hashes to compare, and the page of the proof."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from flask import Response, abort, current_app, jsonify, request
from flask.typing import ResponseReturnValue

from companion.engine.text import say
from companion.matches import repository, witnesses
from companion.matches.log import Log
from companion.storage import database
from companion.web.guard.access import players_only
from companion.web.match.context import NOT_WHOLE, load_match
from companion.web.match.page import bp
from companion.web.match.proven import proof_of
from companion.web.match.rendering import render

LONGEST: Final = 9  # digits of a line's number
HEX: Final = frozenset("0123456789abcdef")


@bp.app_template_global("restored")
def restored(log: Log) -> str:
    """Return two times of the newest restored backup, of its making and of its restoring; empty without a restore.

    The match's log says so in a line of its own. Where it has none, the database speaks: the match may be newer than the backup
    and have the number of another one. A restore needs a stopped Companion, so that is looked up once.
    """
    if log.restores:
        line = log.restores[-1]
        return " ".join(_in_utc(moment) for moment in (line.made, line.at) if moment is not None)
    restored: str | None = current_app.extensions.get("companion-restored")
    if restored is None:
        newest = witnesses.newest_restore()
        restored = "" if newest is None else " ".join(_in_utc(moment) for moment in newest if moment is not None)
        current_app.extensions["companion-restored"] = restored
    return restored


def _in_utc(moment: datetime) -> str:
    return f"{moment.isoformat(timespec='seconds')}Z"


@bp.app_template_global("decided")
def decided(log: Log) -> str:
    """Return what the table decided about the newest restored backup; empty without one."""
    return witnesses.decided(log) if restored(log) else ""


bp.add_app_template_global(witnesses.heads, "chain_heads")


@bp.get("/t/<token>/m/<int:number>/heads")
def heads(token: str, number: int) -> ResponseReturnValue:
    """Send the hashes up to the line ``at``, or to the last one if there are fewer: a phone compares them with its own."""
    log = load_match(token, number).log
    place = request.args.get("at", "")
    at = min(int(place) if place.isascii() and place.isdigit() and len(place) <= LONGEST else log.seq, log.seq)
    restore = {"restored": restored(log), "decided": decided(log)}
    answer: Response = jsonify(entries=log.seq, at=at, heads=witnesses.heads(log, at), **restore)
    answer.headers["Cache-Control"] = "no-store"
    return answer


@bp.post("/t/<token>/m/<int:number>/heads")
@players_only
def tell_head(token: str, number: int) -> ResponseReturnValue:
    """Store which head a phone kept of a match that is over: the phones of the match's players are told.

    Or that the table leaves it at what a backup brought back.
    """
    context = load_match(token, number)
    if "leave" in request.form:
        witnesses.leave(context.log)
        return "", 204
    entries, head = request.form.get("entries", ""), request.form.get("head", "")
    if not (entries.isascii() and entries.isdigit() and len(entries) <= LONGEST and int(entries)):
        abort(422, NOT_WHOLE)
    if len(head) != witnesses.SHORT or not HEX.issuperset(head):
        abort(422, NOT_WHOLE)
    if context.viewer is None or not context.log.position.finished:
        return "", 202  # the phone tells it again once it has said whose it is
    witnesses.tell(context.match.id, context.viewer, int(entries), head)
    return "", 204


@bp.get("/t/<token>/m/<int:number>/proof")
def show_proof(token: str, number: int) -> ResponseReturnValue:
    """Show what the chain of a match proves, since when, and how to check it without Companion."""
    context = load_match(token, number)
    if not context.log.written:
        abort(404, say("Nothing was entered in this match."))
    with database.reading() as connection:
        since = repository.chained_since(connection, context.match.id)
    renamed = [
        (first, context.match.players[index])
        for index, first in enumerate(context.log.players_at_first)
        if first != context.match.players[index]
    ]
    return render(context, "match/proof_page.html", proof=proof_of(context), since=since, renamed=renamed)
