"""What does the JSON Schema say of a small sixth game, to the word, and does it take what the engine takes?"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from unittest import mock

import pytest
from jsonschema import Draft202012Validator

from companion import engine
from companion.engine import records
from tests.engine.records.tally import TALLY


@pytest.fixture(autouse=True)
def _only_tally() -> Iterator[None]:
    with mock.patch.dict(engine.GAMES, {"tally": engine.GAMES["tally"]}, clear=True):  # and later all of them, in their order
        yield


def test_it_is_a_choice_of_the_games_records() -> None:
    schema = records.schema()
    assert list(schema) == ["$schema", "title", "anyOf", "$defs"]
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["title"] == "companion-record/1"
    assert schema["anyOf"] == [{"$ref": "#/$defs/tally.Record"}]


def test_a_record_is_described_part_by_part() -> None:
    record = records.schema()["$defs"]["tally.Record"]
    event = record["properties"].pop("events")
    assert event["type"] == "array"
    tags = event["items"]["discriminator"]["mapping"]
    assert sorted(tags) == ["mark", "roll", "stop"]
    record["properties"]["options"].pop("default", None)
    record["properties"]["seed"]["anyOf"].sort(key=lambda one: one["type"])
    assert record == {
        "title": "Record",
        "type": "object",
        "properties": {
            "format": {"enum": ["companion-record/1"]},
            "game": {"enum": ["tally"]},
            "players": {
                "type": "array",
                "items": {"type": "string", "minLength": 1, "maxLength": 40},
                "minItems": 2,
                "maxItems": 4,
            },
            "options": {"$ref": "#/$defs/tally.TallyOptions"},
            "seed": {
                "anyOf": [
                    {"type": "null"},
                    {"type": "string", "maxLength": 64, "pattern": "^[0-9a-fA-F]{64}$", "description": "64 hex digits"},
                ],
                "default": None,
            },
        },
        "required": ["format", "game", "players", "events"],
        "additionalProperties": False,
    }


def test_answers_are_described_too() -> None:
    parts = records.schema()["$defs"]
    assert parts["ReplayAnswer"]["required"] == ["game", "scores", "finished", "stopped", "winners"]
    assert "default" not in parts["ReplayAnswer"]["properties"]["rounds"]
    assert sorted(parts["VerifyAnswer"]["properties"]) == ["seal", "verified"]
    assert {"tally.MayMarkAnswer", "tally.HowFarAnswer"} <= set(parts)


def test_references_lead_to_where_the_parts_are_put() -> None:
    text = json.dumps(records.schema("#/parts/{name}"))
    assert '"#/parts/tally.Mark"' in text
    assert "#/$defs" not in text


def test_a_game_without_look_ups_has_no_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(engine.GAMES, "tally", replace(TALLY, questions=(), answer=None))
    assert not [name for name in records.schema()["$defs"] if name.startswith("tally.") and name.endswith("Answer")]


def test_what_it_takes_is_what_is_replayed() -> None:
    document = {"format": "companion-record/1", "game": "tally", "players": ["Ana", "Bo"], "events": []}
    validator = Draft202012Validator(records.schema())
    for good in (document, {**document, "seed": None}, {**document, "options": {}}):
        validator.validate(good)
        records.answer_replay(json.dumps(good))
    for bad in ({**document, "players": ["Ana"]}, {**document, "players": ["", "Bo"]}, {**document, "more": 1}):
        assert not validator.is_valid(bad)
