"""Exercises of the games, a number each, and which of them is the question of a day.

Right answers come from the same functions that answer look-ups and score matches.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from companion.engine.exercises import beloz, beluga_cup, bisque, rivals, what_the_fish
from companion.engine.exercises.chance import Chance
from companion.engine.exercises.exercise import Ending, Exercise, Group, Lesson, Option, Result

__all__ = ["EXERCISES", "LAST", "LAST_DAY", "Ending", "Exercise", "Group", "Lesson", "Option", "Result", "day_of", "of_day"]

EXERCISES: dict[str, Callable[[int], Exercise]] = {
    "beloz": beloz.exercise,
    "beluga-cup": beluga_cup.exercise,
    "bisque": bisque.exercise,
    "rivals": rivals.exercise,
    "what-the-fish": what_the_fish.exercise,
}
LAST = 10**9  # numbers of exercises go up to here
LAST_DAY = 99_999  # day 1 is 1 January 2026
_DAY_BEFORE_THE_FIRST = date(2025, 12, 31)
_BEFORE_DAYS = 500_000_000  # exercises from here on belong to days, so that nobody meets them while practising


def of_day(day: int) -> tuple[str, int]:
    """Return the game and the number of the exercise that is the question of this day, 1 to ``LAST_DAY``.

    Five days in a row are five games, in an order that changes.

    >>> of_day(3) == of_day(3)
    True
    """
    row, place = divmod(day, len(EXERCISES))
    return Chance("days", row).shuffled(tuple(EXERCISES))[place], _BEFORE_DAYS + day


def day_of(today: date) -> int:
    """Return the number of a day: 1 for 1 January 2026, and 1 for each day before it.

    >>> day_of(date(2026, 2, 1))
    32
    """
    return min(max((today - _DAY_BEFORE_THE_FIRST).days, 1), LAST_DAY)
