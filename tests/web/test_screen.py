"""What does the big screen show? The match that is played, its end, and between two matches the evening."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from companion.engine import GAMES
from companion.engine.core import Standing
from companion.engine.records import decode_event
from companion.matches import entries
from companion.storage import database
from companion.storage.models import Entry, Match, Player, Table, db, now
from companion.web import screen
from companion.web.screen import course, sides_of
from tests.web.people import BelozPhone, Phone, says, words
from tests.web.test_news import TAKEN
from tests.whole_matches import recorded


@pytest.fixture
def at_match():
    return BelozPhone


@pytest.fixture
def television(app, table):
    """Return a television at the table, by the link to watch."""
    shown = Phone(app)
    shown.link = f"/t/{table.watch}"
    return shown


def part(page, cls):
    """Return what stands in the first place of a class."""
    return " ".join(words(re.search(rf'class="{cls}"[^>]*>(.*?)</p>', page.text, re.DOTALL)[1]).split())


def test_both_teams_the_round_who_deals_and_the_newest_entry_are_there(phone, television):
    assert 'data-say=""' in television.open("/screen").text  # a match that begins is no entry to be said
    phone.play_round(98)  # and 10 for the last trick; Bo & Di have what is left of 153
    page = television.open("/screen")
    assert page.status_code == 200
    assert re.findall(r'class="score"[^>]*>(\d+)<', page.text) == ["108", "55"]
    assert part(page, "where") == "BeloZ, round 2"
    assert says(page, "Bo deals")
    assert part(page, "next") == "Cy opens"
    assert part(page, "last") == "Round 1, 98 for Ana & Cy"
    assert 'data-say="1-1"' in page.text
    assert says(page, "892 to go")
    assert says(page, "945 to go")


def test_a_voice_is_told_what_it_has_not_said_yet_as_it_stands_now(phone, television):
    def unsaid(since):
        page = television.open("/screen", since=since)
        found = re.findall(r'data-unsaid="([^"]*)">([^<]*)<', page.text)
        return [(number, words(told)) for number, told in found], part(page, "last")

    for points in (98, 61, 40):
        phone.play_round(points)
    round_1, round_2, round_3 = "Round 1, 98 for Ana & Cy", "Round 2, 61 for Ana & Cy", "Round 3, 40 for Ana & Cy"
    assert unsaid("1-1") == ([("1-2", round_2)], round_3)
    assert unsaid("1-0") == ([("1-1", round_1), ("1-2", round_2)], round_3)
    for nothing in ("1-2", "1-3", "2-1", "1-", "x", ""):
        assert unsaid(nothing) == ([], round_3)
    phone.send("/undo", of=3)
    phone.open()
    phone.send("/entries/2", round=TAKEN, team="0", points="62", last="0")
    assert unsaid("1-1") == ([("1-2", "Round 2, 62 for Ana & Cy")], "Another phone corrected an entry")
    assert unsaid("1-3") == ([("1-4", "Another phone undid an entry")], "Another phone corrected an entry")


def test_the_screen_has_the_watch_link_alone_and_nothing_to_enter(phone, television, table):
    page = television.open("/screen")
    assert table.play not in page.text
    assert "<form" not in page.text
    assert "csrf" not in page.text
    assert phone.get(f"/t/{table.play}/screen").location == f"/t/{table.watch}/screen"


def test_it_works_without_scripts_and_says_since_when_and_how_often(television, phone):
    page = television.open("/screen").text
    assert '<noscript><meta http-equiv="refresh" content="10"></noscript>' in page
    assert re.search(r'<script src="[^"]*/js/screen-plain.js">', page)
    assert re.search(r"as of \d\d:\d\d:\d\d, new every 10 seconds", page)


def test_a_link_that_was_replaced_is_told_in_the_letters_of_the_screen_and_tried_again(television, app):
    television.link = "/t/a-link-of-no-table"
    page = television.open("/screen")
    assert page.status_code == 404
    assert '<main id="screen"' in page.text
    assert '<noscript><meta http-equiv="refresh" content="10"></noscript>' in page.text
    assert says(page, "No table has this link. It may have been replaced: ask somebody at the table to show the code again.")
    television.link = "/t/a-link-of-no-table"
    assert '<main id="screen"' not in television.open("").text  # phones have the page of phones


def test_the_picture_wanders_by_24_px_at_most_one_step_a_minute(television, phone, monkeypatch):
    page = television.open("/screen").text
    style = television.get(re.search(r'href="([^"]*/screen/screen.css)"', page)[1]).text
    places = [[0, 0] for step in range(screen.STEPS)]
    for moved, side, far in re.findall(r"([^{}]*data-drift[^{}]*)\{(left|top): ?(-?\d+)px", style):
        for step in re.findall(r"\d", moved):
            places[int(step)][side == "top"] = int(far)
    assert len({tuple(place) for place in places}) == screen.STEPS
    for way in zip(*places, strict=True):
        assert max(way) - min(way) == 24
    for (left, top), (next_left, next_top) in zip(places, [*places[1:], places[0]], strict=True):
        assert max(abs(left - next_left), abs(top - next_top)) == 12
    started, steps = now().replace(second=0), []
    for seconds in (0, 59, 60, 120):
        monkeypatch.setattr(screen, "now", lambda at=started + timedelta(seconds=seconds): at)
        steps.append(int(re.search(r'data-drift="(\d)"', television.open("/screen").text)[1]))
    first = steps[0]
    assert steps == [first, first, (first + 1) % 9, (first + 2) % 9]


def test_the_play_link_shows_for_half_a_minute_after_somebody_invites(phone, television, table, monkeypatch):
    before = television.open("/screen")
    assert "Join us here" not in before.text
    assert phone.client.post(f"/t/{table.play}/invitation", data={"on": "match"}).status_code == 303
    page = television.open("/screen")
    assert says(page, "Join us here")
    assert re.search(r"(29|30) s left", words(page))
    assert re.search(r'<b class="spoken">(\w{3} \w{3})</b>', page.text)
    drawn = re.compile(r'<div class="code">(.*?)</div>', re.DOTALL)
    assert drawn.search(page.text)[1] != drawn.search(before.text)[1]
    shortly = now() + timedelta(seconds=25)
    monkeypatch.setattr(screen, "now", lambda: shortly)
    assert re.search(
        r'http-equiv="refresh" content="[345]"', television.open("/screen").text
    )  # without scripts it goes in time too
    later = now() + timedelta(seconds=31)
    monkeypatch.setattr(screen, "now", lambda: later)
    page = television.open("/screen")
    assert not says(page, "Join us here")
    assert drawn.search(page.text)[1] == drawn.search(before.text)[1]


def test_who_only_watches_can_not_invite(television, phone):
    assert television.client.post(f"{television.link}/invitation", data={"on": "match"}).status_code == 403


def test_a_television_comes_by_the_spoken_code(phone, table, app):
    assert phone.client.post(f"/t/{table.play}/invitation", data={"on": "big"}).location == f"/t/{table.play}/big"
    page = phone.get(f"/t/{table.play}/big")
    code = re.search(r"/tv/(\w{6})", page.text)[1]
    far = Phone(app)
    assert far.get(f"/tv/{code.lower()}").location == f"/t/{table.watch}/screen"
    wrong = far.get("/tv/XXXXXX")
    assert wrong.status_code == 404
    assert says(wrong, "That code doesn’t work.")
    assert part(wrong, "next") == "Look at the phone, and type the address again."  # in the letters of the screen
    assert "refresh" not in wrong.text  # each try is a guess
    assert "<script" not in wrong.text


class TestGuessing:
    @pytest.fixture
    def settings(self):
        return {"WTF_CSRF_ENABLED": False}

    def test_codes_of_televisions_are_limited_as_those_of_phones_are(self, app):
        far = Phone(app)
        answers = [far.get(f"/tv/AAAA{number:02d}").status_code for number in range(30)]
        assert 429 in answers
        assert far.send("/join", code="AAAA99").status_code == 429


def play(app, table, slug, people, share):
    """Enter so much of the recorded match of a game, at a table where these people sit."""
    record = recorded(slug.replace("-", "_"))
    record = record.get("record", record)
    happened = [{**each, **({"drawn_by": "hand"} if "drawn_by" in each else {})} for each in record["events"]]
    with app.app_context():
        number = entries.open_match(table.id, slug, people or record["players"], record["options"])
        match = db.session.query(Match.id).filter_by(table_id=table.id, number=number).scalar()
        seen = 0
        for place, event in enumerate(happened[: round(share * len(happened))]):
            entry = (decode_event(GAMES[slug], event),)
            seen = entries.record(match, entry, idempotency_key=f"{slug}-{number}-{place}", expected_seq=seen, player=0).seq
    return number


def test_a_round_of_rivals_tells_by_place_fill_and_word_who_took_each_pack(app, table, television):
    """Round 1: 4+3 against 6 for one whale, 10+2 against 5+4+3 for two, 6+1 against 10 for three."""
    play(app, table, "rivals", None, 0.25)
    page = television.open("/screen")
    laid = [
        re.findall(r"<span data-whale=\"(\d)\"( class=\"took\")?>.*?</svg>(\d+)<", each, re.DOTALL)
        for each in re.findall(r'<p class="laid">(.*?)</p>', page.text, re.DOTALL)
    ]
    took = [[(int(value), bool(marked)) for _, marked, value in pack] for pack in laid]
    assert took == [[(7, True), (6, False)], [(12, False), (12, False)], [(7, False), (10, True)]]
    became = [" ".join(words(each).split()) for each in re.findall(r'<p class="became">(.*?)</p>', page.text)]
    assert became == ["Ana takes 1 card", "A tie, 2 cards stay", "Bo takes 3 cards"]
    backs = re.findall(r'<p class="taken"[^>]*>(.*?)</p>', page.text)
    assert [each.count("<span>") for each in backs] == [1, 3]


def test_the_cup_names_who_is_ahead_if_it_ended_now(app, table, television):
    play(app, table, "beluga-cup", None, 0.55)  # 1 to 0
    eaters = re.findall(r'<div class="eater line">(.*?)</div>\s*<p', television.open("/screen").text, re.DOTALL)
    ahead = {words(each).split()[0]: "is ahead" in words(each) for each in eaters}
    assert ahead == {"Bo": False, "Ana": True}


def test_whoever_is_ahead_of_two_others_has_by_how_much(app, table, television):
    def by(*scores, lowest_wins=False):
        standing = Standing(scores, ("Ana", "Bo", "Cy"), False, ())
        with app.test_request_context():
            return [side.by for side in sides_of(standing, lowest_wins=lowest_wins)]

    assert (by(34, 29, 31), by(34, 29, 31, lowest_wins=True)) == ([3, 0, 0], [0, 2, 0])
    assert by(34, 29, None, lowest_wins=True) == [0, 5, 0]
    assert by(31, 31, 29) == by(7, 7, 7) == by(None, None, None) == [0, 0, 0]
    play(app, table, "bisque", None, 0.55)  # 19, 7 and 7 after the first hand; Ana has won the newest trick
    page = television.open("/screen")
    assert re.findall(r'class="tag[^"]*">(?:<svg.*?</svg>)?([^<]+)<', page.text) == ["12 ahead", "leads", "deals"]


@pytest.mark.parametrize("slug", ["beloz", "beluga-cup", "bisque", "rivals", "what-the-fish"])
def test_every_game_has_its_picture_from_the_first_entry_to_the_last(app, table, television, slug):
    for share in (0, 0.2, 0.55, 1):
        play(app, table, slug, None, share)
        for language in ("en", "fr", "de"):
            television.client.set_cookie("language", language)
            page = television.open("/screen")
            assert page.status_code == 200
            assert f'<html lang="{language}"' in page.text
            assert part(page, "where").startswith(GAMES[slug].title)
            assert part(page, "next")


def test_what_is_long_in_a_language_has_smaller_letters_there(app, table, television):
    play(app, table, "what-the-fish", None, 1 / 24)
    assert 'class="banner" data-fill="kill">' in television.open("/screen").text  # Beat Ana's fish
    television.client.set_cookie("language", "de")
    assert 'data-fill="kill" data-long="">' in television.open("/screen").text  # Schlagt den Fisch von Ana
    play(app, table, "bisque", ("Maximilian", "Anne-Sophie", "Ada"), 0)
    assert 'data-long="">' in television.open("/screen").text  # Maximilian teilt jedem zwölf Karten aus ...
    television.client.set_cookie("language", "fr")
    page = television.open("/screen")
    assert 'data-long="more">' in page.text
    assert re.findall(r"<span data-long>(.*?)</span>", page.text) == ["Maximilian", "Anne-Sophie"]


def test_a_badge_leaves_less_room_for_letters(phone, television):
    phone.take(plain="east")
    assert "data-long" not in television.open("/screen").text  # Ana took it, East is flooded
    television.client.set_cookie("language", "de")
    assert 'data-long=""' in television.open("/screen").text  # Ana hat genommen, geflutet: Ost


def test_a_finished_match_stays_two_minutes_then_the_evening_takes_its_place(app, table, television, monkeypatch):
    play(app, table, "rivals", None, 1)
    page = television.open("/screen")
    assert says(page, "Bo wins")
    assert part(page, "where") == "Rivals"  # no round follows
    assert says(page, "One more?")
    later = now() + timedelta(minutes=3)
    monkeypatch.setattr(screen, "now", lambda: later)
    page = television.open("/screen")
    assert part(page, "heading") == "Kitchen table"
    assert says(page, "Rivals, with fewer cards")
    monkeypatch.setattr(screen, "MOST_LETTERS_OF_A_TIE", 20)  # of a sheet with a long name
    assert says(television.open("/screen"), "Bo won after a tie at 18")
    assert re.fullmatch(r"1 match tonight, ended at \d\d:\d\d", part(page, "where"))
    assert re.search(r'<span class="fill">Bo</span>.*?<b>1</b>', page.text, re.DOTALL)


def test_each_match_of_the_evening_has_its_winner_and_beside_it_the_result(app, table, television, monkeypatch):
    for game in ("rivals", "bisque", "what-the-fish", "beloz"):
        play(app, table, game, None, 1)
    later = now() + timedelta(hours=1)
    monkeypatch.setattr(screen, "now", lambda: later)
    page = television.open("/screen").text
    rows = re.findall(r'class="piece played line">.*?</div>', page, re.DOTALL)
    assert [" ".join(words(row.partition(">")[2].replace("<", " <")).split()) for row in rows] == [
        "Ana & Cy BeloZ, against Bo & Di 1099 : 708",
        "Bo What the Fish! Free!",  # no room for whom he beat
        "Ana and Cy Bisque, against Bo 31 : 31 : 25",
        "Bo Rivals, with fewer cards 18 : 18",
    ]
    people = re.findall(r'<li class="line( best)?"><svg class="pawn" data-side="(\d)".*?"fill">(\w+)<', page)
    assert sorted(people) == [("", "0", "Ana"), ("", "1", "Bo"), ("", "2", "Cy")]  # two matches each: nobody is larger
    play(app, table, "rivals", None, 1)
    assert re.findall(r'class="line best">.*?"fill">(\w+)<', television.open("/screen").text, re.DOTALL) == ["Bo"]
    assert [re.findall(r'class="beside"><b>(.*?)</b>', row) for row in rows] == [["1099"], ["Free!"], ["31 : 31"], ["18"]]


@pytest.mark.usefixtures("in_auckland")
def test_an_evening_ends_after_six_hours_without_an_entry_and_not_at_midnight(app, table, television, monkeypatch):
    past_midnight = (now() + timedelta(days=1)).replace(hour=0, minute=10)
    for hours in (8, 1.5, 0):
        number = play(app, table, "rivals", None, 1)
        with app.app_context():
            entered = db.update(Entry).where(Entry.table_id == table.id, Entry.match_number == number)
            db.session.execute(entered.values(at=past_midnight - timedelta(hours=hours)))
            db.session.commit()
    app.extensions.pop("companion-logs", None)  # no log is at hand that was entered just now
    monkeypatch.setattr(screen, "now", lambda: past_midnight + timedelta(hours=2))
    assert says(television.open("/screen"), "2 matches tonight, the last one ended at 13:10")
    monkeypatch.setattr(screen, "now", lambda: past_midnight + timedelta(hours=7))
    assert says(television.open("/screen"), "Nothing has been played tonight.")


def test_before_the_first_match_it_says_how_to_start(television):
    page = television.open("/screen")
    assert says(page, "Start a match on any phone.")
    assert says(page, "Watch along")


def test_the_course_is_drawn_from_the_lowest_score_to_the_highest():
    lines = course([{"side": 0, "points": [0, 60, 100]}, {"side": 1, "points": [0, 40, -100]}])
    assert lines == [(0, "0.0,20.0 50.0,8.0 100.0,0.0"), (1, "0.0,20.0 50.0,12.0 100.0,40.0")]
    assert course([{"side": 0, "points": [0]}]) == course([]) == []


def test_the_computer_that_runs_companion_shows_the_newest_table(app, television, table):
    assert television.get("/screen").status_code == 404
    app.config["SCREEN_KEY"] = "only-here"
    assert television.get("/screen", key="wrong").status_code == 404
    assert television.get("/screen", key="only-here").location == f"/t/{table.watch}/screen"


def test_before_there_is_a_table_that_computer_shows_where_phones_start(app):
    app.config["SCREEN_KEY"] = "only-here"
    app.config["PUBLIC_URL"] = "http://192.168.1.5:8000"
    page = Phone(app).get("/screen", key="only-here")
    assert says(page, "http://192.168.1.5:8000")
    assert says(page, "Start a table on your phone.")


def test_every_table_says_where_to_show_it_big(phone, television):
    assert "/big" in phone.open("").text
    assert "/big" in television.open("/table").text
    page = television.open("/big")
    assert says(page, "Show it big here")
    assert "/invitation" not in page.text


@pytest.mark.parametrize("people", [2, 12])
def test_names_are_shown_as_people_typed_them(app, television, people):
    with app.app_context(), database.writing():
        table = Table(name="<b>Big</b>", play_token=f"play-{people}", watch_token=f"watch-{people}")
        table.players = [Player(name=f"<i>{seat}</i>", seat=seat) for seat in range(people)]
        db.session.add(table)
    page = television.get(f"/t/watch-{people}/screen")
    assert "<b>Big</b>" not in page.text
    assert "&lt;b&gt;Big" in page.text


class TestSheet:
    """By a sheet of each shape: the name of the game, every total, what comes next, and who is ahead."""

    @pytest.mark.parametrize(
        ("preset", "event", "scores", "ahead", "after"),
        [
            (
                "hearts",
                {"type": "row", "cells": [{"points": 3}, {"points": 0}, {"points": 10}, {"points": 13}]},
                "3 0 10 13",
                "Bo",
                "Bo deals",
            ),
            ("yahtzee", {"type": "box", "player": 2, "box": "full-house", "value": 25}, "0 0 25 0", "Cy", "Ana rolls"),
            (
                "doppelkopf",
                {"type": "row", "cells": [{"won": True}, {}, {}, {}], "round": {"points": 2}},
                "6 −2 −2 −2",
                "Ana",
                "Bo deals",
            ),
        ],
    )
    def test_it_shows_the_game_and_who_is_ahead(self, app, table, television, preset, event, scores, ahead, after):
        with app.app_context():
            number = entries.open_match(table.id, "sheet", ["Ana", "Bo", "Cy", "Di"], {"preset": preset})
            match = db.session.query(Match.id).filter_by(table_id=table.id, number=number).scalar()
            entry = (decode_event(GAMES["sheet"], event),)
            entries.record(match, entry, idempotency_key="first", expected_seq=0, player=0)
        page = television.open("/screen")
        assert part(page, "where").startswith({"hearts": "Hearts", "yahtzee": "Yahtzee", "doppelkopf": "Doppelkopf"}[preset])
        assert part(page, "next") == after
        assert re.findall(r'class="score"[^>]*>([^<]+)<', page.text) == scores.split()
        leading = re.search(r'<li class="piece column fill side ahead">.*?</svg><span>(.*?)</span>', page.text, re.DOTALL)
        assert leading[1] == ahead
        assert page.text.count("is ahead") == 1

    @pytest.mark.parametrize(
        ("preset", "after"), [("plain", "Round 1"), ("wingspan", "Counted at the end"), ("qwixx", "20 boxes to fill")]
    )
    def test_where_nobody_deals_it_shows_what_is_entered_next(self, app, table, television, preset, after):
        with app.app_context():
            entries.open_match(table.id, "sheet", ["Ana", "Bo", "Cy", "Di"], {"preset": preset})
        assert part(television.open("/screen"), "next") == after
