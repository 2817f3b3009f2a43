"""How is a match's log stored? Read as far as it is not known yet, and one line longer when something is entered.

What is stored of a line is its JSON, and what is played is what that decodes to: a line that was taken can be read for ever.
"""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache
from threading import Lock
from typing import Any, Final, Generic, NamedTuple, TypeVar

import msgspec
from flask import current_app
from sqlalchemy import ColumnElement, Connection, Insert, and_, bindparam, insert, select, update

from companion.engine import GAMES, PACKAGES, chain
from companion.engine.core import JSON, Event, Game, Options, RuleError, start
from companion.engine.records import RecordError, any_of, decode_event, decode_options, encode_event
from companion.engine.text import Name, Sentence, said, say
from companion.matches.log import Author, EntryRejected, Log, NotFound, Written
from companion.matches.signals import LOG_READ
from companion.storage import database
from companion.storage.models import LONGEST_PACKAGE, Alias, Bag, Draft, Entry, Match, MatchId, Witness
from companion.storage.statements import Statement

E = TypeVar("E")

LARGEST_ID: Final = 2**31 - 1  # of any row, as both databases can hold it
MOST_ALIASES: Final = 64  # of a line: phones that entered the same
MOST_ALIASES_OF_ALL: Final = 2_000  # of a match's lines together: they are read whenever one is asked for
MOST_LINES_AT_HAND: Final = (
    20_000  # of all logs, by far enough for the evening's tables; some 50 MB if every line were a long one
)
MOST_OTHERS: Final = 30  # people besides its players that a match names; it calls any further person "somebody"


def of_match(relation: type[Entry | Alias | Witness | Draft | Bag]) -> ColumnElement[bool]:
    """Return the rows of one match, which is given as :attr:`MatchId.named`."""
    return and_(relation.table_id == bindparam("its_table"), relation.match_number == bindparam("its_number"))


def insertion(relation: type[Entry | Alias | Draft], *names: str) -> Insert:
    """Return a new row of one match, with these columns besides; the match is given in the same way."""
    return insert(relation).values(
        table_id=bindparam("its_table"), match_number=bindparam("its_number"), **{name: bindparam(name) for name in names}
    )


IT: Final = and_(Match.table_id == bindparam("its_table"), Match.number == bindparam("its_number"))

_HOLD = Statement(
    select(Match.seq, Match.players, Match.others, Match.head)
    .where(IT)
    .with_for_update(key_share=True)  # until the end of the transaction nobody else adds a line; SQLite has one writer anyway
)
LAST_KEY: Final = (
    select(Entry.key)
    .where(Entry.table_id == Match.table_id, Entry.match_number == Match.number, Entry.seq == Match.seq)
    .correlate(Match)
    .scalar_subquery()
)
_STANDS = Statement(select(Match.seq, Match.players, Match.others, LAST_KEY).where(IT))
_KEY = Statement(select(Entry.key).where(of_match(Entry), Entry.seq == bindparam("last")))
_BEGINNING = Statement(select(Match.game, Match.edition, Match.players, Match.options, Match.names, Match.package).where(IT))
_CHAINED_FROM = Statement(
    select(Match.game, Match.edition, Match.players, Match.options, Match.names, Match.created, Match.chained).where(IT)
)
_LINES = Statement(
    select(Entry.seq, Entry.key, Entry.player, Entry.at, Entry.kind, Entry.body, Entry.chain)
    .where(of_match(Entry), Entry.seq > bindparam("after"), Entry.seq <= bindparam("last"))
    .order_by(Entry.seq)
)
_ADD_LINE = Statement(insertion(Entry, "seq", "key", "player", "at", "kind", "body", "chain"))
_ALIASES = Statement(select(Alias.key, Alias.seq).where(of_match(Alias)).order_by(Alias.seq, Alias.key))
_ADD_ALIAS = Statement(insertion(Alias, "key", "seq"))
_SET_OTHERS = Statement(update(Match).where(IT).values(others=bindparam("known")))
_SET_SEQ = Statement(update(Match).where(IT).values(seq=bindparam("line"), head=bindparam("newest")))


class Logs:
    """The logs that were used last, by match: no page need play a whole match again.

    Logs only grow, so an old one is a good beginning for a newer one.
    """

    def __init__(self, most_lines: int = MOST_LINES_AT_HAND) -> None:
        self._most_lines = most_lines
        self._lock = Lock()
        self._logs: OrderedDict[MatchId, Log] = OrderedDict()
        self._lines = 0

    def get(self, match_id: MatchId) -> Log | None:
        """Return the newest log of this match that was kept, or None. The database may have more lines by now."""
        with self._lock:
            log = self._logs.get(match_id)
            if log is not None:
                self._logs.move_to_end(match_id)
            return log

    def keep(self, log: Log) -> None:
        """Keep a log whose lines are all stored, and let go of those that were not used for longest."""
        with self._lock:
            kept_log = self._logs.get(log.match_id)
            if kept_log is not None and kept_log.seq > log.seq:
                return
            self._forget(log.match_id)
            self._logs[log.match_id] = log
            self._lines += log.seq + 1
            while self._lines > self._most_lines and len(self._logs) > 1:
                self._forget(next(iter(self._logs)))

    def forget(self, match_id: MatchId) -> None:
        """Let go of a match's log, because the database has fewer lines: an older copy of it was put back."""
        with self._lock:
            self._forget(match_id)

    def _forget(self, match_id: MatchId) -> None:
        log = self._logs.pop(match_id, None)
        if log is not None:
            self._lines -= log.seq + 1


class Unreadable(Exception):
    """The match can't be read, while everything else at its table can. The message is a sentence."""


class RulesVersionMismatch(Unreadable):
    """The match began with other rules than this Companion knows."""


class Stands(NamedTuple):
    """Where a match's log is, how its people are called now, and the key of the last line."""

    seq: int
    players: Sequence[str]
    others: Sequence[str]
    key: str | None


class Held(NamedTuple):
    """Where a match's log is, while nobody else can add to it, how its people are called now, and the key of the last line."""

    seq: int
    players: Sequence[str]
    others: Sequence[str]
    key: str | None
    head: int

    def number(self, by: Author) -> int | None:
        """Return the number by which the match knows somebody."""
        if not isinstance(by, str):
            return by
        people = [*self.players, *self.others]
        return people.index(by) if by in people else None


def is_possible(match_id: MatchId) -> bool:
    """Return False for what no match can be known by: a database would not even be asked."""
    return all(0 < part <= LARGEST_ID for part in match_id)


def hold(connection: Connection, match_id: MatchId, by: Author = None) -> Held:
    """Keep others from adding to this log until the transaction ends, in which ``by`` does something. Raises NotFound."""
    row = _HOLD.one(connection, **match_id.named) if is_possible(match_id) else None
    if row is None:
        raise NotFound(say("There is no such match."))
    seq, players, others, head = row
    last = _KEY.one(connection, **match_id.named, last=seq)  # asked now: whoever waited for the row would see an old one
    if isinstance(by, str) and by not in players and by not in others and len(others) < MOST_OTHERS:
        others = [*others, by]
        _SET_OTHERS.all(connection, **match_id.named, known=others)
    return Held(seq, players, others, None if last is None else last[0], head)


def newest(connection: Connection, match_id: MatchId) -> Log:
    """Return the log as it stands. Raises NotFound and Unreadable."""
    row = _STANDS.one(connection, **match_id.named) if is_possible(match_id) else None
    if row is None:
        raise NotFound(say("There is no such match."))
    return up_to(connection, match_id, Stands(*row))


def at_hand(match_id: MatchId, stands: Stands) -> Log | None:
    """Return the whole log from memory, or None. The database is not asked."""
    kept_log = _known(match_id, stands.players, stands.others)
    return kept_log if kept_log is not None and kept_log.seq == stands.seq and _last_key(kept_log) == stands.key else None


def up_to(connection: Connection, match_id: MatchId, stands: Stands) -> Log:
    """Return the log up to its last line: as it was kept, and what has been written since.

    What was kept is only believed if the database has the same line at its end: a PostgreSQL that took over may have lost
    some, and have others in their place. Raises NotFound and Unreadable.
    """
    seq, players, others, key = stands
    kept_log = _known(match_id, players, others)
    if kept_log is not None and kept_log.seq == seq and _last_key(kept_log) == key:
        return kept_log
    if kept_log is not None:
        before = _KEY.one(connection, **match_id.named, last=kept_log.seq) if 0 < kept_log.seq < seq else None
        if kept_log.seq >= seq or (kept_log.seq and (before is None or before[0] != _last_key(kept_log))):
            _logs().forget(match_id)
            kept_log = None
    begun = time.perf_counter()
    log = kept_log or replace(_beginning(connection, match_id), others=tuple(others))
    decoder = _decoder(log.start.game.event_types())
    lines: list[Written] = []
    try:
        written = _LINES.all(connection, **match_id.named, after=log.seq, last=seq) if log.seq < seq else ()
        for number, line_key, player, at, kind, text, head in written:
            body = decoder.decode(text)
            lines.append(Written(number, line_key, player, at, kind, body.of, body.events, head, body.made))
        log = log.with_lines((*log.written, *lines))
    except EntryRejected as refused:
        raise Unreadable(say("This match can’t be read any more. {refused}", refused=said(refused))) from refused
    except (msgspec.MsgspecError, RuleError) as damaged:
        raise Unreadable(
            say("This match can’t be read any more: its entry {lines} is damaged.", lines=log.seq + len(lines) + 1)
        ) from damaged
    if log.seq != seq:
        raise Unreadable(say("This match can’t be read any more: some of its entries are missing."))
    LOG_READ.send(log.start.game.slug, seconds=time.perf_counter() - begun)
    if seq or log.start.game.draws is None:  # until the first line, phones may still add words to such a game's options
        keep(log)
    return log


def _beginning(connection: Connection, match_id: MatchId) -> Log:
    ((slug, edition, players, options, first_names, package),) = _BEGINNING.all(connection, **match_id.named)
    if slug not in GAMES:
        raise NotFound(unknown_game(slug, package))
    game = GAMES[slug].by_version(edition)
    if game is None:
        raise RulesVersionMismatch(
            say(
                "This match began with edition {edition} of the rules of {game}. This Companion plays by edition {ours}. "
                "The match’s record is still there.",
                edition=edition,
                game=Name(GAMES[slug].title),
                ours=GAMES[slug].rules_version,
            )
        )
    try:
        return Log(match_id, start(game, players, options_of(game, options)), names=tuple(first_names or ()))
    except RuleError as refused:
        raise Unreadable(say("This match can’t be read any more. {message}", message=refused.message)) from refused


def unknown_game(slug: str, package: str | None) -> Sentence:
    """Return why a match can't be read whose game is not here, and which package would bring it, if that is known."""
    if package is None:
        return say("This match is a game of “{game}”, which this Companion does not know.", game=Name(slug))
    return say(
        "This match is a game of “{game}”. It needs the package “{package}”, which is not installed here. Nothing is lost.",
        game=Name(slug),
        package=Name(package),
    )


def package_of(slug: str) -> str | None:
    """Return the name of the package that a game came from, as a match stores it; None for Companion's own games."""
    package = PACKAGES.get(slug)
    return None if package is None else package[:LONGEST_PACKAGE]


def _last_key(log: Log) -> str | None:
    """Return the key of the log's last line, by which the database must have it too."""
    return log.written[-1].key if log.written else None


def add(connection: Connection, match_id: MatchId, line: Written, head: int) -> None:
    """Store one more line, in a transaction that holds the log; ``head`` is the newest entry that counts after it."""
    _ADD_LINE.all(connection, **match_id.named, **row(line))
    _SET_SEQ.all(connection, **match_id.named, line=line.seq, newest=head)


def add_all(connection: Connection, match_id: MatchId, rows: Sequence[Mapping[str, Any]], head: int) -> None:
    """Store several more lines, given as their rows, in the same way."""
    its = {"table_id": match_id.table_id, "match_number": match_id.number}
    connection.execute(insert(Entry), [{**its, **values} for values in rows])
    _SET_SEQ.all(connection, **match_id.named, line=rows[-1]["seq"], newest=head)


def chain_before(connection: Connection, log: Log) -> str:
    """Return the hash that the log's next line builds on."""
    if log.written and log.written[-1].chain:
        return log.written[-1].chain
    head = chain_beginning(connection, log.match_id)
    for line in log.written:
        head = link(head, log, line)
    return head


def chain_beginning(connection: Connection, match_id: MatchId) -> str:
    """Return the hash that a match's first line builds on."""
    ((slug, edition, players, options, first_names, created, chained),) = _CHAINED_FROM.all(connection, **match_id.named)
    return chain.beginning(
        game=slug,
        edition=edition,
        players=[*(first_names or ()), *players[len(first_names or ()) :]][: len(players)],
        options=options,
        created=created,
        chained=chained,
    )


def chained_since(connection: Connection, match_id: MatchId) -> datetime | None:
    """Return when the match's older lines were chained; None if each was chained as it was entered."""
    ((*_, chained),) = _CHAINED_FROM.all(connection, **match_id.named)
    since: datetime | None = chained
    return since


def link(before: str, log: Log, line: Written) -> str:
    """Return the hash after one more line of a log."""
    return chain.link(
        before,
        key=line.key,
        at=line.at,
        kind=line.kind,
        player=line.player,
        name=log.name_at_first(line.player),
        of=line.of,
        events=line.events,
        made=line.made,
    )


def aliases(connection: Connection, match_id: MatchId) -> dict[str, int]:
    """Return the other keys of the match's lines, each with the number of its line."""
    return {str(key): seq for key, seq in _ALIASES.all(connection, **match_id.named)}


def add_aliases(connection: Connection, log: Log, more: Mapping[str, int]) -> None:
    """Store more keys of a log's lines, in a transaction that holds it: none that is known, and none without room."""
    stored = aliases(connection, log.match_id)
    keys = {*stored, *(line.key for line in log.written)}
    room, of_line = MOST_ALIASES_OF_ALL - len(stored), Counter(stored.values())
    for key, seq in more.items():
        if key not in keys and room > 0 and of_line[seq] < MOST_ALIASES:
            _ADD_ALIAS.all(connection, **log.match_id.named, key=key, seq=seq)
            of_line[seq] += 1
            room -= 1


def chained_rows(before: str, log: Log, lines: Iterable[Written]) -> Iterator[dict[str, Any]]:
    """Yield lines as their rows have them, each with the hash after it; ``before`` is the hash before the first.

    ``log`` tells how the people of the match were called at first. Raises EntryRejected for what JSON can't hold.
    """
    head = before
    for line in lines:
        values = row(line)
        head = link(head, log, line)
        yield {**values, "chain": head}


def row(line: Written) -> dict[str, Any]:
    """Return a line as its row has it, but for the match. Raises EntryRejected for what JSON can't hold."""
    return {
        "seq": line.seq,
        "key": line.key,
        "player": line.player,
        "at": line.at,
        "kind": line.kind,
        "body": _encode(line.events, line.of, line.made),
        "chain": line.chain,
    }


def _logs() -> Logs:
    """Return the present application's logs."""
    logs: Logs | None = current_app.extensions.get("companion-logs")
    if logs is None:
        logs = current_app.extensions["companion-logs"] = Logs()
    return logs


def _known(match_id: MatchId, players: Sequence[str], others: Sequence[str]) -> Log | None:
    """Return the log as it was kept, if it was and its players are still called so; there may be more lines by now."""
    log = _logs().get(match_id)
    if log is not None and log.start.players != tuple(players):
        _logs().forget(match_id)
        return None
    if log is not None and log.others != tuple(others[: len(log.others)]):  # renamed, and the chain has the name of then
        _logs().forget(match_id)
        return None
    if log is not None and len(log.others) < len(others):
        log = replace(log, others=tuple(others))
        keep(log)
    return log


def keep(log: Log) -> None:
    """Keep the log for the next who needs it, once all its lines are stored for good."""
    logs = _logs()
    if database.is_writing():
        database.after_commit(lambda: logs.keep(log))
    else:
        logs.keep(log)


# Events and options


class _Body(msgspec.Struct, Generic[E], frozen=True, omit_defaults=True):
    """A line as the database keeps it: only the parts that its kind has."""

    of: int | None = None
    events: tuple[E, ...] = ()
    made: datetime | None = None


def options_of(game: Game[Any], given: Options | Mapping[str, JSON]) -> Options:
    """Return the options as the game declares them. Raises RuleError."""
    try:
        return decode_options(game, msgspec.to_builtins(given))
    except RecordError as wrong:
        raise RuleError(wrong.message, rule=wrong.rule, field=wrong.field) from wrong


def checked(game: Game[Any], events: Sequence[Event]) -> tuple[Event, ...]:
    """Return the events as the log will have them. Raises EntryRejected for another game's events and impossible parts."""
    try:
        return _decoder(game.event_types()).decode(_encode(events)).events
    except RuleError as error:
        raise EntryRejected(error) from error
    except msgspec.ValidationError:
        for index, event in enumerate(events):
            try:
                decode_event(game, encode_event(event))
            except RecordError as wrong:
                raise EntryRejected(RuleError(wrong.sentence, rule=wrong.rule, field=wrong.field), event=index) from wrong
        raise


def _encode(events: Sequence[Event], of: int | None = None, made: datetime | None = None) -> str:
    """Return a line's body. Raises EntryRejected for what JSON can't hold."""
    try:
        return msgspec.json.encode(_Body(of, tuple(events), made)).decode()
    except (TypeError, ValueError, OverflowError) as wrong:
        raise EntryRejected(RuleError(say("This has a character that can’t be saved."), field="events")) from wrong


_FIRST = Lock()  # only one thread has msgspec take apart what it reads for the first time: see engine.core.Game


@cache
def _decoder(kinds: tuple[type[Event], ...]) -> msgspec.json.Decoder[_Body[Any]]:
    body: Any = _Body  # of what, is known only now
    with _FIRST:
        return msgspec.json.Decoder(body[any_of(kinds)])
