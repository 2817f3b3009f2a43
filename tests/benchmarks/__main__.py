"""Every benchmark, one after the other: ``python -m tests.benchmarks``."""

from __future__ import annotations

from tests.benchmarks import growth, legal_beloz, legal_beluga_cup, look_up, post_entry, replay, streams

for benchmark in (post_entry, growth, streams, look_up, legal_beloz, legal_beluga_cup, replay):
    print(f"\n{benchmark.__name__.rpartition('.')[2]}")
    benchmark.main()
