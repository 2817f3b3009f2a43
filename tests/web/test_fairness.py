"""Can nobody choose the fish or see the seed before the end, and everybody check afterwards?"""

from __future__ import annotations

import hashlib
import json
import logging
import re
import runpy
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import IntegrityError

from companion.engine import GAMES, fair_draw
from companion.engine.beluga_cup import Eat, ExcuseSwap, Fill
from companion.engine.core import Drawn, Draws, Event, Options, RuleError, Settled, Stop
from companion.engine.records import RecordError, answer_verify
from companion.matches import draws, entries, fairness
from companion.storage import database, notifications
from companion.storage.models import Bag, Draft, Entry, Match, MatchId, Table, db
from companion.web.delivery import server_sent_events
from tests.web.tally import TALLY, TallyState

pytestmark = pytest.mark.usefixtures("in_app")

ANA, BO = range(2)
UNTRACKED = {"cards": "untracked"}
SUITS = ["moons", "suns", "waves", "leaves", "wyrms", "knots"]
FAIR_DRAWS = Path(__file__).parents[2] / "docs" / "fair-draws.md"


def open_match(table, options=UNTRACKED):
    number = entries.open_match(table.id, "beluga-cup", ["Ana", "Bo"], options)
    return db.session.scalar(select(Match.id).where(Match.table_id == table.id, Match.number == number))


@pytest.fixture
def match(table):
    """Return a match of Ana and Bo, who do not enter their cards; the bag is sealed and nothing has happened."""
    return open_match(table)


def options(match):
    db.session.rollback()
    return entries.read(match).start.options


def seed_of(match):
    return db.session.scalar(select(Bag.seed).where(Bag.table_id == match.table_id, Bag.match_number == match.number))


def by_app(zone):
    """Return a phone's request to draw; the fish are for the app to say."""
    return Fill(zone, (), "app")


class Phone:
    """A phone that has seen the whole log, and gives each form a key."""

    count = 0

    def __init__(self, match):
        self.match = match

    def send(self, call, *content, **how):
        Phone.count += 1
        how = {"idempotency_key": f"form-{Phone.count}", "expected_seq": entries.read(self.match).seq, **how}
        return call(self.match, *content, **how)

    def draw(self, *events, **how):
        return self.send(entries.record, events, by_app=True, **how)

    def record(self, *events, **how):
        return self.send(entries.record, events, **how)

    def undo(self, of=None, **how):
        return self.send(entries.undo, of, **how)

    def correct(self, of, *events, **how):
        return self.send(entries.correct, of, events, **how)

    def fish(self, zone):
        """Return what the app draws into a zone, as the log holds it."""
        return self.draw(by_app(zone)).after.entries[-1].events[0].fish

    def begin(self):
        """Fill all four zones, each an entry."""
        return [self.fish(zone) for zone in (1, 2, 3, 4)]


@pytest.fixture
def phone(match):
    return Phone(match)


def play_to_the_end(phone):
    """Eat and fill zone four until the bag is short: 42 - 10 = 32 fish are eight fillings."""
    phone.begin()
    for _ in range(8):
        phone.record(Eat(4, ANA))
        phone.draw(by_app(4))
    phone.record(Eat(4, BO))


class TestSeal:
    def test_each_match_gets_a_seal_of_its_own(self, table):
        seeds = {seed_of(open_match(table)) for _ in range(3)}
        assert [len(seed) for seed in seeds] == [32, 32, 32]

    def test_the_seal_is_the_sha_256_of_the_seed(self, match):
        assert options(match).seal == hashlib.sha256(seed_of(match)).hexdigest()
        assert options(match).words == ()

    def test_nobody_brings_a_seal_or_words_along(self, table):
        theirs = {**UNTRACKED, "seal": hashlib.sha256(bytes(32)).hexdigest(), "words": ["pearl"]}
        assert options(open_match(table, theirs)).seal != theirs["seal"]
        assert options(open_match(table, theirs)).words == ()

    def test_a_rematch_with_the_same_options_has_a_new_seal(self, table, match):
        assert options(open_match(table, options(match))).seal != options(match).seal

    def test_a_game_without_draws_has_no_bag(self, table):
        entries.open_match(table.id, "beloz", ["Ana", "Bo", "Cy", "Di"])
        assert db.session.scalars(select(Bag)).all() == []

    @pytest.mark.both_databases
    def test_a_bag_goes_with_its_match(self, match):
        with database.writing() as connection:
            connection.execute(text("DELETE FROM matches"))
        assert db.session.scalars(select(Bag)).all() == []


class TestWords:
    @pytest.mark.both_databases
    def test_they_are_told_in_the_order_in_which_they_came(self, match):
        assert fairness.add_word(match, "pearl") == ("pearl",)
        assert fairness.add_word(match, " 20 Zoë 🐳 ") == ("pearl", "20 Zoë 🐳")
        assert options(match).words == ("pearl", "20 Zoë 🐳")

    def test_phones_hear_of_each(self, table, match):
        before = db.session.scalar(select(Table.seq).where(Table.id == table.id))
        fairness.add_word(match, "pearl")
        fairness.add_word(match, "pearl")  # sent twice
        db.session.rollback()
        assert db.session.scalar(select(Table.seq).where(Table.id == table.id)) == before + 1
        assert options(match).words == ("pearl",)

    @pytest.mark.both_databases
    def test_another_process_draws_with_them(self, start_app, match):
        entries.read(match)
        with start_app().app_context():
            entries.read(match)
            fairness.add_word(match, "pearl")
        phone = Phone(match)
        phone.begin()
        phone.record(Stop())
        assert record_with_seed(match)["options"]["words"] == ["pearl"]
        assert answer_verify(json.dumps(record_with_seed(match)))["verified"] == 10

    @pytest.mark.parametrize("first", [by_app(1), Fill(1, ("moons",), "hand"), Stop()])
    def test_once_something_is_entered_they_are_settled(self, match, phone, first):
        phone.draw(first)
        with pytest.raises(RuleError, match="Too late for words: fish are drawn"):
            fairness.add_word(match, "pearl")
        phone.undo()  # who has seen the fish may not choose others
        with pytest.raises(RuleError, match="Too late"):
            fairness.add_word(match, "pearl")
        assert options(match).words == ()

    @pytest.mark.parametrize("word", ["", "  ", "two\nlines", "\x00", "\ud800", "\u200b", "x" * 201])
    def test_a_word_can_be_read_and_is_not_long(self, match, word):
        with pytest.raises(RuleError) as refused:
            fairness.add_word(match, word)
        assert refused.value.field == "word"
        assert options(match).words == ()

    def test_there_are_twenty_at_most(self, match):
        for number in range(20):
            fairness.add_word(match, f"word {number}")
        with pytest.raises(RuleError, match="enough words: 20"):
            fairness.add_word(match, "one more")
        assert len(options(match).words) == 20

    def test_only_where_fish_are_drawn(self, table):
        entries.open_match(table.id, "beloz", ["Ana", "Bo", "Cy", "Di"])
        with pytest.raises(RuleError, match="No bag here, so no words to add"):
            fairness.add_word(db.session.scalar(select(Match.id)), "pearl")

    def test_there_must_be_a_match(self):
        with pytest.raises(entries.NotFound):
            fairness.add_word(MatchId(999, 1), "pearl")


class TestDrawing:
    def test_zones_get_as_many_fish_as_they_take(self, phone):
        assert [len(fish) for fish in phone.begin()] == [1, 2, 3, 4]

    def test_several_zones_may_be_one_entry(self, match, phone):
        phone.draw(*[by_app(zone) for zone in (1, 2, 3, 4)])
        (entry,) = entries.read(match).entries
        assert [(event.zone, len(event.fish), event.drawn_by) for event in entry.events] == [
            (1, 1, "app"),
            (2, 2, "app"),
            (3, 3, "app"),
            (4, 4, "app"),
        ]

    def test_fish_that_the_phone_names_do_not_matter(self, match):
        phone = Phone(match)
        drawn = phone.fish(4)
        phone.undo()
        assert phone.draw(Fill(4, tuple(reversed(drawn)), "app")).after.entries[-1].events[0].fish == drawn

    def test_undone_and_drawn_again_it_is_the_same_fish(self, phone):
        fish = phone.begin()
        for _ in range(3):
            phone.undo()
            assert phone.fish(4) == fish[3]
        for _ in range(4):
            phone.undo()
        assert phone.begin() == fish

    @pytest.mark.both_databases
    def test_after_a_restart_too(self, start_app, match, phone):
        fish = phone.begin()
        phone.undo()
        with start_app().app_context():
            assert phone.fish(4) == fish[3]

    def test_the_same_key_gets_the_same_answer(self, match, phone):
        first = phone.draw(by_app(1), idempotency_key="lost-reply")
        phone.fish(2)
        second = phone.draw(by_app(1), idempotency_key="lost-reply", expected_seq=0)
        assert (second.seq, second.again, first.again) == (1, True, False)
        assert second.after.entries[-1].events == first.after.entries[-1].events
        assert entries.read(match).seq == 2

    def test_the_same_key_for_another_draw_is_refused(self, phone):
        phone.draw(by_app(1), idempotency_key="form")
        for other in ([by_app(2)], [by_app(1), by_app(2)], [Fill(2, ("moons", "suns"), "hand")], [Stop()]):
            with pytest.raises(entries.IdempotencyConflict):
                phone.draw(*other, idempotency_key="form")

    def test_who_has_not_seen_the_newest_is_told(self, match, phone):
        phone.draw(by_app(1))
        with pytest.raises(entries.Conflict):
            phone.draw(by_app(2), expected_seq=0)
        assert entries.read(match).seq == 1

    def test_the_rules_hold(self, match, phone):
        phone.begin()
        with pytest.raises(entries.EntryRejected, match="Zone 2 has its fish"):
            phone.draw(by_app(2))
        phone.record(Eat(2, ANA))
        with pytest.raises(entries.EntryRejected, match="Zone 3 has its fish") as refused:
            phone.draw(by_app(2), by_app(3))
        assert refused.value.event == 1
        assert entries.read(match).seq == 5

    def test_fish_drawn_by_hand_may_stand_between(self, match, phone):
        phone.record(Fill(4, ("moons", "suns", "waves", "leaves"), "hand"))
        for zone in (1, 2, 3):
            phone.fish(zone)
        phone.record(Stop())
        assert answer_verify(json.dumps(record_with_seed(match)))["verified"] == 6

    def test_nothing_is_drawn_in_another_game(self, table):
        entries.open_match(table.id, "beloz", ["Ana", "Bo", "Cy", "Di"])
        with pytest.raises(entries.EntryRejected, match="BeloZ has no bag to draw from"):
            Phone(db.session.scalar(select(Match.id))).draw(Stop())


class TestOnlyTheBagDraws:
    @pytest.fixture(autouse=True)
    def _one_seed(self, monkeypatch):
        """Seal with one seed: another bag may give the same fish by chance, this one does not."""
        monkeypatch.setattr(draws, "secrets", SimpleNamespace(token_bytes=lambda count: bytes(range(count))))

    def test_a_phone_can_not_say_what_the_app_drew(self, match, phone):
        """One of the six is right, and not even that one is taken: nobody finds out by guessing."""
        for suit in SUITS:
            for attempt in (phone.record, lambda *events: entries.preview(match, events)):
                with pytest.raises(entries.EntryRejected, match="The sealed bag didn’t draw these fish") as refused:
                    attempt(Fill(1, (suit,), "app"))
                assert refused.value.error.field == "drawn_by"
        assert entries.read(match).seq == 0

    def test_a_correction_can_not_say_it_either(self, match, phone):
        phone.record(Fill(1, ("moons",), "hand"))
        for suit in SUITS:
            for correct in (phone.correct, lambda of, *events: entries.preview_correction(match, of, events)):
                with pytest.raises(entries.EntryRejected, match="The sealed bag didn’t draw these fish"):
                    correct(1, Fill(1, (suit,), "app"))
        assert entries.read(match).seq == 1

    def test_a_draw_can_not_be_corrected_to_other_fish(self, phone):
        (fish,) = phone.fish(1)
        for suit in SUITS:
            if suit != fish:
                with pytest.raises(entries.EntryRejected, match="The sealed bag didn’t draw these fish"):
                    phone.correct(1, Fill(1, (suit,), "app"))

    def test_an_earlier_draw_stays_while_later_ones_follow_from_it(self, match, phone):
        phone.begin()
        with pytest.raises(
            entries.EntryRejected, match=r"Entry 2 would no longer be possible\. The sealed bag would have drawn"
        ) as why:
            phone.undo(1)
        assert why.value.of == 2
        assert entries.read(match).seq == 4

    def test_the_refusal_does_not_tell_what_the_bag_would_give(self, phone):
        phone.begin()
        with pytest.raises(entries.EntryRejected) as refused:
            phone.undo(1)
        assert not re.search("|".join(SUITS), str(refused.value).lower())

    def test_a_correction_that_leaves_the_draws_as_they_are_is_taken(self, match, phone):
        phone.begin()
        phone.record(Eat(4, ANA))
        phone.fish(4)
        phone.correct(5, Eat(4, BO))
        assert answer_of_stopped(phone)["verified"] == 14

    def test_a_correction_that_would_change_a_later_draw_is_refused(self, match, phone):
        """With other fish in zone 4, others are left in the bag."""
        hand = Fill(4, ("moons", "moons", "moons", "moons"), "hand")
        phone.record(hand)
        for zone in (3, 2, 1):
            phone.fish(zone)
        for call in (phone.correct, lambda of, *events: entries.preview_correction(match, of, events)):
            with pytest.raises(entries.EntryRejected, match=r"Entry [234] would no longer be possible\.") as refused:
                call(1, replace_fish(hand, "knots"))
            assert refused.value.of in {2, 3, 4}
        assert entries.read(match).entries[0].events == (hand,)

    def test_an_entry_with_its_draw_may_be_corrected_around_it(self, match, phone):
        phone.begin()
        phone.draw(Eat(4, ANA), by_app(4))
        (_, fill) = entries.read(match).entries[-1].events
        phone.correct(5, Eat(4, BO), fill)
        assert answer_of_stopped(phone)["verified"] == 14

    def test_a_match_without_a_bag_has_no_fish_of_the_app(self, match, phone):
        with database.writing() as connection:
            connection.execute(text("DELETE FROM bags"))
        for call in (phone.draw, phone.record):
            with pytest.raises(entries.EntryRejected, match="no sealed bag for this match"):
                call(Fill(1, ("moons",), "app"))
        phone.record(Fill(1, ("moons",), "hand"))


def record_with_seed(match):
    """Return the record of a match that is over, after somebody has asked for its seed."""
    fairness.show(match)
    return fairness.record(match)


def replace_fish(fill, suit):
    return msgspec.structs.replace(fill, fish=(suit,) * len(fill.fish))


def answer_of_stopped(phone):
    phone.record(Stop())
    return answer_verify(json.dumps(record_with_seed(phone.match)))


class TestLooking:
    """With the Excuse, a player sees the fish drawn and then says which go back."""

    @pytest.fixture
    def match(self, table):
        return open_match(table, {"deck": "courts"})

    SWAP = ExcuseSwap(BO, 3, (), (), "app")

    @staticmethod
    def show(draft, event):
        return {"drawn": list(event.drawn)}

    def test_all_phones_see_what_was_drawn_and_it_is_what_is_entered(self, match, phone):
        phone.begin()
        drawn = fairness.look(match, self.SWAP, self.show, expected_seq=4).drawn
        assert entries.draft(match, 4) == {"drawn": list(drawn)}
        receipt = phone.draw(msgspec.structs.replace(self.SWAP, returned=drawn))
        assert receipt.after.entries[-1].events[0].drawn == drawn
        assert answer_of_stopped(phone)["verified"] == 13

    def test_it_is_refused_where_there_is_nothing_to_draw(self, match, phone):
        def look(event=self.SWAP, seen=None):
            return fairness.look(match, event, self.show, expected_seq=entries.read(match).seq if seen is None else seen)

        with pytest.raises(entries.EntryRejected, match="Draw fish for a zone first"):
            look(by_app(1))
        phone.fish(1)
        with pytest.raises(entries.EntryRejected, match="Fill zones 2, 3 and 4 first"):
            look()
        with pytest.raises(entries.Conflict):
            look(seen=0)
        phone.record(Stop())
        with pytest.raises(entries.EntryRejected, match="The match is over"):
            look()
        assert db.session.scalars(select(Draft)).all() == []


class TestSecret:
    """The seed is with the server and nowhere else, until the match is over."""

    def test_it_is_in_no_record_page_draft_line_or_log_before_the_end(self, app, client, table, match, phone, caplog):
        caplog.set_level(logging.DEBUG)
        seed, seen = seed_of(match), []
        fairness.add_word(match, "pearl")
        phone.begin()
        phone.record(Eat(3, ANA))
        phone.undo()
        for link in (table.play, table.watch):
            for path in ("/table", "/m/1/record.json", "/matches"):
                answer = client.get(f"/t/{link}{path}")
                assert answer.status_code == 200, path
                seen += [answer.get_data(), str(answer.headers).encode()]
        assert b"seal" in seen[2]
        assert b'"seed"' not in b"".join(seen)
        stream = server_sent_events.messages(notifications.hub(), table.id)
        seen += [next(stream)]
        stream.close()
        for kept in (Entry, Draft, Match, Table):
            rows = db.session.execute(select(*kept.__table__.columns)).all()
            seen.append(repr(rows).encode())
        seen += [
            repr(entries.read(match)).encode(),
            repr(draws.find(db.session.connection(), entries.read(match).start, match)).encode(),
        ]
        with pytest.raises(IntegrityError) as refused, database.writing() as connection:
            draws.keep(connection, match, seed)
        app.logger.error("refused", exc_info=refused.value)
        seen.append(caplog.text.encode())
        assert "IntegrityError" in caplog.text
        everything = b"\n".join(seen)
        for secret in (
            seed,
            seed.hex().encode(),
            repr(seed).encode()[2:-1],
            draws.fair_draw.key(seed, ["pearl"]).hex().encode(),
        ):
            assert secret not in everything
            assert secret.upper() not in everything

    def test_nobody_who_looks_at_a_match_that_is_over_ends_its_bag(self, client, table, match, phone):
        phone.fish(1)
        phone.record(Stop())
        for link in (table.watch, table.play):
            bearer = {"Authorization": f"Bearer {link}"}
            for path in ("", "/seal", "/record.json"):
                for ask in (client.head, client.get):
                    answer = ask(f"/t/{link}/m/1{path}")
                    assert answer.status_code == 200
                    assert seed_of(match).hex() not in answer.text
            assert client.get(f"/t/{link}/matches").status_code == 200
            assert "seed" not in client.get("/api/v1/matches/1/record", headers=bearer).json
        assert "seed" not in client.get(f"/t/{table.play}/table.json").json["matches"][0]
        db.session.rollback()
        assert db.session.scalar(select(Bag.shown)) is False
        phone.undo()
        assert len(phone.fish(2)) == 2

    def test_record_shows_it_once_somebody_who_plays_has_asked_for_it(self, client, table, match, phone):
        address = f"/t/{table.watch}/m/1/record.json"
        phone.record(Stop())
        assert "seed" not in client.get(address).json
        assert client.post(f"/t/{table.watch}/m/1/seal/seed").status_code == 403
        assert "seed" not in client.get(address).json
        assert client.post(f"/t/{table.play}/m/1/seal/seed").status_code == 303
        assert client.get(address).json["seed"] == seed_of(match).hex()

    def test_a_match_that_goes_on_shows_nothing(self, client, table, match, phone):
        phone.fish(1)
        assert client.post(f"/t/{table.play}/m/1/seal/seed").status_code == 303
        assert db.session.scalar(select(Bag.shown)) is False

    @pytest.mark.both_databases
    def test_a_stop_that_was_undone_before_anybody_saw_the_seed_does_no_harm(self, match, phone):
        phone.fish(1)
        phone.record(Stop())
        phone.undo()
        assert len(phone.fish(2)) == 2

    def test_once_the_seed_is_shown_the_app_draws_no_more(self, match, phone):
        phone.begin()
        phone.record(Stop())
        assert "seed" in record_with_seed(match)
        phone.undo()
        assert "seed" not in fairness.record(match)
        phone.record(Eat(2, ANA))
        with pytest.raises(entries.EntryRejected, match=r"The bag’s seed has been shown.*draw by hand"):
            phone.draw(by_app(2))
        with pytest.raises(entries.EntryRejected, match="The bag’s seed has been shown"):
            fairness.look(match, by_app(2), lambda draft, event: {}, expected_seq=entries.read(match).seq)
        with pytest.raises(entries.EntryRejected, match="The sealed bag didn’t draw these fish"):
            phone.record(Fill(2, ("moons", "suns"), "app"))
        phone.record(Fill(2, ("moons", "suns"), "hand"))
        phone.record(Stop())
        assert answer_verify(json.dumps(fairness.record(match)))["verified"] == 10  # it was shown

    def test_a_match_of_a_game_without_draws_has_no_seed(self, table):
        entries.open_match(table.id, "beloz", ["Ana", "Bo", "Cy", "Di"])
        match = db.session.scalar(select(Match.id))
        Phone(match).record(Stop())
        assert list(fairness.record(match)) == ["format", "game", "players", "options", "events"]


@pytest.mark.sqlite
class TestProof:
    @pytest.fixture
    def record(self, match, phone):
        """Return a whole match: 10 fish at the start, and 32 as zone four is eaten and filled eight times."""
        fairness.add_word(match, "pearl")
        fairness.add_word(match, "Zoë")
        play_to_the_end(phone)
        return record_with_seed(match)

    def test_every_fish_is_derived_again(self, record):
        assert record["options"]["seal"] == hashlib.sha256(bytes.fromhex(record["seed"])).hexdigest()
        assert answer_verify(json.dumps(record)) == {"verified": 42, "seal": record["options"]["seal"]}

    def test_on_the_command_line_too(self, record, tmp_path):
        file = tmp_path / "match.json"
        file.write_text(json.dumps(record))
        ran = subprocess.run([sys.executable, "-m", "companion", "verify", str(file)], capture_output=True, text=True)
        assert (ran.returncode, json.loads(ran.stdout)) == (0, {"verified": 42, "seal": record["options"]["seal"]})

    def test_by_the_program_in_the_readme(self, record, tmp_path):
        program = re.findall(r"```python\n(.*?)```", FAIR_DRAWS.read_text("utf-8"), re.DOTALL)[0]
        (tmp_path / "check.py").write_text(program, "utf-8")
        assert runpy.run_path(str(tmp_path / "check.py"))["check"](record) == 42

    @pytest.mark.parametrize(
        ("change", "event"),
        [
            (lambda r: r.update(seed="00" * 32), None),
            (lambda r: r["options"].update(seal="00" * 32), None),
            (lambda r: r["options"].update(words=[]), any),
            (lambda r: r["options"].update(words=["Zoë", "pearl"]), any),
            (lambda r: r["options"].update(words=["pearl", "Zoe"]), any),
            (lambda r: r.update(events=[*r["events"][:2], other_fish(r["events"][2])]), 2),
            (lambda r: r["events"][0].update(drawn_by="hand"), any),
            (lambda r: r["events"].insert(0, r["events"].pop(3)), any),
        ],
        ids=["seed", "seal", "no words", "order of words", "another word", "a fish", "by hand", "order of draws"],
    )
    def test_whatever_is_changed_is_found(self, record, change, event):
        change(record)
        with pytest.raises(RecordError) as found:
            answer_verify(json.dumps(record))
        if event is not any:
            assert found.value.event == event
        else:
            assert found.value.event is not None


def other_fish(fill):
    first, *others = fill["fish"]
    return {**fill, "fish": [next(suit for suit in SUITS if suit != first), *others]}


class Cast(Event, frozen=True, tag="cast"):
    """Something is drawn, in an event whose parts are not called as those of Beluga Cup."""

    eyes: int
    companion: bool = True


class DieOptions(Options, frozen=True):
    promise: str | None = None


def test_another_game_draws_by_saying_what_its_events_and_options_mean(table, monkeypatch):
    drawing = Draws(
        redraw=lambda _state, key, event: Cast(key[0] % 6 + 1) if event.companion else None,
        drawn=lambda event: Drawn((f"{event.eyes} eyes",), None, event.companion) if isinstance(event, Cast) else None,
        settled=lambda options: Settled(options.promise),
        settle=lambda _options, seal: DieOptions(seal),
    )
    die = replace(TALLY, slug="die", options=DieOptions, events=(Cast,), start=lambda *_: TallyState(99, (0, 0)), draws=drawing)
    monkeypatch.setitem(GAMES, "die", replace(die, apply=lambda state, _event: state))
    number = entries.open_match(table.id, "die", ["Ana", "Bo"])
    match = db.session.scalar(select(Match.id).where(Match.table_id == table.id, Match.number == number))
    seed = seed_of(match)
    assert fairness.proof(match).seal == hashlib.sha256(seed).hexdigest()
    entries.record(match, [Cast(0)], idempotency_key="cast", expected_seq=0, by_app=True)
    eyes = fair_draw.key(seed)[0] % 6 + 1
    assert entries.read(match).entries[0].events == (Cast(eyes),)
    with pytest.raises(entries.EntryRejected, match="didn’t draw these fish"):
        entries.record(match, [Cast(eyes)], idempotency_key="told", expected_seq=1)
    (draw,) = fairness.proof(match).draws
    assert (draw.fish, draw.zone, draw.right) == ((f"{eyes} eyes",), None, None)
