"""How are hits on limits counted? By the ``limits`` library, in the storage that the settings name.

That is this process's memory, or a Valkey server that several processes share. While that is away, each process counts for
itself.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from functools import cache, cached_property
from importlib.util import find_spec
from math import ceil
from typing import Any, Final, TypeVar, cast

from limits import RateLimitItem, RateLimitItemPerSecond
from limits.storage import MemoryStorage, Storage, storage_from_string
from limits.strategies import FixedWindowRateLimiter, MovingWindowRateLimiter, RateLimiter

from companion.settings import StartupError
from companion.web.guard.limits import Limit

R = TypeVar("R")

STORAGE_TIMEOUT: Final = 0.5  # seconds that a shared storage gets to answer
BACK: Final = 1.0  # seconds that the machine's clock may be put back without anybody minding
STORAGE_PAUSE: Final = 5.0  # seconds until one that did not answer is asked again

logger = logging.getLogger("companion.limits")


@cache
def item_of(limit: Limit) -> RateLimitItem:
    """Return a limit as the library has it."""
    return RateLimitItemPerSecond(limit.amount, limit.seconds)


class Counters:
    """Counts hits on limits, in a storage by its address. While a shared storage is away, this process's memory does."""

    def __init__(self, address: str) -> None:
        self._shared = shared_storage(address)
        self._away_until = 0.0
        self._latest = 0.0

    @cached_property
    def _own(self) -> MemoryStorage:
        """Made for the first that is counted: it starts a thread."""
        return MemoryStorage()

    @cached_property
    def _own_exact(self) -> RateLimiter:
        return _counter(self._own, True)

    @cached_property
    def _own_window(self) -> RateLimiter:
        return _counter(self._own, False)

    def allows(self, limit: Limit, key: str, cost: int = 1) -> bool:
        """Return whether a hit of this cost is within the limit. Nothing is counted."""
        return self._ask(limit, lambda counter: counter.test(item_of(limit), limit.name, key, cost=cost))

    def hit(self, limit: Limit, key: str, cost: int = 1) -> bool:
        """Count a hit; return whether it was within the limit. Beyond an exact limit nothing is counted."""
        return self._ask(limit, lambda counter: counter.hit(item_of(limit), limit.name, key, cost=cost))

    def seconds_left(self, limit: Limit, key: str) -> int:
        """Return after how many seconds a limit that is used up allows something again, at least one."""
        stats = self._ask(limit, lambda counter: counter.get_window_stats(item_of(limit), limit.name, key))
        return min(max(1, ceil(stats.reset_time - time.time())), limit.seconds)

    def _ask(self, limit: Limit, question: Callable[[RateLimiter], R]) -> R:
        if self._shared is not None and time.monotonic() >= self._away_until:
            try:
                return question(_counter(self._shared, limit.exact))
            except self._shared.base_exceptions as error:
                self._away_until = time.monotonic() + STORAGE_PAUSE
                logger.warning("limits are counted by each process alone: %s", type(error).__name__)
        moment = time.time()
        if moment < self._latest - BACK:  # else what was counted before would last for as long as the clock was wrong
            self._own.reset()
        self._latest = moment
        return question(self._own_exact if limit.exact else self._own_window)


def _counter(storage: Storage, exact: bool) -> RateLimiter:
    """Return what counts in a storage: each hit by itself, or in windows."""
    return MovingWindowRateLimiter(storage) if exact else FixedWindowRateLimiter(storage)


def shared_storage(address: str) -> Storage | None:
    """Return the storage at an address, None for this process's memory.

    Raises:
        StartupError: the storage's client is not installed.
    """
    if address == "memory://":
        return None
    if find_spec("valkey") is None:
        raise StartupError("COMPANION_LIMITS names a Valkey server. That needs its client: pip install '.[valkey]'")
    options: dict[str, Any] = {"socket_timeout": STORAGE_TIMEOUT, "socket_connect_timeout": STORAGE_TIMEOUT}
    return cast(Storage, storage_from_string(address, **options))
