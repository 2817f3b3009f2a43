"""What does a Prometheus learn of a process? How much is asked, stored and heard, nothing of who plays where."""

from __future__ import annotations

import pytest
from prometheus_client import generate_latest
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy.exc import OperationalError

from companion.matches import entries
from companion.storage import notifications
from companion.web.metrics import Metrics
from tests.web.people import BelozPhone


@pytest.fixture
def told(app):
    """Call it for the value of a metric with these labels."""
    metrics = Metrics(app)

    def value(name, **labels):
        return metrics.registry.get_sample_value(name, labels)

    value.text = lambda: generate_latest(metrics.registry).decode()
    return value


@pytest.fixture
def ana(app, table, open_match):
    open_match("beloz", ["Ana", "Bo", "Cy", "Di"])
    return BelozPhone(app, table.play)


def test_requests_count_by_route_and_status(told, ana):
    ana.open()
    ana.open()
    ana.get("/nowhere-at-all")
    route = "/t/<token>/m/<int:number>"
    assert told("companion_requests_total", method="GET", route=route, status="200") == 2
    assert told("companion_requests_total", method="", route="", status="404") == 1


def test_entries_count_once_they_are_stored(told, ana):
    ana.play_round()
    ana.play_round()
    ana.send("/undo", of=2, idempotency_key="undo")
    ana.send("/undo", of=2, idempotency_key="undo")  # the same once more
    assert told("companion_entries_total", game="beloz", kind="events") == 2
    assert told("companion_entries_total", game="beloz", kind="undo") == 1


def test_reading_a_match_is_timed(told, ana, table, start_app):
    ana.play_round()
    before = told("companion_replay_seconds_count", game="beloz")
    other = start_app()  # it has read nothing yet
    BelozPhone(other, table.play).open()
    assert told("companion_replay_seconds_count", game="beloz") == before + 1
    assert 0 < told("companion_replay_seconds_sum", game="beloz") < 60


def test_streams_and_a_bus_that_no_single_process_needs(told, app, table):
    assert told("companion_streams") == 0
    with app.app_context():
        hub = notifications.hub()
    with hub.subscribe(table.id, "one"), hub.subscribe(table.id, counts=False):
        assert told("companion_streams") == 2
    assert told("companion_streams") == 0
    assert told("companion_bus_up") == 1
    assert told("companion_bus_lag_seconds") == 0


def test_errors_of_the_database_count(told, app, ana, monkeypatch):
    def away(*_, **__):
        raise OperationalError("SELECT", {}, Exception("gone"))

    monkeypatch.setattr(entries, "read", away)
    assert ana.open().status_code == 503
    assert told("companion_database_errors_total", fault="the database is away") == 1


def test_no_name_link_or_address_is_in_it(told, ana, table):
    ana.play_round()
    ana.client.get(f"{ana.link}?secret-word", environ_base={"REMOTE_ADDR": "192.0.2.77"})
    ana.client.open("/", method="ANA-METHOD")
    text = told.text()
    names = {family.name.removeprefix("companion_").removesuffix("_created") for family in text_string_to_metric_families(text)}
    streams = {"streams", "bus_up", "bus_lag_seconds"}
    assert names == {"requests", "entries", "database_errors", "replay_seconds", *streams}
    for private in ("Ana", "ANA", "Kitchen", table.play, "192.0.2.77", "secret-word"):
        assert private not in text
