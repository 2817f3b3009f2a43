"""Do processes hear of each other by PostgreSQL or a Valkey, and find by themselves what the bus loses?

Two applications on one database stand for two processes, unless one of them has to die.
"""

from __future__ import annotations

import itertools
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from sqlalchemy import make_url

from companion.storage import bus, database, notifications, relay
from companion.storage import hub as hub_module
from companion.storage.models import Table, db
from companion.storage.relay import Presence
from tests.server import PATIENCE
from tests.valkey import Valkey
from tests.web import streams
from tests.web.streams import change, listens, until


@pytest.fixture(scope="session")
def valkey():
    server = Valkey()
    yield server
    server.kill()


@contextmanager
def stream(app, table_id, phone=None, **how):
    """Yield an open stream, after the number with which it begins."""
    with streams.stream(app, table_id, phone, **how) as messages:
        next(messages)
        yield messages


def numbers(messages):
    """Yield the table's numbers, without what else a stream says."""
    return (int(message.rpartition(b"data: ")[2]) for message in messages if message.startswith(b"id: "))


def phones(app, table_id):
    with app.app_context():
        return notifications.phones(table_id)


def store(table_id, number):
    """Let the database have this number of a table."""
    with database.writing():
        db.session.get_one(Table, table_id).seq = number


class SeveralProcesses:
    """The tests that hold for either bus."""

    @pytest.fixture
    def other(self, start_app, app):
        return start_app()

    def test_a_change_in_one_is_heard_in_the_other(self, app, other, table, monkeypatch):
        monkeypatch.setattr(hub_module, "COMPARE", 1e9)
        with stream(app, table.id) as messages:
            for _ in range(3):
                number = change(other, table.id)
                assert next(numbers(messages)) == number

    def test_numbers_come_in_order_and_the_last_one_comes(self, app, other, table, monkeypatch):
        monkeypatch.setattr(hub_module, "COMPARE", 1e9)
        with stream(app, table.id) as messages:
            change(other, table.id)
            heard = [next(numbers(messages))]
            with ThreadPoolExecutor(8) as writers:
                list(writers.map(lambda process: change(process, table.id), [app, other] * 20))
            heard += itertools.takewhile(lambda number: number < 41, numbers(messages))
        assert heard == sorted(set(heard))

    def test_what_changes_in_a_moment_is_told_together(self, app, other, table, said):
        with stream(app, table.id) as messages:
            until(listens(app))
            with other.app_context():
                store(table.id, 100)
                for seq in range(1, 101):
                    notifications.hub().tell(table.id, seq)
            until(lambda: f"now {table.id} 100" in "\n".join(said))
            assert next(number for number in numbers(messages) if number == 100)
        assert sum(each.count(f"now {table.id} ") for each in said) < 50

    def test_how_long_a_message_takes_is_known_also_after_nobody_looked_on(self, app, other, table):
        hub_of(app).tell(table.id, 1)  # nobody here hears it come back
        until(lambda: hub_of(app)._relay._sent is not None)
        hub_of(app)._relay._sent -= 3_600
        with stream(app, table.id), stream(other, table.id):
            until(lambda: hub_of(app).bus_lag() > 0 and hub_of(other).bus_lag() > 0)
            assert hub_of(app).bus_lag() < PATIENCE

    def test_what_the_bus_loses_is_found(self, app, other, table, monkeypatch):
        monkeypatch.setattr(hub_module, "COMPARE", 0.2)
        monkeypatch.setattr(relay.Relay, "_changed", lambda _relay: [])
        with stream(app, table.id) as messages:
            assert change(other, table.id) == 1
            assert next(numbers(messages)) == 1

    def test_nobody_else_is_believed_and_a_number_is_what_the_database_says(self, app, other, table, monkeypatch):
        """Whoever reaches the bus may send what they heard there, and anything else."""
        heard = []
        understand = relay.Relay._understand
        monkeypatch.setattr(relay.Relay, "_understand", lambda *given: (heard.append(given[1]), understand(*given)))
        with stream(app, table.id) as messages:
            until(listens(app))
            line = hub_of(app)._relay._opens()
            for forged in ("evil\nnow 1 9999", f"{'0' * 64} evil\nnow 1 9999\nat 1 eve:1", "?", " ", "\n", "é x"):
                line.say(forged)
            line.say(hub_of(app)._relay._signed("evil\nnow 1 9999"))  # and if they knew the key
            until(lambda: any("evil" in each for each in heard))
            number = change(other, table.id)
            assert next(numbers(messages)) == number
            assert phones(app, table.id) == 1
            line.close()

    def test_tables_that_went_back_are_told_so(self, app, other, table, monkeypatch):
        """An older copy of the database was put back under running processes: a phone's stream ends, and it comes back."""
        monkeypatch.setattr(hub_module, "COMPARE", 0.1)
        forgotten = []
        monkeypatch.setattr(hub_of(app), "_went_back", lambda: forgotten.append(1))
        with app.app_context():
            store(table.id, 50)
        with stream(app, table.id) as messages:
            assert change(app, table.id) == next(numbers(messages)) == 51
            with other.app_context():
                store(table.id, 7)
            assert list(numbers(messages)) == []  # to its end
        assert forgotten
        with stream(app, table.id) as messages:
            assert change(other, table.id) == next(numbers(messages)) == 8

    def test_phones_in_all_processes_are_counted_together_and_each_once(self, app, other, table):
        with stream(app, table.id, "ana"), stream(other, table.id, "bo"), stream(other, table.id, "screen", counts=False):
            until(lambda: phones(app, table.id) == phones(other, table.id) == 2)
            with stream(other, table.id, "ana"):
                until(lambda: sorted(hub_of(other)._relay._said.get(table.id, ())) == ["ana", "bo"])
                assert phones(app, table.id) == phones(other, table.id) == 2
        until(lambda: phones(app, table.id) == phones(other, table.id) == 0)

    def test_a_stream_is_told_of_phones_elsewhere(self, app, other, table):
        with stream(app, table.id, "ana", tells_phones=True) as messages, stream(other, table.id, "bo"):
            assert b"event: phones\ndata: 2\n\n" in messages

    def test_it_is_known_elsewhere_which_match_a_phone_was_shown(self, app, other, table):
        hub_of(other).looks_at(table.id, "bo", 3)
        with stream(app, table.id, "ana"), stream(other, table.id, "bo"):
            until(lambda: hub_of(app).is_looking_at(table.id, "bo", 3))
            assert not hub_of(app).is_looking_at(table.id, "bo", 2)
            assert not hub_of(app).is_looking_at(table.id, "ana", 3)

    def test_a_process_that_dies_takes_its_phones_along(self, app, table, bus_setting):
        with stream(app, table.id, "ana"):
            with a_process_with_a_phone(app, bus_setting, table.id) as process:
                until(lambda: phones(app, table.id) == 2)
                process.kill()
            until(lambda: phones(app, table.id) == 1)

    def test_one_that_dies_between_commit_and_word_is_made_up_for(self, app, table, bus_setting, monkeypatch):
        monkeypatch.setattr(hub_module, "COMPARE", 0.2)
        with stream(app, table.id) as messages:
            assert run(DIES_AFTER_COMMIT, app, bus_setting, table.id).wait(PATIENCE) == 9
            assert next(numbers(messages)) == 1


def hub_of(app):
    return app.extensions["companion-live"]


def run(program, app, bus_setting, table_id):
    """Start a process on the same database."""
    url = app.config["SQLALCHEMY_DATABASE_URI"].render_as_string(hide_password=False)
    words = [sys.executable, "-c", program, url, app.instance_path, bus_setting, str(table_id)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, text=True)


@contextmanager
def a_process_with_a_phone(app, bus_setting, table_id):
    process = run(LOOKS_ON, app, bus_setting, table_id)
    try:
        assert process.stdout.readline() == "looking\n"
        yield process
    finally:
        process.kill()
        process.communicate()


BEGINNING = """
import os, sys
from companion.app import create_app
from companion.settings import Settings
from companion.storage import database, notifications
from companion.web.delivery import server_sent_events

url, folder, bus, table_id = *sys.argv[1:4], int(sys.argv[4])
settings = Settings.read({"DATABASE_URL": url, "COMPANION_INSTANCE": folder, "COMPANION_BUS": bus})
app = create_app(settings, {"SECRET_KEY": "only for tests"})
"""

LOOKS_ON = f"""{BEGINNING}
messages = server_sent_events.messages(app.extensions["companion-live"], table_id, "bo")
next(messages)
print("looking", flush=True)
for message in messages:
    pass
"""

DIES_AFTER_COMMIT = f"""{BEGINNING}
with app.app_context(), database.writing():
    database.after_commit(lambda: os._exit(9))
    notifications.changed(table_id)
"""


class TestPostgresql(SeveralProcesses):
    pytestmark = pytest.mark.postgresql

    @pytest.fixture
    def bus_setting(self):
        return "postgresql"

    @pytest.fixture
    def said(self, monkeypatch):
        return noted(monkeypatch, bus.PostgresqlLine)

    def test_whoever_says_something_waits_for_no_disk(self, app):
        line = hub_of(app)._relay._opens()
        try:
            assert line._line.execute("SHOW synchronous_commit").fetchone() == ("off",)
        finally:
            line.close()

    def test_health_costs_one_connection_however_often_it_is_asked(self, app, client, monkeypatch):
        opened = []
        open_line = bus.PostgresqlLine.__init__
        monkeypatch.setattr(bus.PostgresqlLine, "__init__", lambda line, engine: (opened.append(1), open_line(line, engine))[1])
        for _ in range(20):
            assert client.get("/healthz").json == {"status": "ok", "bus": "ok"}
        assert len(opened) == 1

    def test_a_message_that_is_too_long_is_told_in_parts(self, app, start_app, table):
        other = start_app()
        with stream(app, table.id) as messages:
            until(listens(app))
            with app.app_context():
                store(table.id, 7)
            for number in range(5_000, 7_000):
                hub_of(other).tell(number, 1)
            hub_of(other).tell(table.id, 7)
            assert 7 in numbers(messages)


class TestValkey(SeveralProcesses):
    pytestmark = pytest.mark.sqlite

    @pytest.fixture
    def bus_setting(self, valkey):
        return valkey.address

    @pytest.fixture
    def environment(self, bus_setting):
        return {"COMPANION_BUS": bus_setting}

    @pytest.fixture
    def said(self, monkeypatch):
        return noted(monkeypatch, bus.ValkeyLine)

    def test_companions_that_share_one_do_not_hear_each_other(self, app, start_app, settings, table):
        settings["SECRET_KEY"] = "another one"
        stranger = start_app()
        with stream(app, table.id, "ana"), stream(stranger, table.id, "bo"):
            until(lambda: listens(app)() and listens(stranger)())
            assert phones(app, table.id) == phones(stranger, table.id) == 1


def noted(monkeypatch, kind):
    """Return everything that is said on this kind of line."""
    said, say = [], kind.say

    def note(line, message):
        said.append(message)
        say(line, message)

    monkeypatch.setattr(kind, "say", note)
    return said


class TestAwayAndBack:
    """A Valkey that is killed: a sentence in the log and for whoever asks, and everything goes on."""

    pytestmark = pytest.mark.sqlite

    @pytest.fixture
    def valkey(self):
        server = Valkey()
        yield server
        server.kill()

    @pytest.fixture
    def environment(self, valkey):
        return {"COMPANION_BUS": valkey.address}

    def test_phones_hear_meanwhile_and_afterwards(self, app, start_app, table, valkey, monkeypatch, caplog):
        monkeypatch.setattr(hub_module, "COMPARE", 0.2)
        other = start_app()
        well = app.test_client()
        with stream(app, table.id) as messages:
            change(other, table.id)
            assert next(numbers(messages)) == 1
            valkey.kill()
            change(other, table.id)
            assert next(numbers(messages)) == 2
            until(lambda: well.get("/healthz").json == {"status": "ok", "bus": "away"})
            assert well.get("/healthz").status_code == 200
            valkey.start()
            until(lambda: well.get("/healthz").json == {"status": "ok", "bus": "ok"})
            monkeypatch.setattr(hub_module, "COMPARE", 1e9)
            change(other, table.id)
            assert next(numbers(messages)) == 3
        said = [record.getMessage() for record in caplog.records if record.name == "companion.storage.relay"]
        assert any(line.startswith("the bus is away (ConnectionError)") for line in said)
        assert "the bus is back" in said

    def test_whoever_asks_is_told_also_while_nobody_looks_on(self, app, valkey, monkeypatch):
        monkeypatch.setattr(relay, "TRY_AGAIN", 0.0)
        client = app.test_client()
        assert client.get("/healthz").json == {"status": "ok", "bus": "ok"}
        valkey.kill()
        assert client.get("/healthz").json == {"status": "ok", "bus": "away"}
        valkey.start()
        assert client.get("/healthz").json == {"status": "ok", "bus": "ok"}


class TestSetting:
    @pytest.fixture
    def sqlite(self):
        return make_url("sqlite://")

    @pytest.fixture
    def postgresql(self):
        return make_url("postgresql+psycopg://companion@nowhere/companion")

    def test_one_process_needs_none(self, sqlite):
        assert bus.opens("memory", sqlite, "x") is None

    def test_postgresql_has_to_be_there(self, sqlite, postgresql):
        assert bus.opens("postgresql", postgresql, "x") is not None
        with pytest.raises(ValueError, match="the tables are in an SQLite file"):
            bus.opens("postgresql", sqlite, "x")

    def test_without_its_client_there_is_no_valkey(self, sqlite, monkeypatch):
        monkeypatch.setattr(bus, "find_spec", lambda _name: None)
        with pytest.raises(ValueError, match=r"pip install '\.\[valkey\]'"):
            bus.opens("valkey://localhost", sqlite, "x")


class TestPresence:
    """Who counts, by what the processes said and when."""

    def test_a_process_counts_while_it_is_heard_of(self):
        there = Presence(patience=1.0)
        there.hear("one", {7: {"ana": 1}}, moment=0.0)
        assert list(there.at(7, moment=1.0)) == [{"ana": 1}]
        assert list(there.at(7, moment=1.1)) == []
        there.hear("one", {}, moment=2.0)  # it was only slow
        assert list(there.at(7, moment=2.0)) == [{"ana": 1}]

    def test_what_it_says_of_a_table_replaces_what_it_said_before(self):
        there = Presence(patience=1.0)
        there.hear("one", {7: {"ana": 1}, 8: {"bo": 1}}, moment=0.0)
        there.hear("one", {7: {"cy": 2}}, moment=0.1)
        assert list(there.at(7, moment=0.1)) == [{"cy": 2}]
        there.hear("one", {7: {}}, moment=0.2)
        assert list(there.at(7, moment=0.2)) == []
        assert list(there.at(8, moment=0.2)) == [{"bo": 1}]

    def test_nothing_is_kept_of_one_that_is_long_gone(self):
        there = Presence(patience=1.0)
        there.hear("one", {7: {"ana": 1}}, moment=0.0)
        there.forget(moment=59.0)
        assert there._processes
        there.forget(moment=61.0)
        assert not there._processes
