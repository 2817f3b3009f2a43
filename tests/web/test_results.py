"""How is the end of a match said, and who has won most?"""

from __future__ import annotations

from datetime import datetime

import pytest

from companion.engine.core import Standing
from companion.tables.results import Result, ending, leader, wins

pytestmark = pytest.mark.both_databases


@pytest.mark.parametrize(
    ("sides", "scores", "winners", "said"),
    [
        (("Ana & Cy", "Bo & Di"), (1026, 713), (0,), "Ana & Cy won, 1026 to 713"),
        (("Ana & Cy", "Bo & Di"), (713, 1026), (1,), "Bo & Di won, 1026 to 713"),
        (("Ana", "Bo", "Cy"), (88, 90, 121), (2,), "Cy won with 121"),
        (("Ana", "Bo", "Cy"), (121, 90, 121), (0, 2), "Ana and Cy share the win with 121"),
        (("Ana", "Bo"), (12, 12), (0, 1), "Ana and Bo share the win with 12"),
        (("Ana", "Bo"), (None, None), (1,), "Bo won"),
        (("Ana", "Bo"), (26, 26), (1,), "Bo won after a tie at 26"),
        (("Ana", "Bo"), (12, 8), (), ""),
    ],
)
def test_the_end_of_a_match_in_a_few_words(sides, scores, winners, said):
    assert ending(Standing(scores=scores, sides=sides, finished=True, winners=winners)) == said


def match(*winners, players=("Ana", "Bo", "Cy", "Di"), game="beloz", finished=True, stopped=False):
    return Result(1, game, "BeloZ", players, datetime(2026, 11, 21), 3, finished=finished, stopped=stopped, winners=winners)


def test_wins_are_counted_by_person_and_game():
    people = wins([match("Ana", "Cy"), match("Ana", "Di"), match("Bo", players=("Ana", "Bo"), game="rivals")])
    assert [(person.name, person.won, person.played) for person in people] == [
        ("Ana", 2, 3),
        ("Cy", 1, 2),
        ("Di", 1, 2),
        ("Bo", 1, 3),
    ]
    assert people[0].by_game == {"beloz": 2}
    assert people[3].by_game == {"rivals": 1}
    assert [sorted(person.games) for person in people] == [["beloz", "rivals"], ["beloz"], ["beloz"], ["beloz", "rivals"]]


def test_what_was_stopped_or_still_runs_counts_for_nobody():
    assert wins([match("Ana", stopped=True), match(finished=False)]) == []


@pytest.mark.parametrize(
    ("results", "said"),
    [
        ([], ""),
        ([match("Ana")], ""),
        ([match("Ana"), match("Ana", "Cy")], "Ana is ahead with 2 matches won."),
        ([match("Ana", "Cy"), match("Ana", "Cy")], "Ana and Cy are ahead with 2 matches won each."),
        ([match("Ana", "Cy"), match("Bo", "Di")], "Everybody has won 1 match."),
    ],
)
def test_who_leads(results, said):
    assert leader(wins(results)) == said
