"""Where does the browser's Back lead? One screen up, as the arrow of a page does, whatever was filled in since."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from playwright.sync_api import Page, expect

from tests.browser.conftest import Phones
from tests.browser.people import begin_match, is_quiet, sit_down, sit_down_to_beloz, start_beloz
from tests.browser.test_following import stop


def back(page: Page, path: str) -> None:
    """Go back, as the phone's own key does, and find this page."""
    page.go_back()
    page.wait_for_url(f"**{path}")
    expect(page.locator("h1")).to_be_visible()


def save_a_round(page: Page, flooded: str = "south") -> None:
    """Tap all steps of a round of BeloZ from the match's page: who took it, the plain, the count."""
    page.locator("#now").get_by_role("button", name="Ana", exact=True).click()
    page.wait_for_url("**/who")
    page.locator(f'[name=flooded][value="{flooded}"] .plain-sign').click()
    page.wait_for_url("**/m/1")
    page.get_by_role("link", name=re.compile("^Count round")).click()
    page.wait_for_url("**/count")
    page.locator("#points").fill("98")
    page.locator("label.tile", has=page.locator('input[name=last][value="0"]')).click()
    page.get_by_role("button", name=re.compile("^Save round")).click()
    page.wait_for_url("**/m/1")


def test_back_leads_from_the_match_to_the_table_however_much_was_entered(phones: Phones) -> None:
    page = phones(width=360, height=640)
    page.goto("/")
    page.get_by_role("link", name=re.compile("BeloZ.*Start at a table", re.DOTALL)).click()
    expect(page.get_by_label("Your name")).to_be_visible()
    back(page, "/")
    sit_down_to_beloz(page, "Bo", "Cy", "Di")
    page.wait_for_url("**/table")
    table = urlsplit(page.url).path
    start_beloz(page)
    save_a_round(page)
    page.locator("#entry-1 summary").click()
    page.locator("#entry-1").get_by_role("link", name="Correct").click()
    page.wait_for_url("**/entries/1")
    back(page, "/m/1")  # a form that is left is one screen
    is_quiet(page)
    save_a_round(page)
    back(page, table)
    page.reload()
    back(page, "/")
    page.go_forward()
    expect(page.locator("h1")).to_be_visible()


def test_back_leads_through_a_form_that_is_not_done_yet(phones: Phones) -> None:
    page = phones()
    sit_down_to_beloz(page, "Bo", "Cy", "Di")
    page.wait_for_url("**/table")
    start_beloz(page)
    page.locator("#now").get_by_role("button", name="Ana", exact=True).click()
    page.wait_for_url("**/who")
    back(page, "/m/1")
    back(page, "/table")


def test_back_never_leads_to_a_match_that_has_a_rematch(phones: Phones) -> None:
    page = phones()
    page.goto("/")
    table = begin_match(page, "rivals", "Ana", "Bo")
    page.get_by_role("link", name="Back").click()
    page.wait_for_url("**/table")
    page.get_by_role("link", name=re.compile("Go to the match")).first.click()
    page.wait_for_url("**/m/1")
    stop(page)
    page.get_by_role("button", name=re.compile("Rematch")).click()
    page.wait_for_url("**/m/2")
    back(page, f"{table}/table")


def test_who_joined_is_never_asked_again_by_back(phones: Phones) -> None:
    ana, eve = phones(), phones()
    sit_down(ana, "beloz", "Ana", "Bo")
    eve.goto("/rules")
    eve.goto(ana.url.removesuffix("/table"))
    eve.keyboard.type("Eve")
    eve.keyboard.press("Enter")
    eve.wait_for_url("**/join/seat")
    eve.locator('[name=seat][value="3"]').tap()
    eve.wait_for_url("**/table")
    back(eve, "/rules")


def test_back_closes_a_sheet_and_no_more(phones: Phones) -> None:
    page = phones()
    sit_down_to_beloz(page, "Bo", "Cy", "Di")
    page.wait_for_url("**/table")
    page.locator("#around a.seat").nth(1).click()
    sheet = page.locator("dialog#sheet")
    expect(sheet).to_be_visible()
    page.go_back()
    expect(sheet).to_be_hidden()
    expect(page).to_have_url(re.compile("/table$"))
    start_beloz(page)
    back(page, "/table")
    back(page, "/")
