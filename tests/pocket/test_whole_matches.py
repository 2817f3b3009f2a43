"""Does everything work in a phone without a server? All games to their end, undo, look-ups, rules, bags, records."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.engine import records
from companion.engine.core import Position
from companion.engine.exercises import EXERCISES, of_day
from companion.games import PLUGINS
from tests.browser.conftest import Phones
from tests.browser.test_beloz_table import play_round
from tests.five import FIVE
from tests.pocket.in_phone import InPhone, MatchInPhone
from tests.pocket.test_in_phone import READY, take_along
from tests.server import Server
from tests.web.people import says, words
from tests.whole_matches import ENTER, cup, recorded


@pytest.fixture
def page(people: Phones, server: Server) -> Page:
    """Return the home page of a phone that has taken Companion along, and is far from any server now."""
    page: Page = people(keeps_pages=True)
    take_along(page)
    server.stop()
    page.goto("/pocket/")
    page.get_by_role("link", name="Shared tables").wait_for(timeout=READY)
    return page


@pytest.fixture
def phone(page: Page) -> InPhone:
    """Return what asks that phone."""
    return InPhone(page)


def position(match: MatchInPhone) -> Position[Any]:
    """Return how the match stands, by its record."""
    return records.read_record(json.dumps(match.record())).replay()


def play_recorded(phone: InPhone, folder: str) -> MatchInPhone:
    """Enter what a record of the engine's tests has, event by event; what leaves the phone is that record."""
    document = recorded(folder)
    options = {name: str(value) for name, value in document["options"].items()}
    match = phone.begin(document["game"], document["players"], **options)
    for event in document["events"]:
        ENTER[folder](match, event)
    theirs, ours = records.read_record(json.dumps(match.record())), records.read_record(json.dumps(document))
    assert tuple(theirs.events()) == tuple(ours.events())
    assert theirs.replay().standing().scores == ours.replay().standing().scores
    return match


def play_cup(phone: InPhone) -> MatchInPhone:
    """Play a cup with every card entered, and every fish drawn out of a sealed bag."""
    match = phone.begin("beluga-cup", ("Ana", "Bo"), cards="tracked", deck="basic", fish_per_suit="7")
    match.send("/seal", word="pearl")
    cup(match, lambda: position(match))
    return match


def play_sheets(phone: InPhone) -> None:
    """Bid and count a round of Skull King, then fill a sheet of one's own, which is made there too."""
    match = phone.begin("sheet", ("Ana", "Bo", "Cy"), preset="skull-king")
    match.send("/row", **{"c0-bid": "1", "c1-bid": "0", "c2-bid": "0"})
    match.send("/row", **{"c0-tricks": "1", "c1-tricks": "0", "c2-tricks": "0"})
    assert position(match).standing().scores == (20, 10, 10)  # 20 a trick that was bid, 10 a card for a bid of 0
    undo_and_redo(match)
    made = phone.post("/pocket/more/make", name="Sevens", wins="lowest", ends="at", limit="9", column="Points")
    assert says(made.text, "The lowest total wins.")
    match = phone.begin("sheet", ("Ana", "Bo"), sheet=re.findall(r'name="s"\s+value="([^"]*)"', made.text)[0])
    match.send("/row", **{"c0-column-1": "10", "c1-column-1": "7"})
    assert position(match).finished
    assert position(match).standing().winners == (1,)


def undo_and_redo(match: MatchInPhone) -> None:
    """Undo the newest entry and redo it; all stands as before."""
    before = match.record()["events"]
    match.send("/undo", sure="1")
    assert len(match.record()["events"]) < len(before)
    match.send("/undo", sure="1", of=match.seen)
    assert match.record()["events"] == before


def test_all_games_are_played_to_their_end_without_a_server(phone: InPhone) -> None:
    for folder in ENTER:
        match = play_recorded(phone, folder)
        assert position(match).finished
        undo_and_redo(match)
    play_sheets(phone)
    cup = play_cup(phone)
    cup.send("/seal/seed")
    assert says(cup.open("/seal"), "Every draw is right")
    assert records.answer_verify(json.dumps(cup.record()))["verified"] > 10


def test_the_other_side_agrees_and_corrects_on_the_one_phone(page: Page, phone: InPhone) -> None:
    match = phone.begin("beloz", ("Ana", "Bo", "Cy", "Di"), agrees="1")
    page.goto(match.link)
    asked, toast = page.locator(".asked"), page.locator("#toasts")
    play_round(page, "Ana", "north", "98")
    expect(asked).to_contain_text("Ana entered 98. Right?")
    asked.get_by_role("button", name="Bo and Di agree").tap()
    expect(toast).to_contain_text("Bo agrees: round 1")
    expect(asked).to_be_hidden()
    play_round(page, "Ana", "north", "90")
    asked.get_by_role("button", name="No").tap()
    expect(page.locator("#other-version")).to_contain_text("Ana says: Round 2, 90 for Ana & Cy")
    match.page = match.open()
    typed = {"round": match.field("/entries/1", "round"), "team": "0", "points": "60", "last": "0"}
    assert says(match.send("/entries/1", **typed, ask="preview").text, "What changes")
    match.send("/entries/1", **typed)
    assert position(match).standing().scores == (100, 163 + 63)


def test_look_ups_practice_and_rules_are_in_the_phone(phone: InPhone) -> None:
    for slug in FIVE:
        calculators = [f"/pocket/calculate/{slug}?what={what}" for what in PLUGINS[slug].calculators]
        for path in (f"/pocket/may-i/{slug}", f"/pocket/rules/{slug}", *calculators):
            page = phone.get(path)
            assert page.status == 200, path
            assert says(page.text, "On this phone"), path
    hand = {"ask": "preview", "subject": "play", "to": "hand", "flooded": "south", "table": "north-leopard"}
    assert says(phone.post("/pocket/may-i/beloz", **hand, hand="north-lion").text, "you must provide North")
    exercise = phone.get("/pocket/practice/beloz")
    assert exercise.path == "/pocket/practice/beloz/1"
    card = re.findall(r'name="card"[^>]*value="([^"]*)"', exercise.text)[0]
    assert re.search("[01] of 1 right", words(phone.post(exercise.path, card=card).text))
    game, number = of_day(214)
    exercise = EXERCISES[game](number)
    names = {
        option.key: f"one-{place}" if group.one else "card"
        for place, group in enumerate(exercise.groups)
        for option in group.options
    }
    answer = [(names[key], key) for key in exercise.right]
    assert 'data-right="1"' in phone.post("/pocket/daily/214", *answer).text  # the same question as on every server
    assert 'lang="fr"' in phone.post("/pocket/language", language="fr", back="/pocket/").text
