"""How does a match by a score sheet go, and what is refused, at which cell? By small sheets of these tests' own."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any

import msgspec
import pytest

from companion.engine import records
from companion.engine.core import PersistentList, Position, RuleError, plain, start
from companion.engine.records import RecordError, decode_event, decode_sheet
from companion.engine.sheet import presets
from companion.engine.sheet.match import GAME, Box, SheetOptions, apply, offers, settled
from companion.engine.sheet.unfinished import lead, leading, left_over, mends, sketch

NAMES = ("Ana", "Bo", "Cy", "Di")
AB = [{"id": "a", "name": "A"}, {"id": "b", "name": "B"}]
POINTS = {"id": "points", "name": "Points", "kind": "whole"}
ASK = {"id": "a", "question": "A?", "answers": [{"name": "1", "value": 1}, {"name": "2", "value": 2, "tie": ["wish"]}]}


def sheet(**parts: Any) -> dict[str, Any]:
    return {"format": "companion-sheet/1", "name": "Sevens", "players": [2, 4], "shape": "rounds", "columns": [POINTS], **parts}


def begin(seated: int = 2, **parts: Any) -> Position[Any]:
    return start(GAME, NAMES[:seated], SheetOptions(None, decode_sheet(sheet(**parts))))


def row(*cells: Any, **shared: Any) -> dict[str, Any]:
    return {"type": "row", "cells": [one if isinstance(one, dict) else {"points": one} for one in cells], "round": shared}


def play(position: Position[Any], *events: dict[str, Any]) -> Position[Any]:
    for event in events:
        position = position.apply(decode_event(GAME, event))
    return position


def refused(position: Position[Any], event: dict[str, Any]) -> tuple[str, str]:
    with pytest.raises(RuleError) as raised:
        play(position, event)
    return raised.value.field, raised.value.message


def scores(position: Position[Any]) -> list[Any]:
    return list(position.standing().scores)


class TestColumns:
    @pytest.mark.parametrize(
        ("column", "cell", "worth"),
        [
            ({"kind": "whole", "least": -5}, -5, -5),
            ({"kind": "half"}, 2.0, 2),
            ({"kind": "addends"}, [10, 15, 8], 33),
            ({"kind": "addends"}, 33, 33),
            ({"kind": "addends", "step": 0.5}, [2.5, 1, 0.5], 4),
            ({"kind": "times", "by": -2, "step": 0.5}, 1.5, -3),
            ({"kind": "product", "step": 0.5}, [2.5, 3], 7.5),
            ({"step": 0.5}, 2.5, 2.5),
            ({"kind": "times", "by": -2}, 4, -8),
            ({"kind": "product"}, [4, 3], 12),
            ({"kind": "table", "points": [0, 1, 3, 6]}, 2, 3),
            ({"kind": "table", "points": [0, 1, 3, 6]}, 9, 6),  # the last one for more
            ({"kind": "table", "points": [7, 1, 3, 6], "least": -5}, -4, 7),
            (
                {"kind": "choice", "choices": [{"id": "one", "name": "One", "points": 7}, {"id": "two", "name": "Two"}]},
                "one",
                7,
            ),
            ({"kind": "tick", "points": [50]}, True, 50),
            ({"kind": "tick", "points": -2.5}, True, -2.5),
            ({"kind": "tick", "points": 0}, True, 0),
            ({}, 999_999_999_999, 999_999_999_999),
            ({"kind": "tick"}, False, 0),
            ({"kind": "whole", "optional": True}, None, 0),
        ],
    )
    def test_each_kind_is_worth_what_it_says(self, column: dict[str, Any], cell: Any, worth: float) -> None:
        match = play(begin(columns=[{**POINTS, **column}]), row(cell, cell))
        assert scores(match) == [worth, worth]

    @pytest.mark.parametrize("slug", ["score", "rank", "sum", "count", "min"])
    def test_a_column_may_be_called_as_a_function_is(self, slug: str) -> None:
        score = f"sum({slug}) - {slug} + count({slug} > 3) * rank({slug})"
        match = begin(columns=[{**POINTS, "id": slug}], score=score, tie=[slug])
        assert scores(play(match, row({slug: 3}, {slug: 4}))) == [6, 4]  # 7 − 3 + 1 × 2, and 7 − 4 + 1 × 1

    def test_a_column_called_score_is_what_was_typed(self) -> None:
        column = {**POINTS, "id": "score"}
        match = begin(columns=[column], score="-score", checks=[{"that": "score >= 3", "say": "{score}"}], bonus="100 * score")
        assert refused(match, row({"score": 3}, {"score": 2})) == ("cells.1", "2")
        match = play(match, row({"score": 3}, {"score": 4}))
        assert (match.standing().rounds, scores(match)) == (((-3, -4),), [297, 396])

    @pytest.mark.parametrize(
        ("column", "by", "cells", "worth"),
        [
            ({"kind": "addends"}, "points + 1", (1, [2, 1]), [50, 25]),
            ({"kind": "product", "most": 9}, "points + 1", ([2, 3], [0, 9]), [14, 100]),
            ({"least": -9, "most": -1}, "points", (-9, -4), [-12, -25]),
            ({"kind": "times", "least": 1, "most": 9, "by": -2}, "points", (1, 2), [-50, -25]),
        ],
    )
    def test_what_a_column_can_hold_tells_what_may_be_divided_by(
        self, column: dict[str, Any], by: str, cells: tuple[Any, Any], worth: list[int]
    ) -> None:
        assert scores(play(begin(columns=[{**POINTS, **column}], score=f"100 // ({by})"), row(*cells))) == worth

    @pytest.mark.parametrize("kind", ["whole", "times"])
    def test_what_may_be_left_out_may_be_zero(self, kind: str) -> None:
        column = {**POINTS, "kind": kind, "least": -9, "most": -1, "optional": True}
        with pytest.raises(RecordError, match="This could divide by zero"):
            decode_sheet(sheet(columns=[column], score="1 // points"))

    def test_halves_are_reckoned_exactly(self) -> None:
        columns = [{**POINTS, "kind": "half"}]
        assert scores(play(begin(columns=columns, score="2 * points"), row(2.5, 0.5))) == [5, 1]
        game = {"columns": columns, "ends": {"at": 1.5}, "bonus": "1 if points == 1 else 0.5"}
        match = play(begin(**game), row(0.5, 0.5), row(0.5, 0.5))
        assert repr(match.standing().scores) == "(2, 2)"  # no 2.0, which records would write another way
        assert match.standing().rounds == ((0.5, 0.5), (0.5, 0.5))
        assert [line.amounts for line in match.standing().lines][-1] == (None, 1)
        assert scores(play(begin(**game), row(1, 0.5))) == [2, 1]

    def test_a_quarter_is_refused_and_not_rounded(self) -> None:
        squares = begin(columns=[{**POINTS, "kind": "half"}], score="points * points")
        assert refused(squares, row(2, 1.5)) == ("cells.1", "Only whole numbers and halves can be reckoned with.")
        bonus = begin(columns=[{**POINTS, "kind": "half"}], bonus="points * points * points")
        assert refused(bonus, row(2, 1.5)) == ("cells.1", "Bo, bonus: Only whole numbers and halves can be reckoned with.")
        assert refused(bonus, row(0, 10**5)) == ("cells.1", "Bo, bonus: This comes to more than 12 digits.")

    def test_half_a_point_more_leads(self) -> None:
        match = play(begin(columns=[{**POINTS, "kind": "half"}]), row(2.5, 2))
        assert (leading(match.state), lead(match.state)) == ((0,), Fraction(1, 2))

    def test_the_half_that_is_left_or_mends_a_row_is_known(self) -> None:
        chess = begin(
            columns=[{**POINTS, "kind": "half", "most": 1}], checks=[{"that": "sum(points) == 1", "say": "{sum(points)} of 1"}]
        )
        assert left_over(chess.state, ({"points": 0.5}, {})).cell == 0.5
        wrong = ({"points": 0.5}, {"points": 1})
        assert [mend.cell for mend in mends(chess.state, wrong)] == [0, 0.5]
        ledger = begin(columns=[{**POINTS, "kind": "half", "least": -9}], sum=0)
        assert [mend.cell for mend in mends(ledger.state, ({"points": 1}, {"points": -1.5}))] == [1.5, -1]

    @pytest.mark.parametrize(
        ("ties", "step", "points"),
        [("each", 1, [5, 5, 5, 0]), ("split", 1, [2, 2, 2, 0]), ("split", 0.5, [2.5, 2.5, 2.5, 0])],
    )
    def test_rank_gives_points_by_place(self, ties: str, step: float, points: list[float]) -> None:
        columns = [{**POINTS, "kind": "rank", "points": [5, 2, 1], "ties": ties, "step": step}]  # 8 for three: 2⅔ each
        assert scores(play(begin(4, columns=columns), row(9, 9, 9, 2))) == points

    @pytest.mark.parametrize(
        ("column", "cell", "sentence"),
        [
            ({}, 2.5, "A whole number belongs here, without a half."),
            ({}, "two", "A number belongs here."),
            ({}, True, "A number belongs here."),
            ({}, [1, 2], "One number belongs here."),
            ({}, -1, "−1 is too few: 0 is the least."),
            ({"most": 13}, 14, "14 is too many: 13 is the most."),
            ({"most": "round"}, 2, "2 is too many: 1 is the most."),
            ({"step": 50, "most": 900}, 120, "120 is not possible: it goes in steps of 50. Near it: 100 or 150."),
            ({"kind": "product"}, [4], "Two numbers belong here: 4 × 3."),
            ({"kind": "product"}, 4, "Two numbers belong here: 4 × 3."),
            ({"kind": "addends"}, [2, 0.5], "A whole number belongs here, without a half."),
            ({"kind": "half"}, 0.25, "Only whole numbers and halves can be reckoned with."),
            ({"kind": "tick"}, 1, "Yes or no (true or false) belongs here."),
            ({"kind": "choice", "choices": AB}, "c", "One of these belongs here: A or B."),
            ({}, None, "Points is missing."),
        ],
    )  # fmt: skip
    def test_what_can_t_stand_in_a_cell_is_refused_there(self, column: dict[str, Any], cell: Any, sentence: str) -> None:
        assert refused(begin(columns=[{**POINTS, **column}]), row(0 if cell is None else cell, cell)) in [
            ("cells.1.points", sentence), ("cells.0.points", sentence)
        ]  # fmt: skip

    def test_a_column_that_is_not_there_is_refused(self) -> None:
        assert refused(begin(), row(1, {"points": 1, "wish": 2})) == (
            "cells.1.wish", "There is no column “wish”. There are points.",
        )  # fmt: skip
        assert refused(begin(), row(1, 2, wish=3)) == ("round.wish", "There is no column “wish”.")
        assert refused(begin(), row(1)) == ("cells", "A row has cells for each of 2.")

    def test_a_choice_of_the_round_comes_once_a_dealer(self) -> None:
        contract = {"id": "contract", "name": "Contract", "kind": "choice", "of": "round", "once": True,
                    "choices": AB}  # fmt: skip
        match = play(begin(columns=[contract, POINTS], dealer="left"), row(1, 1, contract="a"), row(1, 1, contract="a"))
        assert refused(match, row(1, 1, contract="a")) == (
            "round.contract", "This was taken in round 1 already. Take another.",
        )  # fmt: skip
        assert scores(play(match, row(1, 1, contract="b"))) == [3, 3]


class TestRows:
    def test_the_sum_that_was_expected_is_told(self) -> None:
        ledger = begin(columns=[{**POINTS, "least": -99}], sum=0)
        assert refused(ledger, row(4, -3)) == ("sum", "Together all scores of a row come to 0. These come to 1.")
        assert scores(play(ledger, row(4, -4))) == [4, -4]

    def test_what_goes_to_nobody_is_told_by_the_sum(self) -> None:
        fine = {"id": "fine", "name": "Fine", "kind": "whole", "optional": True}
        ledger = begin(columns=[{**POINTS, "least": -99}, fine], score="points - fine", sum="-sum(fine)")
        assert scores(play(ledger, row({"points": 4, "fine": 3}, -4))) == [1, -4]
        assert refused(ledger, row({"points": 4, "fine": 3}, -3)) == (
            "sum", "Together all scores of a row come to −3. These come to −2.",
        )  # fmt: skip

    def test_a_check_names_who_is_wrong(self) -> None:
        checks = [{"that": "points <= 5", "say": "{player} has {points}."}]
        assert refused(begin(checks=checks), row(5, 6)) == ("cells.1", "Bo has 6.")
        assert refused(begin(checks=checks), row(7, 6)) == ("", "Ana has 7.")
        braces = start(GAME, ("{points}", "Bo"), SheetOptions(None, decode_sheet(sheet(checks=checks))))
        assert refused(braces, row(6, 5)) == ("cells.0", "{points} has 6.")

    def test_bids_come_before_the_row_and_are_checked_with_what_is_known(self) -> None:
        bid = {"id": "bid", "name": "Bid", "kind": "whole", "when": "before", "most": "round"}
        checks = [
            {"that": "sum(bid) != round", "say": "Not {round}."},
            {"that": "sum(bid) < 9", "say": "{points} points."},  # says what is not known before the round
            {"that": "sum(points) == round", "say": "{round} tricks."},
        ]
        match = begin(columns=[bid, POINTS], score="points if points == bid else -1", checks=checks)
        bids = {"type": "bids", "cells": [{"bid": 1}, {"bid": 1}]}
        assert refused(match, {"type": "bids", "cells": [{"bid": 1}, {"bid": 0}]}) == ("", "Not 1.")
        assert refused(match, {"type": "bids", "cells": [{"bid": 1}, {"points": 0}]})[0] == "cells.1.bid"
        after = play(match, bids)
        assert after.standing().details["bids"] == [{"bid": 1}, {"bid": 1}]
        assert refused(after, bids) == ("", "The bids of this round are there already. Correct them instead.")
        assert scores(play(after, row(1, 0))) == [1, -1]
        assert scores(play(after, row({"bid": None, "points": 1}, 0))) == [1, -1]  # null says nothing
        assert refused(match, row({"bid": None, "points": 1}, {"bid": 1, "points": 0}))[0] == "cells.0.bid"
        assert scores(play(match, row({"bid": 0, "points": 0}, {"bid": 0, "points": 1}))) == [0, -1]  # both at once

    @pytest.mark.parametrize("sign", ["//", "%"])
    def test_nothing_is_divided_by_a_cell_that_is_still_empty(self, sign: str) -> None:
        of_each = [POINTS, {"id": "shares", "name": "Shares", "kind": "whole", "least": 1}]
        match = begin(columns=of_each, score=f"points {sign} shares", bonus=f"points {sign} shares")
        assert sketch(match.state, ({"points": 7}, {})).brings == (None, None)
        row_of_two = row({"points": 7, "shares": 2}, {"points": 9, "shares": 5})
        assert scores(play(match, row_of_two)) == ([6, 2] if sign == "//" else [2, 8])

    def test_a_group_may_have_columns_of_the_round_and_of_other_houses(self) -> None:
        tricks = {"id": "tricks", "name": "Tricks", "kind": "whole", "of": "round", "group": "all"}
        jack = {"id": "jack", "name": "Jack", "kind": "whole", "only": "house", "group": "all"}
        ask = {"id": "house", "question": "Jack?", "answers": [{"name": "No", "value": 0}, {"name": "Yes", "value": 1}]}
        match = begin(columns=[{**POINTS, "group": "all"}, tricks, jack], asks=[ask], bonus="all", score="points")
        assert scores(play(match, row(3, 4, tricks=10))) == [16, 18]

    def test_a_match_has_as_many_rounds_as_its_formulas_leave_time_for(self) -> None:
        checks = [{"that": "1 == 1 or " + "points + " * 50 + "1", "say": "n" * 200}] * 10  # 4 + 10 × (461 + 200) characters
        state = begin(score="+".join(["points"] * 70), checks=checks).state
        assert state.sheet.weight == 489 + 10 * 661
        most = 100_000_000 // (2 * 7_099)
        event = decode_event(GAME, row(1, 2))
        assert len(apply(replace(state, rows=PersistentList(None, None, most - 1)), event).rows) == most
        with pytest.raises(RuleError, match=f"With so many formulas a match has at most {most:,} rounds"):
            apply(replace(state, rows=PersistentList(None, None, most)), event)

    def test_a_number_that_grows_is_refused(self) -> None:
        assert refused(begin(score="points * points * points"), row(99999, 1)) == (
            "cells.0",
            "This comes to more than 12 digits.",
        )

    def test_a_line_a_side_says_how_its_number_came_about(self) -> None:
        match = play(begin(score="20 * points + 10"), row(2, 0))
        assert [line.what for line in match.standing().lines] == [
            "Round 1, Ana: Points 2: 20 × 2 + 10 = 50", "Round 1, Bo: Points 0: 10",
        ]  # fmt: skip

    def test_only_the_lines_that_are_read_are_made(self, monkeypatch: pytest.MonkeyPatch) -> None:
        lines = play(begin(), *[row(2, 3)] * 30).standing().lines
        made = []
        monkeypatch.setattr("companion.engine.sheet.match.explained", lambda _sheet, _row, side: made.append(side) or "a sum")
        assert [line.amounts for line in lines[-3:]] == [(None, 3), (2, None), (None, 3)]
        assert (len(lines), made) == (60, [1, 0, 1])


class TestTheEnd:
    def test_after_so_many_rounds(self) -> None:
        match = play(begin(ends={"rounds": "players"}), row(1, 2), row(1, 2))
        assert (match.finished, match.standing().winners) == (True, (1,))

    def test_at_a_total_and_the_lowest_wins(self) -> None:
        match = play(begin(ends={"at": 10}, wins="lowest"), row(4, 9), row(4, 1))
        assert (match.finished, match.standing().winners) == (True, (0,))

    def test_at_a_total_below_zero(self) -> None:
        match = play(begin(columns=[{**POINTS, "least": -99}], ends={"at": -10}), row(-9, 9))
        assert not match.finished
        assert play(match, row(-1, 0)).standing().winners == (1,)

    def test_by_hand(self) -> None:
        assert play(begin(), row(4, 9), {"type": "finish"}).standing().winners == (1,)
        assert refused(begin(ends={"at": 10}), {"type": "finish"})[1] == "This sheet has no entry of that kind."

    def test_who_drops_out_plays_no_more_and_can_t_win(self) -> None:
        match = play(begin(3, ends={"out": 10}), row(1, 12, 2))
        assert match.standing().winners == ()
        match = play(match, row(1, {}, 9))
        assert (match.finished, scores(match), match.standing().winners) == (True, [2, 12, 11], (0,))

    def test_a_tie_is_shared_or_broken_by_columns(self) -> None:
        assert play(begin(), row(4, 4), {"type": "finish"}).standing().winners == (0, 1)
        coins = {"id": "coins", "name": "Coins", "kind": "whole"}
        match = begin(columns=[POINTS, coins], score="points", tie=["coins"])
        assert play(
            match, row({"points": 4, "coins": 1}, {"points": 4, "coins": 2}), {"type": "finish"}
        ).standing().winners == (1,)

    @pytest.mark.parametrize(("way", "dealer"), [("left", 1), ("right", 2), ("winner", 1), ("loser", 2)])
    def test_the_deal_goes_on(self, way: str, dealer: int) -> None:
        assert play(begin(3, dealer=way), row(4, 9, 1)).standing().details["dealer"] == dealer

    @pytest.mark.parametrize(("way", "dealer"), [("left", 2), ("winner", 0), ("loser", 2)])
    def test_nobody_deals_who_is_out(self, way: str, dealer: int) -> None:
        match = play(begin(4, dealer=way, ends={"out": 10}), row(9, 12, 3, 1))  # Bo is out, and lost or won it
        assert match.standing().details["dealer"] == (2 if way != "loser" else 3)
        again = play(begin(4, dealer=way, wins="lowest", ends={"out": 10}), row(1, 12, 3, 4))
        assert again.standing().details["dealer"] == dealer

    def test_everybody_deals_so_many_rounds_in_a_row(self) -> None:
        match, dealers = begin(3, dealer="left", deals="players"), []
        for _ in range(7):
            dealers.append(match.standing().details["dealer"])
            match = play(match, row(1, 2, 3))
        assert dealers == [0, 0, 0, 1, 1, 1, 2]

    def test_players_of_teams_are_people(self) -> None:
        match = begin(4, players=[4, 4], sides={"teams": 2, "of": 2}, score="players", ends={"rounds": "players"})
        match = play(match, row(1, 1), row(1, 1), row(1, 1))
        assert (scores(match), match.finished) == ([12, 12], False)
        assert play(match, row(1, 1)).finished

    def test_teams_have_one_column_each(self) -> None:
        match = play(begin(4, players=[4, 4], sides={"teams": 2, "of": 2}), row(4, 9))
        assert (match.standing().sides, scores(match)) == (("Ana & Cy", "Bo & Di"), [4, 9])


class TestBoxesAndEnds:
    BOXES = (
        {"id": "ones", "name": "Ones", "kind": "whole", "most": 5, "group": "upper"},
        {"id": "sixes", "name": "Sixes", "kind": "whole", "step": 6, "most": 30, "group": "upper"},
    )

    def test_a_box_is_filled_once_and_the_bonus_comes_by_itself(self) -> None:
        match = begin(shape="boxes", columns=list(self.BOXES), bonus="35 if upper >= 33 else 0")
        match = play(match, {"type": "box", "player": 0, "box": "ones", "value": 3})
        assert refused(match, {"type": "box", "player": 0, "box": "ones", "value": 2}) == (
            "box",
            "Ana has filled Ones already.",
        )
        assert refused(match, {"type": "box", "player": 0, "box": "sixes", "value": 7})[0] == "value"
        assert refused(match, {"type": "box", "player": 0, "box": "twos", "value": 7})[0] == "box"
        assert refused(match, {"type": "box", "player": 7, "box": "ones", "value": 7})[0] == "player"
        match = play(match, {"type": "box", "player": 0, "box": "sixes", "value": 30})
        assert (scores(match), match.finished) == ([68, 0], False)
        assert [line.what for line in match.standing().lines][-1] == "Ana, bonus: 35"
        for box in ("ones", "sixes"):
            match = play(match, {"type": "box", "player": 1, "box": box, "value": 0})
        assert match.standing().winners == (0,)

    def test_they_end_at_a_total_and_by_hand_only_where_the_sheet_says_so(self) -> None:
        finish = {"type": "finish"}
        for shape, ends in (("boxes", {"boxes": True}), ("end", {"at": 5})):
            match = begin(shape=shape, columns=list(self.BOXES), ends=ends)
            assert refused(match, finish)[1] == "This sheet has no entry of that kind."
        assert play(begin(shape="boxes", columns=list(self.BOXES)), finish).finished
        race = play(
            begin(shape="boxes", columns=list(self.BOXES), ends={"at": 5}),
            {"type": "box", "player": 1, "box": "ones", "value": 5},
        )
        assert (race.finished, race.standing().winners) == (True, (1,))

    def test_whoever_has_nothing_in_any_column_is_counted_too(self) -> None:
        ticks = [{"id": "moon", "name": "Moon", "kind": "tick", "points": 5}, {**POINTS, "optional": True}]
        nothing = {"type": "end", "player": 0, "cells": {}}
        match = play(begin(shape="end", columns=ticks), nothing)
        assert refused(match, nothing) == ("player", "Ana is counted already. Correct that entry.")
        match = play(match, {"type": "end", "player": 1, "cells": {"moon": True}})
        assert (scores(match), match.finished, match.standing().winners) == ([0, 5], True, (1,))

    @pytest.mark.parametrize("shape", ["boxes", "end"])
    def test_what_must_be_true_is_asked_once_it_is_filled(self, shape: str) -> None:
        checks = [
            {"that": "ones != 4", "say": "{player} has 4."},
            {"that": "sum(ones) == 6", "say": "Six ones, not {sum(ones)}."},
        ]
        match = begin(shape=shape, columns=[self.BOXES[0]], checks=checks)

        def counted(player: int, ones: int) -> dict[str, Any]:
            if shape == "boxes":
                return {"type": "box", "player": player, "box": "ones", "value": ones}
            return {"type": "end", "player": player, "cells": {"ones": ones}}

        assert refused(match, counted(0, 4)) == ("cells.0", "Ana has 4.")
        match = play(match, counted(0, 3))
        assert refused(match, counted(1, 2)) == ("", "Six ones, not 5.")
        assert scores(play(match, counted(1, 3))) == [3, 3]

    def test_a_place_is_known_once_all_are_counted(self) -> None:
        places = [{**POINTS, "kind": "rank", "points": [3, 1], "optional": True}]
        match = begin(shape="end", columns=places, checks=[{"that": "points < 3", "say": "{player} is first."}])
        match = play(match, {"type": "end", "player": 0, "cells": {"points": 4}})
        assert refused(match, {"type": "end", "player": 1, "cells": {"points": 9}}) == ("cells.1", "Bo is first.")

    def test_who_has_filled_nothing_has_nothing(self) -> None:
        match = begin(shape="end", score="points + 10")
        assert scores(play(match, {"type": "end", "player": 1, "cells": {"points": 4}})) == [0, 14]
        match = begin(shape="boxes", columns=list(self.BOXES), bonus="50 if sixes == 0 else 0")
        assert scores(play(match, {"type": "box", "player": 1, "box": "ones", "value": 4})) == [0, 54]

    def test_who_is_counted_is_counted_once(self) -> None:
        match = begin(shape="end", columns=[POINTS, {"id": "eggs", "name": "Eggs", "kind": "addends"}])
        assert refused(match, {"type": "end", "player": 0, "cells": {"points": 4}}) == ("cells.eggs", "Eggs is missing.")
        assert refused(match, {"type": "end", "player": 0, "cells": {"points": 4, "wish": 1}})[0] == "cells.wish"
        match = play(match, {"type": "end", "player": 0, "cells": {"points": 4, "eggs": [10, 15, 8]}})
        assert match.standing().details["cells"] == [{"points": 4, "eggs": (10, 15, 8)}, {}]
        assert refused(match, {"type": "end", "player": 0, "cells": {"points": 4, "eggs": 2}})[0] == "player"
        assert refused(match, row(1, 2))[1] == "This sheet has no entry of that kind."
        match = play(match, {"type": "end", "player": 1, "cells": {"points": 4, "eggs": 2}})
        assert (scores(match), match.finished, match.standing().rounds) == ([37, 6], True, ())


class TestReading:
    @pytest.mark.parametrize(
        ("parts", "place"),
        [
            ({"players": [4, 2]}, "players"),
            ({"sides": {"teams": 2, "of": 2}}, "players"),
            ({"columns": []}, "columns"),
            ({"columns": [{**POINTS, "of": "round"}]}, "columns"),
            ({"columns": [{**POINTS, "optional": True}], "shape": "boxes"}, "columns"),
            ({"columns": [POINTS, POINTS]}, "columns.1.id"),
            ({"columns": [{**POINTS, "id": "round"}]}, "columns.0.id"),
            ({"columns": [{**POINTS, "id": "if"}]}, "columns.0.id"),
            ({"columns": [{**POINTS, "kind": "table", "points": 5}]}, "columns.0.points"),
            ({"columns": [{**POINTS, "kind": "tick", "points": "5"}]}, "columns.0.points"),
            ({"columns": [{**POINTS, "kind": "tick", "points": 0.25}]}, "columns.0.points"),
            ({"columns": [{**POINTS, "id": "Points!"}]}, "columns.0.id"),
            ({"columns": [{**POINTS, "kind": "wish"}]}, "columns.0.kind"),
            ({"columns": [{**POINTS, "kind": "choice"}]}, "columns.0.choices"),
            ({"columns": [{**POINTS, "kind": "rank"}]}, "columns.0.points"),
            ({"columns": [{**POINTS, "once": True}]}, "columns.0.once"),
            ({"columns": [{**POINTS, "least": 5, "most": 4}]}, "columns.0.most"),
            ({"columns": [{**POINTS, "most": "wish"}]}, "columns.0.most"),
            ({"columns": [{**POINTS, "least": 0.25}]}, "columns.0.least"),
            ({"columns": [POINTS, {"id": "bid", "name": "Bid", "kind": "whole", "when": "before", "most": "points"}]},
             "columns.1.most"),
            ({"columns": [{**POINTS, "group": "points"}]}, "columns.0.group"),
            ({"columns": [{**POINTS, "when": "before"}], "shape": "end"}, "columns.0"),
            ({"columns": [{**POINTS, "name": "\u202eevil"}]}, "columns.0.name"),
            ({"columns": [{**POINTS, "wish": 1}]}, "columns.0.wish"),
            ({"name": "x" * 61}, "name"),
            ({"score": "points +"}, "score"),
            ({"bonus": "round"}, "bonus"),
            ({"checks": [{"that": "wish", "say": "No."}]}, "checks.0.that"),
            ({"checks": [{"that": "1", "say": "No {points.__class__}."}]}, "checks.0.say"),
            ({"checks": [{"that": "1", "say": "No {points"}]}, "checks.0.say"),
            ({"ends": {}}, "ends"),
            ({"ends": {"at": "points"}}, "ends.at"),
            ({"tie": ["wish"]}, "tie.0"),
            ({"asks": [ASK]}, "asks.0.answers.1.tie.0"),
            ({"columns": [{**POINTS, "only": "wish"}]}, "columns.0.only"),
            ({"columns": [POINTS, {**POINTS, "id": "more", "only": "points == 1"}]}, "columns.1.only"),
            ({"columns": [{**POINTS, "roll": "pips"}]}, "columns.0.roll"),
            ({"shape": "boxes", "dice": 5, "columns": [{**POINTS, "roll": "dice_7"}]}, "columns.0.roll"),
            ({"goal": {"of": "upper", "at": 63}}, "goal.of"),
            ({"sum": "points"}, "sum"),
            ({"deals": "points"}, "deals"),
            ({"asks": [{"id": "a", "question": "A?", "answers": [{"name": "1", "value": 1}]}]}, "asks.0.answers"),
        ],
    )  # fmt: skip
    def test_each_mistake_is_named_with_its_place(self, parts: dict[str, Any], place: str) -> None:
        with pytest.raises(RecordError) as raised:
            decode_sheet(sheet(**parts))
        assert raised.value.field == f"sheet.{place}"
        assert raised.value.message.startswith(f"sheet.{place}: ")

    @pytest.mark.parametrize(
        "text",
        [
            b'{"format": "companion-sheet/1", "name": ' + b"[" * 100_000,
            b'{"most": ' + b"9" * 10_000 + b"}",
            b'{"name": "' + b"x" * 100_000 + b'"}',
            b"[]",
            b"\xff",
        ],
        ids=["deep", "10,000 digits", "large", "no object", "no text"],
    )
    def test_a_stranger_s_document_is_refused_at_once(self, text: bytes) -> None:
        with pytest.raises(RecordError):
            decode_sheet(text)

    def test_house_rules_are_asked_for(self) -> None:
        for house in ({"moon": 7}, {"wish": 1}):
            with pytest.raises(RuleError) as raised:
                start(GAME, NAMES, SheetOptions("hearts", None, house))
            assert raised.value.field.startswith("options.house")
        with pytest.raises(RuleError, match=r"There is no sheet “wish”") as raised:
            start(GAME, NAMES, SheetOptions("wish"))
        assert raised.value.field == "options.preset"
        with pytest.raises(RuleError, match=r"Skull King needs 2 to 8 players. You are 9"):
            start(GAME, tuple("ABCDEFGHI"), SheetOptions("skull-king"))

    def test_an_earlier_edition_of_a_preset_speaks_today_s_words_and_scores_as_it_did(self) -> None:
        today = presets.preset("hearts")
        check = msgspec.structs.replace(today.checks[0], say="All hearts and the queen are 26 points.")
        column = msgspec.structs.replace(today.columns[0], name="Points of the round", most=27)
        ask = msgspec.structs.replace(today.asks[2], question="It ends at")
        old = msgspec.structs.replace(today, columns=(column,), checks=(check,), asks=(ask,), score="points")
        match = start(GAME, NAMES, SheetOptions("hearts", old))
        assert refused(match, row(1, 2, 3, 4)) == ("", "All hearts and the queen are 26 points. These come to 10.")
        assert match.state.sheet.document.columns[0].name == "Points taken"
        assert match.state.sheet.document.asks[0].question == "The match ends at"
        assert scores(play(match, row(26, 0, 0, 0))) == [26, 0, 0, 0]
        assert start(GAME, NAMES, SheetOptions("gone", old)).state.sheet.document is old

    def test_a_stored_match_holds_the_whole_sheet(self) -> None:
        options = settled(SheetOptions("hearts", None, {"moon": 1}))
        house = {"diamonds": 0, "moon": 1, "target": 100, "exact": 0}
        assert options == SheetOptions("hearts", presets.preset("hearts"), house)
        again = msgspec.json.decode(msgspec.json.encode(options), type=SheetOptions)
        assert again == options
        assert settled(SheetOptions()).preset == "plain"
        assert records.decode_options(GAME, {"sheet": sheet()}).sheet.name == "Sevens"


class TestDice:
    @pytest.mark.parametrize(
        ("roll", "scores"),
        [
            ((3, 3, 3, 5, 5), {"threes": 9, "fives": 10, "three-of-a-kind": 19, "full-house": 25, "chance": 19}),
            ((1, 2, 3, 4, 6), {"ones": 1, "twos": 2, "threes": 3, "fours": 4, "sixes": 6, "small-straight": 30, "chance": 16}),
            ((2, 3, 4, 5, 6), {"small-straight": 30, "large-straight": 40, "chance": 20, "twos": 2, "threes": 3, "fours": 4,
                               "fives": 5, "sixes": 6}),
            ((4, 4, 4, 4, 1), {"ones": 1, "fours": 16, "three-of-a-kind": 17, "four-of-a-kind": 17, "chance": 17}),
            ((6, 6, 6, 6, 6), {"sixes": 30, "three-of-a-kind": 30, "four-of-a-kind": 30, "yahtzee": 50, "chance": 30}),
        ],
    )  # fmt: skip
    def test_what_a_roll_would_score_in_each_box(self, roll: tuple[int, ...], scores: dict[str, int]) -> None:
        state = start(GAME, NAMES[:2], SheetOptions("yahtzee")).state
        assert {box: amount for box, amount in offers(state, 0, roll).items() if amount} == scores

    @pytest.mark.parametrize("yahtzee", [50, 0])
    def test_a_yahtzee_is_a_joker_once_its_box_and_that_of_its_face_are_filled(self, yahtzee: int) -> None:
        joker = {"full-house": 25, "small-straight": 30, "large-straight": 40}
        match, twos = start(GAME, NAMES[:2], SheetOptions("yahtzee")), (2, 2, 2, 2, 2)
        for box, value in (("yahtzee", yahtzee), ("twos", 6)):
            assert {each: offers(match.state, 0, twos)[each] for each in joker} == dict.fromkeys(joker, 0)
            match = play(match, {"type": "box", "player": 0, "box": box, "value": value})
        assert {each: offers(match.state, 0, twos)[each] for each in joker} == joker
        assert offers(match.state, 0, (3, 3, 3, 3, 3))["full-house"] == 0  # its threes are open
        assert offers(match.state, 1, twos)["full-house"] == 0
        assert "yahtzee" not in offers(match.state, 0, twos)

    def test_a_house_that_counts_the_same_dice_alone(self) -> None:
        state = start(GAME, NAMES[:2], SheetOptions("yahtzee", None, {"alike": 0.0})).state
        assert offers(state, 0, (4, 4, 4, 4, 1))["three-of-a-kind"] == 12

    def test_every_roll_scores_what_its_box_can_hold(self) -> None:
        state = start(GAME, NAMES[:2], SheetOptions("yahtzee")).state
        for roll in combinations_with_replacement(range(1, 7), 5):
            for box, amount in offers(state, 0, roll).items():
                apply(state, Box(0, box, plain(amount)))  # refuses what can't stand there
