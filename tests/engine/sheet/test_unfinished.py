"""What does a row come to before it is saved? What it brings so far, what a bid stakes, which number is left, what mends it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.engine.core import RuleError
from companion.engine.records import decode_event, decode_sheet
from companion.engine.sheet.match import GAME, SheetOptions, SheetState, apply, start
from companion.engine.sheet.unfinished import left_over, mends, moved, sketch, stakes, tally

NAMES = ("Ana", "Bo", "Cy", "Di")


def begun(preset: str, seated: int = 3) -> SheetState:
    return start(NAMES[:seated], SheetOptions(preset))


def after(state: SheetState, **event: Any) -> SheetState:
    return apply(state, decode_event(GAME, event))


def bids(preset: str, *numbers: int, **shared: int) -> SheetState:
    return after(begun(preset, len(numbers)), type="bids", cells=[{"bid": number} for number in numbers], round=shared)


def tricks(*numbers: int | None) -> list[dict[str, int]]:
    return [{} if number is None else {"tricks": number} for number in numbers]


class TestSketch:
    def test_it_brings_whoever_has_all_cells_and_nobody_leads_before_all_have(self) -> None:
        at = sketch(bids("skull-king", 1, 0, 0), tricks(1, None, 0))
        assert (at.brings, at.totals, at.ahead) == ((20, None, 10), (20, 0, 10), ())

    def test_with_all_cells_it_says_who_leads(self) -> None:
        assert sketch(bids("skull-king", 1, 0, 0), tricks(1, 0, 0)).ahead == (0,)

    def test_nothing_moves_before_the_number_of_the_round_is_there(self) -> None:
        at = sketch(begun("doppelkopf", 4), [{"won": True}, {}, {}, {}])
        assert at.brings == (None, None, None, None)

    def test_columns_at_the_end_run_with_each_number(self) -> None:
        at = sketch(begun("wingspan", 2), [{"birds": 40, "eggs": (10, 5)}, {}])
        assert (at.brings, at.ahead) == ((55, None), ())

    def test_what_can_not_stand_in_a_cell_is_refused_at_its_place(self) -> None:
        with pytest.raises(RuleError) as refused:
            sketch(bids("skull-king", 1, 0, 0), tricks(2, None, None))
        assert refused.value.field == "cells.0.tricks"


class TestLedger:
    def test_two_beat_two(self) -> None:
        state = begun("doppelkopf", 4)
        row = moved(state, sketch(state, [{"won": True}, {}, {"won": True}, {}], {"points": 4}).score)
        assert (row.winners, row.losers, row.each_wins, row.each_loses) == ((0, 2), (1, 3), 4, 4)

    def test_one_gets_from_three(self) -> None:
        state = begun("doppelkopf", 4)
        row = moved(state, sketch(state, [{"won": True}, {}, {}, {}], {"points": 4, "doubled": True}).score)
        assert (row.winners, row.each_wins, row.each_loses) == ((0,), 24, 8)


class TestStakes:
    def test_a_bid_says_what_it_brings_if_it_is_met(self) -> None:
        assert stakes(begun("skull-king"), [{"bid": 1}, {"bid": 0}, {}]) == (20, 10, None)
        assert stakes(begun("wizard"), [{"bid": 1}, {"bid": 0}, {}]) == (30, 20, None)

    def test_bids_and_tricks_have_their_sum(self) -> None:
        state = bids("oh-hell", 1, 0, 1, cards=3)
        at = tally(state, sketch(state, tricks(2, 0, None)).score, early=False)
        assert at is not None
        assert (at.total, at.most, at.by_side) == (2, 3, (2, 0, 0))


class TestLeft:
    @pytest.mark.parametrize(
        ("taken", "left"), [((1, 0, None), (2, 2)), ((None, 3, 0), (0, 0)), ((2, 2, None), None), ((1, None, None), None)]
    )
    def test_the_last_has_the_rest_of_the_tricks(self, taken: tuple[int | None, ...], left: tuple[int, int] | None) -> None:
        filling = left_over(bids("oh-hell", 1, 0, 1, cards=3), tricks(*taken))
        assert (None if filling is None else (filling.side, filling.cell)) == left

    def test_a_destroyed_trick_is_nobody_s(self) -> None:
        filling = left_over(bids("skull-king", 0, 0, 0), tricks(0, 0, None), {"destroyed": True})
        assert filling is not None
        assert filling.cell == 0

    @given(st.lists(st.integers(-50, 50), min_size=2, max_size=2))
    def test_the_last_number_of_a_ledger_makes_it_even(self, numbers: list[int]) -> None:
        columns = [{"id": "points", "name": "Points", "kind": "whole", "least": -999, "most": 999}]
        pots = {"format": "companion-sheet/1", "name": "Pots", "players": [3, 3], "shape": "rounds", "sum": 0}
        state = start(NAMES[:3], SheetOptions(None, decode_sheet({**pots, "columns": columns})))
        filling = left_over(state, [{"points": number} for number in numbers] + [{}])
        assert filling is not None
        assert filling.cell == -sum(numbers)

    def test_the_last_final_points_of_mahjong_make_the_sum(self) -> None:
        filling = left_over(begun("mahjong", 4), [{"points": 42000}, {"points": 31000}, {}, {"points": 20000}])
        assert filling is not None
        assert (filling.side, filling.cell) == (2, 27000)

    def test_where_any_number_may_be_none_is_left(self) -> None:
        assert left_over(begun("plain"), [{"points": 5}, {"points": 7}, {}]) is None
        assert left_over(begun("uno"), [{"points": 0}, {"points": 7}, {}]) is None


class TestMends:
    def test_each_tap_is_one_number_changed_by_as_little_as_possible(self) -> None:
        state = bids("skull-king", 1, 0, 0)
        assert [(mend.side, mend.cell) for mend in mends(state, tricks(1, 1, 0))] == [(0, 0), (1, 0)]

    def test_bids_that_may_not_come_out_even_are_mended_too(self) -> None:
        found = mends(begun("oh-hell"), [{"bid": 1}, {"bid": 1}, {"bid": 1}], {"cards": 3}, early=True)
        assert [(mend.side, mend.cell) for mend in found] == [(0, 0), (1, 0), (2, 0)]

    def test_what_is_off_by_more_than_a_slip_has_none(self) -> None:
        assert mends(begun("hearts"), [{"points": 0}, {"points": 0}, {"points": 2}]) == ()
