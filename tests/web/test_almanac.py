"""What does a table's almanac show, to whom and when? Its numbers are worked out in tests/almanac."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from pathlib import Path

import pytest

from companion.almanac import people
from companion.engine import GAMES
from companion.engine.records import decode_event
from companion.matches import entries
from companion.storage.models import Entry, Match, MatchFacts, MatchId, db, now
from companion.tables import almanac, results
from tests.web.people import Phone, says, words

ENGINE = Path(__file__).resolve().parents[1] / "engine"


@pytest.fixture
def sheets(app, table):
    """Five matches by three score sheets: Hearts twice, the plain sheet once, and twice one of the table's own."""
    document = {
        "format": "companion-sheet/1",
        "name": "Boule",
        "players": [2, 4],
        "shape": "rounds",
        "columns": [{"id": "points", "name": "Points", "kind": "whole"}],
        "ends": {"rounds": 1},
    }
    hearts = {"preset": "hearts", "house": {"target": 50}}
    played = (
        (hearts, [(0, 26, 0, 0)] * 2),  # 26 for all but Bo, twice: 52, 0, 52, 52, and the fewest win
        (hearts, [(26, 0, 0, 0)] * 2),  # Ana
        ({"sheet": document}, [(7, 4, 2, 1)]),  # Ana
        ({"sheet": document}, [(3, 8, 2, 1)]),  # Bo
        ({}, [(40, 30, 20, 10), "finish"]),
    )
    with app.app_context():
        for options, rows in played:
            match = MatchId(table.id, entries.open_match(table.id, "sheet", ["Ana", "Bo", "Cy", "Di"], options))
            for seq, points in enumerate(rows):
                row = {"type": "row", "cells": [{"points": each} for each in points]}
                event = decode_event(GAMES["sheet"], {"type": "finish"} if points == "finish" else row)
                entries.record(match, [event], idempotency_key=f"k{seq}", expected_seq=seq)


def test_each_score_sheet_is_a_game_of_its_own(app, table, watcher, sheets):
    with app.app_context():
        kinds = [(match.kind, match.title) for match in almanac.played(table.id)]
        assert kinds == [
            *[("~hearts", "Hearts")] * 2,
            *[("~boule", "Boule")] * 2,
            ("~a plain sheet", "A plain sheet"),
        ]
        assert [match.kind for match in almanac.played(table.id)] == [kind for kind, _ in kinds]  # from what was kept of them
    page = watcher.open("/almanac", game="~boule")
    assert says(page, "Boule")
    assert not says(page, "Score sheet")
    with app.app_context():
        matches = almanac.played(table.id)
    of = {kind: [match for match in matches if match.kind == kind] for kind, _ in kinds}
    assert [people.averages(of[kind], "Ana") for kind in of] == [26, 5, 40]  # of 52 and 0, of 7 and 3, of 40
    assert [people.averages(of[kind], "Bo") for kind in of] == [26, 6, 30]


def test_the_series_of_an_evening_counts_one_sheet(app, table, sheets):
    with app.app_context():
        assert [each.number for each in almanac.tonight(MatchId(table.id, 4), "sheet")] == [3, 4]
        assert [each.number for each in almanac.tonight(MatchId(table.id, 5), "sheet")] == [5]


def test_a_preset_s_name_is_in_the_phone_s_language(watcher, sheets):
    page = watcher.client.get(f"{watcher.link}/almanac/match/5", headers={"Accept-Language": "de"})
    assert "A plain sheet" not in page.text


@pytest.fixture
def play(app, table):
    """Call it for a match of a record, by its folder in the engine's tests: so many of its events are entered. Its number."""

    def played(folder, events=None, players=None):
        record = json.loads((ENGINE / folder / "match.json").read_text("utf-8"))
        with app.app_context():
            number = entries.open_match(table.id, record["game"], players or record["players"], record["options"])
            for seq, event in enumerate(record["events"][:events]):
                decoded = decode_event(GAMES[record["game"]], event)
                entries.record(MatchId(table.id, number), [decoded], idempotency_key=f"k{seq}", expected_seq=seq)
        return number

    return played


@pytest.fixture
def watcher(app, table):
    phone = Phone(app)
    phone.link = f"/t/{table.watch}"
    return phone


@pytest.fixture
def ana(app, table):
    phone = Phone(app)
    phone.link = f"/t/{table.play}"
    return phone


def row(page, label):
    """Return the cells of a table's row."""
    (cells,) = re.findall(rf'<th scope="row">{label}</th>(.*?)</tr>', page.text, re.DOTALL)
    return re.findall(r"<td>(.*?)</td>", cells)


def move(app, table, number, ago):
    """Let a match have been entered so long ago."""
    with app.app_context():
        moment = now() - ago
        db.session.execute(db.update(Entry).where(Entry.table_id == table.id, Entry.match_number == number).values(at=moment))
        db.session.execute(db.update(Match).where(Match.table_id == table.id, Match.number == number).values(created=moment))
        db.session.commit()
        app.extensions.pop("companion-logs", None)  # no log is at hand that was entered just now


def test_before_the_first_match_it_says_so(watcher):
    assert says(watcher.open("/almanac"), "Nothing played yet")


def test_whoever_watches_sees_how_the_table_has_played(play, watcher):
    play("beloz")
    play("bisque")
    page = watcher.open("/almanac")
    assert page.status_code == 200
    # Ana and Cy won BeloZ, and share Bisque
    assert says(page, "2 matches on one evening. Ana and Cy have won the most.")
    assert says(page, "Teams in BeloZ")
    assert says(page, "1099 : 708")
    assert says(page, "Ana & Cy, 253")
    assert "/almanac" in watcher.open("/table").text
    assert says(watcher.open("/almanac/evening/2"), "Bisque: Ana and Cy, 31 : 31 : 25")


def test_numbers_come_after_a_match_and_never_in_between(app, table, play, ana):
    play("beloz")
    running = play("rivals", events=2)
    page = ana.open("/almanac")
    assert says(page, "Rivals is being played. Numbers come when it is over.")
    assert "1099" not in page.text
    assert "1099" not in ana.open("/almanac/match/1").text
    move(app, table, running, timedelta(hours=6, minutes=1))
    assert says(ana.open("/almanac"), "1099 : 708")


def test_a_match_that_was_begun_and_left_is_in_nobody_s_way_after_six_hours(app, table, play, ana):
    play("beloz")
    begun = play("rivals", events=0)
    assert says(ana.open("/almanac"), "Open after the match")
    move(app, table, begun, timedelta(hours=7))
    assert says(ana.open("/almanac"), "1099 : 708")


def test_one_game_alone_shows_what_counts_there(play, watcher):
    play("beloz")
    play("rivals")
    page = watcher.open("/almanac", game="beloz")
    assert says(page, "1 match on one evening.")
    assert row(page, "Contracts taken") == ["3", "2", "3", "1"]  # Ana, Cy, Bo, Di
    assert row(page, "Average score") == ["1099", "1099", "708", "708"]
    assert says(page, "219 points behind")
    assert not says(watcher.open("/almanac", game="rivals"), "Contracts taken")


def test_only_matches_with_so_many_players(play, watcher):
    play("beloz")
    play("rivals")
    page = watcher.open("/almanac", players="2")
    assert says(page, "1 match on one evening. Bo has won the most.")
    chosen = [words(each) for each in re.findall(r'<summary class="button secondary">(.*?)</summary>', page.text, re.DOTALL)]
    assert chosen == ["Period: All time", "Game: All games, Players: 2 players"]  # in two menus, their topics to be heard
    assert words(re.search(r'aria-label="Players">(.*?)</div>', page.text)[1]) == "Any number2 players4 players"


@pytest.mark.parametrize("query", [{"game": "chess"}, {"players": "99"}, {"since": "0"}, {"since": "yesterday"}])
def test_what_was_never_played_can_t_be_chosen(play, watcher, query):
    play("beloz")
    assert says(watcher.open("/almanac", **query), "1 match on one evening.")


def test_a_person_s_page(play, watcher):
    for _ in range(5):
        play("beloz")
    page = watcher.open("/almanac/person", who="Cy")
    assert says(page, "5 wins of 5")
    assert says(page, "Ana 5 of 5 together")
    assert says(page, "10 contracts taken")  # 2 in each
    assert says(page, "Cy wins 100 of 100, all others here 57.")  # 4 of 7 in each
    assert says(page, "How special was 253 points?")
    assert says(page, "5 of 45 rounds at this table counted as much or more.")
    assert says(page, "219 points behind, won 1099 : 708")
    bo = watcher.open("/almanac/person", who="Bo")
    assert says(bo, "beat Bo 5 of 5")
    assert not says(bo, "Best with")


def test_nobody_of_that_name(play, watcher):
    play("beloz")
    page = watcher.open("/almanac/person", who="Eve")
    assert page.status_code == 404
    assert says(page, "Nobody of this name has played a match to its end here.")


def test_a_person_without_a_match_of_the_choice_keeps_the_choices(play, watcher):
    play("beloz")
    play("rivals")
    page = watcher.open("/almanac/person", who="Cy", game="rivals")
    assert page.status_code == 200
    assert says(page, "No finished match")
    assert "who=Cy&amp;game=beloz" in page.text or "game=beloz&amp;who=Cy" in page.text


def test_the_story_of_a_match_leads_to_its_rounds(play, watcher):
    number = play("beloz")
    page = watcher.open(f"/almanac/match/{number}")
    assert says(page, "Ana & Cy won, 1099 : 708")
    assert says(page, "Round 4 decided it: Ana & Cy took the lead and kept it.")
    href = re.search(r'href="([^"]*round=4[^"]*)"', page.text)[1].replace("&amp;", "&")
    assert href.endswith("#round")
    shown = watcher.get(href.partition("#")[0])
    assert 'id="round"' in shown.text
    assert says(shown, "No other of 9 rounds at this table counted as much.")


@pytest.mark.parametrize("path", ["/match/2", "/match/99999999999999999999", "/evening/7", "/person"])
def test_what_there_is_not_is_a_page_that_says_so(play, watcher, path):
    play("beloz")
    play("bisque", events=3)
    results_of = watcher.open(f"/almanac{path}")
    assert results_of.status_code in {200, 404}


@pytest.mark.parametrize("asked", ["0", "10", "-1", "x", "9" * 40, "٣"])
def test_a_round_that_there_is_not(play, watcher, asked):
    number = play("beloz")
    page = watcher.open(f"/almanac/match/{number}", round=asked)
    assert page.status_code == 200


def test_the_evening_of_a_match(app, table, play, watcher):
    first = play("beloz")
    move(app, table, first, timedelta(hours=9))
    second, third = play("rivals"), play("beloz")
    page = watcher.open(f"/almanac/evening/{third}")
    assert says(page, "Bo, Ana and Cy share the evening")
    assert page.text == watcher.open(f"/almanac/evening/{second}").text
    assert says(page, "Ana & Cy were 219 points behind and won.")
    assert says(page, "Rivals, with fewer cards")
    assert says(watcher.open(f"/almanac/match/{second}"), "Bo won, 18 : 18, with fewer cards")
    assert says(watcher.open(f"/almanac/evening/{first}"), "Ana and Cy share the evening")
    assert says(watcher.open("/almanac", since="evening"), "2 matches on one evening.")


class Reads:
    """Counts the matches whose logs are read."""

    def __init__(self, monkeypatch):
        self.numbers = []
        honest = entries.read

        def counted(match_id, *rest):
            self.numbers.append(match_id.number)
            return honest(match_id, *rest)

        monkeypatch.setattr(almanac.entries, "read", counted)
        monkeypatch.setattr(results, "running", lambda _table: None)  # it reads the newest

    def taken(self):
        numbers, self.numbers = self.numbers, []
        return numbers


@pytest.mark.both_databases
def test_a_log_is_read_once_and_again_when_it_was_corrected(app, table, play, start_app, monkeypatch):
    play("beloz")
    play("bisque")
    reads = Reads(monkeypatch)
    with app.app_context():
        assert [each.facts.scores for each in almanac.played(table.id)] == [(1099, 708), (31, 25, 31)]
        assert reads.taken() == [1, 2]
        almanac.played(table.id)
        assert reads.taken() == []
    with start_app().app_context():  # after a restart
        almanac.played(table.id)
        assert reads.taken() == []
    with app.app_context():
        log = entries.read(MatchId(table.id, 1))
        reads.taken()
        entries.undo(MatchId(table.id, 1), of=log.newest, idempotency_key="undo", expected_seq=log.seq)
        reads.taken()
        # without round 9
        assert [each.facts.scores for each in almanac.played(table.id)] == [(936, 708), (31, 25, 31)]
        assert reads.taken() == [1]
        almanac.played(table.id)
        assert reads.taken() == []


@pytest.mark.both_databases
def test_facts_of_another_version_are_read_anew(app, table, play, monkeypatch):
    play("beloz")
    reads = Reads(monkeypatch)
    with app.app_context():
        almanac.played(table.id)
        db.session.execute(db.update(MatchFacts).values(version=0, body="of another version"))
        db.session.commit()
        reads.taken()
        assert [each.facts.scores for each in almanac.played(table.id)] == [(1099, 708)]
        assert reads.taken() == [1]


def test_a_match_that_can_t_be_read_is_left_out(app, table, play, start_app):
    play("beloz")
    play("bisque")
    with app.app_context():
        db.session.execute(db.update(Match).where(Match.number == 1).values(game="chess"))
        db.session.commit()
    later = Phone(start_app())  # no log is at hand
    assert says(later.get(f"/t/{table.watch}/almanac"), "1 match on one evening.")


def test_names_are_words_and_no_markup(play, watcher):
    hostile = ["<b>Ana", '"><img src=x onerror=1>', "{{7*7}}", "Di & 'Bo'"]
    play("beloz", players=hostile)
    for page in (watcher.open("/almanac"), watcher.open("/almanac/person", who=hostile[1]), watcher.open("/almanac/match/1")):
        assert page.status_code == 200
        assert "<img src=x" not in page.text
        assert "<b>Ana" not in page.text
    assert "{{7*7}}" in words(watcher.open("/almanac"))


def test_another_table_s_link_shows_nothing_of_this_one(app, play):
    play("beloz")
    other = Phone(app).make_table("Eve", "Fay")
    assert says(other.open("/almanac"), "Nothing played yet")
    assert Phone(app).get("/t/no-such-link/almanac").status_code == 404


def test_in_hearts_the_fewest_points_are_ahead(app, table):
    with app.app_context():
        number = entries.open_match(table.id, "sheet", ["Ana", "Bo", "Cy", "Di"], {"preset": "hearts"})
        row = decode_event(
            GAMES["sheet"], {"type": "row", "cells": [{"points": 3}, {"points": 0}, {"points": 10}, {"points": 13}]}
        )
        entries.record(MatchId(table.id, number), [row], idempotency_key="k", expected_seq=0)
        (match,) = almanac.played(table.id)
        assert match.rounds[-1].totals == (3, 0, 10, 13)
        assert match.ahead((3, 0, 10, 13)) == 1
        assert match.lead((3, 0, 10, 13), 1) == 3
        (again,) = almanac.played(table.id)  # from what was kept of it
        assert again.lead((3, 0, 10, 13), 1) == 3
