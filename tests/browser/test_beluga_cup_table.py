"""How does a Beluga Cup go on two phones? Words for the bag, draws, cards, a refusal, corrections, end and proof."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Route, expect

from companion.web import language
from tests.browser.conftest import Phones
from tests.browser.looks import SETTLE, axe, fits, fits_smallest, grows, shot
from tests.browser.people import Entering, Taps, begin_match, come, is_quiet, total

PICTURE = ("suns", "leaves waves", "wyrms wyrms knots", "moons knots knots wyrms")  # fish of zones 1 to 4


PLACES = """() => [...document.querySelectorAll("#scores, .zone-plus, .zone-body, .action-bar .button")].map((one) => {
  const { x, y, width, height } = one.getBoundingClientRect();
  return [x, y, width, height];
})"""
UNDER_NEWS = """() => {
  const news = document.querySelector(".news").getBoundingClientRect();
  const keys = "#scores, .zone-body, .action-bar, .app-bar :is(a, button, summary)";
  return [...document.querySelectorAll(keys)].filter((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    if (!one.checkVisibility({ visibilityProperty: true })) return false;
    return left < news.right && news.left < right && top < news.bottom - 1 && news.top < bottom;
  }).map((one) => one.outerHTML.slice(0, 80));
}"""
RINGS_UNDER_PLUS = """() => [...document.querySelectorAll(".zone-side")].flatMap((side) => {
  const plus = side.querySelector(".zone-plus > .icon")?.getBoundingClientRect();
  return [...side.querySelectorAll(".lacking")].filter((ring) => {
    const { left, right, top, bottom } = ring.getBoundingClientRect();
    return plus && left < plus.right && plus.left < right && top < plus.bottom && plus.top < bottom;
  }).map((ring) => ring.closest(".zone").textContent);
})"""


class CupTaps(Taps):
    """A thumb that knows the cup's board and deck."""

    def side(self, name: str, zone: int) -> CupTaps:
        return self.tap(self.page.get_by_role("link", name=f"Play in zone {zone}, on the side of {name}", exact=True))

    def card(self, card: str) -> CupTaps:
        return self.tap(self.page.locator(f'.deck [name=card][value="{card}"]'))


@pytest.fixture
def ana(phones: Phones) -> Page:
    """Return Ana's phone, in a match with Bo."""
    page = phones()
    begin_match(page, "beluga-cup", "Ana", "Bo")
    return page


def draw(page: Page) -> CupTaps:
    """Tap the big button, and wait for the fish."""
    before = page.locator(".zone-water .fish").count()
    thumb = CupTaps(page).tap(page.get_by_role("button", name=re.compile("^Draw")))
    expect(page.get_by_role("button", name=re.compile("^Draw"))).to_have_count(0)
    assert page.locator(".zone-water .fish").count() > before
    return thumb


def by_hand(page: Page, *zones: str) -> None:
    """Tap what came out of a real bag."""
    page.get_by_role("link", name=re.compile("Use our own bag|Tap the fish")).click()
    page.wait_for_url("**/fish")
    fish = " ".join(zones).split()
    for number, suit in enumerate(fish, start=1):
        page.locator(f'.fish-key[value="{suit}"]').click()
        if number < len(fish):
            expect(page.locator(".catch .fish")).to_have_count(number)
    page.wait_for_url(re.compile(r"/m/\d+$"))


def fill(page: Page, *zones: str) -> None:
    """Say what came out of a real bag without drawing a page, and open the match anew."""
    *others, last = " ".join(zones).split()
    entering = Entering(page, urlsplit(page.url).path)
    entering.send("/fish", fish=",".join(others), add=last)
    page.goto(entering.match)


def lay(page: Page, side: int, zone: int, card: str) -> None:
    """Place a card without drawing a page, and open the match anew."""
    entering = Entering(page, urlsplit(page.url).path)
    entering.send("/play", zone=str(zone), side=str(side), card=card)
    page.goto(entering.match)


def play(page: Page, side: str, zone: int, card: str) -> CupTaps:
    """Place a card, from the match's page and back to it."""
    thumb = CupTaps(page).side(side, zone)
    page.wait_for_url("**/play?*")
    thumb.card(card)
    page.wait_for_url(re.compile(r"/m/\d+$"))
    return thumb


def eat(page: Page, zone: int, name: str) -> CupTaps:
    """Say who ate a zone, the short way."""
    thumb = CupTaps(page).tap(page.get_by_role("link", name=f"Who ate zone {zone}?"))
    thumb.tap(page.locator("#sheet").get_by_role("button", name=re.compile(f"^{name}")))
    expect(page.locator("#sheet")).to_be_hidden()
    return thumb


def test_text_of_twice_the_size_grows_and_leaves_what_comes_next_in_sight(phones: Phones) -> None:
    page = phones()
    begin_match(page, "beluga-cup", "Ana", "Bo", deck="courts")
    grows(page, "#draw")
    fill(page, *PICTURE)
    grows(page, ".whose-turn")
    lay(page, 0, 2, "2-waves-leaves")
    page.reload()  # without what was told of it
    grows(page, ".whose-turn")


def test_after_the_match_each_turn_tells_what_else_could_have_been_played(phones: Phones) -> None:
    page = phones()
    begin_match(page, "beluga-cup", "Ana", "Bo", deck="courts")
    fill(page, *PICTURE)
    play(page, "Ana", 2, "8-waves-leaves")
    match = page.url
    question = page.get_by_role("link", name="What else could I have played?")
    page.goto(f"{match}/see/history")
    page.locator(".row", has_text="8 of waves").locator("summary").first.click()
    expect(question).to_have_count(0)  # it would help one player
    page.goto(f"{match}/see/other-plays?entry=3")
    expect(page.get_by_text("This is told once the match is over")).to_be_visible()
    page.goto(match)
    page.locator(".app-bar summary").click()
    page.get_by_role("button", name="Stop the match here").click()
    page.goto(f"{match}/see/history")
    row = page.locator(".row", has_text="8 of waves")
    row.locator("summary").first.click()
    question.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("What else could I have played?")
    expect(page.locator(".zone-side .card-line, .zone-side .card")).to_have_count(0)  # the table of then: no card lay there
    expect(page.get_by_role("heading", name="Zone 2, Bo’s side")).to_be_visible()
    for width, height in ((320, 568), (360, 640), (844, 390), (1280, 800), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        fits(page)
        shot(page, f"cup-what-else-{width}")
    axe(page)
    page.go_back()
    page.wait_for_url("**/see/history")


def test_a_whole_match_the_short_way_with_words_seal_and_proof(phones: Phones) -> None:
    ana = phones()
    ana.goto("/tables/new?game=beluga-cup")
    ana.get_by_label("Your name").fill("Ana")
    ana.locator('[name="person_1"]').fill("Bo")
    ana.get_by_role("button", name="Sit down").click()
    expect(ana.get_by_role("heading", level=1)).to_contain_text("table")
    ana.locator("#rules summary").click()
    ana.locator("label.tile", has=ana.locator('input[name=cards][value="untracked"]')).click()
    ana.get_by_role("button", name="Start Beluga Cup").click()
    ana.wait_for_url("**/m/1")
    bo = come(phones(), ana, "Bo")
    expect(ana.locator("#now")).to_contain_text("Draws are provably fair")
    shot(ana, "cup-sealed")

    # both phones put a word into the bag after they have seen its seal
    for page, word in ((ana, "narwhal tusk"), (bo, "krill 77")):
        page.get_by_role("link", name="How?").click()
        page.wait_for_url("**/seal")
        page.get_by_text("The seal, and how it works").click()
        seal = page.locator(".bag-seal-long").first.inner_text()
        page.get_by_label("A word of your own").fill(word)
        page.get_by_role("button", name="Add it").click()
        expect(page.locator("#words")).to_contain_text(word)
        page.get_by_role("link", name="Back").click()
        page.wait_for_url(re.compile(r"/m/1$"))
    assert re.fullmatch("[0-9a-f]{64}", seal)
    expect(ana.locator("#now")).to_contain_text("2 words are in the bag")

    # one tap draws the fish of all four zones; the other phone sees them
    assert draw(ana).count == 1
    expect(bo.locator(".zone-water .fish")).to_have_count(10)
    expect(bo.locator("#bag .bag-count")).to_have_text("32")

    # zone 4 is eaten nine times, by turns; a draw is one tap, who ate it two
    for number in range(9):
        if number == 2:  # what comes between is sent from Ana's phone, and both see it
            entering = Entering(ana, urlsplit(ana.url).path)
            for turn in range(2, 7):
                entering.send("/eat", zone="4", player=str(turn % 2))
                entering.send("/fish", by="app")
        if number in range(2, 7):
            continue
        page, name = ((ana, "Ana"), (bo, "Bo"))[number % 2]
        expect(page.get_by_role("link", name="Who ate zone 4?")).to_be_visible()
        assert eat(page, 4, name).count == 2
        if number < 8:
            assert draw(page).count == 1
        if number == 1:
            expect(page.locator("#toasts")).to_contain_text("4 fish drawn for zone 4")
    for page in (ana, bo):
        expect(page.locator("#ending")).to_contain_text("win")
    ended = [total(ana, side).inner_text() for side in (0, 1)]
    expect(ana.locator("#now tfoot")).to_contain_text(ended[0])
    axe(ana)
    shot(ana, "cup-winner")

    # an eating in the middle went to the other one: every later total that changes is shown before it is saved
    ana.get_by_role("link", name=re.compile("^All 18 entries")).tap()  # a click would point at what was told, and keep it there
    ana.wait_for_url("**/see/history")
    row = ana.locator(".row", has_text=re.compile("^6. "))
    row.locator("summary").click()
    row.get_by_role("link", name="Correct").click()
    ana.wait_for_url("**/entries/*")
    chosen = ana.locator("input[name=player]:checked").get_attribute("value")
    ana.locator("label.tile", has=ana.locator(f'input[name=player][value="{1 - int(chosen or 0)}"]')).click()
    expect(ana.locator("#verdict")).to_contain_text(("Ana", "Bo")[1 - int(chosen or 0)] + " eats zone 4")
    axe(ana)
    ana.get_by_role("button", name="Save the correction").click()
    ana.wait_for_url(re.compile(r"/m/1$"))
    expect(ana.locator("#toasts")).to_contain_text("corrected")

    # the seal is open: every draw is made once more and compared
    ana.get_by_role("link", name=re.compile("Open the seal")).click()
    ana.wait_for_url("**/seal")
    ana.get_by_role("button", name="Show the seed and check the draws").click()
    expect(ana.locator(".callout.good")).to_contain_text("42 fish, each as seed and words draw it")
    expect(ana.locator("#proves")).to_contain_text("before anything was entered. It is still the same.")
    expect(ana.locator("#draws .good")).to_have_count(12)
    assert re.fullmatch("[0-9a-f]{64}", ana.locator("#seed").inner_text())
    axe(ana, dark=True)
    shot(ana, "cup-proof")
    ana.get_by_role("link", name="Back").click()
    ana.get_by_role("button", name="Rematch, Bo deals").click()
    ana.wait_for_url("**/m/2")
    expect(ana.locator("#now")).to_contain_text("Draws are provably fair. How?")


def test_cards_on_two_phones(ana: Page, bo: Page) -> None:
    by_hand(ana, *PICTURE)
    expect(bo.locator(".zone-water .fish")).to_have_count(10)
    expect(bo.locator(".app-bar")).to_contain_text("Bo plays next")

    # two taps play a card
    assert play(bo, "Bo", 4, "4-wyrms-knots").count == 2
    expect(ana.get_by_role("img", name="4 Battle")).to_be_visible()
    expect(ana.locator(".app-bar")).to_contain_text("Ana plays next")

    # a card that does not fit says why, and nothing is played
    thumb = CupTaps(ana).side("Bo", 4)
    ana.wait_for_url("**/play?*")
    thumb.card("5-wyrms-knots")
    ana.wait_for_url(re.compile(r"/m/1$"))
    CupTaps(bo).side("Bo", 4)
    bo.wait_for_url("**/play?*")
    bo.locator('.deck [value="6-suns-wyrms"]').click()
    expect(bo.locator("#why")).to_contain_text("6 Penitent does not fit")
    expect(bo.locator("#why")).to_contain_text("This side has its wyrms already. No sun fish swims in zone 4.")
    axe(bo)
    shot(bo, "cup-refused")
    bo.locator('.deck [value="8-moons-suns"]').click()  # moons is still lacking
    bo.wait_for_url(re.compile(r"/m/1$"))
    expect(bo.locator(".zone").nth(3)).to_contain_text("full")

    # Ana collects Aces
    CupTaps(ana).side("Ana", 3)
    ana.wait_for_url("**/play?*")
    ana.get_by_role("link", name="Several Aces").click()
    ana.wait_for_url("**aces=1*")
    for ace in ("ace-wyrms", "ace-knots"):
        ana.locator(".card-piece", has=ana.locator(f'[value="{ace}"]')).click()
    expect(ana.locator("#verdict")).to_contain_text("still lacks 1 wyrm fish")
    axe(ana)
    shot(ana, "cup-aces")
    ana.get_by_role("button", name="Play the Aces").click()
    ana.wait_for_url(re.compile(r"/m/1$"))

    # Bo has no card that fits; Ana meets zone 1, Bo beats her, and the zone is eaten
    bo.get_by_role("link", name="No card fits").click()
    bo.get_by_role("button", name="2", exact=True).click()
    bo.wait_for_url(re.compile(r"/m/1$"))
    expect(ana.locator(".app-bar")).to_contain_text("Ana plays next")
    play(ana, "Ana", 1, "ace-suns")
    CupTaps(bo).side("Bo", 1)
    bo.wait_for_url("**/play?*")
    expect(bo.locator("#entry")).to_contain_text("Bo eats the zone with it")
    bo.locator('.deck [value="crown-suns"]').click()
    bo.wait_for_url(re.compile(r"/m/1$"))
    expect(bo.locator("#toasts")).to_contain_text("Bo eats zone 1")
    expect(ana.get_by_role("link", name="Tap the fish for zone 1")).to_be_visible()
    by_hand(ana, "moons")

    # why: each entry tells what it did; a wrong card in the middle is corrected, and Ana ate after all
    ana.get_by_role("link", name=re.compile("^All")).click()
    ana.wait_for_url("**/see/history")
    row = ana.locator(".row", has_text="Bo eats zone 1")
    row.locator("summary").click()
    expect(row).to_contain_text("Ana’s cards are worth 1, Bo’s 10, so Bo eats 1 sun fish.")
    ana.locator(".row", has_text="Ana: the Ace of suns").locator("summary").click()
    ana.locator(".row", has_text="Ana: the Ace of suns").get_by_role("link", name="Correct").click()
    ana.wait_for_url("**/entries/*")
    ana.locator(".card-piece", has=ana.locator('[value="9-moons-suns"]')).click()  # it takes the Ace's place
    expect(ana.locator("#verdict")).to_contain_text("Its cards are worth 9")
    axe(ana)
    shot(ana, "cup-correct")
    ana.get_by_role("button", name="Save the correction").click()
    ana.wait_for_url(re.compile(r"/m/1$"))
    expect(ana.locator("#toasts")).to_contain_text("Ana’s Ace corrected")

    # a zone explained
    ana.get_by_role("link", name="Zone 4, explained").click()
    ana.wait_for_url("**/see/zone?*")
    expect(ana.locator("#zone")).to_contain_text("The 8 of moons and suns")
    axe(ana)


def test_a_refused_discard_is_mended_with_one_tap(ana: Page, bo: Page) -> None:
    fill(ana, *PICTURE)
    lay(bo, 1, 1, "ace-suns")
    lay(ana, 0, 1, "crown-suns")
    fill(ana, "suns")
    CupTaps(bo).side("Bo", 1)
    bo.wait_for_url("**/play?*")
    mend = bo.locator(".mend")
    card = bo.locator('.deck [value="ace-suns"]')
    card.tap()
    expect(mend).to_contain_text("The Ace of suns is among the discards until the deck is shuffled.")
    expect(mend).to_contain_text("22 cards wait in the draw pile.")
    expect(card).to_be_in_viewport()
    axe(bo)
    shot(bo, "cup-mend")
    bo.locator('.deck [value="2-moons-knots"]').tap()  # another card closes it
    expect(mend).to_have_count(0)
    expect(bo.locator("#why")).to_contain_text("does not fit")
    card.tap()
    mend.get_by_role("button", name="We have shuffled").tap()
    bo.wait_for_url(re.compile(r"/m/1$"))
    expect(bo.locator(".toast")).to_contain_text("after a shuffle")
    expect(ana.locator("#rows")).to_contain_text("Ace of suns, zone 1, after a shuffle")
    expect(ana.locator(".app-bar")).to_contain_text("Ana plays next")
    bo.locator(".toast").get_by_role("button", name="Undo").tap()  # one entry holds both
    expect(bo.locator(".app-bar")).to_contain_text("Bo plays next")
    CupTaps(bo).side("Bo", 1)
    card.tap()
    expect(mend).to_be_visible()


def test_two_phones_play_at_once(ana: Page, bo: Page) -> None:
    fill(ana, *PICTURE)
    for page in (ana, bo):
        CupTaps(page).side("Bo", 1)
        page.wait_for_url("**/play?*")
    bo.context.set_offline(True)  # so that it does not hear of what Ana enters for Bo
    ana.locator('.deck [value="9-moons-suns"]').click()
    ana.wait_for_url(re.compile(r"/m/1$"))
    bo.locator('.deck [value="8-moons-suns"]').click()
    expect(bo.locator("#offline")).to_contain_text("1 entry")
    bo.context.set_offline(False)
    expect(bo.locator("#offline")).to_contain_text("Your card 8 Diplomat, moons and suns. Ana saved while you were typing.")
    bo.get_by_role("button", name="Enter it again").click()
    expect(bo.get_by_role("alert").first).to_contain_text("Which one is right?")
    expect(bo.locator(".conflict-side.mine")).to_contain_text("8 of moons and suns")
    shot(bo, "cup-conflict")
    bo.get_by_role("button", name="Use mine").click()
    expect(ana.get_by_role("img", name="8 Diplomat")).to_be_visible()


def test_the_excuse(phones: Phones) -> None:
    ana = phones()
    begin_match(ana, "beluga-cup", "Ana", "Bo", deck="courts")
    bo = come(phones(), ana, "Bo")
    draw(bo)
    bo.get_by_role("link", name="The Excuse").click()
    bo.locator('#sheet [name=swap][value="3"]').click()
    bo.get_by_role("button", name="Let Companion draw 3 fish").click()
    expect(bo.locator(".mixed-piece")).to_have_count(6)
    expect(ana.locator("#now")).to_contain_text("Bo swaps fish in zone 3")
    for place in (0, 1, 2):
        bo.locator(".mixed-piece").nth(place).click()
    expect(bo.locator("#verdict")).to_contain_text("Bo swaps fish in zone 3")
    axe(bo)
    shot(bo, "cup-swap")
    bo.get_by_role("button", name="Put them back").click()
    bo.wait_for_url(re.compile(r"/m/1$"))
    expect(ana.locator(".app-bar")).to_contain_text("Ana plays next")

    # the Excuse rests until the shuffle
    zone = ana.locator(".zone").nth(3)
    suit = zone.locator(".zone-water .fish").first.get_attribute("data-fill")
    play(ana, "Ana", 4, f"crown-{suit}")
    bo.get_by_role("link", name="No card fits").click()
    bo.get_by_role("button", name="0", exact=True).click()
    bo.wait_for_url(re.compile(r"/m/1$"))
    expect(ana.locator(".app-bar")).to_contain_text("Ana plays next")
    expect(ana.get_by_role("link", name="The Excuse")).to_have_count(0)  # it lies among the discards (ruling U12)
    CupTaps(ana).side("Bo", 4)
    ana.locator('.deck [value="excuse"]').click()
    expect(ana.locator("#why")).to_contain_text("The Excuse is among the discards until the deck is shuffled.")
    # "We have shuffled" and what the Excuse does are one entry, with one Undo
    is_quiet(ana)
    ana.locator(".mend").get_by_role("link", name="We have shuffled").tap()
    ana.locator('#sheet [name=swap][value="2"]').tap()
    ana.get_by_role("button", name="Let Companion draw 2 fish").tap()
    expect(ana.locator(".mixed-piece")).to_have_count(4)
    ana.locator(".mixed-piece").nth(0).tap()
    ana.locator(".mixed-piece").nth(1).tap()
    ana.get_by_role("button", name="Put them back").tap()
    expect(bo.locator("#rows")).to_contain_text("Ana swaps fish in zone 2, after a shuffle")
    is_quiet(bo)
    bo.get_by_role("button", name=re.compile("^Undo")).tap()
    expect(bo.locator("#rows")).not_to_contain_text("shuffle")
    expect(bo.locator(".app-bar")).to_contain_text("Ana plays next")
    expect(bo.locator("#now")).to_contain_text("Ana swaps fish in zone 2")  # what was drawn stays drawn
    ana.wait_for_url(re.compile(r"/m/1$"))
    base = urlsplit(ana.url).path.removesuffix("/play")
    looked_at = ("", "/fish", "/play?zone=4&side=1", "/excuse")
    for path in (
        *(*looked_at, "/play?zone=4&side=1&aces=1", "/discard", "/eat?zone=2"),
        *("/seal", "/see/history", "/see/zone?zone=3", "/entries/1", "/entries/2", "/entries/3", "/entries/5"),
    ):
        ana.goto(base + path)
        if path in looked_at:
            axe(ana, dark=True)
        fits_smallest(ana)


def test_fish_leave_the_bag_one_by_one_unless_motion_is_reduced(phones: Phones) -> None:
    lively = phones(calm=False)
    begin_match(lively, "beluga-cup", "Ana", "Bo")
    expect(lively.locator("[data-sound]")).to_have_attribute("aria-pressed", "false")  # silent until it is switched on
    lively.locator("#footer").get_by_role("button", name=re.compile("^Draw 10")).click()
    fish = lively.locator(".zone-water .fish.arrives")
    expect(fish).to_have_count(10)
    moves = fish.evaluate_all("all => all.map((one) => one.getAnimations()[0].effect.getComputedTiming())")
    assert [(move["delay"], move["duration"]) for move in moves] == [(400 * number, 400) for number in range(10)]
    calm = phones()
    calm.goto(urlsplit(lively.url).path)
    expect(calm.locator(".zone-water .fish")).to_have_count(10)
    assert calm.locator(".zone-water .fish").evaluate_all(
        "all => all.flatMap((one) => one.getAnimations()).every((move) => move.effect.getComputedTiming().endTime < 1)"
    )

    # heard by choice, on this phone alone, and it is remembered
    lively.get_by_label("More about this match").click()
    lively.get_by_role("button", name="Sound of the bag: off").click()
    expect(lively.get_by_role("button", name="Sound of the bag: on")).to_be_visible()
    lively.reload()
    expect(lively.locator("[data-sound]")).to_have_attribute("aria-pressed", "true")
    expect(calm.locator("[data-sound]")).to_have_attribute("aria-pressed", "false")


NOT_FITTING = (  # in zone 4, where a moon, two knots and a wyrm swim
    ("ace-suns", "Ace of suns"),
    ("4-waves-leaves", "4 Sailor"),
    ("crown-leaves", "Crown End"),
    ("5-suns-waves", "5 Discovery"),
    ("8-waves-leaves", "8 Mill"),
    ("ace-leaves", "Ace of leaves"),
)


def test_every_card_answers_before_the_server_does(phones: Phones) -> None:
    ana = phones()
    begin_match(ana, "beluga-cup", "Ana", "Bo", deck="courts")
    fill(ana, *PICTURE)
    CupTaps(ana).side("Bo", 4)
    ana.wait_for_url("**/play?*")
    sent: list[Route] = []
    ana.route("**/play", lambda route: sent.append(route))  # the answer of a slow network comes when it comes
    for card, name in NOT_FITTING:
        ana.locator(f'.deck [value="{card}"]').first.click()
        expect(ana.locator("[data-asked]")).to_have_attribute("value", card)
        expect(ana.locator("#why")).to_contain_text(f"{name} does not fit")  # it follows the mark
    ana.locator('.deck [value="6-moons-waves"]').first.click()  # this one fits
    expect(ana.locator("[data-tapped]")).to_have_attribute("value", "6-moons-waves")
    for route in sent:
        route.continue_()
    ana.wait_for_url(re.compile(r"/m/1$"))


def test_everything_works_without_scripts(phones: Phones) -> None:
    page = phones(scripts=False)
    begin_match(page, "beluga-cup", "Ana", "Bo")
    page.get_by_role("link", name="Use our own bag").click()
    for suit in " ".join(PICTURE).split():
        page.locator(f'.fish-key[value="{suit}"]').click()
    expect(page.locator(".zone-water .fish")).to_have_count(10)
    page.get_by_role("link", name="Play in zone 4, on the side of Bo").click()
    page.locator('.deck [value="6-moons-waves"]').click()
    expect(page.locator(".app-bar")).to_contain_text("Ana plays next")
    page.get_by_role("link", name="Play in zone 4, on the side of Bo").click()
    page.locator('.deck [value="7-moons-leaves"]').click()
    expect(page.locator("#why")).to_contain_text("This side has its moons already. No leaf fish swims in zone 4.")
    page.get_by_role("link", name="Close").click()
    page.locator(".undo-named").click()
    expect(page.locator(".app-bar")).to_contain_text("Bo plays next")


def test_the_calculator_adds_up_without_a_table(phones: Phones) -> None:
    page = phones(width=320, height=568)
    page.goto("/calculate/beluga-cup")
    for side, suit, fish in ((0, "moons", 2), (1, "moons", 1), (0, "suns", 3)):
        for number in range(1, fish + 1):
            page.locator(f'[name=add][value="{side}:{suit}"]').click()
            expect(page.locator(f'[name="{suit}_{side}"]')).to_have_value(str(number))
    page.get_by_label("Suns, Player 2").fill("1")
    expect(page.locator("#verdict")).to_contain_text("2 to 0")
    expect(page.locator("#sum")).to_contain_text("Moons: 2 to 1, Player 1 scores 1")
    fits(page)
    axe(page)


def test_the_calculator_says_who_eats_a_zone(phones: Phones) -> None:
    page = phones(width=320, height=568)
    page.goto("/calculate/beluga-cup")
    page.get_by_role("link", name="One zone").click()
    page.wait_for_url("**?what=zone")

    def tap(*values: str) -> None:
        for value in values:
            page.locator(f'button[name=tap][value="{value}"]').click()

    verdict = page.locator("#verdict")
    tap("fish:wyrms", "fish:wyrms", "fish:knots")
    page.locator("#to-s0").click()
    tap("4-wyrms-knots", "6-leaves-knots")
    expect(verdict).to_contain_text("This side has its knots already. No leaf fish swims in zone 3.")
    expect(page.locator('.pick.wrong[value="6-leaves-knots"]')).to_have_count(1)
    fits(page)
    axe(page)
    tap("6-leaves-knots", "8-wyrms-knots")
    page.locator("#to-s1").click()
    tap("5-wyrms-knots", "7-waves-wyrms")
    expect(verdict).to_contain_text("A tie at 12")
    page.locator("label.tile", has_text="Player 2").click()
    expect(verdict).to_contain_text("Player 2 eats 2 wyrm fish and 1 knot fish")
    expect(page.locator("#result tfoot")).to_contain_text("12")
    fits(page)
    axe(page)
    shot(page, "cup-one-zone")


def test_whose_turn_it_is_and_how_to_play(phones: Phones) -> None:
    """On the smallest phones both sides, the water and the dock are in sight together, and a plus lies on each open side."""
    ana = phones(width=360, height=640)
    begin_match(ana, "beluga-cup", "Ana", "Bo", deck="courts")  # with the Excuse three buttons stand in the dock
    bo = come(phones(width=360, height=640), ana, "Bo")
    expect(ana.locator(".app-bar")).to_contain_text("Draw fish to start")
    fill(ana, "moons", "waves wyrms", "knots waves leaves", "moons wyrms knots suns")
    ana.evaluate(SETTLE)
    assert ana.evaluate(RINGS_UNDER_PLUS) == [], "what is lacking can be read"
    lay(bo, 1, 2, "9-waves-wyrms")
    lay(ana, 0, 4, "6-leaves-knots")
    lay(bo, 1, 4, "9-moons-suns")
    for page, turn, mine in ((ana, "Your turn", 4), (bo, "Ana plays", 0)):
        expect(page.locator(".whose-turn")).to_contain_text(turn)
        expect(page.locator(".whose-turn").get_by_role("img", name="side")).to_be_visible()
        # Bo's side of zone 2 is full; all others are open, also with cards on them
        expect(page.locator(".zone-plus")).to_have_count(7)
        expect(page.locator(".on-turn .zone-plus")).to_have_count(mine)
        scores, dock = page.locator("#scores").bounding_box(), page.locator(".action-bar").bounding_box()
        zones = [page.locator(".zone-body").nth(number).bounding_box() for number in range(4)]
        assert scores
        assert dock
        assert scores["y"] >= page.locator(".app-bar").bounding_box()["height"]
        assert all(zone and zone["y"] > scores["y"] and zone["y"] + zone["height"] <= dock["y"] for zone in zones)
    # so they are on a phone that nobody has said to be theirs, upright and sideways, in longer words too
    nobody = phones(width=360, height=640)
    match = urlsplit(ana.url).path
    for code, words in (("en", "Say who I am"), ("fr", "Dire qui je suis"), ("de", "Wer bin ich?")):
        nobody.context.add_cookies([{"name": language.COOKIE, "value": code, "url": ana.url}])
        nobody.goto(match)
        for width, height in ((844, 390), (360, 640)):
            nobody.set_viewport_size({"width": width, "height": height})
            nobody.evaluate(SETTLE)
            link, title = nobody.get_by_role("link", name=words).bounding_box(), nobody.locator("h1").bounding_box()
            assert link
            assert title
            assert link["height"] >= 48
            assert link["y"] + link["height"] / 2 > title["y"] + title["height"] / 2
            dock, scores = nobody.locator(".action-bar").bounding_box(), nobody.locator("#scores").bounding_box()
            assert dock
            assert scores
            assert scores["y"] < 60, "the link takes no line"
            for zone in nobody.locator(".zone-body").all():
                box = zone.bounding_box()
                assert box
                beside = box["x"] + box["width"] <= dock["x"] and box["y"] + box["height"] <= height
                assert beside or box["y"] + box["height"] <= dock["y"], (code, width)
    # each card is news on the other phone: it says which in full, and moves no side
    expect(ana.locator(".news")).to_contain_text("Bo: the 9 of moons and suns, zone 4")
    for width, height in ((320, 568), (390, 844), (844, 390), (640, 360), (360, 640)):
        ana.set_viewport_size({"width": width, "height": height})
        ana.evaluate(SETTLE)
        ana.locator(".news").evaluate("line => line.classList.remove('shown')")
        before = ana.evaluate(PLACES)
        ana.locator(".news").evaluate("line => line.classList.add('shown')")
        expect(ana.locator(".news")).to_be_visible()
        assert ana.evaluate(PLACES) == before, (width, "it moves no score and no key")
        assert ana.evaluate(UNDER_NEWS) == [], (width, "it covers none")
    ana.set_viewport_size({"width": 1280, "height": 800})  # on a large screen it stands below the score, and pushes no side
    ana.wait_for_function(
        """() => {
          const [news, scores] = [".news", "#scores"].map((one) => document.querySelector(one).getBoundingClientRect());
          return scores.bottom <= news.top && news.bottom <= 400;
        }"""
    )
    ana.set_viewport_size({"width": 360, "height": 640})
    axe(ana)
    ana.get_by_role("link", name="No card fits").tap()
    ana.wait_for_function("() => document.querySelector('#sheet[open]')?.getBoundingClientRect().bottom === innerHeight")
    ana.locator("#sheet").get_by_role("button", name="Close").tap()
    expect(ana.locator("#sheet")).to_be_hidden()
    fits(ana)
    shot(ana, "cup-your-turn")

    # with three cards on the own side of a zone it still ends above the dock, its plus with it
    lay(ana, 0, 4, "crown-wyrms")
    lay(bo, 1, 3, "4-waves-leaves")
    lay(ana, 0, 4, "crown-moons")
    for width, height in ((844, 390), (360, 640)):
        ana.set_viewport_size({"width": width, "height": height})
        ana.evaluate(SETTLE)
        own = ana.locator(".zone-body").last.bounding_box()
        dock = ana.locator(".action-bar").bounding_box()
        assert own
        assert dock
        assert own["y"] + own["height"] <= (dock["y"] if width < height else height)

    # a stopped cup takes no card, and shows no plus
    ana.get_by_role("button", name="More about this match").or_(ana.locator("details.menu > summary")).first.click()
    ana.get_by_role("button", name="Stop the match here").click()
    expect(ana.locator("#now")).to_contain_text("stopped")
    for page in (ana, bo):
        expect(page.locator(".zone-plus, [aria-label^='Play in']")).to_have_count(0)
