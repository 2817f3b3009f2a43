"""Does docs/architecture.md name what a tap passes until the entry is told, and is that little enough to read?"""

from __future__ import annotations

import re
import sys
from html import unescape
from pathlib import Path

import pytest

import companion
from companion.screens.beloz.round import CountPage
from companion.storage.hub import Hub
from tests.server import CHECKOUT
from tests.web.people import BelozPhone, says

MOST = 25
DOCUMENT = (CHECKOUT / "docs" / "architecture.md").read_text("utf-8")
(TRIP,) = re.findall(r"^## The trip of one tap$(.*?)^These are (\d+) files", DOCUMENT, re.DOTALL | re.MULTILINE)
NAMED = re.findall(r"`([\w/.-]+\.(?:py|js|html))`", TRIP[0])

# What a reader need not open: it answers every request alike, or is a value or a tool whose name says what it does
AROUND = {
    *("app.py", "settings.py", "web/guard/headers.py", "web/guard/addresses.py", "web/guard/counters.py", "storage/locks.py"),
    *("engine/text.py", "games.py", "storage/models.py", "storage/statements.py", "storage/faults.py"),
    *("screens/drafts.py", "engine/beloz/seats.py", "matches/draws.py", "engine/chain.py"),
}


@pytest.fixture
def at_match():
    return BelozPhone


def on_the_form(phone):
    """Open the count, and return the round that its form sends along."""
    return unescape(re.search(r'name="round" value="([^"]*)"', phone.open("/count").text)[1])


def test_the_files_are_there_and_few():
    assert len(NAMED) == len(set(NAMED)) == int(TRIP[1]) <= MOST
    assert [name for name in NAMED if not (CHECKOUT / name).exists()] == []


def test_a_tap_passes_no_others(phone, log):
    phone.take()
    draft = on_the_form(phone)
    folder = Path(companion.__file__).parent
    passed = set()
    told = False

    def note(frame, event, _arg):
        nonlocal told
        told = told or frame.f_code is Hub.tell.__code__
        file = Path(frame.f_code.co_filename)
        if event == "call" and not told and folder in file.parents and frame.f_code.co_name != "<module>":
            passed.add(file.relative_to(folder).as_posix())

    sys.setprofile(note)
    try:
        answer = phone.send("/count", round=draft, team="0", points="100", last="0")
    finally:
        sys.setprofile(None)
    assert answer.status_code == 303
    assert told
    assert len(log().entries) == 1
    named = {name.removeprefix("companion/") for name in NAMED if name.startswith("companion/")}
    assert passed - AROUND <= named
    assert named - passed <= {"storage/hub.py", "web/guard/csrf.py"}  # where it ends, and what tests go without


def test_its_form_is_read_once_also_when_it_is_sent_again(phone, log, monkeypatch):
    read = []
    outcome = CountPage.outcome
    monkeypatch.setattr(CountPage, "outcome", lambda page: (read.append(page), outcome(page))[1])
    phone.take()
    draft = on_the_form(phone)
    fields = {"round": draft, "team": "0", "points": "100", "last": "0", "idempotency_key": "tap"}
    assert phone.send("/count", **fields).status_code == 303
    assert phone.send("/count", **fields).status_code == 303
    assert len(read) == 2
    assert len(log().entries) == 1
    assert says(phone.open(), "Round 1 saved")
