"""What do the tests with WebKit and Firefox share? A real server, and phones."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.engines import browsers
from tests.engines.browsers import Firefox, Phone, WebKit
from tests.server import Server


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark each test below this folder; pytest asks nobody else's folder."""
    item.add_marker(pytest.mark.engines)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Yield Companion as ``companion run`` serves it."""
    serving = Server(tmp_path_factory.mktemp("instance"))
    serving.start()
    yield serving
    assert serving.stop() == 0
    assert "Traceback" not in serving.complaints, serving.complaints


@pytest.fixture(scope="session")
def display() -> Iterator[str]:
    """Yield the screen on which WebKit's windows are."""
    with browsers.screen() as display:
        yield display


@pytest.fixture(params=["webkit", "firefox"], scope="module")
def two_phones(request: pytest.FixtureRequest, server: Server, display: str) -> Iterator[tuple[Phone, Phone]]:
    """Yield two phones with one engine."""
    if browsers.missing():
        pytest.fail(browsers.WHAT_TO_INSTALL)
    folder = os.environ.get("COMPANION_SHOTS")
    phones = [
        Phone(
            WebKit(display) if request.param == "webkit" else Firefox(),
            server.url,
            f"{request.param}-{number}",
            Path(folder) if folder else None,
        )
        for number in (1, 2)
    ]
    yield phones[0], phones[1]
    for phone in phones:
        phone.close()
