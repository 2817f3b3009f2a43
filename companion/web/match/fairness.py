"""Where is a match's seal shown, with the words that phones put into its bag, and at the end the proof of every draw?"""

from __future__ import annotations

from flask import Blueprint, abort, redirect, url_for
from flask.typing import ResponseReturnValue

from companion.engine.core import RuleError
from companion.engine.text import say
from companion.matches import fairness
from companion.web.delivery.toasts import leave_toast
from companion.web.forms import WordForm
from companion.web.guard.access import players_only
from companion.web.match.context import MatchContext, load_match
from companion.web.match.rendering import render

bp = Blueprint("fairness", __name__)
bp.add_app_template_global(fairness.still_sealed, "still_sealed")
bp.add_app_template_global(fairness.seal_of, "seal_of")


def seal_page(context: MatchContext, form: WordForm, status: int = 200) -> ResponseReturnValue:
    """Return the page of the seal; 404 with a sentence when nothing is drawn in this game."""
    proof = fairness.proof(context.match.id)
    if proof is None:
        abort(404, say("This match has no sealed bag."))
    begun = bool(context.log.seq)
    return render(context, "fairness/seal.html", proof=proof, form=form, begun=begun), status


@bp.get("/t/<token>/m/<int:number>/seal")
def show_seal(token: str, number: int) -> ResponseReturnValue:
    """Show the seal and what it proves. Who watches may see it too."""
    return seal_page(load_match(token, number), WordForm(formdata=None))


@bp.post("/t/<token>/m/<int:number>/seal")
@players_only
def add_word(token: str, number: int) -> ResponseReturnValue:
    """Put a word into the bag, before anything is drawn."""
    context = load_match(token, number)
    form = WordForm()
    try:
        fairness.add_word(context.match.id, form.word.data or "")
    except RuleError as refused:
        form.refuse(refused.message)
        return seal_page(context, form, 422)
    leave_toast(context, say("Your word is in the bag"))
    return redirect(url_for("fairness.show_seal", token=token, number=number), 303)


@bp.post("/t/<token>/m/<int:number>/seal/seed")
@players_only
def reveal_seed(token: str, number: int) -> ResponseReturnValue:
    """Show the seed of a match that was stopped: from then on Companion draws no more from its bag."""
    fairness.show(load_match(token, number).match.id)
    return redirect(url_for("fairness.show_seal", token=token, number=number, _anchor="seal"), 303)
