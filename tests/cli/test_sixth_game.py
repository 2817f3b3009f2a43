"""Does every command know a sixth game by its one line in the registry, with nothing else changed?"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from click.testing import CliRunner

from companion import engine
from companion.cli import main
from tests.engine.records.tally import TALLY


@pytest.fixture(autouse=True)
def _tally(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(engine.GAMES, "tally", TALLY)


def answers(command: str, *documents: Any) -> Iterator[Any]:
    result = CliRunner().invoke(main, [command, "-"], input="\n".join(map(json.dumps, documents)))
    return map(json.loads, result.output.splitlines())


RECORD = {
    "format": "companion-record/1",
    "game": "tally",
    "players": ["Ana", "Bo", "Cy"],
    "events": [{"type": "mark", "player": 2, "points": 6}],
}


def test_its_matches_are_replayed_beside_the_others() -> None:
    fish = {**RECORD, "game": "what-the-fish", "events": []}
    assert [answer["scores"] for answer in answers("replay", RECORD, fish, RECORD)] == [[0, 0, 6], [0, 0, 0], [0, 0, 6]]


def test_its_look_ups_are_answered() -> None:
    question = {"game": "tally", "player": 0, "points": 7}
    assert list(answers("legal", question, {"game": "tally", "ask": "best"})) == [{"may": False}, {"may": True}]


def test_its_mistakes_have_a_place() -> None:
    (answer,) = answers("replay", {**RECORD, "events": [*RECORD["events"], {"type": "mark", "player": 2, "points": "6"}]})
    message = "points: a whole number of at least 1 is needed here, not the text “6”."
    assert answer == {"error": {"event": 1, "message": message}}


def test_its_schema_is_printed() -> None:
    schema = json.loads(CliRunner().invoke(main, ["schema"]).output)
    assert {"tally.Record", "tally.Mark", "tally.Stop", "tally.TallyOptions", "tally.MayMark", "tally.MayMarkAnswer"} <= set(
        schema["$defs"]
    )
