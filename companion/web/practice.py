"""How are a game's rules practised? Exercises by number, and one of them a day, each with the answer and its reason.

The phone keeps its streak and what it missed (``static/js/daily.js``). The session keeps how many exercises were right.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass
from datetime import datetime, timedelta
from typing import Any

from flask import Blueprint, abort, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue
from markupsafe import Markup, escape

from companion.engine.exercises import LAST_DAY, Exercise, Lesson, day_of, of_day
from companion.engine.text import Name, say
from companion.games import PLUGINS
from companion.screens.practice import Practice
from companion.web.language import words
from companion.web.may_i import drawn
from companion.web.rules import rule_href

bp = Blueprint("practice", __name__)

MOST_COUNTED = 10**6
DAY_TURNS = timedelta(hours=4)  # after midnight: who answers after a late evening answers for that evening


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


@bp.app_template_global()
def lesson_words(slug: str, lesson: Lesson) -> Markup:
    """Return a rule in one sentence, in which a word leads to its entry in the rulebook."""
    sentence, word = words(lesson.sentence), words(lesson.word)
    before, _, after = sentence.partition(word)
    link = Markup('<a class="link" href="{}">{}</a>').format(rule_href(slug, lesson.rule), word)
    return escape(before) + link + escape(after)


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


@bp.get("/practice")
def index() -> ResponseReturnValue:
    """Show which games can be practised, the question of the day, and the exercises that this phone missed."""
    games = {slug: plugin for slug, plugin in PLUGINS.items() if plugin.practice}
    return render_template("practice/index.html", practised=games)


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
    """Show a position; after a POST with the chosen options, the answer."""
    practice = load_practice(slug)
    if not 1 <= number <= practice.last:
        abort(404, say("Positions are numbered from 1 to {last}.", last=practice.last))
    exercise, count = practice.exercise(number), kept_score(slug)
    chosen = chosen_options(exercise)
    if complete(exercise, chosen):
        count = count.with_answer(number, right=chosen == exercise.right)
        keep_score(slug, count)
    following = url_for("practice.show_position", slug=slug, number=min(number, practice.last - 1) + 1)
    return exercise_page(slug, number, exercise, chosen, count=count, following=following, examples=practice.examples)


@bp.get("/daily")
def today() -> ResponseReturnValue:
    """Show the question of the server's day. On a phone whose own day is another, a script goes there."""
    return daily_page(day_of((datetime.now().astimezone() - DAY_TURNS).date()), own_day=True)


@bp.route("/daily/<int:day>", methods=["GET", "POST"])
def show_day(day: int) -> ResponseReturnValue:
    """Show the question of a day; after a POST with the chosen options, the answer."""
    if not 1 <= day <= LAST_DAY:
        abort(404, say("Daily questions are numbered from 1 to {last}.", last=LAST_DAY))
    return daily_page(day)


def daily_page(day: int, *, own_day: bool = False) -> ResponseReturnValue:
    """Return the page of a day's question. With ``own_day`` a phone may go on to the question of its own day."""
    slug, number = of_day(day)
    exercise = load_practice(slug).exercise(number)
    return exercise_page(slug, number, exercise, chosen_options(exercise), day=day, own_day=own_day)


def chosen_options(exercise: Exercise) -> frozenset[str]:
    """Return the options that were sent with the form, as far as the exercise has them; none before a POST."""
    if request.method != "POST":
        return frozenset()
    names = ["card", *(f"one-{place}" for place in range(len(exercise.groups)))]
    sent = {key for name in names for key in request.form.getlist(name)}
    return frozenset(key for key in exercise.options if key in sent)


def complete(exercise: Exercise, chosen: frozenset[str]) -> bool:
    """Return whether there is an answer to judge."""
    return request.method == "POST" and not exercise.missing(chosen)


def exercise_page(slug: str, number: int, exercise: Exercise, chosen: frozenset[str], **more: Any) -> ResponseReturnValue:
    """Return the page of an exercise, with the answer once there is one; 422 where something is still to be chosen."""
    answered = complete(exercise, chosen)
    missing = request.method == "POST" and not answered
    day = more.get("day")
    page = render_template(
        load_practice(slug).template,
        game=slug,
        title=PLUGINS[slug].title,
        number=number,
        exercise=exercise,
        chosen=chosen,
        answered=answered,
        missing=missing,
        right=chosen == exercise.right,
        endings=exercise.compare(chosen) if answered else (),
        action=url_for("practice.show_day", day=day) if day else url_for("practice.show_position", slug=slug, number=number),
        drawn=drawn,
        **more,
    )
    return page, 422 if missing else 200
