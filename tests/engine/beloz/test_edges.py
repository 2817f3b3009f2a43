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
