"""Which look did this phone choose: light, dark, or its own setting?"""

from __future__ import annotations

from typing import Any

from flask import Blueprint, g, make_response, redirect, request, url_for
from flask.typing import ResponseReturnValue
from markupsafe import Markup

bp = Blueprint("theme", __name__)

THEMES = ("light", "dark")
THEME_KEPT = 400 * 24 * 3600  # seconds


@bp.app_context_processor
def chosen_theme() -> dict[str, Any]:
    """Return light or dark as this phone chose it (None follows the phone's own setting), and what that adds to a page."""
    return {"theme": theme(), "theme_marks": g.get("theme_marks") or marks()}


def theme() -> str | None:
    """Return what this phone chose."""
    chosen = request.cookies.get("theme")
    return chosen if chosen in THEMES else None


def marks() -> dict[str, Markup]:
    """Return what this phone's choice adds to a page: to the page itself, and to its light and its dark colour."""
    return _MARKS[theme()]


_MARKS: dict[str | None, dict[str, Markup]] = {
    None: {
        "theme_page": Markup(),
        "theme_light": Markup(' media="(prefers-color-scheme: light)"'),
        "theme_dark": Markup(' media="(prefers-color-scheme: dark)"'),
    }
} | {
    chosen: {"theme_page": Markup(' data-theme="{}"').format(chosen), "theme_light": Markup(), "theme_dark": Markup()}
    for chosen in THEMES
}


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
