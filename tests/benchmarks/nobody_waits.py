"""How long does a phone wait while another address sends the worst that it may: names, files, pages, streams, halves?

    python -m tests.benchmarks.nobody_waits [CHECKOUT]

A server of its own on 127.0.0.1, of this checkout or of another one to compare. Each attack lasts some seconds, over a few
connections of one address; meanwhile a second address asks for a page of its table every 50 ms. The aim: never 500 ms.
"""

from __future__ import annotations

import argparse
import http.client
import json
import socket
import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

from tests.caller import Caller
from tests.server import CHECKOUT, Server

SECONDS = 4.0  # that an attack lasts
CONNECTIONS = 4
AIM = 0.5
NAME = "a" + "\u0301" * 4_000 + "\u0316" * 4_000
PASSED = [{"type": "passed-deal"}]
Attack = Callable[[Caller, str], object]


def table_file(matches: int, lines: int) -> bytes:
    """Return a table's file with so many matches of so many entries."""
    at = "2026-01-01T20:00:00Z"
    log = [{"key": f"k{number}", "at": at, "kind": "events", "events": PASSED} for number in range(lines)]
    names = ["Ana", "Bo", "Cy", "Di"]
    match = {"game": "beloz", "edition": 1, "players": names, "options": {}, "created": at, "log": log}
    whole = {"format": "companion-table/1", "name": "Long", "created": at, "players": [], "matches": [match] * matches}
    return json.dumps(whole).encode()


def bring(caller: Caller, body: bytes) -> str:
    """Send a table's file; the play link of the new table, or nothing."""
    caller.post("/theme")  # the answer brings the token that forms need
    head = f'--x\r\nContent-Disposition: form-data; name="csrf_token"\r\n\r\n{caller._token}\r\n'
    file = '--x\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n'
    line = http.client.HTTPConnection("127.0.0.1", caller.port, timeout=60)
    cookie = "; ".join(f"{name}={value}" for name, value in caller._cookies.items())
    headers = {"X-Forwarded-For": caller.address, "Cookie": cookie, "Content-Type": "multipart/form-data; boundary=x"}
    line.request("POST", "/tables/import", head.encode() + file.encode() + body + b"\r\n--x--\r\n", headers)
    answer = line.getresponse()
    answer.read()
    return (answer.headers.get("Location") or "").partition("?")[0].removesuffix("/table")


def half(caller: Caller, _link: str) -> None:
    """Begin a request, and say no more."""
    opened = [socket.create_connection(("127.0.0.1", caller.port), 5) for _ in range(50)]
    for line in opened:
        line.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nAcc")
    time.sleep(1)
    for line in opened:
        line.close()


def follow(caller: Caller, link: str) -> None:
    """Open many streams at once."""
    opened = [socket.create_connection(("127.0.0.1", caller.port), 5) for _ in range(100)]
    for line in opened:
        line.sendall(f"GET {link}/live HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: {caller.address}\r\n\r\n".encode())
    time.sleep(1)
    for line in opened:
        line.close()


LONG, ONE, FULL = table_file(10, 2_000), table_file(1, 20_000), table_file(10, 1_900)

ATTACKS: dict[str, Attack] = {
    "nothing": lambda _caller, _link: time.sleep(0.2),
    "names of 16 KB": lambda caller, _link: caller.post("/tables", table=NAME, person_0="Eve"),
    "forms": lambda caller, _link: caller.post("/theme", theme="dark"),
    "a table of 20,000 entries": lambda caller, _link: bring(caller, LONG),
    "a match of 20,000 entries": lambda caller, _link: bring(caller, ONE),
    "pages of a long match": lambda caller, link: caller.get(f"{link}/m/1"),
    "all matches of a long table": lambda caller, link: caller.get(f"{link}/matches"),
    "downloads": lambda caller, link: caller.get(f"{link}/table.json"),
    "look-ups": lambda caller, link: caller.get(f"{link}/m/1/may-i"),
    "undos in a long match": lambda caller, link: caller.post(
        f"{link}/m/2/undo", of=1, expected_seq=1_900, idempotency_key="k", sure=1
    ),
    "streams": follow,
    "half requests": half,
}


def waits(port: int, attack: Attack, link: str, eve: Caller) -> list[float]:
    """Return how long each page of another phone took meanwhile."""
    ana = Caller(port)
    table = ana.make_table("Ana", "Bo")
    until = time.monotonic() + SECONDS

    def send(address: str, cookies: dict[str, str], token: str) -> None:
        caller = Caller(port)
        caller.address, caller._cookies, caller._token = address, dict(cookies), token
        while time.monotonic() < until:
            try:
                attack(caller, link)
            except (OSError, http.client.HTTPException, AssertionError):
                time.sleep(0.05)  # refused, as it should be

    threads = [threading.Thread(target=send, args=(eve.address, eve._cookies, eve._token)) for _ in range(CONNECTIONS)]
    for thread in threads:
        thread.start()
    took = []
    while time.monotonic() < until:
        begun = time.monotonic()
        ana.get(f"{table}/table")
        took.append(time.monotonic() - begun)
        time.sleep(0.05)
    for thread in threads:
        thread.join(60)
    return took


def main() -> None:
    """Print a line for each attack."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path, nargs="?", default=CHECKOUT, help="another Companion, to compare; else this one")
    folder = parser.parse_args().checkout
    print(f"{'one address sends':<30}{'median ms':>10}{'longest ms':>12}")
    worst = 0.0
    for name, attack in ATTACKS.items():
        with tempfile.TemporaryDirectory() as instance:
            server = Server(Path(instance), folder=folder, settings={"COMPANION_PROXIES": "1"})
            server.start()
            try:
                eve = Caller(server.port)
                link = bring(eve, FULL)
                took = waits(server.port, attack, link, eve)
            finally:
                server.stop()
        worst = max(worst, *took)
        print(f"{name:<30}{1000 * statistics.median(took):>10.0f}{1000 * max(took):>12.0f}", flush=True)
    print(f"the longest: {1000 * worst:.0f} ms; aim: {1000 * AIM:.0f} ms, {'met' if worst < AIM else 'not met'}")


if __name__ == "__main__":
    main()
