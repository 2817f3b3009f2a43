"""How long does a phone wait while another address sends the worst that it may: names, files, pages, streams, halves?

    python -m tests.benchmarks.nobody_waits [--only ATTACK] [CHECKOUT]

A server of its own on 127.0.0.1, of this checkout or of another one to compare. Each attack lasts some seconds, over a few
connections of one address; meanwhile a second address asks for a page of its table every 50 ms. The aim: never 500 ms.
Before each attack it asks the same server as long with nobody else there: what it waits then is the machine's own business.
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
from contextlib import ExitStack, suppress
from pathlib import Path

from tests.caller import Caller
from tests.server import CHECKOUT, Server

SECONDS = 4.0  # that an attack lasts
CONNECTIONS = 4
AIM = 0.5
NAME = "a" + "\u0301" * 4_000 + "\u0316" * 4_000
PASSED = [{"type": "passed-deal"}]
Attack = Callable[[Caller, str], object]


def table_file(matches: int, lines: int, key: str = "k", first: int = 1) -> bytes:
    """Return a table's file with so many matches of so many entries, the first of so many events."""
    at = "2026-01-01T20:00:00Z"
    log = [{"key": f"{key}{number}", "at": at, "kind": "events", "events": PASSED} for number in range(lines)]
    log[:1] = [{**each, "events": PASSED * first} for each in log[:1]]
    names = ["Ana", "Bo", "Cy", "Di"]
    match = {"game": "beloz", "edition": 1, "players": names, "options": {}, "log": log}
    each = [{**match, "created": f"2026-01-01T20:00:{number:02}Z"} for number in range(matches)]
    whole = {"format": "companion-table/1", "name": "Long", "created": at, "players": [], "matches": each}
    return json.dumps(whole).encode()


def bring(caller: Caller, body: bytes, path: str = "/tables/import") -> str:
    """Send a table's file; the play link of the new table, or nothing."""
    caller.post("/theme")  # the answer brings the token that forms need
    head = f'--x\r\nContent-Disposition: form-data; name="csrf_token"\r\n\r\n{caller._token}\r\n'
    file = '--x\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n'
    line = http.client.HTTPConnection("127.0.0.1", caller.port, timeout=60)
    cookie = "; ".join(f"{name}={value}" for name, value in caller._cookies.items())
    headers = {"X-Forwarded-For": caller.address, "Cookie": cookie, "Content-Type": "multipart/form-data; boundary=x"}
    line.request("POST", path, head.encode() + file.encode() + body + b"\r\n--x--\r\n", headers)
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


def bring_back(caller: Caller, _link: str) -> None:
    """Bring much back to a table that has nothing, then what is all different."""
    link = bring(caller, EMPTY)
    for body in (FULL, OTHER):
        bring(caller, body, f"{link}/bring")


def many(caller: Caller, _link: str) -> None:
    """Send the largest file from 24 networks at once."""

    def send(number: int) -> None:
        own = Caller(caller.port)
        own.address = f"2001:db8:0:{number:x}::1"
        with suppress(OSError, http.client.HTTPException, AssertionError):
            bring(own, LONG)

    threads = [threading.Thread(target=send, args=(number,)) for number in range(24)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)


def read_slowly(caller: Caller, link: str) -> None:
    """Ask for a long table from 16 networks, and read nothing of it."""
    with ExitStack() as opened:
        for number in range(16):
            line = opened.enter_context(socket.create_connection(("127.0.0.1", caller.port), 5))
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            asked = f"GET {link}/table.json HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 2001:db8:1:{number:x}::1\r\n\r\n"
            line.sendall(asked.encode())
        time.sleep(2)


def everything(caller: Caller, link: str) -> None:
    """Send one after the other what is dear."""
    for attack in ("a table of 20,000 entries", "tables brought back", "slow readers", "downloads", "undos in a long match"):
        with suppress(OSError, http.client.HTTPException, AssertionError):
            ATTACKS[attack](caller, link)


def follow(caller: Caller, link: str) -> None:
    """Open many streams at once."""
    opened = [socket.create_connection(("127.0.0.1", caller.port), 5) for _ in range(100)]
    for line in opened:
        line.sendall(f"GET {link}/live HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: {caller.address}\r\n\r\n".encode())
    time.sleep(1)
    for line in opened:
        line.close()


LONG, ONE, FULL = table_file(10, 2_000), table_file(1, 20_000), table_file(10, 1_900)
EMPTY, OTHER = table_file(10, 0), table_file(10, 1_900, "o", first=2)

ATTACKS: dict[str, Attack] = {
    "nothing": lambda _caller, _link: time.sleep(0.2),
    "names of 16 KB": lambda caller, _link: caller.post("/tables", table=NAME, person_0="Eve"),
    "forms": lambda caller, _link: caller.post("/theme", theme="dark"),
    "a table of 20,000 entries": lambda caller, _link: bring(caller, LONG),
    "a match of 20,000 entries": lambda caller, _link: bring(caller, ONE),
    "tables brought back": bring_back,
    "files of 24 networks": many,
    "slow readers": read_slowly,
    "pages of a long match": lambda caller, link: caller.get(f"{link}/m/1"),
    "all matches of a long table": lambda caller, link: caller.get(f"{link}/matches"),
    "downloads": lambda caller, link: caller.get(f"{link}/table.json"),
    "look-ups": lambda caller, link: caller.get(f"{link}/m/1/may-i"),
    "undos in a long match": lambda caller, link: caller.post(
        f"{link}/m/2/undo", of=1, expected_seq=1_900, idempotency_key="k", sure=1
    ),
    "streams": follow,
    "half requests": half,
    "all that is dear": everything,
}


def most_memory(pid: int) -> float:
    """Return the most that a process ever took, in MB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1000


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
    parser.add_argument("--only", choices=ATTACKS, help="one of the attacks alone")
    asked = parser.parse_args()
    folder = asked.checkout
    print(f"{'':<30}{'at rest, ms':>20}{'meanwhile, ms':>20}{'':>8}")
    print(f"{'one address sends':<30}{'median':>10}{'longest':>10}{'median':>10}{'longest':>10}{'MB':>8}")
    worst = 0.0
    for name, attack in ATTACKS.items():
        if asked.only not in (None, name):
            continue
        with tempfile.TemporaryDirectory() as instance:
            server = Server(Path(instance), folder=folder, settings={"COMPANION_PROXIES": "1"})
            server.start()
            try:
                eve = Caller(server.port)
                link = bring(eve, FULL)
                rest = waits(server.port, ATTACKS["nothing"], link, eve)
                took = waits(server.port, attack, link, eve)
                memory = most_memory(server.pid)
            finally:
                server.stop()
        worst = max(worst, *took)
        figures = (1000 * each for waited in (rest, took) for each in (statistics.median(waited), max(waited)))
        print(f"{name:<30}{''.join(f'{each:>10.0f}' for each in figures)}{memory:>8.0f}", flush=True)
    print(f"the longest: {1000 * worst:.0f} ms; aim: {1000 * AIM:.0f} ms, {'met' if worst < AIM else 'not met'}")


if __name__ == "__main__":
    main()
