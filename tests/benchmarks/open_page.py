"""What opening a page costs the server: a match and May I?, each against a bare page of Jinja.

    python -m tests.benchmarks open_page

Every page is asked for by one phone, with its cookies, on one connection, and sent compressed; the bare page is that of
:mod:`tests.benchmarks.table_of_phones`, on the same server (gevent) in a process of its own. Processor time of the server, the
median of some rounds. A match is opened as it is after somebody else looked at it; and as the first to look after an entry.

On two very busy cores: a match 2.8 times the bare page, as the first after an entry 8.8; May I? 2.3 in a match, 1.8 without a
table. The aim is 6.
"""

from __future__ import annotations

import itertools
import os
import statistics
from collections.abc import Callable, Mapping

from tests.benchmarks.table_of_phones import Phone, bare, companion, processor

AIM = 6.0
ROUNDS = 8  # the first of them warms up
OPENED = 100  # times in each round
MATCH = "/t/play-1/m/1"

Work = Callable[[], object]


def costs(works: Mapping[str, tuple[int, Work]]) -> dict[str, float]:
    """Milliseconds of its process for each work, the median of some rounds; they take turns, for the machine has moods."""
    taken: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(ROUNDS):
        for name, (pid, work) in works.items():
            before = processor(pid)
            for _ in range(OPENED):
                work()
            taken[name].append(1e3 * (processor(pid) - before) / OPENED)
    return {name: statistics.median(each[1:]) for name, each in taken.items()}


def main() -> None:
    """Print the bare page and, a line a page, what Companion's cost against it."""
    os.sched_setaffinity(0, {1})
    with bare() as (bare_port, bare_pid), companion() as (port, pid):
        stranger = Phone(bare_port, MATCH, "10.1.1.1", follows=False)
        phone, other = (Phone(port, f"/t/play-{number}/m/1", f"10.1.{number}.1", follows=False) for number in (1, 2))
        numbers = itertools.count()

        def enter() -> None:
            number = next(numbers)
            fields = {"idempotency_key": f"deal-{number}", "expected_seq": number, "tap": "passed-deal"}
            other.enter("/t/play-2/m/1/who", fields, shows=False)

        found = costs(
            {
                "bare page": (bare_pid, stranger.fetch),
                "match": (pid, phone.fetch),
                "May I? in a match": (pid, lambda: phone.opens(f"{MATCH}/may-i")),
                "May I? without a table": (pid, lambda: phone.opens("/may-i/beloz")),
                "entry": (pid, enter),
                "match, first after an entry": (pid, lambda: (enter(), other.fetch())),
            }
        )
    found["match, first after an entry"] -= found.pop("entry")
    base = found.pop("bare page")
    print(f"{'bare page':30} {base:6.2f} ms")
    for name, took in found.items():
        ratio = took / base
        print(
            f"{name:30} {took:6.2f} ms, {ratio:5.1f} times   (aim {AIM:.0f}: {'met' if ratio <= AIM else 'not met'})",
            flush=True,
        )
