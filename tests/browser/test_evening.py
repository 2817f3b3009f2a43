"""How do three phones spend an evening? With BeloZ and its rematch, then a Beluga Cup for two, then Bisque for three."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Phones
from tests.browser.looks import axe, fits, shot
from tests.browser.people import is_quiet, slow, total

MATCH = re.compile(r"/m/\d+$")
SECOND = 700  # milliseconds after which a tap at the same place is no double tap, which a new page does not take


def join(page: Page, link: str, name: str, seat: int) -> None:
    """Come by the link: a name, then a tap on the drawn table."""
    page.goto(link)
    page.get_by_label("What's your name?").fill(name)
    page.get_by_role("button", name="Next: choose your seat").tap()
    page.locator(f'[name=seat][value="{seat}"]').tap()
    page.wait_for_url("**/table")
    expect(page.locator("#toasts")).to_contain_text(f"You sit here, {name}.")


def take(page: Page, who: str, plain: str) -> None:
    """Open a round: who took the contract, and which plain is flooded."""
    is_quiet(page)
    page.locator("#now").get_by_role("button", name=who, exact=True).tap()
    page.wait_for_url("**/who")
    page.locator(f'[name=flooded][value="{plain}"] .plain-sign').tap()
    page.wait_for_url(MATCH)


def count(page: Page, points: str, last: int) -> None:
    """Count the open round and save it."""
    is_quiet(page)
    page.get_by_role("link", name=re.compile("Count round")).tap()
    page.wait_for_url("**/count")
    for digit in points:
        page.locator(f'[data-key="{digit}"]').tap()
    page.locator("label.tile", has=page.locator(f'input[name=last][value="{last}"]')).tap()
    page.get_by_role("button", name=re.compile("Save round")).tap()
    page.wait_for_url(MATCH)


def choose(page: Page, title: str, *people: str) -> None:
    """Choose the table's next game, and who plays it, and start."""
    is_quiet(page)
    page.locator("#games").get_by_role("button", name=title).tap()
    start = page.get_by_role("button", name=f"Start {title}")
    expect(start).to_be_visible()
    expect(page.locator("#playing")).to_contain_text(f"Who plays? {title} is for {len(people)}.")
    for tile in page.locator("#playing label.tile").all():
        if tile.locator("input").is_checked() != (tile.inner_text().strip() in people):
            tile.tap()
    start.tap()
    page.wait_for_url(MATCH)


def correct(page: Page, row: str) -> None:
    """Open a row, and its correction."""
    is_quiet(page)
    page.locator(f"#{row} summary").tap()
    page.wait_for_function(
        """row => document.querySelector(`#${row} a[href*="/entries/"]`)?.getBoundingClientRect().bottom
          < document.querySelector(".action-bar").getBoundingClientRect().top""",
        arg=row,
    )  # it comes into sight by itself
    page.locator(f"#{row}").get_by_role("link", name="Correct").tap()
    page.wait_for_url("**/entries/*")


def menu(page: Page, words: str) -> Locator:
    """Open the menu of the match, and find a way in it."""
    is_quiet(page)
    page.locator("summary[aria-label^='More']").tap()
    return page.locator("details.menu").get_by_role("button", name=words)


def test_an_evening_without_a_surprise(phones: Phones) -> None:
    # Bo plays from somebody else's phone: a fourth that follows is a third of the work once more
    ana, cy, di = phones(), phones("dark"), phones(width=360, height=640)
    everybody = (ana, cy, di)
    ana.goto("/tables/new?game=beloz")
    ana.get_by_label("Your name").fill("Ana")
    ana.get_by_label("On your right").fill("Bo")
    ana.get_by_role("button", name="Sit down").tap()
    ana.wait_for_url("**/table")
    table = urlsplit(ana.url).path.removesuffix("/table")
    slow(cy)
    join(cy, table, "Cy", 2)
    join(di, table, "Di", 3)
    expect(ana.locator("#around")).to_have_attribute("data-announce", "Ana, Bo, Cy and Di are at the table.")

    # BeloZ to 200: two rounds are enough. The others hear of each entry, of the undo and of the correction
    is_quiet(ana)
    ana.get_by_text("House rules").tap()
    ana.get_by_label("The match goes to").fill("200")
    ana.get_by_role("button", name="Start BeloZ").tap()
    for page in everybody:
        page.wait_for_url("**/m/1")
    take(cy, "Ana", "south")
    count(cy, "98", 0)
    expect(di.locator("#news")).to_contain_text("Cy saved round 1")
    expect(total(ana, 0)).to_have_text("108")
    take(ana, "Di", "east")
    expect(di.locator("#now")).to_contain_text("Di took it")
    undo = di.locator(".undo-named")
    expect(undo).to_contain_text("East flooded")
    is_quiet(di)
    undo.tap()  # the open round first, its newest step first
    expect(undo).to_contain_text("Di took it")
    di.wait_for_timeout(SECOND)
    undo.tap()
    expect(ana.locator("#now")).to_contain_text("Who took the contract?")
    expect(ana.locator("#news")).to_contain_text("Di")
    expect(undo).to_contain_text("round 1")
    di.wait_for_timeout(SECOND)
    undo.tap()
    expect(ana.locator("#news")).to_contain_text("Di undid round 1")
    expect(total(cy, 0)).to_have_text("0")
    menu(di, "Redo").tap()
    expect(total(cy, 0)).to_have_text("108")

    # Di corrects it, quickly, with a key where “Correct” was: the changed row says so on the others
    correct(di, "entry-1")
    for key in ("backspace", "backspace", "9", "0"):
        di.locator(f'[data-key="{key}"]').tap()
    expect(di.locator("#verdict dd").first).to_have_text("100 was 108")
    di.get_by_role("button", name="Save the correction").tap()
    expect(ana.locator("#entry-1")).to_contain_text("corrected by Di")
    expect(cy.locator("#news")).to_contain_text("Di corrected round 1")
    take(ana, "Ana", "west")
    count(ana, "95", 0)
    for page in everybody:
        expect(page.locator("#ending")).to_contain_text("Ana & Cy win")
    for page in (ana, di):  # the end fills the screen: no row lies half behind the dock
        assert page.evaluate("document.querySelector('.history').getBoundingClientRect().top >= innerHeight")
    fits(di)
    axe(di)
    shot(di, "evening-end")

    # everybody follows to the rematch by themselves; only who is typing is neither taken along nor left behind
    correct(ana, "entry-1")
    ana.locator('[data-key="backspace"]').tap()
    cy.get_by_role("radio", name="Chart").tap()  # to look at a chart is not to type
    is_quiet(di)
    di.get_by_role("button", name=re.compile("Rematch")).tap()
    for page in (cy, di):
        page.wait_for_url("**/m/2")
    assert ana.url.endswith("/entries/1")
    expect(ana.locator("#points")).to_have_value("9")
    ana.get_by_role("link", name="Back").tap()
    expect(ana.locator("#next-match")).to_contain_text("Di started a rematch")
    ana.get_by_role("link", name="Go there").tap()
    ana.wait_for_url("**/m/2")
    dealt = di.locator("#now").inner_text()
    ana.get_by_role("button", name="Everyone passed").tap()
    expect(ana.locator("#toasts")).to_contain_text("Undo")
    expect(di.locator("#now")).not_to_have_text(dealt)
    menu(di, "Stop the match here").tap()
    expect(ana.locator("#now")).to_contain_text("Match stopped")
    assert not ana.locator("#toasts").inner_text(), "it offers to undo what is no longer the newest"
    expect(cy.locator("#now")).to_contain_text("Match stopped")

    # a cup for two of them; the others look on
    expect(ana.get_by_role("link", name="Other game")).to_be_visible()
    is_quiet(ana)
    ana.get_by_role("link", name="Other game").tap()
    ana.wait_for_url("**/table")
    expect(ana.locator("#played")).to_contain_text("Last time: BeloZ")
    choose(ana, "Beluga Cup", "Cy", "Di")
    for page in everybody:
        page.wait_for_url("**/m/3")
    ana.get_by_role("button", name=re.compile("^Draw")).tap()  # she sits out, and is named all the same
    expect(cy.locator(".zone-water .fish")).to_have_count(10)
    expect(cy.locator("#news")).to_contain_text("Ana")
    is_quiet(cy)
    cy.locator('a[href*="play"][href*="zone=2"]').last.tap()
    cy.wait_for_url("**/play?*")
    cy.locator(".deck [data-fits]:not([value^=ace])").first.tap()
    cy.wait_for_url(MATCH)
    expect(di.locator("#news")).to_contain_text("Cy")
    shot(di, "evening-cup")
    is_quiet(di)
    di.locator(".undo-named").tap()
    expect(cy.locator("#news")).to_contain_text("Di undid")
    expect(cy.locator("#toasts")).to_be_empty()  # what it offered to undo is gone
    expect(di.locator("#toasts")).not_to_be_empty()  # the answer to Di's own tap is there
    menu(di, "Stop the match here").tap()

    # Bisque for three: Cy's slow taps count as well, a trick is corrected, and the goal stays on its own phone
    expect(ana.get_by_role("link", name="Other game")).to_be_visible()
    is_quiet(ana)
    ana.get_by_role("link", name="Other game").tap()
    ana.wait_for_url("**/table")
    choose(ana, "Bisque", "Ana", "Bo", "Cy")
    for page in everybody:
        page.wait_for_url("**/m/4")
    expect(di.locator("#trick-title")).to_have_text("Who won trick 1?")  # Di sits out, and is not asked who that is
    expect(di.locator("#trick")).to_be_visible()
    ana.locator("#goal-begin").tap()  # what the cup listened to means nothing here
    ana.locator("[data-goal-pick]").first.tap()
    cy.locator("#goal-skip").tap()  # on a slow line the page comes with what its buttons do
    for number, (page, cook, card) in enumerate(((cy, 1, "8-waves-leaves"), (ana, 0, "ace-moons")), start=1):
        expect(page.locator("#trick-title")).to_have_text(f"Who won trick {number}?")
        is_quiet(page)
        page.locator("#trick .chef").nth(cook).tap()
        page.locator(f'#trick [name=card][value="{card}"]').tap()
    pot = di.locator(".pot")
    expect(pot).to_have_attribute("aria-label", "The pot: 2 of 11 cards")
    expect(di.locator("#news")).to_contain_text("Ana")
    expect(cy.locator(".pot")).to_have_attribute("aria-label", "The pot: 2 of 11 cards")
    is_quiet(cy)
    cy.locator(".undo-named").tap()
    expect(pot).to_have_attribute("aria-label", "The pot: 1 of 11 cards")
    expect(ana.locator("#news")).to_contain_text("Cy undid")
    shot(ana, "evening-bisque")
    axe(ana)

    # all of it on one page
    di.goto(f"{table}/matches")
    rows = di.locator("#matches .match-row")
    expect(rows).to_have_count(4)
    expect(rows.nth(0)).to_contain_text("Bisque, being played")
    expect(rows.nth(3)).to_contain_text("Ana & Cy won, 205 to 121")
    axe(di)
    shot(di, "evening")
    di.set_viewport_size({"width": 320, "height": 568})
    fits(di)
