"""Does the worst that one address may send take so little of the processor that no other phone waits for it?

Time is counted as the processor's time of this thread: how busy the machine is otherwise does not matter.
"""

from __future__ import annotations

import gc
import io
import json
import time
from contextlib import contextmanager

import pytest

from companion.engine.beloz import PassedDeal
from companion.engine.core import Stop
from companion.matches import entries, log
from companion.tables import names, table_file
from tests.web.people import Phone, says

pytestmark = pytest.mark.sqlite  # nothing here depends on the database

WHOLE = "multipart/form-data"  # in which letters beyond ASCII take the least room
MOST = 0.5  # seconds that a request may keep the processor for itself


@contextmanager
def quickly(most=MOST):
    """Assert that what is inside takes at most so many seconds of the processor."""
    begun = time.thread_time()
    yield
    took = time.thread_time() - begun
    assert took < most, f"it took {took:.2f} s"


@pytest.fixture(autouse=True)
def _templates_are_compiled(app):
    """Compile the templates first: whoever asks for a page first in a process waits for that, and which test does is chance."""
    for each in app.jinja_env.list_templates():
        app.jinja_env.get_template(each)


@pytest.fixture
def ana(app):
    return Phone(app).make_table("Ana", "Bo", "Cy", "Di")


class TestNames:
    ACCENTS = "a" + "\u0301" * 16_000 + "\u0316" * 15_000  # each must be moved past all of the others, to be composed

    def test_one_that_is_too_long_is_refused_before_it_is_composed(self):
        with quickly(0.01), pytest.raises(names.UnfitNameError) as refused:
            names.normalize(self.ACCENTS)
        assert str(refused.value) == "A name has at most 40 characters. This one has 31,001."

    def test_one_in_many_parts_and_with_spaces_around_is_still_welcome(self):
        assert names.normalize("  " * 20 + "e\u0302\u0301" * 40 + "\t") == "\u1ebf" * 40

    @pytest.mark.parametrize(
        ("path", "field"),
        [("/tables", "table"), ("/tables", "person_3"), ("/join", "code")],
    )
    def test_no_form_of_the_lobby_waits_for_one(self, ana, path, field):
        form = {"table": "Tuesday table", "person_0": "Ana", field: self.ACCENTS}
        ana.client.post(path, data={})
        with quickly():
            answer = ana.client.post(path, data=form, content_type=WHOLE)
        assert answer.status_code == 422

    @pytest.mark.parametrize(("path", "more"), [("/people/new", {}), ("/name", {}), ("/people/1", {"do": "rename"})])
    def test_no_form_of_a_table_waits_for_one(self, ana, path, more):
        path = ana.person("Bo") if path == "/people/1" else path
        ana.open()
        with quickly():
            answer = ana.client.post(f"{ana.link}{path}", data={"name": self.ACCENTS, **more}, content_type=WHOLE)
        assert answer.status_code == 422
        assert says(answer, "at most 40 characters")


PASSED = {"type": "passed-deal"}


def line(number, **parts):
    return {"key": f"k{number}", "at": "2026-01-01T20:00:00Z", "kind": "events", "events": [PASSED], **parts}


def undo(number, of):
    told = line(number, kind="undo", of=of)
    del told["events"]
    return told


def a_file(*logs):
    """Return a table's file with matches of BeloZ that have these logs."""
    created = "2026-01-01T19:00:00Z"
    players = ["Ana", "Bo", "Cy", "Di"]
    matches = [
        {"game": "beloz", "edition": 1, "players": players, "options": {}, "created": f"2026-01-01T19:00:{at:02}Z", "log": log}
        for at, log in enumerate(logs)
    ]
    whole = {"format": "companion-table/1", "name": "A table", "created": created, "players": [], "matches": matches}
    return json.dumps(whole).encode()


class Turns:
    """Counts the longest time that passed until others had their turn (``time.sleep``), and all of them together."""

    def __init__(self, monkeypatch):
        self.longest = self.all = 0.0
        self._since = time.thread_time()
        monkeypatch.setattr(time, "sleep", lambda _seconds: self.note())

    def note(self):
        took = time.thread_time() - self._since
        self.longest, self.all = max(self.longest, took), self.all + took
        self._since = time.thread_time()


class TestFiles:
    @pytest.fixture
    def bring(self, app, monkeypatch):
        """Bring a file in; returns the longest turn and all the time that it took, and the refusal if there was one."""

        def bring(body):
            refusal = ""
            with app.app_context():
                gc.disable()  # it would go through everything that this process has tested before; the server freezes its own
                turns = Turns(monkeypatch)
                try:
                    table_file.import_table(body)
                except table_file.TableFileError as refused:
                    refusal = str(refused)
                turns.note()
                gc.enable()
            return turns, refusal

        return bring

    def test_the_largest_table_is_taken_while_others_have_their_turns(self, bring):
        logs = [[line(number) for number in range(2_000)] for _ in range(10)]
        turns, refusal = bring(a_file(*logs))
        assert refusal == ""
        assert turns.longest < MOST, turns.longest
        assert turns.all < 10

    def test_a_match_has_so_many_lines_and_no_more(self, bring):
        turns, refusal = bring(a_file([line(number) for number in range(2_001)]))
        assert refusal == ("Match 1, entry 2001: This match is full with 2,000 entries. End it and start another.")
        assert turns.longest < MOST

    def test_a_line_of_85_000_events_is_not_even_looked_at(self, bring):
        turns, refusal = bring(a_file([line(0, events=[PASSED] * 85_000)]))
        assert refusal.startswith("This table file is damaged: ")
        assert turns.all < 2

    def test_undos_of_all_that_a_match_can_hold_come_to_an_end(self, bring):
        logs = []
        for _ in range(10):
            entered = [line(number, events=[PASSED] * 49) for number in range(100)]
            logs.append([*entered, *(undo(number, of=1 if number == 100 else number) for number in range(100, 2_000))])
        turns, refusal = bring(a_file(*logs))
        assert refusal == "This table has more corrections than one file can bring."
        assert turns.longest < MOST
        assert turns.all < table_file.MOST_WORK + 1

    def test_one_that_takes_too_long_is_given_up(self, bring, monkeypatch):
        monkeypatch.setattr(table_file, "MOST_WORK", 0.05)
        logs = [[line(number) for number in range(2_000)] for _ in range(10)]
        turns, refusal = bring(a_file(*logs))
        assert refusal == "This table is too long to import, longer than any that people have played."
        assert turns.all < 2


class TestBringing:
    """A phone brings a table back that it had taken along, with as many entries as a file can hold."""

    MATCHES = 4

    @pytest.fixture
    def bring(self, app, monkeypatch):
        """Make a table of the first file and bring the second back; returns the turns, what was asked and what came."""

        def bring(here, phone, **choices):
            with app.app_context():
                token = table_file.import_table(here).play_token
            gc.disable()
            turns = Turns(monkeypatch)
            data = {"file": (io.BytesIO(phone), "table.json"), **{f"choice-{name[1:]}": each for name, each in choices.items()}}
            answer = app.test_client().post(f"/t/{token}/bring", data=data, content_type=WHOLE)
            turns.note()
            gc.enable()
            return turns, answer

        return bring

    def logs(self, *, begin=0, lines=1_900):
        first = line(begin, events=[PASSED] * (1 if not begin else 2))  # else both entered the same
        others = [line(number) for number in range(begin + 1, begin + lines)]
        return [[first, *others] for _ in range(self.MATCHES)]

    def test_long_matches_come_in_short_turns(self, bring):
        turns, answer = bring(a_file(*[[] for _ in range(self.MATCHES)]), a_file(*self.logs()))
        assert answer.status_code == 200
        assert answer.text.count("1,900 entries of this phone count here now.") == self.MATCHES
        assert turns.longest < MOST, turns.longest
        assert turns.all < 5, turns.all

    def test_two_long_sides_are_asked_about_in_short_turns(self, bring):
        """Each side's newest entries are shown, and how many came before them."""
        turns, answer = bring(a_file(*self.logs()), a_file(*self.logs(begin=5_000)))
        assert answer.status_code == 409
        assert answer.text.count("1,888 earlier entries") == 2 * self.MATCHES
        assert turns.longest < MOST, turns.longest
        assert turns.all < 8, turns.all

    def test_what_the_others_entered_is_undone_in_short_turns(self, bring):
        turns, answer = bring(a_file(*self.logs(lines=900)), a_file(*self.logs(begin=5_000, lines=200)), _1="phone")
        assert answer.text.count("200 entries of this phone count here now.") == 1
        assert turns.longest < MOST, turns.longest


class TestLongMatches:
    @pytest.fixture
    def full(self, app, ana):
        """Return a match that has as many entries as it can; its first can be undone, and everything is played again then."""
        with app.app_context():
            table = table_file.import_table(a_file([line(number) for number in range(log.MOST_LINES)]))
            return table.id, table.play_token, table.matches[0].id

    def test_nothing_more_is_entered_and_it_can_be_ended(self, app, full):
        _, link, match = full
        with app.app_context():
            with pytest.raises(entries.EntryRejected, match="This match is full with"):
                entries.record(match, [PassedDeal()], idempotency_key="one-more", expected_seq=log.MOST_LINES)
            with pytest.raises(entries.EntryRejected, match="This match is full with"):
                entries.undo(match, 1, idempotency_key="undo", expected_seq=log.MOST_LINES)
            entries.record(match, [Stop()], idempotency_key="stop", expected_seq=log.MOST_LINES)
            assert entries.read(match).position.stopped
        assert app.test_client().get(f"/t/{link}/m/1").status_code == 200

    def test_an_entry_of_too_many_events_is_refused(self, app, full):
        _, _, match = full
        with app.app_context(), pytest.raises(entries.EntryRejected, match="more than one entry can hold"):
            entries.record(match, [PassedDeal()] * 51, idempotency_key="many", expected_seq=log.MOST_LINES)

    def test_its_pages_and_an_undo_of_its_first_entry_keep_nobody_waiting(self, app, full, monkeypatch):
        _, link, match = full
        client = app.test_client()
        monkeypatch.setattr(log, "MOST_LINES", 3_000)
        for path in ("/m/1", "/m/1/see/log", "/matches", "", "/m/1/record.json", "/table.json"):
            app.extensions.pop("companion-logs", None)  # as if others had pushed it out
            with quickly():
                client.get(f"/t/{link}{path}")
        with app.app_context(), quickly():
            entries.undo(match, 1, idempotency_key="undo", expected_seq=2_000)
