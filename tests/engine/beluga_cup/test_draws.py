"""Does the app draw the same fish whenever the same draw is made, and is it proved afterwards?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.engine import fair_draw
from companion.engine.beluga_cup import GAME, BelugaCupOptions, Eat, ExcuseSwap, Fill, draw_fill, draw_swap
from companion.engine.bisque import Pot
from companion.engine.core import Event, Position, RuleError, Stop, start
from companion.engine.fair_draw import DrawError

ANA, BO = 0, 1
SEED = bytes(range(32))
KEY = fair_draw.key(SEED, ["pearl", "flü"])
OPTIONS = BelugaCupOptions(deck="courts", cards="untracked", seal=fair_draw.seal(SEED), words=("pearl", "flü"))


def filled(*zones: int) -> tuple[Position[Any], list[Event]]:
    position, events = start(GAME, ("Ana", "Bo"), OPTIONS), []
    for zone in zones:
        events.append(draw_fill(position.state, KEY, zone))
        position = position.apply(events[-1])
    return position, events


def verify(events: list[Any], *, options: BelugaCupOptions = OPTIONS, seed: bytes = SEED) -> int:
    assert GAME.verify is not None
    return GAME.verify(("Ana", "Bo"), options, seed, events)


def test_the_first_fish_are_those_worked_out_for_this_seed_and_these_words() -> None:
    """The known answer of the bag's tests, as the fish of zone 3."""
    assert filled(3)[1] == [Fill(3, ("moons", "wyrms", "suns"), "app")]


def test_only_a_zone_that_waits_is_drawn_for() -> None:
    position, _ = filled(1, 2)
    with pytest.raises(RuleError, match=r"Zone 1 has its fish\. Fill zones 3 and 4 first\."):
        draw_fill(position.state, KEY, 1)


def test_a_draw_undone_is_drawn_again_alike_and_the_draws_after_it_too() -> None:
    position, events = filled(1, 2, 3, 4)
    assert filled(1, 2, 3, 4) == (position, events)
    earlier, _ = filled(1, 2, 3)
    assert draw_fill(earlier.state, KEY, 4) == events[3]


def test_fish_drawn_by_hand_do_not_count_as_draws_of_the_app() -> None:
    position = start(GAME, ("Ana", "Bo"), OPTIONS).apply(Fill(1, ("knots",), "hand"))
    assert position.state.drawn == 0
    assert position.apply(draw_fill(position.state, KEY, 2)).state.drawn == 2


def test_an_event_of_another_game_is_no_proof_of_anything() -> None:
    with pytest.raises(DrawError, match=r"This is not an event of Beluga Cup\.") as refused:
        verify([*filled(1)[1], Pot("ace-moons")])
    assert refused.value.event == 1


def swapped(returned: Callable[[tuple[str, ...], tuple[str, ...]], tuple[str, ...]]) -> tuple[Position[Any], list[Event]]:
    position, events = filled(1, 2, 3, 4)
    drawn = draw_swap(position.state, KEY, 3)
    event = ExcuseSwap(ANA, 3, drawn, returned(position.state.zone(3).fish, drawn), "app")
    return position.apply(event), [*events, event]


def test_what_goes_back_after_a_swap_can_be_drawn_later() -> None:
    for returned in (lambda fish, drawn: fish, lambda fish, drawn: drawn):
        position, events = swapped(returned)
        position = position.apply(Eat(2, BO))
        again = draw_fill(position.state, KEY, 2)
        assert verify([*events, Eat(2, BO), again]) == 10 + 3 + 2


def test_a_swap_is_drawn_only_where_it_is_allowed() -> None:
    position, _ = filled(1, 2, 3)
    with pytest.raises(RuleError, match="Fill zone 4 first"):
        draw_swap(position.state, KEY, 1)
    basic = start(GAME, ("Ana", "Bo"))
    for zone in (1, 2, 3, 4):
        basic = basic.apply(draw_fill(basic.state, KEY, zone))
    with pytest.raises(RuleError, match="only with the Courts"):
        draw_swap(basic.state, KEY, 1)


def test_draws_are_counted_and_those_by_hand_are_not() -> None:
    _, events = filled(1, 2)
    assert verify(events) == 3
    assert verify([*events, Fill(3, ("knots", "knots", "knots"), "hand"), Stop()]) == 3
    assert verify([]) == 0


@pytest.mark.parametrize(
    ("change", "event", "message"),
    [
        ({"options": BelugaCupOptions()}, None, "This match has no seal, so its draws can’t be verified."),
        ({"seed": bytes(31)}, None, "A seed has 32 bytes, not 31."),
        ({"seed": bytes(32)}, None, "The seed is not the one that was sealed before the match."),
        (
            {"events": [Fill(3, ("moons", "suns", "wyrms"), "app")]},
            0,
            "Zone 3 got moons, suns and wyrms, but seed and words draw",
        ),
        ({"events": [Fill(3, ("moons", "suns"), "app")]}, 0, "Zone 3 takes 3 fish, not 2."),
        ({"events": [Stop(), Fill(3, ("moons", "wyrms", "suns"), "app")]}, 1, "The match is over before this."),
    ],
)
def test_the_first_thing_that_is_wrong_is_named(change: dict[str, Any], event: int | None, message: str) -> None:
    _, events = filled(3, 1)
    with pytest.raises(DrawError) as mismatch:
        verify(**{"events": events, **change})
    assert mismatch.value.event == event
    assert message in mismatch.value.message


def test_a_seal_in_capitals_is_the_same_seal() -> None:
    _, events = filled(1)
    options = BelugaCupOptions(deck="courts", cards="untracked", seal=fair_draw.seal(SEED).upper(), words=OPTIONS.words)
    assert verify(events, options=options) == 1


def test_a_record_may_name_the_app_without_a_seal_but_can_not_be_verified() -> None:
    """Replay takes it as it was written down; only verifying asks for the seal."""
    position = start(GAME, ("Ana", "Bo"), BelugaCupOptions()).apply(Fill(1, ("moons",), "app"))
    assert position.standing().details["bag"] == 41
