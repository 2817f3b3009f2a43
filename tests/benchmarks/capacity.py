"""How many tables do one PostgreSQL and one Companion carry? Measured with many who enter at once.

    python -m tests.benchmarks capacity

First PostgreSQL: 1, 8 and 32 writers, each at a table of its own, enter as fast as they are answered; they are threads of four
processes and store as Companion does, without pages. Once with entries in one piece and once in 16 partitions by table. The
writers share the machine with PostgreSQL, so the figure that counts is PostgreSQL's processor time an entry.

Then Companion: one process serves 25 tables of four phones, each with its stream, which fetch the page after every entry. At
four entries a second, the processor time of this process and of PostgreSQL that an entry takes with everything that follows.

A table is taken to make an entry every 40 seconds: its share of a core says how many of them an evening can have.
"""

from __future__ import annotations

import itertools
import multiprocessing
import os
import platform
import statistics
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import closing
from multiprocessing.queues import Queue
from pathlib import Path
from typing import Any

from companion.app import create_app, start
from companion.engine.beloz import PassedDeal
from companion.matches import entries
from companion.settings import Settings
from companion.storage import database
from companion.storage.models import MatchId, Player, Table, db
from tests.benchmarks.table_of_phones import PEOPLE, Place, players, processor
from tests.postgresql import Postgresql, folder
from tests.server import Server

WRITERS = (1, 8, 32)
PROCESSES = 4
PARTITIONS = (0, 16)
SECONDS = 8.0
A_MATCH = 40  # entries, then the next one begins
EACH = 40.0  # seconds between two entries of a table
TABLES, PACE, PLAY = 25, 4.0, 20.0  # for one Companion; PACE in entries a second, PLAY in seconds


def make_tables(url: str, instance: Path, partitions: int, count: int) -> list[int]:
    """Bring the database to the present schema, with so many tables; each has a match."""
    settings = {"DATABASE_URL": url, "COMPANION_INSTANCE": str(instance), "COMPANION_BUS": "memory"}
    app = start(create_app(Settings.read(settings | {"COMPANION_PARTITIONS": str(partitions)})))
    numbers = []
    with app.app_context():
        for number in range(1, count + 1):
            with database.writing():
                table = Table(name="Benchmark", play_token=f"play-{number}", watch_token=f"watch-{number}")
                table.players = [Player(name=person, seat=seat) for seat, person in enumerate(PEOPLE)]
                db.session.add(table)
                db.session.flush()
                numbers.append(table.id)
            entries.open_match(numbers[-1], "beloz", PEOPLE)
        db.engine.dispose()
    return numbers


def write(app: Any, table_id: int, until: float) -> int:
    """Enter at a table until then; returns how often."""
    with app.app_context():
        match = MatchId(table_id, 1)
        for stored in itertools.count():
            if time.monotonic() >= until:
                return stored
            seen = stored % A_MATCH
            if stored and not seen:
                match = MatchId(table_id, entries.open_match(table_id, "beloz", PEOPLE))
            entries.record(match, [PassedDeal()], idempotency_key=f"key-{seen}", expected_seq=seen)
    raise AssertionError


def work(settings: dict[str, str], tables: Sequence[int], begin: Any, end: Any, done: Queue[int]) -> None:
    """Run one process with a writer for each of these tables."""
    app = create_app(Settings.read(settings))
    stored = [0] * len(tables)

    def one(place: int) -> None:
        stored[place] = write(app, tables[place], until)

    begin.wait()
    until = time.monotonic() + SECONDS
    threads = [threading.Thread(target=one, args=(place,)) for place in range(len(tables))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    done.put(sum(stored))
    end.wait()


def served(server: Postgresql) -> float:
    """Return seconds of processor that all processes of this PostgreSQL have had."""
    first = server.pid
    words = Path(f"/proc/{first}/stat").read_text("ascii").rpartition(")")[2].split()
    ended = (int(words[13]) + int(words[14])) / os.sysconf("SC_CLK_TCK")
    living = Path(f"/proc/{first}/task/{first}/children").read_text("ascii").split()
    return ended + processor(first) + sum(processor(int(pid)) for pid in living)


def concurrent(server: Postgresql, instance: Path, tables: Sequence[int]) -> tuple[float, float]:
    """Return entries a second of a writer at each of these tables, and PostgreSQL's milliseconds for one."""
    settings = {"DATABASE_URL": server.url, "COMPANION_INSTANCE": str(instance), "COMPANION_BUS": "memory"}
    spawned = multiprocessing.get_context("spawn")
    parts = [tables[first::PROCESSES] for first in range(min(PROCESSES, len(tables)))]
    begin, end, done = spawned.Barrier(len(parts) + 1), spawned.Barrier(len(parts) + 1), spawned.Queue()
    processes = [spawned.Process(target=work, args=(settings, part, begin, end, done)) for part in parts]
    for process in processes:
        process.start()
    begin.wait()
    before = served(server)
    stored = sum(done.get(timeout=120) for _ in parts)
    spent = served(server) - before
    end.wait()
    for process in processes:
        process.join()
    return stored / SECONDS, 1e3 * spent / stored


def show_postgresql(partitions: int) -> None:
    """Print a line for each number of writers, and what an entry takes on the disk."""
    with folder() as data, closing(Postgresql(data)) as server, tempfile.TemporaryDirectory() as instance:
        tables = iter(make_tables(server.url, Path(instance), partitions, sum(WRITERS)))
        size = int(server.run("SELECT pg_database_size(current_database())"))
        costs = []
        for writers in WRITERS:
            rate, cost = concurrent(server, Path(instance), list(itertools.islice(tables, writers)))
            costs.append(cost)
            print(
                f"{partitions:3} partitions {writers:3} writers {rate:6.0f} entries/s  PostgreSQL {cost:5.2f} ms an entry",
                flush=True,
            )
        grown = int(server.run("SELECT pg_database_size(current_database())")) - size
        held = int(server.run("SELECT count(*) FROM entries"))
        cost = statistics.median(costs)
        print(
            f"{partitions:3} partitions: {grown / held:.0f} bytes an entry on the disk; "
            f"a core of PostgreSQL carries {EACH * 1e3 / cost:,.0f} tables",
            flush=True,
        )


def show_companion() -> None:
    """Print what an entry takes of one Companion and of its PostgreSQL, with all that four phones fetch because of it."""
    with folder() as data, closing(Postgresql(data)) as server, tempfile.TemporaryDirectory() as name:
        instance = Path(name)
        make_tables(server.url, instance, 0, TABLES)
        companion = Server(instance, settings={"DATABASE_URL": server.url, "COMPANION_PROXIES": "1"})
        companion.start()
        try:
            places = [Place(companion.port, number, players(number)) for number in range(1, TABLES + 1)]
            time.sleep(3)  # the pages that opening them led to
            pid = companion.pid
            before, behind = processor(pid), served(server)
            time.sleep(PLAY / 2)
            idle, idle_behind = ((processor(pid) - before) * 2 / PLAY, (served(server) - behind) * 2 / PLAY)
            before, behind = processor(pid), served(server)
            begun, count = time.monotonic(), int(PLAY * PACE)
            for turn in range(count):
                time.sleep(max(0.0, begun + turn / PACE - time.monotonic()))
                place = places[turn % TABLES]
                place.enter()
                place.all_showed()
            took = time.monotonic() - begun
            spent, spent_behind = processor(pid) - before - idle * took, served(server) - behind - idle_behind * took
            memory = int(Path(f"/proc/{pid}/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
            for place in places:
                place.close()
        finally:
            companion.stop()
    print(f"one Companion, {TABLES} tables of four phones: {memory / 2**20:.0f} MB, {100 * idle:.1f} % of a core at rest")
    cost = 1e3 * spent / count
    print(f"an entry with all that follows: Companion {cost:.1f} ms, PostgreSQL {1e3 * spent_behind / count:.1f} ms")
    print(f"a core of Companion carries {1e3 / (cost / EACH + 1e3 * idle / TABLES):,.0f} tables", flush=True)


def main() -> None:
    """Print what was found, with the machine's size."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    print(f"{os.cpu_count()} cores ({platform.machine()}), {memory:.0f} GB of memory; a table enters every {EACH:.0f} s")
    for partitions in PARTITIONS:
        show_postgresql(partitions)
    show_companion()
