"""How much one address may ask of the API in a time: quick to tell, so that a look-up is not slower for it.

Every address has a purse of units that fills up by itself. A look-up costs one unit; a record costs more, by its size.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Lock

FULL = 600.0  # units that an address can save up
A_SECOND = 20.0  # units that come back
LOOK_UP = 1.0
RECORD = 5.0  # units for a record, and as much again for each further 64 KiB of it
MOST_ADDRESSES = 10_000


class Pace:
    """Who has how many units left. It is kept in memory: each process counts for itself."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._purses: dict[str, tuple[float, float]] = {}  # units left, and when
        self._lock = Lock()

    def take(self, address: str, units: float) -> float:
        """Pay for a request: 0 if the purse held enough, else how many seconds until it will; then nothing is taken."""
        now = self._clock()
        with self._lock:
            left, since = self._purses.pop(address, (FULL, now))
            left = min(FULL, left + (now - since) * A_SECOND)
            enough = left >= units
            self._purses[address] = (left - units if enough else left, now)  # at the end: the first is the longest unused
            if len(self._purses) > MOST_ADDRESSES:
                del self._purses[next(iter(self._purses))]
        return 0.0 if enough else (units - left) / A_SECOND


def record_units(size: int) -> float:
    """What a record of so many bytes costs: a 4 MiB one about half of a full purse."""
    return RECORD * (1 + size // 2**16)
