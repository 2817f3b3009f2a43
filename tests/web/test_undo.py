"""Does undo name what it takes back, take that and nothing else, and lose nothing of the round in progress?"""

from __future__ import annotations

import re
from html import unescape

import pytest
from sqlalchemy import create_engine, text

from companion.matches import entries
from companion.storage import database, migrations
from companion.storage.models import db
from tests.web.forms_on_a_page import PageReader
from tests.web.older import bring_to
from tests.web.people import BelozPhone, claim, says, words

NAMES = ["Ana", "Bo", "Cy", "Di"]
TAKEN = '{"bidder":0,"flooded":"south"}'
DI = 3


@pytest.fixture
def at_match():
    return BelozPhone


def arrow(page):
    """Return what the button in the thumb zone says and sends, or None where there is none."""
    label = re.search(r"<button[^>]*undo-named[^>]*>.*?<span[^>]*>(.*?)</span>", page.text, re.DOTALL)
    if label is None:
        return None
    (form,) = [
        form
        for form in PageReader(page.text.partition('<section id="toasts"')[0]).forms
        if form.action.endswith("/undo") and {"step", "newest"} & form.choices.keys()
    ]
    return unescape(label[1]), {name: value for name, value in form.values if name != "csrf_token"}


def said(page):
    return " ".join(words(re.search(r'<section id="toasts".*?</section>', page.text, re.DOTALL)[0]).split())


def offered(page):
    """Return what the toast's button sends."""
    toast = re.search(r'<section id="toasts".*?</section>', page.text, re.DOTALL)[0]
    return {name: value for name, value in PageReader(toast).forms[0].values if name not in {"csrf_token", "idempotency_key"}}


def again(page):
    """Return what "Redo" in the menu sends, nothing where there is none. There is never more than one."""
    forms = [dict(form.values) for form in PageReader(page.text.partition('<section id="toasts"')[0]).forms]
    ways = [form for form in forms if form.keys() & {"again", "of"} and not form.keys() & {"newest", "step"}]
    assert len(ways) <= 1
    return {name: value for name, value in ways[0].items() if name != "csrf_token"} if ways else None


def tap(phone):
    """Tap the arrow as the page shows it now; gives the page that follows, with its toast."""
    _, fields = arrow(phone.open())
    assert phone.send("/undo", **fields).status_code == 303
    return phone.open()


class TestStepByStep:
    def test_the_open_rounds_last_step_comes_first_then_the_newest_entry(self, phone, scores):
        phone.play_round(98)
        assert arrow(phone.open())[0] == "Undo round 1"
        phone.take(DI, "east")
        phone.send("/declarations", card="north-water-snake", speaker="0")
        labels = []
        while (button := arrow(phone.open())) is not None and "step" in button[1]:
            labels.append(button[0])
            tap(phone)
        assert labels == ["Undo: Ana: run of three", "Undo: East flooded", "Undo: Di took it"]
        assert arrow(phone.open())[0] == "Undo round 1"
        assert scores() == (108, 55)
        assert said(tap(phone)).startswith("Round 1 undone (Ana & Cy 0, Bo & Di 0)")

    def test_what_was_taken_back_can_be_done_again_from_the_toast_and_from_the_menu(self, phone):
        phone.take(DI, "east")
        page = tap(phone)
        assert said(page).startswith("Undone: East flooded")
        assert says(page, "Di took it")
        assert says(phone.open(), "Redo: East flooded")
        phone.send("/undo", **offered(page))
        page = phone.open()
        assert said(page).startswith("Back again: East flooded")
        assert arrow(page)[0] == "Undo: East flooded"

    def test_only_what_was_taken_back_last_is_offered_again(self, phone):
        phone.play_round(98, bidder=DI, plain="east")
        tap(phone)  # the round
        assert [says(phone.open(), one) for one in ("Redo round 1", "Redo: East flooded")] == [True, False]
        tap(phone)  # East, which was tapped before the round was saved
        assert [says(phone.open(), one) for one in ("Redo round 1", "Redo: East flooded")] == [False, True]

    def test_a_new_step_ends_what_can_be_done_again(self, phone):
        phone.take(DI, "east")
        tap(phone)
        phone.send("/who", flooded="west")
        assert not says(phone.open(), "Redo")

    def test_a_second_tap_on_the_same_card_leaves_no_step(self, phone):
        phone.take(DI, "east")
        for _ in range(2):
            phone.send("/declarations", card="north-water-snake", speaker="0")
        assert arrow(phone.open())[0] == "Undo: East flooded"

    def test_of_very_many_steps_the_first_are_taken_back_together(self, phone, app, match):
        with app.app_context():
            for number in range(40):
                entries.change_draft(match, lambda draft, number=number: {"step": number}, step=f"Step {number}")
            steps = 0
            while (newest := entries.shared(match, 0).newest) is not None:
                entries.undo_step(match, newest.id, after=0)
                steps += 1
            assert steps == 30
            assert entries.draft(match, 0) is None


class TestNothingElse:
    """A stale tap takes back what its button named, or nothing."""

    def test_a_step_was_made_meanwhile(self, phone, other_phone):
        phone.take(DI, "east")
        _, fields = arrow(phone.open())
        other_phone.open()
        other_phone.send("/declarations", card="north-water-snake", speaker="0")
        late = phone.send("/undo", **fields)
        assert late.status_code == 409
        assert says(late, "Not undone")
        assert says(late, "Since then: Ana: run of three.")
        assert arrow(late)[0] == "Undo: Ana: run of three"

    def test_the_round_was_saved_meanwhile(self, phone, other_phone, scores):
        claim(other_phone, "Bo")
        phone.take(DI, "east")
        _, fields = arrow(phone.open())
        other_phone.open()
        other_phone.count(98)
        late = phone.send("/undo", **fields)
        assert late.status_code == 409
        assert says(late, "Bo saved round 1 meanwhile.")
        assert scores() != (0, 0)

    def test_the_next_round_was_begun_meanwhile(self, phone, other_phone, scores):
        phone.play_round(98)
        _, fields = arrow(phone.open())
        other_phone.open()
        other_phone.send("/who", tap="bidder:3")
        late = phone.send("/undo", **fields)
        assert late.status_code == 409
        assert says(late, "Since then: Di took it.")
        assert scores() == (108, 55)

    def test_another_phone_undid_the_same_meanwhile(self, phone, other_phone, log):
        claim(other_phone, "Bo")
        phone.play_round(98)
        _, fields = arrow(phone.open())
        tap(other_phone)
        assert phone.send("/undo", **fields).status_code == 303
        assert said(phone.open()).startswith("Bo had undone it already")
        assert log().seq == 2

    def test_a_double_tap_takes_one_step_back(self, phone):
        phone.take(DI, "east")
        _, fields = arrow(phone.open())
        assert [phone.send("/undo", **fields).status_code for _ in range(2)] == [303, 303]
        assert arrow(phone.open())[0] == "Undo: Di took it"

    def test_a_double_tap_undoes_one_round(self, phone, log):
        phone.play_round(98)
        phone.play_round(98)
        _, fields = arrow(phone.open())
        assert [phone.send("/undo", **fields).status_code for _ in range(2)] == [303, 303]
        assert len(log().entries) == 1


class TestDraftsStay:
    def test_an_undone_round_is_open_again_with_what_was_known_of_it(self, phone):
        phone.play_round(98, bidder=2, plain="north")
        page = tap(phone)
        assert says(page, "Cy took it")
        assert says(page, "North flooded")

    def test_undo_and_redo_of_the_round_before_lose_nothing(self, phone):
        phone.play_round(98)
        phone.take(DI, "east")
        phone.open()
        phone.send("/undo", of=1)
        assert says(phone.open(), "Ana took it")
        phone.send("/undo", of=2)
        page = phone.open()
        assert says(page, "Di took it")
        assert arrow(page)[0] == "Undo: East flooded"

    def test_a_correction_loses_nothing(self, phone):
        phone.play_round(98)
        phone.take(DI, "east")
        phone.open()
        assert phone.send("/entries/1", round=TAKEN, team="0", points="101", last="0").status_code == 303
        assert arrow(phone.open())[0] == "Undo: East flooded"

    def test_redo_stays_until_the_next_entry(self, phone):
        phone.play_round(98)
        tap(phone)
        phone.open()
        assert says(phone.open(), "Redo round 1")
        phone.count(101)
        assert not says(phone.open(), "Redo")

    def test_several_are_redone_in_turn(self, phone, scores):
        phone.play_round(98)
        phone.play_round(98)
        for _ in range(2):
            while "step" in arrow(phone.open())[1]:
                tap(phone)
            tap(phone)
        reached = []
        while way := again(phone.open()):  # each, with its steps, in the order in which they were taken back, the last first
            assert phone.send("/undo", **way).status_code == 303
            reached.append(scores()[0])
        assert list(dict.fromkeys(reached)) == [108, 216]

    def test_a_tap_for_a_round_that_was_saved_meanwhile_does_not_slip_into_the_next(self, phone, other_phone):
        phone.take(DI, "east")
        other_phone.open("/declarations")
        phone.count(98)
        late = other_phone.send("/declarations", card="north-water-snake", speaker="0")
        assert late.location.endswith("/m/1")
        assert said(other_phone.open()) == "Another phone saved round 1 meanwhile. Your tap wasn’t saved"
        assert arrow(phone.open())[0] == "Undo round 1"


@pytest.mark.parametrize("agreed", [{"target": 200}])
class TestOver:
    @pytest.fixture
    def over(self, phone):
        phone.play_round(98)
        phone.play_round(98)
        return phone

    def test_it_is_in_the_menu_and_asks_first(self, over, scores):
        page = over.open()
        assert arrow(page) is None
        link = unescape(re.search(r'<a class="menu-item" href="([^"]*/undo[^"]*)"', page.text)[1])
        asked = over.client.get(link)
        assert says(asked, "Undo round 2")
        assert says(asked, "Match 1 goes on again: Ana & Cy 108, Bo & Di 55.")
        assert scores() == (216, 110)
        (form,) = [form for form in PageReader(asked.text).forms if form.action.endswith("/undo")]
        assert over.client.post(form.action, data=dict(form.values)).status_code == 303
        assert scores() == (108, 55)

    @pytest.mark.parametrize(
        ("code", "question"), [("en", "Undo round 2?"), ("de", "Runde 2 zurücknehmen?"), ("fr", "Annuler la manche 2 ?")]
    )
    def test_it_asks_in_a_sentence(self, over, code, question):
        over.client.set_cookie("language", code)
        assert says(over.open("/undo", of=2), question)

    def test_a_button_that_was_not_asked_asks(self, over, scores):
        over.open()
        asked = over.send("/undo", of=2)
        assert asked.location.endswith("/undo?of=2")
        assert scores() == (216, 110)

    def test_an_older_match_asks_too(self, phone, app, table, scores):
        phone.play_round(98)
        with app.app_context():
            entries.open_match(table.id, "beloz", NAMES, {})
        page = phone.open()
        assert arrow(page) is None
        assert phone.send("/undo", of=1).location.endswith("/undo?of=1")
        assert says(phone.open("/undo", of=1), "Match 1 then stands at: Ana & Cy 0, Bo & Di 0.")
        assert says(phone.open("/undo", of=1), "The table plays match 2 by now.")
        assert phone.open("/undo", of=99).status_code == 422
        assert scores() == (108, 55)

    def test_what_was_stopped_goes_on(self, phone):
        phone.play_round(98)
        phone.send("/stop")
        page = phone.open()
        assert says(page, "Undo the end of the match")
        assert says(phone.open("/undo"), "Match 1 goes on again: Ana & Cy 108, Bo & Di 55.")
        assert phone.send("/undo", sure=1).status_code == 303
        assert arrow(phone.open())[0] == "Undo round 1"


class TestMigration:
    """Drafts of an older database are kept by the entry after which they come."""

    LINES = (
        ("events", '{"events":[]}'),
        ("events", '{"events":[]}'),
        ("undo", '{"of":2}'),
        ("undo", '{"of":3}'),
        ("undo", '{"of":2}'),
    )

    @pytest.fixture
    def engine(self, empty_database_url):
        engine = create_engine(database.address(empty_database_url))
        database.prepare(engine)
        yield engine
        engine.dispose()

    def test_it_carries_them_over(self, engine):
        bring_to(engine, "0003")
        with engine.begin() as connection:
            table = "VALUES (7, 'T', 'p', 'w', 0, '2026-01-01 00:00:00')"
            connection.execute(text(f"INSERT INTO tables (id, name, play_token, watch_token, seq, created) {table}"))
            for match, lines, after in ((1, self.LINES, 5), (2, self.LINES[:4], 3), (3, (), 0)):
                connection.execute(
                    text(
                        "INSERT INTO matches (id, table_id, number, game, edition, players, options, seq, created)"
                        f" VALUES ({match}, 7, {match}, 'beloz', 1, '[]', '{{}}', {len(lines)}, '2026-01-01 00:00:00')"
                    )
                )
                for seq, (kind, body) in enumerate(lines, start=1):
                    connection.execute(
                        text("INSERT INTO entries VALUES (:match, :seq, :key, NULL, '2026-01-01 00:00:00', :kind, :body)"),
                        {"match": match, "seq": seq, "key": str(seq), "kind": kind, "body": body},
                    )
                draft = {"match": match, "after": after, "body": '{"bidder":1}'}
                connection.execute(text("INSERT INTO drafts VALUES (:match, :after, :body)"), draft)
        migrations.upgrade(engine)
        with engine.connect() as connection:
            heads = connection.execute(text("SELECT number, head FROM matches ORDER BY number")).all()
            drafts = connection.execute(text("SELECT match_number, after, body FROM drafts ORDER BY match_number")).all()
        assert [tuple(row) for row in heads] == [(1, 1), (2, 2), (3, 0)]
        assert [tuple(row) for row in drafts] == [(1, 1, '{"bidder":1}'), (3, 0, '{"bidder":1}')]  # the second was void

    def test_its_steps_are_taken_back_as_one(self, app, match):
        steps = '{"done": [{"id": "before", "what": "", "draft": null}]}'
        with app.app_context():
            with database.writing() as connection:
                connection.execute(
                    text("INSERT INTO drafts VALUES (:table_id, :number, 0, :body, :steps)"),
                    {**match._asdict(), "body": '{"bidder":1}', "steps": steps},
                )
            db.session.rollback()
            assert entries.undo_step(match, "before", after=0).draft == {"bidder": 1}
            assert entries.draft(match, 0) is None
