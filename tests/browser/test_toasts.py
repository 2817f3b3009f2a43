"""Does a toast lie beside whatever is tapped or read next? On small phones and most, in every game and before it."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Phones
from tests.browser.looks import screen
from tests.browser.people import begin_match, is_answered, look
from tests.browser.test_rivals_table import FIRST, WhaleTaps

# what the toast covers of keys, of the line that tells whose turn it is, of questions and seats; none while there is no toast
COVERED = """async () => {
  const EDGE = 4; // pixels of the empty edge of a line or key: a code of seven letters leaves no more room in the lobby
  const toast = document.querySelector("#toasts > *")?.getBoundingClientRect();
  if (!toast?.height) return null;
  const { KEYS } = await import(new URL("taps.js", document.querySelector("script[src$='/companion.js']").src));
  return [...document.querySelectorAll(`${KEYS}, h2, .whose-turn, .seat, .code b`)]
    .filter((one) => !one.closest("#toasts, .history, .number-field, .menu-list, dialog"))
    .filter((one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
    .filter((one) => {
      const { left, right, top, bottom } = one.getBoundingClientRect();
      return left < toast.right && right > toast.left && top < toast.bottom - EDGE && bottom > toast.top + EDGE;
    })
    .map((one) => one.outerHTML.slice(0, 200));
}"""
# whether the words of its key lie in it whole
WHOLE = """(toast) => [...toast.querySelectorAll("button")]
  .every((key) => key.getBoundingClientRect().right <= toast.getBoundingClientRect().right)"""
SIZES = ((360, 640), (390, 844))


def covers_nothing(page: Page) -> None:
    """Wait until the toast has found its place, and assert that nothing lies below it."""
    until = time.monotonic() + 10
    while (covered := page.evaluate(COVERED)) != [] and time.monotonic() < until:
        page.wait_for_timeout(50)
    assert covered == []


def beloz(page: Page) -> None:
    begin_match(page, "beloz", "Ana", "Bo", "Cy", "Di")
    page.get_by_role("button", name="Everyone passed").tap()


def beluga_cup(page: Page) -> None:
    begin_match(page, "beluga-cup", "Ana", "Bo")
    page.get_by_role("button", name=re.compile("^Draw")).tap()


def no_card_fits(page: Page) -> None:
    beluga_cup(page)
    expect(page.locator(".whose-turn")).to_be_visible()
    look(page)
    page.get_by_role("link", name="No card fits").tap()
    page.get_by_role("button", name="2", exact=True).tap()
    expect(page.locator("#sheet")).to_be_hidden()


def bisque(page: Page) -> None:
    begin_match(page, "bisque", "Ana", "Bo", "Cy")
    page.locator("#goal-skip").tap()
    page.locator("#trick .chef").first.tap()
    look(page)
    page.locator("#trick [name=card][value='7-suns-knots']").tap()


def rivals(page: Page) -> None:
    begin_match(page, "rivals", "Ana", "Bo")
    WhaleTaps(page).play_round(FIRST, "Ana")


def what_the_fish(page: Page) -> None:
    begin_match(page, "what-the-fish", "Ana", "Bo", "Cy")
    page.locator('.keypad [data-key="8"]').tap()
    page.locator("#keys button").first.tap()


def free(page: Page) -> None:
    what_the_fish(page)
    expect(page.locator(".layers")).to_be_visible()
    look(page)
    page.locator("#ends [value^=free]").tap()


def lobby(page: Page) -> None:
    page.goto("/tables/new?game=beloz")
    page.get_by_label("Your name").fill("Ana")
    page.get_by_role("button", name="Sit down").tap()
    page.wait_for_url("**/table")
    link = page.url.removesuffix("/table")
    page.context.clear_cookies()
    page.goto(link)
    page.get_by_label("What’s your name?").fill("Bo")
    page.get_by_role("button", name="Next: choose your seat").tap()
    page.locator('[name=seat][value="1"]').tap()
    page.wait_for_url("**/table")


@pytest.mark.parametrize("enter", [beloz, beluga_cup, no_card_fits, bisque, rivals, what_the_fish, free, lobby])
def test_a_toast_is_whole_and_lies_on_nothing_that_comes_next(phones: Phones, enter: Callable[[Page], None]) -> None:
    page = phones(width=SIZES[0][0], height=SIZES[0][1])
    enter(page)
    page.locator("#toasts button").evaluate("(undo) => undo.focus({ preventScroll: true })")  # so that it stays
    is_answered(page)
    for width, height in SIZES:
        screen(page, width, height)
        for down in (0, 120):
            page.evaluate("down => scrollTo(0, down)", down)
            covers_nothing(page)
        assert page.locator("#toasts > *").evaluate(WHOLE)
