"""How do tests write BeloZ? Events and questions as in a record, players Ana and Cy against Bo and Di."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import msgspec
import pytest

from companion.engine.beloz import GAME, BelozOptions
from companion.engine.beloz.declarations import Declaration
from companion.engine.beloz.scoring import Round, RoundResult, score_round
from companion.engine.core import Event

PLAYERS = ("Ana", "Bo", "Cy", "Di")


@pytest.fixture(scope="session")
def event() -> Callable[..., Event]:
    """Return an event from a record's JSON terms: event("passed-deal")."""

    def decode(kind: str, **parts: Any) -> Event:
        return msgspec.convert({"type": kind, **parts}, type=GAME.events[0] | GAME.events[1])

    return decode


@pytest.fixture(scope="session")
def played() -> Callable[..., Round]:
    """Return a round in which nothing special happened, but for what is given: played(beloz=3)."""

    def decode(**parts: Any) -> Round:
        usual = {"bidder": 0, "flooded": "south", "count": {"team": 0, "points": 78}, "last_expedition": 0, "declarations": []}
        return msgspec.convert({"type": "round", **usual, **parts}, type=Round)

    return decode


@pytest.fixture(scope="session")
def scored(played: Callable[..., Round]) -> Callable[..., RoundResult]:
    """Return what a round scores: scored(beloz=3, options={"target": 500})."""

    def score(options: dict[str, Any] | None = None, **parts: Any) -> RoundResult:
        return score_round(PLAYERS, msgspec.convert(options or {}, type=BelozOptions), played(**parts))

    return score


@pytest.fixture(scope="session")
def declared() -> Callable[..., list[Declaration]]:
    """Return declarations from short notes: declared("0 north 6-8", "1 quads lion", "3 west 1-3 hidden")."""

    def decode(*notes: str) -> list[Declaration]:
        found: list[dict[str, Any]] = []
        for note in notes:
            player, place, what, *hidden = note.split()
            one: dict[str, Any] = {"player": int(player)}
            if place == "quads":
                one |= {"kind": "quads", "animal": what}
            else:
                lowest, highest = what.split("-")
                one |= {"kind": "straight_flush", "plain": place, "lowest": int(lowest), "highest": int(highest)}
            if hidden:
                one["shown"] = False
            found.append(one)
        return msgspec.convert(found, type=list[Declaration])

    return decode


@pytest.fixture(scope="session")
def ask() -> Callable[..., Any]:
    """Return an answer, in JSON's terms: ask(flooded="south", hand=["north-lion"], player=0, expedition=[])."""

    def answer(**parts: Any) -> Any:
        kind = GAME.questions[1] if "ask" in parts else GAME.questions[0]
        assert GAME.answer is not None
        return msgspec.to_builtins(GAME.answer(msgspec.convert({"game": "beloz", **parts}, type=kind)), enc_hook=str)

    return answer


# How many cards are worth how much: 4 lions 11, 4 leopards 10, 4 elephants 4, 4 rhinoceros 3, 3 dry crocodiles 2, the flooded
# crocodile 20, the flooded water snake 15, and nothing: 3 dry water snakes, 4 monkeys, 4 meerkats
WORTH = {11: 4, 10: 4, 4: 4, 3: 4, 2: 3, 20: 1, 15: 1, 0: 11}


@pytest.fixture(scope="session")
def reachable() -> list[set[int]]:
    """Return the possible totals by expeditions, by choosing how many cards of each worth are in the pile."""
    by_cards: list[set[int]] = [set() for _ in range(33)]
    for chosen in product(*(range(number + 1) for number in WORTH.values())):
        by_cards[sum(chosen)].add(sum(worth * number for worth, number in zip(WORTH, chosen, strict=True)))
    return by_cards[::4]
