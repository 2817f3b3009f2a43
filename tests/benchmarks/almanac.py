"""How long does an almanac take to open at a table of 500 matches? The aim: 150 ms, after a restart of the server too.

    python -m tests.benchmarks almanac

Every third match is BeloZ with rounds that a fixed seed makes up, the others are the records that the engine's tests play.
Garbage is collected as seldom as in a server, which leaves out what is there when it starts: a full collection takes a tenth
of a second. Each line ends with what an opening costs the processor, whatever else it does.
"""

from __future__ import annotations

import gc
import json
import random
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import update

from companion.engine import GAMES
from companion.engine.beloz.totals import possible_totals
from companion.engine.core import Event, Position, start
from companion.engine.records import decode_event
from companion.matches import entries, repository
from companion.matches.log import Written
from companion.storage import database
from companion.storage.models import Match, MatchId, db
from tests.benchmarks.post_entry import Phone

MATCHES, TURNS, AIM = 500, 20, 150
GARBAGE = 100  # as companion/server.py has it
PEOPLE = ("Ana", "Bo", "Cy", "Di")
ENGINE = Path(__file__).resolve().parents[1] / "engine"
RECORDS = ("bisque", "beluga_cup", "what_the_fish", "rivals")
FIRST = datetime(2026, 1, 6, 19, 0)
ROUND = timedelta(minutes=8)
PAGES = ("almanac", "almanac?game=beloz", "almanac/person?who=Ana", "almanac/match/1?round=2", "almanac/evening/1")


def beloz(luck: random.Random, players: Sequence[str]) -> Iterator[Event]:
    """Iterate over the rounds of a made-up match, until somebody has won it."""
    position: Position[Any] = start(GAMES["beloz"], players)
    totals = [total for total in possible_totals() if 40 <= total <= 120]
    while not position.finished:
        event = decode_event(
            GAMES["beloz"],
            {
                "type": "round",
                "bidder": luck.randrange(4),
                "flooded": luck.choice(("north", "south", "east", "west")),
                "count": {"team": 0, "points": luck.choice(totals)},
                "last_expedition": luck.randrange(2),
                "declarations": [],
            },
        )
        position = position.apply(event)
        yield event


def enter(table: int, number: int, events: Sequence[Event], begins: datetime) -> None:
    """Write a match's log, an entry an event, as if it had been played from then on."""
    lines = [
        Written(seq, f"m{number}-{seq}", 0, begins + seq * ROUND, "events", events=(event,))
        for seq, event in enumerate(events, start=1)
    ]
    with database.writing() as connection:
        repository.add_all(connection, MatchId(table, number), [repository.row(line) for line in lines], len(lines))
        connection.execute(update(Match).where(Match.table_id == table, Match.number == number).values(created=begins))


def play(table: int, matches: int) -> None:
    """Play so many matches at a table, three an evening, a week apart."""
    luck = random.Random(26)
    for number in range(1, matches + 1):
        if number % 3 == 1:
            game, players = "beloz", luck.sample(PEOPLE, 4)
            events = list(beloz(luck, players))
            options = {}
        else:
            record = json.loads((ENGINE / luck.choice(RECORDS) / "match.json").read_text("utf-8"))
            game, options = record["game"], record["options"]
            players = luck.sample(PEOPLE, len(record["players"]))
            events = [decode_event(GAMES[game], event) for event in record["events"]]
        entries.open_match(table, game, players, options)
        enter(table, number, events, FIRST + timedelta(days=(number - 1) // 3, hours=2 * ((number - 1) % 3)))


def milliseconds(phone: Phone, page: str) -> tuple[float, float]:
    """Open a page; return how long it took, and how much of the processor's time."""
    begun, spent = time.perf_counter(), time.process_time()
    answer = phone.client.get(f"/t/play/{page}")
    took = (time.perf_counter() - begun) * 1e3, (time.process_time() - spent) * 1e3
    if answer.status_code != 200:
        raise RuntimeError(f"{answer.status}: {page} was not shown")
    return took


def main() -> None:
    """Print how long each page takes: the first time of all, then as after a restart, the median."""
    with tempfile.TemporaryDirectory() as folder:
        phone = Phone(Path(folder), PEOPLE)
        with phone.app.app_context():
            play(phone.table_id, MATCHES)
            db.engine.dispose()
        phone.app.extensions["companion-logs"] = repository.Logs()
        gc.collect()
        gc.freeze()
        gc.set_threshold(*gc.get_threshold()[:2], GARBAGE)
        first, _ = milliseconds(phone, PAGES[0])
        print(f"{MATCHES} matches; read for the first time in {first:.0f} ms (aim afterwards: {AIM} ms)")
        for page in PAGES:
            taken = []
            for _ in range(TURNS):
                phone.app.extensions["companion-logs"] = repository.Logs()  # as after a restart: no log is at hand
                taken.append(milliseconds(phone, page))
            waited, cost = zip(*taken, strict=True)
            print(
                f"{page:28} {statistics.median(waited):6.1f} ms, at most {max(waited):6.1f} ms;"
                f" of the processor {statistics.median(cost):6.1f} ms, at most {max(cost):6.1f} ms",
                flush=True,
            )
