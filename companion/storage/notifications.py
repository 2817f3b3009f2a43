"""Who is looking at which table, and how they hear that something changed there: by the table's new sequence number, no more.

Streams wait in a :class:`Hub`, one an application and process. With PostgreSQL, changes travel between processes by NOTIFY,
inside the transaction that makes them: nobody hears of what was not stored.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any
from weakref import WeakSet

from flask import Flask, Response, current_app
from sqlalchemy import Engine, bindparam, func, select, update
from sqlalchemy.exc import SQLAlchemyError

from companion.storage import database
from companion.storage.models import Table, db
from companion.storage.statements import Statement

HEARTBEAT = 8.0  # seconds of silence until a stream says that it is still there; pages wait twice as long for it (live.js)
BEAT = b"event: beat\ndata: beat\n\n"  # what it says then: scripts hear nothing of a comment
RETRY = 2000  # milliseconds that a phone waits before it comes back
CHANNEL = "companion"  # the name under which PostgreSQL passes changes on
LISTEN_TURN = 1.0  # seconds until the listener looks whether it is still needed
LISTEN_CHECK = 15.0  # seconds of silence until the listener asks whether PostgreSQL is still there
MOST_PHONES = 20_000  # of which it is remembered where they look
LONGEST_PAUSE = 5.0  # seconds between two attempts to reach PostgreSQL

Messages = Generator[bytes, None, None]

logger = logging.getLogger(__name__)

_TABLE_SEQ = select(Table.seq).where(Table.id == bindparam("table_id"))
_BUMP = Statement(update(Table).where(Table.id == bindparam("table_id")).values(seq=Table.seq + 1).returning(Table.seq))
_NOTIFY = select(func.pg_notify(CHANNEL, bindparam("payload")))

_hubs: WeakSet[Hub] = WeakSet()


class Channel:
    """A table that somebody is looking at: its newest number, the streams that wait for the next, and whether they must end.

    ``phones`` has how many of these streams each phone has: one that left a page is a stream here until it is noticed.
    """

    __slots__ = ("closed", "phones", "seq", "streams")

    def __init__(self) -> None:
        self.seq = -1
        self.streams: set[Subscription] = set()
        self.phones: Counter[object] = Counter()
        self.closed = False

    def wake(self) -> None:
        """Let every stream look again."""
        for stream in self.streams:
            stream.wake()


class Subscription:
    """One stream's place in a hub. It is given the newest number only, however many it has missed."""

    __slots__ = ("_bell", "_channel", "_given")

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._given = channel.seq
        self._bell: queue.SimpleQueue[None] = queue.SimpleQueue()  # a thousand of these ring sooner than one condition

    @property
    def closed(self) -> bool:
        """True when the stream should end."""
        return self._channel.closed

    def wake(self) -> None:
        """Ring, unless it has rung already and nobody has come."""
        if self._bell.empty():
            self._bell.put(None)

    def wait(self, timeout: float) -> int | None:
        """The table's newest number as soon as it was not given before; None after ``timeout`` seconds, or at the end."""
        channel = self._channel
        end = time.monotonic() + timeout
        while not channel.closed:
            seq = channel.seq
            if seq > self._given:
                self._given = seq
                return seq
            left = end - time.monotonic()
            if left <= 0:
                return None
            with suppress(queue.Empty):
                self._bell.get(timeout=left)
        return None

    def given(self, seq: int) -> None:
        """Note that the stream knows this number already, from elsewhere."""
        self._given = max(self._given, seq)


class Hub:
    """The open streams of one process: a number, and who waits for the next, for each table that is being looked at."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._lock = threading.Lock()
        self._channels: dict[int, Channel] = {}
        self._matches: OrderedDict[tuple[int, str], int] = OrderedDict()
        self._listener: threading.Thread | None = None
        _hubs.add(self)

    @contextmanager
    def subscribe(self, table_id: int, phone: str | None = None, *, counts: bool = True) -> Iterator[Subscription]:
        """A place among those who hear of this table, until the end of the ``with`` block. None is a phone of its own.

        What does not count hears everything, and is none of the table's phones: a screen that only watches.
        """
        with self._lock:
            channel = self._channels.get(table_id)
            if channel is None:
                channel = self._channels[table_id] = Channel()
            subscription = Subscription(channel)
            whose = subscription if phone is None else phone
            channel.streams.add(subscription)
            if counts:
                channel.phones[whose] += 1
            if self.engine.dialect.name == "postgresql" and not (self._listener and self._listener.is_alive()):
                self._listener = threading.Thread(target=self._listen, name="companion-live", daemon=True)
                self._listener.start()
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

    def phones(self, table_id: int) -> int:
        """How many phones have a stream of this table open in this process."""
        with self._lock:
            channel = self._channels.get(table_id)
            return 0 if channel is None else len(channel.phones)

    def looks_at(self, table_id: int, phone: str, match: int) -> None:
        """Note which match of a table a phone was shown last."""
        with self._lock:
            self._matches[table_id, phone] = match
            self._matches.move_to_end((table_id, phone))
            if len(self._matches) > MOST_PHONES:
                self._matches.popitem(last=False)

    def looking_at(self, table_id: int, match: int) -> set[str]:
        """Return the phones with an open stream of this table that were shown this match last."""
        with self._lock:
            channel = self._channels.get(table_id)
            here = () if channel is None else channel.phones
            return {phone for phone in here if isinstance(phone, str) and self._matches.get((table_id, phone)) == match}

    def close(self) -> None:
        """Tell every open stream to end. Streams that are opened afterwards are not concerned."""
        with self._lock:
            for channel in self._channels.values():
                channel.closed = True
                channel.wake()
            self._channels.clear()

    def present(self, table_id: int) -> int | None:
        """The table's number in the database, read in a moment of its own; None when there is no such table."""
        with self.engine.connect() as connection:
            seq: int | None = connection.execute(_TABLE_SEQ, {"table_id": table_id}).scalar()
            return seq

    # PostgreSQL

    def _listen(self) -> None:
        """Hear what other processes changed for as long as anybody here looks at a table; come back when the line breaks."""
        pause = 0.1
        while self._needed():
            try:
                for table_id, seq in self._heard():
                    pause = 0.1
                    self.publish(table_id, seq)
            except Exception as broken:  # whatever it is, the phones' only way to hear must come back
                logger.warning("lost the line to PostgreSQL (%s); trying again", type(broken).__name__)
                time.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)

    def _needed(self) -> bool:
        with self._lock:
            if self._channels:
                return True
            self._listener = None
            return False

    def _heard(self) -> Iterator[tuple[int, int]]:
        """Changes as PostgreSQL tells of them, after what may have been missed before. Ends when nobody looks any more."""
        borrowed = self.engine.raw_connection()
        line: Any = borrowed.driver_connection
        borrowed.detach()  # it does nothing but listen from now on; the pool may open another in its place
        try:
            line.rollback()
            line.autocommit = True
            line.execute(f"LISTEN {CHANNEL}")
            yield from self._missed(line)
            quiet_since = time.monotonic()
            while True:
                for notice in line.notifies(timeout=LISTEN_TURN):
                    quiet_since = time.monotonic()
                    table_id, _, seq = notice.payload.partition(":")
                    yield int(table_id), int(seq)
                with self._lock:
                    if not self._channels:
                        return
                if time.monotonic() - quiet_since > LISTEN_CHECK:
                    line.execute("SELECT 1")
                    quiet_since = time.monotonic()
        finally:
            borrowed.close()

    def _missed(self, line: Any) -> Iterator[tuple[int, int]]:
        with self._lock:
            tables = list(self._channels)
        yield from line.execute("SELECT id, seq FROM tables WHERE id = ANY(%s)", (tables,)).fetchall()


def init_app(app: Flask) -> None:
    """Give the application its hub. The database must be there already."""
    with app.app_context():
        app.extensions["companion-live"] = Hub(db.engine)


def hub() -> Hub:
    """The present application's hub."""
    found: Hub = current_app.extensions["companion-live"]
    return found


def changed(table_id: int) -> int:
    """Note, inside :func:`database.writing`, that phones at this table have something new to show. Returns its new number.

    They hear of it once it is stored. The table's row stays locked until then, so call it last.
    """
    connection = database.connection()
    seq: int = _BUMP.all(connection, table_id=table_id)[0][0]
    if connection.dialect.name == "postgresql":
        connection.execute(_NOTIFY, {"payload": f"{table_id}:{seq}"})
    present = hub()
    database.after_commit(lambda: present.publish(table_id, seq))
    return seq


def publish(table_id: int, seq: int) -> None:
    """Tell the phones that look at this table, in this process, that it is now at ``seq``."""
    hub().publish(table_id, seq)


def phones(table_id: int) -> int:
    """How many phones look at this table just now, by this process's open streams."""
    return hub().phones(table_id)


def close_all() -> None:
    """Tell every stream of this process to end, before the server stops."""
    for each in list(_hubs):
        each.close()


def stream(
    table_id: int,
    phone: str | None = None,
    through: Callable[[Messages], Iterator[bytes]] = iter,
    *,
    counts: bool = True,
) -> Response:
    """Server-sent events: the table's number at once, then whenever it changes, as ``id`` and ``data``.

    The number comes at once also for a phone that says which one it saw last (Last-Event-ID): it may not have fetched what
    that one announced. The request's database session ends here, so that an open stream holds no connection. ``through``
    may change the messages on their way.
    """
    db.session.remove()
    headers: Mapping[str, str] = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return Response(through(messages(hub(), table_id, phone, counts=counts)), mimetype="text/event-stream", headers=headers)


def messages(source: Hub, table_id: int, phone: str | None = None, *, counts: bool = True) -> Messages:
    """What :func:`stream` sends. Nothing is held before the first message is asked for, nor after the last."""
    with source.subscribe(table_id, phone, counts=counts) as subscription:
        # read after subscribing: what is stored in between comes again, and is not lost
        try:
            seq = source.present(table_id)
        except SQLAlchemyError:
            logger.warning("the database is away; a stream ends and its phone comes back")
            return
        if seq is None:
            return
        subscription.given(seq)
        yield f"retry: {RETRY}\n".encode() + message(seq)
        while not subscription.closed:
            newer = subscription.wait(HEARTBEAT)
            if newer is not None:
                yield message(newer)
            elif not subscription.closed:
                yield BEAT


def message(seq: int) -> bytes:
    """One server-sent event."""
    return f"id: {seq}\ndata: {seq}\n\n".encode()
