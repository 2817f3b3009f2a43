"""Do all phones see at once who doubts an entry, and how that was settled, without loading a page again?"""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import Phones
from tests.browser.looks import axe, fits_everywhere
from tests.browser.people import begin_match, come, look


def count_a_round(page: Page) -> None:
    """Pass one deal and count the next, so that the history has a round and a row without points."""
    page.get_by_role("button", name="Everyone passed").tap()
    expect(page.locator("#rows details")).to_have_count(1)
    look(page)
    page.locator("#now").get_by_role("button", name="Ana").tap()
    page.locator('[name=flooded][value="north"]').first.tap()
    page.get_by_role("link", name="Count round").tap()
    for key in ("9", "8"):
        page.locator(f'[data-key="{key}"]').tap()
    page.locator('label.tile:has(input[name=last][value="0"])').tap()
    page.get_by_role("button", name="Save").tap()
    expect(page.locator("#rows details")).to_have_count(2)


def test_a_doubt_reaches_the_other_phone_and_its_end_comes_back(phones: Phones) -> None:
    ana = phones(width=360, height=640)
    begin_match(ana, "beloz", "Ana", "Bo", "Cy", "Di")
    count_a_round(ana)
    bo = come(phones(), ana, "Bo")
    ana.evaluate("window.same = true")
    row = bo.locator("#entry-2")
    row.locator("summary").tap()
    row.get_by_role("button", name="Doubt it").tap()
    doubted = ana.locator(".doubted")
    expect(doubted).to_contain_text("Bo doubts it")
    expect(ana.locator("#news")).to_contain_text("Bo doubts round")
    assert ana.evaluate("window.same")
    axe(ana, targets=True)
    fits_everywhere(ana)
    ana.set_viewport_size({"width": 1280, "height": 800})
    middles = [
        place["y"] + place["height"] / 2 for part in (".icon", "h2") if (place := doubted.locator(part).first.bounding_box())
    ]
    assert abs(middles[0] - middles[1]) < 2, "the sign stands beside the words"
    ana.set_viewport_size({"width": 360, "height": 640})
    look(ana)
    doubted.get_by_role("button", name="It is right").tap()
    expect(bo.locator(".doubted")).to_have_count(0)
    expect(bo.locator("#news")).to_contain_text("Ana says it is right, which Bo doubted")
