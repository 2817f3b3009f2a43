"""How strong is everybody in one game? As openskill rates them, replayed from all matches whenever somebody asks.

Where pairs play, pairs are rated: what two people win together says nothing about one of them. The model is Bradley and Terry's
with every pair of sides compared, in which a tie pulls both towards each other.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from companion.almanac.people import ENOUGH
from companion.almanac.played import Played, counted

WIDTH = 2  # standard deviations to either side: true for some 19 of 20


@dataclass(frozen=True, slots=True)
class Rating:
    """What is believed of a person or a team after so many matches: a range, of which the middle is the best guess."""

    names: tuple[str, ...]
    low: int
    high: int
    matches: int


def places(match: Played) -> list[int]:
    """Return the place of each side, 0 for the winners. Sides with the same score share one, as do those without a score.

    >>> from companion.almanac.facts import Facts
    >>> facts = Facts(4, True, False, (2,), (7, 5, 9, 5), (), (), {})
    >>> places(Played(1, "game", "Game", ("Ana", "Bo", "Cy", "Di"), facts))
    [1, 2, 0, 2]
    """
    sign = 1 if match.low_wins else -1
    others = {
        sign * score if score is not None and match.reader.scored else 0
        for side, score in enumerate(match.facts.scores)
        if side not in match.facts.winners
    }
    order = sorted(others)
    return [
        0 if side in match.facts.winners else 1 + order.index(sign * score if score is not None and match.reader.scored else 0)
        for side, score in enumerate(match.facts.scores)
    ]


def ratings(matches: Iterable[Played]) -> list[Rating]:
    """Return the ratings after these matches of one game, oldest first: whoever has played at least five, best guess first."""
    from openskill.models import BradleyTerryFull  # it takes a quarter of a second, and most tables never ask

    model = BradleyTerryFull()
    values: dict[tuple[str, ...], tuple[float, float]] = {}
    often: dict[tuple[str, ...], int] = {}
    for match in counted(matches):
        sides = [match.people_of(side) for side in range(match.facts.sides)]
        given = [[model.rating(*values[side]) if side in values else model.rating()] for side in sides]
        for side, (rated,) in zip(sides, model.rate(given, ranks=[float(place) for place in places(match)]), strict=True):
            values[side] = rated.mu, rated.sigma
            often[side] = often.get(side, 0) + 1
    ranked = sorted(values, key=lambda side: -values[side][0])
    return [
        Rating(
            side,
            round(values[side][0] - WIDTH * values[side][1]),
            round(values[side][0] + WIDTH * values[side][1]),
            often[side],
        )
        for side in ranked
        if often[side] >= ENOUGH
    ]
