"""Is a page readable for everybody in both themes, and no wider than the phone? And pictures of it."""

from __future__ import annotations

import os
from pathlib import Path

from axe_playwright_python.base import AXE_SCRIPT
from axe_playwright_python.sync_playwright import DEFAULT_OPTIONS
from playwright.sync_api import Page, expect

from tests.browser.people import wait_until

# colours that fade into another theme are neither the one nor the other while they do
SETTLE = """async () => {
  const moving = () => document.getAnimations().filter((each) => each.effect.getComputedTiming().endTime < Infinity);
  for (let frame = 0; frame < 3 || (frame < 60 && moving().length); frame++) {
    await new Promise(requestAnimationFrame);
    for (const each of moving()) each.finish();
  }
}"""

COLOURS = {"runOnly": ["color-contrast"]}
# no rule in use needs the style sheets fetched once more, and to find a selector for each element takes a sixth of the time
WHOLE = DEFAULT_OPTIONS | {"preload": False, "selectors": False}
# what axe looks at only if it is asked to: targets that are too small, or half behind a dock
TARGETS = WHOLE | {"rules": {"target-size": {"enabled": True}}}
WRONG = """async (options) => (await axe.run(options)).violations.flatMap(({ id, nodes }) =>
  nodes.map(({ html, failureSummary }) => `${id}: ${html}\\n${failureSummary}`))"""

WIDTHS = (320, 390, 1280)  # of the smallest phone, of most, and of a computer


def axe(page: Page, *, targets: bool = False, colours: bool = False, dark: bool = False) -> None:
    """Assert that axe finds nothing wrong with the page, in the theme that it has.

    ``targets``: nor with the size of what can be tapped where the page stands now. ``colours``: look at nothing else. ``dark``:
    nor with the colours of the dark theme. That takes as long again: once is enough for the pieces that only one page has.
    """
    whole = WHOLE | COLOURS if colours else TARGETS if targets else WHOLE
    if not page.evaluate("'axe' in window"):
        line = page.context.new_cdp_session(page)  # by which the browser knows what it has compiled for a page before
        line.send("Runtime.evaluate", {"expression": AXE_SCRIPT})
        line.detach()
    for theme, options in (("light", whole), ("dark", WHOLE | COLOURS)) if dark else ((None, whole),):
        page.emulate_media(color_scheme=theme)
        for _ in range(2):  # what moved while axe looked is looked at once more
            page.evaluate(SETTLE)
            if not (wrong := page.evaluate(WRONG, options)):
                break
        assert not wrong, f"{theme}: {page.url}\n" + "\n".join(wrong)


def fits(page: Page) -> None:
    """Assert that nothing sticks out to the side, so that the page never scrolls sideways."""
    wider = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wider <= 0, f"{page.url} is {wider} pixels wider than the screen"
    cut = page.evaluate(
        "[...document.querySelectorAll('table')].filter(each => each.getBoundingClientRect().right > innerWidth).length"
    )
    assert cut == 0, f"{page.url} shows only a part of {cut} tables"


def fits_everywhere(page: Page) -> None:
    """Assert the same on the smallest phone, on most, and on a computer: the page is opened once."""
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 844})
        fits(page)


def fits_smallest(page: Page) -> None:
    """Assert the same on the smallest phone alone, and have the screen of before again."""
    before = page.viewport_size
    assert before is not None
    page.set_viewport_size({"width": 320, "height": 568})
    fits(page)
    page.set_viewport_size(before)


TEXTS = """() => [...document.body.querySelectorAll("*")].filter((one) => {
  if (one.closest(".visually-hidden, svg, [hidden]") || !one.checkVisibility({ visibilityProperty: true })) return false;
  const words = [...one.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
  const range = document.createRange();
  return words.some((node) => {
    range.selectNodeContents(node);
    return range.getBoundingClientRect().width > 1;
  }) && getComputedStyle(one).position !== "absolute" && parseFloat(getComputedStyle(one).fontSize) > 0;
})"""
MEASURE = f"() => {{ window.before = new Map(({TEXTS})().map((one) => [one, parseFloat(getComputedStyle(one).fontSize)])); }}"
STUNTED = f"""([times, enough]) => ({TEXTS})()
  .map((one) => [one, parseFloat(getComputedStyle(one).fontSize), window.before.get(one)])
  .filter(([, now, before]) => now < Math.min(times * before, enough))
  .map(([one, now, before]) => `${{(now / before).toFixed(2)}} ${{one.outerHTML.slice(0, 160)}}`)"""
COVERED = """(place) => {
  const { left, right, top, bottom } = place.getBoundingClientRect();
  const points = [0.1, 0.5, 0.9].map((down) => [(left + right) / 2, top + (bottom - top) * down]);
  const there = points.map((point) => document.elementFromPoint(...point));
  return there.filter((one) => !place.contains(one)).map((one) => one.outerHTML);
}"""
# keys of one part of the page of which one lies over the other
OVERLAP = """() => [".app-bar", "main", ".action-bar"].flatMap((part) => {
  const keys = [...document.querySelectorAll(`${part} :is(a, button, label, summary)`)]
    .filter((key) => !key.closest("dialog") && key.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true }))
    .map((key) => [key, key.getBoundingClientRect()]);
  return keys.flatMap(([one, a], n) => keys.slice(n + 1)
    .filter(([other, b]) => !one.contains(other)
      && a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1)
    .map(([other]) => [one, other].map((key) => key.outerHTML.slice(0, 160))));
})"""
GROWS = 1.6  # at least, where somebody wants text at twice its size
HUGE = 64  # pixels: a number of this size has no need to grow


def font_size(page: Page, size: int) -> None:
    """Have text in this size where 16 is usual, as a browser is told to have it."""
    page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": size}})
    is_so = """(size) => getComputedStyle(document.documentElement).fontSize === `${size}px`
      && matchMedia(`(width: ${innerWidth / size}em)`).matches"""
    wait_until(page, lambda: page.evaluate(is_so, size))
    page.evaluate(SETTLE)


def screen(page: Page, width: int, height: int) -> None:
    """Have a screen of this size, and wait until the page is laid out for it."""
    page.set_viewport_size({"width": width, "height": height})
    wait_until(page, lambda: page.evaluate("(one) => matchMedia(one).matches", f"(width: {width}px) and (height: {height}px)"))


def grows(page: Page, *in_sight: str) -> None:
    """Assert that text of twice its size grows on small phones too, nothing sticks out to the side, and these stay in sight.

    At twice the size all phones in one hand meet the same conditions of the style sheets (17em wide, 31em high): the smallest
    has the least room, and on most the text was larger before.
    """
    for width, height in ((320, 568), (390, 844)):
        screen(page, width, height)
        font_size(page, 16)
        page.evaluate(MEASURE)
        font_size(page, 32)
        stunted = page.evaluate(STUNTED, [GROWS, HUGE])
        assert stunted == [], (page.url, width, height, stunted)
        fits(page)
        assert page.evaluate(OVERLAP) == [], (page.url, width, height)
        for end in (0, 9999):
            page.evaluate("(end) => scrollTo(0, end)", end)
            for place in in_sight:
                expect(page.locator(place)).to_be_in_viewport(ratio=1)
                assert page.locator(place).evaluate(COVERED) == [], (page.url, width, height, place)
        page.evaluate("scrollTo(0, 0)")
    font_size(page, 16)


def totals_line_up(page: Page) -> None:
    """Assert that two entries that differ have their totals beside each other, each number at the end of its line."""
    sides = page.locator(".conflict-side").evaluate_all("""(sides) => sides.map((side) =>
      [...side.querySelectorAll(".conflict-totals dd")].map((number) => {
        const { top, right } = number.getBoundingClientRect();
        return [Math.round(top), Math.round(right)];
      }))""")
    theirs, mine = ([top for top, _ in side] for side in sides)
    assert theirs
    assert theirs == mine
    assert [len({end for _, end in side}) for side in sides] == [1, 1]


NEWS_MOVE = """async (what) => {
  const frame = () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  const line = document.querySelector(".news");
  const stand = () => [...document.querySelectorAll(what)]
    .filter((one) => !one.closest(".news") && one.checkVisibility())
    .map((one) => [one, one.getBoundingClientRect()]);
  const told = stand();
  const { left, right, top, bottom } = line.getBoundingClientRect();
  const covers = told.filter(([, box]) => box.left < right && box.right > left && box.top < bottom && box.bottom > top);
  line.classList.remove("shown");
  await frame(); // what sticks to an edge is put there with the next picture
  const before = stand();
  line.classList.add("shown");
  await frame();
  const moved = told.filter(([, box], n) => Math.abs(box.top - before[n][1].top) + Math.abs(box.left - before[n][1].left) > 1);
  return [...covers, ...moved].map(([one]) => one.outerHTML);
}"""


def news_move_nothing(page: Page, what: str) -> None:
    """Assert that the line of what another phone did moves and covers none of these, on small phones and sideways too."""
    expect(page.locator(".news.shown")).to_be_visible()
    size = page.viewport_size
    assert size is not None
    for width, height in ((360, 640), (320, 568), (844, 390), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(SETTLE)
        wrong = page.evaluate(NEWS_MOVE, what)
        assert wrong == [], (width, height, wrong)
    page.set_viewport_size(size)


def shot(page: Page, name: str) -> None:
    """Keep a picture of the whole page in the folder COMPANION_SHOTS, if that is set."""
    folder = os.environ.get("COMPANION_SHOTS")
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)
