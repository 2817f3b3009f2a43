"""What is in a table's file? Its people, its matches, and every line of their logs, for another Companion.

Undone and corrected entries come along, with their keys and times, so what is brought back is what was. A table's links do not:
whoever brings the file gets new ones. The seed of a sealed bag comes along once it has been shown to all, and never before; a
match without it goes on elsewhere with fish that are drawn by hand.

A file may come from anybody. It is played through line by line, as it was once entered, before anything of it is stored.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeVar

import msgspec
from msgspec import Meta
from sqlalchemy import Connection, insert, select

from companion import games
from companion.engine import GAMES
from companion.engine.core import Event, Game, RuleError, start
from companion.engine.fair_draw import DrawError
from companion.engine.records import RecordError, decode_event
from companion.engine.text import Name, said, say
from companion.matches import draws, entries, repository
from companion.matches.log import MOST_AT_ONCE, EntryRejected, InForce, Kind, Log, NotFound, Written, check_room
from companion.storage import database, notifications
from companion.storage.models import Entry, Match, MatchId, Player, Table, db
from companion.storage.turns import breathe
from companion.tables import names
from companion.tables.seating import MOST_PEOPLE, new_link

T = TypeVar("T")

FORMAT: Final = "companion-table/1"

LARGEST: Final = 4 * 2**20  # bytes of a file
MOST_MATCHES: Final = 2_000
MOST_LINES: Final = 20_000  # of all logs together
MOST_REPLAYED: Final = 200_000  # events that undos and corrections may have played again, all together
MOST_WORK: Final = 20.0  # seconds of the processor's time; the largest file that people could have made takes a tenth of it
TURN: Final = 0.01  # seconds of it until others have theirs
AT_ONCE: Final = 500  # lines that are stored together
YEARS: Final = range(1970, 2200)


class TableFileError(Exception):
    """The file can't be brought in, and nothing of it was stored. The message is a sentence."""


class _Turns:
    """Long work in short turns: others have theirs in between, and there is an end to it."""

    def __init__(self) -> None:
        self._worked = 0.0
        self._since = time.thread_time()

    def turn(self) -> None:
        """Let others go on, if it is time. Raises TableFileError once it has taken too long."""
        worked = time.thread_time() - self._since
        if worked < TURN:
            return
        self._worked += worked
        if self._worked > MOST_WORK:
            raise TableFileError(say("This table is too long to import, longer than any that people have played."))
        breathe()
        self._since = time.thread_time()  # what the others did is not counted


class PlayerData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody at the table."""

    name: Annotated[str, Meta(max_length=names.LONGEST)]
    seat: Annotated[int, Meta(ge=0, lt=MOST_PEOPLE)]


class EntryData(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A line of a match's log. Lines are numbered from 1; ``of`` is the number of the one that is undone or corrected."""

    key: Annotated[str, Meta(pattern=r"^[!-~]{1,64}\Z")]
    at: datetime
    kind: Kind
    player: Annotated[int, Meta(ge=0)] | None = None
    of: Annotated[int, Meta(ge=1)] | None = None
    events: Annotated[list[dict[str, Any]], Meta(max_length=MOST_AT_ONCE)] = []


NO_EVENTS: Final = msgspec.Raw()  # left out


class _Body(msgspec.Struct, frozen=True):
    """What a line's row has of it as JSON, which goes into the file as it is."""

    of: int | None = None
    events: msgspec.Raw = NO_EVENTS


_BODY: Final = msgspec.json.Decoder(_Body)


class _LineOut(msgspec.Struct, frozen=True, omit_defaults=True):
    """A :class:`EntryData` that is written out."""

    key: str
    at: datetime
    kind: str
    player: int | None = None
    of: int | None = None
    events: msgspec.Raw = NO_EVENTS


class MatchData(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A match. Matches are numbered from 1, in the order of the file. Each :class:`EntryData` waits to be read.

    ``others`` entered something and do not play; older files have none. A line's ``player`` is a number among both.

    A file of a few megabytes is a hundred thousand things when all of it is read at once, and others would wait for it.
    """

    game: Annotated[str, Meta(max_length=40)]
    edition: Annotated[int, Meta(ge=1)]
    players: list[Annotated[str, Meta(max_length=names.LONGEST)]]
    options: dict[str, Any]
    created: datetime
    log: list[msgspec.Raw]
    others: Annotated[list[Annotated[str, Meta(max_length=names.LONGEST)]], Meta(max_length=repository.MOST_OTHERS)] = []
    seed: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")] | None = None


class _Format(msgspec.Struct, frozen=True):
    """What kind of file it is, whatever else may be in it."""

    format: Any = None


class LeftOut(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A match that is not in the file, by its number at the table, and why."""

    number: int
    why: str


class TableFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The file's one object.

    ``game`` is what the table plays next. Files of older versions have none: there seats were numbered in turn order.
    """

    format: Literal["companion-table/1"]
    name: Annotated[str, Meta(max_length=names.LONGEST)]
    created: datetime
    players: Annotated[list[PlayerData], Meta(max_length=MOST_PEOPLE)]
    matches: Annotated[list[msgspec.Raw], Meta(max_length=MOST_MATCHES)]  # each is a MatchData, and waits to be read
    left_out: Annotated[list[LeftOut], Meta(max_length=MOST_MATCHES)] = []
    game: Annotated[str, Meta(max_length=40)] | None = None
    dealer: Annotated[int, Meta(ge=0, lt=MOST_PEOPLE)] | None = None


# made here, where there is one thread: see engine.core.Game
_DECODERS: Final[Mapping[Any, msgspec.json.Decoder[Any]]] = {
    kind: msgspec.json.Decoder(kind) for kind in (_Format, TableFile, MatchData, EntryData)
}


# Out


def export_table(table_id: int) -> bytes:
    """Return the table as such a file. Raises NotFound.

    Nothing changes by it: the seed of a bag is in it if it was shown, and is not shown by it.
    """
    table = db.session.get(Table, table_id)
    if table is None:
        raise NotFound(say("There is no such table."))
    people = [PlayerData(player.name, player.seat) for player in table.players]
    matches = db.session.scalars(select(Match).where(Match.table_id == table_id).order_by(Match.number)).all()
    told = []
    left_out = []
    for match in matches:
        try:
            entries.read(match.id)  # what can't be read can't be brought in anywhere, and would keep the others out
        except (entries.NotFound, repository.RulesVersionMismatch):  # elsewhere it may be known
            told.append(_out(match))
        except repository.Unreadable as unreadable:
            left_out.append(LeftOut(match.number, str(unreadable)))
        else:
            told.append(_out(match))
    whole = TableFile(FORMAT, table.name, _in_utc(table.created), people, told, left_out, table.game, table.dealer)
    return msgspec.json.format(msgspec.json.encode(whole), indent=1) + b"\n"


def _out(match: Match) -> msgspec.Raw:
    breathe()
    its = (Entry.table_id == match.table_id, Entry.match_number == match.number)
    found = select(Entry.key, Entry.at, Entry.kind, Entry.player, Entry.body)
    lines = db.session.execute(found.where(*its).order_by(Entry.seq)).all()
    breathe()
    log = [_line_out(key, at, kind, player, body) for key, at, kind, player, body in lines]
    created = _in_utc(match.created)
    played = MatchData(match.game, match.edition, match.players, match.options, created, log, match.others, _seed_out(match))
    whole = msgspec.Raw(msgspec.json.encode(played))
    breathe()
    return whole


def _line_out(key: str, at: datetime, kind: str, player: int | None, text: str) -> msgspec.Raw:
    body = _BODY.decode(text)
    return msgspec.Raw(msgspec.json.encode(_LineOut(key, _in_utc(at), kind, player, body.of, body.events)))


def _seed_out(match: Match) -> str | None:
    """Return the seed of the match's bag, if everybody may know it."""
    game = GAMES.get(match.game)
    if game is None or game.draws is None:
        return None
    seed = draws.shown(db.session.connection(), match.id)
    return None if seed is None else seed.hex()


def _in_utc(moment: datetime) -> datetime:
    """Return a moment as the file has it: with its zone, UTC."""
    return moment.replace(tzinfo=UTC)


# In


def import_table(data: bytes) -> Table:
    """Return a new table with new links, as this file tells of it. Raises TableFileError, and then nothing is stored."""
    turns, replayed = _Turns(), [0]
    file, matches = _read(data, turns)
    people = [Player(name=_name(person.name), seat=person.seat) for person in file.players]
    game = file.game or (matches[-1].game if matches else None)
    screens = None if game is None else games.screens_of(game)
    if file.game is None and screens is not None and screens.turn == "left":
        people.sort(key=lambda person: person.seat)
        seats = [person.seat for person in people]
        for person, seat in zip(people, seats[:1] + seats[:0:-1], strict=True):
            person.seat = seat
    if any(names.equal(one.name, other.name) for at, one in enumerate(people) for other in people[:at]):
        raise TableFileError(say("Two people at this table have the same name."))
    if len({person.seat for person in people}) < len(people):
        raise TableFileError(say("Two people at this table have the same seat."))
    created = _moment(file.created)
    played = [_played(match, f"Match {number}", turns, replayed) for number, match in enumerate(matches, start=1)]
    rows: list[list[dict[str, Any]]] = []
    for log in played:  # written out before the transaction begins, in which everybody else who enters something waits
        rows.append([repository.row(line) for line in log.written])
        turns.turn()
    with database.writing() as connection:
        table = Table(name=_name(file.name), play_token=new_link(), watch_token=new_link(), created=created, players=people)
        table.game, table.dealer = game if game in GAMES else None, file.dealer
        db.session.add(table)
        db.session.flush()
        for number, (match, log, lines) in enumerate(zip(matches, played, rows, strict=True), start=1):
            _store(connection, MatchId(table.id, number), MatchFromFile(match, log), lines, turns)
    return table


class MatchFromFile(NamedTuple):
    """A match of a file, with its log as it was played through."""

    match: MatchData
    log: Log

    @property
    def created(self) -> datetime:
        """When it began, as the database keeps it: of two matches of a table it is never the same."""
        return _moment(self.match.created)


def read_matches(data: bytes) -> list[MatchFromFile]:
    """Return the matches of a file, each played through. Raises TableFileError."""
    turns, replayed = _Turns(), [0]
    _, matches = _read(data, turns)
    return [MatchFromFile(match, _played(match, f"Match {at}", turns, replayed)) for at, match in enumerate(matches, start=1)]


def add_match(match_id: MatchId, played: MatchFromFile) -> None:
    """Store a match of a file under this number, as it is."""
    turns = _Turns()
    lines = [repository.row(line) for line in played.log.written]
    with database.writing(("table", match_id.table_id)) as connection:
        _store(connection, match_id, played, lines, turns)
        notifications.changed(match_id.table_id)


def _store(
    connection: Connection, match_id: MatchId, played: MatchFromFile, lines: list[dict[str, Any]], turns: _Turns
) -> None:
    match, log = played
    connection.execute(
        insert(Match),
        {
            "table_id": match_id.table_id,
            "number": match_id.number,
            "game": match.game,
            "edition": match.edition,
            "players": match.players,
            "others": match.others,
            "options": msgspec.to_builtins(log.start.options),
            "created": played.created,
            "seq": log.seq,
            "head": log.head,
            "brought": True,
        },
    )
    its = {"table_id": match_id.table_id, "match_number": match_id.number}
    for at in range(0, len(lines), AT_ONCE):
        connection.execute(insert(Entry), [{**its, **line} for line in lines[at : at + AT_ONCE]])
        turns.turn()
    if match.seed is not None:
        draws.keep(connection, match_id, bytes.fromhex(match.seed))
        draws.show(connection, match_id)


def _read(data: bytes, turns: _Turns) -> tuple[TableFile, list[MatchData]]:
    """Return the file and its matches, whose lines are not read yet."""
    if len(data) > LARGEST:
        raise TableFileError(
            say("This file is larger than {largest} MiB, the most that a table's file can be.", largest=LARGEST // 2**20)
        )
    if _decoded(data, _Format).format != FORMAT:
        raise TableFileError(say("This file is not a Companion table. Choose a file exported from Companion."))
    file = _decoded(data, TableFile)
    matches, lines = [], 0
    for one in file.matches:
        turns.turn()
        match = _decoded(one, MatchData)
        lines += len(match.log)
        if lines > MOST_LINES:
            raise TableFileError(
                say("This table has more than {most_lines:,} entries, the most that one file can bring.", most_lines=MOST_LINES)
            )
        matches.append(match)
    return file, matches


def _decoded(data: bytes | msgspec.Raw, kind: type[T]) -> T:
    """Return a part of the file as it should be. Raises TableFileError."""
    try:
        decoded: T = _DECODERS[kind].decode(data)
    except msgspec.ValidationError as wrong:
        raise TableFileError(say("This table file is damaged: {wrong}.", wrong=Name(_plain(wrong)))) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise TableFileError(say("This file can't be read: it is not JSON. Choose a file exported from Companion.")) from None
    return decoded


def _plain(wrong: msgspec.ValidationError) -> str:
    what = str(wrong).replace("`", "")
    return what[:1].lower() + what[1:200]


def _name(name: str) -> str:
    try:
        fit = names.normalize(name)
    except names.UnfitNameError as unfit:
        raise TableFileError(said(unfit)) from None
    if fit != name:
        raise TableFileError(say("“{fit}” is not written as Companion writes names.", fit=Name(fit)))
    return name


def _moment(told: datetime) -> datetime:
    """Return a moment as the database keeps it: in UTC, without its zone."""
    if told.tzinfo is None or told.year not in YEARS:
        raise TableFileError(say("This file contains an invalid time: it has no zone, or is of another century."))
    return told.astimezone(UTC).replace(tzinfo=None)


def _played(match: MatchData, place: str, turns: _Turns, replayed: list[int]) -> Log:
    """Return the match's log, each line tried as it was when it was entered.

    ``replayed`` counts the events played again so far.
    """
    newest = GAMES.get(match.game)
    if newest is None:
        raise TableFileError(
            say("{place}: this Companion knows no game called “{game}”.", place=Name(place), game=Name(match.game))
        )
    game = newest.by_version(match.edition)
    if game is None:
        raise TableFileError(
            say(
                "{place} was played by edition {edition} of the rules of {game}; "
                "this Companion plays by edition {rules_version}.",
                place=Name(place),
                edition=match.edition,
                game=Name(newest.title),
                rules_version=newest.rules_version,
            )
        )
    try:
        nowhere = MatchId(0, 0)
        beginning = start(game, [_name(name) for name in match.players], repository.options_of(game, match.options))
        log = Log(nowhere, beginning, others=tuple(_name(name) for name in match.others))
    except RuleError as refused:
        raise TableFileError(say("{place}: {message}", place=Name(place), message=refused.message)) from None
    if any(names.equal(one, other) for at, one in enumerate(log.people) for other in log.people[:at]):
        raise TableFileError(say("{place}: two people have the same name.", place=Name(place)))
    keys: set[str] = set()
    for number, one in enumerate(match.log, start=1):
        here = f"{place}, entry {number}"
        line = _decoded(one, EntryData)
        if line.key in keys:
            raise TableFileError(say("{here}: another entry has the same key.", here=Name(here)))
        keys.add(line.key)
        turns.turn()
        before = log
        try:
            log = _with(before, game, line)
        except EntryRejected as refused:
            raise TableFileError(say("{here}: {refused}", here=Name(here), refused=said(refused))) from None
        except (RecordError, NotFound) as wrong:
            raise TableFileError(say("{here}: {wrong}", here=Name(here), wrong=said(wrong))) from None
        if line.kind != "events":
            replayed[0] += _played_again(before, log)
            if replayed[0] > MOST_REPLAYED:
                raise TableFileError(say("This table has more corrections than one file can bring."))
    turns.turn()
    _check_bag(match, game, log, place)
    return log


def _played_again(before: Log, after: Log) -> int:
    """Return how many events an undo or a correction has played once more."""
    known = {id(entry) for entry in before.entries}
    return sum(len(entry.events) for entry in after.entries if id(entry) not in known)


def _with(log: Log, game: Game[Any], line: EntryData) -> Log:
    """Return the log with one more line of the file.

    Raises EntryRejected, NotFound, and RecordError for an event that is none.
    """
    if line.player is not None and log.who(line.player) is None:
        raise NotFound(say("this match does not say who entered it."))
    if (line.of is None) != (line.kind == "events") or (line.kind == "undo") != (not line.events):
        raise NotFound(say("an entry has events, an undo says what it undoes, and a correction has both."))
    if line.of is not None and line.of > log.seq:
        raise NotFound(say("it undoes or corrects an entry that was not there yet."))
    events: Sequence[Event] = repository.checked(game, [decode_event(game, event) for event in line.events])
    if line.kind == "correct" and line.of is not None and log.entry(line.of).events == events:
        raise NotFound(say("this correction changes nothing."))
    written = Written(log.seq + 1, line.key, line.player, _moment(line.at), line.kind, line.of, tuple(events))
    check_room(log, written)
    after = log.add(written)
    if game.draws is not None and events and draws.settled(log.start).seal is None:
        changed = after.entries[-1] if line.of is None else after.entry(line.of)
        if _app_drew(changed):
            raise NotFound(say("Companion is said to have drawn fish, but no bag was sealed."))
    if line.kind == "undo" and after.counting == log.counting:
        raise NotFound(say("what it undoes did not count any more."))
    return after


def _app_drew(entry: InForce) -> bool:
    """Return True if any of the entry's fish are said to be drawn by Companion."""
    position = entry.before
    for event in entry.events:
        if draws.drawn_by_app(position, event):
            return True
        position = position.apply(event)
    return False


def _check_bag(match: MatchData, game: Game[Any], log: Log, place: str) -> None:
    """Raise TableFileError for a seed that is not the one that was sealed, or that gives other fish than were drawn.

    Without a seed nothing is proved: the page of the seal says so (:attr:`companion.matches.fairness.Proof.elsewhere`).
    """
    if match.seed is None:
        return
    seal = draws.settled(log.start).seal
    if game.verify is None or seal is None:
        raise TableFileError(say("{place}: there is a seed, but no bag was sealed.", place=Name(place)))
    seed = bytes.fromhex(match.seed)
    if hashlib.sha256(seed).hexdigest() != seal.lower():
        raise TableFileError(say("{place}: the seed is not the one that was sealed.", place=Name(place)))
    try:
        game.verify(log.start.players, log.start.options, seed, [event for entry in log.entries for event in entry.events])
    except DrawError as mismatch:
        raise TableFileError(say("{place}: {message}", place=Name(place), message=said(mismatch))) from None
