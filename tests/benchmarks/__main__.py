"""What does Companion cost, and does it keep its aims? Every benchmark, or those that are named.

``in_phone`` takes options and runs by itself.
"""

from __future__ import annotations

import argparse
from importlib import import_module

NAMES = (
    "post_entry",
    "table_of_phones",
    "open_page",
    "almanac",
    "streams",
    "capacity",
    "look_up",
    "legal_beloz",
    "replay",
    "sheets",
)


def main() -> None:
    """Measure, and print each benchmark's figures below its name."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("names", metavar="NAME", nargs="*", help=f"one of {', '.join(NAMES)}; all of them without a name")
    asked = parser.parse_args().names
    if unknown := [name for name in asked if name not in NAMES]:
        parser.error(f"there is no benchmark {unknown[0]}")
    for name in asked or NAMES:
        print(f"\n{name}")
        import_module(f"tests.benchmarks.{name}").main()


if __name__ == "__main__":
    main()
