"""Is the log right when several phones enter, undo and correct, with replies lost and forms late and out of order?

The log is compared with a model that knows nothing of it: a plain list of lines, and the definition of what counts. The
phones are served by two processes (two applications on one database), each of which remembers logs of its own.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import partial

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from sqlalchemy import select

from companion.engine import GAMES
from companion.matches import entries
from companion.storage.models import Entry, Match, Table, db
from tests.web.tally import ANY_TIME, TALLY, Score

pytestmark = pytest.mark.both_databases

PHONES = 3
TARGET = 21


@dataclass(frozen=True)
class Form:
    """What a phone sends: the form's key, what it had seen, and what is to happen."""

    key: str
    seen: int
    kind: str
    of: int | None
    points: tuple[tuple[int, int], ...]


class Model:
    """The log as it should be: each line is what was sent, with ``of`` made plain.

    With ``turns`` a form that had not seen the newest line is not taken. Without, it is tried as things stand, unless it means
    whatever is the newest. What people only say of an entry makes no form old.
    """

    def __init__(self, turns):
        self.turns = turns
        self.lines = []

    def counts(self, number):
        """Return whether no undo that itself counts names this line."""
        return not any(
            line.kind == "undo" and line.of == number and self.counts(later)
            for later, line in enumerate(self.lines, start=1)
            if later > number
        )

    def points(self, number):
        """Return what an entry says now, and the line that says it."""
        for later in range(len(self.lines), number, -1):
            line = self.lines[later - 1]
            if line.kind == "correct" and line.of == number and self.counts(later):
                return line.points, later
        return self.lines[number - 1].points, number

    def entries(self):
        """Return the entries that count: number, points, and the line that the points are from."""
        return [
            (number, *self.points(number))
            for number, line in enumerate(self.lines, start=1)
            if line.kind == "events" and self.counts(number)
        ]

    def impossible(self):
        """Return the number of the first entry that the rules would not allow, if there is one."""
        totals = [0, 0]
        for number, points, _ in self.entries():
            for player, gain in points:
                if max(totals) >= TARGET or totals[player] + gain < 0:
                    return number
                totals[player] += gain
        return None

    def scores(self):
        totals = [0, 0]
        for _, points, _ in self.entries():
            for player, gain in points:
                totals[player] += gain
        return tuple(totals)

    def is_remark(self, number):
        """Return whether this line says something of an entry, or takes that back."""
        line = self.lines[number - 1]
        return line.kind in {"doubt", "agree"} or (line.kind == "undo" and self.is_remark(line.of))

    def remarks(self, kind):
        """Return which entries are in doubt, or agreed on: since they were corrected last, and by nobody who took it back."""
        sources = {number: source for number, _, source in self.entries()}
        return {
            line.of
            for number, line in enumerate(self.lines, start=1)
            if line.kind == kind and self.counts(number) and number > sources.get(line.of, number)
        }

    def stands(self):
        return self.entries(), self.remarks("doubt"), self.remarks("agree")

    def deliver(self, form):
        """Return what should be answered, as words; the line is added if it is taken."""
        for number, line in enumerate(self.lines, start=1):
            if line.key == form.key:
                return "again", number
        stale = not all(map(self.is_remark, range(form.seen + 1, len(self.lines) + 1)))
        if stale and (self.turns or (form.kind == "undo" and form.of is None)):
            return "conflict", None
        answer = self.try_now(form)
        return ("conflict", None) if stale and answer[0] == "refused" else answer

    def try_now(self, form):
        """Return what should be answered to a new form that is tried as things stand."""
        stood = self.stands()
        before = stood[0]
        of = form.of
        if form.kind == "undo" and of is None:
            of = max((source for _, _, source in before), default=0)
        if form.kind == "undo" and not 0 < of <= len(self.lines):
            return "unknown", None
        if form.kind == "correct":
            now = {number: points for number, points, _ in before}
            if of not in now:
                return "unknown", None
            if now[of] == form.points:
                return "refused", None
        if form.kind in {"doubt", "agree"}:
            if of not in {number for number, _, _ in before}:
                return "unknown", None
            if of in self.remarks(form.kind):
                return "refused", None
        self.lines.append(Form(form.key, form.seen, form.kind, of, form.points))
        wrong = self.impossible()
        if form.kind == "undo" and self.stands() == stood:
            self.lines.pop()
            return "unknown", None
        if wrong is not None:
            self.lines.pop()
            itself = form.kind == "events" or (form.kind == "correct" and wrong == of)
            return "refused", None if itself else wrong
        return "taken", len(self.lines)


some_points = st.lists(st.tuples(st.integers(0, 1), st.integers(-6, 9)), min_size=1, max_size=2).map(tuple)
phones = st.integers(0, PHONES - 1)
lines = st.tuples(st.sampled_from(["counts", "counts", "any"]), st.integers(0, 12))
mostly = st.sampled_from([True, True, True, False])


def machine(apps, table_id, game, answers):
    """Return phones at this table, who play this game; ``answers`` counts what they were told."""

    class Phones(RuleBasedStateMachine):
        """Every example is a new match at the same table."""

        forms = Bundle("forms")

        @initialize()
        def open(self):
            self.context = apps[0].app_context()
            self.context.push()
            number = entries.open_match(table_id, game.slug, ["Ana", "Bo"])
            found = select(Match.id).where(Match.table_id == table_id, Match.number == number)
            self.match = db.session.scalar(found)
            self.model = Model(game.turns)
            self.seen = [0] * PHONES
            self.written = 0
            self.table_seq = 0

        def teardown(self):
            if hasattr(self, "context"):
                self.context.pop()

        @rule(process=st.sampled_from(apps))
        def the_next_phone_is_served_by(self, process):
            self.context.pop()
            self.context = process.app_context()
            self.context.push()

        def write(self, phone, kind, of=None, points=()):
            self.written += 1
            return Form(f"form-{self.written}", self.seen[phone], kind, of, points)

        def send(self, form):
            """Deliver a form, and compare the answer with the model's."""
            content = (
                () if form.kind in {"undo", "doubt", "agree"} else ([Score(player, gain) for player, gain in form.points],)
            )
            named = () if form.kind == "events" else (form.of,)
            call = {
                "events": entries.record,
                "undo": entries.undo,
                "correct": entries.correct,
                "doubt": partial(entries.remark, kind="doubt"),
                "agree": partial(entries.remark, kind="agree"),
            }[form.kind]
            expected = self.model.deliver(form)
            news = []
            try:
                receipt = call(self.match, *named, *content, idempotency_key=form.key, expected_seq=form.seen)
            except entries.Conflict as conflict:
                answer = "conflict", None
                news = [line.key for line in conflict.since]
            except entries.NotFound:
                answer = "unknown", None
            except entries.EntryRejected as refused:
                answer = "refused", refused.of
            else:
                answer = "again" if receipt.again else "taken", receipt.seq
                assert (receipt.before.seq, receipt.after.seq) == (receipt.seq - 1, receipt.seq)
            assert answer == expected
            answers[answer[0], form.kind, answer[0] == "refused" and answer[1] is not None] += 1
            assert news == [line.key for line in self.model.lines[form.seen :] if answer[0] == "conflict"]

        @rule(phone=phones)
        def look(self, phone):
            self.seen[phone] = entries.read(self.match).seq

        @rule(target=forms, phone=phones, points=some_points)
        def record(self, phone, points):
            form = self.write(phone, "events", points=points)
            self.send(form)
            return form

        @rule(target=forms, phone=phones, points=some_points)
        def look_and_record(self, phone, points):
            self.look(phone)
            return self.record(phone, points)

        @rule(target=forms, phone=phones, points=some_points)
        def write_and_send_later(self, phone, points):
            return self.write(phone, "events", points=points)

        def meant(self, line):
            """Return the number of a line: of an entry that counts, counted from the oldest, or any number, whatever it is."""
            what, number = line
            entries = self.model.entries()
            return entries[number % len(entries)][0] if what == "counts" and entries else number

        @rule(target=forms, phone=phones, of=st.none() | lines, fresh=mostly)
        def undo(self, phone, of, fresh):
            if fresh:
                self.look(phone)
            form = self.write(phone, "undo", of=of and self.meant(of))
            self.send(form)
            return form

        @rule(target=forms, phone=phones, of=lines, points=some_points, fresh=mostly)
        def correct(self, phone, of, points, fresh):
            if fresh:
                self.look(phone)
            form = self.write(phone, "correct", of=self.meant(of), points=points)
            self.send(form)
            return form

        @rule(target=forms, phone=phones, kind=st.sampled_from(["doubt", "agree"]), of=lines, fresh=mostly)
        def remark(self, phone, kind, of, fresh):
            if fresh:
                self.look(phone)
            form = self.write(phone, kind, of=self.meant(of))
            self.send(form)
            return form

        @rule(form=forms)
        def send_again_or_late(self, form):
            self.send(form)

        @rule(form=forms)
        def another_entry_under_the_same_name(self, form):
            stored = any(line.key == form.key for line in self.model.lines)
            if stored:
                with pytest.raises(entries.IdempotencyConflict):
                    entries.record(
                        self.match, [Score(0, 9), Score(0, 9), Score(0, -9)], idempotency_key=form.key, expected_seq=form.seen
                    )

        @rule()
        def restart(self):
            for process in apps:
                process.extensions.pop("companion-logs", None)

        @invariant()
        def the_log_is_what_it_should_be(self):
            log = entries.read(self.match)
            stands = [
                (entry.seq, tuple((event.player, event.points) for event in entry.events), entry.touched)
                for entry in log.entries
            ]
            assert stands == self.model.entries()
            assert set(log.doubts) == self.model.remarks("doubt")
            assert set(log.agreed) == self.model.remarks("agree")
            assert log.position.standing().scores == self.model.scores()
            assert log.seq == len(self.model.lines)
            assert [line.key for line in log.written] == [line.key for line in self.model.lines]

        @invariant()
        def nothing_is_erased_and_the_table_never_goes_back(self):
            rows = db.session.execute(
                select(Entry.seq, Entry.key).where(Entry.match_number == self.match.number).order_by(Entry.seq)
            ).all()
            assert [tuple(row) for row in rows] == [(seq, line.key) for seq, line in enumerate(self.model.lines, start=1)]
            table_seq = db.session.scalar(select(Table.seq).where(Table.id == table_id))
            assert table_seq >= self.table_seq
            self.table_seq = table_seq
            db.session.rollback()

    return Phones


# What phones must have been told by the end, or the examples were too tame: what, to which kind of form, and whether it was
# because of a later entry.
TOLD = {
    *(
        (answer, kind, False)
        for answer in ("taken", "again", "conflict")
        for kind in ("events", "undo", "correct", "doubt", "agree")
    ),
    *(("unknown", kind, False) for kind in ("undo", "correct", "doubt", "agree")),
    *(("refused", kind, False) for kind in ("events", "correct", "doubt", "agree")),
    ("refused", "correct", True),
    ("refused", "undo", True),
}


@pytest.mark.parametrize("game", [TALLY, ANY_TIME], ids=["in turns", "at any time"])
@pytest.mark.parametrize("examples", [8, pytest.param(1000, marks=pytest.mark.soak)])
def test_whatever_phones_send_the_log_is_what_it_should_be(start_app, table, game, examples, storage, monkeypatch):
    if storage == "postgresql" and examples == 8:
        examples = 3  # which take as long as a dozen on SQLite, and meet the same log
    monkeypatch.setitem(GAMES, game.slug, game)
    answers = Counter()
    run_state_machine_as_test(
        machine([start_app(), start_app()], table.id, game, answers),
        settings=settings(
            max_examples=examples,
            stateful_step_count=40,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
    if examples >= 1000:
        assert set(answers) >= TOLD, TOLD - set(answers)
