"""Do two phones meet by their cameras? Chromium films a file that holds the other phone's code, nothing, or the dark."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import chromium
from tests.browser.conftest import QUIET, Phones, phones_that_lose
from tests.browser.looks import axe, fits_everywhere, shot
from tests.pocket.test_in_phone import READY, begin_beloz, take_along
from tests.pocket.test_one_phone_is_the_table import LATER, let_in, share, to_table
from tests.server import Server

WIDTH, HEIGHT = 640, 480
MODULE = 6  # pixels
GREY = 128
CODE = "svg => [svg.lastElementChild.getAttribute('d'), Number(svg.getAttribute('viewBox').split(' ')[2])]"
# gives the page a reader of the browser's own, as Android's Chrome has one: it reads, or not
OWN_READER = """(how) => {
  globalThis.looks = 0;
  globalThis.BarcodeDetector = class {
    static getSupportedFormats = async () => ["qr_code"];
    async detect(video) {
      looks += 1;
      if (how === "throws") throw new DOMException("Barcode detection service unavailable.", "NotSupportedError");
      if (how === "hangs") return new Promise(() => {});
      const { base } = await (await fetch("/pocket/files.json")).json();
      const { decodeQR } = await import(`${base}qr-decode.mjs`);
      const { videoWidth: width, videoHeight: height } = video;
      const pen = Object.assign(document.createElement("canvas"), { width, height }).getContext("2d");
      pen.drawImage(video, 0, 0);
      try {
        return ["another code", decodeQR(pen.getImageData(0, 0, width, height))].map((rawValue) => ({ rawValue }));
      } catch {
        return [];
      }
    }
  };
}"""

# how far the window of the camera, sideways and in text twice as large, is from the nearer side of what is beside it
SIDEWAYS = """() => {
  document.documentElement.style.fontSize = "200%";
  const [view, dock] = document.querySelectorAll("dialog[open] > :is(svg, .panel:last-child)");
  const [seen, beside] = [view.getBoundingClientRect(), dock.getBoundingClientRect()];
  document.documentElement.style.fontSize = "";
  return Math.min(seen.left, beside.left - seen.right);
}"""

# how far words or buttons reach into the window of the camera, in text twice as large
IN_LARGE_TEXT = """() => {
  document.documentElement.style.fontSize = "200%";
  const [bar, view, ...below] = document.querySelectorAll("dialog[open] > :is(form, svg, .panel)");
  const { top, bottom } = view.getBoundingClientRect();
  const highest = Math.min(...below.map((each) => each.getBoundingClientRect().top));
  document.documentElement.style.fontSize = "";
  return Math.max(bar.getBoundingClientRect().bottom - top, bottom - highest);
}"""


@dataclass
class Film:
    """What the camera sees: a video of one picture, which is read anew whenever a page opens the camera."""

    file: Path

    def even(self, light: int) -> None:
        """Show nothing but a wall, as light as this of 255."""
        self._write(bytes([light]) * (WIDTH * HEIGHT))

    def code_of(self, page: Page, place: str) -> None:
        """Show the code that a page has drawn."""
        shape, size = page.locator(f"{place} [data-code] svg").evaluate(CODE)
        dark = {(int(x), int(y)) for x, y in re.findall(r"M(\d+) (\d+)h1v1", shape)}
        assert dark
        left, top = (WIDTH - size * MODULE) // 2, (HEIGHT - size * MODULE) // 2
        assert left > 0
        assert top > 0
        picture = bytearray([GREY]) * (WIDTH * HEIGHT)
        for y in range(size * MODULE):
            row = b"".join((b"\x10" if (x, y // MODULE) in dark else b"\xeb") * MODULE for x in range(size))
            picture[(top + y) * WIDTH + left : (top + y) * WIDTH + left + len(row)] = row
        self._write(bytes(picture))

    def _write(self, picture: bytes) -> None:
        colour = bytes([GREY]) * (WIDTH * HEIGHT // 2)
        self.file.write_bytes(b"YUV4MPEG2 W640 H480 F10:1 Ip A1:1 C420jpeg\n" + (b"FRAME\n" + picture + colour) * 2)


@pytest.fixture
def film(tmp_path: Path) -> Film:
    made = Film(tmp_path / "film.y4m")
    made.even(GREY)
    return made


@pytest.fixture
def filming(browser: Browser, film: Film) -> Iterator[Browser]:
    """Yield a Chromium whose camera sees the film. Its owner allows it; the ordinary one refuses."""
    flags = (
        "--use-fake-ui-for-media-stream",
        "--use-fake-device-for-media-stream",
        f"--use-file-for-fake-video-capture={film.file}",
    )
    started = browser.browser_type.launch(executable_path=chromium.find(), args=[*QUIET, *flags])
    yield started
    started.close()


@pytest.fixture
def filmers(filming: Browser, server: Server) -> Iterator[Phones]:
    """Yield phones whose camera sees the film."""
    yield from phones_that_lose(filming, server)


def be_the_table(page: Page) -> Page:
    """Let a phone be the table, where it shows its code."""
    take_along(page)
    begin_beloz(page)
    to_table(page)
    let_in(page)
    return page


def test_each_phone_films_the_others_code_and_is_told_who_is_in(filmers: Phones, film: Film) -> None:
    ana, eve = be_the_table(filmers(keeps_pages=True)), filmers()
    film.code_of(ana, "#let-in")
    eve.add_init_script(f"({OWN_READER})('throws')")
    eve.goto("/pocket/with#scan")
    share(eve, "[data-come=answer]")
    assert eve.evaluate("() => looks") == 1  # then the library reads
    expect(eve.locator("#come-scan")).to_be_hidden()
    eve.get_by_label("Your name").fill("Eve")
    film.even(GREY)
    ana.evaluate(OWN_READER, "reads")
    ana.get_by_role("button", name="Scan their code").click()
    dialog = ana.get_by_role("dialog", name="Scan their code")
    expect(dialog).to_contain_text("Looking for their code")
    ana.wait_for_function("() => document.querySelector('#let-in-scan video').videoWidth > 0")
    shot(ana, "camera-looking")
    axe(ana)
    fits_everywhere(ana)
    ana.set_viewport_size({"width": 360, "height": 640})
    assert ana.evaluate(IN_LARGE_TEXT) <= 1  # pixels
    ana.set_viewport_size({"width": 844, "height": 390})
    assert ana.evaluate(SIDEWAYS) > 0
    ana.evaluate(LATER)
    expect(dialog).to_contain_text("Hold it closer, and make both screens bright.")
    expect(dialog.locator("[data-tick]")).to_be_hidden()
    assert ana.evaluate("() => looks") > 1
    dialog.get_by_role("button", name="Close").click()
    ana.evaluate(OWN_READER, "hangs")
    ana.get_by_role("button", name="Scan their code").click()
    ana.wait_for_function("() => looks")
    ana.evaluate("() => (globalThis.track = document.querySelector('#let-in-scan video').srcObject.getTracks()[0])")
    dialog.get_by_role("button", name="Close").click()
    ana.wait_for_function("() => track.readyState === 'ended'")  # the camera is off, whatever its reader waits for
    ana.evaluate(OWN_READER, "reads")
    film.code_of(eve, "[data-come=answer]")
    # what it shows before it closes by itself
    ana.evaluate(
        """() => {
          globalThis.shown = [];
          const dialog = document.querySelector("#let-in-scan");
          const note = () => shown.push([dialog.querySelector("[role=status]").textContent, dialog.matches("[data-read]")]);
          new MutationObserver(note).observe(dialog, { attributes: true, childList: true, subtree: true });
        }"""
    )
    ana.get_by_role("button", name="Scan their code").click()
    eve.wait_for_url(re.compile(r"/pocket/t/"), timeout=READY)
    expect(dialog).to_be_hidden()
    assert ["Eve is in", True] in ana.evaluate("() => shown")
    assert ana.evaluate("() => document.querySelector('#let-in-scan video').srcObject") is None


def test_a_camera_that_is_not_allowed_leads_to_a_text(people: Phones) -> None:
    ana = be_the_table(people(keeps_pages=True))
    ana.get_by_role("button", name="Scan their code").click()
    expect(ana.locator("[data-let-in-trouble]")).to_contain_text("The camera can’t be used here. Tap the sign before")
    expect(ana.locator("#let-in-scan")).to_be_hidden()
    expect(ana.get_by_label("Their code", exact=True)).to_be_visible()
    eve = people()
    eve.goto("/pocket/with#scan")
    expect(eve.get_by_role("alert")).to_contain_text("The camera can’t be used here.")
    expect(eve.get_by_label("Or the code as a text")).to_be_visible()
