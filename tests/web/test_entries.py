"""Does what is entered in a match's log stay, can what is undone return, and does nothing count twice?"""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from dataclasses import replace
from functools import partial

import pytest
from sqlalchemy import event, select, text, update
from sqlalchemy.exc import OperationalError

from companion.engine import GAMES
from companion.engine.beloz import PassedDeal, Round
from companion.engine.beloz.scoring import Count
from companion.engine.beluga_cup import Fill, Play
from companion.engine.core import RuleError, Stop
from companion.engine.text import say
from companion.matches import entries, repository
from companion.matches.drafts import OtherEntry
from companion.matches.repository import Logs
from companion.storage import database
from companion.storage.models import Entry, Match, MatchId, Table, db, now
from tests.web.tally import TALLY, Score

pytestmark = pytest.mark.usefixtures("small_games", "in_app")

ANA, BO, CY, DI = range(4)
ABSENT = (-1, 0, 999, 2**31, 2**63, 10**30)  # numbers that no table, match or entry of these tests has


def open_match(table, game, players, options=None):
    number = entries.open_match(table.id, game, players, options)
    return db.session.scalar(select(Match.id).where(Match.table_id == table.id, Match.number == number))


@pytest.fixture
def match(table):
    """Return a match of Ana and Bo to 21 in which nothing has happened."""
    return open_match(table, "tally", ["Ana", "Bo"])


class Phone:
    """A phone at a match: it remembers what it saw last, and gives each form a key."""

    count = 0

    def __init__(self, match, player=None):
        self.match, self.player, self.seen = match, player, 0

    def new_key(self):
        Phone.count += 1
        return f"form-{Phone.count}"

    def send(self, call, *content, idempotency_key=None, expected_seq=None, **how):
        seen = self.seen if expected_seq is None else expected_seq
        key = idempotency_key or self.new_key()
        receipt = call(self.match, *content, idempotency_key=key, expected_seq=seen, player=self.player, **how)
        self.seen = receipt.after.seq
        return receipt

    def score(self, *points, **how):
        """Enter points for Ana, Bo, Ana, ... until told otherwise: pairs of player and points."""
        return self.send(entries.record, [Score(player, gain) for player, gain in points], **how)

    def undo(self, of=None, **how):
        return self.send(entries.undo, of, **how)

    def correct(self, of, *points, **how):
        return self.send(entries.correct, of, [Score(player, gain) for player, gain in points], **how)

    def look(self):
        self.seen = entries.read(self.match).seq
        return self


@pytest.fixture
def phone(match):
    return Phone(match, ANA)


def counted(bidder, flooded, team, points, *, last):
    """Return a round of BeloZ without declarations."""
    return Round(bidder=bidder, flooded=flooded, count=Count(team, points), last_expedition=last, declarations=())


def scores(match):
    """Return how the match stands for a phone that asks now."""
    db.session.rollback()
    return entries.read(match).position.standing().scores


def stored_lines(match):
    return db.session.scalar(
        select(db.func.count()).select_from(Entry).where(Entry.table_id == match.table_id, Entry.match_number == match.number)
    )


@pytest.mark.both_databases
class TestOpening:
    def test_matches_of_a_table_are_numbered_from_1(self, table):
        assert entries.open_match(table.id, "tally", ["Ana", "Bo"]) == 1
        assert entries.open_match(table.id, "tally", ["Bo", "Cy", "Di"], {"target": 5}) == 2
        stored = db.session.scalars(select(Match).order_by(Match.number)).all()
        assert [(m.game, m.players, m.options, m.edition, m.seq) for m in stored] == [
            ("tally", ["Ana", "Bo"], {"target": 21}, 1, 0),
            ("tally", ["Bo", "Cy", "Di"], {"target": 5}, 1, 0),
        ]

    def test_two_taps_on_rematch_are_one_rematch(self, table):
        assert entries.open_match(table.id, "tally", ["Ana", "Bo"], after=0) == 1
        assert entries.open_match(table.id, "tally", ["Ana", "Bo"], after=0) == 1
        assert entries.open_match(table.id, "tally", ["Bo", "Ana"], after=1) == 2
        assert entries.open_match(table.id, "tally", ["Bo", "Ana"], after=1) == 2
        assert entries.open_match(table.id, "tally", ["Bo", "Ana"], after=-3) == 1
        assert len(db.session.scalars(select(Match)).all()) == 2

    def test_options_left_out_have_their_defaults_for_ever(self, table):
        open_match(table, "beloz", ["Ana", "Bo", "Cy", "Di"])
        assert db.session.scalars(select(Match.options)).one() == {"target": 1000, "tied_declarations": "none-count"}

    def test_options_may_come_as_the_games_own(self, table):
        match = open_match(table, "tally", ["Ana", "Bo"], TALLY.options(target=7))
        assert entries.read(match).start.options.target == 7

    @pytest.mark.parametrize(
        ("players", "options", "field"),
        [
            (["Ana"], {}, "players"),
            (["Ana", "Bo", "Cy", "Di", "Eli"], {}, "players"),
            (["Ana", "Ana"], {}, "players.1"),
            (["Ana", " "], {}, "players.1"),
            (["Ana", "B" * 41], {}, "players.1"),
            (["Ana", "Bo"], {"target": 0}, "options.target"),
            (["Ana", "Bo"], {"target": "21"}, "options.target"),
            (["Ana", "Bo"], {"targets": 21}, "options.targets"),
        ],
    )
    def test_players_and_options_must_fit_the_game(self, table, players, options, field):
        with pytest.raises(RuleError) as refused:
            entries.open_match(table.id, "tally", players, options)
        assert refused.value.field == field
        assert db.session.scalars(select(Match)).all() == []

    def test_the_game_must_be_known(self, table):
        with pytest.raises(entries.NotFound, match="no game called “chess”"):
            entries.open_match(table.id, "chess", ["Ana", "Bo"])

    def test_the_table_must_be_there(self, table):
        for table_id in ABSENT:
            with pytest.raises(entries.NotFound):
                entries.open_match(table_id, "tally", ["Ana", "Bo"])

    def test_phones_at_the_table_hear_of_it(self, table):
        entries.open_match(table.id, "tally", ["Ana", "Bo"])
        assert db.session.scalar(select(Table.seq).where(Table.id == table.id)) == 1

    def test_a_name_of_any_letters_is_kept(self, table):
        names = ["Zoë 🐳", 'O\'Brien \\ "x" \x00 <b>']
        assert entries.read(open_match(table, "tally", names)).start.players == tuple(names)


@pytest.mark.both_databases
class TestRecording:
    def test_a_new_match_is_empty(self, match):
        log = entries.read(match)
        assert (log.match_id, log.seq, log.entries, log.written) == (match, 0, (), ())
        assert log.position.standing().scores == (0, 0)

    def test_events_count_in_order(self, match, phone):
        phone.score((ANA, 5))
        phone.score((BO, 3), (ANA, 2))
        log = entries.read(match)
        assert log.seq == 2
        assert [entry.events for entry in log.entries] == [(Score(ANA, 5),), (Score(BO, 3), Score(ANA, 2))]
        assert [entry.before.standing().scores for entry in log.entries] == [(0, 0), (5, 0)]
        assert [entry.after.standing().scores for entry in log.entries] == [(5, 0), (7, 3)]

    def test_the_receipt_tells_what_changed(self, phone):
        phone.score((ANA, 5))
        receipt = phone.score((BO, 3))
        assert (receipt.seq, receipt.again) == (2, False)
        assert receipt.before.position.standing().scores == (5, 0)
        assert receipt.after.position.standing().scores == (5, 3)

    def test_who_entered_it_and_when_is_known(self, match, phone):
        before = now()
        phone.score((BO, 5))
        Phone(match).look().score((BO, 1))
        first, second = entries.read(match).entries
        assert (first.player, second.player) == (ANA, None)
        assert before <= first.at <= second.at <= now()

    def test_the_table_moves_on_by_one_with_each_entry(self, table, phone):
        before = db.session.scalar(select(Table.seq).where(Table.id == table.id))
        phone.score((ANA, 5))
        phone.score((ANA, 5))
        db.session.rollback()
        assert db.session.scalar(select(Table.seq).where(Table.id == table.id)) == before + 2

    def test_a_batch_is_taken_whole_or_not_at_all(self, match, phone):
        with pytest.raises(entries.EntryRejected) as refused:
            phone.score((ANA, 5), (BO, -1))
        assert str(refused.value) == "That would leave -1 points."
        assert (refused.value.of, refused.value.event) == (None, 1)
        assert (refused.value.error.rule, refused.value.error.field) == ("Below zero", "points")
        assert (entries.read(match).seq, stored_lines(match)) == (0, 0)

    def test_a_refusal_costs_nothing(self, match, phone):
        with pytest.raises(entries.EntryRejected):
            phone.score((BO, -1), idempotency_key="form")
        assert phone.score((BO, 1), idempotency_key="form").again is False

    def test_nothing_comes_after_the_end(self, match, phone):
        phone.score((ANA, 21))
        with pytest.raises(entries.EntryRejected, match="The match is over"):
            phone.score((BO, 1))

    def test_any_match_can_be_stopped(self, match, phone):
        phone.send(entries.record, [Stop()])
        assert entries.read(match).position.finished
        assert entries.read(match).position.standing().winners == ()

    def test_an_empty_batch_is_refused(self, phone):
        with pytest.raises(entries.EntryRejected, match="nothing to enter"):
            phone.score()

    def test_beloz_rounds_are_scored(self, table):
        """Ana took it: 100 in cards and ten last are 110 of 163."""
        phone = Phone(open_match(table, "beloz", ["Ana", "Bo", "Cy", "Di"]), BO)
        phone.send(entries.record, [counted(ANA, "north", 0, 100, last=0)])
        phone.send(entries.record, [PassedDeal()])
        standing = entries.read(phone.match).position.standing()
        assert (standing.scores, standing.details["dealer"]) == ((110, 53), 2)


@pytest.mark.both_databases
class TestKeys:
    def test_a_phone_that_lost_the_reply_may_ask_again(self, match, phone):
        first = phone.score((ANA, 5), idempotency_key="form", expected_seq=0)
        second = phone.score((ANA, 5), idempotency_key="form", expected_seq=0)
        assert (first.seq, first.again) == (1, False)
        assert (second.seq, second.again) == (1, True)
        assert second.before == first.before
        assert second.after == first.after
        assert (scores(match), stored_lines(match)) == ((5, 0), 1)

    def test_even_after_others_went_on_the_answer_is_the_same(self, match, phone):
        first = phone.score((ANA, 5), idempotency_key="form", expected_seq=0)
        Phone(match, BO).look().score((BO, 4))
        Phone(match, BO).look().undo(1)
        second = phone.score((ANA, 5), idempotency_key="form", expected_seq=0)
        assert (second.seq, second.again, second.before, second.after) == (1, True, first.before, first.after)
        assert scores(match) == (0, 4)

    def test_whatever_it_says_it_has_seen(self, phone):
        phone.score((ANA, 5), idempotency_key="form", expected_seq=0)
        for seen in (-1, 0, 1, 7, 10**30):
            assert phone.score((ANA, 5), idempotency_key="form", expected_seq=seen).again

    def test_also_after_a_restart(self, match, phone, start_app):
        phone.score((ANA, 5), idempotency_key="form", expected_seq=0)
        with start_app().app_context():
            assert phone.score((ANA, 5), idempotency_key="form", expected_seq=0).again
            assert scores(match) == (5, 0)

    def test_an_undo_sent_twice_undoes_once(self, match, phone):
        phone.score((ANA, 5))
        phone.score((ANA, 6))
        assert phone.undo(idempotency_key="back", expected_seq=2).seq == 3
        assert phone.undo(idempotency_key="back", expected_seq=2).again
        assert phone.undo(2, idempotency_key="back", expected_seq=2).again
        assert scores(match) == (5, 0)

    def test_a_correction_sent_twice_corrects_once(self, match, phone):
        phone.score((ANA, 5))
        phone.correct(1, (ANA, 6), idempotency_key="better", expected_seq=1)
        assert phone.correct(1, (ANA, 6), idempotency_key="better", expected_seq=1).again
        assert (scores(match), stored_lines(match)) == ((6, 0), 2)

    def test_the_same_form_with_other_content_is_no_retry(self, match, phone):
        """Somebody went back in the browser, changed a number and saved again."""
        phone.score((ANA, 5), idempotency_key="form", expected_seq=0)
        with pytest.raises(entries.IdempotencyConflict) as reused:
            phone.score((ANA, 6), idempotency_key="form", expected_seq=0)
        assert (reused.value.seq, reused.value.log.seq) == (1, 1)
        with pytest.raises(entries.IdempotencyConflict):
            phone.undo(idempotency_key="form")
        with pytest.raises(entries.IdempotencyConflict):
            phone.correct(1, (ANA, 5), idempotency_key="form")
        assert scores(match) == (5, 0)

    def test_entries_made_one_after_the_other_without_a_connection_are_no_conflict(self, match, phone):
        phone.score((ANA, 5), idempotency_key="one", expected_seq=0)
        phone.score((ANA, 6), idempotency_key="two", expected_seq=0, after=["one"])
        phone.score((BO, 7), idempotency_key="three", expected_seq=0, after=["one", "two"])
        assert phone.score((ANA, 6), idempotency_key="two", expected_seq=0, after=["one"]).again
        assert scores(match) == (11, 7)

    def test_they_are_one_where_somebody_else_entered_something_between_them(self, match, phone):
        phone.score((ANA, 5), idempotency_key="one", expected_seq=0)
        Phone(match, BO).look().score((BO, 4))
        with pytest.raises(entries.Conflict) as conflict:
            phone.score((ANA, 6), idempotency_key="two", expected_seq=0, after=["one"])
        assert [line.player for line in conflict.value.since] == [ANA, BO]

    def test_one_whose_forerunner_was_not_stored_is_looked_at_first(self, match, phone):
        with pytest.raises(entries.EntryRejected, match="The entry before this one was not saved"):
            phone.score((ANA, 6), idempotency_key="two", expected_seq=0, after=["one"])
        assert stored_lines(match) == 0

    def test_keys_belong_to_a_match(self, table, match):
        other = open_match(table, "tally", ["Cy", "Di"])
        assert not Phone(match).score((0, 5), idempotency_key="form").again
        assert not Phone(other).score((0, 5), idempotency_key="form").again

    def test_what_was_answered_can_be_asked_by_key(self, match, phone):
        phone.score((ANA, 6))
        assert entries.find_receipt(entries.read(match), "form") is None
        phone.score((ANA, 5), idempotency_key="form")
        phone.score((ANA, 5))
        found = entries.find_receipt(entries.read(match), "form")
        assert (found.seq, found.again, found.after.seq) == (2, True, 2)

    def test_a_key_is_a_short_word(self, match):
        for key in ("", " ", "x" * 65, "a b", "é", "\x00", "a\n", "🐳"):
            with pytest.raises(entries.EntryRejected) as refused:
                entries.record(match, [Score(ANA, 1)], idempotency_key=key, expected_seq=0)
            assert refused.value.error.field == "key"
        assert stored_lines(match) == 0
        assert entries.record(match, [Score(ANA, 1)], idempotency_key="x" * 64, expected_seq=0).seq == 1


@pytest.mark.both_databases
class TestConflicts:
    def test_what_the_phone_has_not_seen_comes_first(self, match, phone):
        """Bo was faster. Ana's phone gets his entry, and hers is not stored."""
        Phone(match, BO).score((BO, 4))
        with pytest.raises(entries.Conflict) as conflict:
            phone.score((ANA, 5))
        assert (conflict.value.expected_seq, conflict.value.log.seq) == (0, 1)
        assert [(line.seq, line.player, line.kind, line.events) for line in conflict.value.since] == [
            (1, BO, "events", (Score(BO, 4),))
        ]
        assert (scores(match), stored_lines(match)) == ((0, 4), 1)
        assert phone.look().score((ANA, 5)).seq == 2

    def test_undos_and_corrections_are_news_too(self, match, phone):
        phone.score((ANA, 5))
        other = Phone(match, BO).look()
        other.correct(1, (ANA, 6))
        other.undo()
        with pytest.raises(entries.Conflict) as conflict:
            phone.score((ANA, 1))
        assert [(line.kind, line.of, line.player) for line in conflict.value.since] == [("correct", 1, BO), ("undo", 2, BO)]

    def test_undo_and_correction_need_to_have_seen_everything(self, match, phone):
        phone.score((ANA, 5))
        Phone(match).look().score((BO, 1))
        with pytest.raises(entries.Conflict):
            phone.undo()
        with pytest.raises(entries.Conflict):
            phone.undo(1)
        with pytest.raises(entries.Conflict):
            phone.correct(1, (ANA, 6))
        assert scores(match) == (5, 1)

    def test_a_place_that_is_not_the_logs_end_is_a_conflict(self, match, phone):
        phone.score((ANA, 5))
        for seen, news in ((-5, 1), (0, 1), (2, 0), (99, 0), (10**30, 0)):
            with pytest.raises(entries.Conflict) as conflict:
                phone.score((ANA, 5), expected_seq=seen)
            assert len(conflict.value.since) == news
        assert stored_lines(match) == 1

    def test_many_phones_at_once_get_one_entry_each(self, match, app):
        """All eight phones look again after a conflict, and try again: every point counts, once."""
        said = []

        def enter(number):
            with app.app_context():
                phone = Phone(match).look()
                for attempt in range(3):
                    while True:
                        try:
                            phone.score((number % 2, 1), idempotency_key=f"phone-{number}-{attempt}")
                            break
                        except entries.Conflict as conflict:
                            phone.seen = conflict.log.seq
                said.append(number)

        threads = [threading.Thread(target=enter, args=[number]) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(said) == [0, 1, 2, 3, 4, 5, 6, 7]
        assert (scores(match), stored_lines(match)) == ((12, 12), 24)

    def test_one_form_sent_by_impatient_taps_counts_once(self, match, app):
        answers = []

        def tap():
            with app.app_context():
                answers.append(entries.record(match, [Score(ANA, 5)], idempotency_key="form", expected_seq=0, player=ANA))

        threads = [threading.Thread(target=tap) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(answer.again for answer in answers) == [False, True, True, True, True, True]
        assert {answer.seq for answer in answers} == {1}
        assert scores(match) == (5, 0)

    def test_two_matches_begun_at_once_get_two_numbers(self, table, app):
        numbers = []

        def begin():
            with app.app_context():
                numbers.append(entries.open_match(table.id, "tally", ["Ana", "Bo"]))

        threads = [threading.Thread(target=begin) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(numbers) == [1, 2, 3, 4, 5, 6]


class TestWithoutTurns:
    @pytest.fixture
    def match(self, table):
        return open_match(table, "any-time", ["Ana", "Bo"])

    def test_an_entry_is_tried_on_the_newest_state(self, match, phone):
        Phone(match, BO).score((BO, 4))
        receipt = phone.score((ANA, 5), expected_seq=0)
        assert (receipt.seq, receipt.after.position.standing().scores) == (2, (5, 4))

    def test_what_is_no_longer_possible_is_a_conflict_that_says_why(self, match, phone):
        phone.score((BO, 4))
        Phone(match, BO).look().score((BO, -4))
        with pytest.raises(entries.Conflict) as conflict:
            phone.score((BO, -1))
        assert conflict.value.error.message == "That would leave -1 points."

    def test_what_was_never_possible_is_refused(self, phone):
        with pytest.raises(entries.EntryRejected):
            phone.score((BO, -1))

    def test_an_undo_of_the_newest_means_the_newest_that_was_seen(self, match, phone):
        phone.score((ANA, 5))
        Phone(match, BO).look().score((BO, 4))
        with pytest.raises(entries.Conflict):
            phone.undo()
        phone.undo(1, expected_seq=1)
        assert scores(match) == (0, 4)


class TestUndo:
    def test_the_newest_entry_goes_first_then_the_one_before(self, match, phone):
        for points in (1, 2, 4):
            phone.score((ANA, points))
        phone.undo()
        assert scores(match) == (3, 0)
        phone.undo()
        assert scores(match) == (1, 0)
        phone.score((ANA, 8))
        phone.undo()
        assert scores(match) == (1, 0)

    def test_nothing_is_erased(self, match, phone):
        phone.score((ANA, 1))
        phone.undo()
        log = entries.read(match)
        assert [(line.seq, line.kind, line.of, line.events) for line in log.written] == [
            (1, "events", None, (Score(ANA, 1),)),
            (2, "undo", 1, ()),
        ]
        assert log.entries == ()

    def test_an_older_entry_can_go_too(self, match, phone):
        phone.score((ANA, 5))
        phone.score((BO, 3))
        phone.undo(1)
        assert scores(match) == (0, 3)

    def test_an_undo_that_is_undone_brings_the_entry_back_in_its_place(self, match, phone):
        phone.score((ANA, 5))
        phone.score((BO, 3))
        undone = phone.undo(1)
        phone.undo(undone.seq)
        assert [entry.seq for entry in entries.read(match).entries] == [1, 2]
        assert scores(match) == (5, 3)
        phone.undo(4)
        assert scores(match) == (0, 3)
        phone.undo(5)
        assert scores(match) == (5, 3)

    def test_undoing_a_correction_brings_back_what_it_replaced(self, match, phone):
        phone.score((ANA, 5))
        phone.score((BO, 3))
        phone.correct(1, (ANA, 6))
        phone.undo()
        assert scores(match) == (5, 3)
        phone.undo()
        assert scores(match) == (5, 0)

    def test_a_correction_of_a_correction_falls_back_to_the_first(self, match, phone):
        phone.score((ANA, 5))
        phone.correct(1, (ANA, 6))
        phone.correct(1, (ANA, 7))
        phone.undo(3)
        assert scores(match) == (6, 0)

    def test_a_corrected_entry_goes_with_its_correction_and_returns_with_it(self, match, phone):
        phone.score((ANA, 5))
        phone.correct(1, (ANA, 6))
        gone = phone.undo(1)
        assert scores(match) == (0, 0)
        phone.undo(gone.seq)
        assert scores(match) == (6, 0)

    def test_what_a_later_entry_needs_can_not_go(self, match, phone):
        """Bo had three points, gave one to Ana, and gave two away again."""
        phone.score((BO, 3))
        phone.score((ANA, 1))
        phone.score((BO, -2))
        with pytest.raises(entries.EntryRejected) as refused:
            phone.undo(1)
        assert (refused.value.of, refused.value.error.message) == (3, "That would leave -2 points.")
        assert str(refused.value) == "Entry 3 would no longer be possible. That would leave -2 points."
        assert (scores(match), stored_lines(match)) == ((1, 1), 3)

    def test_the_entry_is_named_by_its_place_as_people_count(self, match, phone):
        phone.score((ANA, 9))
        phone.undo()
        phone.score((BO, 3))
        phone.score((BO, -2))
        with pytest.raises(entries.EntryRejected) as refused:
            phone.undo(3)
        assert refused.value.of == 4
        assert str(refused.value).startswith("Entry 2 would")

    def test_what_no_longer_fits_can_not_return(self, match, phone):
        """Ana's ten were taken back; with what came after, they would have ended the match too early."""
        phone.score((ANA, 10))
        gone = phone.undo()
        phone.score((ANA, 12))
        phone.score((BO, 1))
        with pytest.raises(entries.EntryRejected) as refused:
            phone.undo(gone.seq)
        assert refused.value.of == 4
        assert "The match is over" in str(refused.value)

    def test_the_end_of_a_match_can_be_taken_back(self, match, phone):
        phone.score((ANA, 21))
        phone.undo()
        phone.send(entries.record, [Stop()])
        phone.undo()
        phone.score((ANA, 1))
        assert scores(match) == (1, 0)

    def test_without_an_entry_there_is_nothing_to_undo(self, phone):
        with pytest.raises(entries.NotFound, match="nothing to undo"):
            phone.undo()
        phone.score((ANA, 1))
        phone.undo()
        with pytest.raises(entries.NotFound, match="nothing to undo"):
            phone.undo()

    def test_what_was_never_written_can_not_be_undone(self, phone):
        for points in (1, 2, 4):
            phone.score((ANA, points))
        for of in (4, *ABSENT):
            with pytest.raises(entries.NotFound):
                phone.undo(of)

    def test_what_is_undone_already_can_not_be_undone(self, match, phone):
        phone.score((ANA, 1))
        phone.undo(1)
        with pytest.raises(entries.NotFound, match="does not count any more"):
            phone.undo(1)
        phone.undo(2)
        with pytest.raises(entries.NotFound, match="does not count any more"):
            phone.undo(2)
        assert stored_lines(match) == 3

    def test_a_correction_that_was_replaced_can_not_be_undone(self, phone):
        phone.score((ANA, 1))
        phone.correct(1, (ANA, 2))
        phone.correct(1, (ANA, 3))
        with pytest.raises(entries.NotFound):
            phone.undo(2)


class TestCorrection:
    def test_everything_after_it_is_scored_again(self, table):
        """Round two was entered wrongly: Bo's team did not get 60, so its contract is broken and all 163 go to Ana's."""
        phone = Phone(open_match(table, "beloz", ["Ana", "Bo", "Cy", "Di"]), ANA)
        for entry in (
            counted(ANA, "north", 0, 100, last=0),
            counted(BO, "south", 1, 90, last=1),
            counted(CY, "east", 0, 80, last=0),
        ):
            phone.send(entries.record, [entry])
        assert [entry.after.standing().scores for entry in entries.read(phone.match).entries] == [
            (110, 53),
            (110 + 63, 53 + 100),
            (173 + 90, 153 + 73),
        ]
        receipt = phone.send(entries.correct, 2, [counted(BO, "south", 1, 60, last=1)])
        assert [entry.after.standing().scores for entry in receipt.after.entries] == [
            (110, 53),
            (110 + 163, 53),
            (273 + 90, 53 + 73),
        ]
        assert receipt.before.position.standing().scores == (263, 226)

    def test_who_corrected_it_and_when_is_known(self, match, phone):
        phone.score((ANA, 5))
        Phone(match, BO).look().correct(1, (ANA, 6))
        [entry] = entries.read(match).entries
        assert (entry.player, entry.events, entry.corrected) == (ANA, (Score(ANA, 6),), True)
        assert (entry.correction.player, entry.correction.seq) == (BO, 2)
        assert entry.at <= entry.correction.at

    def test_an_entry_that_nobody_corrected_says_so(self, match, phone):
        phone.score((ANA, 5))
        assert not entries.read(match).entries[0].corrected

    def test_one_that_makes_a_later_entry_impossible_is_refused_and_names_it(self, match, phone):
        phone.score((BO, 3))
        phone.score((ANA, 1))
        phone.score((BO, -2))
        with pytest.raises(entries.EntryRejected) as refused:
            phone.correct(1, (BO, 1))
        assert (refused.value.of, refused.value.error.field) == (3, "points")
        assert str(refused.value) == "Entry 3 would no longer be possible. That would leave -1 points."
        assert scores(match) == (1, 1)

    def test_one_that_would_end_the_match_before_a_later_entry_is_refused(self, phone):
        phone.score((BO, 3))
        phone.score((ANA, 1))
        with pytest.raises(entries.EntryRejected, match=r"^Entry 2 would no longer be possible\. The match is over"):
            phone.correct(1, (BO, 21))

    def test_one_that_is_impossible_itself_is_refused_without_naming_another(self, phone):
        phone.score((BO, 3))
        phone.score((ANA, 1))
        with pytest.raises(entries.EntryRejected) as refused:
            phone.correct(1, (BO, 3), (BO, -4))
        assert (refused.value.of, refused.value.event) == (None, 1)
        assert str(refused.value) == "That would leave -1 points."

    def test_the_entry_may_get_more_or_fewer_events(self, match, phone):
        phone.score((ANA, 5))
        phone.correct(1, (ANA, 1), (BO, 2))
        assert scores(match) == (1, 2)
        phone.correct(1, (BO, 9))
        assert scores(match) == (0, 9)

    def test_one_that_changes_nothing_is_refused(self, match, phone):
        phone.score((ANA, 5))
        with pytest.raises(entries.EntryRejected, match="Nothing was changed"):
            phone.correct(1, (ANA, 5))
        phone.correct(1, (ANA, 6))
        with pytest.raises(entries.EntryRejected, match="Nothing was changed"):
            phone.correct(1, (ANA, 6))
        phone.correct(1, (ANA, 5))
        assert (scores(match), stored_lines(match)) == ((5, 0), 3)

    def test_to_nothing_is_no_correction(self, phone):
        phone.score((ANA, 5))
        with pytest.raises(entries.EntryRejected, match="nothing to enter"):
            phone.correct(1)

    def test_only_an_entry_that_counts_can_be_corrected(self, phone):
        """Line 2 is a correction, line 3 an undo."""
        phone.score((ANA, 5))
        phone.correct(1, (ANA, 6))
        phone.undo()
        for of in (2, 3, 4, *ABSENT):
            with pytest.raises(entries.NotFound):
                phone.correct(of, (ANA, 7))

    def test_an_entry_that_was_undone_can_not_be_corrected(self, phone):
        phone.score((ANA, 5))
        phone.undo()
        with pytest.raises(entries.NotFound, match="There is no entry 1"):
            phone.correct(1, (ANA, 7))


class TestPreview:
    def test_what_recording_would_give(self, match, phone):
        phone.score((ANA, 5))
        assert entries.preview(match, [Score(BO, 3)]).position.standing().scores == (5, 3)
        assert (scores(match), stored_lines(match)) == ((5, 0), 1)

    def test_what_a_correction_would_give(self, match, phone):
        phone.score((ANA, 5))
        phone.score((BO, 3))
        changed = entries.preview_correction(match, 1, [Score(ANA, 6)])
        assert [entry.after.standing().scores for entry in changed.entries] == [(6, 0), (6, 3)]
        assert (scores(match), stored_lines(match)) == ((5, 3), 2)

    def test_what_can_not_be_is_refused_as_when_it_is_sent(self, match, phone):
        phone.score((BO, 3))
        phone.score((BO, -2))
        with pytest.raises(entries.EntryRejected, match=r"^That would leave -9 points"):
            entries.preview(match, [Score(ANA, -9)])
        with pytest.raises(entries.EntryRejected, match=r"^Entry 2 would no longer be possible"):
            entries.preview_correction(match, 1, [Score(BO, 1)])
        with pytest.raises(entries.NotFound):
            entries.preview_correction(match, 7, [Score(BO, 1)])


class TestHostileContent:
    @pytest.mark.parametrize(
        ("event", "field"),
        [
            (Score(9, 1), "player"),
            (Score(-1, 1), "player"),
            (Score(True, 1), "player"),
            (Score("0", 1), "player"),
            (Score(0, 31), "points"),
            (Score(0, 10**400), "points"),
            (Score(0, 1.5), "points"),
            (Score(0, None), "points"),
            (Score(0, "\ud800"), "events"),
            (Score(0, object()), "events"),
            (PassedDeal(), "type"),
        ],
    )
    def test_events_with_impossible_parts_are_refused(self, match, event, field):
        with pytest.raises(entries.EntryRejected) as refused:
            entries.record(match, [Score(0, 1), event], idempotency_key="form", expected_seq=0)
        assert refused.value.error.field == field
        assert refused.value.error.message
        assert (entries.read(match).seq, stored_lines(match)) == (0, 0)

    def test_a_match_that_is_not_there(self, table):
        for match_id in (MatchId(*parts) for number in ABSENT for parts in ((table.id, number), (number, 1))):
            for call in (
                partial(entries.read),
                partial(entries.record, events=[Score(0, 1)], idempotency_key="form", expected_seq=0),
                partial(entries.undo, idempotency_key="form", expected_seq=0),
                partial(entries.correct, of=1, events=[Score(0, 1)], idempotency_key="form", expected_seq=0),
                partial(entries.preview, events=[Score(0, 1)]),
                partial(entries.change_draft, change=lambda draft: {"a": 1}),
            ):
                with pytest.raises(entries.NotFound):
                    call(match_id)
            assert entries.draft(match_id, 0) is None

    def test_somebody_whom_the_match_does_not_know(self, match):
        for player in (-1, 2, 99, 10**30):
            with pytest.raises(entries.EntryRejected) as refused:
                entries.record(match, [Score(0, 1)], idempotency_key="form", expected_seq=0, player=player)
            assert refused.value.error.field == "player"
        assert stored_lines(match) == 0

    def test_more_people_than_a_match_names_are_somebody(self, match, phone):
        for number in range(repository.MOST_OTHERS + 2):
            entries.record(match, [Score(0, 0)], idempotency_key=f"{number}", expected_seq=number, player=f"P{number}")
        log = entries.read(match)
        assert [log.who(line.player) for line in log.written[-3:]] == ["P29", None, None]


class TestOthers:
    """People of the table who do not play the match."""

    def test_the_match_knows_them_by_numbers_after_its_players(self, match, phone, start_app):
        for seen, by in enumerate(("Cy", "Di", "Cy", "Bo", 2)):
            entries.record(match, [Score(0, 1)], idempotency_key=f"{seen}", expected_seq=seen, player=by)
        with start_app().app_context():
            log = entries.read(match)
        assert [line.player for line in log.written] == [2, 3, 2, 1, 2]
        assert log.people == ("Ana", "Bo", "Cy", "Di")
        assert log.start.players == ("Ana", "Bo")

    def test_who_is_refused_is_not_known_by_it(self, match):
        with pytest.raises(entries.EntryRejected):
            entries.record(match, [Score(9, 1)], idempotency_key="form", expected_seq=0, player="Cy")
        assert entries.read(match).people == ("Ana", "Bo")

    def test_their_taps_have_names_too(self, match):
        entries.change_draft(match, lambda draft: {"bidder": 1}, step="Bo took it", player="Cy")
        step = entries.shared(match, 0).newest
        entries.undo_step(match, step.id, after=0, player="Di")
        gone = entries.shared(match, 0).taken_back
        assert [entries.read(match).who(number) for number in (gone.player, gone.by)] == ["Cy", "Di"]

    def test_whoever_begins_a_match_of_others_is_known(self, table):
        number = entries.open_match(table.id, "tally", ["Ana", "Bo"], by="Cy")
        match = db.session.get(Match, (table.id, number))
        assert (match.players, match.others, match.begun_by) == (["Ana", "Bo"], ["Cy"], 2)


@pytest.mark.both_databases
class TestDrafts:
    def test_phones_share_what_is_known_so_far(self, match, app):
        assert entries.draft(match, 0) is None
        assert entries.change_draft(match, lambda draft: {"bidder": 1}) == {"bidder": 1}
        with app.app_context():
            assert entries.draft(match, 0) == {"bidder": 1}
            entries.change_draft(match, lambda draft: {**draft, "flooded": "north"})
        db.session.rollback()
        assert entries.draft(match, 0) == {"bidder": 1, "flooded": "north"}

    def test_it_belongs_to_the_entry_after_which_it_comes(self, match, phone):
        phone.score((ANA, 1))
        entries.change_draft(match, lambda draft: {"bidder": 1})
        phone.score((ANA, 1))
        assert entries.draft(match, 2) is None
        seen = []
        assert entries.change_draft(match, lambda draft: seen.append(draft) or {"bidder": 2}) == {"bidder": 2}
        assert seen == [None]
        phone.undo()
        assert entries.read(match).head == 1
        assert entries.draft(match, 1) == {"bidder": 1}
        phone.undo(3)
        assert entries.read(match).head == 2
        assert entries.draft(match, 2) == {"bidder": 2}

    def test_a_phone_that_means_another_entrys_draft_changes_nothing(self, match, phone):
        phone.score((ANA, 1))
        with pytest.raises(OtherEntry):
            entries.change_draft(match, lambda draft: {"bidder": 1}, after=0)
        assert entries.draft(match, 1) is None

    def test_it_can_be_dropped(self, match):
        entries.change_draft(match, lambda draft: {"bidder": 1})
        assert entries.change_draft(match, lambda draft: None) is None
        assert entries.draft(match, 0) is None

    def test_the_tables_phones_hear_of_a_change_and_of_nothing_else(self, table, match):
        def at():
            db.session.rollback()
            return db.session.scalar(select(Table.seq).where(Table.id == table.id))

        start = at()
        entries.change_draft(match, lambda draft: {"bidder": 1})
        assert at() == start + 1
        entries.change_draft(match, lambda draft: {"bidder": 1})
        assert at() == start + 1

    def test_a_refused_change_changes_nothing(self, match):
        entries.change_draft(match, lambda draft: {"bidder": 1})

        def refuse(draft):
            raise RuleError(say("The run is held by Bo."))

        with pytest.raises(RuleError):
            entries.change_draft(match, refuse)
        assert entries.draft(match, 0) == {"bidder": 1}

    def test_it_can_not_grow_without_end(self, match):
        with pytest.raises(RuleError, match="One entry can’t hold that much"):
            entries.change_draft(match, lambda draft: {"words": "x" * 20_000})
        assert entries.draft(match, 0) is None

    def test_taps_on_two_phones_at_once_are_both_kept(self, match, app):
        def tap(number):
            with app.app_context():
                entries.change_draft(match, lambda draft: {**(draft or {}), str(number): True})

        threads = [threading.Thread(target=tap, args=[number]) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        db.session.rollback()
        assert entries.draft(match, 0) == {str(number): True for number in range(8)}


@pytest.mark.both_databases
class TestMemory:
    def test_a_restart_loses_nothing(self, match, phone, start_app):
        phone.score((ANA, 5))
        phone.score((BO, 3), (ANA, 1))
        phone.correct(1, (ANA, 6))
        phone.undo(2)
        phone.undo(4)
        phone.score((BO, 2))
        entries.change_draft(match, lambda draft: {"bidder": 1})
        known = entries.read(match)
        with start_app().app_context():
            found = entries.read(match)
            assert found is not known
            assert found == known
            assert found.position.standing().scores == (7, 5)
            assert entries.draft(match, 6) == {"bidder": 1}

    def test_processes_catch_up_with_each_other(self, match, phone, start_app):
        other = start_app()
        with other.app_context():
            assert scores(match) == (0, 0)
        phone.score((ANA, 5))
        phone.score((BO, 3))
        with other.app_context():
            assert scores(match) == (5, 3)
            Phone(match, BO).look().undo(1)
        db.session.rollback()
        assert scores(match) == (0, 3)

    def test_the_match_is_not_played_again_for_each_entry(self, table, monkeypatch):
        calls = []

        def counted(state, event):
            calls.append(event)
            return TALLY.apply(state, event)

        monkeypatch.setitem(GAMES, "tally", replace(TALLY, apply=counted))
        phone = Phone(open_match(table, "tally", ["Ana", "Bo"]))
        for _ in range(10):
            phone.score((ANA, 1))
        assert len(calls) == 10
        entries.read(phone.match)
        assert len(calls) == 10
        phone.correct(8, (BO, 1))
        assert len(calls) == 13

    def test_an_entry_that_was_not_stored_is_not_remembered(self, match, phone, start_app):
        phone.score((ANA, 5))

        def lost(connection):
            raise OperationalError("COMMIT", {}, RuntimeError("disk full"))

        event.listen(db.engine, "commit", lost)
        with pytest.raises(OperationalError):
            phone.score((ANA, 6), idempotency_key="form")
        event.remove(db.engine, "commit", lost)
        with start_app().app_context():
            Phone(match).look().score((BO, 3))
        assert scores(match) == (5, 3)
        assert phone.look().score((ANA, 6), idempotency_key="form").again is False
        assert scores(match) == (11, 3)

    def test_what_a_larger_transaction_took_back_is_not_remembered(self, match, phone, start_app):
        def score_and_fail():
            with database.writing():
                phone.score((ANA, 5))
                assert entries.read(match).position.standing().scores == (5, 0)
                _ = 1 // 0

        with pytest.raises(ZeroDivisionError):
            score_and_fail()
        assert stored_lines(match) == 0
        with start_app().app_context():
            Phone(match).look().score((BO, 3))
        assert scores(match) == (0, 3)

    def test_a_database_that_was_put_back_is_believed(self, match, phone):
        for points in (1, 2, 4):
            phone.score((ANA, points))
        with database.writing() as connection:
            connection.execute(text("DELETE FROM entries WHERE seq > 1"))
            connection.execute(text("UPDATE matches SET seq = 1"))
        assert scores(match) == (1, 0)

    def test_the_oldest_logs_are_let_go(self, table):
        matches = [open_match(table, "tally", ["Ana", "Bo"]) for _ in range(3)]
        logs = Logs(most_lines=10)
        for each in matches:
            for _ in range(3):
                Phone(each).look().score((ANA, 1))
            logs.keep(entries.read(each))
        assert [logs.get(each) is not None for each in matches] == [False, True, True]
        assert logs.get(matches[1]).seq == 3

    def test_one_log_is_kept_however_long_it_is(self, match, phone):
        logs = Logs(most_lines=2)
        for points in (1, 2, 4):
            phone.score((ANA, points))
        logs.keep(entries.read(match))
        assert logs.get(match).seq == 3

    def test_an_older_log_never_replaces_a_newer_one(self, match, phone):
        logs = Logs()
        older = phone.score((ANA, 1)).after
        newer = phone.score((ANA, 1)).after
        logs.keep(newer)
        logs.keep(older)
        assert logs.get(match) is newer


@pytest.mark.both_databases
class TestDatabaseAway:
    """Whatever breaks, it is one kind of error, nothing is half done, and the same form may be sent again."""

    @pytest.mark.sqlite  # PostgreSQL locks rows
    def test_another_process_that_does_not_stop_writing(self, match, start_app, database_url, monkeypatch):
        monkeypatch.setattr(database, "BUSY_TIMEOUT", 50)
        with start_app().app_context():
            phone = Phone(match).look()
            db.session.rollback()
            writer = sqlite3.connect(database_url.removeprefix("sqlite:///"))
            writer.execute("BEGIN IMMEDIATE")
            with pytest.raises(OperationalError, match="locked"):
                phone.score((ANA, 5), idempotency_key="form")
            assert scores(match) == (0, 0)
            writer.rollback()
            assert phone.score((ANA, 5), idempotency_key="form").again is False

    @pytest.fixture
    def cut(self, postgresql_server):
        return lambda: postgresql_server.run(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'migrated' AND application_name = ''"
        )

    @pytest.mark.postgresql
    def test_a_server_that_was_away_between_two_entries_is_not_noticed(self, match, phone, cut):
        phone.score((ANA, 5))
        db.session.rollback()
        cut()
        phone.score((ANA, 6))
        assert scores(match) == (11, 0)

    @pytest.mark.postgresql
    def test_one_that_goes_away_before_an_entry_is_stored(self, match, phone, cut):
        db.session.rollback()
        event.listen(db.engine, "commit", lambda connection: cut(), once=True)
        with pytest.raises(OperationalError):
            phone.score((ANA, 5), idempotency_key="form")
        assert scores(match) == (0, 0)
        assert phone.score((ANA, 5), idempotency_key="form").again is False
        assert scores(match) == (5, 0)


@pytest.mark.both_databases
class TestEditions:
    def test_a_match_under_other_rules_is_not_played_by_these(self, match, phone, app):
        phone.score((ANA, 5))
        db.session.execute(update(Match).values(edition=2))
        db.session.commit()
        app.extensions.pop("companion-logs")
        for call in (lambda: entries.read(match), lambda: phone.score((ANA, 1)), lambda: phone.undo()):
            with pytest.raises(entries.RulesVersionMismatch, match=r"edition 2 of the rules of Tally\. This Companion"):
                call()
        assert stored_lines(match) == 1

    def test_a_match_of_an_earlier_edition_is_read_and_goes_on(self, open_match, app):
        """Ruling U12 came with the cup's second edition: what was accepted before is played again as it was then."""
        cup = open_match("beluga-cup", ("Ana", "Bo"))
        twice = (Play(1, 1, 1, ("ace-suns",)), Play(0, 1, 0, ("crown-suns",)), Fill(1, ("suns",), "hand"))
        fish = (("suns",), ("leaves",) * 2, ("wyrms",) * 3, ("moons",) * 4)
        fills = tuple(Fill(number, suits, "hand") for number, suits in enumerate(fish, start=1))
        with app.app_context():
            with pytest.raises(entries.EntryRejected, match="among the discards until the deck is shuffled"):
                entries.record(cup, (*fills, *twice, *twice), idempotency_key="too-new", expected_seq=0, player=None)
            db.session.execute(update(Match).values(edition=1))
            db.session.commit()
            app.extensions.pop("companion-logs", None)
            entries.record(cup, (*fills, *twice, *twice), idempotency_key="as-it-was", expected_seq=0, player=None)
            app.extensions.pop("companion-logs")
            assert entries.read(cup).position.state.eaten[0] == (0, 2, 0, 0, 0, 0)

    def test_a_match_of_a_game_that_is_gone(self, match, monkeypatch):
        monkeypatch.delitem(GAMES, "tally")
        with pytest.raises(entries.NotFound, match="“tally”, which this Companion does not know"):
            entries.read(match)


THREADS_AT_ONCE = """
import sys, threading
from companion.engine import GAMES
from companion.engine.records import RecordError, decode_question
from companion.matches import repository

sys.setswitchinterval(1e-6)
everybody = threading.Barrier(16)

def read(game):
    everybody.wait()
    repository._decoder(game.event_types()).decode(b'{"events": []}')
    for kind in game.questions:
        try:
            decode_question(b'{"game": "%s"}' % game.slug.encode())
        except RecordError:
            pass

for game in GAMES.values():
    threads = [threading.Thread(target=read, args=(game,)) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
"""


@pytest.mark.sqlite
def test_threads_that_read_what_nobody_has_read_before_end_no_process():
    """msgspec takes a kind apart when it is first read, and crashes where two threads do."""
    assert subprocess.run([sys.executable, "-c", THREADS_AT_ONCE], timeout=120).returncode == 0
