"""Which streams of this process wait for a table, and who wakes them?

Streams wait in a :class:`Hub`, one an application and process. A change is told after its commit: to this process's streams at
once, to the other processes by the bus, all tables of some 20 ms together. What the bus loses is found within seconds: each
process compares the numbers that its phones know with those in the database.
"""

from __future__ import annotations

import itertools
import logging
import secrets
import threading
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from random import random

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from companion.storage import relay
from companion.storage.bus import Opens
from companion.storage.relay import MOST_PHONES as MOST_TOLD
from companion.storage.relay import Phones, short
from companion.storage.subscriptions import Channel, Subscription
from companion.storage.table_states import TableState, TableStates
from companion.storage.workers import Workers

COMPARE = 3.0  # seconds after which the numbers are compared with the database
LEAVING, LONGEST_LEAVING = 50.0, 5.0  # streams a second that are ended before the server stops, and seconds at most for all
MOST_PHONES = 20_000  # the hub remembers the table of so many

logger = logging.getLogger(__name__)


class Hub:
    """The open streams of one process: a number, and who waits for the next, for each table that is being looked at.

    A thread keeps them right while they are needed: it counts phones, and compares numbers with the database. With a bus, a
    relay tells the other processes what changes here, and hears what changes there.
    """

    def __init__(
        self, engine: Engine, opens: Opens | None = None, key: bytes = b"", went_back: Callable[[], object] = lambda: None
    ) -> None:
        """Begin with nobody listening.

        Args:
            engine: the database.
            opens: opens a line to the bus; without it this process is alone.
            key: by which the processes know each other's messages.
            went_back: called when the database is found to be older than what was known of it.
        """
        self.engine = engine
        self._went_back = went_back
        self.name = secrets.token_hex(4)
        self._lock = threading.Lock()
        self._channels: dict[int, Channel] = {}
        self._gone: deque[tuple[int, Channel, Subscription, str | None]] = deque()  # streams that ended, to be taken out
        self._matches: OrderedDict[tuple[int, str], int] = OrderedDict()
        self._strangers = itertools.count()
        self._leaves = False
        self._states = TableStates(engine)
        self._workers = Workers(self._lock, self._is_needed)
        self._relay = None if opens is None else relay.Relay(self, opens, key, self._workers, self._lock)

    @contextmanager
    def subscribe(self, table_id: int, phone: str | None = None, *, counts: bool = True) -> Iterator[Subscription]:
        """Lend a place among those who hear of this table, until the end of the ``with`` block.

        Args:
            table_id: The table.
            phone: The phone that opens the stream. None counts as a separate phone.
            counts: Whether it is one of the table's phones. A screen that only watches hears everything and does not count.
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
            self._workers.start("keep", self._keep)
            if self._relay is not None:
                self._relay.work()
        try:
            yield subscription
        finally:
            # Never wait here: a stream that nobody closed ends when Python collects garbage, which may be while this very
            # thread holds the lock. Then whoever holds it next takes the stream out, the keeping thread at its next tick.
            self._gone.append((table_id, channel, subscription, whose if counts else None))
            if self._lock.acquire(blocking=False):
                try:
                    self._take_out()
                finally:
                    self._lock.release()

    def publish(self, table_id: int, seq: int, state: TableState | None = None) -> None:
        """Wake the streams of this table. Numbers that are not newer than what they know are ignored.

        ``state`` is the table as it is stored with this number, if that is known.
        """
        with self._lock:
            channel = self._channels.get(table_id)
            if channel is not None and seq > channel.seq:
                channel.seq = seq
                channel.state = state or channel.state
                channel.wake()

    def tell(self, table_id: int, seq: int, state: TableState | None = None) -> None:
        """Wake the streams of this table, here and in all other processes: it is stored that it is now at ``seq``."""
        self.publish(table_id, seq, state)
        if self._relay is not None:
            self._relay.tell(table_id, seq)

    def phones(self, table_id: int) -> int:
        """Return how many phones have a stream of this table open, in all processes together."""
        with self._lock:
            self._take_out()
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
            return any(phones.get(short(phone)) == match for phones in self._elsewhere(table_id))

    def leave(self) -> None:
        """End the open streams one after the other, so that the process that serves their phones next is not overrun.

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
        """End every stream and the connections to other processes."""
        self.close()
        self._workers.end()
        if self._relay is not None:
            self._relay.wake()

    def present(self, table_id: int, since: int | None = None) -> TableState | None:
        """Return the table as the database has it now or later; None when there is no such table.

        What is known already will do if it is not older than the number ``since``.
        """

        def known() -> TableState | None:
            return self._known(table_id, since)

        if state := known():
            return state
        state = self._states.find(table_id, known)
        with self._lock:
            if table_id in self._channels:
                self._channels[table_id].state = state
        return state

    def _known(self, table_id: int, since: int | None) -> TableState | None:
        channel = None if since is None else self._channels.get(table_id)
        state = None if channel is None else channel.state
        return state if state is not None and since is not None and state.seq >= since else None

    def leads(self, token: str, table_id: int, seq: int) -> bool:
        """Return True if the table, at this number, has this link: asked once for each number, for all its streams.

        Whatever replaces a link moves the number on, so what was asked at a number stays right until the next. False also while
        the database is away: the phone comes back.
        """
        try:
            state = self.present(table_id, seq)
        except SQLAlchemyError:
            return False
        return state is not None and token in state.links

    def look(self, tables: Iterable[int]) -> None:
        """Wake the streams of these tables, of which another process said that they have changed: the database says to what."""
        with self._lock:
            watched = [table_id for table_id in tables if table_id in self._channels]
        for table_id, state in self._states.read(watched).items():
            self.publish(table_id, state.seq, state)

    def compare(self) -> None:
        """Wake the streams of every table whose change was missed, and end those of tables that went back or are gone.

        A table goes back when an older copy of the database was put in place: this process then knows of entries that are gone.
        The number must be lower twice, because an entry may be announced here during the query.
        """
        with self._lock:
            watched = {table_id: channel.seq for table_id, channel in self._channels.items()}
        stored = self._states.read(watched)
        for table_id, state in stored.items():
            self.publish(table_id, state.seq)
        with self._lock:
            back = []
            for table_id, seq in watched.items():
                channel = self._channels.get(table_id)
                if channel is None or channel.seq != seq or (table_id in stored and stored[table_id].seq >= seq):
                    continue
                if channel.doubted == seq:
                    back.append(channel)
                    del self._channels[table_id]
                channel.doubted = seq
        if not back:
            return
        self._went_back()  # before streams end: a phone that comes back at once must get the older copy's pages
        with self._lock:
            for channel in back:
                channel.closed = True
                channel.wake()

    def doubt(self) -> None:
        """Ask the database at once for what is known of the tables: a connection was lost, and another server may know less."""
        with self._lock:
            for channel in self._channels.values():
                channel.state = None
                channel.doubted = channel.seq

    def reaches_others(self) -> bool | None:
        """Return False while the bus is away; None without one."""
        return None if self._relay is None else self._relay.reaches_others()

    def streams(self) -> int:
        """Return how many streams are open in this process."""
        with self._lock:
            self._take_out()
            return sum(len(channel.streams) for channel in self._channels.values())

    def bus_lag(self) -> float:
        """Return the seconds that the newest message took over the bus and back; 0 without a bus, or while nobody looks on."""
        return 0.0 if self._relay is None or not self.is_watched() else self._relay.lag

    def is_watched(self) -> bool:
        """Return True while anybody here looks at a table."""
        return bool(self._channels)

    def present_phones(self) -> dict[int, Phones]:
        """Return which phones look at which tables here. Call it with the lock held."""
        return {
            table_id: {
                short(phone): self._matches.get((table_id, phone), 0) for phone in itertools.islice(channel.phones, MOST_TOLD)
            }
            for table_id, channel in self._channels.items()
            if channel.phones
        }

    def _is_needed(self) -> bool:
        self._take_out()
        return self.is_watched() or (self._relay is not None and self._relay.has_news())

    def _keep(self) -> None:
        """Tell streams how many phones look on, and compare with the database what may have been missed."""
        compares = self._relay is not None or self.engine.dialect.name == "postgresql"
        due = time.monotonic() + COMPARE * (0.5 + random() / 2)  # noqa: S311  # not all processes at the same moment
        while self._workers.goes_on("keep"):
            self._workers.sleep(relay.TICK)
            self._recount()
            if compares and time.monotonic() >= due:
                self.compare_calmly()
                due = time.monotonic() + COMPARE

    def compare_calmly(self) -> None:
        """Compare, unless the database is away."""
        try:
            self.compare()
        except SQLAlchemyError as away:
            logger.warning("the database is away (%s); streams are compared with it later", type(away).__name__)

    def _recount(self) -> None:
        """Tell streams of phones that came or went. Whoever was there at one tick only is on the way from page to page."""
        with self._lock:
            self._take_out()
            if self._relay is not None:
                self._relay.forget()
            for table_id, channel in self._channels.items():
                count = self._count(table_id, channel)
                if count == channel.counted != channel.told:
                    channel.told = count
                    channel.wake()
                channel.counted = count

    def _take_out(self) -> None:
        """Take out the streams that ended. The lock is held."""
        while self._gone:
            table_id, channel, subscription, whose = self._gone.popleft()
            channel.streams.remove(subscription)
            if whose is not None:
                channel.phones -= Counter((whose,))
            if not channel.streams and self._channels.get(table_id) is channel:
                del self._channels[table_id]

    def _count(self, table_id: int, channel: Channel | None) -> int:
        """Return how many phones look at a table. The lock is held."""
        phones = set() if channel is None else set(map(short, channel.phones))
        return len(phones.union(*self._elsewhere(table_id)))

    def _elsewhere(self, table_id: int) -> Iterator[Phones]:
        return iter(()) if self._relay is None else self._relay.phones_elsewhere(table_id)
