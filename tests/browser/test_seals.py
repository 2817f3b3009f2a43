"""Does a phone notice that the seal of the bag is another one, whatever the server says of it?"""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
from contextlib import closing

from playwright.sync_api import Page, expect

from tests.browser.conftest import Phones
from tests.browser.looks import axe, fits, shot
from tests.browser.people import begin_match, come
from tests.server import Server

OTHER = bytes(range(32))  # a seed that somebody made up afterwards
LATER = hashlib.sha256(OTHER).hexdigest()
KEPT = "Object.keys(localStorage).filter((key) => key.startsWith('companion:seal:')).length"


def exchange(server: Server, page: Page) -> str:
    """Exchange seal and seed in the database, as whoever runs the server could; returns the seal that was there."""
    link = re.search(r"/t/([^/]+)", page.url)
    assert link is not None
    with closing(sqlite3.connect(server.instance / "companion.sqlite", timeout=30)) as tables:
        found = "SELECT id FROM tables WHERE play_token = ?"
        [table] = tables.execute(found, [link[1]]).fetchone()
        [held] = tables.execute("SELECT options FROM matches WHERE table_id = ? AND number = 1", [table]).fetchone()
        options = json.loads(held)
        before: str = options["seal"]
        changed = json.dumps({**options, "seal": LATER})
        tables.execute("UPDATE matches SET options = ? WHERE table_id = ? AND number = 1", [changed, table])
        tables.execute("UPDATE bags SET seed = ? WHERE table_id = ? AND match_number = 1", [OTHER, table])
        tables.commit()
    return before


def test_a_seal_that_was_exchanged_is_told_on_the_phones_that_saw_the_first(server: Server, phones: Phones) -> None:
    ana, late = phones(width=360, height=640), phones()
    begin_match(ana, "beluga-cup", "Ana", "Bo")
    bo = come(phones(), ana, "Bo")
    match = bo.url
    for page in (ana, bo):
        expect(page.locator("#seal-now")).to_have_count(1)
        expect(page.locator("#seal-changed")).to_be_empty()
    first = exchange(server, ana)

    # what Bo draws comes out of the other bag: the stream tells Ana's phone
    bo.get_by_role("button", name=re.compile("^Draw")).click()
    for page in (ana, bo):
        said = page.locator("#seal-changed [role=alert]")
        expect(said).to_contain_text("The seal has changed since this phone first saw it. The fish can’t be trusted.")
        expect(said).to_contain_text(f"{first[:8]}…{first[-8:]}")
        expect(said).to_contain_text(f"{LATER[:8]}…{LATER[-8:]}")
    fits(ana)
    axe(ana, dark=True)
    shot(ana, "seal-changed")

    # the server's own proof is right, and the phones know better; one that came later says that it did
    bo.locator("summary[aria-label^='More']").click()
    bo.get_by_role("button", name="Stop the match here").click()
    expect(bo.get_by_role("button", name=re.compile("Rematch"))).to_be_visible()
    bo.goto(f"{match}/seal")
    bo.get_by_role("button", name="Show the seed and check the draws").click()
    expect(bo.locator("#seed")).to_have_text(OTHER.hex())
    expect(bo.locator("#seal-changed [role=alert]")).to_be_visible()
    expect(bo.locator("#seal .good")).to_be_hidden()
    late.goto(f"{match}/seal")
    expect(late.locator("#seal .good")).to_contain_text("The seed fits the seal that this server holds now.")
    expect(late.locator("#proves")).to_contain_text("This phone first saw this seal when the match had begun")
    axe(late)
    shot(late, "seal-proof")

    # the seal goes with the table
    assert bo.evaluate(KEPT) == 1
    bo.goto(f"{match.rpartition('/m/')[0]}/forget")
    bo.get_by_role("button", name="Remove it").click()
    expect(bo.get_by_role("heading", level=1)).to_contain_text("table?")
    assert bo.evaluate(KEPT) == 0
