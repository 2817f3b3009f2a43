"""What happens when two phones enter the same, or something else in the same place? They agree, or people look at both."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape

import pytest

from companion.engine.beluga_cup import Fill
from companion.matches import entries
from companion.storage.models import MatchId
from companion.tables import table_file
from tests.web.forms_on_a_page import PageReader
from tests.web.people import BelozPhone, CupPhone, PhoneAtMatch, claim, says
from tests.web.test_undo import said

TAKEN = '{"bidder":0,"flooded":"south"}'
PEOPLE = ["Ana", "Bo", "Cy", "Di"]


@pytest.fixture
def at_match():
    return BelozPhone


@pytest.fixture
def late(phone, other_phone):
    """Return Bo's phone, which has opened the count of round 1 and typed; then Ana's saved 98 for Ana & Cy."""
    claim(phone, "Ana")
    claim(other_phone, "Bo")
    phone.take()
    other_phone.open("/count")
    assert phone.count(98).status_code == 303
    return other_phone


def button(page, label):
    """Return what the form with this button sends."""
    assert re.search(rf"<button[^>]*>[^<]*<span>{label}", page.text), label
    forms = [form for form in PageReader(page.text).forms if form.action.endswith("/instead")]
    form = next(one for one in forms if ("both" in one.choices) == label.startswith("Both"))
    return form.action, dict(form.values)


def told(page):
    """Return the facts in which the two entries differ, theirs first, then mine."""
    return re.findall(r"<dt[^>]*>([^<]*)</dt><dd><b>([^<]*)</b>", unescape(page.text))


def test_the_same_count_is_done(late, log):
    answer = late.send("/count", round=TAKEN, team="0", points="98", last="0")
    assert answer.status_code == 303
    assert said(late.open()).startswith("Ana had it already")
    assert log().seq == 1


def test_another_count_is_shown_beside_the_first_with_what_each_means(late, scores):
    page = late.send("/count", round=TAKEN, team="0", points="61", last="0")
    assert page.status_code == 409
    for sentence in ("Round 1 was entered twice", "Ana entered", "98", "You entered", "61", "Contract won", "Contract broken"):
        assert says(page, sentence)
    assert re.findall(r"<dd><b>(\d+)</b></dd>", page.text) == ["108", "55", "0", "163"]
    assert says(page, "Keep Ana’s 98")
    assert says(page, "Use my 61")
    assert 'id="points"' not in page.text
    assert scores() == (108, 55)


def test_what_a_phone_without_a_name_saved_is_called_the_saved_one(phone, other_phone):
    claim(other_phone, "Bo")
    phone.take()
    other_phone.open("/count")
    phone.count(98)
    page = other_phone.send("/count", round=TAKEN, team="0", points="61", last="0")
    assert says(page, "Another phone entered")
    assert says(page, "Keep the saved 98")


def test_mine_takes_the_place_of_theirs(late, scores):
    page = late.send("/count", round=TAKEN, team="0", points="61", last="0")
    action, fields = button(page, "Use my 61")
    assert late.client.post(action, data=fields).status_code == 303
    assert scores() == (0, 163)
    assert said(late.open()).startswith("Round 1 corrected. Ana & Cy 0, Bo & Di 163")


def test_both_may_be_right(late, scores):
    page = late.send("/count", round=TAKEN, team="0", points="90", last="0")
    action, fields = button(page, "Both are right: mine is round 2")
    assert late.client.post(action, data={**fields, "both": "1"}).status_code == 303
    assert scores() == (208, 118)


def test_where_the_numbers_agree_the_words_tell_the_difference(late):
    page = late.send("/count", round=TAKEN, team="0", points="98", last="1")
    assert page.status_code == 409
    assert told(page) == [("Last expedition", "Ana & Cy"), ("Last expedition", "Bo & Di")]
    assert says(page, "Use mine")


def test_besides_another_number_only_what_differs_is_told(late):
    page = late.send("/count", round=TAKEN, team="0", points="61", last="1")
    assert says(page, "Use my 61")
    assert told(page) == [("Last expedition", "Ana & Cy"), ("Last expedition", "Bo & Di")]


def test_while_typing_the_verdict_never_adds_twice_and_the_page_says_what_happened(late):
    page = late.send("/count", round=TAKEN, team="0", points="98", last="0", ask="preview")
    assert says(page, "Ana saved round 1 meanwhile.")
    assert re.search(r"<b>108</b>", page.text)
    assert not re.search(r"<b>216</b>", page.text)
    assert 'name="expected_seq" value="0"' in page.text


def test_what_saving_does_is_said_with_what_others_corrected_meanwhile(phone, other_phone, scores):
    claim(phone, "Ana")
    phone.play_round(98)
    phone.take()
    typed = {"round": TAKEN, "team": "0", "points": "98", "last": "0"}
    page = other_phone.open("/count")
    assert 'name="seen" value="1"' in page.text
    phone.open()
    assert phone.send("/entries/1", round=TAKEN, team="0", points="61", last="0").status_code == 303
    page = other_phone.send("/count", **typed, ask="preview")
    assert re.search(r"<b>108</b>.*<b>218</b>", page.text, re.DOTALL)  # 0 and 163 by now, and the round's 108 and 55
    assert says(page, "Ana corrected round 1 meanwhile.")
    # a tap that crosses the news saves nothing: those are not the totals that it was about
    page = other_phone.send("/count", **typed, seen="1")
    assert page.status_code == 422
    assert says(page, "Ana corrected round 1 meanwhile. Look at the totals, then save.")
    assert 'name="seen" value="2"' in page.text
    assert scores() == (0, 163)
    assert other_phone.send("/count", **typed, seen="2").status_code == 303
    assert scores() == (108, 218)


def test_a_correction_of_another_round_is_in_nobodys_way(phone, other_phone, scores):
    phone.play_round(98)
    phone.take()
    other_phone.open("/count")
    phone.send("/entries/1", round=TAKEN, team="0", points="100", last="0")
    assert other_phone.send("/count", round=TAKEN, team="0", points="98", last="0").status_code == 303
    assert scores() == (218, 108)


def test_a_round_counted_before_the_one_before_it_was_undone_is_not_stored_as_that(phone, other_phone, scores):
    claim(other_phone, "Bo")
    phone.play_round(98)
    phone.take(1, "east")
    phone.open("/count")
    other_phone.open()
    other_phone.send("/undo", of=1)
    east = '{"bidder":1,"flooded":"east"}'
    assert phone.send("/count", round=east, team="0", points="98", last="0").status_code == 303
    assert said(phone.open()).startswith("Not saved: Bo undid round 1 meanwhile")
    assert scores() == (0, 0)


def test_two_corrections_that_say_the_same_are_one(late, log):
    late.seen = 1
    other = PhoneAtMatch(late.client.application, "play-link-0")
    other.open()
    other.send("/entries/1", round=TAKEN, team="0", points="101", last="0")
    assert late.send("/entries/1", round=TAKEN, team="0", points="101", last="0").status_code == 303
    assert log().seq == 2
    late.seen = 1
    assert says(late.send("/entries/1", round=TAKEN, team="0", points="90", last="0"), "Use my 90")


def test_what_makes_no_sense_is_refused(late):
    for events in ("", "[]", "{}", "[1]", '[{"type":"round"}]', "\x00"):
        assert late.send("/entries/1/instead", events=events).status_code == 422


class TestCup:
    @pytest.fixture
    def match(self, open_match):
        return open_match("beluga-cup", ["Ana", "Bo"])

    @pytest.fixture
    def at_match(self):
        return CupPhone

    def test_two_taps_on_draw_are_one_draw(self, phone, other_phone, log):
        claim(phone, "Ana")
        for each in (phone, other_phone):
            each.open()
        assert phone.send("/fish", by="app").status_code == 303
        assert other_phone.send("/fish", by="app").status_code == 303
        assert said(other_phone.open()).startswith("Ana had it already")
        assert log().seq == 1

    def test_a_draw_after_a_draw_by_hand_is_told_on_the_match(self, phone, other_phone, log):
        claim(phone, "Ana")
        other_phone.open()
        phone.fill()
        answer = other_phone.send("/fish", by="app")
        assert answer.location.endswith("/m/1")
        assert said(other_phone.open()).startswith("Not saved: Ana entered the fish meanwhile")
        assert all(isinstance(event, Fill) for event in log().entries[-1].events)

    def test_the_same_card_is_played_once(self, phone, other_phone, log):
        phone.fill()
        for each in (phone, other_phone):
            each.open()
        for each in (phone, other_phone):
            assert each.send("/play", zone="1", side="1", card="9-moons-suns").status_code == 303
        assert log().seq == 2


class TestDuel:
    @pytest.fixture
    def match(self, open_match):
        return open_match("what-the-fish", ["Ana", "Bo", "Cy"])

    @pytest.fixture
    def at_match(self):
        return PhoneAtMatch

    def test_the_same_card_of_two_phones_is_one_and_of_one_phone_two(self, phone, other_phone, app, match):
        claim(phone, "Ana")
        claim(other_phone, "Bo")
        phone.open()
        phone.send("/play", tap="fish:0", value="8")
        for each in (phone, other_phone):
            each.open()
        for each in (phone, phone, other_phone):
            assert each.send("/play", tap="kill:1", value="4").status_code == 303
        with app.app_context():
            assert len(entries.read(match).entries) == 3

    @pytest.fixture
    def queues(self, phone, other_phone, monkeypatch):
        """Return Bo's phone, which entered the same three cards as Ana's while the server was away; Ana's came long before."""
        monkeypatch.setattr("companion.matches.arriving.SAME_MOMENT", timedelta(days=-1))
        claim(phone, "Ana")
        claim(other_phone, "Bo")
        for number in range(3):
            assert self.card(phone, "ana", number).status_code == 303
        return other_phone

    def card(self, phone, name, number):
        after = " ".join(f"{name}-{earlier}" for earlier in range(number))
        tap, value = (("fish:0", "8"), ("kill:1", "4"), ("kill:1", "3"))[number]
        key = f"{name}-{number}"
        return phone.send("/play", tap=tap, value=value, idempotency_key=key, expected_seq=0, after=after)

    def test_a_queue_that_says_the_same_is_asked_for_once_and_then_the_same(self, queues, log):
        page = self.card(queues, "bo", 0)
        assert page.status_code == 409
        form = next(one for one in PageReader(page.text).forms if one.action.endswith("/kept"))
        assert queues.client.post(form.action, data=dict(form.values)).status_code == 303
        for number in (1, 2):
            assert self.card(queues, "bo", number).status_code == 303
            assert said(queues.open()).startswith("Ana had it already")
        assert len(log().entries) == 3

    def test_it_may_be_another_card_all_the_same(self, queues, log):
        page = self.card(queues, "bo", 1)
        assert page.status_code == 424  # nobody knows yet whose fish it attacks
        page = queues.send("/play", tap="kill:1", value="4", idempotency_key="bo", expected_seq=1)
        action, fields = button(page, "Both are right")
        assert queues.client.post(action, data={**fields, "both": "1"}).status_code == 303
        assert [line.key for line in log().written][-1] == "bo"

    @pytest.mark.parametrize("who", ["Ana", "Bo"])
    def test_a_card_that_was_lost_and_entered_by_hand_is_asked_about_when_it_is_sent_again(self, phone, other_phone, log, who):
        """A backup without Ana's card was put back; Ana or Bo entered it once more, then Ana's phone sends what is missing."""
        claim(phone, "Ana")
        claim(other_phone, "Bo")
        by_hand = phone if who == "Ana" else other_phone
        for tap, value in (("fish:0", "8"), ("kill:1", "4")):
            by_hand.open()
            by_hand.send("/play", tap=tap, value=value)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("companion.matches.arriving.SAME_MOMENT", timedelta(days=-1))
            page = phone.send("/play", tap="kill:1", value="4", idempotency_key="lost", expected_seq=1, again="1")
        assert page.status_code == 409
        assert says(page, "The table has this already")
        assert says(page, "Both say the same. Keep one, unless it happened twice.")
        assert not says(page, "Use mine")
        keep = next(one for one in PageReader(page.text).forms if one.action.endswith("/kept"))
        assert phone.client.post(keep.action, data=dict(keep.values)).status_code == 303
        assert len(log().entries) == 2
        action, fields = button(page, "Both are right")
        assert phone.client.post(action, data={**fields, "idempotency_key": "twice", "both": "1"}).status_code == 303
        assert len(log().entries) == 3


def test_a_round_that_was_lost_and_entered_by_hand_counts_once_when_it_is_sent_again(phone, log):
    claim(phone, "Ana")
    phone.play_round(98)
    lost = {"round": TAKEN, "team": "0", "last": "0", "idempotency_key": "lost", "expected_seq": 0}
    answer = phone.send("/count", **lost, points="98", again="1")
    assert answer.status_code == 303, says(answer, "was entered twice")
    assert said(phone.open()).startswith("You already sent round 1")
    assert log().seq == 1
    page = phone.send("/count", **{**lost, "idempotency_key": "other"}, points="89", again="1")
    assert page.status_code == 409
    assert says(page, "Saved before")


def test_a_passed_deal_whose_reply_was_lost_counts_once(phone, log):
    for _ in range(2):
        assert phone.send("/who", tap="passed-deal", idempotency_key="again", expected_seq=0).status_code == 303
    assert log().seq == 1


class TestTwoQueues:
    """Ana and Bo entered the same tricks while the server was away; Bo saw the second otherwise."""

    @pytest.fixture
    def match(self, open_match):
        return open_match("bisque", ["Ana", "Bo", "Cy"])

    @pytest.fixture
    def at_match(self):
        return PhoneAtMatch

    CARDS = "crown-waves", "8-waves-leaves", "9-moons-suns", "7-suns-knots"

    def trick(self, phone, place, by="0"):
        """Send what waits on a phone since before the first trick."""
        name = "ana" if phone.seen else "bo"
        after = " ".join(f"{name}-{earlier}" for earlier in range(place))
        card = self.CARDS[place]
        return phone.send("/hand", by=by, card=card, idempotency_key=f"{name}-{place}", expected_seq=0, after=after)

    @pytest.fixture
    def queues(self, phone, other_phone):
        """Return Ana's phone, whose three tricks are stored, and Bo's, whose first is there and whose second is asked."""
        claim(phone, "Ana")
        claim(other_phone, "Bo")
        phone.seen = 1
        for place in range(3):
            assert self.trick(phone, place).status_code == 303
        assert self.trick(other_phone, 0).status_code == 303
        return phone, other_phone, self.trick(other_phone, 1, by="2")

    def pots(self, log):
        return [(entry.events[0].card, entry.events[0].by) for entry in log().entries]

    def test_the_second_is_shown_beside_the_second(self, queues):
        _, _, page = queues
        assert page.status_code == 409
        assert re.search(r"<h1[^>]*>\s*Trick 2.* was entered twice", page.text)

    def test_theirs_is_kept_and_what_follows_counts_once(self, queues, log):
        _, bo, page = queues
        form = next(one for one in PageReader(page.text).forms if one.action.endswith("/kept"))
        fields = dict(form.values)
        assert fields["idempotency_key"] == "bo-1"
        assert bo.client.post(form.action, data=fields).status_code == 303
        assert re.match(r"Trick 2.* stays as it was saved", said(bo.open()))
        for place in (2, 3):
            assert self.trick(bo, place).status_code == 303
        assert self.pots(log) == [(card, 0) for card in self.CARDS]

    def test_mine_takes_its_place_and_no_other(self, queues, log):
        _, bo, page = queues
        action, fields = button(page, "Use mine")
        assert bo.client.post(action, data=fields).status_code == 303
        for place in (2, 3):
            assert self.trick(bo, place).status_code == 303
        assert self.pots(log) == list(zip(self.CARDS, (0, 2, 0, 0), strict=True))

    def test_what_follows_finds_its_place_before_anybody_has_answered(self, queues, log):
        _, bo, _ = queues
        assert self.trick(bo, 2).status_code == 303
        assert said(bo.open()).startswith("Ana had it already")
        assert len(log().entries) == 3

    def test_after_a_round_that_nobody_has_answered_for_the_next_has_to_wait(self, phone, other_phone, log):
        phone.seen = 1
        assert self.trick(phone, 0).status_code == 303
        assert self.trick(other_phone, 0, by="2").status_code == 409
        page = self.trick(other_phone, 1)
        assert page.status_code == 424
        assert says(page, "The entry before this one was not saved")

    def test_what_was_the_same_is_known_at_another_companion_and_after_a_restart(self, queues, app, log, table):
        with app.app_context():
            aliases = entries.aliases(log().match_id)
            assert aliases == {"bo-0": 1}
            brought = table_file.import_table(table_file.export_table(table.id))
            assert entries.aliases(MatchId(brought.id, 1)) == aliases
            link = brought.play_token
        there = PhoneAtMatch(app, link)
        assert self.trick(there, 1, by="0").status_code == 303
        assert said(there.open()).startswith("Ana had it already")
