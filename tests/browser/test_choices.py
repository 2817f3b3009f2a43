"""What changes on a page by what its phone chose? Docks for the left thumb, upright and on its side."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import Phones
from tests.browser.looks import fits, shot
from tests.browser.people import begin_match, come_by_code, wait_until
from tests.browser.test_bisque_table import send

LEFT = "(one) => one.getBoundingClientRect().left"
MIDDLE = "(one) => { const { left, right } = one.getBoundingClientRect(); return (left + right) / 2 / innerWidth; }"


def choose(phone: Page, **choices: str) -> None:
    """Choose as the page of choices does, and look at the same page again."""
    url = phone.url
    for name, value in choices.items():
        phone.context.add_cookies([{"name": name, "value": value, "url": url}])
    phone.reload()


def test_docks_for_the_left_thumb_are_mirrored(phones: Phones) -> None:
    ana = phones()
    path = begin_match(ana, "beloz", "Ana", "Bo", "Cy", "Di")
    ana.goto(f"{path}/m/1/count")
    ana.set_viewport_size({"width": 844, "height": 390})
    assert ana.locator(".action-bar").evaluate(MIDDLE) > 0.5
    choose(ana, hand="left")
    assert ana.locator(".action-bar").evaluate(MIDDLE) < 0.5
    assert ana.locator("main").evaluate(MIDDLE) > 0.5
    fits(ana)
    shot(ana, "left-sideways-count")
    ana.goto(f"{path}/m/1")
    ana.get_by_role("button", name="Everyone passed").tap()
    wait_until(ana, lambda: ana.locator("#scores").evaluate(MIDDLE) > 0.5)
    ana.set_viewport_size({"width": 390, "height": 844})
    undo, count = ana.locator(".action-row > :not(.primary)").first, ana.locator(".action-row > .primary")
    assert count.evaluate(LEFT) < undo.evaluate(LEFT)
    fits(ana)
    shot(ana, "left-upright-match")
    ana.goto("/")
    choose(ana, hand="left")
    assert ana.get_by_role("button", name="Join").evaluate(LEFT) < ana.get_by_label("Table code").evaluate(LEFT)
    fits(ana)
    shot(ana, "left-home")


def test_a_phone_buzzes_once_when_the_turn_comes_to_it(phones: Phones) -> None:
    ana, bo = phones(), phones()
    path = begin_match(ana, "bisque", "Ana", "Bo", "Cy")
    ana.goto(f"{path}/table")
    come_by_code(bo, ana, "Bo")
    for phone in (ana, bo):
        phone.goto(f"{path}/m/1")
        phone.context.add_init_script("navigator.vibrate = (length) => { window.buzzes = [...(window.buzzes ?? []), length]; }")
        choose(phone, buzz="on")
    other = bo.context.new_page()
    other.goto(bo.url)
    send(ana, f"{path}/m/1", {"card": "ace-moons", "by": "2"}, {"card": "2-moons-knots", "by": "1"})
    for page in (bo, other):  # either may be the one that buzzes
        expect(page.locator("#asks")).to_have_attribute("data-asks", "1")
    assert [page.evaluate("window.buzzes ?? []") for page in (bo, other)].count([120]) == 1
    assert ana.evaluate("window.buzzes ?? []") == []
    bo.reload()
    assert bo.evaluate("window.buzzes ?? []") == []


def test_late_in_the_evening_a_rematch_is_asked_for_quietly(phones: Phones) -> None:
    ana = phones(new=True)
    begin_match(ana, "beloz", "Ana", "Bo", "Cy", "Di")
    ana.locator("summary[aria-label^='More']").click()
    ana.get_by_role("button", name="Stop the match here").click()
    rematch = ana.get_by_role("button", name="Rematch")
    expect(rematch).to_be_visible()
    for moment, is_late in (("21:59", False), ("22:00", True), ("01:30", True), ("13:00", False)):
        ana.clock.set_fixed_time(f"2026-11-27T{moment}:00")
        choose(ana, last="22")
        expect(ana.get_by_text("Last match?")).to_be_visible(visible=is_late)
        expect(rematch).to_have_class("button secondary" if is_late else "button primary")
    shot(ana, "last-match")
