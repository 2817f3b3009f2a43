"""What is said of a swim? What the huge number asks for, and what each card that lies there has done."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine import core
from companion.engine.what_the_fish import GAME, Dead, Free, Kill, Protect, Swim
from companion.engine.what_the_fish.advice import account, next_move, plays
from companion.engine.what_the_fish.cards import new_hand

ANA, BO, CY = range(3)
FISH = Swim(ANA, 8)


def after(*events: core.Event) -> Any:
    return core.replay(core.start(GAME, ("Ana", "Bo", "Cy")), events).state


@pytest.mark.parametrize(
    ("events", "text"),
    [
        ((), "Anybody may play a FISH"),
        ((FISH,), "9 or more kills it"),
        ((FISH, Kill(BO, 4)), "4 so far, 5 more to kill it"),
        ((FISH, Kill(BO, 8)), "8 so far, 1 more to kill it"),
        ((FISH, Kill(BO, 4), Kill(BO, 6)), "11 or more saves it"),
        ((FISH, Kill(BO, 10), Protect(ANA, 3)), "3 so far, 8 more to save it"),
        ((FISH, Kill(BO, 10), Protect(ANA, 11)), "12 or more kills it"),
        ((FISH, Kill(BO, 10), Protect(ANA, 11), Kill(CY, 9)), "9 so far, 3 more to kill it"),
        ((FISH, Kill(BO, 10), Protect(ANA, 11), Kill(CY, 9), Kill(BO, 13)), "23 or more saves it"),
        ((FISH, Kill(BO, 10), Dead()), "Anybody may play a FISH"),
        ((FISH, Free()), "Ana wins"),
    ],
)
def test_what_is_asked_for_below_the_number(events: tuple[core.Event, ...], text: str) -> None:
    assert next_move(after(*events)).text == text


@pytest.mark.parametrize(
    ("events", "told"),
    [
        ((FISH,), "9 or more kills it"),
        ((FISH, Kill(BO, 4)), "4 is not above 8: 5 more to kill it"),
        ((FISH, Kill(BO, 8)), "8 is not above 8: 1 more to kill it"),
        ((FISH, Kill(BO, 4), Kill(BO, 6)), "4 + 6 = 10 is above 8: it kills"),
        ((FISH, Kill(BO, 10), Kill(CY, 2)), "10 + 2 = 12 is above 8: it kills"),
        ((FISH, Kill(BO, 10), Protect(ANA, 11)), "11 is above 10: it saves"),
        ((FISH, Kill(BO, 10), Protect(ANA, 10)), "10 is not above 10: 1 more to save it"),
        ((FISH, Kill(BO, 10), Protect(ANA, 4), Protect(ANA, 7)), "4 + 7 = 11 is above 10: it saves"),
        ((FISH, Kill(BO, 10), Protect(ANA, 11), Kill(CY, 9)), "9 is not above 11: 3 more to kill it"),
    ],
)
def test_what_a_card_did_is_told_by_its_numbers(events: tuple[core.Event, ...], told: str) -> None:
    assert account(after(*events).duel.top) == told


@pytest.mark.parametrize(
    ("events", "kinds"),
    [
        ((), ["fish", "fish", "fish"]),
        ((FISH,), ["protect", "kill", "kill"]),
        ((Swim(CY, 8), Kill(BO, 10)), ["kill", "kill", "protect"]),
        ((FISH, Kill(BO, 10), Dead()), ["fish", "fish", "fish"]),
    ],
)
def test_only_the_owner_protects_and_anyone_else_attacks(events: tuple[core.Event, ...], kinds: list[str]) -> None:
    assert [plays(after(*events), player) for player in (ANA, BO, CY)] == kinds


@pytest.mark.parametrize(("players", "cards"), [(2, 10), (3, 7), (4, 7), (6, 7)])
def test_a_flint_flush_draws_as_many_as_were_dealt(players: int, cards: int) -> None:
    assert new_hand(players) == cards
