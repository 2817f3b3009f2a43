"""Do an entry and a page cost more in a long match, or in a database that holds a million entries?

    python -m tests.benchmarks growth

Every turn posts to and opens a match of each length (of each database) that nobody has touched before, but for one look: what
a phone does that was at the table already. All take turns; every figure is a median. The aim: none is a fifth above the first.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import text

from companion.engine import GAMES
from companion.engine.records import decode_event
from companion.matches import entries
from companion.storage import database
from companion.storage.models import MatchId, db
from tests.benchmarks.post_entry import USUAL, Phone

LENGTHS = (10, 100, 1_000)
TURNS = 30
WARM_UP = 4
TABLES, MATCHES_EACH, ENTRIES_EACH = 2_000, 10, 50  # a million entries
AIM = 1.2
BELOZ = USUAL["beloz"]
ROUND = {
    "type": "round", "bidder": 0, "flooded": "south", "count": {"team": 0, "points": 98}, "last_expedition": 0,
    "declarations": [], "beloz": None,
}  # fmt: skip

COPY_MATCH = """
    INSERT INTO matches (table_id, number, game, edition, players, options, seq, created)
    SELECT table_id, :number, game, edition, players, options, :lines, created FROM matches WHERE table_id = 1 AND number = 1
"""
COPY_LINES = """
    INSERT INTO entries (table_id, match_number, seq, key, player, at, kind, body)
    SELECT :table, :number, seq, key, player, at, kind, body
    FROM entries WHERE table_id = 1 AND match_number = 1 AND seq <= :lines
"""
MANY_TABLES = """
    INSERT INTO tables (name, play_token, watch_token, seq, created)
    WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < :tables)
    SELECT 'Table ' || n, 'play-' || n, 'watch-' || n, 0, '2026-01-01 00:00:00.000000' FROM counted
"""
MANY_MATCHES = """
    INSERT INTO matches (table_id, number, game, edition, players, options, seq, created)
    WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < :each)
    SELECT t.id, n, m.game, m.edition, m.players, m.options, :lines, m.created
    FROM tables t, counted, matches m WHERE t.id > 1 AND m.table_id = 1 AND m.number = 1
"""
MANY_LINES = """
    INSERT INTO entries (table_id, match_number, seq, key, player, at, kind, body)
    SELECT m.table_id, m.number, e.seq, e.key, e.player, e.at, e.kind, e.body
    FROM matches m, entries e WHERE m.table_id > 1 AND e.table_id = 1 AND e.match_number = 1 AND e.seq <= :lines
"""


class Long:
    """A phone, and matches of given lengths at its table: copies of the first, which is the longest."""

    def __init__(self, folder: Path, lengths: Sequence[int]) -> None:
        self.phone = Phone(folder, BELOZ.people)
        self.lengths = lengths
        with self.phone.app.app_context():
            entries.open_match(self.phone.table_id, "beloz", BELOZ.people, {"target": 1_000_000_000})
            played = decode_event(GAMES["beloz"], ROUND)
            with database.writing():  # one for all of them: each by itself would wait for the disk
                for seq in range(max(*lengths, ENTRIES_EACH)):
                    entries.record(MatchId(self.phone.table_id, 1), [played], idempotency_key=f"k{seq}", expected_seq=seq)
            with database.writing() as connection:
                for turn in range(WARM_UP + TURNS):
                    for place, lines in enumerate(lengths):
                        into = {"table": self.phone.table_id, "number": self.number(turn, place), "lines": lines}
                        connection.execute(text(COPY_MATCH), into)
                        connection.execute(text(COPY_LINES), into)

    def number(self, turn: int, place: int) -> int:
        """Return the number of the match that a turn uses for one of the lengths."""
        return 2 + turn * len(self.lengths) + place

    def grow(self) -> int:
        """Fill the database with other tables, until it holds a million entries; returns how many it holds."""
        with self.phone.app.app_context():
            with database.writing() as connection:
                connection.execute(text(MANY_TABLES), {"tables": TABLES})
                connection.execute(text(MANY_MATCHES), {"each": MATCHES_EACH, "lines": ENTRIES_EACH})
                connection.execute(text(MANY_LINES), {"lines": ENTRIES_EACH})
            with db.engine.connect() as connection:
                held: int = connection.execute(text("SELECT count(*) FROM entries")).scalar_one()
                connection.rollback()
                connection.connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")  # filling it was not an entry
                return held

    def look(self, turn: int, place: int) -> float:
        """Open the match; return the seconds that it took."""
        begun = time.perf_counter()
        answer = self.phone.client.get(f"/t/play/m/{self.number(turn, place)}")
        took = time.perf_counter() - begun
        if answer.status_code != 200:
            raise RuntimeError(f"{answer.status}: the match was not shown")
        return took

    def enter(self, turn: int, place: int) -> float:
        """Post a round; return the seconds that it took. What the table knows of the round before is entered first."""
        number, seen = self.number(turn, place), self.lengths[place]
        with self.phone.app.app_context():
            entries.change_draft(MatchId(self.phone.table_id, number), lambda _: dict(BELOZ.draft))
        begun = time.perf_counter()
        self.phone.send(number, BELOZ.page, idempotency_key="usual", expected_seq=seen, **BELOZ.fields)
        return time.perf_counter() - begun


def measure(places: Sequence[tuple[Long, int]]) -> tuple[list[float], list[float], list[float]]:
    """Return, for each place, the median milliseconds of its first page since the server began, of its page and of an entry."""
    first: list[list[float]] = [[] for _ in places]
    pages: list[list[float]] = [[] for _ in places]
    entries: list[list[float]] = [[] for _ in places]
    for turn in range(WARM_UP + TURNS):
        for step in range(len(places)):
            at = (turn + step) % len(places)
            long, place = places[at]
            first[at].append(long.look(turn, place))
            pages[at].append(long.look(turn, place))
            entries[at].append(long.enter(turn, place))
    firsts, looks, posts = ([statistics.median(each[WARM_UP:]) * 1e3 for each in kind] for kind in (first, pages, entries))
    return firsts, looks, posts


def show(names: Sequence[str], figures: tuple[list[float], list[float], list[float]]) -> None:
    """Print a line a place, with how its page and its entry compare to those of the first."""
    firsts, looks, posts = figures
    for name, first, look, post in zip(names, firsts, looks, posts, strict=True):
        print(
            f"{name:24} page {look:6.2f} ms ({look / looks[0]:4.2f})   entry {post:6.2f} ms ({post / posts[0]:4.2f})"
            f"   first page after a restart {first:7.2f} ms",
            flush=True,
        )


def main() -> None:
    """Print a line a length, and one for each of the databases."""
    print(f"in brackets: against the first line (aim: at most {AIM})")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        long = Long(folder / "long", LENGTHS)
        show([f"{length} entries" for length in LENGTHS], measure([(long, place) for place in range(len(LENGTHS))]))
        small, large = Long(folder / "small", LENGTHS[:1]), Long(folder / "large", LENGTHS[:1])
        held = large.grow()
        show(["in a small database", f"among {held:,} entries"], measure([(small, 0), (large, 0)]))
