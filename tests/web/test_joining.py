"""How does somebody come to a table? First the name, then the seat: a real place, whatever is played."""

from __future__ import annotations

import re

import pytest

from companion.storage.models import Match, db
from tests.web.people import Phone, PhoneAtMatch, field, says, words


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


@pytest.mark.parametrize(
    ("language", "limit"),
    [("en", "40 letters at most"), ("fr", "40 lettres au maximum"), ("de", "Höchstens 40 Buchstaben")],
)
def test_the_field_knows_how_long_a_name_may_be(ana, eve, language, limit):
    eve.client.post("/language", data={"language": language})
    page = eve.open("/join")
    note = re.search(
        r'<p class="field-note longest" aria-live="polite" data-longest="40"\s+data-words="([^"]*)"></p>', page.text
    )
    assert note[1] == limit


def test_the_name_is_asked_alone(ana, eve):
    page = eve.open("/join")
    assert says(page, "Step 1 of 2")
    assert says(page, "Ana and Bo are waiting for you")
    assert says(page, "What’s your name?")
    assert re.search(r'<input id="field-name"[^>]*maxlength="400"[^>]*autofocus', page.text)
    assert re.findall(r"<small>(has a phone|no phone yet)", page.text) == ["has a phone", "no phone yet"]
    for missing in ("Start BeloZ", "What do we play?", 'class="qr"', 'class="code"'):
        assert missing not in page.text


def test_an_empty_name_is_asked_for_kindly_and_a_taken_one_explained(eve):
    empty = eve.send("/join", name=" ")
    assert (empty.status_code, field(empty, "name")[1]) == (422, "Please type your name.")
    taken = eve.send("/join", name="bo")
    assert field(taken, "name") == ("bo", "Bo is at this table already. If that’s you, tap “Bo” below.")


def test_a_tap_on_a_free_seat_sits_down_and_can_be_undone(ana, eve):
    assert eve.send("/join", name="Eve").location == f"{eve.link}/join/seat"
    page = eve.open("/join/seat")
    assert says(page, "Step 2 of 2")
    assert seats(page) == ["Sit here Ana’s partner", "Sit here Bo’s partner", "Ana taken", "Bo taken"]
    numbers = re.findall(r'name="seat" value="(\d)"', page.text)
    assert numbers == ["2", "3"]
    turned = eve.get(re.search(r'href="([^"]*turn=1)"', page.text)[1])
    assert seats(turned)[0] == "Sit here Bo’s partner"
    assert eve.send("/join/seat", seat="3").location == f"{eve.link}/table"
    page = eve.open()
    assert says(page, "You sit here, Eve. Undo")
    assert 'data-turned="1"' in page.text  # the picture turns by a seat, until Eve's is the nearest
    assert "data-turned" not in eve.open().text
    assert "You sit here" not in words(eve.open())
    assert ana.around() == ["Ana you deal", "Bo no phone", "Empty seat tap to add", "Eve"]
    assert eve.send(eve.person("Eve"), do="remove", next="seat").location == f"{eve.link}/join/seat"
    assert seats(eve.open("/join/seat"))[0] == "Sit here Ana’s partner"


@pytest.mark.both_databases
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
    assert says(eve.open("/m/1"), "This phone doesn’t know who you are")
    assert says(eve.open("/join"), "BeloZ is being played")
    assert eve.send(ana.person("Bo"), do="claim", next="enter").location == eve.link
    assert eve.open("").location == f"{eve.link}/m/1"
    assert "know who you are" not in words(eve.open("/m/1"))


def test_a_fifth_is_offered_a_seat_too(ana, eve):
    for name in ("Cy", "Di"):
        ana.send("/people/new", name=name, do="add")
    eve.send("/join", name="Eve")
    assert seats(eve.open("/join/seat")) == ["Sit here", "Ana taken", "Bo taken", "Cy taken", "Di taken"]


def test_who_only_looks_on_has_no_keys_until_they_say_who_they_are(app, ana, eve):
    for name in ("Cy", "Di"):
        ana.send("/people/new", name=name, do="add")
    ana.send("/matches", game="beloz")
    seated = PhoneAtMatch(app, eve.link.removeprefix("/t/"))
    left_open = seated.open("/count")  # in another tab
    assert left_open.status_code == 200
    play, eve.client = eve.link, seated.client
    assert eve.send("/join", do="watch").location == play
    page = eve.client.get(play, follow_redirects=True)
    assert "/t/" in page.request.path
    assert not page.request.path.startswith(play)
    assert page.request.path.endswith("/m/1")
    for address in ("/m/1", "/table", "/m/1/see/history"):
        page = eve.client.get(play + address, follow_redirects=True)
        assert page.status_code == 200
        assert "/count" not in page.text
        assert set(re.findall(r'<form[^>]*action="([^"]*)"', page.text)) <= {"/language", "/theme"}
    assert eve.open("/m/1/count").status_code == 302  # to the link to watch, which refuses it
    refused = seated.send("/undo", newest="1")
    assert refused.status_code == 403
    assert says(refused, "This phone only watches. Say who you are, then enter it again.")
    # by the way back it plays after all
    page = eve.client.get(f"{play}/m/1", follow_redirects=True)
    assert says(page, "This phone only watches. Say who I am")
    assert f'href="{play}/join"' in page.text
    assert eve.open("/join").status_code == 200
    assert eve.send(ana.person("Bo"), do="claim", next="enter").location == play
    assert eve.open("/m/1/count").status_code == 200
    eve.do("release", "Bo")
    assert says(eve.open("/m/1"), "This phone doesn’t know who you are.")  # it watched before, and does not any more


def test_who_came_by_the_link_to_watch_is_shown_no_way_to_play(app, ana, eve):
    eve.send("/join", do="watch")
    watch = eve.open().location.removesuffix("/table")
    ana.send("/links", do="play")  # the link to play is another one now
    page = eve.get(f"{watch}/table")
    assert says(page, "You are watching")
    assert not says(page, "Say who I am")


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
