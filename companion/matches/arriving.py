"""What becomes of an entry that a phone sends? It is stored, another phone's entry says it already, or people have to choose.

A phone without a connection makes one entry after the other, and sends with each the keys of its earlier ones. Others may have
entered the same hands meanwhile. So an entry has a :class:`Place`: the position that its phone knew, and what others entered
there. A phone's third entry is compared with the others' third, even if its first two were refused. An entry that is the same
as a stored one gets no new line: its key becomes an alias of the stored line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from companion.engine.core import Event
from companion.matches import entries
from companion.matches.log import Author, EntryRejected, InForce, Log, Written, settle
from companion.storage.models import now

SAME_MOMENT: Final = timedelta(seconds=5)  # in which two phones that enter the same mean the same card


@dataclass(frozen=True, slots=True)
class Sent:
    """An entry that arrives, with its ``key``.

    ``expected_seq`` is the last line that its phone saw; ``after`` are the keys of the phone's own entries before this one.
    ``again``: it was stored once and is missing, so that its own person may have entered it by hand meanwhile.
    """

    key: str
    expected_seq: int
    after: tuple[str, ...] = ()
    again: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """Where an entry belongs that arrives as ``sent``, in the ``log``.

    ``known`` is the log as its phone means it; ``theirs`` are the entries of others from there on, which the phone does not
    know, its counterpart first. ``is_open``: nobody can tell the place, since an entry before it is not stored and nothing
    stands in that one's place. ``follows_theirs``: the entry before it was the same as the others' entry before.
    """

    log: Log
    sent: Sent
    known: Log
    theirs: tuple[InForce, ...] = ()
    is_open: bool = False
    follows_theirs: bool = False

    @property
    def is_newest(self) -> bool:
        """True where the phone knows every line, its own included."""
        return self.known is self.log

    @property
    def only_corrected(self) -> bool:
        """True where others only corrected something that the phone knows. That counts for its entry, too."""
        return not self.is_newest and self.known.head == self.log.head

    @property
    def meant(self) -> Log:
        """The log by which the form is read: the phone's own, and in a game without turns the newest."""
        return self.known if self.log.position.turns and not self.only_corrected else self.log

    def counterpart(self, events: Sequence[Event], person: int | None) -> InForce | None:
        """Return the entry of others with which these events are compared, or None.

        Without turns that is one that says the same, for the same card may come twice; of the phone's own ``person`` only where
        the phone sends again what was missing.
        """
        if self.log.position.turns:
            return self.theirs[0] if self.theirs else None
        own = None if self.sent.again else person
        others = (theirs for theirs in self.theirs if theirs.player is None or theirs.player != own)
        return next((theirs for theirs in others if theirs.events == tuple(events)), None)

    def is_same_card(self, theirs: InForce, moment: datetime) -> bool:
        """Return True if two phones mean one card, in a game without turns, where the same card may come twice.

        They do if ``theirs`` was stored a moment ago, or if both phones entered the same before it, too.
        """
        return moment - theirs.at <= SAME_MOMENT or (self.follows_theirs and theirs == self.theirs[0])


@dataclass(frozen=True, slots=True)
class Stored:
    """It has a line of the log."""

    receipt: entries.Receipt


@dataclass(frozen=True, slots=True)
class Same:
    """The stored entry ``theirs`` says the same, and is known by the phone's key too. ``by_sender``: its player made it."""

    theirs: InForce
    by_sender: bool = False


@dataclass(frozen=True, slots=True)
class Different:
    """Nothing is stored: others entered something else in its place (``theirs``, None where that is no entry)."""

    theirs: InForce | None


@dataclass(frozen=True, slots=True)
class TooLate:
    """Nothing is stored: it only made sense before the line ``newest`` of another phone."""

    newest: Written


Arrival = Stored | Same | Different | TooLate


def place(log: Log, sent: Sent) -> Place:
    """Return where an entry belongs that arrives, in this log.

    In a game without turns entries have no places of their own. There ``theirs`` is all that the phone does not know.
    """
    aliases = entries.aliases(log.match_id) if sent.after else {}
    by_key = {line.key: line for line in log.written} if sent.after else {}
    own_lines = {key: by_key.get(key) or (log.written[aliases[key] - 1] if key in aliases else None) for key in sent.after}
    lines = {line.seq for line in own_lines.values() if line is not None}
    lines |= {line.of for line in own_lines.values() if line is not None and line.of is not None}
    before = [line for line in own_lines.values() if line is not None]
    lost = next((number for number, key in enumerate(reversed(sent.after)) if own_lines[key] is not None), len(sent.after))
    seen = sent.expected_seq
    if log.position.turns and before:
        seen = max(seen, before[-1].of or before[-1].seq)
    unknown = next((line for line in log.written[seen:] if line.seq not in lines and not log.is_remark(line)), None)
    if unknown is None or unknown.key == sent.key:
        return Place(log, sent, log, is_open=lost > 0)
    known_log = _with_own(log, log.as_of(unknown.seq - 1), lines)
    theirs = tuple(entry for entry in log.entries if entry.seq >= unknown.seq and entry.seq not in lines)
    follows = bool(before) and before[-1].key not in sent.after
    if not lost:
        return Place(log, sent, known_log, theirs, follows_theirs=follows)
    if not log.position.turns or len(theirs) <= lost:
        return Place(log, sent, known_log, is_open=True)
    theirs = theirs[lost:]
    at = log.entries.index(theirs[0])
    return Place(log, sent, replace(log, written=log.written[: theirs[0].seq - 1], entries=log.entries[:at]), theirs)


def enter(
    place: Place,
    events: Sequence[Event],
    *,
    player: Author,
    judged: entries.Judged,
    by_app: bool = False,
    only_at_once: bool = False,
) -> Arrival:
    """Store the events that a phone sends, unless others were there first.

    Raises what :func:`companion.matches.entries.record` raises, but no Conflict where a sentence of the rules says more.

    Args:
        place: Where they belong.
        events: What happened.
        player: Whoever enters it, if the phone has said.
        judged: What they were found right by.
        by_app: The app draws what they say was drawn.
        only_at_once: They only make sense where nobody else has entered anything since.
    """
    log, sent, turns = place.log, place.sent, place.log.position.turns
    person = player if isinstance(player, int) else None
    theirs = place.counterpart(events, person)
    if place.is_open and theirs is None:
        raise entries.OutOfOrder
    if theirs is not None and _is_same(place, theirs, events, by_app=by_app):
        entries.same(log.match_id, sent.key, theirs.touched)
        return Same(theirs, by_sender=person is not None and theirs.player == person)
    if only_at_once and not place.is_newest:
        return TooLate(next(line for line in reversed(log.written) if line.key not in sent.after and not log.is_remark(line)))
    if (theirs is not None and not turns) or (turns and log.head != place.known.head):
        return Different(theirs)
    try:
        receipt = entries.record(
            log.match_id,
            events,
            idempotency_key=sent.key,
            # where turns are, only what the phone knows came since, and corrections: they are not in its way
            expected_seq=log.seq if turns else sent.expected_seq,
            player=player,
            by_app=by_app,
            judged=judged,
        )
    except entries.IdempotencyConflict:
        raise
    except entries.Conflict as conflict:
        if conflict.error is None:
            raise
        other = place.theirs[0] if place.theirs else None
        if other is not None and other.player == person is not None and other.events == tuple(events):
            entries.same(log.match_id, sent.key, other.touched)
            return Same(other, by_sender=True)
        raise conflict.error from conflict  # without turns it is about what lies there now, and what was typed stays
    return Stored(receipt)


def find_receipt(log: Log, sent: Sent) -> entries.Receipt | None:
    """Return what was answered to the entry with this key, when a phone that knows only older lines sends it once more.

    Returns None if no line has the key.
    """
    return entries.find_receipt(log, sent.key) if sent.expected_seq < log.seq else None


def check_again(earlier: entries.Receipt, sent: Sent, events: Sequence[Event], *, by_app: bool = False) -> None:
    """Compare a form that a phone sends once more with the line that has its key: ``earlier``.

    Raises IdempotencyConflict if the line says something else.
    """
    line = earlier.after.written[-1]
    if line.kind != "events" or line.events != tuple(events):
        entries.record(earlier.after.match_id, events, idempotency_key=sent.key, expected_seq=sent.expected_seq, by_app=by_app)


def undone_by(log: Log, earlier: entries.Receipt) -> int | None:
    """Return the number of the undo by which the line of a receipt no longer counts in the log; None while it counts."""
    undone = next((line.seq for line in log.written if line.kind == "undo" and line.of == earlier.seq), None)
    return None if any(entry.seq == earlier.seq for entry in log.entries) else undone


def _is_same(place: Place, theirs: InForce, events: Sequence[Event], *, by_app: bool) -> bool:
    """Return whether another phone's entry is what this one sends."""
    if not place.log.position.turns:
        return place.is_same_card(theirs, now())
    if theirs.events == tuple(events):
        return True
    return by_app and entries.same_draw(place.log.as_of(theirs.seq - 1), events, theirs.events)


def _with_own(log: Log, known_log: Log, lines: set[int]) -> Log:
    """Return the log that a phone knows with the corrections that it made since, by answering which entry is right."""
    later = tuple(line for line in log.written[known_log.seq :] if line.kind == "correct" and line.seq in lines)
    if not later:
        return known_log
    try:
        return replace(known_log, entries=settle(log.start, (*known_log.written, *later)))
    except EntryRejected:
        return known_log  # the rules allow them only with what others corrected
