"""Everything works in a phone without a server: five games to their end, undo, corrections, look-ups, rules, bags, records."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from companion.engine import records
from companion.engine.beloz.cards import ANIMALS
from companion.engine.beluga_cup.events import Play
from companion.engine.core import Position, RuleError
from companion.engine.decktet import BASIC
from companion.games import PLUGINS
from tests.browser.conftest import Phones
from tests.pocket.in_phone import InPhone, MatchInPhone
from tests.pocket.test_in_phone import READY, take_along
from tests.server import Server
from tests.web.people import says, words

ENGINE = Path(__file__).resolve().parents[1] / "engine"


@pytest.fixture
def phone(people: Phones, server: Server) -> InPhone:
    """A phone that has taken Companion along, and is far from any server now."""
    page: Page = people(keeps_pages=True)
    take_along(page)
    server.stop()
    page.goto("/pocket/")
    page.get_by_role("link", name="Tables with other phones").wait_for(timeout=READY)
    return InPhone(page)


def beloz(match: MatchInPhone, event: dict[str, Any]) -> None:
    """Tap who took it, the plain, what was announced; then count."""
    if event["type"] == "passed-deal":
        match.send("/who", tap="passed-deal")
        return
    match.send("/who", tap=f"bidder:{event['bidder']}")
    match.send("/who", flooded=event["flooded"])
    for place, declared in enumerate(event["declarations"]):
        speaker = str(declared["player"])
        if declared["kind"] == "quads":
            match.send("/declarations", speaker=speaker, quads=declared["animal"])
        else:  # a tap on the highest takes three, one on a lower card takes all from there
            for number in dict.fromkeys((declared["highest"], declared["lowest"])):
                if number != declared["highest"] - 2:
                    match.send("/declarations", speaker=speaker, card=f"{declared['plain']}-{ANIMALS[number - 1]}")
        if not declared.get("shown", True):
            match.send("/declarations", tap=f"shown:{place}")
    if event.get("beloz") is not None:
        match.send("/declarations", speaker=str(event["beloz"]), tap="beloz")
    count = {name: str(value) for name, value in event["count"].items() if value is not None}
    match.send("/count", **count, last=str(event["last_expedition"]), round=match.field("/count", "round"))


def bisque(match: MatchInPhone, event: dict[str, Any]) -> None:
    """Enter a trick, or turn the goals up one by one and save them."""
    if event["type"] == "pot":
        match.send("/hand", by="none" if event["by"] is None else str(event["by"]), card=event["card"])
        return
    for cook, goal in enumerate(event["goals"]):
        match.send("/hand", who=str(cook), goal=goal)
    match.send("/hand", save=",".join(event["goals"]))


def rivals(match: MatchInPhone, event: dict[str, Any]) -> None:
    """Enter a round, or the final count."""
    if event["type"] == "count":
        match.send("/count", **{f"grey-{side}": " ".join(map(str, values)) for side, values in enumerate(event["grey"])})
        return
    packs = enumerate(event["packs"])
    whales = {f"whales-{pack}-{side}": " ".join([*map(str, v), "."]) for pack, both in packs for side, v in enumerate(both)}
    match.send("/round", what="round", ended_by="none" if event["ended_by"] is None else str(event["ended_by"]), **whales)


def what_the_fish(match: MatchInPhone, event: dict[str, Any]) -> None:
    """Play a card, or end the swim."""
    kind, who = event["type"], str(event.get("player", ""))
    if kind == "swim":
        match.send("/play", tap=f"fish:{who}", value=str(event["rank"]))
    elif kind in {"kill", "protect"}:
        match.send("/play", tap=f"{kind}:{who}", value=str(event["value"]))
    elif kind in {"dead", "free"}:
        match.send("/play", tap=kind, value="")
    elif kind == "flint-flush":
        match.send("/flush", tap=f"who:{who}")
    else:
        card = event.get("card", "beaver-buddha")
        asked = [(part, str(event[part])) for part in ("target", "to") if event.get(part) is not None]
        *chosen, (part, value) = [("card", card), *asked]
        match.send("/wtf", who=who, **dict(chosen), tap=f"{part}:{value}")


ENTER = {"beloz": beloz, "bisque": bisque, "rivals": rivals, "what_the_fish": what_the_fish}


def position(match: MatchInPhone) -> Position[Any]:
    """How the match stands, by its record."""
    return records.read_record(json.dumps(match.record())).replay()


def play_recorded(phone: InPhone, folder: str) -> MatchInPhone:
    """Enter what a record of the engine's tests has, event by event; what leaves the phone is that record."""
    document = json.loads((ENGINE / folder / "match.json").read_text("utf-8"))
    options = {name: str(value) for name, value in document["options"].items()}
    match = phone.begin(document["game"], document["players"], **options)
    for event in document["events"]:
        ENTER[folder](match, event)
    theirs, ours = records.read_record(json.dumps(match.record())), records.read_record(json.dumps(document))
    assert tuple(theirs.events()) == tuple(ours.events())
    assert theirs.replay().standing().scores == ours.replay().standing().scores
    return match


def cup_play(cup: Position[Any]) -> dict[str, str] | None:
    """The first card that fits somewhere on the side of whoever plays, as the form sends it."""
    player = cup.state.turn
    for zone in (4, 3, 2, 1):
        for card in BASIC:
            try:
                cup.apply(Play(player=player, zone=zone, side=player, cards=(card.id,)))
            except RuleError:
                continue
            return {"zone": str(zone), "side": str(player), "card": card.id}
    return None


def play_cup(phone: InPhone) -> MatchInPhone:
    """A cup with every card entered, and every fish drawn out of a sealed bag."""
    match = phone.begin("beluga-cup", ("Ana", "Bo"), cards="tracked", deck="basic", fish_per_suit="7")
    match.send("/seal", word="pearl")
    while not (now := position(match)).finished:
        card = cup_play(now) if now.state.ready else None
        if not now.state.ready:
            match.send("/fish", by="app")
        elif card is None:
            match.send("/discard", kind="discard", cards="0")
        else:
            match.send("/play", **card)
    return match


def undo_and_redo(match: MatchInPhone) -> None:
    """The newest entry is taken back and brought back, and all stands as before."""
    before = match.record()["events"]
    match.send("/undo", sure="1")
    assert len(match.record()["events"]) < len(before)
    match.send("/undo", sure="1", of=match.seen)
    assert match.record()["events"] == before


def test_five_games_are_played_to_their_end_without_a_server(phone: InPhone) -> None:
    for folder in ENTER:
        match = play_recorded(phone, folder)
        assert position(match).finished
        undo_and_redo(match)
    cup = play_cup(phone)
    cup.send("/seal/seed")
    assert says(cup.open("/seal"), "Every draw is right")
    assert records.answer_verify(json.dumps(cup.record()))["verified"] > 10


def test_a_correction_in_the_phone_moves_what_follows(phone: InPhone) -> None:
    match = phone.begin("beloz", ("Ana", "Bo", "Cy", "Di"))
    for points in (98, 90):
        count = {"team": 0, "points": points}
        beloz(
            match, {"type": "round", "bidder": 0, "flooded": "south", "count": count, "last_expedition": 0, "declarations": []}
        )
    typed = {"round": match.field("/entries/1", "round"), "team": "0", "points": "60", "last": "0"}
    assert says(match.send("/entries/1", **typed, ask="preview").text, "What changes")
    match.send("/entries/1", **typed)
    assert position(match).standing().scores == (100, 163 + 63)


def test_look_ups_practice_and_rules_are_in_the_phone(phone: InPhone) -> None:
    for slug, plugin in PLUGINS.items():
        calculators = [f"/pocket/calculate/{slug}?what={what}" for what in plugin.calculators]
        for path in (f"/pocket/may-i/{slug}", f"/pocket/rules/{slug}", *calculators):
            page = phone.get(path)
            assert page.status == 200, path
            assert says(page.text, "In this phone"), path
    hand = {"ask": "preview", "look": "play", "to": "hand", "flooded": "south", "table": "north-leopard"}
    assert says(phone.post("/pocket/may-i/beloz", **hand, hand="north-lion").text, "you must provide North")
    exercise = phone.get("/pocket/practice/beloz")
    assert exercise.path == "/pocket/practice/beloz/1"
    card = re.findall(r'name="card"[^>]*value="([^"]*)"', exercise.text)[0]
    assert re.search("[01] of 1 right", words(phone.post(exercise.path, card=card).text))
    assert 'lang="fr"' in phone.post("/pocket/language", language="fr", back="/pocket/").text
