"""Which look did this phone choose: light, dark, or its own setting?"""

from __future__ import annotations

from typing import Any

from flask import Blueprint, g, make_response, redirect, request
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from companion.web.language import home_path, page_before

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
    """Return what this phone's choice adds to a page: to the page itself, its light and its dark colour, and its menu."""
    return _MARKS[theme()]


def _marks(chosen: str | None) -> dict[str, Markup]:
    yes, no = Markup("true"), Markup("false")
    pressed = {f"pressed_{name or 'same'}": yes if name == chosen else no for name in (None, *THEMES)}
    if chosen:
        return {
            "theme_page": Markup(' data-theme="{}"').format(chosen),
            "theme_light": Markup(),
            "theme_dark": Markup(),
            **pressed,
        }
    prefers = {f"theme_{name}": Markup(' media="(prefers-color-scheme: {})"').format(name) for name in THEMES}
    return {"theme_page": Markup(), **prefers, **pressed}


_MARKS = {chosen: _marks(chosen) for chosen in (None, *THEMES)}


@bp.post("/theme")
def choose_theme() -> ResponseReturnValue:
    """Keep the look that this phone chose; anything else follows the phone's setting. Show the same page again."""
    answer = make_response(redirect(page_before(), 303))
    chosen = request.form.get("theme")
    if chosen in THEMES:
        answer.set_cookie(
            "theme", chosen, max_age=THEME_KEPT, path=home_path(), samesite="Lax", httponly=True, secure=request.is_secure
        )
    else:
        answer.delete_cookie("theme", path=home_path(), samesite="Lax", httponly=True, secure=request.is_secure)
    return answer
