"""Do others get in while somebody says half of what they want, too much, or two things at once?"""

from __future__ import annotations

import json
import os
import socket
import stat
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from tests.caller import Caller
from tests.server import PATIENCE, Server

# A second where others wait for fifteen and more.
IMPATIENT = {"IDLE": 3.0, "HEAD": 1.0, "BODY": 1.0, "UNWANTED": 1.0, "SLOWEST_LINE": 100_000}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    serving = Server(tmp_path_factory.mktemp("impatient"), constants=IMPATIENT)
    serving.start()
    yield serving
    serving.stop()


def ask(server: Server, text: str) -> bytes:
    """Return all that is answered to this until the server hangs up."""
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as line:
        line.sendall(text.encode())
        answered = b""
        while part := line.recv(65536):
            answered += part
        return answered


@pytest.mark.parametrize(
    "half",
    [
        "",
        "GET / HT",
        "GET / HTTP/1.1\r\nHost: x\r\nAccept",
        "POST /join HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 500\r\n\r\ncode=",
    ],
    ids=["nothing", "half a line", "half a head", "half a body"],
)
def test_what_is_half_said_comes_to_an_end(server: Server, half: str) -> None:
    begun = time.monotonic()
    answered = ask(server, half)
    assert time.monotonic() - begun < PATIENCE / 2
    assert answered == b"" or answered.startswith(b"HTTP/1.1 400")
    assert "Traceback" not in server.complaints


@pytest.mark.parametrize(("path", "length"), [("/join", 5_000_000), ("/tables/import", 10**9), ("/nowhere", 10**9)])
def test_much_that_is_announced_and_never_sent_is_refused_and_done_with(server: Server, path: str, length: int) -> None:
    begun = time.monotonic()
    answered = ask(server, f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n\r\n")
    assert time.monotonic() - begun < PATIENCE / 2
    assert answered.startswith(b"HTTP/1.1 4")
    assert "Traceback" not in server.complaints


@pytest.mark.parametrize("length", ["1" + "0" * 12, "9" * 400, "9" * 5_000])
def test_a_body_of_no_size_that_there_is_is_refused_at_once(server: Server, length: str) -> None:
    answered = ask(server, f"POST /join HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n\r\n")
    assert answered.startswith(b"HTTP/1.1 400")
    assert "Traceback" not in server.complaints


def test_a_large_body_that_is_refused_is_read_so_that_its_phone_hears_why(server: Server) -> None:
    head = f"POST /tables/import HTTP/1.1\r\nHost: x\r\nContent-Length: {8 * 2**20}\r\n\r\n".encode()
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as line:
        line.sendall(head + b"x" * 8 * 2**20 + b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        answered = b""
        while part := line.recv(65536):
            answered += part
    assert answered.startswith(b"HTTP/1.1 4")
    assert answered.count(b"HTTP/1.1 200 OK") == 1  # and what it asks next is another request


def test_who_reads_nothing_of_what_they_asked_for_keeps_nobody_waiting_and_is_hung_up_on(server: Server) -> None:
    asked = b"GET /static/icons/sprite.svg HTTP/1.1\r\nHost: x\r\n\r\n" * 500  # more than all buffers hold
    with socket.socket() as slow:
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        slow.connect(("127.0.0.1", server.port))
        slow.settimeout(1)
        with suppress(OSError):
            slow.sendall(asked)
        for _ in range(5):
            begun = time.monotonic()
            assert Caller(server.port).get("/healthz").status == 200
            assert time.monotonic() - begun < PATIENCE / 2
        time.sleep(2)
        slow.settimeout(PATIENCE)
        came = 0
        with suppress(ConnectionResetError):
            while part := slow.recv(65536):
                came += len(part)
    assert came < 8 * 2**20  # what lay in buffers: far from all of it
    assert "Traceback" not in server.complaints


@pytest.mark.parametrize(
    "heads",
    [
        "Content-Length: 5\r\nContent-Length: 6",
        "Content-Length: 5\r\nContent-Length: 5",
        "Content-Length: 5\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: xchunked\r\nContent-Length: 5",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
        "Content-Length: +5",
        "\r\n".join(f"X-{number}: 1" for number in range(150)),
    ],
)
def test_what_can_be_understood_in_two_ways_is_refused(server: Server, heads: str) -> None:
    answered = ask(server, f"POST /join HTTP/1.1\r\nHost: x\r\n{heads}\r\n\r\ncode=GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    assert answered.startswith(b"HTTP/1.1 400")
    assert answered.count(b"HTTP/1.1 ") == 1
    assert "Traceback" not in server.complaints
    assert all(json.loads(line) for line in server.complaints.splitlines())


def test_half_open_connections_keep_nobody_out(tmp_path: Path) -> None:
    """More than there are files for: connected phones go on, new ones get in as the half-open ones end."""
    server = Server(
        tmp_path / "instance",
        settings={"COMPANION_PROXIES": "1"},  # behind a proxy all connections come from one address
        constants=IMPATIENT,
        open_files=100,
    )
    server.start()
    ana = Caller(server.port)
    assert ana.get("/healthz").status == 200
    with ExitStack() as lines:
        for _ in range(120):
            line = lines.enter_context(socket.create_connection(("127.0.0.1", server.port), PATIENCE))
            line.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nAcc")
        assert ana.get("/healthz").status == 200
        assert Caller(server.port).get("/healthz").status == 200
    assert server.stop() == 0
    assert "Traceback" not in server.complaints
    assert all(json.loads(line) for line in server.complaints.splitlines())


def test_one_address_has_so_many_connections(tmp_path: Path) -> None:
    server = Server(tmp_path / "instance", constants=IMPATIENT, open_files=100)
    server.start()
    with ExitStack() as lines:
        opened = [lines.enter_context(socket.create_connection(("127.0.0.1", server.port), PATIENCE)) for _ in range(40)]
        closed = 0
        for line in opened:
            line.settimeout(0.2)
            with suppress(TimeoutError):
                closed += line.recv(1) == b""
        assert closed >= 10  # of 100 files 60 are for connections, and half of these for one address
    assert server.stop() == 0


def test_what_is_stored_is_for_its_owner_alone(tmp_path: Path) -> None:

    before = os.umask(0o022)
    try:
        server = Server(tmp_path / "made" / "instance")
        server.instance.mkdir(parents=True)
        (server.instance / "in").mkdir()
        server.environment["COMPANION_INSTANCE"] = str(server.instance / "in" / "here")
        server.start()
    finally:
        os.umask(before)
    ana = Caller(server.port)
    ana.make_table("Ana", "Bo")
    kept = server.instance / "in" / "here"
    assert {file.name for file in kept.iterdir()} >= {"companion.sqlite", "companion.sqlite-wal", "secret-key"}
    assert stat.S_IMODE(kept.stat().st_mode) == 0o700
    for file in kept.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file
    ana.hang_up()
    assert server.stop() == 0
