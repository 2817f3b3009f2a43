"""Which rule and which part of an entry does each refusal of Rivals name, and what does the explanation cite?"""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from companion.engine import core
from companion.engine.rivals import GAME, Count, Round
from companion.engine.rivals.plays import LegalPlays, answer, check_hand
from companion.engine.rivals.whales import VALUES, whale

NOBODY = ([], [])
EMPTY = [NOBODY, NOBODY, NOBODY]


def round_(packs: Any = EMPTY, ended_by: int | None = None) -> core.Event:
    return msgspec.convert({"type": "round", "packs": packs, "ended_by": ended_by}, Round)


def count(*grey: list[int]) -> core.Event:
    return msgspec.convert({"type": "count", "grey": grey}, Count)


def match(*events: core.Event) -> core.Position[Any]:
    return core.replay(core.start(GAME, ["Ana", "Bo"]), events)


BOTH = [([1], [2]), ([3], [4]), ([5], [6])]


@pytest.mark.parametrize(
    ("event", "before", "rule", "field", "message"),
    [
        (
            round_(),
            [round_()] * 3,
            "Winning",
            "",
            "All three rounds are played. Count the captured grey whales now.",
        ),
        (
            round_([NOBODY, ([], [1, 1, 1, 1]), NOBODY]),
            [],
            "Play a card",
            "packs.1.1",
            "Bo has 4 whales on pack 2. A player plays at most 3 there.",
        ),
        (
            round_([*BOTH[:2], ([], [1])], ended_by=1),
            [],
            "V3",
            "packs.2.0",
            "Ana has no whale on pack 3, so Bo can’t have called the end: both need one on every pack.",
        ),
        (
            round_([([1, 1, 1], []), ([1], []), NOBODY]),
            [round_([([1, 1, 1], []), ([1, 1, 1], []), ([1, 1], [])]), round_([([1, 1, 1], []), ([1, 1, 1], []), ([1], [])])],
            "V1",
            "packs",
            "Ana would have played 19 whales by now. A player has 18 for the match, so 3 were left for this round.",
        ),
        (
            count([], []),
            [round_()] * 2,
            "V5",
            "",
            "Captured whales stay secret until three rounds are played. So far it is 2.",
        ),
        (
            count([1], []),
            [round_(), round_(), round_([([1], []), NOBODY, NOBODY])],
            "Winning",
            "grey.0",
            "Ana captured 3 cards, not 1.",
        ),
        (
            count([], [1, 1]),
            [round_([([1], [2]), NOBODY, NOBODY]), round_(), round_()],
            "Winning",
            "grey.1",
            "Bo captured 1 card, not 2.",
        ),
    ],
)
def test_a_refusal_names_its_rule_and_the_wrong_part(
    event: core.Event, before: list[core.Event], rule: str, field: str, message: str
) -> None:
    with pytest.raises(core.RuleError) as refusal:
        match(*before).apply(event)
    assert (refusal.value.rule, refusal.value.field, refusal.value.message) == (rule, field, message)


def test_eighteen_whales_may_be_played() -> None:
    nine = [([1, 1, 1], []), ([1, 1, 1], []), ([1, 1, 1], [])]
    assert match(round_(nine), round_(nine)).state.used == (18, 0)


def test_every_line_of_a_match_and_the_rule_that_it_cites() -> None:
    events = [
        round_([([1], [2]), ([3], [3]), NOBODY], ended_by=None),  # Bo takes 1; 2 and 3 stay
        round_([([4], []), ([1], []), ([10], [6])]),  # Ana takes 1, then 4, then 6
        round_([NOBODY, ([2], [1]), ([2, 1], [3])]),  # pack 1 tied at the end; Ana takes 2; pack 3 tied at the end
        count([1] * 13, [6]),
    ]
    lines = match(*events).standing().lines
    assert [(line.what, line.amounts, line.rule) for line in lines] == [
        ("Round 1, pack 1: 1 against 2, Bo takes 1 card", (None, None), "End of the round"),
        ("Round 1, pack 2: 3 against 3, a tie, 2 cards stay", (None, None), "V2"),
        ("Round 1, pack 3: 0 against 0, a tie, 3 cards stay", (None, None), "V2"),
        ("Round 2, pack 1: 4 against 0, Ana takes 1 card", (None, None), "End of the round"),
        ("Round 2, pack 2: 1 against 0, Ana takes 4 cards", (None, None), "End of the round"),
        ("Round 2, pack 3: 10 against 6, Ana takes 6 cards", (None, None), "End of the round"),
        ("Round 3, pack 1: 0 against 0, a tie, nobody takes 1 card", (None, None), "V4"),
        ("Round 3, pack 2: 2 against 1, Ana takes 2 cards", (None, None), "End of the round"),
        ("Round 3, pack 3: 3 against 3, a tie, nobody takes 3 cards", (None, None), "V4"),
        ("Ana captured 13 cards: 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1", (13, None), "Winning"),
        ("Bo captured 1 card: 6", (None, 6), "Winning"),
    ]


def test_one_card_that_stays_is_told_as_one() -> None:
    assert match(round_()).standing().lines[0].what == "Round 1, pack 1: 0 against 0, a tie, 1 card stays"


@pytest.mark.parametrize(
    ("ana", "bo", "lines", "winners"),
    [
        ([3], [1, 1], [], (0,)),
        ([1], [1, 1], [], (1,)),
        ([2], [1, 1], [core.Line("Equal, 2 each: Ana wins with fewer cards, 1 against 2.", (None, None), "V6")], (0,)),
    ],
)
def test_the_higher_value_wins_then_fewer_cards(
    ana: list[int], bo: list[int], lines: list[core.Line], winners: tuple[int, ...]
) -> None:
    """Ana takes the one card of pack 1, Bo the two of pack 2; all else is tied."""
    standing = match(round_([([1], []), ([], [1]), NOBODY]), round_(), round_(), count(ana, bo)).standing()
    assert list(standing.lines[11:]) == lines
    assert standing.winners == winners


def test_equal_in_value_and_cards_is_shared() -> None:
    standing = match(round_(), round_(), round_(), count([], [])).standing()
    assert standing.lines[-1] == core.Line("Equal, also in cards: 0 with 0 cards each. They share the win.", (None, None), "V6")
    assert (standing.winners, standing.lines[-2].what) == ((0, 1), "Bo captured no cards")


def ask(hand: list[Any], packs: list[tuple[int, int, int, int]], actions: int = 2) -> Any:
    views = [{"top": top, "mine": mine, "theirs": theirs, "theirs_hidden": hidden} for top, mine, theirs, hidden in packs]
    return answer(msgspec.convert({"game": "rivals", "hand": hand, "actions": actions, "packs": views}, LegalPlays))


@pytest.mark.parametrize(
    ("hand", "packs", "rule", "field", "message"),
    [
        (["turtle"] * 4, [(1, 0, 0, 0)] * 3, "V1", "hand", "A player has 3 turtles, not 4."),
        (
            [1],
            [(1, 0, 0, 0), (1, 0, 1, 2), (1, 0, 0, 0)],
            "V8",
            "packs.1.theirs_hidden",
            "Your opponent has 1 on pack 2, so 2 can’t be hidden there.",
        ),
    ],
)
def test_a_refused_look_up_names_its_rule(hand: list[Any], packs: Any, rule: str, field: str, message: str) -> None:
    with pytest.raises(core.RuleError) as refusal:
        ask(hand, packs)
    assert (refusal.value.rule, refusal.value.field, refusal.value.message) == (rule, field, message)


@pytest.mark.parametrize(
    ("hand", "rule", "message"),
    [
        (["1"] * 6, "Players turn", "A hand has at most 5 cards, not 6. Take one of them back."),
        (["turtle"] * 4, "V1", "A player has 3 turtles, not 4."),
    ],
)
def test_what_no_player_can_hold(hand: list[str], rule: str, message: str) -> None:
    with pytest.raises(core.RuleError) as refusal:
        check_hand(hand)
    assert (refusal.value.rule, refusal.value.field, refusal.value.message) == (rule, "hand", message)
    check_hand(hand[:-1])


def test_three_turtles_and_all_hidden_are_fine() -> None:
    assert len(ask(["turtle"] * 3, [(1, 0, 1, 1)] * 3).plays) == 3


@pytest.mark.parametrize(
    ("packs", "actions", "why"),
    [
        ([(1, 1, 1, 0)] * 3, 0, "Ending the round costs an action, and none is left in this turn."),
        ([(1, 1, 1, 0)] * 3, 1, ""),
        (
            [(1, 1, 1, 0), (1, 0, 1, 0), (1, 1, 1, 0)],
            1,
            "To end the round, both need a whale on every pack. You have none on pack 2.",
        ),
        (
            [(1, 1, 1, 0), (1, 1, 1, 0), (1, 1, 0, 0)],
            1,
            "To end the round, both need a whale on every pack. Your opponent has none on pack 3.",
        ),
    ],
)
def test_why_the_round_can_not_be_ended(packs: Any, actions: int, why: str) -> None:
    found = ask([1], packs, actions)
    assert (found.why, found.may_end_round) == (why, not why)


def test_who_called_the_end_is_kept() -> None:
    state = match(round_(BOTH, ended_by=1), round_()).state
    assert [one.ended_by for one in state.rounds] == [1, None]
    assert match().standing().sides == ("Ana", "Bo")


def test_whales_are_worth_1_to_6_or_10() -> None:
    assert VALUES == (1, 2, 3, 4, 5, 6, 10)


@pytest.mark.parametrize("value", [1, 2, 3, 4, 5, 6, 10])
def test_a_whale_by_its_value(value: int) -> None:
    assert whale(str(value)) == value


@pytest.mark.parametrize("text", ["7", "0", "", "-1", "4.5", "turtle", "٣", " 1", "01"])
def test_no_whale_has_another_value(text: str) -> None:
    with pytest.raises(core.RuleError) as refusal:
        whale(text)
    assert refusal.value.message == f"“{text}” is not a whale. Their values are 1, 2, 3, 4, 5, 6 and 10."
    assert refusal.value.rule == "V1"


def test_of_a_long_word_that_is_no_whale_only_the_beginning_is_said() -> None:
    with pytest.raises(core.RuleError, match=r"^“123456789012” is not a whale"):
        whale("1234567890123")
