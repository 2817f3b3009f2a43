"""What is this round worth, without a table? The same page and the same engine; nothing is kept."""

from __future__ import annotations

from flask import Blueprint, abort, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion.engine.core import RuleError, start
from companion.games import PLUGINS, screens_of
from companion.screens.page import PageContext, Rerender

bp = Blueprint("calculator", __name__)


@bp.app_template_global()
def calculator_href(slug: str) -> str | None:
    """Return the address of a game's calculator, or None if it has none."""
    screens = screens_of(slug)
    return url_for("calculator.calculate", slug=slug) if screens is not None and screens.calculator is not None else None


@bp.route("/calculate/<slug>", methods=["GET", "POST"])
def calculate(slug: str) -> ResponseReturnValue:
    """One entry of a game, asked of the engine and forgotten."""
    plugin = PLUGINS.get(slug)
    if plugin is None or plugin.screens is None:
        abort(404, f"Companion knows no game called “{slug[:40]}”.")
    position = start(plugin.game, plugin.screens.sample_players)
    if plugin.screens.calculator is None:
        abort(404, f"There is nothing to calculate in {plugin.title} without a table.")
    form = plugin.screens.calculator(
        PageContext(position=position, form_data=request.form if request.method == "POST" else None, query=request.args)
    )
    status = 200
    if request.method == "POST":
        try:
            outcome = form.outcome()
            if isinstance(outcome, Rerender) and outcome.wrong:
                status = 422
        except RuleError as refused:
            form.refuse(refused.message, refused.field)
            status = 422
    page = render_template(
        form.template,
        context=None,
        entry=None,
        changed=(),
        form=form.view(),
        game=slug,
        title=plugin.title,
        players=position.players,
        viewer=None,
        action=url_for("calculator.calculate", slug=slug),
    )
    return page, status
