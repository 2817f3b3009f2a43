"""Which cards may be played where, face up or down, and when may the end be called (rulings V3, V8)?"""

from __future__ import annotations

from itertools import product
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.engine.core import RuleError
from companion.engine.rivals import GAME
from companion.engine.rivals.plays import LegalPlays


def pack(top: int, mine: int = 0, theirs: int = 0, hidden: int = 0) -> dict[str, int]:
    return {"top": top, "mine": mine, "theirs": theirs, "theirs_hidden": hidden}


def ask(hand: list[Any], packs: list[dict[str, Any]], actions: int = 2) -> dict[str, Any]:
    record = {"game": "rivals", "hand": hand, "actions": actions, "packs": packs}
    assert GAME.answer is not None
    return dict(msgspec.json.decode(msgspec.json.encode(GAME.answer(msgspec.convert(record, LegalPlays)), enc_hook=str)))


def plays(hand: list[Any], packs: list[dict[str, Any]], actions: int = 2) -> list[tuple[Any, ...]]:
    return [tuple(play.values()) for play in ask(hand, packs, actions)["plays"]]


OPEN = [pack(5), pack(2), pack(10)]


def test_the_example_of_the_records() -> None:
    answer = ask([3, 5, "turtle"], [pack(5, 1, 2, 1), pack(2), pack(10)])
    assert answer["may_end_round"] is False
    assert answer["plays"] == [
        {"card": 3, "pack": 1, "face_up": False},
        {"card": 3, "pack": 2, "face_up": False},
        {"card": 3, "pack": 3, "face_up": False},
        {"card": 5, "pack": 1, "face_up": True},
        {"card": 5, "pack": 1, "face_up": False},
        {"card": 5, "pack": 2, "face_up": False},
        {"card": 5, "pack": 3, "face_up": False},
        {"card": "turtle", "pack": 1},
    ]


def test_face_up_only_with_the_value_of_the_top_grey_whale() -> None:
    assert plays([10], OPEN) == [(10, 1, False), (10, 2, False), (10, 3, True), (10, 3, False)]
    assert plays([2], [pack(2), pack(2), pack(1)]) == [(2, 1, True), (2, 1, False), (2, 2, True), (2, 2, False), (2, 3, False)]


@pytest.mark.parametrize(("mine", "there"), [(0, True), (1, True), (2, True), (3, False)])
def test_a_pack_takes_three_whales_of_a_player(mine: int, there: bool) -> None:
    found = plays([4], [pack(4, mine), pack(1), pack(1)])
    assert ((4, 1, True) in found) is there
    assert ((4, 1, False) in found) is there
    assert plays([4], [pack(4, theirs=3), pack(1, 3), pack(1, 3)]) == [(4, 1, True), (4, 1, False)]


def test_a_turtle_needs_a_face_down_card_of_the_opponent() -> None:
    assert plays(["turtle"], OPEN) == []
    assert plays(["turtle"], [pack(1, 0, 3, 0), pack(1, 3, 1, 1), pack(1, 0, 3, 3)]) == [("turtle", 2), ("turtle", 3)]


def test_equal_cards_once() -> None:
    assert plays([1, 1, 1], OPEN) == [(1, 1, False), (1, 2, False), (1, 3, False)]
    assert plays(["turtle", "turtle", "turtle"], [pack(1, 0, 1, 1), pack(1), pack(1)]) == [("turtle", 1)]


def test_no_plays_without_actions_and_no_end() -> None:
    lying = [pack(5, 1, 1, 1)] * 3
    assert plays([5, "turtle"], lying, actions=0) == []
    assert ask([5], lying, actions=0)["may_end_round"] is False
    assert len(plays([5, "turtle"], lying, actions=1)) == 9


@pytest.mark.parametrize("actions", [1, 2])
@pytest.mark.parametrize("lacking", [None, *product(range(3), ["mine", "theirs"])])
def test_the_end_may_be_called_with_a_card_of_both_on_every_pack(lacking: tuple[int, str] | None, actions: int) -> None:
    packs = [pack(5, 1, 1), pack(2, 3, 1), pack(1, 1, 2)]
    if lacking is not None:
        packs[lacking[0]][lacking[1]] = 0
    answer = ask([], packs, actions)
    assert answer["may_end_round"] is (lacking is None)
    assert bool(answer["why"]) is (lacking is not None)
    if lacking is not None:
        assert f"none on pack {lacking[0] + 1}" in answer["why"]


def test_a_play_has_the_keys_of_the_records_only() -> None:
    answer = ask([5, "turtle"], [pack(5, 0, 1, 1), pack(1), pack(1)])
    assert list(answer)[:2] == ["plays", "may_end_round"]
    assert {tuple(play) for play in answer["plays"]} == {("card", "pack", "face_up"), ("card", "pack")}


@pytest.mark.parametrize(
    ("hand", "packs", "field"),
    [
        (["turtle"] * 4, OPEN, "hand"),
        ([1], [pack(1), pack(1, 0, 1, 2), pack(1)], "packs.1.theirs_hidden"),
        ([1], [pack(1), pack(1), pack(1, 3, 0, 1)], "packs.2.theirs_hidden"),
    ],
)
def test_what_can_not_be(hand: list[Any], packs: list[dict[str, Any]], field: str) -> None:
    with pytest.raises(RuleError) as refusal:
        ask(hand, packs)
    assert refusal.value.field == field


@pytest.mark.parametrize(
    "wrong",
    [
        {"hand": [1] * 6},
        {"hand": ["whale"]},
        {"hand": [3, 7]},
        {"hand": [0]},
        {"packs": [pack(7), *OPEN[1:]]},
        {"hand": [True]},
        {"hand": [1.5]},
        {"hand": None},
        {"hand": [10**30]},
        {"actions": 3},
        {"actions": -1},
        {"actions": None},
        {"packs": OPEN[:2]},
        {"packs": [*OPEN, pack(1)]},
        {"packs": [{**OPEN[0], "mine": 4}, *OPEN[1:]]},
        {"packs": [{**OPEN[0], "theirs": -1}, *OPEN[1:]]},
        {"packs": [{**OPEN[0], "hidden": 0}, *OPEN[1:]]},
        {"packs": [{"top": 1, "mine": 0, "theirs": 0}, *OPEN[1:]]},
        {"ask": "plays"},
    ],
)
def test_what_is_no_question(wrong: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"game": "rivals", "hand": [1], "actions": 2, "packs": OPEN, **wrong}, LegalPlays)


values = st.sampled_from([1, 2, 3, 4, 5, 6, 10])
packs_ = st.builds(
    lambda top, mine, theirs, hidden: pack(top, mine, theirs, min(theirs, hidden)),
    values,
    st.integers(0, 3),
    st.integers(0, 3),
    st.integers(0, 3),
)
hands = st.lists(values | st.just("turtle"), max_size=5).filter(lambda hand: hand.count("turtle") <= 3)


@given(hands, st.lists(packs_, min_size=3, max_size=3), st.integers(0, 2))
def test_every_play_that_there_could_be_is_listed_or_against_a_rule(hand: list[Any], packs: list[Any], actions: int) -> None:
    answer = ask(hand, packs, actions)
    found = [(play["card"], play["pack"], play.get("face_up")) for play in answer["plays"]]
    assert len(found) == len(set(found))
    for card, number, face_up in product([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, "turtle"], range(1, 4), [True, False, None]):
        lies = packs[number - 1]
        against = [
            card not in hand,
            actions == 0,
            (face_up is None) != (card == "turtle"),
            face_up is True and lies["top"] != card,
            card != "turtle" and lies["mine"] + 1 > 3,
            card == "turtle" and lies["theirs_hidden"] == 0,
        ]
        assert ((card, number, face_up) in found) is not any(against)
    assert answer["may_end_round"] is (actions > 0 and min(min(lies["mine"], lies["theirs"]) for lies in packs) > 0)
