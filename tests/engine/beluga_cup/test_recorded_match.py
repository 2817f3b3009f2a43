"""Does a whole match, with Courts, the Excuse and the app's draws, come to what was worked out by hand?"""

from __future__ import annotations

import copy
import json
import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.engine import fair_draw
from companion.engine.records import RecordError, answer_verify, read_record, replay_answer

HERE = Path(__file__).parent
RECORD: dict[str, Any] = json.loads((HERE / "match.json").read_text())
VERIFIER = HERE.parent / "fair_draw" / "independent_verifier.py"

# After which event a zone was eaten: zone, who ate, points of Ana and Bo, fish left in the bag (before the refill), whose turn.
# M S W L Y K: moons, suns, waves, leaves, wyrms, knots.
MEALS = [
    # 7ML 8YK = 15 to A.Y 5ML = 6. Ana has LMY.
    (16, 3, 0, [0, 0], 32, 1),
    # 5YK 7WY 9MS 3LY = 24 to A.M A.W 8WL and a Court of L and K, 4 x 2, = 18. Ana has 2M W 2L Y K; Bo, who lost, plays again.
    (20, 4, 0, [0, 0], 29, 1),
    # A Court of M (2 of the fish) 8, 4YK 2MK = 14 to 3SK 8MS 6MW = 17. Bo has 2M 1K: as many moons and knots as Ana.
    (31, 3, 1, [0, 0], 25, 0),
    # A Court of W 4, A.L = 5 to 5SW 2WL = 7. Bo adds LW: leaves 2 to 1 for Ana.
    (39, 2, 1, [1, 0], 22, 0),
    # 9WY = 9 to a Court of W = 4. Ana adds W: leaves 2 to 1, waves 2 to 1.
    (42, 1, 0, [2, 0], 20, 1),
    # 6LK, a Court of L and Y 8, 2SY = 16 to crown L, 7SK 4YK = 21. Bo adds SYL: leaves are 2 each now; waves 2 to 1 for Ana.
    (46, 3, 1, [1, 0], 19, 0),
    # 4MS 6SY crown M = 20 to crown Y, crown S, 3MW 5ML = 28. Bo adds 2M S Y: moons 4 to 2, wyrms 2 to 1 (suns 2 to 0).
    (48, 4, 1, [1, 3], 16, 0),
    # 8WL A.S = 9 to 3SK 6MW = 9: Ana placed the last card. She adds WS: waves 3 to 1; suns 2 to 1 for Bo.
    (56, 2, 0, [1, 4], 12, 1),
    # 3LY 2MK 9MS = 14 to 8MS 7ML 4YK = 19. Bo adds SKL: moons 2, suns 1, leaves 2, wyrms 1, knots 1 = 7.
    (70, 3, 1, [1, 7], 10, 0),
    # 6LK = 6 to 8YK and a Court of L 4 = 12. Bo adds KL: he has more of both already, so Ana's 2 and 1 count as before.
    (75, 2, 1, [1, 7], 7, 0),
    # 5SW 9WY = 14 to 3MW A.Y A.S = 5. Ana adds WSY: suns 3 to 2 for Bo (one more), wyrms 2 each (one less).
    (79, 3, 0, [1, 7], 5, 1),
    # 5YK, a Court of S and K (4 fish) 16, crown S = 31 to 9LK A.K 2SY 7SK = 19. Ana adds 2S 2K: suns 4 to 3 and waves 4 to 1
    # are hers, 3 + 1; moons 4 to 2 and leaves 4 to 2 are Bo's, 2 + 2; wyrms and knots are equal. 2 fish can't refill zone 4.
    (81, 4, 0, [4, 4], 2, 1),
]


def test_every_meal_of_the_match_is_as_worked_out_by_hand() -> None:
    meals = []
    record = read_record(json.dumps(RECORD))
    before = 0
    for index, (_, position) in enumerate(record.positions()):
        answer = replay_answer(position)
        eaten = [sum(fish.values()) for fish in answer["eaten"]]
        if sum(eaten) > before:
            event = RECORD["events"][index]
            eater = 1 - answer["turn"]  # the loser plays next
            meals.append((index, event["zone"], eater, answer["scores"], answer["bag"], answer["turn"]))
        before = sum(eaten)
    assert meals == MEALS


def test_the_match_ends_with_a_shared_cup() -> None:
    """4 points each, and 17 fish each."""
    position = read_record(json.dumps(RECORD)).replay()
    assert replay_answer(position) == {
        "game": "beluga-cup",
        "scores": [4, 4],
        "finished": True,
        "stopped": False,
        "winners": [0, 1],
        "zones": [
            {"fish": ["leaves"], "sides": [["4-waves-leaves"], []], "lacking": [{}, {"leaves": 1}]},
            {"fish": ["wyrms", "knots"], "sides": [["crown-wyrms"], ["crown-knots"]], "lacking": [{"knots": 1}, {"wyrms": 1}]},
            {"fish": ["wyrms", "waves", "wyrms"], "sides": [[], []], "lacking": [{"waves": 1, "wyrms": 2}] * 2},
            {"fish": [], "sides": [[], []], "lacking": [{}, {}]},
        ],
        "eaten": [
            {"moons": 2, "suns": 4, "waves": 4, "leaves": 2, "wyrms": 2, "knots": 3},
            {"moons": 4, "suns": 3, "waves": 1, "leaves": 4, "wyrms": 2, "knots": 3},
        ],
        "bag": 2,
        "turn": 1,
        "bag_suits": {"moons": 1, "waves": 1},
        "to_fill": [],
    }
    assert [(line.what, line.amounts) for line in position.standing().lines] == [
        ("Moons: 4 to 2, Bo scores 2", (0, 2)),
        ("Suns: 4 to 3, Ana scores 3", (3, 0)),
        ("Waves: 4 to 1, Ana scores 1", (1, 0)),
        ("Leaves: 4 to 2, Bo scores 2", (0, 2)),
        ("Wyrms: 2 each, so nobody scores", (0, 0)),
        ("Knots: 3 each, so nobody scores", (0, 0)),
        ("Equal points, and each ate 17 fish: a shared cup", (None, None)),
    ]


# Fills of the match: 10 fish at the start, then 3 4 3 2 1 3 4 2 3 2 3; the Excuse draws 3 more.
FISH_DRAWN = 10 + 30 + 3


def test_every_draw_follows_from_seed_and_words() -> None:
    seal = "c4cb3e6d7c281347f2c9b9b60da98ad43b010f0cc6ca3aaee78fe520fb653feb"
    assert RECORD["options"]["seal"] == seal
    assert answer_verify(json.dumps(RECORD)) == {"verified": FISH_DRAWN, "seal": seal}


def test_the_verifier_of_the_readme_finds_the_same() -> None:
    ran = subprocess.run([sys.executable, VERIFIER, HERE / "match.json"], capture_output=True, text=True, check=True)
    assert ran.stdout == f"{FISH_DRAWN} fish, each as seed and words draw it\n"


def _other_seed(record: dict[str, Any]) -> None:
    record["seed"] = "00" * 32


def _other_seed_sealed_anew(record: dict[str, Any]) -> None:
    record["seed"] = "00" * 32
    record["options"]["seal"] = fair_draw.seal(bytes(32))


def _other_seal(record: dict[str, Any]) -> None:
    record["options"]["seal"] = "00" * 32


def _other_word(record: dict[str, Any]) -> None:
    record["options"]["words"] = ["Pearl"]


def _one_word_more(record: dict[str, Any]) -> None:
    record["options"]["words"].append("pearl")


def _no_words(record: dict[str, Any]) -> None:
    del record["options"]["words"]


def _fish_in_another_order(record: dict[str, Any]) -> None:
    record["events"][1]["fish"].reverse()


def _another_fish(record: dict[str, Any]) -> None:
    record["events"][80]["fish"] = ["wyrms", "waves", "moons"]


def _zones_filled_in_another_order(record: dict[str, Any]) -> None:
    events = record["events"]
    events[2], events[3] = events[3], events[2]


def _another_swap(record: dict[str, Any]) -> None:
    record["events"][5]["drawn"] = ["moons", "leaves", "wyrms"]


def _a_draw_that_is_said_to_be_by_hand(record: dict[str, Any]) -> None:
    record["events"][0]["drawn_by"] = "hand"  # so the next fish would have been the first


@pytest.mark.parametrize(
    ("change", "event"),
    [
        (_other_seed, None),
        (_other_seed_sealed_anew, 0),
        (_other_seal, None),
        (_other_word, 0),
        (_one_word_more, 0),
        (_no_words, 0),
        (_fish_in_another_order, 1),
        (_another_fish, 80),
        (_zones_filled_in_another_order, 2),
        (_another_swap, 5),
        (_a_draw_that_is_said_to_be_by_hand, 1),
    ],
)
def test_whatever_is_changed_is_found_and_where(change: Callable[[dict[str, Any]], None], event: int | None) -> None:
    record = copy.deepcopy(RECORD)
    change(record)
    with pytest.raises(RecordError) as mismatch:
        answer_verify(json.dumps(record))
    assert mismatch.value.event == event
    with pytest.raises(AssertionError):
        runpy.run_path(str(VERIFIER))["check"](record)
