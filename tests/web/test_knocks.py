"""May somebody come in without a code that works? If somebody at the table lets them in, who sees the number on their phone."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from companion.storage.models import Knock, Table, db, now
from companion.tables import knocks
from companion.web.guard import limits
from tests.web.people import Phone, says, words


@pytest.fixture
def ana(app):
    return Phone(app).make_table("Ana", "Bo", game="rivals")


@pytest.fixture
def bo(app):
    return Phone(app)


def code_of(app, phone):
    with app.app_context():
        return db.session.scalar(db.select(Table.code).where(Table.play_token == phone.link.removeprefix("/t/")))


def knocks_at(page):
    """Return the number that a page shows, None without one."""
    found = re.search(r'<template id="knock" data-live>(.*?)</template>', page.text, re.DOTALL)
    number = re.search(r"Their phone shows (\d\d)\.", found[1]) if found else None
    return int(number[1]) if number else None


def ask(phone, code):
    """Ask to be let in; return the number that the phone shows then."""
    answer = phone.client.post("/join/ask", data={"code": code})
    assert (answer.status_code, answer.location) == (303, "/join/wait"), words(answer)
    page = phone.get("/join/wait")
    assert page.status_code == 200
    return int(re.search(r'<p class="code panel"><b>(\d\d)</b>', page.text)[1])


def test_one_tap_at_the_table_lets_a_phone_in(app, ana, bo):
    assert knocks_at(ana.open()) is None
    number = ask(bo, code_of(app, ana).lower())
    assert knocks_at(ana.open()) == number
    answer = ana.send("/knock", number=number, do="in")
    assert (answer.status_code, answer.location) == (303, f"{ana.link}/table")
    assert knocks_at(ana.open()) is None
    assert bo.get("/join/wait").location == ana.link
    assert says(bo.get(f"{ana.link}/join"), "What’s your name?")


@pytest.mark.both_databases
def test_the_phone_may_be_served_by_another_process(app, ana, start_app):
    eve = Phone(start_app())
    number = ask(eve, code_of(app, ana))
    assert knocks_at(ana.open()) == number
    ana.send("/knock", number=number, do="in")
    assert eve.get("/join/wait").location == ana.link


def test_it_is_told_in_a_match_too_to_those_who_may_enter(app, ana, bo):
    assert ana.send("/matches", game="rivals").location == f"{ana.link}/m/1"
    with app.app_context():
        watch = f"/t/{db.session.scalar(db.select(Table.watch_token))}"
    before = ana.open("/m/1")
    number = ask(bo, code_of(app, ana))
    assert knocks_at(ana.open("/m/1")) == number
    tag = {"If-None-Match": before.headers["ETag"]}
    assert ana.client.get(f"{ana.link}/m/1", headers=tag).status_code == 200
    watcher = Phone(app)
    for page in (watcher.get(f"{watch}/table"), watcher.get(f"{watch}/m/1")):
        assert page.status_code == 200
        assert knocks_at(page) is None
    assert watcher.client.post(f"{watch}/knock", data={"number": number, "do": "in"}).status_code == 403
    assert bo.get("/join/wait").status_code == 200
    assert ana.send("/knock", number=number, match=1, do="in").location == f"{ana.link}/m/1"
    assert bo.get("/join/wait").location == ana.link


def test_whoever_knocks_learns_nothing_of_a_code(app, ana, bo):
    """With a wrong code, and where the table says no, a phone waits as with a right one."""
    eve = Phone(app)
    wrong = "2" * 6
    assert wrong != code_of(app, ana)
    ask(eve, wrong)
    number = ask(bo, code_of(app, ana))
    assert knocks_at(ana.open()) == number
    ana.send("/knock", number=number, do="no")
    assert knocks_at(ana.open()) is None
    ana.send("/knock", number=number, do="in")  # the first answer holds

    def seen(phone):
        page = phone.get("/join/wait")
        return page.status_code, re.sub(r"<b>\d\d</b>|nonce.*", "", words(page))

    assert seen(bo)[0] == 200
    assert re.sub(r"\d\d", "", seen(bo)[1]) == re.sub(r"\d\d", "", seen(eve)[1])


@pytest.mark.both_databases
def test_it_is_over_after_two_minutes(app, ana, bo, monkeypatch):
    number = ask(bo, code_of(app, ana))
    later = now() + timedelta(minutes=2, seconds=1)
    monkeypatch.setattr("companion.web.guard.access.now", lambda: later)
    monkeypatch.setattr(knocks, "now", lambda: later)
    assert knocks_at(ana.open()) is None
    ana.send("/knock", number=number, do="in")
    page = bo.get("/join/wait")
    assert page.status_code == 404
    assert says(page, "Nobody let you in. Scan the QR code, or ask for the link.")


@pytest.mark.parametrize("ended", ["the code", "the link"])
def test_it_goes_with_the_invitation(app, ana, bo, ended):
    number = ask(bo, code_of(app, ana))
    if ended == "the code":
        ana.send("/links", do="close")
        assert knocks_at(ana.open()) is None
        ana.send("/knock", number=number, do="in")
        assert bo.get("/join/wait").status_code == 200
    else:
        ana.send("/knock", number=number, do="in")
        ana.send("/links", do="play")
        assert bo.get("/join/wait").status_code == 404


def test_tables_are_asked_one_phone_at_a_time_each_by_its_number(app, ana, monkeypatch):
    phones = [Phone(app) for _ in range(3)]
    numbers = iter((50, 30, 40))
    monkeypatch.setattr(knocks.secrets, "choice", lambda free: next(number for number in numbers if number in free))
    for phone in phones:
        ask(phone, code_of(app, ana))
    assert knocks_at(ana.open()) == 30
    ana.send("/knock", number=50, do="in")
    ana.send("/knock", number=30, do="no")
    assert knocks_at(ana.open()) == 40
    assert [phone.get("/join/wait").status_code for phone in phones] == [303, 200, 200]


def test_nobody_elses_knock_is_answered(app, ana, bo):
    number = ask(bo, code_of(app, ana))
    other = Phone(app).make_table("Cy")
    other.send("/knock", number=number, do="in")
    assert bo.get("/join/wait").status_code == 200
    assert knocks_at(ana.open()) == number


@pytest.mark.parametrize("typed", ["K7W", "K7W M4!", "ÄÖÜ ÄÖÜ", "K7WM4RTW"])
def test_what_can_be_no_code_is_said(bo, typed):
    answer = bo.client.post("/join/ask", data={"code": typed})
    assert answer.status_code == 422
    assert says(answer, "A table’s code has 6 or 7 letters and digits, like K7W M4R.")


@pytest.mark.both_databases
def test_only_so_many_wait(app, ana, bo, monkeypatch):
    monkeypatch.setattr(knocks, "MOST", 2)
    for _ in range(2):
        ask(Phone(app), "222222")
    refused = bo.client.post("/join/ask", data={"code": code_of(app, ana)})
    assert refused.status_code == 422
    assert says(refused, "Too many people are asking just now. Scan the QR code, or ask for the link.")
    later = now() + timedelta(minutes=3)
    monkeypatch.setattr(knocks, "now", lambda: later)
    assert ask(bo, "444444")
    with app.app_context():
        assert [each.code for each in db.session.scalars(db.select(Knock))] == ["444444"]


class TestPaused:
    @pytest.fixture
    def settings(self):
        return {"WTF_CSRF_ENABLED": False, "RATELIMIT_ENABLED": True}

    def test_who_may_try_no_code_can_ask(self, app, ana, bo):
        code = code_of(app, ana)
        for _ in range(10):
            assert bo.client.post("/join", data={"code": "222222"}).status_code == 422
        page = bo.client.post("/join", data={"code": code})
        assert page.status_code == 429
        form = re.search(r'<form method="post" action="/join/ask">.*?</form>', page.text, re.DOTALL)[0]
        assert "Ask to be let in" in form
        assert f'name="code" value="{code}"' in form
        number = ask(bo, code)
        ana.send("/knock", number=number, do="in")
        assert bo.get("/join/wait").location == ana.link

    def test_who_guesses_can_not_ask_without_end(self, bo):
        """Of one network ten an hour, whatever phone it says it is."""
        for _ in range(limits.KNOCKS.amount):
            bo.client.delete_cookie("session")
            ask(bo, "222222")
        refused = bo.client.post("/join/ask", data={"code": "222222"})
        assert refused.status_code == 429
        assert 3500 < int(refused.headers["Retry-After"]) <= 3600
        assert says(refused, "You have asked often enough for now. Scan the QR code, or ask for the link.")
