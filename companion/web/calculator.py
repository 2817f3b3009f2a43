"""What is this round worth, without a table? A look-up of what was typed; nothing is kept."""

from __future__ import annotations

from flask import Blueprint, abort, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from companion.engine.text import Name, say
from companion.games import PLUGINS
from companion.screens.plugin import GamePlugin
from companion.web.may_i import answer

bp = Blueprint("calculator", __name__)


@bp.app_template_global()
def calculator_href(slug: str) -> str | None:
    """Return the address of a game's calculator, or None if it has none."""
    return url_for("calculator.calculate", slug=slug) if slug in PLUGINS and PLUGINS[slug].calculators else None


def calculating(slug: str) -> GamePlugin:
    """Return a game that can be calculated, or answer 404."""
    plugin = PLUGINS.get(slug)
    if plugin is None:
        abort(404, say("Companion knows no game called “{game}”.", game=Name(slug[:40])))
    if not plugin.calculators:
        abort(404, say("There is nothing to calculate in {game} without a table.", game=Name(plugin.title)))
    return plugin


@bp.route("/calculate/<slug>", methods=["GET", "POST"])
def calculate(slug: str) -> ResponseReturnValue:
    """Ask the engine about what was typed, and forget it. ``what`` says which of a game's calculators is meant."""
    plugin = calculating(slug)
    kinds = plugin.calculators
    kind = kinds.get(request.values.get("what", ""), next(iter(kinds.values())))
    look_up = kind(MultiDict(request.form))
    page = render_template(
        look_up.template,
        context=None,
        entry=None,
        changed=(),
        form=look_up.view(),
        game=slug,
        title=plugin.title,
        players=plugin.screens.sample_players if plugin.screens else (),
        viewer=None,
        action=url_for("calculator.calculate", slug=slug),
    )
    return answer(page, look_up)
