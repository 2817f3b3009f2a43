"""How much may one address ask of Companion, and how often may codes be guessed? :mod:`companion.web.guard.counters` counts."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Final, Protocol

from flask import Blueprint, Flask, current_app, g, request
from flask.globals import request_ctx
from werkzeug.exceptions import TooManyRequests

from companion.web.guard.addresses import network

READING: Final = frozenset(("GET", "HEAD", "OPTIONS"))
MINUTE: Final = 60  # seconds
HOUR: Final = 3600


@dataclass(frozen=True, slots=True)
class Limit:
    """So much in so many seconds, under a name. ``exact`` remembers each hit; else a counter begins anew after each time.

    A counter takes any cost in one step, also more than is left: what a request cost is known when it is done.
    """

    name: str
    amount: int
    seconds: int
    exact: bool = True


class Counts(Protocol):
    """What :class:`companion.web.guard.counters.Counters` does."""

    def allows(self, limit: Limit, key: str, cost: int = 1) -> bool:
        """Return whether the limit has room for a hit of this cost."""
        ...

    def hit(self, limit: Limit, key: str, cost: int = 1) -> bool:
        """Count a hit."""
        ...

    def seconds_left(self, limit: Limit, key: str) -> int:
        """Return in how many seconds the limit has room again."""
        ...


WORK: Final = Limit("work", 30_000, MINUTE, exact=False)  # milliseconds of one address: half a processor
REQUEST: Final = 10  # milliseconds that any request costs besides
FORMS: Final = Limit("forms", 3_000, MINUTE, exact=False)  # more than a room full of phones sends

WRONG_CODES: Final = (
    Limit("wrong codes", 10, MINUTE),
    Limit("wrong codes", 60, HOUR),
)  # of one address; a table's worth of people may share one
NEW_TABLES: Final = Limit("new tables", 60, HOUR)
KEPT: Final = Limit("kept", 120, HOUR)  # score sheets of one's own
HANDOVERS: Final = Limit("handovers", 60, HOUR)
KNOCKS: Final = Limit("knocks", 10, HOUR)  # to be let in: a table's worth of people, whose network is one address
FILES: Final = Limit("files", 20, HOUR)

# Somebody who guesses finds a code that is live in at most one hour of a thousand. A guess finds one with a chance of
# live / 13 ** 6, so each guess costs as many hits as there are live codes. Once that much was guessed, each wide network has a
# few guesses an hour: people who type what they see don't pay for those who guess.
CODES: Final = 13**6
LUCK: Final = 0.001  # in an hour
WRONG_CODES_OF_ALL: Final = Limit("wrong codes of all", int(CODES * LUCK / 4), HOUR // 4)
EVERYBODY: Final = "everybody"
GUESSES_MEANWHILE: Final = Limit("guesses meanwhile", 3, HOUR)


def counters() -> Counts:
    """Return the counters of the present application."""
    counts: Counts = current_app.extensions["companion-limits"]
    return counts


def address_key() -> str:
    """Return whom limits count: the address that a request came from, of IPv6 its network."""
    return network(request.remote_addr or "")


def wide_key() -> str:
    """Return the wider network of the request's address, of which one person may well have many: a /48, or of IPv4 a /24."""
    return network(request.remote_addr or "", six=48, four=24)


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
        """Count from now on by the application's counters; not inside a phone, which serves nobody else."""
        if app.config["POCKET"]:
            return
        work = replace(WORK, amount=app.config.get("MOST_WORK", WORK.amount))
        forms = replace(FORMS, amount=app.config.get("MOST_WRITES", FORMS.amount))

        @app.before_request
        def check() -> None:
            if not is_limited():
                return
            g.work_begun = time.thread_time()
            http_request = request_ctx.request
            if http_request.endpoint == "static":
                return
            counts, key = counters(), address_key()  # asked for once: a form is counted in 145 calls then, not 200
            if not counts.allows(work, key):
                raise TooManyRequests(retry_after=counts.seconds_left(work, key))
            is_form = http_request.method not in READING and http_request.blueprint not in self._exempt
            if is_form and not counts.hit(forms, key):
                raise TooManyRequests(retry_after=counts.seconds_left(forms, key))

        @app.teardown_request
        def charge(_error: BaseException | None) -> None:
            begun = g.pop("work_begun", None)
            if begun is not None:
                seconds = time.thread_time() - begun - g.pop("others_worked", 0.0)
                cost = 0 if request_ctx.request.endpoint == "static" else REQUEST
                counters().hit(work, address_key(), cost + max(0, round(1000 * seconds)))


write_limiter = WriteLimiter()
