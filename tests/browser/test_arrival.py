"""Does a server take a table that a page elsewhere hands over: shown first, kept only after a tap, and once?"""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.conftest import Phones
from tests.browser.people import begin_match, beloz_round, enter, look
from tests.server import Server

ELSEWHERE = "http://cards.example/"
HANDS_OVER = """([server, sent]) => {
  window.answers = [];
  onmessage = ({ source, origin, data }) => {
    window.answers.push(data);
    if (data.companion === "ready") for (const each of sent) source.postMessage(each, origin);
  };
  open(server);
}"""


@pytest.fixture
def elsewhere(browser: Browser) -> Iterator[Page]:
    """Return a page of another host."""

    def answer(route: Route) -> None:
        route.fulfill(body="<h1>Elsewhere</h1>", content_type="text/html")

    context = browser.new_context(viewport={"width": 390, "height": 844}, locale="en", reduced_motion="reduce")
    context.route(f"{ELSEWHERE}**", answer)
    page = context.new_page()
    page.goto(ELSEWHERE)
    yield page
    context.close()


def handed_over(elsewhere: Page, server: Server, *sent: object) -> Page:
    """Return the server's page that the other page has opened, to which it sent these messages."""
    with elsewhere.context.expect_page() as opened:
        elsewhere.evaluate(HANDS_OVER, [f"{server.url}/tables/import", list(sent)])
    return opened.value


def test_a_table_that_is_handed_over_waits_for_a_tap_and_comes_twice_to_the_same_table(
    phones: Phones, elsewhere: Page, server: Server
) -> None:
    ana = phones()
    begin_match(ana, "beloz", "Ana", "Bo", "Cy", "Di")

    def exported() -> str:
        return ana.evaluate("async (address) => (await fetch(address)).text()", f"{ana.url.partition('/m/')[0]}/table.json")

    file = exported()
    renamed = json.dumps({**json.loads(file), "name": "<b>Den"})

    page = handed_over(elsewhere, server, {"companion": "table", "file": renamed, "me": "Ana", "link": ""})
    expect(page.get_by_role("heading", name="<b>Den")).to_be_visible()
    expect(page.get_by_text("A page of cards.example hands over this table.")).to_be_visible()
    expect(page.get_by_label("File exported from Companion")).to_be_hidden()
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_text("<b>Den").first).to_be_visible()
    expect(page.get_by_text("Ana", exact=True).first).to_be_visible()
    elsewhere.wait_for_function("() => window.answers.length === 2")
    link = elsewhere.evaluate("window.answers[1].link")
    assert page.url == f"{link}/table"
    assert link.startswith(f"{server.url}/t/")
    kept = json.loads(elsewhere.evaluate("window.answers[1].file"))
    assert kept["matches"] == json.loads(file)["matches"]

    again = handed_over(elsewhere, server, {"companion": "table", "file": renamed, "me": "Ana", "link": link})
    expect(again.get_by_text("This server has that table.")).to_be_visible()
    again.get_by_role("button", name="Import").click()
    expect(again.get_by_text("Everything is here")).to_be_visible()
    assert again.url == f"{link}/table"

    # both went on: what is left out stays in a copy to which no link of this server leads
    enter(ana, "beloz", beloz_round(100))
    bo = phones()
    bo.goto(f"{link}/m/1")
    enter(bo, "beloz", beloz_round(60))
    other = handed_over(elsewhere, server, {"companion": "table", "file": exported(), "me": "Ana", "link": link})
    expect(other.get_by_text("This server has that table.")).to_be_visible()
    look(other)
    other.get_by_role("button", name="Import").click()
    other.get_by_role("button", name="Keep the table’s entries").click()
    expect(other.get_by_text("They are still in the copy on this phone.")).to_be_visible()
    expect(other.get_by_role("link", name="Open the copy")).to_have_count(0)

    # a link that leads nowhere proves nothing
    lost = handed_over(
        elsewhere, server, {"companion": "table", "file": renamed, "me": "", "link": f"{server.url}/t/{22 * 'a'}"}
    )
    expect(lost.get_by_text("The one that was here before is gone.")).to_be_visible()


def test_what_is_no_table_is_refused_on_the_page(elsewhere: Page, server: Server) -> None:
    nonsense = ["table", None, {"companion": "table", "file": 7}, {"companion": "table", "file": (4 * 2**20 + 1) * "x"}]
    page = handed_over(elsewhere, server, *nonsense, {"companion": "table", "file": "<script>", "link": "javascript:alert(1)"})
    expect(page.get_by_text("A page of cards.example hands over this table.")).to_be_visible()
    page.get_by_role("button", name="Import").click()
    expect(page.locator("#main").get_by_text("This file can’t be read")).to_be_visible()
    expect(page.get_by_label("File exported from Companion")).to_be_visible()
    assert elsewhere.evaluate("window.answers.length") == 1
