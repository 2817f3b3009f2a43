"""How fast is Companion in a phone? Loaded, ready and started, a page, an entry, and the memory that it takes.

    python -m tests.benchmarks.in_phone          # after make pocket
    python -m tests.benchmarks.in_phone --slow   # with a processor of a quarter of the speed

A Chromium without a window is the phone, with a folder for what it keeps, as phones have: compiled code is kept there too. For
``--slow`` its processes run for a quarter of the time: the browser's own brake holds back its pages, but not the worker that
runs Python.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from playwright.sync_api import BrowserContext, Page, sync_playwright

from tests.browser import chromium
from tests.browser.conftest import QUIET
from tests.browser.test_bisque_table import POT
from tests.pocket.in_phone import InPhone
from tests.server import Server

STARTS = 5
ASKED = 40
SLOWER = 4
TURN = 0.005  # seconds that they run at a time
PATIENCE = 300_000  # milliseconds
TIMED = """async ([scripts, url, all]) => {
  const { HTML, reach } = await import(`${scripts}connection.js`);
  const taken = [];
  for (const fields of all) {
    const begun = performance.now();
    const asked = fields ? { method: "POST", body: new URLSearchParams(fields), headers: HTML } : { headers: HTML };
    const { answer } = await reach(url, asked);
    if (!answer.ok) throw new Error(String(answer.status));
    taken.push(performance.now() - begun);
  }
  return taken;
}"""


def below(pid: int) -> Iterator[int]:
    """Yield the processes that descend from this one."""
    with suppress(OSError):  # it has ended
        for task in Path(f"/proc/{pid}/task").glob("*/children"):
            for child in map(int, task.read_text().split()):
                yield child
                yield from below(child)


def renderers() -> set[int]:
    """Return the processes that show pages in the Chromium that this one started."""
    found = set()
    for pid in below(os.getpid()):
        with suppress(OSError):
            if b"--type=renderer" in Path(f"/proc/{pid}/cmdline").read_bytes():
                found.add(pid)
    return found


def private(pids: set[int]) -> float:
    """Return the memory that these processes have for themselves, in megabytes."""
    rolled = [Path(f"/proc/{pid}/smaps_rollup").read_text() for pid in pids]
    return (
        sum(int(kilobytes) for text in rolled for kilobytes in re.findall(r"^Private_\w+:\s+(\d+)", text, re.MULTILINE)) / 1e3
    )


@contextmanager
def braked(slow: bool) -> Iterator[None]:
    """Let the pages' processes run for a quarter of the time."""
    over = threading.Event()

    def brake() -> None:
        begun = time.perf_counter()
        while not over.wait(TURN):
            held = renderers()
            ran = time.perf_counter() - begun
            for number in (signal.SIGSTOP, signal.SIGCONT):
                for pid in held:
                    with suppress(ProcessLookupError):  # a page that was closed meanwhile
                        os.kill(pid, number)
                time.sleep(ran * (SLOWER - 1) if number == signal.SIGSTOP else 0)
            begun = time.perf_counter()

    if not slow:
        yield
        return
    thread = threading.Thread(target=brake)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def start(context: BrowserContext) -> tuple[Page, float, float]:
    """Open the home page of the phone in a page of its own; returns it, and the seconds that took, of processor too."""
    page = context.new_page()
    begun, used = time.perf_counter(), processor()
    page.goto("/pocket/", wait_until="commit")
    page.get_by_role("link", name="Tables with other phones").wait_for(timeout=PATIENCE)
    return page, time.perf_counter() - begun, processor() - used


def processor() -> float:
    """Return the seconds of processor that all processes of the browser have used."""
    ticks = 0
    for pid in below(os.getpid()):
        with suppress(OSError):  # it has ended
            spent = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += int(spent[11]) + int(spent[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--slow", action="store_true", help="with a processor of a quarter of the speed")
    slow = parser.parse_args().slow
    path = chromium.find()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder) / "instance")
        server.start()
        profile = Path(folder) / "profile"
        phone = playwright.chromium.launch_persistent_context(
            profile, executable_path=path, args=list(QUIET), base_url=server.url
        )
        try:
            with braked(slow):
                measure(phone)
        finally:
            phone.close()
            server.stop()


def measure(context: BrowserContext) -> None:
    """Take it along, start it, and ask it."""
    page = context.new_page()
    page.goto("/")
    begun = time.perf_counter()
    page.get_by_role("button", name=re.compile("Take it along")).click()
    page.get_by_text("Companion is in this phone").first.wait_for(timeout=PATIENCE)
    loaded = time.perf_counter() - begun
    while page.workers:  # until Python's memory is kept for later starts
        page.wait_for_timeout(10)
    print(f"loaded           {loaded:6.1f} s")
    print(f"ready            {time.perf_counter() - begun:6.1f} s")
    page.close()
    started = []
    for number in range(STARTS):
        before = private(renderers())
        shown, taken, used = start(context)
        started.append(taken)
        memory = private(renderers()) - before
        print(f"start {number + 1}          {taken:6.1f} s, {used:.1f} of processor, {memory:.0f} MB")
        if number < STARTS - 1:
            shown.close()
    print(f"started          {statistics.median(started):6.1f} s")
    phone = InPhone(shown)
    match = phone.begin("bisque", ("Ana", "Bo", "Cy"), hands="6")
    forms = [
        {"csrf_token": phone.token, "expected_seq": str(seen), "idempotency_key": f"trick-{seen}", "by": "0", "card": card}
        for seen, card in enumerate(POT)
    ]
    entries = shown.evaluate(TIMED, [phone.scripts, f"{match.link}/hand", forms])
    pages = shown.evaluate(TIMED, [phone.scripts, match.link, [None] * ASKED])
    print(f"a match's page   {statistics.median(pages):6.1f} ms")
    print(f"an entry         {statistics.median(entries):6.1f} ms, with the page that comes of it")
    print(f"memory           {private(renderers()) - before:6.0f} MB")


if __name__ == "__main__":
    main()
