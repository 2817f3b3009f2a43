"""The engine answers in a phone as it does on a server."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from tests.pocket.answers import answers
from tests.server import CHECKOUT

BUILD = CHECKOUT / "build" / "pocket"


def test_every_recorded_match_gives_the_same_answers_after_each_of_its_events() -> None:
    here = Path(__file__).parent
    command = ["node", here / "answers.mjs", BUILD / "node_modules" / "pyodide", BUILD / "out", here.parent]
    told = subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True)
    expected = answers(here.parent / "engine")
    assert len(expected) == 5
    assert json.loads(told.stdout) == expected
