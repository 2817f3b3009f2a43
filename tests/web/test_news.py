"""One phone's news on the others: who did what and the totals before, and the corrected row until the next entry."""

from __future__ import annotations

import re

import pytest

from tests.web.people import BelozPhone, PhoneAtMatch, says, words
from tests.web.test_undo import claim, tap

pytestmark = pytest.mark.both_databases

TAKEN = '{"bidder":0,"flooded":"south"}'


@pytest.fixture
def match(open_match):
    return open_match("beloz", ["Ana", "Bo", "Cy", "Di"])


@pytest.fixture
def at_match():
    return BelozPhone


def news(page):
    """What the quiet line says, and the row that it is about."""
    found = re.search(r'<section class="panel news"(.*?)>(.*?)</section>', page.text, re.DOTALL)
    if found is None:
        return None
    row = re.search(r'data-row="([^"]*)"', found[1])
    said = re.search(r'<a class="news-words".*?</a>', found[2], re.DOTALL)[0].replace("</b>", "</b> ")
    return " ".join(words(said).split()), row and row[1]


@pytest.fixture
def ana(phone):
    return claim(phone, "Ana")


@pytest.fixture
def bo(other_phone):
    return claim(other_phone, "Bo")


def test_saved_corrected_undone_and_brought_back_is_told_on_the_others_and_on_watching_phones(ana, bo, watcher):
    ana.play_round(98)
    told = [news(bo.open())]
    ana.play_round(98)
    told.append(news(bo.open()))
    ana.send("/entries/1", round=TAKEN, team="0", points="61", last="0")
    told.append(news(bo.open()))
    ana.open()
    ana.send("/undo", of=3)
    told.append(news(bo.open()))
    ana.open()
    ana.send("/undo", of=4)
    told.append(news(watcher.open()))
    assert told == [
        ("Ana saved round 1", "entry-1"),
        ("Ana saved round 2 Before: 108 to 55", "entry-2"),
        ("Ana corrected round 1 Before: 216 to 110", "entry-1"),
        ("Ana undid the correction of round 1 Before: 108 to 218", None),
        ("Ana brought back the correction of round 1 Before: 216 to 110", None),
    ]
    assert news(ana.open()) is None


def test_a_step_that_was_taken_back_is_told(ana, bo):
    ana.take(3, "east")
    assert news(bo.open()) is None
    tap(ana)
    assert news(bo.open()) == ("Ana took back: East flooded", None)
    assert news(ana.open()) is None


def test_who_has_no_name_here_is_somebody(phone, bo):
    phone.play_round(98)
    assert news(bo.open())[0] == "Somebody saved round 1"


def test_a_corrected_row_says_so_until_the_next_entry(ana, bo):
    ana.play_round(98)
    ana.send("/entries/1", round=TAKEN, team="0", points="61", last="0")
    page = bo.open()
    assert says(page, "corrected by Ana")
    assert re.findall(r"<s>(\d+)</s>", page.text) == ["108", "55"]
    ana.play_round(98)
    assert not says(bo.open(), "corrected by Ana")


class TestDuel:
    @pytest.fixture
    def match(self, open_match):
        return open_match("what-the-fish", ["Ana", "Bo", "Cy"])

    @pytest.fixture
    def at_match(self):
        return PhoneAtMatch

    def test_a_flush_leaves_its_trace(self, ana, bo):
        ana.open()
        assert ana.send("/flush", tap="who:2").status_code == 303
        assert news(bo.open())[0] == "Ana entered: Cy's Flint Flush"
