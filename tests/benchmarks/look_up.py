"""How long a look-up takes ("May I?") against a bare Flask page: by a program over the API, and by a page's script.

    python -m tests.benchmarks look_up

Every figure is processor time, a median over many requests in one process, without the network. The aim is a ratio of one and
a half at most.
"""

from __future__ import annotations

import json
import statistics
import tempfile
import time
from collections.abc import Callable
from urllib.parse import urlencode

from flask.testing import FlaskClient

from companion.app import create_app
from companion.settings import Settings
from companion.storage import migrations
from tests.benchmarks.bare import bare_page

REQUESTS = 200
WARM_UP = 30
TURNS = 5  # the figures take turns, so that a busy machine slows all of them alike
AIM = 1.5

FORM = "application/x-www-form-urlencoded"
TABLE = ["north-leopard", "north-monkey", "east-meerkat"]
HAND = ["south-crocodile", "south-elephant", "east-lion", "east-rhinoceros", "west-water-snake", "west-monkey"]
CARDS = ["2-suns-wyrms", "crown-moons", "3-moons-waves", "ace-suns", "5-moons-leaves", "9-leaves-knots"]
FISH = [["moons"], ["suns", "waves"], ["leaves", "leaves", "wyrms"], ["knots", "knots", "moons", "wyrms"]]
TRICK = ["5-moons-leaves", "9-moons-suns", "2-moons-knots"]
TOPS = [5, 1, 10]

# What a phone sends of each game, and the same question as a program asks it.
TYPED: dict[str, dict[str, object]] = {
    "beloz": {"subject": "play", "to": "hand", "flooded": "south", "table": TABLE, "hand": HAND},
    "beluga-cup": {**{f"f{number}": fish for number, fish in enumerate(FISH, 1)}, "hand": CARDS},
    "bisque": {"subject": "trick", "trick": TRICK},
    "rivals": {**{f"top{number}": top for number, top in enumerate(TOPS, 1)}, "hand": ["3", "5", "turtle"]},
    "what-the-fish": {"to_beat": "11", "already": "9", "hand": ["4", "6", "13"]},
}
QUESTIONS: dict[str, dict[str, object]] = {
    "beloz": {
        "flooded": "south",
        "expedition": [{"player": player, "card": card} for player, card in enumerate(TABLE)],
        "player": 3,
        "hand": HAND,
    },
    "beluga-cup": {"player": 0, "hand": CARDS, "zones": [{"fish": fish, "sides": [[], []]} for fish in FISH]},
    "bisque": {"trick": TRICK},
    "rivals": {
        "hand": [3, 5, "turtle"],
        "actions": 2,
        "packs": [{"top": top, "mine": 0, "theirs": 0, "theirs_hidden": 0} for top in TOPS],
    },
    "what-the-fish": {"ask": "kill", "to_beat": 11, "already": 9, "hand": [4, 6, 13]},
}


def median(work: Callable[[], None]) -> float:
    """Return the microseconds of processor that the work takes, the median of many times."""
    taken = []
    for _ in range(WARM_UP + REQUESTS):
        begun = time.thread_time()
        work()
        taken.append(time.thread_time() - begun)
    return statistics.median(taken[WARM_UP:]) * 1e6


def asked(client: FlaskClient, path: str, body: bytes, content_type: str) -> Callable[[], None]:
    """Return a request that is answered; complain if it is not."""
    answer = client.post(path, data=body, content_type=content_type)
    if answer.status_code != 200:
        raise RuntimeError(f"{answer.status_code}: no answer\n{answer.text}")
    return lambda: client.post(path, data=body, content_type=content_type).close()


def main() -> None:
    """Print a line a figure, the best of several turns."""
    works = {"bare Flask page": bare_page()}
    with tempfile.TemporaryDirectory() as name:
        app = create_app(Settings.read({"COMPANION_INSTANCE": name}), {"RATELIMIT_ENABLED": False, "TESTING": False})
        migrations.migrate(app)
        client = app.test_client()
        for game, typed in TYPED.items():
            body = urlencode({"ask": "preview", **typed}, doseq=True).encode()
            works[f"{game} by a page's script"] = asked(client, f"/may-i/{game}", body, FORM)
        for game, question in QUESTIONS.items():
            body = json.dumps({"game": game, **question}).encode()
            works[f"{game} over the API"] = asked(client, "/api/v1/legal", body, "application/json")
        turns = [{what: median(work) for what, work in works.items()} for _ in range(TURNS)]
    for what in works:
        ratio = statistics.median(turn[what] / turn["bare Flask page"] for turn in turns)
        aim = "" if what == "bare Flask page" else f"    ratio {ratio:5.2f}    (aim: at most {AIM})"
        print(f"{what:33} {min(turn[what] for turn in turns):8.0f} us{aim}")
