"""Is what one phone enters in a match seen on the other, undone, corrected or refused, each with its sentence?"""

from __future__ import annotations

import base64
import json
import re
from html import unescape

import pytest

from companion.engine.beloz.scoring import Count, Round
from companion.engine.records import read_record
from companion.matches import entries
from companion.storage.models import Match, db
from companion.web.delivery import toasts
from tests.web.forms_on_a_page import PageReader
from tests.web.people import BelozPhone, Phone, says, total, words

NAMES = ["Ana", "Bo", "Cy", "Di"]
TAKEN = '{"bidder":0,"flooded":"south"}'


@pytest.fixture
def at_table(app, table):
    """Return a phone at the table itself."""
    phone = Phone(app)
    phone.link = f"/t/{table.play}"
    return phone


@pytest.fixture
def at_match():
    return BelozPhone


def totals_in(page):
    """Return both totals in the verdict of a correction: what they become and, where that differs, what they were."""
    return [
        (new, was or None)
        for new, was in re.findall(r"<dd><b>(\d+)</b>\s*(?:<small[^>]*><span[^>]*>was </span><s>(\d+)</s></small>)?", page.text)
    ]


def test_a_round_from_the_first_tap_to_the_other_phone(phone, other_phone, scores):
    assert says(phone.open(), "Who took the contract?")
    assert phone.send("/who", tap="bidder:0").location.endswith("/who")
    assert phone.send("/who", flooded="south").location.endswith("/m/1")
    assert says(other_phone.open(), "Ana took it")
    for tap in ({"card": "north-water-snake", "speaker": "0"}, {"tap": "beloz", "speaker": "3"}):
        assert phone.send("/declarations", **tap).status_code == 303
    saved = phone.count(78)
    assert saved.status_code == 303
    page = other_phone.open()
    assert (total(page, 0), total(page, 1)) == ("108", "95")
    assert says(page, "Run of three, Ana")
    assert says(page, "BeloZ & Re-BeloZ, Di")
    assert says(phone.open(), "Round 1 saved. Ana & Cy 108, Bo & Di 95")
    assert scores() == (108, 95)


def test_the_broken_example(phone):
    phone.take()
    phone.send("/declarations", tap="beloz", speaker="3")
    preview = phone.count(78, ask="preview")
    assert preview.status_code == 200
    assert says(preview, "Contract broken: 88 to 95")
    phone.count(78)
    page = phone.open()
    assert (total(page, 0), total(page, 1)) == ("0", "183")


def test_asking_what_would_happen_stores_nothing(phone, scores):
    phone.take()
    assert says(phone.count(98, ask="preview"), "Contract won: 108 to 55")
    assert scores() == (0, 0)


def test_the_same_entry_sent_twice_counts_once(phone, log, scores):
    phone.take()
    first = phone.count(98, idempotency_key="once")
    again = phone.count(98, idempotency_key="once", round=TAKEN)
    assert first.status_code == 303
    assert scores() == (108, 55)
    assert again.status_code in {303, 409}
    assert log().seq == 1


def test_a_reply_that_was_lost_and_asked_for_again_gives_the_same_answer(phone, scores):
    phone.take()
    body = {"idempotency_key": "lost", "expected_seq": 0, "round": TAKEN, "team": "0", "points": "98", "last": "0"}
    replies = [phone.client.post(f"{phone.link}/count", data=body) for _ in range(3)]
    assert [reply.status_code for reply in replies] == [303, 303, 303]
    assert scores() == (108, 55)
    assert says(phone.open(), "Round 1 saved. Ana & Cy 108, Bo & Di 55")


def test_an_entry_that_waits_since_before_the_fields_were_renamed_counts_once(phone, scores):
    phone.take()
    body = {"key": "waiting", "seen": 0, "round": TAKEN, "team": "0", "points": "98", "last": "0"}
    replies = [phone.client.post(f"{phone.link}/count", data=body) for _ in range(2)]
    assert [reply.status_code for reply in replies] == [303, 303]
    assert scores() == (108, 55)


def test_one_that_was_undone_meanwhile_is_said_to_be(phone, other_phone, scores):
    phone.take()
    body = {"idempotency_key": "lost", "expected_seq": 0, "round": TAKEN, "team": "0", "points": "98", "last": "0"}
    phone.client.post(f"{phone.link}/count", data=body)
    other_phone.open()
    other_phone.send("/undo", of=1)
    phone.client.post(f"{phone.link}/count", data=body)
    page = phone.client.get(phone.link)
    assert says(page, "Round 1 saved, and undone since")
    assert says(page, "Redo")


def test_another_entry_under_the_same_key_is_not_said_to_be_saved(phone, scores):
    phone.take()
    body = {"idempotency_key": "same", "expected_seq": 0, "round": TAKEN, "team": "0", "points": "98", "last": "0"}
    phone.client.post(f"{phone.link}/count", data=body)
    other = phone.client.post(f"{phone.link}/count", data={**body, "points": "101"})
    assert other.status_code == 409
    assert says(other, "Which one is right?")
    assert scores() == (108, 55)


def test_a_correction_shows_what_the_totals_become_and_what_they_were(phone):
    phone.play_round(98)
    phone.play_round(98)
    phone.open()
    phone.send("/who", tap="passed-deal")
    phone.seen += 1
    opened = phone.open("/entries/1")
    assert says(opened, "Nothing changes yet")
    assert totals_in(opened) == [("216", None), ("110", None)]
    asked = phone.send("/entries/1", round=TAKEN, team="0", points="101", last="0", ask="preview")
    assert says(asked, "Contract won: 111 to 52")
    assert totals_in(asked) == [("219", "216"), ("107", "110")]
    broken = phone.send("/entries/1", round=TAKEN, team="0", points="41", last="1", ask="preview")
    assert says(broken, "Broken instead of won")
    assert totals_in(broken) == [("108", "216"), ("218", "110")]


def test_undo_takes_the_newest_back_and_can_be_undone(phone, scores):
    phone.play_round(98)
    assert phone.send("/undo").status_code == 303
    assert scores() == (0, 0)
    page = phone.open()
    assert says(page, "Round 1 undone (Ana & Cy 0, Bo & Di 0)")
    undone = re.search(r'name="of" value="(\d+)"', page.text.partition('id="toasts"')[2])[1]
    phone.send("/undo", of=undone)
    assert scores() == (108, 55)


def test_undo_with_nothing_to_undo_says_so(phone):
    phone.open()
    refused = phone.send("/undo")
    assert refused.status_code == 422
    assert says(refused, "nothing to undo")


def test_an_old_round_is_corrected_and_the_new_totals_are_shown_before(phone, scores):
    phone.play_round(98, bidder=0)  # 108 : 55
    phone.play_round(98, bidder=2)  # 216 : 110
    page = phone.open("/entries/1")
    assert 'value="98"' in page.text
    asked = phone.send("/entries/1", round=TAKEN, team="0", points="100", last="0", ask="preview")
    assert asked.status_code == 200
    assert totals_in(asked) == [("218", "216"), ("108", "110")]
    assert phone.send("/entries/1", round=TAKEN, team="0", points="100", last="0").status_code == 303
    assert scores() == (218, 108)


@pytest.mark.parametrize("asking", ["preview", ""])
def test_a_round_that_is_undone_at_the_moment_of_its_correction_is_told(phone, other_phone, scores, monkeypatch, asking):
    phone.play_round(98)
    phone.open()
    ask = "preview_correction" if asking else "correct"
    correct = getattr(entries, ask)

    def a_moment_later(*given, **also):
        monkeypatch.undo()
        other_phone.open()
        assert other_phone.send("/undo", of=1).status_code == 303
        return correct(*given, **also)

    monkeypatch.setattr(entries, ask, a_moment_later)
    told = phone.send("/entries/1", round=TAKEN, team="0", points="90", last="0", ask=asking)
    assert told.status_code == 404
    assert says(told, "There is no entry 1." if asking == "preview" else "it was undone")
    assert scores() == (0, 0)


@pytest.mark.parametrize("agreed", [{"target": 250}])
def test_a_correction_that_would_end_the_match_too_early_names_the_round_that_could_not_have_been(phone):
    phone.play_round(98)
    phone.play_round(98)
    phone.play_round(98)
    phone.open("/entries/1")
    refused = phone.send("/entries/1", round=TAKEN, team="0", points="0", last="all")
    assert refused.status_code == 422
    assert says(refused, "The match ends with it then. Undo round 2 and what came after it first.")


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"points": "152"}, "152"),
        ({"points": "58", "expeditions": "1"}, "58"),
        ({"points": "lots"}, "lots"),
        ({"points": ""}, "team’s points"),
    ],
)
def test_what_can_not_be_is_refused_and_stays_typed(phone, fields, sentence, scores):
    phone.take()
    refused = phone.send("/count", round=TAKEN, team="0", last="0", **fields)
    assert refused.status_code == 422
    assert says(refused, sentence)
    assert f'value="{fields["points"]}"' in refused.text
    assert "data-error" in refused.text
    assert scores() == (0, 0)


@pytest.mark.parametrize(
    ("taps", "sentence"),
    [
        ([("card", "west-monkey", "0")], "two more cards"),
        ([("card", "west-lion", "0"), ("card", "west-leopard", "1")], "Ana"),
        ([("card", "west-meerkat", "0")], "two more cards"),
        ([("quads", "lion", "0"), ("quads", "leopard", "0"), ("card", "west-elephant", "0")], "eight"),
        ([("quads", "monkey", "0")], "monkey"),
    ],
)
def test_what_nobody_can_hold_is_refused_at_the_declarations(phone, taps, sentence):
    phone.take()
    for name, value, speaker in taps[:-1]:
        assert phone.send("/declarations", **{name: value, "speaker": speaker}).status_code == 303
    name, value, speaker = taps[-1]
    refused = phone.send("/declarations", **{name: value, "speaker": speaker})
    assert refused.status_code == 422
    assert says(refused, sentence)


def test_take_back_at_the_declarations_takes_back_the_newest_of_them(phone):
    phone.take()
    phone.send("/declarations", card="west-lion", speaker="3")
    phone.send("/declarations", card="west-crocodile", speaker="3")
    phone.send("/declarations", tap="beloz", speaker="2")

    def take_back():
        form = PageReader(phone.open("/declarations").text).form(f"{phone.link}/undo")
        assert phone.client.post(form.action, data=form.unchanged()).location.endswith("/declarations")
        return phone.open("/declarations")

    assert says(phone.open("/declarations"), "Cy: BeloZ & Re-BeloZ")
    page = take_back()
    assert not says(page, "Cy: BeloZ & Re-BeloZ")
    assert says(page, "Bo & Di count 100")
    assert says(take_back(), "Bo & Di count 20")  # the run is as long as it was before
    assert says(take_back(), "No declarations")


def test_a_correction_opens_with_its_number_chosen_and_its_parts_lead_back_to_it(phone):
    phone.take()
    phone.count(98)
    opened = phone.open("/entries/1")
    assert re.search(r'<input[^>]* id="points"[^>]* value="98" data-chosen', opened.text)
    typed = {"round": TAKEN, "team": "0", "points": "41", "last": "1"}
    for part in ("who", "declarations"):
        away = phone.send("/entries/1", **typed, tap=f"part:{part}")
        back = re.search(r'<header.*?<button[^>]* name="tap" value="part:count" form="round"[^>]* aria-label="Back"', away.text)
        assert back, f"{part} has no way back to the numbers"
        form = PageReader(away.text).form(f"{phone.link}/entries/1")
        page = phone.client.post(form.action, data={**form.unchanged(), "tap": "part:count"}).text
        assert re.search(r'<input[^>]* id="points"[^>]* value="41" type', page)
        assert re.search(r'name="last" value="1" checked', page)


def test_passed_deal_moves_the_dealer_and_adds_nothing(phone, scores):
    assert says(phone.open(), "Ana deals, Bo opens")
    phone.send("/who", tap="passed-deal")
    page = phone.open()
    assert says(page, "Bo deals, Cy opens")
    assert says(page, "Nobody took Ana’s deal")
    assert scores() == (0, 0)


def test_a_draft_is_gone_when_its_round_is_saved(phone):
    page = phone.play_round(98)
    assert says(page, "Who took the contract?")


@pytest.mark.parametrize("agreed", [{"target": 200}])
def test_the_end_the_winner_and_the_rematch_with_the_next_dealer(phone, app):
    phone.play_round(98)
    page = phone.play_round(98)
    assert says(page, "Ana & Cy win")
    assert says(page, "Rematch, Cy deals")
    assert phone.open("/count").status_code == 303
    late = phone.send("/count", round=TAKEN, team="0", points="98", last="0")
    assert late.status_code == 422
    again = phone.send("/rematch")
    assert again.location.endswith("/m/2")
    twice = phone.send("/rematch")
    assert twice.location.endswith("/m/2")
    with app.app_context():
        assert db.session.query(Match).filter_by(number=2).one().players == ["Cy", "Di", "Ana", "Bo"]
        assert db.session.query(Match).filter_by(number=2).one().options["target"] == 200


@pytest.mark.parametrize("agreed", [{"target": 100}])
def test_two_phones_that_tap_rematch_at_once_begin_one(phone, other_phone, app, monkeypatch):
    phone.play_round(98)

    def a_moment_later(*given, **also):
        monkeypatch.undo()
        assert other_phone.send("/rematch").location.endswith("/m/2")
        return entries.open_match(*given, **also)

    monkeypatch.setattr(entries, "open_match", a_moment_later)
    assert phone.send("/rematch").location.endswith("/m/2")
    with app.app_context():
        assert db.session.query(Match).count() == 2


@pytest.mark.parametrize("agreed", [{"target": 100}])
def test_a_rematch_needs_everybody_still_at_the_table(phone, other_phone, at_table):
    phone.play_round(98)
    at_table.do("remove", "Cy")
    page = phone.send("/rematch")
    assert page.status_code == 422
    assert says(page, "Cy is not at this table any more. Go back to the table and choose there who plays the next match.")
    assert says(page, "Ana & Cy win")
    at_table.send("/people/new", name="Cy", do="add")
    assert other_phone.send("/rematch").location.endswith("/m/2")


@pytest.mark.parametrize("agreed", [{"target": 100}])
def test_a_rematch_is_played_under_new_names(phone, at_table):
    phone.play_round(98)
    at_table.do("rename", "Cy", name="Cyrus")
    assert says(phone.open(), "Ana & Cyrus win")
    assert phone.send("/rematch").location.endswith("/m/2")
    assert at_table.get(f"{at_table.link}/m/2/record.json").json["players"] == ["Bo", "Cyrus", "Di", "Ana"]


@pytest.mark.parametrize("agreed", [{"target": 100}])
def test_a_rematch_that_was_begun_is_found_whoever_left_meanwhile(phone, other_phone, at_table):
    phone.play_round(98)
    assert phone.send("/rematch").location.endswith("/m/2")
    at_table.do("remove", "Cy")
    assert other_phone.send("/rematch").location.endswith("/m/2")


@pytest.mark.parametrize("agreed", [{"target": 100}])
def test_a_rematch_from_an_older_match_is_the_one_being_played_else_a_new_one(phone, at_table):
    phone.play_round(98)
    phone.send("/rematch")
    at_table.send("/m/2/stop", expected_seq="0", idempotency_key="stop-2")
    phone.open()
    assert phone.send("/rematch").location.endswith("/m/3")  # never the stopped one
    phone.open()
    assert phone.send("/rematch").location.endswith("/m/3")


def test_a_rematch_is_not_before_the_end(phone):
    phone.open()
    refused = phone.send("/rematch")
    assert refused.status_code == 422
    assert says(refused, "still being played")


def test_a_match_can_be_stopped_and_taken_up_again(phone):
    phone.play_round(98)
    phone.send("/stop")
    assert says(phone.open(), "The match was stopped")
    phone.send("/undo", sure=1)
    page = phone.open()
    assert says(page, "Who took the contract?")
    assert (total(page, 0), total(page, 1)) == ("108", "55")


def test_the_record_replays_to_the_same_scores(phone):
    phone.play_round(98)
    phone.play_round(40, bidder=1)
    body = phone.client.get(f"{phone.link}/record.json").data
    record = json.loads(body)
    assert record["players"] == NAMES
    assert len(record["events"]) == 2
    assert read_record(body) is not None


def test_who_watches_sees_everything_and_can_enter_nothing(table, phone, watcher):
    phone.play_round(98)
    page = watcher.open()
    assert (total(page, 0), total(page, 1)) == ("108", "55")
    assert table.play not in page.text
    assert set(re.findall(r'method="post" action="([^"]*)"', page.text)) == {"/language", "/theme"}
    for path in ("/count", "/who", "/declarations", "/undo", "/stop", "/rematch", "/entries/1"):
        assert watcher.send(path, tap="bidder:0").status_code == 403
    assert watcher.open("/count").status_code == 403


def test_an_unknown_table_match_page_or_entry_is_a_sentence(phone):
    for path in ("/t/nobody/m/1", "/t/play-link-0/m/7", "/t/play-link-0/m/1/nonsense", "/t/play-link-0/m/1/entries/9"):
        response = phone.client.get(path)
        assert response.status_code == 404
        assert "<h1" in response.text


def test_a_page_that_has_not_changed_is_not_sent_again(phone):
    first = phone.open()
    tag = first.headers["ETag"]
    assert phone.client.get(phone.link, headers={"If-None-Match": tag}).status_code == 304
    phone.take()
    assert phone.client.get(phone.link, headers={"If-None-Match": tag}).status_code == 200


def test_a_restart_loses_nothing(phone, start_app, table):
    phone.play_round(98)
    after = BelozPhone(start_app(), table.play).open()
    assert (total(after, 0), total(after, 1)) == ("108", "55")


def test_names_that_look_like_code_are_only_names(app, table, open_match):
    open_match("beloz", ["<script>alert(1)</script>", '"><img src=x onerror=a>', "{{ 7*7 }}", "' OR 1=1 --"])
    phone = BelozPhone(app, table.play)
    phone.play_round(98)
    for page in ("", "/who", "/declarations", "/count", "/entries/1"):
        text = phone.open(page).text
        assert "<script>alert" not in text
        assert "<img" not in text
        assert "49" not in re.findall(r"<b>([^<]*)</b>", text)


# What is asked for on each page, and of every form
ASKED = {
    "/who": ("tap", "bidder", "flooded"),
    "/declarations": ("speaker", "tap", "card", "quads"),
    "/count": ("round", "team", "points", "last", "pile", "expeditions", "counting"),
    "/undo": ("of", "step", "again", "head", "page", "newest", "sure"),
}
NONSENSE = ["", "-1", "x" * 5000, "\x00", "9" * 400, "[]", "é\u202e", "1e9", "²"]


@pytest.mark.parametrize("path", ASKED)
def test_no_form_breaks_the_page(phone, path):
    phone.open()
    for field in (*ASKED[path], "expected_seq", "idempotency_key"):
        for value in NONSENSE:
            assert phone.send(path, **{field: value}).status_code < 500, (field, value)


def test_the_headers_of_a_match(phone):
    headers = phone.open().headers
    assert "default-src 'self'" in headers["Content-Security-Policy"]
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cache-Control"] == "private, no-cache"


def test_the_calculator_needs_no_table(app):
    client = app.test_client()
    assert client.get("/calculate/beloz").status_code == 200
    won = client.post("/calculate/beloz", data={"round": TAKEN, "team": "0", "points": "98", "last": "0", "ask": "preview"})
    assert says(won, "Contract won: 108 to 55")
    wrong = client.post("/calculate/beloz", data={"round": TAKEN, "team": "0", "points": "152", "last": "0"})
    assert says(wrong, "152")
    assert client.get("/calculate/chess").status_code == 404


@pytest.mark.parametrize(
    ("code", "said", "flooded"),
    [
        ("en", "Right’s run of four beats your run of three.", "You, South"),
        ("fr", "Le cinquante de Droite bat votre tierce.", "Vous, Sud"),
        ("de", "Die Viererfolge von Rechts ist höher als deine Dreierfolge.", "Du, Süd"),
    ],
)
def test_the_calculator_speaks_to_you(app, code, said, flooded):
    """Where nobody sits at a table, "You" is a word, in the phone's language, and what "you" announced is yours."""
    mine = '{"kind":"straight_flush","player":0,"plain":"east","lowest":4,"highest":6}'
    right = '{"kind":"straight_flush","player":1,"plain":"west","lowest":4,"highest":7}'
    client = app.test_client()
    client.set_cookie("language", code)
    fields = {"round": f'{TAKEN[:-1]},"declarations":[{mine},{right}]}}', "team": "0", "points": "98", "last": "0"}
    assert says(client.post("/calculate/beloz", data={**fields, "tap": "part:declarations"}), said)
    assert says(client.post("/calculate/beloz", data={**fields, "tap": "part:count"}), flooded)


def test_a_form_without_its_token_is_refused_with_a_sentence(start_app, table, settings):
    settings["WTF_CSRF_ENABLED"] = True
    app = start_app()
    with app.app_context():
        entries.open_match(table.id, "beloz", NAMES, {})
    refused = app.test_client().post(f"/t/{table.play}/m/1/undo")
    assert refused.status_code == 400
    assert says(refused, "Reload the page")


class TestToast:
    """What was done is said on the next page, once, on the phone that did it."""

    def cookie(self, client):
        found = client.get_cookie("toast", path="/t/play-link-0/m/1")
        return found and found.value

    def test_it_is_said_once(self, phone):
        phone.take()
        phone.count(98)
        assert says(phone.open(), "Round 1 saved. Ana & Cy 108, Bo & Di 55")
        assert not says(phone.open(), "Round 1 saved")
        assert self.cookie(phone.client) is None

    def test_it_waits_for_the_match_that_it_is_about(self, app, table, phone):
        phone.take()
        phone.count(98)
        assert not says(phone.client.get(f"/t/{table.play}"), "Round 1 saved")
        assert says(phone.open(), "Round 1 saved")

    def test_it_waits_while_only_parts_of_the_page_are_fetched(self, phone):
        """The stream may tell a phone of its own entry before the reply came: what it fetches then shows no toast."""
        phone.take()
        phone.count(98)
        parts = phone.client.get(phone.link, headers={"Companion-Fetch": "parts"})
        assert says(parts, "108")
        assert not says(parts, "Round 1 saved")
        assert says(phone.open(), "Round 1 saved")

    def test_a_question_that_comes_after_its_own_entry_says_nothing(self, phone):
        """What was asked while typing can overtake the reply; it brings the same key as the entry that was saved."""
        phone.take()
        phone.count(98, idempotency_key="once")
        typed = {
            "idempotency_key": "once",
            "expected_seq": 0,
            "round": TAKEN,
            "team": "0",
            "points": "98",
            "last": "0",
            "ask": "preview",
        }
        late = phone.client.post(f"{phone.link}/count", data=typed, headers={"Companion-Fetch": "parts"})
        assert "Location" not in late.headers
        assert not says(late, "saved already")
        assert says(phone.open(), "Round 1 saved. Ana & Cy 108, Bo & Di 55")

    def test_it_is_not_said_again_by_a_page_that_the_browser_kept(self, phone):
        phone.take()
        phone.count(98)
        page = phone.open()
        assert says(page, "Round 1 saved")
        assert "ETag" not in page.headers

    def test_it_is_not_said_on_another_phone(self, phone, other_phone):
        phone.take()
        phone.count(98)
        assert not says(other_phone.open(), "Round 1 saved")

    def test_entering_signs_no_new_session(self, phone):
        phone.take()
        saved = phone.count(98)
        assert [line.partition("=")[0] for line in saved.headers.getlist("Set-Cookie")] == ["toast"]
        kept = saved.headers["Set-Cookie"]
        assert "HttpOnly" in kept
        assert "SameSite=Lax" in kept
        assert "Path=/t/play-link-0/m/1" in kept

    @pytest.mark.parametrize("value", ["", "x", "é", "bm8=", "e30=", "eyJzYWlkIjoxfQ==", "A" * 3000, "%00"])
    def test_one_that_makes_no_sense_says_nothing_and_is_dropped(self, phone, value):
        phone.client.set_cookie("toast", value, path="/t/play-link-0/m/1")
        page = phone.open()
        assert page.status_code == 200
        assert not says(page, "Undo")

    def test_what_it_says_is_text_and_no_page(self, phone):
        path = "/t/play-link-0/m/1"
        told = json.dumps({"message": "<script>alert(1)</script>", "label": "<b>", "fields": {"of": 1}}).encode()
        with phone.client.application.app_context():
            signed = toasts._signature(path, told) + told
        phone.client.set_cookie("toast", base64.urlsafe_b64encode(signed).decode(), path=path)
        page = phone.open()
        assert "<script>alert" not in page.text
        assert "&lt;script&gt;alert(1)" in page.text

    @pytest.mark.parametrize("signed_for", [None, "/t/play-link-0/m/2", "/t/watch-link-0/m/1"])
    def test_one_that_somebody_else_set_says_nothing(self, phone, signed_for):
        told = json.dumps({"message": "You won a prize", "label": "Take it", "fields": {"of": 1}}).encode()
        with phone.client.application.app_context():
            signature = toasts._signature(signed_for, told) if signed_for else bytes(toasts.SIGNATURE)
        for value in (told, signature + told):
            phone.client.set_cookie("toast", base64.urlsafe_b64encode(value).decode(), path="/t/play-link-0/m/1")
            page = phone.open()
            assert not says(page, "You won a prize")
            assert not says(page, "Take it")


class TestLongMatch:
    """A match's page shows its newest rounds, however many there are; every other is a few taps away."""

    @pytest.fixture
    def match(self, app, open_match):
        ana_took_it = Round(bidder=0, flooded="south", count=Count(team=0, points=98), last_expedition=0, declarations=())
        match = open_match("beloz", NAMES, target=1_000_000_000)
        with app.app_context():
            for seq in range(63):
                entries.record(match, [ana_took_it], idempotency_key=f"k{seq}", expected_seq=seq)
        return match

    def rounds(self, page):
        return [int(number) for number in re.findall(r'id="entry-(\d+)"', page.text)]

    def test_the_newest_are_on_its_page(self, phone):
        page = phone.open()
        assert self.rounds(page) == [*range(63, 53, -1)]
        assert says(page, "All 63 entries")
        assert len(page.data) < 78_000

    def test_the_totals_are_still_explained(self, phone):
        page = phone.open()
        sums = unescape(page.text.partition('id="sums"')[2].partition("</table>")[0])
        assert "Rounds 1 to 53" in sums
        assert re.findall(r"<td[^>]*>([\d,]+)</td>", sums)[:4] == ["5,724", "2,915", "108", "55"]

    def test_the_chart_goes_on_where_its_first_round_is(self, phone):
        chart = phone.open().text.partition('id="chart"')[2].partition("</svg>")[0]
        assert [int(number) for number in re.findall(r'class="axis-x"[^>]*>(\d+)<', chart)] == [*range(41, 64, 2)]

    def test_the_history_has_all_of_them(self, phone, table):
        newest = phone.client.get(f"/t/{table.watch}/m/1/see/history")
        assert self.rounds(newest) == [*range(63, 13, -1)]
        assert "Correct</a>" not in newest.text
        older = phone.client.get(unescape(re.search(r'href="([^"]+)"[^>]*>(?:<[^>]+>)*Older entries', newest.text)[1]))
        assert self.rounds(older) == [*range(13, 0, -1)]
        assert says(older, "1 to 13 of 63")
        newer = phone.client.get(unescape(re.search(r'href="([^"]+)"[^>]*>(?:<[^>]+>)*Newer entries', older.text)[1]))
        assert self.rounds(newer) == self.rounds(newest)

    @pytest.mark.parametrize("to", ["", "0", "-1", "64", "1e3", "²", "9" * 40, "x"])
    def test_a_page_that_is_none_is_never_an_error(self, phone, to):
        assert phone.open("/see/history", to=to).status_code == 200

    def test_an_old_round_is_corrected_from_there(self, phone):
        page = phone.open("/see/history", to=13)
        opened = phone.client.get(unescape(re.search(r'href="([^"]+/entries/7)"', page.text)[1]))
        assert opened.status_code == 200
        assert re.search(r'name="points"\s+value="98"', opened.text)


def test_a_declaration_that_did_not_count_is_told_in_the_rounds_details(phone):
    phone.take()
    phone.send("/declarations", card="north-water-snake", speaker="0")
    phone.send("/declarations", card="west-lion", speaker="1")
    assert phone.count(98).status_code == 303
    details = re.search(r'id="entry-1".*?</details>', phone.open().text, re.DOTALL)[0]
    lines = [" ".join(words(line).split()) for line in re.findall(r"<tr>.*?</tr>", details, re.DOTALL)]
    assert any(line.startswith("Run of three, Bo Rule") and line.endswith("–20") for line in lines), lines
    assert any(line.startswith("Run of three, Ana: did not count") and line.endswith("––") for line in lines), lines


def test_who_announced_only_beloz_is_told_with_its_points(phone):
    phone.take()
    phone.send("/declarations", tap="beloz", speaker="3")
    speakers = re.findall(r'value="speaker:\d".*?</button>', phone.open("/declarations").text, re.DOTALL)
    assert ["20" in words(each) for each in speakers] == ["Di" in words(each) for each in speakers]
    assert says(phone.open("/declarations"), "Bo & Di count 20 Only BeloZ was announced.")


def test_a_run_entered_for_the_wrong_player_is_put_right_with_one_tap_and_one_undo(phone):
    phone.take(plain="north")
    phone.send("/declarations", card="south-elephant", speaker="0")
    draft = unescape(re.search(r'name="round" value="([^"]*)"', phone.open("/declarations").text)[1])
    refused = phone.send("/declarations", card="south-elephant", speaker="1", round=draft)
    assert refused.status_code == 422
    assert says(refused, "Ana has declared the South elephant, so Bo can’t hold it too.")
    assert says(refused, "Then “Ana: run of three” is taken back.")
    (tap,) = re.findall(r'name="tap" value="(mend:[^"]*)"', refused.text)
    assert phone.send("/declarations", tap=tap, speaker="1", round=draft).status_code == 303
    assert says(phone.open("/declarations"), "Bo & Di count 20 Only Bo & Di announced anything.")
    form = PageReader(phone.open("/declarations").text).form(f"{phone.link}/undo")
    phone.client.post(form.action, data=form.unchanged())
    assert says(phone.open("/declarations"), "Ana & Cy count 20 Only Ana & Cy announced anything.")
