"""Which game is small enough to know by heart? Points are added and taken away, never below 0; the first at 21 wins."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import msgspec

from companion.engine.core import Event, Game, Options, RuleError, Standing
from companion.engine.text import say

Points = Annotated[int, msgspec.Meta(ge=-30, le=30)]


class Score(Event, frozen=True, tag="score"):
    """So many points for a player, or from them."""

    player: Annotated[int, msgspec.Meta(ge=0, le=3)]
    points: Points


class TallyOptions(Options, frozen=True):
    """What it takes to win."""

    target: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 21


class TallyState(msgspec.Struct, frozen=True):
    """Everybody's points."""

    target: int
    scores: tuple[int, ...]


def _start(players, options):
    return TallyState(options.target, (0,) * len(players))


def _apply(state, event):
    if event.player >= len(state.scores):
        raise RuleError(say("Nobody sits there."), field="player")
    total = state.scores[event.player] + event.points
    if total < 0:
        raise RuleError(say("That would leave {total} points.", total=total), rule="Below zero", field="points")
    return TallyState(state.target, (*state.scores[: event.player], total, *state.scores[event.player + 1 :]))


def _finished(state):
    return max(state.scores) >= state.target


def _standing(state):
    winners = tuple(player for player, score in enumerate(state.scores) if score >= state.target)
    return Standing(state.scores, tuple("ABCD"[: len(state.scores)]), bool(winners), winners)


TALLY = Game("tally", "Tally", (2, 4), TallyOptions, (Score,), _start, _apply, _finished, _standing)
ANY_TIME = replace(TALLY, slug="any-time", title="Any Time", turns=False)
