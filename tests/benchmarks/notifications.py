"""What does it cost PostgreSQL to tell of changes? Commits a second with 1, 8 and 32 writers, alone and with a standby.

    python -m tests.benchmarks notifications

Each writer stores entries of a match of its own, as fast as PostgreSQL takes them: the line, the match's number and the table's
number, in one transaction and one message. In turns of a quarter of a second nobody is told; all are told by NOTIFY inside the
transaction, as it was once; and all are told as Companion does it, by the hub of each process, which also hears everything. The
writers are in four processes. The standby has each commit on its disk before it counts (synchronous replication).

Each round has a turn of each, and every way begins as often as the others, so that what else the machine does falls on all of
them; a ratio is the median of those of all rounds, and the middle half of them is printed beside it. The aim for the bus: at
most 15 % below silence.
"""

from __future__ import annotations

import itertools
import multiprocessing
import statistics
import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack, closing
from multiprocessing.queues import Queue
from typing import Any

import psycopg
from sqlalchemy import create_engine, text

from companion.storage import bus, database, migrations
from companion.storage.hub import Hub
from tests.postgresql import Postgresql, folder

WRITERS = (1, 8, 32)
PROCESSES = 4
MODES = ("silence", "inside", "bus")
ROUNDS = 30
SECONDS = 0.25
BREATH = 0.05  # seconds between two turns: what was stored in one is told before the next
AIM = 0.85

ENTRY = (
    "INSERT INTO entries (table_id, match_number, seq, key, player, at, kind, body)"
    " VALUES (%s, 1, %s, %s, NULL, now(), 'events', %s)"
)
BODY = '{"events":[{"type":"passed-deal"}]}'
MATCH = "UPDATE matches SET seq = %s, head = %s WHERE table_id = %s AND number = 1"
TABLE = "UPDATE tables SET seq = seq + 1 WHERE id = %s RETURNING seq"
NOTIFY = "SELECT pg_notify('companion', %s)"


def prepare(url: str) -> None:
    """Bring the database to the present schema, with a table and a match for each writer."""
    engine = create_engine(database.address(url))
    migrations.upgrade(engine)
    with engine.begin() as connection:
        for number in range(1, max(WRITERS) + 1):
            connection.execute(
                text("INSERT INTO tables (id, name, play_token, watch_token, seq, created) VALUES (:n, 'T', :p, :w, 0, now())"),
                {"n": number, "p": f"play-{number}", "w": f"watch-{number}"},
            )
            connection.execute(
                text(
                    "INSERT INTO matches (table_id, number, game, edition, players, options, seq, created)"
                    " VALUES (:n, 1, 'beloz', 1, '[]', '{}', 0, now())"
                ),
                {"n": number},
            )
    engine.dispose()


class Writer:
    """A phone that stores entries: one connection, and the match that it writes to."""

    def __init__(self, url: str, number: int, hub: Hub) -> None:
        self._line = psycopg.connect(url, autocommit=True)
        self._number = number
        self._hub = hub
        self._seqs = itertools.count(
            1 + (self._line.execute("SELECT seq FROM matches WHERE table_id = %s", (number,)).fetchone() or [0])[0]
        )

    def write(self, mode: str, until: float) -> int:
        """Store entries until then; returns how many."""
        number, stored = self._number, 0
        while time.monotonic() < until:
            seq = next(self._seqs)
            with self._line.pipeline(), self._line.transaction():
                self._line.execute(ENTRY, (number, seq, f"key-{seq}", BODY))
                self._line.execute(MATCH, (seq, seq, number))
                table = self._line.execute(TABLE, (number,))
                if mode == "inside":
                    self._line.execute(NOTIFY, (f"{number}:{seq}",))
            if mode == "bus":
                self._hub.tell(number, table.fetchone()[0])
            stored += 1
        return stored

    def close(self) -> None:
        """Hang up."""
        self._line.close()


def work(url: str, numbers: Sequence[int], turns: Sequence[str], begin: Any, done: Queue[tuple[int, int]]) -> None:
    """Run one process: its writers take all turns, and somebody looks at every one of their tables."""
    engine = create_engine(database.address(url))
    hub = Hub(engine, bus.opens("postgresql", engine.url, "companion"))
    writers = [Writer(url, number, hub) for number in numbers]
    with ExitStack() as looking:
        for number in numbers:
            looking.enter_context(hub.subscribe(number))
        for turn, mode in enumerate(turns):
            time.sleep(BREATH)
            begin.wait()
            until = time.monotonic() + SECONDS
            stored = [0] * len(writers)

            def write(place: int, mode: str = mode, until: float = until, stored: list[int] = stored) -> None:
                stored[place] = writers[place].write(mode, until)

            threads = [threading.Thread(target=write, args=(place,)) for place in range(len(writers))]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            done.put((turn, sum(stored)))
    hub.stop()
    for writer in writers:
        writer.close()
    engine.dispose()


def measure(url: str, writers: int) -> dict[str, list[float]]:
    """Return the commits a second, round by round, for each way of telling phones."""
    turns = [MODES[(number + place) % len(MODES)] for number in range(ROUNDS) for place in range(len(MODES))]
    spawned = multiprocessing.get_context("spawn")
    done: Queue[tuple[int, int]] = spawned.Queue()
    parts = [list(range(1 + first, 1 + writers, PROCESSES)) for first in range(min(PROCESSES, writers))]
    begin = spawned.Barrier(len(parts))
    processes = [spawned.Process(target=work, args=(url, part, turns, begin, done)) for part in parts]
    for process in processes:
        process.start()
    stored = [0] * len(turns)
    for _ in range(len(turns) * len(parts)):
        turn, count = done.get(timeout=120)
        stored[turn] += count
    for process in processes:
        process.join(timeout=60)
    return {mode: [count / SECONDS for turn, count in enumerate(stored) if turns[turn] == mode] for mode in MODES}


def show(name: str, url: str) -> None:
    """Print a line for each number of writers."""
    for writers in WRITERS:
        found = measure(url, writers)
        rates = {mode: statistics.median(each) for mode, each in found.items()}
        against = {
            mode: statistics.quantiles((rate / quiet for rate, quiet in zip(found[mode], found["silence"], strict=True)), n=4)
            for mode in MODES
        }
        ratio = {mode: f"{middle:4.2f} ({low:4.2f} to {high:4.2f})" for mode, (low, middle, high) in against.items()}
        print(
            f"{name:16} {writers:3} writers   silence {rates['silence']:6.0f}   NOTIFY inside {rates['inside']:6.0f},"
            f" {ratio['inside']}   bus {rates['bus']:6.0f}, {ratio['bus']}: {'met' if against['bus'][1] >= AIM else 'not met'}",
            flush=True,
        )


def main() -> None:
    """Print a line a number of writers, for one server and for one with a synchronous standby."""
    print(f"commits a second, and against silence, the middle half of the rounds in brackets (aim for the bus: at least {AIM})")
    with folder() as data, closing(Postgresql(data)) as leader:
        prepare(leader.url)
        show("one server", leader.url)
        with folder() as other, closing(leader.standby(other)):
            show("with a standby", leader.url)
            leader.run("ALTER SYSTEM RESET synchronous_standby_names")
            leader.run("SELECT pg_reload_conf()")
