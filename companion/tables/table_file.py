"""What is in a table's file? Its people, its matches, and every line of their logs, for another Companion.

Undone and corrected entries come along, with their keys and times, so what is brought back is what was. A table's links do not:
whoever brings the file gets new ones. A phone that is handed the table keeps its link to play, by which entries that wait
on further phones find it. The seed of a sealed bag comes along once it has been shown to all, and never before; a
match without it goes on elsewhere with fish that are drawn by hand.

A file may come from anybody. It is played through line by line, as it was once entered, before anything of it is stored.
"""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeVar

import msgspec
from msgspec import Meta
from sqlalchemy import ColumnElement, Connection, ScalarSelect, and_, bindparam, func, insert, select

from companion import games
from companion.engine import GAMES, chain
from companion.engine.core import MOST_PEOPLE, Event, Game, RuleError, start
from companion.engine.fair_draw import DrawError
from companion.engine.records import RecordError, decode_event
from companion.engine.records.chained import TABLE_FORMAT
from companion.engine.text import Name, Sentence, listing, said, say, say_n
from companion.matches import drafts, draws, entries, repository
from companion.matches.log import MOST_AT_ONCE, REMARKS, EntryRejected, InForce, Kind, Log, NotFound, Written, check_room
from companion.storage import database, notifications
from companion.storage.models import Alias, Entry, Match, MatchId, Player, Table, db, now
from companion.storage.yielding import breathe
from companion.tables import names
from companion.tables.seating import new_link

T = TypeVar("T")

FORMAT: Final = TABLE_FORMAT

LARGEST: Final = 4 * 2**20  # bytes of a file
MOST_MATCHES: Final = 2_000
MOST_LINES: Final = 20_000  # of all logs together
MOST_REPLAYED: Final = 200_000  # events that undos and corrections may have played again, all together
MOST_WORK: Final = 20.0  # seconds of the processor's time; the largest file that people could have made takes a tenth of it
TURN: Final = 0.01  # seconds of it until others have theirs
AT_ONCE: Final = 500  # lines that are stored together
ROOM_ASIDE: Final = LARGEST // 8  # bytes of a file for what is not counted: its people, and letters of more than a byte
MATCH_ASIDE: Final = 2_000  # bytes of a match besides its lines
LINE_ASIDE: Final = 110  # bytes of a line besides its events and keys
MOST_NAMES: Final = MOST_PEOPLE + repository.MOST_OTHERS
MOST_AGREED: Final = 20  # drafts of a match out of which something is carried
YEARS: Final = range(1970, 2200)

_TABLE = select(Table.name, Table.created, Table.game, Table.dealer, Table.agrees).where(Table.id == bindparam("its_table"))
_PEOPLE = select(Player.name, Player.seat).where(Player.table_id == bindparam("its_table")).order_by(Player.seat)
_OF_MATCH = select(
    *(Match.game, Match.edition, Match.players, Match.options, Match.created, Match.others, Match.names, Match.chained)
).where(repository.IT)
_LINES = (
    select(Entry.seq, Entry.key, Entry.at, Entry.kind, Entry.player, Entry.body, Entry.chain)
    .where(repository.of_match(Entry))
    .order_by(Entry.seq)
)


def _of_aliases(figure: ColumnElement[int]) -> ScalarSelect[int]:
    """Return a figure of the aliases of each match."""
    its = select(figure).where(Alias.table_id == Match.table_id, Alias.match_number == Match.number)
    return its.correlate(Match).scalar_subquery()


_SIZES = (
    select(
        *(Match.number, Match.seq, _of_aliases(func.count())),
        func.coalesce(func.sum(func.length(Entry.body) + func.length(Entry.key)), 0)
        + _of_aliases(func.coalesce(func.sum(func.length(Alias.key) + 3), 0)),
    )
    .outerjoin(Entry, and_(Entry.table_id == Match.table_id, Entry.match_number == Match.number))
    .where(Match.table_id == bindparam("its_table"))
    .group_by(Match.table_id, Match.number)
    .order_by(Match.number)
)  # of each match its lines, their further keys, and how many letters all have


class TableFileError(Exception):
    """The file can't be brought in, and nothing of it was stored. The message is a sentence."""


class Turns:
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
        breathe(holds=database.is_writing())
        self._since = time.thread_time()  # what the others did is not counted


class PlayerData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody at the table."""

    name: Annotated[str, Meta(max_length=names.LONGEST)]
    seat: Annotated[int, Meta(ge=0, lt=MOST_PEOPLE)]


Key = Annotated[str, Meta(pattern=r"^[!-~]{1,64}\Z")]


class EntryData(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A line of a match's log. Lines are numbered from 1; ``of`` is the number of the one that it is about.

    ``also`` are its keys of phones that entered the same, or chose it. ``made`` is when the backup was made that was put back.
    """

    key: Key
    at: datetime
    kind: Kind
    player: Annotated[int, Meta(ge=0)] | None = None
    of: Annotated[int, Meta(ge=1)] | None = None
    events: Annotated[list[dict[str, Any]], Meta(max_length=MOST_AT_ONCE)] = []
    made: datetime | None = None
    also: Annotated[list[Key], Meta(max_length=repository.MOST_ALIASES)] = []


NO_EVENTS: Final = msgspec.Raw()  # left out


class _Body(msgspec.Struct, frozen=True):
    """The JSON of a line's row. It goes into the file unchanged."""

    of: int | None = None
    events: msgspec.Raw = NO_EVENTS
    made: datetime | None = None


_BODY: Final = msgspec.json.Decoder(_Body)


class _LineOut(msgspec.Struct, frozen=True, omit_defaults=True):
    """A :class:`EntryData` that is written out."""

    key: str
    at: datetime
    kind: str
    player: int | None = None
    of: int | None = None
    events: msgspec.Raw = NO_EVENTS
    made: datetime | None = None
    also: list[str] = []


class MatchData(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A match. Matches are numbered from 1, in the order of the file. Each :class:`EntryData` waits to be read.

    ``others`` entered something and do not play; older files have none. A line's ``player`` is a number among both. ``names``
    are the chain's names of the first of them, where somebody was renamed. ``head`` is the hash after the last line, which
    older files don't have, and ``chained`` is when lines that had no hash were chained (:mod:`companion.engine.chain`).
    ``agreed`` is what holds for the table besides entries, such as what a point is worth: the newest of it.

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
    names: Annotated[list[Annotated[str, Meta(max_length=names.LONGEST)]], Meta(max_length=MOST_NAMES)] = []
    chained: datetime | None = None
    head: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")] | None = None
    agreed: Annotated[list[drafts.Agreed], Meta(max_length=MOST_AGREED)] = []


class _Format(msgspec.Struct, frozen=True):
    """The format of a file, which may have any other content."""

    format: Any = None


class LeftOut(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A match that is not in the file, by its number at the table, and why."""

    number: int
    why: str


def told_of(left_out: Mapping[str, int]) -> Sentence:
    """Return what whoever imported a table hears of its matches that stayed in the file, counted by their game."""
    games = listing([say("“{game}”", game=Name(game)) for game in left_out])
    return say_n(
        "{n} match was left out: this Companion does not know {games}. It is still where the table came from.",
        "{n} matches were left out: this Companion does not know {games}. They are still where the table came from.",
        sum(left_out.values()),
        games=games,
    )


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
    agrees: bool = False


# made here, where there is one thread: see engine.core.Game
_DECODERS: Final[Mapping[Any, msgspec.json.Decoder[Any]]] = {
    kind: msgspec.json.Decoder(kind) for kind in (_Format, TableFile, MatchData, EntryData)
}


# Out


def export_table(table_id: int) -> bytes:
    """Return the table as such a file. Raises NotFound.

    Nothing changes by it: the seed of a bag is in it if it was shown, and is not shown by it.
    """
    return b"".join(export_pieces(table_id))


def export_pieces(table_id: int) -> Iterator[bytes]:
    """Yield such a file piece by piece, a match at most; the first piece has none. Raises NotFound at the first.

    What a file can't hold, for it could not be brought in again, are the oldest matches: the file names them. Whoever takes
    the pieces may take long; nothing of the database is held meanwhile.
    """
    with database.reading() as connection:
        table = connection.execute(_TABLE, {"its_table": table_id}).one_or_none()
        if table is None:
            raise NotFound(say("There is no such table."))
        people = [PlayerData(name, seat) for name, seat in connection.execute(_PEOPLE, {"its_table": table_id})]
        sizes = [_Size(*map(int, row)) for row in connection.execute(_SIZES, {"its_table": table_id})]
    created = _in_utc(table.created)
    yield _open({"format": FORMAT, "name": table.name, "created": created, "players": people})
    fit = set(_fitting(sizes))
    left_out = [LeftOut(size.match, "The file is full.") for size in sizes if size.match not in fit]
    first = True
    for number in sorted(fit):
        try:
            match = _out(MatchId(table_id, number))
        except repository.Unreadable as unreadable:
            left_out.append(LeftOut(number, str(unreadable)))
        else:
            yield match if first else b",\n" + match
            first = False
    further: dict[str, Any] = {"left_out": left_out, "game": table.game, "dealer": table.dealer, "agrees": table.agrees or None}
    further = {name: value for name, value in further.items() if value not in (None, [])}
    rest = msgspec.json.encode(further)
    yield b"\n]" + (b",\n" + rest[1:] if further else rest[1:]) + b"\n"


def _open(head: dict[str, Any]) -> bytes:
    """Return the beginning of a file, up to its first match."""
    return msgspec.json.encode(head)[:-1] + b',\n"matches":[\n'


class _Size(NamedTuple):
    """How large a match is: its number, its lines, their further keys, and the letters of all."""

    match: int
    lines: int
    aliases: int
    letters: int


def _fitting(sizes: Sequence[_Size]) -> Iterator[int]:
    """Yield the numbers of the newest matches that a file has room for."""
    room, lines, aliases = LARGEST - ROOM_ASIDE, 0, 0
    for size in sorted(sizes, reverse=True)[:MOST_MATCHES]:
        room -= MATCH_ASIDE + LINE_ASIDE * size.lines + size.letters
        lines += size.lines
        aliases += size.aliases
        if room < 0 or lines > MOST_LINES or aliases > MOST_LINES:
            return
        yield size.match


def _out(match_id: MatchId) -> bytes:
    """Return a match as the file has it. Raises Unreadable: what can't be read would keep the others out elsewhere."""
    breathe()
    with suppress(NotFound, repository.RulesVersionMismatch):  # elsewhere it may be known
        entries.read(match_id)
    breathe()
    with database.reading() as connection:
        its = {"its_table": match_id.table_id, "its_number": match_id.number}
        match = connection.execute(_OF_MATCH, its).one()
        lines = connection.execute(_LINES, its).all()
        also: dict[int, list[str]] = {}
        for key, seq in repository.aliases(connection, match_id).items():
            also.setdefault(seq, []).append(key)
        seed = _seed_out(connection, match.game, match_id)
        agreed = list(drafts.agreed(connection, match_id, _agreed_of(match.game)))[-MOST_AGREED:]
    breathe()
    log = [_line_out(key, at, kind, player, body, also.get(seq, [])) for seq, key, at, kind, player, body, _ in lines]
    breathe()
    document = msgspec.json.encode(
        MatchData(
            game=match.game,
            edition=match.edition,
            players=match.players,
            options=match.options,
            created=_in_utc(match.created),
            log=log,
            others=match.others,
            seed=seed,
            names=match.names or [],
            chained=None if match.chained is None else _in_utc(match.chained),
            head=(lines[-1].chain if lines else "") or None,
            agreed=agreed,
        )
    )
    breathe()
    return document


def _line_out(key: str, at: datetime, kind: str, player: int | None, text: str, also: list[str]) -> msgspec.Raw:
    body = _BODY.decode(text)
    made = None if body.made is None else _in_utc(body.made)
    return msgspec.Raw(msgspec.json.encode(_LineOut(key, _in_utc(at), kind, player, body.of, body.events, made, also)))


def _agreed_of(slug: str) -> tuple[str, ...]:
    """Return the parts of a game's drafts that a table's file carries."""
    screens = games.screens_of(slug)
    return () if screens is None else screens.agreed


def _seed_out(connection: Connection, slug: str, match_id: MatchId) -> str | None:
    """Return the seed of the match's bag, if everybody may know it."""
    game = GAMES.get(slug)
    if game is None or game.draws is None:
        return None
    seed = draws.shown(connection, match_id)
    return None if seed is None else seed.hex()


def _in_utc(moment: datetime) -> datetime:
    """Return a moment as the file has it: with its zone, UTC."""
    return moment.replace(tzinfo=UTC)


# In


def import_table(data: bytes, left_out: Counter[str] | None = None, *, link: str = "") -> Table:
    """Return a new table with new links, as this file tells of it.

    Args:
        data: the file.
        left_out: counts the matches of games that are not known here, which stay in the file. Without it they are refused.
        link: the link to play that the table has on the phone which hands it on.

    Raises:
        TableFileError: nothing was stored.
    """
    turns = Turns()
    if link and db.session.scalar(select(Table.id).where(Table.play_token == link)):
        raise TableFileError(say("This phone has that table already. Open it from the home page."))
    file, matches = _read(data, turns)
    people = [Player(name=_name(person.name), seat=person.seat) for person in file.players]
    game = file.game or (matches[-1].game if matches else None)
    screens = None if game is None else games.screens_of(game)
    if file.game is None and screens is not None and screens.turn == "left":
        people.sort(key=lambda person: person.seat)
        seats = [person.seat for person in people]
        for person, seat in zip(people, seats[:1] + seats[:0:-1], strict=True):
            person.seat = seat
    if any(names.equal(person.name, other.name) for at, person in enumerate(people) for other in people[:at]):
        raise TableFileError(say("Two people at this table have the same name."))
    if len({person.seat for person in people}) < len(people):
        raise TableFileError(say("Two people at this table have the same seat."))
    created = _moment(file.created)
    if left_out is not None:
        left_out.update(match.game for match in matches if match.game not in GAMES)
    played = _play(matches, turns, without=left_out or ())
    # written out before the transaction begins, in which everybody else who enters something waits
    rows = [rows_of(match, turns) for match in played]
    with database.writing() as connection:
        play_link, watch_link = link or new_link(), new_link()
        table = Table(name=_name(file.name), play_token=play_link, watch_token=watch_link, created=created, players=people)
        table.game, table.dealer, table.agrees = game if game in GAMES else None, file.dealer, file.agrees
        db.session.add(table)
        db.session.flush()
        for number, (match, lines) in enumerate(zip(played, rows, strict=True), start=1):
            _store(connection, MatchId(table.id, number), match, lines, turns)
    return table


class MatchFromFile(NamedTuple):
    """A match of a file, with its log as it was played through, and the other keys of its lines with the line's number."""

    match: MatchData
    log: Log
    aliases: Mapping[str, int]
    read: datetime

    @property
    def created(self) -> datetime:
        """When it began, as the database keeps it: of two matches of a table it is never the same."""
        return _moment(self.match.created)

    @property
    def chained(self) -> datetime | None:
        """When lines that had no chain were chained: now, for those of a file without a head."""
        if self.match.chained is not None:
            return _moment(self.match.chained)
        return None if self.match.head or not self.match.log else self.read


def rows_of(played: MatchFromFile, turns: Turns) -> list[dict[str, Any]]:
    """Return the rows of a match's lines, chained."""
    match, log = played.match, played.log
    before = chain.beginning(
        game=match.game,
        edition=match.edition,
        players=log.players_at_first,
        options=msgspec.to_builtins(log.start.options),
        created=played.created,
        chained=played.chained,
    )
    rows = []
    for row in repository.chained_rows(before, log, log.written):
        rows.append(row)
        turns.turn()
    return rows


def read_matches(data: bytes, turns: Turns) -> list[MatchFromFile]:
    """Return the matches of a file, each played through. Raises TableFileError."""
    _, matches = _read(data, turns)
    return _play(matches, turns)


def _play(matches: Sequence[MatchData], turns: Turns, without: Collection[str] = ()) -> list[MatchFromFile]:
    """Return the matches, each played through, without those of these games."""
    replayed, aliases = [0], 0
    played = []
    for number, match in enumerate(matches, start=1):
        if match.game in without:
            continue
        match_from_file = _played(match, f"Match {number}", turns, replayed)
        aliases += len(match_from_file.aliases)
        if len(match_from_file.aliases) > repository.MOST_ALIASES_OF_ALL or aliases > MOST_LINES:
            raise TableFileError(say("This table has more keys of entries than one file can bring."))
        played.append(match_from_file)
    return played


def agree(connection: Connection, match_id: MatchId, played: MatchFromFile, seqs: Mapping[int, int] | None = None) -> bool:
    """Let hold here what a file says that the table agreed on, where it has not said so itself; return whether it was new.

    ``seqs``: where the file's lines stand here, by their numbers in the file; None where the numbers are alike.
    """
    match, log = played.match, played.log
    placed = [
        msgspec.structs.replace(draft, after=draft.after and (draft.after if seqs is None else seqs[draft.after]))
        for draft in match.agreed
        if draft.after <= log.seq and (seqs is None or not draft.after or draft.after in seqs)
    ]
    return drafts.agree(connection, match_id, placed, _agreed_of(match.game))


def add_match(connection: Connection, match_id: MatchId, played: MatchFromFile, lines: list[dict[str, Any]]) -> None:
    """Store a match of a file under this number, as it is, with the rows of its lines."""
    _store(connection, match_id, played, lines, Turns())
    notifications.changed(match_id.table_id)


def _store(connection: Connection, match_id: MatchId, played: MatchFromFile, lines: list[dict[str, Any]], turns: Turns) -> None:
    match, log, aliases, _ = played
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
            "names": match.names or None,
            "chained": played.chained,
            "package": repository.package_of(match.game),
        },
    )
    its = {"table_id": match_id.table_id, "match_number": match_id.number}
    for at in range(0, len(lines), AT_ONCE):
        connection.execute(insert(Entry), [{**its, **line} for line in lines[at : at + AT_ONCE]])
        turns.turn()
    rows = [{**its, "key": key, "seq": seq} for key, seq in aliases.items()]
    for at in range(0, len(rows), AT_ONCE):
        connection.execute(insert(Alias), rows[at : at + AT_ONCE])
        turns.turn()
    agree(connection, match_id, played)
    if match.seed is not None:
        draws.keep(connection, match_id, bytes.fromhex(match.seed))
        draws.show(connection, match_id)


def _read(data: bytes, turns: Turns) -> tuple[TableFile, list[MatchData]]:
    """Return the file and its matches, whose lines are not read yet."""
    if len(data) > LARGEST:
        raise TableFileError(
            say("This file is larger than {largest} MiB, the most that a table’s file can be.", largest=LARGEST // 2**20)
        )
    if _decoded(data, _Format).format != FORMAT:
        raise TableFileError(say("This file is not a Companion table. Choose a file exported from Companion."))
    file = _decoded(data, TableFile)
    matches, lines = [], 0
    for written in file.matches:
        turns.turn()
        match = _decoded(written, MatchData)
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
        raise TableFileError(say("This file can’t be read: it is not JSON. Choose a file exported from Companion.")) from None
    return decoded


def _plain(wrong: msgspec.ValidationError) -> str:
    problem = str(wrong).replace("`", "")
    return problem[:1].lower() + problem[1:200]


def _name(name: str) -> str:
    try:
        fit = names.normalize(name)
    except names.UnfitNameError as unfit:
        raise TableFileError(said(unfit)) from None
    if fit != name:
        raise TableFileError(say("“{fit}” is not written as Companion writes names.", fit=Name(fit)))
    return name


def _moment(moment: datetime) -> datetime:
    """Return a moment as the database keeps it: in UTC, without its zone."""
    if moment.tzinfo is None or moment.year not in YEARS:
        raise TableFileError(say("This file contains an invalid time: it has no zone, or is of another century."))
    return moment.astimezone(UTC).replace(tzinfo=None)


def _played(match: MatchData, place: str, turns: Turns, replayed: list[int]) -> MatchFromFile:
    """Return the match with its log, each line tried as it was when it was entered.

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
        others, first_names = (tuple(_name(name) for name in given) for given in (match.others, match.names))
        log = Log(nowhere, beginning, others=others, names=first_names)
    except RuleError as refused:
        raise TableFileError(say("{place}: {message}", place=Name(place), message=refused.message)) from None
    if any(names.equal(person, other) for at, person in enumerate(log.people) for other in log.people[:at]):
        raise TableFileError(say("{place}: two people have the same name.", place=Name(place)))
    if len(log.names) > len(log.people):
        raise TableFileError(say("{place}: it has more earlier names than people.", place=Name(place)))
    keys: set[str] = set()
    aliases: dict[str, int] = {}
    head = chain.beginning(
        game=match.game,
        edition=match.edition,
        players=log.players_at_first,
        options=match.options,
        created=_moment(match.created),
        chained=None if match.chained is None else _moment(match.chained),
    )
    for number, entry in enumerate(match.log, start=1):
        at_entry = f"{place}, entry {number}"
        line = _decoded(entry, EntryData)
        if not keys.isdisjoint((line.key, *line.also)) or line.key in line.also:
            raise TableFileError(say("{here}: another entry has the same key.", here=Name(at_entry)))
        keys.update((line.key, *line.also))
        aliases |= dict.fromkeys(line.also, number)
        turns.turn()
        before = log
        try:
            log = _with(before, game, line)
        except EntryRejected as refused:
            raise TableFileError(say("{here}: {refused}", here=Name(at_entry), refused=said(refused))) from None
        except (RecordError, NotFound) as wrong:
            raise TableFileError(say("{here}: {wrong}", here=Name(at_entry), wrong=said(wrong))) from None
        head = chain.link(
            head,
            key=line.key,
            at=_moment(line.at),
            kind=line.kind,
            player=line.player,
            name=log.name_at_first(line.player),
            of=line.of,
            events=line.events,
            made=None if line.made is None else _moment(line.made),
        )
        if line.kind != "events":
            replayed[0] += _played_again(before, log)
            if replayed[0] > MOST_REPLAYED:
                raise TableFileError(say("This table has more corrections than one file can bring."))
    turns.turn()
    _check_bag(match, game, log, place)
    if match.head not in {None, head}:
        raise TableFileError(say("{place} was changed after this file was written.", place=Name(place)))
    return MatchFromFile(match, log, aliases, now())


def _played_again(before: Log, after: Log) -> int:
    """Return how many events an undo or a correction has played once more."""
    ids_before = {id(entry) for entry in before.entries}
    return sum(len(entry.events) for entry in after.entries if id(entry) not in ids_before)


def _with(log: Log, game: Game[Any], line: EntryData) -> Log:
    """Return the log with one more line of the file.

    Raises EntryRejected, NotFound, and RecordError for an event that is none.
    """
    if line.player is not None and log.who(line.player) is None:
        raise NotFound(say("this match does not say who entered it."))
    if (line.made is None) == (line.kind == "restore") or (line.made is not None and line.player is not None):
        raise NotFound(say("a backup that was put back says when it was made, and nobody entered it."))
    if (line.of is None) != (line.kind in {"events", "restore"}) or (line.kind in {"events", "correct"}) != bool(line.events):
        raise NotFound(say("an entry has events, an undo or a doubt says what it is about, and a correction has both."))
    if line.of is not None and line.of > log.seq:
        raise NotFound(say("it is about an entry that was not there yet."))
    events: Sequence[Event] = repository.checked(game, [decode_event(game, event) for event in line.events])
    if line.kind == "correct" and line.of is not None and log.entry(line.of).events == events:
        raise NotFound(say("this correction changes nothing."))
    if line.kind in REMARKS:
        entries.check_remark(log, line.kind, line.of, line.player)
    made = None if line.made is None else _moment(line.made)
    written = Written(log.seq + 1, line.key, line.player, _moment(line.at), line.kind, line.of, tuple(events), made=made)
    check_room(log, written)
    after = log.add(written)
    if game.draws is not None and events and draws.settled(log.start).seal is None:
        changed = after.entries[-1] if line.of is None else after.entry(line.of)
        if _app_drew(changed):
            raise NotFound(say("Companion is said to have drawn fish, but no bag was sealed."))
    if line.kind == "undo" and after.counting == log.counting and not entries.changes_remarks(log, after):
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
