"""BeloZ at its edges: the first and last values that are let in, and what is asked for outside a match."""

from __future__ import annotations

import msgspec
import pytest

from companion.engine.beloz import BelozOptions
from companion.engine.beloz.scoring import score_round
from companion.engine.core import RuleError

PLAYERS = ("Ana", "Bo", "Cy", "Di")


@pytest.mark.parametrize(
    "wrong",
    [
        {"bidder": -1},
        {"last_expedition": -1},
        {"beloz": -1},
        {"count": {"team": -1, "points": 78}},
        {"count": {"team": 0, "points": 1000}},
        {"count": {"team": 0, "points": 78, "expeditions": -1}},
    ],
)
def test_no_player_team_or_number_is_below_its_first_or_above_its_last(wrong: dict, played) -> None:
    with pytest.raises(msgspec.ValidationError):
        played(**wrong)


def test_a_round_that_is_shown_before_any_match_is_the_first(played) -> None:
    assert score_round(PLAYERS, BelozOptions(), played()).number == 1
    assert score_round(PLAYERS, BelozOptions(), played(), 7).number == 7


@pytest.mark.parametrize(("bidder", "margin"), [(0, 13), (1, -13), (2, 13), (3, -13)])
def test_the_margin_is_the_contracting_teams_whichever_that_is(bidder: int, margin: int, scored) -> None:
    """78 and ten last against 75: 88 to 75."""
    assert scored(bidder=bidder, count={"team": 0, "points": 78}).margin == margin


def test_beloz_is_held_against_the_declarations_of_its_round(scored) -> None:
    """Elephant and rhinoceros of the flooded plain are in one hand: nobody else declares either, in or without a run."""
    elephants = {"player": 1, "kind": "quads", "animal": "elephant"}
    with pytest.raises(RuleError) as refused:
        scored(flooded="south", declarations=[elephants], beloz=0)
    assert (refused.value.field, refused.value.rule) == ("beloz", "B14")
    assert scored(flooded="south", declarations=[elephants], beloz=1).held == (88, 195)


def on_table(first: int, *cards: str) -> list[dict]:
    return [{"player": (first + place) % 4, "card": card} for place, card in enumerate(cards)]


@pytest.mark.parametrize(
    ("question", "rule"),
    [
        ({"hand": []}, "Deal & Bid"),
        ({"expedition": on_table(3, "north-lion", "east-lion", "south-lion", "west-lion")}, "Gameplay"),
        ({"expedition": on_table(1, "north-lion")}, "B3"),
        ({"expedition": on_table(1, "north-lion", "north-lion")}, "Playing Cards"),
        ({"expedition": on_table(1, "north-lion", "north-tiger")}, "Playing Cards"),
        ({"expedition": on_table(2, "east-monkey")}, "Playing Cards"),
        ({"hand": ["east-monkey", "east-monkey"]}, "Playing Cards"),
    ],
)
def test_a_refused_table_names_the_rule(question: dict, rule: str, ask) -> None:
    with pytest.raises(RuleError) as refused:
        ask(**({"flooded": "south", "expedition": [], "player": 3, "hand": ["east-monkey"]} | question))
    assert refused.value.rule == rule


def test_a_card_twice_on_the_table_is_named(ask) -> None:
    with pytest.raises(RuleError) as refused:
        ask(flooded="south", expedition=on_table(1, "north-lion", "north-lion"), player=3, hand=["east-monkey"])
    assert refused.value.message == "The North lion is on the table twice; there is only one."


@pytest.mark.parametrize(
    ("expedition", "hand", "why"),
    [
        # The flooded crocodile leads, and not the west lion
        (
            ["north-lion", "west-lion", "east-crocodile"],
            ["east-lion", "south-lion"],
            "You hold no North card, and no East card above the other team's crocodile: any East card must leak.",
        ),
        (
            ["north-lion", "north-monkey", "east-meerkat"],
            ["east-lion", "south-lion"],
            "You hold no North card and the other team's East meerkat leads, so you must play a stronger East card.",
        ),
        (
            ["east-leopard", "east-water-snake", "west-lion"],
            ["east-crocodile"],
            "The target is East, the flooded plain, and you can beat its leading water snake, so you must rise above it.",
        ),
    ],
)
def test_the_reason_names_the_card_that_leads(expedition: list[str], hand: list[str], why: str, ask) -> None:
    assert ask(flooded="east", expedition=on_table(0, *expedition), player=3, hand=hand)["why"] == why
