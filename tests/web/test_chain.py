"""Does each stored line carry the hash of the line before it, wherever it comes from, and does an older database get them?"""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path

import pytest
from sqlalchemy import create_engine, select, text, update

from companion.engine import GAMES
from companion.matches import entries
from companion.storage import database, migrations
from companion.storage.models import Entry, Match, MatchId, Player, db
from companion.tables import bringing_back, seating, table_file
from tests.web.older import bring_to, keep_matches
from tests.web.tally import TALLY, Score

pytestmark = pytest.mark.both_databases

FAIR_DRAWS = (Path(__file__).resolve().parents[2] / "docs" / "fair-draws.md").read_text("utf-8")


@pytest.fixture(autouse=True)
def tally(monkeypatch):
    monkeypatch.setitem(GAMES, TALLY.slug, TALLY)


@pytest.fixture(scope="module")
def head_of(tmp_path_factory):
    """Return the way of docs/fair-draws.md to work out a head, which knows nothing of Companion."""
    _, lines, _ = re.findall(r"```python\n(.*?)```", FAIR_DRAWS, re.DOTALL)
    file = tmp_path_factory.mktemp("docs") / "heads.py"
    file.write_text(lines, "utf-8")
    return runpy.run_path(str(file))["head"]


@pytest.fixture
def match(app, table):
    """Return a match in which something was entered, corrected by somebody who does not play, and undone."""
    with app.app_context():
        match = MatchId(table.id, entries.open_match(table.id, "tally", ["Ana", "Bo"], {"target": 30}))
        entries.record(match, [Score(0, 5)], idempotency_key="a", expected_seq=0, player=0)
        entries.correct(match, 1, [Score(0, 6)], idempotency_key="b", expected_seq=1, player="Di")
        entries.undo(match, 2, idempotency_key="c", expected_seq=2)
        db.session.remove()
    return match


def matches_in_file(app, table_id):
    """Return the matches of the table's file."""
    with app.app_context():
        return json.loads(table_file.export_table(table_id))["matches"]


def stored(app, match):
    """Return the hash of each line of a match."""
    with app.app_context():
        query = select(Entry.chain).where(Entry.table_id == match.table_id, Entry.match_number == match.number)
        return list(db.session.scalars(query.order_by(Entry.seq)))


def rename(app, match, name, called):
    with app.app_context():
        person = db.session.scalar(select(Player.id).where(Player.table_id == match.table_id, Player.name == name))
        seating.rename_person(match.table_id, person, called)
        db.session.remove()


def test_each_line_carries_the_hash_that_the_docs_work_out(app, match, head_of):
    (written,) = matches_in_file(app, match.table_id)
    heads = [head_of({**written, "log": written["log"][:seq]}) for seq in (1, 2, 3)]
    assert stored(app, match) == heads
    assert written["head"] == heads[-1]
    assert "chained" not in written


def test_people_who_are_renamed_stay_in_the_chain_as_they_were(app, match, head_of):
    before = matches_in_file(app, match.table_id)[0]["head"]
    rename(app, match, "Bo", "Bob")
    rename(app, match, "Di", "Diana")
    rename(app, match, "Bob", "Robert")
    with app.app_context():
        entries.record(match, [Score(1, 3)], idempotency_key="d", expected_seq=3, player="Diana")
        entries.record(match, [Score(1, 3)], idempotency_key="e", expected_seq=4, player="Cy")
    (written,) = matches_in_file(app, match.table_id)
    assert (written["players"], written["others"]) == (["Ana", "Robert"], ["Diana", "Cy"])
    assert written["names"] == ["Ana", "Bo", "Di"]
    assert head_of({**written, "log": written["log"][:3]}) == before
    assert written["head"] == head_of(written) == stored(app, match)[-1]


def test_a_table_that_is_brought_elsewhere_keeps_its_heads(app, match, head_of):
    rename(app, match, "Bo", "Bob")
    with app.app_context():
        body = table_file.export_table(match.table_id)
        made = table_file.import_table(body).id
        db.session.remove()
        entries.record(MatchId(made, 1), [Score(1, 3)], idempotency_key="d", expected_seq=3)
    (here,), (there,) = matches_in_file(app, match.table_id), matches_in_file(app, made)
    assert stored(app, MatchId(made, 1))[:3] == stored(app, match)
    assert here["head"] == head_of({**there, "log": there["log"][:3]})
    assert there["head"] == head_of(there)


@pytest.mark.parametrize("part", ["at", "player", "key", "events"])
def test_a_file_that_was_changed_is_not_brought_in(app, match, part):
    document = json.loads(json.dumps({"matches": matches_in_file(app, match.table_id)}))
    with app.app_context():
        document = json.loads(table_file.export_table(match.table_id))
    line = document["matches"][0]["log"][0]
    line[part] = {"at": "2026-01-01T00:00:00Z", "player": 1, "key": "z", "events": [{**line["events"][0], "points": 7}]}[part]
    with app.app_context(), pytest.raises(table_file.TableFileError, match="Match 1 was changed after this file was written"):
        table_file.import_table(json.dumps(document).encode())


def test_a_file_of_an_older_companion_is_chained_when_it_comes(app, match, head_of):
    with app.app_context():
        document = json.loads(table_file.export_table(match.table_id))
        del document["matches"][0]["head"]
        made = table_file.import_table(json.dumps(document).encode()).id
    (written,) = matches_in_file(app, made)
    assert written["chained"] > document["matches"][0]["log"][-1]["at"]
    assert written["head"] == head_of(written)
    assert written["head"] != document["matches"][0].get("head")


def test_what_a_phone_brings_back_gets_the_hashes_of_the_log_that_receives_it(app, match, head_of):
    with app.app_context():
        phone = MatchId(table_file.import_table(table_file.export_table(match.table_id)).id, 1)
        entries.record(phone, [Score(1, 3)], idempotency_key="d", expected_seq=3, player=1)
        entries.record(phone, [Score(0, 2)], idempotency_key="e", expected_seq=4, player=1)
        new = MatchId(phone.table_id, entries.open_match(phone.table_id, "tally", ["Cy", "Bo"]))
        entries.record(new, [Score(0, 2)], idempotency_key="f", expected_seq=0, player=0)
        file = table_file.export_table(phone.table_id)
        db.session.remove()
        seating.claim(match.table_id, db.session.scalar(select(Player.id).where(Player.table_id == match.table_id)), "phone")
        db.session.remove()
        bringing_back.bring_back(match.table_id, file, {}, by="Eve")
    first, second = matches_in_file(app, match.table_id)
    assert stored(app, phone)[:3] == stored(app, match)[:3]
    assert stored(app, phone)[3] != stored(app, match)[3]
    assert (first["others"], second["others"]) == (["Di", "Eve"], ["Eve"])
    for written in (first, second):
        assert written["head"] == head_of(written)


def test_lines_without_a_hash_do_not_keep_the_next_from_having_one(app, match, head_of):
    with app.app_context():
        with database.writing() as connection:
            connection.execute(update(Entry).values(chain=""))
        app.extensions.pop("companion-logs", None)
        entries.record(match, [Score(1, 3)], idempotency_key="d", expected_seq=3)
    (written,) = matches_in_file(app, match.table_id)
    assert written["head"] == head_of(written)


def test_an_older_database_is_chained_and_says_since_when(empty_database_url, head_of):
    engine = create_engine(database.address(empty_database_url))
    database.prepare(engine)
    bring_to(engine, "0006")
    keep_matches(engine)
    migrations.upgrade(engine)
    with engine.connect() as connection:
        query = text("SELECT table_id, match_number, seq, chain FROM entries ORDER BY table_id, match_number, seq")
        heads = {(table, number, seq): head for table, number, seq, head in connection.execute(query)}
        since = dict(connection.execute(select(Match.table_id * 10 + Match.number, Match.chained)).all())
    engine.dispose()
    assert since[41] is None  # nothing was entered in it
    lines = [
        {"key": key, "at": at, "kind": "events", "player": 3, "events": [{"type": "passed-deal"}]}
        for key, at in (("a", "2026-01-01T00:01:00Z"), ("b", "2026-01-01T00:02:00Z"))
    ]
    written = {
        "game": "beloz",
        "edition": 1,
        "players": ["Ana", "Bo", "Cy", "Di"],
        "options": {},
        "created": "2026-01-01T00:00:00Z",
        "chained": since[31].isoformat() + "Z",
    }
    assert heads[3, 1, 1] == head_of({**written, "log": lines[:1]})
    assert heads[3, 1, 2] == head_of({**written, "log": lines})
    assert len(heads) == 3
