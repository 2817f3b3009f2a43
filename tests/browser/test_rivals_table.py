"""How does a match of Rivals go on two phones? Moves, rounds by tiles, a refusal, a correction, the count, the end."""

from __future__ import annotations

import itertools
import re
from urllib.parse import urljoin, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from companion.web import language
from tests.browser.conftest import Phones
from tests.browser.looks import SETTLE, axe, fits, grows, news_move_nothing, screen, shot, totals_line_up
from tests.browser.people import Taps, begin_match, enter, look, slow, total, wait_until
from tests.whole_matches import Event

Values = tuple[int, ...]
Packs = tuple[tuple[Values, Values], ...]  # of each pack, Ana's and Bo's

FIRST: Packs = (((4, 3), (6,)), ((10, 2), (5, 4, 3)), ((6, 1), (10,)))
SECOND: Packs = (((2,), (2,)), ((5, 5, 1), (6, 4)), ((3,), (1, 1)))
THIRD: Packs = (((), (6, 10)), ((4, 2, 3), (5, 3)), ((10, 1, 4), (10, 5)))
NINE: Packs = (((10, 6, 5), (4, 3, 2)), ((1, 2, 3), (4, 5, 6)), ((6, 6, 6), (6, 6, 6)))


def round_of(packs: Packs, ended_by: int | None) -> Event:
    """Return a round as the log has it."""
    return {"type": "round", "packs": packs, "ended_by": ended_by}


class WhaleTaps(Taps):
    """A thumb that knows the pad of whales."""

    def key(self, value: str) -> None:
        """Tap a key of the pad as fast as a thumb can: nothing is waited for."""
        self.tap(self.page.locator(f'button[name=tap][value="{value}"]'))

    def whales(self, packs: Packs, far: int) -> None:
        """Type what lies on each pack, the far side first."""
        for both, side in itertools.product(packs, (far, 1 - far)):
            for value in both[side]:
                self.key(f"value:{value}")
            if len(both[side]) < 3:
                self.key("no-more")

    def play_round(self, packs: Packs, ended_by: str, far: int = 1) -> None:
        """Play a whole round from the match's page and back to it."""
        self.tap(self.page.locator("#footer").get_by_role("link", name=ended_by, exact=True))
        self.page.wait_for_url("**/round?by=*")
        self.whales(packs, far)
        self.tap(self.page.get_by_role("button", name=re.compile("^Save round")))
        self.page.wait_for_url(re.compile(r"/m/\d+$"))


@pytest.fixture
def ana(phones: Phones) -> Page:
    """Return Ana's phone, in a match with Bo."""
    page = phones()
    begin_match(page, "rivals", "Ana", "Bo")
    return page


def test_a_whole_match_on_three_phones_in_three_languages(ana: Page, bo: Page, phones: Phones) -> None:
    cy = phones()  # who looks on, without a name
    for page, code in ((bo, "de"), (cy, "fr")):
        page.context.add_cookies([{"name": "language", "value": code, "url": urljoin(ana.url, "/")}])
        page.goto(ana.url)

    # on a small phone whose turn it is and all that is laid stand above the dock, in every language
    for page in (ana, bo):
        page.set_viewport_size({"width": 360, "height": 640})
        page.evaluate(SETTLE)
        mine, dock = page.locator(".fleet").last.bounding_box(), page.locator(".action-bar").bounding_box()
        assert mine
        assert dock
        assert mine["y"] + mine["height"] <= dock["y"]
        page.set_viewport_size({"width": 390, "height": 844})

    # a few moves, seen on both phones: Ana lays one, then it is Bo's turn with two actions
    ana.get_by_role("button", name="Ana, pack 1: 0 whales. Lay one").click()
    expect(bo.locator("#now")).to_contain_text("Bo ist am Zug")
    expect(bo.locator("#now")).to_contain_text("Noch 2 Aktionen")
    expect(cy.locator("#now")).to_contain_text("c’est à Bo")
    bo.get_by_role("button", name=re.compile("Einen mit einer Schildkröte ablegen")).click()
    expect(ana.locator("#now")).to_contain_text("1 action left")
    ana.get_by_role("button", name="Undo: Bo’s turtle on pack 1").click()
    expect(bo.locator("#now")).to_contain_text("Noch 2 Aktionen")
    shot(bo, "rivals-turn")

    # round 1: as on the picture, with a tie that stays
    thumb = WhaleTaps(ana)
    thumb.tap(ana.locator("#footer").get_by_role("link", name="Bo", exact=True))
    ana.wait_for_url("**/round?by=1")
    for value in ("value:6", "no-more", "value:4"):
        thumb.key(value)
    expect(ana.locator("#asks")).to_have_text("Pack 1, Ana’s second whale")
    expect(ana.locator("#hint")).to_have_text("needs 3 to win")
    for value in ("value:3", "no-more"):
        thumb.key(value)
    expect(ana.locator("#pack-0")).to_contain_text("Ana takes 1")
    thumb.whales(FIRST[1:], far=1)
    expect(ana.locator("#pack-1")).to_contain_text("Tie, 2 stay")
    expect(ana.locator("#verdict")).to_contain_text("Ana takes 1 card, Bo 3")
    shot(ana, "rivals-round")
    thumb.tap(ana.get_by_role("button", name="Save round 1"))
    ana.wait_for_url("**/m/1")
    expect(total(bo, 0)).to_have_text("1")
    expect(total(bo, 1)).to_have_text("3")
    expect(bo.locator("#now")).to_contain_text("4 Wale")
    news_move_nothing(bo, ".score-name, .total, .whales, .action-bar :is(a, button), .app-bar :is(a, summary)")

    # round 2 on Bo's phone; without a whale on pack 3 Ana can't have called: refused at the place, and all stays
    there = WhaleTaps(bo)
    there.tap(bo.locator("#footer").get_by_role("link", name="Ana", exact=True))
    bo.wait_for_url("**/round?by=0")
    there.whales((*SECOND[:2], ((), (1, 1))), far=0)
    sentence = (
        "Ana hat keinen Wal an Rudel 3, also kann Ana die Runde nicht beendet haben: Beide brauchen einen an jedem Rudel."
    )
    expect(bo.locator("#refusal")).to_contain_text(sentence)
    bo.get_by_role("button", name="Runde 2 speichern").click()
    expect(bo.locator("[aria-busy=true]")).to_have_count(0)  # what the pad shows is the answer
    refused = bo.locator(".whales.refused")
    expect(refused).to_have_attribute("aria-label", "Ana, Rudel 3: keine Wale")
    expect(bo.locator("#refusal")).to_contain_text(sentence)
    shot(bo, "rivals-refused")
    refused.click()
    there.key("value:3")
    there.key("no-more")
    expect(bo.locator("#refusal")).to_be_empty()
    bo.get_by_role("button", name="Runde 2 speichern").click()
    expect(total(ana, 0)).to_have_text("8")
    expect(total(ana, 1)).to_have_text("3")
    enter(bo, "rivals", round_of(THIRD, None))
    expect(total(ana, 0)).to_have_text("10")

    # every number is explained
    ana.locator("#entry-2 summary").click()
    expect(ana.locator("#entry-2")).to_contain_text("Pack 2: Ana takes 4 cards")
    expect(ana.locator("#entry-2")).to_contain_text("5+5+1 = 11")
    total(ana, 0).get_by_role("link").click()
    expect(ana.get_by_role("dialog")).to_contain_text("Round 1, pack 2: 12 against 12, a tie, 2 cards stay")
    ana.get_by_role("dialog").get_by_role("button", name="Close").click()

    # round 1 is corrected: Bo's third whale on pack 2 was a 4, so that was no tie, and Ana's round 2 took less
    ana.locator("#entry-1 summary").click()
    ana.locator("#entry-1").get_by_role("link", name="Correct").click()
    ana.wait_for_url("**/entries/1")
    fix = WhaleTaps(ana)
    fix.tap(ana.get_by_role("button", name="Bo, pack 2: 5, 4, 3").get_by_text("3"))
    fix.key("value:4")  # takes the place of the whale that was tapped
    expect(ana.get_by_role("button", name="Bo, pack 2: 5, 4, 4")).to_be_visible()
    expect(ana.locator("#verdict")).to_contain_text("Ana takes 1 card, Bo 5")
    shot(ana, "rivals-correct")
    fix.tap(ana.get_by_role("button", name="Save the correction"))
    ana.wait_for_url("**/m/1")
    expect(total(bo, 0)).to_have_text("8")
    expect(total(bo, 1)).to_have_text("7")

    # undone and redone; then the count, each on their own phone: equal values, fewer cards win
    ana.locator("#toasts").get_by_role("button", name="Undo").click()
    expect(total(bo, 0)).to_have_text("10")
    ana.locator("#toasts").get_by_role("button", name="Redo").click()
    expect(total(bo, 0)).to_have_text("8")
    bo.get_by_role("link", name="Die Wale zählen").click()
    bo.wait_for_url("**/count")
    look(bo)
    last = WhaleTaps(bo)
    for value in (4, 2, 3, 1, 1, 2, 3):
        last.key(f"value:{value}")
    expect(bo.locator("#verdict")).to_contain_text("dann kann Ana auf einem anderen Handy zählen")
    shot(bo, "rivals-half")
    last.tap(bo.get_by_role("button", name="Zählung speichern"))
    expect(ana.locator("#now")).to_contain_text("Bo counted 7 whales: 16.")
    shot(ana, "rivals-half-told")
    bo.get_by_role("link", name="Wale von Ana zählen").click()
    bo.wait_for_url("**/count")
    for value in (4, 2, 1, 1, 2, 3, 2, 1):
        last.key(f"value:{value}")
    expect(bo.locator("#verdict")).to_contain_text("Gleich, je 16: Bo gewinnt mit weniger Karten, 7 gegen 8.")
    shot(bo, "rivals-count")
    last.tap(bo.get_by_role("button", name="Zählung speichern"))
    for page, wins, fewer in (
        (ana, "Bo wins", "fewer cards, 7 against 8"),
        (bo, "Bo gewinnt", "weniger Karten, 7 gegen 8"),
        (cy, "Bo gagne", "moins de cartes, 7 contre 8"),
    ):
        expect(page.locator("#ending")).to_contain_text(wins)
        expect(page.locator("#ending")).to_contain_text(fewer)
        expect(total(page, 0)).to_have_text("16")
    shot(ana, "rivals-winner")
    axe(ana)
    ana.get_by_role("button", name=re.compile("Rematch")).click()
    ana.wait_for_url("**/m/2")
    expect(total(ana, 0)).to_have_text("0")


def test_nine_cards_a_side_take_twenty_taps(ana: Page) -> None:
    thumb = WhaleTaps(ana)
    thumb.play_round(NINE, "Ana")
    expect(total(ana, 0)).to_have_text("1")
    expect(total(ana, 1)).to_have_text("2")
    print(f"a Rivals round with nine cards a side: {thumb.count} taps")
    assert thumb.count <= 20
    # measured in one go: news of the entry may put another dock in place at any moment
    ana.wait_for_function(
        """() => {
          const box = (one) => document.querySelector(one)?.getBoundingClientRect();
          const [toast, dock] = [box("#toasts .toast"), box("#footer .action-bar")];
          return toast && dock && toast.bottom <= dock.top && dock.top - toast.bottom < 24;
        }"""
    )


def test_who_tapped_the_moves_needs_no_other_keys(ana: Page) -> None:
    moves = ["Ana, pack 1", "Bo, pack 1", "Bo, pack 2", "Ana, pack 2", "Ana, pack 3", "Bo, pack 3", "Bo, pack 3"]
    laid = ["lay-1", "lay-1", "lay-2", "lay-2", "lay-3", "lay-3", "lay-3"]
    for number, where in enumerate(moves, 1):
        ana.get_by_role("button", name=re.compile(f"^{where}: .* Lay one$")).click()
        expect(ana.locator("input[name=moves]")).to_have_value(",".join(laid[:number]))
    expect(ana.locator("#now")).to_contain_text("The end may be called")
    ana.locator("#footer").get_by_role("button", name="Ana", exact=True).click()
    ana.wait_for_url("**/round")
    thumb = WhaleTaps(ana)
    for value in (6, 4, 5, 3, 1, 2, 10):  # pack by pack, Bo's first
        thumb.key(f"value:{value}")
    expect(ana.locator("#verdict")).to_contain_text("Ana takes 3 cards, Bo 3")
    ana.get_by_role("button", name="Save round 1").click()
    ana.wait_for_url("**/m/1")
    assert thumb.count == 7
    expect(ana.locator("#rows")).to_contain_text("Ana called the end")


def test_one_tap_mends_a_round_that_was_not_called_and_one_with_fewer_whales(ana: Page, bo: Page) -> None:
    thumb = WhaleTaps(ana)
    thumb.tap(ana.locator("#footer").get_by_role("link", name="Ana", exact=True))
    ana.wait_for_url("**/round?by=*")
    thumb.whales((FIRST[0], FIRST[1], ((6, 1), ())), far=1)
    thumb.tap(ana.get_by_role("button", name="Save round 1"))
    mend = ana.locator(".mend")
    expect(mend).to_contain_text("Bo has no whale on pack 3, so Ana can’t have called the end")
    shot(ana, "rivals-mend")
    thumb.tap(ana.get_by_role("button", name=re.compile("^Bo, pack 3")))  # a whale that was forgotten: the keys are there again
    expect(mend).to_have_count(0)
    thumb.key("no-more")
    expect(ana.locator("#verdict")).to_contain_text("Bo has no whale on pack 3")
    thumb.tap(ana.get_by_role("button", name="Save round 1"))
    thumb.tap(mend.get_by_role("button", name="Cards ran out"))
    expect(mend).to_have_count(0)
    expect(ana.locator("#verdict")).to_contain_text("Ana takes")
    thumb.tap(ana.get_by_role("button", name="Save round 1"))
    ana.wait_for_url("**/m/1")
    expect(bo.locator("#rows")).to_contain_text("Cards ran out", ignore_case=True)


def test_one_tap_says_that_fewer_whales_lie_there_than_were_tapped(ana: Page) -> None:
    moves = ["Ana, pack 1", "Bo, pack 1", "Bo, pack 2", "Ana, pack 2", "Ana, pack 3", "Bo, pack 3", "Bo, pack 3"]
    for number, where in enumerate(moves, 1):
        ana.get_by_role("button", name=re.compile(f"^{where}: .* Lay one$")).click()
        expect(ana.locator("input[name=moves]")).to_have_value(re.compile(rf"^\S+(,\S+){{{number - 1}}}$"))
    ana.locator("#footer").get_by_role("button", name="Ana", exact=True).click()
    ana.wait_for_url("**/round")
    thumb = WhaleTaps(ana)
    for value in (6, 4, 5, 3, 1):  # of Bo's two on pack 3 only one lies there
        thumb.key(f"value:{value}")
    thumb.key("no-more")
    mend = ana.locator(".mend")
    expect(mend).to_contain_text("Bo laid 2 whales on pack 3, as tapped during the round.")
    thumb.tap(mend.get_by_role("button", name="No more whales there"))
    expect(mend).to_have_count(0)
    thumb.key("value:10")
    expect(ana.locator("#verdict")).to_contain_text("Ana takes")


def tap_twice(place: Locator) -> None:
    """Tap as fast as a thumb can: nothing is looked for between the two, which would take seconds on a busy machine."""
    place.scroll_into_view_if_needed()
    box = place.bounding_box()
    assert box is not None
    for _ in range(2):
        place.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def test_a_second_quick_tap_is_never_a_move_of_the_other_player(ana: Page) -> None:
    slow(ana)
    tap_twice(ana.get_by_role("button", name=re.compile("^Ana, pack 2")))  # Ana has one action on the first turn
    expect(ana.locator(".turn-title")).to_contain_text("Bo’s turn")
    tap_twice(ana.get_by_role("button", name=re.compile("^Bo, pack 1")))  # and Bo has two
    expect(ana.locator(".turn-title")).to_contain_text("Ana’s turn")
    expect(ana.get_by_role("button", name=re.compile("^Ana, pack 2: 1 whale"))).to_be_visible()
    expect(ana.locator("[aria-label^='Bo, pack 1: 2 whales']")).to_be_visible()


TAPS = (
    *("value:6", "no-more", "value:4", "rub", "value:5", "value:3", "no-more", "rub", "value:1"),
    *(
        "at:whales-2-0",
        "value:10",
        "rub",
        "value:2",
        "no-more",
        "value:3",
        "value:3",
        "value:3",
        "at:whales-0-1",
        "rub",
        "no-more",
    ),
)


def test_taps_mean_the_same_with_scripts_and_without(ana: Page, phones: Phones) -> None:
    plain = phones(scripts=False)
    plain.goto(urlsplit(ana.url).path + "/round?by=none")
    ana.goto(urlsplit(ana.url).path + "/round?by=none")
    for tap in TAPS:
        for page in (ana, plain):
            page.locator(f'button[name=tap][value="{tap}"]').click()
    names = [f"whales-{pack}-{side}" for pack in range(3) for side in (1, 0)]
    for name in (*names, "at", "by_hand"):
        assert ana.locator(f"input[name={name}]").input_value() == plain.locator(f"input[name={name}]").input_value(), name
    assert [ana.locator(f"input[name={name}]").input_value() for name in names] == [".", "5 3 1", "3 3 3", "", "", "2 ."]


def test_taps_survive_a_reload_and_the_way_back_until_the_round_is_saved(ana: Page) -> None:
    thumb = WhaleTaps(ana)
    ana.locator("#footer").get_by_role("link", name="Bo", exact=True).click()
    ana.wait_for_url("**/round?by=1")
    expect(ana.locator("#restored")).to_be_hidden()
    thumb.whales(FIRST[:2], far=1)
    ana.reload()
    expect(ana.locator("#restored")).to_be_visible()
    expect(ana.locator("#asks")).to_have_text("Pack 3, Bo’s first whale")
    expect(ana.locator("#pack-0")).to_contain_text("Ana takes 1")
    ana.get_by_role("link", name="Close").click()
    ana.locator("#footer").get_by_role("link", name="Ana", exact=True).click()  # not Bo, Ana called
    ana.wait_for_url("**/round?by=0")
    expect(ana.get_by_role("button", name="Bo, pack 2: 5, 4, 3")).to_be_visible()
    thumb.whales(FIRST[2:], far=1)
    expect(ana.locator("#hint")).to_contain_text("Then 1 to 3 cards. 2 whales stay in tied packs. Ana starts round 2.")
    ana.get_by_role("button", name="Save round 1").click()
    ana.wait_for_url("**/m/1")
    ana.locator("#footer").get_by_role("link", name="Bo", exact=True).click()
    ana.wait_for_url("**/round?by=1")
    expect(ana.locator("#asks")).to_have_text("Pack 1, Bo’s first whale")
    thumb.key("value:6")
    ana.reload()
    ana.get_by_role("button", name="Start over").click()
    expect(ana.get_by_role("button", name="Bo, pack 1: no whales")).to_be_visible()
    ana.reload()
    expect(ana.locator("#restored")).to_be_hidden()


@pytest.mark.parametrize(("width", "height"), [(360, 640), (844, 390)])
def test_the_keys_stay_where_they_are_and_the_answer_above_them(phones: Phones, width: int, height: int) -> None:
    page = phones(width=width, height=height)
    page.goto("/calculate/rivals")
    key, dock = page.locator('button[name=tap][value="value:5"]'), page.locator(".value-bar")
    place = key.bounding_box()
    for both, side in itertools.product(FIRST, (1, 0)):
        for value in both[side]:
            page.locator(f'button[name=tap][value="value:{value}"]').tap()
        if len(both[side]) < 3:
            page.locator('button[name=tap][value="no-more"]').tap()
        assert key.bounding_box() == pytest.approx(place, abs=0.5)
    expect(page.locator("#verdict")).to_contain_text("Red takes 1 card, Blue 3")
    expect(page.locator("#verdict")).to_be_in_viewport(ratio=1)
    expect(dock).to_be_in_viewport(ratio=1)
    if width > height:
        sea = page.locator(".rivals-sea").bounding_box()
        assert sea is not None
        assert place is not None
        assert sea["x"] + sea["width"] < place["x"], "the sea is beside the keys"
    page.evaluate("document.documentElement.style.fontSize = '32px'")
    ten = page.get_by_role("button", name="Blue, pack 3: 10").locator(".whale-tile").first
    wait_until(page, lambda: ten.evaluate("tile => tile.scrollWidth <= tile.clientWidth"))  # the value is not cut
    high = dock.bounding_box()
    assert high is not None
    assert width > height or high["height"] <= height / 2, "the dock leaves half of the phone to the whales"


def test_a_half_filled_round_is_told_at_once_when_the_other_phone_saves_it(ana: Page, bo: Page) -> None:
    for page in (ana, bo):
        page.locator("#footer").get_by_role("link", name="Bo", exact=True).click()
        page.wait_for_url("**/round?by=1")
    WhaleTaps(ana).whales(((FIRST[0][0], (5,)), *FIRST[1:2]), far=1)
    places = [ana.locator(f"input[name=whales-{pack}-{side}]") for pack in range(3) for side in (1, 0)]
    half = [place.input_value() for place in places]
    assert half == ["5 .", "4 3 .", "5 4 3", "10 2 .", "", ""]
    WhaleTaps(bo).whales(FIRST, far=0)
    bo.get_by_role("button", name="Save round 1").click()
    bo.wait_for_url("**/m/1")
    expect(ana.get_by_role("alert")).to_contain_text("Bo saved round 1 meanwhile.")  # without a tap of hers
    assert [place.input_value() for place in places] == half
    WhaleTaps(ana).whales(FIRST[2:], far=1)
    ana.get_by_role("button", name="Save round 1").click()  # not round 2
    expect(ana.get_by_role("alert").first).to_contain_text("Which one is right?")
    ana.set_viewport_size({"width": 360, "height": 640})
    totals_line_up(ana)
    shot(ana, "rivals-conflict")
    ana.get_by_role("button", name=re.compile("^Keep Bo")).click()
    ana.wait_for_url("**/m/1")
    expect(ana.locator("#rows")).to_contain_text("Round 1")
    expect(ana.locator("#rows")).not_to_contain_text("Round 2")


def test_text_of_twice_the_size_grows_and_leaves_the_question_in_sight(ana: Page) -> None:
    enter(ana, "rivals", round_of(FIRST, 1))
    ana.locator('[name=tap][value^="lay-1"]').tap()
    expect(ana.get_by_role("button", name="Undo: Bo’s whale on pack 1")).to_be_visible()
    ana.reload()  # without what was told of it
    grows(ana, "#who-called", "#who-called ~ .tiles-grid")


def test_turn_packs_and_totals_are_in_sight_beside_or_above_the_dock(phones: Phones) -> None:
    page = phones(width=320, height=568)
    begin_match(page, "rivals", "Ana", "Bo")
    enter(page, "rivals", round_of(FIRST, 1))
    page.locator('[name=tap][value^="lay-1"]').tap()  # the undo in the dock names a move, and the turn has all its keys
    expect(page.get_by_role("button", name="Undo: Bo’s whale on pack 1")).to_be_visible()
    covered = """() => {
      const box = (one) => document.querySelector(one).getBoundingClientRect();
      const dock = box("#footer .action-bar");
      return ["#scores", ".turn-title", ".turn-left", ".rivals-sea", ".rivals-sea .fleet:last-of-type"].filter((one) => {
        const { top, bottom, right } = box(one);
        return top < 0 || bottom > innerHeight || (bottom > dock.top && right > dock.left);
      });
    }"""
    for width, height in ((320, 568), (360, 640), (844, 390)):
        screen(page, width, height)
        page.wait_for_function(f"() => !({covered})().length")
        small = page.evaluate(
            "() => [...document.querySelectorAll('#now button, #footer :is(a, button)')]"
            ".map((key) => key.getBoundingClientRect()).filter(({ width, height }) => Math.min(width, height) < 48).length"
        )
        assert small == 0, (width, height)


def test_every_page_is_for_everybody(ana: Page, phones: Phones) -> None:
    enter(ana, "rivals", round_of(FIRST, 1))
    base = urlsplit(ana.url).path
    small = phones(width=320, height=568)
    for path in ("", "/round?by=0", "/entries/1"):
        small.goto(base + path)
        fits(small)
        axe(small, dark=True)
    for code in ("en", "de", "fr"):  # no key of the sea is behind the pad
        small.context.add_cookies([{"name": language.COOKIE, "value": code, "url": ana.url}])
        for path in f"{base}/round?by=0", "/calculate/rivals":
            small.goto(path)
            pad = small.locator(".value-bar").evaluate("one => one.getBoundingClientRect().top")
            keys = small.locator(".rivals-sea .whales").evaluate_all(
                "all => all.map(one => one.getBoundingClientRect().bottom)"
            )
            assert len(keys) == 6
            assert max(keys) <= pad, (code, path)
    small.context.clear_cookies(name=language.COOKIE)
    small.goto(base + "/count")
    fits(small)
    for path in ("/calculate/rivals", "/calculate/rivals?what=count"):
        small.goto(path)
        fits(small)
    axe(small, dark=True)


def test_what_a_correction_changes_later_fits_the_smallest_phone(phones: Phones) -> None:
    small = phones(width=320, height=568)
    begin_match(small, "rivals", "Ana " + "Wintermantel" * 3, "Bo")
    enter(small, "rivals", round_of(FIRST, None))
    small.goto(urlsplit(small.url).path + "/entries/1")
    small.get_by_role("radio", name="Bo").check(force=True)
    small.get_by_role("button", name="Bo, pack 2: 5, 4, 3").get_by_text("3").click()
    small.locator('button[name=tap][value="value:4"]').click()
    expect(small.locator("#changed tbody tr")).to_have_text([re.compile(r"1\s*1\s*3 5\s*Bo")])
    fits(small)
    axe(small)
    small.locator("#changed").scroll_into_view_if_needed()
    head = small.locator("#changed thead").bounding_box()
    assert head is not None
    assert head["height"] < 60, "a long name ends in an ellipsis; it is not written down letter by letter"
    shot(small, "rivals-changes")
