"""What do the tests with WebKit and Firefox share? A real server, and phones."""

from __future__ import annotations

from collections.abc import Iterator

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


@pytest.fixture(scope="session", autouse=True)
def _browsers() -> None:
    """Both browsers are there."""
    if browsers.missing():
        pytest.fail(browsers.WHAT_TO_INSTALL)


@pytest.fixture(params=["webkit", "firefox"], scope="module")
def two_phones(request: pytest.FixtureRequest, server: Server, display: str) -> Iterator[tuple[Phone, Phone]]:
    """Yield two phones with one engine."""
    made = [WebKit(display) if request.param == "webkit" else Firefox() for _ in range(2)]
    phones = [Phone(driver, server.url, f"{request.param}-{number}") for number, driver in enumerate(made, 1)]
    yield phones[0], phones[1]
    for phone in phones:
        phone.close()
