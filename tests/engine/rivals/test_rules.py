"""What may be entered of rounds and the count, and what is refused, ruling by ruling?"""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from companion.engine import core
from companion.engine.records import any_of
from companion.engine.rivals import GAME, RivalsState, check_count_due, check_round_due, needed, weigh

EVENT = any_of(GAME.event_types())
Packs = list[list[list[int]]]

ONE_EACH: Packs = [[[1], [1]], [[1], [1]], [[1], [1]]]  # six cards, the fewest with which an end can be called
EMPTY: Packs = [[[], []], [[], []], [[], []]]


def event(record: dict[str, Any]) -> core.Event:
    return msgspec.convert(record, EVENT)


def round_(packs: Packs, ended_by: int | None = None) -> dict[str, Any]:
    return {"type": "round", "ended_by": ended_by, "packs": packs}


def count(first: list[int], second: list[int]) -> dict[str, Any]:
    return {"type": "count", "grey": [first, second]}


def match(*records: dict[str, Any]) -> core.Position[Any]:
    return core.replay(core.start(GAME, ["Ana", "Bo"]), map(event, records))


def details(*records: dict[str, Any]) -> dict[str, Any]:
    return dict(match(*records).standing().details)


def refused(record: dict[str, Any], *before: dict[str, Any]) -> core.RuleError:
    position = match(*before)
    with pytest.raises(core.RuleError) as refusal:
        position.apply(event(record))
    return refusal.value


def changed(packs: Packs, pack: int, player: int, whales: list[int]) -> Packs:
    """Return the packs with other whales of one player on one of them."""
    copy = [[list(whales) for whales in sides] for sides in packs]
    copy[pack][player] = whales
    return copy


@pytest.mark.parametrize("players", [["Ana"], ["Ana", "Bo", "Cy"]])
def test_two_play(players: list[str]) -> None:
    with pytest.raises(core.RuleError):
        core.start(GAME, players)


# --- The packs (V2, V3, V4) ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "won_by"),
    [
        ([1], [1], None),
        ([2], [1], 0),
        ([1], [2], 1),
        ([10], [6, 3], 0),
        ([10], [6, 4], None),
        ([10], [6, 4, 1], 1),
        ([10, 10, 10], [1], 0),
    ],
)
def test_the_higher_sum_takes_a_pack(first: list[int], second: list[int], won_by: int | None) -> None:
    for pack, grey in enumerate((1, 2, 3)):
        packs = [[[1], [1]], [[1], [1]], [[1], [1]]]
        packs[pack] = [first, second]
        found = details(round_(packs, 0))
        assert found["packs"][pack]["won_by"] == [won_by]
        assert found["captured"] == [grey if won_by == player else 0 for player in (0, 1)]


def test_tied_packs_stay_and_grow_and_go_to_nobody_at_the_end() -> None:
    grey = [[pack["grey"] for pack in details(*[round_(EMPTY)] * played)["packs"]] for played in range(4)]
    assert grey == [[1, 2, 3], [2, 4, 6], [3, 6, 9], [3, 6, 9]]
    found = details(*[round_(EMPTY)] * 3)
    assert found["captured"] == [0, 0]
    assert [pack["won_by"] for pack in found["packs"]] == [[None, None, None]] * 3


def test_a_pack_that_was_tied_twice_is_taken_whole() -> None:
    found = details(round_(ONE_EACH, 0), round_(ONE_EACH, 0), round_([[[1], [1]], [[1], [1]], [[1], [2]]], 0))
    assert found["captured"] == [0, 9]
    assert [pack["grey"] for pack in found["packs"]] == [3, 6, 0]


def test_a_won_pack_starts_anew() -> None:
    wins = [[[2], [1]], [[2], [1]], [[2], [1]]]
    grey = [[pack["grey"] for pack in details(*[round_(wins, 0)] * played)["packs"]] for played in range(4)]
    assert grey == [[1, 2, 3], [1, 2, 3], [1, 2, 3], [0, 0, 0]]
    assert details(*[round_(wins, 0)] * 3)["captured"] == [18, 0]


# --- The end of a round (V3, V7) ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ended_by", [0, 1])
def test_the_fewest_cards_with_which_an_end_is_called(ended_by: int) -> None:
    assert details(round_(ONE_EACH, ended_by))["first_player"] == ended_by


@pytest.mark.parametrize("ended_by", [0, 1])
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("pack", [0, 1, 2])
def test_an_end_is_called_only_with_a_card_of_both_on_every_pack(pack: int, player: int, ended_by: int) -> None:
    packs = changed(ONE_EACH, pack, player, [])
    refusal = refused(round_(packs, ended_by))
    assert (refusal.rule, refusal.field) == ("V3", f"packs.{pack}.{player}")
    # when the hands ran out instead, a pack may lack cards
    assert len(details(round_(packs))["packs"]) == 3


def test_who_called_the_end_may_be_left_out_for_nobody() -> None:
    record = {"type": "round", "packs": EMPTY}
    assert details(record) == details(round_(EMPTY))


@pytest.mark.parametrize(
    ("ended_by", "starts"),
    [
        ([0], 0),
        ([1], 1),
        ([None], 1),  # Ana started the first
        ([None, None], 0),
        ([1, None], 0),
        ([0, None], 1),
        ([None, 1, None], 0),
    ],
)
def test_who_starts_the_next_round(ended_by: list[int | None], starts: int) -> None:
    assert details(*(round_(ONE_EACH, player) for player in ended_by))["first_player"] == starts


def test_three_whales_of_a_player_on_a_pack_and_no_fourth() -> None:
    for pack in range(3):
        for player in range(2):
            assert details(round_(changed(ONE_EACH, pack, player, [1, 2, 3]), 0))
            refusal = refused(round_(changed(ONE_EACH, pack, player, [1, 2, 3, 4]), 0))
            assert refusal.field == f"packs.{pack}.{player}"
            assert "at most 3" in refusal.message


@pytest.mark.parametrize("value", [1, 2, 3, 4, 5, 6, 10])
def test_the_values_of_whales(value: int) -> None:
    assert details(round_(changed(ONE_EACH, 1, 0, [value]), 0))


@pytest.mark.parametrize("value", [-1, 0, 7, 8, 9, 11, 99, 10**30, "1", "turtle", True, 1.5, None])
def test_other_values(value: Any) -> None:
    for wrong in (round_(changed(ONE_EACH, 1, 0, [3, value]), 0), count([value], []), count([1], [1, value])):
        with pytest.raises(msgspec.ValidationError):
            event(wrong)


def test_a_player_has_18_whales_for_the_match() -> None:
    nine: Packs = [[[1, 1, 1], [1, 1, 1]]] * 3
    assert details(round_(nine, 0), round_(nine, 0), round_(EMPTY))["captured"] == [0, 0]
    for player in (0, 1):
        one_more = changed(EMPTY, 2, player, [1])
        refusal = refused(round_(one_more), round_(nine, 0), round_(nine, 0))
        assert (refusal.rule, refusal.field) == ("V1", "packs")
        assert "19" in refusal.message
    # 9 + 6 + 3 = 18 is all of them
    six: Packs = [[[1, 1], [1]]] * 3
    assert details(round_(nine, 0), round_(six, 0), round_(ONE_EACH, 0))["captured"] == [6 + 2 + 4, 0]
    assert "so 3 were left for this round" in refused(round_(six, 0), round_(nine, 0), round_(six, 0)).message


def test_the_hands_may_run_out_in_any_round() -> None:
    assert details(round_(EMPTY))["packs"][0]["won_by"] == [None]
    assert details(round_(changed(EMPTY, 2, 1, [1])))["captured"] == [0, 3]


# --- The count (V5, V6) -------------------------------------------------------------------------------------------------------

ANA_WINS_PACK_1: Packs = [[[2], [1]], [[1], [1]], [[1], [1]]]
ANA_1_BO_2: Packs = [[[2], [1]], [[1], [2]], [[1], [1]]]
THREE_EACH: Packs = [[[2], [1]], [[2], [1]], [[1], [2]]]


@pytest.mark.parametrize("played", [0, 1, 2])
def test_no_count_before_three_rounds(played: int) -> None:
    assert refused(count([], []), *[round_(EMPTY)] * played).rule == "V5"


def test_no_fourth_round() -> None:
    assert "three rounds" in refused(round_(EMPTY), *[round_(EMPTY)] * 3).message


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_scores_are_unknown_until_the_count(rounds: int) -> None:
    standing = match(*[round_(ANA_WINS_PACK_1, 0)] * rounds).standing()
    assert standing.scores == (None, None)
    assert (standing.finished, standing.winners) == (False, ())
    assert standing.details["captured"] == [rounds, 0]


@pytest.mark.parametrize(
    ("first", "second", "field"),
    [
        ([1, 1], [], "grey.0"),
        ([1, 1, 1, 1], [], "grey.0"),
        ([], [], "grey.0"),
        ([1, 1, 1], [1], "grey.1"),
        ([], [1, 1, 1], "grey.0"),
    ],
)
def test_as_many_values_as_captured_cards(first: list[int], second: list[int], field: str) -> None:
    assert refused(count(first, second), *[round_(ANA_WINS_PACK_1, 0)] * 3).field == field


@pytest.mark.parametrize(
    ("rounds", "first", "second", "scores", "winners"),
    [
        # higher value, whatever the number of cards
        ([ANA_WINS_PACK_1] * 3, [1, 1, 1], [], (3, 0), (0,)),
        ([ANA_1_BO_2] * 3, [10, 10, 10], [6, 5, 4, 3, 2, 1], (30, 21), (0,)),
        ([ANA_1_BO_2] * 3, [1, 2, 3], [6, 5, 4, 3, 2, 1], (6, 21), (1,)),
        # equal value: fewer cards
        ([ANA_1_BO_2] * 3, [5, 5, 5], [1, 2, 2, 2, 2, 6], (15, 15), (0,)),
        # equal in both: shared
        ([THREE_EACH] * 3, [1, 2, 3, 4, 5, 6, 1, 1, 1], [3, 3, 3, 3, 3, 3, 3, 2, 1], (24, 24), (0, 1)),
        ([EMPTY] * 3, [], [], (0, 0), (0, 1)),
    ],
)
def test_who_wins(
    rounds: list[Packs], first: list[int], second: list[int], scores: tuple[int, int], winners: tuple[int, ...]
) -> None:
    standing = match(*(round_(packs) for packs in rounds), count(first, second)).standing()
    assert standing.scores == scores
    assert standing.winners == winners
    assert standing.finished
    for player in (0, 1):
        assert sum(line.amounts[player] or 0 for line in standing.lines) == scores[player]


def test_a_shared_win_is_told() -> None:
    lines = match(*[round_(EMPTY)] * 3, count([], [])).standing().lines
    assert lines[-1].what == "Equal, also in cards: 0 with 0 cards each. They share the win."


def test_stopped_before_the_count() -> None:
    standing = match(round_(ANA_WINS_PACK_1, 0), {"type": "stop"}).standing()
    assert (standing.finished, standing.stopped, standing.winners, standing.scores) == (True, True, (), (None, None))


# --- What is written wrong ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "record",
    [
        {"type": "round", "ended_by": 2, "packs": ONE_EACH},
        {"type": "round", "ended_by": -1, "packs": ONE_EACH},
        {"type": "round", "ended_by": True, "packs": ONE_EACH},
        {"type": "round", "ended_by": 0},
        {"type": "round", "ended_by": 0, "packs": ONE_EACH[:2]},
        {"type": "round", "ended_by": 0, "packs": [*ONE_EACH, ONE_EACH[0]]},
        {"type": "round", "ended_by": 0, "packs": [[[1], [1]], [[1], [1]], [[1]]]},
        {"type": "round", "ended_by": 0, "packs": [[[1], [1]], [[1], [1]], [[1], [1], [1]]]},
        {"type": "round", "ended_by": 0, "packs": [[[1], [1]], [[1], [1]], [[1], ["1"]]]},
        {"type": "round", "ended_by": 0, "packs": [[[1], [1]], [[1], [1]], [[1], [True]]]},
        {"type": "round", "ended_by": 0, "packs": [[[1], [1]], [[1], [1]], [[1], [None]]]},
        {"type": "round", "ended_by": 0, "packs": [[[1], [1]], [[1], [1]], [[1], [10**30]]]},
        {"type": "round", "ended_by": 0, "packs": [[[1], [1]], [[1], [1]], [[1], [-1]]]},
        {"type": "round", "ended_by": 0, "packs": [[[1], [1]], [[1], [1]], [[1], ["turtle"]]]},
        {"type": "round", "ended_by": 0, "packs": [[[1] * 19, [1]], [[1], [1]], [[1], [1]]]},
        {"type": "round", "ended_by": 0, "packs": ONE_EACH, "grey": []},
        {"type": "count"},
        {"type": "count", "grey": [[]]},
        {"type": "count", "grey": [[], [], []]},
        {"type": "count", "grey": [[], [1] * 19]},
        {"type": "call", "player": 0},
    ],
)
def test_what_is_no_event(record: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        event(record)


# --- What a page asks ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mine", "theirs", "least"), [((6,), (10,), 5), ((), (), 1), ((4, 3), (6,), 0), ((6,), (6,), 1), ((), (10, 10, 10), 31)]
)
def test_how_much_would_take_a_pack(mine: tuple[int, ...], theirs: tuple[int, ...], least: int) -> None:
    assert needed(mine, theirs) == least


def test_who_takes_the_packs_as_they_lie() -> None:
    packs = (((4, 3), (6,)), ((10, 2), (5, 4, 3)), ((6,), (10,)))
    results = weigh(RivalsState(("Ana", "Bo"), grey=(1, 4, 3)), packs)
    assert [(result.grey, result.strengths, result.won_by, result.stays) for result in results] == [
        (1, (7, 6), 0, False),
        (4, (12, 12), None, True),
        (3, (6, 10), 1, False),
    ]


@pytest.mark.parametrize(("played", "stays"), [(0, True), (1, True), (2, False)])
def test_a_tied_pack_stays_but_for_the_last_round(played: int, stays: bool) -> None:
    state = match(*[round_(EMPTY)] * played).state
    assert [result.stays for result in weigh(state, (((), ()),) * 3)] == [stays] * 3
    after = match(*[round_(EMPTY)] * (played + 1)).state
    assert [result.stays for result in after.rounds[-1].packs] == [stays] * 3


@pytest.mark.parametrize("played", [0, 1, 2, 3])
def test_either_a_round_or_the_count_is_due(played: int) -> None:
    state = match(*[round_(EMPTY)] * played).state
    due, other = (check_count_due, check_round_due) if played == 3 else (check_round_due, check_count_due)
    due(state)
    with pytest.raises(core.RuleError) as refusal:
        other(state)
    assert refusal.value.message == (
        "All three rounds are played. Count the captured grey whales now."
        if played == 3
        else f"Captured whales stay secret until three rounds are played. So far it is {played}."
    )
