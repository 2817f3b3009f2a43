"""How much may one address ask of Companion, and how often may codes be guessed?

The ``limits`` library counts, in the storage that the settings name: this process's memory, or a Valkey server that several
processes share. While that is away, each process counts for itself.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.util import find_spec
from math import ceil
from typing import Any, Final, TypeVar, cast

from flask import Blueprint, Flask, current_app, g, request
from flask_wtf import CSRFProtect
from limits import RateLimitItem, RateLimitItemPerHour, RateLimitItemPerMinute
from limits.storage import MemoryStorage, Storage, storage_from_string
from limits.strategies import FixedWindowRateLimiter, MovingWindowRateLimiter, RateLimiter
from werkzeug.exceptions import TooManyRequests

from companion.settings import Settings, StartupError
from companion.web.turns import network

R = TypeVar("R")

READING: Final = frozenset(("GET", "HEAD", "OPTIONS"))
STORAGE_TIMEOUT: Final = 0.5  # seconds that a shared storage gets to answer
STORAGE_PAUSE: Final = 5.0  # seconds until one that did not answer is asked again

logger = logging.getLogger("companion.limits")


@dataclass(frozen=True, slots=True)
class Limit:
    """So much in a time, under a name. ``exact`` remembers each hit; else a counter begins anew after each time.

    A counter takes any cost in one step, also more than is left: what a request cost is known when it is done.
    """

    name: str
    item: RateLimitItem
    exact: bool = True


WORK: Final = Limit("work", RateLimitItemPerMinute(30_000), exact=False)  # milliseconds of one address: half a processor
REQUEST: Final = 10  # milliseconds that any request costs besides
FORMS: Final = Limit("forms", RateLimitItemPerMinute(3_000), exact=False)  # more than a room full of phones sends

WRONG_CODES: Final = (
    Limit("wrong codes", RateLimitItemPerMinute(10)),
    Limit("wrong codes", RateLimitItemPerHour(60)),
)  # of one address; a table's worth of people may share one
NEW_TABLES: Final = Limit("new tables", RateLimitItemPerHour(60))
HANDOVERS: Final = Limit("handovers", RateLimitItemPerHour(60))
FILES: Final = Limit("files", RateLimitItemPerHour(20))

# A stranger who tries codes without end, from however many addresses, gets in somewhere in at most one of a thousand hours:
# of 13 ** 6 codes a try finds one of those that are live with a chance of live / 13 ** 6, and so many are the costs of a try.
CODES: Final = 13**6
LUCK: Final = 0.001  # in an hour
WRONG_CODES_OF_ALL: Final = Limit("wrong codes of all", RateLimitItemPerMinute(int(CODES * LUCK / 4), 15))
EVERYBODY: Final = "everybody"


class Counters:
    """Counts hits on limits, in a storage by its address. While a shared storage is away, this process's memory does."""

    def __init__(self, address: str) -> None:
        self._shared = shared_storage(address)
        self._away_until = 0.0

    @cached_property
    def _own(self) -> MemoryStorage:
        """Made for the first that is counted: it starts a thread, which a phone can't, and there nothing is counted."""
        return MemoryStorage()

    def allows(self, limit: Limit, key: str, cost: int = 1) -> bool:
        """Return whether a hit of this cost is within the limit. Nothing is counted."""
        return self._ask(limit, lambda counter: counter.test(limit.item, limit.name, key, cost=cost))

    def hit(self, limit: Limit, key: str, cost: int = 1) -> bool:
        """Count a hit; return whether it was within the limit. Beyond an exact limit nothing is counted."""
        return self._ask(limit, lambda counter: counter.hit(limit.item, limit.name, key, cost=cost))

    def seconds_left(self, limit: Limit, key: str) -> int:
        """Return after how many seconds a limit that is used up allows something again, at least one."""
        stats = self._ask(limit, lambda counter: counter.get_window_stats(limit.item, limit.name, key))
        return max(1, ceil(stats.reset_time - time.time()))

    def _ask(self, limit: Limit, question: Callable[[RateLimiter], R]) -> R:
        counter = MovingWindowRateLimiter if limit.exact else FixedWindowRateLimiter
        if self._shared is not None and time.monotonic() >= self._away_until:
            try:
                return question(counter(self._shared))
            except self._shared.base_exceptions as error:
                self._away_until = time.monotonic() + STORAGE_PAUSE
                logger.warning("limits are counted by each process alone: %s", type(error).__name__)
        return question(counter(self._own))


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


def counters() -> Counters:
    """Return the counters of the present application."""
    found: Counters = current_app.extensions["companion-limits"]
    return found


def address_key() -> str:
    """Return whom limits count: the address that a request came from, of IPv6 its network."""
    return network(request.remote_addr or "")


def is_limited() -> bool:
    """Return False where tests want to be quick."""
    return bool(current_app.config.get("RATELIMIT_ENABLED", True))


def seconds_to_wait(*limits: Limit, key: str | None = None, cost: int = 1) -> int:
    """Return 0 if all these limits allow a hit of this cost, else in how many seconds the first that refuses may allow one.

    The key is the present request's address by default.
    """
    if not is_limited():
        return 0
    key = address_key() if key is None else key
    refusing = next((limit for limit in limits if not counters().allows(limit, key, cost)), None)
    return 0 if refusing is None else counters().seconds_left(refusing, key)


def count_hit(*limits: Limit, key: str | None = None, cost: int = 1) -> None:
    """Count a hit on each of these limits, for the present request's address by default."""
    if is_limited():
        for limit in limits:
            counters().hit(limit, address_key() if key is None else key, cost)


def retry_after(seconds: int) -> dict[str, str]:
    """Return the header that says when to come back, none for 0."""
    return {"Retry-After": str(seconds)} if seconds else {}


def take(limit: Limit) -> int:
    """Count a hit of the present request's address; return 0 if it was allowed, else the seconds until one may be."""
    if not is_limited() or counters().hit(limit, address_key()):
        return 0
    return counters().seconds_left(limit, address_key())


class WriteLimiter:
    """Limits what each address has done for it in a minute, and how many forms it sends.

    The settings MOST_WORK and MOST_WRITES of the application put other numbers there.
    """

    def __init__(self) -> None:
        self._exempt: set[str] = set()

    def exempt(self, blueprint: Blueprint) -> None:
        """Don't count the forms of a blueprint: they change nothing."""
        self._exempt.add(blueprint.name)

    def init_app(self, app: Flask) -> None:
        """Count from now on."""
        settings: Settings = app.config["SETTINGS"]
        app.extensions["companion-limits"] = Counters(settings.limits)
        work = replace(WORK, item=RateLimitItemPerMinute(app.config.get("MOST_WORK", WORK.item.amount)))
        forms = replace(FORMS, item=RateLimitItemPerMinute(app.config.get("MOST_WRITES", FORMS.item.amount)))

        @app.before_request
        def check() -> None:
            if not is_limited():
                return
            g.work_begun = time.thread_time()
            if request.endpoint == "static":
                return
            seconds = seconds_to_wait(work)
            if not (seconds or request.method in READING or request.blueprint in self._exempt):
                seconds = take(forms)
            if seconds:
                raise TooManyRequests(retry_after=seconds)

        @app.teardown_request
        def charge(_error: BaseException | None) -> None:
            begun = g.pop("work_begun", None)
            if begun is not None:
                seconds = time.thread_time() - begun - g.pop("others_worked", 0.0)
                asked = 0 if request.endpoint == "static" else REQUEST
                count_hit(work, cost=asked + max(0, round(1000 * seconds)))


csrf = CSRFProtect()
write_limiter = WriteLimiter()
