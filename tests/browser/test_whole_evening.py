"""Does an evening of six matches in all five games end in one story? Four phones, one of them without scripts, and a screen."""

from __future__ import annotations

import itertools
import json
import re
from html import unescape
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from companion.engine import records
from companion.engine.core import Position
from tests.browser.conftest import Phones
from tests.browser.looks import axe, fits_everywhere
from tests.browser.people import begin_match
from tests.whole_matches import ENTER, recorded

FOUR = ("Ana", "Bo", "Cy", "Di")
# two rounds of BeloZ to 200: 108 to 55, then 105 to 58
BELOZ = [
    {
        "type": "round",
        "bidder": 0,
        "flooded": "south",
        "count": {"team": 0, "points": points},
        "last_expedition": 0,
        "declarations": [],
    }
    for points in (98, 95)
]
_keys = itertools.count(1)


class Entering:
    """One phone that sends the forms of a match, without drawing its pages."""

    def __init__(self, phone: Page, match: str) -> None:
        self.phone, self.match = phone, match
        self.page = self.open()

    def open(self, path: str = "") -> str:
        return self.phone.context.request.get(self.match + path).text()

    def hidden(self, page: str, name: str) -> str:
        return unescape(re.findall(rf'name="{name}" value="([^"]*)"', page)[0])

    def field(self, path: str, name: str) -> str:
        return self.hidden(self.open(path), name)

    def send(self, path: str, **fields: str) -> None:
        seen = {name: self.hidden(self.page, name) for name in ("csrf_token", "expected_seq")}
        form = {**seen, "idempotency_key": f"e{next(_keys)}", **fields}
        answer = self.phone.context.request.post(self.match + path, form=form, max_redirects=0)
        assert answer.status == 303, (path, fields, answer.text())
        self.page = self.open()

    def stands(self) -> Position:
        return records.read_record(json.dumps(self.phone.context.request.get(f"{self.match}/record.json").json())).replay()


def play(phone: Page, match: str, game: str) -> None:
    """Enter a match to its end."""
    entering = Entering(phone, match)
    if game == "beluga_cup":
        meals = itertools.cycle((("4", "0"), ("3", "1"), ("2", "0")))
        while not entering.stands().finished:
            entering.send("/fish", by="app")
            if not entering.stands().finished:
                zone, player = next(meals)
                entering.send("/eat", zone=zone, player=player)
        return
    events = BELOZ if game == "beloz" else recorded(game)["events"]
    for event in events:
        ENTER[game](entering, event)


def begin(phone: Page, table: str, game: str, people: int, **rules: str) -> None:
    """Start the next match with the first people of the table."""
    asked = phone.context.request
    token = re.findall(r'name="csrf_token" value="([^"]*)"', asked.get(f"{table}/table").text())[0]
    page = asked.post(f"{table}/game", form={"csrf_token": token, "choose": game}).text()
    seated = list(dict.fromkeys(re.findall(r'name="player" value="(\d+)"', page)))[:people]
    fields = [("csrf_token", token), ("game", game), *rules.items()]
    body = urlencode([*fields, *(("player", each) for each in seated)])
    answer = asked.post(f"{table}/matches", data=body, headers={"Content-Type": "application/x-www-form-urlencoded"})
    assert "/m/" in answer.url, answer.text()


@pytest.fixture
def evening(phones: Phones) -> tuple[str, Page, Page, Page]:
    """Play it; return the table's path, Ana's phone, Di's, which has no scripts, and the screen."""
    ana, bo, cy, di = phones(), phones("dark", width=360, height=640), phones(), phones(scripts=False)
    table = begin_match(ana, "beloz", *FOUR, target="200")
    screen = phones(width=1280, height=800)
    screen.goto(ana.context.request.get(f"{table}/screen").url)
    for phone in (bo, cy, di):
        phone.goto(f"{table}/m/1")
    plans = [
        ("beloz", FOUR, {"target": "200"}),
        ("rivals", FOUR[:2], {}),
        ("what_the_fish", FOUR[:3], {}),
        ("beluga_cup", FOUR[:2], {"cards": "untracked"}),
        ("bisque", FOUR[:3], {"hands": "3"}),
        ("beloz", FOUR, {"target": "200"}),
    ]
    for number, (game, people, rules) in enumerate(plans, start=1):
        if number > 1:
            begin(bo, table, game.replace("_", "-"), len(people), **rules)
            ana.goto(f"{table}/m/{number}")
        play((ana, bo, cy, di)[number % 4], f"{table}/m/{number}", game)
        expect(ana.locator("#ending")).not_to_be_empty()  # it was entered elsewhere, but for one match
    di.goto(f"{table}/m/6")
    expect(di.locator("#ending")).to_contain_text("213 to 113")
    return table, ana, di, screen


def test_six_matches_make_an_evening_and_an_almanac(evening: tuple[str, Page, Page, Page]) -> None:
    table, ana, _, screen = evening
    expect(screen.locator("#screen")).to_contain_text("BeloZ")
    ana.goto(f"{table}/almanac")
    expect(ana.locator(".headline")).to_contain_text("6 matches on one evening.")
    fits_everywhere(ana)
    axe(ana)
