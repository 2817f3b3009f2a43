"""Which cards kill or save with the least waste?"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.engine.core import Event, RuleError, replay, start
from companion.engine.what_the_fish import GAME, Kill, Protect, Swim
from companion.engine.what_the_fish.cheapest import Ask, Cheapest, asked


def ask(hand: list[int], to_beat: int, already: int = 0, what: str = "kill") -> dict[str, Any]:
    record = {"game": "what-the-fish", "ask": what, "to_beat": to_beat, "already": already, "hand": hand}
    assert GAME.answer is not None
    return dict(msgspec.json.decode(msgspec.json.encode(GAME.answer(msgspec.convert(record, Cheapest)), enc_hook=str)))


@pytest.mark.parametrize("what", ["kill", "protect"])
@pytest.mark.parametrize(
    ("hand", "to_beat", "already", "cheapest"),
    [
        ([4, 6, 13], 11, 9, [4]),  # 9 + 4 = 13 > 11, one over; 6 would be three over, 13 ten
        ([4, 6], 8, 0, [4, 6]),  # the rule text's example: Bo's two cards on the fish of 8
        ([11], 10, 0, [11]),  # Ana's protection
        ([13], 11, 9, [13]),  # Bo's second attack on Cy's 9
        ([3], 8, 8, [3]),  # equal is not above: one more point is needed
        ([5, 4, 6], 8, 0, [5, 4]),  # exactly 9
        ([9, 5, 4], 8, 0, [9]),  # exactly 9 both ways: fewer cards
        ([4, 5, 9], 8, 0, [9]),
        ([7, 2, 6, 3, 9], 17, 0, [7, 2, 9]),  # 6 + 3 + 9 is 18 with three cards too: those first in the hand
        ([2, 2, 2, 2], 5, 0, [2, 2, 2]),
        ([20, 10, 10], 18, 0, [20]),  # both one over
        ([20, 10, 9], 18, 0, [10, 9]),  # none over beats fewer cards
        ([9, 5, 6, 2], 10, 0, [9, 2]),  # 5 + 6 is 11 too, but the 9 comes first in the hand
        ([1, 1, 1], 0, 0, [1]),
        ([1000, 999], 998, 0, [999]),
    ],
)
def test_enough(hand: list[int], to_beat: int, already: int, cheapest: list[int], what: str) -> None:
    answer = ask(hand, to_beat, already, what)
    assert answer["enough"] is True
    assert answer["cheapest"] == cheapest


@pytest.mark.parametrize(
    ("hand", "to_beat", "already"),
    [([], 1, 0), ([8], 8, 0), ([4, 4], 8, 0), ([1], 10, 9), ([1, 2, 3], 10**9, 0)],
)
def test_not_enough(hand: list[int], to_beat: int, already: int) -> None:
    answer = ask(hand, to_beat, already)
    assert answer["enough"] is False
    assert answer["cheapest"] == []


@pytest.mark.parametrize(
    ("events", "what", "to_beat", "already"),
    [
        ((), "kill", 8, 0),
        ((Kill(1, 4),), "kill", 8, 4),  # more KILL cards join the attack
        ((Kill(1, 9),), "kill", 8, 9),
        ((Kill(1, 9),), "protect", 9, 0),
        ((Kill(1, 9), Protect(0, 5)), "protect", 9, 5),
        ((Kill(1, 9), Protect(0, 11)), "kill", 11, 0),  # each layer counts alone
    ],
)
def test_what_a_swim_asks(events: tuple[Event, ...], what: Ask, to_beat: int, already: int) -> None:
    duel = replay(start(GAME, ("Ana", "Bo")), (Swim(0, 8), *events)).state.duel
    assert duel is not None
    assert asked(duel, what, (4, 6)) == Cheapest("what-the-fish", what, to_beat, already, (4, 6))


def test_the_keys_come_in_the_order_of_the_records() -> None:
    assert list(ask([4], 3))[:2] == ["enough", "cheapest"]


def test_the_answer_says_why() -> None:
    assert ask([4, 6, 13], 11, 9)["why"] == "4 kills it: 3 or more is needed."
    assert ask([4, 6], 8, what="protect")["why"] == "4 + 6 = 10 saves it: 9 or more is needed."
    assert ask([4, 2], 8)["why"] == "It takes 9 or more. You have 6 so far."


@pytest.mark.parametrize(("to_beat", "already"), [(11, 12), (0, 1), (8, 10**9)])
def test_nothing_is_needed_above_what_must_be_beaten(to_beat: int, already: int) -> None:
    with pytest.raises(RuleError) as refusal:
        ask([4], to_beat, already)
    assert refusal.value.field == "already"


@pytest.mark.parametrize(
    "wrong",
    [
        {"hand": [0]},
        {"hand": [-3]},
        {"hand": [4.5]},
        {"hand": ["4"]},
        {"hand": [True]},
        {"hand": 4},
        {"hand": None},
        {"hand": [1] * 94},
        {"hand": [10**30]},
        {"to_beat": -1},
        {"to_beat": "11"},
        {"already": -1},
        {"already": None},
        {"ask": "save"},
        {"game": "beloz"},
        {"player": 0},
    ],
)
def test_what_is_no_question(wrong: dict[str, Any]) -> None:
    record = {"game": "what-the-fish", "ask": "kill", "to_beat": 11, "already": 9, "hand": [4], **wrong}
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(record, Cheapest)


@pytest.mark.parametrize(
    ("hand", "to_beat", "laid"),
    [
        ([2] * 8 + [3] * 12, 39, [2] * 2 + [3] * 12),  # 40: thirteen threes would be 39, and twelve are 36
        ([3] * 12 + [2] * 8, 31, [3] * 10 + [2]),  # 32: ten threes and a two
        ([1, 7, *range(20, 35), 8, 14], 14, [1, 14]),  # 7 + 8 is 15 too, but the 1 comes first in the hand
        ([60 * n for n in range(1, 20)] + [1], 60 * 18 + 59, [60 * 19]),  # the card itself, not 60 x 19 with several
        ([10**6] * 19 + [1], 10**6 * 19, [10**6] * 19 + [1]),
        ([10**6] * 19 + [1], 10**6 * 19 - 1, [10**6] * 19),
        ([500] * 15 + [7000], 6400, [500] * 13),  # 99 over with 13 cards; the single card would be 599 over
        ([500] * 15 + [6500], 6400, [6500]),  # 99 over with one
        ([500] * 5 + [9] * 14 + [7000], 6400, [7000]),  # the others are not enough
        ([6, 9, 5, 9, 8, 9], 9, [6, 5]),  # 11: any two are enough, and all others are 13 or more
        ([2**n for n in range(20)], 0b10101010101010101001, [2**n for n in range(1, 20, 2)]),  # the only way
    ],
)
def test_a_hand_of_many_cards(hand: list[int], to_beat: int, laid: list[int]) -> None:
    assert ask(hand, to_beat)["cheapest"] == laid


def test_all_cards_of_the_deck_may_be_in_the_hand() -> None:
    assert ask([*[2] * 92, 5], 184)["cheapest"] == [*[2] * 90, 5]  # 184 with 2s alone is short; 185 needs the 5 and 90 of them
    assert ask([1] * 21, 20)["cheapest"] == [1] * 21
    assert ask([200, 1, *[100] * 91], 9299)["cheapest"] == [200, *[100] * 91]  # 9300 is all but the 1


@pytest.mark.parametrize("missing", ["ask", "to_beat", "already", "hand"])
def test_every_key_is_needed(missing: str) -> None:
    record = {"game": "what-the-fish", "ask": "kill", "to_beat": 11, "already": 9, "hand": [4]}
    del record[missing]
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(record, Cheapest)


@given(hand=st.lists(st.integers(1, 12), min_size=1, max_size=8), most=st.booleans(), data=st.data())
def test_nor_where_cards_are_alike_or_huge(hand: list[int], most: bool, data: st.DataObject) -> None:
    hand = [10**9 - card for card in hand] if most else hand
    every_set = [cards for size in range(1, len(hand) + 1) for cards in combinations(hand, size)]
    near = sum(data.draw(st.sampled_from(every_set))) - data.draw(st.integers(1, 3))
    to_beat = max(0, near)
    winning = [cards for cards in every_set if sum(cards) > to_beat]
    assert ask(hand, to_beat)["cheapest"] == list(min(winning, key=lambda cards: (sum(cards), len(cards))))


hands = st.lists(st.integers(1, 15), max_size=9) | st.lists(st.integers(1, 1000), max_size=9)  # few values: many ties


@given(hand=hands, to_beat=st.integers(0, 60), data=st.data())
def test_no_set_of_the_hand_is_cheaper(hand: list[int], to_beat: int, data: st.DataObject) -> None:
    already = data.draw(st.integers(0, to_beat))
    answer = ask(hand, to_beat, already)
    every_set = [cards for size in range(1, len(hand) + 1) for cards in combinations(hand, size)]
    winning = [cards for cards in every_set if already + sum(cards) > to_beat]
    assert answer["enough"] == bool(winning)
    if not winning:
        assert answer["cheapest"] == []
        return
    least = min((sum(cards), len(cards)) for cards in winning)
    assert (sum(answer["cheapest"]), len(answer["cheapest"])) == least
    # combinations() lists sets of one size by their places in the hand, and keeps the hand's order within each
    assert answer["cheapest"] == list(next(cards for cards in winning if (sum(cards), len(cards)) == least))
