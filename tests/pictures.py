"""How are the README's pictures taken? From a running Companion, light and dark: python -m tests.pictures."""

from __future__ import annotations

import argparse
import json
import secrets
import shutil
import tempfile
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page, sync_playwright
from sqlalchemy import select

from companion.app import create_app
from companion.engine import GAMES
from companion.engine.records import decode_event
from companion.matches import entries
from companion.settings import Settings
from companion.storage import migrations
from companion.storage.models import Match, db
from companion.tables import seating
from companion.web import install
from tests.browser import chromium
from tests.browser.conftest import QUIET
from tests.server import CHECKOUT, Server

FOLDER = CHECKOUT / "docs" / "pictures"
RECORD = CHECKOUT / "tests" / "engine" / "beloz" / "match.json"
PEOPLE = ["Ana", "Bo", "Cy", "Di"]
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
SETTLED = 500  # milliseconds until everything that a tap moved stands still
PLAYED = 4  # rounds of the match that is still going on


def tables_to_show(instance: Path) -> tuple[str, str]:
    """Play two matches of BeloZ, one to its end and one to its fifth round; return their addresses."""
    record = json.loads(RECORD.read_text("utf-8"))
    app = create_app(Settings.read({"COMPANION_INSTANCE": str(instance)}))
    migrations.migrate(app)
    addresses = []
    with app.app_context(), app.test_request_context():
        for events in (record["events"], record["events"][:PLAYED]):
            table = seating.create("Tuesday table", PEOPLE, None)
            number = entries.open_match(table.id, "beloz", PEOPLE, record["options"])
            match = db.session.scalars(select(Match).where(Match.table_id == table.id, Match.number == number)).one()
            seen = 0
            for event in events:
                entry = (decode_event(GAMES["beloz"], event),)
                seen = entries.record(match.id, entry, idempotency_key=secrets.token_hex(8), expected_seq=seen, player=0).seq
            addresses.append(f"/t/{table.play_token}/m/{number}")
    return addresses[0], addresses[1]


def take(page: Page, name: str) -> None:
    """Keep what the phone shows."""
    page.mouse.move(0, 0)
    page.screenshot(path=FOLDER / f"{name}.png", animations="disabled")
    picture, _, theme = name.rpartition("-")
    if picture in install.PICTURES and theme == "light":  # browsers show them before they install
        shutil.copy(FOLDER / f"{name}.png", CHECKOUT / "static" / "pictures" / f"{picture}.png")


def visit(browser: Browser, server: Server, ended: str, running: str, theme: Literal["light", "dark"]) -> None:
    """Take all pictures in one theme."""
    context = browser.new_context(
        base_url=server.url,
        viewport={"width": 390, "height": 844},
        has_touch=True,
        color_scheme=theme,
        reduced_motion="reduce",
        device_scale_factor=1.5,
    )
    page = context.new_page()
    page.goto(running.rpartition("/m/")[0])
    page.get_by_role("button", name="Ana").click()
    page.wait_for_url(f"**{running}")
    if theme == THEMES[0]:
        page.locator("#now").get_by_role("button", name="Bo").click()
        page.locator('[name=flooded][value="north"]').first.click()
        page.wait_for_url(f"**{running}")
    page.wait_for_timeout(SETTLED)
    page.goto(running)  # without what the last tap said
    take(page, f"match-{theme}")
    page.goto(f"{running}/count")
    for digit in "41":
        page.locator(f'[data-key="{digit}"]').click()
    page.locator("label.tile", has=page.locator('input[name=last][value="0"]')).click()
    page.wait_for_timeout(SETTLED)
    take(page, f"count-{theme}")
    page.goto(ended)
    take(page, f"ending-{theme}")
    context.close()


def main() -> None:
    """Take every picture anew."""
    path = chromium.find()
    if path is None:
        raise SystemExit(chromium.WHAT_TO_INSTALL)
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as instance:
        ended, running = tables_to_show(Path(instance))
        server = Server(Path(instance))
        server.start()
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=path, args=list(QUIET))
            for theme in THEMES:
                visit(browser, server, ended, running, theme)
            browser.close()
        server.stop()


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    main()
