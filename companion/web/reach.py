"""Why does a phone in the same room not reach this Companion? The usual causes, and what the computer itself can see."""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Blueprint, current_app, render_template
from flask.typing import ResponseReturnValue

from companion.web.install import OWN_MACHINE

bp = Blueprint("reach", __name__)


@bp.get("/reach")
def show() -> ResponseReturnValue:
    """Show the causes, most frequent first; above them what ``companion run`` found on its computer."""
    config = current_app.config
    address = config.get("PUBLIC_URL", "")
    if urlsplit(address).hostname in OWN_MACHINE:  # that leads each phone to itself
        address = ""
    return render_template("lobby/reach.html", found=config["UNREACHABLE"], address=address)
