"""Does the engine answer in a phone as it does on a server?"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from tests.pocket.answers import answers
from tests.pocket.questions import DEALS, DEALT, questions
from tests.server import CHECKOUT

BUILD = CHECKOUT / "build" / "pocket"


def test_every_record_and_look_up_gives_the_same_answer(tmp_path: Path) -> None:
    here = Path(__file__).parent
    asked = list(questions())
    assert len(asked) > 200 + DEALS * len(DEALT)
    (tmp_path / "questions.json").write_text(json.dumps(asked))
    command = ["node", here / "answers.mjs", BUILD / "node_modules" / "pyodide", BUILD / "whole", here, tmp_path]
    told = subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True)
    differ = [
        (question, here, there)
        for question, here, there in zip(asked, answers(asked), json.loads(told.stdout), strict=True)
        if here != there
    ]
    assert differ == []
