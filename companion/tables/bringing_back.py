"""How do entries come back that a phone made at a table which it had taken along?

The phone's copy comes as a table's file. A match is the same match here if it began at the same moment. What the phone has of
its log and the table has not is entered here line by line, each under its own key, so that it counts once however often it is
brought. If somebody entered something else here meanwhile, a person chooses. Nothing is ever erased for that: what should not
count is undone, by entries that say so.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from sqlalchemy import func, select

from companion.engine.text import said, say
from companion.matches import entries
from companion.matches.log import Author, Log, Written, cancelled
from companion.storage import database
from companion.storage.models import Match, MatchId, db
from companion.tables import table_file
from companion.tables.table_file import MatchFromFile

Choice = Literal["ours", "phone", "both"]

OURS: Final[Choice] = "ours"  # what is here stays, and the phone's entries of this match are left out
PHONE: Final[Choice] = "phone"  # what was entered here meanwhile is undone, and the phone's entries count
BOTH: Final[Choice] = "both"  # the phone's entries come after those from here


@dataclass(frozen=True, slots=True)
class Fork:
    """What was entered on both sides since the phone took the table along: nothing of it was stored."""

    here: Log
    phone: Log
    entered_here: tuple[Written, ...]
    entered_there: tuple[Written, ...]


@dataclass(frozen=True, slots=True)
class Brought:
    """What became of one match: its number here, and how many entries came, or what has to be decided first.

    ``begun``: it was not here before. ``refused`` is why the entries can't be taken as they are, or as was chosen.
    """

    number: int
    game: str
    entries: int = 0
    begun: bool = False
    fork: Fork | None = None
    refused: str = ""


def bring_back(table_id: int, data: bytes, choices: Mapping[int, Choice]) -> list[Brought]:
    """Enter what this file has and the table has not; return what became of each match of which there was something to bring.

    Args:
        table_id: the table from which the phone took its copy.
        data: the phone's copy, as a table's file.
        choices: by a match's number here, what a person decided.

    Raises:
        TableFileError: it is no table's file.
    """
    found = db.session.execute(select(Match.game, Match.created, Match.number).where(Match.table_id == table_id)).all()
    numbers = {(game, created): number for game, created, number in found}
    brought = []
    for played in table_file.read_matches(data):
        number = numbers.get((played.match.game, played.created))
        if number is None:
            brought.append(_add(table_id, played))
        else:
            brought.append(_merge(MatchId(table_id, number), played, choices.get(number)))
    return [each for each in brought if each.entries or each.begun or each.fork or each.refused]


def _add(table_id: int, played: MatchFromFile) -> Brought:
    """Add a match that began in the phone."""
    last = select(func.coalesce(func.max(Match.number), 0)).where(Match.table_id == table_id)
    with database.writing(("table", table_id)):
        number: int = db.session.execute(last).scalar_one() + 1
        table_file.add_match(MatchId(table_id, number), played)
    return Brought(number, played.match.game, played.log.seq, begun=True)


def _merge(match_id: MatchId, played: MatchFromFile, choice: Choice | None) -> Brought:
    """Enter what the phone has of this match and the table has not, all of it or nothing."""
    game = played.match.game
    try:
        with database.writing(("match", match_id)):
            here = entries.read(match_id)
            seqs, new, others = compare(here, played.log)
            if new and others and choice is None and here.start.game.turns:
                return Brought(match_id.number, game, fork=Fork(here, played.log, others, new))
            if choice == OURS or not new:
                return Brought(match_id.number, game)
            if choice == PHONE:
                _undo(match_id, others, new[0])
            for line in new:
                seqs[line.seq] = _enter(match_id, line, seqs, author(here, played.log, line.player))
            return Brought(match_id.number, game, len(new))
    except (entries.EntryRejected, entries.NotFound, entries.Conflict) as refused:
        fork = Fork(here, played.log, others, new) if others else None
        return Brought(match_id.number, game, fork=fork, refused=said(refused))


def compare(here: Log, phone: Log) -> tuple[dict[int, int], tuple[Written, ...], tuple[Written, ...]]:
    """Return where the phone's lines stand here, which are new, and which are here and not in the phone.

    In a game with turns, lines that say the same in the same place are one, whatever their keys: both counted the same round.
    """
    by_key = {line.key: line.seq for line in here.written}
    seqs = {line.seq: by_key[line.key] for line in phone.written if line.key in by_key}
    new = [line for line in phone.written if line.key not in by_key]
    theirs = {line.key for line in phone.written}
    others = [line for line in here.written if line.key not in theirs]
    while here.start.game.turns and new and others and _same(new[0], others[0], seqs):
        seqs[new.pop(0).seq] = others.pop(0).seq
    return seqs, tuple(new), tuple(others)


def _same(line: Written, other: Written, seqs: Mapping[int, int]) -> bool:
    of = None if line.of is None else seqs.get(line.of)
    return (line.kind, of, line.events) == (other.kind, other.of, other.events)


def _undo(match_id: MatchId, lines: tuple[Written, ...], first: Written) -> None:
    """Take these lines out of force, the newest first."""
    for line in reversed(lines):
        log = entries.read(match_id)
        if line.seq not in cancelled(log.written):
            key = hashlib.sha256(f"{first.key} {line.key}".encode()).hexdigest()[:24]
            entries.undo(match_id, line.seq, idempotency_key=key, expected_seq=log.seq)


def author(here: Log, phone: Log, number: int | None) -> Author:
    """Return who entered a line of the phone's log: players keep their number, whatever they are called by now."""
    return number if number is None or number < len(here.start.players) else phone.who(number)


def _enter(match_id: MatchId, line: Written, seqs: Mapping[int, int], player: Author) -> int:
    """Enter a line of the phone's log; return its number here."""
    seen, key = entries.read(match_id).seq, line.key
    if line.kind == "events":
        return entries.record(match_id, line.events, idempotency_key=key, expected_seq=seen, player=player).seq
    of = seqs.get(line.of or 0)
    if of is None:
        raise entries.NotFound(say("The entry to undo or correct is not here."))
    if line.kind == "undo":
        return entries.undo(match_id, of, idempotency_key=key, expected_seq=seen, player=player).seq
    return entries.correct(match_id, of, line.events, idempotency_key=key, expected_seq=seen, player=player).seq
