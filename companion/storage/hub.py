"""Who looks at which table, and how do they hear that it changed? By its new sequence number, no more.

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
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from random import random

from sqlalchemy import Engine, bindparam, select
from sqlalchemy.exc import SQLAlchemyError

from companion.storage import bus
from companion.storage.models import Table
from companion.storage.presence import MOST_PHONES as MOST_TOLD
from companion.storage.presence import Phones, Presence, short
from companion.storage.subscriptions import Channel, Present, Subscription

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


logger = logging.getLogger(__name__)

_TABLES = select(Table.id, Table.seq, Table.play_token, Table.watch_token).where(
    Table.id.in_(bindparam("table_ids", expanding=True))
)


@dataclass(slots=True)
class Question:
    """Tables that are asked about by one statement, and what came back."""

    tables: set[int] = field(default_factory=set)
    answer: Mapping[int, Present] | None = None
    error: SQLAlchemyError | None = None


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
