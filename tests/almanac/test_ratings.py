"""What do ratings say, and are ties fair?"""

from __future__ import annotations

import itertools

import pytest

from companion.almanac.ratings import places, ratings
from tests.almanac.conftest import match


def rated(played):
    return {rating.names: (rating.low, rating.high, rating.matches) for rating in ratings(played)}


def test_below_five_matches_nobody_is_rated():
    played = [match(number, scores=(3, 1)) for number in range(4)]
    assert ratings(played) == []
    assert [rating.matches for rating in ratings([*played, match(5)])] == [5, 5]


def test_whoever_wins_more_is_believed_to_be_stronger():
    (ana, bo) = ratings([match(number, scores=(3, 1)) for number in range(5)])
    assert (ana.names, bo.names) == (("Ana",), ("Bo",))
    assert ana.low + ana.high > bo.low + bo.high


def test_more_matches_make_the_range_narrower():
    few = rated([match(number, scores=(3, 1) if number % 2 else (1, 3)) for number in range(6)])
    many = rated([match(number, scores=(3, 1) if number % 2 else (1, 3)) for number in range(60)])
    assert many["Ana",][1] - many["Ana",][0] < few["Ana",][1] - few["Ana",][0]


def test_where_pairs_play_pairs_are_rated():
    played = [match(number, "Ana Bo Cy Di", (9, 5)) for number in range(5)]
    assert [rating.names for rating in ratings(played)] == [("Ana", "Cy"), ("Bo", "Di")]


def test_whoever_ties_always_is_believed_to_be_equal():
    ana, bo = ratings([match(number, scores=(5, 5)) for number in range(9)])
    assert (ana.low, ana.high) == (bo.low, bo.high)


@pytest.mark.parametrize("order", list(itertools.permutations((9, 9, 3))))
def test_two_who_tie_ahead_of_a_third_stay_ahead_wherever_they_sit(order):
    found = rated([match(number, "Ana Bo Cy", order) for number in range(5)])
    winners = [found[name,] for name, score in zip(("Ana", "Bo", "Cy"), order, strict=True) if score == 9]
    (third,) = (found[name,] for name, score in zip(("Ana", "Bo", "Cy"), order, strict=True) if score == 3)
    assert winners[0] == winners[1]
    assert winners[0][0] > third[0]
    assert winners[0][1] > third[1]


@pytest.mark.parametrize("order", list(itertools.permutations((9, 3, 3))))
def test_two_who_tie_behind_a_first_are_equal_and_below(order):
    found = rated([match(number, "Ana Bo Cy", order) for number in range(5)])
    losers = [found[name,] for name, score in zip(("Ana", "Bo", "Cy"), order, strict=True) if score == 3]
    (first,) = (found[name,] for name, score in zip(("Ana", "Bo", "Cy"), order, strict=True) if score == 9)
    assert losers[0] == losers[1]
    assert first[0] > losers[0][0]


def test_a_corrected_match_changes_everything_after_it():
    played = [match(number, scores=(3, 1)) for number in range(6)]
    before = rated(played)
    assert rated([match(0, scores=(1, 3)), *played[1:]]) != before
    assert rated(played) == before


def test_places_where_the_fewest_points_win():
    assert places(match(players="Ana Bo Cy", scores=(12, 3, 7), low=True)) == [2, 0, 1]
    assert places(match(players="Ana Bo", scores=(18, 18), winners=(1,))) == [1, 0]  # the rules broke a tie
