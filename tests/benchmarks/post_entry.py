"""How long does a phone wait for its entry to be stored? Against a bare Flask page plus one durable SQLite commit.

    python -m tests.benchmarks post_entry

Each game's usual entry is posted, and what else is entered in it, each into a match of its own. All take turns, in one process,
on one file system, without the network; every figure is a median over all turns. The aim is a ratio of three at most, and no
entry dearer than BeloZ's round.
"""

from __future__ import annotations

import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.app import create_app
from companion.engine import GAMES
from companion.engine.records import decode_event
from companion.matches import entries
from companion.settings import Settings
from companion.storage import database, migrations
from companion.storage.models import MatchId, Player, Table, db
from tests.benchmarks.bare import bare_page

TURNS = 200
WARM_UP = 20
AIM = 3.0

Work = Callable[[int], object]


@dataclass(frozen=True)
class Usual:
    """An entry of a game: who plays, what is entered and shared before it, its page, and what its form sends."""

    game: str
    people: tuple[str, ...]
    page: str
    fields: Mapping[str, Any]
    before: tuple[Mapping[str, Any], ...] = ()
    draft: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)


PAIR, COOKS, FOUR = ("Ana", "Bo"), ("Ana", "Bo", "Cy"), ("Ana", "Bo", "Cy", "Di")
FILLED = tuple(
    {"type": "fill", "zone": zone, "fish": [suit] * zone, "drawn_by": "hand"}
    for zone, suit in enumerate(("suns", "moons", "waves", "leaves"), start=1)
)
POT = (
    "ace-moons crown-suns 2-moons-knots 3-moons-waves 4-moons-suns 5-moons-leaves "
    "6-moons-waves 7-suns-knots 8-moons-suns 9-moons-suns ace-waves"
)
GOALS = ("7-moons-leaves", "3-suns-knots", "5-suns-waves")
WON = {"type": "round", "ended_by": 0, "packs": [[[3], [2]], [[4], [1]], [[5], [2]]]}

USUAL = {
    "beloz": Usual(
        "beloz",
        FOUR,
        "count",
        {"round": '{"bidder":0,"flooded":"south"}', "team": "0", "points": "98", "last": "0"},
        draft={"bidder": 0, "flooded": "south"},
    ),
    "beluga-cup": Usual("beluga-cup", PAIR, "play", {"zone": "1", "side": "1", "card": "ace-suns"}, before=FILLED),
    "bisque": Usual("bisque", COOKS, "hand", {"by": "0", "card": "ace-moons"}),
    "rivals": Usual(
        "rivals",
        PAIR,
        "round",
        {
            "ended_by": "1",
            "whales-0-0": "4 3 .", "whales-0-1": "6 .",
            "whales-1-0": "10 2 .", "whales-1-1": "5 4 3 .",
            "whales-2-0": "6 1 .", "whales-2-1": "10 .",
        },
    ),
    "what-the-fish": Usual("what-the-fish", FOUR, "play", {"tap": "fish:0", "value": "8"}),
    "sheet": Usual("sheet", FOUR, "row", {f"c{side}-points": "10+15+8" for side in range(4)}),
}  # fmt: skip
OTHERS = {
    "beluga-cup first draw": Usual("beluga-cup", PAIR, "fish", {"by": "app"}),
    "beluga-cup draw": Usual(
        "beluga-cup",
        PAIR,
        "fish",
        {"by": "app"},
        before=(*FILLED, {"type": "eat", "zone": 4, "player": 0}),
        options={"cards": "untracked"},
    ),
    "beluga-cup eat": Usual(
        "beluga-cup", PAIR, "eat", {"zone": "2", "player": "1"}, before=FILLED, options={"cards": "untracked"}
    ),
    "beluga-cup discard": Usual("beluga-cup", PAIR, "discard", {"cards": "2"}, before=FILLED),
    "beluga-cup excuse": Usual(
        "beluga-cup",
        PAIR,
        "excuse",
        {"zone": "1", "drawn": "knots", "by": "hand", "back": "0"},
        before=FILLED,
        options={"deck": "courts"},
    ),
    "bisque reveal": Usual(
        "bisque",
        COOKS,
        "hand",
        {"save": ",".join(GOALS)},
        before=tuple({"type": "pot", "card": card, "by": None} for card in POT.split()),
        draft={"goals": list(GOALS)},
    ),
    "rivals count": Usual(
        "rivals", PAIR, "count", {"grey-0": "1 2 3 4 5 6 1 2 3 4 5 6 1 2 3 4 5 6 .", "grey-1": "."}, before=(WON,) * 3
    ),
    "what-the-fish wtf": Usual("what-the-fish", FOUR, "wtf", {"card": "mugger-croc", "who": "1", "tap": "target:0"}),
    "what-the-fish flush": Usual("what-the-fish", FOUR, "flush", {"tap": "who:2"}),
}


def medians(*works: Work, before: Work) -> list[float]:
    """Return the microseconds that each work takes, the median of many turns; what comes ``before`` each turn is not counted.

    They take turns so that what else the machine does falls on all of them, each beginning as often as the others.
    """
    taken: list[list[float]] = [[] for _ in works]
    for turn in range(WARM_UP + TURNS):
        before(turn)
        for step in range(len(works)):
            place = (turn + step) % len(works)
            begun = time.perf_counter()
            works[place](turn)
            taken[place].append(time.perf_counter() - begun)
    return [statistics.median(each[WARM_UP:]) * 1e6 for each in taken]


def durable_commit(folder: Path) -> Work:
    """Return work that writes one row in SQLite, synced to the disk before it is answered."""
    connection = sqlite3.connect(folder / "bare.sqlite", isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE entries (seq INTEGER PRIMARY KEY, body TEXT)")

    def commit(turn: int) -> None:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO entries (body) VALUES (?)", ('{"type": "round"}' * 8,))
        connection.execute("COMMIT")

    return commit


class Phone:
    """A phone at a table of an application as it runs everywhere: limits, and tokens against forgery, are checked."""

    def __init__(self, folder: Path, people: tuple[str, ...]) -> None:
        self.app = create_app(Settings.read({"COMPANION_INSTANCE": str(folder)}), {"MOST_WORK": 10**9, "MOST_WRITES": 10**9})
        migrations.migrate(self.app)
        with self.app.app_context(), database.writing():
            table = Table(name="Benchmark", play_token="play", watch_token="watch")  # links that no real table can have
            table.players = [Player(name=name, seat=seat) for seat, name in enumerate(people)]
            db.session.add(table)
            db.session.flush()
            self.table_id = table.id
        self.client = self.app.test_client()
        form = self.client.get("/t/play/name").text
        self.token = form.partition('name="csrf_token" value="')[2].partition('"')[0]

    def send(self, number: int, page: str, **fields: Any) -> None:
        """Post to a page of a match. Raises RuntimeError when it was not stored."""
        answer = self.client.post(f"/t/play/m/{number}/{page}", data={"csrf_token": self.token, **fields})
        if answer.status_code != 303:
            raise RuntimeError(f"{answer.status}: the entry was not stored\n{answer.text}")


def usual_entry(folder: Path, usual: Usual) -> tuple[Work, Work]:
    """Return what comes before an entry (a new match with all that it needs), and the entry, from the form to the answer."""
    game = GAMES[usual.game]
    phone = Phone(folder, usual.people)
    before = [decode_event(game, event) for event in usual.before]

    def prepare(turn: int) -> None:
        if turn:
            phone.client.get(f"/t/play/m/{turn}")  # where the last entry led: it takes the toast's cookie off the phone
        with phone.app.app_context():
            number = entries.open_match(phone.table_id, usual.game, usual.people, usual.options)
            match_id = MatchId(phone.table_id, turn + 1)
            if before:
                entries.record(match_id, before, idempotency_key="before", expected_seq=0)
            if usual.draft:
                entries.change_draft(match_id, lambda _: dict(usual.draft))
            if number != match_id.number:
                raise RuntimeError("Somebody else opened a match in this database.")

    def store(turn: int) -> None:
        phone.send(turn + 1, usual.page, idempotency_key="usual", expected_seq=1 if before else 0, **usual.fields)

    return prepare, store


def main() -> None:
    """Print the bare page and the commit; then, a line a screen, its entry against both and against BeloZ's round."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        games = {name: usual_entry(folder / name, usual) for name, usual in (USUAL | OTHERS).items()}
        prepares = [prepare for prepare, _ in games.values()]

        def prepare(turn: int) -> None:
            for each in prepares:
                each(turn)

        stores = [store for _, store in games.values()]
        page, commit, *posts = medians(bare_page(), durable_commit(folder), *stores, before=prepare)
    print(f"bare page {page:.0f} us, durable commit {commit:.0f} us")
    print(f"{'':21} {'entry':>10} {'ratio':>10} {'to BeloZ':>10}   (aim: at most {AIM:.0f}, and 1)")
    for name, post in zip(games, posts, strict=True):
        print(f"{name:21} {post:7.0f} us {post / (page + commit):10.2f} {post / posts[0]:10.2f}", flush=True)
