"""An evening of several games at one table: BeloZ, then What the Fish!, then Rivals for two of the four."""

from __future__ import annotations

from urllib.parse import urlsplit

from playwright.sync_api import Page, expect

from tests.browser.conftest import Phones
from tests.browser.looks import axe, fits, shot
from tests.browser.people import say_who


def choose(page: Page, title: str) -> None:
    """Pick the next game at the table."""
    page.locator("#games").get_by_role("button", name=title).click()
    expect(page.get_by_role("button", name=f"Start {title}")).to_be_visible()


def test_three_games_one_after_the_other(phones: Phones) -> None:
    ana, bo = phones(), phones()
    ana.goto("/tables/new?game=beloz")
    for seat, name in enumerate(("Ana", "Bo", "Cy", "Di")):
        ana.locator(f"[name=person_{seat}]").fill(name)
    ana.get_by_role("button", name="Sit down").click()
    ana.wait_for_url("**/table")
    table = urlsplit(ana.url).path
    bo.goto(table.removesuffix("/table"))
    say_who(bo, "Bo")

    # BeloZ to 100: one round is enough
    ana.get_by_text("House rules").click()
    ana.get_by_label("The match goes to").fill("100")
    ana.get_by_role("button", name="Start BeloZ").click()
    ana.wait_for_url("**/m/1")
    bo.wait_for_url("**/m/1")  # the lobby takes its phones along
    ana.locator("#now").get_by_role("button", name="Ana", exact=True).click()
    ana.wait_for_url("**/who")
    ana.locator('[name=flooded][value="south"] .plain-sign').click()
    ana.wait_for_url("**/m/1")
    ana.get_by_role("link", name="Count round 1").click()
    for digit in "98":
        ana.locator(f'[data-key="{digit}"]').click()
    ana.locator("label.tile", has=ana.locator('input[name=last][value="0"]')).click()
    ana.get_by_role("button", name="Save round 1").click()
    expect(bo.locator("#ending")).to_contain_text("Ana & Cy win")

    # What the Fish! for the same four
    bo.goto(table)
    ana.goto(table)
    expect(ana.locator("#played")).to_contain_text("Last time: BeloZ, Ana & Cy won, 108 to 55")
    choose(ana, "What the Fish!")
    ana.get_by_role("button", name="Start What the Fish!").click()
    ana.wait_for_url("**/m/2")
    bo.wait_for_url("**/m/2")
    for tap, digits in (("fish:0", "8"), ("kill:1", "9"), ("dead", ""), ("fish:3", "12"), ("free", "")):
        if digits:
            ana.locator("#value").fill(digits)
        ana.locator(f'#entry [name=tap][value="{tap}"]').click()
        expect(ana.locator("#toasts")).to_contain_text(f" {digits}" if digits else tap)
    expect(bo.locator("#ending")).to_contain_text("Bo wins")

    # Rivals for two of them, which is stopped after a round
    ana.goto(table)
    choose(ana, "Rivals")
    expect(ana.get_by_text("Who plays? Rivals is for 2.")).to_be_visible()
    for name in ("Ana", "Bo"):
        ana.locator("label.tile", has_text=name).locator("input").set_checked(False, force=True)
    for name in ("Cy", "Di"):
        ana.locator("label.tile", has_text=name).locator("input").set_checked(True, force=True)
    ana.get_by_role("button", name="Start Rivals").click()
    ana.wait_for_url("**/m/3")
    bo.goto(table)
    expect(bo.locator("#running")).to_contain_text("Rivals has started")
    expect(bo.locator("#running")).to_contain_text("Cy and Di")

    # all of it on one page
    bo.goto(f"{table.removesuffix('/table')}/matches")
    rows = bo.locator("#matches .match-row")
    expect(rows).to_have_count(3)
    expect(rows.nth(0)).to_contain_text("Rivals, being played")
    expect(rows.nth(0)).to_contain_text("Cy and Di play")
    expect(rows.nth(1)).to_contain_text("Bo's fish of 12 swam free, 1 fish died")
    expect(rows.nth(2)).to_contain_text("Ana & Cy won, 108 to 55")
    expect(bo.locator("#wins")).to_contain_text("Ana, Cy and Bo lead with 1 match won each.")
    told = [" ".join(row.split()) for row in bo.locator(".wins tbody tr").all_inner_texts()]
    assert sorted(told) == ["Ana 1 of 2 0 1", "Bo 1 of 2 1 0", "Cy 1 of 2 0 1", "Di 0 of 2 0 0"]
    axe(bo)
    shot(bo, "evening")
    bo.set_viewport_size({"width": 320, "height": 568})
    fits(bo)

    # the match that is being stopped is seen there at once, and earlier ones stay open to look at
    ana.locator("summary[aria-label^='More']").click()
    ana.get_by_role("button", name="Stop the match here").click()
    expect(rows.nth(0)).to_contain_text("stopped")
    rows.nth(1).click()
    expect(bo.locator("#ending")).to_contain_text("Bo wins")
