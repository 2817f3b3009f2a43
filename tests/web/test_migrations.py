"""Does an empty or an older database become what models.py says, once, whoever starts at the same time?"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine, inspect, text

from companion.app import create_app
from companion.engine.beloz import PassedDeal
from companion.matches import drafts, entries
from companion.settings import Settings
from companion.storage import database, migrations
from companion.storage.models import Base, Match, MatchId, db
from tests.web.older import bring_to, keep_matches

pytestmark = pytest.mark.both_databases

CHECKOUT = Path(__file__).resolve().parent.parent.parent
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


def make_anew(engine):
    """Make all tables as models.py says, in the place of those that migrations made."""
    with engine.begin() as connection:
        connection.execute(text("DROP TABLE alembic_version"))
        Base.metadata.drop_all(connection)
        Base.metadata.create_all(connection)


def described(engine):
    """Return what Alembic does not compare: checks, names of constraints, and what deleting a row does to others."""
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
    make_anew(engine)
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
    bring_to(engine, "0004")
    with engine.begin() as connection:
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


def test_older_matches_get_the_package_that_brings_their_game_now(engine, tmp_path, monkeypatch):
    """The package is not imported for that: it may be broken, and its tables open all the same."""
    bring_to(engine, "0006")
    keep_matches(engine)
    with engine.begin() as connection:
        connection.execute(text("UPDATE matches SET game = 'magpie' WHERE id = 5"))
        connection.execute(text("UPDATE matches SET game = 'owl' WHERE id = 6"))  # whose package is gone
    installed = tmp_path / "companion_magpie-1.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Name: companion-magpie\nVersion: 1\n")
    (installed / "entry_points.txt").write_text("[companion.games]\nmagpie = not_there:PLUGIN\n")
    monkeypatch.syspath_prepend(tmp_path)
    migrations.upgrade(engine)
    with engine.connect() as connection:
        packages = connection.execute(text("SELECT game, package FROM matches ORDER BY table_id, number")).all()
    assert packages == [("magpie", "companion-magpie"), ("owl", None), ("beloz", None)]


@pytest.fixture(params=[0, 4], ids=["whole", "in parts"])
def older(request, engine):
    """Return a database of the version before keys began with the table; the parameter says in how many partitions."""
    bring_to(engine, "0006")
    keep_matches(engine)
    with engine.begin() as connection:
        connection.execute(text("UPDATE matches SET head = seq, begun_by = 2, brought = true WHERE id = 5"))
        drafted = """(5, 2, '{"bidder":1}', '{}'), (2, 0, '{"bidder":2}', '{}')"""
        connection.exec_driver_sql(f"INSERT INTO drafts VALUES {drafted}")
        connection.execute(text("INSERT INTO bags VALUES (6, :seed, true)"), {"seed": b"s" * 32})
    return request.param


def test_matches_and_what_belongs_to_them_are_known_by_their_table(engine, older):
    migrations.upgrade(engine, partitions=older)
    with engine.connect() as connection:
        for statement, rows in {
            "SELECT table_id, number, seq, head, begun_by, brought FROM matches ORDER BY table_id, number": [
                (3, 1, 2, 2, 2, True),
                (3, 2, 1, 0, None, False),
                (4, 1, 0, 0, None, False),
            ],
            "SELECT table_id, match_number, seq, key, player, kind FROM entries ORDER BY table_id, match_number, seq": [
                (3, 1, 1, "a", 3, "events"),
                (3, 1, 2, "b", 3, "events"),
                (3, 2, 1, "a", 3, "events"),
            ],
            "SELECT * FROM drafts ORDER BY table_id": [(3, 1, 2, '{"bidder":1}', "{}"), (4, 1, 0, '{"bidder":2}', "{}")],
            "SELECT table_id, match_number, seed, shown FROM bags": [(3, 2, b"s" * 32, True)],
        }.items():
            assert [tuple(row) for row in connection.execute(text(statement))] == rows


def test_what_an_older_version_stored_is_played_on(older, empty_database_url, tmp_path):
    there = {"DATABASE_URL": empty_database_url, "COMPANION_INSTANCE": str(tmp_path), "COMPANION_PARTITIONS": str(older)}
    app = create_app(Settings.read(there))
    migrations.migrate(app)
    with app.app_context():
        match = MatchId(3, 1)
        assert [line.key for line in entries.read(match).written] == ["a", "b"]
        assert drafts.draft(match, 2) == {"bidder": 1}
        assert entries.read(match).people == ("Ana", "Bo", "Cy", "Di")
        assert entries.record(match, [PassedDeal()], idempotency_key="a", expected_seq=0).again
        assert entries.record(match, [PassedDeal()], idempotency_key="c", expected_seq=2, player="Ed").seq == 3
        assert entries.read(match).people == ("Ana", "Bo", "Cy", "Di", "Ed")
        number = entries.open_match(3, "beloz", ["Ana", "Bo", "Cy", "Di"])
        assert db.session.scalars(db.select(Match.id).where(Match.table_id == 3)).all()[-1] == MatchId(3, number) == (3, 3)
        db.engine.dispose()


@pytest.mark.postgresql
class TestPartitions:
    def test_a_table_s_entries_are_in_one_and_only_that_one_is_read(self, engine):
        bring_to(engine, "0006")
        keep_matches(engine)
        migrations.upgrade(engine, partitions=4)
        with engine.begin() as connection:
            assert migrations.partitions_of(connection) == 4
            for statement in (
                "INSERT INTO tables SELECT 10 + n, 'T', 'p' || n, 'w' || n, NULL, NULL, 0, now() FROM {}",
                "INSERT INTO matches SELECT 10 + n, 1, 'beloz', 1, '[]', '{{}}', 1, 1, NULL, now() FROM {}",
                "INSERT INTO entries SELECT 10 + n, 1, 1, 'k', NULL, now(), 'events', '' FROM {}",
            ):
                connection.execute(text(statement.format("generate_series(11, 50) n")))
            spread = "SELECT tableoid::regclass::text, count(DISTINCT table_id) FROM entries GROUP BY 1"
            parts = dict(tuple(row) for row in connection.execute(text(spread)))
            assert set(parts) == {f"entries_{number}" for number in range(4)}
            assert sum(parts.values()) == 41
            asked = "EXPLAIN SELECT body FROM entries WHERE table_id = 3 AND match_number = 1"
            plan = connection.execute(text(asked)).scalars()
            assert len(set(re.findall(r"entries_\d", " ".join(plan)))) == 1

    def test_with_what_the_docs_say_for_citus_every_key_contains_the_table(self, engine):
        """Citus itself is not here: what it asks of keys is, and the statements before and after it are PostgreSQL's."""
        (sql,) = re.findall(r"```sql\n(.*?)```", (CHECKOUT / "docs" / "hosting.md").read_text("utf-8"), re.DOTALL)
        spread = dict(re.findall(r"create_distributed_table\('(\w+)', '(\w+)'", sql))
        of_a_table = (
            "players",
            "matches",
            "entries",
            "aliases",
            "match_facts",
            "almanac_notes",
            "lots",
            "drafts",
            "bags",
            "witnesses",
        )
        assert spread == {"tables": "id", **dict.fromkeys(of_a_table, "table_id")}
        assert {*spread, "clubs", "club_tables", "handovers", "kept", "knocks", "restores"} == {*Base.metadata.tables}
        migrations.upgrade(engine)
        before = described(engine)
        with engine.begin() as connection:
            for statement in re.sub(r"^(--|SELECT).*$", "", sql, flags=re.MULTILINE).split(";"):
                if statement.strip():
                    connection.execute(text(statement))
        after = described(engine)
        for relation, column in spread.items():
            assert column in after[relation]["key"]
            assert all(column in columns for _, columns in after[relation]["unique"])
            assert after[relation]["references"] == before[relation]["references"]

    def test_they_have_the_constraints_that_models_py_says(self, engine):
        migrations.upgrade(engine, partitions=3)
        parted = described(engine)
        make_anew(engine)
        assert parted == described(engine)

    def test_another_number_later_is_said_and_changes_nothing(self, empty_database_url, tmp_path, caplog):
        there = {"DATABASE_URL": empty_database_url, "COMPANION_INSTANCE": str(tmp_path)}
        for asked, said in (("", 0), ("2", 1), ("0", 1)):
            app = create_app(Settings.read({**there, "COMPANION_PARTITIONS": asked}))
            migrations.migrate(app)
            assert len(caplog.records) == said
            with app.app_context(), db.engine.connect() as connection:
                assert migrations.partitions_of(connection) == 0
                connection.close()
                db.engine.dispose()
        assert "COMPANION_PARTITIONS is 2, and the entries here have none." in caplog.text


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

    def fail_at_the_end(connection, partitions):
        upgrade(connection, partitions)
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
from companion.storage import database, migrations
engine = create_engine(database.address(sys.argv[1]))
database.prepare(engine)
sys.stdin.read()  # ready; go when the others are
migrations.upgrade(engine)
"""


def test_of_two_processes_one_does_it_and_the_other_waits(engine, empty_database_url):
    processes = [
        subprocess.Popen([sys.executable, "-c", UPGRADE, empty_database_url], stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(2)
    ]
    for process in processes:
        process.stdin.close()
    said = [process.stderr.read().decode() for process in processes]
    assert [process.wait(60) for process in processes] == [0, 0], said
    assert tables(engine) == TABLES
    with engine.connect() as connection:
        assert migrations.revision(connection) == migrations.newest()


def test_an_application_brings_its_own_database_up_to_date(empty_database_url, tmp_path):
    app = create_app(Settings.read({"DATABASE_URL": empty_database_url, "COMPANION_INSTANCE": str(tmp_path)}))
    migrations.migrate(app)
    with app.app_context():
        assert tables(db.engine) == TABLES
        db.engine.dispose()
