"""Does every game come through the same door: replays, look-ups, events there and back, and the schema?"""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator

from companion import engine
from companion.engine import records
from companion.engine.records import RecordError
from tests.engine.records.five_games import LOOK_UPS, MATCHES
from tests.five import FIVE

GOOD_MATCHES = [(document, answer) for document, answer in MATCHES if "error" not in answer]
BAD_MATCHES = [(document, answer["error"]["event"]) for document, answer in MATCHES if "error" in answer]
GOOD_LOOK_UPS = [(document, answer) for document, answer in LOOK_UPS if "error" not in answer]
BAD_LOOK_UPS = [document for document, answer in LOOK_UPS if "error" in answer]
EVENTS = {
    slug: [event for document, _ in GOOD_MATCHES if document["game"] == slug for event in document["events"]] for slug in FIVE
}


def holds(whole: Any, part: Any) -> bool:
    """Return whether all of ``part`` is in ``whole``, which may have more keys: the defaults."""
    if isinstance(part, dict):
        return isinstance(whole, dict) and all(key in whole and holds(whole[key], value) for key, value in part.items())
    if isinstance(part, list):
        return isinstance(whole, list) and len(whole) == len(part) and all(map(holds, whole, part))
    return type(whole) is type(part) and bool(whole == part)


@pytest.mark.parametrize(("document", "answer"), GOOD_MATCHES, ids=lambda value: str(value)[:50])
def test_matches_are_replayed(document: dict[str, Any], answer: dict[str, Any]) -> None:
    given = records.answer_replay(json.dumps(document))
    assert {key: given.get(key) for key in answer} == answer


@pytest.mark.parametrize(("document", "event"), BAD_MATCHES, ids=lambda value: str(value)[:50])
def test_matches_are_refused_at_the_event(document: dict[str, Any], event: int | None) -> None:
    with pytest.raises(RecordError) as caught:
        records.answer_replay(json.dumps(document))
    assert caught.value.event == event


@pytest.mark.parametrize(("question", "answer"), GOOD_LOOK_UPS, ids=lambda value: str(value)[:50])
def test_look_ups_are_answered(question: dict[str, Any], answer: dict[str, Any]) -> None:
    given = records.answer_legal(json.dumps(question))
    assert {key: given.get(key) for key in answer} == answer


@pytest.mark.parametrize("question", BAD_LOOK_UPS, ids=lambda value: str(value)[:50])
def test_look_ups_are_refused(question: dict[str, Any]) -> None:
    with pytest.raises(RecordError) as caught:
        records.answer_legal(json.dumps(question))
    assert caught.value.event is None


def test_every_kind_of_event_and_look_up_is_among_them() -> None:
    for game in map(engine.GAMES.get, FIVE):
        if game is not None:
            tags = {event["type"] for event in EVENTS[game.slug]} | {"stop"}
            assert tags == {kind.__struct_config__.tag for kind in game.event_types()}
            assert any(question["game"] == game.slug for question, _ in GOOD_LOOK_UPS)


@pytest.mark.parametrize("slug", FIVE)
def test_events_go_there_and_back_unchanged(slug: str) -> None:
    game = engine.GAMES[slug]
    for event in EVENTS[slug]:
        decoded = records.decode_event(game, event)
        encoded = records.encode_event(decoded)
        assert records.decode_event(game, json.dumps(event)) == decoded
        assert records.decode_event(game, encoded) == decoded
        assert json.loads(json.dumps(encoded)) == encoded
        assert holds(encoded, event), event


@pytest.mark.parametrize("document", [document for document, _ in GOOD_MATCHES], ids=lambda value: str(value)[:50])
def test_an_exported_record_is_the_record(document: dict[str, Any]) -> None:
    record = records.read_record(json.dumps(document))
    exported = records.export_record(record.replay(), record.events())
    assert json.loads(json.dumps(exported)) == exported
    again = records.read_record(json.dumps(exported))
    assert again.start == record.start
    assert list(again.events()) == list(record.events())
    assert records.answer_replay(json.dumps(exported)) == records.answer_replay(json.dumps(document))
    assert "seed" not in exported
    assert records.export_record(record.replay(), [], bytes(32))["seed"] == "00" * 32


@pytest.mark.parametrize("game", engine.GAMES.values(), ids=engine.GAMES)
def test_whatever_may_be_left_out_for_null_may_be_null(game: engine.Game[Any]) -> None:
    for kind in (game.options, *game.event_types(), *game.questions):
        for field in msgspec.structs.fields(kind):
            if field.default is None:
                assert msgspec.convert(None, field.type) is None


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"type": "swim", "player": 0, "rank": 5.0}, "rank: a whole number from 1 to "),
        ({"type": "swim", "player": 0, "rank": 1 << 20_000}, "rank: a whole number from 1 to "),
        ({"type": "swim", "player": 0, "rank": float("nan")}, "rank: a whole number from 1 to "),
        ({"type": "swim", "player": 0, "rank": True}, "rank: a whole number from 1 to "),
        ({"type": "swim", "player": 0, 5: 1}, "An object"),
        ({"type": "swim", "player": 0}, "rank: this is missing."),
        ([], "An object with a “type” is needed here, not a list of 0."),
        (None, "An object with a “type” is needed here, not null."),
        ('{"type":"swim","player":0,"rank":5,"rank":6}', "The name “rank” is given twice"),
        ('{"type":"swim"', "This is not JSON"),
        (b"\xff", "This is not UTF-8 text"),
        ('{"type":"swim"}'.encode("utf-16"), "This is not UTF-8 text"),
        ('{"type":"\\ud800"}', "Half of a character"),
        ('"\ud800"', "This is not text"),
    ],
    ids=[str(number) for number in range(14)],
)
def test_wrong_events_are_refused_in_whatever_form_they_come(given: Any, message: str) -> None:
    with pytest.raises(RecordError) as caught:
        records.decode_event(engine.GAMES["what-the-fish"], given)
    assert caught.value.event is None
    assert caught.value.message.startswith(message)


def test_options_are_decoded_with_their_defaults() -> None:
    game = engine.GAMES["beloz"]
    assert records.decode_options(game, {}) == game.options()
    assert records.decode_options(game, '{"target": 500}') == records.decode_options(game, {"target": 500})
    with pytest.raises(RecordError, match=r"^options\.target: a whole number"):
        records.decode_options(game, {"target": "500"})


# The schema


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    return records.schema()


def check(schema: dict[str, Any], name: str, value: Any) -> None:
    Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": schema["$defs"]}).validate(value)


def test_the_schema_is_one_and_its_references_lead_somewhere(schema: dict[str, Any]) -> None:
    Draft202012Validator.check_schema(schema)
    assert len(schema["anyOf"]) == len(engine.GAMES)
    for part in json.dumps(schema).split('"$ref": "#/$defs/')[1:]:
        assert part.split('"')[0] in schema["$defs"]


@pytest.mark.parametrize("document", [document for document, _ in GOOD_MATCHES], ids=lambda value: str(value)[:50])
def test_every_good_record_has_the_schema(schema: dict[str, Any], document: dict[str, Any]) -> None:
    Draft202012Validator(schema).validate(document)
    Draft202012Validator(schema).validate({**document, "seed": "0f" * 32})
    check(schema, "ReplayAnswer", records.answer_replay(json.dumps(document)))


@pytest.mark.parametrize(
    "document",
    [
        {},
        {**MATCHES[0][0], "seed": "zz"},
        {**MATCHES[0][0], "more": 1},
        {**MATCHES[0][0], "players": ["Ana"]},
        {**MATCHES[0][0], "events": [{"type": "swim", "player": 0, "rank": 1}]},
        {**MATCHES[0][0], "events": [{"type": "stop", "why": 1}]},
    ],
    ids=lambda value: str(value)[:50],
)
def test_a_wrong_record_has_it_not(schema: dict[str, Any], document: dict[str, Any]) -> None:
    assert not Draft202012Validator(schema).is_valid(document)


@pytest.mark.parametrize("slug", FIVE)
def test_every_event_has_the_schema_of_its_kind(schema: dict[str, Any], slug: str) -> None:
    names = {kind.__struct_config__.tag: kind.__name__ for kind in engine.GAMES[slug].event_types()}
    assert len(names) == len(engine.GAMES[slug].event_types())
    for event in EVENTS[slug]:
        check(schema, f"{slug}.{names[event['type']]}", event)


@pytest.mark.parametrize("question", [question for question, _ in GOOD_LOOK_UPS], ids=lambda value: str(value)[:50])
def test_every_look_up_and_its_answer_have_their_schemas(schema: dict[str, Any], question: dict[str, Any]) -> None:
    game, decoded = records.decode_question(json.dumps(question))
    check(schema, f"{game.slug}.{type(decoded).__name__}", question)
    assert game.answer is not None
    check(schema, f"{game.slug}.{type(game.answer(decoded)).__name__}", records.legal_answer(game, decoded))


def test_references_can_point_elsewhere() -> None:
    text = json.dumps(records.schema("#/components/schemas/{name}"))
    assert '"#/components/schemas/beloz.Round"' in text
    assert "#/$defs" not in text
