"""How fast is Companion in a phone? Loaded, ready, kept and started, a page, an entry, and the memory that it takes.

    python -m tests.benchmarks.in_phone          # after make pocket
    python -m tests.benchmarks.in_phone --slow   # with a processor of a quarter of the speed

A Chromium without a window is the phone, with a folder for what it keeps, as phones have: compiled code is kept there too. It
takes Companion along from a page that has its service worker, and at once asks for a page of the phone: with the answer it is
ready. What later starts take is kept after that. For ``--slow`` its processes run for a quarter of the time: the browser's own
brake holds back its pages, but not the worker that runs Python. Memory is what the pages' processes have for themselves, and
what an empty page with an empty worker takes of that is told beside it. Pages and entries are told in time, and in time of the
worker's processor, which nothing else lengthens.
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
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.benchmarks.unwatched import Chromium, Tab
from tests.browser import chromium
from tests.browser.conftest import QUIET
from tests.browser.test_bisque_table import POT
from tests.pocket.in_phone import SOURCE, InPhone
from tests.server import Server

STARTS = 5
ASKED = 40
SLOWER = 4
IDLE = 30.0  # seconds
TURN = 0.005  # seconds that they run at a time
TO_TAKE = "document.querySelector('#take-along:not([hidden]) [data-take=offer]:not([hidden])')"
TAKEN = "document.querySelector('[data-take=there]:not([hidden])')"
HOME = "[...document.links].some((each) => each.textContent.includes('Shared tables'))"
KEPT = """async () => {
  const names = await Array.fromAsync((await navigator.storage.getDirectory()).keys());
  return names.includes("companion-memory") && navigator.locks.request("companion-memory", () => true);
}"""
TAKE_ALONG = "() => document.querySelector('[data-take-along]').click()"
BARE = "data:text/html,<script>new Worker(URL.createObjectURL(new Blob()))</script>"  # a page with a worker that does nothing
TIMED = """async ([scripts, url, fields]) => {
  const { HTML, reach } = await import(`${scripts}connection.js`);
  const begun = performance.now();
  const asked = fields ? { method: "POST", body: new URLSearchParams(fields), headers: HTML } : { headers: HTML };
  const { answer } = await reach(url, asked);
  if (!answer.ok) throw new Error(String(answer.status));
  return performance.now() - begun;
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
    """Return the megabytes that these processes have for themselves, but what they could read again from a file."""
    rolled = "".join(Path(f"/proc/{pid}/smaps_rollup").read_text() for pid in pids)
    return sum(map(int, re.findall(r"^Private_(?:Dirty|Hugetlb):\s+(\d+)", rolled, re.MULTILINE))) / 1e3


def tell_memory(what: str, before: float) -> None:
    """Tell what they take at once, and once the browser, being idle, has put away what nobody needs any more."""
    now = private(renderers()) - before
    time.sleep(IDLE)
    print(f"{what}{now:6.0f} MB, {private(renderers()) - before:.0f} when idle")


@contextmanager
def braked(slow: bool, of_which: Callable[[], set[int]] = renderers) -> Iterator[None]:
    """Let the pages' processes, or these of them, run for a quarter of the time."""
    over = threading.Event()

    def brake() -> None:
        begun = time.perf_counter()
        while not over.wait(TURN):
            held = of_which()
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


def processor() -> float:
    """Return the seconds of processor that all processes of the browser have used."""
    ticks = 0
    for pid in below(os.getpid()):
        with suppress(OSError):  # it has ended
            spent = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += int(spent[11]) + int(spent[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def workers() -> float:
    """Return the milliseconds of processor that the pages' workers have used."""
    spent = 0
    for pid in renderers():
        for task in Path(f"/proc/{pid}/task").iterdir():
            with suppress(OSError):  # it has ended
                if (task / "comm").read_text().startswith("DedicatedWorker"):
                    spent += int((task / "schedstat").read_text().split()[0])
    return spent / 1e6


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--slow", action="store_true", help="with a processor of a quarter of the speed")
    slow = parser.parse_args().slow
    path = chromium.find()
    assert path
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder) / "instance")
        server.start()
        profile = Path(folder) / "profile"
        try:
            with Chromium(path, profile, *QUIET) as phone, braked(slow):
                take_along(phone, server.url)
            started = []
            for number in range(1, STARTS + 1):
                with Chromium(path, profile, *QUIET) as phone, braked(slow):
                    before = empty(phone)
                    page, taken = start(phone, server.url)
                    started.append(taken)
                    if number == STARTS:
                        print(f"started          {statistics.median(started):6.1f} s")
                        tell_memory("memory, started  ", before)
                        play(page)
                        tell_memory("memory, played   ", before)
        finally:
            server.stop()


def take_along(phone: Chromium, url: str) -> None:
    """Download it, ask it for its home page, and wait until Python's memory is kept for later starts."""
    page = phone.open(url)
    page.until(TO_TAKE)
    page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")  # nobody taps in the first second
    scripts = page.evaluate(SOURCE).removesuffix("companion.js")
    begun = time.perf_counter()
    page.evaluate(TAKE_ALONG)
    page.until(TAKEN)
    print(f"loaded           {time.perf_counter() - begun:6.1f} s")
    page.evaluate(TIMED, [scripts, "/pocket/", None])
    print(f"ready            {time.perf_counter() - begun:6.1f} s")
    while not page.evaluate(KEPT):
        time.sleep(0.01)
    print(f"kept             {time.perf_counter() - begun:6.1f} s")


def empty(phone: Chromium) -> float:
    """Open an empty page, tell what it takes, and return the megabytes that the pages' processes have then."""
    nothing = private(renderers())
    bare = phone.open(BARE)
    bare.until("document.readyState === 'complete'")
    print(f"an empty page    {private(renderers()) - nothing:6.0f} MB, with an empty worker")
    return private(renderers())


def start(phone: Chromium, url: str) -> tuple[Tab, float]:
    """Open the home page of the phone in a browser that was begun anew; return it, and the seconds that took."""
    begun, used = time.perf_counter(), processor()
    page = phone.open(url.rstrip("/") + "/pocket/")
    page.until(HOME)
    taken = time.perf_counter() - begun
    print(f"start            {taken:6.1f} s, {processor() - used:.1f} of processor")
    return page, taken


def play(page: Tab) -> None:
    """Play a hand, and look at it."""
    phone = InPhone(page)
    match = phone.begin("bisque", ("Ana", "Bo", "Cy"), hands="6")
    forms = [
        {"csrf_token": phone.token, "expected_seq": str(seen), "idempotency_key": f"trick-{seen}", "by": "0", "card": card}
        for seen, card in enumerate(POT)
    ]
    tell("a match's page   ", page, [[phone.scripts, match.link, None]] * ASKED)
    tell("an entry         ", page, [[phone.scripts, f"{match.link}/hand", form] for form in forms])


def tell(what: str, page: Tab, all_asked: Sequence[object]) -> None:
    """Ask the phone, one after the other, and tell how long that takes."""
    taken, used = [], []
    for asked in all_asked:
        before = workers()
        taken.append(page.evaluate(TIMED, asked))
        used.append(workers() - before)
    print(f"{what}{statistics.median(taken):6.1f} ms, {statistics.median(used):.1f} of the worker's processor")


if __name__ == "__main__":
    main()
