"""What does the host of a table see in the terminal of ``companion run``, and are the phones served?"""

from __future__ import annotations

import http.client
import os
import re
import signal
import socket
import sqlite3
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import main
from tests import server as running
from tests.server import PATIENCE, Server


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    serving = Server(tmp_path / "instance")
    serving.start()
    yield serving
    serving.stop()


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Yield a server that begins as a program of its own, as on a host's computer, where few files may be open at first.

    All others are forked (``tests/warm.py``): to begin takes seconds of a processor, so this one is for all tests that need it.
    """
    few = ("/bin/sh", "-c", 'ulimit -S -n 256; exec "$0" -m companion "$@"', sys.executable)
    serving = Server(tmp_path_factory.mktemp("program"), command=few)
    serving.start()
    yield serving
    assert serving.stop() == 0


def test_templates_are_compiled_before_anybody_asks(program: Server) -> None:
    """A page of a new table is made of twenty, which whoever comes first would wait for."""
    worked = Path(f"/proc/{program.pid}/stat")
    if not worked.exists():
        pytest.skip("only Linux tells how long a process has worked")

    def seconds() -> float:
        user = worked.read_text().rpartition(")")[2].split()[11]
        return int(user) / os.sysconf("SC_CLK_TCK")

    begun = seconds()
    until = time.monotonic() + PATIENCE
    while seconds() < begun + 0.5:  # nobody asks for anything
        assert time.monotonic() < until
        time.sleep(0.1)


def test_as_many_phones_may_listen_as_the_system_allows(program: Server) -> None:
    """Many systems begin with 1,024 open files, this one with 256; each phone that listens is one."""
    silent = [socket.create_connection(("127.0.0.1", program.port), timeout=PATIENCE) for _ in range(400)]
    assert get(f"http://127.0.0.1:{program.port}/healthz")[0] == 200
    for one in silent:
        one.close()


@dataclass
class Ended:
    """What ``companion run`` left behind."""

    returncode: int
    stdout: str
    stderr: str


Run = Callable[..., Ended]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Call it for ``companion run`` where it is expected to end by itself: its arguments, and settings by name."""
    out, errors = tmp_path / "out", tmp_path / "errors"

    def ended(*arguments: str, **settings: str) -> Ended:
        assert running.WARM is not None
        environment = {**os.environ, "COMPANION_INSTANCE": str(tmp_path / "instance"), **settings}
        status = running.WARM.run(["run", "--host", "127.0.0.1", *arguments], environment, out, errors).wait(PATIENCE)
        return Ended(status, out.read_text("utf-8"), errors.read_text("utf-8"))

    return ended


def get(url: str) -> tuple[int, str]:
    with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
        return answer.status, answer.read().decode()


def table(server: Server) -> str:
    """Make a table as a phone does; return its link."""
    phone = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    page = phone.open(server.url + "/tables/new?game=beloz", timeout=PATIENCE).read().decode()
    token = re.search(r'name="csrf_token"[^>]* value="([^"]+)"', page)
    assert token is not None
    form = {"csrf_token": token.group(1), "game": "beloz", "table": "Kitchen table", "person_0": "Ana"}
    made = phone.open(server.url + "/tables", urllib.parse.urlencode(form).encode(), timeout=PATIENCE)
    link = re.match(r".*/t/[\w-]+", made.url)
    assert link is not None
    return link.group()


def test_the_greeting_tells_the_address_and_how_to_stop_and_shows_a_qr_code(program: Server) -> None:
    assert program.url == f"http://127.0.0.1:{program.port}"
    assert "Stop with Ctrl-C." in program.output
    assert "! Companion listens to this computer only. For phones, start it without --host.\n" in program.output
    assert "Android 17 asks whether the browser may use nearby devices." in program.output
    assert f"Can't open it on a phone? {program.url}/reach tells why.\n" in program.output
    square = [line for line in program.output.splitlines() if re.fullmatch("[█▀▄\xa0]{20,}", line)]
    assert 10 <= len(square) <= 30
    assert len({len(line) for line in square}) == 1


def test_phones_are_served(server: Server) -> None:
    status, page = get(server.url + "/")
    assert status == 200
    assert "Companion" in page
    assert get(server.url + "/healthz")[0] == 200


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_stops_in_good_order(server: Server, number: int) -> None:
    get(server.url + "/")
    assert server.stop(number) == 0
    assert "Traceback" not in server.complaints
    with pytest.raises(OSError, match="refused"):
        get(server.url + "/")


def test_it_leaves_one_file_and_the_key(server: Server) -> None:
    get(server.url + "/")
    server.stop()
    files = {file.name for file in server.instance.iterdir()}
    assert files == {"companion.sqlite", "companion.sqlite.lock", "secret-key", "stdout", "stderr"}


class TestTwoServers:
    """What one stores, phones at the other would not hear of."""

    def test_a_second_one_with_the_same_tables_is_refused_with_a_sentence(self, run: Run, server: Server) -> None:
        tables = server.instance / "companion.sqlite"
        sentence = f"Another Companion serves the tables in {server.instance}. Stop it first, or give this one another folder: "
        elsewhere = str(server.instance.parent / "elsewhere")
        for settings in ({}, {"COMPANION_INSTANCE": elsewhere, "DATABASE_URL": f"sqlite:///{tables}"}):
            ended = run("--port", "0", **settings)
            assert ended.returncode == 2
            assert ended.stdout == ""
            assert ended.stderr == f"{sentence}COMPANION_INSTANCE names it.\n"
        assert get(table(server))[0] == 200

    def test_one_that_was_killed_keeps_nobody_out(self, server: Server) -> None:
        link = table(server)
        server.stop(signal.SIGKILL)
        assert (server.instance / "companion.sqlite.lock").exists()
        server.start()
        assert get(link)[0] == 200

    def test_another_folder_is_another_companion(self, server: Server, tmp_path: Path) -> None:
        other = Server(tmp_path / "other")
        other.start()
        try:
            assert get(table(other))[0] == get(table(server))[0] == 200
        finally:
            other.stop()

    def test_commands_go_on_beside_it(self, server: Server, tmp_path: Path) -> None:
        link = table(server)
        settings = {"COMPANION_INSTANCE": str(server.instance)}
        for command in (["tables"], ["export", link, str(tmp_path / "one.json")], ["backup", str(tmp_path / "all.sqlite")]):
            ended = CliRunner().invoke(main, command, env=settings)
            assert ended.exit_code == 0, ended.output
        assert get(server.url + "/healthz")[0] == 200


def test_an_idle_phone_does_not_hold_up_the_end(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port)) as idle:
        idle.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert idle.recv(12) == b"HTTP/1.1 200"
        assert server.stop() == 0


def is_taken(port: int) -> bool:
    with suppress(ConnectionError), socket.create_connection(("127.0.0.1", port)):
        return True
    return False


def test_a_server_that_leaves_takes_nobody_new_and_ends_the_lines_that_are_open(server: Server) -> None:
    """So a proxy asks another Companion at once; what is being asked already is still answered."""
    link = table(server)
    with ExitStack() as open_lines:
        kept = open_lines.enter_context(closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)))
        kept.request("GET", "/healthz?alive")
        assert kept.getresponse().read()
        busy = open_lines.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE))
        busy.sendall(b"GET /healthz?alive HTTP/1.1\r\nHost: 127.0.0.1\r\n")
        streams = []
        for _ in range(20):
            streams.append(open_lines.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)))
            streams[-1].sendall(f"GET {urllib.parse.urlparse(link).path}/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
            assert streams[-1].recv(1) == b"H"
        os.kill(server.pid, signal.SIGTERM)
        until = time.monotonic() + PATIENCE
        while is_taken(server.port):
            assert time.monotonic() < until
        assert kept.sock.recv(1) == b""
        busy.sendall(b"\r\n")
        assert b"\r\nConnection: close\r\n" in busy.makefile("rb").read()
        for stream in streams:
            said = b""
            while not said.endswith(b"\r\n0\r\n\r\n"):
                heard = stream.recv(4096)
                assert heard, "the stream ended in the middle"
                said += heard
            assert b"event: bye\n" in said
            with suppress(ConnectionError):
                stream.sendall(b"GET /healthz?alive HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                assert stream.recv(1) == b""  # nothing more is asked here
        assert server.stop() == 0


def test_a_table_is_still_there_after_a_power_cut(server: Server) -> None:
    before = server.port, (server.instance / "secret-key").read_bytes()
    server.restart()
    assert (server.port, (server.instance / "secret-key").read_bytes()) == before
    assert get(server.url + "/")[0] == 200


def test_a_phone_that_listens_does_not_hold_up_the_end_and_its_table_is_in_no_log(server: Server) -> None:
    link = table(server)
    with urllib.request.urlopen(link + "/live", timeout=PATIENCE) as stream:
        assert stream.readline() == b"retry: 2000\n"
        assert stream.readline().startswith(b"id: ")
        assert server.stop() == 0
        assert stream.read().startswith(b"data: ")
    secret = link.rpartition("/")[2]
    assert len(secret) >= 22
    assert secret not in server.output
    assert secret not in server.complaints


def test_nothing_that_opens_a_table_is_ever_printed(server: Server) -> None:
    secret = "q3v7nS2kT9xW1bL5mD8fRg"
    for path in (f"/t/{secret}", f"/t/{secret}/live", f"/t/{secret}/m/1"):
        with pytest.raises(urllib.error.HTTPError, match="404"):
            get(server.url + path)
    with socket.create_connection(("127.0.0.1", server.port)) as broken:
        broken.sendall(f"NONSENSE /t/{secret} HTTP/7.7\r\n\r\n".encode())
        broken.settimeout(PATIENCE)
        assert broken.recv(12) == b"HTTP/1.1 400"
    server.stop()
    assert secret not in server.output
    assert secret not in server.complaints


def test_a_port_that_is_taken_is_a_sentence(run: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        ended = run("--port", str(port))
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert f"127.0.0.1:{port} can't be used (Address already in use)" in ended.stderr
    assert "Choose another: companion run --port" in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"DATABASE_URL": "postgresql://127.0.0.1:port/x"}, "DATABASE_URL is no address of a database"),
        ({"DATABASE_URL": "sqlite:////nowhere/at/all.sqlite"}, "The database can't be opened: unable to open database file"),
        ({"COMPANION_HTTPS": "maybe"}, "COMPANION_HTTPS is 'maybe'. It takes 1, true, yes or on if"),
        ({"COMPANION_INSTANCE": "/dev/null/companion"}, "The folder /dev/null/companion can't be used: Not a directory."),
    ],
)
def test_a_wrong_setting_is_a_sentence(run: Run, settings: dict[str, str], sentence: str) -> None:
    ended = run("--port", "0", **settings)
    assert ended.returncode == 2
    assert sentence in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_public_address_that_is_none_is_a_sentence(run: Run) -> None:
    ended = run("--port", "0", "--public-url", "cards.example")
    assert ended.returncode == 2
    assert ended.stderr == "--public-url is what phones type, like https://cards.example; not 'cards.example'.\n"


def test_tables_of_a_newer_companion_are_left_alone_with_a_sentence(run: Run, server: Server) -> None:
    server.stop()
    with closing(sqlite3.connect(server.instance / "companion.sqlite")) as tables, tables:
        tables.execute("UPDATE alembic_version SET version_num = '9999'")
    ended = run("--port", "0")
    assert ended.returncode == 2
    assert ended.stderr == "This database is at revision 9999, which this Companion does not know. A newer one made it.\n"


@pytest.mark.parametrize("port", ["-1", "65536", "eight"])
def test_a_port_that_is_none_is_refused(port: str) -> None:
    ended = CliRunner().invoke(main, ["run", "--port", port])
    assert ended.exit_code == 2
    assert "--port" in ended.stderr


def test_a_prometheus_is_answered_at_a_port_of_its_own(run: Run, tmp_path: Path) -> None:
    port = free_port()
    server = Server(tmp_path, settings={"COMPANION_METRICS": f"127.0.0.1:{port}"})
    server.start()
    try:
        link = table(server)
        status, metrics = get(f"http://127.0.0.1:{port}/metrics")
        assert status == 200
        assert 'companion_requests_total{method="POST",route="/tables",status="303"} 1.0' in metrics
        assert link.rpartition("/")[2] not in metrics
        with pytest.raises(urllib.error.HTTPError, match="404"):
            get(f"{server.url}/metrics")
        other = run("--port", "0", COMPANION_METRICS=f"127.0.0.1:{port}")
        assert other.returncode == 2
        sentence = f"COMPANION_METRICS: 127.0.0.1:{port} can't be used (Address already in use). Choose another port."
        assert other.stderr.splitlines()[-1] == sentence
    finally:
        server.stop()


def test_a_public_address_is_shown_instead_of_the_own_one(tmp_path: Path) -> None:
    server = Server(tmp_path, arguments=["--public-url", "https://cards.example/"])
    server.port = free_port()
    server.start()
    try:
        assert server.url == "https://cards.example"
        assert get(f"http://127.0.0.1:{server.port}/")[0] == 200
    finally:
        server.stop()


def test_behind_a_proxy_a_link_has_the_address_by_which_its_page_was_reached(tmp_path: Path) -> None:
    server = Server(tmp_path, settings={"COMPANION_PROXIES": "1"})
    server.start()
    try:
        told = {"X-Forwarded-Host": "home.example", "X-Forwarded-Proto": "https", "X-Forwarded-Prefix": "/cards"}
        links = table(server)
        with urllib.request.urlopen(urllib.request.Request(f"{links}/links", headers=told), timeout=PATIENCE) as page:
            assert links.replace(server.url, "https://home.example/cards") in page.read().decode()
    finally:
        server.stop()


def test_the_browser_of_this_computer_opens_the_screen(tmp_path: Path) -> None:
    """A browser may stay in the terminal's foreground until it is closed; Companion serves, and ends, meanwhile."""
    opened, browser = tmp_path / "opened", tmp_path / "browser"
    until_closed = f"while [ -e {opened} ]; do sleep 0.1; done"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}.new && mv {opened}.new {opened}\n{until_closed}\n', "utf-8")
    browser.chmod(0o755)
    server = Server(tmp_path / "instance", arguments=["--screen"], settings={"BROWSER": str(browser)})
    server.start()
    try:
        until = time.monotonic() + PATIENCE
        while not opened.exists() and time.monotonic() < until:
            time.sleep(0.02)
        status, page = get(opened.read_text("utf-8").strip())
        assert status == 200
        assert "Start a table on your phone." in page
        assert server.url in page
        assert server.stop() == 0
    finally:
        opened.unlink()
        server.stop()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port
