"""What a supervisor hears, and what a person sees, when the database is away; and that our own mistakes are not called that."""

from __future__ import annotations

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as NoConnectionLeft

from companion.models import db
from tests.web.people import says


def test_all_is_well(client):
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json) == (200, {"status": "ok"})
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
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json) == (503, {"status": "the database is away"})
    assert answer.headers["Retry-After"] == "3"
    page = client.get("/reads")
    assert page.status_code == 503
    assert page.headers["Retry-After"] == "3"
    assert says(page, "The table's memory can't be reached just now.")


@pytest.mark.parametrize("statement", ["SELECT nonsense", "INSERT INTO players VALUES (1, 99, 'Ana', 0, NULL)"])
def test_a_mistake_of_ours_is_not_blamed_on_the_database(app, client, statement):
    @app.get("/asks")
    def asks():
        with db.engine.begin() as connection:
            connection.execute(text(statement))

    app.testing = False
    page = client.get("/asks")
    if "nonsense" in statement and db_name(app) == "sqlite":
        assert page.status_code == 503  # SQLite calls everything operational
    else:
        assert page.status_code == 500


def db_name(app):
    with app.app_context():
        return db.engine.dialect.name
