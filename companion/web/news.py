"""What did a line of a match's log do, in words, and what does the arrow take back now?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from companion.engine.core import Stop
from companion.engine.text import Name, Sentence, say
from companion.matches.drafts import SharedDraft, Step
from companion.matches.log import Log, Written
from companion.screens.page import Screens, as_sentence, own_row

SOMEBODY = say("Another phone")  # whoever has not said whose phone it is
SO_FAR = say("what is known so far")  # a step that nobody named


class WatchedMatch(Protocol):
    """What has to be known of a match, and of who looks at it, to say what is new in it."""

    @property
    def log(self) -> Log: ...
    @property
    def screens(self) -> Screens: ...
    @property
    def sides(self) -> tuple[str, ...]: ...
    @property
    def shared(self) -> SharedDraft: ...
    @property
    def person(self) -> int | None: ...


@dataclass(frozen=True, slots=True)
class TakesBack:
    """A button that takes something back, or does it again: what it says, and what its form sends."""

    label: str
    fields: Mapping[str, str | int]


@dataclass(frozen=True, slots=True)
class News:
    """The newest thing that happened in a match, for the phones that did not do it: who did what, and the totals before.

    ``by`` is the number of who did it, ``row`` the id of the row that shows it, ``corrected`` whether it says something new.
    """

    id: str
    what: str
    before: str = ""
    row: str = ""
    corrected: bool = False
    by: int | None = None


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
    own = row == own_row(entry)
    name = as_sentence(context.screens.name(entry, context.sides))
    who = log.who(line.player)
    by = None if who is None else Name(who)
    if by is None:
        words = say("corrected") if own else say("{entry} corrected", entry=name)
    else:
        words = say("corrected by {player}", player=by) if own else say("{entry} corrected by {player}", entry=name, player=by)
    return Corrected(row, words, context.screens.numbers(before, before.entry(line.of)))


def news(context: WatchedMatch) -> News | None:
    """Return the newest thing that happened, unless it was this phone's owner who did it.

    Taps of the open round show themselves.
    """
    log = context.log
    if did_newest(context):
        return None
    if (gone := _taken_back(context)) is not None:
        by = log.who(gone.by)
        who = say("Somebody") if by is None else Name(by)
        name = step_name(gone)
        if is_told(name):
            return News(f"step-{gone.id}", say("{who} took back: {what}", who=who, what=name), by=gone.by)
        return News(f"step-{gone.id}", say("{who} took back {what}", who=who, what=name), by=gone.by)
    if not log.written or log.before is None:
        return None
    line = log.written[-1]
    totals = context.screens.summary(log.before.standing)
    changed = totals != context.screens.summary(log.standing)
    shown = None if line.kind == "undo" else log.entry(line.seq if line.of is None else line.of)
    return News(
        f"{log.match_id}-{line.seq}",
        describe_line(context.screens, log, line, say("Somebody")),
        say("Before: {totals}", totals=as_sentence(totals)) if changed and log.before.entries else "",
        "" if shown is None else context.screens.row(log, shown),
        line.kind == "correct",
        line.player,
    )


def did_newest(context: WatchedMatch) -> bool:
    """Return True if the newest thing was done by whoever this phone belongs to."""
    gone, written = _taken_back(context), context.log.written
    by = gone.by if gone is not None else written[-1].player if written else None
    return by == context.person is not None


def _taken_back(context: WatchedMatch) -> Step | None:
    """Return the step of the open round that was taken back, if that is newer than every entry."""
    log = context.log
    return context.shared.taken_back if not log.position.finished and log.seq == log.head else None


def name_of(screens: Screens, log: Log, seq: int, sides: Sequence[str], *, short: bool = False) -> Sentence:
    """Return what line ``seq`` is called: an entry by its name, its correction too. ``log`` is one in which the entry counts.

    ``short``: without an article, for a button.
    """
    line = log.written[seq - 1]
    if line.kind == "correct" and line.of is not None:
        entry = as_sentence(screens.name(log.entry(line.of), sides))
        return say("correction of {entry}", entry=entry) if short else say("the correction of {entry}", entry=entry)
    return as_sentence(screens.name(log.entry(seq), sides))


def step_name(step: Step) -> Sentence:
    """Return what a step of the draft is called."""
    return as_sentence(step.what or SO_FAR)


def is_told(name: Sentence) -> bool:
    """Return whether a name is a sentence of its own, "Di took it", after which a colon comes; "di took it" is one, too."""
    first = name.template[1:].partition("}")[0].partition(":")[0] if name.template.startswith("{") else ""
    return name[:1].isupper() or isinstance(name.parts.get(first), Name)


def to_undo(name: Sentence) -> Sentence:
    """Return what is done to an entry, or to a step that is told in a sentence: "Undo round 6", "Undo: Di took it"."""
    return say("Undo: {what}", what=name) if is_told(name) else say("Undo {what}", what=name)


def to_redo(name: Sentence) -> Sentence:
    """Return the same for what is brought back."""
    return say("Redo: {what}", what=name) if is_told(name) else say("Redo {what}", what=name)


def sure_to_undo(name: Sentence) -> Sentence:
    """Return the question before an undo that nobody expects: "Undo round 6?", "Undo “Ana plays Snapper Snatch on Cy”?"."""
    return say("Undo “{what}”?", what=name) if is_told(name) else say("Undo {what}?", what=name)


def sure_to_redo(name: Sentence) -> Sentence:
    """Return the same for what is brought back."""
    return say("Redo “{what}”?", what=name) if is_told(name) else say("Redo {what}?", what=name)


def takes_back(context: WatchedMatch) -> TakesBack | None:
    """Return what "undo" means now: the newest step of the open round, else the newest entry; None where there is nothing."""
    step = context.shared.newest
    if step is not None and not context.log.position.finished:
        return TakesBack(to_undo(step_name(step)), {"step": step.id, "head": context.log.head})
    if context.log.newest is None:
        return None
    name = name_of(context.screens, context.log, context.log.newest, context.sides, short=True)
    return TakesBack(to_undo(name), {"of": context.log.newest, "newest": 1})


def does_again(context: WatchedMatch) -> list[TakesBack]:
    """Return what can be done again that was taken back: the newest step of the open round, and the newest entry."""
    ways = []
    step = context.shared.taken_back
    if step is not None and not context.log.position.finished:
        ways.append(TakesBack(to_redo(step_name(step)), {"again": step.id, "head": context.log.head}))
    if context.log.redo is not None:
        ways.append(TakesBack(to_redo(undone_name(context)), {"of": context.log.redo}))
    return ways


def undone_name(context: WatchedMatch) -> Sentence:
    """Return what the entry or correction is called that "redo" brings back."""
    undo = context.log.written[(context.log.redo or 1) - 1]
    if undo.of is None:
        return SO_FAR
    return name_of(context.screens, context.log.as_of(undo.seq - 1), undo.of, context.sides, short=True)


def describe_line(screens: Screens, log: Log, line: Written, somebody: Sentence = SOMEBODY) -> Sentence:
    """Return what a line did, and who: "Ana saved round 3", "Bo undid round 2". ``log`` is the log as it stood after it."""
    called = log.who(line.player)
    who = somebody if called is None else Name(called)
    sides = log.standing.sides
    before = log.before
    if line.kind == "events":
        if any(isinstance(event, Stop) for event in line.events):
            return say("{who} stopped the match", who=who)
        name = name_of(screens, log, line.seq, sides)
        if name.startswith((f"{who} ", f"{who}’")):  # it says who: "Ana plays Snapper Snatch on Cy", and "Bo’s 4" in full
            return as_sentence(screens.describe_entry(log.entry(line.seq), sides))
        if is_told(name):
            return say("{who} entered: {what}", who=who, what=name)
        if name.startswith("the "):
            return say("{who} entered {what}", who=who, what=name)
        return say("{who} saved {what}", who=who, what=name)
    if before is None or line.of is None:
        return say("{who} entered something", who=who)
    if line.kind == "correct":
        name = as_sentence(screens.name(before.entry(line.of), sides))
        return (
            say("{who} corrected: {what}", who=who, what=name)
            if is_told(name)
            else say("{who} corrected {what}", who=who, what=name)
        )
    name, brings_back = describe_undo(screens, before, log, line)
    if brings_back:
        return (
            say("{who} brought back: {what}", who=who, what=name)
            if is_told(name)
            else say("{who} brought back {what}", who=who, what=name)
        )
    return say("{who} undid: {what}", who=who, what=name) if is_told(name) else say("{who} undid {what}", who=who, what=name)


def describe_undo(screens: Screens, before: Log, after: Log, line: Written) -> tuple[Sentence, bool]:
    """Return what an undo took out of force, as it is called, or else that it brought it back: an undo of an undo does."""
    target, brings_back = line, True
    while target.kind == "undo" and target.of is not None:
        target, brings_back = after.written[target.of - 1], not brings_back
    return name_of(screens, after if brings_back else before, target.seq, after.standing.sides), brings_back
