"""How small can a game be that has every shape of a record? Tally: two to four players mark points up to those agreed on.

The app rolls: each roll is a byte of the seed modulo 6, in order. It knows every shape that a record can take: nested parts,
lists, choices, what may be null, a seal, look-ups with and without ``ask``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec

from companion.engine import fair_draw
from companion.engine.core import Answer, Event, Game, Line, Options, Question, RuleError, Standing
from companion.engine.fair_draw import DrawError
from companion.engine.text import say

Player = Annotated[int, msgspec.Meta(ge=0, le=3)]


class Chalk(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="chalk"):
    colour: Literal["red", "green"]
    strokes: Annotated[tuple[int, ...], msgspec.Meta(max_length=3)] = ()


class Bead(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="bead"):
    size: int | None = None


class TallyOptions(Options, frozen=True):
    goal: Annotated[int, msgspec.Meta(ge=1, le=100_000)] = 10
    seal: str | None = None


class Mark(Event, frozen=True, tag="mark"):
    player: Player
    points: Annotated[int, msgspec.Meta(ge=1)]
    with_: Chalk | Bead | None = msgspec.field(name="with", default=None)
    pair: tuple[int, int] = (0, 0)


class Roll(Event, frozen=True, tag="roll"):
    eyes: int


class MayMark(Question, frozen=True):
    game: Literal["tally"]
    player: Player
    points: int


class HowFar(Question, frozen=True):
    game: Literal["tally"]
    scores: tuple[int, int]
    goal: int = 10


class Best(Question, frozen=True):
    game: Literal["tally"]
    ask: Literal["best", "worst"]


class MayMarkAnswer(Answer, frozen=True):
    may: bool


class HowFarAnswer(Answer, frozen=True):
    missing: tuple[int, int]


class State(msgspec.Struct, frozen=True):
    goal: int
    scores: tuple[int, ...]


def start(players: tuple[str, ...], options: TallyOptions) -> State:
    if options.goal == 13:
        raise RuleError(say("Nobody plays to 13."), field="options.goal")
    return State(options.goal, (0,) * len(players))


def apply(state: State, event: Mark | Roll) -> State:
    if isinstance(event, Roll):
        return state
    if event.player >= len(state.scores):
        raise RuleError(say("There is no player {player}.", player=event.player), rule="T1", field="player")
    if event.points > 6:
        raise RuleError(say("A mark is worth at most 6."), rule="T2", field="points")
    scores = tuple(score + event.points * (player == event.player) for player, score in enumerate(state.scores))
    return State(state.goal, scores)


def finished(state: State) -> bool:
    return max(state.scores) >= state.goal


def standing(state: State) -> Standing:
    best = max(state.scores)
    winners = tuple(p for p, score in enumerate(state.scores) if score == best) if best >= state.goal else ()
    sides = tuple(f"player {player}" for player in range(len(state.scores)))
    lines = (Line(say("marks"), state.scores),)
    return Standing(state.scores, sides, bool(winners), winners, lines, details={"missing": max(0, state.goal - best)})


def answer(question: MayMark | HowFar | Best) -> MayMarkAnswer | HowFarAnswer:
    match question:
        case MayMark():
            if question.points < 0:
                raise RuleError(say("Nobody marks less than nothing."), field="points")
            return MayMarkAnswer(1 <= question.points <= 6)
        case HowFar():
            first, second = question.scores
            return HowFarAnswer((question.goal - first, question.goal - second))
        case Best():
            return MayMarkAnswer(question.ask == "best")


def verify(players: Sequence[str], options: TallyOptions, seed: bytes, events: Sequence[Event]) -> int:
    if options.seal != fair_draw.seal(seed):
        raise DrawError(None, say("The seed is not the sealed one."))
    rolls = [(index, event.eyes) for index, event in enumerate(events) if isinstance(event, Roll)]
    for (index, eyes), byte in zip(rolls, seed, strict=False):
        if eyes != byte % 6:
            raise DrawError(index, say("The seed rolls {rolled}, not {eyes}.", rolled=byte % 6, eyes=eyes))
    return len(rolls)


TALLY = Game(
    slug="tally",
    title="Tally",
    seats=(2, 4),
    options=TallyOptions,
    events=(Mark, Roll),
    start=start,
    apply=apply,
    finished=finished,
    standing=standing,
    questions=(MayMark, HowFar, Best),
    answer=answer,
    verify=verify,
)
