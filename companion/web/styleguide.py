"""Which pieces is a screen built from? All of them on one page."""

from __future__ import annotations

from flask import Blueprint, render_template

from companion.games import PLUGINS

bp = Blueprint("components", __name__)


@bp.get("/components")
def gallery() -> str:
    """Show the pieces that templates/components/ui.html offers, in all their states."""
    return render_template("components_page.html", plugins=PLUGINS.values())
