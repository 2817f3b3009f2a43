"""What did a phone mean that had not seen the newest lines? Which position is its entry about, and what did others enter there?

A phone without a connection makes one entry after the other, and sends with each the keys of its earlier ones. Others may have
entered the same hands meanwhile. A phone's third entry is compared with the others' third, even if its first two were refused.
An entry that is the same as a stored one gets no new line: its key becomes an alias of the stored line.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from companion.matches.log import EntryRejected, InForce, Log, settle

SAME_MOMENT: Final = timedelta(seconds=5)  # in which two phones that enter the same mean the same card


@dataclass(frozen=True, slots=True)
class Sent:
    """An entry that arrives, with its ``key``.

    ``expected_seq`` is the last line that its phone saw; ``after`` are the keys of the phone's own entries before this one.
    """

    key: str
    expected_seq: int
    after: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """Where an entry belongs that arrives.

    ``known`` is the log as its phone means it; ``theirs`` are the entries of others from there on, which the phone does not
    know, its counterpart first. ``is_open``: nobody can tell the place, since an entry before it is not stored and nothing
    stands in that one's place. ``follows_theirs``: the entry before it was the same as the others' entry before.
    """

    known: Log
    theirs: tuple[InForce, ...] = ()
    is_open: bool = False
    follows_theirs: bool = False

    @property
    def counterpart(self) -> InForce | None:
        """The entry of another phone in the same place, or None."""
        return self.theirs[0] if self.theirs else None


def place_of(log: Log, aliases: Mapping[str, int], sent: Sent) -> Place:
    """Return where an entry belongs in this log, whose ``aliases`` are the other keys of its lines.

    In a game without turns entries have no places of their own. There ``theirs`` is all that the phone does not know.
    """
    by_key = {line.key: line for line in log.written} if sent.after else {}
    own_lines = {key: by_key.get(key) or (log.written[aliases[key] - 1] if key in aliases else None) for key in sent.after}
    lines = {line.seq for line in own_lines.values() if line is not None}
    lines |= {line.of for line in own_lines.values() if line is not None and line.of is not None}
    before = [line for line in own_lines.values() if line is not None]
    lost = next((number for number, key in enumerate(reversed(sent.after)) if own_lines[key] is not None), len(sent.after))
    seen = sent.expected_seq
    if log.position.game.turns and before:
        seen = max(seen, before[-1].of or before[-1].seq)
    unknown = next((line for line in log.written[seen:] if line.seq not in lines), None)
    if unknown is None or unknown.key == sent.key:
        return Place(log, is_open=lost > 0)
    known_log = _with_own(log, log.as_of(unknown.seq - 1), lines)
    theirs = tuple(entry for entry in log.entries if entry.seq >= unknown.seq and entry.seq not in lines)
    follows = bool(before) and before[-1].key not in sent.after
    if not lost:
        return Place(known_log, theirs, follows_theirs=follows)
    if not log.position.game.turns or len(theirs) <= lost:
        return Place(known_log, is_open=True)
    theirs = theirs[lost:]
    at = log.entries.index(theirs[0])
    return Place(replace(log, written=log.written[: theirs[0].seq - 1], entries=log.entries[:at]), theirs)


def _with_own(log: Log, known_log: Log, lines: set[int]) -> Log:
    """Return the log that a phone knows with the corrections that it made since, by answering which entry is right."""
    later = tuple(line for line in log.written[known_log.seq :] if line.kind == "correct" and line.seq in lines)
    if not later:
        return known_log
    try:
        return replace(known_log, entries=settle(log.start, (*known_log.written, *later)))
    except EntryRejected:
        return known_log  # the rules allow them only with what others corrected


def is_at_once(theirs: InForce, moment: datetime) -> bool:
    """Return True if another entry was stored so shortly before this moment that two phones may mean the same card."""
    return moment - theirs.at <= SAME_MOMENT
