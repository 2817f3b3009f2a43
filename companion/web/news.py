"""What did a line of a match's log do, in words, and what does the arrow take back now?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from companion.engine.core import Stop
from companion.matches.drafts import Shared, Step
from companion.matches.log import Log, Written
from companion.screens.page import Screens, own_row

SOMEBODY = "Another phone"  # whoever has not said whose phone it is
SO_FAR = "what is known so far"  # a step that nobody named


class Played(Protocol):
    """Who plays a match, in turn order."""

    @property
    def players(self) -> tuple[str, ...]: ...


class WatchedMatch(Protocol):
    """What has to be known of a match, and of who looks at it, to say what is new in it."""

    @property
    def match(self) -> Played: ...
    @property
    def log(self) -> Log: ...
    @property
    def screens(self) -> Screens: ...
    @property
    def sides(self) -> tuple[str, ...]: ...
    @property
    def shared(self) -> Shared: ...
    @property
    def viewer(self) -> int | None: ...


@dataclass(frozen=True, slots=True)
class TakesBack:
    """A button that takes something back, or does it again: what it says, and what its form sends."""

    label: str
    fields: Mapping[str, str | int]


@dataclass(frozen=True, slots=True)
class News:
    """The newest thing that happened in a match, for the phones that did not do it: who did what, and the totals before.

    ``row`` is the id of the row that shows it, ``corrected`` whether it says something else than before.
    """

    id: str
    what: str
    before: str = ""
    row: str = ""
    corrected: bool = False


@dataclass(frozen=True, slots=True)
class Corrected:
    """What a corrected row says besides its new numbers: who corrected it, and the numbers before."""

    row: str
    words: str = ""
    was: Sequence[int | None] = ()


def corrected(context: WatchedMatch) -> Corrected | None:
    """Return what the match's newest line corrected, if it is a correction."""
    log = context.log
    line = log.written[-1] if log.written else None
    if line is None or line.kind != "correct" or line.of is None or log.before is None:
        return None
    entry, before = log.entry(line.of), log.before
    row = context.screens.row(log, entry)
    name = "" if row == own_row(entry) else f"{context.screens.name(entry, context.sides)} "
    by = "" if line.player is None else f" by {context.match.players[line.player]}"
    return Corrected(row, f"{name}corrected{by}", context.screens.numbers(before, before.entry(line.of)))


def news(context: WatchedMatch) -> News | None:
    """Return the newest thing that happened, unless it was this phone's player who did it.

    Taps of the open round show themselves.
    """
    log = context.log
    if not log.position.finished and (gone := context.shared.taken_back) is not None and log.seq == log.head:
        who = "Somebody" if gone.by is None else context.match.players[gone.by]
        return (
            None if gone.by == context.viewer is not None else News(f"step-{gone.id}", to(f"{who} took back", step_name(gone)))
        )
    if not log.written or log.before is None:
        return None
    line = log.written[-1]
    if line.player == context.viewer is not None:
        return None
    totals = context.screens.summary(log.before.standing)
    changed = totals != context.screens.summary(log.standing)
    shown = None if line.kind == "undo" else log.entry(line.seq if line.of is None else line.of)
    return News(
        f"{log.match_id}-{line.seq}",
        describe_line(context.screens, log, line, context.match.players).replace(SOMEBODY, "Somebody"),
        f"Before: {totals}" if changed and log.before.entries else "",
        "" if shown is None else context.screens.row(log, shown),
        line.kind == "correct",
    )


def name_of(screens: Screens, log: Log, seq: int, sides: Sequence[str]) -> str:
    """Return what line ``seq`` is called: an entry by its name, its correction too.

    ``log`` is one in which the entry counts.
    """
    line = log.written[seq - 1]
    if line.kind == "correct" and line.of is not None:
        return f"the correction of {screens.name(log.entry(line.of), sides)}"
    return screens.name(log.entry(seq), sides)


def step_name(step: Step) -> str:
    """Return what a step of the draft is called."""
    return step.what or SO_FAR


def to(verb: str, name: str) -> str:
    """Return what is done to an entry, or to a step that is told in a sentence: "Undo round 6", "Undo: Di took it"."""
    return f"{verb}{':' if name[:1].isupper() else ''} {name}"


def to_press(verb: str, name: str) -> str:
    """Return the same on a button, where there is little room: "Undo correction of round 6"."""
    return to(verb, name.removeprefix("the "))


def takes_back(context: WatchedMatch) -> TakesBack | None:
    """Return what "undo" means now: the newest step of the open round, else the newest entry; None where there is nothing."""
    step = context.shared.newest
    if step is not None and not context.log.position.finished:
        return TakesBack(to_press("Undo", step_name(step)), {"step": step.id, "head": context.log.head})
    if context.log.newest is None:
        return None
    return TakesBack(
        to_press("Undo", name_of(context.screens, context.log, context.log.newest, context.sides)),
        {"of": context.log.newest, "newest": 1},
    )


def does_again(context: WatchedMatch) -> list[TakesBack]:
    """Return what can be done again that was taken back: the newest step of the open round, and the newest entry."""
    ways = []
    step = context.shared.taken_back
    if step is not None and not context.log.position.finished:
        ways.append(TakesBack(to_press("Redo", step_name(step)), {"again": step.id, "head": context.log.head}))
    if context.log.redo is not None:
        ways.append(TakesBack(to_press("Redo", undone_name(context)), {"of": context.log.redo}))
    return ways


def undone_name(context: WatchedMatch) -> str:
    """Return what the entry or correction is called that "redo" brings back."""
    undo = context.log.written[(context.log.redo or 1) - 1]
    return "" if undo.of is None else name_of(context.screens, context.log.as_of(undo.seq - 1), undo.of, context.sides)


def describe_line(screens: Screens, log: Log, line: Written, players: Sequence[str]) -> str:
    """Return what a line did, and who: "Ana saved round 3", "Bo undid round 2". ``log`` is the log as it stood after it."""
    who = SOMEBODY if line.player is None else players[line.player]
    sides = log.standing.sides
    before = log.before
    if line.kind == "events":
        if any(isinstance(event, Stop) for event in line.events):
            return f"{who} stopped the match"
        name = name_of(screens, log, line.seq, sides)
        verb = "entered" if name[:1].isupper() or name.startswith("the ") else "saved"
        return name if name.startswith(who) else to(f"{who} {verb}", name)
    if before is None or line.of is None:
        return f"{who} entered something"
    if line.kind == "correct":
        return to(f"{who} corrected", screens.name(before.entry(line.of), sides))
    name, brings_back = describe_undo(screens, before, log, line)
    return to(f"{who} {'brought back' if brings_back else 'undid'}", name)


def describe_undo(screens: Screens, before: Log, after: Log, line: Written) -> tuple[str, bool]:
    """Return what an undo took out of force, as it is called, or else that it brought it back: an undo of an undo does."""
    target, brings_back = line, True
    while target.kind == "undo" and target.of is not None:
        target, brings_back = after.written[target.of - 1], not brings_back
    return name_of(screens, after if brings_back else before, target.seq, after.standing.sides), brings_back
