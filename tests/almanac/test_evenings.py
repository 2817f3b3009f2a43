"""When does an evening end, and who has won it?"""

from __future__ import annotations

from companion.almanac.evenings import comeback, evenings
from tests.almanac.conftest import HOUR, match


def test_an_evening_ends_after_six_hours_without_an_entry_and_not_at_midnight():
    # matches that ended at 21:00, at 2:00 in the morning and at 8:00; then one at 14:01
    at = (21, 26, 32, 38.02)
    first, second = evenings([match(number, at=hour) for number, hour in enumerate(at, start=1)])
    assert [each.number for each in first.matches] == [1, 2, 3]
    assert [each.number for each in second.matches] == [4]
    assert (first.begun, first.ended) == (21 * HOUR, 32 * HOUR)


def test_a_match_that_was_paused_belongs_to_the_evening_on_which_it_ended():
    paused = match(1, at=68)
    facts = paused.facts.__class__(2, True, False, (0,), (1, 0), (), ((20 * HOUR, 21 * HOUR), (67 * HOUR, 68 * HOUR)), {})
    paused = paused.__class__(1, "rounds", "Rounds", paused.players, facts)
    first, second = evenings([paused, match(2, at=22), match(3, at=69)])
    assert [each.number for each in first.matches] == [2]
    assert (first.begun, first.ended) == (20 * HOUR, 22 * HOUR)
    assert [each.number for each in second.matches] == [1, 3]


def test_two_matches_at_once_are_one_evening():
    long = match(1, at=30, begun=20)
    (evening,) = evenings([long, match(2, at=22, begun=21), match(3, at=35, begun=35)])
    assert [each.number for each in evening.matches] == [2, 1, 3]


def test_wins_of_an_evening_most_first():
    played = [
        match(1, "Ana Bo", (5, 7), at=20),
        match(2, "Ana Bo", (9, 7), at=21),
        match(3, "Ana Bo", (9, 7), at=22),
        match(4, "Ana Bo", (0, 7), stopped=True, at=23),
    ]
    (evening,) = evenings(played)
    assert evening.wins == (("Ana", 2), ("Bo", 1))
    assert evening.winners == ("Ana",)
    assert [each.number for each in evening.played] == [1, 2, 3]


def test_partners_both_win_and_a_shared_win_counts_for_all():
    team = match(1, "Ana Bo Cy Di", (10, 5), at=20)
    shared = match(2, "Ana Bo", (5, 5), at=21)
    (evening,) = evenings([team, shared])
    assert evening.wins == (("Ana", 2), ("Cy", 1), ("Bo", 1))
    assert (shared.margin, shared.ranked) == (None, True)


def test_scores_are_told_where_they_show_who_won():
    assert match(1, "Ana Bo", (9, 7)).ranked
    assert match(2, "Ana Bo", (9, 7), low=True).ranked
    assert not match(3, "Ana Bo", (9, 12), winners=(0,)).ranked
    assert not match(4, "Ana Bo", (9, 7), stopped=True).ranked


def test_no_match_no_evening():
    assert evenings([]) == []


def test_the_comeback_is_measured_by_the_best_score():
    # Bo was 6 behind and won 10 to 9: 6 of 10. Ana was 40 behind and won 100 to 90: 40 of 100.
    small = match(1, "Ana Bo", (9, 10), rounds=[(8, 2), (1, 8)])
    large = match(2, "Ana Bo", (100, 90), rounds=[(10, 50), (90, 40)])
    led = match(3, "Ana Bo", (100, 90), rounds=[(50, 10), (50, 80)])
    assert comeback([large, small, led]) is small
    assert (small.deficit, large.deficit, led.deficit) == ((6, 0), (40, 0), None)
    assert comeback([led]) is None


def test_where_the_fewest_points_win_behind_is_above():
    golf = match(1, "Ana Bo", (9, 10), rounds=[(8, 2), (1, 8)], low=True)
    assert golf.winners == {"Ana"}
    assert golf.deficit == (6, 0)
    assert golf.margin == 1
