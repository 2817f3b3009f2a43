"""Which card points can a team have with so many expeditions won? Worked out from the deck.

Rule: Scoring; ruling B14.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import or_

from companion.engine.beloz.cards import POINTS, ROUND_POINTS
from companion.engine.beloz.words import team_name
from companion.engine.core import RuleError
from companion.engine.text import Sentence, listing, say, say_n


def _sums_by_expeditions() -> tuple[int, ...]:
    """Return for 0 to 8 expeditions a set of totals: an integer with bit n set when four cards each can be worth n."""
    sums = [1] + [0] * 32  # by number of cards
    for worth in POINTS[0]:  # the same figures whichever plain is flooded
        for chosen in range(31, -1, -1):
            sums[chosen + 1] |= sums[chosen] << worth
    return tuple(sums[::4])


_TOTALS = _sums_by_expeditions()


# when nobody counted them; the last expedition then says nothing more: what eight can be worth, seven can be too
_ANY_TOTALS = reduce(or_, _TOTALS)


def possible_totals(expeditions: int | None = None) -> tuple[int, ...]:
    """Return all the card points that a team can have with so many expeditions won (None: with any number), lowest first."""
    totals = _ANY_TOTALS if expeditions is None else _TOTALS[expeditions]
    return tuple(total for total in range(ROUND_POINTS + 1) if totals >> total & 1)


def check_points(players: Sequence[str], team: int, points: int, expeditions: int | None, last_expedition: int) -> None:
    """Raise RuleError (``count.points`` or ``count.expeditions``) unless the team's pile can be worth ``points``."""
    if expeditions is None:
        totals = _ANY_TOTALS
    else:
        totals = _TOTALS[expeditions]
        if expeditions == (0 if team == last_expedition else 8):
            winner = team_name(players, last_expedition)
            last = (
                say("{team} won the last expedition, so they won at least one.", team=winner)
                if expeditions == 0
                else say(
                    "{winner} won the last expedition, so {team} can’t have won all eight.",
                    winner=winner,
                    team=team_name(players, team),
                )
            )
            raise RuleError(last, rule="B14", field="count.expeditions")
    if not totals >> points & 1:
        raise RuleError(_refusal(points, expeditions, totals), rule="B14", field="count.points")


def _refusal(points: int, expeditions: int | None, totals: int) -> Sentence:
    """Return why so many points are not possible, and which are."""
    if points > ROUND_POINTS:
        return say(
            "{points} is not possible: all the cards are worth {most}, and the last expedition’s 10 are added for you.",
            points=points,
            most=ROUND_POINTS,
        )
    if expeditions == 0:
        return say("Without an expedition a team has no cards, so 0 points, not {points}.", points=points)
    if expeditions == 8:
        return say("All eight expeditions are worth {most}, not {points}.", most=ROUND_POINTS, points=points)
    below = [total for total in range(points) if totals >> total & 1][-1:]
    above = [total for total in range(points + 1, ROUND_POINTS + 1) if totals >> total & 1][:1]
    near = say("Near it: {totals}.", totals=listing(below + above, "or"))
    if expeditions is None:
        return listing([say("{points} is not possible: no card is worth exactly 1.", points=points), near], "text")
    impossible = say_n(
        "With {n} expedition, {points} is not possible.",
        "With {n} expeditions, {points} is not possible.",
        expeditions,
        points=points,
    )
    return listing([impossible, _possible(totals), near], "text")


def _possible(totals: int) -> Sentence:
    """ "Possible: 0 to 57 without 1 and 54."."""
    lowest, highest = (totals & -totals).bit_length() - 1, totals.bit_length() - 1
    missing = [total for total in range(lowest, highest) if not totals >> total & 1]
    if not missing:
        return say("Possible: {lowest} to {highest}.", lowest=lowest, highest=highest)
    without = listing(missing)
    return say("Possible: {lowest} to {highest} without {missing}.", lowest=lowest, highest=highest, missing=without)
