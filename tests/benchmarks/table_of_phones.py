"""What does an entry cost at a table of four phones and of eight, against a bare Flask application with the same traffic?

    python -m tests.benchmarks table_of_phones

Each phone does what the page's script does: it holds a stream open, shows the changed parts that this tells, and fetches the
page, once at a time, where it tells a number alone. One of them enters; its page comes as the answer. The bare application does
the same with pages: a post with one durable commit, a stream a phone, a page of Jinja a phone, on the same server (gevent) with
the same compression, and as many bytes in all. Its entries in BeloZ are passed deals. Two more servers count its rounds and
fill score sheets, whose row should cost no more than such a round. All share one core, the phones have the other. First each
entry waits until all phones show the one before: processor time and bytes an entry. All take turns of some entries, so that
what else the machine does falls on each; a ratio is the median of those of all rounds. Then entries come at ten tables
of four at a fixed pace, whoever is ready: how long until the last of four phones shows one.
"""

from __future__ import annotations

import http.client
import json
import os
import re
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from companion.engine import GAMES
from companion.engine.records import decode_event
from companion.matches import entries
from companion.storage import database
from companion.storage.models import MatchId, Player, Table, db
from tests.benchmarks.post_entry import USUAL, Usual
from tests.benchmarks.post_entry import Phone as Maker
from tests.server import CHECKOUT, Server

PEOPLE = ("Ana", "Bo", "Cy", "Di")
TABLES = 10
ROUNDS = 15
ENTRIES = 8  # of each kind in each round, for what one costs
WARM_UP = 10
PACES = (10, 50)  # entries a second, at all tables together
SECONDS = 6.0
PATIENCE = 30.0
AIMS = {"bare": 2.5, "bytes": 10 * 1024, "eight": 1.3, "sheet": 1.0}
PASSED = replace(USUAL["beloz"], page="who", fields={"tap": "passed-deal"}, draft={})
ROUND = replace(
    PASSED,
    page="round",
    fields={"bidder": "0", "flooded": "south", "team": "0", "points": "98", "last": "0"},
    options={"target": 1_000_000_000},
)

LINES = 80  # of the rules, for pages of some 2 KB: four of them are as much as Companion sends

SHOWN = re.compile(rb'data-seq="(\d+)"')
PAGE = """<!doctype html><title>Hello</title><main data-stream="{{ stream }}" data-seq="{{ seq }}">
{% for line in lines %}<p>{{ line }}</p>{% endfor %}</main>"""


class Phone:
    """One phone: a stream, and the page whenever that tells of a number that the page does not have."""

    def __init__(self, port: int, page: str, address: str, *, follows: bool = True) -> None:
        """Open the page; ``follows`` if it has scripts."""
        self.bytes = 0
        self.shown: list[tuple[float, int]] = []
        self._address = address
        self._page = page
        self._line = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        self._cookies: dict[str, str] = {}
        self._busy = threading.Lock()
        self._news = threading.Event()
        self._done = False
        self._number = self._base = -1  # what was told, and to whom the changed parts are enough
        text = self.fetch()
        self.token = text.partition(b'name="csrf_token" value="')[2].partition(b'"')[0].decode()
        self._socket: socket.socket | None = None
        if not follows:
            return
        stream = http.client.HTTPConnection("127.0.0.1", port)
        stream.request("GET", text.partition(b'data-stream="')[2].partition(b'"')[0].decode(), headers=self._headers())
        self._socket = stream.sock
        self._told = stream.getresponse()
        for work in (self._listen, self._follow):
            threading.Thread(target=work, daemon=True).start()

    def _headers(self) -> dict[str, str]:
        cookie = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        return {"X-Forwarded-For": self._address, "Accept-Encoding": "gzip, deflate, br", "Cookie": cookie}

    def _ask(self, method: str, path: str, body: str | None = None, **more: str) -> http.client.HTTPResponse:
        self._line.request(
            method, path, body, self._headers() | {name.replace("_", "-"): value for name, value in more.items()}
        )
        answer = self._line.getresponse()
        for each in answer.headers.get_all("Set-Cookie") or ():
            name, _, value = each.partition(";")[0].partition("=")
            self._cookies[name] = value
        return answer

    def fetch(self, **more: str) -> bytes:
        """Open the page, and note what it shows. Returns its text, unpacked."""
        return self._show(self._ask("GET", self._page, Accept="text/html", **more))

    def opens(self, path: str) -> None:
        """Open another page."""
        answer = self._ask("GET", path, Accept="text/html")
        if answer.status != 200 or not answer.read():
            raise RuntimeError(f"{answer.status}: {path} was not shown")

    def _show(self, answer: http.client.HTTPResponse) -> bytes:
        packed = answer.read()
        now = time.perf_counter()
        self.bytes += len(packed) + len(str(answer.headers))
        text = unpacked(packed, answer.headers.get("Content-Encoding", ""))
        found = SHOWN.search(text)
        if answer.status != 200 or found is None:
            raise RuntimeError(f"{answer.status}: the page was not shown")
        self.shown.append((now, int(found[1])))
        return text

    def _listen(self) -> None:
        told: dict[str, Any] = {}
        with suppress(http.client.IncompleteRead):  # it was hung up in the midst
            for line in self._lines():
                if line.startswith(b'data: {"from":'):
                    told = json.loads(line[6:])
                elif line.startswith(b"id: ") and int(line[4:]) > self.shown[-1][1]:
                    self._number = int(line[4:])
                    self._base = told["from"] if told.get("to") == self._number else -1
                    self._news.set()

    def _lines(self) -> Iterator[bytes]:
        unpack = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress if self._told.headers["Content-Encoding"] else bytes
        kept = b""
        while packed := self._told.read1():
            self.bytes += len(packed)
            *lines, kept = (kept + unpack(packed)).split(b"\n")
            yield from lines

    def _follow(self) -> None:
        while True:
            self._news.wait()
            if self._done:
                return
            self._news.clear()
            with self._busy:
                number, shown = self._number, self.shown[-1][1]
                if self._base == shown:
                    self.shown.append((time.perf_counter(), number))
                elif number > shown:
                    self.fetch(Companion_Fetch="parts")

    def enter(self, path: str, fields: dict[str, object], *, shows: bool = True) -> float:
        """Enter something and, if it ``shows`` that, have the page as the answer; returns when it was sent."""
        with self._busy:
            begun = time.perf_counter()
            body = urlencode({"csrf_token": self.token, **fields})
            form = {"Content_Type": "application/x-www-form-urlencoded"} | ({"Companion_Fetch": "whole"} if shows else {})
            answer = self._ask("POST", path, body, Accept="text/html", **form)
            if answer.status == 200:
                self._show(answer)
            elif answer.status == 303:  # the bare application leads to its page
                self.bytes += len(answer.read()) + len(str(answer.headers))
                if shows:
                    self.fetch()
            else:
                raise RuntimeError(f"{answer.status}: the entry was not stored at {path}")
        return begun

    def showed(self, seq: int, patience: float = PATIENCE) -> float:
        """Wait until it showed the table at this number; return when."""
        until = time.perf_counter() + patience
        while self.shown[-1][1] < seq:
            if time.perf_counter() > until:
                raise RuntimeError(f"a phone never showed {seq}")
            time.sleep(0.0005)
        return next(moment for moment, shown in self.shown if shown >= seq)

    def close(self) -> None:
        """Leave the page."""
        self._done = True
        self._news.set()
        if self._socket is not None:
            self._socket.shutdown(socket.SHUT_RDWR)
        self._line.close()


def unpacked(body: bytes, coding: str) -> bytes:
    """Return an answer's text."""
    if coding == "br":
        import brotli  # it comes with what compresses the answers

        return bytes(brotli.decompress(body))
    if coding in {"gzip", "deflate"}:
        return zlib.decompress(body, zlib.MAX_WBITS | 32)
    return body


class Place:
    """A table with its phones; the first of them enters."""

    def __init__(self, port: int, number: int, looking_on: Sequence[str], usual: Usual = PASSED) -> None:
        """Open the phones. Those of ``looking_on`` came by these links."""
        links = [f"/t/play-{number}", *looking_on]
        self._path, self._fields = f"{links[0]}/m/1/{usual.page}", usual.fields
        self.phones = [Phone(port, f"{link}/m/1", f"10.{number}.{at}.1") for at, link in enumerate(links)]
        self.entered = 0
        self.first = self.phones[0].shown[-1][1]

    def enter(self) -> float:
        """Enter one more; returns when it was sent."""
        fields = {"idempotency_key": f"deal-{self.entered}", "expected_seq": self.entered, **self._fields}
        self.entered += 1
        return self.phones[0].enter(self._path, fields)

    def all_showed(self) -> float:
        """Wait until the last phone showed the newest entry; return when."""
        return max(phone.showed(self.first + self.entered) for phone in self.phones)

    def close(self) -> None:
        """Let everybody leave."""
        for phone in self.phones:
            phone.close()


def players(number: int) -> list[str]:
    """Return the links of the other three at a table of four."""
    return [f"/t/play-{number}"] * 3


def onlookers(number: int) -> list[str]:
    """Return the links of the other seven where eight look, seven of them by the link that only watches."""
    return [f"/t/watch-{number}"] * 7


def processor(pid: int) -> float:
    """Return the seconds of processor that a process has had, by its clock as clock_getcpuclockid(3) names it."""
    return time.clock_gettime(~pid << 3 | 2)


def rests(pid: int) -> None:
    """Wait until a server has nothing more to do: after its start it compiles all templates, which is no part of an entry."""
    until = time.monotonic() + PATIENCE
    while True:
        before = processor(pid)
        time.sleep(0.5)
        if processor(pid) - before < 0.01:
            return
        if time.monotonic() > until:
            raise RuntimeError("the server never rests")


def played(pid: int, place: Place, entries: int) -> tuple[float, float]:
    """Return the server's milliseconds of processor and its bytes sent for an entry that all phones of a place show."""
    before, sent = processor(pid), sum(phone.bytes for phone in place.phones)
    for _ in range(entries):
        place.enter()
        place.all_showed()
    spent = 1e3 * (processor(pid) - before)
    return spent / entries, (sum(phone.bytes for phone in place.phones) - sent) / entries


def costs(servers: Mapping[str, tuple[int, int]]) -> dict[str, dict[str, list[float]]]:
    """Return what an entry costs each server at a table of four and at one of eight, and the bytes to four: round by round."""
    found: dict[str, dict[str, list[float]]] = {name: {"four": [], "eight": [], "sent": []} for name in servers}
    with ExitStack() as open_places:
        places = {}
        for name, (port, pid) in servers.items():
            usual = {"round": ROUND, "sheet": USUAL["sheet"]}.get(name, PASSED)
            at_four, at_eight = Place(port, 1, players(1), usual), Place(port, 2, onlookers(2), usual)
            places[name] = pid, at_four, at_eight
            for place in (at_four, at_eight):
                open_places.enter_context(closing(place))
                played(pid, place, WARM_UP)
        for _ in range(ROUNDS):
            for name, (pid, at_four, at_eight) in places.items():
                four, sent = played(pid, at_four, ENTRIES)
                eight, _ = played(pid, at_eight, ENTRIES)
                for what, figure in (("four", four), ("eight", eight), ("sent", sent)):
                    found[name][what].append(figure)
    return found


def median_ratio(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """Return the median of the rounds' ratios."""
    return statistics.median(one / other for one, other in zip(ours, theirs, strict=True))


def delays(port: int, pid: int, pace: int, first: int) -> tuple[list[float], float]:
    """Return how long until the last of four phones showed an entry, in milliseconds, at so many entries a second.

    With it comes the part of its core that the server had meanwhile: on a machine that is busy otherwise it is a small one.

    ``first`` is the number of the first of the ten tables: nobody has entered anything there yet.
    """
    places = [Place(port, number, players(number)) for number in range(first, first + TABLES)]
    sent: list[list[tuple[float, int]]] = [[] for _ in places]
    begun, spent = time.perf_counter(), processor(pid)

    def play(at: int) -> None:
        place = places[at]
        due = begun + at / pace
        while due < begun + SECONDS:
            time.sleep(max(due - time.perf_counter(), 0))
            place.enter()
            sent[at].append((due, place.first + place.entered))  # from when it was due: a phone that waits is late too
            due += TABLES / pace

    threads = [threading.Thread(target=play, args=(at,)) for at in range(len(places))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    took = [
        1e3 * (max(phone.showed(seq) for phone in place.phones) - due)
        for place, each in zip(places, sent, strict=True)
        for due, seq in each
    ]
    share = (processor(pid) - spent) / (time.perf_counter() - begun)
    for place in places:
        place.close()
    return took, share


@contextmanager
def companion(played: Usual = USUAL["beloz"]) -> Iterator[tuple[int, int]]:
    """Yield the port and the process of a Companion, with a match at each table, of a game as it is usually entered."""
    before = [decode_event(GAMES[played.game], event) for event in played.before]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        maker = Maker(folder, played.people)
        with maker.app.app_context():
            for number in range(1, 3 + TABLES * len(PACES)):
                with database.writing():
                    table = Table(name="Benchmark", play_token=f"play-{number}", watch_token=f"watch-{number}")
                    table.players = [Player(name=person, seat=seat) for seat, person in enumerate(played.people)]
                    db.session.add(table)
                    db.session.flush()
                    table_id = table.id
                match = MatchId(table_id, entries.open_match(table_id, played.game, played.people, played.options))
                if before:
                    entries.record(match, before, idempotency_key="before", expected_seq=0)
        server = Server(
            folder, settings={"COMPANION_PROXIES": "1"}, command=("taskset", "-c", "0", sys.executable, "-m", "companion")
        )
        server.start()
        try:
            rests(server.pid)
            yield server.port, server.pid
        finally:
            server.stop()


@contextmanager
def bare() -> Iterator[tuple[int, int]]:
    """Yield the port and the process of the bare application."""
    with tempfile.TemporaryDirectory() as name:
        words = ["taskset", "-c", "0", sys.executable, "-m", "tests.benchmarks.table_of_phones", name]
        process = subprocess.Popen(words, stdout=subprocess.PIPE, cwd=CHECKOUT, text=True)
        try:
            if process.stdout is None:
                raise RuntimeError("The bare application did not begin.")
            yield int(process.stdout.readline()), process.pid
        finally:
            process.terminate()
            process.wait()


def serve_bare(folder: str) -> None:
    """Serve the bare application; its port is printed first."""
    from gevent import monkey

    monkey.patch_all()
    import queue

    from flask import Flask, Response, redirect, request
    from flask_compress import Compress
    from gevent.pywsgi import WSGIServer

    class Quick(WSGIServer):
        """A server that sends small packets at once, as Companion's does."""

        def handle(self, sock: socket.socket, address: object) -> None:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            super().handle(sock, address)

    app = Flask(__name__)
    app.config["COMPRESS_BR_LEVEL"] = 5
    Compress(app)
    store = sqlite3.connect(Path(folder) / "bare.sqlite", isolation_level=None)
    store.execute("PRAGMA journal_mode = WAL")
    store.execute("PRAGMA synchronous = FULL")
    store.execute("CREATE TABLE entries (at TEXT, body TEXT)")
    seqs: dict[str, int] = {}
    waiting: dict[str, set[queue.SimpleQueue[int]]] = {}
    page = app.jinja_env.from_string(PAGE)
    lines = (CHECKOUT / "companion" / "rulebook" / "beloz.md").read_text("utf-8").splitlines()[:LINES]

    def number_of(token: str) -> str:
        return token.partition("-")[2]

    @app.get("/t/<token>/m/1")
    def show(token: str) -> str:
        return page.render(stream=f"/t/{token}/live", seq=seqs.get(number_of(token), 0), lines=lines)

    @app.post("/t/<token>/m/1/who")
    def enter(token: str) -> object:
        at = number_of(token)
        store.execute("BEGIN IMMEDIATE")
        store.execute("INSERT INTO entries VALUES (?, ?)", (at, request.form["idempotency_key"] * 8))
        store.execute("COMMIT")
        seqs[at] = seqs.get(at, 0) + 1
        for each in waiting.get(at, ()):
            each.put(seqs[at])
        return redirect(f"/t/{token}/m/1", 303)

    @app.get("/t/<token>/live")
    def follow(token: str) -> Response:
        heard: queue.SimpleQueue[int] = queue.SimpleQueue()
        waiting.setdefault(number_of(token), set()).add(heard)

        def told() -> Iterator[bytes]:
            yield b"id: %d\ndata: 0\n\n" % seqs.get(number_of(token), 0)
            try:
                while True:
                    yield b"id: %d\ndata: 0\n\n" % heard.get()
            finally:
                waiting[number_of(token)].discard(heard)

        return Response(told(), mimetype="text/event-stream")

    server = Quick(("127.0.0.1", 0), app, log=None)
    server.init_socket()
    print(server.address[1], flush=True)
    server.serve_forever()


def show_delays(name: str, port: int, pid: int) -> None:
    """Print how late the last of four phones shows an entry."""
    for turn, pace in enumerate(PACES):
        took, share = delays(port, pid, pace, 3 + turn * TABLES)
        ranks = statistics.quantiles(took, n=100)
        late = f"{ranks[49]:7.1f} ms, 99 % {ranks[98]:7.1f} ms"
        print(
            f"{name:10} at {pace:2} entries a second the last of four shows it after {late}; {share:.0%} of a core", flush=True
        )


def main() -> None:
    """Print both, and the ratios."""
    os.sched_setaffinity(0, {1})
    with bare() as base, companion() as ours, companion(ROUND) as counted, companion(USUAL["sheet"]) as sheet:
        found = costs({"bare": base, "Companion": ours, "round": counted, "sheet": sheet})
        for name, of_each in found.items():
            four, eight, sent = (statistics.median(figures) for figures in of_each.values())
            print(
                f"{name:10} an entry: {four:6.1f} ms of processor, {sent:7,.0f} bytes; with eight phones {eight:6.1f} ms",
                flush=True,
            )
        for name, server in (("bare", base), ("Companion", ours)):
            show_delays(name, *server)
    theirs, own = found["bare"], found["Companion"]
    for what, figure, aim in (
        ("an entry against the bare application", median_ratio(own["four"], theirs["four"]), AIMS["bare"]),
        ("bytes to four phones", statistics.median(own["sent"]), AIMS["bytes"]),
        ("eight phones against four", median_ratio(own["eight"], own["four"]), AIMS["eight"]),
        ("a sheet's row against BeloZ's round", median_ratio(found["sheet"]["four"], found["round"]["four"]), AIMS["sheet"]),
    ):
        print(f"{what:40} {figure:10,.2f}   aim {aim:10,.2f}: {'met' if figure <= aim else 'not met'}")


if __name__ == "__main__":  # a process of its own for the bare application
    serve_bare(sys.argv[1])
