"""Does a whole match come to what lies where, worked out by hand: ties that grow, fewer cards on a tie?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.engine import core
from companion.engine.records import any_of
from companion.engine.rivals import GAME, Count

RECORD = json.loads(Path(__file__).with_name("match.json").read_text())
EVENTS = msgspec.convert(RECORD["events"], list[any_of(GAME.event_types())])


def after(played: int) -> core.Position[Any]:
    return core.replay(core.start(GAME, RECORD["players"]), EVENTS[:played])


def test_before_the_first_round() -> None:
    standing = after(0).standing()
    assert standing.scores == (None, None)
    assert standing.details == {
        "captured": [0, 0],
        "packs": [{"grey": 1, "won_by": []}, {"grey": 2, "won_by": []}, {"grey": 3, "won_by": []}],
        "first_player": 0,
    }


def test_after_round_1() -> None:
    # pack 1: 4 + 3 = 7 against 6, Ana takes 1.   pack 2: 10 + 2 against 5 + 4 + 3, both 12, 2 stay.
    # pack 3: 6 + 1 = 7 against 10, Bo takes 3.   Now 0 + 1, 2 + 2, 0 + 3 grey whales; Bo ended it and starts.
    assert after(1).standing().details == {
        "captured": [1, 3],
        "packs": [{"grey": 1, "won_by": [0]}, {"grey": 4, "won_by": [None]}, {"grey": 3, "won_by": [1]}],
        "first_player": 1,
    }


def test_after_round_2() -> None:
    # pack 1: 2 against 2, 1 stays.               pack 2: 5 + 5 + 1 = 11 against 6 + 4 = 10, Ana takes 4.
    # pack 3: 3 against 1 + 1 = 2, Ana takes 3.   Now 1 + 1, 0 + 2, 0 + 3 grey whales; Ana ended it and starts.
    assert after(2).standing().details == {
        "captured": [8, 3],
        "packs": [{"grey": 2, "won_by": [0, None]}, {"grey": 2, "won_by": [None, 0]}, {"grey": 3, "won_by": [1, 0]}],
        "first_player": 0,
    }


def test_after_round_3() -> None:
    # pack 1: none against 6 + 10 = 16, Bo takes 2.   pack 2: 4 + 2 + 3 = 9 against 5 + 3 = 8, Ana takes 2.
    # pack 3: 10 + 1 + 4 against 10 + 5, both 15: nobody gets the 3.   10 + 5 + 3 = 18 grey whales.
    # It ended by itself, and Ana had started it: Bo would start the next.
    standing = after(3).standing()
    assert standing.scores == (None, None)
    assert not standing.finished
    assert standing.winners == ()
    assert standing.details == {
        "captured": [10, 5],
        "packs": [
            {"grey": 0, "won_by": [0, None, 1]},
            {"grey": 0, "won_by": [None, 0, 0]},
            {"grey": 3, "won_by": [1, 0, None]},
        ],
        "first_player": 1,
    }


def test_after_the_count() -> None:
    # Ana: 1 + 1 + 2 + 1 + 3 + 2 + 1 + 4 + 2 + 1 = 18 with ten cards. Bo: 6 + 4 + 5 + 2 + 1 = 18 with five: fewer cards win.
    standing = after(4).standing()
    assert standing.scores == (18, 18)
    assert standing.finished
    assert standing.winners == (1,)
    assert standing.details["captured"] == [10, 5]


def test_the_lines_tell_the_rounds_the_count_and_the_tie() -> None:
    lines = after(4).standing().lines
    assert [line.what for line in lines] == [
        "Round 1, pack 1: 7 against 6, Ana takes 1 card",
        "Round 1, pack 2: 12 against 12, a tie, 2 cards stay",
        "Round 1, pack 3: 7 against 10, Bo takes 3 cards",
        "Round 2, pack 1: 2 against 2, a tie, 1 card stays",
        "Round 2, pack 2: 11 against 10, Ana takes 4 cards",
        "Round 2, pack 3: 3 against 2, Ana takes 3 cards",
        "Round 3, pack 1: 0 against 16, Bo takes 2 cards",
        "Round 3, pack 2: 9 against 8, Ana takes 2 cards",
        "Round 3, pack 3: 15 against 15, a tie, nobody takes 3 cards",
        "Ana captured 10 cards: 1 + 1 + 2 + 1 + 3 + 2 + 1 + 4 + 2 + 1",
        "Bo captured 5 cards: 6 + 4 + 5 + 2 + 1",
        "Equal, 18 each: Bo wins with fewer cards, 5 against 10.",
    ]
    assert [line.amounts for line in lines[9:]] == [(18, None), (None, 18), (None, None)]


def test_the_values_are_secret_until_the_count() -> None:
    standing = after(3).standing()
    assert all(line.amounts == (None, None) for line in standing.lines)
    assert "captured 10 cards" not in " ".join(line.what for line in standing.lines)


def test_nothing_follows_the_count() -> None:
    with pytest.raises(core.RuleError, match="over"):
        after(4).apply(Count(((), ())))
