"""What stands between a form and a stranger: tokens against forged forms, limits against guessing and flooding."""

from __future__ import annotations

from math import ceil

from flask import Blueprint, Flask, current_app, request
from flask_limiter import Limiter
from flask_limiter.util import get_remote_address
from flask_wtf import CSRFProtect
from werkzeug.exceptions import TooManyRequests

from companion.web.pace import Pace

WRITES = 3000  # forms a minute from one address: far more than a room full of phones sends, and no flood

READING = frozenset(("GET", "HEAD", "OPTIONS"))


class Floods:
    """Counts what each address sends, and refuses more than ``WRITES`` a minute, or than the setting MOST_WRITES says."""

    def __init__(self) -> None:
        self._exempt: set[str] = set()

    def exempt(self, blueprint: Blueprint) -> None:
        """Don't count what is sent there: it changes nothing, or is counted otherwise."""
        self._exempt.add(blueprint.name)

    def init_app(self, app: Flask) -> None:
        """Count from now on, each process by itself."""
        most = float(app.config.get("MOST_WRITES", WRITES))
        pace = Pace(most, most / 60)

        @app.before_request
        def count() -> None:
            if request.method in READING or request.blueprint in self._exempt:
                return
            if not current_app.config.get("RATELIMIT_ENABLED", True):
                return
            if seconds := pace.enter(get_remote_address()):
                raise TooManyRequests(retry_after=ceil(seconds))


class ViewLimiter(Limiter):
    """Limits for single views, by their decorators; no other request is looked at."""

    def _check_request_limit(self, callable_name: str | None = None, in_middleware: bool = True) -> None:
        if not in_middleware:
            super()._check_request_limit(callable_name, in_middleware)


csrf = CSRFProtect()
floods = Floods()
limiter = ViewLimiter(get_remote_address, storage_uri="memory://", strategy="moving-window")
