"""What is remembered of each game's match? The engine's records, whose rounds are worked out by hand beside them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from companion.almanac.facts import PLAIN, read
from companion.almanac.games import BELOZ, BELUGA_CUP, BISQUE, RIVALS, WHAT_THE_FISH
from companion.engine.core import Stop
from companion.matches.log import Written

BEGINS = int(datetime(2026, 11, 17, 20, 0, tzinfo=UTC).timestamp())


def gained(facts):
    return [each.gained for each in facts.rounds]


def test_beloz_counts_contracts_declarations_and_golden_rounds(log_of):
    facts = read(log_of("beloz"), BELOZ)
    assert (facts.sides, facts.finished, facts.winners, facts.scores) == (2, True, (0,), (1099, 708))
    # as the match's own test adds them up; two deals were passed
    assert gained(facts) == [(57, 106), (108, 95), (0, 183), (253, 0), (213, 20), (62, 101), (102, 81), (141, 122), (163, 0)]
    assert [each.seq for each in facts.rounds] == [1, 3, 4, 5, 6, 7, 8, 10, 11]
    assert facts.rounds[-1].totals == (1099, 708)
    assert facts.tallies == {
        "contracts": (3, 3, 2, 1),
        "won": (2, 2, 2, 0),  # Bo in 1 and 6, Ana in 2 and 8, Cy in 4 and 7
        "broken": (1, 1, 0, 1),  # Ana in 3, Di in 5, Bo in 9
        "declared": (120, 0, 20, 50),  # Ana 20 in 2 and 100 in 8, Di 50 in 5, Cy 20 in 7
        "beloz": (0, 1, 0, 2),
        "golden": (1, 0, 1, 0),  # round 4, for Ana and Cy
    }


def test_bisque_counts_tricks_and_goals(log_of):
    facts = read(log_of("bisque"), BISQUE)
    assert gained(facts) == [(19, 7, 7), (12, 18, 16), (0, 0, 8)]
    assert (facts.scores, facts.winners) == ((31, 25, 31), (0, 2))
    assert facts.tallies == {
        "tricks": (8, 13, 8),  # 3, 4, 3 and nobody's; 2, 5, 2 and two; 3, 4, 3 and one
        "best": (1, 1, 1),
        "blank": (1, 1, 0),
    }


def test_rivals_counts_captured_whales(log_of):
    facts = read(log_of("rivals"), RIVALS)
    # packs of 1, 2 and 3: Ana 7 to 6, a tie at 12, Bo 10 to 7. Of 1, 4 and 3: a tie at 2, Ana 11 to 10, Ana 3 to 2.
    # Of 2, 2 and 3: Bo 16 to 0, Ana 9 to 8, a tie at 15.
    assert gained(facts) == [(1, 3), (7, 0), (2, 2)]
    assert (facts.scores, facts.winners) == ((18, 18), (1,))  # equal, and Bo has fewer cards
    assert facts.tallies == {"captured": (10, 5), "used": (17, 16), "packs": (4, 2), "calls": (1, 1)}


def test_what_the_fish_counts_duels_and_kills(log_of):
    facts = read(log_of("what_the_fish"), WHAT_THE_FISH)
    # KILL 4, 6, PROTECT 11, KILL 9, 13 on Ana's 8. KILL 13, PROTECT 9, 5 on Cy's 11: a KILL of 15 was undone.
    # KILL 7, 8, PROTECT 16, KILL 3 on Bo's 12.
    assert gained(facts) == [(5, 0, 0), (0, 0, 3), (0, 4, 0)]
    assert facts.tallies == {
        "swims": (1, 1, 1),
        "freed": (0, 1, 0),
        "died": (1, 0, 0),
        "duels": (3, 2, 3),  # Bo's card against Cy was undone
        "kills": (0, 1, 0),
    }


def test_beluga_cup_counts_meals_and_fish(log_of):
    facts = read(log_of("beluga_cup"), BELUGA_CUP)
    assert gained(facts) == [(3, 0), (4, 0), (0, 3), (0, 2), (1, 0), (0, 3), (0, 4), (2, 0), (0, 3), (0, 2), (3, 0), (4, 0)]
    assert facts.rounds[-1].totals == (4, 4)
    assert facts.tallies == {
        "meals": (6, 6),
        "moons": (2, 4),
        "suns": (4, 3),
        "waves": (4, 1),
        "leaves": (2, 4),
        "wyrms": (2, 2),
        "knots": (3, 3),
    }
    assert facts.winners == (0, 1)


def test_a_game_that_says_nothing_is_read_by_its_scores(log_of):
    facts = read(log_of("beloz"), PLAIN)
    assert gained(facts) == [(57, 106), (108, 95), (0, 183), (253, 0), (213, 20), (62, 101), (102, 81), (141, 122), (163, 0)]
    assert facts.tallies == {}
    assert gained(read(log_of("rivals"), PLAIN)) == [(18, 18)]  # it has no rounds of its own: the count changes the scores


def test_a_pause_of_more_than_six_hours_parts_two_sittings(log_of):
    assert read(log_of("beloz"), BELOZ).sittings == ((BEGINS, BEGINS + 10 * 600),)
    six_hours = read(log_of("beloz", apart=timedelta(hours=6), events=3), BELOZ)
    assert six_hours.sittings == ((BEGINS, BEGINS + 12 * 3600),)
    longer = read(log_of("beloz", apart=timedelta(hours=6, seconds=1), events=3), BELOZ)
    assert longer.sittings == ((BEGINS, BEGINS), (BEGINS + 21601, BEGINS + 21601), (BEGINS + 43202, BEGINS + 43202))


def test_what_was_undone_or_corrected_counts_as_it_stands(log_of):
    log = log_of("beloz", events=3)
    at = log.written[-1].at
    undone = log.add(Written(4, "undo", 0, at + timedelta(days=3), "undo", of=3))
    assert gained(read(undone, BELOZ)) == [(57, 106)]
    assert read(undone, BELOZ).sittings == ((BEGINS, BEGINS + 600),)  # an undo is no play


def test_a_stopped_match_has_no_winner(log_of):
    log = log_of("beloz", events=3)
    stopped = read(log.add(Written(4, "stop", 0, log.written[-1].at, "events", events=(Stop(),))), BELOZ)
    assert (stopped.finished, stopped.stopped, stopped.winners) == (True, True, ())
    assert gained(stopped) == [(57, 106), (108, 95)]


def test_a_log_without_entries_was_never_played(log_of):
    assert read(log_of("beloz", events=0), BELOZ).sittings == ()
