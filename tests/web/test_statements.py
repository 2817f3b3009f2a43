"""Do the statements of every tap give the same rows on both databases, in the transaction that they are given?"""

from __future__ import annotations

from datetime import datetime

import pytest
from sqlalchemy import bindparam, insert, or_, select, update
from sqlalchemy.exc import IntegrityError, OperationalError

from companion.storage import database
from companion.storage.models import Entry, Match, Table, db
from companion.storage.statements import Statement

pytestmark = pytest.mark.both_databases

BY_LINK = Statement(
    select(Table.id, Table.name, Table.created)
    .where(or_(Table.play_token == bindparam("link"), Table.watch_token == bindparam("link")))
    .order_by(Table.id)
)
ADD = Statement(
    insert(Table)
    .values({name: bindparam(name) for name in ("name", "play_token", "watch_token", "agrees", "seq", "created")})
    .returning(Table.id)
)
COUNT_UP = Statement(update(Table).where(Table.id == bindparam("table")).values(seq=Table.seq + 1).returning(Table.seq))

NEW_YEAR = datetime(2026, 1, 1, 12, 30, 15, 250)


def add(connection, link, name="Kitchen table"):
    links = {"play_token": f"play-{link}", "watch_token": f"watch-{link}"}
    new = {"name": name, **links, "agrees": False, "seq": 0, "created": NEW_YEAR}
    return ADD.one(connection, **new)[0]


def test_what_is_written_is_read_with_its_types(app):
    with app.app_context():
        with database.writing() as connection:
            number = add(connection, "a", "Zoë’s “table”")
        with database.reading() as connection:
            assert BY_LINK.one(connection, link="watch-a") == (number, "Zoë’s “table”", NEW_YEAR)
        assert db.session.get(Table, number).created == NEW_YEAR


def test_json_comes_back_as_it_was(app):
    read = Statement(select(Match.players, Match.options).where(Match.number == bindparam("match")))
    with app.app_context(), database.writing() as connection:
        match = Match(table_id=add(connection, "a"), number=1, game="beloz", players=["Ana", "Bo"], options={"target": 500})
        db.session.add(match)
        db.session.flush()
        assert read.one(connection, match=match.number) == (["Ana", "Bo"], {"target": 500})


def test_nothing_found_is_none(app):
    with app.app_context(), database.reading() as connection:
        assert BY_LINK.one(connection, link="nobody") is None
        assert list(BY_LINK.all(connection, link="nobody")) == []


def test_several_rows_come_in_their_order(app):
    every = Statement(select(Table.name).order_by(Table.name))
    with app.app_context():
        with database.writing() as connection:
            for link, name in (("a", "Garden"), ("b", "Attic"), ("c", "Kitchen")):
                add(connection, link, name)
        with database.reading() as connection:
            assert [tuple(row) for row in every.all(connection)] == [("Attic",), ("Garden",), ("Kitchen",)]


def test_constants_of_the_statement_need_no_value(app):
    with app.app_context(), database.writing() as connection:
        number = add(connection, "a")
        assert [COUNT_UP.one(connection, table=number)[0] for _ in range(3)] == [1, 2, 3]


def test_a_statement_without_rows_gives_none(app):
    rename = Statement(update(Table).values(name=bindparam("called")))
    with app.app_context(), database.writing() as connection:
        add(connection, "a")
        assert list(rename.all(connection, called="Attic")) == []
        assert db.session.scalars(select(Table.name)).all() == ["Attic"]


def test_it_is_a_part_of_the_transaction(app):
    def add_and_fail():
        with database.writing() as connection:
            add(connection, "a")
            assert BY_LINK.one(connection, link="play-a") is not None
            raise ZeroDivisionError

    with app.app_context():
        with pytest.raises(ZeroDivisionError):
            add_and_fail()
        with database.reading() as connection:
            assert BY_LINK.one(connection, link="play-a") is None


def test_what_is_read_inside_a_writing_is_read_in_it(app):
    with app.app_context(), database.writing() as connection:
        add(connection, "a")
        with database.reading() as same:
            assert BY_LINK.one(same, link="play-a") is not None


def test_a_refusal_is_sqlalchemys_and_tells_no_link(app):
    with app.app_context():
        with database.writing() as connection:
            add(connection, "secret")
        with pytest.raises(IntegrityError) as refused, database.writing() as connection:
            add(connection, "secret")
        assert "INSERT INTO tables" in str(refused.value)
        assert "play-secret" not in str(refused.value).replace("Key (play_token)=(play-secret)", "")
        with database.writing() as connection:
            add(connection, "other")


def test_references_are_checked(app):
    names = ("table_id", "match_number", "seq", "key", "player", "at", "kind", "body")
    line = Statement(insert(Entry).values({name: bindparam(name) for name in names}))
    with app.app_context(), pytest.raises(IntegrityError), database.writing() as connection:
        line.all(connection, table_id=7, match_number=1, seq=1, key="k", player=None, at=NEW_YEAR, kind="events", body="{}")


@pytest.mark.sqlite
def test_a_database_that_is_away_is_told_as_such(app):
    with app.app_context():
        with database.writing() as connection:
            add(connection, "a")
        with database.reading() as connection:
            connection.connection.driver_connection.execute("ALTER TABLE tables RENAME TO gone")
            with pytest.raises(OperationalError, match="no such table"):
                BY_LINK.one(connection, link="play-a")
