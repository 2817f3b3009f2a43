"""Which card points can a team have with so many expeditions won (ruling B14)?"""

from __future__ import annotations

from contextlib import suppress

import pytest

from companion.engine.beloz.totals import possible_totals
from companion.engine.core import RuleError


@pytest.mark.parametrize("expeditions", range(9))
def test_the_totals_are_those_that_four_cards_an_expedition_can_be_worth(expeditions: int, reachable: list[set[int]]) -> None:
    assert set(possible_totals(expeditions)) == reachable[expeditions]


def test_one_expedition_brings_0_to_57_without_1_and_54() -> None:
    assert possible_totals(1) == (0, *range(2, 54), 55, 56, 57)


def test_no_expedition_brings_nothing_and_all_eight_153() -> None:
    assert possible_totals(0) == (0,)
    assert possible_totals(8) == (153,)


def test_1_and_152_are_impossible_with_any_number_of_expeditions() -> None:
    assert possible_totals() == (0, *range(2, 152), 153)


@pytest.mark.parametrize("expeditions", range(9))
def test_what_one_team_can_have_leaves_what_the_other_can_have(expeditions: int) -> None:
    assert {153 - total for total in possible_totals(expeditions)} == set(possible_totals(8 - expeditions))


@pytest.mark.parametrize("last", [0, 1])
@pytest.mark.parametrize("team", [0, 1])
@pytest.mark.parametrize("expeditions", [None, *range(9)])
def test_a_round_takes_exactly_the_possible_totals(expeditions, team, last, scored, reachable) -> None:
    """The team with the last expedition won one or more, the other seven or fewer."""
    allowed = range(1, 9) if team == last else range(8)
    together = set().union(*(reachable[won] for won in allowed if expeditions in (None, won)))
    taken = set()
    for points in range(160):
        with suppress(RuleError):
            scored(count={"team": team, "points": points, "expeditions": expeditions}, last_expedition=last)
            taken.add(points)
    assert taken == together


@pytest.mark.parametrize(
    ("points", "expeditions", "message"),
    [
        (152, None, "152 is not possible: no card is worth exactly 1. Near it: 151 or 153."),
        (1, None, "1 is not possible: no card is worth exactly 1. Near it: 0 or 2."),
        (163, None, "163 is not possible: all the cards are worth 153, and the last expedition’s 10 are added for you."),
        (54, 1, "With 1 expedition, 54 is not possible. Possible: 0 to 57 without 1 and 54. Near it: 53 or 55."),
        (58, 1, "With 1 expedition, 58 is not possible. Possible: 0 to 57 without 1 and 54. Near it: 57."),
        (1, 3, "With 3 expeditions, 1 is not possible. Possible: 2 to 127. Near it: 2."),
        (96, 2, "With 2 expeditions, 96 is not possible. Possible: 0 to 99 without 1, 95 and 96. Near it: 94 or 97."),
        (95, 7, "With 7 expeditions, 95 is not possible. Possible: 96 to 153 without 99 and 152. Near it: 96."),
        (140, 8, "All eight expeditions are worth 153, not 140."),
    ],
)
def test_the_refusal_says_which_totals_are_near(points: int, expeditions: int | None, message: str, scored) -> None:
    with pytest.raises(RuleError) as refused:
        scored(count={"team": 0, "points": points, "expeditions": expeditions})
    assert (refused.value.message, refused.value.field, refused.value.rule) == (message, "count.points", "B14")


@pytest.mark.parametrize(
    ("team", "expeditions", "points", "message"),
    [
        (0, 0, 0, "Ana & Cy won the last expedition, so they won at least one."),
        (1, 8, 153, "Ana & Cy won the last expedition, so Bo & Di can’t have won all eight."),
    ],
)
def test_whoever_won_the_last_expedition_won_one(team: int, expeditions: int, points: int, message: str, scored) -> None:
    with pytest.raises(RuleError) as refused:
        scored(count={"team": team, "points": points, "expeditions": expeditions}, last_expedition=0)
    assert (refused.value.message, refused.value.field) == (message, "count.expeditions")


def test_without_an_expedition_there_are_no_points(scored) -> None:
    with pytest.raises(RuleError, match=r"Without an expedition a team has no cards, so 0 points, not 12\."):
        scored(count={"team": 1, "points": 12, "expeditions": 0})
