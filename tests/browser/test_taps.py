"""Does every game do what a thumb expects? Quick taps count, one too many does nothing, nothing entered is lost."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.conftest import Phones
from tests.browser.people import (
    SLOW,
    begin_match,
    come,
    is_quiet,
    kept_keys,
    look,
    sit_down,
    slow,
    wait_until,
)
from tests.server import Server

# a second finger comes down while the first still presses: how often the page has changed by then, and after both are lifted
TWO_FINGERS = """async () => {
  const from = document.querySelector('script[src$="/js/companion.js"]').src.replace("companion.js", "");
  const { afterTap } = await import(`${from}taps.js`);
  const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));
  let changes = 0;
  document.body.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
  afterTap().then(() => (changes += 1));
  document.body.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
  await pause(20);
  const before = changes;
  document.body.dispatchEvent(new PointerEvent("pointerup", { bubbles: true }));
  await pause(200);
  return [before, changes];
}"""
FOCUS = "() => (document.activeElement.id || document.activeElement.tagName).toLowerCase()"


def place_of(button: Locator) -> tuple[float, float]:
    """Return where a thumb taps it."""
    button.scroll_into_view_if_needed()
    box = button.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def trick(page: Page, number: int, by: int, card: str) -> None:
    """Enter a trick of Bisque: who won it, and the card."""
    expect(page.locator("#trick-title")).to_have_text(f"Who won trick {number}?")
    if page.locator("#goal-skip").is_visible():
        page.locator("#goal-skip").click()
    page.locator("#trick .chef").nth(by).click()
    page.locator(f'#trick [name=card][value="{card}"]').click()


@pytest.fixture
def ana(phones: Phones) -> Page:
    """Return Ana's small phone, in a match of BeloZ."""
    page = phones(width=360, height=640)
    begin_match(page, "beloz", "Ana", "Bo", "Cy", "Di")
    return page


def count_a_round(page: Page, number: int = 1) -> None:
    """Count a round without saving it: Ana took South; 98 and the last expedition are typed."""
    page.locator("#now").get_by_role("button", name="Ana", exact=True).click()
    page.wait_for_url("**/who")
    page.locator('[name=flooded][value="south"]').click()
    page.wait_for_url("**/m/1")
    page.get_by_role("link", name=f"Count round {number}").click()
    page.wait_for_url("**/count")
    for digit in "98":
        page.locator(f'[data-key="{digit}"]').click()
    page.locator("label.tile", has=page.locator('[name=last][value="0"]')).click()
    expect(page.locator("#verdict")).to_contain_text("won")


def test_the_server_goes_away_while_two_tricks_are_made_from_one_page(phone: Page, server: Server) -> None:
    phone.goto(begin_match(phone, "bisque", "Ana", "Bo", "Cy") + "/table")
    phone.locator('a[href$="/m/1"]:visible').first.click()
    phone.wait_for_url("**/m/1")
    expect(phone.locator("[data-live-dot]")).not_to_have_class(re.compile(r"\boff\b"))
    server.stop()
    told = phone.locator("#offline")
    trick(phone, 1, 1, "8-waves-leaves")
    expect(told.locator("[data-totals]")).to_have_text("without 1 entry of this phone")
    expect(phone.locator("#trick .deck")).to_be_hidden()
    assert phone.evaluate(FOCUS) == "trick-title"
    trick(phone, 2, 0, "ace-moons")  # no stale winner, and the question is the next one
    expect(told.locator(".pending-row")).to_have_text(
        [re.compile("Trick 2 of hand 1 .* waiting"), re.compile("Trick 1 of hand 1 .* waiting")]
    )
    phone.get_by_role("link", name="Back").click()
    expect(told.locator(".pending-row")).to_have_text(re.compile("Trick 1 of hand 1, Trick 2 of hand 1 Bisque, .* waiting"))
    assert len(kept_keys(phone)) == 2
    server.start()
    expect(told).to_be_empty()
    phone.goto(re.sub(r"(/t/[^/]+).*", r"\1/m/1", phone.url))
    expect(phone.locator(".pot")).to_have_attribute("aria-label", "The pot: 2 of 11 cards")


def test_an_entry_that_was_refused_stays_until_somebody_has_seen_why(phone: Page, phones: Phones) -> None:
    begin_match(phone, "bisque", "Ana", "Bo", "Cy")
    other = come(phones(), phone, "Bo")
    phone.context.set_offline(True)
    trick(phone, 1, 1, "8-waves-leaves")
    told = phone.locator("#offline")
    expect(told).to_contain_text("without 1 entry of this phone")
    trick(other, 1, 0, "ace-moons")
    expect(other.locator("#trick-title")).to_have_text("Who won trick 2?")
    phone.context.set_offline(False)
    expect(told).to_contain_text(re.compile("Trick 1 of hand 1 .* Bo saved while you were typing"))
    phone.reload()
    expect(told).to_contain_text(re.compile("Trick 1 of hand 1 .* Bo saved while you were typing"))
    phone.route("**/hand", lambda route: route.fulfill(status=503, body="restarting"))
    phone.get_by_role("button", name="Enter it again").click()
    expect(told).to_contain_text("Companion can’t answer just now.")
    expect(told).to_contain_text(re.compile("Trick 1 of hand 1 .* Bo saved while you were typing"))
    phone.unroute("**/hand")
    phones.problems.clear()  # the test itself made the 503
    phone.get_by_role("button", name="Enter it again").click()
    expect(phone.get_by_role("alert")).to_contain_text("Which one is right?")
    expect(told).to_be_empty()
    phone.get_by_role("button", name="Both are right").click()
    expect(phone.locator(".pot")).to_have_attribute("aria-label", "The pot: 2 of 11 cards")


def test_three_taps_on_waves_are_three_fish_on_a_slow_line(phones: Phones) -> None:
    page = phones(width=360, height=640)
    begin_match(page, "beluga-cup", "Ana", "Bo")
    page.get_by_role("link", name="Use our own bag").click()
    waves = page.locator('.fish-key[value="waves"]')
    expect(waves).to_be_visible()
    slow(page)
    x, y = place_of(waves)
    for _ in range(3):
        page.touchscreen.tap(x, y)
        page.wait_for_timeout(120)
    expect(page.locator('.catch .fish[data-fill="waves"]')).to_have_count(3)


def test_a_tap_too_many_on_save_does_nothing(ana: Page) -> None:
    count_a_round(ana)
    slow(ana)
    x, y = place_of(ana.get_by_role("button", name="Save round 1"))
    ana.evaluate("() => { performance.now = () => 1000; }")  # as the phone's clock would say on a quick machine
    ana.touchscreen.tap(x, y)
    ana.wait_for_timeout(150)
    ana.touchscreen.tap(x, y)  # while the first is on its way
    ana.wait_for_url(re.compile(r"/m/1$"))
    for moment in (1550, 1950, 2350):  # and again and again, once the next page has its button there
        ana.evaluate("moment => { performance.now = () => moment; }", moment)
        ana.touchscreen.tap(x, y)
    expect(ana.locator("#toasts")).to_contain_text("Round 1 saved. Ana & Cy 108, Bo & Di 55")
    ana.wait_for_timeout(2 * SLOW)  # time enough for a page that should not come
    expect(ana).to_have_url(re.compile(r"/m/1$"))
    expect(ana.locator("#rows > details")).to_have_count(1)


def test_a_toast_covers_no_line_of_the_open_menu(ana: Page) -> None:
    ana.get_by_role("button", name="Everyone passed").tap()
    expect(ana.locator("#toasts .toast")).to_be_visible()
    ana.locator("details.menu > summary").tap()
    ana.wait_for_function(
        """() => {
          const [menu, toast] = [".menu-list", "#toasts .toast"].map((one) => document.querySelector(one));
          const { right, bottom } = menu.getBoundingClientRect();
          const { top } = toast.getBoundingClientRect();
          return bottom > top + 9 && menu.contains(document.elementFromPoint(right - 20, top + 9));
        }"""
    )


def test_who_listens_hears_what_happens_and_where_it_leads(ana: Page, phones: Phones) -> None:
    bo = come(phones(), ana, "Bo")
    count_a_round(ana)
    assert ana.evaluate(FOCUS) != "body"
    ana.get_by_role("button", name="Save round 1").click()
    expect(bo.locator("#announce")).to_contain_text(re.compile("108.*55"))  # at once, not with the next event
    expect(ana.locator("#announce")).to_contain_text("Round 1 saved. Ana & Cy 108, Bo & Di 55")
    assert ana.evaluate(FOCUS) != "body"
    is_quiet(bo)
    bo.get_by_role("link", name=re.compile("Count round")).click()
    bo.wait_for_url("**/count")
    assert bo.evaluate(FOCUS) == "h1"
    expect(bo.locator("#announce")).to_contain_text("Count round 2")


def test_who_listens_hears_who_came_and_who_sits_where(phones: Phones) -> None:
    ana, bo = phones(width=360, height=640), phones(width=360, height=640)
    sit_down(ana, "beloz", "Ana", "Bo")
    bo.goto(ana.url)
    heard = [page.locator("#announce") for page in (ana, bo)]
    ana.get_by_role("link", name="Empty seat").first.tap()
    sheet = ana.locator("#sheet")
    sheet.get_by_label("Name").fill("Cy")
    sheet.get_by_role("button", name="Add to the table").tap()
    for words in heard:
        expect(words).to_have_text("Around the table: Ana, Bo, Cy and an empty seat.")
    look(ana)
    ana.locator(".seat", has_text="Cy").tap()
    sheet.get_by_role("button", name="Empty seat").tap()  # nobody's turn comes sooner or later by it
    for words in heard:
        expect(words).to_have_text("Around the table: Ana, Bo, an empty seat and Cy.")
    look(ana)
    ana.locator(".seat", has_text="Bo").tap()
    sheet.get_by_role("button", name="Cy").tap()
    for words in heard:
        expect(words).to_have_text("Around the table: Ana, Cy, an empty seat and Bo.")


def test_news_wait_for_fingers_and_for_the_reply_to_its_own_tap(ana: Page) -> None:
    assert ana.evaluate(TWO_FINGERS) == [0, 1]
    """Otherwise the page would flash: the stream is faster than the answer."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        if route.request.method != "POST":
            route.continue_()
            return
        route.fetch(max_redirects=0)  # it arrives, and its reply takes long
        held.append(route)

    ana.route("**/who", hold)
    fetched: list[str] = []
    ana.on(
        "request", lambda request: fetched.append(request.url) if request.headers.get("companion-fetch") == "parts" else None
    )
    ana.locator("#now").get_by_role("button", name="Ana", exact=True).click()
    wait_until(ana, lambda: held)
    ana.wait_for_timeout(SLOW)  # the stream tells of it meanwhile
    expect(ana.locator("#now")).to_contain_text("Who took the contract?")
    assert fetched == []
    held[0].continue_()
    ana.wait_for_url("**/who")


def test_a_lost_connection_is_told_and_forgotten(ana: Page, phones: Phones) -> None:
    lamp, told = ana.locator("[data-live-dot]"), ana.locator("#offline")
    expect(lamp).not_to_have_class(re.compile(r"\boff\b"))
    ana.context.set_offline(True)
    ana.locator("#now").get_by_role("button", name="Ana", exact=True).click()
    expect(told).to_contain_text("No connection. Nothing was saved")
    expect(lamp).to_have_class(re.compile(r"\boff\b"))
    ana.context.set_offline(False)
    expect(told).to_be_empty()
    expect(lamp).not_to_have_class(re.compile(r"\boff\b"))

    # a verdict is about what is typed, or says that nobody knows
    ana.goto("/calculate/beloz")
    ana.context.set_offline(True)
    ana.locator('[data-key="9"]').click()
    expect(ana.locator("#verdict")).to_contain_text("No connection")
    expect(told).to_contain_text("No connection")
    ana.context.set_offline(False)
    expect(ana.locator("#verdict")).not_to_contain_text("No connection")
    expect(told).to_be_empty()
    phones.problems[:] = [problem for problem in phones.problems if "ERR_INTERNET_DISCONNECTED" not in problem]


def test_a_mistake_of_ours_is_not_told_as_a_lost_connection(ana: Page, phones: Phones) -> None:
    ana.evaluate("""() => {
      window.read = DOMParser.prototype.parseFromString;
      DOMParser.prototype.parseFromString = () => { throw new Error("a mistake of ours"); };
    }""")
    pass_button = ana.get_by_role("button", name="Everyone passed")
    with ana.context.expect_event("weberror"):
        pass_button.click()
    assert all("a mistake of ours" in problem for problem in phones.problems)
    assert phones.problems
    expect(ana.locator("#offline")).to_be_empty()
    expect(pass_button).not_to_have_attribute("aria-busy", "true")
    ana.evaluate("() => { DOMParser.prototype.parseFromString = window.read; }")
    ana.reload()
    expect(ana.locator("#rows details")).to_have_count(1)  # it was stored, once
    phones.problems.clear()


def test_a_refusal_leaves_when_something_newer_happens(phones: Phones) -> None:
    page = phones(width=360, height=640)
    begin_match(page, "what-the-fish", "Ana", "Bo", "Cy")
    refusal = page.locator(".explain", has_text="Not played")
    page.locator("#keys button").first.click()
    expect(refusal).to_be_visible()
    page.locator('[data-key="8"]').click()
    expect(refusal).to_have_count(0)
    page.locator('[data-key="backspace"]').click()
    page.locator("#keys button").first.click()
    expect(refusal).to_be_visible()
    page.get_by_role("link", name="Close").click()
    expect(refusal).to_have_count(0)
    page.locator("details.menu > summary").tap()  # an open menu lies over the high dock: nothing to search for in it
    stop = page.get_by_role("button", name="Stop the match here")
    assert stop.evaluate(
        "(it) => { const {x, y} = it.getBoundingClientRect(); return it.contains(document.elementFromPoint(x + 9, y + 9)); }"
    )
