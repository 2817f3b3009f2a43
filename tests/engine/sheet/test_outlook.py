"""How far is a match by a score sheet from its end? Each number is tried: one point fewer does not end it."""

from __future__ import annotations

from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from companion.engine.core import start
from companion.engine.sheet.match import GAME, Row, SheetOptions, SheetState
from companion.engine.sheet.outlook import nearest, outlook, rounds_left


def played(ends: dict[str, Any], *rows: tuple[int, ...], wins: str = "highest") -> SheetState:
    """Return a match of Ana, Bo and Cy by a sheet of points, after these rows."""
    document = {
        "format": "companion-sheet/1",
        "name": "Points",
        "players": [2, 4],
        "shape": "rounds",
        "wins": wins,
        "columns": [{"id": "points", "name": "Points", "kind": "addends", "least": -999, "most": 999}],
        "ends": ends,
    }
    options = msgspec.convert({"sheet": document}, SheetOptions)
    position = start(GAME, ("Ana", "Bo", "Cy"), options)
    for row in rows:
        position = position.apply(Row(tuple({"points": points} for points in row)))
    return position.state


@given(st.lists(st.tuples(*[st.integers(0, 30)] * 3), min_size=1, max_size=3))
def test_so_many_points_end_it_and_one_fewer_does_not(rows: list[tuple[int, ...]]) -> None:
    near = nearest(played({"at": 100}, *rows))
    totals = [sum(points) for points in zip(*rows, strict=True)]
    if near is None:
        assert totals.count(max(totals)) > 1 or max(totals) == 0
        return
    for points, ends in ((near.points, True), (near.points - 1, False)):
        row = tuple(points if side == near.side else 0 for side in range(3))
        assert GAME.finished(played({"at": 100}, *rows, row)) == ends


def test_it_is_said_in_a_sentence() -> None:
    assert outlook(played({"at": 100}, (88, 30, 12))) == "12 more for Ana ends it."
    assert outlook(played({"at": 100}, (12, 30, 88), wins="lowest")) == "12 more for Cy ends it."
    assert outlook(played({"out": 50}, (12, 41, 8), wins="lowest")) == "9 more and Bo is out."


def test_the_last_round_is_told() -> None:
    assert rounds_left(played({"rounds": 3}, (1, 2, 3))) == 2
    assert outlook(played({"rounds": 3}, (1, 2, 3))) is None
    assert outlook(played({"rounds": 3}, (1, 2, 3), (1, 2, 3))) == "The last round."


def test_nothing_is_said_where_several_are_equally_near_or_nothing_ends_it() -> None:
    assert outlook(played({"at": 100}, (30, 30, 0))) is None
    assert outlook(played({"at": 100})) is None
    assert outlook(played({"hand": True}, (30, 20, 0))) is None
    assert outlook(played({"at": -100}, (-30, 0, 0))) is None
