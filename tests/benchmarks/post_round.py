"""How long a phone waits for a BeloZ round to be stored: against a bare Flask page plus one durable SQLite commit.

    python -m tests.benchmarks.post_round

The three take turns, in one process, on one file system, without the network; every figure is a median over all turns. The
aim is a ratio of three at most.
"""

from __future__ import annotations

import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from flask import Flask

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from companion import database, ledger
from companion.app import create_app
from companion.models import Player, Table, db

ROUNDS = 400
WARM_UP = 40
AIM = 3.0
PAGE = "<!doctype html><title>Hello</title>{% for line in lines %}<p>{{ line }}</p>{% endfor %}"

Work = Callable[[int], object]


def medians(*works: Work, before: Work) -> list[float]:
    """Microseconds that each work takes, the median of many turns; what comes ``before`` each turn is not counted.

    They take turns so that what else the machine does falls on all of them, each beginning as often as the others.
    """
    taken: list[list[float]] = [[] for _ in works]
    for turn in range(WARM_UP + ROUNDS):
        before(turn)
        for step in range(len(works)):
            place = (turn + step) % len(works)
            begun = time.perf_counter()
            works[place](turn)
            taken[place].append(time.perf_counter() - begun)
    return [statistics.median(each[WARM_UP:]) * 1e6 for each in taken]


def bare_page() -> Work:
    """A Flask application that answers with a small page."""
    app = Flask(__name__)
    template = app.jinja_env.from_string(PAGE)

    @app.post("/")
    def hello() -> str:
        return template.render(lines=range(20))

    client = app.test_client()
    return lambda turn: client.post("/", data={"points": "98"}).close()


def durable_commit(folder: Path) -> Work:
    """One row in SQLite, synced to the disk before it is answered."""
    connection = sqlite3.connect(folder / "bare.sqlite", isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE entries (seq INTEGER PRIMARY KEY, body TEXT)")

    def commit(turn: int) -> None:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO entries (body) VALUES (?)", ('{"type": "round"}' * 8,))
        connection.execute("COMMIT")

    return commit


def post_round(folder: Path) -> tuple[Work, Work]:
    """What comes before a round, and the round: from the form to the answer that sends the phone back to the match.

    Tokens against forgery are checked. Who took it, and the plain, are entries of their own and come before.
    """
    app = create_app({"INSTANCE": folder, "RATELIMIT_ENABLED": False, "TESTING": False})
    database.migrate(app)
    with app.app_context():
        table = Table(name="Benchmark", play_token="play", watch_token="watch")  # nobody's link
        table.players = [Player(name=name, seat=seat) for seat, name in enumerate(("Ana", "Bo", "Cy", "Di"))]
        db.session.add(table)
        db.session.commit()
        number = ledger.open_match(table.id, "beloz", ["Ana", "Bo", "Cy", "Di"], {"target": 1_000_000_000})
    client = app.test_client()
    base = f"/t/play/m/{number}"
    token = client.get(f"{base}/count").text.partition('name="csrf_token" value="')[2].partition('"')[0]
    draft = '{"bidder":0,"flooded":"south"}'

    def store(seq: int) -> None:
        sent = {"csrf_token": token, "key": f"k{seq}", "seen": seq, "round": draft, "team": "0", "points": "98", "last": "0"}
        answer = client.post(f"{base}/count", data=sent)
        if answer.status_code != 303:
            raise RuntimeError(f"{answer.status}: the round was not stored")

    def announce(seq: int) -> None:
        for tap in ({"tap": "bidder:0"}, {"flooded": "south"}):
            client.post(f"{base}/who", data={"csrf_token": token, "seen": seq, **tap})

    return announce, store


def main() -> None:
    """Print the three figures and their ratio."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        announce, store = post_round(folder / "instance")
        page, commit, post = medians(bare_page(), durable_commit(folder), store, before=announce)
    ratio = post / (page + commit)
    print(f"bare Flask page        {page:8.0f} us")
    print(f"one durable commit     {commit:8.0f} us")
    print(f"a round posted         {post:8.0f} us")
    print(f"ratio                  {ratio:8.2f}    (aim: at most {AIM:.0f})")


if __name__ == "__main__":
    main()
