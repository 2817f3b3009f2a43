"""How much one address may ask or send in a time: quick to tell, so that no look-up and no entry is slower for it.

Every address has a purse of units that fills up by itself. A request costs one unit, and then what it cost us: so nobody can
keep the tables waiting by asking what takes long, and whoever asks what is quick may ask a lot. And of each address one request
begins at a time: whoever sends a hundred at once waits for themselves, and others come in between.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from functools import lru_cache
from ipaddress import AddressValueError, IPv6Address
from threading import Lock
from typing import Any

REQUEST = 1.0  # units for any request
WORK = 100.0  # units for a second of work
MOST_ADDRESSES = 10_000

WSGI = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


@lru_cache(maxsize=MOST_ADDRESSES)
def network(address: str) -> str:
    """Whose address this is, as far as it can be told: of IPv6 everybody has 18 trillion, all with the same first half."""
    try:
        six = IPv6Address(address)
    except AddressValueError:
        return address
    return str(six.ipv4_mapped or IPv6Address(int(six) >> 64 << 64))


class Turns:
    """Of each address one request begins at a time, and before each the requests of others and the open streams have a turn."""

    def __init__(self) -> None:
        self._waiting: dict[str, list[Any]] = {}  # a lock, and how many are at it

    def wait(self, address: str) -> None:
        """Return when it is this request's turn."""
        queue = self._waiting.setdefault(address, [Lock(), 0])
        queue[1] += 1
        try:
            with queue[0]:
                time.sleep(0)
        finally:
            queue[1] -= 1
            if not queue[1]:
                self._waiting.pop(address, None)


def fair(application: WSGI) -> WSGI:
    """The application, to which the requests of each address come one after the other."""
    turns = Turns()

    def in_turn(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        turns.wait(network(environ.get("REMOTE_ADDR") or ""))
        return application(environ, start_response)

    return in_turn


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
