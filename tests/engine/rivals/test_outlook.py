"""What does the second player need at the count? Against every hand of whales that there can be."""

from __future__ import annotations

from itertools import combinations_with_replacement

from hypothesis import given
from hypothesis import strategies as st

from companion.engine.rivals import RivalsState, winners
from companion.engine.rivals.outlook import needs, outlook
from companion.engine.rivals.whales import VALUES, Whale


def state(first: int, second: int) -> RivalsState:
    return RivalsState(("Ana", "Bo"), captured=(first, second))


@given(st.lists(st.sampled_from(VALUES), max_size=5).map(tuple), st.integers(0, 4))
def test_as_much_wins_and_less_does_not(counted: tuple[Whale, ...], cards: int) -> None:
    least = needs(counted, cards)
    for whales in combinations_with_replacement(VALUES, cards):
        assert (winners((counted, whales)) == (1,)) == (sum(whales) >= least)


def test_it_is_said_in_a_sentence() -> None:
    assert outlook(state(2, 3), ((10, 6), None)) == "Bo needs 17 to win."
    assert outlook(state(2, 1), ((6, 2), None)) == "Bo needs 8 to win."  # equal, and fewer cards
    assert outlook(state(3, 2), (None, (4, 3))) == "Ana needs 8 to win."


def test_it_may_be_decided_before_the_whales_are_turned_over() -> None:
    assert outlook(state(2, 1), ((10, 6), None)) == "Bo can’t win any more."
    assert outlook(state(1, 1), ((10,), None)) == "Bo can only share the win, with 10."
    assert outlook(state(1, 3), ((2,), None)) == "Bo wins, whatever these whales are worth."
    assert outlook(state(0, 2), ((), None)) == "Bo wins, whatever these whales are worth."
    assert outlook(state(2, 0), ((1, 1), None)) == "Bo can’t win any more."


def test_nothing_is_said_while_all_or_none_are_counted() -> None:
    assert outlook(state(1, 1), (None, None)) is None
    assert outlook(state(1, 1), ((1,), (2,))) is None
