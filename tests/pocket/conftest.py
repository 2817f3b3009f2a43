"""What do the tests of Companion in a phone share? They need what make pocket builds, and run there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import Phones, browser, phones_that_lose
from tests.server import Server

__all__ = ["browser", "people", "server"]


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark each test below this folder; pytest asks nobody else's folder."""
    item.add_marker(pytest.mark.pocket)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """Yield a Companion that may be stopped and started again."""
    serving = Server(tmp_path / "instance")
    serving.start()
    yield serving
    serving.stop()
    assert "Traceback" not in serving.complaints, serving.complaints


@pytest.fixture
def people(browser: Browser, server: Server) -> Iterator[Phones]:
    """Yield phones at that Companion. What fails while it is away is no mistake of a page."""
    yield from phones_that_lose(browser, server)
