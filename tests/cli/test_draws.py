"""Does the command line verify a match of Beluga Cup that the app drew for?"""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import Any

import pytest
from click.testing import CliRunner

from companion.cli import main

SUITS = ["moons", "suns", "waves", "leaves", "wyrms", "knots"]
SEED = bytes(range(32))
SEAL = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


def drawn(words: list[str], numbers: list[int]) -> list[str]:
    """Return the first fish out of a full bag for zones of these numbers, worked out as the seal's description says."""
    message = b"companion-bag/1" + b"".join(len(word.encode()).to_bytes(4, "big") + word.encode() for word in words)
    key = hmac.new(SEED, message, hashlib.sha256).digest()
    bag = [suit for suit in SUITS for _ in range(7)]
    fish = []
    for n in range(sum(numbers)):
        block = hmac.new(key, n.to_bytes(8, "big") + bytes(4), hashlib.sha256).digest()
        fitting = [byte for byte in block if byte < 256 - 256 % len(bag)]
        fish.append(bag.pop(fitting[0] % len(bag)))
    return fish


def match(words: list[str], **parts: Any) -> dict[str, Any]:
    fish = drawn(words, [1, 2, 3, 4])
    zones = [(1, fish[:1]), (2, fish[1:3]), (3, fish[3:6]), (4, fish[6:])]
    return {
        "format": "companion-record/1",
        "game": "beluga-cup",
        "players": ["Ana", "Bo"],
        "options": {"seal": SEAL, "words": words},
        "events": [{"type": "fill", "zone": zone, "fish": there, "drawn_by": "app"} for zone, there in zones],
        "seed": SEED.hex(),
        **parts,
    }


def verify(document: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    result = CliRunner().invoke(main, ["verify", "-"], input=json.dumps(document))
    printed: dict[str, Any] = json.loads(result.output)
    return result.exit_code, printed


@pytest.mark.parametrize("words", [[], ["Zoë", "fish"]])
def test_ten_fish_are_verified(words: list[str]) -> None:
    assert verify(match(words)) == (0, {"verified": 10, "seal": SEAL})


def test_fish_drawn_by_hand_are_not_checked() -> None:
    document = match([])
    document["events"][3] |= {"drawn_by": "hand", "fish": ["moons", "suns", "waves", "leaves"]}
    assert verify(document) == (0, {"verified": 6, "seal": SEAL})


def test_a_fish_that_was_not_drawn_is_found() -> None:
    document = match([])
    honest = document["events"][2]["fish"]
    document["events"][2]["fish"] = [next(suit for suit in SUITS if suit != honest[0]), *honest[1:]]
    status, answer = verify(document)
    assert (status, answer["error"]["event"]) == (2, 2)
    assert "Zone 3" in answer["error"]["message"]


@pytest.mark.parametrize(
    "parts",
    [
        {"seed": None},
        {"seed": bytes(32).hex()},
        {"options": {"words": []}},
        {"options": {"seal": "00" * 32, "words": []}},
    ],
)
def test_without_the_sealed_seed_nothing_is_verified(parts: dict[str, Any]) -> None:
    status, answer = verify(match([], **parts))
    assert (status, answer["error"]["event"]) == (2, None)


def test_another_word_makes_other_fish() -> None:
    status, answer = verify(match(["fish"], options={"seal": SEAL, "words": []}))
    assert (status, list(answer)) == (2, ["error"])
    assert answer["error"]["event"] is not None
