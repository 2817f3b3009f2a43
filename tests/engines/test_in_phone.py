"""Does Companion that was taken along play in WebKit and Firefox, too, with no server there?"""

from __future__ import annotations

import time

import pytest

from companion.web.delivery import pocket
from tests.engines.browsers import Phone
from tests.server import Server


@pytest.mark.skipif(not (pocket.FOLDER / pocket.LIST).exists(), reason="make pocket builds what is taken along")
def test_a_trick_is_played_and_there_after_a_restart(two_phones: tuple[Phone, Phone], server: Server) -> None:
    ana, _ = two_phones
    ana.open("/")
    ana.sees("Download")
    ana.tap("Download")
    ana.sees("Companion is on this phone")
    server.stop()
    ana.open("/pocket/tables/new?game=bisque")
    for seat, name in enumerate(("Ana", "Bo", "Cy")):
        ana.type(f"[name=person_{seat}]", name)
    ana.tap("Sit down")
    ana.tap("Start", ".action-bar")
    ana.sees("First, your goal")
    time.sleep(0.7)  # a tap that comes sooner is the second half of the first
    ana.tap("Skip, it lies on the table")
    ana.press("label:has(input[name=by][value='1'])")
    ana.press("button[name=card][value='9-moons-suns']")
    ana.sees("suns: 9")
    ana.picture("in-phone")
    ana.open(ana.path)
    ana.sees("suns: 9")
    server.start()
