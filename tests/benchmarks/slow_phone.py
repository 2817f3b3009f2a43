"""How soon does a slow phone draw a match, and answer a tap on its cards? With a processor of a quarter of the speed.

    python -m tests.benchmarks slow_phone

Each game's match is laid out anew as a whole, as at every page that opens. The cards are the cup's, 45 with the courts, and
Bisque's 36. Figures are the page's own time, medians.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from companion.engine import GAMES
from tests.browser import chromium, test_beluga_cup_table, test_bisque_table
from tests.browser.conftest import QUIET, new_phone
from tests.browser.people import begin_match
from tests.server import Server

SLOWER = 4
TURNS = 9
AIM = 50  # milliseconds from a tap to its answer: nobody sees a shorter pause
PEOPLE = ("Ana", "Bo", "Cy", "Di")

LAY_OUT = """(turns) => Array.from({ length: turns }, () => {
  const page = document.documentElement;
  page.style.display = "none";
  page.getBoundingClientRect();
  page.style.display = "";
  const began = performance.now();
  document.body.getBoundingClientRect();
  return performance.now() - began;
})"""
CARDS_OF_THE_CUP = """async () => {
  const deck = document.querySelector(".deck");
  for (let each = deck.children.length; each < 45; each += 1) deck.append(deck.children[each % 36].cloneNode(true));
  window.fetch = () => new Promise(() => {}); // a slow network, which answers nothing meanwhile
  const taken = [];
  for (const card of ["ace-suns", "4-waves-leaves", "crown-leaves", "5-suns-waves", "8-waves-leaves", "ace-leaves"]) {
    const began = performance.now();
    deck.querySelector(`[value="${card}"]`).click();
    await new Promise((shown) => requestAnimationFrame(() => setTimeout(shown)));
    taken.push(performance.now() - began);
  }
  return taken;
}"""
CARDS_OF_BISQUE = """() => [0, 1, 2, 0, 1].map((cook) => {
  const began = performance.now();
  document.querySelectorAll("#trick .chef input")[cook].click();
  document.querySelector("#trick .deck").getBoundingClientRect();
  const taken = performance.now() - began;
  document.querySelector("#trick .picker-close input").click();
  return taken;
})"""


def tell(what: str, taken: list[float], aim: float | None = None) -> None:
    """Print a figure, and whether it keeps the aim if it has one."""
    figure = statistics.median(taken)
    sys.stdout.write(f"{what:48} {figure:6.1f} ms{'  over the aim' if aim and figure > aim else ''}\n")


def slowed(browser: Browser, server: Server) -> Page:
    """Return a phone with a slow processor."""
    page = new_phone(browser, server, "light").new_page()
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    return page


def main() -> None:
    """Measure each game's match and two decks, and print them."""
    path = chromium.find()
    if path is None:
        raise SystemExit(chromium.WHAT_TO_INSTALL)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        server.start()
        browser = playwright.chromium.launch(executable_path=path, args=list(QUIET))
        page = slowed(browser, server)
        for game in GAMES.values():
            begin_match(page, game.slug, *PEOPLE[: game.seats[0]])
            tell(f"{game.title}: the match laid out", page.evaluate(LAY_OUT, TURNS))
        begin_match(page, "beluga-cup", "Ana", "Bo", deck="courts")
        test_beluga_cup_table.by_hand(page, *test_beluga_cup_table.PICTURE)
        test_beluga_cup_table.CupTaps(page).side("Bo", 4)
        page.wait_for_url("**/play?*")
        tell("Beluga Cup: one of 45 cards answers", page.evaluate(CARDS_OF_THE_CUP), AIM)
        test_bisque_table.sit_down(page)
        page.locator("#goal-skip").click()
        tell("Bisque: 36 cards open", page.evaluate(CARDS_OF_BISQUE), AIM)
        browser.close()
        assert server.stop() == 0
