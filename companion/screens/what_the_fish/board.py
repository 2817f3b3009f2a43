"""How does a match of What the Fish! look? It shows the number to beat, its layers, and every card of every swim."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from companion.engine.core import Event
from companion.engine.text import Name, say
from companion.engine.what_the_fish import WhatTheFishState
from companion.engine.what_the_fish.advice import NextMove, next_move
from companion.engine.what_the_fish.duel import Duel
from companion.matches.log import InForce, Log
from companion.screens.interface import Board, DraftBody, Reading, Stage
from companion.screens.what_the_fish import words

LATEST = 6  # swims that are over and are listed on the match's own page


@dataclass(frozen=True, slots=True)
class EventLine:
    """One thing that happened in a swim: its title, and what came of it, with the rule behind it."""

    entry: InForce
    title: str
    came_of_it: str
    rule: str


@dataclass(frozen=True, slots=True)
class SwimRow:
    """A swim, or what was played between two: its title, how it ended ("free", "dead" ...; None while it lasts), its lines."""

    number: int
    title: str
    how: str | None
    rank: int | None
    lines: tuple[EventLine, ...]


def lines(entries: Sequence[InForce]) -> tuple[EventLine, ...]:
    """Return what these entries say, oldest first."""
    event_lines = []
    for entry in entries:
        position = entry.before
        for event in entry.events:
            after = position.apply(event)
            title = words.describe(event, position.players, position.state)
            event_lines.append(EventLine(entry, title, words.came_of_it(event, position.state, after.state), rule(event)))
            position = after
    return tuple(event_lines)


def rule(event: Event) -> str:
    """Return the rule behind an event: a section of the rule text, or a ruling."""
    return words.RULES.get(type(event), "")


def swim_of(entry: InForce) -> int:
    """Return which swim of the match an entry belongs to, from 1; what is played between two belongs to the next."""
    state: WhatTheFishState = entry.before.state
    return len(state.endings) + 1


def row(_log: Log, entry: InForce) -> str:
    """Return the row that shows an entry: its swim's."""
    return f"swim-{swim_of(entry)}"


def newest_swim(log: Log) -> tuple[EventLine, ...]:
    """Return what happened since the last swim ended."""
    number = len(log.position.state.endings) + 1
    newest_entries: list[InForce] = []
    for entry in reversed(log.entries):
        if swim_of(entry) != number:
            break
        newest_entries.append(entry)
    return lines(newest_entries[::-1])


def swims(log: Log) -> list[SwimRow]:
    """Return all swims, newest first."""
    state: WhatTheFishState = log.position.state
    endings = list(state.endings)
    titles = [line.what for line in log.standing.lines]
    by_number: dict[int, list[InForce]] = {}
    for entry in log.entries:
        by_number.setdefault(swim_of(entry), []).append(entry)
    rows = []
    for number, entries in by_number.items():
        over = number <= len(endings)
        ending = endings[number - 1] if over else None
        if ending is not None:
            title = titles[number - 1]
        elif state.duel is not None:
            title = say("{player}’s fish of {n} swims", player=Name(state.players[state.duel.player]), n=state.duel.rank)
        else:
            title = say("No fish has swum since")
        rank = ending.rank if ending else state.duel.rank if state.duel else None
        rows.append(SwimRow(number, title, ending.how if ending else None, rank, lines(entries)))
    return rows[::-1]


def banner(state: WhatTheFishState) -> tuple[str, str]:
    """Return who must do something about the number, and the kind of card that does it."""
    if state.winner is not None:
        return say("{player}’s fish is free!", player=Name(state.players[state.winner])), "fish"
    if state.duel is None:
        return say("Play a FISH!"), "fish"
    owner = Name(state.players[state.duel.player])
    if state.duel.dies:
        return say("{player}, beat this", player=owner), "protect"
    return say("Beat {player}’s fish", player=owner), "kill"


def corrected_layers(log: Log) -> tuple[list[dict[str, Any]], int | None]:
    """Return the layers of the swim and the number to beat before the newest line, where that corrected what is in sight.

    A layer that changed is ``corrected``, and says what it ``was``, until the next entry.
    """
    state: WhatTheFishState = log.position.state
    layers = words.layers(state)
    if log.before is None or log.written[-1].kind != "correct":
        return layers, None
    before: WhatTheFishState = log.before.position.state
    if before.duel is None or state.duel is None or len(before.endings) != len(state.endings):
        return layers, None
    for layer, old in zip_longest(layers, words.layers(before)[: len(layers)]):
        if layer != old:
            was = old["total"] if old and old["total"] != layer["total"] else None
            layer.update(corrected=True, was=was)
    return layers, before.duel.to_beat if before.duel.to_beat != state.duel.to_beat else None


@dataclass(frozen=True, slots=True, kw_only=True)
class DuelBoard(Board):
    """What a match's page shows as ``board``, besides names and links."""

    move: NextMove
    duel: Duel | None
    banner: str
    fill: str
    layers: Sequence[Mapping[str, Any]]
    was_to_beat: int | None
    frozen: Sequence[str]
    swim: Sequence[EventLine]
    died: int
    taken_back: int
    over: int
    ended: Sequence[Mapping[str, Any]]
    freed: Sequence[int]
    lost: Sequence[int]


def board(log: Log, stored: DraftBody | None, viewer: int | None) -> DuelBoard:
    """Return everything that the match's page shows besides names and links."""
    state: WhatTheFishState = log.position.state
    duel = state.duel
    layers, was_to_beat = corrected_layers(log)
    endings = list(state.endings)
    titles = [line.what for line in log.standing.lines]
    text, fill = banner(state)
    ended = [
        {"number": number, "title": title, "how": ending.how, "rank": ending.rank}
        for number, (title, ending) in enumerate(zip(titles, endings, strict=True), start=1)
    ]
    return DuelBoard(
        asks=duel.player if duel and duel.dies else None,  # nobody in particular must kill a fish
        move=next_move(state),
        duel=duel,
        banner=text,
        fill=fill,
        layers=layers,
        was_to_beat=was_to_beat,
        frozen=[words.played(play, state.players) for play in duel.frozen] if duel else [],
        swim=newest_swim(log),
        died=state.died,
        taken_back=state.taken_back,
        over=len(endings),
        ended=ended[: -LATEST - 1 : -1],
        freed=state.ended("free"),
        lost=state.ended("dead"),
    )


@dataclass(frozen=True, slots=True)
class History(Reading):
    """Every swim, newest first."""

    swims: Sequence[SwimRow]


def history(log: Log, _viewer: int | None, _query: Mapping[str, str]) -> History:
    """Return every swim."""
    return History(swims(log))


def stage(log: Log) -> Stage:
    """Return the swim that is played. Nobody can tell how many there will be."""
    state: WhatTheFishState = log.position.state
    # NOTE: how far a match is, in a narrow column
    return Stage(say("Swim {n}", n=len(state.endings) + (state.winner is None)))
