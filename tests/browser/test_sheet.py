"""Is a page with one question a sheet over the match: low, closed in every usual way, never about an older table?"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Phones
from tests.browser.looks import axe, fits, shot
from tests.browser.people import begin_match, come, look, wait_until
from tests.browser.test_beluga_cup_table import draw, eat
from tests.server import Server

NO_CARD = re.compile("^No card fits")


def touch(page: Page, place: Locator) -> None:
    """Put a finger on the middle of it."""
    box = place.bounding_box()
    assert box, place
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def test_one_question_is_a_sheet_over_the_match(phones: Phones) -> None:
    ana = phones(width=360, height=640)
    begin_match(ana, "beluga-cup", "Ana", "Bo")
    draw(ana)
    bo = come(phones(width=360, height=640), ana, "Bo")
    match = bo.url
    sheet, link = bo.locator("dialog#sheet"), bo.get_by_role("link", name=NO_CARD)

    # it opens where the thumb is, with the focus inside; a cross, Escape, the table beside it and Back close it
    closing = (
        lambda: touch(bo, sheet.get_by_role("button", name="Close")),
        lambda: bo.keyboard.press("Escape"),
        lambda: bo.touchscreen.tap(180, 20),
        lambda: bo.go_back(),
    )
    for close in closing:
        touch(bo, link)
        expect(sheet.get_by_role("heading", name="No card fits")).to_be_focused()
        choice = sheet.get_by_role("button", name="2", exact=True).bounding_box()
        assert choice
        assert choice["y"] > 320
        assert choice["height"] >= 64
        close()
        expect(sheet).to_be_hidden()
        expect(link).to_be_focused()
        wait_until(bo, lambda: bo.evaluate("!history.state.sheet"))
        assert bo.url == match
    touch(bo, link)
    expect(sheet).to_be_visible()
    axe(bo)
    fits(bo)
    shot(bo, "sheet")

    # loaded anew it is still asked
    bo.reload()
    expect(sheet.get_by_role("heading", name="No card fits")).to_be_visible()

    # what is refused stays in it, with its sentence
    sheet.locator("[value='3']").evaluate("button => { button.value = '9' }")
    touch(bo, sheet.locator("[value='9']"))
    expect(sheet.get_by_role("alert")).to_contain_text("Tap how many cards were discarded")
    assert bo.url == match

    # another phone enters something: the question says so, and waits until it is asked anew
    ana.get_by_role("link", name=NO_CARD).click()
    ana.locator("#sheet").get_by_role("button", name="1", exact=True).click()
    expect(ana.locator(".app-bar")).to_contain_text("Ana plays next")
    expect(sheet.get_by_role("alert").first).to_contain_text("Bo: no card fits")
    assert sheet.locator("#sheet-content").evaluate("content => content.inert")
    touch(bo, sheet.get_by_role("button", name="Ask again"))
    expect(sheet.get_by_role("alert")).to_have_count(0)
    touch(bo, sheet.get_by_role("button", name="2", exact=True))
    expect(bo.locator(".app-bar")).to_contain_text("Bo plays next")
    expect(sheet).to_be_hidden()

    # saving leaves no step in the way back
    wait_until(bo, lambda: bo.evaluate("!history.state.sheet"))
    bo.go_back()
    expect(bo).not_to_have_url(re.compile("/m/"))

    # without scripts the same link opens a page, and its choices are as low
    plain = phones(width=360, height=640, scripts=False)
    plain.goto(urlsplit(match).path)
    plain.get_by_role("link", name=NO_CARD).click()
    plain.wait_for_url("**/discard")
    choice = plain.get_by_role("button", name="2", exact=True).bounding_box()
    assert choice
    assert choice["y"] > 320
    plain.get_by_role("button", name="2", exact=True).click()
    plain.wait_for_url(f"**{urlsplit(match).path}")


def test_a_question_that_is_gone_leads_back_to_the_match(phones: Phones) -> None:
    ana, bo = phones(width=360, height=640), phones(width=360, height=640)
    begin_match(ana, "beluga-cup", "Ana", "Bo", cards="untracked")
    draw(ana)
    come(bo, ana, "Bo")
    sheet = bo.locator("dialog#sheet")
    bo.get_by_role("link", name="Who ate zone 3?").tap()
    expect(sheet.get_by_role("heading", name="Who ate zone 3?")).to_be_visible()
    news = sheet.locator(".sheet-news")
    eat(ana, 2, "Ana")  # another zone: the question still stands
    expect(news).to_contain_text("Ana eats zone 2")
    touch(bo, news.get_by_role("button", name="Ask again"))
    expect(news).to_have_count(0)
    expect(sheet.get_by_role("heading", name="Who ate zone 3?")).to_be_visible()
    draw(ana)
    expect(news).to_contain_text("Zone 2: ")
    look(bo)
    touch(bo, news.get_by_role("button", name="Ask again"))
    eat(ana, 3, "Bo")
    expect(news).to_contain_text("Bo eats zone 3")
    expect(news.get_by_role("button")).to_have_text("Look")
    look(bo)  # it lies where "Ask again" was tapped
    touch(bo, news.get_by_role("button"))
    expect(sheet).to_be_hidden()
    expect(bo.get_by_role("button", name=re.compile("^Draw .* zone 3"))).to_be_visible()


def test_a_sheet_says_what_can_not_be_sent_and_closes_over_what_waits(server: Server, phones: Phones) -> None:
    ana = phones(width=360, height=640)
    begin_match(ana, "beluga-cup", "Ana", "Bo")
    draw(ana)
    table = ana.context.new_page()
    table.goto(f"{ana.url.rpartition('/m/')[0]}/table")
    table.locator(".menu > summary").first.click()
    table.get_by_role("link", name="Name of the table").click()
    sheet, asks = ana.locator("dialog#sheet"), table.locator("dialog#sheet")
    expect(asks.get_by_role("textbox")).to_be_visible()
    ana.get_by_role("link", name=NO_CARD).click()
    expect(sheet.get_by_role("button", name="2", exact=True)).to_be_visible()
    server.stop()
    asks.get_by_role("textbox").fill("Half past eight")
    asks.locator("form button").last.click()
    expect(asks.get_by_text("No connection. Nothing was saved. Try again later.")).to_be_visible()
    expect(asks.get_by_role("textbox")).to_have_value("Half past eight")
    sheet.get_by_role("button", name="2", exact=True).click()
    expect(sheet).to_be_hidden()
    expect(ana.locator(".pending-row")).to_contain_text("waiting")
    server.start()
    expect(ana.locator("#offline")).to_be_empty()
