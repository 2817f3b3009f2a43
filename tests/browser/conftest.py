"""What are the phones of the browser tests? Contexts of a phone's size, each with cookies, a theme and an address.

Whatever a page complains of (errors in its console, a violated content policy, a file that is missing, a request to another
host, an answer 500) fails the test at its end.
"""

from __future__ import annotations

import itertools
import re
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from typing import Literal, Protocol
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, WebError, expect, sync_playwright

from tests.browser import chromium
from tests.browser.people import begin_match, come
from tests.server import Server

QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--in-process-gpu",  # a process less to hand each picture to
    # no page lives long enough to earn what V8 would spend on making its scripts quicker, or on looking for garbage beside them
    "--js-flags=--no-opt --no-maglev --single-threaded-gc",
    "--process-per-site",  # so that the next page of a phone that was there before needs no new process
    # With mDNS phones that meet without a server would ask the network for a name. RenderDocument builds a frame anew for each
    # page of the same place, where browsers of before went on in the old one: a tenth of what it takes to open a page.
    "--disable-features=WebRtcHideLocalIpsWithMdns,RenderDocument",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # nobody else is asked
)
PATIENCE = 30_000  # milliseconds that a page gets to show what a test waits for: many on a busy machine, few as a rule
FAILED = re.compile(r"Failed to load resource(?:.*status of (\d+))?")  # as the browser notes it
FILE = re.compile(r"\.\w{2,11}$")  # the end of a script's, a style's or a picture's address; pages and parts of them have none

# what a phone keeps, but for its cookies
FORGET = """async () => {
  localStorage.clear();
  for (const { name } of await indexedDB.databases())
    await new Promise((gone, kept) => Object.assign(indexedDB.deleteDatabase(name), { onsuccess: gone, onerror: kept }));
  for (const name of await caches.keys()) await caches.delete(name);
}"""

expect.set_options(timeout=PATIENCE)


def wait_for_function(page: Page, expression: str, *, arg: object = None) -> None:
    """Ask the page again and again until it is so. Raises AssertionError after PATIENCE.

    Playwright's own asks from within the page, whose content policy lets it ask once only.
    """
    until = time.monotonic() + PATIENCE / 1000
    while not page.evaluate(expression, arg):
        assert time.monotonic() < until, expression
        page.wait_for_timeout(20)


Page.wait_for_function = wait_for_function  # type: ignore[method-assign, assignment]

Theme = Literal["light", "dark"]

_addresses = itertools.count(1)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark each test below this folder; pytest asks nobody else's folder."""
    item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Yield Companion as ``companion run`` serves it. ``restart()`` keeps its port, tables and key."""
    serving = Server(
        tmp_path_factory.mktemp("instance"),
        settings={"COMPANION_PROXIES": "1"},  # phones count apart for the limits, each by the address that a proxy would tell
    )
    serving.start()
    yield serving
    assert serving.stop() == 0
    assert "Traceback" not in serving.complaints, serving.complaints


@pytest.fixture(autouse=True)
def _server_is_back(request: pytest.FixtureRequest) -> Iterator[None]:
    """Start the server again after a test that failed while it was away."""
    yield
    if "server" in request.fixturenames:
        serving: Server = request.getfixturevalue("server")
        if not serving.is_running:
            serving.start()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Yield one Chromium for all phones."""
    path = chromium.find()
    if path is None:
        pytest.skip(chromium.WHAT_TO_INSTALL)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=list(QUIET))
        yield started
        started.close()


class Used:
    """Phones that tests are done with. The next test has one of them without anything that it kept: that is half the work.

    Each has a page of the server's open, so that its browser keeps a process with whatever scripts it has read.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._free: defaultdict[tuple[object, ...], list[tuple[BrowserContext, Page]]] = defaultdict(list)

    def take(self, server: Place, theme: Theme, *, scripts: bool, calm: bool) -> tuple[BrowserContext, Page]:
        """Return one, and the page of it that is no test's."""
        free = self._free[server.url, theme, scripts, calm]
        if free:
            return free.pop()
        context = new_phone(self._browser, server, theme, scripts=scripts, calm=calm)
        page = context.new_page()
        page.goto("/healthz?alive")
        return context, page

    def put_back(self, server: Place, theme: Theme, context: BrowserContext, own: Page, *, scripts: bool, calm: bool) -> None:
        """Let it forget everything, for the next."""
        for page in context.pages:
            if page is not own:
                page.close()
        context.set_offline(False)
        context.unroute_all()
        context.clear_cookies()
        if scripts:
            own.evaluate(FORGET)
        self._free[server.url, theme, scripts, calm].append((context, own))


def new_phone(
    browser: Browser,
    server: Place,
    theme: Theme,
    *,
    width: int = 390,
    height: int = 844,
    scripts: bool = True,
    calm: bool = True,
    keeps_pages: bool = False,
) -> BrowserContext:
    """Return a browser of its own."""
    context = browser.new_context(
        base_url=server.url,
        viewport={"width": width, "height": height},
        has_touch=True,
        color_scheme=theme,
        java_script_enabled=scripts,
        reduced_motion="reduce" if calm else "no-preference",
        # a test can't hold up what a service worker answers
        service_workers="allow" if keeps_pages else "block",
    )
    context.set_default_timeout(PATIENCE)
    return context


class Place(Protocol):
    """Where a phone goes: a server, or whatever serves files."""

    url: str
    port: int


class Phones:
    """Call it for one more phone: a page at the server's address, in a browser of its own.

    ``problems`` is what pages complained of; a test that means to cause a complaint removes it. Who sets a phone's clock says
    ``new``: nothing puts it right again.
    """

    def __init__(self, browser: Browser, server: Place, used: Used | None = None) -> None:
        self.problems: list[str] = []
        self._browser = browser
        self._server = server
        self._used = used
        self._ends: list[Callable[[], None]] = []

    def __call__(
        self,
        theme: Theme = "light",
        *,
        width: int = 390,
        height: int = 844,
        scripts: bool = True,
        calm: bool = True,
        keeps_pages: bool = False,
        new: bool = False,
    ) -> Page:
        if self._used is None or keeps_pages or new:
            context = new_phone(
                self._browser,
                self._server,
                theme,
                width=width,
                height=height,
                scripts=scripts,
                calm=calm,
                keeps_pages=keeps_pages,
            )
            self._ends.append(context.close)
        else:
            context, own = self._used.take(self._server, theme, scripts=scripts, calm=calm)
            self._ends.append(partial(self._used.put_back, self._server, theme, context, own, scripts=scripts, calm=calm))
        number = next(_addresses)
        context.set_extra_http_headers({"X-Forwarded-For": f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"})
        self.watch(context)
        page = context.new_page()
        if page.viewport_size != {"width": width, "height": height}:
            page.set_viewport_size({"width": width, "height": height})
        return page

    def watch(self, context: BrowserContext) -> None:
        """Note everything that a page in this browser complains of. To hear of each request would take a tenth of the time."""
        for event, heard in (("console", self._heard), ("weberror", self._failed), ("requestfailed", self._unanswered)):
            context.on(event, heard)  # type: ignore[call-overload]  # each has its own kind
            self._ends.insert(0, partial(context.remove_listener, event, heard))

    def _failed(self, error: WebError) -> None:
        self.problems.append(f"{error.page and error.page.url}: {error.error}")

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type != "error":
            return
        url = message.location.get("url", "")
        if not (failed := FAILED.match(message.text)):
            self.problems.append(f"console: {message.text} ({url})")
        elif failed[1] and (int(failed[1]) >= 500 or FILE.search(urlsplit(url).path)):
            self.problems.append(f"{failed[1]}: {url}")  # a page may be refused (403, 409, 422 ...) as part of a test

    def _unanswered(self, request: Request) -> None:
        url = urlsplit(request.url)
        if url.scheme in {"http", "https", "ws", "wss"} and url.netloc != f"127.0.0.1:{self._server.port}":
            self.problems.append(f"asked another host: {request.url}")

    def close(self) -> None:
        """Switch all phones off."""
        for end in self._ends:
            end()


def phones_that_lose(browser: Browser, server: Place) -> Iterator[Phones]:
    """Yield phones of a server that a test takes away: what fails for want of it is no mistake of a page."""
    several = Phones(browser, server)
    yield several
    several.close()
    assert [each for each in several.problems if "ERR_" not in each] == []


@pytest.fixture(scope="session")
def used(browser: Browser) -> Used:
    """Return the phones of tests before."""
    return Used(browser)


@pytest.fixture
def phones(browser: Browser, server: Server, used: Used) -> Iterator[Phones]:
    """Yield as many phones as a test asks for, all switched off at its end."""
    several = Phones(browser, server, used)
    yield several
    several.close()
    assert several.problems == []


@pytest.fixture(params=["light", "dark"])
def theme(request: pytest.FixtureRequest) -> Theme:
    """Return both, one after the other."""
    chosen: Theme = request.param
    return chosen


@pytest.fixture
def phone(phones: Phones) -> Page:
    """Return one phone, in a light room."""
    return phones()


@pytest.fixture
def ana(phones: Phones) -> Page:
    """Return Ana's phone, in a match of BeloZ with Bo, Cy and Di; a test module may say another one."""
    page = phones()
    begin_match(page, "beloz", "Ana", "Bo", "Cy", "Di")
    return page


@pytest.fixture
def bo(phones: Phones, ana: Page) -> Page:
    """Return Bo's phone, in the same match."""
    return come(phones(), ana, "Bo")
