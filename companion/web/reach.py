"""Why does a phone in the same room not reach this Companion? The usual causes, and what the computer itself can see."""

from __future__ import annotations

from flask import Blueprint, current_app, render_template
from flask.typing import ResponseReturnValue

bp = Blueprint("reach", __name__)


@bp.get("/reach")
def show() -> ResponseReturnValue:
    """Show the causes, most frequent first; above them what ``companion run`` found on its computer."""
    told = current_app.config
    return render_template("lobby/reach.html", found=told["UNREACHABLE"], address=told.get("PUBLIC_URL", ""))
