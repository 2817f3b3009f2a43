"""What do people do with their phones in every game? They sit down, come by the code or the link, and tap."""

from __future__ import annotations

import itertools
import json
import re
import time
from collections.abc import Callable
from html import escape, unescape
from typing import Self
from urllib.parse import urlsplit

from playwright.sync_api import Locator, Page, expect

from companion.engine import records
from companion.engine.core import Position
from tests.web import qr_reader
from tests.whole_matches import ENTER, Event

_keys = itertools.count(1)

SLOW = 500  # milliseconds that a request takes


class Taps:
    """A thumb on a phone that counts what it does."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.count = 0

    def tap(self, place: Locator) -> Self:
        place.click()
        self.count += 1
        return self

    def button(self, name: str | re.Pattern[str]) -> Self:
        return self.tap(self.page.get_by_role("button", name=name).first)

    def link(self, name: str | re.Pattern[str]) -> Self:
        return self.tap(self.page.get_by_role("link", name=name))


def is_answered(page: Page) -> None:
    """Wait until no tap of this phone is on its way: a tap that comes sooner is the second half of the first."""
    expect(page.locator("[aria-busy=true]")).to_have_count(0)


def is_quiet(page: Page) -> None:
    """Wait until a tap counts on the keys that another phone has just changed."""
    expect(page.locator(".marked")).to_have_count(0)


def look(page: Page) -> None:
    """Wait as who looks at what a tap has brought: a tap that comes sooner near it is the second half of the first."""
    page.wait_for_timeout(700)


def slow(page: Page) -> None:
    """Put the phone far away from the server."""
    line = page.context.new_cdp_session(page)
    line.send("Network.enable")
    line.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": SLOW, "downloadThroughput": -1, "uploadThroughput": -1},
    )


def wait_until(page: Page, condition: Callable[[], object]) -> None:
    """Wait until it is so, and let the page's own calls into the test happen meanwhile."""
    until = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < until, "it did not happen"
        page.wait_for_timeout(20)


def sit_down_to_beloz(page: Page, *others: str) -> None:
    """Make a table from the home page, as Ana, with these people to her right, opposite and to her left."""
    page.goto("/")
    page.get_by_role("link", name=re.compile("BeloZ.*Start at a table", re.DOTALL)).click()
    page.get_by_label("Your name").fill("Ana")
    for label, name in zip(("On your right", "Opposite you", "On your left"), others, strict=True):
        page.get_by_label(label).fill(name)
    page.get_by_role("button", name="Sit down").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("table")


def start_beloz(page: Page) -> None:
    """Tap the big button of the table's page."""
    page.get_by_role("button", name="Start BeloZ").click()
    page.wait_for_url("**/m/1")


def post(page: Page, path: str, form_of: str, **fields: str) -> str:
    """Send a form of the page ``form_of`` as this phone does, without drawing a page; return the path that it leads to."""
    return sent(page, path, csrf_token=token(page.context.request.get(form_of).text()), **fields)


def token(html: str) -> str:
    """Return the token that each form of a page has. It is good for all forms of the phone."""
    return html.partition('name="csrf_token" value="')[2].partition('"')[0]


def sent(page: Page, path: str, **fields: str) -> str:
    """Send these fields as this phone does, and return the path of the page that follows."""
    answer = page.context.request.post(path, form={**fields}, max_redirects=0, max_retries=2)
    assert answer.status == 303, answer.text()
    return urlsplit(answer.headers["location"]).path


def begin_match(page: Page, game: str, *people: str, **rules: str) -> str:
    """Make a table for these people, of whom the first holds this phone, and open its match; return the table's path."""
    key, table = make_table(page, game, *people)
    page.goto(sent(page, f"{table}/matches", csrf_token=key, game=game, **rules))
    return table


def sit_down(page: Page, game: str, *people: str) -> str:
    """Make a table for these people, of whom the first holds this phone, and open its page; return its path."""
    _, table = make_table(page, game, *people)
    page.goto(f"{table}/table")
    return table


def make_table(page: Page, game: str, *people: str) -> tuple[str, str]:
    """Make a table without drawing a page; return the token for this phone's forms, and the table's path."""
    named = {f"person_{seat}": name for seat, name in enumerate(people)}
    key = token(page.context.request.get("/choices").text())  # the lightest page that has a form
    return key, sent(page, "/tables", csrf_token=key, game=game, table="Sunday table", **named).removesuffix("/table")


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
        sent(self.phone, self.match + path, **seen, idempotency_key=f"e{next(_keys)}", **fields)
        self.page = self.open()

    def stands(self) -> Position:
        return records.read_record(json.dumps(self.phone.context.request.get(f"{self.match}/record.json").json())).replay()


def enter(page: Page, game: str, *events: Event) -> None:
    """Enter these at the match in sight, by its forms and without drawing a page of it; then open it anew."""
    entering = Entering(page, urlsplit(page.url).path)
    for event in events:
        ENTER[game](entering, event)
    page.goto(entering.match)


def beloz_round(points: int, bidder: int = 0, flooded: str = "north", last: int = 0) -> Event:
    """Return a round of BeloZ, counted by the first team, without declarations."""
    count = {"team": 0, "points": points}
    return {"type": "round", "bidder": bidder, "flooded": flooded, "count": count, "last_expedition": last, "declarations": []}


def scan(page: Page, newcomer: Page) -> None:
    """Point the newcomer's camera at the QR code on the page and open what it says."""
    code = page.locator("svg.qr")
    expect(code).to_be_visible()
    newcomer.goto(urlsplit(qr_reader.read(code.evaluate("code => code.outerHTML"))).path)


def say_who(page: Page, name: str) -> None:
    """Tap one's own name among those who sit at the table already."""
    page.locator("#names").get_by_role("button", name=name).click()
    expect(page.locator("#names")).to_have_count(0)


def come_by_code(page: Page, other: Page, name: str) -> Page:
    """Scan the QR code that another phone shows, and say who this is."""
    scan(other, page)
    say_who(page, name)
    return page


def come(page: Page, other: Page, name: str) -> Page:
    """Say who this is at the table whose match another phone shows, and go to the match."""
    match = urlsplit(other.url).path
    table = match.rpartition("/m/")[0]
    asked = page.context.request.get(f"{table}/join").text()
    claim = next(key.partition('"')[0] for key in asked.split('formaction="')[1:] if f"<b>{escape(name)}</b>" in key)
    sent(page, claim, csrf_token=token(asked), do="claim", next="enter")
    page.goto(match)
    return page


def total(page: Page, side: int) -> Locator:
    """Return the total of a player or a side, where the page of a match shows it."""
    return page.locator(f'[data-score="{side}"]')


# the names of the entries that a phone keeps
KEPT_KEYS = """() => new Promise((resolve, reject) => {
  const opened = indexedDB.open("companion");
  opened.onerror = () => reject(opened.error);
  opened.onsuccess = () => {
    const asked = opened.result.transaction("entries").objectStore("entries").getAllKeys();
    asked.onsuccess = () => resolve(asked.result);
  };
})"""


def kept_keys(page: Page) -> set[str]:
    """Return the names of the entries that wait on a phone, as its database has them."""
    return set(page.evaluate(KEPT_KEYS))
