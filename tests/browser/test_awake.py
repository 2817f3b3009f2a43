"""Does the screen stay awake during a match where browsers lock no sleep? A silent video plays, unless switched off."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import Phones
from tests.browser.people import look, sit_down_to_beloz, start_beloz, wait_until

PLAIN = "Object.defineProperty(Navigator.prototype, 'wakeLock', { get: () => undefined })"
PLAYS = (
    "() => { const video = document.querySelector('video'); return Boolean(video && !video.paused && video.currentTime > 0) }"
)


def plays(page: Page) -> bool:
    return bool(page.evaluate(PLAYS))


def test_a_silent_video_plays_during_a_match_until_it_is_switched_off(phones: Phones) -> None:
    ana = phones()
    ana.add_init_script(PLAIN)
    sit_down_to_beloz(ana, "Bo", "Cy", "Di")
    assert ana.locator("video").count() == 0
    start_beloz(ana)
    wait_until(ana, lambda: plays(ana))
    video = ana.locator("video")
    assert video.evaluate("video => [video.loop, video.muted, video.duration]") == [False, True, 2]
    box = video.bounding_box()
    assert box is not None
    assert (box["width"], box["height"]) == (390, 844)
    ana.get_by_role("link", name="Count round 1").click()
    expect(ana.get_by_role("heading", level=1)).to_have_text("Count round 1")
    assert plays(ana)
    ana.get_by_role("link", name="Back").first.click()
    expect(ana.get_by_role("heading", level=1)).to_have_text("BeloZ")
    look(ana)
    menu = ana.locator("#bar summary")
    menu.click()
    switch = ana.get_by_role("switch", name="Screen stays on")
    expect(switch).to_be_checked()
    switch.click()
    expect(switch).not_to_be_checked()
    assert not plays(ana)
    ana.reload()
    menu.click()
    expect(switch).not_to_be_checked()
    assert ana.locator("video").count() == 0
    switch.click()
    wait_until(ana, lambda: plays(ana))
    ana.get_by_role("link", name="Back to the table").click()
    expect(ana.get_by_role("heading", level=1)).to_contain_text("table")
    assert not plays(ana)
