"""Is the game of docs/adding-a-game.md played in a browser, from the home page to a won match, look-up and rulebook?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests import new_game
from tests.browser.conftest import Phones
from tests.browser.looks import SETTLE, axe, fits
from tests.browser.people import look
from tests.server import Server


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the Python of a fresh environment, in which the package is installed."""
    its = new_game.environment(tmp_path_factory.mktemp("new") / "environment")
    new_game.install(its)
    return its


@pytest.fixture(scope="module")
def server(python: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Yield Companion as that environment runs it."""
    command = [str(python), "-m", "companion"]
    serving = Server(tmp_path_factory.mktemp("instance"), command=command, settings={"COMPANION_PROXIES": "1"})
    serving.start()
    yield serving
    assert serving.stop() == 0
    assert "Traceback" not in serving.complaints, serving.complaints


ENDS = """rows => rows.map((row) => [...row.children].map((each) => Math.round(each.getBoundingClientRect().right)))"""


def enter(page: Page, *gold: int, names: tuple[str, ...] = ("Ana", "Bo", "Cy")) -> None:
    page.get_by_role("link", name=re.compile("Enter round")).click()
    for name, number in zip(names, gold, strict=True):
        page.get_by_label(name, exact=True).fill(str(number))
    page.get_by_role("button", name=re.compile("^Save round")).click()


def test_a_match_is_played_to_its_end_and_waits_for_the_package(phones: Phones, server: Server, python: Path) -> None:
    page = phones(width=320, height=640)
    page.goto("/")
    page.get_by_role("link", name=re.compile("Magpie.*Start at a table", re.DOTALL)).click()
    for label, name in (("Your name", "Ana"), ("Name 2", "Bo"), ("Name 3", "Cy")):
        page.get_by_label(label, exact=True).fill(name)
    page.get_by_role("button", name="Sit down").click()
    page.get_by_text("House rules").click()
    page.get_by_label("Gold to win").fill("15")
    page.get_by_role("button", name="Start Magpie").click()

    enter(page, 7, 1, 1)
    expect(page.get_by_text("There are 10 gold cards, and these are 9.").first).to_be_visible()
    look(page)  # the answer to Save comes behind it
    axe(page)
    page.get_by_label("Bo", exact=True).fill("2")
    page.get_by_role("button", name=re.compile("^Save round")).click()
    expect(page.locator("#scores")).to_contain_text("7")
    fits(page)
    axe(page)
    enter(page, 3, 3, 4)
    expect(page.locator("#scores")).to_contain_text("10")
    page.get_by_text("Round 2", exact=True).click()
    page.get_by_role("link", name="Correct").first.click()
    page.get_by_label("Ana", exact=True).fill("8")
    page.get_by_label("Bo", exact=True).fill("0")
    page.get_by_label("Cy", exact=True).fill("2")
    expect(page.get_by_text("What changes")).to_be_visible()
    page.get_by_role("button", name="Save the correction").click()
    expect(page.get_by_role("heading", name="Ana wins")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("Rematch"))).to_be_visible()
    fits(page)
    axe(page)

    match = page.url
    needs = "It needs the package “companion-magpie”, which is not installed here. Nothing is lost."
    for change, told in ((new_game.remove, needs), (new_game.install, "Ana wins")):
        page.goto("about:blank")
        server.stop()
        change(python)
        server.start()
        page.goto(match)
        expect(page.locator("main")).to_contain_text(told)


@pytest.mark.parametrize(
    "names", [("Ana", "Bo", "Cy", "Di", "Eve", "Fay"), ("Maximiliane", "Bartholomäus", "Cy", "D", "Eve", "Fay")]
)
def test_six_players_have_room_on_a_small_phone(phones: Phones, names: tuple[str, ...]) -> None:
    page = phones(width=320, height=640)
    page.goto("/tables/new?game=magpie")
    for seat, name in enumerate(names):
        page.get_by_label(f"Name {seat + 1}" if seat else "Your name", exact=True).fill(name)
    page.get_by_role("button", name="Sit down").click()
    page.get_by_role("button", name="Start Magpie").click()
    for gold in ((10, 0, 0, 0, 0, 0), (0, 10, 0, 0, 0, 0)):
        enter(page, *gold, names=names)
        expect(page.locator("#scores")).to_contain_text("10")
    for row in page.locator("#rows summary").all():
        row.click()
    expect(page.locator("#rows details[open]")).to_have_count(2)
    for width in (320, 360, 390):
        page.set_viewport_size({"width": width, "height": 844})
        page.evaluate(SETTLE)
        fits(page)
        ends = page.locator("#rows summary .row-scores").evaluate_all(ENDS)
        assert ends == page.locator(".rows-head .row-scores").evaluate_all(ENDS) * 2  # each number below its name
    axe(page)
    page.get_by_role("link", name="Correct").first.click()
    for name, gold in zip(names, (0, 5, 0, 0, 0, 5), strict=True):
        page.get_by_label(name, exact=True).fill(str(gold))
    changes = page.locator("#changed")
    expect(changes.get_by_role("columnheader")).to_have_count(7)  # after which round, and six players
    expect(changes.get_by_role("row")).to_have_count(2)
    for width in (320, 390):
        page.set_viewport_size({"width": width, "height": 844})
        page.evaluate(SETTLE)
        fits(page)


def test_it_answers_and_its_rule_can_be_read(phones: Phones) -> None:
    page = phones(width=320, height=640)
    page.goto("/")
    page.get_by_role("link", name="May I? Magpie").click()
    page.locator("[name=led][value=silver]").check(force=True)
    for card in ("Silver 9", "Gold 3"):
        page.get_by_role("button", name=card, exact=True).click()
    verdict = page.locator("#verdict")
    expect(verdict).to_contain_text("Play silver 9")
    expect(verdict).to_contain_text("You have silver, so you must follow.")
    fits(page)
    axe(page)
    verdict.get_by_role("link", name="Rule: Following").click()
    sheet = page.locator("dialog#sheet")  # over the cards, which stay picked
    expect(sheet.get_by_role("heading", name="Following")).to_be_focused()
    expect(sheet).to_contain_text("The highest card of the colour that was led takes the trick")
    fits(page)
    axe(page)
    page.goto("/rules/magpie#following")
    expect(page.locator("#following")).to_be_in_viewport()
    axe(page)
