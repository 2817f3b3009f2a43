"""May I play this? Every legal play of a hand, and why a card does not fit."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.engine.beluga_cup import GAME, BelugaCupOptions, Discard, Fill, Play, notes
from companion.engine.core import RuleError, replay, start
from companion.engine.decktet import BASIC, COURTS, PAWNS, SUITS
from companion.engine.records import RecordError, answer_legal

ANA, BO = 0, 1
DECKS = {
    "basic": [card.id for card in BASIC],
    "courts": [card.id for card in (*BASIC, *COURTS)] + ["excuse"],
    "pawns": [card.id for card in (*BASIC, *PAWNS)],
}
EMPTY: dict[str, Any] = {"fish": [], "sides": [[], []]}


def zone(fish: str = "", ana: str = "", bo: str = "") -> dict[str, Any]:
    return {"fish": fish.split(), "sides": [ana.split(), bo.split()]}


def ask(*zones: dict[str, Any], hand: str, player: int = ANA, **more: Any) -> dict[str, Any]:
    table = [*zones, *[EMPTY] * (4 - len(zones))]
    question = {"game": "beluga-cup", "player": player, "hand": hand.split(), "zones": table, **more}
    return json.loads(json.dumps(answer_legal(json.dumps(question))))


def place(cards: str, zone: int, *sides: int) -> list[dict[str, Any]]:
    return [{"cards": cards.split(), "zone": zone, "side": side} for side in sides]


def same(plays: list[dict[str, Any]], expected: list[dict[str, Any]]) -> None:
    assert sorted(map(json.dumps, plays)) == sorted(map(json.dumps, expected))


# Worked examples


def test_example_of_the_rule_text() -> None:
    """Two green fish and a yellow one; the 4 of wyrms and knots lies on Ana's side."""
    answer = ask(
        EMPTY, EMPTY, zone("wyrms wyrms knots", ana="4-wyrms-knots"), hand="6-leaves-knots 8-wyrms-knots crown-suns", player=ANA
    )
    same(answer["plays"], [*place("6-leaves-knots", 3, BO), *place("8-wyrms-knots", 3, ANA, BO)])
    assert answer["must_discard"] is False
    assert answer["why"] == "Only the 6 of leaves and knots and the 8 of wyrms and knots may be played. No other card fits."


def test_example_of_the_aces() -> None:
    """Yellow, blue and green; yellow and blue are met on Ana's side: there the green Ace alone, or with any of the others."""
    answer = ask(
        EMPTY,
        EMPTY,
        zone("knots waves wyrms", ana="crown-knots crown-waves", bo="9-waves-wyrms 8-wyrms-knots"),
        hand="ace-knots ace-waves ace-wyrms ace-moons",
    )
    same(
        answer["plays"],
        [
            *place("ace-wyrms", 3, ANA),
            *place("ace-knots ace-wyrms", 3, ANA),
            *place("ace-waves ace-wyrms", 3, ANA),
            *place("ace-knots ace-waves ace-wyrms", 3, ANA),
        ],
    )


def test_no_card_fits_where_all_sides_are_full_or_lack_other_suits() -> None:
    answer = ask(zone("suns", ana="ace-suns"), zone("leaves waves", bo="2-waves-leaves"), hand="4-wyrms-knots crown-moons")
    assert answer == {
        "plays": [],
        "must_discard": True,
        "why": "No card fits: show the hand and discard up to three.",
    }


def test_a_full_side_takes_no_card_and_the_other_side_does() -> None:
    same(ask(zone("suns", ana="ace-suns"), hand="crown-suns")["plays"], place("crown-suns", 1, BO))


def test_each_zone_and_side_with_a_lacking_suit_is_a_play() -> None:
    answer = ask(
        zone("suns"),
        zone("leaves waves", bo="crown-waves"),
        zone("suns suns moons"),
        zone("knots knots knots knots"),
        hand="5-suns-waves",
    )
    same(
        answer["plays"],
        [*place("5-suns-waves", 1, ANA, BO), *place("5-suns-waves", 2, ANA), *place("5-suns-waves", 3, ANA, BO)],
    )
    assert answer["why"] == "The 5 of suns and waves may be played."


def test_a_court_and_a_pawn_fit_by_any_of_their_three_suits() -> None:
    same(
        ask(zone("knots"), hand="court-moons-waves-knots", deck="courts")["plays"],
        place("court-moons-waves-knots", 1, ANA, BO),
    )
    same(
        ask(zone("leaves"), hand="pawn-moons-suns-leaves", deck="pawns")["plays"],
        place("pawn-moons-suns-leaves", 1, ANA, BO),
    )


def test_the_excuse_swaps_where_nobody_has_played_and_takes_back_from_the_own_side() -> None:
    table = [
        zone("suns"),
        zone("leaves waves", bo="2-waves-leaves"),
        zone("wyrms wyrms knots", ana="4-wyrms-knots 3-leaves-wyrms"),
        EMPTY,
    ]
    swap = {"cards": ["excuse"], "zone": 1, "use": "swap"}
    same(
        ask(*table, hand="excuse", player=ANA, deck="courts")["plays"],
        [
            swap,
            {"cards": ["excuse"], "zone": 3, "use": "take", "card": "4-wyrms-knots"},
            {"cards": ["excuse"], "zone": 3, "use": "take", "card": "3-leaves-wyrms"},
        ],
    )
    answer = ask(*table, hand="excuse", player=BO, deck="courts")
    same(answer["plays"], [swap, {"cards": ["excuse"], "zone": 2, "use": "take", "card": "2-waves-leaves"}])
    assert answer["must_discard"] is False


def test_an_excuse_without_a_use_must_be_kept_or_discarded() -> None:
    answer = ask(zone("suns", bo="ace-suns"), hand="excuse", player=ANA, deck="courts")
    assert (answer["plays"], answer["must_discard"]) == ([], True)


def test_an_empty_hand_has_no_play() -> None:
    answer = ask(zone("suns"), hand="")
    assert answer == {"plays": [], "must_discard": True, "why": "There is no card to play."}


def test_six_aces_in_a_zone_of_four_suits_make_eleven_sets() -> None:
    answer = ask(
        EMPTY, EMPTY, EMPTY, zone("moons suns waves leaves"), hand="ace-moons ace-suns ace-waves ace-leaves ace-wyrms ace-knots"
    )
    assert Counter((play["side"], len(play["cards"])) for play in answer["plays"]) == {
        (side, size): number for side in (ANA, BO) for size, number in [(1, 4), (2, 6), (3, 4), (4, 1)]
    }


# A table or hand that can't be


@pytest.mark.parametrize(
    ("change", "field", "message"),
    [
        ({"hand": ["ace-moons"] * 2}, "hand.1", "There is only one of each card: the Ace of moons is twice in the hand."),
        (
            {"hand": ["crown-suns"]},
            "hand.0",
            "There is only one of each card: the Crown of suns is both in zone 1 and in the hand.",
        ),
        ({"hand": ["king-suns"]}, "hand.0", "“king-suns” is not a card of the Decktet"),
        ({"hand": ["excuse"]}, "hand.0", "You play without the Excuse (deck: basic)."),
        ({"hand": ["court-moons-waves-knots"], "deck": "pawns"}, "hand.0", "You play without the Consul"),
        ({"hand": [card.id for card in BASIC[:7]]}, "hand", "A hand has at most 6 cards, not 7."),
        ({"zones": [zone("suns")] * 3}, "zones", "A table has 4 zones, not 3."),
        ({"zones": [EMPTY] * 5}, "zones", "A table has 4 zones, not 5."),
        ({"zones": [zone("suns"), *[zone(bo="ace-suns")] * 2, EMPTY]}, "zones.2.sides.1.0", "is both in zone 2 and in zone 3."),
        ({"zones": [zone(ana="ace-suns ace-suns"), *[EMPTY] * 3]}, "zones.0.sides.0.1", "is twice in zone 1."),
        ({"zones": [zone(ana="ace-suns", bo="ace-suns"), *[EMPTY] * 3]}, "zones.0.sides.1.0", "is twice in zone 1."),
        ({"zones": [zone("suns " * 5), *[EMPTY] * 3]}, "zones.0.fish", "A zone holds at most 4 fish, not 5."),
        ({"zones": [zone(bo="ace-stars"), *[EMPTY] * 3]}, "zones.0.sides.1.0", "“ace-stars” is not a card"),
        ({"zones": [zone(bo="excuse"), *[EMPTY] * 3], "deck": "courts"}, "zones.0.sides.1.0", "never placed on a side"),
        ({"zones": [zone("stars"), *[EMPTY] * 3]}, "zones.0.fish.0", ""),
        ({"zones": [{"fish": [], "sides": [[]]}, *[EMPTY] * 3]}, "zones.0.sides", ""),
        ({"zones": [{"fish": []}, *[EMPTY] * 3]}, "zones.0", ""),
        ({"player": 2}, "player", ""),
        ({"player": True}, "player", ""),
        ({"deck": "tarot"}, "deck", ""),
        ({"turn": 1}, "", ""),
    ],
)
def test_what_can_not_be_is_refused_with_its_place(change: dict[str, Any], field: str, message: str) -> None:
    question = {"game": "beluga-cup", "player": 0, "hand": [], "zones": [zone("suns", bo="crown-suns"), *[EMPTY] * 3], **change}
    with pytest.raises(RecordError) as refusal:
        answer_legal(json.dumps(question))
    assert refusal.value.event is None
    assert message in refusal.value.message
    if message:
        assert refusal.value.field == field


@pytest.mark.parametrize("missing", ["player", "hand", "zones"])
def test_player_hand_and_zones_must_be_there(missing: str) -> None:
    question: dict[str, Any] = {"game": "beluga-cup", "player": 0, "hand": [], "zones": [EMPTY] * 4}
    answer_legal(json.dumps(question))
    del question[missing]
    with pytest.raises(RecordError):
        answer_legal(json.dumps(question))


# Any table, compared with the rule text word by word: every group of cards is tried on every side


@st.composite
def tables(draw: st.DrawFn) -> tuple[str, int, list[str], list[dict[str, Any]]]:
    deck = draw(st.sampled_from(["basic", "courts", "pawns"]))
    aces_first = draw(st.booleans())
    cards = draw(st.permutations(DECKS[deck]))
    if aces_first:
        cards = sorted(cards, key=lambda card: not card.startswith(("ace", "excuse")))
    size = draw(st.integers(0, 6))
    hand, rest = cards[:size], [card for card in cards[size:] if card != "excuse"]
    zones = []
    few = draw(st.lists(st.sampled_from(SUITS), min_size=1, max_size=6))  # so that fish and cards meet often
    for number in range(1, 5):
        fish = draw(st.lists(st.sampled_from(few), min_size=number, max_size=number)) if draw(st.integers(0, 9)) else []
        sides = [[rest.pop() for _ in range(draw(st.integers(0, 2)))] for _ in range(2)]
        zones.append({"fish": fish, "sides": sides})
    return deck, draw(st.integers(0, 1)), hand, zones


def suits_of(card: str) -> list[str]:
    return card.split("-")[1:]


def fits(cards: tuple[str, ...], fish: list[str], side: list[str]) -> bool:
    lacking = [
        suit for suit in set(fish) if sum(suit in suits_of(card) for card in side) < sum(other == suit for other in fish)
    ]
    needed = any(suit in lacking for card in cards for suit in suits_of(card))
    if len(cards) == 1:
        return needed
    return needed and all(card.startswith("ace-") and suits_of(card)[0] in fish for card in cards)


@given(tables())
def test_the_answer_is_every_group_of_cards_that_the_rule_text_allows(
    table: tuple[str, int, list[str], list[dict[str, Any]]],
) -> None:
    deck, player, hand, zones = table
    expected: list[dict[str, Any]] = []
    for number, place in enumerate(zones, 1):
        for side in (ANA, BO):
            groups = [cards for size in range(1, len(hand) + 1) for cards in combinations(hand, size)]
            expected += [
                {"cards": list(cards), "zone": number, "side": side}
                for cards in groups
                if fits(cards, place["fish"], place["sides"][side])
            ]
        if "excuse" in hand and place["fish"] and place["sides"] == [[], []]:
            expected.append({"cards": ["excuse"], "zone": number, "use": "swap"})
        if "excuse" in hand:
            taken = place["sides"][player]
            expected += [{"cards": ["excuse"], "zone": number, "use": "take", "card": card} for card in taken]
    answer = ask(*zones, hand=" ".join(hand), player=player, deck=deck)
    same(answer["plays"], expected)
    assert answer["must_discard"] == (not expected)


# What a page says about each card


def said(match: Any, zone: int, side: int) -> dict[str, str]:
    return {note.card.id: note.why for note in notes(match.position.state, zone, side)}


def test_each_card_has_a_reason(new_match: Callable[..., Any]) -> None:
    match = new_match().play(BO, 4, ANA, "crown-moons").play(ANA, 2, ANA, "4-waves-leaves")
    words = said(match, 4, ANA)
    assert len(words) == 36
    assert words["6-moons-waves"] == "This side has its moons already. No wave fish swims in zone 4."
    assert words["4-moons-suns"] == "This side has its moons already. No sun fish swims in zone 4."
    assert words["ace-moons"] == "This side has its moons already."
    assert words["5-suns-waves"] == "No sun or wave fish swims in zone 4."
    assert words["2-moons-knots"] == "This side still lacks knots."
    assert words["8-wyrms-knots"] == "This side still lacks wyrms and knots."
    assert words["4-waves-leaves"] == "The 4 of waves and leaves lies in zone 2 already."
    assert words["crown-moons"] == "The Crown of moons lies in zone 4 already."
    assert said(match, 2, ANA)["8-waves-leaves"] == "This side is full."
    assert said(match, 2, BO)["8-waves-leaves"] == "This side still lacks waves and leaves."


def test_a_zone_that_waits_for_fish_takes_no_card(new_match: Callable[..., Any]) -> None:
    match = new_match().play(BO, 1, BO, "crown-suns").play(ANA, 1, ANA, "ace-suns")
    words = said(match, 1, ANA)
    assert words["9-moons-suns"] == "Zone 1 waits for its fish."
    assert words["ace-suns"] == "The Ace of suns is among the discards until the deck is shuffled."


def test_notes_are_about_the_deck_that_is_played_with_but_not_the_excuse(new_match: Callable[..., Any]) -> None:
    words = said(new_match(deck="courts"), 1, ANA)
    assert len(words) == 40
    assert "excuse" not in words
    assert words["court-moons-leaves-wyrms"] == "No moon, leaf or wyrm fish swims in zone 1."
    assert len(said(new_match(deck="pawns"), 1, ANA)) == 40


def test_aces_join_where_their_suit_is_demanded_and_the_side_is_not_full(new_match: Callable[..., Any]) -> None:
    match = new_match().play(BO, 4, ANA, "ace-moons").play(ANA, 1, ANA, "4-moons-suns")

    def joining(zone: int, side: int) -> set[str]:
        return {note.card.id for note in notes(match.position.state, zone, side) if note.joins}

    assert joining(4, ANA) == {"ace-wyrms", "ace-knots"}  # not the Ace of moons, which lies there
    assert joining(4, BO) == {"ace-wyrms", "ace-knots"}
    assert joining(3, BO) == {"ace-wyrms", "ace-knots"}
    assert joining(1, ANA) == set()  # full
    assert joining(1, BO) == {"ace-suns"}


@given(st.lists(st.tuples(st.integers(1, 4), st.integers(0, 1), st.integers(0, 35)), max_size=14))
def test_a_card_fits_by_its_note_just_when_the_play_is_taken(plays: list[tuple[int, int, int]]) -> None:
    fish = ["suns", "leaves waves", "wyrms wyrms knots", "moons knots knots wyrms"]
    fills = [Fill(number, tuple(suits.split()), "hand") for number, suits in enumerate(fish, 1)]
    position = replay(start(GAME, ("Ana", "Bo"), BelugaCupOptions()), fills)
    for number, side, index in plays:
        state = position.state
        if state.to_fill:
            break
        note = notes(state, number, side)[index]
        play = Play(state.turn, number, side, (note.card.id,))
        if note.fits:
            position = position.apply(play)
            continue
        with pytest.raises(RuleError) as refusal:
            position.apply(play)
        assert note.why.removesuffix(".") in refusal.value.message
        position = position.apply(Discard(state.turn, 0))
