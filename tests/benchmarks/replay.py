"""How long does the engine take to replay a match? The cost of an event must not grow with the match.

python -m tests.benchmarks replay
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence

from companion.engine import GAMES
from companion.engine.core import Event, replay, start
from companion.engine.records import decode_event

AIM = 5.0  # milliseconds for a match of 200 events
PASSES = 7

# a stretch of each game that can be repeated for ever
STRETCHES = {
    "beloz": [
        {"type": "round", "bidder": 0, "flooded": "south", "count": {"team": 0, "points": 78}, "last_expedition": 0,
         "declarations": [{"kind": "straight_flush", "player": 0, "plain": "north", "lowest": 1, "highest": 3}], "beloz": 3},
        {"type": "passed-deal"},
    ],
    "what-the-fish": [
        {"type": "swim", "player": 0, "rank": 8}, {"type": "kill", "player": 1, "value": 4},
        {"type": "kill", "player": 1, "value": 6}, {"type": "protect", "player": 0, "value": 11},
        {"type": "kill", "player": 1, "value": 22}, {"type": "dead"},
    ],
}  # fmt: skip
OPTIONS = {"beloz": {"target": 1_000_000_000}, "what-the-fish": {}}


def milliseconds(slug: str, events: Sequence[Event]) -> float:
    """Return how long a replay with its standing takes, the median of several."""
    game = GAMES[slug]
    taken = []
    for _ in range(PASSES):
        position = start(game, ("Ana", "Bo", "Cy", "Di"), game.options(**OPTIONS[slug]))
        begun = time.perf_counter()
        replay(position, events).standing()
        taken.append(time.perf_counter() - begun)
    return statistics.median(taken) * 1e3


def main() -> None:
    """Print a line a game and length."""
    for slug, stretch in STRETCHES.items():
        decoded = [decode_event(GAMES[slug], event) for event in stretch]
        for length in (200, 2_000, 16_000):
            events = (decoded * (length // len(decoded) + 1))[:length]
            took = milliseconds(slug, events)
            aim = f"    (aim: at most {AIM:.0f})" if length == 200 else ""
            print(f"{slug:14} {length:6} events {took:9.2f} ms {took * 1e3 / length:7.2f} us an event{aim}")
