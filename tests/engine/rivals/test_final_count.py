"""How are the final count, and what a pack came to, told to players?"""

from __future__ import annotations

import pytest

from companion.engine.core import RuleError
from companion.engine.rivals import PackResult, check_captured, outcome, taken, tied, totals, verdict, winners
from companion.engine.rivals.whales import pack_sizes

PLAYERS = ("Ana", "Bo")


@pytest.mark.parametrize(
    ("grey", "won", "sentence", "rule"),
    [
        (((10, 6, 5), (6, 6, 3)), (0,), "Ana wins, 21 to 15.", "Winning"),
        (((1, 2), (3, 1)), (1,), "Bo wins, 4 to 3.", "Winning"),
        (((10,), (6, 4)), (0,), "Equal, 10 each: Ana wins with fewer cards, 1 against 2.", "V6"),
        (((1, 2, 3), (5, 1)), (1,), "Equal, 6 each: Bo wins with fewer cards, 2 against 3.", "V6"),
        (((4, 1), (2, 3)), (0, 1), "Equal, also in cards: 5 with 2 cards each. They share the win.", "V6"),
        (((5,), (5,)), (0, 1), "Equal, also in cards: 5 with 1 card each. They share the win.", "V6"),
        (((), ()), (0, 1), "Equal, also in cards: 0 with 0 cards each. They share the win.", "V6"),
        (((), (1,)), (1,), "Bo wins, 1 to 0.", "Winning"),
    ],
)
def test_value_decides_then_fewer_cards(grey, won, sentence, rule) -> None:
    assert winners(grey) == won
    assert verdict(PLAYERS, grey) == (sentence, rule)


def test_totals_are_sums() -> None:
    assert totals(((10, 6, 5), (1, 2))) == (21, 3)
    assert totals(((), ())) == (0, 0)


@pytest.mark.parametrize(
    ("grey", "won_by", "stays", "words", "rule"),
    [
        (1, 0, True, "Ana takes 1 card", "End of the round"),
        (4, 1, False, "Bo takes 4 cards", "End of the round"),
        (1, None, True, "a tie, 1 card stays", "V2"),
        (4, None, True, "a tie, 4 cards stay", "V2"),
        (1, None, False, "a tie, nobody takes 1 card", "V4"),
        (9, None, False, "a tie, nobody takes 9 cards", "V4"),
    ],
)
def test_what_becomes_of_a_pack(grey, won_by, stays, words, rule) -> None:
    assert outcome(PLAYERS, PackResult(grey, ((), ()), won_by, stays)) == (words, rule)


def test_a_round_takes_the_packs_that_somebody_won() -> None:
    nothing = ((), ())
    assert taken((PackResult(1, nothing, 0), PackResult(4, nothing, None), PackResult(3, nothing, 1))) == (1, 3)
    assert taken((PackResult(2, nothing, 0), PackResult(4, nothing, 0), PackResult(9, nothing, None))) == (6, 0)


def test_the_whales_of_packs_that_nobody_won() -> None:
    nothing = ((), ())
    assert tied((PackResult(1, nothing, 0), PackResult(4, nothing, None), PackResult(3, nothing, None))) == 7
    assert tied((PackResult(2, nothing, 0), PackResult(4, nothing, 1))) == 0


def test_both_capture_no_more_than_the_18_grey_whales() -> None:
    check_captured(PLAYERS, ((1,) * 12, (10,) * 6))
    with pytest.raises(RuleError) as refusal:
        check_captured(PLAYERS, ((1,) * 12, (10,) * 7))
    assert refusal.value.message == "Ana and Bo would have captured 19 whales together. There are only 18 grey ones."
    assert (refusal.value.rule, refusal.value.field) == ("Setup", "grey")


def test_a_pack_holds_as_many_as_its_number_times_the_rounds_that_it_stayed() -> None:
    assert [pack_sizes(number) for number in (1, 2, 3)] == [(1, 2, 3), (2, 4, 6), (3, 6, 9)]
