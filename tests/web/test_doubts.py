"""What happens to an entry that somebody doubts? All see it, nothing that counts changes, and it is told how it was settled."""

from __future__ import annotations

import itertools
import json
import re
from html import unescape

import pytest

from companion.matches import entries
from companion.storage.models import MatchId
from companion.tables import table_file
from tests.web.people import BelozPhone, claim, says, words
from tests.web.tally import Score
from tests.web.test_bringing_back import Copy
from tests.web.test_news import TAKEN, news

TAPS = itertools.count(1)


@pytest.fixture
def at_match():
    return BelozPhone


@pytest.fixture
def ana(phone):
    phone = claim(phone, "Ana")
    phone.play_round(98)
    phone.play_round(61)
    return phone


def doubted(page):
    """Return what is said of each entry in doubt, above the rows."""
    return [
        " ".join(words(one).split()) for one in re.findall(r'class="doubted callout">(.*?)</article>', page.text, re.DOTALL)
    ]


def stamp(phone):
    """Return what a form of the page sends along that a phone has on screen."""
    return {"expected_seq": phone.seen, "idempotency_key": f"tap-{next(TAPS)}"}


def totals(page):
    return re.search(r'id="scores"[^>]*data-announce="([^"]*)"', page.text)[1]


class TestOnPages:
    def test_one_tap_is_seen_by_all_and_no_total_moves(self, ana, bo, watcher):
        before = totals(bo.open())
        bo.open()
        assert bo.send("/entries/1/doubt").status_code == 303
        for page in (ana.open(), bo.open(), watcher.open()):
            (panel,) = doubted(page)
            assert panel.startswith("Bo doubts it Round 1, 98 for ")
            assert totals(page) == before
        assert news(ana.open()) == ("Bo doubts round 1", "entry-1")
        row = re.search(r'<details class="row" id="entry-1">(.*?)</summary>', ana.open().text, re.DOTALL)[1]
        assert "Bo doubts it" in words(row)
        assert ana.open().text.count("/entries/1/right") == 2  # above the rows, and in its row
        assert "/right" not in watcher.open().text
        assert watcher.send("/entries/1/doubt").status_code == 403

    def test_a_correction_settles_it_and_says_so(self, ana, bo):
        bo.open()
        bo.send("/entries/1/doubt")
        ana.open()
        assert ana.send("/entries/1", round=TAKEN, team="0", points="88", last="0").status_code == 303
        assert doubted(bo.open()) == []
        assert news(bo.open())[0].startswith("Ana corrected round 1 98, now 88. Bo doubted it.")
        ana.open()
        ana.send("/undo", of=4)
        assert doubted(bo.open())[0].startswith("Bo doubts it Round 1, 98 for ")  # as it was

    def test_whoever_doubts_takes_it_back_and_others_say_that_it_is_right(self, ana, bo, watcher):
        for phone, told in ((bo, "Bo no longer doubts: round 1"), (ana, "Ana says it is right, which Bo doubted: round 1")):
            bo.open()
            bo.send("/entries/1/doubt")
            phone.open()
            page = phone.client.post(f"{phone.link}/entries/1/right", data=stamp(phone), follow_redirects=True)
            assert told in words(page.text)
            assert news(watcher.open())[0] == told
            assert doubted(watcher.open()) == []

    def test_the_toast_takes_a_doubt_back(self, ana, bo):
        bo.open()
        bo.send("/entries/1/doubt")
        toast = bo.open().text
        assert "Bo doubts round 1" in unescape(toast)
        bo.send("/undo", of=3, sure="1")
        assert doubted(ana.open()) == []
        assert news(ana.open())[0] == "Bo no longer doubts: round 1"

    def test_two_who_doubt_at_once_are_one_doubt(self, ana, bo):
        ana.open()
        bo.open()
        bo.send("/entries/2/doubt")
        page = ana.client.post(f"{ana.link}/entries/2/doubt", data=stamp(ana), follow_redirects=True)
        assert "Bo doubts it already: round 2" in words(page.text)
        assert len(doubted(ana.open())) == 1

    def test_what_was_corrected_meanwhile_is_looked_at_first(self, ana, bo):
        bo.open()
        ana.open()
        ana.send("/entries/1", round=TAKEN, team="0", points="88", last="0")
        answer = bo.send("/entries/1/doubt")
        assert answer.status_code == 409
        assert says(answer, "Ana corrected round 1 meanwhile. Look again.")

    def test_the_second_tap_and_a_settled_doubt_are_no_mistake(self, ana, bo):
        bo.open()
        sent = stamp(bo)
        for _ in range(2):
            assert bo.client.post(f"{bo.link}/entries/1/doubt", data=sent).status_code == 303
        ana.open()
        sent = stamp(ana)
        for _ in range(2):
            assert ana.client.post(f"{ana.link}/entries/1/right", data=sent).status_code == 303
        assert doubted(bo.open()) == []

    def test_nobodys_entry_waits_for_it_and_undo_means_what_it_meant(self, ana, bo):
        ana.open()
        ana.take()
        ana.open("/count")
        bo.open()
        bo.send("/entries/1/doubt")
        sent = {"round": TAKEN, "team": "0", "points": "70", "last": "0"}
        answer = ana.send("/count", **sent)  # it knew nothing of the doubt
        assert answer.status_code == 303, words(answer)
        assert len(doubted(ana.open())) == 1
        assert "Undo round 3" in words(ana.open().text)

    def test_a_match_that_is_over_can_be_doubted_too(self, ana, bo):
        ana.open()
        ana.send("/stop")
        bo.open()
        bo.send("/entries/2/doubt")
        assert doubted(ana.open())[0].startswith("Bo doubts it Round 2, 61 for ")
        assert "Match stopped" in words(ana.open().text)

    def test_an_entry_that_is_gone_is_said(self, ana, bo):
        bo.open()
        answer = bo.send("/entries/9/doubt")
        assert answer.status_code == 404
        assert says(answer, "This entry is no longer there: it was undone.")


@pytest.mark.usefixtures("small_games", "in_app")
class TestLog:
    @pytest.fixture
    def here(self, table):
        entries.open_match(table.id, "tally", ["Ana", "Bo"])
        here = Copy(table.id, "here")
        here.score(2, 3)
        return here

    def doubt(self, copy, of):
        entries.remark(MatchId(copy.id, 1), of, "doubt", player=1, **copy.how(1))

    def test_an_undone_entry_is_in_no_doubt_and_brought_back_it_is_again(self, here):
        self.doubt(here, 2)
        here.undo(2)
        assert here.log().doubts == {}
        here.undo(4)
        assert list(here.log().doubts) == [2]

    def test_redo_still_brings_back_what_was_undone_before_it(self, here):
        here.undo()
        self.doubt(here, 1)
        assert here.log().redo == 3
        here.undo(4)
        assert here.log().redo == 3

    @pytest.mark.parametrize("line", [{"of": 9}, {"of": 1, "events": [{"type": "score", "player": 0, "points": 1}]}, {}])
    def test_a_file_with_a_doubt_that_can_not_be_is_refused(self, here, line):
        written = json.loads(here.file())
        match = written["matches"][0]
        match["log"].append({"key": "d", "at": "2026-11-05T20:15:00Z", "kind": "doubt", **line})
        match.pop("head")
        with pytest.raises(table_file.TableFileError, match="Match 1, entry 3"):
            table_file.import_table(json.dumps(written).encode())

    def test_a_doubt_here_is_in_no_ones_way_and_the_same_twice_is_one(self, here):
        phone = here.taken_along()
        self.doubt(here, 1)
        self.doubt(phone, 1)
        phone.undo(3)
        self.doubt(phone, 2)
        phone.score(4)
        (brought,) = here.back(phone)
        assert (brought.entries, brought.fork) == (2, None)  # the doubt about the second, and the points
        assert list(here.log().doubts) == [1, 2]
        assert here.points() == 9

    def test_any_number_of_doubts_leaves_every_score(self, here):
        for of in (1, 2):
            self.doubt(here, of)
        assert here.points() == 5
        assert here.log().before.seq == 3
        entries.correct(MatchId(here.id, 1), 1, [Score(0, 6)], **here.how(1))
        assert (here.points(), list(here.log().doubts)) == (9, [2])
