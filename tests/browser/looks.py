"""Is a page readable for everybody in both themes, and no wider than the phone? And pictures of it."""

from __future__ import annotations

import os
from pathlib import Path

from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from axe_playwright_python.sync_playwright import DEFAULT_OPTIONS
from playwright.sync_api import Page

# colours that fade into another theme are neither the one nor the other while they do
SETTLE = """async () => {
  for (let frame = 0; frame < 3; frame++) {
    await new Promise(requestAnimationFrame);
    for (const each of document.getAnimations()) if (each.effect.getComputedTiming().endTime < Infinity) each.finish();
  }
}"""

COLOURS = {"runOnly": ["color-contrast"]}
# what axe looks at only if it is asked to: targets that are too small, or half behind a dock
TARGETS = DEFAULT_OPTIONS | {"rules": {"target-size": {"enabled": True}}}

WIDTHS = (320, 390, 1280)  # of the smallest phone, of most, and of a computer


def axe(page: Page, *, targets: bool = False) -> None:
    """Assert that axe finds nothing wrong with the page, nor with its other colours in the dark theme.

    ``targets``: nor with the size of what can be tapped where the page stands now.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    for theme, options in (("light", TARGETS if targets else DEFAULT_OPTIONS), ("dark", DEFAULT_OPTIONS | COLOURS)):
        page.emulate_media(color_scheme=theme)
        page.evaluate(SETTLE)
        found = AxeResults(page.evaluate("options => axe.run(options)", options))
        assert found.violations_count == 0, f"{theme}: {page.url}\n{found.generate_report()}"


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


def shot(page: Page, name: str) -> None:
    """Keep a picture of the whole page in the folder COMPANION_SHOTS, if that is set."""
    folder = os.environ.get("COMPANION_SHOTS")
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)
