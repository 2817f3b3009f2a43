"""What opening a page costs the server: a match and May I?, each against a bare page of Jinja.

    python -m tests.benchmarks open_page

Every page is asked for by one phone, with its cookies, on one connection, and sent compressed; the bare page is that of
:mod:`tests.benchmarks.table_of_phones`, on the same server (gevent) in a process of its own. Processor time of the server, the
median of some rounds, in which all take turns. A match is opened as it is after somebody else looked at it; and as the first to
look after an entry.

On two very busy cores: a match 2.8 to 3.3 times the bare page, as the first after an entry 6.6 to 8.1; May I? 2.2 to 2.5 in a
match, 1.8 to 2.0 without a table. The aim is 6.
"""

from __future__ import annotations

import itertools
import os
import statistics
from collections.abc import Callable, Mapping

from tests.benchmarks.table_of_phones import Phone, bare, companion, median_ratio, processor

AIM = 6.0
ROUNDS = 13  # the first of them warms up
OPENED = 40  # times in each round
MATCH = "/t/play-1/m/1"
FIRST = "match, first after an entry"

Work = Callable[[], object]


def costs(works: Mapping[str, tuple[int, Work]]) -> dict[str, list[float]]:
    """Milliseconds of its process for each work, round by round; they take turns, for the machine has moods."""
    taken: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(ROUNDS):
        for name, (pid, work) in works.items():
            before = processor(pid)
            for _ in range(OPENED):
                work()
            taken[name].append(1e3 * (processor(pid) - before) / OPENED)
    return {name: each[1:] for name, each in taken.items()}


def main() -> None:
    """Print the bare page and, a line a page, what Companion's cost against it."""
    os.sched_setaffinity(0, {1})
    with bare() as (bare_port, bare_pid), companion() as (port, pid):
        stranger = Phone(bare_port, MATCH, "10.1.1.1", follows=False)
        phone, *others = (
            Phone(port, f"/t/play-{number}/m/1", f"10.1.{number}.1", follows=False) for number in range(1, 2 + ROUNDS)
        )
        for other in others:
            other.close()  # until its round; the server would hang up before
        entered = itertools.count()

        def enter() -> Phone:
            place, number = divmod(next(entered), 2 * OPENED)  # each round at a table of its own: a match has some 80 entries
            fields = {"idempotency_key": f"deal-{number}", "expected_seq": number, "tap": "passed-deal"}
            others[place].enter(f"/t/play-{place + 2}/m/1/who", fields, shows=False)
            return others[place]

        found = costs(
            {
                "bare page": (bare_pid, stranger.fetch),
                "match": (pid, phone.fetch),
                "May I? in a match": (pid, lambda: phone.opens(f"{MATCH}/may-i")),
                "May I? without a table": (pid, lambda: phone.opens("/may-i/beloz")),
                "entry": (pid, enter),
                FIRST: (pid, lambda: enter().fetch()),
            }
        )
    entry, base = found.pop("entry"), found.pop("bare page")
    found[FIRST] = [both - alone for both, alone in zip(found[FIRST], entry, strict=True)]
    print(f"{'bare page':30} {statistics.median(base):6.2f} ms")
    for name, took in found.items():
        ratio = median_ratio(took, base)
        met = "met" if ratio <= AIM else "not met"
        print(f"{name:30} {statistics.median(took):6.2f} ms, {ratio:5.1f} times   (aim {AIM:.0f}: {met})", flush=True)
