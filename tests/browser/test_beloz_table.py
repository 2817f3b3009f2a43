"""How does an evening of BeloZ go on two phones? They sit down, join, play, undo, correct, are refused, lose power."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from companion.web import language
from tests.browser.conftest import Phones
from tests.browser.looks import SETTLE, axe, fits, fits_smallest, font_size, grows, news_move_nothing, shot, totals_line_up
from tests.browser.people import (
    Taps,
    begin_match,
    beloz_round,
    come_by_code,
    enter,
    is_answered,
    sit_down_to_beloz,
    start_beloz,
    total,
    wait_until,
)
from tests.server import Server
from tests.web import qr_reader


class RoundTaps(Taps):
    """A thumb that knows the keys of a round of BeloZ."""

    def plain(self, name: str) -> None:
        self.tap(self.page.locator(f'[name=flooded][value="{name}"] .plain-sign'))

    def keys(self, digits: str) -> None:
        for digit in digits:
            self.tap(self.page.locator(f'[data-key="{digit}"]'))

    def last(self, side: str) -> None:
        self.tap(self.page.locator("label.tile", has=self.page.locator(f'input[name=last][value="{side}"]')))


def count_first_round(page: Page, plain: str) -> RoundTaps:
    """Say that Ana took it and which plain is flooded, and open the count."""
    thumb = RoundTaps(page)
    thumb.tap(page.locator("#now").get_by_role("button", name="Ana", exact=True))
    page.wait_for_url("**/who")
    thumb.plain(plain)
    page.wait_for_url("**/m/1")
    thumb.link("Count round 1")
    return thumb


def play_round(page: Page, who: str, plain: str, points: str, last: str = "0") -> RoundTaps:
    """Play a whole round from the match's page and back to it; return its taps."""
    thumb = RoundTaps(page)
    thumb.tap(page.locator("#now").get_by_role("button", name=who, exact=True))
    page.wait_for_url("**/who")
    thumb.plain(plain)
    page.wait_for_url(re.compile(r"/m/\d+$"))
    thumb.link(re.compile("Count round"))
    page.wait_for_url("**/count")
    thumb.keys(points)
    thumb.last(last)
    thumb.button(re.compile("Save round"))
    page.wait_for_url(re.compile(r"/m/\d+$"))
    return thumb


def test_both_examples_of_the_rules_on_two_phones(phones: Phones, server: Server) -> None:
    ana = phones()
    sit_down_to_beloz(ana, "Bo", "Cy", "Di")
    bo = come_by_code(phones(), ana, "Bo")
    start_beloz(ana)
    bo.wait_for_url("**/m/1")  # the lobby follows the table to its match

    # Ana takes it with South; she announces a run of three, Di has BeloZ and Re-BeloZ
    thumb = RoundTaps(ana)
    thumb.tap(ana.locator("#now").get_by_role("button", name="Ana", exact=True))
    ana.wait_for_url("**/who")
    expect(bo.get_by_role("heading", name="Ana took it")).to_be_visible()
    thumb.plain("south")
    ana.wait_for_url("**/m/1")
    expect(bo.locator(".plain-panel")).to_contain_text("South")
    expect(bo.locator("#announce")).to_contain_text("Ana: South flooded")
    ana.get_by_role("link", name=re.compile("Declarations")).click()
    ana.get_by_role("button", name=re.compile("^Ana")).click()
    ana.locator('[name=card][value="north-water-snake"]').click()
    expect(ana.locator("#declared-verdict")).to_contain_text("Ana & Cy count 20")
    ana.get_by_role("button", name=re.compile("^Di")).click()
    ana.get_by_role("button", name=re.compile("BeloZ & Re-BeloZ")).click()
    expect(ana.get_by_role("button", name=re.compile("Di: BeloZ & Re-BeloZ"))).to_be_visible()
    expect(bo.get_by_role("link", name=re.compile("Declarations"))).to_contain_text("2")
    ana.get_by_role("link", name="Done").click()
    ana.get_by_role("link", name="Count round 1").click()
    thumb = RoundTaps(ana)
    thumb.keys("78")
    thumb.last("0")
    expect(ana.locator("#verdict")).to_contain_text("Contract won: 108 to 95")
    expect(ana.locator("#rest")).to_have_text("75")
    ana.get_by_role("button", name="Save round 1").click()
    expect(total(bo, 0)).to_have_text("108")
    expect(total(bo, 1)).to_have_text("95")
    expect(ana.locator("#toasts")).to_contain_text("Round 1 saved. ")

    # without the run the same cards are a broken contract: 0 and 183
    thumb = RoundTaps(bo)
    thumb.tap(bo.locator("#now").get_by_role("button", name="Ana", exact=True))
    bo.wait_for_url("**/who")
    thumb.plain("south")
    bo.wait_for_url("**/m/1")
    bo.get_by_role("link", name=re.compile("Declarations")).click()
    bo.get_by_role("button", name=re.compile("^Di")).click()
    bo.get_by_role("button", name=re.compile("BeloZ & Re-BeloZ")).click()
    expect(bo.get_by_role("button", name=re.compile("Di: BeloZ & Re-BeloZ"))).to_be_visible()
    bo.get_by_role("link", name="Done").click()
    bo.get_by_role("link", name="Count round 2").click()
    thumb.keys("78")
    thumb.last("0")
    expect(bo.locator("#verdict")).to_contain_text("Contract broken: 88 to 95")
    shot(bo, "count-broken")
    bo.get_by_role("button", name="Save round 2").click()
    expect(total(ana, 0)).to_have_text("108")
    expect(total(ana, 1)).to_have_text("278")

    # each number is explained
    ana.locator("#entry-1 summary").click()
    expect(ana.locator("#entry-1")).to_contain_text("Run of three, Ana")
    expect(ana.locator("#entry-1")).to_contain_text("108 beats 95")
    total(ana, 1).get_by_role("link").click()
    expect(ana.get_by_role("dialog")).to_contain_text("Round 2: Ana took South, broken")

    # undone on one phone, redone on it, seen on the other, in the sum that is open there too
    bo.locator("#toasts").get_by_role("button", name="Undo").click()
    expect(ana.get_by_role("dialog")).not_to_contain_text("Round 2: Ana took South, broken")
    ana.get_by_role("dialog").get_by_role("button", name="Close").click()
    expect(total(ana, 1)).to_have_text("95")
    bo.locator("#toasts").get_by_role("button", name="Redo").click()
    expect(total(ana, 1)).to_have_text("278")

    # corrected: round 1 was 80, and every later total that changes is shown before it is saved
    expect(ana.locator("#entry-1")).to_have_attribute("open", "")  # no news from other phones closed it
    ana.locator("#entry-1").get_by_role("link", name="Correct").click()
    ana.wait_for_url("**/entries/1")
    for key, shown in (("backspace", "7"), ("backspace", ""), ("8", "8"), ("0", "80")):  # what is chosen can be edited, too
        ana.locator(f'[data-key="{key}"]').click()
        expect(ana.locator("#points")).to_have_value(shown)
    expect(ana.locator("#verdict")).to_contain_text("What changes")
    expect(ana.locator("#verdict dd").first).to_have_text("110 was 108")
    was = ana.locator("#verdict dd small > span").first.bounding_box()
    assert was
    assert was["width"] > 20, "the word is seen, not only heard"
    expect(ana.locator("#verdict dd").last).to_have_text("276 was 278")
    shot(ana, "correct")
    fits(ana)
    font_size(ana, 32)
    fits(ana)
    font_size(ana, 16)
    ana.get_by_role("button", name="Save the correction").click()
    expect(total(bo, 0)).to_have_text("110")
    expect(total(bo, 1)).to_have_text("276")
    expect(total(ana, 0)).to_have_text("110")

    # the power goes; everything is still there, and both phones find back by themselves
    server.restart()
    ana.reload()
    expect(total(ana, 0)).to_have_text("110")
    expect(total(ana, 1)).to_have_text("276")
    expect(ana.locator("#entry-1")).to_be_visible()


def test_a_tap_right_after_a_reload_keeps_what_was_typed_before(ana: Page) -> None:
    thumb = count_first_round(ana, "north")
    thumb.keys("100")
    expect(ana.locator("#verdict")).not_to_contain_text("Type one team")
    held: list[Route] = []  # what a slow line has not answered yet
    ana.route("**/count", lambda route: held.append(route) if route.request.method == "POST" else route.continue_())
    ana.reload()
    wait_until(ana, lambda: bool(held))
    thumb.last("0")
    ana.unroute("**/count")  # what waits goes on
    expect(ana.locator("#verdict")).not_to_contain_text("Type one team")
    expect(ana.locator("#points")).to_have_value("100")
    expect(ana.locator("[name=last][value='0']")).to_be_checked()
    thumb.tap(ana.get_by_role("button", name="Save round 1"))
    expect(ana.locator("#entry-1")).to_be_visible()


def test_a_usual_round_takes_eight_taps(ana: Page) -> None:
    assert play_round(ana, "Ana", "north", "98").count <= 8
    assert play_round(ana, "Ana", "north", "104").count <= 8
    expect(total(ana, 0)).to_have_text("222")


def test_all_eight_takes_six(ana: Page) -> None:
    thumb = count_first_round(ana, "north")
    thumb.last("all")
    expect(ana.locator("#own")).to_have_text("153")
    expect(ana.locator("#verdict")).to_contain_text("Contract won: 253 to 0")
    thumb.button("Save round 1")
    expect(total(ana, 0)).to_have_text("253")
    assert thumb.count <= 6


def box(page: Page, what: str) -> dict[str, float]:
    """Return where the first one is, in pixels. It is found and measured in one step: the page may replace it."""
    return page.evaluate("what => document.querySelector(what).getBoundingClientRect().toJSON()", what)  # type: ignore[no-any-return]


def box_of(place: Locator) -> dict[str, float]:
    """Return where this is on the screen, in pixels."""
    return place.evaluate("each => each.getBoundingClientRect().toJSON()")  # type: ignore[no-any-return]


def test_a_whole_match_to_a_thousand_and_the_rematch(ana: Page, bo: Page) -> None:
    # Ana & Cy: 8 x (112 + 10) = 976, then 1098; Bo & Di: 41 a round
    enter(ana, "beloz", *(beloz_round(112, flooded=("north", "east", "south", "west")[number % 4]) for number in range(7)))
    for number, page in ((7, bo), (8, ana)):
        expect(page.get_by_role("link", name=f"Count round {number + 1}")).to_be_visible()
        play_round(page, "Ana", ("west", "north")[number - 7], "112")
        expect(page.locator("#rows > details")).to_have_count(number + 1)
    for page in (ana, bo):
        expect(page.locator("#ending")).to_contain_text("Ana & Cy win")
        expect(total(page, 0)).to_have_text("1,098")
        expect(total(page, 1)).to_have_text("369")
    shot(ana, "winner")
    for width, height in ((1280, 800), (844, 390), (390, 844), (320, 568)):  # the sky ends where the screen does
        ana.set_viewport_size({"width": width, "height": height})
        ana.evaluate(SETTLE)
        fits(ana)
        sky = box(ana, ".gathering")
        assert max(sky["left"], sky["top"]) <= 0
        assert sky["right"] >= width or width == 844  # there it fades beside the words
    assert box(ana, ".gathering use.far")["top"] >= box(ana, ".app-bar details")["bottom"]  # the menu hides no tree
    ana.evaluate("document.querySelectorAll('#rows > details').forEach((one) => (one.open = true))")
    for link in ana.get_by_role("link", name="Correct", exact=True).all():  # none is behind the dock, whose rows are two
        link.evaluate("link => link.scrollIntoView({ block: 'end' })")
        assert box_of(link)["bottom"] <= box(ana, ".action-bar")["top"]
    ana.get_by_role("button", name=re.compile("Rematch")).click()
    ana.wait_for_url("**/m/2")
    expect(total(ana, 0)).to_have_text("0")


def test_what_can_not_be_is_said_at_its_place_and_stays_typed(ana: Page) -> None:
    thumb = count_first_round(ana, "south")
    thumb.keys("152")
    expect(ana.locator("#verdict")).to_contain_text("152 is not possible")
    thumb.button("Save round 1")
    is_answered(ana)  # the verdict says the same before
    expect(ana.locator("#verdict [data-error]")).to_contain_text("no card is worth exactly 1")
    expect(ana.locator("#verdict [data-error]")).to_be_focused()  # and heard
    expect(ana.locator("#announce")).to_contain_text("no card is worth exactly 1")
    expect(ana.locator("#points")).to_have_value("152")
    for key in ("backspace",) * 3:
        ana.locator(f'[data-key="{key}"]').click()
    thumb.keys("58")
    expect(ana.locator("#verdict")).to_contain_text("Who won the last one?")
    ana.get_by_label("More ways to count").click()
    ana.get_by_role("button", name="Add number of expeditions").click()
    ana.locator("label.tile", has=ana.locator('input[name=expeditions][value="1"]')).click()
    ana.get_by_role("button", name="Done").click()
    expect(ana.locator("#points")).to_have_value("58")
    expect(ana.locator("#verdict")).to_contain_text("With 1 expedition, 58 is not possible.")
    shot(ana, "refused")


def touch(page: Page, selector: str) -> None:
    """Put a finger on the middle of what is there, wherever that is now."""
    expect(page.locator(selector)).to_be_visible()
    box = page.locator(selector).bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


# where things begin on the screen
AT = "(what) => [...document.querySelectorAll(what)].map((one) => Math.round(one.getBoundingClientRect().top))"
LAST = 'label.tile:has(input[name=last][value="{}"])'
STILL = "[data-key], .keypad [value='counting:pile'], .count-dock .primary, #verdict, .count .tile"


def places(page: Page) -> list[list[float]]:
    """Return where the keys, Save and all that is above them are on the screen, but for the sinking of what is pressed."""
    found: list[list[float]] = page.evaluate(
        """(still) => [...document.querySelectorAll(still)].map((one) => {
          const { x, y, width, height } = one.getBoundingClientRect();
          const { m42: sunk } = new DOMMatrix(getComputedStyle(one).transform);
          return [x, y - sunk, width, height].map(Math.round);
        })""",
        STILL,
    )
    return found


@pytest.mark.parametrize(
    ("size", "paths"),
    [((360, 640), ("/count", "/entries/1", "/calculate/beloz")), ((390, 844), ("/count",))],
    ids=["640", "844"],
)
def test_nothing_moves_under_the_thumb_that_counts(ana: Page, size: tuple[int, int], paths: tuple[str, ...]) -> None:
    base = urlsplit(ana.url).path
    enter(ana, "beloz", beloz_round(98))
    thumb = RoundTaps(ana)
    thumb.tap(ana.locator("#now").get_by_role("button", name="Bo", exact=True))
    ana.wait_for_url("**/who")
    thumb.plain("south")
    ana.wait_for_url("**/m/1")
    ana.set_viewport_size({"width": size[0], "height": size[1]})
    line = ana.locator("#verdict .verdict-line")
    for path in paths:
        correcting = path == "/entries/1"
        ana.goto(path if path.startswith("/calc") else base + path)
        if correcting:
            expect(ana.locator("#points")).to_have_value("98")  # it opens with what was typed
            expect(line).to_contain_text("Nothing changes yet")
            touch(ana, '[data-key="7"]')  # it was chosen, so the first digit begins a new number
            expect(ana.locator("#points")).to_have_value("7")
            touch(ana, "[value='part:declarations']")
            touch(ana, ".app-bar [value='part:count']")
            expect(ana.locator("#points")).to_have_value("7")
            touch(ana, "[data-key=backspace]")
        if path.startswith("/calc"):
            touch(ana, "[value='part:who']")
            ana.locator("#who [value='bidder:1']").click()
            expect(ana.locator("#who [value='bidder:1']")).to_have_attribute("aria-pressed", "true")
            ana.locator("[name=flooded][value=south] .plain-sign").click()
        expect(line).to_contain_text("Type one team’s points")
        at = places(ana)
        assert len(at) >= 16
        assert all(y >= 0 and y + height <= size[1] for _, y, _, height in at), "all of it is in sight"
        fits(ana)
        for key, rest in (("1", "152"), ("1", "142"), ("2", "41")):
            touch(ana, f'[data-key="{key}"]')
            expect(ana.locator("#rest")).to_have_text(rest)
            assert ana.locator("#verdict [data-error]").count() == 0
            assert places(ana) == at
        touch(ana, LAST.format(1))
        expect(line).to_contain_text("Contract won: ")
        assert places(ana) == at
        touch(ana, LAST.format("all"))
        expect(ana.locator("#own")).to_have_text("153")
        expect(ana.locator("#own-beside")).to_have_text("" if not correcting else re.compile("was 98"))
        assert places(ana) == at
        mine, other = ("0", "1") if correcting else ("1", "0")
        touch(ana, f"[value='team:{other}']")  # the eight are the other team's
        touch(ana, f"[value='team:{mine}']")
        expect(ana.locator(f"[value='team:{other}']")).to_be_visible()
        touch(ana, LAST.format(0))  # not all eight after all: what was typed is there, and so are the keys
        expect(ana.locator("#points")).to_be_visible()
        expect(ana.locator("#rest")).to_have_text("41")
        assert places(ana) == at
        touch(ana, "[data-key=backspace]")
        touch(ana, "[data-key=backspace]")
        expect(line).to_contain_text("1 needs another digit")
        for key in "52":
            touch(ana, f'[data-key="{key}"]')
        expect(line).to_contain_text("152 is not possible")
        assert places(ana) == at
        touch(ana, "[data-key=backspace]")
        expect(line).not_to_contain_text("possible")
        assert ana.evaluate("scrollY") == 0
    for code in ("de", "fr"):  # longer words hide no total behind the keys
        ana.context.add_cookies([{"name": language.COOKIE, "value": code, "url": ana.url}])
        ana.goto(base + "/count")
        totals, dock = ana.evaluate(
            "['#verdict .totals', '.count-dock'].map((one) => document.querySelector(one).getBoundingClientRect().toJSON())"
        )
        assert totals["bottom"] <= dock["top"], code


def test_cards_stay_under_the_thumb_and_what_is_half_counted_stays_on_the_phone(ana: Page) -> None:
    count_first_round(ana, "south")
    ana.set_viewport_size({"width": 360, "height": 640})
    touch(ana, LAST.format(0))
    touch(ana, "[value='counting:pile']")
    grid = ana.locator(".pile")
    expect(grid).to_be_visible()
    at = grid.bounding_box()
    cards = ana.locator(".pile .card-piece")
    for place in range(8):  # as fast as somebody counts, without waiting for what comes back
        box = cards.nth(place).bounding_box()
        assert box
        ana.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        ana.wait_for_timeout(350)
        assert grid.bounding_box() == at
    expect(ana.locator(".pile :checked")).to_have_count(8)
    cards.nth(8).tap()
    expect(ana.locator("#own")).to_have_text("41")  # of the North 11 + 10 + 4 + 3 + 2, and 11 for the lion of the East
    expect(ana.locator("#verdict")).to_contain_text("9 cards so far")
    ana.get_by_role("button", name="Save round 1").tap()
    expect(ana.get_by_role("alert")).to_contain_text("Take 1 off or add 3.")
    assert grid.bounding_box() == at
    shot(ana, "pile-refused")

    # the pad, a reload and the way back to it keep what was counted
    touch(ana, "[value='counting:pad']")
    expect(ana.locator("#points")).to_have_value("41")
    touch(ana, "[value='counting:pile']")
    expect(ana.locator(".pile :checked")).to_have_count(9)
    ana.reload()
    expect(ana.locator(".pile :checked")).to_have_count(9)
    touch(ana, "[value='counting:pad']")
    touch(ana, "[data-key='3']")
    expect(ana.locator("#rest")).to_have_text("–")  # 413
    touch(ana, "[data-key=backspace]")
    ana.get_by_role("link", name="Back").tap()
    ana.get_by_role("link", name="Count round 1").tap()
    expect(ana.locator("#points")).to_have_value("41")
    expect(ana.locator("#rest")).to_have_text("112")

    # digits are no longer all eight
    touch(ana, LAST.format("all"))
    expect(ana.locator("#own")).to_have_text("153")
    touch(ana, "[data-key='9']")
    expect(ana.locator("#points")).to_be_visible()
    expect(ana.locator("#points")).to_have_value("9")
    expect(ana.locator("#verdict")).to_contain_text("Who won the last one?")


UNDER_THE_DOCK = """() => {
  const dock = document.querySelector(".declared-dock").getBoundingClientRect().top;
  const verdict = document.querySelector(".declared-verdict");
  const covered = [...document.querySelectorAll(".decl-cell, .decl-animal")].filter(
    (one) => one.getBoundingClientRect().bottom > dock,
  );
  const words = document.createRange();
  words.selectNodeContents(verdict.querySelector(".rule"));
  const cut = words.getBoundingClientRect().bottom > verdict.getBoundingClientRect().bottom + 3;
  return [...covered, ...(cut ? [verdict] : [])].map((one) => one.outerHTML);
}"""
UNDER_THE_TICK = """() => {
  const tick = document.querySelector("#belozed .tick").getBoundingClientRect();
  return [...document.querySelectorAll("#belozed b")].filter((words) => {
    const range = document.createRange();
    range.selectNodeContents(words);
    return [...range.getClientRects()].some(
      (one) => one.left < tick.right && tick.left < one.right && one.top < tick.bottom && tick.top < one.bottom,
    );
  }).map((one) => one.outerHTML);
}"""


def test_what_stands_beside_declarations_is_whole_in_every_language(ana: Page) -> None:
    ana.set_viewport_size({"width": 360, "height": 640})
    base = urlsplit(ana.url).path
    thumb = RoundTaps(ana)
    thumb.tap(ana.locator("#now").get_by_role("button", name="Ana", exact=True))
    ana.wait_for_url("**/who")
    thumb.plain("north")
    ana.wait_for_url("**/m/1")
    ana.goto(f"{base}/declarations")
    touch(ana, "[name=quads][value=crocodile]")
    expect(ana.locator(".undo-named")).to_contain_text("quads of crocodiles")
    for code in ("en", "de", "fr"):
        ana.context.add_cookies([{"name": language.COOKIE, "value": code, "url": ana.url}])
        ana.goto(f"{base}/declarations")
        cut = ana.locator(".declared-dock :is(.clamped, b, .button), .app-bar .clamped").evaluate_all(
            "all => all.filter((one) => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight + 1)"
            ".map((one) => one.outerHTML)"
        )
        assert cut == [], code
    # with more than one, the reason takes no third line, and the tick of BeloZ covers no letter
    keys = "[name=quads][value=crocodile]", "[name=card][value=south-water-snake]", "#belozed button", ".speaker >> nth=1"
    runs = "[value=east-leopard]", ".speaker >> nth=2", "[value=west-leopard]", "[value=west-crocodile]"
    for key in (*keys, *runs):
        ana.locator(key).tap()
        is_answered(ana)
    for code in ("en", "de", "fr"):
        ana.context.add_cookies([{"name": language.COOKIE, "value": code, "url": ana.url}])
        ana.goto(f"{base}/declarations")
        assert ana.evaluate(UNDER_THE_DOCK) == [], code
        assert ana.evaluate(UNDER_THE_TICK) == [], code


# the names of plains of which a letter lies on another land, or under the river, which covers some pixels of each
OFF_ITS_LAND = """() => [...document.querySelectorAll(".land b")].filter((name) => {
  const words = document.createRange();
  words.selectNodeContents(name);
  const { left, right, top, bottom } = words.getBoundingClientRect();
  const middle = (top + bottom) / 2;
  return [left - 5, right + 5].some((x) => document.elementFromPoint(x, middle)?.closest(".land") !== name.closest(".land"));
}).map((name) => name.textContent.trim())"""


@pytest.mark.parametrize("size", [(360, 640), (844, 390)], ids=["upright", "sideways"])
def test_what_is_tapped_in_a_round_is_all_in_sight(ana: Page, size: tuple[int, int]) -> None:
    base = urlsplit(ana.url).path
    thumb = RoundTaps(ana)
    thumb.tap(ana.locator("#now").get_by_role("button", name="Ana", exact=True))
    ana.wait_for_url("**/who")
    ana.set_viewport_size({"width": size[0], "height": size[1]})
    ana.wait_for_function("document.documentElement.scrollHeight <= innerHeight")
    seats, plains = ana.locator(".table").bounding_box(), ana.locator(".river-map").bounding_box()
    assert seats is not None
    assert plains is not None
    beside = seats["x"] + seats["width"] <= plains["x"] and abs(seats["y"] - plains["y"]) < 60
    assert beside == (size[0] > size[1])
    if not beside:
        ana.set_viewport_size({"width": 320, "height": 568})
    assert ana.evaluate(OFF_ITS_LAND) == []
    ana.set_viewport_size({"width": size[0], "height": size[1]})
    thumb.plain("south")
    ana.wait_for_url("**/m/1")
    ana.goto(f"{base}/declarations")
    touch(ana, "[name=card][value=north-water-snake]")
    expect(ana.locator("#declared-verdict")).to_contain_text("Ana & Cy count 20")
    touch(ana, "#belozed button")
    expect(ana.locator("#belozed")).to_contain_text("Ana: BeloZ")
    undo = ana.locator(".undo-named > span")
    expect(undo).to_have_text("Undo: Ana: BeloZ")
    assert undo.evaluate("words => words.scrollHeight <= words.clientHeight + 1"), "all of it can be read"
    expect(ana.locator(".action-bar .declared-why")).to_contain_text("Only Ana & Cy announced anything.")
    hidden = ana.evaluate(
        """(keys) => [...document.querySelectorAll(keys)].filter((one) => {
          const { left, right, top, bottom } = one.getBoundingClientRect();
          const inside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
          return !inside || ![top + 2, bottom - 2].every((y) => one.contains(document.elementFromPoint((left + right) / 2, y)));
        }).map((one) => one.outerHTML)""",
        ".decl-cell, .speaker, #belozed button, #declared-verdict, .footer .button",
    )
    assert hidden == []
    cells = ana.locator(".decl-cell").evaluate_all("cells => cells.map((one) => [one.offsetWidth, one.offsetHeight])")
    assert min(map(min, cells)) >= 48, "large enough for a thumb"
    # what was not shown needs no looking for: its button is in the bar, and unfolds it above the dock
    touch(ana, ".app-bar a[href='#shown-tiles']")
    ana.wait_for_function(
        """() => {
          const { top, bottom } = document.querySelector("#shown-tiles .tile").getBoundingClientRect();
          return top > 0 && 0 < bottom && bottom <= document.querySelector(".action-bar").getBoundingClientRect().top;
        }"""
        if size[0] < size[1]
        else "() => document.querySelector('#shown').open"
    )
    ana.locator(".speaker").nth(1).tap()
    expect(ana.locator(".speaker").nth(1)).to_have_attribute("aria-pressed", "true")
    touch(ana, "[name=card][value=north-water-snake]")
    refusal = ana.get_by_role("alert").filter(has_text="water snake")
    expect(refusal).to_contain_text("Ana has declared the North water snake, so Bo can’t hold it too.")
    expect(refusal).to_be_in_viewport(ratio=1)
    # at twice the text the dock leaves half of the phone to the cards, or stands beside them
    ana.evaluate("document.documentElement.style.fontSize = '32px'")
    ana.wait_for_function(
        """() => {
          const dock = document.querySelector(".action-bar").getBoundingClientRect();
          return dock.width * dock.height <= innerWidth * innerHeight / 2;
        }"""
    )
    fits(ana)


def test_text_of_twice_the_size_grows_and_leaves_the_verdict_in_sight(ana: Page) -> None:
    base = urlsplit(ana.url).path
    count_first_round(ana, "south")
    ana.goto(f"{base}/declarations")
    for key in "[name=card][value=north-water-snake]", "#belozed button", ".speaker >> nth=2", "[value=east-leopard]":
        ana.locator(key).tap()
        is_answered(ana)
    grows(ana, "#declared-verdict")
    ana.goto(f"{base}/count")
    thumb = RoundTaps(ana)
    thumb.keys("98")
    thumb.last("0")
    expect(ana.locator("#verdict")).to_contain_text("Contract won")
    grows(ana, "#verdict")
    ana.set_viewport_size({"width": 360, "height": 640})
    thumb.button("Save round 1")
    ana.wait_for_url("**/m/1")
    ana.goto(base)
    expect(ana.locator("#now")).to_contain_text("Who took the contract?")
    grows(ana)
    ana.goto(f"{base}/entries/1")
    ana.locator('[data-key="7"]').click()
    expect(ana.locator("#verdict")).to_contain_text("Broken instead of won")
    grows(ana, "#verdict")


def test_sideways_names_beside_declarations_are_whole(phones: Phones) -> None:
    page = phones(width=844, height=390)
    begin_match(page, "beloz", "Antoine", "En face", "Cyprien", "Wilhelmina")
    base = urlsplit(page.url).path
    page.locator("#now .tile").first.click()
    page.wait_for_url("**/who")
    RoundTaps(page).plain("south")
    page.wait_for_url("**/m/1")
    page.goto(f"{base}/declarations")
    for key in "[name=card][value=north-water-snake]", "#belozed button", ".speaker >> nth=2", "[value=east-leopard]":
        page.locator(key).tap()
        is_answered(page)
    page.locator(".speaker >> nth=1").tap()
    expect(page.locator(".decl-cell.taken")).to_have_count(6)
    for width, height in ((844, 390), (667, 375)):
        page.set_viewport_size({"width": width, "height": height})
        cut = page.evaluate(
            """() => [...document.querySelectorAll(".speaker b, .speaker b span, .taken .face, .named")]
              .filter((one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 3)
              .filter((one) => getComputedStyle(one).display !== "inline")
              .map((one) => one.outerHTML)"""
        )
        assert cut == [], width
        rule = page.locator("#declared-verdict .rule").evaluate(
            "(one) => { const { left, right, top, bottom } = one.getBoundingClientRect();"
            " return one.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2)); }"
        )
        assert rule, "the reason is in sight to its end"
        fits(page)


def test_names_of_35_letters_leave_both_players_in_sight(phones: Phones) -> None:
    page = phones()
    begin_match(page, "beloz", *(letter + "ambrosianus-"[:11] * 3 + "x" for letter in "WMÖG"))
    base = urlsplit(page.url).path
    page.locator("#now .tile").first.click()
    page.wait_for_url("**/who")
    RoundTaps(page).plain("south")
    page.wait_for_url("**/m/1")
    page.goto(f"{base}/count")
    count = RoundTaps(page)
    count.keys("98")
    count.last("0")
    expect(page.locator("#verdict")).to_contain_text("Contract won")
    for path in ("/count", "/who", "/declarations", "", "/entries/1"):
        if not path:
            page.goto(f"{base}/count")
            expect(page.locator("#points")).to_have_value("98")  # kept since it was typed
            expect(page.locator("#verdict")).to_contain_text("Contract won")
            page.get_by_role("button", name="Save round 1").click()
            page.wait_for_url(re.compile(r"/m/1$"))
        else:
            page.goto(base + path)
        for width in (360, 390):
            page.set_viewport_size({"width": width, "height": 640})
            page.wait_for_function("(width) => innerWidth === width", arg=width)
            fits(page)
            names = page.evaluate(
                """() => [...document.querySelectorAll('.pair')].map((pair) => {
                  const { left, right, top, bottom } = pair.parentElement.getBoundingClientRect();
                  return [...pair.children].map((name) => {
                    const box = name.getBoundingClientRect();
                    const across = box.left >= left - 1 && box.right <= right + 1;
                    return [box.width, across && box.top >= top - 1 && box.bottom <= bottom + 1];
                  });
                })"""
            )
            assert names or path in {"/who", "/declarations"}
            assert path != "/declarations" or page.locator(".speaker").first.bounding_box()["height"] < 80
            assert all(shown >= 16 and inside for pair in names for shown, inside in pair), f"{path} at {width}: {names}"


def test_two_phones_count_the_same_round(ana: Page, bo: Page) -> None:
    thumb = RoundTaps(ana)
    thumb.tap(ana.locator("#now").get_by_role("button", name="Ana", exact=True))
    ana.wait_for_url("**/who")
    thumb.plain("south")
    for page, points in ((ana, "98"), (bo, "101")):
        page.get_by_role("link", name="Count round 1").click()
        page.wait_for_url("**/count")
        there = RoundTaps(page)
        there.keys(points)
        there.last("0")
    ana.get_by_role("button", name="Save round 1").click()
    expect(total(ana, 0)).to_have_text("108")
    expect(bo.locator("#since")).to_contain_text("Ana saved round 1 meanwhile.")
    expect(bo.locator("#points")).to_have_value("101")
    expect(bo.locator("#verdict")).to_contain_text("111")  # what it was when Bo began, not added twice
    shot(bo, "conflict-told")
    bo.get_by_role("button", name=re.compile("Save round")).click()
    expect(bo.get_by_role("alert").first).to_contain_text("Which one is right?")
    bo.set_viewport_size({"width": 360, "height": 640})
    theirs, mine = bo.get_by_role("button", name="Keep Ana’s 98"), bo.get_by_role("button", name="Use my 101")
    assert [round(each.bounding_box()["height"]) >= 64 for each in (theirs, mine)] == [True, True]
    title = bo.get_by_role("heading", level=1).bounding_box()
    assert title
    assert title["height"] < 30, "one line"
    fits(bo)
    axe(bo, dark=True)
    shot(bo, "conflict")
    totals_line_up(bo)
    ana.set_viewport_size({"width": 360, "height": 640})
    expect(ana.locator("#toasts > *")).to_have_count(0)
    at = ana.evaluate(AT, "#now, #now .tile, .rows, .total")
    thumb = RoundTaps(bo)
    thumb.tap(mine)
    expect(total(ana, 0)).to_have_text("111")
    # Ana's phone is told quietly, once, and the row says so; Bo's knows it
    expect(ana.locator(".news")).to_contain_text("Bo corrected round 1")
    expect(ana.locator(".news")).to_contain_text("Before: 108 to 55")
    expect(ana.locator("#announce")).to_contain_text("Bo corrected round 1")
    expect(ana.locator("#entry-1")).to_contain_text("corrected by Bo")
    assert ana.evaluate(AT, "#now, #now .tile, .rows, .total") == at, "the news move nothing"
    cut = "[...document.querySelectorAll('.news-words > *')].some((one) => one.scrollWidth > one.clientWidth)"
    assert not ana.evaluate(cut), "it ends where the line does, not in dots"
    ana.locator(".score-name").first.evaluate("(name) => name.append(' or Bartholomew')")  # a name of two lines starts higher
    news_move_nothing(ana, ".score-name, .total, #now .tile, .action-bar :is(a, button), .app-bar :is(a, summary)")
    axe(ana)
    shot(ana, "news")
    ana.get_by_role("button", name="Got it").click()
    expect(ana.locator(".news")).to_be_hidden()
    expect(bo.locator(".news")).to_be_hidden()


def count_a_round(ana: Page) -> RoundTaps:
    """Count a round: Ana took South, and her team has 98 and the last expedition, so 108 as soon as it is saved."""
    thumb = count_first_round(ana, "south")
    thumb.keys("98")
    thumb.last("0")
    expect(ana.locator("#verdict")).to_contain_text("Contract won")
    return thumb


def test_an_entry_made_without_a_connection_waits_and_counts_once(ana: Page, phones: Phones) -> None:
    thumb = count_a_round(ana)
    ana.context.set_offline(True)
    thumb.button("Save round 1")
    ana.wait_for_url(re.compile(r"/m/1$"))  # the match as it was seen last
    told = ana.locator("#offline")
    expect(told).to_contain_text("without 1 entry of this phone")
    expect(told.locator(".pending-row")).to_have_text(re.compile(r"^Round 1\s+Ana & Cy 98\s+waiting$"))
    shot(ana, "offline")
    thumb.link("Count round 2")  # the same round is not entered once more
    expect(ana.locator("#whole-form output")).to_have_text("2")
    thumb.button("Close")
    expect(told).to_contain_text("without 1 entry of this phone")
    ana.context.set_offline(False)
    expect(ana.locator("#toasts")).to_contain_text("Round 1 saved. Ana & Cy 108, Bo & Di 55")
    expect(total(ana, 0)).to_have_text("108")
    expect(ana.locator("#rows > details")).to_have_count(1)
    expect(ana.locator("#offline")).to_be_empty()
    phones.problems[:] = [problem for problem in phones.problems if "ERR_INTERNET_DISCONNECTED" not in problem]


def test_without_a_connection_nobody_scores_and_nothing_moves(ana: Page, phones: Phones) -> None:
    count_a_round(ana)
    ana.set_viewport_size({"width": 360, "height": 640})
    ana.evaluate(SETTLE)  # its height comes with the next picture
    at = places(ana)
    ana.context.set_offline(True)
    touch(ana, "[data-key=backspace]")
    expect(ana.locator("#verdict")).to_contain_text("No connection")
    expect(ana.locator("#offline")).to_contain_text("No connection")
    expect(ana.locator("#rest")).to_have_text("–")  # it was the rest of another number
    assert places(ana) == at
    assert ana.locator("#verdict").evaluate("(box) => box.scrollHeight <= box.clientHeight")
    ana.context.set_offline(False)
    expect(ana.locator("#rest")).to_have_text("144")
    phones.problems[:] = [problem for problem in phones.problems if "ERR_INTERNET_DISCONNECTED" not in problem]


@pytest.mark.parametrize("status", [429, 503])
def test_an_entry_that_meets_a_server_that_can_not_take_it_now_waits_and_counts_once(
    ana: Page, phones: Phones, status: int
) -> None:
    thumb = count_a_round(ana)
    ana.route("**/count", lambda route: route.fulfill(status=status, content_type="text/html", body="<title>Away</title>"))
    thumb.button("Save round 1")
    expect(ana.locator("#offline")).to_contain_text("1 entry")
    ana.unroute("**/count")
    expect(total(ana, 0)).to_have_text("108")
    expect(ana.locator("#rows > details")).to_have_count(1)
    phones.problems[:] = [problem for problem in phones.problems if str(status) not in problem]


def test_a_form_that_meets_a_server_that_is_away_stays_as_it_was_filled(ana: Page, phones: Phones) -> None:
    ana.goto("/tables/new?game=beloz")
    ana.get_by_label("Your name").fill("Ana")
    ana.route("**/tables", lambda route: route.fulfill(status=503, content_type="text/html", body="<title>Away</title>"))
    ana.get_by_role("button", name="Sit down").click()
    expect(ana.locator("#offline")).to_contain_text("What you typed is still here")
    expect(ana.get_by_label("Your name")).to_have_value("Ana")
    phones.problems[:] = [problem for problem in phones.problems if "503" not in problem]


def test_every_page_is_for_everybody(phones: Phones) -> None:
    ana = phones()
    sit_down_to_beloz(ana, "Bo", "Cy", "Di")
    axe(ana, dark=True)
    start_beloz(ana)
    enter(ana, "beloz", beloz_round(98))
    base = urlsplit(ana.url).path
    of_match = (base + path for path in ("", "/who", "/declarations", "/count", "/entries/1"))
    for path in (*of_match, "/calculate/beloz", "/tables/new?game=beloz"):
        ana.goto(path)
        axe(ana, dark=True)
        fits_smallest(ana)
    # the last page draws where people will sit: each place in whole words, above a key as wide as the page
    assert ana.locator(".new-seats b").evaluate_all("all => all.every((each) => each.scrollHeight <= each.clientHeight + 1)")
    key = ana.get_by_role("button", name="Sit down").bounding_box()
    assert key is not None
    assert key["width"] > 320 * 0.9


def test_everything_works_without_scripts(phones: Phones) -> None:
    page = phones(scripts=False)
    sit_down_to_beloz(page, "Bo", "Cy", "Di")
    start_beloz(page)
    page.locator("#now").get_by_role("button", name="Ana", exact=True).click()
    page.locator('[name=flooded][value="south"] .plain-sign').click()
    page.get_by_role("link", name="Count round 1").click()
    page.locator("#points").fill("98")
    page.locator("label.tile", has=page.locator('input[name=last][value="0"]')).click()
    page.get_by_role("button", name="Check").last.click()
    expect(page.locator("#verdict")).to_contain_text("Contract won: 108 to 55")
    page.get_by_role("button", name="Save round 1").click()
    expect(total(page, 0)).to_have_text("108")
    page.locator(".undo-named").click()
    expect(total(page, 0)).to_have_text("0")


def test_who_watches_sees_the_round_and_no_keys(ana: Page, phones: Phones) -> None:
    enter(ana, "beloz", beloz_round(98))
    table = urlsplit(ana.url).path.rpartition("/m/")[0]
    ana.goto(f"{table}/links")
    watch = next(
        link for link in ana.locator("svg.qr").all() if table not in qr_reader.read(link.evaluate("one => one.outerHTML"))
    )
    watcher = phones(width=1280, height=800)
    watcher.goto(urlsplit(qr_reader.read(watch.evaluate("one => one.outerHTML"))).path + "/m/1")
    expect(total(watcher, 0)).to_have_text("108")
    expect(watcher.get_by_role("link", name=re.compile("Count|Correct|Declarations"))).to_have_count(0)
    axe(watcher)
    shot(watcher, "watch")
    ana.goto(f"{table}/m/1")
    play_round(ana, "Bo", "east", "98", "1")
    expect(total(watcher, 1)).to_have_text("163")
