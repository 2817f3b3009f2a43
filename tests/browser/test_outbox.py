"""What a phone keeps of entries that can't be sent: in its database, taken over from before, and said where that fails."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import Phones
from tests.browser.people import kept_keys
from tests.browser.test_taps import sit_down_to_bisque, trick
from tests.server import Server

FORBIDDEN = "Object.defineProperty(window, 'indexedDB', { get: () => undefined })"
FULL = "IDBObjectStore.prototype.put = () => { throw new DOMException('no room', 'QuotaExceededError') }"
# an entry as versions before kept it, made on the page in sight
BEFORE = """(card) => {
  const form = document.getElementById("trick");
  const body = new URLSearchParams(new FormData(form));
  body.set("by", "1");
  body.set("card", card);
  const text = body.toString().replace("idempotency_key=", "key=").replace("expected_seq=", "seen=");
  localStorage.setItem("companion:outbox", JSON.stringify([{ url: form.action, body: text, what: "Trick 1" }]));
}"""


def at_bisque(phones: Phones, script: str = "") -> Page:
    page = phones()
    if script:
        page.add_init_script(script)
    sit_down_to_bisque(page)
    expect(page.locator("[data-live-dot]")).not_to_have_class(re.compile(r"\boff\b"))
    return page


def test_storage_that_is_forbidden_full_or_deleted_is_said_and_nothing_is_lost(server: Server, phones: Phones) -> None:
    several = {name: at_bisque(phones, script) for name, script in (("no", FORBIDDEN), ("full", FULL), ("deleted", ""))}
    server.stop()
    for page in several.values():
        trick(page, 1, 1, "8-waves-leaves")
        expect(page.locator(".pending-row")).to_have_text("Trick 1 of hand 1 waiting")
    expect(several["no"].locator("#offline")).to_contain_text("This browser keeps nothing here. Leave this page open")
    expect(several["full"].locator("#offline")).to_contain_text("This phone's storage is full. Leave this page open")
    line = several["deleted"].context.new_cdp_session(several["deleted"])
    line.send("Storage.clearDataForOrigin", {"origin": server.url.rstrip("/"), "storageTypes": "indexeddb"})
    trick(several["deleted"], 2, 0, "ace-moons")
    expect(several["deleted"].locator(".pending-row")).to_have_count(2)
    assert len(kept_keys(several["deleted"])) == 2
    server.start()
    for name, page in several.items():
        expect(page.locator("#offline")).to_be_empty()
        expect(page.locator(".pot")).to_have_attribute("aria-label", f"The pot: {1 + (name == 'deleted')} of 11 cards")


def test_what_waited_before_an_update_is_sent_once(phones: Phones) -> None:
    page = at_bisque(phones)
    page.evaluate(BEFORE, "8-waves-leaves")
    page.reload()
    expect(page.locator(".pot")).to_have_attribute("aria-label", "The pot: 1 of 11 cards")
    page.reload()
    assert page.evaluate("localStorage.getItem('companion:outbox')") is None
    assert kept_keys(page) == set()
    expect(page.locator("#trick-title")).to_have_text("Who won trick 2?")


def test_two_pages_of_one_phone_know_what_waits(server: Server, phones: Phones) -> None:
    page = at_bisque(phones)
    other = page.context.new_page()
    other.goto(page.url)
    server.stop()
    trick(page, 1, 1, "8-waves-leaves")
    expect(other.locator(".pending-row")).to_have_text("Trick 1 of hand 1 waiting")
    other.evaluate("""() => {
      const now = Date.now;
      Date.now = () => now() + 25 * 3_600_000; // a day later
      document.dispatchEvent(new Event("companion:outbox"));
    }""")
    expect(other.locator("#offline")).to_contain_text("Unsent since")
    expect(page.locator("#offline")).not_to_contain_text("Unsent since")
    server.start()
    for each in (page, other):
        expect(each.locator(".pot")).to_have_attribute("aria-label", "The pot: 1 of 11 cards")
        expect(each.locator("#offline")).to_be_empty()
