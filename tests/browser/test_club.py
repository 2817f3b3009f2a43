"""What does the list of a club evening do by itself? It follows all tables, in each phone's language, and after a restart."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from playwright.sync_api import Page, expect

from tests.browser.conftest import Phones
from tests.browser.looks import axe, fits, fits_smallest, shot
from tests.browser.people import begin_match, beloz_round, enter, sent, token
from tests.server import Server

# from where to where each column goes, but for the widest, which has an emblem before its words
COLUMNS = """(rows) => rows.map((row) => [".newest", ".ahead", ".points", ".part", ".since"].map((column) => {
  const { left, right } = row.querySelector(column).getBoundingClientRect();
  return [left, right].map(Math.round);
}))"""


def begin_list(host: Page, *tables: str) -> tuple[str, str]:
    """Begin a list with these tables on it; return the host's address and the list's."""
    key = token(host.context.request.get("/choices").text())
    mine = sent(host, "/club", csrf_token=key, name="Thursday club")
    for table in tables:
        sent(host, f"{mine}/tables", csrf_token=key, link=table)
    page = host.context.request.get(mine).text()
    address = re.search(r'value="(http[^"]*/club/[^"]*)"', page)
    assert address
    return mine, urlsplit(address[1]).path


def test_it_follows_two_tables_and_comes_back_with_the_server(server: Server, phones: Phones) -> None:
    ana, eve = phones(), phones()
    cup = begin_match(eve, "beluga-cup", "Eve", "Finn")
    beloz = begin_match(ana, "beloz", "Ana", "Bo", "Cy", "Di")
    _, path = begin_list(ana, beloz, cup)
    wall, guest = phones(width=1280, height=800), phones()
    guest.context.add_cookies([{"name": "language", "value": "de", "url": server.url}])
    wall.goto(path)
    guest.goto(path)
    expect(wall.locator("#table-1 .newest")).to_have_text("Round 1")
    expect(wall.locator("#table-2 .newest")).to_have_text(re.compile(r"\d+ fish left"))
    expect(guest.locator("#table-1 .newest")).to_have_text("Runde 1")
    fits_smallest(guest)
    axe(guest, targets=True, dark=True)
    axe(wall, dark=True)
    shot(wall, "club-list")
    for row in wall.locator(".club-row").all():
        box = row.bounding_box()
        assert box
        assert box["height"] < 100
    for rows in ("", "many"):  # as many tables as have rows of two lines, and more
        wall.evaluate("(rows) => (document.querySelector('.club-rows').className = `club-rows ${rows}`)", rows)
        labels, *columns = wall.locator(".club-row").evaluate_all(COLUMNS)
        assert columns == [labels] * 2
    assert wall.locator("form, button, input").count() == 0  # who has the link changes nothing
    wall.locator("#table-2").focus()
    enter(ana, "beloz", beloz_round(98))
    expect(wall.locator("#table-1 .points")).to_have_text("108 : 55")
    assert wall.evaluate("document.activeElement.id") == "table-2"
    assert server.stop() == 0
    expect(wall.locator("[data-lost]")).to_be_visible()
    server.start()
    expect(wall.locator("[data-lost]")).to_be_hidden()
    expect(wall.locator("#table-1 .points")).to_have_text("108 : 55")
    wall.locator("#table-2").click()
    expect(wall).to_have_url(re.compile(r"/t/[\w-]+/m/1"))


def test_the_host_prints_codes_and_opens_a_table(phones: Phones) -> None:
    host = phones()
    mine, path = begin_list(host, begin_match(host, "rivals", "Ana", "Bo"))
    host.goto(path)
    axe(host)
    fits_smallest(host)
    host.set_viewport_size({"width": 1280, "height": 800})
    host.evaluate("document.querySelector('.to-do').textContent = 'Tables 1, 2, 3, 4, 5, 7 and 8 are quiet. '.repeat(3)")
    fits(host)
    host.set_viewport_size({"width": 390, "height": 844})
    host.get_by_role("link", name="Codes for all tables").tap()
    expect(host.locator(".club-codes li")).to_contain_text("Scan to sit down")
    axe(host, dark=True)
    fits_smallest(host)
    host.goto(mine)
    axe(host)
    fits_smallest(host)
    host.get_by_role("button", name="Pawns only").tap()
    host.goto(path)
    expect(host.locator("#table-1")).not_to_contain_text("Ana")
    host.get_by_role("button", name="New table").tap()
    expect(host.get_by_role("heading", level=1)).to_have_text("Table 2")
