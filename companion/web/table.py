"""A table: who sits where, how others join, and which matches they have played."""

from __future__ import annotations

from flask import Blueprint, Response
from flask.typing import ResponseReturnValue

from companion.web.access import visit
from companion.web.qr import address, square

bp = Blueprint("table", __name__, url_prefix="/t/<token>")


@bp.get("", strict_slashes=False)
def show(token: str) -> ResponseReturnValue:
    """The table with its people around it."""
    return visit(token).table.name


@bp.get("/qr.svg")
def qr(token: str) -> ResponseReturnValue:
    """The link by which this page was reached, as a QR code."""
    visit(token)
    return Response(square(address(token)), mimetype="image/svg+xml")
