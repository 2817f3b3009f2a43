"""Does a phone whose code is not even tried come in by a tap on another phone at the table, with scripts and without?"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Phones
from tests.browser.looks import axe, fits_everywhere, shot
from tests.browser.people import is_quiet, sit_down, start_beloz

WRONG = "222 222"


def is_let_in(page: Page) -> None:
    """Wait until a phone is asked for the name of who holds it, which is how one comes to a table."""
    page.wait_for_url("**/join")
    expect(page.get_by_text("What’s your name?").first).to_be_visible()


def ask(page: Page, code: str) -> str:
    """Type the code when ten wrong ones were typed before, and ask to be let in; return the number on the phone."""
    page.goto("/")
    token = page.locator("[name=csrf_token]").first.input_value()
    for _ in range(10):
        page.request.post("/join", form={"code": WRONG, "csrf_token": token})
    page.get_by_label("Table code").fill(code)
    page.get_by_role("button", name="Join", exact=True).click()
    page.get_by_role("button", name="Ask to be let in").click()
    page.wait_for_url("**/join/wait")
    return page.locator(".code b").inner_text()


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_a_tap_at_the_table_lets_a_phone_in(phones: Phones, scripts: bool) -> None:
    ana = phones(width=360, height=640)
    sit_down(ana, "beloz", "Ana", "Bo", "Cy", "Di")
    code = ana.locator(".code b").inner_text()
    start_beloz(ana)
    ana.wait_for_url("**/m/1")
    expect(ana.locator("[data-live-dot]")).not_to_have_class(re.compile(r"\boff\b"))
    eve = phones(scripts=scripts)
    number = ask(eve, code)
    asks = ana.locator("#toasts").get_by_text(f"Somebody asks to join. Their phone shows {number}.")
    expect(asks).to_be_visible()
    is_quiet(ana)
    if scripts:
        shot(ana, "knock-in-match")
        shot(eve, "knock-waits")
        axe(ana, targets=True)
        axe(eve)
        fits_everywhere(eve)
    ana.wait_for_timeout(650)  # sooner a tap was meant for what stood there before
    ana.get_by_role("button", name="Let in").click()
    is_let_in(eve)
    expect(asks).to_have_count(0)
    expect(ana).to_have_url(re.compile(r"/m/1$"))
