"""What becomes of phones while another process writes to the SQLite file, as a tool of the host may?"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.storage.database import BUSY_TIMEOUT
from tests.caller import Answer, Caller
from tests.server import PATIENCE, Server

LOOKS = 10  # pages while one entry waits; none, where the whole server waits with it


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    serving = Server(tmp_path / "instance", settings={"COMPANION_PROXIES": "1"})
    serving.start()
    yield serving
    serving.stop()


@pytest.fixture
def phones(server: Server) -> list[Caller]:
    """Return phones that have a form open."""
    found = [Caller(server.port) for _ in range(4)]
    for phone in found:
        assert phone.make_table("Ana").startswith("/t/")
    return found


@pytest.fixture
def writer(server: Server, phones: list[Caller]) -> Iterator[sqlite3.Connection]:
    """Begin to write beside the server."""
    with closing(sqlite3.connect(server.instance / "companion.sqlite", timeout=PATIENCE, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield other


class Entering:
    """A phone that enters something, and waits for the answer."""

    def __init__(self, phone: Caller) -> None:
        self.answered = threading.Event()
        self._phone = phone
        self._answers: list[Answer] = []
        self._thread = threading.Thread(target=self._enter)
        self._thread.start()

    def _enter(self) -> None:
        self._answers.append(self._phone.post("/tables", table="Late table", game="beloz", person_0="Ana"))
        self.answered.set()

    @property
    def answer(self) -> Answer:
        self._thread.join(PATIENCE)
        return self._answers[0]


def test_who_looks_is_served_meanwhile_and_who_enters_waits(phones: list[Caller], writer: sqlite3.Connection) -> None:
    looking, *others = phones
    entering = [Entering(phone) for phone in others]
    for _ in range(LOOKS):
        assert looking.get("/healthz").status == 200
        time.sleep(0.05)
    assert not any(each.answered.is_set() for each in entering)
    writer.execute("ROLLBACK")
    for phone, each in zip(others, entering, strict=True):
        assert each.answer.status == 303
        assert "Late table" in phone.get(each.answer.location).text


def test_one_that_does_not_end_is_told_to_all_who_enter_at_the_same_moment(
    phones: list[Caller], writer: sqlite3.Connection
) -> None:
    looking, *others = phones
    began = time.monotonic()
    entering = [Entering(phone) for phone in others]
    looks = 0
    while not entering[0].answered.is_set() and time.monotonic() < began + PATIENCE:
        assert looking.get("/healthz").status == 200
        looks += 1
        time.sleep(0.05)
    for each in entering:
        assert (each.answer.status, each.answer.headers["Retry-After"]) == (503, "3")
        assert "Somebody else has been saving at this table for a while." in each.answer.text
    assert time.monotonic() < began + 2 * BUSY_TIMEOUT / 1000  # not one after the other
    assert looks > LOOKS
    writer.execute("ROLLBACK")
    assert looking.make_table("Ana").startswith("/t/")
