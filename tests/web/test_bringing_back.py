"""Does what a phone entered at a table taken along come back once, and is what both sides did a question?"""

from __future__ import annotations

import io
import itertools
import json
import re
from html import unescape
from typing import ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from companion.engine import GAMES
from companion.engine.beloz import PassedDeal, Round
from companion.engine.beloz.scoring import Count
from companion.engine.core import Stop
from companion.engine.sheet.match import Row
from companion.matches import entries, fairness, repository
from companion.pocket import Phone
from companion.storage.models import Bag, Match, MatchId, Table, db
from companion.tables import bringing_back, table_file
from companion.tables.bringing_back import BOTH, OURS, PHONE, Brought
from tests.web.conftest import seat
from tests.web.people import words
from tests.web.tally import Score

pytestmark = pytest.mark.usefixtures("small_games", "in_app")


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

    def back(self, copy, by="Ana", **choices):
        """Bring what a copy has; return what became of the matches of which there was something to bring."""
        chosen = {int(name[1:]): choice for name, choice in choices.items()}
        brought = bringing_back.bring_back(self.id, copy.file(), chosen, by)
        return [each for each in brought if each.entries or each.left_out or each.begun or each.fork or each.refused]

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


@pytest.mark.both_databases
def test_what_the_phone_entered_counts_here_under_its_own_keys(here):
    phone = here.taken_along()
    phone.score(4)
    phone.correct(1, 1)
    phone.undo(3)
    (brought,) = here.back(phone, by=None)
    assert (brought.number, brought.entries, brought.fork) == (1, 3, None)
    assert here.log().written[2:] == tuple(
        line.__class__(line.seq, line.key, None, ours.at, line.kind, line.of, line.events, ours.chain)
        for line, ours in zip(phone.log().written[2:], here.log().written[2:], strict=True)
    )
    assert here.points() == phone.points() == 4


SEVENS = {
    "format": "companion-sheet/1", "name": "Sevens", "players": [2, 4], "shape": "rounds",
    "columns": [{"id": "points", "name": "Points", "kind": "whole"}],
}  # fmt: skip


@pytest.mark.both_databases
@pytest.mark.parametrize(("options", "called"), [({"preset": "hearts"}, "Hearts"), ({"sheet": SEVENS}, "Sevens")])
def test_a_score_sheet_goes_along_whole_and_its_rows_come_back(table, options, called):
    entries.open_match(table.id, "sheet", ["Ana", "Bo", "Cy"], options)
    here = Copy(table.id, "here")
    phone = here.taken_along()
    row = Row(tuple({"points": points} for points in (5, 13, 8)))
    entries.record(MatchId(phone.id, 1), [row], player=0, **phone.how(1))
    (brought,) = here.back(phone)
    assert (brought.entries, brought.refused, brought.game) == (1, "", called)
    assert here.log().standing.scores == (5, 13, 8)
    assert here.log().start.options == phone.log().start.options


def test_whoever_brings_it_is_named_and_what_was_known_stays(here):
    """A phone may say that Bo entered what it brings. Cy brings it, who belongs to the table and does not play."""
    entries.record(MatchId(here.id, 1), [Score(0, 1)], player=1, **here.how(1))
    phone = here.taken_along()
    entries.record(MatchId(phone.id, 1), [Score(0, 1)], player=1, **phone.how(1))
    entries.record(MatchId(phone.id, 1), [Score(0, 1)], player="Ed", **phone.how(1))
    here.back(phone, by="Cy")
    log = here.log()
    assert [log.who(line.player) for line in log.written] == ["Ana", "Ana", "Bo", "Cy", "Cy"]
    assert log.people == ("Ana", "Bo", "Cy")


def test_whoever_brings_a_new_match_is_named(here):
    phone = here.taken_along()
    entries.open_match(phone.id, "tally", ["Ana", "Bo"])
    phone.score(7, number=2)  # as Ana
    db.session.get(Table, here.id).players[2].phone = "Cy’s"
    db.session.commit()
    here.back(phone, by="Cy")
    assert [here.log(2).who(line.player) for line in here.log(2).written] == ["Cy"]


def test_what_takes_too_long_is_given_up_and_nothing_of_the_match_is_stored(here, monkeypatch):
    class Tired(table_file.Turns):
        def turn(self):
            if here.merging:
                raise table_file.TableFileError("This table has more corrections than one file can bring.")

    def compare(*logs):
        here.merging = True
        return compared(*logs)

    compared, here.merging = bringing_back.compare, False
    monkeypatch.setattr(bringing_back, "compare", compare)
    phone = here.taken_along()
    phone.score(4)
    (brought,) = bringing_back.bring_back(here.id, phone.file(), {}, turns=Tired())
    assert (brought.refused, here.log().seq) == ("This table has more corrections than one file can bring.", 2)


@pytest.mark.both_databases
def test_whoever_enters_something_while_a_match_is_played_through_is_asked_about(here, monkeypatch):
    phone = here.taken_along()
    phone.score(4)
    faster = iter([9])

    def compare(*logs):
        found = compared(*logs)
        for points in faster:  # once
            here.score(points)
        return found

    compared = bringing_back.compare
    monkeypatch.setattr(bringing_back, "compare", compare)
    (brought,) = here.back(phone)
    assert [line.events for line in brought.fork.entered_here] == [(Score(0, 9),)]
    assert here.keys() == ["here-1", "here-2", "here-3"]


def test_a_table_put_online_keeps_who_entered_what(here):
    """Nobody has said there yet whose phone is whose, so nobody is spoken for."""
    entries.record(MatchId(here.id, 1), [Score(0, 1)], player=1, **here.how(1))
    online = Copy(table_file.import_table(here.file()).id, "online")
    entries.open_match(here.id, "tally", ["Ana", "Bo"])
    entries.record(MatchId(here.id, 2), [Score(0, 1)], player=1, **here.how(2))
    online.back(here)
    assert [online.log(2).who(line.player) for line in online.log(2).written] == ["Bo"]


def test_the_undone_lines_of_others_may_be_undos_themselves(here):
    phone = here.taken_along()
    here.undo(2)
    here.undo(1)
    here.score(9)
    phone.score(4)
    (brought,) = here.back(phone, _1=PHONE)
    assert brought.entries == 1, brought.refused
    assert here.points() == phone.points() == 9


@pytest.mark.both_databases
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


class TestAliases:
    """A line has further keys, of phones that entered the same: whatever follows one of them finds its place everywhere."""

    def aliases(self, copy, number=1):
        return entries.aliases(MatchId(copy.id, number))

    def test_they_go_along_with_the_table(self, here):
        entries.same(MatchId(here.id, 1), "bo-1", 2)
        phone = here.taken_along()
        assert self.aliases(phone) == {"bo-1": 2}
        entries.record(MatchId(phone.id, 1), [Score(0, 4)], idempotency_key="bo-2", expected_seq=1, after=["bo-1"])
        here.back(phone)
        assert (here.points(), self.aliases(here)) == (9, {"bo-1": 2})

    def test_those_of_the_phone_come_back_with_its_lines(self, here):
        """In the phone somebody took in what Bo's phone had waiting; later Bo's phone sends it to the table itself."""
        phone = here.taken_along()
        phone.score(4, 5)
        entries.same(MatchId(phone.id, 1), "bo-1", 2)
        entries.same(MatchId(phone.id, 1), "bo-2", 3)
        here.score(4)
        here.back(phone)
        assert self.aliases(here) == {"bo-1": 2, "bo-2": 3, "phone-1": 3}
        assert here.points() == 14
        again = entries.record(MatchId(here.id, 1), [Score(0, 4)], idempotency_key="bo-2", expected_seq=2)
        assert (again.seq, here.points()) == (3, 14)

    @pytest.mark.both_databases
    def test_what_both_entered_is_known_by_both_keys_also_where_nothing_new_came(self, here):
        phone = here.taken_along()
        here.score(4)
        phone.score(4)
        assert here.back(phone, by="Di") == []
        assert self.aliases(here) == {"phone-1": 3}
        assert here.log().people == ("Ana", "Bo")
        entries.record(MatchId(here.id, 1), [Score(0, 6)], idempotency_key="next", expected_seq=2, after=["phone-1"])
        assert here.points() == 15

    @pytest.mark.parametrize("here", ["any-time"], indirect=True)
    def test_an_entry_that_both_had_from_a_third_phone_counts_once(self, here):
        phone = here.taken_along()
        here.score(4, key="bo-1")
        phone.score(4)
        entries.same(MatchId(phone.id, 1), "bo-1", 3)
        assert here.back(phone) == []
        assert here.points() == 9
        assert self.aliases(here) == {"phone-1": 3}

    def test_a_key_that_stands_for_something_else_there_proves_nothing(self, here):
        phone = here.taken_along()
        here.score(6, key="bo-1")
        phone.score(4)
        entries.same(MatchId(phone.id, 1), "bo-1", 3)
        (brought,) = here.back(phone)
        assert [line.events for line in brought.fork.entered_there] == [(Score(0, 4),)]
        assert here.points() == 11

    def test_a_match_that_began_in_the_phone_brings_them(self, here):
        phone = here.taken_along()
        entries.open_match(phone.id, "tally", ["Ana", "Bo"])
        phone.score(7, number=2)
        entries.same(MatchId(phone.id, 2), "bo-1", 1)
        here.back(phone)
        assert self.aliases(here, 2) == {"bo-1": 1}

    def test_a_line_and_a_match_have_room_for_so_many(self, here, monkeypatch):
        """Else a table could hold what no file of it can bring back."""
        monkeypatch.setattr(repository, "MOST_ALIASES", 2)
        monkeypatch.setattr(repository, "MOST_ALIASES_OF_ALL", 3)
        for number in range(6):
            entries.same(MatchId(here.id, 1), f"one-{number}", 1)
            entries.same(MatchId(here.id, 1), f"two-{number}", 2)
        assert self.aliases(here) == {"one-0": 1, "two-0": 2, "one-1": 1}
        assert self.aliases(here.taken_along()) == self.aliases(here)

    @pytest.mark.parametrize(("of_match", "of_file"), [(3, 10), (10, 3)])
    def test_a_file_with_more_is_refused(self, here, monkeypatch, of_match, of_file):
        for number in range(4):
            entries.same(MatchId(here.id, 1), f"bo-{number}", 1)
        file = here.file()
        monkeypatch.setattr(repository, "MOST_ALIASES_OF_ALL", of_match)
        monkeypatch.setattr(table_file, "MOST_LINES", of_file)
        with pytest.raises(table_file.TableFileError, match="more keys of entries than one file can bring"):
            table_file.import_table(file)

    def test_a_table_leaves_out_of_its_file_what_it_could_not_bring_back(self, here, monkeypatch):
        entries.open_match(here.id, "tally", ["Ana", "Bo"])
        here.score(7, number=2)
        for number in range(4):
            entries.same(MatchId(here.id, 1), f"bo-{number}", 1)
        monkeypatch.setattr(table_file, "MOST_LINES", 3)
        file = json.loads(here.file())
        assert [left["number"] for left in file["left_out"]] == [1]
        assert len(file["matches"]) == 1


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


@pytest.mark.both_databases
def test_what_the_rules_forbid_after_all_is_said_and_nothing_of_the_match_is_stored(here):
    phone = here.taken_along()
    here.score(-4)
    phone.score(3, -5)
    (brought,) = here.back(phone, _1=BOTH)
    assert brought.refused
    assert brought.fork
    assert here.log().seq == 3


@pytest.mark.both_databases
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


ROUND = Round(bidder=0, flooded="north", count=Count(0, 98), last_expedition=0, declarations=())
TABLES = itertools.count(1)
STEPS = st.lists(st.tuples(st.sampled_from(["here", "one", "two", "bring-one", "bring-two"]), st.integers(1, 3)), max_size=14)


@pytest.mark.both_databases
@pytest.mark.parametrize("examples", [10, pytest.param(500, marks=pytest.mark.soak)])
def test_however_often_two_phones_bring_and_others_go_on_no_entry_is_lost_or_counts_twice(examples, storage):
    if storage == "postgresql" and examples == 10:
        examples = 4  # which take as long as ten on SQLite

    @given(STEPS)
    @settings(max_examples=examples)
    def bring(steps):
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

    bring()


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
        entries.record(MatchId(phone.id, 1), [ROUND], player=2, **phone.how(1))
        asked = self.bring(client, table.play, phone.file())
        assert asked.status_code == 409
        for shown in ("At the table", "Bo", "On this phone", "Cy", "Use this phone’s entries"):
            assert shown in words(asked), shown
        assert self.bring(client, table.play, phone.file(), **{"choice-1": "anything"}).status_code == 409
        chosen = self.bring(client, table.play, phone.file(), **{"choice-1": "phone"})
        assert chosen.status_code == 200, words(chosen)
        assert here.log().entries[-1].events == (ROUND,)

    def test_a_copy_read_from_codes_is_the_other_phones(self, client, table, beloz):
        here = Copy(table.id, "here")
        phone = here.taken_along()
        entries.record(beloz, [PassedDeal()], player=1, **here.how(1))
        entries.record(MatchId(phone.id, 1), [ROUND], player=2, **phone.how(1))
        asked = self.bring(client, table.play, phone.file(), codes="1")
        for shown in ("On this phone", "Bo", "On the other phone", "Cy", "Use the other phone’s entries"):
            assert shown in words(asked), shown
        kept = self.bring(client, table.play, phone.file(), codes="1", **{"choice-1": "ours"})
        assert "1 entry of the other phone does not count here." in words(kept)
        assert "Scan its codes once more." in words(kept)
        chosen = self.bring(client, table.play, phone.file(), codes="1", **{"choice-1": "phone"})
        assert "entry of the other phone counts here now." in words(chosen)
        assert here.log().entries[-1].events == (ROUND,)
        assert "This phone had every entry already." in words(self.bring(client, table.play, phone.file(), codes="1"))

    def test_what_is_left_out_is_said_and_brought_again_it_is_asked_again(self, client, table, beloz):
        here = Copy(table.id, "here")
        phone = here.taken_along()
        entries.record(beloz, [PassedDeal()], player=1, **here.how(1))
        for _ in range(2):
            entries.record(MatchId(phone.id, 1), [PassedDeal()], player=2, **phone.how(1))
        entries.correct(MatchId(phone.id, 1), 1, [ROUND], **phone.how(1))
        kept = self.bring(client, table.play, phone.file(), **{"choice-1": "ours"})
        assert kept.status_code == 200
        assert "2 entries of this phone do not count here." in words(kept)
        assert "They are still in the copy on this phone." in words(kept)
        assert "Everything is here" not in words(kept)
        assert "data-all" not in kept.text  # which lets the phone delete its copy
        again = self.bring(client, table.play, phone.file(), **{"choice-1": "phone"})
        assert "data-all" in again.text
        assert ROUND in here.log().entries[0].events + here.log().entries[-1].events

    def test_no_table_is_said(self, client, table):
        answer = self.bring(client, table.play, b"{}")
        assert answer.status_code == 422
        assert "not a Companion table" in words(answer)

    def test_the_title_says_so_where_every_match_is_refused(self, client, table, beloz, monkeypatch):
        refused = Brought(1, "beloz", refused="This match is full. End it and start another.")
        monkeypatch.setattr(bringing_back, "bring_back", lambda *_: [refused])
        answer = self.bring(client, table.play, b"{}")
        assert answer.status_code == 409
        assert "Nothing was sent" in words(re.search(r"<h1.*?</h1>", answer.text)[0])
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

    def take(self, phone, file, me="Bo", to="/pocket/tables/import"):
        page = phone.answer("GET", "/pocket/tables/import")
        token = re.search(r'name="csrf_token"[^>]*value="([^"]*)"', page.text)[1]
        disposition = "Content-Disposition: form-data; name="
        parts = f'--x\r\n{disposition}"csrf_token"\r\n\r\n{token}\r\n'
        parts += f'--x\r\n{disposition}"me"\r\n\r\n{me}\r\n'
        parts += f'--x\r\n{disposition}"file"; filename="table.json"\r\n\r\n{file.decode()}\r\n--x--\r\n'
        made = phone.answer("POST", to, {"Content-Type": "multipart/form-data; boundary=x"}, parts)
        return made.url.removesuffix("/table")

    def test_what_a_server_has_comes_into_the_phone_and_is_not_said_to_be_its_owners(self, phone, here):
        table = self.take(phone, here.file())
        here.score(4)
        self.take(phone, here.file(), to=f"{table}/bring")
        with phone.app.app_context():
            log = entries.read(db.session.scalar(select(Match.id)))
        assert [(line.key, log.who(line.player)) for line in log.written] == [
            *(("here-1", "Ana"), ("here-2", "Ana")),
            ("here-3", None),
        ]

    def test_a_table_taken_along_says_how_much_of_it_is_only_in_the_phone(self, phone, here):
        table = self.take(phone, here.file())
        assert "Put it online" in phone.answer("GET", f"{table}/table").text
        noted = self.send(phone, f"{table}/origin", "link=/t/play-link-0&taken=1")
        assert "There is nothing new to send." in noted.text
        assert "You are Bo" in words(noted)
        assert 'data-origin="/t/play-link-0"' in phone.tables().rows
        with phone.app.app_context():
            match = db.session.scalar(select(Match.id))
            entries.record(match, [Score(0, 1)], idempotency_key="new", expected_seq=2)
        assert "1 entry is only on this phone." in words(phone.answer("GET", f"{table}/table").text)

    def test_a_match_of_a_game_that_the_phone_lacks_stays_where_it_is(self, client, table, phone, here, monkeypatch):
        entries.open_match(here.id, "any-time", ["Ana", "Bo"])
        here.score(3, number=2)
        file = here.file()
        with monkeypatch.context() as patch:
            patch.delitem(GAMES, "any-time")
            along = self.take(phone, file)
            sentence = "1 match was left out: this Companion does not know “any-time”. It is still where the table came from."
            self.send(phone, f"{along}/origin", "link=/t/play-link-0&taken=1")
            page = phone.answer("GET", f"{along}/table")
            assert sentence in words(page)
            assert "There is nothing new to send." in words(page)
            with phone.app.app_context():
                match = db.session.scalar(select(Match.id))
                entries.record(match, [Score(0, 1)], idempotency_key="new", expected_seq=2)
            brought = phone.answer("GET", f"{along}/table.json").page
            self.send(phone, f"{along}/forget", "")
            again = self.take(phone, here.file().replace(b"any-time", b"tally"))
            assert "left out" not in words(phone.answer("GET", f"{again}/table"))
        TestPage().bring(client, table.play, brought)
        assert (here.seq(1), here.seq(2)) == (3, 1)

    @pytest.fixture
    def cup(self, phone):
        """Return the address of a cup in the phone for which Companion has drawn the first fish."""
        file = {"format": "companion-table/1", "name": "Cup", "created": "2026-01-01T12:00:00Z", "game": "beluga-cup"}
        people = [{"name": name, "seat": seat} for seat, name in enumerate(("Ana", "Bo"))]
        table = self.take(phone, json.dumps({**file, "players": people, "matches": []}).encode(), me="Ana")
        begun = self.send(phone, f"{table}/matches", "game=beluga-cup&player=1&player=2&cards=untracked")
        assert begun.url == f"{table}/m/1", words(begun)
        self.send(phone, f"{table}/m/1/fish", "by=app&expected_seq=0&idempotency_key=draw")
        return f"{table}/m/1"

    def proof(self, phone):
        with phone.app.app_context():
            return fairness.proof(db.session.scalar(select(Match.id)))

    def test_before_a_sealed_cup_leaves_the_phone_says_what_becomes_of_the_bag(self, phone, cup):
        table = cup.removesuffix("/m/1")
        page = phone.answer("GET", f"{table}/table")
        assert "Match 1 has a sealed bag. Its seed is sent too, and shown to everybody." in " ".join(words(page).split())
        assert "To let Companion draw to the end, finish the match first." in words(page)
        assert "Show the seed and put it online" in words(page)
        assert "Its seed would be gone, and it is in no file." in words(phone.answer("GET", f"{table}/forget"))
        assert "It stays on this phone. There, draw the fish by hand." in words(phone.answer("GET", f"{table}/let-in"))
        assert 'data-sealed="' in phone.tables().rows
        assert "its owner could read it and know the fish" in words(phone.answer("GET", f"{cup}/seal"))
        assert "Nobody can choose it or see it" not in words(phone.answer("GET", f"{cup}/seal"))
        self.send(phone, f"{cup}/stop", "expected_seq=1&idempotency_key=stop")
        self.send(phone, f"{cup}/seal/seed", "")
        for path in ("table", "forget"):
            assert "has a sealed bag" not in words(phone.answer("GET", f"{table}/{path}"))
        assert "data-sealed" not in phone.tables().rows

    def test_its_seed_goes_along_and_companion_draws_no_more_from_that_bag(self, phone, cup, table):
        drawn = self.proof(phone)
        assert drawn.draws
        assert drawn.seed is None
        with phone.app.app_context():
            seed = db.session.scalar(select(Bag.seed))
        self.send(phone, cup.replace("/m/1", "/seeds"), "")
        refused = self.send(phone, f"{cup}/eat", "zone=4&player=0&expected_seq=1&idempotency_key=eat")
        refused = self.send(phone, f"{cup}/fish", "by=app&expected_seq=2&idempotency_key=again")
        assert "Somebody may know the next fish: draw by hand." in words(refused)
        assert "The bag is open" in words(phone.answer("GET", f"{cup}/seal"))
        (there,) = bringing_back.bring_back(table.id, phone.answer("GET", cup.replace("/m/1", "/table.json")).page, {})
        there = MatchId(table.id, there.number)
        assert fairness.proof(there).opened
        entries.record(there, [Stop()], idempotency_key="stopped", expected_seq=2)
        proved = fairness.proof(there)
        assert (proved.seed, proved.right, proved.elsewhere) == (seed, True, False)
        assert [draw.fish for draw in proved.draws] == [draw.fish for draw in drawn.draws]

    def test_its_seed_comes_to_a_match_that_came_without_it(self, phone, cup, table):
        address = cup.replace("/m/1", "/table.json")
        (there,) = bringing_back.bring_back(table.id, phone.answer("GET", address).page, {})
        there = MatchId(table.id, there.number)
        entries.record(there, [Stop()], idempotency_key="stopped", expected_seq=1)
        assert fairness.proof(there).seed is None
        self.send(phone, cup.replace("/m/1", "/seeds"), "")
        bringing_back.bring_back(table.id, phone.answer("GET", address).page, {})
        assert (fairness.proof(there).right, fairness.proof(there).elsewhere) == (True, False)
        assert all(draw.right for draw in fairness.proof(there).draws)

    def test_brought_back_it_is_gone_from_the_phone(self, phone, here):
        table = self.take(phone, here.file())
        left = self.send(phone, f"{table}/forget", "")
        assert (left.url, phone.tables().count) == ("/pocket/", 0)
        assert left.keep
        with phone.app.app_context():
            assert db.session.scalars(select(Table)).all() == []
            assert db.session.scalars(select(Match)).all() == []
        gone = phone.answer("GET", f"{table}/table")
        assert gone.status == 404
        assert "This phone does not have this table." in words(gone)

    def test_a_goal_finds_its_table_on_either_side(self, phone, client, table, open_match):
        """Scripts give the goals kept by one side's name of the table to the other's; pages keep them by these names."""
        open_match("bisque", ["Ana", "Bo", "Cy"])
        here = Copy(table.id, "here")

        def named(page):
            return set(re.findall(r'data-goals="([^":]*)', page) + re.findall(r'data-goal-table="([^"]*)"', page))

        along = self.take(phone, here.file())
        noted = self.send(phone, f"{along}/origin", f"link=/t/{table.play}&taken=1")
        in_phone = named(noted.text)
        assert len(in_phone) == 1
        assert next(iter(in_phone)).startswith("pocket-")
        assert named(phone.answer("GET", f"{along}/m/1").text) == in_phone
        brought = TestPage().bring(client, table.play, phone.answer("GET", f"{along}/table.json").page)
        on_the_server = named(brought.text)
        assert len(on_the_server) == 1
        assert named(client.get(f"/t/{table.play}/m/1").text) == on_the_server
        assert on_the_server.isdisjoint(in_phone)

    def test_a_goal_finds_its_match_that_has_another_number_here(self, client, table, here):
        phone = here.taken_along()
        entries.open_match(phone.id, "tally", ["Ana", "Bo"])
        phone.score(7, number=2)
        entries.open_match(here.id, "tally", ["Ana", "Bo"])
        for _ in range(2):  # the first answer may be lost
            brought = TestPage().bring(client, table.play, phone.file())
            moved = re.search(r'data-moved="([^"]*)"', brought.text)[1]
            assert json.loads(unescape(moved)) == {"2": 3}
