"""Does a phone notice that entries which it saw were cut or changed, and can it send what is missing?"""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Phones, phones_that_lose
from tests.browser.looks import axe, fits, shot
from tests.browser.people import begin_match, come
from tests.browser.test_taps import trick
from tests.server import Server

phones = pytest.fixture(phones_that_lose)


def change(server: Server, page: Page, *statements: str) -> None:
    """Change the match in the database, as whoever runs the server could; a cut log is what a lost disk leaves, too."""
    link = re.search(r"/t/([^/]+)", page.url)
    assert link is not None
    server.stop()
    with closing(sqlite3.connect(server.instance / "companion.sqlite", timeout=30)) as tables:
        [table] = tables.execute("SELECT id FROM tables WHERE play_token = ?", [link[1]]).fetchone()
        for statement in statements:
            tables.execute(statement.format(table=table))
        tables.commit()
    server.start()


def notice(page: Page) -> Locator:
    """Return what the page says about a log that is another one."""
    return page.locator("#chain-changed [role=alert]")


def knows(page: Page, entries: int) -> None:
    """Wait until a page shows so many entries."""
    expect(page.locator(f"#chain-now[data-entries='{entries}']")).to_have_count(1)


CUT = (
    "DELETE FROM entries WHERE table_id = {table} AND seq = 2",
    "UPDATE matches SET seq = 1, head = 1 WHERE table_id = {table}",
)
REWRITTEN = "UPDATE entries SET chain = '" + "ab" * 32 + "' WHERE table_id = {table} AND seq = 2"
RESTORED = (
    "INSERT INTO entries (table_id, match_number, seq, key, at, kind, body, chain) VALUES ({table}, 1, 2, 'restore-1', "
    "'2026-11-05 23:00:00.000000', 'restore', '{{\"made\":\"2026-11-05T20:15:00\"}}', '" + "cd" * 32 + "')",
    "UPDATE matches SET seq = 2 WHERE table_id = {table}",
)


def test_phones_that_saw_more_say_so_and_one_sends_what_it_entered(server: Server, phones: Phones) -> None:
    ana = phones(width=360, height=640)
    begin_match(ana, "bisque", "Ana", "Bo", "Cy")
    bo = come(phones(), ana, "Bo")
    trick(bo, 1, 1, "8-waves-leaves")
    knows(ana, 1)
    trick(ana, 2, 0, "ace-moons")
    for page in (ana, bo):
        knows(page, 2)
        expect(notice(page)).to_have_count(0)

    change(server, ana, *CUT)
    for page in (ana, bo):
        page.reload()
        expect(notice(page)).to_contain_text("Entries are missing")
        expect(notice(page)).to_contain_text("This phone saw 2 entries and undos. Companion has only 1 of them.")
    fits(ana)
    axe(ana)
    shot(ana, "entries-missing")
    expect(bo.get_by_role("button", name="Send this phone’s")).to_be_hidden()  # the missing one was Ana's
    bo.get_by_role("button", name="Leave it so").click()
    trick(bo, 2, 0, "ace-moons")  # by hand, before Ana's phone sends it
    expect(notice(ana)).to_contain_text("Number 2 is not the entry that this phone saw.")
    ana.get_by_role("button", name="Send this phone’s entry").click()
    expect(ana.get_by_text("Bo had it already", exact=True)).to_be_visible()  # and it is announced, with a full stop
    for page in (ana, bo):
        knows(page, 2)
    expect(notice(ana)).to_have_count(0)
    bo.reload()
    knows(bo, 2)
    expect(notice(bo)).to_have_count(0)

    change(server, ana, REWRITTEN)
    bo.reload()
    expect(notice(bo)).to_contain_text("Number 2 is not the entry that this phone saw.")
    change(server, ana, *CUT, *RESTORED)
    for page in (ana, bo):
        page.reload()
        expect(notice(page)).to_contain_text(
            re.compile("A backup was put back.*It is from [^.]*2026[^.]*. That is no attack", re.DOTALL)
        )
    fits(bo)
    axe(bo)
    shot(bo, "backup-put-back")
    expect(bo.get_by_role("button", name="Send this phone’s entry")).to_be_visible()  # what he entered by hand
    ana.get_by_role("button", name="Leave it so").click()
    for page in (ana, bo):  # one has decided for all
        expect(notice(page)).to_have_count(0)
        page.reload()
        knows(page, 2)
        expect(notice(page)).to_have_count(0)

    # a backup from before an entry of Bo's that Ana undid: her undo waits until he has sent the entry
    trick(bo, 2, 1, "9-waves-wyrms")
    knows(ana, 3)
    ana.get_by_role("button", name="Undo").click()
    for page in (ana, bo):
        knows(page, 4)
    change(server, ana, "DELETE FROM entries WHERE table_id = {table} AND seq > 2", CUT[1].replace("seq = 1", "seq = 2"))
    for page in (ana, bo):
        page.reload()
    ana.get_by_role("button", name="Send this phone’s").click()
    row = ana.locator("#offline [data-state=behind]")
    expect(row).to_contain_text("Trick 2 undone This is about an entry that is missing here.")
    shot(ana, "about-a-missing-entry")
    bo.get_by_role("button", name="Send this phone’s").click()
    for page in (ana, bo):
        knows(page, 3)
    row.get_by_role("button", name="Try again").click()
    for page in (ana, bo):
        knows(page, 4)
    expect(ana.locator("#trick-title")).to_have_text("Who won trick 2?")
