"""What is practised of a game without a table? Exercises by number; the engine knows which choices are right."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from companion.engine.exercises import EXERCISES, LAST, Exercise
from companion.engine.text import say


@dataclass(frozen=True, slots=True, kw_only=True)
class Practice:
    """Exercises numbered from 1 to ``last``, the first ``examples`` of them from the rule text.

    ``label`` is what a link to them says. ``template`` extends ``practice/page.html`` and draws an exercise's position.
    """

    label: str
    template: str
    exercise: Callable[[int], Exercise]
    examples: int = 0
    last: int


def practice(slug: str, *, examples: int = 0) -> Practice:
    """Return the practice of a game whose exercises are the engine's own."""
    return Practice(
        label=say("Practise the rules"),
        template=f"games/{slug}/practice.html",
        exercise=EXERCISES[slug],
        examples=examples,
        last=LAST,
    )
