"""What did a line of a match's log do, in words, and what does the arrow take back now?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

import msgspec

from companion import games
from companion.engine.core import Standing, Stop
from companion.engine.text import Name, Sentence, listing, say, say_n
from companion.matches import entries
from companion.matches.drafts import Step
from companion.matches.log import REMARKS, InForce, Log, Written
from companion.screens.interface import Screens, as_sentence, by_name, named, own_row, score_line, with_capital
from companion.storage.models import MatchId
from companion.web.match.agreeing import Question, question, said_by
from companion.web.match.context import MatchContext
from companion.web.match.sides import as_shown

SOMEBODY = say("Another phone")  # a phone without a player
MOST_TOLD = 4  # entries before the newest, for who heard nothing meanwhile
SO_FAR = say("what is known so far")  # a step that nobody named


@dataclass(frozen=True, slots=True)
class TakesBack:
    """A button for Undo or Redo: its label, and the fields of its form."""

    label: str
    fields: Mapping[str, str | int]


@dataclass(frozen=True, slots=True)
class News:
    """The newest thing that happened in a match, for the phones that did not do it: who did what, and the totals before.

    ``by`` is the number of who did it, ``row`` the id of the row that shows it, ``corrected`` whether it says something new.
    ``match`` is the number of the older match that it is about, None if it is about this one.
    """

    id: str
    sentence: str
    before: str = ""
    row: str = ""
    corrected: bool = False
    by: int | None = None
    match: int | None = None


@dataclass(frozen=True, slots=True)
class Turned:
    """A line that gives an older, finished match another winner, or none. Its ``log`` ends with that line."""

    screens: Screens
    log: Log

    @property
    def by(self) -> str | None:
        """The player whose phone entered the line, if the phone has a name."""
        return self.log.who(self.log.written[-1].player)

    def news(self, by: int | None) -> News:
        """Return what is told of it in a match that the table plays now, which knows who it was as number ``by``."""
        log, number = self.log, self.log.match_id.number
        # NOTE: of an older match: "Match 1: Ana corrected round 6"
        sentence = say("Match {n}: {what}", n=number, what=describe_line(self.screens, log, log.written[-1], say("Somebody")))
        winners = [Name(log.standing.sides[side]) for side in log.standing.winners]
        if winners:
            people = len(winners) * len(log.start.players) // len(log.standing.sides)
            names = listing(winners)
            consequence = say_n(
                "{names} wins match {match} with it.", "{names} win match {match} with it.", people, names=names, match=number
            )
        else:
            consequence = say("Nobody has won match {n} now.", n=number)
        return News(f"{log.match_id}-{log.seq}", sentence, consequence, corrected=True, by=by, match=number)


def turned(screens: Screens, log: Log, since: datetime | None) -> Turned | None:
    """Return by which line after ``since`` a match has other winners, the newest of those; None if by none.

    Without ``since`` only the last line is looked at.
    """
    for line in reversed(log.written if since else log.written[-1:]):
        if since and line.at <= since:
            break
        after = log.as_of(line.seq)
        if after.before is not None and who_wins_now(after.before, after):
            return Turned(screens, after)
    return None


@dataclass(frozen=True, slots=True)
class Corrected:
    """What a corrected row says besides its new numbers: who corrected it, and the numbers before."""

    row: str
    words: str = ""
    was: Sequence[float | None] = ()


@dataclass(frozen=True, slots=True)
class Doubted:
    """An entry that somebody doubts: the number of its line, what the table is told, and what the entry says."""

    entry: int
    title: str
    details: str


@dataclass(frozen=True)
class MatchOnPage(MatchContext):
    """A match as its templates know it: with what is new in it, and what Undo and Redo mean now."""

    @classmethod
    def of(cls, context: MatchContext) -> MatchOnPage:
        """Return the same visit, with what is known of it already."""
        if isinstance(context, cls):
            return context
        on_page = cls(context.access, context.match, context.log, context.screens, context.found)
        vars(on_page).update(vars(context))
        return on_page

    @cached_property
    def turned(self) -> Turned | None:
        """An older match of the table that somebody else wins since the newest line of this one, with what changed that."""
        row = self.access.match
        if row is None or row.changed_since is None:
            return None
        try:
            older = entries.read(MatchId(row.id.table_id, row.changed_since))
        except (entries.NotFound, entries.Unreadable):
            return None
        screens = games.screens_of(older.start.game.slug)
        since = self.log.written[-1].at if self.log.written else None
        return None if screens is None else turned(screens, older, since)

    @cached_property
    def news(self) -> News | None:
        """What another phone did last."""
        return news(self)

    @property
    def is_by_viewer(self) -> bool:
        """True if the phone's own player did the newest thing."""
        if self.turned is not None:
            return self.turned.by == self.log.who(self.person) is not None
        gone, written = _taken_back(self), self.log.written
        by = gone.by if gone is not None else written[-1].player if written else None
        return by == self.person is not None

    @property
    def faster(self) -> str:
        """The sentence for a tap that came too late: the faster player, and the newest entry."""
        return faster(self)

    @property
    def newest(self) -> str:
        """What was entered, undone or corrected last, in words; empty before the first entry."""
        if not self.log.written:
            return ""
        return self._told(self.log.written[-1], self.log)

    def _told(self, line: Written, log: Log) -> str:
        """Return what a line did, in words. ``log`` is the log as it stood after it; an entry is told as it stands now."""
        if log.is_remark(line):
            return describe_line(self.screens, log, line)
        if line.kind != "events":
            who = named(self.who(line.player))
            return say("{who} undid an entry", who=who) if line.kind == "undo" else say("{who} corrected an entry", who=who)
        return self.screens.describe_entry(self.log.entry(line.seq), self.log.standing.sides)

    def told_since(self, seq: int) -> list[tuple[int, str]]:
        """Return the lines after the line ``seq`` and before the newest, each with its words, for who heard nothing since.

        An entry that was corrected since is told as it stands now, and one that was undone since is not told.
        """
        log = self.log
        since = log.written[max(seq, len(log.written) - MOST_TOLD - 1) : -1]
        counting = {entry.seq for entry in log.entries}
        untold = {line.seq for line in since if line.kind in {"events", "correct"}}
        return [
            (line.seq, self._told(line, log if line.kind == "events" else log.as_of(line.seq)))
            for line in since
            if (line.seq in counting if line.kind == "events" else line.kind != "restore" and line.of not in untold)
        ]

    @cached_property
    def _corrected(self) -> Corrected | None:
        return corrected(self)

    def corrected_in(self, row: str) -> Corrected:
        """Return what the row with this id says of a correction, until the next entry."""
        if row in self._doubts:
            return Corrected(row, self._doubts[row])
        correction = self._corrected
        return correction if correction is not None and correction.row == row else Corrected(row)

    @cached_property
    def _doubts(self) -> dict[str, str]:
        """What is said of doubts, by the id of the row that shows the entry; the newest of a row."""
        log = self.log
        return {
            self.screens.row(log, log.entry(seq)): say("{player} doubts it", player=named(log.who(line.player) or SOMEBODY))
            for seq, line in log.doubts.items()
        }

    @property
    def doubted(self) -> list[Doubted]:
        """The entries that somebody doubts, the newest first."""
        log, screens, sides = self.log, self.screens, self.log.standing.sides
        doubted = []
        for entry in reversed(log.entries if log.doubts else ()):
            if entry.seq in log.doubts:
                by = named(log.who(log.doubts[entry.seq].player) or SOMEBODY)
                details = with_capital(screens.describe_entry(entry, sides))
                doubted.append(Doubted(entry.seq, say("{player} doubts it", player=by), details))
        return doubted

    @cached_property
    def question(self) -> Question | None:
        """What the other side is asked of the newest entry, at a table that chose to ask."""
        return question(self)

    @property
    def is_asked(self) -> bool:
        """True if this phone asks it."""
        return self.question is not None and (not self.question.unanswered or self.viewer in self.question.unanswered)

    def said_by(self, entry: InForce) -> Sentence:
        """Return what an entry says, and who entered it."""
        return said_by(self, entry)

    def shares_row(self, entry: InForce) -> bool:
        """Return True for an entry that has no row of its own, where it could be doubted: a trick, a card."""
        return self.screens.row(self.log, entry) != own_row(entry)

    def row_address(self, row: str, rows: Sequence[Any] | None) -> str:
        """Return where a row is: among the ``rows`` on the match's own page, or on the page that has every entry."""
        if rows is None or "history" not in self.screens.views or any(row == own_row(listed.entry) for listed in rows):
            return f"#{row}"
        place = next((place for place, entry in enumerate(self.log.entries, start=1) if own_row(entry) == row), None)
        return f"{self.url('show_view', view='history', to=place)}#{row}"

    @cached_property
    def takes_back(self) -> TakesBack | None:
        """What Undo takes back now, or None."""
        return takes_back(self)

    @cached_property
    def does_again(self) -> list[TakesBack]:
        """The undone entries and steps that Redo can bring back."""
        return does_again(self)


def corrected(context: MatchOnPage) -> Corrected | None:
    """Return what the match's newest line corrected, if it is a correction."""
    log = context.log
    line = log.written[-1] if log.written else None
    if line is None or line.kind != "correct" or line.of is None or log.before is None:
        return None
    entry, before = log.entry(line.of), log.before
    row = context.screens.row(log, entry)
    is_own = row == own_row(entry)
    name = context.name_of(entry)
    who = log.who(line.player)
    by = None if who is None else Name(who)
    if by is None:
        words = say("corrected") if is_own else say("{entry} corrected", entry=name)
    else:
        words = (
            say("corrected by {player}", player=by) if is_own else say("{entry} corrected by {player}", entry=name, player=by)
        )
    return Corrected(row, words, context.screens.numbers(before, before.entry(line.of)))


def news(context: MatchOnPage) -> News | None:
    """Return the newest thing that happened, unless it was this phone's owner who did it.

    Taps of the open round show themselves.
    """
    log = context.log
    if context.is_by_viewer:
        return None
    if context.turned is not None:
        by = context.turned.by
        return context.turned.news(log.people.index(by) if by in log.people else None)
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
    about = remark_of(log, line) or line
    entry = None if about.kind in {"undo", "restore"} else log.entry(about.seq if about.of is None else about.of)
    consequence = who_wins_now(log.before, log)
    if not consequence and changed and log.before.entries:
        consequence = say("Before: {totals}", totals=short_totals(context, log.before.standing))
    details = what_it_says(context, log.before)
    return News(
        f"{log.match_id}-{line.seq}",
        describe_line(context.screens, log, line, say("Somebody")),
        listing([details, as_sentence(consequence)], "text") if details is not None and consequence else details or consequence,
        "" if entry is None else context.screens.row(log, entry),
        line.kind == "correct",
        line.player,
    )


def short_totals(context: MatchOnPage, standing: Standing) -> Sentence:
    """Return how a match stood, in a few words; two scores need no names, below those on the screen and in their order."""
    if context.screens.summary is not by_name or len(standing.sides) != 2:
        return as_sentence(context.screens.summary(standing))
    return score_line(msgspec.structs.replace(standing, scores=tuple(as_shown(standing.scores))))


def what_it_says(context: MatchOnPage, before: Log) -> Sentence | None:
    """Return what the newest line says beyond its name: of a correction the old and the new, of a trick its card.

    ``before`` is the log without that line.
    """
    log, screens, sides = context.log, context.screens, context.log.standing.sides
    line = log.written[-1]
    if line.kind == "correct" and line.of is not None:
        old, new = screens.value(before.entry(line.of), sides), screens.value(log.entry(line.of), sides)
        doubt = before.doubts.get(line.of)
        settled = [] if doubt is None else [say("{player} doubted it.", player=named(log.who(doubt.player) or SOMEBODY))]
        if old.number and new.number:
            if old.number != new.number:
                settled.insert(0, say("{was}, now {now}.", was=named(old.number), now=named(new.number)))
            return listing(settled, "text") if settled else None
        old_facts = {fact.topic: fact.value for fact in old.facts}
        # NOTE: what was corrected: "Won by: Ana, now Bo."
        corrections = [
            say("{what}: {was}, now {now}.", what=named(fact.topic), was=named(old_facts[fact.topic]), now=named(fact.value))
            for fact in new.facts
            if fact.topic in old_facts and old_facts[fact.topic] != fact.value
        ][:2]
        corrections += settled
        return listing(corrections, "text") if corrections else None
    if line.kind == "events":
        entry = log.entry(line.seq)
        words = screens.value(entry, sides).words
        says_more = words != with_capital(screens.describe_entry(entry, sides))
        if says_more and not is_told(as_sentence(screens.name(entry, sides))):
            return say("{what}.", what=as_sentence(words))
    return None


def winners(standing: Standing, players: int) -> tuple[Sentence, int]:
    """Return who has won, in a listing, and how many people that is: a team of two "win"."""
    names = listing([Name(standing.sides[side]) for side in standing.winners])
    return names, len(standing.winners) * players // len(standing.sides)


def who_wins_now(before: Log, log: Log) -> str:
    """Return who wins a match that was over before and has another winner now, or that nobody has won it; else nothing."""
    standing_before, standing_now = before.standing, log.standing
    if not standing_before.winners or standing_before.winners == standing_now.winners:
        return ""
    if not standing_now.winners:
        return say("Nobody has won now.")
    names, people = winners(standing_now, len(log.start.players))
    return say_n("{names} wins now.", "{names} win now.", people, names=names)


def faster(context: MatchOnPage) -> str:
    """Return who did the newest thing and how that changed the match, for a phone that tapped a moment later."""
    log, step = context.log, context.shared.newest
    if (gone := _taken_back(context)) is not None:
        return say("{who} took back: {what}", who=_who(log, gone.by), what=step_name(gone))
    if step is not None and not log.position.finished:
        return say("{player} was faster: {what}", player=_who(log, step.player), what=step_name(step))
    if not log.written:
        return ""
    line = log.written[-1]
    if line.kind != "events":
        return describe_line(context.screens, log, line)
    who = _who(log, line.player)
    if log.position.turns or log.position.finished:
        return say("{player} was faster: {what}", player=who, what=name_of(context.screens, log, line.seq, log.standing.sides))
    return say("{player} was faster. {now}", player=who, now=with_capital(context.screens.summary(log.standing)))


def _who(log: Log, number: int | None) -> Name | Sentence:
    called = log.who(number)
    return SOMEBODY if called is None else Name(called)


def _taken_back(context: MatchOnPage) -> Step | None:
    """Return the step of the open round that was taken back, if that is newer than every entry."""
    log = context.log
    return context.shared.taken_back if not log.position.finished and log.seq == log.head else None


def name_of(screens: Screens, log: Log, seq: int, sides: Sequence[str], *, short: bool = False) -> Sentence:
    """Return what line ``seq`` is called: an entry by its name, its correction too. ``log`` is one in which the entry counts.

    ``short``: without an article, for a button.
    """
    line = log.written[seq - 1]
    if line.kind in REMARKS and line.of is not None:
        return as_sentence(screens.name(log.entry(line.of), sides))
    if line.kind == "correct" and line.of is not None:
        entry = as_sentence(screens.name(log.entry(line.of), sides))
        if entry.context == "what was entered":  # a term: languages have a form of it for this
            return say("correction of {entry}", entry=entry) if short else say("the correction of {entry}", entry=entry)
        return say("correction of “{entry}”", entry=entry) if short else say("the correction of “{entry}”", entry=entry)
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


def takes_back(context: MatchOnPage) -> TakesBack | None:
    """Return what "undo" means now: the newest step of the open round, else the newest entry; None where there is nothing."""
    step = context.shared.newest
    if step is not None and not context.log.position.finished:
        return TakesBack(to_undo(step_name(step)), {"step": step.id, "head": context.log.head})
    if context.log.newest is None:
        return None
    name = name_of(context.screens, context.log, context.log.newest, context.log.standing.sides, short=True)
    return TakesBack(to_undo(name), {"of": context.log.newest, "newest": 1})


def does_again(context: MatchOnPage) -> list[TakesBack]:
    """Return what can be done again that was taken back last: a step of the open round, or an entry. One way at most."""
    step, entry = context.shared.taken_back, context.log.redo
    if step is not None and not context.log.position.finished and (entry is None or step.at >= entry):
        return [TakesBack(to_redo(step_name(step)), {"again": step.id, "head": context.log.head})]
    return [] if entry is None else [TakesBack(to_redo(undone_name(context)), {"of": entry})]


def undone_name(context: MatchOnPage) -> Sentence:
    """Return what the entry or correction is called that "redo" brings back."""
    undo = context.log.written[(context.log.redo or 1) - 1]
    if undo.of is None:
        return SO_FAR
    return name_of(context.screens, context.log.as_of(undo.seq - 1), undo.of, context.log.standing.sides, short=True)


def describe_line(screens: Screens, log: Log, line: Written, somebody: Sentence = SOMEBODY) -> Sentence:
    """Return what a line did, and who: "Ana saved round 3", "Bo undid round 2". ``log`` is the log as it stood after it."""
    called = log.who(line.player)
    who = somebody if called is None else Name(called)
    sides = log.standing.sides
    before = log.before
    if line.kind == "restore":
        return say("A backup was put back")
    if line.kind == "events":
        if any(isinstance(event, Stop) for event in line.events):
            return say("{who} stopped the match", who=who)
        name = name_of(screens, log, line.seq, sides)
        if name.startswith((f"{who} ", f"{who}’", f"{who}, ")):  # it says who: "Ana plays Snapper Snatch on Cy", "Bo’s 4"
            return as_sentence(screens.describe_entry(log.entry(line.seq), sides))
        if is_told(name):
            return say("{who} entered: {what}", who=who, what=name)
        if name.startswith("the "):
            return say("{who} entered {what}", who=who, what=name)
        return say("{who} saved {what}", who=who, what=name)
    if before is None or line.of is None:
        return say("{who} entered something", who=who)
    if log.is_remark(line):
        return describe_remark(screens, before, log, line, who)
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


def describe_remark(screens: Screens, before: Log, log: Log, line: Written, who: Name | Sentence) -> Sentence:
    """Return what somebody remarked, or took back: "Cy doubts round 5", "Cy agrees: round 5"."""
    about = remark_of(log, line) or line
    of = 0 if about.of is None else about.of
    name = as_sentence(screens.name(log.entry(of), log.standing.sides))
    if about.kind == "agree":
        if about in log.agreed.get(of, ()):
            return say("{who} agrees: {what}", who=who, what=name)
        return say("{who} no longer agrees: {what}", who=who, what=name)
    if of in log.doubts:
        return (
            say("{who} doubts: {what}", who=who, what=name) if is_told(name) else say("{who} doubts {what}", who=who, what=name)
        )
    doubt = before.doubts.get(of)
    doubter = None if doubt is None else log.who(doubt.player)
    if doubt is None or doubter is None or doubt.player == line.player:
        return say("{who} no longer doubts: {what}", who=who, what=name)
    return say("{who} says it is right, which {player} doubted: {what}", who=who, player=Name(doubter), what=name)


def remark_of(log: Log, line: Written) -> Written | None:
    """Return the remark that a line is, or that it takes back or brings back; None for any other line."""
    if not log.is_remark(line):
        return None
    while line.kind == "undo" and line.of is not None:
        line = log.written[line.of - 1]
    return line


def describe_undo(screens: Screens, before: Log, after: Log, line: Written) -> tuple[Sentence, bool]:
    """Return what an undo took out of force, as it is called, or else that it brought it back: an undo of an undo does."""
    target, brings_back = line, True
    while target.kind == "undo" and target.of is not None:
        target, brings_back = after.written[target.of - 1], not brings_back
    return name_of(screens, after if brings_back else before, target.seq, after.standing.sides), brings_back
