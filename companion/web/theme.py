"""Which look did this phone choose: light, dark, or its own setting?"""

from __future__ import annotations

from flask import Blueprint, g, make_response, redirect, request, url_for
from flask.typing import ResponseReturnValue

bp = Blueprint("theme", __name__)

THEMES = ("light", "dark")
THEME_KEPT = 400 * 24 * 3600  # seconds


@bp.app_context_processor
def chosen_theme() -> dict[str, str | None]:
    """Return light or dark as this phone chose it for every page; None follows the phone's own setting."""
    return {"theme": theme()}


def theme() -> str | None:
    """Return what this phone chose, or whoever the page is rendered for."""
    if "theme" not in g:
        chosen = request.cookies.get("theme")
        g.theme = chosen if chosen in THEMES else None
    found: str | None = g.theme
    return found


@bp.post("/theme")
def choose_theme() -> ResponseReturnValue:
    """Keep the look that this phone chose; anything but light and dark follows the phone's own setting."""
    answer = make_response(redirect(url_for("lobby.home"), 303))
    chosen = request.form.get("theme")
    if chosen in THEMES:
        answer.set_cookie("theme", chosen, max_age=THEME_KEPT, samesite="Lax", httponly=True, secure=request.is_secure)
    else:
        answer.delete_cookie("theme", samesite="Lax", httponly=True, secure=request.is_secure)
    return answer
