"""What do a supervisor and a person learn when the database is away, and are our own mistakes not called that?"""

from __future__ import annotations

import resource
import threading
from contextlib import contextmanager

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as NoConnectionLeft

from companion.storage import database, faults
from companion.storage.models import db
from tests.server import PATIENCE
from tests.web.people import Phone, says
from tests.web.streams import until

pytestmark = pytest.mark.both_databases


def test_all_is_well(client, storage):
    answer = client.get("/healthz")
    well = {"status": "ok"} if storage == "sqlite" else {"status": "ok", "bus": "ok"}
    assert (answer.status_code, answer.json) == (200, well)
    assert answer.headers["Cache-Control"] == "no-store"


AWAY = [
    OperationalError("SELECT", None, Exception("server closed the connection")),
    NoConnectionLeft("QueuePool limit of size 5 overflow 10 reached"),
]


@pytest.mark.parametrize("away", AWAY, ids=["cut off", "too many at once"])
def test_while_the_database_is_away_everybody_is_told_to_come_back(app, client, monkeypatch, away):
    def fail(*_arguments, **_options):
        raise away

    @app.get("/reads")
    def reads():
        fail()

    monkeypatch.setattr(db.session, "execute", fail)
    assert client.get("/healthz?alive").json == {"status": "alive"}
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json) == (503, {"status": "the database is away"})
    assert answer.headers["Retry-After"] == "3"
    page = client.get("/reads")
    assert page.status_code == 503
    assert page.headers["Retry-After"] == "3"
    assert says(page, "Companion can’t open the tables right now.")


@pytest.mark.parametrize("statement", ["SELECT nonsense", "INSERT INTO players VALUES (1, 99, 'Ana', 0, NULL)"])
def test_a_mistake_of_ours_is_not_blamed_on_the_database(app, client, statement):
    @app.get("/asks")
    def asks():
        with db.engine.begin() as connection:
            connection.execute(text(statement))

    app.testing = False
    page = client.get("/asks")
    if "nonsense" in statement and db_name(app) == "sqlite":
        assert page.status_code == 503  # SQLite calls almost everything an OperationalError
    else:
        assert page.status_code == 500


def db_name(app):
    with app.app_context():
        return db.engine.dialect.name


@pytest.fixture
def ana(app):
    """Return a phone at a table where a match has begun."""
    ana = Phone(app).make_table("Ana", "Bo", "Cy", "Di")
    ana.send("/matches", game="beloz")
    return ana


@pytest.mark.sqlite
class TestAFullDisk:
    @pytest.fixture
    def full(self, app, ana):
        """Leave room for nothing more."""

        def grow_no_more(connection, _record=None, _proxy=None):
            connection.execute("PRAGMA max_page_count = 1")  # it stays as large as it is

        with app.app_context():
            engine = db.engine
        database.event.listen(engine, "checkout", grow_no_more)
        return lambda: database.event.remove(engine, "checkout", grow_no_more)

    def enter_until_refused(self, ana):
        for number in range(400):
            answer = ana.send("/m/1/who", tap="passed-deal", expected_seq=number, idempotency_key=f"k{number}")
            if answer.status_code != 303:
                return number, answer
        raise AssertionError("there was room for everything")

    def test_people_read_it_and_a_supervisor_is_told_until_there_is_room(self, app, client, ana, full):
        stored, refused = self.enter_until_refused(ana)
        assert refused.status_code == 503
        assert says(refused, "The disk is full. Nothing was lost. What you typed is still on your phone.")
        assert refused.headers["Retry-After"] == "30"
        asked = client.get("/healthz")
        assert (asked.status_code, asked.json) == (503, {"status": "the disk is full"})
        assert ana.open("/m/1").status_code == 200
        full()
        with app.app_context():
            database.event.listen(db.engine, "checkout", lambda one, *_: one.execute("PRAGMA max_page_count = 1000000"))
        assert ana.send("/m/1/who", tap="passed-deal", expected_seq=stored, idempotency_key=f"k{stored}").status_code == 303
        assert client.get("/healthz").json == {"status": "ok"}

    def test_nobody_has_to_try_for_it_to_be_known(self, client, monkeypatch):
        monkeypatch.setattr(faults, "ROOM", 2**62)
        assert client.get("/healthz").json == {"status": "the disk is full"}

    def test_when_nobody_tries_again_it_is_forgotten(self, app, client, monkeypatch):
        faults.note(app, faults.FULL)
        assert client.get("/healthz").status_code == 503
        monkeypatch.setattr(faults, "REMEMBERED", 0.0)
        assert client.get("/healthz").status_code == 200


@contextmanager
def writing_is_forbidden(app):
    with app.app_context():
        database.event.listen(db.engine, "checkout", lambda one, *_: one.execute("PRAGMA query_only = ON"))
    yield


@contextmanager
def no_byte_can_be_written(_app):
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1, hard))  # the system refuses the bytes after the first of any file
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.sqlite
@pytest.mark.parametrize("failing", [writing_is_forbidden, no_byte_can_be_written])
def test_a_disk_that_fails_is_told_as_what_it_is(app, client, ana, failing):
    with failing(app):
        refused = ana.send("/m/1/who", tap="passed-deal", expected_seq=0, idempotency_key="k")
    assert refused.status_code == 503
    assert says(refused, "The disk can’t be read or written. What you typed is still on your phone.")
    assert client.get("/healthz").json == {"status": "the disk fails"}


@pytest.mark.sqlite
def test_a_damaged_file_is_told_to_people_and_to_a_supervisor(start_app, app, ana, tmp_path):
    file = tmp_path / "companion.sqlite"
    with app.app_context():
        db.engine.dispose()
    file.write_bytes(b"\xff" * file.stat().st_size)
    app = start_app()
    app.testing = False
    phone = app.test_client()
    refused = phone.get(f"{ana.link}/table")
    assert refused.status_code == 503
    assert says(refused, "What Companion has stored is damaged.")
    asked = phone.get("/healthz")
    assert (asked.status_code, asked.json) == (503, {"status": "the database is damaged"})


@pytest.fixture
def patience(app, monkeypatch):
    """Call it with the milliseconds that a request waits for somebody else's row, or for its turn to wait for it."""

    def waits(milliseconds):
        monkeypatch.setattr(database, "LOCK_TIMEOUT", milliseconds)
        monkeypatch.setattr(database, "STATEMENT_TIMEOUT", 2 * milliseconds)
        monkeypatch.setattr(database, "TURN_TIMEOUT", milliseconds / 1000)
        with app.app_context():
            db.engine.dispose()  # a connection is told when it is opened

    return waits


@pytest.fixture
def held(app, database_url, ana):
    """Call it to let so many entries come to ana's match while somebody holds its row: lends the line by which it is held.

    What they were answered stands in the list that comes with it; at the end of the block the row is let go.
    """

    @contextmanager
    def hold(entries):
        answers = []

        def enter(number):
            phone = Phone(app)
            phone.link = ana.link
            answer = phone.send("/m/1/who", tap="passed-deal", expected_seq=0, idempotency_key=f"k{number}")
            answers.append((answer.status_code, answer.headers.get("Retry-After")))

        threads = [threading.Thread(target=enter, args=(number,)) for number in range(entries)]
        somebody = create_engine(database.address(database_url))
        with somebody.connect() as holding:
            holding.execute(text("SELECT 1 FROM matches FOR UPDATE"))
            for thread in threads:
                thread.start()
            yield holding, answers
        somebody.dispose()
        for thread in threads:
            thread.join()

    return hold


@pytest.mark.postgresql
def test_a_row_that_somebody_holds_keeps_only_its_own_table_waiting(app, ana, held, patience):
    """Forty entries wait for it; everybody else enters and looks."""
    bo = Phone(app).make_table("Bo", "Ed")
    patience(1000 * PATIENCE)
    with held(40) as (holding, answers):
        waiting = text("SELECT count(*) FROM pg_locks WHERE NOT granted")
        until(lambda: holding.execute(waiting).scalar() == 1)  # the others wait for their turn, without a connection
        assert bo.send("/people/new", name="Flo").status_code == 303
        assert bo.get("/healthz").status_code == 200
        assert answers == []
    assert answers == [(303, None)] * 40


@pytest.mark.postgresql
def test_who_waits_for_a_row_in_vain_is_told_to_come_back(ana, held, patience):
    patience(200)
    with held(3) as (_, answers):
        until(lambda: len(answers) == 3)
    assert answers == [(503, "3")] * 3
    assert ana.send("/m/1/who", tap="passed-deal", expected_seq=0, idempotency_key="k0").status_code == 303
