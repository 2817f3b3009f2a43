"""Which rule and which part of an entry does each refusal of Beluga Cup name, and what does the explanation cite?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from companion.engine import fair_draw
from companion.engine.beluga_cup import GAME, BelugaCupOptions, Discard, Eat, ExcuseSwap, ExcuseTake, Fill, LegalPlays, Play
from companion.engine.beluga_cup.draws import verify
from companion.engine.beluga_cup.pile import CountedPile, Pile
from companion.engine.beluga_cup.plays import answer, notes
from companion.engine.beluga_cup.scoring import explanation
from companion.engine.core import Event, RuleError, start

ANA, BO = 0, 1
MOONS = ("moons", "moons", "moons")


@pytest.mark.parametrize(
    ("event", "rule", "field"),
    [
        (Fill(3, ("moons", "moons", "moons"), "hand"), "U5", "zone"),  # it has its fish
        (Play(ANA, 1, ANA, ("ace-suns",)), "U4", "player"),  # Bo's turn
        (Discard(ANA, 0), "U4", "player"),
        (Play(BO, 1, BO, ()), "Game play", "cards"),
        (Play(BO, 1, BO, ("ace-suns", "ace-suns")), "", "cards.1"),
        (Play(BO, 1, BO, ("ace-moons",)), "U2", "cards"),
        (Play(BO, 3, BO, ("ace-moons", "ace-knots")), "U3", "cards"),
        (Play(BO, 1, BO, ("ace-suns", "ace-sun")), "", "cards.1"),
        (Play(BO, 1, BO, ("excuse",)), "U9", "cards.0"),
        (Eat(1, BO), "", "type"),
        (ExcuseSwap(BO, 1, ("moons",), ("moons",), "hand"), "U9", "type"),
        (ExcuseTake(BO, 1, "ace-suns"), "U9", "type"),
    ],
)
def test_a_refusal_names_its_rule_and_the_wrong_part(match: Any, event: Event, rule: str, field: str) -> None:
    refusal = match.refused(event)
    assert (refusal.rule, refusal.field) == (rule, field)


@pytest.mark.parametrize(
    ("event", "rule", "field"),
    [
        (ExcuseSwap(ANA, 1, ("moons",), ("moons",), "hand"), "U4", "player"),
        (ExcuseTake(ANA, 3, "4-wyrms-knots"), "U4", "player"),
        (ExcuseTake(BO, 3, "ace-suns"), "U10", "card"),
        (ExcuseTake(BO, 3, "ace-sun"), "", "card"),
        (ExcuseTake(BO, 3, "pawn-moons-suns-leaves"), "U9", "card"),
        (ExcuseSwap(BO, 3, MOONS, MOONS, "hand"), "U10", "zone"),
        (ExcuseSwap(BO, 1, (), (), "hand"), "U10", "drawn"),
        (ExcuseSwap(BO, 1, ("suns",), (), "hand"), "U10", "returned"),
        (ExcuseSwap(BO, 1, ("suns",), ("knots",), "hand"), "U10", "returned.0"),
    ],
)
def test_a_refused_excuse_names_its_rule_and_the_wrong_part(
    new_match: Callable[..., Any], event: Event, rule: str, field: str
) -> None:
    match = new_match(deck="courts").play(BO, 3, BO, "4-wyrms-knots").play(ANA, 2, ANA, "ace-waves")
    refusal = match.refused(event)
    assert (refusal.rule, refusal.field) == (rule, field)


def test_all_fish_of_a_suit_may_go_back_from_the_zone_and_the_drawn_ones(new_match: Callable[..., Any]) -> None:
    match = new_match(deck="courts").enter(ExcuseSwap(BO, 4, ("suns", "suns", "knots", "knots"), ("knots",) * 4, "hand"))
    assert match.zone(4)["fish"] == ["moons", "wyrms", "suns", "suns"]


def test_fish_that_the_bag_does_not_have_name_their_place(new_match: Callable[..., Any]) -> None:
    match = new_match("moons", "moons moons", "knots knots moons", "moons moons moons wyrms", deck="courts")
    refusal = match.refused(ExcuseSwap(BO, 3, ("suns", "moons", "knots"), MOONS, "hand"))
    assert (refusal.rule, refusal.field) == ("U1", "drawn.1")


def test_before_all_zones_have_fish_nothing_else_is_entered() -> None:
    position = start(GAME, ("Ana", "Bo"), BelugaCupOptions())
    for event in (Play(BO, 1, BO, ("ace-suns",)), Discard(BO, 0)):
        with pytest.raises(RuleError) as refused:
            position.apply(event)
        assert (refused.value.message, refused.value.rule, refused.value.field) == (
            "Fill zones 1, 2, 3 and 4 first.",
            "U5",
            "",
        )
    with pytest.raises(RuleError) as refused:
        position.apply(Fill(2, ("moons",), "hand"))
    assert (refused.value.rule, refused.value.field) == ("U1", "fish")
    with pytest.raises(RuleError) as refused:
        position.apply(Fill(4, ("moons",) * 4, "hand")).apply(Fill(4, ("moons",) * 4, "hand"))
    assert (refused.value.message, refused.value.rule, refused.value.field) == (
        "Zone 4 has its fish. Fill zones 1, 2 and 3 first.",
        "U5",
        "zone",
    )
    with pytest.raises(RuleError) as refused:
        position.apply(Fill(4, ("moons",) * 4, "hand")).apply(Fill(2, ("suns",) * 2, "hand")).apply(
            Fill(3, ("suns",) * 3, "hand")
        ).apply(Discard(BO, 0))
    assert refused.value.message == "Fill zone 1 first."


@pytest.mark.parametrize("event", [Play(BO, 1, BO, ("ace-suns",)), Discard(BO, 0), ExcuseTake(BO, 1, "ace-suns")])
def test_without_cards_a_play_is_of_the_wrong_type(new_match: Callable[..., Any], event: Event) -> None:
    refusal = new_match(cards="untracked", deck="courts").refused(event)
    assert (refusal.rule, refusal.field) == ("", "type")
    tag = event.__struct_config__.tag
    assert refusal.message == f"The cards of this match are not entered, so it has no {tag}. Enter who eats a zone."


def test_an_eaten_zone_that_is_eaten_again_names_its_rule(new_match: Callable[..., Any]) -> None:
    match = new_match(cards="untracked").enter(Eat(3, ANA))
    refusal = match.refused(Eat(3, BO))
    assert (refusal.rule, refusal.field) == ("U5", "zone")


def test_a_card_that_lies_in_a_zone_is_not_played_again(match: Any) -> None:
    match.play(BO, 3, BO, "4-wyrms-knots")
    refusal = match.refused(Play(ANA, 3, ANA, ("4-wyrms-knots",)))
    assert (refusal.message, refusal.field) == ("The 4 of wyrms and knots lies in zone 3 already.", "cards.0")


@pytest.mark.parametrize(
    ("ana", "bo", "last"),
    [
        ((5, 2, 0, 0, 0, 0), (2, 4, 0, 0, 0, 0), "Equal, more fish: Ana, 7 to 6"),
        ((5, 2, 0, 0, 0, 0), (2, 4, 0, 0, 0, 2), "Equal, more fish: Bo, 8 to 7"),
        ((5, 2, 0, 0, 0, 0), (2, 5, 0, 0, 0, 0), "Equal points, and each ate 7 fish: a shared cup"),
        ((5, 0, 0, 0, 0, 0), (2, 0, 0, 0, 0, 0), "Knots: nobody ate any"),  # no tie
    ],
)
def test_every_line_of_the_explanation_cites_the_scoring_ruling(ana: tuple[int, ...], bo: tuple[int, ...], last: str) -> None:
    lines = list(explanation(("Ana", "Bo"), (ana, bo), True))
    assert lines[-1].what == last
    assert {line.rule for line in lines} == {"U6"}
    assert [line.amounts for line in lines[6:]] == [(None, None)] * len(lines[6:])


def ask(hand: list[str], zones: list[tuple[list[str], list[str], list[str]]] | None = None, **more: Any) -> Any:
    """Return the answer for a table of four zones, each its fish and the cards on both sides."""
    usual = [(["suns"], [], []), (["leaves", "waves"], [], []), (["wyrms", "wyrms", "knots"], [], []), (["moons"] * 4, [], [])]
    table = [{"fish": fish, "sides": [ours, theirs]} for fish, ours, theirs in zones or usual]
    question = {"game": "beluga-cup", "player": 0, "hand": hand, "zones": table, **more}
    return answer(msgspec.convert(question, LegalPlays))


EMPTY: tuple[list[str], list[str], list[str]] = ([], [], [])


@pytest.mark.parametrize(
    ("hand", "zones", "rule", "field", "message"),
    [
        (["ace-suns"], [EMPTY] * 3, "U1", "zones", "A table has 4 zones, not 3."),
        (["ace-suns"], [EMPTY] * 5, "U1", "zones", "A table has 4 zones, not 5."),
        (
            ["ace-suns", "ace-moons", "ace-waves", "ace-knots", "ace-wyrms", "ace-leaves", "crown-suns"],
            None,
            "U8",
            "hand",
            "A hand has at most 6 cards, not 7.",
        ),
        (
            ["ace-suns"],
            [EMPTY, (["moons"] * 5, [], []), EMPTY, EMPTY],
            "U1",
            "zones.1.fish",
            "A zone holds at most 4 fish, not 5.",
        ),
        (
            ["ace-suns", "ace-suns"],
            None,
            "",
            "hand.1",
            "There is only one of each card: the Ace of suns is twice in the hand.",
        ),
        (
            ["ace-moons", "ace-suns"],
            [(["suns"], [], ["ace-suns"]), EMPTY, EMPTY, EMPTY],
            "",
            "hand.1",
            "There is only one of each card: the Ace of suns is both in zone 1 and in the hand.",
        ),
        (
            ["ace-moons"],
            [(["suns"], [], ["ace-suns"]), EMPTY, (["suns"] * 3, [], ["4-moons-suns", "ace-suns"]), EMPTY],
            "",
            "zones.2.sides.1.1",
            "There is only one of each card: the Ace of suns is both in zone 1 and in zone 3.",
        ),
        (["ace-moons"], [EMPTY, EMPTY, EMPTY, (["suns"], ["ace-sun"], [])], "", "zones.3.sides.0.0", None),
    ],
)
def test_a_table_that_can_not_be_is_refused_with_rule_and_place(
    hand: list[str], zones: Any, rule: str, field: str, message: str | None
) -> None:
    with pytest.raises(RuleError) as refused:
        ask(hand, zones)
    assert (refused.value.rule, refused.value.field) == (rule, field)
    assert message in (None, refused.value.message)


@pytest.mark.parametrize(("deck", "played"), [("basic", False), ("courts", True), ("pawns", False)])
def test_the_excuse_is_played_only_with_the_courts(new_match: Callable[..., Any], deck: str, played: bool) -> None:
    assert new_match(deck=deck).position.state.excuse is played


def test_the_excuse_lies_on_no_side() -> None:
    with pytest.raises(RuleError) as refused:
        ask(["ace-moons"], [EMPTY, (["suns"], [], ["ace-suns", "excuse"]), EMPTY, EMPTY], deck="courts")
    assert (refused.value.rule, refused.value.field) == ("U10", "zones.1.sides.1.1")


@pytest.mark.parametrize(
    ("hand", "why"),
    [
        ([], "There is no card to play."),
        (["crown-leaves"], "The Crown of leaves may be played."),
        (["crown-leaves", "ace-suns"], "Any card of the hand may be played."),
    ],
)
def test_why_says_what_the_hand_allows(hand: list[str], why: str) -> None:
    found = ask(hand)
    assert (found.why, found.must_discard) == (why, not hand)


def test_why_names_the_cards_that_fit_when_not_all_do() -> None:
    zones = [(["suns"], [], []), EMPTY, EMPTY, EMPTY]
    assert ask(["ace-suns", "ace-moons"], zones).why == "Only the Ace of suns may be played. No other card fits."
    assert ask(["ace-moons"], zones).why == "No card fits: show the hand and discard up to three."


def test_a_zone_on_the_table_has_fish_and_sides_and_nothing_else() -> None:
    zone = {"fish": ["suns"], "sides": [[], []], "number": 1}
    with pytest.raises(msgspec.ValidationError, match="number"):
        msgspec.convert({"game": "beluga-cup", "player": 0, "hand": [], "zones": [zone] * 4}, LegalPlays)


def test_a_note_tells_where_a_card_is(match: Any) -> None:
    match.play(BO, 3, BO, "4-wyrms-knots").play(ANA, 1, ANA, "ace-suns").play(BO, 1, BO, "crown-suns").fill(1, "suns")
    found = {note.card.id: (note.zone, note.gone) for note in notes(match.position.state, 1, ANA)}
    assert found["4-wyrms-knots"] == (3, False)
    assert found["ace-suns"] == (None, True)  # discarded with the zone that was eaten
    assert found["crown-suns"] == (None, True)
    assert found["ace-moons"] == (None, False)


def test_at_a_table_that_does_not_enter_its_cards_none_is_gone(new_match: Callable[..., Any]) -> None:
    found = notes(new_match(cards="untracked").position.state, 1, ANA)
    assert len(found) == 36
    assert not any(note.gone for note in found)


def test_only_what_the_app_draws_counts_as_drawn(new_match: Callable[..., Any]) -> None:
    match = new_match(deck="courts")
    assert match.position.state.drawn == 0
    assert match.enter(ExcuseSwap(BO, 1, ("moons",), ("moons",), "hand")).position.state.drawn == 0
    assert new_match(deck="courts").enter(ExcuseSwap(BO, 3, MOONS, MOONS, "app")).position.state.drawn == 3


@pytest.mark.parametrize(
    ("fish", "message"),
    [
        (("moons", "moons moons", "moons moons moons"), "The bag has only 1 moon fish left."),
        (("moons", "moons moons", "moons moons suns"), "The bag has only 2 moon fish left."),
        (("suns", "suns moons", "moons moons moons"), "The bag has only 3 moon fish left."),
    ],
)
def test_the_refusal_counts_the_fish_that_are_left(fish: tuple[str, ...], message: str) -> None:
    position = start(GAME, ("Ana", "Bo"), BelugaCupOptions())
    for number, suits in enumerate(fish, 1):
        position = position.apply(Fill(number, tuple(suits.split()), "hand"))
    with pytest.raises(RuleError) as refused:
        position.apply(Fill(4, ("moons",) * 4, "hand"))
    assert refused.value.message == message


def test_the_sides_of_a_match_are_its_players(match: Any) -> None:
    assert match.position.standing().sides == ("Ana", "Bo")


def test_where_cards_are_not_entered_no_pile_is_kept(new_match: Callable[..., Any]) -> None:
    assert new_match(cards="untracked").position.state.pile is None


@pytest.mark.parametrize(
    ("cards", "hands", "left", "player", "spent", "after", "ways"),
    [
        # six again, out of the draw pile
        (22, (6, 6), 10, 0, 2, (6, 6), {(8, 0)}),
        # the last two are drawn: the two cards played are on the table, so there is nothing to shuffle
        (14, (6, 6), 2, 1, 2, (6, 6), {(0, 0), (0, 1)}),
        # nothing to shuffle: the hand stays short, and the other one is as it was
        (13, (6, 6), 1, 0, 3, (4, 6), {(0, 0), (0, 1)}),
        (13, (6, 6), 1, 1, 3, (6, 4), {(0, 0), (0, 1)}),
        # one card is among the discards
        (14, (6, 6), 1, 1, 3, (6, 5), {(0, 1)}),
        # a hand that the table knows better: it never goes below none
        (7, (1, 6), 0, 0, 2, (0, 6), {(0, 0), (0, 1)}),
    ],
)
def test_a_hand_is_filled_up_as_far_as_the_cards_go(
    cards: int, hands: tuple[int, int], left: int, player: int, spent: int, after: tuple[int, int], ways: set[tuple[int, int]]
) -> None:
    ended = Pile(cards, hands, ((left, 0),)).end_turn(player, spent, min(spent, hands[player]))
    assert (ended.hands, set(ended.ways)) == (after, ways)


@pytest.mark.parametrize(
    ("pile", "player", "spent", "after"),
    [
        # six again, out of the draw pile
        (CountedPile(10), 0, 2, CountedPile(8)),
        (CountedPile(2), 1, 2, CountedPile(0)),
        # the draw pile is short: the three discarded cards are shuffled into it, and one is drawn
        (CountedPile(1, discarded=3, gone=frozenset({"ace-suns"})), 0, 2, CountedPile(2)),
        # nothing to shuffle: the hand stays short, and the other one is as it was
        (CountedPile(1), 0, 3, CountedPile(0, (4, 6))),
        (CountedPile(1), 1, 3, CountedPile(0, (6, 4))),
        (CountedPile(1, discarded=1), 1, 3, CountedPile(0, (6, 5))),
        (CountedPile(0, (4, 5)), 0, 1, CountedPile(0, (3, 5))),
        (CountedPile(0, (4, 5)), 1, 1, CountedPile(0, (4, 4))),
        (CountedPile(3, (4, 5)), 0, 1, CountedPile(0, (6, 5))),
        # a hand that the table knows better: it never goes below none
        (CountedPile(0, (1, 6)), 0, 2, CountedPile(0, (0, 6))),
    ],
)
def test_a_hand_was_filled_up_as_far_as_the_cards_went(pile: CountedPile, player: int, spent: int, after: CountedPile) -> None:
    assert pile.end_turn(player, spent, 0) == after


FILLS = [
    Fill(1, ("moons",), "hand"),
    Fill(2, ("moons",) * 2, "hand"),
    Fill(3, ("moons",) * 3, "hand"),
    Fill(4, ("suns",) * 4, "hand"),
]
SEED = bytes(32)


def test_an_event_that_the_rules_refuse_is_told_with_names() -> None:
    options = BelugaCupOptions(seal=fair_draw.seal(SEED))
    with pytest.raises(fair_draw.DrawError) as refused:
        verify(("Ana", "Bo"), options, SEED, [*FILLS, Discard(ANA, 0)])
    assert (refused.value.event, refused.value.message) == (4, "It is Bo’s turn, not Ana’s.")


def test_after_the_last_fish_nothing_is_verified() -> None:
    meals = ["suns suns suns moons", "waves waves waves waves", "waves waves waves leaves", "leaves leaves leaves leaves"]
    meals += ["leaves leaves wyrms wyrms", "wyrms wyrms wyrms wyrms", "wyrms knots knots knots", "knots knots knots knots"]
    events: list[Event] = [*FILLS]
    for meal in meals:
        events += [Eat(4, ANA), Fill(4, tuple(meal.split()), "hand")]
    events.append(Eat(1, BO))  # the bag is empty: no refill, and the match is over
    options = BelugaCupOptions(seal=fair_draw.seal(SEED), cards="untracked")
    assert verify(("Ana", "Bo"), options, SEED, events) == 0
    with pytest.raises(fair_draw.DrawError) as refused:
        verify(("Ana", "Bo"), options, SEED, [*events, Eat(2, BO)])
    assert (refused.value.event, refused.value.message) == (21, "The match is over before this.")
