"""An empty or an older database becomes what models.py says, once, whoever starts at the same time."""

from __future__ import annotations

import subprocess
import sys

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine, inspect, text

from companion.app import create_app
from companion.settings import Settings
from companion.storage import database, migrations
from companion.storage.models import Base, db

pytestmark = pytest.mark.both_databases

TABLE = "(id, name, play_token, watch_token, seq, created)"
TABLES = sorted(["alembic_version", *Base.metadata.tables])


@pytest.fixture
def engine(empty_database_url):
    engine = create_engine(database.address(empty_database_url))
    database.prepare(engine)
    yield engine
    engine.dispose()


def tables(engine):
    return sorted(inspect(engine).get_table_names())


def described(engine):
    """What Alembic does not compare: checks, names of constraints, and what happens to rows that referred to a deleted one."""
    inspector = inspect(engine)
    return {
        table: {
            "checks": sorted((check["name"], normal(check["sqltext"])) for check in inspector.get_check_constraints(table)),
            "references": sorted(
                (key["name"], key["referred_table"], key["options"].get("ondelete"))
                for key in inspector.get_foreign_keys(table)
            ),
            "unique": sorted((each["name"], each["column_names"]) for each in inspector.get_unique_constraints(table)),
            "indexes": sorted((each["name"], each["column_names"]) for each in inspector.get_indexes(table)),
            "key": inspector.get_pk_constraint(table)["constrained_columns"],
        }
        for table in Base.metadata.tables
    }


def normal(condition):
    return condition.replace("(", "").replace(")", "")


def test_an_empty_database_gets_all_tables(engine):
    assert tables(engine) == []
    migrations.upgrade(engine)
    assert tables(engine) == TABLES


def test_migrations_and_models_agree(engine):
    migrations.upgrade(engine)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection, opts={"compare_type": True}), Base.metadata) == []


def test_they_agree_on_checks_names_and_cascades(engine):
    migrations.upgrade(engine)
    migrated = described(engine)
    with engine.begin() as connection:
        connection.execute(text("DROP TABLE alembic_version"))
        Base.metadata.drop_all(connection)
        Base.metadata.create_all(connection)
    assert migrated == described(engine)
    assert [name for name, _ in migrated["entries"]["checks"]] == ["ck_entries_kind"]
    assert migrated["players"]["references"] == [("fk_players_table_id_tables", "tables", "CASCADE")]


def test_once_is_enough(engine):
    migrations.upgrade(engine)
    with engine.begin() as connection:
        connection.execute(text(f"INSERT INTO tables {TABLE} VALUES (7, 'T', 'p', 'w', 0, '2026-01-01')"))
    migrations.upgrade(engine)
    with engine.connect() as connection:
        assert connection.execute(text("SELECT name FROM tables")).scalars().all() == ["T"]


def test_people_sit_where_they_were_drawn_for_the_game_that_they_played_last(engine):
    """Seats were numbered in turn order. Bisque's turn runs to the left: there the next number sat at one's left."""
    with engine.begin() as connection:
        config = migrations.configuration()
        config.attributes["connection"] = connection
        command.upgrade(config, "0004")
        for table, games in enumerate((("bisque", "beloz"), ("beloz", "bisque"), ()), start=1):
            connection.execute(
                text(f"INSERT INTO tables {TABLE} VALUES ({table}, 'T', 'p{table}', 'w{table}', 0, '2026-01-01')")
            )
            for seat, name in enumerate(("Ana", "Bo", "Cy"), start=1):
                values = f"({10 * table + seat}, {table}, '{name}', {seat})"
                connection.execute(text(f"INSERT INTO players (id, table_id, name, seat) VALUES {values}"))
            for number, game in enumerate(games, start=1):
                match = f"({10 * table + number}, {table}, {number}, '{game}', 1, '[]', '{{}}', 0, '2026-01-01')"
                columns = "(id, table_id, number, game, edition, players, options, seq, created)"
                connection.execute(text(f"INSERT INTO matches {columns} VALUES {match}"))
    migrations.upgrade(engine)
    with engine.connect() as connection:
        assert connection.execute(text("SELECT game, dealer FROM tables ORDER BY id")).all() == [
            ("beloz", None),
            ("bisque", None),
            (None, None),
        ]
        seats = connection.execute(text("SELECT table_id, name, seat FROM players ORDER BY table_id, seat")).all()
    assert [name for table, name, _ in seats if table == 1] == ["Ana", "Bo", "Cy"]
    assert [name for table, name, _ in seats if table == 2] == ["Ana", "Cy", "Bo"]
    assert [seat for _, _, seat in seats] == [1, 2, 3] * 3


def test_references_are_checked_afterwards(engine):
    migrations.upgrade(engine)
    with engine.connect() as connection, pytest.raises(Exception, match=r"(?i)foreign key"):
        connection.execute(text("INSERT INTO players VALUES (1, 99, 'Ana', 0, NULL)"))


def test_a_database_of_a_newer_companion_is_left_alone(engine):
    migrations.upgrade(engine)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(migrations.NewerDatabase, match="revision 9999, which this Companion does not know"):
        migrations.upgrade(engine)
    with engine.connect() as connection:
        assert migrations.revision(connection) == "9999"


def test_a_migration_that_fails_changes_nothing(engine, monkeypatch):
    upgrade = migrations._upgrade

    def fail_at_the_end(connection):
        upgrade(connection)
        raise ZeroDivisionError

    monkeypatch.setattr(migrations, "_upgrade", fail_at_the_end)
    with pytest.raises(ZeroDivisionError):
        migrations.upgrade(engine)
    assert tables(engine) == []
    monkeypatch.undo()
    migrations.upgrade(engine)
    assert tables(engine) == TABLES


UPGRADE = """
import sys
from sqlalchemy import create_engine
from companion.settings import Settings
from companion.storage import database, migrations
engine = create_engine(database.address(sys.argv[1]))
database.prepare(engine)
sys.stdin.read()  # ready; go when the others are
migrations.upgrade(engine)
"""


def test_of_several_processes_one_does_it_and_the_others_wait(engine, empty_database_url):
    processes = [
        subprocess.Popen([sys.executable, "-c", UPGRADE, empty_database_url], stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(3)
    ]
    for process in processes:
        process.stdin.close()
    said = [process.stderr.read().decode() for process in processes]
    assert [process.wait(60) for process in processes] == [0, 0, 0], said
    assert tables(engine) == TABLES
    with engine.connect() as connection:
        assert migrations.revision(connection) == migrations.newest()


def test_an_application_brings_its_own_database_up_to_date(empty_database_url, tmp_path):
    app = create_app(Settings.read({"DATABASE_URL": empty_database_url, "COMPANION_INSTANCE": str(tmp_path)}))
    migrations.migrate(app)
    with app.app_context():
        assert tables(db.engine) == TABLES
        db.engine.dispose()
