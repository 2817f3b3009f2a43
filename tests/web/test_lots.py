"""Who begins, by lot? Any phone draws, all see it, nobody could choose, and people may still choose another."""

from __future__ import annotations

import json
import re
from collections import Counter
from datetime import timedelta
from html import unescape
from pathlib import Path

import pytest

from companion.engine import fair_draw
from companion.matches import entries
from companion.storage.models import Lot, Match, Player, Restore, Table, db, now
from companion.tables import lots, seating
from tests.five import FIVE
from tests.web.people import Phone, says, words

FAIR_DRAWS = (Path(__file__).parents[2] / "docs" / "fair-draws.md").read_text("utf-8")


@pytest.fixture
def ana(app, table):
    phone = Phone(app)
    phone.link = f"/t/{table.play}"
    return phone


@pytest.fixture
def watcher(app, table):
    phone = Phone(app)
    phone.link = f"/t/{table.watch}"
    return phone


def form(page):
    """Return what the button "Draw lots" of a table's page sends."""
    html = re.search(r'<form id="draw-lot" method="post" action="[^"]*/lots">(.*?)</form>', page.text, re.DOTALL)[1]
    return {"lot": re.search(r'name="lot" value="(\d+)"', html)[1]}


def drawn(app):
    with app.app_context():
        return [lots.fell_on(lot) for lot in db.session.query(Lot).order_by(Lot.number)]


def test_one_tap_draws_and_everybody_sees_who_deals_first(app, ana, watcher):
    assert ana.send("/lots", **form(ana.open())).location.endswith("/table")
    (name,) = drawn(app)
    for page in (ana.open(), watcher.open()):
        assert says(page, f"The lot fell on {name}.")
        assert says(page, f"{name} deals first.")
        assert says(page, "deals first")
    assert "Draw lots" not in re.sub(r"<details.*?</details>", "", watcher.open().text, flags=re.DOTALL)
    with app.app_context():
        assert seating.first_dealer(db.session.query(Table).one()).name == name


def test_whom_the_lot_fell_on_is_first_in_the_match(app, ana):
    ana.send("/lots", **form(ana.open()))
    page = ana.open()
    players = re.findall(r'name="player" value="(\d+)"', page.text.partition('id="start"')[2])
    assert ana.send("/matches", game="beloz", player=players).status_code == 303
    with app.app_context():
        assert db.session.query(Match).one().players[0] == drawn(app)[0]
    assert "The lot fell on" not in words(ana.open())


def test_two_phones_that_tap_at_the_same_moment_draw_one_lot(app, ana):
    tapped = form(ana.open())
    for _ in range(2):
        assert ana.send("/lots", **tapped).status_code == 303
    assert len(drawn(app)) == 1


def test_they_may_draw_again_and_all_see_how_often(app, ana, watcher):
    for number in (1, 2):
        people = re.findall(r'name="player" value="(\d+)"', ana.open("/lots").text)
        answer = ana.send("/lots", lot=number, player=people, on="lots")
        assert answer.location.endswith("/lots")
    page = watcher.open("/lots")
    assert [says(page, f"Lot {number}: {name}") for number, name in enumerate(drawn(app), start=1)] == [True, True]
    assert "<form" not in page.text.partition("<main")[2].partition("</main>")[0]


def test_another_first_dealer_may_still_be_chosen(app, ana):
    ana.send("/lots", **form(ana.open()))
    other = next(name for name in ("Ana", "Bo", "Cy", "Di") if name != drawn(app)[0])
    ana.do("deal", other)
    assert "The lot fell on" not in words(ana.open())
    assert form(ana.open())["lot"] == "2"


@pytest.mark.parametrize("word", ["", "tide", "Größe 🐋"])
def test_the_seal_stood_there_before_and_the_program_in_the_documents_names_the_same_person(app, ana, watcher, word):
    seal = re.search(r'<code class="lot-seal">([0-9a-f]{64})<', watcher.open("/lots").text)[1]
    ana.send("/lots", **form(ana.open()), word=word)
    told = json.loads(unescape(re.search(r'<code class="lot-seal">({.*?})<', watcher.open("/lots").text, re.DOTALL)[1]))
    assert told["seal"] == seal
    assert (told["people"], told["word"]) == (["Ana", "Bo", "Cy", "Di"], word)
    program: dict[str, object] = {"__name__": "program"}
    exec(re.findall(r"```python\n(.*?)```", FAIR_DRAWS, re.DOTALL)[2], program)
    assert program["first"](told) == drawn(app)[0]


def test_a_rematch_begins_with_whom_the_lot_fell_on_as_its_button_says(app, ana, watcher):
    with app.app_context():
        table = db.session.query(Table).one()
        entries.open_match(table.id, "rivals", ["Ana", "Bo"], {})
    assert ana.send("/lots", lot=1, on="lots", player=people(app, "Ana", "Bo")).status_code == 409  # it is being played
    ana.send("/m/1/stop", expected_seq=0, idempotency_key="stop")
    ana.send("/lots", lot=1, on="lots", player=people(app, "Ana", "Bo"))
    name = drawn(app)[0]
    for phone in (ana, watcher):
        assert says(phone.open("/m/1"), f"The lot fell on {name}.") is (phone is ana)  # watchers see it at the table
    assert says(ana.open("/m/1"), f"Rematch, {name} starts")
    ana.send("/m/1/rematch")
    with app.app_context():
        assert db.session.query(Match).filter_by(number=2).one().players[0] == name


def people(app, *names):
    with app.app_context():
        return [player.id for player in db.session.query(Player).filter(Player.name.in_(names))]


def test_the_big_screen_shows_it_at_once_and_gives_way_after_two_minutes(app, ana, watcher):
    ana.send("/lots", **form(ana.open()))
    page = watcher.open("/screen")
    name = drawn(app)[0]
    assert says(page, f"The lot fell on {name}.")
    assert re.search(rf'class="winner">{name}<', page.text)
    with app.app_context():
        db.session.query(Lot).one().at = now() - timedelta(minutes=3)
        db.session.commit()
    assert "The lot fell on" not in words(watcher.open("/screen"))


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"on": "lots", "player": []}, "A lot needs at least 2 people."),
        ({"on": "lots", "player": [999, 1]}, "The seats have changed meanwhile. Look at the table, then draw again."),
        ({"word": "a\x07b"}, "Use only letters that can be seen."),
        ({"word": "a" * 201}, "This word is too long. It may have 200 characters."),
    ],
)
def test_what_can_not_be_drawn_is_said_and_the_word_stays(app, ana, fields, sentence):
    answer = ana.send("/lots", **{**form(ana.open()), **fields})
    assert answer.status_code in (409, 422)
    assert says(answer, sentence)
    assert drawn(app) == []
    if "word" in fields:
        assert re.search(r'name="word"[^>]*value="a', answer.text)


def test_who_watches_draws_nothing(app, watcher, ana):
    assert watcher.send("/lots", **form(ana.open())).status_code == 403
    assert drawn(app) == []


def test_a_new_play_link_and_a_backup_that_was_put_back_give_the_next_lot_another_seal(in_app, table):
    row = db.session.get(Table, table.id)
    seals = [lots.next_seal(row)]
    db.session.add(Restore(made=now(), at=now()))
    db.session.commit()
    seals.append(lots.next_seal(row))
    seating.replace_play_link(table.id)
    seals.append(lots.next_seal(db.session.get(Table, table.id)))
    assert len(set(seals)) == 3


@pytest.mark.parametrize("size", [2, 3, 5, 12])
def test_each_person_is_drawn_about_as_often(size):
    counts = Counter(fair_draw.lot(fair_draw.key(number.to_bytes(32, "big")), size) for number in range(3000))
    assert set(counts) == set(range(size))
    assert max(counts.values()) < 1.3 * 3000 / size


@pytest.mark.parametrize("game", [*FIVE, "sheet"])
def test_it_is_offered_in_every_game(app, ana, game):
    ana.send("/game", choose=game)
    assert "Draw lots" in words(re.search(r'<div id="draw" .*?</div>', ana.open().text, re.DOTALL)[0])
