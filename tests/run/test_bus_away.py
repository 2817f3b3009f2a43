"""What do phones lose when the Valkey between two Companions is killed while they write? Seconds, and no entry."""

from __future__ import annotations

import http.client
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from tests.caller import Caller
from tests.server import PATIENCE, Server
from tests.valkey import Valkey

LATEST = 5.0  # seconds until a phone at one process knows what was entered at the other, while the bus is away


@pytest.fixture
def valkey() -> Iterator[Valkey]:
    server = Valkey()
    yield server
    server.kill()


@pytest.fixture
def two(valkey: Valkey, tmp_path: Path) -> Iterator[tuple[Server, Server]]:
    """Yield two processes with one database, one key and one bus."""
    both = []
    for name in ("one", "two"):
        instance = tmp_path / name
        instance.mkdir()
        (instance / "secret-key").write_bytes(b"k" * 32)
        settings = {"DATABASE_URL": f"sqlite:///{tmp_path / 'tables.sqlite'}", "COMPANION_BUS": valkey.address}
        server = Server(instance, settings={**settings, "COMPANION_PROXIES": "1"})
        server.start()
        both.append(server)
    yield both[0], both[1]
    for server in both:
        assert server.stop() == 0
        assert "failed in" not in server.complaints, server.complaints


class Follower:
    """A phone's stream: when it told which number."""

    def __init__(self, port: int, path: str) -> None:
        self._line = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        self._line.request("GET", f"{path}/live")
        self._answer = self._line.getresponse()
        self.told: list[tuple[float, int]] = []
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        for line in self._answer:
            if line.startswith(b"id: "):
                self.told.append((time.monotonic(), int(line[4:])))

    def knew(self, number: int) -> float:
        """Wait until it knew that the table is at this number; return when."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            for moment, told in list(self.told):
                if told >= number:
                    return moment
            time.sleep(0.01)
        raise AssertionError(f"it never heard of {number}")


class Writer:
    """A phone that enters one thing after the other, each until it is acknowledged."""

    def __init__(self, server: Server, other: Server) -> None:
        self._phone = Caller(server.port)
        self.table = self._phone.make_table("Ana", "Bo", "Cy", "Di")
        self._match = self._phone.post(f"{self.table}/matches", game="beloz").location
        self.follower = Follower(other.port, self.table)
        self.acknowledged: list[tuple[str, float]] = []
        self.statuses: set[int] = set()
        self._done = False
        self._thread = threading.Thread(target=self._write)
        self._thread.start()

    def _write(self) -> None:
        while not self._done:
            number = len(self.acknowledged)
            key = f"{self.table[-8:]}-{number}"
            answer = self._phone.post(f"{self._match}/who", tap="passed-deal", idempotency_key=key, expected_seq=number)
            self.statuses.add(answer.status)
            if answer.status == 303:
                self.acknowledged.append((key, time.monotonic()))
            time.sleep(0.05)

    def write_on(self) -> None:
        """Wait until ten more were acknowledged."""
        so_far, until = len(self.acknowledged), time.monotonic() + PATIENCE
        while len(self.acknowledged) < so_far + 10:
            assert time.monotonic() < until, self.statuses
            time.sleep(0.02)

    def finish(self) -> None:
        self._done = True
        self._thread.join(PATIENCE)


@contextmanager
def writing(two: tuple[Server, Server]) -> Iterator[list[Writer]]:
    one, other = two
    writers = [Writer(one, other), Writer(other, one), Writer(one, other)]
    try:
        yield writers
    finally:
        for writer in writers:
            writer.finish()


def test_no_entry_is_lost_and_no_phone_is_late(two: tuple[Server, Server], valkey: Valkey, tmp_path: Path) -> None:
    with writing(two) as writers:
        for turn in (valkey.kill, valkey.start, valkey.kill):
            for writer in writers:
                writer.write_on()
            turn()
        for writer in writers:
            writer.write_on()
    engine = create_engine(f"sqlite:///{tmp_path / 'tables.sqlite'}")
    with engine.connect() as connection:
        stored = list(connection.execute(text("SELECT key FROM entries")).scalars())
    engine.dispose()
    assert sorted(stored) == sorted(key for writer in writers for key, _ in writer.acknowledged)
    for writer in writers:
        assert writer.statuses == {303}
        for number, (_, moment) in enumerate(writer.acknowledged, 3):  # the table's third change is the first entry
            assert writer.follower.knew(number) - moment < LATEST
    assert all("the bus is away (ConnectionError)" in server.complaints for server in two)


def test_limits_count_in_both_together_and_in_each_while_it_is_away(two: tuple[Server, Server], valkey: Valkey) -> None:
    def tries(server: Server) -> int:
        eve = Caller(server.port)
        eve.address = "192.0.2.66"
        return eve.post("/join", code="K7W M4R").status

    one, other = two
    assert [tries(one) for _ in range(5)] == [422] * 5
    assert [tries(other) for _ in range(5)] == [422] * 5
    assert (tries(one), tries(other)) == (429, 429)
    valkey.kill()
    assert [tries(one) for _ in range(11)] == [422] * 10 + [429]
    until = time.monotonic() + PATIENCE
    while Caller(other.port).get("/healthz").text.strip() != '{"bus":"away","status":"ok"}':
        assert time.monotonic() < until
        time.sleep(0.1)


def test_a_valkey_that_is_away_at_the_start_is_a_line_in_the_log(valkey: Valkey, tmp_path: Path) -> None:
    valkey.kill()
    server = Server(tmp_path, settings={"COMPANION_BUS": valkey.address})
    server.start()
    try:
        assert "the bus is away (ConnectionError)" in server.complaints
        phone = Caller(server.port)
        assert phone.get("/healthz").text.strip() == '{"bus":"away","status":"ok"}'
        assert phone.make_table("Ana", "Bo")
    finally:
        assert server.stop() == 0
