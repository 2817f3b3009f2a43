"""What does a host's Prometheus learn of this process? How much is asked, stored and heard; never by whom or where.

Names, links and addresses stand in no metric: a page is known by the pattern of its route, an entry by its game.
"""

from __future__ import annotations

from typing import Any

from flask import Flask, Response, request, request_finished
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server

from companion.matches.signals import ENTRY_WRITTEN, LOG_READ
from companion.settings import StartupError
from companion.storage import notifications
from companion.storage.faults import FAULT

LONGEST = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0)  # seconds: a match of an evening takes some ms


class Metrics:
    """The figures of one application, from now on."""

    def __init__(self, app: Flask) -> None:
        self.registry = CollectorRegistry()
        with app.app_context():
            hub = notifications.hub()
        self._requests = self._counter("companion_requests", "Requests that were answered.", "method", "route", "status")
        self._entries = self._counter("companion_entries", "Entries that were stored.", "game", "kind")
        self._errors = self._counter("companion_database_errors", "Errors of the database that a phone was told of.", "fault")
        self._read = Histogram(
            "companion_replay_seconds",
            "Time to read and replay what a match has new in the database.",
            ("game",),
            registry=self.registry,
            buckets=LONGEST,
        )
        self._gauge("companion_streams", "Streams that are open.").set_function(hub.streams)
        self._gauge("companion_bus_up", "1 while the bus is there, or none is needed.").set_function(
            lambda: hub.reaches_others() is not False
        )
        self._gauge("companion_bus_lag_seconds", "Time that a message takes over the bus, back to this process.").set_function(
            hub.bus_lag
        )
        request_finished.connect(self._answered, app)
        ENTRY_WRITTEN.connect(self._written)
        LOG_READ.connect(self._replayed)
        FAULT.connect(self._failed, app)

    def _counter(self, name: str, description: str, *labels: str) -> Counter:
        return Counter(name, description, labels, registry=self.registry)

    def _gauge(self, name: str, description: str) -> Gauge:
        return Gauge(name, description, registry=self.registry)

    def _answered(self, _app: Flask, response: Response, **_: Any) -> None:
        route = request.url_rule.rule if request.url_rule is not None else ""
        method = request.method if request.url_rule is not None else ""  # which may be any word
        self._requests.labels(method, route, str(response.status_code)).inc()

    def _written(self, kind: str, game: str) -> None:
        self._entries.labels(game, kind).inc()

    def _replayed(self, game: str, seconds: float) -> None:
        self._read.labels(game).observe(seconds)

    def _failed(self, _app: Flask, status: str) -> None:
        self._errors.labels(status).inc()


def serve(app: Flask, address: tuple[str, int]) -> None:
    """Answer ``/metrics`` at an address of its own until the process ends. Raises StartupError if that can't be used."""
    metrics = app.extensions["companion-metrics"] = Metrics(app)  # signals hold nobody who listens
    host, port = address
    try:
        start_http_server(port, host, metrics.registry)
    except OSError as taken:
        raise StartupError(f"COMPANION_METRICS: {host}:{port} can't be used ({taken.strerror}). Choose another port.") from None
