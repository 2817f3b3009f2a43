"""Which rule and which part of an entry does each refusal of Bisque name, and what does the explanation cite?"""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from companion.engine import core
from companion.engine.bisque import GAME, BisqueOptions, Hand, Pot, Reveal, Trick

ACES = ["ace-moons", "ace-suns", "ace-waves", "ace-leaves", "ace-wyrms", "ace-knots"]
POT = [*ACES, "2-moons-knots", "2-suns-wyrms", "2-waves-leaves", "3-moons-waves", "3-suns-knots"]  # eleven cards
GOALS = ("9-moons-suns", "9-waves-wyrms", "9-leaves-knots")


def match(*events: core.Event, hands: int = 6) -> core.Position[Any]:
    return core.replay(core.start(GAME, ["Ana", "Bo", "Cy"], BisqueOptions(hands)), events)


def refused(event: core.Event, cards: list[str]) -> core.RuleError:
    with pytest.raises(core.RuleError) as refusal:
        match(*[Pot(card) for card in cards]).apply(event)
    return refusal.value


@pytest.mark.parametrize(
    ("event", "cards", "rule", "field", "message"),
    [
        (
            Pot("excuse"),
            [],
            "Setup",
            "card",
            "The Excuse is not in play: Bisque takes the basic Decktet.",
        ),
        (
            Pot("lion"),
            [],
            "",
            "card",
            "“lion” is not a card of the basic Decktet. Cards are like ace-moons, 4-wyrms-knots or crown-knots.",
        ),
        (
            Pot("ace-suns"),
            ["ace-moons", "ace-suns", "ace-waves"],
            "Game Play",
            "card",
            "The Ace of suns is in the pot already, from trick 2.",
        ),
        (Pot("crown-suns"), POT, "Q1", "", "The pot is full with 11 cards. Reveal the goals now."),
        (
            Reveal(GOALS),
            POT[:10],
            "Q1",
            "",
            "The goals stay hidden until the pot holds 11 cards: 1 trick is still to play.",
        ),
        (
            Reveal(GOALS),
            POT[:9],
            "Q1",
            "",
            "The goals stay hidden until the pot holds 11 cards: 2 tricks are still to play.",
        ),
        (
            Reveal(("9-moons-suns", "crown-suns", "9-leaves-knots")),
            POT,
            "Q2",
            "goals.1",
            "The Crown of suns can’t be Bo’s goal: a goal has two suits.",
        ),
        (
            Reveal(("9-moons-suns", "9-waves-wyrms", "2-moons-knots")),
            POT,
            "Q2",
            "goals.2",
            "The 2 of moons and knots can’t be Cy’s goal: it is in the pot.",
        ),
        (
            Reveal(("9-moons-suns", "9-waves-wyrms", "9-waves-wyrms")),
            POT,
            "Q2",
            "goals.2",
            "The 9 of waves and wyrms can’t be Cy’s goal: it is Bo’s.",
        ),
        (
            Reveal(("pawn-moons-suns-leaves", "9-waves-wyrms", "9-leaves-knots")),
            POT,
            "Setup",
            "goals.0",
            "The Harvest is not in play: Bisque takes the basic Decktet.",
        ),
    ],
)
def test_a_refusal_names_its_rule_and_the_wrong_part(
    event: core.Event, cards: list[str], rule: str, field: str, message: str
) -> None:
    refusal = refused(event, cards)
    assert (refusal.rule, refusal.field, refusal.message) == (rule, field, message)


def test_the_lines_of_a_hand_say_whose_goal_it_is_and_cite_the_scoring() -> None:
    # moons: 5 + 2 + 3 = 10, suns: 5 + 2 + 3 = 10; waves 5 + 2 + 3 = 10, wyrms 5 + 2 = 7; leaves 5 + 2 = 7, knots 5 + 2 + 3 = 10
    lines = match(*[Pot(card) for card in POT], Reveal(GOALS)).standing().lines
    assert lines == (
        core.Line("Hand 1, Ana: the 9 of moons and suns, the lower of 10 moons, 10 suns", (10, None, None), "Scoring"),
        core.Line("Hand 1, Bo: the 9 of waves and wyrms, the lower of 10 waves, 7 wyrms", (None, 7, None), "Scoring"),
        core.Line("Hand 1, Cy: the 9 of leaves and knots, the lower of 7 leaves, 10 knots", (None, None, 7), "Scoring"),
    )


def ask(kind: type[core.Question], **asked: Any) -> Any:
    assert GAME.answer is not None
    return GAME.answer(msgspec.convert({"game": "bisque", **asked}, kind))


@pytest.mark.parametrize(
    ("kind", "asked", "field", "message"),
    [
        (
            Trick,
            {"trick": ["ace-suns", "ace-moons", "ace-suns"]},
            "trick.2",
            "The Ace of suns is here twice. There is only one.",
        ),
        (
            Hand,
            {"hand": [*ACES, *POT[6:11], "2-moons-knots"]},
            "hand.11",
            "The 2 of moons and knots is here twice. There is only one.",
        ),
        (Trick, {"trick": ["ace-suns", "excuse", "ace-moons"]}, "trick.1", None),
        (Hand, {"hand": [*ACES, *POT[6:11], "lion"]}, "hand.11", None),
    ],
)
def test_a_refused_look_up_names_the_card(
    kind: type[core.Question], asked: dict[str, Any], field: str, message: str | None
) -> None:
    with pytest.raises(core.RuleError) as refusal:
        ask(kind, **asked)
    assert refusal.value.field == field
    assert message in (None, refusal.value.message)


@pytest.mark.parametrize(
    ("trick", "why"),
    [
        (["ace-suns", "9-moons-suns", "crown-moons"], "The Crown of moons wins: the highest rank."),
        (["9-moons-suns", "9-waves-wyrms", "ace-suns"], "The 9 of moons and suns wins: the first of the highest rank."),
        (["ace-suns", "ace-moons", "9-waves-wyrms"], "The 9 of waves and wyrms wins: the highest rank."),
    ],
)
def test_why_a_card_wins_a_trick(trick: list[str], why: str) -> None:
    assert ask(Trick, trick=trick).why == why


@pytest.mark.parametrize(("hands", "fits"), [(0, False), (1, True), (10_000, True), (10_001, False)])
def test_a_match_has_as_many_hands_as_a_record_can_hold_and_more(hands: int, fits: bool) -> None:
    if fits:
        assert msgspec.convert({"hands": hands}, BisqueOptions).hands == hands
    else:
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({"hands": hands}, BisqueOptions)


@pytest.mark.parametrize("by", [-1, 3])
def test_there_are_three_players_to_win_a_trick(by: int) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"type": "pot", "card": "ace-suns", "by": by}, Pot)


@pytest.mark.parametrize("held", [11, 13])
def test_a_hand_has_twelve_cards(held: int) -> None:
    cards = [*POT, "4-moons-suns", "4-waves-leaves"]
    with pytest.raises(msgspec.ValidationError):
        ask(Hand, hand=cards[:held])
    assert ask(Hand, hand=cards[:12]).redeal is False


def test_a_match_has_six_hands_unless_agreed_otherwise() -> None:
    assert BisqueOptions().hands == 6
    assert match().standing().sides == ("Ana", "Bo", "Cy")


def test_a_hand_that_is_over_keeps_its_pot_and_who_won_each_trick() -> None:
    tricks = [Pot(card, number % 3) for number, card in enumerate(POT)]
    assert next(iter(match(*tricks, Reveal(GOALS)).state.played)).pot == tuple(tricks)


@pytest.mark.parametrize(("letters", "read"), [(40, True), (41, False)])
def test_a_card_name_has_at_most_forty_letters(letters: int, read: bool) -> None:
    event = {"type": "pot", "card": "x" * letters}
    if read:
        assert msgspec.convert(event, Pot).card == "x" * 40
    else:
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(event, Pot)
