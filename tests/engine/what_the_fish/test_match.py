"""Is the table after every card as worked out by hand: the rules' example game and two more swims?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.engine import core
from companion.engine.records import any_of
from companion.engine.what_the_fish import GAME, Wtf
from companion.engine.what_the_fish.advice import next_move

RECORD = json.loads(Path(__file__).with_name("match.json").read_text())
EVENTS = msgspec.convert(RECORD["events"], list[any_of(GAME.event_types())])


def after(events: list[core.Event]) -> core.Position[Any]:
    return core.replay(core.start(GAME, RECORD["players"]), events)


# Event by event: the layers, the number to beat, whether the fish dies, how many died. None: no fish swims.
TABLE: list[tuple[list[int], int | None, bool, int]] = [
    ([8], 8, False, 0),  # Ana is quickest: a FISH of 8
    ([8, 4], 8, False, 0),  # Bo's first KILL is not above 8
    ([8, 10], 10, True, 0),  # 4 + 6 = 10 is above 8
    ([8, 10, 11], 11, False, 0),  # Ana's 11 is above 10
    ([8, 10, 11, 9], 11, False, 0),  # Cy's 9 is not above 11: help is needed
    ([8, 10, 11, 9], 11, False, 0),  # Ana swaps hands with Cy: nothing changes on the table
    ([8, 10, 11, 22], 22, True, 0),  # Bo's 13: 9 + 13 = 22 is above 11
    ([], None, False, 1),  # belly up
    ([11], 11, False, 1),  # Cy's FISH of 11
    ([11, 13], 13, True, 1),  # Ana's only KILL: 13 is above 11
    ([11, 13], 13, True, 1),  # Cy's Flint Flush: new cards, the same table. Here the rule text's example leaves the game.
    ([11, 13, 9], 13, True, 1),  # 9 is short of 13: the 13 must still be exceeded
    ([11, 13, 14], 14, False, 1),  # 9 + 5 = 14 is above 13
    ([11, 13, 14, 15], 15, True, 1),  # Bo's 15 is above 14
    ([11, 13, 14], 14, False, 1),  # undone
    ([], None, False, 1),  # Beaver Buddha: nobody's fish died
    ([], None, False, 1),  # Ana takes the dead 8 back: one fish has died all the same
    ([12], 12, False, 1),  # Bo's FISH of 12
    ([12, 7], 12, False, 1),  # Ana: 7 is not above 12
    ([12, 7], 12, False, 1),  # Cy moves a card from Ana to Bo
    ([12, 15], 15, True, 1),  # Cy: 7 + 8 = 15 is above 12
    ([12, 15, 16], 16, False, 1),  # Bo: 16 is above 15
    ([12, 15, 16, 3], 16, False, 1),  # Ana: 3 is not above 16
    ([], None, False, 1),  # nobody adds to it: Bo's fish is free
]


def test_every_event_of_the_match_has_its_line_in_the_table() -> None:
    assert len(TABLE) == len(EVENTS) == 24


@pytest.mark.parametrize("played", range(1, 25))
def test_the_table_after_each_event(played: int) -> None:
    details = after(EVENTS[:played]).standing().details
    layers, to_beat, dies, dead = TABLE[played - 1]
    assert details["layers"] == layers
    assert details["to_beat"] == to_beat
    assert details["dies"] is dies
    assert details["dead_fish"] == dead


def test_bo_wins_the_match() -> None:
    standing = after(EVENTS).standing()
    assert standing.finished
    assert standing.winners == (1,)
    assert standing.scores == (0, 1, 0)
    assert standing.details["free_fish"] == [0, 1, 0]
    assert standing.details["fish"] is None


def test_what_became_of_each_fish_is_told_and_adds_up_to_the_scores() -> None:
    lines = after(EVENTS).standing().lines
    assert [(line.what, line.amounts) for line in lines] == [
        ("Ana’s fish of 8 died", (0, None, None)),
        ("Cy’s fish of 11 swam without a result", (None, None, 0)),
        ("Bo’s fish of 12 swam free", (None, 1, None)),
    ]


def test_whose_fish_ended_how() -> None:
    state = after(EVENTS).state
    assert state.ended("dead") == (1, 0, 0)
    assert state.ended("no result") == (0, 0, 1)
    assert state.ended("free") == (0, 1, 0)
    assert after(EVENTS[:7]).state.ended("dead") == (0, 0, 0)


def test_the_huge_number_of_the_example_is_22_and_ana_must_beat_it() -> None:
    move = next_move(after(EVENTS[:7]).state)
    assert (move.side, move.least, move.missing) == ("owner", 23, 23)
    assert move.sentence == "Ana’s fish: 23 or more saves it."


def test_who_laid_what_in_the_fourth_layer_of_the_example() -> None:
    layers = after(EVENTS[:7]).state.duel.layers
    assert [(play.player, play.value) for play in layers[3].plays] == [(2, 9), (1, 13)]
    assert [layer.kind for layer in layers] == ["fish", "attack", "protection", "attack"]


def test_the_undone_card_lies_frozen_for_the_swim_and_no_longer() -> None:
    frozen = after(EVENTS[:15]).state.duel.frozen
    assert [(play.player, play.value) for play in frozen] == [(1, 15)]
    assert len(after(EVENTS[:18]).state.duel.frozen) == 0


def test_nothing_follows_a_free_fish() -> None:
    over = after(EVENTS)
    with pytest.raises(core.RuleError, match="over"):
        over.apply(Wtf(0, "mrs-crobits", target=1))
