"""How do tests lay a table of Beluga Cup? For two: Ana (player 0) deals, Bo (player 1) plays first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.engine.beluga_cup import GAME, BelugaCupOptions, Fill, Play
from companion.engine.core import Event, Position, RuleError, replay, start

ANA, BO = 0, 1


class Match:
    """A match in progress. Zone 1 has a sun, zone 2 a leaf and a wave, zone 3 the fish of the rule text's example
    (two green, one yellow), zone 4 a moon, two knots and a wyrm, unless told otherwise."""

    FISH = ("suns", "leaves waves", "wyrms wyrms knots", "moons knots knots wyrms")

    def __init__(self, *fish: str, **options: Any) -> None:
        self.position: Position[Any] = start(GAME, ("Ana", "Bo"), BelugaCupOptions(**options))
        for number, others in enumerate(fish or self.FISH, 1):
            self.fill(number, others)

    @property
    def answer(self) -> Any:
        return self.position.standing().details

    @property
    def scores(self) -> tuple[int | None, ...]:
        return self.position.standing().scores

    def zone(self, number: int) -> Any:
        return self.answer["zones"][number - 1]

    def enter(self, *events: Event) -> Match:
        self.position = replay(self.position, events)
        return self

    def fill(self, zone: int, fish: str, by: str = "hand") -> Match:
        return self.enter(Fill(zone, tuple(fish.split()), by))

    def play(self, player: int, zone: int, side: int, cards: str) -> Match:
        return self.enter(Play(player, zone, side, tuple(cards.split())))

    def refused(self, event: Event) -> RuleError:
        before = self.position
        with pytest.raises(RuleError) as refusal:
            self.position.apply(event)
        assert self.position == before
        return refusal.value

    def refused_play(self, player: int, zone: int, side: int, cards: str) -> RuleError:
        return self.refused(Play(player, zone, side, tuple(cards.split())))


@pytest.fixture
def match() -> Match:
    return Match()


@pytest.fixture
def new_match() -> Callable[..., Match]:
    return Match
