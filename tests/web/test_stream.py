"""Who follows a table? Whoever has its link, and nobody once it has been replaced."""

from __future__ import annotations

import itertools
from contextlib import contextmanager

import pytest

from companion.storage import hub as hub_module
from companion.storage import notifications, relay, table_states
from companion.storage.models import Table, db
from companion.tables import seating
from companion.web.delivery import server_sent_events
from tests.web.people import Phone, says
from tests.web.streams import listens, until, without_phones

pytestmark = pytest.mark.both_databases


@pytest.fixture
def ana(app):
    return Phone(app).make_table("Ana", "Bo", "Cy", "Di")


@contextmanager
def following(app, link, phone=None, *, tells_phones=False):
    """Yield the messages of the stream at this link as a server reads them; without a phone, for one that is new."""
    answer = (phone.client if phone else app.test_client()).get(f"{link}/live", buffered=False)
    assert answer.status_code == 200
    messages = iter(answer.response)
    try:
        yield messages if tells_phones else without_phones(messages)
    finally:
        answer.close()


def only_table(app):
    with app.app_context():
        table = db.session.query(Table).one()
        return table.id, f"/t/{table.watch_token}"


def test_a_replaced_link_is_heard_no_more_and_the_other_one_is(app, start_app, ana):
    table_id, watch = only_table(app)
    elsewhere = start_app()  # another process
    with following(app, ana.link) as playing, following(app, watch) as watching:
        assert next(playing).startswith(b"retry: ")
        assert next(watching).startswith(b"retry: ")
        with elsewhere.app_context() if app_shares(app) else app.app_context():
            seating.replace_play_link(table_id)
        assert next(watching).startswith(b"id: ")
        assert list(playing) == []
    assert app.test_client().get(f"{ana.link}/live").status_code == 404


def app_shares(app):
    """Return whether what one process changes is heard in the others."""
    with app.app_context():
        return db.engine.dialect.name == "postgresql"


def test_a_replaced_watch_link_is_heard_no_more(app, ana):
    table_id, watch = only_table(app)
    with following(app, ana.link) as playing, following(app, watch) as watching:
        next(playing), next(watching)
        with app.app_context():
            seating.replace_watch_link(table_id)
        assert list(watching) == []
        assert next(playing).startswith(b"id: ")
        with app.app_context():
            seating.rename_table(table_id, "Another name")
        assert next(playing).startswith(b"id: ")


def test_many_streams_ask_for_the_links_once(app, ana, monkeypatch):
    table_id, _ = only_table(app)
    asked = []
    monkeypatch.setattr(hub_module, "COMPARE", 1000.0)  # which asks in the same way
    monkeypatch.setattr(table_states, "_TABLES", Counting(table_states._TABLES, asked))
    streams = [following(app, ana.link) for _ in range(5)]
    opened = [each.__enter__() for each in streams]
    for messages in opened:
        next(messages)
    until(listens(app))  # which begins with a question of its own
    asked.clear()
    with app.app_context():
        seating.rename_table(table_id, "Another name")
    assert {bytes(next(messages))[:4] for messages in opened} == {b"id: "}
    assert len(asked) == 1
    for each in streams:
        each.__exit__(None, None, None)


class Counting:
    """A statement that notes each time it is about to be executed."""

    def __init__(self, statement, asked):
        self._statement = statement
        self._asked = asked

    def __getattr__(self, name):
        if name == "_execute_on_connection":
            self._asked.append(name)
        return getattr(self._statement, name)


def hears(messages, phones):
    """Return whether the stream tells of so many phones, sooner or later."""
    return b"event: phones\ndata: %d\n\n" % phones in itertools.islice(messages, 500)


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(server_sent_events, "HEARTBEAT", 0.05)
    monkeypatch.setattr(relay, "TICK", 0.02)


@pytest.mark.usefixtures("quick")
def test_it_says_how_many_phones_look_on_when_that_has_changed(app, ana):
    with following(app, ana.link, tells_phones=True) as first:
        next(first)
        assert hears(first, 1)
        assert next(first) == server_sent_events.BEAT
        with following(app, ana.link, tells_phones=True) as second:
            next(second)
            assert hears(first, 2)
            assert hears(second, 2)
            assert next(first) == server_sent_events.BEAT
        assert hears(first, 1)


@pytest.mark.usefixtures("quick")
def test_a_phone_that_went_on_to_another_page_counts_once(app, ana):
    both = following(app, ana.link, ana, tells_phones=True), following(app, ana.link, ana, tells_phones=True)
    with both[0] as left, both[1] as here:
        next(left)
        next(here)
        assert hears(here, 1)
        with following(app, ana.link) as bo:
            next(bo)
            assert hears(here, 2)
        left.close()
        assert hears(here, 1)
        assert next(here) == server_sent_events.BEAT


def test_a_server_that_stops_says_bye(app, ana):
    with following(app, ana.link) as messages:
        next(messages)
        notifications.leave_all()
        assert list(messages) == [b"event: bye\ndata: bye\n\n"]


class TestFloods:
    @pytest.fixture
    def settings(self):
        return {"WTF_CSRF_ENABLED": False, "RATELIMIT_ENABLED": True, "MOST_WRITES": 5}

    def test_forms_of_one_address_are_limited_and_looking_is_not(self, app, ana):
        for number in range(4):  # and the table itself was the first
            assert ana.send("/name", name=f"Name {number}").status_code == 303
        refused = ana.send("/name", name="Another name")
        assert refused.status_code == 429
        assert says(refused, "Too many tries in a short time.")
        assert ana.open().status_code == 200
        assert says(ana.open(), "Name 3")
