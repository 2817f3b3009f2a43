"""What happens when PostgreSQL stops, crashes, or another takes over? A clear page; no entry lost or doubled."""

from __future__ import annotations

import http.client
import itertools
import re
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.caller import Answer, Caller
from tests.postgresql import Postgresql, folder, until_true
from tests.server import PATIENCE, Server

pytestmark = pytest.mark.postgresql

AWAY = "Companion can’t open the tables right now."


@pytest.fixture
def postgresql() -> Iterator[Postgresql]:
    with folder() as data:
        running = Postgresql(data)
        yield running
        running.close()


@contextmanager
def serving(instance: Path, url: str) -> Iterator[Server]:
    """Yield a Companion with its tables; it ends well, and nothing has failed in it."""
    server = Server(instance, settings={"DATABASE_URL": url, "COMPANION_PROXIES": "1"})
    server.start()
    try:
        yield server
    finally:
        ended = server.stop()
    assert ended == 0
    assert "failed in" not in server.complaints, server.complaints


@pytest.fixture
def server(postgresql: Postgresql, tmp_path: Path) -> Iterator[Server]:
    with serving(tmp_path / "instance", postgresql.url) as server:
        yield server


class Ana:
    """A phone in a match that she has just begun."""

    def __init__(self, port: int) -> None:
        self.phone = Caller(port)
        self.table = self.phone.make_table("Ana", "Bo", "Cy", "Di")
        self.match = self.phone.post(f"{self.table}/matches", game="beloz").location
        self.seen = 0

    def pass_the_deal(self, key: str) -> Answer:
        return self.phone.post(f"{self.match}/who", tap="passed-deal", idempotency_key=key, expected_seq=self.seen)

    def look(self) -> None:
        found = re.search(r'name="expected_seq" value="(\d+)"', self.phone.get(self.match).text)
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
    # table made, match begun, two entries: the stream that was open hears of the last
    assert b"id: 4\n" in in_time(following)
    stream.close()


def test_it_crashes_while_phones_write_and_no_acknowledged_entry_is_lost(postgresql: Postgresql, server: Server) -> None:
    with writing_phones(server.port) as phones:
        for _ in range(2):
            phones.write_on()
            postgresql.crash()
            phones.meet_a_refusal()
            postgresql.start()
        phones.write_on()
    assert phones.statuses <= {409, 503}
    stored = postgresql.lines()
    assert sorted(stored) == sorted(set(stored))
    assert set(phones.acknowledged) == set(stored)


def test_it_is_lost_for_good_and_a_standby_takes_over_with_every_acknowledged_entry(
    postgresql: Postgresql, tmp_path: Path
) -> None:
    with folder() as data, closing(postgresql.standby(data)) as standby:
        both = f"postgresql://postgres@{quote(postgresql.socket, safe='')},{quote(standby.socket, safe='')}/postgres"
        with serving(tmp_path / "instance", both) as server:
            with writing_phones(server.port) as phones:
                phones.write_on()
                postgresql.crash()
                phones.meet_a_refusal()
                standby.promote()
                phones.write_on()
            assert phones.statuses <= {409, 503}
            follow_one_more(phones.writers[0])
        stored = standby.lines()
    assert sorted(stored) == sorted(set(stored))
    assert set(stored) == {*phones.acknowledged, "afterwards"}


def follow_one_more(ana: Ana) -> None:
    """Wait until phones hear of each other again."""
    watching = http.client.HTTPConnection("127.0.0.1", ana.phone.port, timeout=PATIENCE)
    watching.request("GET", f"{ana.table}/live")
    following = watching.getresponse()
    assert following.readline() == b"retry: 2000\n"
    before = following.readline()
    assert before.startswith(b"id: ")
    assert ana.pass_the_deal("afterwards").status == 303
    assert next(line for line in in_time(following) if line.startswith(b"id: ")) != before
    watching.close()


def in_time(following: http.client.HTTPResponse) -> Iterator[bytes]:
    """Yield what a stream says, for as long as anything gets to happen: it never ends by itself."""
    until = time.monotonic() + PATIENCE
    for line in following:
        yield line
        assert time.monotonic() < until, "it never came"


class WritingPhones:
    """Three phones at tables of their own that enter one thing after the other, each until it is acknowledged."""

    def __init__(self, port: int) -> None:
        self.writers = [Ana(port) for _ in range(3)]
        self.acknowledged: list[str] = []
        self.statuses: set[int] = set()
        self.done = False

    def write(self, ana: Ana, name: str) -> None:
        for number in itertools.count(1):
            key = f"{name}-{number}"
            while (answer := ana.pass_the_deal(key)).status != 303:
                self.statuses.add(answer.status)
                if answer.status not in {409, 503}:
                    return
                time.sleep(0.05)
            self.acknowledged.append(key)
            ana.seen += 1
            if self.done:
                return

    def meet_a_refusal(self) -> None:
        """Wait until a phone was told that nothing can be stored now."""
        self.statuses.discard(503)
        until_true(lambda: 503 in self.statuses)

    def write_on(self) -> None:
        """Wait until fifteen more entries were acknowledged."""
        so_far = len(self.acknowledged)
        until_true(lambda: len(self.acknowledged) >= so_far + 15)


@contextmanager
def writing_phones(port: int) -> Iterator[WritingPhones]:
    """Yield phones that write until the end of the block."""
    phones = WritingPhones(port)
    threads = [
        threading.Thread(target=phones.write, args=(ana, f"phone{n}"), daemon=True) for n, ana in enumerate(phones.writers)
    ]
    for thread in threads:
        thread.start()
    try:
        yield phones
    finally:
        phones.done = True
        for thread in threads:
            thread.join(PATIENCE)
