"""Is everything there that phones were told is saved when the power fails while they write, and nothing by half?

The server is the one that ``companion run`` starts. It is killed without warning, again and again, while phones enter rounds,
pass deals and undo; then what lies on the disk is examined before anything is started again, and phones that never got their
answer send the same form once more.
"""

from __future__ import annotations

import http.client
import json
import random
import re
import shutil
import signal
import sqlite3
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from companion.app import create_app
from companion.matches import entries
from companion.settings import Settings
from companion.storage.models import Match, db
from tests.caller import Caller
from tests.server import PATIENCE, Server

PEOPLE = ("Ana", "Bo", "Cy", "Di")
PARTS = 3  # tests that the kills are shared among: they run at the same time
MOST = 24  # entries that are acknowledged before the power fails: from none in the first round to so many in the last
LONGEST = 0.03  # seconds from the last of them until it fails
TAKEN = '{"bidder":0,"flooded":"south"}'

Key = tuple[str, str]  # a match's address, and the entry's idempotency key


@dataclass
class Sent:
    """A form as it was sent: where to, what it holds, and which points the log must then hold (None: no count)."""

    path: str
    fields: dict[str, object]
    points: int | None = None


@dataclass
class Writer:
    """A phone that keeps entering, undoing and passing in one match until nobody answers any more.

    The second phone of a match only counts, with odd numbers where the first has even ones: what two phones say alike is
    stored once, and then nobody could tell whose entry was lost.
    """

    caller: Caller
    match: str
    name: str
    phone: int = 0
    seen: int = 0
    written: int = 0
    stored: dict[str, Sent] = field(default_factory=dict)  # acknowledged, by key
    pending: tuple[str, Sent] | None = None  # sent, and never answered
    problems: list[str] = field(default_factory=list)

    def write_until_it_is_dark(self) -> None:
        """Send one form after the other."""
        try:
            while True:
                self.written += 1
                self.pending = (f"{self.name}-{self.written}", self._form())
                self.deliver()
        except (OSError, http.client.HTTPException):
            self.caller.hang_up()

    def _form(self) -> Sent:
        kind = "count" if self.phone else random.choice(("count", "count", "pass", "undo"))
        if kind == "undo" and self.seen:
            return Sent(f"{self.match}/undo", {})
        if kind == "count":
            points = random.choice([number for number in range(2 + self.phone, 151, 2) if number != 77])
            return Sent(f"{self.match}/count", {"round": TAKEN, "team": 0, "points": points, "last": 0}, points)
        return Sent(f"{self.match}/who", {"tap": "passed-deal"})

    def deliver(self) -> None:
        """Send what is pending until it is answered for good: stored, or refused."""
        assert self.pending is not None
        key, sent = self.pending
        while True:
            answer = self.caller.post(sent.path, idempotency_key=key, expected_seq=self.seen, **sent.fields)
            if answer.status == 303:
                self.stored[key] = sent
                self.seen += 1  # at least; a conflict will tell more
                break
            if answer.status == 409:
                self._look()
                continue
            if answer.status != 422:
                self.problems.append(f"{answer.status} for {sent}")
            self._look()
            break
        self.pending = None

    def _look(self) -> None:
        page = self.caller.get(f"{self.match}/who")
        page = self.caller.get(self.match) if page.status == 303 else page
        found = re.search(r'name="expected_seq" value="(\d+)"', page.text)
        if found is not None:
            self.seen = int(found[1])


def at_a_table(port: int, number: int) -> list[Writer]:
    """Return three phones: two write in the same match, the third in another of its own table."""
    writers = []
    for match in ("shared", "alone"):
        owner = Caller(port)
        table = owner.make_table(*PEOPLE)
        begun = owner.post(f"{table}/matches", game="beloz", target=10_000_000)
        assert begun.status == 303, begun.text
        callers = (owner, Caller(port)) if match == "shared" else (owner,)
        writers += [Writer(caller, begun.location, f"{number}-{match}-{phone}", phone) for phone, caller in enumerate(callers)]
    return writers


def wait_for(entries: int, writers: list[Writer]) -> None:
    """Wait until so many entries are acknowledged in all."""
    until = time.monotonic() + PATIENCE
    while sum(len(writer.stored) for writer in writers) < entries and time.monotonic() < until:
        time.sleep(0.001)


def on_the_disk(instance: Path, aside: Path) -> sqlite3.Connection:
    """Open a copy of what lies on the disk by itself: SQLite recovers it as the server would."""
    for file in instance.glob("companion.sqlite*"):
        if not file.name.endswith("-shm"):  # memory that the dead process shared
            shutil.copy(file, aside / file.name)
    return sqlite3.connect(aside / "companion.sqlite")


def examine(disk: sqlite3.Connection, writers: list[Writer]) -> None:
    """Assert that all that was acknowledged is there, nothing is there by half, and the file is sound."""
    assert disk.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert disk.execute("PRAGMA foreign_key_check").fetchall() == []
    tables = dict(disk.execute("SELECT t.id, count(p.id) FROM tables t LEFT JOIN players p ON p.table_id = t.id GROUP BY t.id"))
    assert set(tables.values()) <= {len(PEOPLE)}, "a table is there without all its people"
    torn = disk.execute(
        "SELECT m.table_id, m.number FROM matches m "
        "LEFT JOIN entries e ON e.table_id = m.table_id AND e.match_number = m.number GROUP BY m.table_id, m.number "
        "HAVING m.seq <> count(e.seq) OR m.seq <> coalesce(max(e.seq), 0)"
    ).fetchall()
    assert torn == [], "a log and its number disagree"
    for writer in writers:
        token, number = re.fullmatch(r"/t/([\w-]+)/m/(\d+)", writer.match).groups()
        lines = dict(
            disk.execute(
                "SELECT e.key, e.body FROM entries e JOIN tables t ON t.id = e.table_id "
                "WHERE t.play_token = ? AND e.match_number = ? AND e.key LIKE ?",
                (token, int(number), f"{writer.name}-%"),
            )
        )
        lost = set(writer.stored) - set(lines)
        assert not lost, f"acknowledged and lost: {lost}"
        unexpected = set(lines) - set(writer.stored) - ({writer.pending[0]} if writer.pending else set())
        assert not unexpected, f"stored and never sent, or refused: {unexpected}"
        for key, sent in writer.stored.items():
            if sent.points is not None:
                (event,) = json.loads(lines[key])["events"]
                assert event["count"]["points"] == sent.points


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    serving = Server(tmp_path / "instance", settings={"COMPANION_PROXIES": "1"}, durable=True)
    serving.start()
    yield serving
    serving.stop(signal.SIGKILL)


@pytest.mark.parametrize("kills", [6, pytest.param(200, marks=pytest.mark.soak)])
@pytest.mark.parametrize("part", range(PARTS))
def test_the_power_fails_while_phones_write(server: Server, tmp_path: Path, part: int, kills: int) -> None:
    writers: list[Writer] = []
    acknowledged = answered_late = 0
    numbers = range(part, kills, PARTS)
    for number in numbers:
        writers = at_a_table(server.port, number)
        threads = [threading.Thread(target=writer.write_until_it_is_dark) for writer in writers]
        for thread in threads:
            thread.start()
        wait_for(round(MOST * number / (kills - 1)), writers)
        time.sleep(random.uniform(0, LONGEST))
        server.stop(signal.SIGKILL)
        for thread in threads:
            thread.join(PATIENCE)
        assert [problem for writer in writers for problem in writer.problems] == []

        aside = tmp_path / f"aside-{number}"
        aside.mkdir()
        disk = on_the_disk(server.instance, aside)
        examine(disk, writers)
        disk.close()
        shutil.rmtree(aside)

        server.start()
        for writer in writers:
            acknowledged += len(writer.stored)
            if writer.pending is not None:  # the reply never came: the phone asks again, with the same key
                writer.deliver()
                answered_late += 1
        disk = sqlite3.connect(server.instance / "companion.sqlite")
        examine(disk, writers)
        disk.close()
    assert acknowledged > MOST / 4 * len(numbers)
    assert answered_late > len(numbers) / 5
    server.stop()
    replay_everything(server.instance)


def replay_everything(instance: Path) -> None:
    """Let the engine play every log that survived, as the pages do."""
    app = create_app(Settings.read({"COMPANION_INSTANCE": str(instance)}))
    with app.app_context():
        matches = db.session.query(Match.id, Match.seq).all()
        assert len(matches) >= 2
        for match_id, seq in matches:
            assert entries.read(match_id).seq == seq
        db.engine.dispose()


@pytest.mark.parametrize("kills", [1, pytest.param(30, marks=pytest.mark.soak)])
def test_the_power_fails_while_the_server_begins(tmp_path: Path, kills: int) -> None:
    """The tables' file is made, or brought up to date, in one step: however far it came, the next start goes on from there."""
    server = Server(tmp_path / "first", durable=True)
    server.start()  # and with it what it is forked from, once
    server.stop()
    server.instance = tmp_path / "timed"
    began = time.monotonic()
    server.start()
    takes = time.monotonic() - began
    server.stop()
    for number in range(kills):
        server.instance = tmp_path / f"instance-{number}"
        server.instance.mkdir()
        starting = server.begin()
        time.sleep(random.uniform(0, 1.1) * takes)
        starting.kill()
        starting.wait()
        if (server.instance / "companion.sqlite").exists():
            disk = sqlite3.connect(server.instance / "companion.sqlite")
            assert disk.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            disk.close()
        again = Server(server.instance, durable=True)
        again.start()
        assert Caller(again.port).make_table(*PEOPLE).startswith("/t/")
        assert again.stop() == 0
