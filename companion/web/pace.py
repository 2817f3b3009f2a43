"""How much one address may ask or send in a time: quick to tell, so that no look-up and no entry is slower for it.

Every address has a purse of units that fills up by itself. A request costs one unit, and then what it cost us: so nobody can
keep the tables waiting by asking what takes long, and whoever asks what is quick may ask a lot.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Lock

REQUEST = 1.0  # units for any request
WORK = 100.0  # units for a second of work: one address can keep a fifth of a processor busy in the long run
MOST_ADDRESSES = 10_000


class Pace:
    """Who has how many units left. It is kept in memory: each process counts for itself.

    An address can save up ``full`` units, and ``back`` come back in a second.
    """

    def __init__(self, full: float, back: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._full = full
        self._back = back
        self._clock = clock
        self._purses: dict[str, tuple[float, float]] = {}  # units left, and when
        self._lock = Lock()

    def enter(self, address: str) -> float:
        """Pay for a request: 0 if the purse held enough, else how many seconds until it will; then nothing is taken."""
        with self._lock:
            left, now = self._left(address)
            enough = left >= REQUEST
            self._keep(address, left - REQUEST if enough else left, now)
        return 0.0 if enough else (REQUEST - left) / self._back

    def spend(self, address: str, seconds: float) -> None:
        """Pay for the work that a request took, even if the purse does not hold as much."""
        with self._lock:
            left, now = self._left(address)
            self._keep(address, left - seconds * WORK, now)

    def _left(self, address: str) -> tuple[float, float]:
        now = self._clock()
        left, since = self._purses.pop(address, (self._full, now))
        return min(self._full, left + (now - since) * self._back), now

    def _keep(self, address: str, left: float, now: float) -> None:
        self._purses[address] = (left, now)  # at the end: the first is the longest unused
        if len(self._purses) > MOST_ADDRESSES:
            del self._purses[next(iter(self._purses))]
