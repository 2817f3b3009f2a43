"""How are a game's cards practised? Exercises, each with the answer and its reason; the phone counts the right ones."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from typing import Any

from flask import Blueprint, abort, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue

from companion.engine.text import Name, say
from companion.games import PLUGINS
from companion.screens.practice import Practice
from companion.web.may_i import drawn
from companion.web.rules import rule_link

bp = Blueprint("practice", __name__)

MOST_COUNTED = 10**6


@dataclass(frozen=True, slots=True)
class Score:
    """How many positions this phone answered, how many of them right, and which was the last to be counted."""

    right: int = 0
    answered: int = 0
    last: int = 0

    def with_answer(self, number: int, *, right: bool) -> Score:
        """Return the count after an answer. The same position twice in a row is counted once."""
        if number == self.last:
            return self
        return Score(min(self.right + right, MOST_COUNTED), min(self.answered + 1, MOST_COUNTED), number)


@bp.app_template_global()
def practice_of(slug: str) -> Practice | None:
    """Return what is practised of a game, for a link to it, or None if nothing is."""
    return PLUGINS[slug].practice if slug in PLUGINS else None


def load_practice(slug: str) -> Practice:
    """Return what is practised of a game; 404 if nothing is."""
    practice = practice_of(slug)
    if practice is None:
        abort(404, say("Companion has nothing to practise of a game called “{game}”.", game=Name(slug[:40])))
    return practice


def kept_scores() -> dict[str, Any]:
    """Return what this phone's cookie says, by game."""
    scores = session.get("practice")
    return scores if isinstance(scores, dict) else {}


def kept_score(slug: str) -> Score:
    """Return this phone's count in a game."""
    stored = kept_scores().get(slug)
    if isinstance(stored, list) and len(stored) == 3 and all(type(part) is int and part >= 0 for part in stored):
        return Score(*stored)
    return Score()


def keep_score(slug: str, score: Score) -> None:
    """Keep a game's count in this phone's cookie."""
    others = {other: score_of_game for other, score_of_game in kept_scores().items() if other in PLUGINS}
    session["practice"] = {**others, slug: list(astuple(score))}
    session.permanent = True


@bp.get("/practice/<slug>")
def next_position(slug: str) -> ResponseReturnValue:
    """Go on to the position after the last that this phone answered."""
    last = load_practice(slug).last
    return redirect(url_for("practice.show_position", slug=slug, number=min(kept_score(slug).last, last - 1) + 1), 303)


@bp.post("/practice/<slug>")
def restart(slug: str) -> ResponseReturnValue:
    """Reset the count of answers."""
    load_practice(slug)
    keep_score(slug, Score())
    return redirect(url_for("practice.show_position", slug=slug, number=1), 303)


@bp.route("/practice/<slug>/<int:number>", methods=["GET", "POST"])
def show_position(slug: str, number: int) -> ResponseReturnValue:
    """Show a position; after a POST with the chosen cards, the answer."""
    practice = load_practice(slug)
    if not 1 <= number <= practice.last:
        abort(404, say("Positions are numbered from 1 to {last}.", last=practice.last))
    exercise = practice.exercise(number)
    count = kept_score(slug)
    chosen = {card for card in exercise.hand if card in request.form.getlist("card")} if request.method == "POST" else set()
    right = chosen == exercise.right
    nothing = request.method == "POST" and not chosen
    if chosen:
        count = count.with_answer(number, right=right)
        keep_score(slug, count)
    page = render_template(
        practice.template,
        game=slug,
        number=number,
        examples=practice.examples,
        exercise=exercise,
        chosen=chosen,
        answered=bool(chosen),
        nothing=nothing,
        right=right,
        count=count,
        following=min(number, practice.last - 1) + 1,
        drawn=drawn,
        rule=rule_link(slug, None, exercise.rule),
    )
    return page, 422 if nothing else 200
