"""Is what the database lost or damaged told, with nothing else closed?"""

from __future__ import annotations

import json

import pytest
from sqlalchemy import delete, insert, select, text, update

from companion.engine.beloz import PassedDeal
from companion.matches import entries
from companion.storage.models import Entry, Match, MatchId, Table, db
from companion.tables import table_file
from tests.web.people import Phone, says

pytestmark = pytest.mark.both_databases


@pytest.fixture
def ana(app):
    """Return Ana's phone at a table with two matches that are being played."""
    ana = Phone(app).make_table("Ana", "Bo", "Cy", "Di")
    with app.app_context():
        table = db.session.scalar(select(Table.id))
        for number in (1, 2):
            entries.open_match(table, "beloz", ["Ana", "Bo", "Cy", "Di"])
            for seen in range(3):
                entries.record(number_of(number), [PassedDeal()], idempotency_key=f"k{number}{seen}", expected_seq=seen)
    return ana


def number_of(number):
    return db.session.scalar(select(Match.id).where(Match.number == number))


def change(app, *statements):
    """Change what is stored behind Companion's back."""
    with app.app_context():
        for statement in statements:
            db.session.execute(statement)
        db.session.commit()


SECOND = (Entry.match_number == 1, Entry.seq == 2)
DAMAGES = {
    "an event that is none": update(Entry).where(*SECOND).values(body='{"events":[{"type":"x"}]}'),
    "no JSON": update(Entry).where(*SECOND).values(body='{"events":['),
    "an undo of nothing that leaves the rest impossible": update(Entry)
    .where(*SECOND)
    .values(body='{"events":[{"type":"stop"}]}'),
    "a line that is missing": delete(Entry).where(*SECOND),
    "options that are none": update(Match).where(Match.number == 1).values(options={"target": "many"}),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_a_match_that_can_t_be_read_says_so_and_closes_nothing_else(start_app, app, ana, damage):
    change(app, damage)
    elsewhere = Phone(start_app())  # a process that kept nothing
    elsewhere.link = ana.link
    for path in ("/m/1", "/m/1/record.json", "/m/1/seal"):
        refused = elsewhere.open(path)
        assert refused.status_code == 404, path
        assert says(refused, "This match can’t be read any more"), path
    for path in ("/table", "/matches", "/m/2", "/m/2/record.json"):
        assert elsewhere.open(path).status_code == 200, path
    assert says(elsewhere.open("/matches"), "This match can’t be read any more")
    assert elsewhere.get("/").status_code == 200
    sent = elsewhere.send("/m/1/undo", expected_seq=3, idempotency_key="undo")
    assert sent.status_code == 404
    kept = json.loads(elsewhere.open("/table.json").data)
    assert [match["log"][0]["key"] for match in kept["matches"]] == ["k20"]
    assert kept["left_out"][0]["number"] == 1
    with app.app_context():
        assert table_file.import_table(json.dumps(kept).encode()).matches[0].seq == 3


class TestADatabaseThatWentBack:
    """A standby that took over, or an older copy that was put back: other lines than this process has in its memory."""

    def other_lines(self, app, last):
        change(
            app,
            delete(Entry).where(Entry.match_number == 1, Entry.seq > last),
            update(Entry)
            .where(Entry.match_number == 1, Entry.seq == last)
            .values(key="other", body='{"events":[{"type":"stop"}]}'),
            update(Match).where(Match.number == 1).values(seq=last, head=last),
        )

    @pytest.mark.parametrize("last", [2, 3])
    def test_what_was_kept_is_not_believed(self, app, ana, last):
        assert not says(ana.open("/m/1"), "stopped")
        self.other_lines(app, last)
        assert says(ana.open("/m/1"), "stopped")
        with app.app_context():
            assert entries.read(MatchId(1, 1)).written[-1].key == "other"

    def test_nothing_is_written_on_top_of_what_is_not_there(self, app, ana):
        ana.open("/m/1")
        self.other_lines(app, 3)
        assert ana.send("/m/1/who", tap="passed-deal", expected_seq=3, idempotency_key="next").status_code in {409, 422}
        with app.app_context():
            assert entries.read(MatchId(1, 1)).seq == 3

    def test_more_lines_after_other_ones_are_not_added_to_what_was_kept(self, app, ana):
        ana.open("/m/1")
        deal = '{"events":[{"type":"passed-deal"}]}'
        with app.app_context():
            stop = entries.read(MatchId(1, 2)).written[0]
        change(
            app,
            update(Entry).where(Entry.match_number == 1, Entry.seq == 3).values(key="other"),
            insert(Entry).values(table_id=1, match_number=1, seq=4, key="more", kind="events", body=deal, at=stop.at),
            update(Match).where(Match.number == 1).values(seq=4, head=4),
        )
        with app.app_context():
            assert [line.key for line in entries.read(MatchId(1, 1)).written] == ["k10", "k11", "other", "more"]

    def test_a_phone_that_saw_more_is_told(self, app, ana):
        ana.open("/m/1")
        self.other_lines(app, 2)
        refused = ana.send("/m/1/undo", expected_seq=3, idempotency_key="undo", sure=1)
        assert refused.status_code == 409
        assert says(refused, "an older copy of the tables was put back")

    def test_after_a_connection_was_lost_every_log_is_read_anew(self, app, ana):
        ana.open("/m/1")
        with app.app_context():
            with db.engine.connect() as connection:
                connection.execute(text("SELECT 1"))
                connection.invalidate()
            assert not {"companion-logs", "companion-pages"} & set(app.extensions)
            assert entries.read(MatchId(1, 1)).seq == 3
