"""What do the processes of one Companion tell each other: which tables changed, and which phones look at them?

A message is lines of text; the first is signed with the key of this Companion's processes, and names the one that sends it.
Whatever else is said on the bus counts for nothing. That a table has changed is only a reason to ask the database.
"""

from __future__ import annotations

import hmac
import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final, Protocol

from sqlalchemy.exc import SQLAlchemyError

from companion.storage.bus import Line, Opens
from companion.storage.workers import Workers

SIGNED = 65  # bytes of a message for its signature
BATCH = 0.02  # seconds in which changes are gathered before the other processes hear of them
TICK = 0.4  # seconds after which a process tells the others that it is there, and which phones came and went
GONE = 3 * TICK  # seconds of silence until another process counts as gone
ALL_AGAIN = 5.0  # seconds after which it tells of all its phones once more, for whoever missed something
DEAF = 3.0  # seconds without this process's own messages until the line counts as broken
TRY_AGAIN = 2.0  # seconds until it is tried anew whether the bus can be reached, while nobody looks on
LINGER = 10.0  # seconds until a process without news closes its line
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5.0  # seconds between two attempts to reach the bus
SHORT: Final = 10  # characters of a phone's name that tell it from the others at its table
MOST_PHONES: Final = 500  # of a table that a process tells of
FORGOTTEN: Final = 60.0  # seconds of silence until nothing is kept of a process

Phones = Mapping[str, int]  # the match that each phone was shown last, 0 for none, by the phone's short name

logger = logging.getLogger(__name__)


def short(phone: str) -> str:
    """Return a phone's name as processes tell it to each other."""
    return phone[:SHORT]


@dataclass(slots=True)
class OtherProcess:
    """The phones of another process by their table, and when the process said anything."""

    heard: float = 0.0
    tables: dict[int, Phones] = field(default_factory=dict)


class Presence:
    """The phones of all other processes. A process counts for as long as it is heard of."""

    def __init__(self, patience: float) -> None:
        """``patience``: seconds of silence until a process counts as gone, and its phones with it."""
        self._patience = patience
        self._processes: dict[str, OtherProcess] = {}

    def hear(self, process: str, tables: Mapping[int, Phones], moment: float) -> None:
        """Note that a process is there, and which phones look at these tables in it; none, if it tells of none."""
        sender = self._processes.setdefault(process, OtherProcess())
        sender.heard = moment
        sender.tables = {table_id: phones for table_id, phones in {**sender.tables, **tables}.items() if phones}

    def at(self, table_id: int, moment: float) -> Iterator[Phones]:
        """Iterate over the phones that look at a table, one process after the other."""
        for process in self._processes.values():
            if moment - process.heard <= self._patience and (phones := process.tables.get(table_id)):
                yield phones

    def forget(self, moment: float) -> None:
        """Let go of processes that have long been gone."""
        others = self._processes.items()
        self._processes = {name: process for name, process in others if moment - process.heard <= FORGOTTEN}


class Process(Protocol):
    """What a relay asks of the process that it speaks for."""

    name: str

    def is_watched(self) -> bool:
        """Return True while anybody here looks at a table."""

    def present_phones(self) -> Mapping[int, Phones]:
        """Return which phones look at which tables here."""

    def look(self, tables: Iterable[int]) -> None:
        """Ask the database for these tables, and wake their streams."""

    def compare_calmly(self) -> None:
        """Look into the database for what was missed."""


class Relay:
    """Passes on what changes here, and takes in what changes elsewhere. Two threads work while they are needed."""

    def __init__(self, process: Process, opens: Opens, key: bytes, workers: Workers, lock: threading.Lock) -> None:
        """Begin with nothing heard. ``opens`` opens a line to the bus, ``key`` signs what is said; ``lock`` is ``workers``'."""
        self._process = process
        self._opens = opens
        self._key = key
        self._workers = workers
        self._lock = lock
        # what the other processes shall hear
        self._changes: dict[int, int] = {}
        self._said: Mapping[int, Phones] = {}
        self._asks = False
        self._bell = threading.Event()
        # what they said
        self._elsewhere = Presence(GONE)
        self._echo = -DEAF  # when its own message came back last
        self._sent: float | None = None  # when the message went that has not come back
        self.lag = 0.0  # seconds that one took
        self._away = False
        self._tried = -TRY_AGAIN  # when a line was last opened only to see whether that is possible

    def work(self) -> None:
        """Let both threads work. Call it with the lock held."""
        self._workers.start("hear", self._hear)
        self._workers.start("say", self._say)

    def tell(self, table_id: int, seq: int) -> None:
        """Tell the other processes that a table is now at ``seq``."""
        with self._lock:
            self._changes[table_id] = max(seq, self._changes.get(table_id, 0))
            self._workers.start("say", self._say)
        self._bell.set()

    def has_news(self) -> bool:
        """Return True while something is not told yet."""
        return bool(self._changes)

    def wake(self) -> None:
        """Wake the sending thread, so that it ends if it is not needed."""
        self._bell.set()

    def phones_elsewhere(self, table_id: int) -> Iterator[Phones]:
        """Iterate over the phones that look at a table, one other process after the other."""
        return self._elsewhere.at(table_id, time.monotonic())

    def forget(self) -> None:
        """Let go of processes that have long been gone. Call it with the lock held."""
        self._elsewhere.forget(time.monotonic())

    def reaches_others(self) -> bool:
        """Return False while the bus is away.

        While nobody looks on, no line is open: then one is opened to find out, but not at every question.
        """
        moment = time.monotonic()
        heard = "hear" in self._workers.running and (self._away or moment - self._echo < DEAF)
        if heard or moment - self._tried < TRY_AGAIN:
            return not self._away
        self._tried = moment
        try:
            self._opens().close()
        except Exception as broken:  # each kind of line has its own ways to fail
            self._lost(broken)
        else:
            self._back()
        return not self._away

    def _work(self, name: str, act: Callable[[Line], None], until: Callable[[], float] = lambda: 0.0) -> None:
        """Act on an open line, again and again while a thread of this name is needed; open another one when it breaks."""
        line: Line | None = None
        pause = FIRST_PAUSE
        while self._workers.goes_on(name, until=until()):
            try:
                line = line or self._opens()
                act(line)
                pause = FIRST_PAUSE
            except Exception as broken:  # whatever it is, the processes must hear of each other again
                self._lost(broken)
                _hang_up(line)
                line = None
                self._workers.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)
        _hang_up(line)

    # What is said

    def _say(self) -> None:
        """Tell the other processes what changes here, who looks on, and that this one is there."""
        tick = all_again = 0.0
        until = time.monotonic() + LINGER

        def tell(line: Line) -> None:
            nonlocal tick, all_again, until
            self._bell.wait(max(tick - time.monotonic(), 0.0))
            self._bell.clear()
            moment = time.monotonic()
            statements = self._changed()
            if statements:
                until = moment + LINGER
            if moment >= tick:
                tick = moment + TICK
                if moment >= all_again:
                    all_again = moment + ALL_AGAIN
                    self._said = {}
                statements += self._came_and_went()
            elif not statements:
                return
            self._send(line, statements)
            time.sleep(BATCH)

        self._work("say", tell, lambda: until)

    def _changed(self) -> list[str]:
        with self._lock:
            changes, self._changes = self._changes, {}
            asks, self._asks = self._asks, False
        return [f"now {table_id} {seq}" for table_id, seq in changes.items()] + ["who"] * asks

    def _came_and_went(self) -> list[str]:
        """Return which phones look at the tables where that is not what was said last."""
        with self._lock:
            present = self._process.present_phones()
            before, self._said = self._said, present
        new = {table_id: phones for table_id, phones in present.items() if before.get(table_id) != phones}
        new.update((table_id, {}) for table_id in before if table_id not in present)
        return [
            " ".join(("at", str(table_id), *(f"{phone}:{match}" for phone, match in phones.items())))
            for table_id, phones in new.items()
        ]

    def _send(self, line: Line, statements: Iterable[str]) -> None:
        """Send all of this in as many messages as it takes, at least one: an empty message says that the process is alive."""
        self._sent = self._sent or time.monotonic()
        packed, room = [self._process.name], line.longest - SIGNED
        for statement in statements:
            size = len(statement) + 1
            if size > room - len(self._process.name):
                line.say(self._signed("\n".join(packed)))
                packed, room = [self._process.name], line.longest - SIGNED
            packed.append(statement)
            room -= size
        line.say(self._signed("\n".join(packed)))

    def _signed(self, text: str) -> str:
        return f"{hmac.digest(self._key, text.encode(), 'sha256').hex()} {text}"

    # What is heard

    def _hear(self) -> None:
        """Receive what other processes send while anybody here looks at a table."""
        heard_by: Line | None = None

        def listen(line: Line) -> None:
            nonlocal heard_by
            if line is not heard_by:
                self._begin_to_listen(line)
                heard_by = line
            self._listen(line)

        self._work("hear", listen)

    def _begin_to_listen(self, line: Line) -> None:
        """Receive from now on what is said, and find what was said before that."""
        line.listen()
        self._sent = None  # what went before will not come back
        with self._lock:
            self._asks = True
        self._bell.set()
        self._process.compare_calmly()

    def _listen(self, line: Line) -> None:
        """Take in what is said, until nobody looks any more. Raises TimeoutError when the line is silent."""
        heard = time.monotonic()
        while self._process.is_watched() and not self._workers.ended:
            for message in line.hear(TICK):
                heard = time.monotonic()
                self._understand(message, heard)
            if time.monotonic() - heard > DEAF:
                raise TimeoutError

    def _understand(self, message: str, moment: float) -> None:
        """Take in what one process said. What is not understood is a newer Companion's, and is left out."""
        _, _, content = message.partition(" ")
        if not hmac.compare_digest(message.encode(), self._signed(content).encode()):
            return
        process, *statements = content.split("\n")
        if process == self._process.name:
            self._echo = moment
            if self._sent is not None:
                self.lag, self._sent = moment - self._sent, None
            self._back()
            return
        phones: dict[int, Phones] = {}
        changed: set[int] = set()
        for statement in statements:
            with suppress(ValueError):
                match statement.split(" "):
                    case ["now", table_id, _]:
                        changed.add(int(table_id))
                    case ["at", table_id, *there]:
                        pairs = (pair.rpartition(":") for pair in there)
                        phones[int(table_id)] = {phone: int(match) for phone, _, match in pairs}
                    case ["who"]:
                        self._said = {}
        with self._lock:
            self._elsewhere.hear(process, phones, moment)
        with suppress(SQLAlchemyError):  # it is compared with the database every few seconds
            self._process.look(changed)

    def _lost(self, broken: Exception) -> None:
        self._said = {}  # what was said last may not have arrived
        if not self._away:
            self._away = True
            logger.warning(
                "the bus is away (%s): phones hear of what other processes store some seconds later", type(broken).__name__
            )

    def _back(self) -> None:
        if self._away:
            self._away = False
            logger.warning("the bus is back")


def _hang_up(line: Line | None) -> None:
    if line is not None:
        with suppress(Exception):  # it may be broken
            line.close()
