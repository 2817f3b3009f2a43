"""Does a language two fifths longer than English, or one from right to left, fit on the narrowest phone?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from companion.app import create_app
from companion.games import PLUGINS
from companion.settings import Settings
from companion.storage import migrations
from companion.storage.models import db
from tests import half_matches
from tests.browser.conftest import Phones
from tests.five import FIVE
from tests.languages import made_up
from tests.server import Server
from tests.web.said_on_a_page import unmarked

ALONE = ("/", "/tables/new?game=bisque", "/phone", "/reach", "/rules")
OF_A_TABLE = ("/table", "/links", "/matches", "/people/1")
FORMS = {
    "beloz": ("/count", "/declarations"),
    "bisque": (),
    "beluga-cup": ("/fish",),
    "rivals": ("/round",),
    "what-the-fish": ("/wtf",),
}
# what reaches over the edge of the screen, outermost first
TOO_WIDE = """() => document.scrollingElement.scrollWidth <= innerWidth ? "" : [...document.querySelectorAll("body *")].filter(
  each => { const box = each.getBoundingClientRect(); return box.width && (box.right > innerWidth + 1 || box.left < -1) }
).slice(0, 3).map(each => each.outerHTML.slice(0, 160)).join("\\n")"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, made_up_languages: Path) -> Iterator[Server]:
    """Yield Companion in the made-up languages alone, with a table in the middle of a match of each game."""
    instance = tmp_path_factory.mktemp("made-up")
    sit_down(instance)
    serving = Server(instance, speaks=made_up_languages, settings={"COMPANION_PROXIES": "1"})
    serving.start()
    yield serving
    assert serving.stop() == 0
    assert "can't be used" not in serving.complaints, serving.complaints


def sit_down(instance: Path) -> None:
    """Play half of a match of each game."""
    app = create_app(Settings.read({"COMPANION_INSTANCE": str(instance)}))
    with app.app_context():
        migrations.upgrade(db.engine)
        half_matches.sit_down()
        db.engine.dispose()


def addresses() -> Iterator[str]:
    """Yield the main pages of Companion and of each game."""
    yield from ALONE
    yield from (f"/t/play-beloz{path}" for path in OF_A_TABLE)
    for slug in FIVE:
        views = [f"/see/{view}" for view in PLUGINS[slug].screens.views][:1]
        yield from (f"/t/play-{slug}/m/1{path}" for path in ("", *views, "/may-i", *FORMS[slug]))
        yield f"/calculate/{slug}"


def test_every_main_page_fits_and_is_said_in_the_language(browser: Browser, server: Server) -> None:
    phones = Phones(browser, server)
    page: Page = phones(width=320, height=568)
    wrong: dict[str, object] = {}
    pages = list(addresses())
    page.context.add_cookies([{"name": "language", "value": made_up.LEFT_TO_RIGHT, "url": server.url}])
    for address in pages:
        answer = page.goto(address, wait_until="load")
        assert answer is not None
        assert answer.status == 200, address
        assert page.locator("html").get_attribute("lang") == made_up.LEFT_TO_RIGHT
        page.evaluate("document.fonts.ready.then(() => {})")
        left = [] if address == "/rules" else unmarked(page.content())  # the books are texts of their own
        # from right to left the same sentences are said, in a page that differs by this alone
        found = page.evaluate(TOO_WIDE), page.evaluate(f"document.documentElement.dir = 'rtl', ({TOO_WIDE})()"), left
        if any(found):
            wrong[address] = found
    phones.close()
    assert wrong == {}
    assert len(pages) >= 25
