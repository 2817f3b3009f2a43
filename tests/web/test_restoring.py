"""Is a backup that was put back an entry of each match that it brought back, wherever that match goes from there?"""

from __future__ import annotations

import json
import logging
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from click.testing import CliRunner
from sqlalchemy import create_engine, delete, select, update

from companion.app import create_app
from companion.cli import main
from companion.engine import GAMES
from companion.engine.beloz import PassedDeal
from companion.engine.records.chained import answer_chains
from companion.matches import entries, fairness, repository, restoring, tails
from companion.matches.log import Written
from companion.settings import Settings
from companion.storage import backup, database, notifications, snapshot
from companion.storage.models import Entry, Match, MatchFacts, MatchId, Restore, db, now
from companion.tables import almanac, table_file
from tests.web.conftest import seat
from tests.web.people import says
from tests.web.tally import TALLY, Score
from tests.web.test_bringing_back import Copy

PUT_BACK = "restore"


@pytest.fixture(autouse=True)
def tally(monkeypatch):
    monkeypatch.setitem(GAMES, TALLY.slug, TALLY)


@pytest.fixture
def before(app, database_url, storage, request, tmp_path):
    """Return a backup of a table: a match of two entries of which one is undone, and one that has not begun."""
    with app.app_context():
        table = seat(("Ana", "Bo"))
        match = MatchId(table.id, entries.open_match(table.id, "tally", ["Ana", "Bo"], {"target": 30}))
        entries.record(match, [Score(0, 5)], idempotency_key="a", expected_seq=0, player=0)
        entries.record(match, [Score(0, 2)], idempotency_key="b", expected_seq=1, player=1)
        entries.undo(match, idempotency_key="c", expected_seq=2, player=0)
        almanac.played(table.id)
        entries.open_match(table.id, "tally", ["Ana", "Bo"])
        heads = [line.chain for line in entries.read(match).written]
        db.session.remove()
        notifications.hub().stop()
        db.engine.dispose()
    if storage == "postgresql":
        request.getfixturevalue("postgresql_server").leave()
    backup.backup(database.address(database_url), tmp_path / "kept.sqlite")
    return table.id, heads, tmp_path / "kept.sqlite"


@pytest.fixture
def there(before, empty_database_url, tmp_path):
    """Return an application with what came back, and the table."""
    table, _, file = before
    restoring.restore(database.address(empty_database_url), file)
    settings = Settings.read({"DATABASE_URL": empty_database_url, "COMPANION_INSTANCE": str(tmp_path)})
    app = create_app(settings, {"SECRET_KEY": "only for tests", "TESTING": True})
    with app.app_context():
        yield Copy(table, "there")
        db.session.remove()
        notifications.hub().stop()
        db.engine.dispose()


@pytest.mark.both_databases
def test_each_match_has_it_as_its_last_line(there):
    row = db.session.scalars(select(Restore)).one()
    for number, lines in ((1, 4), (2, 1)):
        line = there.log(number).written[-1]
        assert (line.seq, line.kind, line.player, line.of, line.events) == (lines, PUT_BACK, None, None, ())
        assert (line.made, line.at) == (row.made, row.at)
    assert row.made <= row.at <= now()
    assert there.log().position.standing().scores[0] == 5
    assert there.log().head == 1


def test_the_chain_goes_on_through_it(there, before):
    _, heads, _ = before
    assert [line.chain for line in there.log().written][:3] == heads
    there.score(3)
    first, second = answer_chains(there.file())["chains"]
    assert (first["entries"], second["entries"]) == (5, 1)
    assert (
        first["restored"]
        == second["restored"]
        == [there.log().written[3].made.replace(tzinfo=UTC).isoformat("T", "microseconds")]
    )
    assert list(tails.differing()) == []


def test_verify_prints_it_and_finds_a_file_without_it(there, tmp_path):
    (tmp_path / "table.json").write_bytes(there.file())
    printed = CliRunner().invoke(main, ["verify", str(tmp_path / "table.json")])
    assert printed.exit_code == 0
    assert "restored" in json.loads(printed.stdout)["chains"][0]
    document = json.loads(there.file())
    for change in ({"made": "2026-01-01T00:00:00Z"}, None):
        changed = json.loads(json.dumps(document))
        if change is None:
            del changed["matches"][0]["log"][3]
        else:
            changed["matches"][0]["log"][3] |= change
        with pytest.raises(table_file.TableFileError, match="was changed after this file was written"):
            table_file.import_table(json.dumps(changed).encode())


def test_no_undo_takes_it_away(there):
    with pytest.raises(entries.NotFound):
        there.undo(4)
    there.undo()  # the entry before it
    assert there.points() == 0
    assert [line.kind for line in there.log().restores] == [PUT_BACK]


def test_it_is_in_nobodys_way(there):
    """A phone that saw the three lines before it enters the next; what was undone before can come back."""
    assert there.log().redo == 3
    entries.record(MatchId(there.id, 1), [Score(1, 4)], idempotency_key="d", expected_seq=3, player=1)
    assert there.log().seq == 5


def test_a_match_goes_on_elsewhere_with_it(there):
    made = there.taken_along()
    assert [line.chain for line in made.log().written] == [line.chain for line in there.log().written]
    made.score(7)
    brought = there.back(made)
    assert [(each.entries, each.refused) for each in brought] == [(1, "")]
    assert [line.kind for line in there.log().written][3:] == [PUT_BACK, "events"]


def test_a_phone_brings_back_what_the_backup_did_not_have(there):
    """Its copy is older than the restore, or from a database that was restored elsewhere: its own such lines stay there."""
    document = json.loads(there.file())
    for match in document["matches"]:
        match["log"] = [line for line in match["log"] if line["kind"] != PUT_BACK]
        del match["head"]
    phone = Copy(table_file.import_table(json.dumps(document).encode()).id, "phone")
    phone.score(7)
    there.back(phone)
    assert [line.kind for line in there.log().written][3:] == [PUT_BACK, "events"]
    assert there.points() == 12


@pytest.mark.parametrize(
    "change",
    [{"made": None}, {"player": 0}, {"of": 1}, {"kind": "undo"}, {"events": [{"type": "score", "player": 0, "points": 1}]}],
)
def test_a_file_with_another_line_like_it_is_a_sentence(there, change):
    document = json.loads(there.file())
    document["matches"][0]["log"][3] |= change
    with pytest.raises(table_file.TableFileError, match="Match 1, entry 4: "):
        table_file.import_table(json.dumps(document).encode())


def test_a_record_has_no_word_of_it(there):
    record = fairness.record(MatchId(there.id, 1))
    assert len(record["events"]) == 1
    assert PUT_BACK not in json.dumps(record)


@pytest.mark.both_databases
def test_the_almanac_reads_no_log_anew(there, monkeypatch):
    monkeypatch.setattr(almanac, "read", None)
    assert [match.number for match in almanac.played(there.id)] == [1]
    assert db.session.scalars(select(MatchFacts.seq)).all() == [4]


@pytest.mark.both_databases
def test_a_second_restore_is_a_second_line(there, empty_database_url, tmp_path, before):
    db.session.remove()
    notifications.hub().stop()
    db.engine.dispose()
    url = database.address(empty_database_url)
    snapshot_file = tmp_path / "again.sqlite"
    backup.backup(url, snapshot_file)
    restoring.note_restore(snapshot_file)
    snapshot.check(snapshot_file)
    engine = create_engine(f"sqlite:///{snapshot_file}")
    with engine.connect() as connection:
        lines = connection.execute(select(Entry.match_number, Entry.seq).where(Entry.kind == PUT_BACK)).all()
    engine.dispose()
    assert sorted(map(tuple, lines)) == [(1, 4), (1, 5), (2, 1), (2, 2)]


class TestPages:
    @pytest.fixture
    def made(self, app, table):
        """Return when the backup was made that brought back a match of BeloZ with one entry."""
        made = datetime(2026, 11, 5, 20, 15)
        with app.app_context():
            match = MatchId(table.id, entries.open_match(table.id, "beloz", ["Ana", "Bo", "Cy", "Di"]))
            entries.record(match, [PassedDeal()], idempotency_key="a", expected_seq=0, player=0)
            with database.writing() as connection:
                log = entries.read(match)
                line = Written(2, "restore-1", None, datetime(2026, 11, 6, 9), PUT_BACK, made=made)
                line = replace(line, chain=repository.link(repository.chain_before(connection, log), log, line))
                repository.add(connection, match, line, log.head)
            db.session.remove()
        return made

    def test_a_phone_is_told(self, client, table, made):
        shown = client.get(f"/t/{table.play}/m/1").text
        assert 'data-restored="2026-11-05T20:15:00Z 2026-11-06T09:00:00Z"' in shown
        assert says(shown, "A backup was put back")
        assert client.get(f"/t/{table.watch}/m/1/heads").json["restored"] == "2026-11-05T20:15:00Z 2026-11-06T09:00:00Z"

    def decided(self, client, table):
        return client.get(f"/t/{table.watch}/m/1/heads").json["decided"]

    def test_one_phone_decides_for_all(self, client, table, made):
        assert self.decided(client, table) == ""
        assert client.post(f"/t/{table.watch}/m/1/heads", data={"leave": "1"}).status_code == 403
        for _ in range(2):
            assert client.post(f"/t/{table.play}/m/1/heads", data={"leave": "1"}).status_code == 204
        assert self.decided(client, table) == "left"
        assert 'data-decided="left"' in client.get(f"/t/{table.play}/m/1").text

    def test_who_enters_the_next_has_gone_on(self, app, client, table, made):
        with app.app_context():
            entries.record(MatchId(table.id, 1), [PassedDeal()], idempotency_key="b", expected_seq=2, player=1)
        assert self.decided(client, table) == "on"

    def test_the_proof_says_when(self, client, table, made):
        page = client.get(f"/t/{table.play}/m/1/proof")
        assert says(page, "A backup of 5 November 2026 was put back on 6 November 2026. That is no attack")

    def test_undo_means_the_entry_before_it(self, client, table, made):
        answer = client.post(f"/t/{table.play}/m/1/undo", data={"of": 2, "sure": 1, "expected_seq": 2, "idempotency_key": "u"})
        assert (answer.status_code, says(answer, "nothing to undo")) == (422, True)
        assert 'name="of" value="1"' in client.get(f"/t/{table.play}/m/1").text


class TestTails:
    """When the server starts, it compares how each match ends with the end of its log."""

    @pytest.fixture
    def match(self, app, table):
        with app.app_context():
            match = MatchId(table.id, entries.open_match(table.id, "tally", ["Ana", "Bo"]))
            for seq in range(3):
                entries.record(match, [Score(0, 1)], idempotency_key=f"k{seq}", expected_seq=seq, player=0)
            other = MatchId(table.id, entries.open_match(table.id, "tally", ["Ana", "Bo"]))
            entries.record(other, [Score(0, 1)], idempotency_key="only", expected_seq=0, player="Cy")
            yield match

    @pytest.mark.parametrize(
        "change",
        [
            delete(Entry).where(Entry.match_number == 1, Entry.seq == 3),
            delete(Entry).where(Entry.match_number == 1, Entry.seq == 2),
            update(Entry).where(Entry.match_number == 1, Entry.seq == 3).values(at=datetime(2026, 1, 1)),
            update(Entry).where(Entry.match_number == 1, Entry.seq == 3).values(body="no JSON"),
            update(Entry).where(Entry.match_number == 1, Entry.seq == 2).values(chain="ab" * 32),
            update(Entry).where(Entry.match_number == 1, Entry.seq == 3).values(chain=""),
            update(Match).where(Match.number == 1).values(seq=2, players=["Eve", "Bo"]),
        ],
    )
    def test_an_end_that_was_cut_or_changed_is_logged(self, app, match, change, caplog):
        assert list(tails.differing()) == []
        with database.writing() as connection:
            connection.execute(change)
        with caplog.at_level(logging.ERROR):
            tails.compare(app)
        (logged,) = caplog.messages
        assert logged.startswith(f"match 1 of table {match.table_id} does not end as its log does")

    def test_a_first_line_is_compared_with_the_beginning(self, match):
        with database.writing() as connection:
            connection.execute(update(Match).where(Match.number == 2).values(game="bisque"))
        assert list(tails.differing()) == [MatchId(match.table_id, 2)]
