"""What do phones that look on see when the server is stopped and started again? They are told, and go on by themselves."""

from __future__ import annotations

import os
import re
import signal

from playwright.sync_api import expect

from tests.browser.conftest import Phones
from tests.browser.people import begin_match
from tests.server import Server


def test_a_line_that_died_is_noticed_within_thirteen_seconds(server: Server, phones: Phones) -> None:
    ana = phones(new=True)
    ana.clock.install()
    ana.goto("/tables/new?game=beloz")
    ana.get_by_label("Your name").fill("Ana")
    ana.get_by_role("button", name="Sit down").click()
    expect(ana).to_have_url(re.compile(r"/t/"))
    lamp = ana.locator("[data-live-dot]").first
    expect(lamp).not_to_have_class(re.compile("off"))
    os.kill(server.pid, signal.SIGSTOP)  # nothing is closed, and nothing comes any more
    try:
        ana.clock.fast_forward(7_000)
        expect(lamp).not_to_have_class(re.compile("off"))
        ana.clock.fast_forward(3_100)
        expect(lamp).to_have_class(re.compile("off"))
        expect(ana.locator("#offline")).to_contain_text("No connection.", timeout=5000)  # it was asked, and waited for 3 s
    finally:
        os.kill(server.pid, signal.SIGCONT)
    expect(lamp).not_to_have_class(re.compile("off"))


def test_phones_are_told_and_come_back_by_themselves(server: Server, phones: Phones) -> None:
    ana = phones()
    begin_match(ana, "beloz", "Ana", "Bo", "Cy", "Di")
    with ana.expect_response(lambda answer: answer.request.resource_type == "eventsource"):
        ana.reload()
    expect(ana.locator("[data-live-dot]").first).not_to_have_class(re.compile("off"))
    assert server.stop() == 0
    expect(ana.locator("#offline")).to_contain_text("Companion is restarting. Everything is saved")
    expect(ana.locator("[data-live-dot]").first).to_have_class(re.compile("off"))
    server.start()
    expect(ana.locator("#offline")).to_be_empty(timeout=30_000)
    expect(ana.locator("[data-live-dot]").first).not_to_have_class(re.compile("off"))
