"""May I? on a phone: cards light up as they are tapped, and what can't be is said at the card."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.conftest import Phones
from tests.browser.looks import axe, fits, shot
from tests.browser.people import begin_match, wait_until

SIZES = [(360, 640), (390, 844)]
TABLE = ["north-leopard", "north-monkey", "east-meerkat"]
HAND = ["south-crocodile", "south-elephant", "east-lion", "east-rhinoceros", "west-water-snake", "west-monkey"]
LEGAL = ["south-crocodile", "south-elephant"]

# whether the reason ends above what can be tapped below it
ABOVE_ITS_BUTTONS = """() => {
  const [words, ways] = ["#verdict > p", "#ways"].map((each) => document.querySelector(each)?.getBoundingClientRect());
  return words?.height > 0 && words.bottom <= ways?.top;
}"""


def pick(page: Page, *cards: str) -> None:
    """Pick cards, one tap each."""
    for card in cards:
        page.locator(f'.pick[value="{card}"]').click()


def key(page: Page, *values: str) -> None:
    for value in values:
        page.locator(f'button[name=tap][value="{value}"]:visible').click()


def choose(page: Page, name: str, value: str) -> None:
    page.locator(f'label:has(> input[name="{name}"][value="{value}"])').click()


def touch(page: Page, place: Locator) -> None:
    """Put a finger on the middle of it."""
    box = place.bounding_box()
    assert box, place
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def verdict(page: Page):
    return page.locator("#verdict")


def intercept(page: Page) -> None:
    """Lay the picture's position: Right, Partner and Left have played, and six cards are in my hand."""
    choose(page, "flooded", "south")
    pick(page, *TABLE, *HAND)


def beluga_cup(page: Page) -> None:
    fish = ["moons", "suns", "waves", "leaves", "leaves", "wyrms", "knots", "knots", "moons", "wyrms"]
    key(page, *(f"fish:{suit}" for suit in fish))
    pick(page, "ace-leaves", "ace-wyrms", "4-wyrms-knots", "9-moons-suns", "crown-suns", "8-waves-leaves")


def bisque(page: Page) -> None:
    pick(page, "5-moons-leaves", "9-moons-suns", "9-leaves-knots")


def rivals(page: Page) -> None:
    key(page, "value:5", "value:1", "value:10", "value:3", "value:5", "value:turtle")
    key(page, "more:theirs1", "more:theirs1", "turn:1")


def what_the_fish(page: Page) -> None:
    page.get_by_label("Number to beat").fill("11")
    page.get_by_label("Already played").fill("9")
    key(page, "add:hand:4", "add:hand:6", "add:hand:13")


GAMES = {
    "beloz": (intercept, "Play the 4 or the 6 of South"),
    "beluga-cup": (beluga_cup, "6 of 6 may be played"),
    "bisque": (bisque, "The second card wins the trick"),
    "rivals": (rivals, "3, 5: any pack (5 face up on 1). Turtle: pack 1"),
    "what-the-fish": (what_the_fish, "4 kills it"),
}


@pytest.mark.parametrize("game", GAMES)
def test_every_game_answers_as_cards_are_tapped_and_everybody_can_read_it(phones: Phones, game: str) -> None:
    page = phones(width=360, height=640)
    page.goto(f"/may-i/{game}")
    fits(page)
    play, said = GAMES[game]
    play(page)
    expect(verdict(page)).to_contain_text(said)
    page.wait_for_timeout(150)  # the drawings follow the answer
    shot(page, f"may-i-{game}-360")
    for width, height, text in ((360, 640, 16), (390, 844, 16), (320, 800, 16), (320, 800, 32), (1280, 800, 16)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("size => (document.documentElement.style.fontSize = `${size}px`)", text)
        fits(page)
    page.set_viewport_size({"width": 390, "height": 844})
    shot(page, f"may-i-{game}-390")
    axe(page, dark=True)


ALL_IN_SIGHT = "document.documentElement.scrollHeight <= innerHeight"
# the places of the drawn deck, three pixels apart, where a finger meets no card
MISSED = """() => {
  const deck = document.querySelector(".beloz-deck").getBoundingClientRect();
  const missed = [];
  for (let x = deck.left + 1; x < deck.right; x += 3)
    for (let y = deck.top + 1; y < deck.bottom; y += 3)
      if (!document.elementFromPoint(x, y).closest(".pick")) missed.push([x, y]);
  return missed;
}"""


@pytest.mark.parametrize(("width", "height"), [*SIZES, (844, 390)])
def test_beloz_is_one_screen_on_which_nothing_moves(phones: Phones, width: int, height: int) -> None:
    page = phones(width=width, height=height)
    page.goto("/may-i/beloz")
    assert page.evaluate(ALL_IN_SIGHT)
    places = {
        ".beloz-deck": page.locator(".beloz-deck").bounding_box(),
        ".action-bar": page.locator(".action-bar").bounding_box(),
    }
    assert page.evaluate(MISSED) == []  # eight cards a row are 45 px wide at 360: no tap between two is lost
    choose(page, "flooded", "south")
    expect(verdict(page)).to_contain_text("Tap the card that was played first")
    for said, cards in (
        ("Tap the next card", TABLE[:1]),
        ("Now the cards in your hand", TABLE[1:]),
        ("Play the 4 or the 6", HAND),
    ):
        for card in cards:
            page.locator(f'.pick[value="{card}"]').tap()
        expect(verdict(page)).to_contain_text(said)
        assert page.evaluate(ALL_IN_SIGHT), said
        for place, box in places.items():
            assert page.locator(place).bounding_box() == box, f"{place} moved: {said}"
        expect(page.locator(".action-bar")).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="Show my hand").tap()
    expect(page.get_by_role("link", name="Show the rule")).to_be_visible()
    expect(page.locator("#result .card-piece:visible")).to_have_count(len(HAND) + 1)
    assert page.evaluate(ALL_IN_SIGHT)
    assert page.locator(".action-bar").bounding_box() == places[".action-bar"]


@pytest.mark.parametrize(("width", "height"), [*SIZES, (844, 390)])
def test_rivals_is_one_screen_on_which_nothing_moves(phones: Phones, width: int, height: int) -> None:
    page = phones(width=width, height=height)
    page.goto("/may-i/rivals")
    kept = {place: page.locator(place).bounding_box() for place in (".keypad", ".action-bar", '[value="more:mine3"]')}
    page.evaluate(
        "taps => taps.forEach((tap) => document.querySelector(`button[value='${tap}']`).click())",
        ["value:5", "value:1", "value:10", "value:3", "value:5", "value:turtle", "more:theirs1", "more:theirs1", "turn:1"],
    )  # as quick as can be: none is lost
    expect(verdict(page)).to_contain_text("3, 5: any pack (5 face up on 1). Turtle: pack 1")
    expect(page.locator("#board .held")).to_have_count(3)
    page.locator('[value="more:mine3"]').tap()
    expect(page.get_by_label("Mine on pack 3: 1 whale. Change")).to_be_visible()
    assert page.evaluate(ALL_IN_SIGHT)
    for place, box in kept.items():
        assert page.locator(place).bounding_box() == box, f"{place} moved"
    small = page.locator("#may-i button:visible").evaluate_all(
        "keys => keys.filter((key) => Math.min(key.offsetWidth, key.offsetHeight) < 48).map((key) => key.value)"
    )
    assert small == ["check"]  # what the Enter key presses


def test_on_a_small_phone_the_cups_fish_are_under_the_thumb(phones: Phones) -> None:
    page = phones(width=360, height=640)
    page.goto("/may-i/beluga-cup")
    dock = page.locator(".action-bar").bounding_box()
    keys = page.locator(".fish-keys").bounding_box()
    assert dock is not None
    assert keys is not None
    assert keys["y"] + keys["height"] <= dock["y"]
    beluga_cup(page)
    expect(verdict(page)).to_contain_text("6 of 6 may be played")
    two = page.get_by_role("region", name="Zone 2").locator(".take-fish")
    expect(two).to_have_count(2)
    assert all(min(box["width"], box["height"]) >= 48 for box in (fish.bounding_box() for fish in two.all()))
    assert verdict(page).locator("p").evaluate("(words) => parseFloat(getComputedStyle(words).fontSize)") >= 16


def test_a_place_stays_chosen_when_an_older_answer_is_drawn(phone: Page) -> None:
    phone.goto("/may-i/beluga-cup")
    zone = phone.get_by_role("region", name="Zone 4")
    zone.locator("input").nth(1).evaluate("(water) => (water.checked = true)")  # nothing is asked yet
    phone.evaluate(
        """async () => {
          const script = document.querySelector("script[src*='may-i']").src;
          const { merge } = await import(new URL("parts.js", script).pathname);
          const older = await (await fetch(location.href)).text();
          merge(older.replace("Zone 4", "Zone IV"), "data-preview-target");
        }"""
    )
    expect(zone).to_have_count(0)  # it was drawn anew
    expect(phone.locator("[name=to]:checked")).to_have_value("f4")


@pytest.mark.parametrize("game", ["bisque", "what-the-fish"])
def test_sideways_the_answer_stands_beside_what_is_tapped(phones: Phones, game: str) -> None:
    page = phones(width=844, height=390)
    page.goto(f"/may-i/{game}")
    play, said = GAMES[game]
    play(page)
    expect(verdict(page)).to_contain_text(said)
    assert page.evaluate(ALL_IN_SIGHT)
    for place, start, end in ((".look-up-known, .look-up-board, #verdict", 0, 422), (".look-up-deck", 422, 844)):
        for each in page.locator(place).all():
            expect(each).to_be_in_viewport(ratio=1)
            box = each.bounding_box()
            assert box is not None
            assert start <= box["x"] < box["x"] + box["width"] <= end
    page.evaluate("document.documentElement.dataset.hand = 'left'")
    assert page.locator(".look-up-deck").bounding_box()["x"] == 0
    assert verdict(page).bounding_box()["x"] >= 422


def test_legal_cards_light_up_and_the_others_are_dimmed(phone: Page) -> None:
    phone.goto("/may-i/beloz")
    expect(verdict(phone)).to_contain_text("Which plain is flooded?")
    intercept(phone)
    expect(verdict(phone)).to_contain_text("so you must intercept with a flooded card, from South.")
    for card in HAND:
        at = phone.locator(f'.pick[value="{card}"]')
        expect(at).to_have_class(re.compile(r"\blit\b" if card in LEGAL else r"\bdim\b"))
        expect(at).to_have_attribute("aria-pressed", "true")
    expect(phone.locator("#board .leads")).to_have_count(1)
    expect(phone.locator('#board [data-seat="1"]')).to_contain_text("leads")
    key(phone, "go:to:shown")
    expect(phone.locator("#result .lit")).to_have_count(2)
    key(phone, "go:to:hand")
    pick(phone, "south-crocodile", "south-elephant")  # a second tap takes a card back
    expect(verdict(phone)).to_contain_text("no flooded card, so you may discard any card")
    expect(phone.locator(".pick.lit")).to_have_count(4)
    phone.get_by_role("link", name="Clear").click()
    expect(phone.locator(".pick[aria-pressed=true]")).to_have_count(0)
    expect(verdict(phone)).to_contain_text("Which plain is flooded?")


def test_a_quick_thumb_loses_no_tap(phone: Page) -> None:
    phone.goto("/may-i/beloz")
    choose(phone, "flooded", "south")
    phone.evaluate(
        "cards => cards.forEach((card) => document.querySelector(`.pick[value='${card}']`).click())", [*TABLE, *HAND]
    )
    expect(verdict(phone)).to_contain_text("Play the 4 or the 6 of South")
    expect(phone.locator("#board .card-piece")).to_have_count(3)
    expect(phone.locator("#result .card-piece:not(.add)")).to_have_count(6)


def test_the_declarations_of_a_hand(phone: Page) -> None:
    phone.goto("/may-i/beloz")
    choose(phone, "flooded", "north")
    key(phone, "go:to:hand", "go:subject:declarations")
    pick(phone, "north-elephant", "north-rhinoceros", "north-crocodile", "south-lion", "south-leopard", "south-elephant")
    expect(verdict(phone)).to_contain_text("40 points to declare")
    pick(phone, "south-rhinoceros", "west-monkey")
    expect(verdict(phone)).to_contain_text("70 points to declare")
    expect(verdict(phone)).to_contain_text("You hold BeloZ and Re-BeloZ: 20 more")
    expect(phone.locator("#board")).to_contain_text("+50")
    key(phone, "go:subject:play")
    expect(verdict(phone)).to_contain_text("Play any card")  # the hand stays


def test_what_can_not_be_is_said_at_once_at_the_card(phone: Page) -> None:
    phone.goto("/may-i/beloz")
    intercept(phone)
    pick(phone, "north-monkey")  # it lies on the table
    expect(verdict(phone)).to_contain_text("The North monkey is on the table, so it can’t be in the hand too.")
    expect(verdict(phone)).to_be_in_viewport(ratio=1)
    expect(phone.locator('.pick[value="north-monkey"]')).to_have_class(re.compile(r"\bwrong\b"))
    pick(phone, "north-monkey")
    expect(verdict(phone)).to_contain_text("Play the 4 or the 6 of South")
    pick(phone, "west-lion", "west-leopard")  # a whole hand is shown
    expect(phone.locator("#result .card-piece:visible")).to_have_count(9)
    add = phone.locator("#result .add").bounding_box()
    assert min(add["width"], add["height"]) >= 48, add
    phone.get_by_role("button", name="Add").click()
    pick(phone, "west-elephant")  # a hand of nine
    expect(verdict(phone)).to_contain_text("A hand has one to eight cards, not 9.")
    expect(phone.locator('.pick[value="west-elephant"]')).to_have_class(re.compile(r"\bwrong\b"))
    expect(phone.locator(".pick[data-in=hand]")).to_have_count(9)


def test_no_hand_is_in_any_address(phone: Page) -> None:
    asked: list[tuple[str, str]] = []
    phone.on("request", lambda request: asked.append((request.method, request.url)))
    phone.goto("/may-i/beloz")
    intercept(phone)
    expect(verdict(phone)).to_contain_text("Play the 4 or the 6 of South")
    assert ("POST", phone.url) in asked
    assert not [url for _, url in asked if any(card in url for card in HAND)]
    assert phone.evaluate("JSON.stringify([Object.keys(localStorage), Object.keys(sessionStorage)])") == "[[],[]]"
    assert not [cookie for cookie in phone.context.cookies() if any(card in cookie["value"] for card in HAND)]


PICKED = "JSON.stringify([...document.querySelectorAll('[data-picks] input')].map(({ name, value }) => [name, value]))"


def test_a_rule_is_read_over_the_cards(phones: Phones) -> None:
    page = phones(width=360, height=640)
    page.goto("/may-i/bisque")
    bisque(page)
    expect(verdict(page)).to_contain_text("The second card wins the trick")
    picked = page.evaluate(PICKED)
    sheet = page.locator("dialog#sheet")
    for close in (page.go_back, lambda: touch(page, sheet.get_by_role("button", name="Close"))):
        touch(page, verdict(page).get_by_role("link", name="Rule: Who wins a trick"))
        expect(sheet.get_by_role("heading", name="Who wins a trick")).to_be_focused()
        expect(sheet).to_contain_text("Of equal ranks the one played first wins.")
        fits(page)
        axe(page)
        close()
        expect(sheet).to_be_hidden()
        wait_until(page, lambda: page.evaluate("!history.state.sheet"))
        assert page.evaluate(PICKED) == picked
        expect(verdict(page)).to_contain_text("The second card wins the trick")


def test_a_rule_leads_to_the_next_one_over_the_same_hand(phones: Phones) -> None:
    page = phones(width=360, height=640)
    page.goto("/may-i/beloz")
    choose(page, "flooded", "south")
    pick(page, *TABLE, "north-lion", *HAND)
    expect(verdict(page)).to_contain_text("provide")
    key(page, "go:to:shown")
    picked = page.evaluate(PICKED)
    touch(page, page.get_by_role("link", name="Show the rule"))
    sheet = page.locator("dialog#sheet")
    expect(sheet.get_by_role("heading", name="Provide")).to_be_focused()
    shot(page, "may-i-beloz-rule")
    page.wait_for_timeout(700)  # sooner it would be the second half of a double tap
    touch(page, sheet.get_by_role("link", name="rise"))
    expect(sheet.get_by_role("heading", name="Rise")).to_be_visible()
    page.go_back()
    expect(sheet).to_be_hidden()
    assert page.evaluate(PICKED) == picked
    expect(page.get_by_role("link", name="Show the rule")).to_be_visible()


def test_an_answer_that_does_not_come_is_seen_to_be_missing(phone: Page) -> None:
    phone.goto("/may-i/bisque")

    def cut(route: Route) -> None:
        route.abort()

    phone.route("**/may-i/bisque", cut)
    pick(phone, "5-moons-leaves")
    expect(verdict(phone)).to_contain_text("No connection")
    expect(verdict(phone)).not_to_have_attribute("aria-busy", "true")
    phone.unroute("**/may-i/bisque")
    pick(phone, "9-moons-suns", "9-leaves-knots")
    expect(verdict(phone)).to_contain_text("The second card wins the trick")
    expect(verdict(phone)).not_to_have_attribute("aria-busy", "true")


def test_from_a_match_it_begins_with_what_the_match_knows(phones: Phones) -> None:
    page = phones()
    begin_match(page, "beloz", "Ana", "Bo", "Cy", "Di")
    page.locator("#now").get_by_role("button", name="Ana", exact=True).click()
    page.wait_for_url("**/who")
    page.locator('[name=flooded][value="south"] .plain-sign').click()
    page.wait_for_url(re.compile(r"/m/\d+$"))
    match = page.url
    page.get_by_label("More about this match").click()
    page.get_by_role("link", name="May I?").click()
    page.wait_for_url("**/may-i")
    expect(page.get_by_text("Ana took it, South is flooded")).to_be_visible()
    pick(page, *TABLE, *HAND)
    expect(verdict(page)).to_contain_text("Bo leads, so you must intercept")
    expect(page.locator('#board [data-seat="1"]')).to_contain_text("Bo")
    expect(page.locator("#board")).to_contain_text("Ana, you")
    for width, height in ((320, 568), *SIZES):
        page.set_viewport_size({"width": width, "height": height})
        fits(page)
        wait_until(page, lambda: page.evaluate(ABOVE_ITS_BUTTONS))
    axe(page)
    page.get_by_role("link", name="Clear").click()
    expect(page.locator('[name=flooded][value="south"]')).to_be_checked()
    expect(page.locator(".pick[aria-pressed=true]")).to_have_count(0)
    page.get_by_role("link", name="Back").click()
    page.wait_for_url(match)


@pytest.mark.parametrize("game", ["beloz", "bisque"])
def test_without_scripts_every_tap_is_a_form(phones: Phones, game: str) -> None:
    page = phones(scripts=False)
    page.goto(f"/may-i/{game}")
    if game == "bisque":
        bisque(page)
        expect(verdict(page)).to_contain_text("The second card wins the trick")
        return
    page.locator('label:has(> input[name=flooded][value="south"])').click()
    pick(page, *TABLE, *HAND)
    expect(verdict(page)).to_contain_text("Play the 4 or the 6 of South")
    expect(page.locator(".pick.lit")).to_have_count(2)
    pick(page, "east-meerkat")
    expect(verdict(page)).to_contain_text("The East meerkat is on the table, so it can’t be in the hand too.")
    fits(page)


def test_without_scripts_numbers_are_asked_by_a_button(phones: Phones) -> None:
    page = phones(scripts=False)
    page.goto("/may-i/what-the-fish")
    what_the_fish(page)
    expect(verdict(page)).to_contain_text("4 kills it")
    page.get_by_label("Number to beat").fill("20")
    page.get_by_role("button", name="Ask").click()
    expect(verdict(page)).to_contain_text("13 kills it")
