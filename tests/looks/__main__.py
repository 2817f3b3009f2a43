"""Take a picture of every state of every page, or say which differ between two folders of them.

``python -m tests.looks FOLDER [--only PART …] [--looks LOOK …]`` takes them; ``--only`` takes the states whose name begins so.
``python -m tests.looks compare BEFORE AFTER`` lists what differs, worst first, and writes pairs into AFTER/differences.
"""

from __future__ import annotations

import argparse
import base64
import re
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Error, Page, sync_playwright

from tests.browser import chromium
from tests.browser.conftest import QUIET
from tests.browser.looks import SETTLE, font_size
from tests.looks.states import State, matches, states
from tests.server import Server

# name: width, height, theme, size of the text, forced colours
LOOKS = {
    "320x568": (320, 568, "light", 16, False),
    "360x640": (360, 640, "light", 16, False),
    "390x844": (390, 844, "light", 16, False),
    "844x390": (844, 390, "light", 16, False),
    "1280x800": (1280, 800, "light", 16, False),
    "360x640-dark": (360, 640, "dark", 16, False),
    "390x844-dark": (390, 844, "dark", 16, False),
    "844x390-dark": (844, 390, "dark", 16, False),
    "1280x800-dark": (1280, 800, "dark", 16, False),
    "320x568-large": (320, 568, "light", 32, False),
    "390x844-large": (390, 844, "light", 32, False),
    "390x844-forced": (390, 844, "light", 16, True),
}
# what is another each time: the server's port, the clock, and a drawing that follows it
STILL = """() => {
  for (const one of document.querySelectorAll("time, .live-dot, svg.qr")) one.style.visibility = "hidden";
  for (const one of document.querySelectorAll("input")) if (one.value.includes("127.0.0.1")) one.value = "";
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) walker.currentNode.data = walker.currentNode.data.replace(/127\\.0\\.0\\.1:\\d+/g, "127.0.0.1:1");
}"""
COMPARE = """async (pair) => {
  const [before, after] = await Promise.all(pair.map(async (data) => {
    const picture = new Image();
    picture.src = `data:image/png;base64,${data}`;
    await picture.decode();
    return picture;
  }));
  const width = Math.max(before.width, after.width), height = Math.max(before.height, after.height);
  const canvas = new OffscreenCanvas(width, height), there = canvas.getContext("2d", { willReadFrequently: true });
  const points = [before, after].map((picture) => {
    there.clearRect(0, 0, width, height);
    there.drawImage(picture, 0, 0);
    return there.getImageData(0, 0, width, height).data;
  });
  let differ = 0, first = -1;
  for (let at = 0; at < points[0].length; at += 4)
    if ([0, 1, 2, 3].some((part) => Math.abs(points[0][at + part] - points[1][at + part]) > 24)) {
      differ += 1;
      if (first < 0) first = Math.floor(at / 4 / width);
    }
  const both = document.createElement("canvas");
  both.width = 2 * width + 8;
  both.height = height;
  const drawn = both.getContext("2d");
  drawn.drawImage(before, 0, 0);
  drawn.drawImage(after, width + 8, 0);
  return [differ, first, after.height - before.height, differ ? both.toDataURL().split(",")[1] : ""];
}"""


def look(page: Page, state: State, folder: Path, looks: list[str]) -> None:
    """Bring the page to the state and take its pictures."""
    page.set_viewport_size({"width": 390, "height": 844})
    page.emulate_media(color_scheme="light", forced_colors="none")
    page.goto(state.path)
    page.wait_for_timeout(250)
    state.act(page)
    page.wait_for_timeout(150)
    page.mouse.move(0, 0)
    page.evaluate(STILL)
    text = 16
    for name in looks:
        width, height, theme, size, forced = LOOKS[name]
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=theme, forced_colors="active" if forced else "none")
        if (text, size) != (16, 16):
            font_size(page, size)
            text = size
        page.evaluate("scrollTo(0, 0)")
        page.evaluate(SETTLE)
        picture = folder / f"{re.sub(r'[^a-z0-9]+', '-', state.name).strip('-')}@{name}.png"
        # Chromium forgets the size of text for a picture of a whole page: a large one is of the first screen alone
        page.screenshot(path=picture, full_page=size == 16, animations="disabled", caret="hide")


def take(browser: Browser, folder: Path, only: list[str], looks: list[str]) -> None:
    """Take the pictures of all states, or of those whose name begins with one of ``only``."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as instance:
        matches(Path(instance))
        server = Server(Path(instance), settings={"COMPANION_PROXIES": "1"})
        server.start()
        context = browser.new_context(
            base_url=server.url, has_touch=True, reduced_motion="reduce", service_workers="block", locale="en"
        )
        for number, state in enumerate(states(), 1):
            context.set_extra_http_headers({"X-Forwarded-For": f"10.0.0.{number}"})  # each counts apart for the limits
            if not only or state.name.startswith(tuple(only)):
                page = context.new_page()
                try:
                    look(page, state, folder, looks)
                except (Error, AssertionError) as error:
                    print(f"{state.name}: {str(error).splitlines()[0]}", flush=True)
                page.close()
        server.stop()


def compare(browser: Browser, before: Path, after: Path) -> None:
    """List the pictures that differ, most first: points, the first line that differs, and how much longer the page is."""
    pairs = after / "differences"
    pairs.mkdir(exist_ok=True)
    for each in pairs.glob("*.png"):
        each.unlink()
    page = browser.new_page()
    rows = []
    names = sorted({each.name for each in before.glob("*.png")} & {each.name for each in after.glob("*.png")})
    for name in names:
        both = [(folder / name).read_bytes() for folder in (before, after)]
        if both[0] != both[1]:
            differ, first, longer, picture = page.evaluate(COMPARE, [base64.b64encode(each).decode() for each in both])
            if differ:
                (pairs / name).write_bytes(base64.b64decode(picture))
                rows.append((differ, first, longer, name))
    for differ, first, longer, name in sorted(rows, reverse=True):
        print(f"{differ:9,}  from {first:5}  {longer:+5}  {name}")
    print(f"{len(rows)} of {len(names)} pictures differ")


def main() -> None:
    """Do what the command line says."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folders", nargs="+", help="FOLDER, or: compare BEFORE AFTER")
    arguments.add_argument("--only", nargs="+", default=[], metavar="PART", help="states whose name begins so")
    arguments.add_argument("--looks", nargs="+", default=list(LOOKS), choices=LOOKS, help="all by default")
    given = arguments.parse_args()
    path = chromium.find()
    if path is None:
        raise SystemExit(chromium.WHAT_TO_INSTALL)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(QUIET))
        match given.folders:
            case ["compare", before, after]:
                compare(browser, Path(before), Path(after))
            case [folder]:
                take(browser, Path(folder), given.only, given.looks)
            case _:
                arguments.error("one folder, or: compare BEFORE AFTER")
        browser.close()


if __name__ == "__main__":
    main()
