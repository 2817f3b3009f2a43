"""Are tables played below a path of the host, where a proxy has put Companion?"""

from __future__ import annotations

from urllib.parse import urlsplit

from tests.browser.conftest import Phones
from tests.browser.people import sit_down_to_beloz, start_beloz
from tests.browser.test_beloz_table import play_round

BELOW = "/house/club/"


def test_a_round_of_beloz(phones: Phones) -> None:
    ana = phones(new=True)
    ana.context.set_extra_http_headers({"X-Forwarded-For": "10.9.9.9", "X-Forwarded-Prefix": BELOW})
    asked: list[str] = []
    ana.context.on("request", lambda request: asked.append(urlsplit(request.url).path))
    sit_down_to_beloz(ana, "Bo", "Cy", "Di")
    start_beloz(ana)
    play_round(ana, "Bo", "south", "100")
    assert [path for path in asked if path != "/" and not path.startswith(BELOW)] == []
    assert {cookie["path"].startswith(BELOW) for cookie in ana.context.cookies()} == {True}
