"""Does a tap count that was on its way while another phone changed the key? Not for a moment, and it is told who was faster."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Phones
from tests.browser.people import begin_match, come, is_answered, sit_down, slow
from tests.browser.test_taps import place_of

PLACE = "key => [key.offsetLeft, key.offsetTop - key.parentElement.offsetTop, key.offsetWidth]"


@pytest.fixture
def sizes() -> dict[str, int]:
    """Return how large the phone is that is too late."""
    return {"width": 360, "height": 640}


def at(page: Page, moment: int) -> None:
    """Set the clock that scripts read to so many milliseconds: a busy machine takes as long as it likes."""
    page.evaluate("moment => { performance.now = () => moment; }", moment)


def tap(key: Locator) -> None:
    """Tap where the key is, with raw touch."""
    key.page.touchscreen.tap(*place_of(key))


# notes whether the key of a tap that does not count blinks; it does so for a moment only
NOTE_BLINK = (
    """() => document.addEventListener("companion:overtaken", ({ target }) => (window.blinked = target.matches(".marked")))"""
)


def fish_key(page: Page, name: str) -> Locator:
    return page.locator("#keys button", has=page.locator("b", has_text=name))


def play(page: Page, number: str, name: str) -> None:
    for digit in number:
        page.locator(f'.keypad [data-key="{digit}"]').tap()
    fish_key(page, name).tap()
    is_answered(page)


def cards(page: Page) -> list[str]:
    return page.locator(".layers li").all_inner_texts()


def test_keys_of_a_swim_that_another_phone_has_changed(phones: Phones, sizes: dict[str, int]) -> None:
    ana = phones()
    begin_match(ana, "what-the-fish", "Ana", "Bo", "Cy")
    bo = come(phones(**sizes), ana, "Bo")
    slow(bo)
    at(bo, 10_000)
    bo.locator('.keypad [data-key="9"]').tap()  # Bo's FISH 9 is about to be played
    play(ana, "8", "Ana")
    key = fish_key(bo, "Bo")
    expect(key).to_contain_text("KILL")
    toast = bo.locator("#toasts .toast")
    at(bo, 12_000)  # however long ago: a FISH was typed
    bo.evaluate(NOTE_BLINK)
    tap(key)
    expect(toast).to_have_text("Ana was faster. 8 to beat, Ana’s fish swims")
    assert bo.evaluate("window.blinked")
    at(bo, 13_000)
    tap(key)  # now that it is seen, the 9 is a KILL
    expect(bo.locator("#duel")).to_contain_text("10 or more saves it")

    # the end of the swim has just become another one
    free, dead = (bo.locator(f"#ends [value^={kind}]") for kind in ("free", "dead"))
    places = [key.evaluate(PLACE) for key in (free, dead)]
    at(bo, 20_000)
    play(ana, "12", "Ana")
    expect(free).to_be_enabled()
    expect(dead).to_be_disabled()
    tap(free)
    expect(toast).to_have_text("Ana was faster. 12 to beat, Ana’s fish swims")
    assert [key.evaluate(PLACE) for key in (free, dead)] == places
    at(bo, 20_599)
    tap(free)
    expect(bo.locator("#duel")).to_contain_text("13 or more kills it")
    at(bo, 22_000)
    tap(free)
    expect(bo.locator("#ending")).to_contain_text("Ana wins")


def test_a_whale_does_not_become_a_turtle_under_the_finger(phones: Phones, sizes: dict[str, int]) -> None:
    ana = phones()
    begin_match(ana, "rivals", "Ana", "Bo")
    bo = come(phones(**sizes), ana, "Bo")
    ana.locator('[name=tap][value="lay-1:0"]').tap()
    for page in (ana, bo):
        expect(page.locator("#turn")).to_contain_text("Bo’s turn")
    slow(bo)
    at(bo, 10_000)
    mine = bo.locator("#turn [data-whale='1']").first
    for left in (1, 2):
        ana.locator('[name=tap][value="lay-1:1"]').tap()
        is_answered(ana)
        ana.wait_for_timeout(700)
        expect(bo.locator("#turn")).to_contain_text("1 action left" if left == 1 else "Ana’s turn")
    expect(mine).to_have_attribute("value", "turtle-1:0")
    tap(mine)
    expect(bo.locator("#toasts")).to_contain_text("Ana was faster: Bo’s whale on pack 1")
    at(bo, 11_000)
    expect(bo.locator("#turn")).to_contain_text("Ana’s turn")
    expect(bo.locator("#turn")).to_contain_text("2 actions left")
    tap(mine)
    expect(bo.locator("#turn")).to_contain_text("1 action left")


def test_the_second_half_of_a_double_tap_on_got_it_passes_no_deal(phones: Phones) -> None:
    ana = phones(width=360, height=640)
    begin_match(ana, "beloz", "Ana", "Bo", "Cy", "Di")
    bo = come(phones(), ana, "Bo")
    for page in (ana, bo):
        expect(page.get_by_role("button", name="Everyone passed")).to_be_visible()
    bo.get_by_role("button", name="Everyone passed").tap()
    done = ana.get_by_role("button", name="Got it")
    expect(done).to_be_visible()
    x, y = place_of(done)
    at(ana, 10_000)
    ana.touchscreen.tap(x, y)
    expect(done).to_be_hidden()
    under = ana.evaluate("([x, y]) => document.elementFromPoint(x, y).closest('button')?.value ?? ''", [x, y])
    at(ana, 10_300)
    ana.touchscreen.tap(x, y)
    ana.wait_for_timeout(300)
    expect(ana.locator("#rows > details")).to_have_count(1)
    assert under != "passed-deal"


def test_what_lies_where_start_was_skips_nothing(phones: Phones) -> None:
    page = phones(width=360, height=640)
    page.goto("/tables/new?game=bisque")
    for seat, name in enumerate(("Ana", "Bo", "Cy")):
        page.locator(f"[name=person_{seat}]").fill(name)
    page.get_by_role("button", name="Sit down").click()
    start = page.get_by_role("button", name="Start Bisque")
    x, y = place_of(start)
    tap(start)
    expect(page.locator("#goal-begin")).to_be_visible()
    assert page.evaluate("([x, y]) => document.elementFromPoint(x, y).closest('button').id", [x, y]) == "goal-begin"


def test_keys_are_as_large_as_a_thumb_on_the_smallest_phone(phones: Phones) -> None:
    page = phones(width=320, height=568)
    begin_match(page, "beloz", "Ana", "Bo", "Cy", "Di")
    page.goto(f"{page.url}/count")
    boxes = page.locator(".count-dock .key").evaluate_all("keys => keys.map((key) => key.getBoundingClientRect().toJSON())")
    assert len(boxes) == 12
    assert min(min(box["width"], box["height"]) for box in boxes) >= 48


def test_a_tap_that_does_not_count_at_the_table_says_why(phones: Phones) -> None:
    ana = phones()
    sit_down(ana, "beloz", "Ana", "Bo", "Cy", "Di")
    bo = phones(width=360, height=640)
    bo.goto(ana.url)
    start = bo.locator("#footer .primary")
    expect(start).to_have_text("Start BeloZ")
    at(bo, 10_000)
    ana.locator("#games").get_by_role("button", name="Bisque").tap()
    expect(start).to_have_text("Start Bisque")
    bo.evaluate(NOTE_BLINK)
    tap(start)
    expect(bo.locator("#toasts")).to_contain_text("This has just changed.")
    assert bo.evaluate("window.blinked")
    assert bo.url.endswith("/table")
