"""What follows from a match's log? Which entries are in force, and where the match stands after each of them.

Everything here is computed; nothing is stored. An undo cancels the entry that it names, which may itself be an undo or a
correction. A correction gives an entry other events, until it is corrected again. So for every entry:

* it is cancelled if an undo that is not itself cancelled names it;
* its events are those of the newest correction of it that is not cancelled, or else its own;
* it is in doubt if there is a doubt about it that is not cancelled, and nobody has corrected it since; in the same way it is
  agreed to.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Any, Final, Literal, get_args

from companion.engine.core import Event, Position, RuleError, Standing, Stop
from companion.engine.text import listing, say
from companion.storage.models import MatchId

Kind = Literal["events", "undo", "correct", "doubt", "agree", "restore"]
Remark = Literal["doubt", "agree"]  # what people say about an entry: nothing that counts changes by it
REMARKS: Final = frozenset(get_args(Remark))
UNCOUNTED: Final = REMARKS | {"restore"}  # lines by which nothing that counts changes

# The person behind a line: a number that the match knows, or the name of a player of its table who is new to the match; None
# for a phone without a player.
Author = int | str | None

# So that playing a match again, as an undo of its first entry does, never keeps others waiting. An entry every ten seconds for
# five and a half hours has room, and no page enters more than a dozen events at once.
MOST_LINES: Final = 2_000
MOST_EVENTS: Final = 5_000  # of all lines of a match
MOST_AT_ONCE: Final = 50  # events of a line


class NotFound(Exception):
    """There is no such match, or no such entry in it that is in force. The message is a sentence."""


class EntryRejected(Exception):
    """The rules don't allow the log that this would give. ``sentence`` is for whoever tried; it knows the rule behind it.

    ``error`` is the engine's own reason, about the event with index ``event`` of a batch. ``of`` is the line's number of the
    entry that would become impossible, or None when it is the new one that is; the sentence then names it by its place among
    the entries that count, from 1, as people see and count them.
    """

    def __init__(self, error: RuleError, *, of: int | None = None, place: int = 0, event: int = 0) -> None:
        self.sentence = error.message
        if of is not None:
            gone = say("Entry {place} would no longer be possible.", place=place)
            self.sentence = listing([gone, error.message], "text").by(error.rule)
        super().__init__(self.sentence)
        self.error = error
        self.of = of
        self.event = event


@dataclass(frozen=True, slots=True)
class Written:
    """A line of the log as it was written, and as it stays: its ``events``, and ``of`` which line it is about.

    ``player`` is the number of whoever entered it (:attr:`Log.people`), or None if the phone had not said to whom it belongs;
    ``at`` is in UTC. ``chain`` is the hash after it (:mod:`companion.engine.chain`), empty until it is stored. ``made`` is when
    the backup was made that was put back, of a line that says so.
    """

    seq: int
    key: str
    player: int | None
    at: datetime
    kind: Kind
    of: int | None = None
    events: tuple[Event, ...] = ()
    chain: str = ""
    made: datetime | None = None


@dataclass(frozen=True, slots=True)
class InForce:
    """An entry that counts: its events as they stand now, with the match's position before and after them."""

    seq: int
    at: datetime
    player: int | None
    events: tuple[Event, ...]
    before: Position[Any]
    after: Position[Any]
    correction: Written | None = None  # where its events come from, if not from itself

    @property
    def corrected(self) -> bool:
        """True when somebody corrected it: ``correction`` tells who, and when."""
        return self.correction is not None

    @property
    def steps(self) -> tuple[tuple[Event, Position[Any], Position[Any]], ...]:
        """Each of its events with the match's position before and after it."""
        if len(self.events) == 1:
            return ((self.events[0], self.before, self.after),)
        steps, position = [], self.before
        for event in self.events:
            after = position.apply(event)
            steps.append((event, position, after))
            position = after
        return tuple(steps)

    @property
    def only_ends(self) -> bool:
        """True for the end that players chose: its events hold nothing and change no score."""
        says_nothing = not any(event.__struct_fields__ for event in self.events)
        return says_nothing and self.after.finished and self.after.standing().scores == self.before.standing().scores

    @property
    def touched(self) -> int:
        """The number of the line that gave the entry its present events: its own or its correction's."""
        return self.seq if self.correction is None else self.correction.seq


@dataclass(frozen=True)
class Log:
    """A match's log as it stands: ``written`` are all its lines, ``entries`` those that count, ``position`` what they lead to.

    ``seq`` is the number of the last line, 0 while there is none. ``others`` are people of the table who do not play the match
    and entered something in it. ``names`` are the chain's names of the first of its people, where somebody was renamed since.
    """

    match_id: MatchId
    start: Position[Any]
    written: tuple[Written, ...] = ()
    entries: tuple[InForce, ...] = ()
    others: tuple[str, ...] = ()
    names: tuple[str, ...] = ()

    @property
    def people(self) -> tuple[str, ...]:
        """Everybody whom the match knows, by number: its players in turn order, then the others."""
        return (*self.start.players, *self.others)

    def who(self, number: int | None) -> str | None:
        """Return the name of whoever has this number; None for nobody, and for somebody who came after this log was read."""
        people = self.people
        return None if number is None or number >= len(people) else people[number]

    def name_at_first(self, number: int | None) -> str | None:
        """Return how whoever has this number was called when the match came to know them."""
        return self.who(number) if number is None or number >= len(self.names) else self.names[number]

    @property
    def players_at_first(self) -> tuple[str, ...]:
        """How its players were called when the match began, as the chain has them."""
        return (*self.names, *self.start.players[len(self.names) :])[: len(self.start.players)]

    @property
    def seq(self) -> int:
        """The number of the last line."""
        return len(self.written)

    @property
    def position(self) -> Position[Any]:
        """Where the match stands after everything that counts."""
        return self.entries[-1].after if self.entries else self.start

    @property
    def head(self) -> int:
        """The number of the newest entry that counts, 0 while there is none."""
        return self.entries[-1].seq if self.entries else 0

    @cached_property
    def standing(self) -> Standing:
        """Scores, winners and the reasons, where the match stands: worked out once for all who look."""
        return self.position.standing()

    @cached_property
    def counting(self) -> tuple[int, ...]:
        """The lines that count, in the order in which they are played: of a corrected entry its correction."""
        return tuple(entry.touched for entry in self.entries)

    @cached_property
    def newest(self) -> int | None:
        """The line that "undo" means when nothing else is said: the newest entry or correction that counts."""
        return max(self.counting, default=None)

    @cached_property
    def redo(self) -> int | None:
        """The line that "redo" means: the newest undo that counts, until something else is entered or corrected after it."""
        gone = cancelled(self.written)
        for line in reversed(self.written):
            if self.is_remark(line):
                continue
            if line.kind != "undo":
                return None
            if line.seq not in gone and line.of is not None and self.written[line.of - 1].kind != "undo":
                return line.seq
        return None

    def entry(self, seq: int) -> InForce:
        """Return the entry with this number, if it counts. Raises NotFound."""
        for entry in self.entries:
            if entry.seq == seq:
                return entry
        raise NotFound(say("There is no entry {seq}.", seq=seq))

    def is_remark(self, line: Written) -> bool:
        """Return True for a line by which nothing that counts changes: a remark, an undo of one, a restored backup."""
        while line.kind == "undo" and line.of is not None:
            line = self.written[line.of - 1]
        return line.kind in UNCOUNTED

    @property
    def restores(self) -> tuple[Written, ...]:
        """The lines that say that a backup was put back, the oldest first. No undo takes one away."""
        return tuple(line for line in self.written if line.kind == "restore")

    @cached_property
    def doubts(self) -> Mapping[int, Written]:
        """The open doubt about each entry that is in doubt, by the entry's number."""
        return {of: lines[-1] for of, lines in self._remarks("doubt").items()}

    @cached_property
    def agreed(self) -> Mapping[int, tuple[Written, ...]]:
        """The agreements to each entry as it stands now, at most one a side, by the entry's number."""
        return self._remarks("agree")

    def _remarks(self, kind: Kind) -> dict[int, tuple[Written, ...]]:
        """Return the remarks of a kind about each entry as it stands now, by the entry's number."""
        remarks = [line for line in self.written if line.kind == kind]
        if not remarks:
            return {}
        gone, touched = cancelled(self.written), {entry.seq: entry.touched for entry in self.entries}
        about: dict[int, tuple[Written, ...]] = {}
        for line in remarks:
            if line.of in touched and line.seq > touched[line.of] and line.seq not in gone:
                about[line.of] = (*about.get(line.of, ()), line)
        return about

    def side_of(self, player: int | None) -> int | None:
        """Return the side of a player; None for somebody who does not play, and for a phone without a name."""
        if player is None or player >= len(self.start.players):
            return None
        return player % len(self.standing.sides)

    def agreement(self, of: int | None, player: int | None) -> Written | None:
        """Return the agreement of a player's side to an entry as it stands now, None if that side has not agreed."""
        side = self.side_of(player)
        agreements = () if of is None else self.agreed.get(of, ())
        return next((line for line in agreements if self.side_of(line.player) == side), None)

    @cached_property
    def to_agree(self) -> InForce | None:
        """The entry that the other sides are to agree to: the newest or newly corrected one.

        None once each has agreed or somebody doubts it. The next entry answers for all, so nobody waits for an answer. The end
        that players chose is no question.
        """
        newest = next((line for line in reversed(self.written) if not self.is_remark(line)), None)
        if newest is None or newest.kind == "undo":
            return None
        entry = next((entry for entry in self.entries if entry.touched == newest.seq), None)
        if entry is None or entry.only_ends or self._has_agreed(entry, newest.player):
            return None
        is_doubted = any(line.kind == "doubt" and line.of == entry.seq for line in self.written[newest.seq :])
        return None if is_doubted else entry

    def _has_agreed(self, entry: InForce, player: int | None) -> bool:
        """Return True if each side has agreed to an entry but that of the player who entered it."""
        agreements = self.agreed.get(entry.seq, ())
        if not agreements:
            return False
        side, agreed = self.side_of(player), {self.side_of(line.player) for line in agreements}
        return side is None or agreed.issuperset(set(range(len(self.standing.sides))) - {side})

    def behind(self, expected_seq: int, own_keys: Collection[str] = ()) -> bool:
        """Return True if a phone that last saw line ``expected_seq`` does not know what counts: others wrote lines since.

        ``own_keys`` are the keys of entries that the phone made after that line: none of them is news to it. A remark is in
        nobody's way.
        """
        since = self.written[max(expected_seq, 0) :]
        return not 0 <= expected_seq <= self.seq or any(line.key not in own_keys and not self.is_remark(line) for line in since)

    def add(self, line: Written) -> Log:
        """Return the log with one more line. Raises EntryRejected when the rules forbid what follows from it."""
        if line.kind in UNCOUNTED:
            return replace(self, written=(*self.written, line))
        if line.kind == "events":
            settled = replay_entry(self.position, line, None)
            return replace(self, written=(*self.written, line), entries=(*self.entries, settled))
        return self.with_lines((*self.written, line), replaced=line.of if line.kind == "correct" else None)

    def with_lines(self, written: tuple[Written, ...], replaced: int | None = None) -> Log:
        """Return the match with these lines. Raises EntryRejected; an entry ``replaced`` is the new one, others are later."""
        return replace(self, written=written, entries=settle(self.start, written, self.entries, replaced))

    @cached_property
    def before(self) -> Log | None:
        """The log before its newest line, None while there is none: worked out once for all who are told what that changed."""
        if not self.written:
            return None
        *others, newest = self.written
        if newest.kind in UNCOUNTED:
            return replace(self, written=tuple(others))
        if newest.kind == "events":
            return replace(self, written=tuple(others), entries=self.entries[:-1])
        return self.with_lines(tuple(others))

    def as_of(self, seq: int) -> Log:
        """Return the log as it stood after its line ``seq``."""
        return self if seq == self.seq else self.with_lines(self.written[:seq])


def check_room(log: Log, line: Written) -> None:
    """Refuse a line that a match has no room for. It can be ended all the same, and be in a backup that is put back."""
    if line.kind == "restore":
        return
    if len(line.events) > MOST_AT_ONCE:
        raise EntryRejected(
            RuleError(
                say("That is more than one entry can hold: {most_at_once} events.", most_at_once=MOST_AT_ONCE), field="events"
            )
        )
    if line.kind == "events" and all(isinstance(event, Stop) for event in line.events):
        return
    if log.seq >= MOST_LINES:
        raise EntryRejected(
            RuleError(
                say(
                    "This match is full with {most_lines:,} entries. End it and start another.",
                    most_lines=MOST_LINES,
                )
            )
        )
    if log.seq >= MOST_EVENTS // MOST_AT_ONCE - 1:  # before, there can't be too many
        events = len(line.events) + sum(len(earlier.events) for earlier in log.written)
        if events > MOST_EVENTS:
            raise EntryRejected(RuleError(say("This match is full. End it and start another.")))


def cancelled(written: Sequence[Written]) -> set[int]:
    """Return the numbers of all lines that an undo has taken out of force."""
    gone: set[int] = set()
    for line in reversed(written):
        if line.kind == "undo" and line.of is not None and line.seq not in gone:
            gone.add(line.of)
    return gone


def settle(
    start: Position[Any], written: Sequence[Written], played: Sequence[InForce] = (), replaced: int | None = None
) -> tuple[InForce, ...]:
    """Return the entries that count, in order. Those that begin like ``played`` are taken from there and not played again.

    Raises EntryRejected at the first that the rules don't allow; ``of`` is then None if it is the entry ``replaced``.
    """
    gone = cancelled(written)
    corrections = {line.of: line for line in written if line.kind == "correct" and line.seq not in gone}
    settled: list[InForce] = []
    position = start
    same = True
    for line in written:
        if line.kind != "events" or line.seq in gone:
            continue
        correction = corrections.get(line.seq)
        place = len(settled)
        same = same and place < len(played) and played[place].seq == line.seq and played[place].correction is correction
        try:
            entry = played[place] if same else replay_entry(position, line, correction)
        except EntryRejected as refused:
            if line.seq == replaced:
                raise
            seen = next((number for number, entry in enumerate(played) if entry.seq == line.seq), place)
            raise EntryRejected(refused.error, of=line.seq, place=seen + 1, event=refused.event) from refused.error
        settled.append(entry)
        position = entry.after
    return tuple(settled)


def replay_entry(before: Position[Any], line: Written, correction: Written | None) -> InForce:
    """Return one entry played from ``before``. Raises EntryRejected, without naming the entry."""
    events = line.events if correction is None else correction.events
    after = before
    for index, event in enumerate(events):
        try:
            after = after.apply(event)
        except RuleError as error:
            raise EntryRejected(error, event=index) from error
    return InForce(line.seq, line.at, line.player, events, before, after, correction)
