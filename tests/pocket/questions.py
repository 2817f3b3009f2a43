"""What is the engine asked in a phone? Every record and look-up of its tests, and dealt hands, some of which are refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from companion.engine.beloz.cards import CARDS, PLAINS
from companion.engine.decktet import BASIC, SUITS
from companion.engine.decktet import CARDS as DECKTET
from tests.engine.records.five_games import LOOK_UPS, MATCHES

ENGINE = Path(__file__).resolve().parents[1] / "engine"
DEALS = 300  # of each kind of look-up
WHALES = (1, 2, 3, 4, 5, 6, 10)


def questions() -> Iterator[tuple[str, str]]:
    """Yield each question as JSON, behind the door that it goes to."""
    documents = [json.loads(file.read_text("utf-8")) for file in sorted(ENGINE.glob("*/match.json"))]
    for document in [*documents, *(document for document, _ in MATCHES)]:
        for upto in range(len(document["events"]) + 1):
            part = {**document, "events": document["events"][:upto]}
            yield "replay", json.dumps({**part, "seed": None} if "seed" in part else part)
        if "seed" in document:
            yield "verify", json.dumps(document)
    chance = Random(15)
    for look_up in [*(question for question, _ in LOOK_UPS), *(deal(chance) for _ in range(DEALS) for deal in DEALT)]:
        yield "legal", json.dumps(look_up)


def beloz(chance: Random) -> dict[str, Any]:
    cards = chance.sample(CARDS, 12)
    lead, played = chance.randrange(4), chance.randrange(4)
    table = [{"player": (lead + turn) % 4, "card": cards[turn]} for turn in range(played)]
    plain = chance.choice(PLAINS)
    return {"game": "beloz", "flooded": plain, "expedition": table, "player": (lead + played) % 4, "hand": cards[4:]}


def declarations(chance: Random) -> dict[str, Any]:
    plain = chance.choice(PLAINS)
    near = [card for card in CARDS if plain in card] + chance.sample(CARDS, 8)  # runs are rare else
    return {
        "game": "beloz",
        "ask": "declarations",
        "flooded": plain,
        "hand": chance.sample(sorted(set(near)), 8),
    }


def beluga_cup(chance: Random) -> dict[str, Any]:
    deck, among = chance.choice([("basic", [card.id for card in BASIC]), ("courts", list(DECKTET))])
    cards = chance.sample(among, 18)
    zones = [
        {"fish": [chance.choice(SUITS) for _ in range(zone + 1)], "sides": [cards[zone : zone + 1], cards[zone + 4 : zone + 5]]}
        for zone in range(4)
    ]
    return {"game": "beluga-cup", "player": chance.randrange(2), "hand": cards[12:], "zones": zones, "deck": deck}


def trick(chance: Random) -> dict[str, Any]:
    return {"game": "bisque", "trick": chance.sample([card.id for card in BASIC], 3)}


def goals(chance: Random) -> dict[str, Any]:
    return {"game": "bisque", "hand": chance.sample([card.id for card in BASIC], 12)}


def rivals(chance: Random) -> dict[str, Any]:
    packs = [
        {"top": chance.choice(WHALES), "mine": chance.randrange(4), "theirs": chance.randrange(4), "theirs_hidden": 0}
        for _ in range(3)
    ]
    for pack in packs:
        pack["theirs_hidden"] = chance.randrange(pack["theirs"] + 1)
    hand = [chance.choice([*WHALES, "turtle"]) for _ in range(chance.randrange(1, 6))]
    return {"game": "rivals", "hand": hand, "actions": chance.randrange(3), "packs": packs}


def what_the_fish(chance: Random) -> dict[str, Any]:
    hand = [chance.randrange(1, 21) for _ in range(chance.randrange(8))]
    already = chance.randrange(20)
    numbers = {"to_beat": max(1, already + chance.randrange(-2, 30)), "already": already}
    return {"game": "what-the-fish", "ask": chance.choice(["kill", "protect"]), **numbers, "hand": hand}


DEALT = (beloz, declarations, beluga_cup, trick, goals, rivals, what_the_fish)
