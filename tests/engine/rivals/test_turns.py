"""How does a round go move by move? Whose turn it is, the actions left, and when its end may be called."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.engine.core import RuleError
from companion.engine.rivals.turns import MOVES, Move, Turns, begin, follow, move

PLAYERS = ("Ana", "Bo")
ANA, BO = 0, 1
SIX: tuple[Move, ...] = ("lay-1", "lay-1", "lay-2", "lay-2", "lay-3", "lay-3")  # Ana 1 2 3, Bo 1 2 3


def after(*moves: Move, first: int = ANA, used: tuple[int, int] = (0, 0)) -> Turns:
    return follow(begin(PLAYERS, first, used), moves)


def refusal(turns: Turns, one: Move) -> tuple[str, str, str]:
    with pytest.raises(RuleError) as refused:
        move(turns, one)
    return refused.value.message, refused.value.rule, refused.value.field


@pytest.mark.parametrize(
    ("moves", "player", "actions"),
    [
        ((), ANA, 1),
        (("lay-1",), BO, 2),
        (("lay-1", "lay-1"), BO, 1),
        (("lay-1", "lay-1", "lay-2"), ANA, 2),
        (("lay-1", "turtle-1"), BO, 1),
        (("lay-1", "lay-1", "turtle-1", "lay-1"), ANA, 1),
        (("no-cards",), BO, 2),
        (("lay-1", "lay-1", "no-cards"), ANA, 2),
        (("lay-1", "no-cards", "lay-1", "no-cards"), BO, 2),
    ],
)
def test_the_first_turn_has_one_action_and_every_other_two(moves: tuple[Move, ...], player: int, actions: int) -> None:
    turns = after(*moves)
    assert (turns.player, turns.actions, turns.over) == (player, actions, False)


def test_who_ended_the_last_round_starts_with_one_action() -> None:
    turns = after(first=BO)
    assert (turns.player, turns.actions) == (BO, 1)
    assert (after("lay-3", first=BO).player, after("lay-3", first=BO).actions) == (ANA, 2)


def test_whales_lie_where_they_were_laid() -> None:
    turns = after("lay-2", "lay-1", "lay-3", "lay-2", "lay-3", "lay-3")
    assert turns.laid == ((0, 2, 1), (1, 0, 2))


def test_a_turtle_takes_a_whale_of_the_other_player() -> None:
    turns = after("lay-2", "turtle-2")
    assert turns.laid == ((0, 0, 0), (0, 0, 0))
    assert (turns.lost, turns.turtles) == ((1, 0), (0, 1))
    turns = after("lay-1", "lay-3", "lay-3", "turtle-3")
    assert turns.laid == ((1, 0, 0), (0, 0, 1))
    assert (turns.lost, turns.turtles) == ((0, 1), (1, 0))


def test_the_end_may_be_called_with_six_whales_on_three_packs() -> None:
    # Ana's action is the last of 1 + 2 + 2 + 1 that lay them
    turns = after("lay-1", "lay-1", "lay-2", "lay-2", "lay-3", "lay-3")
    assert turns.laid == ((1, 1, 1), (1, 1, 1))
    assert turns.why_not_call is None
    ended = move(turns, "call")
    assert (ended.called_by, ended.over) == (BO, True)


@pytest.mark.parametrize(
    ("moves", "reason"),
    [
        ((), "To end the round, both need a whale on every pack. Ana has none on pack 1."),
        (("lay-1", "lay-1"), "To end the round, both need a whale on every pack. Ana has none on pack 2."),
        (SIX[:5], "To end the round, both need a whale on every pack. Bo has none on pack 3."),
        ((*SIX, "turtle-3"), "To end the round, both need a whale on every pack. Ana has none on pack 3."),
    ],
)
def test_before_that_it_is_said_who_lacks_one_where(moves: tuple[Move, ...], reason: str) -> None:
    turns = after(*moves)
    assert turns.why_not_call == reason
    assert refusal(turns, "call") == (reason, "V3", "")


def test_the_round_ends_by_itself_when_neither_has_a_card() -> None:
    turns = after("lay-1", "no-cards", "no-cards")
    assert turns.over
    assert turns.called_by is None
    assert not after("lay-1", "no-cards", "lay-1", "lay-1", "no-cards").over
    assert after("lay-1", "no-cards", "lay-1", "no-cards", "no-cards").over


@pytest.mark.parametrize("one", MOVES)
@pytest.mark.parametrize("ended", [(*SIX, "call"), ("no-cards", "no-cards")])
def test_after_the_end_nothing_moves(ended: tuple[Move, ...], one: Move) -> None:
    message, rule, field = refusal(after(*ended), one)
    assert message == "This round is over. Take a move back, or enter the whales that lie there."
    assert (rule, field) == ("End of the round", "")


def test_a_fourth_whale_on_a_pack_is_refused() -> None:
    turns = after("lay-1", "lay-2", "lay-2", "lay-1", "lay-1", "lay-2", "lay-3")
    assert refusal(turns, "lay-1") == (
        "Ana has 3 whales on pack 1 already, the most there.",
        "Play a card",
        "packs.0.0",
    )
    turns = after("lay-1", "lay-2", "lay-2", "lay-1", "lay-1", "lay-2")
    assert refusal(turns, "lay-2") == (
        "Bo has 3 whales on pack 2 already, the most there.",
        "Play a card",
        "packs.1.1",
    )


@pytest.mark.parametrize(("used", "laid"), [(18, 0), (17, 1)])
def test_a_player_has_eighteen_whales_for_the_match(used: int, laid: int) -> None:
    turns = after(*["lay-1", "no-cards"][: 2 * laid], used=(used, 0))
    assert refusal(turns, "lay-2") == ("Ana has laid all 18 whales of the match.", "V1", "")
    turns = after("no-cards", *["lay-1", "no-cards", "no-cards"][: 3 * laid], used=(0, used))
    assert turns.laid[BO] == (laid, 0, 0)


def test_a_whale_that_a_turtle_took_is_gone_for_the_match() -> None:
    turns = after("lay-1", "turtle-1", "lay-1", used=(17, 0))
    assert refusal(turns, "lay-2") == ("Ana has laid all 18 whales of the match.", "V1", "")
    turns = after("lay-1", "lay-1", "lay-2", "turtle-1", "lay-2", used=(0, 16))
    assert refusal(turns, "lay-3") == ("Bo has laid all 18 whales of the match.", "V1", "")


def test_a_turtle_needs_a_whale_of_the_other_player() -> None:
    turns = after("lay-1", "lay-2")
    assert refusal(turns, "turtle-2") == (
        "A turtle needs a whale that lies face down. Ana has none on pack 2.",
        "V8",
        "packs.1.0",
    )
    assert refusal(after("lay-1", "lay-2", "lay-2"), "turtle-3") == (
        "A turtle needs a whale that lies face down. Bo has none on pack 3.",
        "V8",
        "packs.2.1",
    )


def test_a_player_has_three_turtles() -> None:
    turns = after("lay-1", "turtle-1", "lay-1", "lay-1", "lay-1", "turtle-1", "turtle-1", "lay-1", "lay-2")
    assert turns.turtles == (0, 3)
    assert refusal(turns, "turtle-1") == ("Bo has played all 3 turtles.", "V1", "")


@given(st.lists(st.sampled_from(MOVES), max_size=60), st.sampled_from([ANA, BO]))
def test_whatever_is_tapped_actions_and_whales_stay_within_bounds(moves: list[Move], first: int) -> None:
    turns, before = begin(PLAYERS, first, (12, 15)), begin(PLAYERS, first, (12, 15))
    for one in moves:
        before = turns
        try:
            turns = move(turns, one)
        except RuleError:
            continue
        assert turns.actions in {1, 2}
        assert all(0 <= whales <= 3 for packs in turns.laid for whales in packs)
        assert 12 + sum(turns.laid[ANA]) + turns.lost[ANA] <= 18
        assert 15 + sum(turns.laid[BO]) + turns.lost[BO] <= 18
        # a turn passes to the other when its actions are spent, and only then
        spent = one == "no-cards" or (one != "call" and before.actions == 1)
        assert (turns.player != before.player) == spent
