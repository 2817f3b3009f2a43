"""A table's live stream: each time something changes, its number, so that a phone knows that it should look again."""

from __future__ import annotations

from flask import Blueprint
from flask.typing import ResponseReturnValue

from companion import live
from companion.web.access import visit
from companion.web.protection import limiter

bp = Blueprint("stream", __name__)


@bp.get("/t/<token>/live")
@limiter.exempt
def follow(token: str) -> ResponseReturnValue:
    """Server-sent events with the table's sequence number, for players and watchers alike."""
    return live.stream(visit(token).at.id)
