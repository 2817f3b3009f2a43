"""What stands between a form and a stranger: tokens against forged forms, limits against guessing and flooding."""

from __future__ import annotations

import time
from math import ceil

from flask import Blueprint, Flask, current_app, g, request
from flask_limiter import Limiter
from flask_wtf import CSRFProtect
from limits import RateLimitItemPerMinute
from werkzeug.exceptions import TooManyRequests

from companion.web.pace import Pace, network

PURSE, BACK = 3000.0, 50.0  # units that an address can save up, and that come back in a second: half a processor for good
WRITES = 3000  # forms a minute from one address: far more than a room full of phones sends, and no flood

# A stranger who tries codes without end, from however many addresses, gets in somewhere in at most one of a thousand hours:
# of 13 ** 6 codes a try finds one of those that are live with a chance of live / 13 ** 6, and so many are the costs of a try.
CODES = 13**6
LUCK = 0.001  # in an hour
QUARTER = RateLimitItemPerMinute(int(CODES * LUCK / 4), 15)

READING = frozenset(("GET", "HEAD", "OPTIONS"))


def phone_network() -> str:
    """Whom limits count: the address that a request came from, of IPv6 its network."""
    return network(request.remote_addr or "")


def is_limited() -> bool:
    """False where tests want to be quick."""
    return bool(current_app.config.get("RATELIMIT_ENABLED", True))


class Floods:
    """Counts what each address asks, what that costs, and what it sends.

    Refuses what its purse does not hold, and more than ``WRITES`` forms a minute (the setting MOST_WRITES).
    """

    def __init__(self) -> None:
        self._exempt: set[str] = set()

    def exempt(self, blueprint: Blueprint) -> None:
        """Don't count forms there: they change nothing."""
        self._exempt.add(blueprint.name)

    def init_app(self, app: Flask) -> None:
        """Count from now on, each process by itself."""
        most = float(app.config.get("MOST_WRITES", WRITES))
        forms = Pace(most, most / 60)
        app.extensions["companion-purses"] = Pace(app.config.get("PURSE", PURSE), BACK)

        @app.before_request
        def count() -> None:
            if not is_limited():
                return
            g.begun = time.thread_time()
            address = phone_network()
            purses: Pace = app.extensions["companion-purses"]
            seconds = 0.0 if request.endpoint == "static" else purses.enter(address)
            if not (seconds or request.method in READING or request.blueprint in self._exempt):
                seconds = forms.enter(address)
            if seconds:
                raise TooManyRequests(retry_after=ceil(seconds))

        @app.teardown_request
        def charge(_error: BaseException | None) -> None:
            begun = g.pop("begun", None)
            if begun is not None:
                purses: Pace = app.extensions["companion-purses"]
                purses.spend(phone_network(), time.thread_time() - begun - g.pop("others_worked", 0.0))


def may_try_a_code(live: int) -> bool:
    """False when so many wrong codes were tried lately, from all addresses together, that luck would be too likely."""
    return not is_limited() or limiter.limiter.test(QUARTER, "codes", cost=max(live, 1))


def tried_a_wrong_code(live: int) -> None:
    """Count a wrong code: the more codes there are that could have been right, the more it counts."""
    if is_limited():
        limiter.limiter.hit(QUARTER, "codes", cost=max(live, 1))


csrf = CSRFProtect()
floods = Floods()
limiter = Limiter(phone_network, storage_uri="memory://", strategy="moving-window")
