"""Do whole matches by score sheets come off on phones? Bids of six, a ledger, boxes, columns at the end, an own sheet."""

from __future__ import annotations

import re
from urllib.parse import urlencode, urlsplit

from playwright.sync_api import Page, expect

from tests.browser.conftest import Phones
from tests.browser.looks import axe, fits, fits_everywhere, shot
from tests.browser.people import begin_match, beloz_round, come, is_answered, is_quiet, look, post, slow, wait_until
from tests.browser.people import enter as enter_round
from tests.web import qr_reader

ABOVE_THE_KEYS = """(place) => document.querySelector(place).getBoundingClientRect().bottom
  <= document.querySelector(".sheet-dock").getBoundingClientRect().top"""
SIX = ("Ana", "Bo", "Cy", "Di", "Eve", "Finn")


def begin(page: Page, preset: str, *people: str) -> str:
    """Make a table for these people and begin a match by a preset there, in their order; return the table's path."""
    named = {f"person_{seat}": name for seat, name in enumerate(people)}
    table = post(page, "/tables", "/tables/new?game=sheet", game="sheet", table="Sunday table", **named).removesuffix("/table")
    start = page.context.request.get(f"{table}/more/{preset}").text()
    players = re.findall(r'name="player" value="(\d+)"', start)
    token = start.partition('name="csrf_token" value="')[2].partition('"')[0]
    fields = [("csrf_token", token), ("game", "sheet"), ("preset", preset), *[("player", each) for each in players]]
    asked = page.context.request.post(
        f"{table}/matches",
        data=urlencode(fields),
        headers={"Content-Type": "application/x-www-form-urlencoded"},
        max_redirects=0,
    )
    assert asked.status == 303, asked.text()
    page.goto(urlsplit(asked.headers["location"]).path)
    return table


def enter(page: Page, match: str = "", **cells: str) -> None:
    """Send a row as the phone would, without drawing a page: c0_tricks is the first side's cell of tricks."""
    match = match or urlsplit(page.url).path
    stamp = dict(re.findall(r'name="(expected_seq|idempotency_key)" value="([^"]*)"', page.context.request.get(match).text()))
    typed = {re.sub(r"^([cr]\d*)_", r"\1-", name).replace("_", "-"): text for name, text in cells.items()}
    post(page, f"{match}/row", match, **stamp, **typed)


def pocket(*pages: Page) -> None:
    """Put these phones away: a page that follows costs as much as one that taps."""
    for page in pages:
        page.goto("/healthz?alive")


def key(page: Page, *keys: str) -> None:
    """Tap keys of the pad; "next" is the large one below it."""
    for each in keys:
        page.locator("#go-on" if each == "next" else f"[data-digit='{each}'], [data-number='{each}']").tap()


def roll(page: Page, dice: str) -> None:
    """Tap the dice as they lie on the table."""
    for face in dice:
        page.locator(f"[data-die='{face}']").tap()


def totals(page: Page) -> list[str]:
    return page.locator("#scores .sheet-total").all_inner_texts()


def test_skull_king_with_the_bids_of_six_phones(phones: Phones) -> None:
    ana = phones(width=320, height=568)
    begin(ana, "skull-king", *SIX)
    others = [come(phones(width=360, height=640), ana, name) for name in SIX[1:]]
    fits_everywhere(ana)
    ana.set_viewport_size({"width": 320, "height": 568})

    # everybody bids on their own phone, and nobody sees the others' before all have
    ana.get_by_role("button", name="Or each on their own phone, unseen").tap()
    expect(ana.get_by_role("button", name="Everybody may see the bids")).to_be_visible()
    bids = ("1", "0", "0", "1", "0", "0")
    everybody = [ana, *others]
    for page, name, bid in list(zip(everybody, SIX, bids, strict=True))[:-1]:
        page.get_by_label(f"{name}, Bid", exact=True).tap()
        key(page, bid)
        page.get_by_label("Finn, Bid", exact=True).tap()
        is_answered(page)
        if page in others[2:4]:
            pocket(page)
    for page, others_bids in ((ana, 4), (others[-1], 5)):
        expect(page.get_by_role("img", name=re.compile("Bid: face down"))).to_have_count(others_bids)
    expect(ana.get_by_label("Ana, Bid", exact=True)).to_have_value("1")  # her own she sees, and may still change
    assert 'value="1"' not in others[-1].locator(".sheet-grid").inner_html()
    shot(ana, "sheet-bids-unseen")
    others[-1].get_by_label("Finn, Bid", exact=True).tap()
    key(others[-1], bids[-1])
    expect(ana.locator("#sheet-large")).to_contain_text("1 too many: somebody must miss.")
    expect(others[1].locator("#sheet-large")).to_contain_text("1 too many: somebody must miss.")
    pocket(others[1])
    shot(ana, "sheet-bids")
    axe(ana, dark=True)
    is_quiet(ana)
    ana.get_by_role("button", name="Save the bids").tap()

    # one thumb: a tap a player, the next cell opens by itself, also while others' news come over a slow line;
    # a wrong sum is mended with one more
    expect(ana.get_by_role("button", name="Save round 1")).to_be_visible()
    slow(ana)
    key(ana, "1", "0", "0")
    others[4].get_by_label("Finn, Tricks", exact=True).tap()
    key(others[4], "0")
    expect(ana.get_by_label("Finn, Tricks", exact=True)).to_have_value("0")
    expect(others[0].get_by_label("Ana, Tricks", exact=True)).to_have_value("1")  # its cell opened by itself
    key(ana, "1", "0")
    for name, tricks in zip(SIX, "100100", strict=True):
        expect(others[0].get_by_label(f"{name}, Tricks", exact=True)).to_have_value(tricks)
        expect(ana.get_by_label(f"{name}, Tricks", exact=True)).to_have_value(tricks)
    mend = ana.get_by_role("group", name="One of these would be right")
    expect(mend.get_by_role("button")).to_have_count(2)
    wait_until(ana, lambda: ana.evaluate(ABOVE_THE_KEYS, "#verdict .tiles"))
    shot(ana, "sheet-refused")
    axe(ana)
    is_quiet(ana)
    mend.get_by_role("button", name="Di").tap()
    expect(mend).to_have_count(0)
    expect(ana.get_by_label("Di, Tricks", exact=True)).to_have_value("0")
    expect(ana.locator("#brings-3")).to_contain_text("−10")
    shot(ana, "sheet-tricks")
    is_quiet(ana)

    # whoever has hit the bid may have a bonus: the last key turns the pad, and back
    bonus = ana.get_by_role("button", name="Bonus", exact=True)
    ana.get_by_label("Bo, Tricks", exact=True).tap()
    expect(bonus).to_be_enabled()
    bonus.tap()
    expect(ana.locator("[data-number='1']")).to_be_hidden()
    ana.get_by_role("button", name="+20", exact=True).tap()
    expect(ana.locator("#brings-1")).to_contain_text("+30")
    ana.locator("[data-number='0']").tap()  # nothing on top after all
    expect(ana.locator("#brings-1")).to_contain_text("+10")
    is_quiet(ana)
    ana.get_by_label("Di, Tricks", exact=True).tap()
    expect(ana.locator("[data-number='1']")).to_be_visible()
    look(ana)  # the news of Bo's bonus come over her slow line
    is_quiet(ana)
    bonus.tap()  # Di missed the bid, and has only a wager to lose
    expect(ana.get_by_role("button", name="+20", exact=True)).to_be_hidden()
    ana.get_by_role("button", name="−10", exact=True).tap()
    expect(ana.locator("#brings-3")).to_contain_text("−20")
    ana.locator("[data-number='0']").tap()
    expect(ana.locator("#brings-3")).to_contain_text("−10")
    ana.get_by_role("button", name="Save round 1").tap()
    expect(others[0].locator(".app-bar")).to_contain_text("Round 2 of 10")

    # the other rounds as forms, while phones are in pockets, and the last one in sight of Finn
    match = urlsplit(ana.url).path
    pocket(ana, others[0], others[4])
    for number in range(2, 11):
        if number == 10:
            others[4].goto(match)
        none = dict.fromkeys((f"c{side}_bid" for side in range(1, 6)), "0")
        enter(ana, match, c0_bid=f"{number}", **none)
        enter(ana, match, c0_tricks=f"{number}", **{name.replace("bid", "tricks"): bid for name, bid in none.items()})
    expect(others[4].get_by_role("heading", name="Ana wins")).to_be_visible()
    assert totals(others[4]) == ["1,100", "550", "550", "530", "550", "550"]
    fits(others[4])


def test_a_ledger_with_five_at_the_table(phones: Phones) -> None:
    ana = phones(width=320, height=568)
    begin(ana, "doppelkopf", "Ana", "Bo", "Cy", "Di", "Eve")
    bo = come(phones(), ana, "Bo")
    bo.set_viewport_size({"width": 1280, "height": 1000})
    assert bo.locator(".sheet-question").first.bounding_box()["y"] < 110  # right below the bar, however little stands below it
    bo.set_viewport_size({"width": 390, "height": 844})
    ana.get_by_label("Bo, Won", exact=True).tap()
    bo.get_by_label("Di, Won", exact=True).tap()  # two phones at once
    expect(ana.get_by_label("Di, Won", exact=True)).to_be_checked()
    ana.get_by_label("Points", exact=True).tap()
    key(ana, "4")
    expect(ana.locator("#brings .sheet-sum > span")).to_have_text(["0", "+4", "−4", "+4", "−4"])
    assert ana.evaluate(ABOVE_THE_KEYS, "#brings .sheet-cells")
    fits_everywhere(ana)
    # Ana deals and is proposed to sit out: a tap on her asks who does, another on a name says so on all phones
    look(ana)
    ana.get_by_label("Ana, Who sits out?", exact=True).tap()
    expect(ana.get_by_label("Bo, Won", exact=True)).to_be_hidden()
    ana.get_by_label("Cy, Sits out", exact=True).tap()
    expect(bo.get_by_label("Cy, Who sits out?", exact=True)).to_be_attached()
    expect(ana.locator("#brings .sheet-sum > span")).to_have_text(["−4", "+4", "0", "+4", "−4"])
    look(ana)
    ana.get_by_label("Cy, Who sits out?", exact=True).tap()
    ana.get_by_label("Ana, Sits out", exact=True).tap()
    expect(ana.locator("#brings .sheet-sum > span")).to_have_text(["0", "+4", "−4", "+4", "−4"])
    shot(ana, "sheet-ledger")
    axe(ana)
    ana.get_by_role("button", name="Save round 1").tap()
    expect(bo.locator(".app-bar")).to_contain_text("Bo deals")
    expect(ana.get_by_label("Cy, Won", exact=True)).to_be_in_viewport()  # she had scrolled to the points
    ana.get_by_label("Points", exact=True).tap()
    key(ana, "7")
    enter(bo, r_points="3", c0_won="yes")
    expect(bo.locator(".app-bar")).to_contain_text("Cy deals")
    expect(ana.locator("#late")).to_contain_text("You had 7 for Points. Round 2 was saved with 3.")
    expect(ana.get_by_label("Points", exact=True)).to_have_value("")
    ana.get_by_role("button", name="Leave it so").tap()
    expect(ana.locator("#late")).to_be_empty()
    bo.locator(".menu > summary").first.click()
    bo.get_by_role("link", name="Who pays whom?").click()
    expect(bo.get_by_role("heading", level=1)).to_have_text("4 payments, and all is even")
    first = bo.locator(".sheet-payment").first
    expect(first).to_contain_text("Cy gives 7 to Ana.")
    first.tap()
    expect(first).to_have_attribute("aria-pressed", "true")
    axe(bo)
    shot(bo, "sheet-settle")


def test_yahtzee_with_four(phones: Phones) -> None:
    ana = phones(width=320, height=568)
    begin(ana, "yahtzee", "Ana", "Bo", "Cy", "Di")
    bo = come(phones(), ana, "Bo")
    roll(ana, "333")
    # Bo writes a box of his own meanwhile, without dice: nothing that Ana has tapped is gone
    bo.locator("#heads label", has_text="Bo").tap()
    bo.locator("#boxes-1 .box", has_text="Chance").tap()
    key(bo, "2", "3")
    bo.get_by_role("button", name="Write 23, Chance").tap()
    expect(ana.locator("#heads .sheet-total").nth(1)).to_have_text("23")
    roll(ana, "55")
    expect(ana.locator("#o-c0-full-house")).to_have_text("+25")
    ana.locator("#heads label", has_text="Cy").tap()  # another's sheet is to read
    expect(ana.locator("#boxes-2 input").first).to_be_disabled()
    ana.locator("#heads label", has_text="Ana").tap()
    ana.locator("#boxes-0 .box", has_text="Large straight").tap()
    expect(ana.get_by_role("button", name="Strike Large straight")).to_be_visible()
    is_quiet(ana)
    ana.locator("#boxes-0 .box", has_text="Full house").tap()
    expect(ana.locator("#boxes-words")).to_contain_text("0 + 25 = 25")
    fits_everywhere(ana)
    shot(ana, "sheet-boxes")
    axe(ana, dark=True)
    ana.get_by_role("button", name="Write 25, Full house").tap()
    expect(bo.locator("#heads .sheet-total").first).to_have_text("25")
    upper = {"ones": 3, "twos": 6, "threes": 9, "fours": 12, "fives": 15, "sixes": 18}  # 63: the bonus of 35
    lower = {"three_of_a_kind": 20, "four_of_a_kind": 0, "small_straight": 30, "large_straight": 0, "yahtzee": 0}
    for part in (upper, lower):
        enter(bo, **{f"c{side}_{box}": f"{value}" for side in range(4) for box, value in part.items()})
    enter(bo, c0_chance="20", c1_full_house="0", c2_full_house="0", c3_full_house="0", c2_chance="20", c3_chance="20")
    expect(ana.get_by_role("heading", name="Ana wins")).to_be_visible()
    assert totals(ana) == ["193", "171", "168", "168"]


def test_wingspan_with_five(phones: Phones) -> None:
    ana = phones(width=320, height=568)
    begin(ana, "wingspan", "Ana", "Bo", "Cy", "Di", "Eve")
    expect(ana.get_by_label("Ana, Birds", exact=True)).to_have_css("border-top-width", "3px")  # the keys write here
    key(ana, "1", "0", "+", "1", "5", "+", "8")
    expect(ana.locator("#makes")).to_have_text("10+15+8 = 33")
    key(ana, "next")
    expect(ana.get_by_label("Ana, Bonus cards", exact=True)).to_be_focused()  # down, not across
    expect(ana.get_by_label("Ana, Birds", exact=True)).to_have_value("10+15+8")
    for number in ("7", "9", "5", "4"):
        key(ana, number, "next")
    key(ana, "3")
    expect(ana.locator("#makes")).to_have_text("58 + 3 = 61")
    key(ana, "next")
    expect(ana.locator("#heads")).to_contain_text("61")
    expect(ana.locator(":is(.sheet-head, .sheet-own)[data-counted]")).to_have_count(9)  # her column stands out
    expect(ana.locator("#heads")).to_be_in_viewport(ratio=1)  # also with the last row open
    fits_everywhere(ana)
    ana.set_viewport_size({"width": 422, "height": 195})  # a phone on its side at 200 %: the keys would cover everything
    expect(ana.get_by_label("Ana, Birds", exact=True)).to_be_in_viewport()
    expect(ana.locator("[data-sheet-pad]")).not_to_be_in_viewport(ratio=0.5)
    ana.set_viewport_size({"width": 320, "height": 568})
    shot(ana, "sheet-end")
    axe(ana)
    ana.get_by_label("Ana, Nectar", exact=True).tap()
    key(ana, "0")  # one tap: no other number begins so, and none is added to it
    expect(ana.get_by_label("Ana, Unused food", exact=True)).to_be_focused()
    key(ana, "2")
    ana.get_by_label("Ana, Tucked cards", exact=True).evaluate("cell => scrollBy(0, cell.getBoundingClientRect().bottom - 60)")
    ana.get_by_label("Ana, Tucked cards", exact=True).focus()  # it lay behind the heads
    below = "cell => cell.getBoundingClientRect().top >= document.getElementById('heads').getBoundingClientRect().bottom"
    wait_until(ana, lambda: ana.get_by_label("Ana, Tucked cards", exact=True).evaluate(below))
    ana.get_by_role("button", name="Write it down").tap()
    expect(ana.locator("#heads .sheet-total").first).to_have_text("61")
    columns = {"birds": "40", "bonus_cards": "0", "round_goals": "0", "eggs": "20", "food": "0", "tucked": "1"}
    others = {f"c{side}_{column}": number for side in range(1, 5) for column, number in columns.items()}
    ana.evaluate("scrollTo(0, 200)")
    enter(ana, **others, c1_unused_food="1")  # another phone
    expect(ana.get_by_role("heading", name="Ana wins")).to_be_visible()  # all have 61
    wait_until(ana, lambda: ana.evaluate("scrollY") == 0)  # all see how it ended
    expect(ana.locator("#ending")).to_contain_text("A tie goes to whoever has most of Unused food.")
    assert totals(ana) == ["61"] * 5


def test_a_sheet_of_ones_own_goes_to_another_phone_by_its_code(phones: Phones) -> None:
    ana, bo = phones(), phones(width=320, height=568)
    ana.goto("/more/make")
    more = ana.get_by_role("button", name="5 more", exact=True)
    expect(more).to_be_hidden()  # what ends by hand has no such number
    ana.locator("[name=ends][value=at]").check(force=True)
    more.hover()
    ana.mouse.down()
    limit = ana.get_by_label("at", exact=True)
    expect(limit).to_have_value("150")  # a key that is held goes by 50
    ana.mouse.up()
    more.click()
    expect(limit).to_have_value("155")
    ana.get_by_label("Name", exact=True).fill("Sevens")
    ana.get_by_label("Lowest", exact=True).check(force=True)
    name = ana.get_by_label("Name of column 1")
    expect(name).to_be_hidden()
    expect(ana.locator("#made")).to_contain_text("The lowest total wins.")
    look(ana)
    ana.locator("#of-columns label", has_text="Points: a number.").tap()  # a column of the sheet opens it below
    name.fill("Tricks")
    expect(ana.locator("#columns")).to_contain_text("Tricks")  # its chip says so at once
    ana.get_by_role("button", name="One more column").tap()
    expect(name).to_be_hidden()
    ana.get_by_label("Name of column 2").fill("Points")
    ana.get_by_role("button", name="Column 2 one place earlier").tap()
    expect(name).to_have_value("Points")
    ana.locator("#at-2").check(force=True)
    look(ana)
    ana.get_by_role("button", name="Remove column 2").tap()
    expect(ana.locator("#columns .tile")).to_have_count(1)
    ana.locator("#made label", has_text="It ends at 155 points.").tap()
    expect(limit).to_be_focused()  # a number of the sheet leads to where it is typed
    ana.get_by_text("Minus, halves, steps of 5, who made it").click()
    ana.get_by_label("Halves count too: 2½").check()
    expect(ana.locator("#of-columns")).to_contain_text("Points: a number or a half.")
    ana.reload()  # nothing is lost
    expect(ana.locator("#made")).to_contain_text("It ends at 155 points.")
    expect(ana.get_by_label("Halves count too: 2½")).to_be_checked()
    fits_everywhere(ana)
    shot(ana, "sheet-make")
    ana.get_by_role("button", name="Keep the sheet").tap()
    axe(ana)
    post(bo, "/tables", "/tables/new", game="sheet", table="Sunday table", person_0="Bo", person_1="Cy")
    code = ana.locator("svg.qr")
    expect(code).to_be_visible()
    scanned = qr_reader.read(code.evaluate("code => code.outerHTML"))
    assert ana.get_by_label("The link", exact=True).input_value() == scanned  # whoever has no camera is sent the same
    link = urlsplit(scanned)
    bo.goto(f"{link.path}?{link.query}")
    expect(bo.get_by_role("heading", level=1)).to_have_text("Sevens")
    expect(bo.get_by_text("The lowest total wins.")).to_be_visible()  # told in words before it is kept
    fits(bo)
    shot(bo, "sheet-received")
    bo.get_by_role("button", name="Keep it").tap()
    expect(bo.get_by_text("Kept on this phone")).to_be_visible()
    bo.goto("/")
    bo.get_by_role("link", name="Own Made by one of you").tap()
    bo.get_by_role("link", name="Sevens").tap()
    axe(bo)
    look(bo)
    bo.get_by_role("button", name="Sunday table").tap()
    bo.get_by_role("button", name="Start Sevens").tap()
    bo.wait_for_url("**/m/1")
    bo.get_by_label("Bo, Points", exact=True).tap()
    key(bo, "5", "½", "+", "2", "next", "9")
    expect(bo.locator("#brings")).to_contain_text("+7½")
    look(bo)  # Save stands where Next stood
    bo.get_by_role("button", name="Save round 1").tap()
    expect(bo.locator("#scores")).to_contain_text("Bo has the fewest, 1½ ahead.")
    ana.goto(urlsplit(bo.url).path)  # whose sheet it is plays along
    expect(ana.locator("#scores")).to_contain_text("Bo has the fewest, 1½ ahead.")
    enter(bo, c0_column_1="140", c1_column_1="146")
    for page in (ana, bo):
        expect(page.get_by_role("heading", name="Bo wins")).to_be_visible()


def test_an_evening_has_other_games_between_those_of_the_five(phones: Phones) -> None:
    ana = phones(width=360, height=640)
    table = begin_match(ana, "beloz", "Ana", "Bo", "Cy", "Di", target="200")
    enter_round(ana, "beloz", *(beloz_round(points, flooded="south") for points in (98, 95)))  # 108 to 55, 105 to 58
    ana.goto(f"{table}/table")
    ana.get_by_role("link", name="Any other game").first.tap()
    ana.get_by_role("searchbox", name="Search a game by name").fill("dame de pique")
    expect(ana.locator("#found").get_by_role("link", name="Skat")).to_have_count(0)  # found while she types
    ana.get_by_role("link", name="Hearts").tap()
    ana.get_by_role("heading", name="Hearts").wait_for()
    ana.go_back()
    expect(ana.get_by_role("searchbox")).to_have_value("dame de pique")
    look(ana)  # a tap right after a page arrives does not count
    ana.get_by_role("link", name="Hearts").tap()
    ana.get_by_label("50 points", exact=True).check(force=True)
    ana.get_by_role("button", name="Start Hearts").tap()
    ana.wait_for_url("**/m/2")
    for _ in range(2):
        enter(ana, c0_points="26", c1_points="0", c2_points="0", c3_points="0")
    expect(ana.get_by_role("heading", name="Ana wins")).to_be_visible()
    assert totals(ana) == ["0", "52", "52", "52"]
    ana.goto(f"{table}/almanac/evening/1")
    for game in ("BeloZ", "Hearts"):
        expect(ana.get_by_role("main")).to_contain_text(game)
    ana.goto(f"{table}/matches")
    expect(ana.get_by_text("213 to 113").first).to_be_visible()
    fits(ana)
    ana.goto("/")
    ana.get_by_role("link", name="Hearts Sunday table").tap()  # one tap goes on with the same people
    expect(ana.get_by_role("button", name="Start Hearts")).to_be_visible()


def test_twelve_stand_in_two_rows_on_a_small_phone(phones: Phones) -> None:
    ana = phones(width=320, height=568)
    begin(ana, "plain", *SIX, "Gus", "Hal", "Ida", "Jo", "Kim", "Lou")
    fits_everywhere(ana)
    ana.set_viewport_size({"width": 320, "height": 568})
    rows = ana.locator("input.sheet-cell").evaluate_all(
        "each => [...new Set(each.map((one) => one.getBoundingClientRect().top))]"
    )
    assert len(rows) == 2
    axe(ana, dark=True)
    shot(ana, "sheet-twelve")
    key(ana, "4")
    ana.reload()  # before the number is done
    expect(ana.get_by_label("Ana, Points", exact=True)).to_have_value("4")

    # another phone saves while she types: her digits stay with their round, and are offered beside what was saved
    key(ana, "1", "5")
    enter(ana, **{f"c{side}_points": "10" for side in range(12)})
    late = ana.locator("#late")
    expect(late).to_contain_text("You had 15 for Bo. Round 1 was saved with 10.")
    expect(ana.get_by_label("Bo, Points", exact=True)).to_have_value("")
    axe(ana, dark=True)
    shot(ana, "sheet-late")
    late.get_by_role("link", name="Correct round 1").tap()
    expect(ana.get_by_label("Bo, Points", exact=True)).to_have_value("15")
    ana.get_by_label("Cy, Points", exact=True).fill("11")
    expect(ana.locator("#brings")).to_contain_text("+11")
    ana.reload()  # nothing that was typed is lost
    expect(ana.get_by_label("Cy, Points", exact=True)).to_have_value("11")
    ana.get_by_role("button", name="Save the correction").tap()
    expect(ana.locator("#heads")).to_contain_text("15")
    expect(late).to_be_empty()

    # somebody ends the match while her digits are on their way: she is told, also after a reload, and an undo puts them back
    ana.route("**/row", lambda route: route.abort() if "share=" in (route.request.post_data or "") else route.continue_())
    look(ana)
    key(ana, "3", "4")  # the new round has begun with its first cell
    match = urlsplit(ana.url).path
    stamp = re.findall(r'name="(expected_seq|idempotency_key)" value="([^"]*)"', ana.context.request.get(match).text())
    post(ana, f"{match}/row", match, **dict(stamp), finish="yes")
    expect(late).to_contain_text("You had 34 for Ana. The match ended without it.")
    ana.reload()
    expect(late).to_contain_text("You had 34 for Ana. The match ended without it.")
    shot(ana, "sheet-late-end")
    fits(ana)
    late.get_by_role("link").tap()
    ana.wait_for_url(re.compile(r"/undo\?of=3$"))  # the page before has such a button, too
    ana.get_by_role("button", name="Undo").tap()
    expect(ana.get_by_label("Ana, Points", exact=True)).to_have_value("34")
