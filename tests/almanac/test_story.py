"""Does the story of a match say who led, what turned it and which round was best? And how special was a round?"""

from __future__ import annotations

from companion.almanac.facts import read
from companion.almanac.games import BELOZ, RIVALS, WHAT_THE_FISH
from companion.almanac.played import Played
from companion.almanac.rounds import Bin, best_round, highest_figures, special, worst_round
from companion.almanac.story import lead_changes, story, turning_point
from tests.almanac.conftest import match

PEOPLE = ("Ana", "Bo", "Cy", "Di")


def lines(played):
    return [(str(line.sentence), line.round) for line in story(played)]


def test_the_story_of_a_match_of_beloz(log_of):
    """Bo and Di led 106 to 57, 201 to 165 and 384 to 165; round 4 made it 418 to 384 for Ana and Cy, who stayed ahead."""
    facts = read(log_of("beloz"), BELOZ)
    assert lines(Played(1, "beloz", "BeloZ", PEOPLE, facts, BELOZ)) == [
        ("The lead changed 1 time.", 3),
        ("Ana & Cy were 219 points behind after round 3, and won all the same.", 2),
        ("Round 4 decided it: Ana & Cy took the lead and kept it.", 3),
        ("Ana & Cy had the best of all, 253 points, in round 4.", 3),
    ]


def test_who_leads_in_captured_whales_need_not_win(log_of):
    facts = read(log_of("rivals"), RIVALS)
    assert lines(Played(1, "rivals", "Rivals", ("Ana", "Bo"), facts, RIVALS)) == [
        ("Ana had the best of all, 7 whales, in round 2.", 1)
    ]


def test_the_fiercest_swim(log_of):
    facts = read(log_of("what_the_fish"), WHAT_THE_FISH)
    assert lines(Played(1, "what-the-fish", "What the Fish!", ("Ana", "Bo", "Cy"), facts, WHAT_THE_FISH)) == [
        ("Ana had the best of all, 5 cards, in swim 1.", 0)
    ]


def test_who_led_from_the_first_to_the_last():
    assert lines(match(rounds=[(5, 1), (5, 4)])) == [
        ("Ana led from the first to the last.", 0),
        ("Ana had the best of all, 5 points, in round 1.", 0),
    ]


def test_a_tie_is_nobody_s_lead_and_changes_nothing():
    # 5:0, 5:5, 10:5
    played = match(rounds=[(5, 0), (0, 5), (5, 0)])
    assert lead_changes(played) == []
    assert turning_point(played) == 2


def test_the_lead_goes_to_and_fro():
    # 5:0, 5:6, 11:6, 11:13, 20:13
    played = match(rounds=[(5, 0), (0, 6), (6, 0), (0, 7), (9, 0)])
    assert lead_changes(played) == [1, 2, 3, 4]
    assert turning_point(played) == 4


def test_nothing_decides_a_shared_win():
    shared = match(scores=(6, 6), rounds=[(5, 1), (1, 5)])
    assert turning_point(shared) is None
    assert lines(shared) == [("Ana had the best of all, 5 points, in round 1.", 0)]


def test_a_stopped_match_has_no_story():
    assert lines(match(rounds=[(5, 1), (5, 4)], stopped=True)) == []


def test_the_best_and_the_worst_round_of_several_matches():
    first, second = match(1, rounds=[(5, 1), (9, 4)]), match(2, rounds=[(3, 9), (2, 8)])
    best, worst = best_round([first, second]), worst_round([first, second])
    assert (best.match, best.place, best.side, best.figure) == (first, 1, 0, 9)
    assert (worst.match, worst.place, worst.side, worst.figure) == (first, 0, 1, 1)
    of_bo = best_round([first, second], "Bo")
    assert (of_bo.match, of_bo.place, of_bo.figure) == (second, 0, 9)


def test_rounds_are_compared_within_their_game_by_their_highest_figure():
    played = [match(1, rounds=[(5, 1), (9, 4)]), match(2, rounds=[(3, 8)]), match(3, rounds=[(99, 0)], game="other")]
    assert highest_figures(played, "rounds") == [5, 8, 9]


def test_how_special_a_figure_was():
    figures = [10, 20, 20, 30, 40, 50, 60, 70, 80, 233]
    assert str(special(figures, 233).sentence) == "No other of 10 rounds at this table counted as much."
    assert str(special(figures, 70).sentence) == "Only 3 of 10 rounds at this table counted as much or more."
    assert str(special(figures, 20).sentence) == "9 of 10 rounds at this table counted as much or more."
    assert str(special([7], 7).sentence) == "It is the first round of this game here."


def test_the_histogram_holds_every_round_once():
    figures = [-3, 0, 9, 10, 19, 20, 39]
    bins = special(figures, 10).bins
    # 43 values from -3 to 39 in at most 14 bins: of 5 each
    assert bins[0] == Bin(-5, -1, 1, current=False)
    assert bins[3] == Bin(10, 14, 1, current=True)
    assert [each.count for each in bins] == [1, 1, 1, 1, 1, 1, 0, 0, 1]
    halves = special([-0.5, 1, 2.5], 2.5).bins
    assert [(each.low, each.count) for each in halves] == [(-1, 1), (0, 0), (1, 1), (2, 1)]
    assert halves[3].current


def test_the_only_round_is_not_the_best_of_all():
    assert lines(match(scores=(61, 61), rounds=[(61, 61)])) == []
