"""How long until six guests show an entry, where one phone is the table?

    python -m tests.benchmarks.one_phone          # after make pocket
    python -m tests.benchmarks.one_phone --slow   # with a table's phone of a quarter of the speed

Seven Chromium pages without a window are the phones. Each has a storage of its own, and guests a data channel to the host; no
server runs. A guest taps "Everyone passed", one after the other. The time goes from the tap until a phone has laid out and
painted the page with the table's new number. All phones share the cores of this machine, which is more than phones have to
bear: on two cores each of seven has two sevenths of one. For ``--slow`` the process of the table's phone runs for a quarter of
the time, its worker too; those of guests go on, as each would have a processor of its own.
"""

from __future__ import annotations

import argparse
import re
import statistics
import tempfile
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Page, sync_playwright

from tests.benchmarks.in_phone import braked, processor, renderers
from tests.browser import chromium
from tests.browser.conftest import QUIET, phones_that_lose
from tests.pocket.test_in_phone import begin_beloz, take_along
from tests.pocket.test_one_phone_is_the_table import let_in, read, share, to_match, to_table
from tests.server import Server

GUESTS = 6
ENTRIES = 24
WARM_UP = 4
UNHURRIED = "--js-flags"  # for tests, whose pages live for a moment; a phone's scripts become quicker in an evening
AIMS = {False: 300, True: 1500}  # milliseconds, without and with the brake

# goes to the match as a tap on a link does: the guest may not have said who it is
OPEN = """(match) => {
  const link = Object.assign(document.createElement("a"), { href: match, textContent: "go" });
  document.getElementById("main").append(link);
  link.click();
}"""
# tells when the page has shown each number of the table: once its frame is done
WATCH = """() => {
  const moments = {};
  const moment = (seq) => (moments[seq] ??= Promise.withResolvers());
  globalThis.shown = (seq) => {
    setTimeout(() => moment(seq).reject(new Error(`${seq} is not shown.`)), 30_000);
    return moment(seq).promise;
  };
  const look = () => {
    const seq = document.querySelector("[data-stream]")?.dataset.seq;
    if (seq && !moments[seq]?.isDue) {
      moment(seq).isDue = true;
      requestAnimationFrame(() => setTimeout(() => moment(seq).resolve(Date.now())));
    }
  };
  look();
  new MutationObserver(look).observe(document, { attributeFilter: ["data-seq"], childList: true, subtree: true });
}"""
TAP = """() => {
  const now = Date.now();
  [...document.querySelectorAll("button")].find((each) => each.textContent.trim() === "Everyone passed").click();
  return now;
}"""


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--slow", action="store_true", help="with a table's phone of a quarter of the speed")
    slow = parser.parse_args().slow
    path = chromium.find()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        flags = [flag for flag in QUIET if not flag.startswith(UNHURRIED)]
        browser = playwright.chromium.launch(executable_path=path, args=flags)
        server = Server(Path(folder) / "instance")
        server.start()
        try:
            with contextmanager(phones_that_lose)(browser, server) as people:
                host = people(keeps_pages=True)
                take_along(host)
                of_host = renderers()
                pages = seated(host, [people() for _ in range(GUESTS)])
                server.stop()
                with braked(slow, lambda: of_host):
                    measure(pages, AIMS[slow])
        finally:
            server.stop()


def seated(host: Page, guests: list[Page]) -> list[Page]:
    """Return the host and its guests, each with the match in sight."""
    begin_beloz(host)
    host_match = urlsplit(host.url).path
    to_table(host)
    for guest in guests:
        guest.goto(let_in(host))
        read(host, share(guest, "[data-come=answer]"))
        guest.wait_for_url(re.compile(r"/pocket/t/"))
        guest.wait_for_selector("[data-stream]", state="attached")
        guest.evaluate(OPEN, host_match)
    host.locator("header.app-bar a").first.click()
    to_match(host)
    for page in guests:
        page.get_by_role("button", name="Everyone passed").wait_for()
    return [host, *guests]


def measure(pages: list[Page], aim: int) -> None:
    """Let guests enter, and print how long the others take."""
    for page in pages:
        page.evaluate(WATCH)
    last, own, spent = [], [], []
    for number in range(WARM_UP + ENTRIES):
        actor = pages[1 + number % GUESTS]
        seq = str(int(actor.evaluate("document.querySelector('[data-stream]').dataset.seq")) + 1)
        used = processor()
        tapped = actor.evaluate(TAP)
        shown = {page: page.evaluate("(seq) => shown(seq)", seq) - tapped for page in pages}
        spent.append((processor() - used) * 1000)
        pages[0].wait_for_timeout(700)  # what the table does after an entry is over
        if number >= WARM_UP:
            own.append(shown[actor])
            last.append(max(shown.values()))
    print(f"processor, all   {statistics.median(spent):6.0f} ms")
    print(f"the one who taps {statistics.median(own):6.0f} ms")
    print(f"all seven phones {statistics.median(last):6.0f} ms at the median, {max(last):.0f} at most (aim {aim})")


if __name__ == "__main__":
    main()
