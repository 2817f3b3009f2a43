"""Which of these cards may be played? Positions to practise on, with the answer and its reason; the phone counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flask import Blueprint, abort, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue

from companion.engine.beloz.seats import team_of, turn_from
from companion.screens.beloz.look_up import SEATS
from companion.screens.beloz.practice import EXAMPLES, LAST, position
from companion.web.may_i import drawn
from companion.web.rules import rule_link

bp = Blueprint("practice", __name__)

COUNTED = 10**6  # answers are counted up to here


@dataclass(frozen=True, slots=True)
class Score:
    """How many positions this phone answered, how many of them right, and which was the last to be counted."""

    right: int = 0
    answered: int = 0
    last: int = 0

    def with_answer(self, number: int, *, right: bool) -> Score:
        """The count after an answer; the same position twice in a row is counted once."""
        if number == self.last:
            return self
        return Score(min(self.right + right, COUNTED), min(self.answered + 1, COUNTED), number)


def counted() -> Score:
    """What this phone's cookie says."""
    kept: Any = session.get("practice")
    if isinstance(kept, list) and len(kept) == 3 and all(type(part) is int and part >= 0 for part in kept):
        return Score(*kept)
    return Score()


@bp.get("/practice/beloz")
def next_position() -> ResponseReturnValue:
    """On to the position after the last that this phone answered."""
    return redirect(url_for("practice.show_position", number=min(counted().last, LAST - 1) + 1), 303)


@bp.post("/practice/beloz")
def restart() -> ResponseReturnValue:
    """Count from the beginning."""
    session.pop("practice", None)
    return redirect(url_for("practice.show_position", number=1), 303)


@bp.route("/practice/beloz/<int:number>", methods=["GET", "POST"])
def show_position(number: int) -> ResponseReturnValue:
    """A position; after a POST with the chosen cards, the answer."""
    if not 1 <= number <= LAST:
        abort(404, f"Positions are numbered from 1 to {LAST}.")
    turn = position(number)
    said = turn.answer
    count = counted()
    chosen: tuple[str, ...] = ()
    answered = False
    if request.method == "POST":
        given = set(request.form.getlist("card"))
        chosen = tuple(card for card in turn.hand if card in given)
        answered = bool(chosen)
        if answered:
            count = count.with_answer(number, right=set(chosen) == set(said.legal))
            session["practice"] = [count.right, count.answered, count.last]
            session.permanent = True
    page = render_template(
        "practice/beloz.html",
        game="beloz",
        number=number,
        examples=len(EXAMPLES),
        turn=turn,
        said=said,
        chosen=chosen,
        answered=answered,
        nothing=request.method == "POST" and not answered,
        right=set(chosen) == set(said.legal),
        count=count,
        names=SEATS,
        sides=[team_of(seat) for seat in turn_from(0)],
        following=min(number, LAST - 1) + 1,
        drawn=drawn,
        rule=rule_link("beloz", None, said.duty),
    )
    return page, 422 if request.method == "POST" and not answered else 200
