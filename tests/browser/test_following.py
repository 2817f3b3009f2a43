"""How do four phones come to a table and to its next match? By name and seat, and by themselves."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from playwright.sync_api import Page, expect

from tests.browser.conftest import Phones
from tests.browser.looks import axe, fits
from tests.browser.people import begin_match, come, is_quiet, look, sit_down, start_beloz


def stop(page: Page) -> None:
    """End the match from its menu."""
    page.locator("summary[aria-label^='More']").click()
    page.get_by_role("button", name=re.compile("Stop the match")).click()
    expect(page.get_by_role("button", name=re.compile("Rematch"))).to_be_visible()


def test_the_picture_turns_once_after_sitting_down(phones: Phones) -> None:
    ana = phones()
    sit_down(ana, "beloz", "Ana", "Bo")
    eve = phones(calm=False)
    eve.goto(f"{ana.url.removesuffix('/table')}/join")
    eve.get_by_label("What’s your name?").fill("Eve")
    eve.keyboard.press("Enter")
    eve.wait_for_url("**/join/seat")
    eve.evaluate("() => { window.turned = []; Element.prototype.animate = (_, { duration }) => turned.push(duration); }")
    eve.locator('[name=seat][value="3"]').tap()
    eve.wait_for_url("**/table")
    eve.wait_for_function("() => turned.length === 4 && turned.every((each) => each === 300)")
    eve.emulate_media(reduced_motion="reduce")
    look(eve)  # the toast may lie where the seat was
    eve.locator("#toasts").get_by_role("button", name="Undo").tap()
    eve.wait_for_url("**/join/seat")
    look(eve)
    eve.locator('[name=seat][value="3"]').tap()
    eve.wait_for_url("**/table")
    expect(eve.locator('.seat[data-place="bottom"]')).to_contain_text("Eve")
    assert eve.evaluate("() => turned.length") == 4


def test_the_field_says_at_forty_letters_that_a_name_has_no_more(phones: Phones) -> None:
    ana = phones()
    sit_down(ana, "beloz", "Ana", "Bo")
    eve = phones(width=360, height=640)
    eve.goto(ana.url.removesuffix("/table"))
    name, note = eve.get_by_label("What’s your name?"), eve.locator(".field .longest")
    expect(name).to_be_focused()
    height = eve.locator(".field").evaluate("one => one.offsetHeight")
    eve.keyboard.type("E" * 38 + " e")
    eve.keyboard.insert_text(" ")  # which is not kept
    expect(note).to_have_text("40 letters at most")
    assert not name.evaluate("one => one.closest('.field').classList.contains('refused')")
    axe(eve, dark=True)
    for _ in range(2):
        eve.keyboard.press("Backspace")
    expect(note).to_have_text("")
    assert eve.locator(".field").evaluate("one => one.offsetHeight") == height
    eve.keyboard.insert_text("e\u0301" + "!" * 3)  # a letter in two parts is one
    expect(note).to_have_text("40 letters at most")
    eve.keyboard.press("Enter")
    expect(eve.locator(".refused .field-note").first).to_contain_text("Your name has at most 40 characters. This one has 43.")


def test_a_newcomer_types_a_name_and_taps_a_seat(phones: Phones) -> None:
    ana = phones(width=360, height=640)
    sit_down(ana, "beloz", "Ana", "Bo")
    eve = phones(width=360, height=640)
    eve.goto(ana.url.removesuffix("/table"))
    name = eve.get_by_label("What’s your name?")
    expect(name).to_be_focused()
    box = name.bounding_box()
    button = eve.get_by_role("button", name="Next: choose your seat").bounding_box()
    assert box
    assert button
    assert box["height"] >= 68
    assert button["y"] + button["height"] < 505  # below, a phone's keyboard may cover it
    told = eve.locator(".app-bar-words p")
    expect(told).to_have_text(re.compile("(^|· )Ana and Bo are waiting for you$"))  # where the page is, is heard before it
    assert told.evaluate("words => words.scrollHeight <= words.clientHeight && words.clientHeight < 24"), "it is one line"
    axe(eve)
    eve.keyboard.type("Eve")
    eve.keyboard.press("Enter")
    eve.wait_for_url("**/join/seat")
    axe(eve, dark=True)
    for width, height in ((844, 390), (360, 640)):  # all seats, and both ways below them, without scrolling
        eve.set_viewport_size({"width": width, "height": height})
        for each in eve.locator(".seat, .seat-ways .button").all():
            expect(each).to_be_in_viewport(ratio=1)
    turn, watch = (each.bounding_box() for each in eve.locator(".seat-ways .button").all())
    assert turn
    assert watch
    assert turn["y"] == watch["y"]
    eve.set_viewport_size({"width": 320, "height": 568})
    fits(eve)
    eve.get_by_role("button", name=re.compile("Sit here.*Ana’s partner", re.DOTALL)).tap()
    eve.wait_for_url("**/table")
    expect(eve.locator("#toasts")).to_contain_text("You sit here, Eve.")
    expect(eve.locator('.seat[data-place="bottom"]')).to_contain_text("Eve")
    expect(ana.locator('.seat[data-place="top"]')).to_contain_text("Eve")
    ana.locator("#games").get_by_role("button", name="Bisque").tap()
    expect(eve.get_by_role("button", name="Start Bisque")).to_be_visible()
    expect(eve.locator(".lobby")).to_have_attribute("data-game", "bisque")
    fits(eve)


def test_everybody_follows_to_the_rematch_and_who_wants_to_stay_stays(phones: Phones) -> None:
    ana, bo, cy, screen, plain = phones(), phones(), phones(), phones(), phones(scripts=False)
    link = sit_down(ana, "beloz", "Ana", "Bo", "Cy", "Di")
    ana.goto(f"{link}/links")
    watch = ana.locator("[name=watch-link]").input_value()
    ana.goto(f"{link}/table")
    start_beloz(ana)
    ana.goto(f"{link}/table")
    box = ana.get_by_role("link", name="Go to the match").first.bounding_box()
    assert box
    assert box["height"] >= 48
    ana.go_back()
    for page, name in ((bo, "Bo"), (cy, "Cy")):
        page.goto(link)
        page.locator("#names").get_by_role("button", name=name).click()
        page.wait_for_url("**/m/1")
    screen.goto(watch)
    screen.wait_for_url("**/m/1")
    ana.locator("#now").get_by_role("button", name="Ana", exact=True).click()
    ana.wait_for_url("**/who")
    ana.locator('[name=flooded][value="south"] .plain-sign').click()
    ana.wait_for_url("**/m/1")
    ana.goto(f"{link}/m/1/count")
    ana.locator("#points").fill("98")
    ana.locator("label.tile", has=ana.locator('input[name=last][value="0"]')).click()
    ana.get_by_role("button", name="Save round 1").click()
    ana.wait_for_url("**/m/1")
    stop(ana)
    for page in (bo, cy):
        expect(page.get_by_role("button", name=re.compile("Rematch"))).to_be_visible()
    ana.get_by_role("button", name=re.compile("Rematch")).click()
    ana.wait_for_url("**/m/2")
    expect(cy.get_by_role("link", name="Stay here")).to_be_visible()
    is_quiet(cy)
    cy.get_by_role("link", name="Stay here").tap()
    expect(bo.locator("#next-match")).to_contain_text("Ana started a rematch")
    expect(bo.get_by_role("button", name=re.compile("Rematch"))).to_have_count(0)
    bo.evaluate("document.getElementById('toasts').innerHTML = '<p class=toast>Round 5 saved</p>'")  # as who saved it last sees
    bo.wait_for_function(
        """() => {
          const [toast, dock] = [".toast", ".next-match"].map((one) => document.querySelector(one)?.getBoundingClientRect());
          return !toast || !dock || toast.bottom <= dock.top;
        }"""
    )
    screen.wait_for_url("**/m/2")
    bo.wait_for_url("**/m/2")
    expect(cy.locator("#next-match [data-after]")).to_have_count(0)
    assert "/m/1" in cy.url
    axe(cy)
    # over a correction there is no bar, and after it the phone still stays where somebody chose to stay
    cy.locator("#entry-1 summary").tap()
    cy.locator("#entry-1").get_by_role("link", name="Correct").tap()
    cy.wait_for_url("**/entries/1")
    for key in "106":
        cy.locator(f'[data-key="{key}"]').tap()
    expect(cy.locator("#points")).to_have_value("106")
    expect(cy.locator("#verdict")).to_contain_text("116")
    assert cy.locator(".next-match").count() == 0
    cy.get_by_role("button", name="Save the correction").tap()
    cy.wait_for_url("**/m/1")
    expect(cy.get_by_role("link", name="Go there")).to_be_visible()
    expect(cy.get_by_role("link", name="Stay here")).to_have_count(0)
    expect(cy.locator("#next-match [data-after]")).to_have_count(0)
    cy.reload()
    expect(cy.get_by_role("link", name="Go there")).to_be_visible()
    expect(cy.locator("#next-match [data-after]")).to_have_count(0)
    cy.set_viewport_size({"width": 320, "height": 568})
    cy.wait_for_function("() => innerWidth === 320 && document.documentElement.scrollWidth <= innerWidth")
    cy.get_by_role("link", name="Go there").tap()
    cy.wait_for_url("**/m/2")
    bo.goto(f"{link}/m/1?stay")  # as the list of matches leads there
    expect(bo.get_by_role("link", name="Go there")).to_be_visible()
    expect(bo.locator("#next-match [data-after]")).to_have_count(0)
    plain.goto(f"{watch}/m/1")
    plain.get_by_role("link", name="Go there").click()
    plain.wait_for_url("**/m/2")


def test_a_number_that_is_being_typed_on_the_matchs_own_page_is_never_left(phones: Phones) -> None:
    ana, bo = phones(), phones(new=True)
    begin_match(ana, "what-the-fish", "Ana", "Bo")
    bo.clock.install()
    asked: list[str] = []
    bo.on("request", lambda request: asked.append(urlsplit(request.url).path))
    come(bo, ana, "Bo")
    number = bo.get_by_label("Type a card, then who")
    number.fill("12")
    stop(ana)
    ana.get_by_role("button", name=re.compile("Rematch")).click()
    ana.wait_for_url("**/m/2")
    expect(bo.locator("#next-match")).to_contain_text("Ana started a rematch")
    bo.clock.fast_forward(6000)  # it would have gone by now
    bo.evaluate("() => fetch('/healthz')")
    assert not [path for path in asked if path.endswith("/m/2")]
    expect(number).to_have_value("12")
    bo.get_by_role("link", name="Go there").tap()
    bo.wait_for_url("**/m/2")
