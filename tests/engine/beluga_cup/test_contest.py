"""How does one zone stand without a match? The rules' examples, who is ahead, who eats, ties, what can't lie there."""

from __future__ import annotations

import pytest

from companion.engine.beluga_cup import Contest, TableZone, contest
from companion.engine.core import Line, RuleError

ANA, BO = 0, 1
NAMES = ("Ana", "Bo")

GREEN_AND_YELLOW = "wyrms wyrms knots"  # zone 3 of the rule text: 2 green fish and 1 yellow one


def ask(fish: str, ana: str = "", bo: str = "", *, deck: str = "basic", last: int | None = None) -> Contest:
    return contest(NAMES, deck, TableZone(tuple(fish.split()), (tuple(ana.split()), tuple(bo.split()))), last)


def refused(fish: str, ana: str = "", bo: str = "", **options: str) -> RuleError:
    with pytest.raises(RuleError) as refusal:
        ask(fish, ana, bo, **options)
    return refusal.value


def test_what_each_side_lacks_and_who_is_ahead() -> None:
    # the 4 of wyrms and knots meets one green and the yellow one; one green fish is still lacking
    said = ask(GREEN_AND_YELLOW, "4-wyrms-knots")
    assert said.zone.number == 3
    assert (said.zone.lacks(ANA), said.zone.lacks(BO)) == (("wyrms",), ("wyrms", "wyrms", "knots"))
    assert said.title == "Ana is ahead, 4 to 0"
    assert said.sentences == (
        "Ana’s side still lacks 1 wyrm fish. Its cards are worth 4.",
        "Bo’s side still lacks 2 wyrm fish and 1 knot fish. Its cards are worth 0.",
    )
    assert (said.eater, said.tied, said.rule) == (None, False, "U4")


@pytest.mark.parametrize(
    ("ana", "bo", "title"),
    [
        ("4-wyrms-knots", "8-wyrms-knots", "Bo is ahead, 8 to 4"),
        ("9-leaves-knots", "4-wyrms-knots", "Ana is ahead, 9 to 4"),
    ],
)
def test_whoever_is_ahead_is_named_with_both_totals(ana: str, bo: str, title: str) -> None:
    assert ask(GREEN_AND_YELLOW, ana, bo).title == title


def test_the_example_of_a_card_that_may_not_follow() -> None:
    # "You may not play 6 leaves knots since the yellow demand is met. You may play 8 wyrms knots"
    refusal = refused(GREEN_AND_YELLOW, "4-wyrms-knots 6-leaves-knots")
    assert refusal.message == (
        "The 6 of leaves and knots does not fit on Ana’s side of zone 3. "
        "This side has its knots already. No leaf fish swims in zone 3."
    )
    assert (refusal.rule, refusal.field) == ("U2", "sides.0.1")
    assert ask(GREEN_AND_YELLOW, "4-wyrms-knots 8-wyrms-knots").zone.full(ANA)


def test_the_higher_total_eats_and_every_number_is_told() -> None:
    # 4 + 8 = 12 against 5 + 6 = 11
    said = ask(GREEN_AND_YELLOW, "4-wyrms-knots 8-wyrms-knots", "5-wyrms-knots 6-suns-wyrms")
    assert said.title == "Ana eats 2 wyrm fish and 1 knot fish"
    assert said.sentences == (
        "Both sides are full: Ana’s cards are worth 12, Bo’s 11, so Ana eats 2 wyrm fish and 1 knot fish.",
        "Bo plays next.",
    )
    assert said.lines == (
        Line("The 4 of wyrms and knots", (4, None), "U4"),
        Line("The 8 of wyrms and knots", (8, None), "U4"),
        Line("The 5 of wyrms and knots", (None, 5), "U4"),
        Line("The 6 of suns and wyrms", (None, 6), "U4"),
    )
    assert (said.eater, said.tied, said.rule) == (ANA, False, "U4")
    assert (said.zone.total(ANA), said.zone.total(BO)) == (12, 11)


def test_the_example_of_several_aces() -> None:
    # "A zone has a yellow, blue, and green fish and you have already met the yellow and blue demand. You may play the yellow,
    # blue, and green aces as a single play": 10 + 10 + 1 + 1 + 1 = 23
    aces = "ace-knots ace-waves ace-wyrms"
    said = ask("knots waves wyrms", f"crown-knots crown-waves {aces}")
    assert said.zone.full(ANA)
    assert said.title == "Ana is ahead, 23 to 0"
    refusal = refused("knots waves wyrms", "crown-knots crown-waves ace-knots ace-waves")
    assert (refusal.rule, refusal.field) == ("U3", "sides.0.3")
    assert "do not fit together" in refusal.message
    # an Ace that is placed after the side is full comes too late, whatever it is placed with
    assert refused("knots waves wyrms", f"crown-knots crown-waves crown-wyrms {aces}").field == "sides.0.5"


@pytest.mark.parametrize("last", [ANA, BO])
def test_a_tie_goes_to_whoever_placed_the_last_card(last: int) -> None:
    # 2 + 9 = 11 and 5 + 6 = 11
    cards = ("2-suns-wyrms 9-leaves-knots", "5-wyrms-knots 6-suns-wyrms")
    asked = ask("wyrms knots suns", *cards)
    assert (asked.title, asked.tied, asked.eater, asked.rule) == ("A tie at 11", True, None, "U4")
    assert (asked.zone.total(ANA), asked.zone.total(BO), len(asked.lines)) == (11, 11, 4)
    assert asked.sentences == (
        "Both sides are full and worth 11: whoever placed the last card eats 1 sun fish, 1 wyrm fish and 1 knot fish.",
    )
    said = ask("wyrms knots suns", *cards, last=last)
    assert (said.eater, said.tied) == (last, True)
    name, other = NAMES[last], NAMES[1 - last]
    assert said.sentences == (
        f"Both sides are full and worth 11: {name} placed the last card and eats 1 sun fish, 1 wyrm fish and 1 knot fish.",
        f"{other} plays next.",
    )


def test_equal_totals_before_both_sides_are_full() -> None:
    said = ask("moons suns", "crown-moons", "crown-suns", last=ANA)
    assert (said.title, said.eater, said.tied) == ("Nobody is ahead: 10 each", None, False)


def test_a_court_is_worth_four_for_each_fish_of_its_suits() -> None:
    # the Consul has moons, waves and knots: two moons, a wave and no knot make 4 x 3 = 12
    said = ask("moons moons waves suns", "court-moons-waves-knots", deck="courts")
    assert said.lines == (Line("The Consul: 4 for each fish of its suits, here 3", (12, None), "U9"),)
    assert said.title == "Ana is ahead, 12 to 0"


@pytest.mark.parametrize(
    ("fish", "sides", "rule", "field", "sentence"),
    [
        ("", ("ace-moons", ""), "U1", "fish", "Which fish swim in the zone? Zone 1 has one, zone 4 has four."),
        ("moons " * 5, ("", ""), "U1", "fish", "A zone holds at most 4 fish, not 5."),
        ("moons", ("tiger", ""), "", "sides.0.0", "“tiger” is not a card of the Decktet"),
        ("moons", ("", "court-moons-waves-knots"), "U9", "sides.1.0", "You play without the Consul"),
        (
            "moons",
            ("ace-moons", "ace-moons"),
            "",
            "sides.1.0",
            "There is only one of each card: the Ace of moons is twice in zone 1.",
        ),
        ("moons", ("ace-moons crown-moons", ""), "U2", "sides.0.1", "This side is full."),
        (
            "moons suns",
            ("ace-moons ace-knots", ""),
            "U3",
            "sides.0.1",
            "No knot fish swims in zone 2: every Ace of a set must match one.",
        ),
    ],
)
def test_what_can_not_lie_there(fish: str, sides: tuple[str, str], rule: str, field: str, sentence: str) -> None:
    refusal = refused(fish, *sides)
    assert (refusal.rule, refusal.field) == (rule, field)
    assert sentence in refusal.message


def test_the_excuse_lies_on_no_side() -> None:
    refusal = refused("moons", "excuse", deck="courts")
    assert (refusal.rule, refusal.field) == ("U10", "sides.0.0")
