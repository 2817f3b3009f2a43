"""Does a match of three hands come to the pot and scores worked out by hand? Two cooks win it."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from companion.engine import core
from companion.engine.bisque import GAME, BisqueOptions, Pot, Reveal
from companion.engine.records import any_of

RECORD = json.loads(Path(__file__).with_name("match.json").read_text())
EVENTS = msgspec.convert(RECORD["events"], list[any_of(GAME.event_types())])
OPTIONS = msgspec.convert(RECORD["options"], BisqueOptions)


def after(played: int) -> core.Standing:
    return core.replay(core.start(GAME, RECORD["players"], OPTIONS), EVENTS[:played]).standing()


def suits(moons: int, suns: int, waves: int, leaves: int, wyrms: int, knots: int) -> dict[str, int]:
    return {"moons": moons, "suns": suns, "waves": waves, "leaves": leaves, "wyrms": wyrms, "knots": knots}


NONE = suits(0, 0, 0, 0, 0, 0)


@pytest.mark.parametrize(
    ("played", "totals"),
    [
        (0, NONE),
        (1, suits(0, 0, 10, 0, 0, 0)),  # the Crown of waves
        (2, suits(0, 0, 18, 8, 0, 0)),  # + 8 waves and leaves
        (3, suits(9, 9, 18, 8, 0, 0)),  # + 9 moons and suns
        (4, suits(9, 16, 18, 8, 0, 7)),  # + 7 suns and knots
        (5, suits(9, 16, 18, 13, 0, 7)),  # + 5 for the Ace of leaves
        (6, suits(9, 16, 18, 13, 5, 12)),  # + 5 wyrms and knots
        (7, suits(13, 20, 18, 13, 5, 12)),  # + 4 moons and suns
        (8, suits(16, 20, 21, 13, 5, 12)),  # + 3 moons and waves
        (9, suits(16, 20, 21, 19, 5, 18)),  # + 6 leaves and knots
        (10, suits(16, 22, 21, 19, 7, 18)),  # + 2 suns and wyrms
        (11, suits(16, 22, 21, 19, 7, 23)),  # + 5 for the Ace of knots
        (12, NONE),  # the goals are revealed, and the pot is washed
        (23, suits(12, 14, 9, 16, 27, 18)),  # 5+2+5, 5+3+6, 7+2, 5+9+2, 6+7+10+4, 2+3+9+4
        (35, suits(24, 31, 28, 22, 8, 0)),  # 10+8+6, 10+8+5+6+2, 8+6+5+4+5, 10+8+4, 6+2, none
    ],
)
def test_the_pot_card_by_card(played: int, totals: dict[str, int]) -> None:
    details = after(played).details
    assert details["suits"] == totals
    assert list(details["suits"]) == ["moons", "suns", "waves", "leaves", "wyrms", "knots"]
    in_pot = [event["card"] for event in RECORD["events"][played - played % 12 : played]]
    assert details["pot"] == in_pot


@pytest.mark.parametrize(
    ("played", "scores", "rounds", "dealer", "opener"),
    [
        (0, (0, 0, 0), (), 0, 1),
        (11, (0, 0, 0), (), 0, 1),
        # Ana: waves 21, leaves 19.   Bo: waves 21, wyrms 7.   Cy: wyrms 7, knots 23.
        (12, (19, 7, 7), ((19, 7, 7),), 1, 2),
        # Ana: moons 12, suns 14.   Bo: wyrms 27, knots 18.   Cy: leaves 16, wyrms 27.   19+12, 7+18, 7+16
        (24, (31, 25, 23), ((19, 7, 7), (12, 18, 16)), 2, 0),
        # Ana: suns 31, no knots.   Bo: wyrms 8, no knots.   Cy: waves 28, wyrms 8.   31+0, 25+0, 23+8
        (36, (31, 25, 31), ((19, 7, 7), (12, 18, 16), (0, 0, 8)), 0, 1),
    ],
)
def test_the_scores_hand_by_hand(
    played: int, scores: tuple[int, ...], rounds: tuple[tuple[int, ...], ...], dealer: int, opener: int
) -> None:
    standing = after(played)
    assert standing.scores == scores
    assert standing.rounds == rounds
    assert (standing.details["dealer"], standing.details["opener"]) == (dealer, opener)
    assert standing.finished is (played == 36)


def test_ana_and_cy_both_win() -> None:
    assert after(36).winners == (0, 2)
    assert after(35).winners == ()


def test_every_score_has_its_reason() -> None:
    lines = after(36).lines
    assert [(line.what, line.amounts) for line in lines[:3]] == [
        ("Hand 1, Ana: the 4 of waves and leaves, the lower of 21 waves, 19 leaves", (19, None, None)),
        ("Hand 1, Bo: the 9 of waves and wyrms, the lower of 21 waves, 7 wyrms", (None, 7, None)),
        ("Hand 1, Cy: the 8 of wyrms and knots, the lower of 7 wyrms, 23 knots", (None, None, 7)),
    ]
    assert [sum(line.amounts[cook] or 0 for line in lines) for cook in range(3)] == [31, 25, 31]


def test_nothing_follows_the_last_hand() -> None:
    over = core.replay(core.start(GAME, RECORD["players"], OPTIONS), EVENTS)
    for event in (Pot("ace-moons"), Reveal(("2-moons-knots", "2-suns-wyrms", "2-waves-leaves"))):
        with pytest.raises(core.RuleError, match="over"):
            over.apply(event)
