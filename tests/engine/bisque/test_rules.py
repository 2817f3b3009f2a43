"""What may be entered in Bisque, what is refused, and what do look-ups answer, ruling by ruling?"""

from __future__ import annotations

from itertools import permutations
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.engine import core
from companion.engine.bisque import (
    GAME,
    BisqueOptions,
    Hand,
    Pot,
    Reveal,
    Trick,
    check_picked,
    check_turned_up,
    goal_score,
    preview_goal,
    preview_goals,
    suit_parts,
    suit_totals,
)
from companion.engine.records import any_of

EVENT = any_of(GAME.event_types())
SUITS = ["moons", "suns", "waves", "leaves", "wyrms", "knots"]
NAMES = ["Ana", "Bo", "Cy"]

# The 24 cards of two suits, as the table of the rulings has them.
NUMBERS = [
    *["2-moons-knots", "2-suns-wyrms", "2-waves-leaves", "3-moons-waves", "3-suns-knots", "3-leaves-wyrms"],
    *["4-moons-suns", "4-waves-leaves", "4-wyrms-knots", "5-moons-leaves", "5-suns-waves", "5-wyrms-knots"],
    *["6-moons-waves", "6-suns-wyrms", "6-leaves-knots", "7-moons-leaves", "7-suns-knots", "7-waves-wyrms"],
    *["8-moons-suns", "8-waves-leaves", "8-wyrms-knots", "9-moons-suns", "9-waves-wyrms", "9-leaves-knots"],
]
ACES = [f"ace-{suit}" for suit in SUITS]
CROWNS = [f"crown-{suit}" for suit in SUITS]
DECK = [*ACES, *NUMBERS, *CROWNS]

POT = [*ACES, "2-moons-knots", "2-suns-wyrms", "2-waves-leaves", "3-moons-waves", "3-suns-knots"]  # eleven cards
GOALS = ["9-moons-suns", "9-waves-wyrms", "9-leaves-knots"]


def match(*events: core.Event, hands: int = 6) -> core.Position[Any]:
    return core.replay(core.start(GAME, NAMES, BisqueOptions(hands)), events)


def pots(*cards: str) -> list[core.Event]:
    return [Pot(card) for card in cards]


def reveal(*goals: str) -> core.Event:
    return msgspec.convert({"type": "reveal", "goals": list(goals)}, EVENT)


def refused(event: core.Event, *before: core.Event) -> core.RuleError:
    position = match(*before)
    with pytest.raises(core.RuleError) as refusal:
        position.apply(event)
    return refusal.value


def ask(kind: type[core.Question], **asked: Any) -> dict[str, Any]:
    assert GAME.answer is not None
    question = msgspec.convert({"game": "bisque", **asked}, kind)
    return dict(msgspec.json.decode(msgspec.json.encode(GAME.answer(question), enc_hook=str)))


@pytest.mark.parametrize("players", [["Ana", "Bo"], ["Ana", "Bo", "Cy", "Di"]])
def test_three_play(players: list[str]) -> None:
    with pytest.raises(core.RuleError):
        core.start(GAME, players)


# --- What a card adds (Q3) ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "adds"),
    [
        ("ace-wyrms", {"wyrms": 5}),
        ("crown-wyrms", {"wyrms": 10}),
        ("2-moons-knots", {"moons": 2, "knots": 2}),
        ("6-leaves-knots", {"leaves": 6, "knots": 6}),
        ("9-waves-wyrms", {"waves": 9, "wyrms": 9}),
    ],
)
def test_what_a_card_adds(card: str, adds: dict[str, int]) -> None:
    assert match(Pot(card)).standing().details["suits"] == {suit: adds.get(suit, 0) for suit in SUITS}


def test_the_whole_deck_in_one_pot() -> None:
    # 5 + 10 and each number from 2 to 9 once a suit: 15 + 44
    assert suit_totals(tuple(DECK)) == dict.fromkeys(SUITS, 59)


@pytest.mark.parametrize(
    ("pot", "goal", "totals", "points"),
    [
        ((), "4-waves-leaves", (0, 0), 0),
        (("crown-waves",), "4-waves-leaves", (10, 0), 0),
        (("crown-waves", "8-waves-leaves", "ace-leaves"), "4-waves-leaves", (18, 13), 13),
        (("ace-suns", "crown-knots"), "3-suns-knots", (5, 10), 5),
        (("8-moons-suns",), "9-moons-suns", (8, 8), 8),
    ],
)
def test_what_a_goal_scores_now(pot: tuple[str, ...], goal: str, totals: tuple[int, int], points: int) -> None:
    score = goal_score(goal, pot)
    assert (score.totals, score.points) == (totals, points)
    assert score.suits == tuple(goal.split("-")[1:])


def test_which_cards_make_up_a_suit() -> None:
    assert suit_parts(("crown-waves", "8-waves-leaves", "ace-leaves")) == {
        "moons": (),
        "suns": (),
        "waves": (("crown-waves", 10), ("8-waves-leaves", 8)),
        "leaves": (("8-waves-leaves", 8), ("ace-leaves", 5)),
        "wyrms": (),
        "knots": (),
    }
    assert list(suit_parts(())) == SUITS


@pytest.mark.parametrize(
    ("pot", "goal", "why"),
    [
        (("crown-waves", "8-waves-leaves", "ace-leaves"), "4-waves-leaves", "the lower of 18 waves and 13 leaves"),
        (("crown-knots",), "3-suns-knots", "the lower of 0 suns and 10 knots"),
        (("8-moons-suns",), "9-moons-suns", "moons and suns both 8"),
    ],
)
def test_where_the_points_of_a_goal_come_from(pot: tuple[str, ...], goal: str, why: str) -> None:
    assert goal_score(goal, pot).why == why


def test_what_the_goals_that_are_known_would_score() -> None:
    state = match(*pots("crown-waves", "8-waves-leaves", "ace-leaves")).state
    assert preview_goals(state, (None, None, None)) == (None, None, None)
    ana, bo, cy = preview_goals(state, ("4-waves-leaves", None, "9-waves-wyrms"))
    assert (ana, bo) == (goal_score("4-waves-leaves", ("crown-waves", "8-waves-leaves", "ace-leaves")), None)
    assert cy is not None
    assert (cy.goal, cy.suits, cy.totals, cy.points) == ("9-waves-wyrms", ("waves", "wyrms"), (18, 0), 0)
    assert preview_goals(state, ("2-moons-knots",)) == (goal_score("2-moons-knots", ()),)


@pytest.mark.parametrize(
    ("goals", "field", "rule", "message"),
    [
        ((None, "ace-suns", None), "goals.1", "Q2", "The Ace of suns can’t be Bo’s goal: a goal has two suits."),
        (("8-waves-leaves", None, None), "goals.0", "Q2", "The 8 of waves and leaves can’t be Ana’s goal: it is in the pot."),
        (("9-moons-suns", None, "9-moons-suns"), "goals.2", "Q2", "The 9 of moons and suns can’t be Cy’s goal: it is Ana’s."),
        ((None, None, "excuse"), "goals.2", "Setup", "The Excuse is not in play: Bisque takes the basic Decktet."),
    ],
)
def test_goals_that_can_not_be_are_refused_before_they_are_all_known(
    goals: tuple[str | None, ...], field: str, rule: str, message: str
) -> None:
    with pytest.raises(core.RuleError) as refusal:
        preview_goals(match(Pot("8-waves-leaves")).state, goals)
    assert (refusal.value.field, refusal.value.rule, refusal.value.message) == (field, rule, message)


@pytest.mark.parametrize(
    ("goals", "player", "message"),
    [
        (("9-moons-suns", None, "9-moons-suns"), 0, "The 9 of moons and suns can’t be Ana’s goal: it is Cy’s."),
        (("9-moons-suns", None, "9-moons-suns"), 2, "The 9 of moons and suns can’t be Cy’s goal: it is Ana’s."),
        (("9-moons-suns", "2-waves-leaves", None), 1, "The 2 of waves and leaves can’t be Bo’s goal: it is in the pot."),
    ],
)
def test_a_goal_that_is_turned_up_is_compared_with_those_that_lie_open(
    goals: tuple[str | None, ...], player: int, message: str
) -> None:
    with pytest.raises(core.RuleError) as refusal:
        check_turned_up(match(*pots(*POT)).state, goals, player)
    assert (refusal.value.message, refusal.value.rule, refusal.value.field) == (message, "Q2", f"goals.{player}")


def test_a_goal_may_lie_open_alone_and_be_turned_down_again() -> None:
    state = match(*pots(*POT)).state
    for goals, player in [(("9-moons-suns", None, "8-wyrms-knots"), 0), (("9-moons-suns", None, None), 1)]:
        check_turned_up(state, goals, player)


@pytest.mark.parametrize(("played", "left"), [(0, "11 tricks are"), (9, "2 tricks are"), (10, "1 trick is")])
def test_no_goal_is_turned_up_before_the_pot_is_full(played: int, left: str) -> None:
    state = match(*pots(*POT[:played])).state
    with pytest.raises(core.RuleError) as refusal:
        check_turned_up(state, (None, "9-moons-suns", None), 1)
    assert refusal.value.message == f"The goals stay hidden until the pot holds 11 cards: {left} still to play."
    assert (refusal.value.rule, refusal.value.field) == ("Q1", "")
    check_turned_up(state, (None, "9-moons-suns", None), 0)  # nothing is shown by turning one down


def test_what_my_goal_would_score() -> None:
    pot = ("crown-waves", "8-waves-leaves", "ace-leaves")
    assert preview_goal("4-waves-leaves", pot) == goal_score("4-waves-leaves", pot)
    for goal, rule, message in [
        ("8-waves-leaves", "Q2", "The 8 of waves and leaves can’t be your goal: it is in the pot."),
        ("crown-suns", "Q2", "The Crown of suns can’t be your goal: a goal has two suits."),
        ("excuse", "Setup", "The Excuse is not in play: Bisque takes the basic Decktet."),
    ]:
        with pytest.raises(core.RuleError) as refusal:
            preview_goal(goal, pot)
        assert (refusal.value.field, refusal.value.rule, refusal.value.message) == ("goal", rule, message)


def test_a_player_may_be_called_you() -> None:
    full = core.replay(core.start(GAME, ["You", "Bo", "Cy"]), pots(*POT))
    for goals, message in [
        (["crown-suns", *GOALS[1:]], "The Crown of suns can’t be You’s goal: a goal has two suits."),
        (["3-suns-knots", *GOALS[1:]], "The 3 of suns and knots can’t be You’s goal: it is in the pot."),
        (["9-moons-suns", "9-moons-suns", "9-leaves-knots"], "The 9 of moons and suns can’t be Bo’s goal: it is You’s."),
    ]:
        with pytest.raises(core.RuleError) as refusal:
            full.apply(reveal(*goals))
        assert refusal.value.message == message


# --- The pot (Q1) -------------------------------------------------------------------------------------------------------------


def test_every_basic_card_may_be_in_the_pot_and_no_other() -> None:
    assert len(set(DECK)) == 36
    for card in DECK:
        assert match(Pot(card)).standing().details["pot"] == [card]
    for card in ("pawn-moons-suns-leaves", "court-moons-waves-knots", "excuse"):
        assert (refused(Pot(card)).rule, refused(Pot(card)).field) == ("Setup", "card")
    for card in ("", "ace", "ace-moon", "10-moons-suns", "4-knots-wyrms", "Ace-moons", "north-lion", "1-moons-suns"):
        assert refused(Pot(card)).field == "card"


def test_no_card_is_in_the_pot_twice() -> None:
    refusal = refused(Pot("ace-suns"), *pots("ace-moons", "ace-suns", "ace-waves"))
    assert refusal.field == "card"
    assert refusal.message == "The Ace of suns is in the pot already, from trick 2."


def test_the_next_hand_has_all_cards_again() -> None:
    assert match(*pots(*POT), reveal(*GOALS), *pots(*POT)).standing().details["pot"] == POT


def test_eleven_cards_fill_the_pot() -> None:
    assert refused(Pot("crown-moons"), *pots(*POT)).rule == "Q1"
    for number in range(11):
        assert refused(reveal(*GOALS), *pots(*POT[:number])).rule == "Q1"
    assert match(*pots(*POT), reveal(*GOALS)).standing().details["pot"] == []


def test_the_winner_of_a_trick_leads_the_next() -> None:
    assert match().state.leader == 1  # at the left of Ana, who deals
    assert match(Pot("ace-moons", by=2)).state.leader == 2
    assert match(Pot("ace-moons", by=2), Pot("ace-suns")).state.leader is None
    assert match(*pots(*POT), reveal(*GOALS)).state.leader == 2  # at the left of Bo


# --- The goals (Q2) -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("goals", "field"),
    [
        (["crown-suns", "9-waves-wyrms", "9-leaves-knots"], "goals.0"),  # one suit
        (["9-moons-suns", "9-waves-wyrms", "ace-suns"], "goals.2"),
        (["9-moons-suns", "2-moons-knots", "9-leaves-knots"], "goals.1"),  # in the pot
        (["9-moons-suns", "9-moons-suns", "9-leaves-knots"], "goals.1"),  # Ana's
        (["9-moons-suns", "9-waves-wyrms", "9-moons-suns"], "goals.2"),
        (["9-moons-suns", "9-waves-wyrms", "excuse"], "goals.2"),
        (["pawn-moons-suns-leaves", "9-waves-wyrms", "9-leaves-knots"], "goals.0"),
        (["9-moons-suns", "9-suns-moons", "9-leaves-knots"], "goals.1"),
    ],
)
def test_goals_that_can_not_be(goals: list[str], field: str) -> None:
    assert refused(reveal(*goals), *pots(*POT)).field == field


def test_every_card_of_two_suits_can_be_a_goal() -> None:
    pot = [*ACES, *CROWNS][:11]
    for goal in NUMBERS:
        others = [card for card in NUMBERS if card != goal][:2]
        for goals in permutations([goal, *others]):
            assert match(*pots(*pot), reveal(*goals)).standing().rounds is not None


def test_a_card_of_the_last_pot_can_be_a_goal_of_the_next() -> None:
    pot = [*CROWNS, "4-moons-suns", "4-waves-leaves", "4-wyrms-knots", "5-moons-leaves", "5-suns-waves"]
    standing = match(*pots(*POT), reveal(*GOALS), *pots(*pot), reveal("2-moons-knots", *GOALS[1:])).standing()
    assert standing.rounds is not None
    assert len(standing.rounds) == 2


# --- Hands and the end (Q5) ---------------------------------------------------------------------------------------------------

ONE_HAND = [*pots(*POT), reveal(*GOALS)]


def test_six_hands_make_a_match_and_the_deal_goes_round() -> None:
    for played in range(7):
        standing = match(*ONE_HAND * played).standing()
        assert standing.finished is (played == 6)
        assert (standing.details["dealer"], standing.details["opener"]) == [(0, 1), (1, 2), (2, 0)][played % 3]


@pytest.mark.parametrize("hands", [1, 2, 7, 100])
def test_as_many_hands_as_agreed(hands: int) -> None:
    assert not match(*ONE_HAND * (hands - 1), *ONE_HAND[:11], hands=hands).finished
    assert match(*ONE_HAND * hands, hands=hands).finished


@pytest.mark.parametrize("hands", [-1, True, "6", 6.5, None])
def test_numbers_of_hands_that_can_not_be(hands: Any) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"hands": hands}, BisqueOptions)


@pytest.mark.parametrize(
    ("goals", "scores", "winners"),
    [
        # The pot: moons 5+2+3, suns 5+2+3, waves 5+2+3, leaves 5+2, wyrms 5+2, knots 5+2+3
        (["9-moons-suns", "9-waves-wyrms", "9-leaves-knots"], (10, 7, 7), (0,)),
        (["9-waves-wyrms", "9-leaves-knots", "9-moons-suns"], (7, 7, 10), (2,)),
        (["8-moons-suns", "5-suns-waves", "9-moons-suns"], (10, 10, 10), (0, 1, 2)),
        (["8-moons-suns", "5-suns-waves", "9-leaves-knots"], (10, 10, 7), (0, 1)),
    ],
)
def test_the_highest_total_wins_and_equals_win_together(
    goals: list[str], scores: tuple[int, ...], winners: tuple[int, ...]
) -> None:
    standing = match(*pots(*POT), reveal(*goals), hands=1).standing()
    assert (standing.scores, standing.winners) == (scores, winners)


def test_stopped_in_the_middle() -> None:
    standing = match(*ONE_HAND, Pot("ace-moons"), core.Stop()).standing()
    assert (standing.finished, standing.stopped, standing.winners, standing.scores) == (True, True, (), (10, 7, 7))


@pytest.mark.parametrize(
    "record",
    [
        {"type": "pot"},
        {"type": "pot", "card": None},
        {"type": "pot", "card": 4},
        {"type": "pot", "card": "ace-moons", "by": 3},
        {"type": "pot", "card": "ace-moons", "by": -1},
        {"type": "pot", "card": "ace-moons", "by": True},
        {"type": "pot", "card": "ace-moons", "player": 0},
        {"type": "pot", "card": "ace-moons" * 100},
        {"type": "reveal"},
        {"type": "reveal", "goals": GOALS[:2]},
        {"type": "reveal", "goals": [*GOALS, "8-moons-suns"]},
        {"type": "reveal", "goals": [*GOALS[:2], None]},
        {"type": "goals", "goals": GOALS},
    ],
)
def test_what_is_no_event(record: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(record, EVENT)


@pytest.mark.parametrize("by", [None, 0, 1, 2])
def test_who_won_the_trick_may_be_noted(by: int | None) -> None:
    assert msgspec.convert({"type": "pot", "card": "ace-moons", "by": by}, EVENT) == Pot("ace-moons", by)


# --- Who wins a trick (Q4) ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("trick", "winner"),
    [
        (["2-moons-knots", "9-moons-suns", "5-suns-waves"], 1),
        (["crown-knots", "9-moons-suns", "ace-knots"], 0),
        (["ace-moons", "ace-suns", "2-moons-knots"], 2),  # an Ace is the lowest
        (["ace-moons", "ace-suns", "ace-waves"], 0),  # of equal ranks the first played
        (["5-suns-waves", "5-moons-leaves", "5-wyrms-knots"], 0),
        (["4-moons-suns", "7-suns-knots", "7-waves-wyrms"], 1),
        (["7-suns-knots", "4-moons-suns", "7-waves-wyrms"], 0),
        (["7-suns-knots", "7-waves-wyrms", "8-moons-suns"], 2),
        (["crown-knots", "crown-moons", "crown-suns"], 0),
        (["9-moons-suns", "crown-moons", "crown-suns"], 1),
    ],
)
def test_who_wins_a_trick(trick: list[str], winner: int) -> None:
    answer = ask(Trick, trick=trick)
    assert answer["winner"] == winner
    assert answer["may_pick"] == trick[:winner] + trick[winner + 1 :]
    assert list(answer)[:2] == ["winner", "may_pick"]


@pytest.mark.parametrize(
    ("trick", "field"),
    [
        (["ace-moons", "ace-moons", "ace-suns"], "trick.1"),
        (["ace-moons", "ace-suns", "ace-moons"], "trick.2"),
        (["ace-moons", "excuse", "ace-suns"], "trick.1"),
        (["pawn-moons-suns-leaves", "ace-moons", "ace-suns"], "trick.0"),
        (["ace-moons", "ace-suns", "2-knots-moons"], "trick.2"),
    ],
)
def test_tricks_that_can_not_be(trick: list[str], field: str) -> None:
    with pytest.raises(core.RuleError) as refusal:
        ask(Trick, trick=trick)
    assert refusal.value.field == field


@pytest.mark.parametrize("trick", [[], ["ace-moons", "ace-suns"], [*GOALS, "ace-suns"], [*GOALS[:2], 3], None, "ace-moons"])
def test_a_trick_has_three_cards(trick: Any) -> None:
    with pytest.raises(msgspec.ValidationError):
        ask(Trick, trick=trick)


# --- Which cards can be the goal (Q2, Q6) -------------------------------------------------------------------------------------


def test_the_goals_of_a_hand_in_its_order() -> None:
    hand = ["9-moons-suns", *ACES, "2-moons-knots", *CROWNS[:3], "5-suns-waves"]
    assert ask(Hand, hand=hand) == {"goals": ["9-moons-suns", "2-moons-knots", "5-suns-waves"], "redeal": False}


def test_only_six_aces_and_six_crowns_are_dealt_again() -> None:
    assert ask(Hand, hand=[*CROWNS, *ACES]) == {"goals": [], "redeal": True}
    assert ask(Hand, hand=[*CROWNS, *ACES[1:], "4-moons-suns"]) == {"goals": ["4-moons-suns"], "redeal": False}


@pytest.mark.parametrize(
    ("hand", "field"),
    [
        ([*ACES, *ACES], "hand.6"),
        ([*ACES, *CROWNS[:5], "excuse"], "hand.11"),
        ([*ACES, *CROWNS[:5], "court-moons-waves-knots"], "hand.11"),
        (["lion", *ACES, *CROWNS[:5]], "hand.0"),
    ],
)
def test_hands_that_can_not_be(hand: list[str], field: str) -> None:
    with pytest.raises(core.RuleError) as refusal:
        ask(Hand, hand=hand)
    assert refusal.value.field == field


@pytest.mark.parametrize("hand", [[], DECK[:11], DECK[:13], None])
def test_a_hand_has_twelve_cards(hand: Any) -> None:
    with pytest.raises(msgspec.ValidationError):
        ask(Hand, hand=hand)


@pytest.mark.parametrize("cards", [[], ["ace-moons"], DECK[:3]])
def test_a_trick_and_a_hand_may_be_incomplete(cards: list[str]) -> None:
    check_picked(tuple(cards), "trick")
    check_picked(tuple(cards), "hand")


def test_a_whole_hand_can_be_picked() -> None:
    check_picked(tuple(DECK[:12]), "hand")


@pytest.mark.parametrize(
    ("cards", "place", "rule", "field", "message"),
    [
        (["ace-moons", "ace-moons"], "trick", "", "trick.1", "The Ace of moons is here twice. There is only one."),
        (["excuse"], "hand", "Setup", "hand.0", "The Excuse is not in play: Bisque takes the basic Decktet."),
        (DECK[:4], "trick", "Game Play", "trick", "A trick has 3 cards, not 4. Take one of them back."),
        (DECK[:13], "hand", "Deal", "hand", "A hand has 12 cards, not 13. Take one of them back."),
    ],
)
def test_what_can_not_be_picked_together(cards: list[str], place: Any, rule: str, field: str, message: str) -> None:
    with pytest.raises(core.RuleError) as refusal:
        check_picked(tuple(cards), place)
    assert (refusal.value.rule, refusal.value.field, refusal.value.message) == (rule, field, message)


# --- Properties ---------------------------------------------------------------------------------------------------------------

WORTH = {"ace": 5, "crown": 10}


def worth(card: str, suit: str) -> int:
    """Return what the card adds to the suit, by a second reading of the ids."""
    rank, *card_suits = card.split("-")
    return (WORTH[rank] if rank in WORTH else int(rank)) if suit in card_suits else 0


hands_played = st.permutations(DECK).map(lambda deck: (deck[:11], deck[11:]))


@given(st.lists(hands_played, min_size=1, max_size=4))
def test_scores_are_the_lower_suits_of_the_goals(dealt: list[tuple[list[str], list[str]]]) -> None:
    position, totals = core.start(GAME, NAMES, BisqueOptions(len(dealt))), [0, 0, 0]
    for number, (pot, rest) in enumerate(dealt):
        for size, card in enumerate(pot, 1):
            position = position.apply(Pot(card, by=size % 3))
            details = position.standing().details
            assert details["pot"] == pot[:size]
            assert details["suits"] == {suit: sum(worth(one, suit) for one in pot[:size]) for suit in SUITS}
            assert (details["dealer"], details["opener"]) == (number % 3, (number + 1) % 3)
            with pytest.raises(core.RuleError):
                position.apply(Pot(card))
        assert not position.finished
        goals = [card for card in rest if card in NUMBERS][:3]
        position = position.apply(Reveal(tuple(goals)))
        added = [min(sum(worth(card, suit) for card in pot) for suit in goal.split("-")[1:]) for goal in goals]
        totals = [total + points for total, points in zip(totals, added, strict=True)]
        standing = position.standing()
        assert standing.rounds is not None
        assert list(standing.rounds[-1]) == added
        assert list(standing.scores) == totals
    assert position.finished
    assert standing.winners == tuple(cook for cook in range(3) if all(totals[cook] >= other for other in totals))


@given(st.permutations(DECK).map(lambda deck: deck[:3]))
def test_the_winner_beats_both_others(trick: list[str]) -> None:
    answer = ask(Trick, trick=trick)
    order = ["ace", "2", "3", "4", "5", "6", "7", "8", "9", "crown"]
    strength = [(order.index(card.split("-")[0]), -position) for position, card in enumerate(trick)]
    assert all(strength[answer["winner"]] >= other for other in strength)
    assert answer["may_pick"] == [card for card in trick if card != trick[answer["winner"]]]
