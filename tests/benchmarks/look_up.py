"""How long a look-up takes ("May I?") against a bare Flask page: by a program over the API, and by a page's script.

    python -m tests.benchmarks look_up

Every figure is a median over many requests in one process, without the network. The aim is a ratio of one and a half at most.
"""

from __future__ import annotations

import json
import statistics
import tempfile
import time
from collections.abc import Callable
from urllib.parse import urlencode

from companion.app import create_app
from companion.settings import Settings
from companion.storage import migrations
from tests.benchmarks.bare import bare_page

REQUESTS = 400
WARM_UP = 60
TURNS = 5  # of all the figures, one after the other, so that a busy machine is busy for each
AIM = 1.5

TABLE = ["north-leopard", "north-monkey", "east-meerkat"]
FORM = "application/x-www-form-urlencoded"
HAND = ["south-crocodile", "south-elephant", "east-lion", "east-rhinoceros", "west-water-snake", "west-monkey"]
TYPED = urlencode(
    [("ask", "preview"), ("subject", "play"), ("to", "hand"), ("flooded", "south")]
    + [("table", card) for card in TABLE]
    + [("hand", card) for card in HAND]
).encode()  # as a phone sends it
QUESTION = {
    "game": "beloz",
    "flooded": "south",
    "expedition": [{"player": player, "card": card} for player, card in enumerate(TABLE)],
    "player": 3,
    "hand": HAND,
}


def median(work: Callable[[], None]) -> float:
    """Microseconds that the work takes, the median of many times."""
    taken = []
    for _ in range(WARM_UP + REQUESTS):
        begun = time.perf_counter()
        work()
        taken.append(time.perf_counter() - begun)
    return statistics.median(taken[WARM_UP:]) * 1e6


def expect(status: int, text: str) -> None:
    """Complain unless the look-up was answered."""
    if status != 200 or "intercept" not in text.lower():
        raise RuntimeError(f"{status}: no answer")


def main() -> None:
    """Print a line a figure, the best of several turns."""
    with tempfile.TemporaryDirectory() as name:
        app = create_app(Settings.read({"COMPANION_INSTANCE": name}), {"RATELIMIT_ENABLED": False, "TESTING": False})
        migrations.migrate(app)
        client = app.test_client()
        body = json.dumps(QUESTION).encode()

        def by_script() -> None:
            client.post("/may-i/beloz", data=TYPED, content_type=FORM).close()

        def api() -> None:
            client.post("/api/v1/legal", data=body, content_type="application/json").close()

        works = {"bare Flask page": bare_page(), "look-up by a page's script": by_script}
        answer = client.post("/may-i/beloz", data=TYPED, content_type=FORM)
        expect(answer.status_code, answer.text)
        asked = client.post("/api/v1/legal", data=body, content_type="application/json")
        if asked.status_code != 404:
            expect(asked.status_code, asked.text)
            works["look-up over the API"] = api
        turns = [{what: median(work) for what, work in works.items()} for _ in range(TURNS)]
    for what in works:
        ratio = statistics.median(turn[what] / turn["bare Flask page"] for turn in turns)
        aim = "" if what == "bare Flask page" else f"    ratio {ratio:5.2f}    (aim: at most {AIM})"
        print(f"{what:28} {min(turn[what] for turn in turns):8.0f} us{aim}")
