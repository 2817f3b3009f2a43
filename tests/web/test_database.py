"""Is what is stored stored whole, at once and for good?"""

from __future__ import annotations

import gc
import sqlite3
import subprocess
import sys
import threading
import time
import weakref

import pytest
from sqlalchemy import create_engine, event, select, text
from sqlalchemy.exc import IntegrityError

from companion.app import create_app
from companion.settings import Settings
from companion.storage import database, notifications
from companion.storage.models import Match, Player, Table, db
from tests.compiled import SYNCHRONOUS

pytestmark = pytest.mark.both_databases

ADD_TABLE = "INSERT INTO tables (id, name, play_token, watch_token, seq, created) VALUES (7, 'T', 'p', 'w', 0, '2026-01-01')"


def new_table(name="Kitchen table", link="a"):
    return Table(name=name, play_token=f"play-{link}", watch_token=f"watch-{link}")


def names():
    return list(db.session.scalars(select(Table.name).order_by(Table.id)))


class TestAddress:
    @pytest.mark.parametrize("given", ["postgres", "postgresql", "postgresql+psycopg", "postgresql+psycopg2"])
    def test_postgresql_by_any_of_its_names_is_reached_by_psycopg(self, given):
        url = database.address(f"{given}://ana:secret@db.example:5433/companion?sslmode=require")
        shown = url.render_as_string(hide_password=False)
        assert shown == "postgresql+psycopg://ana:secret@db.example:5433/companion?sslmode=require"

    def test_sqlite_is_taken_as_it_is(self):
        assert str(database.address("sqlite:////srv/companion.sqlite")) == "sqlite:////srv/companion.sqlite"

    def test_other_databases_are_refused(self):
        with pytest.raises(ValueError, match="SQLite or PostgreSQL, not in mysql"):
            database.address("mysql://db.example/companion")

    @pytest.mark.parametrize(
        ("given", "hosts", "ports"),
        [
            ("postgresql://ana@one:5432,two:5433/companion", "one,two", "5432,5433"),
            ("postgresql://ana@one,two/companion", "one,two", ","),
            ("postgresql://ana@%2Frun%2Fone,%2Frun%2Ftwo/companion", "/run/one,/run/two", ","),
            ("postgresql://ana@/companion?host=one:5432&host=two:5433", "one,two", "5432,5433"),
            ("postgresql://ana@/companion?host=one,two&port=5432,5433", "one,two", "5432,5433"),
        ],
    )
    def test_of_several_servers_the_one_that_writes_is_looked_for(self, given, hosts, ports):
        asked = asked_for(given)
        assert (asked["host"], asked["port"]) == (hosts, ports)
        assert (asked["user"], asked["dbname"]) == ("ana", "companion")
        assert asked["target_session_attrs"] == "read-write"

    def test_unless_something_else_is_said(self):
        assert asked_for("postgresql://one,two/companion?target_session_attrs=primary")["target_session_attrs"] == "primary"

    def test_a_single_server_is_taken_as_it_is(self):
        assert "target_session_attrs" not in asked_for("postgresql://ana:a,b@one/companion")

    def test_without_its_driver_postgresql_is_a_sentence(self, monkeypatch):
        monkeypatch.setattr(database, "find_spec", {}.get)
        with pytest.raises(ValueError, match=r"pip install '\.\[postgresql\]'"):
            database.address("postgresql://db.example/companion")


def asked_for(address):
    """Return what PostgreSQL's client library is told."""
    asked = {}
    url = database.address(address)
    engine = create_engine(url, **database.engine_options(url))

    def note(_dialect, _record, _given, parameters):
        asked.update(parameters)
        raise ConnectionAbortedError

    event.listen(engine, "do_connect", note)
    with pytest.raises(ConnectionAbortedError):
        engine.connect()
    return asked


@pytest.mark.sqlite
class TestSqlite:
    @pytest.mark.parametrize(
        ("pragma", "value"),
        [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1), ("busy_timeout", 5000)],
    )
    def test_each_connection_is_durable_and_checks_references(self, app, monkeypatch, pragma, value):
        monkeypatch.setattr(database, "SYNCHRONOUS", SYNCHRONOUS)  # as every program has it that is no test
        with app.app_context(), db.engine.connect() as one, db.engine.connect() as two:
            assert [c.execute(text(f"PRAGMA {pragma}")).scalar() for c in (one, two)] == [value, value]

    def test_a_reader_sees_one_moment_while_another_connection_writes(self, app):
        with app.app_context():
            assert names() == []
            with db.engine.connect().execution_options(companion_writing=True) as other, other.begin():
                other.execute(text(ADD_TABLE))
            assert names() == []
            db.session.rollback()
            assert names() == ["T"]


def test_a_new_sqlite_file_that_another_process_makes_ready_is_waited_for(tmp_path):
    """As when several begin at once."""
    file = tmp_path / "new.sqlite"
    other = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    other.execute("CREATE TABLE anything (id INTEGER)")
    other.execute("BEGIN IMMEDIATE")
    engine = create_engine(f"sqlite:///{file}")
    database.prepare(engine)
    gone = threading.Timer(0.3, other.execute, ["COMMIT"])
    gone.start()
    with engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
    gone.join()
    other.close()


class TestReading:
    def test_in_its_own_moment_it_sees_what_is_stored_by_now(self, app, start_app):
        with app.app_context(), database.reading() as connection:
            assert connection.execute(select(Table.name)).all() == []
            connection.rollback()
            with start_app().app_context(), database.writing():
                db.session.add(new_table())
            assert connection.execute(select(Table.name)).scalars().all() == ["Kitchen table"]

    def test_nobody_holds_two_connections(self, app):
        with app.app_context():
            assert names() == []
            with database.reading():
                assert db.engine.pool.checkedout() == 1
            db.session.rollback()
            with database.reading():
                assert db.engine.pool.checkedout() == 1
            assert db.engine.pool.checkedout() == 0
            with database.writing(), database.reading():
                db.session.add(new_table())
                db.session.flush()
                assert db.engine.pool.checkedout() == 1


class TestWriting:
    def test_stores_at_the_end(self, app):
        with app.app_context():
            with database.writing():
                db.session.add(new_table())
            db.session.remove()
            assert names() == ["Kitchen table"]

    def test_the_connection_and_the_session_are_one_transaction(self, app):
        with app.app_context(), database.writing() as connection:
            db.session.add(new_table())
            db.session.flush()
            assert connection.execute(select(Table.name)).scalars().all() == ["Kitchen table"]

    def test_stores_nothing_when_something_is_raised(self, app):
        called = []

        def write_and_fail():
            with database.writing():
                db.session.add(new_table())
                db.session.flush()
                database.after_commit(lambda: called.append("stored"))
                raise ZeroDivisionError

        with app.app_context():
            with pytest.raises(ZeroDivisionError):
                write_and_fail()
            assert names() == []
            assert called == []
            with database.writing():
                db.session.add(new_table("Second try"))
            assert names() == ["Second try"]

    def test_one_inside_another_is_a_part_of_it(self, app):
        def write_and_fail():
            with database.writing():
                with database.writing():
                    db.session.add(new_table())
                raise ZeroDivisionError

        with app.app_context():
            with pytest.raises(ZeroDivisionError):
                write_and_fail()
            assert names() == []

    def test_what_waits_for_the_end_is_called_when_all_can_see_it(self, app, start_app):
        seen = []

        def look():
            with start_app().app_context():
                seen.extend(names())

        with app.app_context():
            with database.writing():
                db.session.add(new_table())
                database.after_commit(look)
                assert seen == []
            assert seen == ["Kitchen table"]

    def test_waiting_for_the_end_of_nothing_is_a_mistake(self, app):
        with app.app_context(), pytest.raises(RuntimeError, match="no writing"):
            database.after_commit(lambda: None)

    def test_changes_made_before_are_a_mistake_and_not_lost_silently(self, app):
        with app.app_context():
            db.session.add(new_table())
            with pytest.raises(RuntimeError, match="belong inside"), database.writing():
                pass

    def test_what_was_read_before_is_read_anew(self, app, start_app):
        with app.app_context():
            with database.writing():
                db.session.add(new_table())
            table = db.session.scalars(select(Table)).one()
            assert table.name == "Kitchen table"
            with start_app().app_context(), database.writing():
                db.session.scalars(select(Table)).one().name = "Garden table"
            with database.writing():
                assert table.name == "Garden table"

    def test_references_are_checked(self, app):
        with app.app_context():
            with pytest.raises(IntegrityError), database.writing():
                db.session.add(Player(table_id=99, name="Ana", seat=0))
            assert db.session.scalars(select(Player)).all() == []

    def test_a_table_takes_its_people_and_matches_with_it(self, app):
        with app.app_context():
            with database.writing():
                table = new_table()
                table.players = [Player(name="Ana", seat=0)]
                table.matches = [Match(number=1, game="beloz", players=["Ana"], options={})]
                db.session.add(table)
            with database.writing() as connection:
                connection.execute(text("DELETE FROM tables"))
            assert db.session.scalars(select(Player)).all() == []
            assert db.session.scalars(select(Match)).all() == []

    def test_writers_wait_for_each_other(self, app):
        """Eight threads count up one number; no step is lost and none fails."""
        with app.app_context(), database.writing():
            db.session.add(new_table())

        def count():
            for _ in range(10):
                with app.app_context(), database.writing() as connection:
                    seq = connection.execute(select(Table.seq).with_for_update()).scalar_one()
                    connection.execute(text("UPDATE tables SET seq = :seq"), {"seq": seq + 1})

        threads = [threading.Thread(target=count) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        with app.app_context():
            assert db.session.scalar(select(Table.seq)) == 80


@pytest.mark.sqlite
def test_who_waits_in_the_same_process_waits_without_an_end_and_without_stopping_the_others(start_app, monkeypatch):
    """SQLite itself would give up after its timeout, and let the whole process wait until then."""
    monkeypatch.setattr(database, "BUSY_TIMEOUT", 10)
    app = start_app()
    done = []

    def write(name, started, seconds):
        with app.app_context(), database.writing():
            started.set()
            db.session.add(new_table(name, name))
            db.session.flush()
            time.sleep(seconds)
            done.append(name)

    first_started, second_started = threading.Event(), threading.Event()
    first = threading.Thread(target=write, args=["first", first_started, 0.3])
    second = threading.Thread(target=write, args=["second", second_started, 0])
    first.start()
    first_started.wait()
    second.start()
    first.join()
    second.join()
    assert done == ["first", "second"]
    with app.app_context():
        assert names() == ["first", "second"]


COUNT_UP = """
import sys
from flask import Flask
from sqlalchemy import text
from companion.storage import database
app = Flask("count")
app.config["SQLALCHEMY_DATABASE_URI"] = sys.argv[1]
database.init_app(app)
for _ in range(30):
    with app.app_context(), database.writing() as connection:
        seq = connection.execute(text("SELECT seq FROM tables")).scalar_one()
        connection.execute(text("UPDATE tables SET seq = :seq"), {"seq": seq + 1})
"""


@pytest.mark.sqlite
def test_processes_that_share_a_sqlite_file_wait_for_each_other(app, database_url):
    with app.app_context(), database.writing():
        db.session.add(new_table())
    processes = [subprocess.Popen([sys.executable, "-c", COUNT_UP, database_url]) for _ in range(2)]
    assert [process.wait(60) for process in processes] == [0, 0]
    with app.app_context():
        assert db.session.scalar(select(Table.seq)) == 60


def test_an_error_that_may_be_logged_tells_no_link(app):
    with app.app_context():
        with database.writing():
            db.session.add(new_table(link="secret"))
        with pytest.raises(IntegrityError) as refused, database.writing():
            db.session.add(Table(name="T", play_token="play-other", watch_token="watch-secret", code="SESAME"))
        said = str(refused.value)
        assert "INSERT INTO tables" in said
        assert "play-other" not in said
        assert "SESAME" not in said


@pytest.mark.sqlite
def test_an_application_that_nobody_uses_leaves_the_memory(database_url, tmp_path):
    """Thousands of tests make one each: with all of them kept, Python searched longer and longer for what to free."""
    app = create_app(Settings.read({"COMPANION_INSTANCE": str(tmp_path), "DATABASE_URL": database_url}))
    with app.app_context():
        assert names() == []
        notifications.hub().stop()
        db.engine.dispose()
    gone = weakref.ref(app)
    del app
    gc.collect()
    assert gone() is None
