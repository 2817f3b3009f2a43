"""How does What the Fish! go around a table? Everybody shouts, anybody taps, and two in one second are both heard."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from companion.web import language
from tests.browser.conftest import Phones
from tests.browser.looks import SETTLE, axe, fits, fits_smallest, grows, news_move_nothing, shot
from tests.browser.people import Taps, begin_match, come, is_answered, wait_until

LONGEST_NAMES = (
    "Bartholomew the Younger of Saint Helena",
    "Ana",
    "Wilhelmina Featherstonehaugh-Cholmondele",
    "Cy",
    "Maximiliane von Hohenfels zu Unterwasser",
    "Di",
)


@pytest.fixture
def ana(phones: Phones) -> Page:
    """Return Ana's phone, in a match with Bo and Cy."""
    page = phones()
    begin_match(page, "what-the-fish", "Ana", "Bo", "Cy")
    return page


class DuelTaps(Taps):
    """A thumb that knows the keypad and the players' keys."""

    def type(self, digits: str) -> None:
        for digit in digits:
            self.tap(self.page.locator(f'.keypad [data-key="{digit}"]'))

    def play(self, name: str, digits: str) -> None:
        """Play a card: its number, then the key of whoever plays it."""
        self.type(digits)
        self.tap(key(self.page, name))


def key(page: Page, name: str):
    return page.locator(".duel-key", has=page.locator("b", has_text=name))


def note(page: Page, name: str):
    return key(page, name).locator("small")


def beats(page: Page, number: int | str) -> None:
    """Wait until this is the huge number of a page."""
    expect(page.locator(".duel-number")).to_contain_text(re.compile(rf"^{re.escape(str(number))}(, why)?$"))


def play(page: Page, name: str, digits: str, number: int | str) -> DuelTaps:
    """Play a card, and wait until it lies on the table and this number is to beat."""
    thumb = DuelTaps(page)
    thumb.play(name, digits)
    expect(page.locator(".layers, .duel-number").last).to_be_visible()
    beats(page, number)
    expect(page.locator("#value")).to_have_value("")
    return thumb


def layers(page: Page) -> list[str]:
    return [" ".join(layer.split()) for layer in page.locator(".layers li").all_inner_texts()]


def test_text_of_twice_the_size_grows_and_leaves_what_is_to_beat_in_sight(ana: Page) -> None:
    grows(ana, ".duel")
    play(ana, "Ana", "8", 8)
    play(ana, "Bo", "4", 8)
    ana.reload()  # without what was told of it
    DuelTaps(ana).type("6")
    expect(note(ana, "Ana")).to_contain_text("nothing to save")
    grows(ana, ".duel", ".duel-number")


def test_the_example_of_the_rules_to_its_end_on_two_phones(ana: Page, bo: Page) -> None:
    expect(ana.locator("#duel")).to_contain_text("Play a FISH!")
    assert play(ana, "Ana", "8", 8).count == 2
    beats(bo, 8)
    assert play(bo, "Bo", "4", 8).count == 2
    expect(ana.locator("#duel")).to_contain_text("4 so far, 5 more to kill it")
    play(bo, "Bo", "6", 10)
    expect(ana.locator("#duel")).to_contain_text("Ana, beat this")
    assert play(ana, "Ana", "11", 11).count == 3
    expect(bo.locator("#duel")).to_contain_text("12 or more kills it")
    play(bo, "Cy", "9", 11)

    # Ana trades her hand for Cy's, which no number shows; then Bo's 13 makes 22
    expect(ana.locator("#duel")).to_contain_text("9 so far, 3 more to kill it")
    thumb = DuelTaps(ana)
    thumb.tap(ana.get_by_role("link", name="WTF card"))
    thumb.button(re.compile("Snapper Snatch"))
    expect(ana.get_by_text("Trade with whom?").first).to_be_visible()
    thumb.tap(ana.locator("#sheet").get_by_role("button", name="Cy"))
    expect(ana.locator("#sheet")).to_be_hidden()
    assert thumb.count == 3
    DuelTaps(bo).type("13")
    expect(note(bo, "Bo")).to_have_text("KILL, dying")
    key(bo, "Bo").click()
    beats(ana, 22)
    assert layers(ana) == ["8 Ana", "10 Bo 4+6", "11 Ana", "22 Cy 9, Bo 13"]
    shot(ana, "fish-duel")

    # the number is explained where it stands
    ana.locator(".duel-number a").click()
    expect(ana.get_by_role("dialog")).to_contain_text("9 + 13 = 22 is above 11: it kills")
    ana.get_by_role("dialog").get_by_role("button", name="Close").click()

    # what can't be: Ana attacks her own fish. The number stays
    DuelTaps(bo).type("7")
    expect(note(bo, "Ana")).to_have_text("PROTECT to 7, 16 short")
    key(bo, "Ana").click()
    expect(bo.locator("#duel")).to_contain_text("7 so far, 16 more to save it")
    DuelTaps(ana).type("5")
    expect(note(ana, "Bo")).to_have_text("KILL waits")
    key(ana, "Bo").click()
    expect(ana.get_by_role("alert")).to_contain_text("Ana’s protection of 7 is still short of the attack of 22")
    expect(ana.locator("#value")).to_have_value("5")
    shot(ana, "fish-refused")

    # corrected in the middle: Cy's 9 was an 8, and everything after it is counted again
    ana.get_by_role("link", name="Every swim, card by card").click()
    ana.get_by_role("link", name="Correct: Cy’s KILL 9").click()
    ana.wait_for_url("**/entries/5")
    ana.locator("[data-key='8']").tap()  # takes the place of the 9
    expect(ana.locator("#value")).to_have_value("8")
    expect(ana.locator("#verdict")).to_contain_text("Cy’s KILL 8")
    shot(ana, "fish-correct")
    ana.get_by_role("button", name="Save the correction").click()
    beats(ana, 21)
    beats(bo, 21)
    bo.wait_for_selector(".layers .changed-now s")  # the card in sight, as it was
    expect(bo.locator(".duel-was")).to_have_text("was 22")
    shot(bo, "fish-corrected")

    # the card was taken back by a card; then belly up, the next fish swims free
    ana.get_by_role("link", name="WTF card").click()
    ana.get_by_role("button", name=re.compile("Undo the last action")).click()
    expect(bo.locator("#duel")).to_contain_text("Frozen for this swim: Ana’s PROTECT 7")
    assert layers(bo)[-1] == "21 Cy 8, Bo 13"
    bo.get_by_role("button", name="Belly up").click()
    expect(ana.locator("#duel")).to_contain_text("Nobody wants to?")
    play(ana, "Cy", "11", 11)
    play(ana, "Ana", "13", 13)
    ana.get_by_role("link", name="Flush").click()
    ana.locator("#sheet").get_by_role("button", name="Cy").click()
    expect(ana.locator("#sheet")).to_be_hidden()
    DuelTaps(bo).type("14")
    expect(note(bo, "Cy")).to_have_text("PROTECT, saved")
    key(bo, "Cy").click()
    expect(ana.get_by_role("button", name="Free!")).to_be_visible()
    ana.get_by_role("button", name="Free!").click()
    for page in (ana, bo):
        expect(page.locator("#ending")).to_contain_text("Cy wins")
        expect(page.locator("#past")).to_contain_text("Ana’s fish of 8 died")
    shot(ana, "fish-free")
    bo.get_by_role("button", name="Rematch, Bo deals").click()
    bo.wait_for_url("**/m/2")
    expect(bo.locator("#duel")).to_contain_text("Whoever is fastest starts")


def test_digits_that_are_being_typed_stay_while_others_play(ana: Page, bo: Page) -> None:
    play(ana, "Ana", "8", 8)
    beats(bo, 8)
    DuelTaps(bo).type("1")
    expect(note(bo, "Bo")).to_have_text("KILL to 1, 8 short")
    play(ana, "Cy", "9", 9)
    beats(bo, 9)
    expect(bo.locator("#value")).to_have_value("1")
    expect(note(bo, "Bo")).to_have_text("KILL to 10")  # what the keys say is about the newest number
    expect(note(bo, "Ana")).to_have_text("PROTECT to 1, 9 short")
    DuelTaps(bo).type("3")
    expect(note(bo, "Bo")).to_have_text("KILL to 22")
    key(bo, "Bo").click()
    beats(ana, 22)
    assert layers(ana)[-1] == "22 Cy 9, Bo 13"


def boxes(page: Page, places: str) -> list[object]:
    """Return where all of these are."""
    return [place.bounding_box() for place in page.locator(places).all()]


KEYS = ".duel-key, .keypad .key, #ends .button"


def press(page: Page, place: Locator) -> None:
    """Tap where it is, as a thumb does: nothing is brought into sight before."""
    box = place.bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


TWELVE_LETTERS = ("Annabellanna", "Bartholomews", "Christophers", "Dominiqueann", "Evangelineso", "Ferdinandino")


@pytest.mark.parametrize("people", [("Annabellanna", "Bo", "Cy"), TWELVE_LETTERS], ids=["three", "six"])
def test_no_key_moves_while_one_types_and_others_play(phones: Phones, people: tuple[str, ...]) -> None:
    page = phones(width=360, height=640)
    begin_match(page, "what-the-fish", *people)
    ana, bo = people[:2]
    expect(page.locator("#toasts > *")).to_have_count(0)
    digits = page.locator(".keypad .key")
    where = boxes(page, ".duel-key, .keypad .key")
    for name, digit, number in ((ana, 3, 3), (bo, 4, 4), (ana, 5, 5)):
        press(page, digits.nth(digit - 1))
        press(page, key(page, name))
        beats(page, number)
        assert boxes(page, ".duel-key, .keypad .key") == where
    # what was done is told above the keys and below the layers, and is away while the next number is there
    toast, pad = page.locator("#toasts > *").bounding_box(), page.locator(".duel-pad").bounding_box()
    layers_end = max(box["y"] + box["height"] for layer in page.locator(".layers li").all() if (box := layer.bounding_box()))
    assert toast is not None
    assert pad is not None
    assert layers_end <= toast["y"] < toast["y"] + toast["height"] <= pad["y"]
    where = boxes(page, KEYS)
    press(page, digits.nth(0))
    expect(note(page, bo)).to_have_text("KILL to 1, 5 short")
    expect(page.locator("#toasts > *")).not_to_be_visible()
    assert boxes(page, KEYS) == where
    press(page, page.locator('[data-key="backspace"]'))
    expect(page.locator("#toasts > *")).to_have_count(0)
    press(page, key(page, bo))
    expect(page.get_by_role("alert")).to_contain_text("Which KILL?")
    assert boxes(page, KEYS) == where
    press(page, digits.nth(1))
    expect(page.get_by_role("alert")).to_have_count(0)  # it was answered
    for box in page.locator(KEYS).all():
        place = box.bounding_box()
        assert place is not None
        assert place["y"] + place["height"] <= 640
    # at twice the text all keys and the number to beat are still in sight, and no name is cut off without an ellipsis
    page.evaluate("document.documentElement.style.fontSize = '32px'")
    for each in page.locator(f"{KEYS}, .duel-banner").all():
        expect(each).to_be_in_viewport(ratio=0.95)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_sideways_the_number_and_the_keys_stand_side_by_side(phones: Phones) -> None:
    page = phones(width=844, height=390)
    begin_match(page, "what-the-fish", "Ana", "Bo", "Cy")
    play(page, "Ana", "8", 8)
    play(page, "Bo", "13", 13)
    toast, typed = page.locator("#toasts > *").bounding_box(), page.locator(".number-field").bounding_box()
    assert toast is not None
    assert typed is not None
    assert typed["x"] <= toast["x"]
    assert toast["y"] + toast["height"] <= typed["y"] + typed["height"]
    left = boxes(page, ".duel-number, .duel-banner, .layers li")
    DuelTaps(page).type("24")
    expect(note(page, "Ana")).to_have_text("PROTECT, saved")
    assert boxes(page, ".duel-number, .duel-banner, .layers li") == left
    for places, start, end in ((".duel-number, .duel-text, .layers li", 0, 422), (f"{KEYS}, .number-field", 400, 844)):
        for place in page.locator(places).all():
            box = place.bounding_box()
            assert box is not None
            assert start <= box["x"] < box["x"] + box["width"] <= end
            assert 0 <= box["y"] < box["y"] + box["height"] <= 390
    assert page.evaluate("document.documentElement.scrollHeight") <= 390


def out_of_date(page: Page) -> Callable[[], None]:
    """Hold back what this phone would see next; call what comes back to let it through."""
    page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide'))")  # the stream tells what changed, too
    held: list[Route] = []
    fresh = re.compile(r"/m/1$")
    page.route(fresh, lambda route: held.append(route))

    def let_go() -> None:
        while held:
            held.pop().continue_()
        page.unroute(fresh)
        page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")

    return let_go


def test_news_leave_the_number_the_layers_and_the_keys_in_sight(ana: Page, phones: Phones) -> None:
    bo = come(phones(width=360, height=640), ana, "Bo")
    expect(bo.locator("#duel")).to_contain_text("Play a FISH!")
    play(ana, "Ana", "5", 5)
    play(ana, "Bo", "9", 9)
    expect(bo.locator(".news.shown")).to_contain_text("Bo’s KILL 9")
    for width, height in ((844, 390), (360, 640)):
        bo.set_viewport_size({"width": width, "height": height})
        bo.evaluate(SETTLE)  # the new size is laid out with the next picture, which a busy machine draws late
        number, news = bo.locator(".duel-number").bounding_box(), bo.locator(".news").bounding_box()
        bar, typed = bo.locator(".app-bar").bounding_box(), bo.locator(".number-field").bounding_box()
        assert number
        assert news
        assert bar
        assert typed
        assert bar["height"] < 70  # the way back, its name and the menu in one line
        apart = number["y"] >= news["y"] + news["height"] - 1 or number["y"] + number["height"] <= news["y"]
        assert apart
        if width < height:
            layers = bo.locator(".layers").bounding_box()
            assert layers
            assert number["y"] + number["height"] <= layers["y"] + 1 < typed["y"]
        else:
            assert news["x"] + news["width"] <= typed["x"]
    news_move_nothing(bo, f"{KEYS}, .number-field, .app-bar :is(a, button, summary)")


def test_a_phone_without_a_name_has_the_number_the_layers_and_all_keys_in_sight(ana: Page, phones: Phones) -> None:
    play(ana, "Ana", "8", 8)
    play(ana, "Bo", "13", 13)
    nobody = phones()
    for code, words in (("de", "Wer bin ich?"), ("en", "Say who I am")):
        nobody.context.add_cookies([{"name": language.COOKIE, "value": code, "url": ana.url}])
        nobody.goto(urlsplit(ana.url).path)
        for width, height in ((360, 640), (390, 844), (844, 390), (1280, 800)):
            nobody.set_viewport_size({"width": width, "height": height})
            nobody.evaluate(SETTLE)  # the new size is laid out with the next picture, which a busy machine draws late
            link, undo = nobody.get_by_role("link", name=words).bounding_box(), nobody.locator(".undo-named").bounding_box()
            bar, number = nobody.locator(".app-bar").bounding_box(), nobody.locator(".duel-number").bounding_box()
            phone_count = nobody.locator(".phones").bounding_box()
            newest, typed = nobody.locator(".layers li").last.bounding_box(), nobody.locator(".number-field").bounding_box()
            assert link
            assert undo
            assert bar
            assert number
            assert newest
            assert typed
            assert phone_count
            assert link["height"] >= 48
            assert 0 <= link["y"] + link["height"] / 2 <= bar["height"]
            assert link["x"] + link["width"] <= (phone_count if phone_count["width"] > 1 else undo)["x"], (code, width)
            assert number["height"] >= 75
            below = typed["y"] if width < height else height
            assert newest["y"] + newest["height"] <= below, (code, width)
            expect(nobody.locator("#ends .button").last).to_be_in_viewport(ratio=1)


def test_two_in_the_same_second_are_both_kept_in_the_order_of_the_server(ana: Page, bo: Page) -> None:
    play(ana, "Ana", "8", 8)
    beats(bo, 8)
    for page, digit in ((ana, "4"), (bo, "6")):
        DuelTaps(page).type(digit)
        expect(note(page, "Cy")).to_contain_text("KILL to")
    let_go = out_of_date(bo)
    key(ana, "Cy").click()
    expect(ana.locator(".layers li")).to_have_count(2)
    expect(bo.locator(".layers li")).to_have_count(1)  # Bo has not seen it
    key(bo, "Bo").click()
    beats(bo, 10)
    let_go()
    beats(ana, 10)
    assert layers(ana) == layers(bo) == ["8 Ana", "10 Cy 4, Bo 6"]


def test_the_slower_of_two_fish_is_told_at_once(ana: Page, bo: Page) -> None:
    for page, digits in ((ana, "8"), (bo, "11")):
        DuelTaps(page).type(digits)
        expect(note(page, "Bo")).to_have_text(f"FISH {digits}")
    let_go = out_of_date(bo)
    key(ana, "Ana").click()
    beats(ana, 8)
    key(bo, "Bo").click()
    expect(bo.get_by_role("alert")).to_contain_text("Ana was faster. Ana’s fish: 9 or more kills it.")
    let_go()
    beats(bo, 8)
    expect(bo.locator("#value")).to_have_value("11")
    expect(note(bo, "Bo")).to_have_text("KILL, dying")
    shot(bo, "fish-too-late")
    key(bo, "Bo").click()  # what is still typed is now a KILL card
    beats(ana, 11)


def test_what_is_typed_while_a_card_is_on_its_way_belongs_to_the_next(ana: Page) -> None:
    play(ana, "Ana", "8", 8)
    held: list[Route] = []

    def hold(route: Route) -> None:
        if "ask=preview" in (route.request.post_data or ""):
            route.continue_()
        else:
            held.append(route)

    ana.route("**/play", hold)
    DuelTaps(ana).play("Bo", "4")
    expect(ana.locator("#value")).to_have_value("")
    DuelTaps(ana).type("13")
    key(ana, "Cy").click()  # waits for the first one
    wait_until(ana, lambda: held)
    held[0].continue_()
    ana.unroute("**/play")
    beats(ana, 17)
    assert layers(ana) == ["8 Ana", "17 Bo 4, Cy 13"]
    expect(ana.locator("#value")).to_have_value("")

    # an undo meanwhile takes nothing of it either
    DuelTaps(ana).type("1")
    ana.locator(".undo-named").click()
    beats(ana, 8)
    expect(ana.locator("#value")).to_have_value("1")
    expect(note(ana, "Bo")).to_have_text("KILL to 5, 4 short")


def test_what_is_asked_while_typing_leaves_the_toast_to_the_page_that_the_reply_leads_to(ana: Page) -> None:
    ana.evaluate(
        """() => {
          const form = document.getElementById("entry");
          const body = new URLSearchParams(new FormData(form));
          body.set("value", "8");
          body.set("tap", "fish:0");
          return fetch(form.action, { method: "POST", body, redirect: "manual" }).then(() => true);
        }"""
    )
    beats(ana, 8)
    with ana.expect_response(lambda answer: answer.request.method == "POST"):
        ana.locator("#value").fill("9")  # the digits of the next card ask what it would do
    expect(ana.locator("#toasts > *")).to_have_count(0)
    reply = ana.evaluate("() => fetch(location.href, { cache: 'no-store' }).then((answer) => answer.text())")
    said = reply.partition('id="toasts"')[2].partition("</section>")[0]
    assert "Ana’s FISH 8" in unescape(said)


def test_cards_played_without_a_connection_wait_and_count_once_each(ana: Page, bo: Page, phones: Phones) -> None:
    play(ana, "Ana", "8", 8)
    beats(bo, 8)
    bo.context.set_offline(True)
    DuelTaps(bo).play("Bo", "4")
    expect(bo.locator("#offline")).to_contain_text("Bo’s KILL 4")
    DuelTaps(bo).play("Bo", "6")
    expect(bo.locator("#offline")).to_contain_text("without 2 entries of this phone")
    play(ana, "Cy", "1", 8)
    bo.context.set_offline(False)
    beats(ana, 11)
    beats(bo, 11)
    expect(bo.locator("#offline")).to_be_empty()
    assert layers(ana) == ["8 Ana", "11 Cy 1, Bo 4+6"]
    phones.problems[:] = [problem for problem in phones.problems if "ERR_INTERNET_DISCONNECTED" not in problem]


def test_every_page_is_for_everybody(phones: Phones) -> None:
    page = phones()
    begin_match(page, "what-the-fish", *LONGEST_NAMES)
    base = urlsplit(page.url).path
    axe(page, dark=True)
    for who, digits, number in (
        (LONGEST_NAMES[0], "800", 800),
        ("Ana", "990", 990),
        (LONGEST_NAMES[0], "998", 998),
        (LONGEST_NAMES[2], "999", 999),
        (LONGEST_NAMES[4], "999", 1998),
    ):
        play(page, who, digits, number)
    DuelTaps(page).type("24")
    expect(note(page, "Di")).to_have_text("KILL to 2,022")
    axe(page, dark=True)
    shot(page, "fish-six")
    for path in ("", "/wtf", "/flush", "/see/swims", "/entries/2"):
        page.goto(base + path)
        axe(page, dark=True)
        fits_smallest(page)
    page.goto(base + "/wtf")
    page.get_by_role("button", name=re.compile("Communist Manifesto")).click()
    expect(page.get_by_text("Who gives?").first).to_be_visible()
    axe(page, dark=True)
    page.goto(base)
    page.get_by_role("button", name="Belly up").click()
    expect(page.locator("#duel")).to_contain_text("Play a FISH!")
    fits_smallest(page)
    play(page, "Di", "12", 12)
    page.get_by_role("button", name="Free!").click()
    expect(page.locator("#ending")).to_contain_text("Di wins")
    axe(page, dark=True)
    fits_smallest(page)


def test_a_duel_is_calculated_without_a_table(phone: Page) -> None:
    phone.goto("/calculate/what-the-fish")
    axe(phone)
    thumb = DuelTaps(phone)
    for digits, kind, number in (("8", "FISH", 8), ("4", "KILL", 8), ("6", "KILL", 10), ("11", "PROTECT", 11)):
        thumb.play(kind, digits)
        is_answered(phone)  # the first KILL changes no number
        beats(phone, number)
        expect(phone.locator("#value")).to_have_value("")
    assert thumb.count == 2 + 2 + 2 + 3
    # on a slow line cards are typed before the first is answered, of the same kind too; a second tap on one is none more
    held: list[Route] = []

    def hold_the_first(route: Route) -> None:
        if held or "tap=kill" not in (route.request.post_data or ""):
            route.continue_()
        else:
            held.append(route)

    phone.route("**/calculate/what-the-fish", hold_the_first)
    thumb.play("KILL", "5")
    expect(phone.locator("#value")).to_have_value("")
    key(phone, "KILL").click()
    thumb.play("KILL", "7")
    thumb.play("KILL", "9")
    thumb.type("3")
    wait_until(phone, lambda: held)
    held[0].continue_()
    beats(phone, 21)
    expect(phone.locator("#value")).to_have_value("3")
    assert layers(phone)[-1] == "21 5+7+9"
    phone.locator('[data-key="backspace"]').click()
    take_back = phone.get_by_role("button", name="Take back the last card")
    for _ in range(3):
        take_back.click()
    beats(phone, 11)
    expect(phone.locator("#duel")).to_contain_text("The fish lives")
    expect(phone.locator("#duel")).to_contain_text("12 or more kills it")
    phone.get_by_label("Cards in hand that could kill it").fill("4 6 9 13")
    expect(phone.locator("#best")).to_contain_text("Lay 13")
    thumb.type("9")
    expect(note(phone, "KILL")).to_have_text("KILL to 9, 3 short")
    axe(phone)
    phone.set_viewport_size({"width": 320, "height": 568})
    fits(phone)
    shot(phone, "fish-calculate")


@pytest.mark.parametrize(("width", "height"), [(360, 640), (844, 390)])
def test_the_calculator_says_what_to_lay_above_the_field_that_is_typed_into(phones: Phones, width: int, height: int) -> None:
    page = phones(width=width, height=height)
    page.goto("/calculate/what-the-fish")
    DuelTaps(page).play("FISH", "8")
    field = page.get_by_label("Cards in hand that could kill it")
    field.tap()
    field.press_sequentially("4 13")
    answer = page.locator("#best")
    expect(answer).to_contain_text("Lay 13")
    expect(answer).to_be_in_viewport(ratio=1)
    told, typed = answer.bounding_box(), field.bounding_box()
    assert told is not None
    assert typed is not None
    assert 0 <= typed["y"] - (told["y"] + told["height"]) < 48


def test_everything_works_without_scripts(phones: Phones) -> None:
    page = phones(scripts=False)
    begin_match(page, "what-the-fish", "Ana", "Bo")
    for name, digits in (("Ana", "8"), ("Bo", "13")):
        page.locator("#value").fill(digits)
        key(page, name).click()
    beats(page, 13)
    page.locator("#value").fill("5")
    key(page, "Ana").click()
    expect(page.locator("#duel")).to_contain_text("5 so far, 9 more to save it")
    page.locator("#value").fill("7")
    key(page, "Bo").click()
    expect(page.get_by_role("alert")).to_contain_text("still short")
    expect(page.locator("#value")).to_have_value("7")
    page.get_by_role("link", name="WTF card").click()
    page.get_by_role("button", name=re.compile("Mugger Croc")).click()
    beats(page, 13)
    page.locator(".undo-named").click()
    page.get_by_role("link", name="Every swim, card by card").click()
    page.get_by_role("link", name="Correct: Bo’s KILL 13").click()
    page.locator("#value").fill("14")
    page.get_by_role("button", name="Save the correction").click()
    beats(page, 14)
