"""Does an evening of six matches in all five games end in one story? Four phones tap it, and a screen shows it.

Ana has the table's first phone, Bo a small dark one, Cy a slow line, Di one without scripts. Whoever a match does not need has
the phone in a pocket: a page that follows costs as much as one that taps. So has everybody while the middle of a cup and of a
hand is sent by forms, which the games' own tests tap.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Phones
from tests.browser.looks import axe, fits, fits_everywhere, shot
from tests.browser.people import Entering, is_quiet, look, slow, total
from tests.browser.test_bisque_table import GOALS, POT, TRICKS, send
from tests.browser.test_rivals_table import WhaleTaps
from tests.browser.test_screen import is_read_from_afar, watch
from tests.browser.test_what_the_fish_table import key

MATCH = re.compile(r"/m/\d+$")
# how much of the picture has this colour: one in so many points, looked at in rows and columns of four
SHARE = """([url, colour]) => new Promise((answer) => {
  const picture = new Image();
  picture.onload = () => {
    const canvas = new OffscreenCanvas(picture.naturalWidth, picture.naturalHeight);
    const pen = canvas.getContext("2d");
    pen.drawImage(picture, 0, 0);
    const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
    const wanted = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
    let has = 0;
    for (let at = 0; at < data.length; at += 16) has += wanted.every((part, n) => Math.abs(part - data[at + n]) < 4);
    answer((has * 4) / data.length * 4);
  };
  picture.src = url;
})"""
SHARES = """Navigator.prototype.canShare = () => true;
Navigator.prototype.share = async ({ files, text }) => { window.shared = [files[0].name, files[0].type, text]; };"""
PLAIN_HTTP = "delete Navigator.prototype.clipboard; delete Navigator.prototype.share; delete Navigator.prototype.canShare;"


def join(page: Page, link: str, name: str, seat: int) -> None:
    """Come by the link: a name, then a tap on the drawn table."""
    page.goto(link)
    page.get_by_label("What’s your name?").fill(name)
    page.get_by_role("button", name="Next: choose your seat").tap()
    page.locator(f'[name=seat][value="{seat}"]').tap()
    page.wait_for_url("**/table")
    expect(page.locator("#toasts")).to_contain_text(f"You sit here, {name}.")


def choose(page: Page, title: str, *people: str) -> None:
    """Choose the table's next game, and who plays it if not everybody can."""
    is_quiet(page)
    page.get_by_role("link", name="Other game").tap()
    page.wait_for_url("**/table")
    page.locator("#games").get_by_role("button", name=title).tap()
    expect(page.get_by_role("button", name=f"Start {title}")).to_be_visible()
    if people:
        expect(page.locator("#playing")).to_contain_text(f"Who plays? {title} is for {len(people)}.")
    for tile in page.locator("#playing label.tile").all():
        if tile.locator("input").is_checked() != (tile.inner_text().strip() in people):
            tile.tap()


def start(page: Page, title: str) -> None:
    """Start the game that was chosen."""
    page.get_by_role("button", name=f"Start {title}").tap()
    page.wait_for_url(MATCH)


def pocket(*pages: Page) -> None:
    """Put these phones away."""
    for page in pages:
        page.goto("/healthz?alive")


def menu(page: Page, words: str) -> Locator:
    """Open the menu of the match, and find a way in it."""
    is_quiet(page)
    page.locator("summary[aria-label^='More']").tap()
    return page.locator("details.menu").get_by_role("button", name=words)


def shows(screen: Page, words: str) -> None:
    """Wait until the screen says this of the last entry."""
    expect(screen.locator(".last")).to_contain_text(words)


def take(page: Page, who: str, plain: str) -> None:
    """Open a round of BeloZ: who took the contract, and which plain is flooded."""
    is_quiet(page)
    page.locator("#now").get_by_role("button", name=who, exact=True).tap()
    page.wait_for_url("**/who")
    page.locator(f'[name=flooded][value="{plain}"] .plain-sign').tap()
    page.wait_for_url(MATCH)


def count(page: Page, points: str, last: str) -> None:
    """Count the open round and save it."""
    is_quiet(page)
    page.get_by_role("link", name=re.compile("Count round")).tap()
    page.wait_for_url("**/count")
    for digit in points:
        page.locator(f'[data-key="{digit}"]').tap()
    page.locator("label.tile", has=page.locator(f'input[name=last][value="{last}"]')).tap()
    page.get_by_role("button", name=re.compile("Save round")).tap()
    page.wait_for_url(MATCH)


def correct(page: Page, row: str) -> None:
    """Open a row, and its correction."""
    is_quiet(page)
    page.locator(f"#{row} summary").tap()
    page.wait_for_function(
        """row => document.querySelector(`#${row} a[href*="/entries/"]`)?.getBoundingClientRect().bottom
          < document.querySelector(".action-bar").getBoundingClientRect().top""",
        arg=row,
    )  # it comes into sight by itself
    page.locator(f"#{row}").get_by_role("link", name="Correct").tap()
    page.wait_for_url("**/entries/*")


def play_beloz(ana: Page, bo: Page, cy: Page, screen: Page) -> None:
    """Play to 200: two rounds are enough. Everybody hears of each entry, of the undo and of the correction."""
    take(cy, "Ana", "south")
    count(cy, "98", "0")
    shows(screen, "Round 1")
    expect(bo.locator("#news")).to_contain_text("Cy saved round 1")
    expect(total(ana, 0)).to_have_text("108")
    take(ana, "Di", "east")
    expect(bo.locator("#now")).to_contain_text("Di took it")
    undo = bo.locator(".undo-named")
    expect(undo).to_contain_text("East flooded")
    is_quiet(bo)
    undo.tap()  # the open round first, its newest step first
    expect(undo).to_contain_text("Di took it")
    look(bo)
    undo.tap()
    expect(ana.locator("#now")).to_contain_text("Who took the contract?")
    expect(ana.locator("#news")).to_contain_text("Bo")
    expect(undo).to_contain_text("round 1")
    look(bo)
    undo.tap()
    expect(ana.locator("#news")).to_contain_text("Bo undid round 1")
    expect(total(cy, 0)).to_have_text("0")
    shows(screen, "undid")
    menu(bo, "Redo").tap()
    expect(total(cy, 0)).to_have_text("108")

    # Bo corrects it, quickly, with a key where “Correct” was: the changed row says so on the others
    correct(bo, "entry-1")
    for digit in ("backspace", "backspace", "9", "0"):
        bo.locator(f'[data-key="{digit}"]').tap()
    expect(bo.locator("#verdict dd").first).to_have_text("100 was 108")
    bo.get_by_role("button", name="Save the correction").tap()
    expect(ana.locator("#entry-1")).to_contain_text("corrected by Bo")
    expect(cy.locator("#news")).to_contain_text("Bo corrected round 1")
    shows(screen, "corrected")
    take(ana, "Ana", "west")
    count(ana, "95", "0")
    for page in (ana, bo, cy):
        expect(page.locator("#ending")).to_contain_text("Ana & Cy win")
    for page in (ana, bo):  # the end fills the screen: no row lies half behind the dock
        assert page.evaluate("document.querySelector('.history').getBoundingClientRect().top >= innerHeight")
    fits(bo)
    axe(bo)
    shot(bo, "evening-end")


def play_the_rematch(ana: Page, bo: Page, cy: Page, di: Page, screen: Page) -> None:
    """Follow to the rematch, which Di's only round ends; only who is typing is neither taken along nor left behind."""
    correct(ana, "entry-1")
    ana.locator('[data-key="backspace"]').tap()
    cy.get_by_role("radio", name="Chart").tap()  # to look at a chart is not to type
    is_quiet(bo)
    bo.get_by_role("button", name=re.compile("Rematch")).tap()
    for page in (cy, bo):
        page.wait_for_url("**/m/2")
    assert ana.url.endswith("/entries/1")
    expect(ana.locator("#points")).to_have_value("9")
    ana.get_by_role("link", name="Back").tap()
    expect(ana.locator("#next-match")).to_contain_text("Bo started a rematch")
    ana.get_by_role("link", name="Go there").tap()
    ana.wait_for_url("**/m/2")
    dealt = bo.locator("#now").inner_text()
    ana.get_by_role("button", name="Everyone passed").tap()
    expect(ana.locator("#toasts")).to_contain_text("Undo")
    assert "tap=passed-deal" in ana.evaluate("JSON.stringify(localStorage)")  # kept, in case that the server loses it
    expect(bo.locator("#now")).not_to_have_text(dealt)
    shows(screen, "passed")
    di.goto(urlsplit(ana.url).path.replace("/m/2", "/m/1"))
    di.get_by_role("link", name="Go there").tap()
    di.locator("#now").get_by_role("button", name="Di", exact=True).tap()
    di.locator('[name=flooded][value="north"] .plain-sign').tap()
    di.get_by_role("link", name="Count round 1").tap()
    di.locator("label.tile", has=di.locator('input[name=last][value="all"]')).tap()
    di.get_by_role("button", name="Save round 1").tap()
    for page in (ana, bo, cy, di):
        expect(page.locator("#ending")).to_contain_text("Bo & Di win")
    assert not ana.locator("#toasts").inner_text(), "it offers to undo what is no longer the newest"
    expect(screen.locator(".picture")).to_have_class(re.compile(r"\bover\b"))


def play_beluga_cup(ana: Page, bo: Page, di: Page, screen: Page) -> None:
    """Play the short way, who ate alone: zone 4 is eaten nine times, eight times by Bo, and then the bag is empty."""
    ana.get_by_role("button", name=re.compile("^Draw")).tap()  # she sits out, and is named all the same
    expect(bo.locator(".zone-water .fish")).to_have_count(10)
    expect(bo.locator("#news")).to_contain_text("Ana")
    shows(screen, "Fish for zones 1, 2, 3 and 4")
    pocket(ana)
    match, afar = urlsplit(bo.url).path, screen.url
    for number in (0, 4, 8):
        if number:
            pocket(bo, screen)
            unseen = Entering(bo, match)
            for _ in range(3):
                unseen.send("/eat", zone="4", player="0")
                unseen.send("/fish", by="app")
            bo.goto(match)
            screen.goto(afar)
        if number == 4:
            di.goto(urlsplit(bo.url).path)
            di.get_by_role("link", name="Who ate zone 4?").tap()
            di.get_by_role("button", name=re.compile("^Di")).tap()
            di.get_by_role("button", name=re.compile("^Draw")).tap()
            shows(screen, "Zone 4: ")
            continue
        expect(bo.locator(".zone-water .fish")).to_have_count(10)  # the draw has come here, too
        look(bo)
        bo.get_by_role("link", name="Who ate zone 4?").tap()
        bo.locator("#sheet").get_by_role("button", name=re.compile("^Bo")).tap()
        shows(screen, "Bo eats zone 4")
        if number < 8:
            bo.get_by_role("button", name=re.compile("^Draw")).tap()
            shows(screen, "Zone 4: ")
    for page in (bo, screen):  # Di, too, if the four fish are three of five moons
        expect(page.get_by_text(re.compile("(Bo|Di) wins|Bo and Di")).first).to_be_visible()


def play_bisque(ana: Page, bo: Page, cy: Page, di: Page, screen: Page) -> None:
    """Play one hand. Goals stay on their own phones; Cy's slow taps count as well, and so does Di, who sits out."""
    for page in (ana, bo, cy):
        page.wait_for_url(MATCH)
    ana.locator("#goal-begin").tap()  # what the cup listened to means nothing here
    ana.locator(f'[data-goal-pick="{GOALS[0]}"]').tap()
    cy.locator("#goal-skip").tap()  # on a slow line the page comes with what its buttons do
    bo.locator("#goal-skip").tap()
    match, afar = urlsplit(ana.url).path, screen.url
    for number, card in enumerate(POT):
        if number in range(4, 9):
            continue
        if number == 9:
            pocket(ana, bo, cy, screen)
            send(ana, match, *TRICKS[4:9])
            for phone in (ana, bo, cy):
                phone.goto(match)
            screen.goto(afar)
        page = (ana, bo, cy, di)[number % 4]
        if page is di:
            di.goto(urlsplit(ana.url).path)
        expect(page.locator("#trick-title")).to_have_text(f"Who won trick {number + 1}?")
        if page is not di:
            is_quiet(page)
        page.locator("#trick .chef").nth(number % 3).tap()
        page.locator(f'#trick [name=card][value="{card}"]').tap()
        expect(screen.locator(".pot li:not(.slot)")).to_have_count(number + 1)
        if number == 1:
            expect(cy.locator(".pot")).to_have_attribute("aria-label", "The pot: 2 of 11 cards")
            expect(ana.locator("#news")).to_contain_text("Bo")
            is_quiet(cy)
            cy.locator(".undo-named").tap()
            expect(ana.locator(".pot")).to_have_attribute("aria-label", "The pot: 1 of 11 cards")
            expect(ana.locator("#news")).to_contain_text("Cy undid")
            expect(bo.locator("#toasts")).to_be_empty()  # what it offered to undo is gone
            expect(cy.locator("#toasts")).not_to_be_empty()  # the answer to Cy's own tap is there
            menu(cy, "Redo").tap()
    ana.locator("#goal-show").tap()
    for cook, page in ((1, bo), (2, cy)):
        expect(page.locator("#now .plate").nth(cook - 1)).not_to_contain_text("face down")
        is_quiet(page)
        page.locator("#reveal .chef").nth(cook).tap()
        page.locator(f'#reveal [name=goal][value="{GOALS[cook]}"]').tap()
        expect(ana.locator("#now .plate").nth(cook)).not_to_contain_text("face down")
    cy.get_by_role("button", name="Save hand 1").tap()
    for page in (ana, bo, cy, screen):
        expect(page.get_by_text("Ana wins").first).to_be_visible()


def play_what_the_fish(ana: Page, bo: Page, cy: Page, di: Page, screen: Page) -> None:
    """Swim once: Bo's fish of 12 is attacked by Di and Cy, which is not enough."""
    for digit in "12":
        bo.locator(f'.keypad [data-key="{digit}"]').tap()
    key(bo, "Bo").tap()
    expect(screen.locator(".beat")).to_contain_text("12")
    di.goto(urlsplit(bo.url).path)
    di.locator("#value").fill("5")
    key(di, "Di").tap()
    expect(cy.locator("#duel")).to_contain_text("5 so far")
    is_quiet(cy)
    cy.locator('.keypad [data-key="6"]').tap()
    key(cy, "Cy").tap()
    shows(screen, "6")
    expect(ana.locator("#duel")).to_contain_text("11 so far")
    is_quiet(ana)
    ana.get_by_role("button", name="Free!").tap()
    for page in (ana, bo, cy, screen):
        expect(page.get_by_text("Bo wins").first).to_be_visible()


def play_rivals(ana: Page, di: Page, screen: Page) -> None:
    """Play three rounds and count, each on the own phone: Di has fewer whales, and better ones."""
    WhaleTaps(ana).play_round((((6,), (4,)), ((5,), (3,)), ((2,), (10,))), "Ana")
    shows(screen, "Round 1")
    for number, packs in ((2, (((3,), (1,)), ((), ()), ((), ()))), (3, (((), ()), ((10,), (1,)), ((), ())))):
        di.goto(urlsplit(ana.url).path)
        WhaleTaps(di).play_round(packs, "Cards ran out", far=0)
        shows(screen, f"Round {number}")
    di.get_by_role("link", name="Count the captured whales").tap()
    for value in (6, 4, 5):
        di.locator(f'button[name=tap][value="value:{value}"]').tap()
    di.get_by_role("button", name="Save the count").tap()
    expect(ana.locator("#now")).to_contain_text("Di counted 3 whales: 15.")
    is_quiet(ana)
    ana.get_by_role("link", name="Count Ana’s whales").tap()
    ana.wait_for_url("**/count")
    for value in (1, 1, 2, 1, 1, 1, 2, 1):
        WhaleTaps(ana).key(f"value:{value}")
    ana.get_by_role("button", name="Save the count").tap()
    for page in (ana, screen):
        expect(page.get_by_text("Di wins").first).to_be_visible()


def test_six_matches_make_an_evening_an_almanac_and_a_card(phones: Phones) -> None:
    ana, bo, cy, di = phones(), phones("dark", width=360, height=640), phones(), phones(scripts=False)
    ana.goto("/tables/new?game=beloz")
    ana.get_by_label("Your name").fill("Ana")
    ana.get_by_role("button", name="Sit down").tap()
    ana.wait_for_url("**/table")
    table = urlsplit(ana.url).path.removesuffix("/table")
    slow(cy)
    for seat, (page, name) in enumerate(((bo, "Bo"), (cy, "Cy"), (di, "Di")), start=1):
        join(page, table, name, seat)
    expect(ana.locator("#around")).to_have_attribute("data-announce", "Ana, Bo, Cy and Di are at the table.")
    screen = watch(phones, ana, table)

    is_quiet(ana)
    ana.get_by_text("House rules").tap()
    ana.get_by_label("The match goes to").fill("200")
    start(ana, "BeloZ")
    for page in (bo, cy):
        page.wait_for_url("**/m/1")
    expect(screen.locator("#screen h1")).to_have_text("BeloZ")
    play_beloz(ana, bo, cy, screen)
    play_the_rematch(ana, bo, cy, di, screen)

    pocket(cy)
    choose(ana, "Beluga Cup", "Bo", "Di")
    ana.get_by_text("House rules").tap()
    ana.locator("label.tile", has=ana.locator('input[name=cards][value="untracked"]')).tap()
    start(ana, "Beluga Cup")
    bo.wait_for_url("**/m/3")
    expect(screen.locator("#screen h1")).to_have_text("Beluga Cup")
    play_beluga_cup(ana, bo, di, screen)

    for page in (ana, cy):
        page.goto(f"{table}/m/3")
    choose(bo, "Bisque", "Ana", "Bo", "Cy")
    bo.get_by_text("House rules").tap()
    bo.get_by_label("Hands").fill("1")
    start(bo, "Bisque")
    play_bisque(ana, bo, cy, di, screen)

    for page in (ana, cy):
        page.goto(f"{table}/table")
    choose(bo, "What the Fish!")
    start(bo, "What the Fish!")
    for page in (ana, cy):
        page.wait_for_url("**/m/5")
    play_what_the_fish(ana, bo, cy, di, screen)

    pocket(bo, cy)
    choose(ana, "Rivals", "Ana", "Di")
    start(ana, "Rivals")
    play_rivals(ana, di, screen)
    is_read_from_afar(screen)  # the end of a match

    # all of it on one page
    bo.goto(f"{table}/matches")
    rows = bo.locator("#matches .match-row")
    expect(rows).to_have_count(6)
    expect(rows.nth(5)).to_contain_text("Ana & Cy won, 205 to 121")
    axe(bo, dark=True)
    fits_everywhere(bo)
    shot(bo, "evening")
    ana.goto(f"{table}/almanac")
    expect(ana.locator(".headline")).to_contain_text("6 matches on one evening.")
    places = [menu.bounding_box() or {} for menu in ana.locator(".choice summary").all()]
    assert [(place["y"], place["height"]) for place in places] == [(places[0]["y"], 48)] * 2
    for path in ("almanac", "almanac?game=beloz", "almanac/person?who=Ana", "almanac/match/1", "almanac/evening/1"):
        ana.goto(f"{table}/{path}")
        fits_everywhere(ana)
        axe(ana, dark=True)
        ana.set_viewport_size({"width": 390, "height": 844})
        shot(ana, path.replace("?who=Ana", "").translate({ord(sign): "-" for sign in "/?="}))

    # the picture has each game's box; the text says the same, and whoever has no scripts reads it
    picture = ana.locator(".card-picture")
    expect(picture).to_be_visible()
    assert picture.evaluate("each => [each.naturalWidth, each.naturalHeight]") == [1080, 1350]
    for colour, least in (("#a5470f", 0.06), ("#a31c3b", 0.03), ("#ffd61f", 0.03), ("#0a6186", 0.03), ("#12594d", 0.03)):
        assert ana.evaluate(SHARE, [picture.get_attribute("src"), colour]) > least, colour
    without = picture.get_attribute("src")
    ana.get_by_role("button", name="With a code to scan").tap()
    expect(picture).not_to_have_attribute("src", str(without))
    assert ana.evaluate(SHARE, [picture.get_attribute("src"), "#ffffff"]) > 0.008
    text = ana.locator("[data-card-text]").input_value()
    assert text.splitlines()[2] == "Bo 3, Ana 2, Di 2, Cy 1"
    for line in ("BeloZ: Ana & Cy, 205 : 121", "BeloZ: Bo & Di, 253 : 0", "Bisque: Ana, 19 : 18", "Rivals: Di, 15 : 10"):
        assert line in text
    assert picture.get_attribute("alt") == text
    expect(ana.locator("[data-card-share]")).to_be_hidden()  # this browser can share no files
    di.goto(f"{table}/almanac/evening/1")
    assert di.locator("[data-card-text]").input_value() == text
    expect(di.get_by_role("button", name="Copy the text")).to_be_hidden()

    # its link opens this evening for whoever has no phone at the table, and lets nobody enter anything
    link = text.splitlines()[-1]
    guest = phones(new=True)
    guest.context.grant_permissions(["clipboard-read", "clipboard-write"])
    guest.add_init_script(SHARES)
    guest.goto(link)
    expect(guest.locator("h2.display")).to_have_text(ana.locator("h2.display").inner_text())
    guest.get_by_role("button", name="Copy the text").tap()
    expect(guest.locator("#toasts")).to_contain_text("Text copied")
    assert guest.evaluate("navigator.clipboard.readText()") == text
    guest.locator("[data-card-share]").tap()
    guest.wait_for_function("() => window.shared?.[1] === 'image/png'")
    assert guest.evaluate("window.shared[2]") == text
    plain = phones(width=320, height=568)
    plain.add_init_script(PLAIN_HTTP)
    plain.goto(link)
    expect(plain.locator(".card-picture")).to_be_visible()
    plain.get_by_role("button", name="Copy the text").tap()
    expect(plain.locator("#toasts")).to_contain_text("Text copied")
    plain.locator("[data-card-text]").focus()
    selected = "() => { const each = document.activeElement; return each.value.slice(each.selectionStart, each.selectionEnd); }"
    assert plain.evaluate(selected) == text
