"""Which phones have other engines than Chromium's? WebKit, as on every iPhone, and Gecko, as in Firefox.

Both drivers speak of the same few things: open, tap, type, look. As a program it installs the browsers where Debian has them.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

PATIENCE = 60.0  # seconds that a page gets to show what a test waits for: Companion starts in WebKit in some 10 or 20
PHONE = (390, 844)
PACKAGES = ("webkit2gtk-driver", "xvfb", "firefox-esr")
WHAT_TO_INSTALL = f"These tests need WebKitGTK's driver, Xvfb and Firefox. On Debian: sudo apt install {' '.join(PACKAGES)}"

# What a finger would hit: the innermost thing in sight that can be tapped and says these words.
FIND = """
const [words, part] = arguments;
if (!words) return document.querySelector(part);
const spoken = (each) => each.getAttribute("aria-label") ?? "";
const said = (each) => `${spoken(each)} ${each.innerText ?? each.value ?? ""}`.replace(/\\s+/g, " ").trim();
const keys = "button:enabled, a[href], label, summary";
const found = [...(part ? document.querySelector(part) : document).querySelectorAll(keys)].filter(
  (each) => each.checkVisibility({ visibilityProperty: true }) && each.getClientRects().length,
);
return found.find((each) => said(each) === words) ?? found.find((each) => said(each).includes(words)) ?? null;
"""

# Of what is hidden, innerText would be all its words.
SAYS = "const part = document.querySelector(arguments[0]); return part?.checkVisibility() ? part.innerText : ''"


class Driver(Protocol):
    """What both drivers can do."""

    def open(self, url: str) -> None: ...
    def run(self, script: str, *values: Any) -> Any: ...
    def picture(self) -> bytes: ...
    def close(self) -> None: ...

    def click(self, element: Any) -> None:
        element.click()

    def type(self, element: Any, text: str) -> None:
        element.clear()
        element.send_keys(text)


class WebKit(Driver):
    """WebKitGTK's small browser, on a screen of its own."""

    def __init__(self, display: str) -> None:
        from selenium import webdriver

        options = webdriver.WebKitGTKOptions()
        options.binary_location = str(mini_browser())
        options.add_argument("--automation")
        service = webdriver.WebKitGTKService(
            executable_path=shutil.which("WebKitWebDriver"), env={**os.environ, "DISPLAY": display}
        )
        self._driver = webdriver.WebKitGTK(options=options, service=service)
        self._driver.set_window_size(*PHONE)

    def open(self, url: str) -> None:
        self._driver.get(url)

    def run(self, script: str, *values: Any) -> Any:
        return self._driver.execute_script(script, *values)

    def picture(self) -> bytes:
        return bytes(self._driver.get_screenshot_as_png())

    def close(self) -> None:
        self._driver.quit()


class Firefox(Driver):
    """Firefox without a window, by Marionette. Its window is at least 500 wide, so the page is zoomed to a phone's width."""

    def __init__(self) -> None:
        from marionette_driver.marionette import Marionette

        # phones that meet without a server may do so on one computer, and ask no network for a name
        meets = {"media.peerconnection.ice.loopback": True, "media.peerconnection.ice.obfuscate_host_addresses": False}
        prefs = {**meets, "ui.useOverlayScrollbars": 1}  # as on phones, a bar for scrolling takes no room
        self._driver = Marionette(bin=shutil.which("firefox-esr"), headless=True, port=free_port(), prefs=prefs)
        self._driver.start_session()
        self._driver.set_window_rect(width=500, height=1100)
        with self._driver.using_context("chrome"):
            self._driver.execute_script("gBrowser.selectedBrowser.fullZoom = arguments[0]", [500 / PHONE[0]])

    def open(self, url: str) -> None:
        self._driver.navigate(url)

    def run(self, script: str, *values: Any) -> Any:
        return self._driver.execute_script(script, list(values))

    def picture(self) -> bytes:
        return bytes(self._driver.screenshot(format="binary", full=False))

    def close(self) -> None:
        self._driver.quit()


class Phone:
    """One phone at a table. Whatever it is asked to find gets time to appear."""

    def __init__(self, driver: Driver, server: str, name: str) -> None:
        self._driver = driver
        self._server = server
        self._name = name
        folder = os.environ.get("COMPANION_SHOTS")
        self._pictures = Path(folder) if folder else None

    def open(self, path: str) -> None:
        """Go to a page of Companion, or to another address."""
        self._driver.open(path if "://" in path else f"{self._server}{path}")

    @property
    def path(self) -> str:
        """The address of the page in sight, without the server."""
        return str(self._driver.run("return location.pathname"))

    def tap(self, words: str, part: str = "") -> None:
        """Tap what says these words, in this part of the page (a CSS selector)."""
        until = time.monotonic() + PATIENCE
        while True:
            with contextlib.suppress(Exception):  # the page is being replaced: look again
                element = self._driver.run(FIND, words, part)
                if element is not None:
                    self._driver.run("arguments[0].scrollIntoView({ block: 'center' })", element)  # from below a dock
                    self._driver.click(element)
                    return
            assert time.monotonic() < until, f"{self._name} finds no “{words}” on {self.path}:\n{self.words()}"
            time.sleep(0.05)

    def press(self, place: str) -> None:
        """Tap the first thing with this CSS selector."""
        self.tap("", f":is({place})")

    def type(self, field: str, text: str) -> None:
        """Type into the field with this CSS selector."""
        self.wait(lambda: self._driver.run("return document.querySelector(arguments[0])", field) is not None, field)
        self._driver.type(self._driver.run("return document.querySelector(arguments[0])", field), text)

    def words(self, part: str = "body") -> str:
        """Return what a part of the page says."""
        said = self._driver.run(SAYS, part)
        return " ".join(str(said).split())

    def sees(self, words: str, part: str = "body") -> None:
        """Wait until a part of the page says these words."""
        self.wait(lambda: words in self.words(part), words)

    def wait(self, condition: Any, what: str) -> None:
        """Wait until it is so."""
        until = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < until, f"{self._name} does not see “{what}” on {self.path}:\n{self.words()}"
            time.sleep(0.05)

    def run(self, script: str, *values: Any) -> Any:
        """Run a script in the page."""
        return self._driver.run(script, *values)

    def fits(self) -> None:
        """Assert that the page does not scroll sideways."""
        wider = self._driver.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wider <= 0, f"{self.path} is {wider} pixels wider than {self._name}'s screen"

    def picture(self, name: str) -> None:
        """Keep a picture in the folder COMPANION_SHOTS, if that is set, and check that the page fits."""
        if self._pictures is not None:
            self._pictures.mkdir(parents=True, exist_ok=True)
            (self._pictures / f"{name}-{self._name}.png").write_bytes(self._driver.picture())
        self.fits()

    def close(self) -> None:
        """Switch the phone off."""
        self._driver.close()


def free_port() -> int:
    """Return a port that nobody listens on: each Firefox is steered through one of its own."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


def mini_browser() -> Path | None:
    """Return WebKitGTK's browser, or None if it is not installed."""
    return next(iter(sorted(Path("/usr/lib").glob("*/webkit2gtk-4*/MiniBrowser"))), None)


def missing() -> bool:
    """Return whether one of the browsers is not on this machine."""
    found = mini_browser() and shutil.which("WebKitWebDriver") and shutil.which("Xvfb") and shutil.which("firefox-esr")
    return not found


@contextlib.contextmanager
def screen() -> Iterator[str]:
    """Yield the display's name of a screen in memory."""
    reading, writing = os.pipe()
    xvfb = shutil.which("Xvfb")
    assert xvfb is not None
    process = subprocess.Popen(
        [xvfb, "-displayfd", str(writing), "-screen", "0", "1400x1200x24", "-nolisten", "tcp"],
        pass_fds=[writing],
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    try:
        with os.fdopen(reading) as told:
            yield f":{told.readline().strip()}"
    finally:
        process.terminate()
        process.wait()


def install() -> None:
    """Install what is missing if this is Debian and nobody has to be asked; else say what to install."""
    if not missing():
        return
    apt = shutil.which("apt-get")
    if apt is not None and os.geteuid() == 0:
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run([apt, "-qq", "update"], check=False, env=quiet)
        subprocess.run([apt, "-qq", "install", "-y", *PACKAGES], check=False, env=quiet)
    if missing():
        sys.exit(WHAT_TO_INSTALL)


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    install()
