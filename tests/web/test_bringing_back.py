"""Does what a phone entered at a table taken along come back once, and is what both sides did a question?"""

from __future__ import annotations

import io
import itertools
import re
from typing import ClassVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from companion.engine.beloz import PassedDeal, Round
from companion.engine.beloz.scoring import Count
from companion.matches import entries
from companion.pocket import Phone
from companion.storage.models import Match, MatchId, Table, db
from companion.tables import bringing_back, seating, table_file
from companion.tables.bringing_back import BOTH, OURS, PHONE, Brought
from tests.web.conftest import seat
from tests.web.people import words
from tests.web.tally import Score

pytestmark = [pytest.mark.both_databases, pytest.mark.usefixtures("small_games", "in_app")]


class Copy:
    """A table, or a phone's copy of it, and who enters something there."""

    def __init__(self, table_id, name):
        self.id, self.name, self.count = table_id, name, 0

    def seq(self, number):
        return entries.read(MatchId(self.id, number)).seq

    def how(self, number, key=None):
        self.count += 1
        return {"idempotency_key": key or f"{self.name}-{self.count}", "expected_seq": self.seq(number)}

    def score(self, *points, number=1, key=None):
        for each in points:
            entries.record(MatchId(self.id, number), [Score(0, each)], player=0, **self.how(number, key))

    def undo(self, of=None, number=1):
        entries.undo(MatchId(self.id, number), of, **self.how(number))

    def correct(self, of, points, number=1):
        entries.correct(MatchId(self.id, number), of, [Score(0, points)], **self.how(number))

    def file(self):
        return table_file.export_table(self.id)

    def taken_along(self):
        return Copy(table_file.import_table(self.file()).id, "phone")

    def back(self, copy, **choices):
        return bringing_back.bring_back(self.id, copy.file(), {int(name[1:]): choice for name, choice in choices.items()})

    def log(self, number=1):
        return entries.read(MatchId(self.id, number))

    def points(self, number=1):
        return self.log(number).standing.scores[0]

    def keys(self, number=1):
        return [line.key for line in self.log(number).written]


@pytest.fixture(params=["tally"])
def here(table, request):
    """Return a table at which Ana has five points."""
    entries.open_match(table.id, request.param, ["Ana", "Bo"])
    made = Copy(table.id, "here")
    made.score(2, 3)
    return made


def test_what_the_phone_entered_counts_here_under_its_own_keys(here):
    phone = here.taken_along()
    phone.score(4)
    phone.correct(1, 1)
    phone.undo(3)
    (brought,) = here.back(phone)
    assert (brought.number, brought.entries, brought.fork) == (1, 3, None)
    assert here.log().written[2:] == tuple(
        line.__class__(line.seq, line.key, line.player, ours.at, line.kind, line.of, line.events)
        for line, ours in zip(phone.log().written[2:], here.log().written[2:], strict=True)
    )
    assert here.points() == phone.points() == 4


def test_who_entered_it_is_the_same_here(here):
    """Bo plays and is called Bob here meanwhile; Cy belongs to the table and Ed came to the phone's: neither of them plays."""
    phone = here.taken_along()
    for by in (1, "Ed", "Cy"):
        entries.record(MatchId(phone.id, 1), [Score(0, 1)], player=by, **phone.how(1))
    entries.change_draft(MatchId(here.id, 1), lambda _: {"of": "Cy"}, what="Ana took it", player="Cy")
    bo = next(player for player in db.session.get(Table, here.id).players if player.name == "Bo")
    seating.rename_person(here.id, bo.id, "Bob")
    here.back(phone)
    log = here.log()
    assert [log.who(line.player) for line in log.written[2:]] == ["Bob", "Ed", "Cy"]
    assert log.people == ("Ana", "Bob", "Cy", "Ed")


def test_brought_again_nothing_counts_twice(here):
    phone = here.taken_along()
    phone.score(4)
    here.back(phone)
    phone.score(5)
    assert [each.entries for each in here.back(phone)] == [1]
    assert here.back(phone) == []
    assert here.points() == 14


def test_nothing_new_brings_nothing(here):
    assert here.back(here.taken_along()) == []


def test_what_both_entered_alike_is_one_entry(here):
    phone = here.taken_along()
    here.score(4)
    phone.score(4, 6)
    (brought,) = here.back(phone)
    assert (brought.entries, brought.fork) == (1, None)
    assert here.points() == 15
    assert here.keys() == ["here-1", "here-2", "here-3", "phone-2"]


@pytest.fixture
def forked(here):
    """Return a table at which Ana got four points, and one and six in the phone."""
    phone = here.taken_along()
    here.score(4)
    phone.score(1, 6)
    return phone


def test_where_others_went_on_a_person_is_asked_and_nothing_is_stored(here, forked):
    (brought,) = here.back(forked)
    assert brought.entries == 0
    assert [line.events for line in brought.fork.entered_here] == [(Score(0, 4),)]
    assert [line.events for line in brought.fork.entered_there] == [(Score(0, 1),), (Score(0, 6),)]
    assert here.keys() == ["here-1", "here-2", "here-3"]


@pytest.mark.parametrize(("choice", "points", "lines"), [(OURS, 9, 3), (PHONE, 12, 6), (BOTH, 16, 5)])
def test_what_was_chosen_counts(here, forked, choice, points, lines):
    for _ in range(2):  # the answer may have been lost
        assert not any(each.fork for each in here.back(forked, _1=choice))
        assert (here.points(), here.log().seq) == (points, lines)


def test_what_the_rules_forbid_after_all_is_said_and_nothing_of_the_match_is_stored(here):
    phone = here.taken_along()
    here.score(-4)
    phone.score(3, -5)
    (brought,) = here.back(phone, _1=BOTH)
    assert brought.refused
    assert brought.fork
    assert here.log().seq == 3


def test_a_match_that_began_in_the_phone_comes_whole_and_once(here):
    phone = here.taken_along()
    entries.open_match(phone.id, "tally", ["Ana", "Bo"])
    phone.score(7, number=2)
    entries.open_match(here.id, "tally", ["Ana", "Bo"])  # somebody began another one at the table
    (brought,) = here.back(phone)
    assert (brought.number, brought.entries, brought.begun) == (3, 1, True)
    assert here.points(3) == 7
    phone.score(2, number=2)
    assert [(each.number, each.entries, each.begun) for each in here.back(phone)] == [(3, 1, False)]
    assert here.points(3) == 9


@pytest.mark.parametrize("here", ["any-time"], indirect=True)
def test_in_a_game_without_turns_both_count(here, forked):
    (brought,) = here.back(forked)
    assert (brought.entries, brought.fork) == (2, None)
    assert here.points() == 16


TABLES = itertools.count(1)
STEPS = st.lists(st.tuples(st.sampled_from(["here", "one", "two", "bring-one", "bring-two"]), st.integers(1, 3)), max_size=14)


@given(STEPS)
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_however_often_two_phones_bring_and_others_go_on_no_entry_is_lost_or_counts_twice(steps):
    table = seat(("Ana", "Bo"), next(TABLES))
    entries.open_match(table.id, "any-time", ["Ana", "Bo"], {"target": 1000})
    here = Copy(table.id, "here")
    here.score(1)
    copies = {"here": here}
    for name in ("one", "two"):
        copies[name] = Copy(table_file.import_table(here.file()).id, name)
    total = 1
    for step, points in (*steps, ("bring-one", 0), ("bring-two", 0)):
        if step.startswith("bring-"):
            here.back(copies[step[6:]])
        else:
            copies[step].score(points)
            total += points
    assert here.points() == total


class TestPage:
    @pytest.fixture
    def settings(self):
        return {"WTF_CSRF_ENABLED": False, "RATELIMIT_ENABLED": False}

    @pytest.fixture
    def beloz(self, open_match):
        return open_match("beloz", ["Ana", "Bo", "Cy", "Di"])

    def bring(self, client, link, file, **fields):
        data = {"file": (io.BytesIO(file), "table.json"), **fields}
        return client.post(f"/t/{link}/bring", data=data, content_type="multipart/form-data")

    def test_it_says_what_came_and_whoever_watches_can_bring_nothing(self, client, table, here):
        phone = here.taken_along()
        phone.score(4)
        assert self.bring(client, table.watch, phone.file()).status_code == 403
        answer = self.bring(client, table.play, phone.file())
        assert (answer.status_code, "data-all" in answer.text) == (200, True)
        assert "1 entry of this phone counts here now." in words(answer)
        assert "had every entry of this phone already" in words(self.bring(client, table.play, phone.file()))

    def test_both_versions_of_a_round_are_shown_until_somebody_chooses(self, client, table, beloz):
        here = Copy(table.id, "here")
        phone = here.taken_along()
        entries.record(beloz, [PassedDeal()], player=1, **here.how(1))
        round_ = Round(bidder=0, flooded="north", count=Count(0, 98), last_expedition=0, declarations=())
        entries.record(MatchId(phone.id, 1), [round_], player=2, **phone.how(1))
        asked = self.bring(client, table.play, phone.file())
        assert asked.status_code == 409
        for shown in ("At the table", "Bo", "In this phone", "Cy", "Use this phone's instead"):
            assert shown in words(asked), shown
        assert self.bring(client, table.play, phone.file(), **{"choice-1": "anything"}).status_code == 409
        chosen = self.bring(client, table.play, phone.file(), **{"choice-1": "phone"})
        assert chosen.status_code == 200, words(chosen)
        assert here.log().entries[-1].events == (round_,)

    def test_no_table_is_said(self, client, table):
        answer = self.bring(client, table.play, b"{}")
        assert answer.status_code == 422
        assert "not a Companion table" in words(answer)

    def test_the_title_says_so_where_every_match_is_refused(self, client, table, beloz, monkeypatch):
        refused = Brought(1, "beloz", refused="This match is full. End it and start another.")
        monkeypatch.setattr(bringing_back, "bring_back", lambda *_: [refused])
        answer = self.bring(client, table.play, b"{}")
        assert answer.status_code == 409
        assert "Nothing came back" in words(re.search(r"<h1.*?</h1>", answer.text)[0])
        assert "This match is full." in words(answer)


class TestPhone:
    """The phone's side: where a table came from, and what of it is nowhere else."""

    FORM: ClassVar = {"Content-Type": "application/x-www-form-urlencoded"}

    @pytest.fixture
    def phone(self, tmp_path, sqlite_file, compiled_templates):
        made = Phone(tmp_path / "phone", empty=sqlite_file.read_bytes())
        made.app.jinja_env.bytecode_cache = compiled_templates
        return made

    def send(self, phone, url, body):
        page = phone.answer("GET", "/pocket/tables/import")
        token = re.search(r'name="csrf_token"[^>]*value="([^"]*)"', page.text)[1]
        return phone.answer("POST", url, self.FORM, f"csrf_token={token}&{body}")

    def take(self, phone, file):
        page = phone.answer("GET", "/pocket/tables/import")
        token = re.search(r'name="csrf_token"[^>]*value="([^"]*)"', page.text)[1]
        disposition = "Content-Disposition: form-data; name="
        parts = f'--x\r\n{disposition}"csrf_token"\r\n\r\n{token}\r\n'
        parts += f'--x\r\n{disposition}"file"; filename="table.json"\r\n\r\n{file.decode()}\r\n--x--\r\n'
        made = phone.answer("POST", "/pocket/tables/import", {"Content-Type": "multipart/form-data; boundary=x"}, parts)
        return made.url.removesuffix("/table")

    def test_a_table_taken_along_says_how_much_of_it_is_only_in_the_phone(self, phone, here):
        table = self.take(phone, here.file())
        assert "Put it online" in phone.answer("GET", f"{table}/table").text
        noted = self.send(phone, f"{table}/origin", "link=/t/play-link-0&taken=1&me=Bo")
        assert "There is nothing new to bring back." in noted.text
        assert "You are Bo" in words(noted)
        assert 'data-origin="/t/play-link-0"' in phone.tables().rows
        with phone.app.app_context():
            match = db.session.scalar(select(Match.id))
            entries.record(match, [Score(0, 1)], idempotency_key="new", expected_seq=2)
        assert "1 entry is only in this phone." in words(phone.answer("GET", f"{table}/table").text)

    def test_brought_back_it_is_gone_from_the_phone(self, phone, here):
        table = self.take(phone, here.file())
        left = self.send(phone, f"{table}/forget", "")
        assert (left.url, phone.tables().count) == ("/pocket/", 0)
        assert left.keep
        with phone.app.app_context():
            assert db.session.scalars(select(Table)).all() == []
            assert db.session.scalars(select(Match)).all() == []
        assert phone.answer("GET", f"{table}/table").status == 404
