"""Are all tables written to one file while phones play, and put back while nobody does, between both databases?"""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import threading
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import create_engine, select, text

from companion.app import create_app
from companion.cli import main
from companion.engine.beloz import PassedDeal
from companion.engine.beluga_cup import Fill
from companion.matches import entries, restoring
from companion.settings import Settings
from companion.storage import backup, database, migrations, notifications, snapshot
from companion.storage.models import Base, Match, Restore, Table, db, now
from tests.web.conftest import seat
from tests.web.older import bring_to, keep_matches
from tests.web.people import Phone

CHECKOUT = Path(__file__).resolve().parent.parent.parent


def _without_restores(table):
    columns = [column for column in table.columns if (table.name, column.name) != ("matches", "seq")]
    query = select(*columns)
    return query.where(table.c.kind != "restore") if table.name == "entries" else query


def rows(url):
    """Return everything that is stored, by table; besides which backups were put back, in a row and in each match's log."""
    engine = create_engine(database.address(url))
    with engine.connect() as connection:
        found = {
            table.name: sorted(map(repr, connection.execute(_without_restores(table)).all()))
            for table in Base.metadata.sorted_tables
            if table.name != Restore.__tablename__
        }
    engine.dispose()
    return found


@pytest.fixture
def played(app, database_url, storage, request):
    """Return a database, to which nobody is connected: two tables, a match with an undo, one whose fish Companion draws."""
    with app.app_context():
        first = seat(("Ana", "Bo", "Cy", "Di"))
        entries.open_match(first.id, "beloz", ["Ana", "Bo", "Cy", "Di"])
        match = db.session.scalar(select(Match.id))
        entries.record(match, [PassedDeal()], idempotency_key="a", expected_seq=0, player=2)
        entries.change_draft(match, lambda draft: {"bidder": 1})
        entries.undo(match, idempotency_key="b", expected_seq=1)
        second = seat(("Éva", "Bœuf 🐟"), number=1)
        entries.open_match(second.id, "beluga-cup", ["Éva", "Bœuf 🐟"])
        db.session.remove()
        notifications.hub().stop()
        db.engine.dispose()
    if storage == "postgresql":
        request.getfixturevalue("postgresql_server").leave()
    return database_url


def restores(url):
    """Return when each backup was made that was put back, and when it was put back."""
    engine = create_engine(database.address(url))
    with engine.connect() as connection:
        noted = connection.execute(select(Restore.made, Restore.at).order_by(Restore.id)).all()
    engine.dispose()
    return noted


def address(url):
    return database.address(url)


def with_open_bags(kept):
    """Return the same after a restore: each seed may have been shown since the backup was made."""
    assert [bag.endswith(", False)") for bag in kept["bags"]] == [True]
    return {**kept, "bags": [bag.replace(", False)", ", True)") for bag in kept["bags"]]}


@pytest.mark.both_databases
class TestRoundTrip:
    def test_everything_comes_back_into_an_empty_database(self, played, empty_database_url, tmp_path):
        file = tmp_path / "kept.sqlite"
        before = rows(played)
        assert len(before["entries"]) == 2
        assert len(before["bags"]) == 1
        assert str(backup.backup(address(played), file)) == "2 tables, 2 matches and 2 entries"
        holds, aside = restoring.restore(address(empty_database_url), file)
        assert str(holds) == "2 tables, 2 matches and 2 entries"
        assert aside is None
        assert rows(played) == before
        assert rows(empty_database_url) == with_open_bags(before)

    def test_what_is_there_is_only_replaced_when_asked_and_kept_aside(self, played, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        file = tmp_path / "kept.sqlite"
        backup.backup(address(played), file)
        before = rows(played)
        engine = create_engine(address(played))
        with engine.begin() as connection:
            connection.execute(text("UPDATE tables SET name = 'Later'"))
        engine.dispose()
        later = rows(played)
        with pytest.raises(snapshot.BackupError, match=r"^There are tables already.*--force"):
            restoring.restore(address(played), file)
        assert rows(played) == later
        _, aside = restoring.restore(address(played), file, replace=True)
        assert rows(played) == with_open_bags(before)
        assert rows(f"sqlite:///{aside}") == later
        assert stat.S_IMODE(aside.stat().st_mode) == 0o600

    def test_it_is_noted_when_the_backup_was_made_and_put_back(self, played, empty_database_url, tmp_path):
        assert restores(played) == []
        begun = now()
        backup.backup(address(played), tmp_path / "kept.sqlite")
        backed_up = now()
        restoring.restore(address(empty_database_url), tmp_path / "kept.sqlite")
        ((made, at),) = restores(empty_database_url)
        assert begun <= made <= backed_up <= at <= now()

    def test_a_backup_that_does_not_say_when_it_was_made_is_as_old_as_its_newest_entry(
        self, played, empty_database_url, tmp_path
    ):
        backup.backup(address(played), tmp_path / "kept.sqlite")
        with closing(sqlite3.connect(tmp_path / "kept.sqlite")) as file:
            file.execute("DELETE FROM restores")
            file.execute("UPDATE entries SET at = '2026-01-02 03:04:05.000000' WHERE seq = 2")
            file.execute("UPDATE entries SET at = '2026-01-02 03:04:00.000000' WHERE seq = 1")
            file.commit()
        restoring.restore(address(empty_database_url), tmp_path / "kept.sqlite")
        ((made, _),) = restores(empty_database_url)
        assert made == datetime(2026, 1, 2, 3, 4, 5)

    def test_it_goes_on_afterwards(self, played, empty_database_url, tmp_path):
        """Numbers of new rows begin after those that came back."""
        file = tmp_path / "kept.sqlite"
        backup.backup(address(played), file)
        restoring.restore(address(empty_database_url), file)
        app = create_app(Settings.read({"DATABASE_URL": empty_database_url, "COMPANION_INSTANCE": str(tmp_path)}))
        with app.app_context():
            third = seat(("Ed",), number=2)
            assert third.id == 3
            cup = db.session.scalar(select(Match.id).where(Match.game == "beluga-cup"))
            with pytest.raises(entries.EntryRejected, match="or a backup was put back"):  # somebody may know its next fish
                entries.record(cup, [Fill(1, (), "app")], by_app=True, idempotency_key="d", expected_seq=0)
            entries.open_match(1, "beloz", ["Ana", "Bo", "Cy", "Di"], after=1)
            match = db.session.scalar(select(Match.id).where(Match.number == 2))
            assert entries.record(match, [PassedDeal()], idempotency_key="c", expected_seq=0).seq == 1
            db.session.remove()
            db.engine.dispose()

    def test_nothing_is_put_back_while_somebody_uses_the_database(self, played, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        file = tmp_path / "kept.sqlite"
        backup.backup(address(played), file)
        before = rows(played)
        engine = create_engine(address(played))
        database.prepare(engine)
        with engine.connect() as connection:
            connection.execute(text("SELECT name FROM tables")).all()
            connection.rollback()
            with pytest.raises(snapshot.BackupError, match=r"Stop (it|every Companion) first, then restore\.$"):
                restoring.restore(address(played), file, replace=True)
        engine.dispose()
        assert rows(played) == before

    def test_a_file_that_is_there_is_only_replaced_when_asked(self, played, tmp_path):
        file = tmp_path / "kept.sqlite"
        file.write_text("dear diary")
        with pytest.raises(snapshot.BackupError, match="is there already"):
            backup.backup(address(played), file)
        assert file.read_text() == "dear diary"
        backup.backup(address(played), file, replace=True)
        backup.backup(address(played), file, replace=True)
        assert file.read_bytes().startswith(b"SQLite format 3")

    def test_it_is_one_file_for_its_owner_alone(self, played, tmp_path):
        folder = tmp_path / "copies"
        folder.mkdir()
        backup.backup(address(played), folder / "kept.sqlite")
        assert [file.name for file in folder.iterdir()] == ["kept.sqlite"]
        assert stat.S_IMODE((folder / "kept.sqlite").stat().st_mode) == 0o600

    def test_a_database_that_nobody_has_used_is_a_sentence(self, empty_database_url, tmp_path):
        with pytest.raises(snapshot.BackupError, match=r"^There are no tables"):
            backup.backup(address(empty_database_url), tmp_path / "kept.sqlite")
        assert not (tmp_path / "kept.sqlite").exists()

    def test_a_backup_while_phones_write_holds_whole_matches(self, app, table, database_url, tmp_path):
        """What is written is one moment: logs and their numbers agree, whatever goes on."""
        with app.app_context():
            entries.open_match(table.id, "beloz", ["Ana", "Bo", "Cy", "Di"])
            match = db.session.scalar(select(Match.id))
        done = threading.Event()
        written = []

        def write():
            with app.app_context():
                while not done.is_set() and len(written) < 2000:
                    written.append(
                        entries.record(
                            match, [PassedDeal()], idempotency_key=f"k{len(written)}", expected_seq=entries.read(match).seq
                        ).seq
                    )

        writer = threading.Thread(target=write)
        writer.start()
        try:
            kept = []
            for number in range(5):
                while len(written) < 10 * number:
                    done.wait(0.01)
                kept.append(backup.backup(address(database_url), tmp_path / f"{number}.sqlite").entries)
        finally:
            done.set()
            writer.join()
        assert kept == sorted(kept)
        assert 40 <= kept[-1] <= len(written)


@pytest.fixture
def kept(played, tmp_path):
    file = tmp_path / "kept.sqlite"
    backup.backup(address(played), file)
    return file


def target(tmp_path):
    return address(f"sqlite:///{tmp_path / 'new' / 'companion.sqlite'}")


def edit(file, *statements):
    with closing(sqlite3.connect(file, isolation_level=None)) as opened:
        for statement in statements:
            opened.execute(statement)


def overwrite(file, at, data):
    with file.open("r+b") as opened:
        opened.seek(at)
        opened.write(data)


DAMAGE = [
    (lambda file: file.write_text("nonsense"), "is not a backup of Companion: it is not an SQLite file."),
    (lambda file: file.write_bytes(b""), "is not a backup of Companion: it is not an SQLite file."),
    (lambda file: file.unlink(), "can't be read: No such file or directory."),
    (lambda file: overwrite(file, 100, b"\xff" * 3000), "is damaged: "),
    (lambda file: overwrite(file, 4096, b"\x00" * 8192), "is damaged: "),
    (lambda file: os.truncate(file, 5000), "is damaged: "),
    (lambda file: edit(file, "DROP TABLE alembic_version"), "is not a backup of Companion: it holds other things."),
    (lambda file: edit(file, "UPDATE alembic_version SET version_num = '9999'"), "was written by a newer Companion."),
    (lambda file: edit(file, "DELETE FROM entries WHERE seq = 1"), "is damaged: 1 of its matches lack entries."),
    (
        lambda file: edit(file, "PRAGMA foreign_keys = OFF", "DELETE FROM tables"),
        "is damaged: some rows have lost what they belong to.",
    ),
    (
        lambda file: edit(file, "CREATE TRIGGER t AFTER INSERT ON tables BEGIN DELETE FROM entries; END"),
        "holds triggers, which Companion never makes.",
    ),
    (
        lambda file: edit(file, "CREATE INDEX slow ON tables (length(hex(zeroblob(id * 100000))))"),
        "holds indexes that are computed, which Companion never makes.",
    ),
    (lambda file: edit(file, "CREATE INDEX part ON tables (id) WHERE id > 1"), "holds indexes that are computed,"),
    (lambda file: edit(file, "ALTER TABLE tables ADD c AS (hex(zeroblob(9)))"), "holds columns that are computed,"),
    (lambda file: edit(file, "ALTER TABLE tables ADD c TEXT"), "holds other things than Companion's: tables.c."),
    (lambda file: edit(file, "CREATE TABLE more (id INTEGER)"), "holds other things than Companion's: more."),
]


@pytest.mark.both_databases
class TestDamage:
    @pytest.mark.sqlite  # as every backup is
    @pytest.mark.parametrize(("damage", "sentence"), DAMAGE)
    def test_a_file_that_is_not_sound_is_a_sentence_and_changes_nothing(self, kept, tmp_path, damage, sentence):
        damage(kept)
        with pytest.raises(snapshot.BackupError) as refused:
            restoring.restore(target(tmp_path), kept)
        assert str(refused.value).startswith(f"{kept} {sentence}"), str(refused.value)
        assert not (tmp_path / "new" / "companion.sqlite").exists()

    @pytest.mark.parametrize("revision", ["0001", "0006"])
    def test_a_file_of_an_older_version_is_brought_up_to_date(self, empty_database_url, tmp_path, revision):
        old = tmp_path / "old.sqlite"
        before = create_engine(f"sqlite:///{old}")
        bring_to(before, revision)
        keep_matches(before)
        before.dispose()
        held, _ = restoring.restore(address(empty_database_url), old)
        assert str(held) == "2 tables, 3 matches and 3 entries"
        engine = create_engine(address(empty_database_url))
        with engine.connect() as connection:
            assert migrations.revision(connection) == migrations.newest()
            lines = "SELECT table_id, match_number, seq, key FROM entries WHERE kind = 'events' ORDER BY match_number, seq"
            assert connection.execute(text(lines)).all() == [(3, 1, 1, "a"), (3, 1, 2, "b"), (3, 2, 1, "a")]
        engine.dispose()

    @pytest.mark.sqlite
    def test_a_plain_copy_of_the_file_will_do(self, played, tmp_path):
        copied = tmp_path / "copied.sqlite"
        shutil.copy(address(played).database, copied)
        holds, _ = restoring.restore(target(tmp_path), copied)
        assert holds.tables == 2

    @pytest.mark.sqlite
    def test_the_tables_own_file_is_neither_written_over_nor_put_back_into_itself(self, played):
        own = Path(address(played).database)
        with pytest.raises(snapshot.BackupError, match="Choose another file for the backup"):
            backup.backup(address(played), own, replace=True)
        with pytest.raises(snapshot.BackupError, match="holds the tables themselves"):
            restoring.restore(address(played), own, replace=True)

    def test_a_folder_that_is_not_there(self, played, tmp_path):
        with pytest.raises(snapshot.BackupError, match=r"^There is no folder"):
            backup.backup(address(played), tmp_path / "nowhere" / "kept.sqlite")

    @pytest.mark.sqlite
    def test_a_backup_that_fails_leaves_nothing(self, played, tmp_path, monkeypatch):
        def fail(source, target):
            target.write_text("half")
            raise sqlite3.OperationalError("disk full")

        monkeypatch.setattr(backup, "_copy_sqlite", fail)
        with pytest.raises(snapshot.BackupError, match="could not be written: disk full"):
            backup.backup(address(played), tmp_path / "kept.sqlite")
        assert not [file for file in tmp_path.iterdir() if "kept" in file.name]

    @pytest.mark.sqlite
    def test_a_damaged_database_is_not_backed_up_over_a_sound_file(self, played, kept):
        sound = kept.read_bytes()
        edit(address(played).database, "DELETE FROM entries WHERE seq = 1")
        with pytest.raises(snapshot.BackupError, match="is damaged"):
            backup.backup(address(played), kept, replace=True)
        assert kept.read_bytes() == sound


def companion(*arguments, instance, **settings):
    """Give a command as in the terminal, without the second that a process of its own takes to begin."""
    given = {"COMPANION_INSTANCE": str(instance), **{name: value or None for name, value in settings.items()}}
    return CliRunner().invoke(main, [str(each) for each in arguments], env=given)


KILLED = """
import os, sys
from pathlib import Path
from companion.settings import Settings
from companion.matches import restoring
from companion.storage import backup, snapshot, restore

def die(*_, **__):
    os.kill(os.getpid(), 9)

backup.check = die
restore._into_sqlite = die
url, (command, file) = snapshot.address(sys.argv[1]), sys.argv[2:]
getattr(backup if command == "backup" else restoring, command)(url, Path(file))
"""


@pytest.mark.sqlite
class TestKilled:
    """Copies of everything, links and seeds, must not lie about for ever."""

    def kill(self, command, played, file):
        ended = subprocess.run([sys.executable, "-c", KILLED, played, command, str(file)], cwd=CHECKOUT)
        assert ended.returncode == -9

    def test_what_a_backup_left_goes_with_the_next_one(self, played, tmp_path):
        folder = tmp_path / "copies"
        folder.mkdir()
        self.kill("backup", played, folder / "monday.sqlite")
        (left,) = folder.iterdir()
        assert left.stat().st_size > 1000
        backup.backup(address(played), folder / "tuesday.sqlite")
        assert [file.name for file in folder.iterdir()] == ["tuesday.sqlite"]

    def test_what_a_restore_left_goes_with_the_next_one(self, kept, tmp_path, monkeypatch):
        beside = tmp_path / "beside"
        beside.mkdir()
        monkeypatch.setenv("TMPDIR", str(beside))
        monkeypatch.setattr("tempfile.tempdir", None)
        new = f"sqlite:///{tmp_path / 'killed' / 'companion.sqlite'}"
        self.kill("restore", new, kept)
        (left,) = beside.iterdir()
        assert (left / "checked.sqlite").stat().st_size > 1000
        restoring.restore(target(tmp_path), kept)
        assert list(beside.iterdir()) == []

    def test_what_somebody_is_still_writing_stays(self, played, tmp_path, monkeypatch):
        file, check = tmp_path / "kept.sqlite", backup.check

        def meanwhile(partial):
            monkeypatch.setattr(backup, "check", check)
            backup.backup(address(played), tmp_path / "other.sqlite")
            assert partial.exists()
            return check(partial)

        monkeypatch.setattr(backup, "check", meanwhile)
        assert backup.backup(address(played), file).tables == 2
        assert file.exists()


class TestCommandLine:
    @pytest.mark.sqlite
    def test_backup_and_restore(self, played, tmp_path):
        here, there = tmp_path / "here", tmp_path / "there"
        here.mkdir()
        shutil.copy(address(played).database, here / "companion.sqlite")
        done = companion("backup", tmp_path / "kept.sqlite", instance=here, DATABASE_URL="")
        assert (done.exit_code, done.stderr) == (0, "")
        assert done.stdout == f"2 tables, 2 matches and 2 entries are in {tmp_path / 'kept.sqlite'}.\n"
        done = companion("restore", tmp_path / "kept.sqlite", instance=there, DATABASE_URL="")
        assert (done.exit_code, done.stdout, done.stderr) == (0, "2 tables, 2 matches and 2 entries are back.\n", "")
        assert [file.name for file in there.iterdir()] == ["companion.sqlite"]
        again = companion("restore", tmp_path / "kept.sqlite", instance=there, DATABASE_URL="")
        assert (again.exit_code, again.stdout) == (2, "")
        assert "--force" in again.stderr
        forced = companion("restore", "--force", tmp_path / "kept.sqlite", instance=there, DATABASE_URL="")
        assert forced.stdout.splitlines()[1].startswith(f"What was there before is in {there}/before-restore-")

    def test_nothing_to_back_up(self, tmp_path):
        done = companion("backup", tmp_path / "kept.sqlite", instance=tmp_path / "empty", DATABASE_URL="")
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr.startswith("There are no tables to back up")
        assert not (tmp_path / "empty").exists()

    def test_a_wrong_address_is_a_sentence(self, tmp_path):
        done = companion("backup", tmp_path / "kept.sqlite", instance=tmp_path, DATABASE_URL="mysql://x/y")
        assert done.exit_code == 2
        assert done.stderr.startswith("DATABASE_URL is 'mysql://x/y'. It takes the address of a PostgreSQL database")
        done = companion("backup", tmp_path / "kept.sqlite", instance=tmp_path, DATABASE_URL="postgresql://127.0.0.1:9/x")
        assert done.exit_code == 2
        assert done.stderr.startswith("The database can't be read: ")
        assert "Traceback" not in done.stderr

    def test_a_table_is_carried_over(self, app, tmp_path):
        ana = Phone(app).make_table("Ana", "Bo", "Cy", "Di")
        ana.send("/matches", game="beloz")
        with app.app_context():
            here = {"instance": tmp_path, "DATABASE_URL": db.engine.url.render_as_string(hide_password=False)}
        there = {"instance": tmp_path / "there", "DATABASE_URL": ""}
        file = tmp_path / "table.json"
        done = companion("export", f"http://localhost{ana.link}?game=beloz", file, **here)
        assert (done.exit_code, done.stdout, done.stderr) == (0, f"The table “Tuesday table” is in {file}.\n", "")
        assert companion("export", ana.link, file, **here).stderr == f"{file} is there already. Choose another name.\n"
        brought = companion("import", file, **there)
        assert (brought.exit_code, brought.stderr) == (0, "")
        links = brought.stdout.splitlines()
        assert links[0] == "The table “Tuesday table” is here."
        play = links[1].removeprefix("to play: ")
        assert companion("export", play, tmp_path / "again.json", **there).exit_code == 0
        assert (tmp_path / "again.json").read_bytes() == file.read_bytes()
        with sqlite3.connect(tmp_path / "there" / "companion.sqlite") as opened:
            assert opened.execute("SELECT play_token FROM tables").fetchall() == [(play.removeprefix("/t/"),)]

    def test_tables_are_named_the_oldest_first_and_removed_one_by_one(self, app, tmp_path):
        tables = {name: Phone(app).make_table("Ana", "Bo", name=name) for name in ("Tuesday", "Old")}
        for table in tables.values():
            table.send("/matches", game="rivals")
        with app.app_context():
            here = {"instance": tmp_path, "DATABASE_URL": db.engine.url.render_as_string(hide_password=False)}
            for kept in db.session.scalars(select(Table).where(Table.name == "Old")):
                kept.created = kept.matches[0].created = datetime(2020, 5, 1, 20)
            db.session.commit()
        first, second = companion("tables", **here).stdout.splitlines()
        assert first == f"{tables['Old'].link}  2020-05-01     1 matches  Old  (nothing entered for a year)"
        assert second.startswith(tables["Tuesday"].link)
        assert "a year" not in second
        asked = companion("remove", tables["Old"].link, **here)
        assert (asked.exit_code, tables["Old"].open("/table").status_code) == (1, 200)
        done = companion("remove", "--yes", tables["Old"].link, **here)
        assert (done.exit_code, done.stdout) == (0, "The table “Old” and its matches are gone.\n")
        assert tables["Old"].open("/table").status_code == 404
        assert tables["Tuesday"].open("/m/1").status_code == 200
        with app.app_context():
            assert {match.table_id for match in db.session.scalars(select(Match))} == {1}
        assert companion("remove", "--yes", tables["Old"].link, **here).exit_code == 2

    @pytest.mark.sqlite
    def test_whatever_is_written_is_for_its_owner_alone(self, app, tmp_path):
        ana = Phone(app).make_table("Ana", "Bo")
        with app.app_context():
            here = {"instance": tmp_path, "DATABASE_URL": db.engine.url.render_as_string(hide_password=False)}
        there = {"instance": tmp_path / "there", "DATABASE_URL": ""}
        before = os.umask(0o022)
        try:
            assert companion("export", ana.link, tmp_path / "table.json", **here).exit_code == 0
            assert companion("import", tmp_path / "table.json", **there).exit_code == 0
            assert companion("backup", tmp_path / "kept", **here).exit_code == 0
            assert companion("restore", "--force", tmp_path / "kept", **there).exit_code == 0
            assert companion("restore", tmp_path / "kept", instance=tmp_path / "new", DATABASE_URL="").exit_code == 0
        finally:
            os.umask(before)
        written = [tmp_path / "table.json", tmp_path / "kept", *tmp_path.glob("there/*"), *tmp_path.glob("new/*")]
        assert len(written) > 5
        assert {stat.S_IMODE(file.stat().st_mode) for file in written} == {0o600}
        assert {stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("there", "new")} == {0o700}

    @pytest.mark.parametrize("link", ["A" * 22, "/t/" + "A" * 22, "../../etc", "", "é"])
    def test_a_link_that_leads_nowhere(self, played, link, tmp_path):
        done = companion("export", link, tmp_path / "table.json", instance=tmp_path, DATABASE_URL=played)
        assert done.exit_code == 2
        assert done.stderr in {
            "No table has this link. It may have been replaced.\n",
            "A table is named by its link, or by what stands in it after /t/.\n",
        }
        assert not (tmp_path / "table.json").exists()

    def test_a_file_that_is_no_table(self, played, tmp_path):
        (tmp_path / "nonsense").write_bytes(b"\x00\xff")
        done = companion("import", tmp_path / "nonsense", instance=tmp_path, DATABASE_URL=played)
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr.startswith("This file can’t be read")

    def test_a_file_without_end_is_not_read_to_its_end(self, played, tmp_path):
        done = companion("import", "/dev/zero", instance=tmp_path, DATABASE_URL=played)
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr == "This file is larger than 4 MiB, the most that a table’s file can be.\n"


@pytest.mark.both_databases
def test_a_running_companion_is_not_restored_into(database_url, kept, tmp_path):
    """As above, with the server that phones use."""
    from tests.server import Server

    server = Server(tmp_path / "instance", settings={"DATABASE_URL": database_url})
    server.start()
    try:
        for options in ([], ["--force"]):
            done = companion("restore", *options, kept, instance=tmp_path / "instance", DATABASE_URL=database_url)
            assert (done.exit_code, done.stdout) == (2, "")
            assert "Stop" in done.stderr
    finally:
        assert server.stop() == 0
    engine = create_engine(address(database_url))
    with engine.connect() as connection:
        assert connection.execute(select(Table.name)).scalars().all() in ([], ["Kitchen table", "Kitchen table"])
    engine.dispose()
