"""The server is stopped and started again while phones look on: they are told, and go on by themselves."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import Phones
from tests.server import Server


def test_phones_are_told_and_come_back_by_themselves(server: Server, phones: Phones) -> None:
    ana = phones()
    ana.goto("/tables/new?game=beloz")
    ana.get_by_label("Your name").fill("Ana")
    for number, name in enumerate(("Bo", "Cy", "Di"), start=1):
        ana.locator(f"#field-person_{number}").fill(name)
    ana.get_by_role("button", name="Sit down").click()
    expect(ana).to_have_url(re.compile(r"/t/"))
    ana.get_by_role("button", name="Start BeloZ").click()
    expect(ana).to_have_url(re.compile(r"/m/1$"))
    expect(ana.locator("[data-live-dot]").first).not_to_have_class(re.compile("off"))
    assert server.stop() == 0
    expect(ana.locator("#offline")).to_contain_text("Companion was stopped. Everything is saved")
    expect(ana.locator("[data-live-dot]").first).to_have_class(re.compile("off"))
    server.start()
    expect(ana.locator("#offline")).to_be_empty(timeout=30_000)
    expect(ana.locator("[data-live-dot]").first).not_to_have_class(re.compile("off"))
