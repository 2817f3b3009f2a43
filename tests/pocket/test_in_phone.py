"""Companion in a phone: taken along, played with no server there, restarted, and removed."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Phones
from tests.browser.test_beloz_table import play_round
from tests.server import Server

READY = 120_000  # milliseconds on a busy machine until Python has started


def take_along(page: Page) -> None:
    """Open the home page and tap the offer."""
    page.goto("/")
    page.get_by_role("button", name=re.compile("Take it along, [0-9]+ MB")).click()
    expect(page.locator("#take-along").get_by_text("Companion is in this phone")).to_be_visible(timeout=READY)


def new_table(page: Page, game: str, *people: str) -> None:
    """From the home page to a table in this phone."""
    page.get_by_role("link", name="New table in this phone").click()
    expect(page.get_by_role("link", name="Tables with other phones")).to_be_visible(timeout=READY)
    page.get_by_role("link", name=re.compile(f"{game}.*Start at a table", re.DOTALL)).click()
    fields = page.locator("input[name^=person_]")
    expect(fields.first).to_be_visible()
    for field, name in zip(fields.all(), people, strict=False):
        field.fill(name)
    page.get_by_role("button", name="Sit down").click()
    expect(page.get_by_text("Only this phone has this table.")).to_be_visible()


@pytest.fixture
def ana(people: Phones) -> Page:
    """A phone that has taken Companion along."""
    page = people(keeps_pages=True)
    take_along(page)
    return page


def test_a_table_of_the_phone_needs_no_server_and_survives_a_restart(ana: Page, server: Server) -> None:
    server.stop()
    new_table(ana, "BeloZ", "Ana", "Bo", "Cy", "Di")
    ana.get_by_role("button", name="Start BeloZ").click()
    play_round(ana, "Bo", "north", "100")
    expect(ana.locator("[data-score]").first).not_to_have_text("0")
    ana.locator("#toasts").get_by_role("button", name="Undo").click()
    expect(ana.locator("[data-score]").first).to_have_text("0")
    ana.get_by_role("link", name="Count round 1").click()  # who took it, and the plain, are still known
    ana.locator('[data-key="9"]').click()
    ana.locator('[data-key="1"]').click()
    ana.locator("label.tile", has=ana.locator('input[name=last][value="0"]')).click()
    ana.get_by_role("button", name="Save round 1").click()
    expect(ana.locator("[data-score]").first).not_to_have_text("0")
    scores = ana.locator("[data-score]").all_inner_texts()

    ana.reload()  # Python and everything else comes from this phone
    expect(ana.locator("[data-score]").first).to_have_text(scores[0], timeout=READY)
    assert ana.locator("[data-score]").all_inner_texts() == scores
    ana.goto("/")
    ana.get_by_role("link", name=re.compile("Continue: .*table")).click()
    expect(ana.locator("[data-score]").first).to_have_text(scores[0], timeout=READY)


def test_rules_and_look_ups_are_in_the_phone_too(ana: Page, server: Server) -> None:
    server.stop()
    ana.goto("/pocket/may-i/beloz")
    expect(ana.get_by_role("heading", level=1)).to_contain_text("May I", timeout=READY)
    for address, words in (("/pocket/rules/rivals", "Rivals"), ("/pocket/calculate/bisque", "Calculate a hand")):
        ana.evaluate(f"location.href = '{address}'")
        expect(ana.get_by_role("heading", level=1)).to_contain_text(words, timeout=READY)


def test_a_download_that_breaks_changes_nothing_and_begins_anew(people: Phones, server: Server) -> None:
    page = people(keeps_pages=True)
    page.goto("/")
    page.context.route("**/python.zip", lambda route: route.abort())
    page.get_by_role("button", name=re.compile("Take it along")).click()
    expect(page.get_by_text("It did not arrive whole.")).to_be_visible(timeout=READY)
    assert page.evaluate("localStorage.getItem('companion:in-phone')") is None
    page.context.unroute("**/python.zip")
    page.get_by_role("button", name=re.compile("Take it along")).click()
    expect(page.locator("#take-along").get_by_text("Companion is in this phone")).to_be_visible(timeout=READY)


def test_removed_it_is_offered_again_and_nothing_stays(ana: Page) -> None:
    ana.get_by_role("button", name="Remove").first.click()
    ana.locator("dialog[open]").get_by_role("button", name="Remove").click()
    expect(ana.get_by_role("button", name=re.compile("Take it along"))).to_be_visible()
    assert not [name for name in ana.evaluate("caches.keys()") if name.startswith("pocket ")]
    assert ana.evaluate("indexedDB.databases().then((all) => all.map(({ name }) => name))") in ([], ["companion"])
    ana.goto("/pocket/")
    expect(ana.get_by_text("Companion is not in this phone")).to_be_visible()
