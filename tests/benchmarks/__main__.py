"""Every benchmark, one after the other: ``python -m tests.benchmarks``."""

from __future__ import annotations

from tests.benchmarks import (
    capacity,
    growth,
    legal_beloz,
    legal_beluga_cup,
    look_up,
    notifications,
    open_page,
    pages_in_languages,
    post_entry,
    replay,
    streams,
    table_of_phones,
)

MEASURED = (
    post_entry,
    table_of_phones,
    open_page,
    pages_in_languages,
    growth,
    streams,
    notifications,
    capacity,
    look_up,
    legal_beloz,
    legal_beluga_cup,
    replay,
)

for benchmark in MEASURED:
    print(f"\n{benchmark.__name__.rpartition('.')[2]}")
    benchmark.main()
