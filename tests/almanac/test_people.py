"""Are wins, streaks, partners, opponents and averages as one counts them by hand?"""

from __future__ import annotations

from fractions import Fraction

from companion.almanac.people import (
    Share,
    averages,
    clearest,
    closest,
    minutes_a_round,
    people,
    tallies,
    teams,
    wins_over_time,
)
from tests.almanac.conftest import HOUR, match

FOUR = "Ana Bo Cy Di"  # Ana and Cy against Bo and Di


def named(everybody, name):
    return next(person for person in everybody if person.name == name)


def test_wins_of_matches_that_were_played_out():
    played = [match(1, scores=(3, 1)), match(2, scores=(1, 3)), match(3, scores=(3, 1)), match(4, stopped=True)]
    assert [(person.name, person.matches.won, person.matches.of) for person in people(played)] == [("Ana", 2, 3), ("Bo", 1, 3)]


def test_of_equal_wins_fewer_matches_come_first():
    everybody = people([match(1, "Ana Bo", (1, 3)), match(2, "Ana Cy", (1, 3)), match(3, "Ana Bo", (1, 0), winners=())])
    assert [person.name for person in everybody] == ["Bo", "Cy", "Ana"]


def test_streaks_now_and_at_best():
    # Ana: won, won, won, lost, won
    played = [match(number, scores=(5, 3) if number != 4 else (3, 5)) for number in range(1, 6)]
    ana, bo = people(played)
    assert (ana.streak, ana.longest) == (1, 3)
    assert (bo.streak, bo.longest) == (0, 1)


def test_partners_and_opponents_from_five_matches_on():
    # Ana and Cy won 3 of 4 against Bo and Di
    played = [match(number, FOUR, (9, 5) if number < 4 else (5, 9)) for number in range(1, 5)]
    assert named(people(played), "Ana").best_with is None
    assert named(people(played), "Ana").hard_to_beat is None
    played.append(match(5, FOUR, (5, 9)))
    ana, bo = (named(people(played), name) for name in ("Ana", "Bo"))
    assert ana.best_with == ("Cy", Share(3, 5))
    assert bo.hard_to_beat == ("Ana", Share(3, 5))
    assert ana.hard_to_beat == ("Bo", Share(2, 5))


def test_nobody_is_hard_to_beat_who_never_won():
    played = [match(number, "Ana Bo", (9, 5)) for number in range(5)]
    assert named(people(played), "Ana").hard_to_beat is None
    assert named(people(played), "Bo").hard_to_beat == ("Ana", Share(5, 5))


def test_the_share_decides_not_the_number():
    # Bo beat Ana 5 of 5, Cy beat her 6 of 10
    played = [match(number, "Ana Bo", (5, 9)) for number in range(5)]
    played += [match(number, "Ana Cy", (5, 9) if number < 6 else (9, 5)) for number in range(10)]
    assert named(people(played), "Ana").hard_to_beat == ("Bo", Share(5, 5))


def test_in_threes_everybody_else_is_an_opponent():
    cy = named(people([match(number, "Ana Bo Cy", (9, 5, 3)) for number in range(5)]), "Cy")
    assert cy.hard_to_beat == ("Ana", Share(5, 5))
    assert cy.partners == {}


def test_teams_by_their_people():
    played = [match(1, FOUR, (9, 5)), match(2, "Cy Di Ana Bo", (9, 5)), match(3, FOUR, (5, 9)), match(4, "Ana Di", (9, 5))]
    assert teams(played) == {("Ana", "Cy"): Share(2, 3), ("Bo", "Di"): Share(1, 3)}


def test_averages_of_one_s_own_side():
    played = [match(1, FOUR, (10, 5)), match(2, "Bo Ana Di Cy", (9, 4)), match(3, FOUR, (90, 4), stopped=True)]
    assert averages(played, "Cy") == Fraction(14, 2)
    assert averages(played, "Di") == Fraction(14, 2)
    assert averages([match(1, "Ana Bo", (10, 5))], "Cy") is None


def test_what_a_game_counts_is_added_up_by_name():
    played = [
        match(1, "Ana Bo", tallies={"meals": (3, 1)}),
        match(2, "Bo Ana", tallies={"meals": (4, 2)}),
        match(3, "Bo Ana", tallies={"meals": (9, 9)}, stopped=True),
    ]
    assert tallies(played, "Ana") == {"meals": 5}
    assert tallies(played) == {"meals": 10}
    assert tallies(played, but="Ana") == {"meals": 5}


def test_closest_and_clearest_by_the_higher_score():
    # 6 of 1004, 1 of 10, 290 of 1000
    beloz, small, clear = match(1, scores=(1004, 998)), match(2, scores=(9, 10)), match(3, scores=(1000, 710))
    assert closest([small, beloz, clear]) is beloz
    assert clearest([small, beloz, clear]) is clear


def test_shared_wins_and_ties_that_rules_broke():
    shared, broken = match(1, scores=(5, 5)), match(2, scores=(18, 18), winners=(1,))
    assert (shared.margin, broken.margin) == (None, 0)
    assert closest([shared]) is None
    assert (shared.tied, broken.tied) == (False, True)
    assert [match(2, "Ana Bo Cy", scores, winners=(1,)).tied for scores in ((7, 9, 7), (9, 9, 9))] == [False, True]
    assert closest([broken, match(3, scores=(9, 8))]) is broken


def test_three_sides_are_compared_by_the_two_best():
    assert match(1, "Ana Bo Cy", (31, 25, 12)).margin == 6


def test_how_long_a_round_takes():
    assert minutes_a_round([match(1, rounds=[(1, 0)] * 4)]) == 10  # ten minutes apart, as the matches here are
    assert minutes_a_round([match(1, rounds=[(1, 0)])]) is None


def test_a_night_between_two_rounds_is_no_time_of_play():
    slow = match(1, rounds=[(1, 0), (1, 0)])
    moved = slow.rounds[0].__class__(1, slow.rounds[0].at - 12 * HOUR, (1, 0), (1, 0))
    facts = slow.facts.__class__(2, True, False, (0,), (2, 0), (moved, slow.rounds[1]), slow.facts.sittings, {})
    assert minutes_a_round([slow.__class__(1, "rounds", "Rounds", slow.players, facts)]) is None


def test_wins_over_time_add_up():
    played = [match(1, scores=(3, 1), at=1), match(2, scores=(1, 3), at=2), match(3, scores=(3, 1), at=5)]
    assert wins_over_time(played, [2 * HOUR, 4 * HOUR, 6 * HOUR], ["Ana", "Bo"]) == [("Ana", [1, 1, 2]), ("Bo", [1, 1, 1])]


def test_so_many_of_a_hundred_to_the_nearest():
    assert [Share(31, 48).percent, Share(1, 8).percent, Share(0, 0).percent, Share(2, 3).percent] == [65, 13, 0, 67]
