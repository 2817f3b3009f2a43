"""What does an old television show? Tables of HTML 4, by a link that opens nothing else and ends with the evening."""

from __future__ import annotations

import re
import zlib
from datetime import timedelta
from html.parser import HTMLParser

import pytest
import zxingcpp

from companion.engine import GAMES
from companion.engine.records import decode_event
from companion.matches import entries
from companion.storage.models import Match, Table, db, now
from companion.tables import evening_links, seating
from companion.web import old_screen, screen
from tests.web.people import BelozPhone, Phone, says, words
from tests.web.test_screen import play

# of HTML 4.01 Transitional and of styles of 1998
ELEMENTS = "a b body br font h1 head html img link meta span table td title tr"
PROPERTIES = """
    color display font font-size height letter-spacing line-height margin-bottom margin-right max-height overflow padding
    padding-right table-layout text-overflow vertical-align white-space width
"""


@pytest.fixture
def at_match():
    return BelozPhone


@pytest.fixture
def link(app, table):
    """Return the address of this evening."""
    with app.app_context():
        return f"/old/{evening_links.link_of(db.session.get(Table, table.id))}"


@pytest.fixture
def television(app):
    return Phone(app)


class Elements(HTMLParser):
    """Which elements a page has, and which of their attributes."""

    def __init__(self, page):
        super().__init__()
        self.found, self.attributes = [], set()
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.found.append(tag)
        self.attributes |= {name for name, _ in attrs}


def figures(page):
    """Return the large numbers from the left, each with its classes."""
    return [(number, name) for name, number in re.findall(r'<b class="(n[^"]*)">([^<]*)</b>', page.text)]


def rows(page):
    """Return what each row says: the name, a word, the number."""
    found = re.findall(r'<td class="row name.*?</td></tr>|<td class="row name.*?</tr>', page.text, re.DOTALL)
    return [" ".join(words(row.replace("</td>", " </td>")).split()) for row in found]


def play_sheet(app, table, people):
    with app.app_context():
        number = entries.open_match(table.id, "sheet", people, {"preset": "plain"})
        match = db.session.query(Match.id).filter_by(table_id=table.id, number=number).scalar()
        event = decode_event(
            GAMES["sheet"], {"type": "row", "cells": [{"points": 1000 * place} for place in range(len(people))]}
        )
        entries.record(match, (event,), idempotency_key="first", expected_seq=0, player=0)


def test_it_shows_teams_with_their_way_to_the_target_the_round_and_the_newest_entry(phone, television, link):
    phone.play_round(98)
    page = television.get(link)
    assert figures(page) == [("108", "n3"), ("55", "n2")]
    for sentence in ("● Ana & Cy", "Bo & Di ◆", "892 to go", "945 to go", "Cy opens", "Round 1, 98 for Ana & Cy"):
        assert says(page, sentence)
    assert says(page, "round 2, Bo deals")
    assert re.findall(r'width="(\d+)%"\s+bgcolor', page.text) == ["11", "89", "6", "94"]  # 108 and 55 of 1000


@pytest.mark.parametrize("game", ["beloz", "beluga-cup", "bisque", "rivals", "what-the-fish", "sheet"])
def test_every_page_is_small_and_of_html_4(app, table, television, link, game):
    for share in (0, 0.3, 1):
        if game == "sheet":
            play_sheet(app, table, [f"Wilhelmina the {number}th of Wolfenbuttel"[:40] for number in range(4, 16)])
        else:
            play(app, table, game, None, share)
        page = television.get(link)
        style = television.get(re.search(r'href="([^"]*/old\.css)"', page.text)[1]).text
        code = television.get(re.search(r'src="([^"]+\.png)"', page.text)[1]).data
        assert len(page.data) + len(style) + len(code) <= 12 * 1024
        parsed = Elements(page.text)
        assert set(parsed.found) <= set(ELEMENTS.split())
        assert parsed.found.count("img") <= 3
        assert not parsed.attributes & {"style", "onload", "onclick"}
        assert set(re.findall(r"^ +([a-z-]+):", style, re.MULTILINE)) <= set(PROPERTIES.split())
        assert not re.search(r"var\(|calc\(|flex|grid|url\(|@", style)
        assert says(page, GAMES[game].title if game != "sheet" else "A plain sheet")


def test_it_loads_anew_every_ten_seconds_and_says_since_when_and_how_often(television, link, monkeypatch):
    places, started = set(), now()
    for loading in range(9):
        monkeypatch.setattr(old_screen, "now", lambda at=started + timedelta(seconds=10 * loading): at)
        page = television.get(link).text
        places.add(tuple(int(re.search(rf'{side}margin="(\d+)"', page)[1]) for side in ("left", "top")))
    assert len(places) == 9
    for way, margin in zip(zip(*places, strict=True), (68, 32), strict=True):
        assert set(way) == {margin - 6, margin, margin + 6}
    assert '<meta http-equiv="refresh" content="10">' in page
    assert re.search(r"as of \d\d:\d\d:\d\d, new every 10 seconds", page)


def test_its_link_opens_this_page_alone(television, link, table):
    page = television.get(link)
    assert page.status_code == 200
    assert table.play not in page.text
    assert table.watch not in page.text
    key = link.rpartition("/")[2]
    assert television.get(f"/t/{key}").status_code == 404
    for other in (table.watch, table.play, f"{key}0", "1-0-", f"{table.id}-0-00ff00ff00ff", "--"):
        page = television.get(f"/old/{other}")
        assert page.status_code == 404, other
        assert "font color" in page.text  # by the means of old televisions
        assert 'http-equiv="refresh"' in page.text or "-" not in other
        assert television.get(f"/old/{other}.png").status_code == 404
    assert "Kitchen table" not in television.get("/").text  # it is not on this browser's list


@pytest.mark.postgresql  # whose numbers have an end
def test_a_number_beyond_all_tables_is_no_link(television):
    assert television.get("/old/99999999999-0-00ff00ff00ff").status_code == 404


def test_its_link_ends_with_the_evening(phone, television, link, monkeypatch):
    entered = now()
    monkeypatch.setattr(evening_links, "now", lambda: entered + timedelta(hours=4, minutes=50))
    assert television.get(link).status_code == 200
    monkeypatch.setattr(evening_links, "now", lambda: entered + timedelta(hours=6, minutes=1))
    over = television.get(link)
    assert over.status_code == 404
    assert says(over, "This address was good for one evening: a phone at the table has a new one.")
    assert television.get(f"{link}.png").status_code == 404


def test_its_link_ends_when_the_link_to_watch_is_replaced(app, television, link, table):
    with app.app_context():
        seating.replace_watch_link(table.id)
    assert television.get(link).status_code == 404


def test_a_phone_offers_it_and_the_spoken_code_leads_there(phone, television, table, link):
    assert link in words(phone.get(f"/t/{table.play}/big"))
    phone.client.post(f"/t/{table.play}/invitation", data={"on": "big"})
    code = re.search(r"/old/(\w{6})\b", phone.get(f"/t/{table.play}/big").text)[1]
    assert television.get(f"/old/{code.lower()}").location == f"{link}/1280"
    assert television.get(f"/old/{code}/1920?dark").location == f"{link}/1920?dark="
    wrong = television.get("/old/XXXXXX")
    assert says(wrong, "Look at the phone, and type the address again.")
    assert "refresh" not in wrong.text  # each try is a guess


@pytest.mark.parametrize(
    ("wide", "size", "left"), [("", 1280, 68), ("/960", 960, 51), ("/1920", 1920, 102), ("/1366", 1280, 68)]
)
def test_a_number_in_the_address_scales_all(television, link, monkeypatch, wide, size, left):
    monkeypatch.setattr(old_screen, "SHIFTS", ((0, 0),))
    page = television.get(link + wide).text
    assert f'<body class="w{size}"' in page
    assert f'leftmargin="{left}"' in page
    style = television.get(re.search(r'href="([^"]*/old\.css)"', page)[1]).text
    letters = float(re.search(rf"w{size}\s*\{{\s*font-size:\s*([\d.]+)px" if size != 1280 else r"font:\s*([\d.]+)px", style)[1])
    assert letters * 1280 == 34 * size


def test_it_has_the_colours_of_the_game_and_dark_is_a_word_in_the_address(phone, television, link):
    assert 'bgcolor="#f4e8d6" text="#26190d"' in television.get(link).text.lower()
    assert 'bgcolor="#18110a" text="#f9eedf"' in television.get(f"{link}?dark").text.lower()


def test_who_won_is_named_and_the_number_of_who_lost_is_smaller(app, table, television, link):
    play(app, table, "rivals", None, 1)
    page = television.get(link)
    assert says(page, "Bo wins")
    assert figures(page) == [("18", "n2 less"), ("18", "n2")]
    assert says(page, "One more?")


def test_more_than_two_sides_are_rows_and_more_than_four_stand_in_two_columns(app, table, television, link):
    play_sheet(app, table, ["Ana", "Bo", "Cy"])
    page = television.get(link)
    assert rows(page) == ["● Ana 0", "◆ Bo 1,000", "▲ Cy is ahead 2,000"]
    assert page.text.count('class="rows') == 1
    play_sheet(app, table, [f"P{number}" for number in range(12)])
    page = television.get(link)
    assert len(rows(page)) == 12
    assert page.text.count('class="rows half tight"') == 2


def test_a_long_name_has_smaller_letters_and_a_sheet_its_name_in_the_language_of_the_television(app, table, television, link):
    play_sheet(app, table, ["Wilhelmina-Wolfeschlegelsteinhausenberge", "Bo"])
    television.client.set_cookie("language", "de")
    page = television.get(link)
    assert page.text.count('class="name longer"') == 1
    assert says(page, "Ein einfacher Zettel")
    assert not says(page, "A plain sheet")


def test_before_and_between_matches_it_says_what_is_next(app, table, television, link, monkeypatch):
    page = television.get(link)
    assert says(page, "Nothing has been played tonight.")
    assert says(page, "Start a match on any phone.")
    play(app, table, "rivals", None, 1)
    later = now() + timedelta(minutes=3)
    monkeypatch.setattr(screen, "now", lambda: later)
    page = television.get(link)
    assert says(page, "Rivals, with fewer cards")
    assert "<b>18</b> : 18</td>" in page.text
    assert says(page, "1 match tonight")
    assert rows(page) == ["Bo 1"]


def test_its_one_picture_is_the_code_to_watch_along(television, table, link):
    page = television.get(link)
    picture = television.get(re.search(r'src="([^"]+)"', page.text)[1])
    assert picture.mimetype == "image/png"
    wide, high = (int.from_bytes(picture.data[at : at + 4], "big") for at in (16, 20))
    assert picture.data[37:41] == b"IDAT"
    drawn = zlib.decompress(picture.data[41 : 41 + int.from_bytes(picture.data[33:37], "big")])
    lines = [drawn[at + 1 : at + 1 + -(-wide // 8)] for at in range(0, len(drawn), 1 + -(-wide // 8))]
    assert len(lines) == high
    pixels = bytes(255 * (line[x // 8] >> 7 - x % 8 & 1) for line in lines for x in range(wide))
    assert zxingcpp.read_barcode(memoryview(pixels).cast("B", shape=(high, wide))).text == f"http://localhost/t/{table.watch}"
