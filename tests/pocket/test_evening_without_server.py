"""Does an evening of six come off with a folder of files, and then without it? One phone is the table, and then another."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import cycle
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.engine import records
from tests.browser.conftest import Phones, phones_that_lose
from tests.pocket.folder import BELOW, Served, served_from, write
from tests.pocket.in_phone import InPhone, MatchInPhone
from tests.pocket.test_in_phone import READY
from tests.pocket.test_one_phone_is_the_table import (
    ASLEEP,
    HAS_COPY,
    TWO_MINUTES_LATER,
    come_in,
    let_in,
    read,
    share,
    to_table,
)
from tests.web.people import words
from tests.whole_matches import ENTER, recorded

SIX = ("Ana", "Bo", "Cy", "Di", "Eve", "Finn")
HAS_COMPANION = "async () => (await caches.keys()).some((name) => name.includes('pocket '))"
# goes to a page as a tap on a link does
OPEN = """(path) => {
  const link = Object.assign(document.createElement("a"), { href: path, textContent: "go" });
  document.getElementById("main").append(link);
  link.click();
}"""


@pytest.fixture
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Yield the folder's file server, which may be taken away."""
    with served_from(write(tmp_path_factory.mktemp("www"))) as serving:
        yield serving


@pytest.fixture
def people(browser: Browser, served: Served) -> Iterator[Phones]:
    """Yield phones that know that file server. What fails while it is away is no mistake of a page."""
    yield from phones_that_lose(browser, served)


class Turns:
    """Phones that enter one after the other, each with its own page and its own forms."""

    def __init__(self, link: str, phones: Sequence[Page]) -> None:
        self._link = link
        self._phones = cycle([(page, MatchInPhone(InPhone(page, link), link, "")) for page in phones])
        self.next()

    def next(self) -> None:
        """Give the turn to the next phone, which looks at the match first."""
        self._page, self._match = next(self._phones)
        self._match.page = self._match.open()

    def look(self) -> None:
        """Open the match on the phone whose turn it is: it entered past its own page, which others' news would not renew."""
        self._page.evaluate(OPEN, self._link)

    def send(self, path: str, **fields: str) -> object:
        return self._match.send(path, **fields)

    def field(self, path: str, name: str) -> str:
        return self._match.field(path, name)


def sit_down(page: Page) -> str:
    """Make a table of six, names typed while the rest comes; return the table's link."""
    page.goto(BELOW)
    page.get_by_role("link", name=re.compile("What the Fish.*Start at a table", re.DOTALL)).click()
    for number, name in enumerate(SIX):
        page.locator(f"input[name=person_{number}]").fill(name)
    page.get_by_role("button", name="Sit down").click()
    expect(page.get_by_text("Only this phone has this table.")).to_be_visible(timeout=READY)
    return urlsplit(page.url).path.removesuffix("/table")


def begin_skull_king(page: Page, link: str) -> str:
    """Begin it with everybody at the table, from the table's own phone; return the match's link."""
    start = f"{link}/more/skull-king"
    phone = InPhone(page, start)
    players = [("player", number) for number in re.findall(r'name="player"\s+value="(\d+)"', phone.get(start).text)]
    begun = phone.post(f"{link}/matches", *players, game="sheet", preset="skull-king")
    assert begun.status == 200, words(begun.text)
    return begun.path


def connected(page: Page, host: str) -> None:
    """Wait until a guest's page says so."""
    expect(page.locator("#together")).to_have_text(f"{host}’s phone is the table. Connected.", timeout=READY)


def come_again(guest: Page, host: Page, whose: str) -> None:
    """Scan the code of the phone that is the table now: the seat is still there."""
    guest.goto(let_in(host))
    read(host, share(guest, "[data-come=answer]"))
    guest.wait_for_url(re.compile(r"/pocket/t/.*/m/"), timeout=READY)
    connected(guest, whose)


def test_six_play_a_whole_evening(people: Phones, served: Served) -> None:
    ana, bo, cy, di, eve, finn = everybody = [people(keeps_pages=True) for _ in SIX]
    guests = list(zip(everybody, SIX, strict=True))[1:]
    link = sit_down(ana)
    bo.goto(BELOW)
    expect(bo.locator("#take-along").get_by_text("Tables live in this phone")).to_be_visible(timeout=READY)
    for page, name in guests:
        come_in(page, ana, name)
    expect(ana.locator("[data-let-in-phones] [data-state]")).to_have_text([f"{name} is in" for name in SIX[1:]])
    expect(ana.locator("#let-in [data-code] svg")).to_be_visible()

    # BeloZ to its end, with the folder still there: the phones of all six enter, two of them only look on
    ana.locator("header.app-bar a").first.click()
    ana.wait_for_url("**/table")
    ana.locator("#games").get_by_role("button", name="BeloZ").tap()
    ana.get_by_role("button", name="Start BeloZ").tap()
    ana.wait_for_url("**/m/1")
    match = urlsplit(ana.url).path
    for page, _ in guests:
        page.evaluate(OPEN, match)
        page.wait_for_url(f"**{match}")
    document = recorded("beloz")
    turns = Turns(match, everybody)
    for event in document["events"]:
        turns.next()
        ENTER["beloz"](turns, event)
    turns.look()
    result = records.read_record(json.dumps(document)).replay().standing().scores
    assert records.read_record(json.dumps(MatchInPhone(InPhone(finn, match), match, "").record())).replay().finished
    for page in everybody:
        for side, score in enumerate(result):
            expect(page.locator(f'[data-score="{side}"]').first).to_have_text(f"{score:,}")

    # the folder is gone; Skull King, every row from another phone
    served.stop()
    sheet = begin_skull_king(ana, link)
    for page in everybody:
        page.evaluate(OPEN, sheet)
        page.wait_for_url(f"**{sheet}")
    turns = Turns(sheet, everybody)
    none = {f"c{side}-bid": "0" for side in range(1, 6)}
    tricks = {f"c{side}-tricks": "0" for side in range(1, 6)}
    for number in range(1, 4):
        turns.next()
        turns.send("/row", **{"c0-bid": str(number)}, **none)
        turns.next()
        turns.send("/row", **{"c0-tricks": str(number)}, **tricks)
    turns.look()
    # rounds 1 to 3: 20 a trick for Ana, who bid all of them; 10 a card for a bid of none that was kept
    for page in everybody:
        expect(page.locator(".sheet-heads .sheet-total")).to_have_text(["120", *["60"] * 5])

    # a guest is reloaded, with nobody there who could send it a file
    cy.reload()
    connected(cy, "Ana")
    expect(cy.locator(".sheet-heads .sheet-total")).to_have_text(["120", *["60"] * 5], timeout=READY)
    assert not cy.evaluate(HAS_COMPANION)  # nor has it begun to load all of Companion before

    # the table's phone sleeps: what is entered meanwhile waits, and counts once
    for name in SIX:
        eve.get_by_label(f"{name}, Bid", exact=True).tap()
        eve.locator("[data-digit='0'], [data-number='0']").tap()
    ana.evaluate(ASLEEP, 14_000)
    expect(eve.locator("#together")).to_contain_text("Ana’s phone sleeps.", timeout=READY)
    eve.get_by_role("button", name="Save the bids").tap()
    expect(eve.locator("#offline")).to_contain_text("waiting")
    expect(eve.locator("#to-do")).to_be_empty()  # nobody's bid is said to be missing that is typed
    for page, _ in guests:
        connected(page, "Ana")
    expect(eve.locator("#offline .pending-row[data-state=waiting]")).to_have_count(0, timeout=READY)
    for page in everybody:
        expect(page.get_by_role("button", name="Save round 4")).to_be_visible(timeout=READY)

    # the table is handed on, and everybody scans its new phone once
    to_table(ana)
    let_in(ana)
    ana.get_by_text("Hand the table on").click()
    ana.locator("[data-let-in-heirs] button", has_text="Bo").click()
    bo.get_by_role("button", name="Take the table").click()
    bo.wait_for_url("**/let-in", timeout=READY)
    ana.wait_for_url("**/pocket/with", timeout=READY)  # its phone looks for the new table by itself
    for page in (ana, cy, di, eve, finn):
        come_again(page, bo, "Bo")
    expect(bo.locator("[data-let-in-phones] [data-state]")).to_have_text(["Ana is in", *[f"{name} is in" for name in SIX[2:]]])
    for page in everybody:
        page.evaluate(OPEN, sheet)
        page.wait_for_url(f"**{sheet}")
    turns = Turns(sheet, [ana, cy, finn, di, eve, bo])
    turns.send("/row", **{f"c{side}-tricks": "4" if side == 5 else "0" for side in range(6)})
    turns.look()
    # round 4: all bid none; Finn took all four and loses ten a card
    after = ["160", *["100"] * 4, "20"]
    for page in everybody:
        expect(page.locator(".sheet-heads .sheet-total")).to_have_text(after, timeout=READY)

    # the table's phone is gone for good: Ana's, which has a copy, becomes the table; both go on apart, and are joined
    ana.wait_for_function(HAS_COPY)
    at_bo = bo.context
    bo.close()
    for page in (ana, cy, di, eve, finn):
        expect(page.locator("#together")).not_to_contain_text("Connected", timeout=READY)
    ana.evaluate(TWO_MINUTES_LATER)
    ana.get_by_role("button", name="Make this phone the table").click()
    ana.wait_for_url("**/let-in", timeout=READY)
    for page in (cy, di, eve, finn):
        come_again(page, ana, "Ana")
    turns = Turns(sheet, [finn])
    turns.send("/row", **{f"c{side}-bid": "1" for side in range(6)})
    bo = at_bo.new_page()
    bo.goto(sheet)
    expect(bo.locator(".sheet-heads .sheet-total")).to_have_text(after, timeout=READY)
    apart = Turns(sheet, [bo])
    apart.send("/row", **{f"c{side}-bid": "2" for side in range(6)})
    bo.goto(let_in(ana))
    read(ana, share(bo, "[data-come=answer]"))
    bo.get_by_role("button", name="Send it, and play there").click(timeout=READY)
    bo.get_by_role("button", name="Keep the table’s entries").click(timeout=READY)
    bo.get_by_text("1 entry of this phone does not count here.").wait_for(timeout=READY)
    bo.evaluate(OPEN, sheet)
    for page in (finn, bo):
        page.evaluate(OPEN, sheet)
        expect(page.get_by_role("button", name="Save round 5")).to_be_visible(timeout=READY)
    events = MatchInPhone(InPhone(bo, sheet), sheet, "").record()["events"]
    assert len(events) == len(MatchInPhone(InPhone(finn, sheet), sheet, "").record()["events"])
