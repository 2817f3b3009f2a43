"""Does an evening of six matches in all five games end in one story? Four phones, one of them without scripts, and a screen."""

from __future__ import annotations

import itertools
import re
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Phones
from tests.browser.looks import axe, fits_everywhere, shot
from tests.browser.people import Entering, begin_match, beloz_round, total
from tests.browser.test_evening import count, take
from tests.browser.test_screen import is_read_from_afar
from tests.whole_matches import ENTER, recorded

FOUR = ("Ana", "Bo", "Cy", "Di")
# two rounds of BeloZ to 200: 108 to 55, then 105 to 58
BELOZ = [beloz_round(points, flooded="south") for points in (98, 95)]
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


def play(phone: Page, match: str, game: str) -> None:
    """Enter a match to its end."""
    entering = Entering(phone, match)
    if game == "beluga_cup":
        meals = itertools.cycle((("4", "0"), ("3", "1"), ("2", "0")))
        while not entering.stands().finished:
            entering.send("/fish", by="app")
            if not entering.stands().finished:
                zone, player = next(meals)
                entering.send("/eat", zone=zone, player=player)
        return
    events = BELOZ if game == "beloz" else recorded(game)["events"]
    for event in events:
        ENTER[game](entering, event)


def begin(phone: Page, table: str, game: str, people: int, **rules: str) -> None:
    """Start the next match with the first people of the table."""
    asked = phone.context.request
    token = re.findall(r'name="csrf_token" value="([^"]*)"', asked.get(f"{table}/table").text())[0]
    page = asked.post(f"{table}/game", form={"csrf_token": token, "choose": game}).text()
    seated = list(dict.fromkeys(re.findall(r'name="player" value="(\d+)"', page)))[:people]
    fields = [("csrf_token", token), ("game", game), *rules.items()]
    body = urlencode([*fields, *(("player", each) for each in seated)])
    answer = asked.post(f"{table}/matches", data=body, headers={"Content-Type": "application/x-www-form-urlencoded"})
    assert "/m/" in answer.url, answer.text()


def tap_round(phone: Page, plain: str, points: str) -> None:
    """Tap a round that Ana took, and type its points, on a phone without scripts."""
    phone.locator("#now").get_by_role("button", name="Ana", exact=True).click()
    phone.locator(f'[name=flooded][value="{plain}"] .plain-sign').click()
    phone.get_by_role("link", name="Count round 1").click()
    phone.locator("#points").fill(points)
    phone.locator("label.tile", has=phone.locator('input[name=last][value="0"]')).click()
    phone.get_by_role("button", name="Check").last.click()
    phone.get_by_role("button", name="Save round 1").click()


@pytest.fixture
def evening(phones: Phones) -> tuple[str, Page, Page, Page]:
    """Play it; return the table's path, Ana's phone, Di's, which has no scripts, and the screen, which follows all of it.

    Five matches are entered by the forms that pages would send, with phones in pockets: to draw every page of a hundred entries
    on each of them takes a minute of the processor's time. The last one is tapped, on the phone without scripts and on one
    with. test_evening.py has phones that follow.
    """
    ana, bo, cy, di = phones(), phones("dark", width=360, height=640), phones(), phones(scripts=False)
    table = begin_match(ana, "beloz", *FOUR, target="200")
    ana.goto("/nothing-here")
    screen = phones(width=1280, height=800)
    screen.goto(ana.context.request.get(f"{table}/screen").url)
    plans = [
        ("beloz", FOUR, {"target": "200"}, "BeloZ"),
        ("rivals", FOUR[:2], {}, "Rivals"),
        ("what_the_fish", FOUR[:3], {}, "What the Fish!"),
        ("beluga_cup", FOUR[:2], {"cards": "untracked"}, "Beluga Cup"),
        ("bisque", FOUR[:3], {"hands": "3"}, "Bisque"),
        ("beloz", FOUR, {"target": "200"}, "BeloZ"),
    ]
    for number, (game, people, rules, title) in enumerate(plans, start=1):
        if number > 1:
            begin(bo, table, game.replace("_", "-"), len(people), **rules)
        expect(screen.locator("#screen h1")).to_have_text(title)  # it goes along by itself
        if number < len(plans):
            play((ana, bo, cy, di)[number % 4], f"{table}/m/{number}", game)
            expect(screen.locator(".picture")).to_have_class("picture over")
    for phone in (ana, bo, cy, di):
        phone.goto(f"{table}/m/{len(plans)}")
    tap_round(di, "south", "98")
    expect(total(cy, 0)).to_have_text("108")
    expect(screen.locator(".score").first).to_have_text("108")
    take(cy, "Ana", "south")
    count(cy, "95", 0)
    for phone in (ana, bo):
        expect(phone.locator("#ending")).not_to_be_empty()  # it was entered on another phone
    di.goto(f"{table}/m/6")
    expect(di.locator("#ending")).to_contain_text("213 to 113")
    return table, ana, di, screen


def test_six_matches_make_an_evening_an_almanac_and_a_card(phones: Phones, evening: tuple[str, Page, Page, Page]) -> None:
    table, ana, di, screen = evening
    expect(screen.locator("#screen")).to_contain_text("BeloZ")
    is_read_from_afar(screen)  # the end of a match
    ana.goto(f"{table}/almanac")
    expect(ana.locator(".headline")).to_contain_text("6 matches on one evening.")
    for path in ("almanac", "almanac?game=beloz", "almanac/person?who=Ana", "almanac/match/1", "almanac/evening/1"):
        ana.goto(f"{table}/{path}")
        fits_everywhere(ana)
        axe(ana)
        ana.set_viewport_size({"width": 390, "height": 844})
        shot(ana, path.replace("?who=Ana", "").translate({ord(sign): "-" for sign in "/?="}))

    # the picture has each game's box; the text says the same, and whoever has no scripts reads it
    picture = ana.locator(".card-picture")
    expect(picture).to_be_visible()
    assert picture.evaluate("each => [each.naturalWidth, each.naturalHeight]") == [1080, 1350]
    for colour, least in (("#a5470f", 0.06), ("#a31c3b", 0.03), ("#ffd61f", 0.03), ("#0a6186", 0.03), ("#12594d", 0.03)):
        assert ana.evaluate(SHARE, [picture.get_attribute("src"), colour]) > least, colour
    text = ana.locator("[data-card-text]").input_value()
    assert text.count("213 : 113") == 2  # BeloZ, first and last
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
    expect(plain.locator("[data-card-copy]")).to_be_hidden()
    plain.locator("[data-card-text]").focus()
    selected = "() => { const each = document.activeElement; return each.value.slice(each.selectionStart, each.selectionEnd); }"
    assert plain.evaluate(selected) == text
