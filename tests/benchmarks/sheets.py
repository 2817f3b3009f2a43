"""How long does a row of eight players take to score, and a sheet to be read?

python -m tests.benchmarks sheets
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

from companion.engine.sheet import presets
from companion.engine.sheet.reading import read
from companion.engine.sheet.scoring import Around, score_row

ROW_AIM = 50.0  # microseconds for a row of eight players
READING_AIM = 5.0  # milliseconds for a sheet
PASSES = 2_000


def microseconds(work: Callable[[], object], passes: int) -> float:
    """Return how long something takes, the median of many times."""
    taken = []
    for _ in range(passes):
        begun = time.perf_counter()
        work()
        taken.append(time.perf_counter() - begun)
    return statistics.median(taken) * 1e6


def main() -> None:
    """Print a line for a row of Skull King, and one for the sheet that takes longest to be read."""
    sheet = read(presets.preset("skull-king"), preset=True)
    around = Around(7, (0,) * 8, tuple("ABCDEFGH"), 0, tuple(range(8)))
    cells = [{"bid": 2, "tricks": 7, "bonus": (10, 20)}, *[{"bid": 1, "tricks": 0}] * 7]
    took = microseconds(lambda: score_row(sheet, around, cells), PASSES)
    print(f"a row of eight players    {took:8.1f} us    (aim: at most {ROW_AIM:.0f})")
    reading = {slug: microseconds(lambda slug=slug: read.__wrapped__(presets.preset(slug)), 20) for slug in presets.names()}
    slowest = max(reading, key=lambda slug: reading[slug])
    print(f"read {slowest:20} {reading[slowest] / 1e3:8.2f} ms    (aim: at most {READING_AIM:.0f})")
