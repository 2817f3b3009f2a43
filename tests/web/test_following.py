"""Where does a match that is over go on? Phones are told of the next one, and links open the one being played."""

from __future__ import annotations

import re

import pytest

from companion.storage import hub as hub_module
from companion.storage import notifications
from tests.web import qr_reader
from tests.web.people import Phone, field, says, words

FOUR = ("Ana", "Bo", "Cy", "Di")


@pytest.fixture
def ana(app):
    """Return Ana's phone, where a match of BeloZ was stopped."""
    ana = Phone(app).make_table(*FOUR)
    ana.send("/matches", game="beloz")
    ana.send("/m/1/stop", expected_seq="0", idempotency_key="stop-1")
    return ana


@pytest.fixture
def bo(app, ana):
    """Return Bo's phone at the same table."""
    bo = Phone(app).come_to(ana)
    bo.do("claim", "Bo")
    return bo


@pytest.fixture
def watcher(app, ana):
    """Return a screen that has the link to watch."""
    watcher = Phone(app)
    watcher.link = field(ana.open("/links"), "watch-link")[0].removeprefix("http://localhost")
    return watcher


def way(page):
    """Return where the bar leads, and after how many seconds a phone goes there by itself."""
    found = re.search(r'<a class="button[^"]*" href="([^"]*)"\s+data-go(?: data-after="(\d+)")?>', page.text)
    return found and (found[1], found[2])


def test_who_looks_at_the_old_match_is_told_of_the_rematch_and_starts_no_second_one(ana, bo):
    before = bo.open("/m/1")
    assert way(before) is None
    assert says(before, "Rematch, Ana deals")
    ana.send("/m/1/rematch", expected_seq="1", idempotency_key="again")
    page = bo.open("/m/1")
    assert says(page, "Ana started a rematch")
    assert says(page, "Ana deals.")
    assert way(page) == (f"{bo.link}/m/2", "5")
    assert "Rematch, Ana deals" not in words(page)
    assert way(bo.open("/m/2")) is None


def test_the_bar_tells_who_is_there_already(app, ana, bo):
    cy = Phone(app).come_to(ana)
    cy.do("claim", "Cy")
    ana.send("/m/1/rematch", expected_seq="1", idempotency_key="again")
    tag = bo.open("/m/1").headers["ETag"]
    stream = cy.client.get(f"{cy.link}/live", buffered=False)
    next(iter(stream.response))
    cy.open("/m/2")
    fresh = bo.client.get(f"{bo.link}/m/1", headers={"If-None-Match": tag})
    assert says(fresh, "Cy is there already.")
    assert "there already" not in words(cy.open("/m/1"))
    stream.close()


def test_the_table_says_who_deals_in_the_match_that_is_played_and_leads_there_once(ana):
    ana.send("/m/1/rematch", expected_seq="1", idempotency_key="again")
    assert ana.around()[0] == "Ana you deal"
    ana.send("/m/2/who", tap="passed-deal", expected_seq="0", idempotency_key="passed")
    assert ana.around() == ["Ana you", "Bo deals", "Cy no phone", "Di no phone"]
    assert words(ana.open()).count("Go to the match") == 1


def test_who_comes_in_the_middle_of_a_match_scans_it_from_its_menu(ana, watcher):
    ana.send("/m/1/rematch", expected_seq="1", idempotency_key="again")
    for phone in (ana, watcher):
        assert f'href="{phone.link}/scan" data-sheet' in phone.open("/m/2").text
        code = re.search(r'<svg class="qr".*?</svg>', phone.open("/scan").text, re.DOTALL)[0]
        assert qr_reader.read(code).endswith(phone.link)


def test_another_game_is_called_by_its_name_and_nobody_is_named_who_said_nothing(app, ana, bo):
    ana.send("/matches", game="what-the-fish")
    assert says(bo.open("/m/1"), "Ana started What the Fish!")
    ana.send("/m/2/stop", expected_seq="0", idempotency_key="stop-2")
    Phone(app).come_to(ana).send("/m/1/rematch", expected_seq="1", idempotency_key="again")
    page = bo.open("/m/1")
    assert says(page, "A rematch has started")
    assert way(bo.open("/m/2")) == (f"{bo.link}/m/3", "5")


def test_a_rematch_keeps_phones_seats_and_onlookers(ana, bo, watcher):
    seats = re.findall(r'<a class="seat"[^>]*>', ana.open("/table").text)
    ana.send("/m/1/rematch", expected_seq="1", idempotency_key="again")
    assert bo.open("").location == f"{bo.link}/m/2"
    assert watcher.open("").location == f"{watcher.link}/m/2"
    for phone, seat in ((ana, "0"), (bo, "1"), (watcher, "")):
        page = phone.open("/m/2")
        assert re.search(r'data-seat="(\d*)"', page.text)[1] == seat
    assert "Count round" not in watcher.open("/m/2").text
    assert re.findall(r'<a class="seat"[^>]*>', ana.open("/table").text) == seats
    assert says(bo.open("/table"), "You are Bo")


def test_who_wants_to_stay_is_not_taken_along_until_the_next_one(ana, bo):
    ana.send("/m/1/rematch", expected_seq="1", idempotency_key="again")
    stay = re.search(r'href="([^"]*)" data-stay', bo.open("/m/1").text)[1]
    page = bo.get(stay)
    assert way(page) == (f"{bo.link}/m/2", None)
    assert "data-stay" not in page.text
    ana.send("/m/2/stop", expected_seq="0", idempotency_key="stop-2")
    assert way(bo.get(stay)) is None
    ana.send("/m/2/rematch", expected_seq="1", idempotency_key="more")
    assert way(bo.get(stay)) == (f"{bo.link}/m/3", "5")


def test_who_opens_an_old_match_from_the_list_stays_there(ana, bo):
    ana.send("/m/1/rematch", expected_seq="1", idempotency_key="again")
    listed = re.findall(r'class="row line wrap match-row" href="([^"]*)"', bo.open("/matches").text)
    assert listed[0] == f"{bo.link}/m/2"
    assert way(bo.get(listed[1])) == (f"{bo.link}/m/2", None)


def test_screens_that_watch_follow_at_once_and_are_no_phones(app, ana, watcher):
    stream = watcher.client.get(f"{watcher.link}/live", buffered=False)
    next(iter(stream.response))
    ana.send("/m/1/rematch", expected_seq="1", idempotency_key="again")
    page = watcher.open("/m/1")
    assert way(page) == (f"{watcher.link}/m/2", "0")
    assert re.search(r"<b data-phones[^>]*>0</b>", page.text)
    stream.close()


def test_links_open_the_match_that_is_being_played_else_the_table(ana, bo, watcher):
    assert bo.open("").location == f"{bo.link}/table"
    assert watcher.open("").location == f"{watcher.link}/table"
    ana.send("/m/1/rematch", expected_seq="1", idempotency_key="again")
    assert bo.open("").location == f"{bo.link}/m/2"
    assert watcher.open("").location == f"{watcher.link}/m/2"
    assert bo.open("/table").status_code == 200


def test_a_newcomer_is_asked_for_a_name_first(app, ana):
    ana.send("/m/1/rematch", expected_seq="1", idempotency_key="again")
    eve = Phone(app)
    eve.link = ana.link
    assert eve.open("").location == f"{eve.link}/join"
    assert eve.send("/join", do="watch").location == eve.link
    watch = eve.open("").location
    assert watch != eve.link
    assert eve.get(watch).location == f"{watch}/m/2"


def test_the_hub_forgets_where_phones_looked_long_ago(app, monkeypatch):
    monkeypatch.setattr(hub_module, "MOST_PHONES", 2)
    with app.app_context():
        hub = notifications.hub()
        for phone in ("one", "two", "three"):
            hub.looks_at(7, phone, 1)
        with hub.subscribe(7, "one"), hub.subscribe(7, "three"), hub.subscribe(7, "two", counts=False):
            assert [phone for phone in ("one", "two", "three") if hub.is_looking_at(7, phone, 1)] == ["three"]


def test_people_keep_their_pawn_and_their_side_of_the_screen_all_evening(app, ana):
    """The rematch is dealt by the next in turn, and the engine counts the teams from the dealer."""
    ana.send("/m/1/rematch", expected_seq="1", idempotency_key="again")  # stopped before the first deal: Ana deals again
    ana.send("/m/2/who", tap="passed-deal", expected_seq="0", idempotency_key="passed")
    ana.send("/m/2/stop", expected_seq="1", idempotency_key="stop-2")
    ana.send("/m/2/rematch", expected_seq="2", idempotency_key="more")
    assert ana.get(f"{ana.link}/m/3/record.json").json["players"] == ["Bo", "Cy", "Di", "Ana"]
    for number in (1, 3):
        page = ana.open(f"/m/{number}").text
        heads = re.findall(r'class="score-name">.*?data-side="(\d)".*?<b[^>]*>(.*?)</b>', page, re.DOTALL)
        assert [(pawn, sorted(words(names).strip().split(" & "))) for pawn, names in heads] == [
            ("0", ["Ana", "Cy"]),
            ("1", ["Bo", "Di"]),
        ]
    asked = re.findall(
        r'class="pawn" data-side="(\d)".*?<span\s+class="clamped named">(.*?)</span>', ana.open("/m/3/may-i").text, re.DOTALL
    )
    assert sorted(zip([pawn for pawn, _ in asked], [words(name).strip() for _, name in asked], strict=True)) == [
        ("0", "Ana, you"),
        ("0", "Cy"),
        ("1", "Bo"),
        ("1", "Di"),
    ]
    seats = re.findall(r'class="tile seat.*?class="pawn" data-side="(\d)".*?<b>(\w+)', ana.open().text, re.DOTALL)
    assert sorted(seats) == [("0", "Ana"), ("0", "Cy"), ("1", "Bo"), ("1", "Di")]
