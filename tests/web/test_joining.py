"""How does somebody come to a table? First the name, then the seat: a real place, whatever is played."""

from __future__ import annotations

import re

import pytest

from companion.storage.models import Match, db
from tests.web.people import Phone, field, says, words

pytestmark = pytest.mark.both_databases


@pytest.fixture
def ana(app):
    """Return Ana's phone, at a table of BeloZ where Bo sits at her right without a phone."""
    return Phone(app).make_table("Ana", "Bo")


@pytest.fixture
def eve(app, ana):
    """Return a phone that has just scanned the code."""
    eve = Phone(app)
    eve.link = ana.link
    return eve


def seats(page):
    """Return what stands on each seat of the drawn table, from the nearest one to the right."""
    found = re.findall(r'<(?:div|button) class="tile seat[^"]*".*?<b>(.*?)</b>(.*?)</span>', page.text, re.DOTALL)
    return [" ".join(words(f"{name} {rest}").split()) for name, rest in found]


def test_the_name_is_asked_alone(ana, eve):
    page = eve.open("/join")
    assert says(page, "Step 1 of 2")
    assert says(page, "Ana and Bo are waiting for you")
    assert says(page, "What's your name?")
    assert re.search(r'<input id="field-name"[^>]*maxlength="40"[^>]*autofocus', page.text)
    assert re.findall(r"<small>(has a phone|no phone yet)", page.text) == ["has a phone", "no phone yet"]
    for missing in ("Start BeloZ", "What do we play?", 'class="qr"', 'class="code"'):
        assert missing not in page.text


def test_an_empty_name_is_asked_for_kindly_and_a_taken_one_explained(eve):
    empty = eve.send("/join", name=" ")
    assert (empty.status_code, field(empty, "name")[1]) == (422, "Please type your name.")
    taken = eve.send("/join", name="bo")
    assert field(taken, "name") == ("bo", "Bo is at this table already. If that's you, tap “Bo” below.")


def test_a_tap_on_a_free_seat_sits_down_and_can_be_undone(ana, eve):
    assert eve.send("/join", name="Eve").location == f"{eve.link}/join/seat"
    page = eve.open("/join/seat")
    assert says(page, "Step 2 of 2")
    assert seats(page) == ["Sit here Ana's partner", "Sit here Bo's partner", "Ana taken", "Bo taken"]
    numbers = re.findall(r'name="seat" value="(\d)"', page.text)
    assert numbers == ["2", "3"]
    turned = eve.get(re.search(r'href="([^"]*turn=1)"', page.text)[1])
    assert seats(turned)[0] == "Sit here Bo's partner"
    assert eve.send("/join/seat", seat="3").location == f"{eve.link}/table"
    page = eve.open()
    assert says(page, "You sit here, Eve. Undo")
    assert 'data-turned="1"' in page.text  # the picture turns by a seat, until Eve's is the nearest
    assert "data-turned" not in eve.open().text
    assert "You sit here" not in words(eve.open())
    assert ana.around() == ["Ana you deal", "Bo no phone", "Empty seat tap to add", "Eve"]
    assert eve.send(eve.person("Eve"), do="remove", next="seat").location == f"{eve.link}/join/seat"
    assert seats(eve.open("/join/seat"))[0] == "Sit here Ana's partner"


def test_a_seat_that_somebody_took_meanwhile_is_told(ana, eve):
    eve.send("/join", name="Eve")
    ana.send("/people/new", name="Cy", seat="2", do="add")
    late = eve.send("/join/seat", seat="2")
    assert late.status_code == 409
    assert says(late, "Cy sits there now. Choose another seat.")
    assert "Eve" not in " ".join(ana.around())


def test_who_sits_there_already_goes_on_to_the_match(ana, eve):
    for name in ("Cy", "Di"):
        ana.send("/people/new", name=name, do="add")
    ana.send("/matches", game="beloz")
    assert says(eve.open("/m/1"), "This phone doesn't know who you are")
    assert says(eve.open("/join"), "BeloZ is being played")
    assert eve.send(ana.person("Bo"), do="claim", next="enter").location == eve.link
    assert eve.open("").location == f"{eve.link}/m/1"
    assert "know who you are" not in words(eve.open("/m/1"))


def test_a_fifth_is_offered_a_seat_too(ana, eve):
    for name in ("Cy", "Di"):
        ana.send("/people/new", name=name, do="add")
    eve.send("/join", name="Eve")
    assert seats(eve.open("/join/seat")) == ["Sit here", "Ana taken", "Bo taken", "Cy taken", "Di taken"]


def test_who_only_looks_on_is_not_asked_again(eve):
    assert eve.send("/join", do="watch").location == eve.link
    assert eve.open("").location == f"{eve.link}/table"
    assert says(eve.open(), "This phone has no name here")


def test_another_game_moves_nobody_and_is_chosen_for_all(app, ana, eve):
    ana.send("/people/new", name="Cy", seat="2", do="add")
    around = re.compile(r'data-place="([\w-]+)".*?<b>(\w+)', re.DOTALL)
    assert dict(around.findall(ana.open().text))["right"] == "Bo"
    ana.send("/game", choose="bisque")
    assert around.findall(ana.open().text)[:3] == [("bottom", "Ana"), ("right", "Bo"), ("left", "Cy")]
    assert says(eve.open(), "Start Bisque")
    assert eve.send("/matches").status_code == 303  # from any phone
    with app.app_context():
        assert db.session.query(Match).one().players == ["Ana", "Cy", "Bo"]  # Bisque's turn runs to the left
    assert 'class="lobby stack" data-game="bisque"' in ana.open().text
    ana.send("/game", choose="beloz")  # not while a match is being played
    assert 'class="lobby stack" data-game="bisque"' in eve.open().text
