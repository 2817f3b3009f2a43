"""What does the log say of requests? Which kind of page, how it went, how long it took; nothing about anybody."""

from __future__ import annotations

import json
import signal
import socket
import urllib.request
from pathlib import Path

import pytest

from tests.caller import Caller
from tests.server import PATIENCE, Server

REQUEST = {"at", "level", "from", "what", "method", "route", "status", "ms", "bytes"}


def lines(server: Server) -> list[dict[str, object]]:
    """Return what was logged, but for the word that Companion has changed since make pocket, which depends on the checkout."""
    told = [json.loads(line) for line in server.complaints.splitlines()]
    return [line for line in told if line["from"] != "companion.web.delivery.pocket"]


@pytest.fixture
def server(tmp_path: Path) -> Server:
    serving = Server(tmp_path / "instance", arguments=["--log-requests"])
    serving.start()
    return serving


def test_each_request_is_a_line_that_tells_of_the_page_and_of_nobody(server: Server) -> None:
    ana = Caller(server.port)
    table = ana.make_table("Anastasia", "Bo")
    assert ana.get(f"{table}/table").status == 200
    assert ana.get("/nothing/here").status == 404
    assert ana.get("/t/q3v7nS2kT9xW1bL5mD8fRg").status == 404
    ana.post("/join", code="K7W M4R")
    assert Caller(server.port).post(f"{table}/name", name="Kitchen", csrf_token="forged").status == 400
    ana.hang_up()
    with urllib.request.urlopen(f"{server.url}{table}/live", timeout=PATIENCE) as stream:
        assert stream.readline() == b"retry: 2000\n"
        assert server.stop(signal.SIGTERM) == 0
        assert stream.read().endswith(b"event: bye\ndata: bye\n\n")
    told = [line for line in lines(server) if line["from"] == "companion.requests"]
    assert all(set(line) == REQUEST for line in told)
    assert [(line["method"], line["route"], line["status"]) for line in told] == [
        ("GET", "/tables/new", 200),
        ("POST", "/tables", 303),
        ("GET", "/t/<token>/table", 200),
        ("GET", "", 404),
        ("GET", "/t/<token>", 404),
        ("POST", "/join", 422),
        ("GET", "/tables/new", 200),
        ("POST", "/t/<token>/name", 400),
        ("GET", "/t/<token>/live", 200),
    ]
    assert all(isinstance(line["ms"], float) and 0 <= line["ms"] < 60_000 for line in told)
    assert told[0]["bytes"] > 1000
    for secret in (table.removeprefix("/t/"), "Anastasia", "q3v7nS2kT9xW1bL5mD8fRg", "K7W", "127.0.0.1", "here"):
        assert secret not in server.complaints, secret


def test_without_the_flag_only_what_is_wrong_is_logged_as_lines_too(tmp_path: Path) -> None:
    server = Server(tmp_path / "instance")
    server.start()
    Caller(server.port).get("/")
    with socket.create_connection(("127.0.0.1", server.port)) as broken:
        broken.sendall(b"NONSENSE HTTP/7.7\r\n\r\n")
        assert broken.recv(12) == b"HTTP/1.1 400"
    assert server.stop() == 0
    told = lines(server)
    assert {line["from"] for line in told} == {"companion.server"}
    assert {line["what"] for line in told} == {"a request could not be read"}
    assert {line["level"] for line in told} == {"warning"}


def test_nobody_s_address_is_logged_when_they_try_too_often(tmp_path: Path) -> None:
    server = Server(tmp_path / "instance", settings={"COMPANION_PROXIES": "1"})
    server.start()
    eve = Caller(server.port)
    eve.address = "192.0.2.200"
    codes = [eve.post("/join", code="K7W M4R").status for _ in range(12)]
    tables = [eve.post("/tables", table="T", person_0="Eve").status for _ in range(61)]
    eve.hang_up()
    assert server.stop() == 0
    assert (codes[-1], tables[-1]) == (429, 429)
    assert "192.0.2" not in server.complaints
    assert {line["from"] for line in lines(server)} <= {"companion.server"}
