"""What happens at a table that asks the other side? An answer is a line about an entry, and nobody waits for it."""

from __future__ import annotations

import re

import pytest

from companion.engine import GAMES
from companion.engine.core import Stop
from companion.engine.records import decode_event
from companion.matches import entries
from companion.storage.models import MatchId, Table, db
from tests.web.conftest import claim
from tests.web.people import BelozPhone, words
from tests.web.tally import Score
from tests.web.test_bringing_back import Copy
from tests.web.test_doubts import doubted, stamp, totals
from tests.web.test_news import TAKEN, news
from tests.whole_matches import recorded


@pytest.fixture
def match(app, table, open_match):
    with app.app_context():
        db.session.get(Table, table.id).agrees = True
        db.session.commit()
    return open_match("beloz", ["Ana", "Bo", "Cy", "Di"])


@pytest.fixture
def at_match():
    return BelozPhone


def asked(phone):
    """Return what a phone is asked; nothing if it is not asked."""
    section = re.search(r'<section class="panel asked[^>]*>(.*?)</section>', phone.open().text, re.DOTALL)
    is_hidden = section is not None and " hidden" in section[0].partition(">")[0]
    return "" if section is None or is_hidden else " ".join(words(section[1]).split())


def answer(phone, seq, way, **fields):
    """Tap one of the two buttons, and return the page that follows."""
    phone.open()
    return phone.client.post(f"{phone.link}/entries/{seq}/{way}", data={**stamp(phone), **fields}, follow_redirects=True)


class TestOnPages:
    def test_the_other_side_is_asked_and_nobody_else(self, ana, bo, watcher):
        ana.play_round(98)
        assert asked(bo).startswith("Ana entered 98. Right? 98 card points for Ana & Cy")
        assert asked(bo).endswith("No Yes, 98 It counts already. Say nothing, and it stays.")
        assert asked(ana) == ""
        assert 'class="panel asked' not in watcher.open().text

    def test_yes_is_seen_by_all_and_can_be_taken_back(self, ana, bo):
        ana.play_round(98)
        before = totals(ana.open())
        page = answer(bo, 1, "agree")
        assert "Bo agrees: round 1" in words(page.text)
        assert asked(bo) == ""
        assert news(ana.open())[0] == "Bo agrees: round 1"
        assert totals(ana.open()) == before
        bo.open()
        bo.send("/undo", of=2, sure="1")
        assert asked(bo) != ""
        assert news(ana.open())[0] == "Bo no longer agrees: round 1"

    def test_no_opens_both_versions_and_says_who_settled_it(self, ana, bo):
        ana.play_round(98)
        page = answer(bo, 1, "doubt", answer="no")
        assert "Correct round 1" in words(page.text)
        assert "Ana says: Round 1, 98 for Ana & Cy" in words(page.text)
        assert 'name="points"' in page.text
        assert doubted(ana.open())[0].startswith("Bo doubts it Round 1, 98 for Ana & Cy")
        assert asked(bo) == ""
        bo.open()
        assert bo.send("/entries/1", round=TAKEN, team="0", points="88", last="0").status_code == 303
        assert doubted(ana.open()) == []
        assert news(ana.open())[0].startswith("Bo corrected round 1 98, now 88. Bo doubted it.")

    def test_whoever_corrected_is_on_the_side_that_is_not_asked(self, ana, bo):
        ana.play_round(98)
        bo.open()
        bo.send("/entries/1", round=TAKEN, team="0", points="88", last="0")
        assert asked(ana).startswith("Bo corrected round 1. Right? 88 ")
        assert asked(bo) == ""

    def test_silence_until_the_next_entry_is_a_yes(self, ana, bo):
        ana.play_round(98)
        ana.play_round(61)
        assert asked(bo).startswith("Ana entered 61. Right?")
        assert doubted(bo.open()) == []
        ana.open()
        ana.send("/undo", of=2, newest=1)
        assert asked(bo) == ""  # an undo asks nothing

    def test_on_one_phone_the_other_side_taps_there(self, ana):
        ana.play_round(98)
        assert asked(ana).endswith("No Bo and Di agree It counts already. Say nothing, and it stays.")
        page = answer(ana, 1, "agree")
        assert "Bo agrees: round 1" in words(page.text)
        ana.play_round(61)
        answer(ana, 3, "doubt", answer="no")
        assert doubted(ana.open())[0].startswith("Bo doubts it")

    def test_somebody_left_and_nobody_waits(self, ana, bo):
        ana.play_round(98)
        assert asked(ana) == ""
        bo.client.post(f"{bo.link.partition('/m/')[0]}/forget", data={"sure": "1"})
        assert asked(ana).endswith("Bo and Di agree It counts already. Say nothing, and it stays.")
        ana.play_round(61)
        ana.open()
        assert ana.send("/undo", of=2, newest=1).status_code == 303
        ana.open()
        assert ana.send("/stop").status_code == 303
        assert asked(ana) == ""

    def test_a_phone_without_a_name_asks_all(self, phone):
        phone.play_round(98)
        assert asked(phone).endswith("No Yes, 98 It counts already. Say nothing, and it stays.")
        assert "Another phone agrees: round 1" in words(answer(phone, 1, "agree").text)

    def test_who_was_slower_is_told(self, ana, bo):
        ana.play_round(98)
        answer(bo, 1, "agree")
        assert "Bo agreed already: round 1" in words(answer(bo, 1, "agree").text)
        answer(bo, 1, "doubt")
        assert "Bo doubts it already: round 1" in words(answer(bo, 1, "agree").text)
        bo.open()
        seen = stamp(bo)
        ana.open()
        ana.send("/entries/1", round=TAKEN, team="0", points="88", last="0")
        late = bo.client.post(f"{bo.link}/entries/1/agree", data=seen)
        assert late.status_code == 409
        assert "Ana corrected round 1 meanwhile. Look again." in words(late.text)

    def test_a_second_tap_counts_once(self, ana, bo, app, match):
        ana.play_round(98)
        bo.open()
        sent = stamp(bo)
        for _ in range(2):
            assert bo.client.post(f"{bo.link}/entries/1/agree", data=sent).status_code == 303
        with app.app_context():
            assert [line.kind for line in entries.read(match).written] == ["events", "agree"]


class TestThreeSides:
    """In Bisque each plays alone: two other sides are asked, and one yes does not speak for the third."""

    @pytest.fixture
    def match(self, app, table, open_match):
        with app.app_context():
            db.session.get(Table, table.id).agrees = True
            db.session.commit()
        return open_match("bisque", ["Ana", "Bo", "Cy"])

    @pytest.fixture
    def enter(self, app, match):
        """Call it for one more trick, that Ana enters."""

        def enter():
            with app.app_context():
                log = entries.read(match)
                seq, card = log.seq, ("ace-moons", "ace-suns")[len(log.entries)]
                event = decode_event(GAMES["bisque"], {"type": "pot", "card": card, "by": 0})
                entries.record(match, [event], idempotency_key=f"k{seq}", expected_seq=seq, player=0)
                db.session.remove()

        return enter

    @pytest.fixture
    def cy(self, app, table, at_match):
        return claim(at_match(app, table.play), "Cy")

    def test_each_is_asked_until_it_has_answered(self, ana, bo, cy, enter):
        enter()
        assert [bool(asked(phone)) for phone in (ana, bo, cy)] == [False, True, True]
        answer(bo, 1, "agree")
        assert [bool(asked(phone)) for phone in (ana, bo, cy)] == [False, False, True]
        assert "Cy agrees: trick 1" in words(answer(cy, 1, "agree").text)
        assert asked(cy) == ""
        cy.open()
        cy.send("/undo", of=3, sure="1")
        assert [bool(asked(phone)) for phone in (ana, bo, cy)] == [False, False, True]

    def test_one_no_is_enough_and_silence_is_a_yes(self, bo, cy, enter):
        enter()
        answer(bo, 1, "doubt", answer="no")
        assert asked(cy) == ""
        bo.open()
        bo.send("/entries/1/right")
        enter()
        assert asked(bo).startswith("Ana entered this. Right?")

    def test_a_side_without_a_phone_is_not_waited_for(self, ana, bo, enter):
        enter()
        answer(bo, 1, "agree")
        assert [asked(phone) for phone in (ana, bo)] == ["", ""]

    def test_on_one_phone_one_tap_answers_for_both(self, ana, enter):
        enter()
        assert asked(ana).endswith("No Bo and Cy agree It counts already. Say nothing, and it stays.")
        answer(ana, 1, "agree")
        assert asked(ana) == ""

    def test_a_second_yes_of_a_side_is_told(self, bo, cy, enter):
        enter()
        answer(bo, 1, "agree")
        assert "Bo agreed already: trick 1" in words(answer(bo, 1, "agree").text)


class TestScoreSheets:
    @pytest.fixture
    def match(self, app, table, open_match):
        with app.app_context():
            db.session.get(Table, table.id).agrees = True
            db.session.commit()
        return open_match("sheet", ["Ana", "Bo", "Cy"])

    @pytest.fixture
    def enter(self, app, match):
        """Call it for an event that Ana enters."""

        def enter(**event):
            with app.app_context():
                seq = entries.read(match).seq
                event = decode_event(GAMES["sheet"], event)
                entries.record(match, [event], idempotency_key=f"k{seq}", expected_seq=seq, player=0)
                db.session.remove()

        return enter

    def test_a_row_is_asked_with_what_it_brings_each(self, ana, bo, enter):
        enter(type="row", cells=[{"points": 30}, {"points": 12}, {"points": -5}])
        assert asked(bo).startswith("Ana entered this. Right?")
        assert all(part in asked(bo) for part in ("30", "12", "\u22125"))
        assert asked(ana) == ""
        assert "Bo agrees: round 1" in words(answer(bo, 1, "agree").text)

    def test_no_opens_both_versions(self, bo, enter):
        enter(type="row", cells=[{"points": 30}, {"points": 12}, {"points": -5}])
        page = answer(bo, 1, "doubt", answer="no")
        assert "Ana says: Round 1" in words(page.text)

    def test_the_end_that_players_chose_is_no_question(self, bo, enter):
        enter(type="row", cells=[{"points": 30}, {"points": 12}, {"points": -5}])
        enter(type="finish")
        assert asked(bo) == ""


class TestChoice:
    def test_it_is_off_until_a_table_chooses_it_and_a_rematch_keeps_it(self, app, table, client):
        """A box among the house rules, in the state in which the table has it."""
        box = re.compile(r'name="agrees" value="1"( checked)?')
        page, number = f"/t/{table.play}", 0
        for chosen in ({}, {"agrees": "1"}):
            assert box.search(client.get(f"{page}/table").text)[1] is None
            assert client.post(f"{page}/matches", data={"game": "beloz", **chosen}).status_code == 303
            number += 1
            with app.app_context():
                assert db.session.get(Table, table.id).agrees is bool(chosen)
            client.post(f"{page}/m/{number}/stop", data={"expected_seq": 0, "idempotency_key": f"stop-{number}"})
        assert box.search(client.get(f"{page}/table").text)[1]
        assert client.post(f"{page}/m/{number}/rematch").status_code == 303
        with app.app_context():
            assert db.session.get(Table, table.id).agrees

    def test_what_was_chosen_is_still_there_after_a_refusal(self, table, client):
        answer = client.post(f"/t/{table.play}/matches", data={"game": "beloz", "target": "x", "agrees": "1"})
        assert answer.status_code == 422
        assert 'name="agrees" value="1" checked' in answer.text


@pytest.mark.parametrize("slug", ["beloz", "beluga-cup", "bisque", "rivals", "what-the-fish"])
def test_every_entry_of_every_game_is_asked_and_opens_both_versions(app, table, client, open_match, slug):
    record = recorded(slug.replace("-", "_"))
    record = record.get("record", record)
    people = ["Ana", "Bo", "Cy", "Di"][: len(record["players"])]
    options = {key: value for key, value in record["options"].items() if key not in {"seal", "words"}}
    match_id = open_match(slug, people, **options)
    with app.app_context():
        db.session.get(Table, table.id).agrees = True
        db.session.commit()
    for number, event in enumerate(record["events"][:30]):
        by_hand = {"drawn_by": "hand"} if "drawn_by" in event else {}
        with app.app_context():
            entry = (decode_event(GAMES[slug], {**event, **by_hand}),)
            seq = entries.read(match_id).seq
            entries.record(match_id, entry, idempotency_key=f"{slug}-{number}", expected_seq=seq, player=0)
        page = client.get(f"/t/{table.play}/m/1").text
        section = re.search(r'<section class="panel asked[^>]*>(.*?)</section>', page, re.DOTALL)
        assert "Ana entered" in words(section[1])
        assert f"/entries/{seq + 1}/agree" in section[1]
        if number % 5 == 0:
            data = {"expected_seq": seq + 1, "idempotency_key": f"no-{number}", "answer": "no"}
            answer = client.post(f"/t/{table.play}/m/1/entries/{seq + 1}/doubt", data=data, follow_redirects=True)
            assert answer.status_code == 200
            assert "Ana says: " in words(answer.text)


@pytest.mark.usefixtures("small_games", "in_app")
class TestLog:
    @pytest.fixture
    def here(self, table):
        db.session.get(Table, table.id).agrees = True
        db.session.commit()
        entries.open_match(table.id, "tally", ["Ana", "Bo"])
        here = Copy(table.id, "here")
        here.score(2, 3)
        return here

    def agree(self, copy, of):
        entries.remark(MatchId(copy.id, 1), of, "agree", player=1, **copy.how(1))

    def test_it_is_asked_of_the_newest_entry_until_somebody_answers_or_enters(self, here):
        assert here.log().to_agree.seq == 2
        self.agree(here, 2)
        assert here.log().to_agree is None
        here.score(4)
        assert here.log().to_agree.seq == 4
        entries.correct(MatchId(here.id, 1), 1, [Score(0, 6)], **here.how(1))
        assert here.log().to_agree.seq == 1
        here.undo(5)
        assert here.log().to_agree is None

    def test_a_correction_takes_the_agreement_with_it(self, here):
        self.agree(here, 1)
        assert list(here.log().agreed) == [1]
        entries.correct(MatchId(here.id, 1), 1, [Score(0, 6)], **here.how(1))
        assert here.log().agreed == {}

    def test_it_moves_no_score_and_is_in_nobodys_way(self, here):
        for of in (1, 2):
            self.agree(here, of)
        assert here.points() == 5
        entries.record(MatchId(here.id, 1), [Score(0, 4)], idempotency_key="old", expected_seq=2, player=0)
        assert here.points() == 9

    def test_a_table_that_was_taken_along_asks_too(self, here):
        assert db.session.get(Table, here.taken_along().id).agrees

    def test_the_end_that_players_chose_is_no_question(self, here):
        entries.record(MatchId(here.id, 1), [Stop()], **here.how(1))
        assert here.log().to_agree is None
