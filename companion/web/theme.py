"""How does this phone show its pages? Light or dark, in which colours, and whatever else it has chosen for itself alone.

Each choice is a cookie of its own. The page has it on ``<html>`` as ``data-theme``, ``data-colours`` and so on, so styles and
scripts find it there. What was not chosen is as the phone has it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from flask import Blueprint, g, make_response, redirect, render_template, request
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from companion.web.language import home_path, page_before

bp = Blueprint("theme", __name__)

THEMES = ("light", "dark")
THEME_KEPT = 400 * 24 * 3600  # seconds
CHOICES: Final[dict[str, tuple[str, ...]]] = {
    "theme": THEMES,
    "colours": ("contrast", "safe"),
    "hand": ("left",),
    "buzz": ("on",),
    "last": ("21", "22", "23", "0"),  # the hour from which a rematch is not urged, by the phone's own clock
}


@bp.app_context_processor
def chosen_theme() -> dict[str, Any]:
    """Return what this phone chose, and what that adds to a page."""
    return {"theme": chosen("theme"), "theme_marks": g.get("theme_marks") or marks()}


def chosen(name: str) -> str | None:
    """Return what this phone chose; None leaves it to the phone."""
    value = request.cookies.get(name)
    return value if value in CHOICES[name] else None


def all_chosen() -> tuple[str | None, ...]:
    """Return everything that this phone chose, in the order of ``CHOICES``."""
    return tuple(map(chosen, CHOICES))


def marks() -> dict[str, Markup]:
    """Return what this phone's choices add to a page: to the page itself, its light and its dark colour, and its menu."""
    return _marks(all_chosen())


@lru_cache
def _marks(values: tuple[str | None, ...]) -> dict[str, Markup]:
    yes, no = Markup("true"), Markup("false")
    page = Markup().join(
        Markup(' data-{}="{}"').format(name, value) for name, value in zip(CHOICES, values, strict=True) if value
    )
    pressed = {f"pressed_{name or 'same'}": yes if name == values[0] else no for name in (None, *THEMES)}
    if values[0]:
        return {"theme_page": page, "theme_light": Markup(), "theme_dark": Markup(), **pressed}
    prefers = {f"theme_{name}": Markup(' media="(prefers-color-scheme: {})"').format(name) for name in THEMES}
    return {"theme_page": page, **prefers, **pressed}


@bp.get("/choices")
def show_choices() -> ResponseReturnValue:
    """Show all that a phone chooses for itself."""
    back = page_before()
    return render_template("lobby/choices.html", back=back, chosen={name: chosen(name) or "" for name in CHOICES})


@bp.post("/theme")
def choose_theme() -> ResponseReturnValue:
    """Keep what this phone chose; anything else leaves that choice to the phone. Show the same page again."""
    answer = make_response(redirect(page_before(), 303))
    for name, values in CHOICES.items():
        if name not in request.form:
            continue
        value = request.form[name]
        if value in values:
            answer.set_cookie(
                name, value, max_age=THEME_KEPT, path=home_path(), samesite="Lax", httponly=True, secure=request.is_secure
            )
        else:
            answer.delete_cookie(name, path=home_path(), samesite="Lax", httponly=True, secure=request.is_secure)
    return answer
