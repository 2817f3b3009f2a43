"""What does a television do by itself? It follows the match with scripts and without, and comes back when the server does."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Phones
from tests.browser.looks import axe, shot
from tests.browser.people import begin_match, come_by_code
from tests.server import Server

SIZES = ((1280, 800), (1920, 1080), (3840, 2160), (1080, 1920))
PEOPLE = {
    "beloz": ("Ana", "Bo", "Cy", "Di"),
    "beluga-cup": ("Ana", "Bo"),
    "bisque": ("Ana", "Bo", "Cy"),
    "rivals": ("Ana", "Bo"),
    "what-the-fish": ("Ana", "Bo", "Cy", "Di", "Eve", "Flo"),
}
OUTSIDE = """() => [...document.querySelectorAll("#screen *:not(svg *)")].filter((one) => {
  const { left, right, top, bottom, width } = one.getBoundingClientRect();
  return width && (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight);
}).map((one) => one.className || one.tagName)"""
SMALLEST = """() => Math.min(...[...document.querySelectorAll("#screen *")].filter((one) => one.offsetParent !== null
  && [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()))
  .map((one) => parseFloat(getComputedStyle(one).fontSize)))"""


# notes what is said and sounded, in its order
LISTENS = """window.heard = [];
SpeechSynthesis.prototype.speak = ({ text, lang }) => heard.push({ text, lang });
AudioScheduledSourceNode.prototype.start = () => heard.push("a sound");
AudioScheduledSourceNode.prototype.stop = () => {};"""
PLACES = """() => [...document.querySelectorAll(".side, .name, .score, .way, .tags, .course, .foot, .words p, .scan")]
  .map((one) => [one.className, one.offsetTop, one.offsetHeight, one.matches(".tag, .to-go") || one.offsetLeft])"""


def is_read_from_afar(television: Page, width: int = 1280, height: int = 800) -> None:
    """Assert that all of it is on a screen of this size, in letters of its size."""
    television.set_viewport_size({"width": width, "height": height})
    assert television.evaluate(OUTSIDE) == [], f"{television.title()} at {width}x{height}"
    unit = min(width, height * 16 / 10) / 80 if width > height else width / 50
    assert television.evaluate(SMALLEST) >= 1.6 * unit, f"{television.title()} at {width}x{height}"


def watch(phones: Phones, table: Page, path: str, *, scripts: bool = True) -> Page:
    """Open the table's big screen on a television."""
    television = phones(width=1280, height=800, scripts=scripts)
    television.goto(table.context.request.get(f"{path}/screen").url)
    return television


def test_it_shows_each_entry_and_comes_back_with_the_server(server: Server, phones: Phones) -> None:
    ana = phones()
    path = begin_match(ana, "beloz", *PEOPLE["beloz"])
    television = watch(phones, ana, path)
    expect(television.locator(".where")).to_have_text("BeloZ, round 1, Ana deals")
    places = television.evaluate(PLACES)
    ana.get_by_role("button", name="Everyone passed").tap()
    expect(television.locator(".last")).to_contain_text("passed")
    expect(television.locator(".where")).to_have_text("BeloZ, round 1, Bo deals")
    assert television.evaluate(PLACES) == places  # nothing moves
    assert server.stop() == 0
    expect(television.locator("[data-lost]")).to_contain_text(re.compile(r"No connection since \d"))
    is_read_from_afar(television)
    server.start()
    expect(television.locator("[data-lost]")).to_be_hidden(timeout=30_000)
    expect(television.locator(".last")).to_contain_text("passed")
    axe(television)


def test_without_scripts_it_is_loaded_anew_and_says_since_when(phones: Phones) -> None:
    ana = phones()
    television = watch(phones, ana, begin_match(ana, "rivals", *PEOPLE["rivals"]), scripts=False)
    expect(television.locator(".as-of")).to_be_visible()
    refresh = television.content()
    assert '<meta http-equiv="refresh" content="10">' in refresh


@pytest.mark.parametrize("game", PEOPLE)
def test_all_of_it_is_on_the_screen_and_read_from_afar(phones: Phones, game: str) -> None:
    ana = phones()
    television = watch(phones, ana, begin_match(ana, game, *PEOPLE[game]))
    axe(television)
    for colours in ("contrast", "safe") if game == "bisque" else ():  # the palettes themselves: tests/web/test_colours.py
        television.evaluate("(colours) => document.documentElement.setAttribute('data-colours', colours)", colours)
        axe(television)
        shot(television, f"screen-{game}-{colours}")
    for width, height in SIZES:
        is_read_from_afar(television, width, height)


def test_voice_and_sound_are_off_until_somebody_wants_them_and_stay_on(phones: Phones) -> None:
    ana = phones()
    path = begin_match(ana, "beloz", *PEOPLE["beloz"])
    television = phones(width=1280, height=800)
    television.add_init_script(LISTENS)
    television.clock.install()
    television.goto(ana.context.request.get(f"{path}/screen").url)
    voice, sound = (television.get_by_role("button", name=name) for name in ("Say each entry", "A sound for each entry"))
    expect(voice).to_be_hidden()
    ana.get_by_role("button", name="Everyone passed").tap()
    expect(television.locator(".where")).to_contain_text("Bo deals")
    assert television.evaluate("heard") == []
    drift = int(television.locator("#screen").get_attribute("data-drift") or "")
    television.clock.run_for(60_000)
    expect(television.locator("#screen")).to_have_attribute("data-drift", str((drift + 1) % 9))

    television.mouse.move(200, 200)
    for wish in (voice, sound):
        expect(wish).to_have_attribute("aria-pressed", "false")
        wish.click()
        expect(wish).to_have_attribute("aria-pressed", "true")
    television.evaluate("heard.length = 0")
    ana.get_by_role("button", name="Everyone passed").tap()
    expect(television.locator(".where")).to_contain_text("Cy deals")
    tone, speech = television.evaluate("heard")
    assert tone == "a sound"
    assert speech["lang"] == "en"
    assert speech["text"].startswith("Everybody passed")
    television.reload()
    television.mouse.move(300, 300)
    expect(voice).to_have_attribute("aria-pressed", "true")


def test_a_lot_is_seen_on_all_phones_and_on_the_television_at_once(phones: Phones) -> None:
    ana, bo = phones(), phones()
    path = begin_match(ana, "rivals", *PEOPLE["rivals"])
    ana.locator("summary[aria-label^='More']").click()
    ana.get_by_role("button", name="Stop the match here").click()
    ana.goto(f"{path}/table")
    come_by_code(bo, ana, "Bo")
    bo.goto(f"{path}/table")
    television = watch(phones, ana, path)
    ana.get_by_role("button", name="Draw lots").tap()
    expect(ana.locator("#lot")).to_contain_text("The lot fell on")
    fell = ana.locator("#lot b").inner_text()
    expect(bo.locator("#lot b")).to_have_text(fell)
    expect(television.locator(".last")).to_have_text(fell)
    is_read_from_afar(television)
    axe(television)
    axe(bo)
    shot(bo, "lot-table")
