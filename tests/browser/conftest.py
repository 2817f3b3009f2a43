"""A real server and real phones: browser contexts of a phone's size, each with cookies, a theme and an address of its own.

Whatever a page complains of (errors in its console, a violated content policy, a file that is missing, a request to another
host, an answer 500) fails the test at its end.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, Response, expect, sync_playwright

from tests.browser import chromium
from tests.server import Server

QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PATIENCE = 30_000  # milliseconds that a page gets to show what a test waits for: many on a busy machine, few as a rule
PAGES = {"document", "fetch", "xhr", "eventsource"}  # what may be refused (403, 409, 422 ...) as part of a test

expect.set_options(timeout=PATIENCE)

Theme = Literal["light", "dark"]

_addresses = itertools.count(1)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Companion as ``companion run`` serves it. ``restart()`` keeps its port, tables and key."""
    serving = Server(
        tmp_path_factory.mktemp("instance"),
        settings={"COMPANION_PROXIES": "1"},  # phones count apart for the limits, each by the address that a proxy would tell
    )
    serving.start()
    yield serving
    assert serving.stop() == 0
    assert "Traceback" not in serving.complaints, serving.complaints


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all phones."""
    path = chromium.find()
    if path is None:
        pytest.skip(chromium.WHAT_TO_INSTALL)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=list(QUIET))
        yield started
        started.close()


class Phones:
    """Call it for one more phone: a page at the server's address, in a browser of its own.

    ``problems`` is what pages complained of; a test that means to cause a complaint removes it.
    """

    def __init__(self, browser: Browser, server: Server) -> None:
        self.problems: list[str] = []
        self._browser = browser
        self._server = server
        self._contexts: list[BrowserContext] = []

    def __call__(
        self,
        theme: Theme = "light",
        *,
        width: int = 390,
        height: int = 844,
        scripts: bool = True,
        calm: bool = True,
        keeps_pages: bool = False,
    ) -> Page:
        number = next(_addresses)
        context = self._browser.new_context(
            base_url=self._server.url,
            viewport={"width": width, "height": height},
            has_touch=True,
            color_scheme=theme,
            java_script_enabled=scripts,
            reduced_motion="reduce" if calm else "no-preference",
            # what a service worker answers, no test could hold up
            service_workers="allow" if keeps_pages else "block",
            extra_http_headers={"X-Forwarded-For": f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"},
        )
        context.set_default_timeout(PATIENCE)
        self._contexts.append(context)
        self.watch(context)
        return context.new_page()

    def watch(self, context: BrowserContext) -> None:
        """Note everything that a page in this browser complains of."""
        context.on("console", self._heard)
        context.on("weberror", lambda error: self.problems.append(f"{error.page and error.page.url}: {error.error}"))
        context.on("request", self._asked)
        context.on("response", self._answered)

    def _heard(self, message: ConsoleMessage) -> None:
        # the browser's own note of a status or a lost connection: _answered knows which of them are problems
        if message.type == "error" and not message.text.startswith("Failed to load resource"):
            self.problems.append(f"console: {message.text} ({message.location.get('url')})")

    def _asked(self, request: Request) -> None:
        url = urlsplit(request.url)
        if url.scheme in {"http", "https", "ws", "wss"} and url.netloc != f"127.0.0.1:{self._server.port}":
            self.problems.append(f"asked another host: {request.url}")

    def _answered(self, response: Response) -> None:
        if response.status >= 500 or (response.status >= 400 and response.request.resource_type not in PAGES):
            self.problems.append(f"{response.status}: {response.url}")

    def close(self) -> None:
        """Switch all phones off."""
        for context in self._contexts:
            context.close()


@pytest.fixture
def phones(browser: Browser, server: Server) -> Iterator[Phones]:
    """As many phones as a test asks for, all switched off at its end."""
    several = Phones(browser, server)
    yield several
    several.close()
    assert several.problems == []


@pytest.fixture(params=["light", "dark"])
def theme(request: pytest.FixtureRequest) -> Theme:
    """Both, one after the other."""
    chosen: Theme = request.param
    return chosen


@pytest.fixture
def phone(phones: Phones) -> Page:
    """One phone, in a light room."""
    return phones()
