"""Is Beluga Cup what the rule text and the rulings say, sentence by sentence?"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from companion.engine import fair_draw
from companion.engine.beluga_cup import GAME, BelugaCupOptions, Discard, Eat, ExcuseSwap, ExcuseTake, Fill, Play
from companion.engine.beluga_cup.scoring import explanation, points, winners
from companion.engine.core import Stop, replay, start
from companion.engine.decktet import SUITS
from companion.engine.records import RecordError, decode_event, decode_options

ANA, BO = 0, 1


# The bag and the zones (rulings U1, U7)


def test_the_bag_has_42_fish_and_the_zones_take_1_to_4_of_them(new_match: Callable[..., Any]) -> None:
    position = start(GAME, ("Ana", "Bo"))
    assert position.standing().details["bag"] == 42
    assert position.standing().details["zones"] == [{"fish": [], "sides": [[], []], "lacking": [{}, {}]}] * 4
    assert new_match().answer["bag"] == 32


@pytest.mark.parametrize(("per_suit", "fish"), [(7, 42), (8, 48), (12, 72)])
def test_a_longer_game_has_more_fish(per_suit: int, fish: int) -> None:
    assert start(GAME, ("Ana", "Bo"), BelugaCupOptions(fish_per_suit=per_suit)).standing().details["bag"] == fish


def test_the_non_dealer_plays_first(match: Any) -> None:
    assert start(GAME, ("Ana", "Bo")).standing().details["turn"] == BO
    assert match.answer["turn"] == BO


@pytest.mark.parametrize("order", [(1, 2, 3, 4), (4, 3, 2, 1), (3, 1, 4, 2)])
def test_at_the_start_the_zones_are_filled_in_any_order(new_match: Callable[..., Any], order: tuple[int, ...]) -> None:
    match = new_match("suns")
    match.position = start(GAME, ("Ana", "Bo"))
    for number in order:
        match.fill(number, match.FISH[number - 1])
    assert [zone["fish"] for zone in match.answer["zones"]] == [fish.split() for fish in match.FISH]


@pytest.mark.parametrize(
    "event",
    [
        Play(BO, 1, BO, ("ace-suns",)),
        Discard(BO, 3),
        ExcuseSwap(BO, 1, ("moons",), ("suns",), "hand"),
        ExcuseTake(BO, 1, "ace-suns"),
    ],
)
def test_nothing_comes_before_all_zones_are_filled(new_match: Callable[..., Any], event: Any) -> None:
    refusal = new_match("suns", "leaves waves", deck="courts").refused(event)
    assert refusal.message == "Fill zones 3 and 4 first."


@pytest.mark.parametrize(
    ("zone", "fish", "message", "field"),
    [
        (1, "suns", "Zone 1 has its fish. Fill zones 3 and 4 first.", "zone"),
        (3, "suns suns", "Zone 3 takes 3 fish, not 2.", "fish"),
        (4, "suns suns suns suns suns", "Zone 4 takes 4 fish, not 5.", "fish"),
        (3, "", "Zone 3 takes 3 fish, not 0.", "fish"),
    ],
)
def test_a_zone_takes_as_many_fish_as_its_number_once(
    new_match: Callable[..., Any], zone: int, fish: str, message: str, field: str
) -> None:
    refusal = new_match("suns", "leaves waves").refused(Fill(zone, tuple(fish.split()), "hand"))
    assert (refusal.message, refusal.field) == (message, field)


def test_no_more_fish_of_a_suit_leave_the_bag_than_are_in_it(new_match: Callable[..., Any]) -> None:
    match = new_match("moons", "moons moons", "moons moons moons")
    refusal = match.refused(Fill(4, ("knots", "moons", "knots", "moons"), "hand"))
    assert (refusal.message, refusal.field) == ("The bag has only 1 moon fish left.", "fish.3")
    match.fill(4, "moons suns suns suns")
    assert match.answer["bag_suits"] == {"suns": 4, "waves": 7, "leaves": 7, "wyrms": 7, "knots": 7}
    match.play(BO, 1, BO, "ace-moons").play(ANA, 1, ANA, "crown-moons")
    assert match.refused(Fill(1, ("moons",), "hand")).message == "The bag has no moon fish left."


def test_a_filled_zone_is_not_filled_again(match: Any) -> None:
    assert match.refused(Fill(1, ("moons",), "hand")).message == (
        "Zone 1 has its fish. Only a zone that was just eaten is filled."
    )


# What may be played (Game play; rulings U2, U3). Zone 3 has 2 green fish (wyrms) and 1 yellow (knots).


def test_example_of_the_rule_text_a_met_demand_is_not_exceeded_unless_the_card_meets_another(match: Any) -> None:
    match.play(BO, 3, BO, "4-wyrms-knots").play(ANA, 1, ANA, "ace-suns")
    assert match.zone(3)["lacking"] == [{"wyrms": 2, "knots": 1}, {"wyrms": 1}]
    refusal = match.refused_play(BO, 3, BO, "6-leaves-knots")
    assert refusal.message == (
        "The 6 of leaves and knots does not fit on Bo’s side of zone 3. "
        "This side has its knots already. No leaf fish swims in zone 3."
    )
    assert (refusal.rule, refusal.field) == ("U2", "cards")
    match.play(BO, 3, BO, "8-wyrms-knots")
    assert match.zone(3) == {
        "fish": ["wyrms", "wyrms", "knots"],
        "sides": [[], ["4-wyrms-knots", "8-wyrms-knots"]],
        "lacking": [{"wyrms": 2, "knots": 1}, {}],
    }


def test_example_of_the_rule_text_aces_may_join_an_ace_that_is_still_needed(new_match: Callable[..., Any]) -> None:
    """Yellow, blue and green fish; yellow and blue are met; the yellow, blue and green Aces are one play."""
    match = new_match("suns", "leaves waves", "knots waves wyrms", "moons knots knots wyrms")
    match.play(BO, 3, BO, "crown-knots").play(ANA, 1, ANA, "ace-suns").play(BO, 3, BO, "crown-waves")
    match.play(ANA, 2, ANA, "crown-leaves")
    assert match.zone(3)["lacking"][BO] == {"wyrms": 1}
    assert match.refused_play(BO, 3, BO, "ace-knots").rule == "U2"
    assert match.refused_play(BO, 3, BO, "ace-knots ace-waves").message == (
        "The Ace of knots and the Ace of waves do not fit together on Bo’s side of zone 3. "
        "This side has its knots and waves already."
    )
    match.play(BO, 3, BO, "ace-knots ace-waves ace-wyrms")
    assert match.zone(3)["sides"][BO] == ["crown-knots", "crown-waves", "ace-knots", "ace-waves", "ace-wyrms"]
    assert match.zone(3)["lacking"][BO] == {}
    assert match.position.state.zone(3).total(BO) == 10 + 10 + 1 + 1 + 1


def test_either_side_may_be_played_on(match: Any) -> None:
    match.play(BO, 4, ANA, "crown-moons").play(ANA, 4, BO, "ace-knots")
    assert match.zone(4)["sides"] == [["crown-moons"], ["ace-knots"]]
    assert match.zone(4)["lacking"] == [{"wyrms": 1, "knots": 2}, {"moons": 1, "wyrms": 1, "knots": 1}]


@pytest.mark.parametrize(
    ("zone", "side", "cards", "message"),
    [
        (1, BO, "ace-moons", "The Ace of moons does not fit on Bo’s side of zone 1. No moon fish swims in zone 1."),
        (
            1,
            ANA,
            "3-moons-waves",
            "The 3 of moons and waves does not fit on Ana’s side of zone 1. No moon or wave fish swims in zone 1.",
        ),
        (2, BO, "ace-waves crown-leaves", "Only Aces may be played together. Any other card is played alone."),
        (2, BO, "5-suns-waves 2-waves-leaves", "Only Aces may be played together. Any other card is played alone."),
        (2, BO, "ace-waves ace-suns", "No sun fish swims in zone 2: every Ace of a set must match one."),
        (3, BO, "ace-wyrms ace-moons ace-suns", "No moon or sun fish swims in zone 3: every Ace of a set must match one."),
        (2, BO, "ace-waves ace-waves", "The Ace of waves is named twice."),
        (2, BO, "", "A play needs a card."),
        (2, BO, "5-moons-waves", "“5-moons-waves” is not a card of the Decktet. Cards are like 4-wyrms-knots"),
        (2, BO, "excuse", "You play without the Excuse (deck: basic)."),
        (2, BO, "court-moons-waves-knots", "You play without the Consul (deck: basic)."),
    ],
)
def test_what_may_not_be_played_is_refused_with_the_reason(match: Any, zone: int, side: int, cards: str, message: str) -> None:
    assert message in match.refused_play(BO, zone, side, cards).message


def test_a_full_side_takes_no_more_not_even_aces(match: Any) -> None:
    match.play(BO, 2, BO, "4-waves-leaves").play(ANA, 1, ANA, "ace-suns")
    assert "This side is full." in match.refused_play(BO, 2, BO, "8-waves-leaves").message
    assert "This side is full." in match.refused_play(BO, 2, BO, "ace-waves ace-leaves").message


def test_a_card_that_lies_in_a_zone_is_not_played_again(match: Any) -> None:
    match.play(BO, 3, BO, "4-wyrms-knots")
    refusal = match.refused_play(ANA, 4, ANA, "4-wyrms-knots")
    assert (refusal.message, refusal.field) == ("The 4 of wyrms and knots lies in zone 3 already.", "cards.0")


def shuffled(match: Any) -> Any:
    """Return the match after so many discarded cards that the discard pile had to be shuffled; then it is Bo's turn."""
    while match.position.state.pile.ways[0][1] == 0 or match.answer["turn"] == ANA:
        match.enter(Discard(match.answer["turn"], 3))
    return match


def test_a_card_of_an_eaten_zone_comes_back_after_the_shuffle(match: Any) -> None:
    match.play(BO, 1, BO, "ace-suns").play(ANA, 1, ANA, "crown-suns").fill(1, "suns")
    refusal = match.refused_play(BO, 1, BO, "ace-suns")
    assert refusal.message == "The Ace of suns is among the discards until the deck is shuffled."
    assert (refusal.rule, refusal.field) == ("U12", "cards.0")
    assert match.refused_play(BO, 1, BO, "ace-suns crown-suns").rule == "U12"
    shuffled(match).play(BO, 1, BO, "ace-suns")
    assert match.zone(1)["sides"] == [[], ["ace-suns"]]


def test_the_excuse_is_played_once_until_the_shuffle(new_match: Callable[..., Any]) -> None:
    for first in (swap("suns moons moons", "suns moons moons"), ExcuseTake(BO, 2, "crown-waves")):
        match = new_match(deck="courts").play(BO, 2, BO, "crown-waves").play(ANA, 4, ANA, "crown-moons").enter(first)
        for again in (swap("suns", "suns", zone=1, player=ANA), ExcuseTake(ANA, 4, "crown-moons")):
            refusal = match.refused(again)
            assert refusal.message == "The Excuse is among the discards until the deck is shuffled."
            assert (refusal.rule, refusal.field) == ("U12", "type")
        shuffled(match).enter(swap("suns", "suns", zone=1))


def test_a_match_of_the_first_edition_goes_on_as_it_began(match: Any) -> None:
    """Ruling U12 came later: what had been accepted must stay readable, with the proof of its draws."""
    again = [Play(BO, 1, BO, ("ace-suns",)), Play(ANA, 1, ANA, ("crown-suns",))]
    events = [*(Fill(n, tuple(fish.split()), "hand") for n, fish in enumerate(match.FISH, 1)), *again]
    events += [Fill(1, ("suns",), "hand"), *again]
    first, options = GAME.by_version(1), BelugaCupOptions(seal=fair_draw.seal(bytes(32)))
    assert first is not None
    assert first.verify is not None
    assert GAME.verify is not None
    assert replay(start(first, ("Ana", "Bo"), options), events).standing().scores == (0, 0)
    assert first.verify(("Ana", "Bo"), options, bytes(32), events) == 0
    with pytest.raises(fair_draw.DrawError, match="until the deck is shuffled"):
        GAME.verify(("Ana", "Bo"), options, bytes(32), events)
    assert GAME.by_version(3) is GAME
    assert GAME.by_version(4) is None


def test_players_take_turns(match: Any) -> None:
    refusal = match.refused_play(ANA, 1, ANA, "ace-suns")
    assert (refusal.message, refusal.field) == ("It is Bo’s turn, not Ana’s.", "player")
    match.play(BO, 1, BO, "ace-suns")
    assert match.answer["turn"] == ANA
    assert match.refused(Discard(BO, 1)).message == "It is Ana’s turn, not Bo’s."


@pytest.mark.parametrize("number", [0, 1, 2, 3])
def test_a_player_without_a_legal_card_discards_up_to_three(match: Any, number: int) -> None:
    match.enter(Discard(BO, number))
    assert match.answer["turn"] == ANA


@pytest.mark.parametrize(
    "event",
    [
        {"type": "discard", "player": 1, "cards": 4},
        {"type": "discard", "player": 1, "cards": -1},
        {"type": "discard", "player": 1, "cards": True},
        {"type": "discard", "player": 2, "cards": 1},
        {"type": "fill", "zone": 0, "fish": [], "drawn_by": "hand"},
        {"type": "fill", "zone": 5, "fish": ["moons"] * 5, "drawn_by": "hand"},
        {"type": "fill", "zone": 1, "fish": ["stars"], "drawn_by": "hand"},
        {"type": "fill", "zone": 1, "fish": ["moons"], "drawn_by": "fate"},
        {"type": "fill", "zone": 1, "fish": ["moons"]},
        {"type": "play", "player": 1, "zone": 1, "side": 2, "cards": ["ace-suns"]},
        {"type": "play", "player": 1, "zone": 1, "side": 1, "cards": "ace-suns"},
        {"type": "play", "player": 1, "zone": 1, "side": 1, "cards": ["ace-suns"], "card": "ace-suns"},
        {"type": "eat", "zone": "1", "player": 0},
        {"type": "excuse-take", "player": 1, "zone": 1},
        {"type": "nibble", "player": 1},
    ],
)
def test_what_is_no_event_is_refused(event: dict[str, Any]) -> None:
    with pytest.raises(RecordError):
        decode_event(GAME, json.dumps(event))


@pytest.mark.parametrize(
    "options",
    [
        {"fish_per_suit": 6},
        {"fish_per_suit": 13},
        {"deck": "extended"},
        {"cards": "secret"},
        {"seal": "9f3a"},
        {"seal": "g" * 64},
        {"seal": "0" * 63 + "\n"},
        {"words": ["pearl"] * 21},
        {"words": [""]},
        {"words": ["w" * 201]},
        {"words": "pearl"},
    ],
)
def test_what_is_no_option_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(RecordError):
        decode_options(GAME, json.dumps(options))


def test_options_have_defaults_and_may_be_null() -> None:
    options = decode_options(GAME, json.dumps({"seal": None, "words": []}))
    assert options == BelugaCupOptions(fish_per_suit=7, deck="basic", cards="tracked", seal=None, words=())
    assert decode_options(GAME, json.dumps({"seal": "aA" * 32, "words": ["w" * 200] * 20})).seal == "aA" * 32


# Eating a zone (ruling U4)


def test_the_higher_rank_total_eats_and_the_loser_plays_next(match: Any) -> None:
    match.play(BO, 2, BO, "8-waves-leaves").play(ANA, 2, ANA, "5-suns-waves").play(BO, 1, BO, "ace-suns")
    match.play(ANA, 2, ANA, "6-leaves-knots")  # 5 + 6 = 11 to 8, which counts once for both its suits
    assert match.answer["eaten"] == [{"waves": 1, "leaves": 1}, {}]
    assert match.zone(2) == {"fish": [], "sides": [[], []], "lacking": [{}, {}]}
    assert match.answer["turn"] == BO
    assert match.answer["to_fill"] == [2]


def test_a_player_who_plays_into_a_zone_and_loses_it_plays_again(match: Any) -> None:
    match.play(BO, 1, BO, "crown-suns").play(ANA, 1, ANA, "ace-suns").fill(1, "moons")
    assert match.answer["eaten"] == [{}, {"suns": 1}]
    assert match.answer["turn"] == ANA
    match.play(ANA, 1, ANA, "ace-moons")


def test_a_tie_is_eaten_by_the_player_who_placed_the_last_card(match: Any) -> None:
    match.play(BO, 2, BO, "5-suns-waves").play(ANA, 2, ANA, "8-waves-leaves").play(BO, 2, BO, "3-leaves-wyrms")
    assert match.answer["eaten"] == [{}, {"waves": 1, "leaves": 1}]
    assert match.answer["turn"] == ANA


def test_a_tie_is_eaten_by_the_player_who_placed_the_last_card_also_on_the_other_side(match: Any) -> None:
    match.play(BO, 2, BO, "8-waves-leaves").play(ANA, 2, ANA, "5-suns-waves").play(BO, 2, ANA, "3-leaves-wyrms")
    assert match.answer["eaten"] == [{}, {"waves": 1, "leaves": 1}]
    assert match.answer["turn"] == ANA


def test_a_tie_does_not_depend_on_whose_card_was_last_on_each_side(match: Any) -> None:
    match.play(BO, 2, BO, "5-suns-waves").play(ANA, 2, ANA, "8-waves-leaves").play(BO, 1, BO, "ace-suns")
    match.play(ANA, 2, BO, "3-leaves-wyrms")
    assert match.answer["eaten"] == [{"waves": 1, "leaves": 1}, {}]
    assert match.answer["turn"] == BO


def test_the_higher_total_eats_whoever_places_the_last_card(match: Any) -> None:
    match.play(BO, 1, ANA, "crown-suns").play(ANA, 1, BO, "ace-suns")
    assert match.answer["eaten"] == [{"suns": 1}, {}]
    assert match.answer["turn"] == BO


def test_each_ace_of_a_set_counts_one(match: Any) -> None:
    """2 on Ana's side, 1 + 1 on Bo's: a tie, which Bo wins because he placed the last card. One less would lose it."""
    match.play(BO, 2, ANA, "2-waves-leaves").play(ANA, 1, ANA, "ace-suns").play(BO, 2, BO, "ace-waves ace-leaves")
    assert match.answer["eaten"] == [{}, {"waves": 1, "leaves": 1}]


def test_an_ace_past_the_demand_counts_too(match: Any) -> None:
    """Bo's 5 meets the wave; with both Aces he has 5 + 1 + 1 = 7 to Ana's 4 + 3. The leaf's Ace alone would make 6 and lose."""
    match.play(BO, 2, BO, "5-suns-waves").play(ANA, 2, ANA, "3-moons-waves").play(BO, 1, BO, "ace-suns")
    match.play(ANA, 2, ANA, "4-waves-leaves").play(BO, 2, BO, "ace-waves ace-leaves")
    assert match.answer["eaten"] == [{}, {"waves": 1, "leaves": 1}]


# Refill and the end (ruling U5)


def test_only_the_eaten_zone_is_filled_and_nothing_comes_before(match: Any) -> None:
    match.play(BO, 1, BO, "crown-suns").play(ANA, 1, ANA, "ace-suns")
    assert match.refused_play(ANA, 2, ANA, "ace-waves").message == "Fill zone 1 first."
    assert match.refused(Discard(ANA, 0)).message == "Fill zone 1 first."
    assert match.refused(Fill(2, ("moons", "moons"), "hand")).message == "Zone 2 has its fish. Fill zone 1 first."
    match.fill(1, "knots")
    assert match.zone(1) == {"fish": ["knots"], "sides": [[], []], "lacking": [{"knots": 1}, {"knots": 1}]}
    assert match.refused(Fill(1, ("moons",), "hand")).message.endswith("Only a zone that was just eaten is filled.")


def feast(match: Any, zone: int, *meals: str) -> None:
    """Let Ana eat the zone again and again, filled with these fish each time."""
    for fish in meals:
        match.enter(Eat(zone, ANA)).fill(zone, fish)


def test_the_game_is_over_when_the_bag_has_too_few_fish_for_a_refill(new_match: Callable[..., Any]) -> None:
    match = new_match("suns", "suns suns", "suns suns suns", "moons moons moons moons", cards="untracked")
    feast(match, 4, *["moons moons moons suns", *["waves waves waves waves"], "waves waves waves leaves"])
    feast(match, 4, "leaves leaves leaves leaves", "leaves leaves wyrms wyrms", "wyrms wyrms wyrms wyrms")
    feast(match, 3, "wyrms knots knots", "knots knots knots")
    assert match.answer["bag_suits"] == {"knots": 2}
    match.enter(Eat(1, BO)).fill(1, "knots").enter(Eat(3, BO))  # 1 fish is left for 3
    assert match.position.finished
    assert match.answer["bag"] == 1
    assert match.answer["to_fill"] == []
    # What swims in zones 1, 2 and 4 scores nothing: a knot, two suns and four wyrms.
    assert match.answer["eaten"] == [
        {"moons": 7, "suns": 4, "waves": 7, "leaves": 7, "wyrms": 3, "knots": 2},
        {"suns": 1, "knots": 3},
    ]
    # Suns 4 to 1: 1 for Ana. Knots 3 to 2: 2 for Bo. The rest has no rival.
    assert match.scores == (1, 2)
    assert match.position.standing().winners == (BO,)


def test_with_just_enough_fish_for_a_refill_the_game_goes_on_with_an_empty_bag(new_match: Callable[..., Any]) -> None:
    match = new_match("suns", "suns suns", "suns suns suns", "moons moons moons moons", cards="untracked")
    feast(match, 4, "moons moons moons suns", "waves waves waves waves", "waves waves waves leaves")
    feast(match, 4, "leaves leaves leaves leaves", "leaves leaves wyrms wyrms", "wyrms wyrms wyrms wyrms")
    feast(match, 4, "wyrms knots knots knots", "knots knots knots knots")
    assert match.answer["bag"] == 0
    assert not match.position.finished
    match.enter(Eat(1, BO))
    assert match.position.finished
    assert match.refused(Fill(1, (), "hand")).message.startswith("The match is over.")


def test_a_match_can_be_stopped_and_then_nobody_wins(match: Any) -> None:
    match.play(BO, 1, BO, "crown-suns").play(ANA, 1, ANA, "ace-suns").enter(Stop())
    standing = match.position.standing()
    assert (standing.finished, standing.stopped, standing.winners) == (True, True, ())


# Scoring (ruling U6)


@pytest.mark.parametrize(
    ("ana", "bo", "scores", "cup"),
    [
        # moons suns waves leaves wyrms knots
        ((0, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 0), (0, 0), (ANA, BO)),  # nothing at all: shared
        ((2, 3, 1, 2, 0, 1), (1, 1, 3, 2, 2, 1), (2, 1), (ANA,)),  # 1 + 1 to 1: leaves and knots are equal, wyrms have no rival
        ((4, 3, 4, 0, 0, 0), (3, 4, 3, 7, 0, 0), (6, 3), (ANA,)),  # 7 leaves without a rival score nothing
        ((3, 0, 0, 0, 0, 0), (4, 0, 0, 0, 0, 0), (0, 3), (BO,)),
        ((5, 2, 0, 0, 0, 0), (2, 4, 0, 0, 0, 0), (2, 2), (ANA,)),  # 2 each; 7 fish to 6
        ((5, 2, 0, 0, 0, 0), (2, 4, 0, 0, 0, 2), (2, 2), (BO,)),  # 2 each; 7 fish to 8
        ((5, 2, 0, 0, 0, 0), (2, 5, 0, 0, 0, 0), (2, 2), (ANA, BO)),  # 2 each, 7 fish each: a shared cup
        ((3, 3, 3, 3, 3, 3), (3, 3, 3, 3, 3, 3), (0, 0), (ANA, BO)),
        ((6, 6, 0, 0, 0, 0), (0, 0, 0, 0, 0, 7), (0, 0), (ANA,)),  # no points; 12 fish to 7
    ],
)
def test_who_has_more_of_a_suit_scores_what_the_other_has_of_it(
    ana: tuple[int, ...], bo: tuple[int, ...], scores: tuple[int, int], cup: tuple[int, ...]
) -> None:
    assert points((ana, bo)) == scores
    assert winners((ana, bo)) == cup
    lines = list(explanation(("Ana", "Bo"), (ana, bo), True))
    assert [line.what.split(":")[0].lower() for line in lines[:6]] == list(SUITS)
    assert (sum(line.amounts[0] for line in lines[:6]), sum(line.amounts[1] for line in lines[:6])) == scores


def test_the_explanation_says_who_has_more_and_what_broke_a_tie() -> None:
    lines = [line.what for line in explanation(("Ana", "Bo"), ((5, 2, 1, 0, 0, 0), (2, 4, 1, 0, 0, 0)), True)]
    assert lines == [
        "Moons: 5 to 2, Ana scores 2",
        "Suns: 4 to 2, Bo scores 2",
        "Waves: 1 each, so nobody scores",
        "Leaves: nobody ate any",
        "Wyrms: nobody ate any",
        "Knots: nobody ate any",
        "Equal, more fish: Ana, 8 to 7",
    ]
    assert len(list(explanation(("Ana", "Bo"), ((5, 2, 1, 0, 0, 0), (2, 4, 1, 0, 0, 0)), False))) == 6


# Courts and Pawns (ruling U9)


@pytest.mark.parametrize(
    ("fish", "worth"),
    [
        ("moons suns suns leaves", 4),
        ("moons moons suns leaves", 8),
        ("moons waves knots suns", 12),
        ("moons waves knots knots", 16),
    ],
)
def test_a_court_is_worth_4_for_each_fish_of_its_suits(new_match: Callable[..., Any], fish: str, worth: int) -> None:
    match = new_match("suns", "leaves waves", "wyrms wyrms knots", fish, deck="courts")
    match.play(BO, 4, BO, "court-moons-waves-knots")
    assert match.position.state.zone(4).total(BO) == worth


def test_a_court_meets_a_demand_by_each_of_its_suits_and_eats(new_match: Callable[..., Any]) -> None:
    match = new_match("suns", "leaves waves", "moons waves knots", "moons knots knots wyrms", deck="courts")
    match.play(BO, 3, BO, "court-moons-waves-knots")
    assert match.zone(3)["lacking"] == [{"moons": 1, "waves": 1, "knots": 1}, {}]
    match.play(ANA, 3, ANA, "3-moons-waves").play(BO, 1, BO, "ace-suns").play(ANA, 3, ANA, "8-wyrms-knots")
    assert match.answer["eaten"] == [{}, {"moons": 1, "waves": 1, "knots": 1}]  # 12 to 3 + 8


def test_a_pawn_is_played_like_a_court_and_courts_are_then_zone_markers(new_match: Callable[..., Any]) -> None:
    match = new_match("suns", "leaves waves", "moons suns leaves", "moons knots knots wyrms", deck="pawns")
    match.play(BO, 3, BO, "pawn-moons-suns-leaves")
    assert match.position.state.zone(3).total(BO) == 12
    assert "(deck: pawns)" in match.refused_play(ANA, 3, ANA, "court-suns-leaves-knots").message
    assert "(deck: pawns)" in match.refused_play(ANA, 3, ANA, "excuse").message
    assert match.refused(ExcuseTake(ANA, 3, "ace-suns")).rule == "U9"


def test_pawns_are_no_cards_where_they_mark_the_zones(new_match: Callable[..., Any]) -> None:
    assert "(deck: courts)" in new_match(deck="courts").refused_play(BO, 4, BO, "pawn-moons-suns-leaves").message


def test_a_court_without_a_lacking_suit_does_not_fit(new_match: Callable[..., Any]) -> None:
    refusal = new_match(deck="courts").refused_play(BO, 1, BO, "court-moons-leaves-wyrms")
    assert refusal.message == ("The Rite does not fit on Bo’s side of zone 1. No moon, leaf or wyrm fish swims in zone 1.")


# The Excuse (ruling U10)


def swap(drawn: str, returned: str, zone: int = 3, player: int = BO) -> ExcuseSwap:
    return ExcuseSwap(player, zone, tuple(drawn.split()), tuple(returned.split()), "hand")


@pytest.mark.parametrize(
    ("drawn", "returned", "fish"),
    [
        ("suns moons moons", "suns moons moons", ["wyrms", "wyrms", "knots"]),  # just the drawn ones
        ("suns moons moons", "wyrms wyrms knots", ["suns", "moons", "moons"]),  # just the old ones
        ("suns moons moons", "wyrms knots moons", ["wyrms", "suns", "moons"]),  # a combination
        ("wyrms wyrms suns", "wyrms wyrms wyrms", ["knots", "wyrms", "suns"]),
    ],
)
def test_the_excuse_swaps_fish_of_a_zone(new_match: Callable[..., Any], drawn: str, returned: str, fish: list[str]) -> None:
    match = new_match(deck="courts").enter(swap(drawn, returned))
    assert sorted(match.zone(3)["fish"]) == sorted(fish)
    assert match.answer["bag"] == 32
    assert match.answer["turn"] == ANA
    lacking = {suit: fish.count(suit) for suit in fish}
    assert match.zone(3)["lacking"] == [lacking, lacking]


@pytest.mark.parametrize(
    ("drawn", "returned", "message", "field"),
    [
        ("suns moons", "suns moons", "Draw 3 fish, as many as zone 3 holds, not 2.", "drawn"),
        ("suns moons suns knots", "suns moons suns knots", "Draw 3 fish, as many as zone 3 holds, not 4.", "drawn"),
        ("suns moons moons", "suns moons", "Put back as many fish as were drawn: 3, not 2.", "returned"),
        (
            "suns moons moons",
            "suns suns moons",
            "Zone 3 and the fish drawn do not have so many sun fish to put back.",
            "returned.1",
        ),
        (
            "suns moons moons",
            "suns moons leaves",
            "Zone 3 and the fish drawn do not have so many leaf fish to put back.",
            "returned.2",
        ),
    ],
)
def test_a_swap_with_other_fish_is_refused(
    new_match: Callable[..., Any], drawn: str, returned: str, message: str, field: str
) -> None:
    refusal = new_match(deck="courts").refused(swap(drawn, returned))
    assert (refusal.message, refusal.field, refusal.rule) == (message, field, "U10")


def test_fish_are_not_swapped_that_the_bag_does_not_have(new_match: Callable[..., Any]) -> None:
    match = new_match("moons", "moons moons", "knots knots moons", "moons moons moons wyrms", deck="courts")
    assert match.refused(swap("moons knots knots", "moons knots knots")).message == "The bag has no moon fish left."


def test_fish_are_swapped_only_where_nobody_has_played(new_match: Callable[..., Any]) -> None:
    for side in (ANA, BO):
        match = new_match(deck="courts").play(BO, 3, side, "ace-knots")
        assert match.refused(swap("suns moons moons", "suns moons moons", player=ANA)).message == (
            "Cards lie in zone 3. Fish are swapped only in a zone that nobody has played into."
        )
        match.enter(swap("suns moons", "suns moons", zone=2, player=ANA))


def test_with_too_few_fish_in_the_bag_as_many_as_are_left_are_swapped(new_match: Callable[..., Any]) -> None:
    match = new_match("suns", "suns suns", "suns suns suns", "moons moons moons moons", cards="untracked", deck="courts")
    feast(match, 4, "moons moons moons suns", "waves waves waves waves", "waves waves waves leaves")
    feast(match, 4, "leaves leaves leaves leaves", "leaves leaves wyrms wyrms", "wyrms wyrms wyrms wyrms")
    feast(match, 4, "wyrms knots knots knots")
    feast(match, 1, "knots")
    feast(match, 2, "knots knots")
    assert match.answer["bag_suits"] == {"knots": 1}
    assert match.refused(swap("knots knots knots", "suns suns suns")).message == (
        "Draw 1 fish, as many as are left in the bag, not 3."
    )
    match.enter(swap("knots", "suns"))
    assert match.zone(3)["fish"] == ["suns", "suns", "knots"]
    assert match.answer["bag_suits"] == {"suns": 1}
    feast(match, 1, "suns")
    match.enter(swap("", ""))  # an empty bag: nothing is drawn, nothing goes back
    assert match.zone(3)["fish"] == ["suns", "suns", "knots"]


def test_the_excuse_takes_back_a_card_of_the_own_side(new_match: Callable[..., Any]) -> None:
    match = new_match(deck="courts").play(BO, 3, BO, "4-wyrms-knots").play(ANA, 3, BO, "ace-wyrms")
    match.enter(ExcuseTake(BO, 3, "4-wyrms-knots"))
    assert match.zone(3) == {
        "fish": ["wyrms", "wyrms", "knots"],
        "sides": [[], ["ace-wyrms"]],
        "lacking": [{"wyrms": 2, "knots": 1}, {"wyrms": 1, "knots": 1}],
    }
    assert match.answer["turn"] == ANA
    match.play(ANA, 1, ANA, "ace-suns").play(BO, 4, BO, "4-wyrms-knots")  # the card is in hand again


def test_taking_back_a_card_that_was_not_needed_leaves_the_side_full(new_match: Callable[..., Any]) -> None:
    match = new_match("suns", "leaves waves", "knots waves wyrms", "moons moons moons moons", deck="courts")
    match.play(BO, 3, BO, "crown-knots").enter(Discard(ANA, 0)).play(BO, 3, BO, "ace-knots ace-waves ace-wyrms")
    match.enter(Discard(ANA, 0), ExcuseTake(BO, 3, "crown-knots"))
    assert match.zone(3)["lacking"][BO] == {}
    assert match.position.state.zone(3).total(BO) == 3


@pytest.mark.parametrize(
    ("player", "card", "zone", "message"),
    [
        (ANA, "4-wyrms-knots", 3, "The 4 of wyrms and knots does not lie on Ana’s own side of zone 3."),
        (ANA, "ace-suns", 1, "The Ace of suns does not lie on Ana’s own side of zone 1."),
        (ANA, "excuse", 1, "The Excuse does not lie on Ana’s own side of zone 1."),
        (ANA, "pawn-moons-suns-leaves", 1, "You play without the Harvest (deck: courts)."),
        (BO, "4-wyrms-knots", 3, "It is Ana’s turn, not Bo’s."),
    ],
)
def test_no_other_card_is_taken_back(new_match: Callable[..., Any], player: int, card: str, zone: int, message: str) -> None:
    match = new_match(deck="courts").play(BO, 3, BO, "4-wyrms-knots")
    assert match.refused(ExcuseTake(player, zone, card)).message == message


def test_the_excuse_is_not_placed_on_a_side(new_match: Callable[..., Any]) -> None:
    assert "The Excuse is not placed on a side" in new_match(deck="courts").refused_play(BO, 1, BO, "excuse").message


@pytest.mark.parametrize("deck", ["basic", "pawns"])
def test_without_courts_there_is_no_excuse(new_match: Callable[..., Any], deck: str) -> None:
    match = new_match(deck=deck)
    assert match.refused(swap("suns moons moons", "suns moons moons")).rule == "U9"
    assert match.refused(ExcuseTake(BO, 1, "ace-suns")).rule == "U9"


# Tables that do not enter their cards (records: option cards)


def test_without_cards_the_players_say_who_ate(new_match: Callable[..., Any]) -> None:
    match = new_match(cards="untracked")
    assert match.answer["turn"] is None
    match.enter(Eat(3, ANA))
    assert match.answer["eaten"] == [{"wyrms": 2, "knots": 1}, {}]
    assert match.refused(Eat(3, BO)).message == "Zone 3 has no fish to eat. Fill zone 3 first."
    assert match.refused(Eat(2, BO)).message == "Fill zone 3 first."
    match.fill(3, "moons moons moons").enter(Eat(1, BO)).fill(1, "moons")
    assert match.answer["eaten"] == [{"wyrms": 2, "knots": 1}, {"suns": 1}]
    assert match.answer["turn"] is None
    assert match.zone(3)["lacking"] == [{"moons": 3}, {"moons": 3}]


def test_without_cards_either_player_may_swap_fish_at_any_time(new_match: Callable[..., Any]) -> None:
    match = new_match(cards="untracked", deck="courts")
    match.enter(
        swap("suns moons moons", "suns moons moons", player=ANA), swap("suns moons moons", "wyrms suns moons", player=ANA)
    )
    assert match.answer["turn"] is None


@pytest.mark.parametrize("event", [Play(BO, 1, BO, ("ace-suns",)), Discard(BO, 0), ExcuseTake(BO, 1, "ace-suns")])
def test_without_cards_there_are_no_plays(new_match: Callable[..., Any], event: Any) -> None:
    assert "The cards of this match are not entered" in new_match(cards="untracked", deck="courts").refused(event).message


def test_with_cards_nobody_has_to_say_who_ate(match: Any) -> None:
    assert match.refused(Eat(1, BO)).message == "Here the cards decide who eats."
