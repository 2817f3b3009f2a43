"""How do entries come back that a phone made at a table which it had taken along?

The phone's copy comes as a table's file. A match is the same match here if it began at the same moment. Lines that only the
phone has are entered here, each under its own key: a line counts once, however often its file comes. If another phone entered
something else here meanwhile, a person chooses. No entry is erased for that: an undo takes back the wrong one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, Literal

import msgspec
from sqlalchemy import bindparam, select

from companion.engine.text import said, say
from companion.matches import draws, entries, repository
from companion.matches.log import Log, Written, cancelled
from companion.matches.signals import ENTRY_WRITTEN
from companion.storage import database, notifications
from companion.storage.models import Match, MatchId, Player, Table, now
from companion.tables import table_file
from companion.tables.table_file import MatchFromFile, TableFileError, Turns

Choice = Literal["ours", "phone", "both"]

OURS: Final[Choice] = "ours"  # what is here stays, and the phone's entries of this match are left out
PHONE: Final[Choice] = "phone"  # what was entered here meanwhile is undone, and the phone's entries count
BOTH: Final[Choice] = "both"  # the phone's entries come after those from here

TRIES: Final = 3  # if somebody enters something here while a match is played through

_MATCHES = select(Match.game, Match.created, Match.number).where(Match.table_id == bindparam("its_table"))
_ANYBODY = select(Player.id).where(Player.table_id == bindparam("its_table"), Player.phone.is_not(None)).limit(1)
_HOLD_TABLE = select(Table.id).where(Table.id == bindparam("its_table")).with_for_update(key_share=True)


@dataclass(frozen=True, slots=True)
class Fork:
    """What was entered on both sides since the phone took the table along: nothing of it was stored."""

    here: Log
    phone: Log
    entered_here: tuple[Written, ...]
    entered_there: tuple[Written, ...]


@dataclass(frozen=True, slots=True)
class Brought:
    """The result for one match: its number here, what its game is called, and the number of entries that came, or the question.

    ``left_out`` is the number of the phone's entries that don't count, because a person chose the entries here. ``begun``: the
    match is new here. ``refused`` says why the entries, or the choice, can't be accepted. ``there`` is its number in the file.
    """

    number: int
    game: str
    entries: int = 0
    left_out: int = 0
    begun: bool = False
    fork: Fork | None = None
    refused: str = ""
    there: int = 0


def bring_back(
    table_id: int, data: bytes, choices: Mapping[int, Choice], by: str | None = None, turns: Turns | None = None
) -> list[Brought]:
    """Enter what this file has and the table has not; return what became of each of its matches.

    All of it is played through first, in short turns and with an end to it, while nobody else has to wait for the table.

    Args:
        table_id: the table from which the phone took its copy.
        data: the phone's copy, as a table's file.
        choices: by a match's number here, what a person decided.
        by: whoever of the table brings it, if the phone has said. A file may say anything about who entered what.
        turns: the work that all of it may take, if more is to come.

    Raises:
        TableFileError: it is no table's file.
    """
    with database.reading() as connection:
        stored = connection.execute(_MATCHES, {"its_table": table_id}).all()
    numbers = {(game, created): number for game, created, number in stored}
    turns = turns or Turns()
    brought = []
    for number_there, played in enumerate(table_file.read_matches(data, turns), start=1):
        number = numbers.get((played.match.game, played.created))
        if number is None:
            result = _add(table_id, played, by, turns)
        else:
            result = _merge(MatchId(table_id, number), played, choices.get(number), by, turns)
        brought.append(replace(result, there=number_there))
    return brought


def _add(table_id: int, played: MatchFromFile, by: str | None, turns: Turns) -> Brought:
    """Add a match that began in the phone."""
    match, log, aliases, read = played
    with database.reading() as connection:
        anybody = connection.execute(_ANYBODY, {"its_table": table_id}).first()
    if anybody:  # else it is a table that was just put online: nobody here has said yet who they are
        author, others = _number(log, by)
        log = replace(log, written=tuple(_entered_by(author, line) for line in log.written), others=others)
        played = MatchFromFile(msgspec.structs.replace(match, others=list(others)), log, aliases, read)
    rows = table_file.rows_of(played, turns)
    with database.writing(("table", table_id)) as connection:
        connection.execute(_HOLD_TABLE, {"its_table": table_id})
        stored = connection.execute(_MATCHES, {"its_table": table_id}).all()
        for game, created, number in stored:
            if (game, created) == (match.game, played.created):  # brought twice at the same moment
                return Brought(number, log.start.title)
        number = 1 + max((number for _, _, number in stored), default=0)
        table_file.add_match(connection, MatchId(table_id, number), played, rows)
    return Brought(number, log.start.title, log.seq, begun=True)


def _entered_by(author: int | None, line: Written) -> Written:
    return line if line.kind == "restore" else replace(line, player=author)


def _merge(match_id: MatchId, played: MatchFromFile, choice: Choice | None, by: str | None, turns: Turns) -> Brought:
    """Enter what the phone has of this match and the table has not, all of it or nothing."""
    game = played.log.start.title
    fork = None
    try:
        for _ in range(TRIES):
            our_log = entries.read(match_id)
            _keep_seed(our_log, played)
            aliases = entries.aliases(match_id)
            seqs, new, others = compare(our_log, played.log, aliases, played.aliases)
            others = tuple(line for line in others if not our_log.is_remark(line))  # no phone's entry is in the way of these
            fork = Fork(our_log, played.log, others, new) if others else None
            counts = any(not played.log.is_remark(line) for line in new)
            if counts and others and choice is None and our_log.start.turns:
                return Brought(match_id.number, game, fork=fork)
            if choice == OURS and new:
                return Brought(match_id.number, game, left_out=len(new))
            whose = by if new else None
            author, _ = _number(our_log, whose)
            longer = _undone(our_log, others, new[0], author, turns) if choice == PHONE and others and new else our_log
            longer, seqs = _continued(longer, played.log, new, seqs, author, turns)
            known_keys = {*aliases, *(line.key for line in longer.written)}
            keys = {key: seqs[seq] for key, seq in keys_of(played).items() if seq in seqs and key not in known_keys}
            if not (new or keys) or _store(our_log, longer, whose, author, keys):
                _agree(match_id, played, seqs)
                return Brought(match_id.number, game, sum(line.seq in seqs for line in new))
        refused = say("Others are entering something just now. Send it again.")
    except (entries.EntryRejected, entries.NotFound, repository.Unreadable, TableFileError) as wrong:
        refused = said(wrong)
    return Brought(match_id.number, game, fork=fork, refused=refused)


def _number(log: Log, by: str | None) -> tuple[int | None, tuple[str, ...]]:
    """Return the number by which the match knows somebody, or will, and whom it knows besides its players then."""
    if by is None or by in log.people:
        return None if by is None else log.people.index(by), log.others
    if len(log.others) >= repository.MOST_OTHERS:
        return None, log.others
    return len(log.people), (*log.others, by)


def keys_of(played: MatchFromFile) -> dict[str, int]:
    """Return every key of the phone's lines that have events, with the number that the line has there."""
    lines = {line.seq: line.key for line in played.log.written if line.kind in {"events", "correct"}}
    return {key: seq for seq, key in lines.items()} | {key: seq for key, seq in played.aliases.items() if seq in lines}


def compare(
    our_log: Log, phone: Log, aliases: Mapping[str, int], its_aliases: Mapping[str, int]
) -> tuple[dict[int, int], tuple[Written, ...], tuple[Written, ...]]:
    """Return where the phone's lines stand here, which are new, and which are here and not in the phone.

    In a game with turns, lines that say the same in the same place are one, whatever their keys: both counted the same round.
    ``aliases`` are the other keys by which lines are known here, ``its_aliases`` those in the phone.
    """
    by_key = {**aliases, **{line.key: line.seq for line in our_log.written}}
    seqs = {line.seq: by_key[line.key] for line in phone.written if line.key in by_key}
    for key, seq in its_aliases.items():  # both copies had it from a third phone
        if seq not in seqs and key in by_key and _same(phone.written[seq - 1], our_log.written[by_key[key] - 1], seqs):
            seqs[seq] = by_key[key]
    new = [line for line in phone.written if line.seq not in seqs and line.kind != "restore"]  # it was put back elsewhere
    matched = set(seqs.values())
    others = [line for line in our_log.written if line.seq not in matched]
    counting, theirs = ([line for line in lines if not log.is_remark(line)] for log, lines in ((phone, new), (our_log, others)))
    alike: set[int] = set()
    for line, other in zip(counting, theirs, strict=False):
        if not our_log.start.turns or not _same(line, other, seqs):
            break
        seqs[line.seq] = other.seq
        alike.add(other.seq)
    return (
        seqs,
        tuple(line for line in new if line.seq not in seqs),
        tuple(line for line in others if line.seq not in alike),
    )


def _same(line: Written, other: Written, seqs: Mapping[int, int]) -> bool:
    of = None if line.of is None else seqs.get(line.of)
    return (line.kind, of, line.events) == (other.kind, other.of, other.events)


def _undone(log: Log, lines: Sequence[Written], first: Written, player: int | None, turns: Turns) -> Log:
    """Return the log with these lines out of force: the newest first, so that what they had undone counts again."""
    ours = {line.seq for line in lines}
    gone = cancelled([line for line in log.written if line.seq not in ours])
    undos: list[Written] = []
    for line in reversed(lines):
        if line.seq not in gone:
            key = hashlib.sha256(f"{first.key} {line.key}".encode()).hexdigest()[:24]
            undos.append(Written(log.seq + len(undos) + 1, key, player, now(), "undo", line.seq))
    turns.turn()
    if not undos:
        return log
    without = log.with_lines((*log.written, *undos[:-1]))
    return _lengthened(without, undos[-1])


def _is_idle(log: Log, line: Written, of: int | None, player: int | None) -> bool:
    """Return True for a remark of the phone's that would change nothing here: its entry is gone, or somebody said it here."""
    if of is None:
        return True
    if line.kind == "undo":
        return not entries.changes_remarks(log, log.add(replace(line, seq=log.seq + 1, of=of)))
    is_said = of in log.doubts if line.kind == "doubt" else log.agreement(of, player) is not None
    return is_said or all(entry.seq != of for entry in log.entries)


def _continued(
    log: Log, phone: Log, new: Sequence[Written], seqs: Mapping[int, int], player: int | None, turns: Turns
) -> tuple[Log, dict[int, int]]:
    """Return the log with the phone's lines after it, each tried as if it were entered now, and where its lines are then."""
    numbers = dict(seqs)
    for line in new:
        turns.turn()
        of = None if line.of is None else numbers.get(line.of)
        if phone.is_remark(line) and _is_idle(log, line, of, player):
            continue
        if line.kind != "events" and of is None:
            raise entries.NotFound(say("The entry to undo or correct is not here."))
        events = repository.checked(log.start.game, line.events)
        if line.kind == "correct" and of is not None and log.entry(of).events == events:
            raise entries.NotFound(say("It says that already. Nothing was changed."))
        log = _lengthened(log, Written(log.seq + 1, line.key, player, now(), line.kind, of, events))
        numbers[line.seq] = log.seq
    return log, numbers


def _keep_seed(log: Log, played: MatchFromFile) -> None:
    """Keep the seed that the phone has shown, where the match here has its seal alone: each draw can be checked then."""
    seal = draws.settled(log.start).seal
    if played.match.seed is None or seal is None or seal != draws.settled(played.log.start).seal:
        return
    with database.writing(("match", log.match_id)) as connection:
        if draws.find(connection, log.start, log.match_id) is None:
            draws.keep(connection, log.match_id, bytes.fromhex(played.match.seed))
            draws.show(connection, log.match_id)
            notifications.changed(log.match_id.table_id, links_stay=True)


def _agree(match_id: MatchId, played: MatchFromFile, seqs: Mapping[int, int]) -> None:
    """Let hold here what the phone's table agreed on besides its entries."""
    if not played.match.agreed:
        return
    with database.writing(("match", match_id)) as connection:
        if table_file.agree(connection, match_id, played, seqs):
            notifications.changed(match_id.table_id, links_stay=True)


def _lengthened(log: Log, line: Written) -> Log:
    with database.reading() as connection:
        return entries.lengthened(connection, log, line)


def _store(our_log: Log, longer: Log, by: str | None, player: int | None, aliases: Mapping[str, int]) -> bool:
    """Store the new lines of a log, and these aliases of its lines; return False if another phone was faster."""
    lines = longer.written[our_log.seq :]
    match_id, game = our_log.match_id, our_log.start.game.slug
    with database.writing(("match", match_id)) as connection:
        held = repository.hold(connection, match_id, by)
        last = our_log.written[-1].key if our_log.written else None
        if (held.seq, held.key, held.number(by)) != (our_log.seq, last, player):
            return False
        repository.add_aliases(connection, longer, aliases)
        if lines:
            named = replace(longer, others=tuple(held.others))
            rows = list(repository.chained_rows(repository.chain_before(connection, our_log), named, lines))
            repository.add_all(connection, match_id, rows, longer.head)
            notifications.changed(match_id.table_id, links_stay=True)
        for line in lines:
            database.after_commit(partial(ENTRY_WRITTEN.send, line.kind, game=game))
    return True
