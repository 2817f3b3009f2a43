"""What opening a page costs the server: a match of each game and May I?, each against a bare page of Jinja.

    python -m tests.benchmarks open_page

Every page is asked for by one phone, with its cookies, on one connection, and sent compressed; the bare page is that of
:mod:`tests.benchmarks.table_of_phones`, on the same server (gevent) in a process of its own. Processor time of the server, the
median of some rounds, in which all take turns. A match is opened as it is after somebody else looked at it; by a second phone
after an entry, whose answer was the page, as the page's script asks for it; and by a phone without scripts as the first after
its entry, which draws the page anew. Entries are the game's usual one, and its undoing, by turns.

The aim is 6 times the bare page. On a quiet machine a match takes 2.8 to 3.4, a second phone after an entry 3.2 to 4.2; May I?
2.6 in a match, 1.7 without a table. Drawn anew it takes 7.2 (the cup) to 9.4 (Bisque), on busy cores 4.1 to 5.5: an idle
machine makes the bare page, which is asked for without a pause, quicker than what comes after one.
"""

from __future__ import annotations

import os
import statistics
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import replace

from tests.benchmarks.post_entry import USUAL, Usual
from tests.benchmarks.table_of_phones import Phone, bare, companion, median_ratio, processor

# The usual entries; BeloZ's without a draft, which each entry takes away.
ENTERED = USUAL | {
    "beloz": replace(
        USUAL["beloz"], page="round", fields={"bidder": "0", "flooded": "south", "team": "0", "points": "98", "last": "0"}
    )
}
AIM = 6.0
ROUNDS = 9  # the first of them warms up
OPENED = 40  # times in each round
MATCH = "/t/play-1/m/1"
OTHER = ", another phone after an entry"
FIRST = ", first after an entry without scripts"

Work = Callable[[], object]


def costs(works: Mapping[str, tuple[int, Work]]) -> dict[str, list[float]]:
    """Return the milliseconds of its process for each work, round by round.

    They take turns: the machine is not always equally busy.
    """
    taken: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(ROUNDS):
        for name, (pid, work) in works.items():
            before = processor(pid)
            for _ in range(OPENED):
                work()
            taken[name].append(1e3 * (processor(pid) - before) / OPENED)
    return {name: each[1:] for name, each in taken.items()}


class Writing:
    """A phone that enters something and takes it back, by turns, at a table of its own in each round."""

    def __init__(self, port: int, usual: Usual) -> None:
        self._port, self._usual = port, usual
        self._entered = 0
        self._phones: list[Phone] = []

    def enter(self, *, shows: bool) -> tuple[Phone, Phone]:
        """Enter something, with the page as the answer if it ``shows`` that; returns the phone, and another at the table."""
        place, number = divmod(self._entered, 2 * OPENED)  # a match has some 80 entries
        if not number:
            self.close()
            page = f"/t/play-{place + 2}/m/1"
            self._phones = [Phone(self._port, page, f"10.1.{place + 2}.{phone}", follows=False) for phone in (1, 2)]
        self._entered += 1
        seen = number + bool(self._usual.before)
        page, fields = ("undo", {"of": seen, "sure": 1}) if number % 2 else (self._usual.page, self._usual.fields)
        key = {"idempotency_key": f"key-{number}", "expected_seq": seen}
        mine, other = self._phones
        mine.enter(f"/t/play-{place + 2}/m/1/{page}", {**key, **fields}, shows=shows)
        return mine, other

    def close(self) -> None:
        """Leave."""
        for phone in self._phones:
            phone.close()


@contextmanager
def works(game: str) -> Iterator[dict[str, tuple[int, Work]]]:
    """Yield what is measured of a game."""
    with (
        companion(ENTERED[game]) as (port, pid),
        closing(Phone(port, MATCH, "10.1.1.1", follows=False)) as phone,
        closing(Writing(port, ENTERED[game])) as writing,
    ):
        found = {
            game: phone.fetch,
            f"{game}{OTHER}": lambda: writing.enter(shows=True)[1].fetch(),
            f"{game}{FIRST}": lambda: writing.enter(shows=False)[0].fetch(),
            OTHER: lambda: writing.enter(shows=True),
            FIRST: lambda: writing.enter(shows=False),
        }
        if game == "beloz":
            found["May I? in a match"] = lambda: phone.opens(f"{MATCH}/may-i")
            found["May I? without a table"] = lambda: phone.opens("/may-i/beloz")
        yield {name: (pid, work) for name, work in found.items()}


def main() -> None:
    """Print the bare page and, a line a page, what Companion's cost against it."""
    os.sched_setaffinity(0, {1})
    with bare() as (port, pid):
        stranger = Phone(port, MATCH, "10.1.1.1", follows=False)
        for game in ENTERED:
            with works(game) as measured:
                found = costs({"bare page": (pid, stranger.fetch), **measured})
            base = found.pop("bare page")
            for after in (OTHER, FIRST):
                name, entry = f"{game}{after}", found.pop(after)
                found[name] = [both - alone for both, alone in zip(found[name], entry, strict=True)]
            for name, took in found.items():
                ratio = median_ratio(took, base)
                met = "met" if ratio <= AIM else "not met"
                print(f"{name:50} {statistics.median(took):6.2f} ms, {ratio:5.1f} times   (aim {AIM:.0f}: {met})", flush=True)
