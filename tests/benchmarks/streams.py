"""How soon does an entry reach every phone that looks at a table, with 100 and with 1,000 streams open on one process?

    python -m tests.benchmarks streams

A real server (``companion run``) on 127.0.0.1, in a process of its own; the phones are sockets in this one, on the same cores.
The time runs from the moment the entry is sent until each phone has read that there is something new: the post, its durable
commit, and the way to the last phone. The aim: 99 of 100 within 250 ms, with entries answered all the while.
"""

from __future__ import annotations

import http.client
import re
import selectors
import socket
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

from companion.matches import entries
from tests.benchmarks.post_entry import USUAL, Phone
from tests.server import Server

STREAMS = (100, 1_000)
ENTRIES = 20  # at each number of streams
PAUSE = 0.25  # seconds between two of them
AIM = 250.0  # milliseconds
PATIENCE = 20.0  # seconds for anything at all
PEOPLE = USUAL["beloz"].people


class Streams:
    """Open event streams, read by a thread that notes when each of them says something."""

    def __init__(self, port: int, path: str, count: int) -> None:
        self.heard: dict[int, list[float]] = {}  # when each stream gave which number
        self._news = threading.Condition()
        self._selector = selectors.DefaultSelector()
        self._sockets: list[socket.socket] = []
        request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAccept: text/event-stream\r\nX-Forwarded-For: 10."
        for number in range(count):
            opened = socket.create_connection(("127.0.0.1", port), PATIENCE)
            self._sockets.append(opened)
            opened.sendall(f"{request}{number >> 8}.{number & 255}.1\r\n\r\n".encode())  # each is a phone of its own
            opened.setblocking(False)
            self._selector.register(opened, selectors.EVENT_READ)
        self._done = False
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        while not self._done:
            ready = self._selector.select(0.1)
            for key, _ in ready:
                said = key.fileobj.recv(4096)
                now = time.perf_counter()
                for number in re.findall(rb"^data: (\d+)", said, re.MULTILINE):
                    self.heard.setdefault(int(number), []).append(now)
            if ready:
                with self._news:
                    self._news.notify_all()

    def all_heard(self, number: int) -> list[float]:
        """Return when each stream gave this number. Raises RuntimeError when some never do."""
        with self._news:
            if not self._news.wait_for(lambda: len(self.heard.get(number, ())) >= len(self._sockets), PATIENCE):
                raise RuntimeError(
                    f"{len(self.heard.get(number, ()))} of {len(self._sockets)} streams heard of change {number}."
                )
        return self.heard[number]

    def close(self) -> None:
        """Hang up."""
        self._done = True
        self._reader.join()
        self._selector.close()
        for each in self._sockets:
            each.close()


class Poster:
    """A phone that enters passed deals, one after the other, over one connection."""

    def __init__(self, port: int) -> None:
        self._line = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        self._line.request("GET", "/t/play/m/1")
        page = self._line.getresponse()
        self._cookie = "; ".join(each.partition(";")[0] for each in page.headers.get_all("Set-Cookie") or ())
        text = page.read().decode()
        self._token = text.partition('name="csrf_token" value="')[2].partition('"')[0]
        self._entries = 0

    def enter(self) -> float:
        """Enter one more; seconds until it was answered."""
        fields = {
            "csrf_token": self._token,
            "idempotency_key": f"deal-{self._entries}",
            "expected_seq": self._entries,
            "tap": "passed-deal",
        }
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Cookie": self._cookie}
        begun = time.perf_counter()
        self._line.request("POST", "/t/play/m/1/who", urlencode(fields), headers)
        answer = self._line.getresponse()
        answer.read()
        took = time.perf_counter() - begun
        if answer.status != 303:
            raise RuntimeError(f"{answer.status}: the entry was not stored")
        self._entries += 1
        return took


def memory(server: Server) -> int:
    """Return the bytes that the server holds in memory."""
    status = Path(f"/proc/{server.pid}/status").read_text("ascii")
    return int(status.partition("VmRSS:")[2].split()[0]) * 1024


@contextmanager
def serving() -> Iterator[Server]:
    """Yield a server with one table and a match."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        phone = Phone(folder, PEOPLE)
        with phone.app.app_context():
            entries.open_match(phone.table_id, "beloz", PEOPLE)
        server = Server(folder, settings={"COMPANION_PROXIES": "1"})
        server.start()
        try:
            yield server
        finally:
            server.stop()


def measure(server: Server, poster: Poster, count: int, change: int) -> int:
    """Print a line about so many streams; ``change`` is the table's number before. Returns the one after."""
    alone = memory(server)
    streams = Streams(server.port, "/t/play/live", count)
    try:
        streams.all_heard(change)
        held = memory(server) - alone
        reached: list[float] = []
        answered: list[float] = []
        for _ in range(ENTRIES):
            time.sleep(PAUSE)
            begun = time.perf_counter()
            answered.append(poster.enter() * 1e3)
            change += 1
            reached.extend((heard - begun) * 1e3 for heard in streams.all_heard(change))
    finally:
        streams.close()
    ranks = statistics.quantiles(reached, n=100)
    print(
        f"{count:6,} streams   reached after {ranks[49]:6.1f} ms, 99 % {ranks[98]:6.1f} ms, all {max(reached):6.1f} ms"
        f"   entry answered in {statistics.median(answered):5.1f} ms, all {max(answered):5.1f} ms"
        f"   {held / count / 1024:5.1f} KB a stream",
        flush=True,
    )
    return change


def main() -> None:
    """Print a line a number of streams."""
    print(f"medians; 99 % of the streams should be reached within {AIM:.0f} ms")
    with serving() as server:
        poster = Poster(server.port)
        change = 1  # the match that was opened
        for count in STREAMS:
            change = measure(server, poster, count, change)
