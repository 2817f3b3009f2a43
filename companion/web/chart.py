"""Where do the lines of a chart lie?"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from companion.web.language import chosen

STEPS: Final = tuple(first * 10**zeros for zeros in range(10) for first in (1, 2, 5))  # between two lines of the grid
MOST_LINES: Final = 5  # of the grid, above the lowest
MOST_LABELS: Final = 12  # below it


@dataclass(frozen=True, slots=True)
class Curve:
    """The line of a side: an SVG ``path`` in the units of the chart's box, a dot a round, and where it ends, in per cent.

    ``words`` are its numbers for whoever doesn't see it.
    """

    side: int
    name: str
    words: str
    path: str
    dots: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart as it is drawn: the SVG ``box`` of its lines; the grid's lines, the labels and the goal lie in per cent of it."""

    box: str
    grid: tuple[tuple[float, int], ...]
    labels: tuple[tuple[float, int], ...]
    goal: float | None
    curves: tuple[Curve, ...]


def chart(series: Sequence[Mapping[str, Any]], target: float | None = None, before: int = 0) -> Chart:
    """Return where everything lies.

    Args:
        series: a mapping a side, with its number ``side``, its ``name``, and ``points``, its totals before the first round
            and after each.
        target: the total at which a line is drawn across.
        before: how many rounds came before the first.
    """
    points = [point for line in series for point in line["points"]]
    low, high = min(0, *points), max(target or 0, *points)
    step = next((step for step in STEPS if step * MOST_LINES >= high - low), STEPS[-1])
    floor = math.floor(low / step) * step
    lines = math.ceil((high - floor) / step) or 1
    height = lines * step
    top = floor + height
    last = max(*(len(line["points"]) for line in series), 2) - 1
    every = math.ceil(last / MOST_LABELS)

    def percent(part: float, whole: float) -> float:
        return round(100 * part / whole, 2)

    def curve(line: Mapping[str, Any]) -> Curve:
        points, number = line["points"], chosen().number
        places = [f"{at} {top - point}" for at, point in enumerate(points)]
        words = ", ".join(map(number, points))
        ends = percent(len(points) - 1, last), percent(top - points[-1], height)
        return Curve(line["side"], line["name"], words, "M" + " ".join(places), "".join(f"M{at}h0" for at in places[1:]), *ends)

    return Chart(
        box=f"0 0 {last} {height}",
        grid=tuple((percent(lines - at, lines), floor + at * step) for at in range(lines + 1)),
        labels=tuple((percent(at, last), before + at) for at in range(every, last + 1, every)),
        goal=percent(top - target, height) if target else None,
        curves=tuple(map(curve, series)),
    )
