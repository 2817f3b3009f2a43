"""How do matches come into an almanac and leave it, what is told it and taken back, and what does an evening's card say?"""

from __future__ import annotations

import csv
import io
import json
import re
from datetime import datetime
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
from sqlalchemy import update

from companion.storage.models import AlmanacNote, Entry, db
from companion.tables import almanac
from tests.web.people import says
from tests.web.test_almanac import ana, play, watcher

__all__ = ["ana", "play", "watcher"]  # fixtures

CSV = "2025-11-03,BeloZ,Ana & Cy; Bo & Di,1004; 998\n2025-10-01,Chess,Anna; Bo,1; 0\n"


def bring(phone, text, name="evenings.csv"):
    """Send a file; return the page that shows it."""
    data = {"file": (io.BytesIO(text.encode() if isinstance(text, str) else text), name)}
    return phone.client.post(f"{phone.link}/almanac/bring-in", data=data, content_type="multipart/form-data")


def content(page):
    return unescape(re.search(r'name="content" value="([^"]*)"', page.text)[1])


def take_back(phone, path):
    """Tap the first "Take back" of a page."""
    number = re.search(r"/notes/(\d+)/take-back", phone.open(path).text)[1]
    return phone.send(f"/almanac/notes/{number}/take-back")


@pytest.mark.both_databases
def test_earlier_matches_are_shown_then_kept_then_taken_back(play, ana):
    play("beloz")
    page = bring(ana, CSV)
    assert says(page, "2 matches in this file.")
    assert says(page, "Ana & Cy 1,004, Bo & Di 998") or says(page, "Ana & Cy 1004, Bo & Di 998")
    assert says(page, "Anna (new here)")
    assert says(ana.open("/almanac"), "1 match on one evening.")  # nothing is kept yet
    assert ana.send("/almanac/keep", content=content(page)).status_code == 303
    assert says(ana.open("/almanac"), "3 matches on 3 evenings.")
    assert says(ana.open("/almanac", since="2025"), "2 matches on 2 evenings.")
    assert ana.send("/almanac/keep", content=content(page)).status_code == 303  # the second tap of a double tap
    assert says(ana.open("/almanac"), "3 matches on 3 evenings.")
    assert take_back(ana, "/almanac/bring-in").status_code == 303
    assert says(ana.open("/almanac"), "1 match on one evening.")


def test_a_file_that_has_grown_brings_only_what_is_new(ana):
    assert ana.send("/almanac/keep", content=content(bring(ana, CSV))).status_code == 303
    page = bring(ana, f"{CSV}2025-12-01,Chess,Anna; Bo,0; 1\n")
    assert says(page, "1 match in this file.")
    assert says(page, "In the almanac already 2")
    again = bring(ana, CSV)
    assert again.status_code == 422
    assert says(again, "All matches of this file are in the almanac already.")


@pytest.mark.usefixtures("in_auckland")
def test_an_evening_has_the_day_that_it_had_where_the_server_stands(app, play, ana):
    play("beloz")
    with app.app_context():
        db.session.execute(update(Entry).values(at=datetime(2025, 12, 31, 12)))  # UTC, as it is stored
        db.session.commit()
    app.extensions.pop("companion-logs", None)  # no log is at hand that was entered just now
    ana.send("/almanac/keep", content=content(bring(ana, CSV)))
    days = [row["date"] for row in csv.DictReader(io.StringIO(ana.open("/almanac/matches.csv").get_data(as_text=True)))]
    assert sorted(days) == ["2025-10-01", "2025-11-03", "2026-01-01"]
    assert says(ana.open("/almanac", since="2026"), "1 match on one evening.")
    assert says(ana.open("/almanac", since="2025"), "2 matches on 2 evenings.")


def test_a_chart_of_many_years_says_the_years(ana):
    lines = "2015-01-02,Chess,Ana; Bo,1; 0\n2025-12-01,Chess,Ana; Bo,0; 1\n"
    ana.send("/almanac/keep", content=content(bring(ana, lines)))
    assert re.findall(r'class="axis-x"[^>]*>(.*?)</text>', ana.open("/almanac").text, re.DOTALL) == ["2015", "2025"]


def test_what_is_wrong_with_a_file_is_told_beside_it(ana):
    page = bring(ana, "2025-11-03,Chess,Ana; Bo,1; x\n")
    assert page.status_code == 422
    assert says(page, "Line 1: Points are whole numbers or halves, up to 1,000,000.")
    assert bring(ana, b"").status_code == 422


def test_a_file_that_is_too_large_is_refused_before_it_is_read(ana):
    page = bring(ana, b"x" * (9 * 2**20))
    assert page.status_code == 413
    assert says(page, "This file is larger than 8 MiB, the most that can be read.")


@pytest.mark.parametrize(
    "sent",
    [
        "",
        "[]",
        "nonsense",
        "[" * 50_000,
        json.dumps([["2025-11-03", "Chess", ["Ana", "Bo"], 0, [1, 0], [0]]]),
        json.dumps([["2025-11-03", "Chess", ["Ana", "Bo"], 2, [10**30, 0], [0]]]),
        json.dumps([["2025-11-03", "Chess", ["Ana", "\u202eBo"], 2, [1, 0], [0]]]),
        json.dumps([["2999-11-03", "Chess", ["Ana", "Bo"], 2, [1, 0], [0]]]),
        json.dumps([["2025-11-03", "Chess", ["Ana", "Bo"], 2, [1], [0]]]),
    ],
)
def test_what_comes_back_to_be_kept_is_looked_at_once_more(app, ana, sent):
    assert ana.send("/almanac/keep", content=sent).status_code == 422
    with app.app_context():
        assert db.session.query(AlmanacNote).count() == 0


def test_names_in_a_file_are_words_and_no_markup(ana):
    page = bring(ana, "2025-11-03,<b>Chess,<img src=x onerror=1>; Bo,1; 0\n")
    assert "<img src=x" not in page.text
    assert ana.send("/almanac/keep", content=content(page)).status_code == 303
    assert "<img src=x" not in ana.open("/almanac").text


def test_whoever_watches_tells_the_almanac_nothing(watcher):
    assert watcher.open("/almanac/settings").status_code == 403
    assert watcher.open("/almanac/bring-in").status_code == 403
    assert bring(watcher, CSV).status_code == 403
    for path, fields in (("settings", {"do": "ratings"}), ("keep", {"content": "[]"}), ("notes/1/take-back", {})):
        assert watcher.send(f"/almanac/{path}", **fields).status_code == 403


def test_two_names_of_one_person_count_as_one_until_that_is_taken_back(play, ana):
    play("beloz")
    ana.send("/almanac/keep", content=content(bring(ana, CSV)))
    assert ana.send("/almanac/settings", do="same", name="Anna", other="Ana").status_code == 303
    assert says(ana.open("/almanac/person", who="Ana"), "3 wins of 3")
    assert says(ana.open("/almanac/settings"), "Anna counts as Ana")
    assert ana.open("/almanac/person", who="Anna").location.endswith("/almanac/person?who=Ana")  # a page that was open goes on
    take_back(ana, "/almanac/settings")
    assert says(ana.open("/almanac/person", who="Ana"), "2 wins of 2")
    assert says(ana.open("/almanac/person", who="Anna"), "1 win of 1")


@pytest.mark.parametrize(
    ("name", "other", "sentence"),
    [
        ("Ana", "Ana", "Choose two names under which matches were played."),
        ("Ana", "Eve", "Choose two names under which matches were played."),
        ("Ana", "Bo", "Ana and Bo sit at one table, so they are two people."),
        ("Anna", "Bo", "Anna and Bo have played in one match, so they are two people."),
    ],
)
def test_two_who_met_are_two_people(ana, name, other, sentence):
    ana.send("/almanac/keep", content=content(bring(ana, CSV)))
    page = ana.send("/almanac/settings", do="same", name=name, other=other)
    assert page.status_code == 422
    assert says(page, sentence)
    assert re.findall(r"<option selected>(.*?)</option>", page.text) == [chosen for chosen in (name, other) if chosen != "Eve"]
    assert "<option selected>" not in ana.open("/almanac/settings").text  # nobody is two people by a tap too early


def test_two_who_meet_later_are_two_people_again(ana):
    ana.send("/almanac/keep", content=content(bring(ana, CSV)))
    ana.send("/almanac/settings", do="same", name="Anna", other="Ana")
    ana.send("/almanac/keep", content=content(bring(ana, "2025-12-01,Chess,Anna; Ana,1; 0\n")))
    assert says(ana.open("/almanac/person", who="Anna"), "2 wins of 2")


def test_a_name_that_led_to_another_leads_on(ana):
    text = "2025-10-01,Chess,Anna; Bo,1; 0\n2025-10-02,Chess,Annie; Bo,1; 0\n2025-10-03,Chess,Ana; Bo,1; 0\n"
    ana.send("/almanac/keep", content=content(bring(ana, text)))
    ana.send("/almanac/settings", do="same", name="Anna", other="Annie")
    ana.send("/almanac/settings", do="same", name="Annie", other="Ana")
    assert says(ana.open("/almanac/person", who="Ana"), "3 wins of 3")


def test_ratings_are_off_until_somebody_switches_them_on(play, ana, watcher):
    for _ in range(5):
        play("beloz")
    assert not says(watcher.open("/almanac", game="beloz"), "Ratings")
    ana.send("/almanac/settings", do="ratings")
    ana.send("/almanac/settings", do="ratings")
    page = watcher.open("/almanac", game="beloz")
    (cells,) = re.findall(r'<th scope="row">Ana and Cy</th><td>\s*(\d+) to (\d+)</td><td>\s*(\d+)</td>', page.text)
    assert cells[2] == "5"
    assert not says(watcher.open("/almanac"), "Ratings")  # of one game alone
    assert says(ana.open("/almanac/settings"), "Switch ratings off")
    take_back(ana, "/almanac/settings")
    assert not says(watcher.open("/almanac", game="beloz"), "Ratings")


def test_what_leaves_as_csv_can_come_in_elsewhere(app, play, watcher, ana):
    play("beloz")
    play("rivals")
    sent = watcher.open("/almanac/matches.csv")
    assert sent.mimetype == "text/csv"
    assert re.search(r'filename="kitchen-table-almanac-[\d-]+\.csv"', sent.headers["Content-Disposition"])
    lines = sent.text.splitlines()
    assert lines[0] == "date,game,players,points,winners"
    assert lines[1].endswith(",BeloZ,Ana & Cy; Bo & Di,1099; 708,Ana; Cy")
    assert lines[2].endswith(",Rivals,Ana; Bo,18; 18,Bo")
    assert says(bring(ana, sent.text), "2 matches in this file.")


def test_everything_leaves_as_json(play, watcher):
    play("beloz")
    sent = json.loads(watcher.open("/almanac/almanac.json").text)
    (match,) = sent["matches"]
    assert match["scores"] == [1099, 708]
    assert match["winners"] == ["Ana", "Cy"]
    assert match["rounds"][3]["gained"] == [253, 0]
    assert match["counts"]["contracts"] == {"Ana": 3, "Bo": 3, "Cy": 2, "Di": 1}
    assert sent["evenings"][0]["wins"] == {"Ana": 1, "Cy": 1}


def test_evenings_leave_for_a_calendar(play, watcher, ana):
    play("beloz")
    sent = watcher.open("/almanac/evenings.ics").get_data(as_text=True)
    assert sent.startswith("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n")
    assert "SUMMARY:Kitchen table: Ana 1\\, Cy 1\r\n" in sent.replace("\u00a0", " ")
    assert all(len(line.encode()) <= 75 for line in sent.split("\r\n"))
    assert sent.count("BEGIN:VEVENT") == 1
    ana.send("/almanac/keep", content=content(bring(ana, CSV)))
    assert "DTSTART;VALUE=DATE:20251103\r\nSUMMARY" in watcher.open("/almanac/evenings.ics").get_data(as_text=True)


def test_a_link_hands_a_match_to_bg_stats(play, watcher):
    play("beloz")
    href = unescape(re.search(r'href="(https://app\.bgstatsapp\.com[^"]*)"', watcher.open("/almanac/match/1").text)[1])
    handed = json.loads(parse_qs(urlsplit(href).query)["data"][0])
    assert handed["game"] == {"name": "BeloZ", "sourceGameId": "beloz", "highestWins": True, "noPoints": False}
    assert [(each["name"], each["winner"], each["startPlayer"], each["score"]) for each in handed["players"]] == [
        ("Ana", True, True, "1099"),
        ("Bo", False, False, "708"),
        ("Cy", True, False, "1099"),
        ("Di", False, False, "708"),
    ]
    assert "link" not in href


def test_an_evening_s_card_says_as_text_what_its_picture_shows(app, table, play, watcher, ana):
    play("beloz")
    play("rivals")
    number = play("what_the_fish")
    page = ana.open(f"/almanac/evening/{number}")
    card = json.loads(unescape(re.search(r"<template data-card>(.*?)</template>", page.text)[1]))
    lines = card["text"].split("\n")
    assert lines[0].startswith("Kitchen table, ")
    assert lines[1] == "Bo took the evening"
    assert "BeloZ: Ana & Cy, 1099 : 708" in lines
    assert lines[-1] == f"http://localhost/t/{table.watch}/almanac/evening/1"
    assert table.play not in card["text"]
    assert "What the Fish!: Bo, Free!" in lines
    assert "Rivals: Bo, 18 : 18, with fewer cards" in lines
    assert [strip["title"] for strip in card["strips"]] == ["BeloZ", "Rivals", "What the Fish!"]
    assert [card["strips"][1][part] for part in ("score", "others", "why")] == ["18", " : 18", "with fewer cards"]
    assert (card["strips"][2]["score"], card["strips"][2]["others"]) == ("Free!", "")
    assert card["strips"][0]["box"] == "#a5470f"
    assert card["code"].startswith("<svg ")
    assert says(watcher.get(urlsplit(lines[-1]).path), "Bo took the evening")
    assert "img-src 'self' blob:" in page.headers["Content-Security-Policy"]


def test_a_watch_link_shows_a_chat_the_table_s_name_and_a_play_link_nothing(app, table, play, watcher):
    play("beloz")
    title = re.compile(r'<meta property="og:title" content="([^"]*)">')
    assert title.findall(watcher.open("/almanac/evening/1").text) == ["Kitchen table"]
    assert title.findall(watcher.open("/table").text) == ["Kitchen table"]
    stranger = app.test_client().get(f"/t/{table.play}", follow_redirects=True)
    assert title.findall(stranger.text) == ["Companion"]


def test_a_table_that_goes_takes_its_notes_along(app, table, ana):
    ana.send("/almanac/settings", do="ratings")
    with app.app_context():
        assert almanac.history(table.id).rates
        db.session.execute(db.text("DELETE FROM tables"))
        db.session.commit()
        assert db.session.query(AlmanacNote).count() == 0
