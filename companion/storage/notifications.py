"""Who looks at which table, and how do they hear that it changed? By its new sequence number, no more.

Streams wait in a :class:`Hub`, one an application and process. A change is told after its commit: to this process's streams at
once, to the other processes by the bus, all tables of some 20 ms together. What the bus loses is found within seconds: each
process compares the numbers that its phones know with those in the database.
"""

from __future__ import annotations

import itertools
import logging
import queue
import secrets
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from random import random
from weakref import WeakSet

from flask import Flask, Response, current_app
from sqlalchemy import Engine, bindparam, select, update
from sqlalchemy.exc import SQLAlchemyError

from companion.storage import bus, database
from companion.storage.models import Table, db
from companion.storage.presence import MOST_PHONES as MOST_TOLD
from companion.storage.presence import Phones, Presence, short
from companion.storage.statements import Statement

HEARTBEAT = 8.0  # seconds of silence until a stream says that it is still there; pages wait twice as long for it (live.js)
BEAT = b"event: beat\ndata: beat\n\n"  # what it says then: scripts hear nothing of a comment
RETRY = 2000  # milliseconds that a phone waits before it comes back
BATCH = 0.02  # seconds in which changes are gathered before the other processes hear of them
TICK = 0.4  # seconds after which a process tells the others that it is there, and which phones came and went
GONE = 3 * TICK  # seconds of silence until another process counts as gone
ALL_AGAIN = 5.0  # seconds after which it tells of all its phones once more, for whoever missed something
COMPARE = 3.0  # seconds after which the numbers are compared with the database
AT_ONCE = 1_000  # tables that are compared by one statement
DEAF = 3.0  # seconds without even this process's own voice until a line to the bus counts as broken
TRY_AGAIN = 2.0  # seconds until it is tried anew whether the bus can be reached, while nobody looks on
LINGER = 10.0  # seconds until a process that has nothing more to say hangs up
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5.0  # seconds between two attempts to reach the bus
LEAVING, LONGEST_LEAVING = 100.0, 5.0  # streams a second that are ended before the server stops, and seconds at most for all
MOST_PHONES = 20_000  # of which it is remembered where they look

Messages = Generator[bytes, None, None]

logger = logging.getLogger(__name__)

_TABLES = select(Table.id, Table.seq, Table.play_token, Table.watch_token).where(
    Table.id.in_(bindparam("table_ids", expanding=True))
)
_BUMP = Statement(update(Table).where(Table.id == bindparam("table_id")).values(seq=Table.seq + 1).returning(Table.seq))

_hubs: WeakSet[Hub] = WeakSet()


@dataclass(frozen=True, slots=True)
class Present:
    """A table as the database has it now: its number, and the links that lead there."""

    seq: int
    links: frozenset[str]


@dataclass(slots=True)
class Question:
    """Tables that are asked about by one statement, and what came back."""

    tables: set[int] = field(default_factory=set)
    answer: Mapping[int, Present] | None = None
    error: SQLAlchemyError | None = None


class Channel:
    """A table that somebody is looking at: its newest number, the streams that wait for the next, and whether they must end.

    ``present`` is how the database had the table when it was asked last. ``phones`` has how many of these streams each phone
    has: one that left a page is a stream here until it is noticed. ``told`` is how many phones its streams were
    told of; ``counted`` how many there were at the last tick.
    """

    __slots__ = ("acting", "closed", "counted", "phones", "present", "seq", "streams", "told")

    def __init__(self) -> None:
        self.seq = -1
        self.present: Present | None = None
        self.streams: set[Subscription] = set()
        self.phones: Counter[str] = Counter()
        self.counted = self.told = 0
        self.acting = ""  # the phone that sent the newest form
        self.closed = False

    def wake(self) -> None:
        """Let every stream look again."""
        for stream in self.streams:
            stream.wake()


class Subscription:
    """One stream's place in a hub. It is given the newest number only, however many it has missed."""

    __slots__ = ("_bell", "_channel", "_ends", "_given", "_told")

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._ends = False
        self._given = channel.seq
        self._told = 0
        self._bell: queue.SimpleQueue[None] = queue.SimpleQueue()  # a thousand of these ring sooner than one condition

    @property
    def closed(self) -> bool:
        """True when the stream should end."""
        return self._ends or self._channel.closed

    def end(self) -> None:
        """Let the stream end."""
        self._ends = True
        self.wake()

    def wake(self) -> None:
        """Ring, unless it has rung already and nobody has come."""
        if self._bell.empty():
            self._bell.put(None)

    def wait(self, timeout: float) -> int | None:
        """Return the table's newest number as soon as it was not given before.

        None after ``timeout`` seconds, at the end, and when another number of phones looks on.
        """
        channel = self._channel
        end = time.monotonic() + timeout
        while not self.closed:
            seq = channel.seq
            if seq > self._given:
                self._given = seq
                return seq
            if channel.told != self._told:
                return None
            left = end - time.monotonic()
            if left <= 0:
                return None
            with suppress(queue.Empty):
                self._bell.get(timeout=left)
        return None

    def phones(self) -> int | None:
        """Return how many phones look on, if it was another number when this was asked last."""
        told = self._channel.told
        if told == self._told:
            return None
        self._told = told
        return told

    def given(self, seq: int) -> None:
        """Note that the stream knows this number already, from elsewhere."""
        self._given = max(self._given, seq)


class Hub:
    """The open streams of one process: a number, and who waits for the next, for each table that is being looked at.

    With a bus, three threads work while they are needed: one says what changed here, one hears what changed elsewhere, and one
    keeps both right. Without one, the third does.
    """

    def __init__(self, engine: Engine, opens: bus.Opens | None = None) -> None:
        """Begin with nobody listening. ``opens`` opens a line to the bus; without it this process is alone."""
        self.engine = engine
        self.name = secrets.token_hex(4)
        self._opens = opens
        self._lock = threading.Lock()
        self._channels: dict[int, Channel] = {}
        self._matches: OrderedDict[tuple[int, str], int] = OrderedDict()
        self._strangers = itertools.count()
        self._threads: dict[str, threading.Thread] = {}
        self._end = threading.Event()
        self._leaves = False
        # what is asked of the database
        self._asking = threading.Lock()  # one question at a time; meanwhile the next one grows
        self._question = Question()
        # what other processes shall hear
        self._changes: dict[int, int] = {}
        self._said: dict[int, Phones] = {}
        self._asks = False
        self._bell = threading.Event()
        # what they said
        self._elsewhere = Presence(GONE)
        self._echo = -DEAF  # when this process's own voice was heard last
        self._away = False
        self._tried = -TRY_AGAIN  # when a line was last opened only to see whether that is possible
        _hubs.add(self)

    @contextmanager
    def subscribe(self, table_id: int, phone: str | None = None, *, counts: bool = True) -> Iterator[Subscription]:
        """Lend a place among those who hear of this table, until the end of the ``with`` block.

        None is a phone of its own.

        What does not count hears everything, and is none of the table's phones: a screen that only watches.
        """
        with self._lock:
            channel = self._channels.get(table_id)
            if channel is None:
                channel = self._channels[table_id] = Channel()
            subscription = Subscription(channel)
            if self._leaves:
                subscription.end()
            whose = f"~{next(self._strangers)}~{self.name}" if phone is None else phone
            channel.streams.add(subscription)
            if counts:
                channel.phones[whose] += 1
            self._work("keep", self._keep)
            if self._opens is not None:
                self._work("hear", self._hear, self._opens)
                self._work("say", self._say, self._opens)
        try:
            yield subscription
        finally:
            with self._lock:
                channel.streams.remove(subscription)
                if counts:
                    channel.phones -= Counter((whose,))
                if not channel.streams and self._channels.get(table_id) is channel:
                    del self._channels[table_id]

    def publish(self, table_id: int, seq: int) -> None:
        """Wake the streams of this table. Numbers that are not newer than what they know are ignored."""
        with self._lock:
            channel = self._channels.get(table_id)
            if channel is not None and seq > channel.seq:
                channel.seq = seq
                channel.wake()

    def tell(self, table_id: int, seq: int) -> None:
        """Wake the streams of this table, here and in all other processes: it is stored that it is now at ``seq``."""
        self.publish(table_id, seq)
        if self._opens is None:
            return
        with self._lock:
            self._changes[table_id] = max(seq, self._changes.get(table_id, 0))
            self._work("say", self._say, self._opens)
        self._bell.set()

    def phones(self, table_id: int) -> int:
        """Return how many phones have a stream of this table open, in all processes together."""
        with self._lock:
            return self._count(table_id, self._channels.get(table_id))

    def acts(self, table_id: int, phone: str) -> None:
        """Note which phone at a table sent the newest form: the answer brings it the page, its stream need not."""
        with self._lock:
            channel = self._channels.get(table_id)
            if channel is not None:
                channel.acting = phone

    def is_acting(self, table_id: int, phone: str) -> bool:
        """Return True if this phone sent the newest form at its table."""
        channel = self._channels.get(table_id)
        return channel is not None and channel.acting == phone

    def looks_at(self, table_id: int, phone: str, match: int) -> None:
        """Note which match of a table a phone was shown last."""
        with self._lock:
            self._matches[table_id, phone] = match
            self._matches.move_to_end((table_id, phone))
            if len(self._matches) > MOST_PHONES:
                self._matches.popitem(last=False)

    def is_looking_at(self, table_id: int, phone: str, match: int) -> bool:
        """Return True if this phone has a stream of this table open, in any process, and was shown this match last."""
        with self._lock:
            channel = self._channels.get(table_id)
            if channel is not None and phone in channel.phones and self._matches.get((table_id, phone)) == match:
                return True
            return any(phones.get(short(phone)) == match for phones in self._elsewhere.at(table_id, time.monotonic()))

    def leave(self) -> None:
        """Tell the open streams to end one after the other, so that whoever serves their phones next is not overrun.

        Streams that are opened from now on end at once: these phones came back to the wrong process.
        """
        with self._lock:
            self._leaves = True
            streams = [stream for channel in self._channels.values() for stream in channel.streams]
        pace = max(LEAVING, len(streams) / LONGEST_LEAVING)
        begun = time.monotonic()
        for number, stream in enumerate(streams):
            time.sleep(max(begun + number / pace - time.monotonic(), 0.0))
            stream.end()
        self.close()

    def close(self) -> None:
        """Tell every open stream to end. Streams that are opened afterwards are not concerned."""
        with self._lock:
            for channel in self._channels.values():
                channel.closed = True
                channel.wake()
            self._channels.clear()

    def stop(self) -> None:
        """End every stream, and hang up: nothing more is said to other processes, nor heard of them."""
        self.close()
        with self._lock:
            self._end.set()
        self._bell.set()

    def present(self, table_id: int, since: int | None = None) -> Present | None:
        """Return the table as the database has it at a moment from now on; None when there is no such table.

        What is known already will do if it is not older than the number ``since``. Whoever asks while an answer is on its way
        is a part of the next question: phones that come back all at once take one connection and a handful of statements, and
        none waits for a connection until it gives up.
        """
        if found := self._known(table_id, since):
            return found
        with self._lock:
            question = self._question
            question.tables.add(table_id)
        with self._asking:
            if found := self._known(table_id, since):
                return found
            if question.answer is None and question.error is None:
                with self._lock:
                    self._question = Question()
                try:
                    question.answer = self._ask(question.tables)
                except SQLAlchemyError as away:
                    question.error = away
        if question.answer is None:
            raise question.error or RuntimeError("nobody asked")
        found = question.answer.get(table_id)
        with self._lock:
            if table_id in self._channels:
                self._channels[table_id].present = found
        return found

    def _known(self, table_id: int, since: int | None) -> Present | None:
        channel = None if since is None else self._channels.get(table_id)
        found = None if channel is None else channel.present
        return found if found is not None and since is not None and found.seq >= since else None

    def _ask(self, tables: Iterable[int]) -> dict[int, Present]:
        found: dict[int, Present] = {}
        asked = list(tables)
        for first in range(0, len(asked), AT_ONCE):
            with self.engine.connect() as connection:
                rows = connection.execute(_TABLES, {"table_ids": asked[first : first + AT_ONCE]}).all()
            found.update((table_id, Present(seq, frozenset(links))) for table_id, seq, *links in rows)
        return found

    def leads(self, token: str, table_id: int, seq: int) -> bool:
        """Return True if the table, at this number, has this link: asked once for each number, for all its streams.

        Whatever replaces a link moves the number on, so what was asked at a number stays right until the next. False also while
        the database is away: the phone comes back.
        """
        try:
            present = self.present(table_id, seq)
        except SQLAlchemyError:
            return False
        return present is not None and token in present.links

    def compare(self) -> None:
        """Wake the streams of every table that has changed without our hearing of it."""
        with self._lock:
            watched = list(self._channels)
        for table_id, present in self._ask(watched).items():
            self.publish(table_id, present.seq)

    def reaches_others(self) -> bool | None:
        """Return False while the bus is away; None without one.

        While nobody looks on, no line is open: then one is opened to find out, but not at every question.
        """
        if self._opens is None:
            return None
        now = time.monotonic()
        heard = "hear" in self._threads and (self._away or now - self._echo < DEAF)
        if heard or now - self._tried < TRY_AGAIN:
            return not self._away
        self._tried = now
        try:
            self._opens().close()
        except Exception as broken:  # each kind of line has its own ways to fail
            self._lost(broken)
        else:
            self._back()
        return not self._away

    # Threads

    def _work(self, name: str, what: Callable[..., None], *given: bus.Opens) -> None:
        """Let a thread do this, unless one does. The lock is held."""
        thread = self._threads.get(name)
        if not self._end.is_set() and (thread is None or not thread.is_alive()):
            self._threads[name] = threading.Thread(target=what, args=given, name=f"companion-{name}", daemon=True)
            self._threads[name].start()

    def _needed(self, name: str, *, until: float = 0.0) -> bool:
        """Return False when nobody looks at any table any more and the moment ``until`` has come: then this thread ends."""
        with self._lock:
            if not self._end.is_set() and (self._channels or self._changes or time.monotonic() < until):
                return True
            self._threads.pop(name, None)
            return False

    def _keep(self) -> None:
        """Tell streams how many phones look on, and compare with the database what may have been missed."""
        compares = self._opens is not None or self.engine.dialect.name == "postgresql"
        due = time.monotonic() + COMPARE * (0.5 + random() / 2)  # noqa: S311  # not all processes at the same moment
        while self._needed("keep"):
            self._end.wait(TICK)
            self._recount()
            if compares and time.monotonic() >= due:
                self._compare_calmly()
                due = time.monotonic() + COMPARE

    def _compare_calmly(self) -> None:
        try:
            self.compare()
        except SQLAlchemyError as away:
            logger.warning("the database is away (%s); streams are compared with it later", type(away).__name__)

    def _recount(self) -> None:
        """Tell streams of phones that came or went. Whoever was there at one tick only is on the way from page to page."""
        now = time.monotonic()
        with self._lock:
            self._elsewhere.forget(now)
            for table_id, channel in self._channels.items():
                count = self._count(table_id, channel)
                if count == channel.counted != channel.told:
                    channel.told = count
                    channel.wake()
                channel.counted = count

    def _count(self, table_id: int, channel: Channel | None) -> int:
        """Return how many phones look at a table. The lock is held."""
        there = set() if channel is None else set(map(short, channel.phones))
        return len(there.union(*self._elsewhere.at(table_id, time.monotonic())))

    # The bus: what is said and heard are lines of text, the first of them with the name of the process that speaks

    def _say(self, opens: bus.Opens) -> None:
        """Tell the other processes what changes here, who looks on, and that this one is there."""
        line: bus.Line | None = None
        pause = FIRST_PAUSE
        tick = all_again = 0.0
        until = time.monotonic() + LINGER
        while self._needed("say", until=until):
            try:
                line = line or opens()
                self._bell.wait(max(tick - time.monotonic(), 0.0))
                self._bell.clear()
                now = time.monotonic()
                statements = self._changed()
                if statements:
                    until = now + LINGER
                if now >= tick:
                    tick = now + TICK
                    if now >= all_again:
                        all_again = now + ALL_AGAIN
                        self._said = {}
                    statements += self._came_and_went()
                elif not statements:
                    continue
                self._send(line, statements)
                pause = FIRST_PAUSE
                time.sleep(BATCH)
            except Exception as broken:  # whatever it is, the other processes must hear again
                self._lost(broken)
                _hang_up(line)
                line = None
                self._said = {}
                self._end.wait(pause)
                pause = min(2 * pause, LONGEST_PAUSE)
        _hang_up(line)

    def _changed(self) -> list[str]:
        with self._lock:
            changes, self._changes = self._changes, {}
            asks, self._asks = self._asks, False
        return [f"now {table_id} {seq}" for table_id, seq in changes.items()] + ["who"] * asks

    def _came_and_went(self) -> list[str]:
        """Return which phones look at the tables where that is not what was said last."""
        with self._lock:
            present: dict[int, Phones] = {
                table_id: {
                    short(phone): self._matches.get((table_id, phone), 0)
                    for phone in itertools.islice(channel.phones, MOST_TOLD)
                }
                for table_id, channel in self._channels.items()
                if channel.phones
            }
            said, self._said = self._said, present
        new = {table_id: phones for table_id, phones in present.items() if said.get(table_id) != phones}
        new.update((table_id, {}) for table_id in said if table_id not in present)
        return [
            " ".join(("at", str(table_id), *(f"{phone}:{match}" for phone, match in phones.items())))
            for table_id, phones in new.items()
        ]

    def _send(self, line: bus.Line, statements: Iterable[str]) -> None:
        """Say all of this, in as many messages as it takes; one at least, for that alone says that this process is there."""
        packed, room = [self.name], line.longest
        for statement in statements:
            size = len(statement) + 1
            if size > room - len(self.name):
                line.say("\n".join(packed))
                packed, room = [self.name], line.longest
            packed.append(statement)
            room -= size
        line.say("\n".join(packed))

    def _hear(self, opens: bus.Opens) -> None:
        """Hear what other processes say for as long as anybody here looks at a table; come back when the line breaks."""
        line: bus.Line | None = None
        pause = FIRST_PAUSE
        while self._needed("hear"):
            try:
                if line is None:
                    line = opens()
                    line.listen()
                    with self._lock:
                        self._asks = True
                    self._bell.set()
                    self._compare_calmly()  # what changed before it listened
                self._listen(line)
                pause = FIRST_PAUSE
            except Exception as broken:  # whatever it is, the phones must hear again
                self._lost(broken)
                _hang_up(line)
                line = None
                self._end.wait(pause)
                pause = min(2 * pause, LONGEST_PAUSE)
        _hang_up(line)

    def _listen(self, line: bus.Line) -> None:
        """Take in what is said, until nobody looks any more. Raises TimeoutError when the line is silent."""
        heard = time.monotonic()
        while self._channels and not self._end.is_set():
            for message in line.hear(TICK):
                heard = time.monotonic()
                self._understand(message, heard)
            if time.monotonic() - heard > DEAF:
                raise TimeoutError

    def _understand(self, message: str, now: float) -> None:
        """Take in what one process said. What is not understood is a newer Companion's, and is left out."""
        process, *statements = message.split("\n")
        if process == self.name:
            self._echo = now
            self._back()
            return
        phones: dict[int, Phones] = {}
        for statement in statements:
            with suppress(ValueError):
                match statement.split(" "):
                    case ["now", table_id, seq]:
                        self.publish(int(table_id), int(seq))
                    case ["at", table_id, *there]:
                        pairs = (each.rpartition(":") for each in there)
                        phones[int(table_id)] = {phone: int(match) for phone, _, match in pairs}
                    case ["who"]:
                        self._said = {}
        with self._lock:
            self._elsewhere.hear(process, phones, now)

    def _lost(self, broken: Exception) -> None:
        if not self._away:
            self._away = True
            logger.warning(
                "the bus is away (%s): phones hear of what other processes store up to %.0f s later",
                type(broken).__name__,
                COMPARE,
            )

    def _back(self) -> None:
        if self._away:
            self._away = False
            logger.warning("the bus is back")


def _hang_up(line: bus.Line | None) -> None:
    if line is not None:
        with suppress(Exception):  # it may be broken
            line.close()


def init_app(app: Flask) -> None:
    """Give the application its hub, with the bus that its setting BUS asks for. Raises ValueError for one that can't be.

    The database must be there already.
    """
    with app.app_context():
        opens = bus.opens(app.config["BUS"], db.engine.url, app.config["BUS_NAME"])
        app.extensions["companion-live"] = Hub(db.engine, opens)


def hub() -> Hub:
    """Return the present application's hub."""
    found: Hub = current_app.extensions["companion-live"]
    return found


def changed(table_id: int) -> int:
    """Note, inside :func:`database.writing`, that phones at this table have something new to show. Returns its new number.

    They hear of it once it is stored, and not before: PostgreSQL lets all transactions that notify wait for each other. The
    table's row stays locked until then, so call it last.
    """
    seq: int = _BUMP.all(database.connection(), table_id=table_id)[0][0]
    present = hub()
    database.after_commit(lambda: present.tell(table_id, seq))
    return seq


def phones(table_id: int) -> int:
    """Return how many phones look at this table just now, by the open streams of all processes."""
    return hub().phones(table_id)


def leave_all() -> None:
    """Tell every stream of this process to end, before the server stops: one after the other, within seconds."""
    for each in list(_hubs):
        each.leave()


def stream(
    table_id: int,
    phone: str | None = None,
    through: Callable[[Messages], Iterator[bytes]] = iter,
    *,
    counts: bool = True,
) -> Response:
    """Server-sent events: the table's number at once, then whenever it changes, as ``id`` and ``data``.

    Another number of phones that look on is an event of its own, ``phones``.

    The number comes at once also for a phone that says which one it saw last (Last-Event-ID): it may not have fetched what
    that one announced. The request's database session ends here, so that an open stream holds no connection. ``through``
    may change the messages on their way.
    """
    db.session.remove()
    headers: Mapping[str, str] = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return Response(through(messages(hub(), table_id, phone, counts=counts)), mimetype="text/event-stream", headers=headers)


def messages(source: Hub, table_id: int, phone: str | None = None, *, counts: bool = True) -> Messages:
    """Return what :func:`stream` sends. Nothing is held before the first message is asked for, nor after the last."""
    with source.subscribe(table_id, phone, counts=counts) as subscription:
        # read after subscribing: what is stored in between comes again, and is not lost
        if subscription.closed:
            return
        try:
            present = source.present(table_id)
        except SQLAlchemyError:
            logger.warning("the database is away; a stream ends and its phone comes back")
            return
        if present is None:
            return
        subscription.given(present.seq)
        yield f"retry: {RETRY}\n".encode() + message(present.seq)
        while not subscription.closed:
            newer = subscription.wait(HEARTBEAT)
            told = subscription.phones()
            if newer is not None:
                yield message(newer)
            if told is not None:
                yield b"event: phones\ndata: %d\n\n" % told
            elif newer is None and not subscription.closed:
                yield BEAT


def message(seq: int) -> bytes:
    """Return one server-sent event."""
    return f"id: {seq}\ndata: {seq}\n\n".encode()
