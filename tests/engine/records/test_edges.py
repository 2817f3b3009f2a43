"""How far may a part of a record go, and what of games that answer nothing and look-ups told apart by what is there?"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, Literal

import pytest

from companion import engine
from companion.engine import records
from companion.engine.core import Question, RuleError
from companion.engine.records import RecordError
from companion.engine.text import say
from tests.engine.records.tally import TALLY, MayMark


def refused(do: Any, *given: Any) -> RecordError:
    with pytest.raises(RecordError) as caught:
        do(*given)
    return caught.value


RECORD: dict[str, Any] = {"format": "companion-record/1", "game": "tally", "players": ["Ana", "Bo"], "events": []}


def test_a_long_unknown_part_is_named_by_its_first_40_letters() -> None:
    assert refused(records.read_record, json.dumps({**RECORD, "x" * 60: 1})).field == "x" * 40


def test_a_record_without_a_seed_has_none() -> None:
    assert records.read_record(json.dumps(RECORD)).seed is None
    assert records.read_record(json.dumps({**RECORD, "seed": None})).seed is None
    assert records.read_record(json.dumps({**RECORD, "seed": "0a" * 32})).seed == b"\n" * 32


def test_a_seed_that_is_missing_is_asked_for() -> None:
    found = refused(records.answer_verify, json.dumps(RECORD))
    assert (found.event, found.message) == (None, "seed: this is missing; without it no draw of the app can be checked.")


def test_where_the_app_draws_nothing_the_game_is_to_blame() -> None:
    beloz = {**RECORD, "game": "beloz", "players": ["Ana", "Bo", "Cy", "Di"]}
    assert refused(records.answer_verify, json.dumps(beloz)).field == "game"


def test_draws_are_checked_for_the_players_of_the_record(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[str, ...]] = []

    def verify(players: tuple[str, ...], *_rest: Any) -> int:
        seen.append(tuple(players))
        return 0

    monkeypatch.setitem(engine.GAMES, "tally", replace(TALLY, verify=verify))
    records.answer_verify(json.dumps({**RECORD, "seed": "00" * 32}))
    assert seen == [("Ana", "Bo")]


def test_a_game_without_look_ups_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    silent = replace(TALLY, questions=(), answer=None)
    monkeypatch.setitem(engine.GAMES, "tally", silent)
    found = refused(records.answer_legal, '{"game": "tally", "player": 0}')
    assert (found.event, found.message) == (None, f"{TALLY.title} answers no look-ups.")
    found = refused(records.legal_answer, silent, MayMark("tally", 0, 7))
    assert (found.event, found.message) == (None, f"{TALLY.title} answers no look-ups.")


class Near(Question, frozen=True):
    """Two parts that must be there."""

    game: Literal["tally"]
    a: int
    b: int


class Far(Question, frozen=True):
    """Three, of which two are the same."""

    game: Literal["tally"]
    a: int
    b: int
    c: int


@pytest.fixture(params=[(Near, Far), (Far, Near)])
def _near_and_far(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(engine.GAMES, "tally", replace(TALLY, questions=request.param))


@pytest.mark.usefixtures("_near_and_far")
@pytest.mark.parametrize(("parts", "kind"), [("ab", Near), ("abc", Far)])
def test_the_look_up_that_is_meant_is_the_one_of_which_most_is_there(parts: str, kind: type[Question]) -> None:
    _, found = records.decode_question(json.dumps({"game": "tally", **dict.fromkeys(parts, 1)}))
    assert type(found) is kind


@pytest.mark.usefixtures("_near_and_far")
@pytest.mark.parametrize(("parts", "field"), [("a", "b"), ("c", "a"), ("bc", "a"), ("ac", "b")])
def test_what_is_missing_of_the_look_up_that_is_meant_is_told(parts: str, field: str) -> None:
    assert refused(records.decode_question, json.dumps({"game": "tally", **dict.fromkeys(parts, 1)})).field == field


def test_a_part_takes_64_kib_and_no_more() -> None:
    def event(size: int) -> str:
        text = json.dumps({"type": "mark", "player": 0, "points": 1})
        return text[:-1] + " " * (size - len(text)) + "}"

    game = engine.GAMES["tally"]
    records.decode_event(game, event(65536))
    found = refused(records.decode_event, game, event(65537))
    assert (found.event, found.field) == (None, "")
    assert found.message == "This is larger than 64 KiB, the most that a part of a record can be."
    text = json.dumps({**RECORD, "events": [{"type": "mark", "player": 0, "points": 1}]})
    long = text.replace('"points": 1}', '"points": 1' + " " * 65536 + "}")
    found = refused(records.answer_replay, long)
    assert (found.event, found.message) == (0, "This is larger than 64 KiB, the most that a part of a record can be.")
    options = json.dumps({**RECORD, "options": {}}).replace("{}", "{" + " " * 65536 + "}")
    found = refused(records.answer_replay, options)
    assert (found.event, found.field) == (None, "options")
    assert found.message == "options: this is larger than 64 KiB, the most that a part of a record can be."


def test_wrong_options_as_text_are_told_at_their_place() -> None:
    assert refused(records.decode_options, engine.GAMES["bisque"], '{"hands": 0}').field == "options.hands"
    assert refused(records.decode_options, engine.GAMES["bisque"], {"hands": 0}).field == "options.hands"


class Moody(Question, frozen=True):
    """Refuses to be made."""

    game: Literal["tally"]
    mood: int

    def __post_init__(self) -> None:
        raise RuleError(say("Not today."), rule="Moods", field="mood")


def test_what_a_type_itself_refuses_keeps_its_rule_and_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(engine.GAMES, "tally", replace(TALLY, questions=(Moody,)))
    found = refused(records.answer_legal, '{"game": "tally", "mood": 1}')
    assert (found.event, found.field, found.rule) == (None, "mood", "Moods")
    assert found.message.endswith("Not today.")


@pytest.mark.parametrize("name", records.__all__)
def test_what_is_offered_is_there(name: str) -> None:
    assert hasattr(records, name)
