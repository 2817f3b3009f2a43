"""Do phones that slept, lost the network or the server see what happened meanwhile, without loading a page again?"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Phones
from tests.browser.people import come, is_quiet
from tests.server import Server

SLEEP = """() => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
LISTEN = """() => {
  const stream = new EventSource(document.querySelector("[data-stream]").dataset.stream);
  let numbers = 0;
  window.told = new Promise((told) => (stream.onmessage = () => ++numbers > 1 && told()));
  return new Promise((open) => (stream.onopen = () => open()));
}"""  # window.told: the stream has told of something new
WAKE = """() => {
  delete document.hidden;
  document.dispatchEvent(new Event("visibilitychange"));
}"""


@pytest.fixture
def bo(phones: Phones, ana: Page) -> Page:
    """Return Bo's phone, in the same match."""
    page = come(phones(), ana, "Bo")
    expect(lamp(page)).not_to_have_class(re.compile(r"\boff\b"))
    return page


def lamp(page: Page) -> Locator:
    """Return the dot that says whether the page hears of what is new."""
    return page.locator("[data-live-dot]")


def pass_the_deal(page: Page) -> None:
    """Pass the deal, an entry in one tap."""
    page.get_by_role("button", name="Everyone passed").click()


def deals(page: Page) -> Locator:
    """Return the passed deals that the page shows."""
    return page.locator("#rows details")


def stay(page: Page) -> None:
    """Mark the page, to notice if it is loaded anew."""
    page.evaluate("() => { window.stayed = true; }")


def stayed(page: Page) -> bool:
    """Return whether the page is still the one that was marked."""
    return bool(page.evaluate("() => window.stayed === true"))


def test_a_phone_that_slept_sees_what_happened_when_it_wakes(ana: Page, bo: Page) -> None:
    stay(bo)
    bo.evaluate(SLEEP)
    pass_the_deal(ana)
    expect(deals(ana)).to_have_count(1)
    pass_the_deal(ana)
    expect(deals(ana)).to_have_count(2)
    expect(deals(bo)).to_have_count(0)  # a phone that sleeps is left alone
    bo.evaluate(WAKE)
    expect(deals(bo)).to_have_count(2)
    pass_the_deal(ana)
    expect(deals(bo)).to_have_count(3)
    assert stayed(bo)


def test_a_phone_without_network_catches_up_when_it_is_back(ana: Page, bo: Page) -> None:
    stay(bo)
    bo.evaluate(SLEEP)  # the screen goes dark and the network goes
    bo.context.set_offline(True)
    pass_the_deal(ana)
    expect(deals(ana)).to_have_count(1)
    bo.evaluate(WAKE)
    expect(lamp(bo)).to_have_class(re.compile(r"\boff\b"))
    bo.context.set_offline(False)
    expect(deals(bo)).to_have_count(1)
    expect(lamp(bo)).not_to_have_class(re.compile(r"\boff\b"))
    pass_the_deal(ana)
    expect(deals(bo)).to_have_count(2)
    assert stayed(bo)


def test_what_changed_comes_by_the_stream_and_its_forms_can_be_sent(ana: Page, bo: Page) -> None:
    fetched: list[str] = []
    bo.on("request", lambda request: fetched.append(request.url) if request.url == bo.url else None)
    pass_the_deal(ana)
    expect(deals(bo)).to_have_count(1)
    deals(bo).first.locator("summary").click()
    pass_the_deal(ana)
    expect(deals(bo)).to_have_count(2)
    expect(deals(bo).nth(1)).to_have_attribute("open", "")  # what was opened stays so
    assert fetched == []
    bo.reload()  # what the page's script shows is what the server has
    expect(deals(bo)).to_have_count(2)
    pass_the_deal(ana)
    expect(deals(bo)).to_have_count(3)
    pass_the_deal(bo)  # Bo's form has a key of its own
    expect(bo.locator(".toast")).to_contain_text("Deal passed")
    expect(deals(ana)).to_have_count(4)
    ana.locator("#footer .undo-named").click()  # now the menu is another one
    expect(deals(bo)).to_have_count(3)
    expect(bo.locator("#menu-languages [aria-pressed=true]")).to_have_count(1)  # Bo's own choice stays in it


def test_a_form_that_is_being_filled_is_not_touched_by_waking(ana: Page, bo: Page) -> None:
    bo.get_by_role("link", name=re.compile("Count round")).click()
    bo.wait_for_url("**/count")
    for digit in "98":
        bo.locator(f'[data-key="{digit}"]').click()
    bo.evaluate(
        "() => { window.fetched = new Promise((seen) => document.addEventListener('companion:update', () => seen(true))); }"
    )
    bo.evaluate(SLEEP)
    pass_the_deal(ana)
    expect(deals(ana)).to_have_count(1)
    bo.evaluate(WAKE)
    assert bo.evaluate("() => window.fetched")
    expect(bo.locator("input[name=points]")).to_have_value("98")


def test_every_page_notices_that_the_server_is_gone_and_finds_it_again(
    ana: Page, bo: Page, phones: Phones, server: Server
) -> None:
    table = ana.url.rpartition("/m/")[0]
    watcher, history = phones(), phones()
    watcher.goto(f"{table}/table")
    history.goto(f"{table}/m/1/see/history")
    expect(lamp(watcher)).not_to_have_class(re.compile(r"\boff\b"))
    for page in (ana, bo, watcher, history):
        stay(page)
    server.stop()
    for page in (ana, bo, watcher):
        expect(lamp(page)).to_have_class(re.compile(r"\boff\b"))
    server.start()
    for page in (ana, bo, watcher):
        expect(lamp(page)).not_to_have_class(re.compile(r"\boff\b"))
    pass_the_deal(ana)
    expect(deals(bo)).to_have_count(1)  # a server that has just begun takes its time for its first pages
    expect(deals(history)).to_have_count(1)
    expect(deals(ana)).to_have_count(1)
    assert all(stayed(page) for page in (bo, watcher, history))


def test_tables_that_were_put_back_are_believed(ana: Page, bo: Page, server: Server) -> None:
    """A page must not go on showing what an older copy of the tables does not have."""
    server.stop()
    file = server.instance / "companion.sqlite"
    copy = file.read_bytes()
    server.start()
    expect(lamp(ana)).not_to_have_class(re.compile(r"\boff\b"))
    pass_the_deal(ana)
    expect(deals(bo)).to_have_count(1)
    server.stop()
    file.write_bytes(copy)
    server.start()
    expect(deals(bo)).to_have_count(0)
    expect(deals(ana)).to_have_count(0)


def test_no_page_says_that_there_is_no_connection_while_there_is_one(ana: Page) -> None:
    for link, address in (("Count round 1", "**/count"), ("Back", "**/m/1"), ("Count round 1", "**/count")):
        ana.get_by_role("link", name=link).click()
        ana.wait_for_url(address)
        expect(ana.locator("html")).not_to_have_attribute("aria-busy", "true")  # everything that was asked for is in place
        assert ana.locator("#offline").inner_text() == ""


def test_a_page_that_was_on_its_way_while_something_happened_catches_up(ana: Page, bo: Page) -> None:
    ana.get_by_role("link", name=re.compile("Count round")).click()
    ana.wait_for_url("**/count")
    stay(ana)
    ana.evaluate(
        """() => {
          const { fetch } = window;
          window.fetch = async (asked) => {
            const answer = await fetch(asked);
            const isPage = asked instanceof Request && asked.headers.get("Companion-Fetch") !== "parts";
            if (isPage) await new Promise((go) => (window.deliver = go));
            return answer;
          };
          document.addEventListener("companion:update", () => (window.fetched = true));
        }"""
    )
    ana.get_by_role("link", name="Back").click()
    ana.wait_for_function("() => Boolean(window.deliver)")  # a function itself can't be handed over
    pass_the_deal(bo)
    ana.wait_for_function("() => window.fetched")  # the stream has told of it, on the page that is being left
    ana.evaluate("() => window.deliver()")
    ana.wait_for_url("**/m/1")
    expect(deals(ana)).to_have_count(1)
    assert stayed(ana)


@pytest.mark.parametrize("finger", [True, False], ids=["finger", "mouse"])
def test_what_a_finger_presses_stays_under_it(ana: Page, bo: Page, finger: bool) -> None:
    """Otherwise the tap would be lost, or count for what came there meanwhile."""
    pass_the_deal(ana)
    expect(deals(bo)).to_have_count(1)
    stay(bo)
    is_quiet(bo)
    place = deals(bo).first.locator("summary").bounding_box()
    assert place
    x, y = place["x"] + 30, place["y"] + place["height"] / 2
    phone = bo.context.new_cdp_session(bo)
    bo.evaluate(LISTEN)
    if finger:
        phone.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    else:
        bo.mouse.move(x, y)
        bo.mouse.down()
    pass_the_deal(ana)
    bo.evaluate("() => window.told")
    bo.evaluate("() => new Promise((drawn) => setTimeout(drawn, 50))")  # time enough to put what came in place
    if finger:
        phone.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    else:
        bo.mouse.up()
    expect(deals(bo)).to_have_count(2)
    expect(deals(bo).last.locator(".row-body")).to_be_visible()  # the tap opened the first deal
    assert stayed(bo)


def test_a_finger_that_stays_on_the_page_does_not_keep_it_old(ana: Page, bo: Page) -> None:
    bo.mouse.move(195, 400)
    bo.mouse.down()
    pass_the_deal(ana)
    expect(deals(bo)).to_have_count(1)
