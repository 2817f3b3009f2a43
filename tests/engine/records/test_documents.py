"""Which documents are taken as records, which are refused, and which mistake is told first?"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from companion.engine import records
from companion.engine.records import RecordError

SEED = bytes(range(32))
SEAL = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"  # SHA-256 of the bytes 0 to 31


def tally(*events: Any, **parts: Any) -> dict[str, Any]:
    return {"format": "companion-record/1", "game": "tally", "players": ["Ana", "Bo"], "events": list(events), **parts}


def mark(player: int, points: int, **parts: Any) -> dict[str, Any]:
    return {"type": "mark", "player": player, "points": points, **parts}


def without(key: str) -> dict[str, Any]:
    return {name: part for name, part in tally().items() if name != key}


def refusal(answer: Callable[[bytes], Any], document: Any) -> RecordError:
    data = document if isinstance(document, bytes) else json.dumps(document).encode()
    with pytest.raises(RecordError) as caught:
        answer(data)
    return caught.value


def test_a_record_is_replayed() -> None:
    answer = records.answer_replay(json.dumps(tally(mark(0, 4), mark(1, 6), mark(1, 4))))
    assert answer == {"game": "tally", "scores": [4, 10], "finished": True, "stopped": False, "winners": [1], "missing": 0}
    assert list(answer)[:5] == ["game", "scores", "finished", "stopped", "winners"]


def test_a_stopped_match_is_finished_and_nobody_wins() -> None:
    answer = records.answer_replay(json.dumps(tally(mark(0, 4), {"type": "stop"})))
    assert answer == {"game": "tally", "scores": [4, 0], "finished": True, "stopped": True, "winners": [], "missing": 6}


@pytest.mark.parametrize(
    "document",
    [
        tally(options={}),
        tally(options={"goal": 10}),
        tally(options={"goal": 10, "seal": None}),
        tally(seed=None),
        tally(seed="0F" * 32),
        tally(mark(0, 1), mark(0, 1, **{"with": None})),
        tally(mark(0, 1, **{"with": {"kind": "bead"}}), mark(0, 1, **{"with": {"kind": "bead", "size": None}})),
        tally(mark(0, 1, **{"with": {"kind": "chalk", "colour": "red", "strokes": []}})),
        tally(players=["Ana", "Bo", "Cy", "Di"]),
        tally(players=["x" * 40, "Zoë 🐟"]),
    ],
)
def test_what_may_be_null_may_be_left_out(document: dict[str, Any]) -> None:
    assert records.answer_replay(json.dumps(document))["game"] == "tally"


def test_a_byte_order_mark_and_white_space_do_no_harm() -> None:
    assert records.answer_replay(b"\xef\xbb\xbf \r\n" + json.dumps(tally()).encode() + b"\n\n")["scores"] == [0, 0]


DOCUMENTS: list[tuple[Any, str, str]] = [
    (5, "", "A record is an object with format, game, players, events."),
    ([], "", "A record is an object with format, game, players, events."),
    ({}, "format", "format: this is missing. A record has format, game, players, events."),
    (without("format"), "format", "format: this is missing. A record has format, game, players, events."),
    (without("game"), "game", "game: this is missing. A record has format, game, players, events."),
    (without("players"), "players", "players: this is missing. A record has format, game, players, events."),
    (without("events"), "events", "events: this is missing. A record has format, game, players, events."),
    (
        tally(event=[]),
        "event",
        "event: there is no part of a record “event”; possible: format, game, players, options, events or seed.",
    ),
    (
        tally(format="companion-record/2"),
        "format",
        "format: companion-record/1 is needed here, not the text “companion-record/2”.",
    ),
    (tally(format=None), "format", "format: companion-record/1 is needed here, not null."),
    (tally(game=["tally"]), "game", "game: text is needed here, not a list of 1."),
    (tally(players=None), "players", "players: a list is needed here, not null."),
    (tally(players=["Ana", 5]), "players.1", "players.1: text is needed here, not 5."),
    (tally(players=["Ana", None]), "players.1", "players.1: text is needed here, not null."),
    (tally(players=["Ana"]), "players", "Tally needs 2 to 4 players. 1 more to go."),
    (tally(players=list("abcde")), "players", "Tally needs 2 to 4 players. You are 5."),
    (tally(players=["Ana", " \t"]), "players.1", "Every player needs a name."),
    (tally(players=["Ana", ""]), "players.1", "Every player needs a name."),
    (tally(players=["Ana", "x" * 41]), "players.1", "A name has at most 40 characters. This one has 41."),
    (tally(players=["Ana", "Ana"]), "players.1", "Two players are called Ana. Give them different names."),
    (tally(options=None), "options", "options: an object is needed here, not null."),
    (tally(options=[]), "options", "options: an object is needed here, not a list of 0."),
    (tally(options={"gaol": 1}), "options.gaol", "options.gaol: nothing of this name belongs here; possible: goal or seal."),
    (tally(options={"goal": 0}), "options.goal", "options.goal: a whole number from 1 to 100,000 is needed here, not 0."),
    (tally(options={"goal": None}), "options.goal", "options.goal: a whole number from 1 to 100,000 is needed here, not null."),
    (tally(options={"goal": 13}), "options.goal", "Nobody plays to 13."),
    (tally(seed="00"), "seed", "seed: 64 hex digits or null is needed here, not the text “00”."),
    (tally(seed="0" * 64 + "\n"), "seed", "seed: 64 hex digits or null is needed here, not the text “" + "0" * 40 + "…”."),
    (tally(seed=7), "seed", "seed: 64 hex digits or null is needed here, not 7."),
    (tally(events={}), "events", "events: a list is needed here, not an object."),
    (tally(events=None), "events", "events: a list is needed here, not null."),
]


@pytest.mark.parametrize(("document", "field", "message"), DOCUMENTS, ids=lambda value: str(value)[:60])
def test_a_wrong_document_is_refused_at_its_place(document: Any, field: str, message: str) -> None:
    found = refusal(records.answer_replay, document)
    assert (found.event, found.field, found.message) == (None, field, message)


def test_an_unknown_game_is_told_which_there_are() -> None:
    found = refusal(records.answer_replay, tally(game="chess"))
    assert found.message.startswith("game: there is no game “chess”; possible: beloz")
    assert found.message.endswith("or tally.")


EVENTS: list[tuple[Any, str, str]] = [
    (5, "", "An object with a “type” is needed here, not 5."),
    (None, "", "An object with a “type” is needed here, not null."),
    ([], "", "An object with a “type” is needed here, not a list of 0."),
    ({}, "type", "type: this is missing; it can be mark, roll or stop."),
    ({"type": "makr"}, "type", "type: mark, roll or stop is needed here, not the text “makr”."),
    ({"type": 1}, "type", "type: mark, roll or stop is needed here, not 1."),
    ({"type": "stop", "why": 1}, "why", "why: nothing of this name belongs here; possible: type."),
    ({"type": "mark", "player": 0}, "points", "points: this is missing."),
    (mark(4, 1), "player", "player: a whole number from 0 to 3 is needed here, not 4."),
    (mark(-1, 1), "player", "player: a whole number from 0 to 3 is needed here, not -1."),
    (mark(True, 1), "player", "player: a whole number from 0 to 3 is needed here, not true."),
    (mark(0, "5"), "points", "points: a whole number of at least 1 is needed here, not the text “5”."),
    (mark(0, 5.0), "points", "points: a whole number of at least 1 is needed here, not 5.0."),
    (mark(0, 5.5), "points", "points: a whole number of at least 1 is needed here, not 5.5."),
    (mark(0, None), "points", "points: a whole number of at least 1 is needed here, not null."),
    (mark(0, 0), "points", "points: a whole number of at least 1 is needed here, not 0."),
    (mark(0, 7), "points", "A mark is worth at most 6."),
    (mark(2, 1), "player", "There is no player 2."),
    (mark(0, 1, by=1), "by", "by: nothing of this name belongs here; possible: type, player, points, with or pair."),
    (
        mark(0, 1, with_=None),
        "with_",
        "with_: nothing of this name belongs here; possible: type, player, points, with or pair.",
    ),
    (mark(0, 1, pair=[1]), "pair", "pair: a list of 2 is needed here, not a list of 1."),
    (mark(0, 1, pair=[1, "2"]), "pair.1", "pair.1: a whole number is needed here, not the text “2”."),
    (mark(0, 1, **{"with": []}), "with", "with: an object with a “kind” or null is needed here, not a list of 0."),
    (mark(0, 1, **{"with": {}}), "with.kind", "with.kind: this is missing; it can be chalk or bead."),
    (mark(0, 1, **{"with": {"kind": "ink"}}), "with.kind", "with.kind: chalk or bead is needed here, not the text “ink”."),
    (
        mark(0, 1, **{"with": {"kind": "bead", "size": {}}}),
        "with.size",
        "with.size: a whole number or null is needed here, not an object.",
    ),
    (
        mark(0, 1, **{"with": {"kind": "chalk", "colour": "blue"}}),
        "with.colour",
        "with.colour: green or red is needed here, not the text “blue”.",
    ),
    (
        mark(0, 1, **{"with": {"kind": "chalk", "colour": "red", "strokes": [1, 2, False]}}),
        "with.strokes.2",
        "with.strokes.2: a whole number is needed here, not false.",
    ),
    (
        mark(0, 1, **{"with": {"kind": "chalk", "colour": "red", "strokes": [1, 2, 3, 4]}}),
        "with.strokes",
        "with.strokes: a list of at most 3 is needed here, not a list of 4.",
    ),
    (
        mark(0, 1, **{"with": {"kind": "chalk", "colour": "red", "size": 1}}),
        "with.size",
        "with.size: nothing of this name belongs here; possible: kind, colour or strokes.",
    ),
]


@pytest.mark.parametrize(("event", "field", "message"), EVENTS, ids=lambda value: str(value)[:60])
def test_a_wrong_event_is_refused_at_its_place(event: Any, field: str, message: str) -> None:
    found = refusal(records.answer_replay, tally(mark(0, 1), event))
    assert (found.event, found.field, found.message) == (1, field, message)


def test_a_refusal_by_the_rules_keeps_the_rule() -> None:
    assert refusal(records.answer_replay, tally(mark(0, 7))).rule == "T2"


def test_events_after_the_end_are_errors() -> None:
    for end in ([mark(0, 6), mark(0, 4)], [{"type": "stop"}]):
        for late in (mark(1, 1), {"type": "stop"}):
            found = refusal(records.answer_replay, tally(*end, late))
            assert found.event == len(end)
            assert found.message.startswith("The match is over.")


RAW = '{"format":"companion-record/1","game":"tally","players":["Ana","Bo"],"events":[%s]}'
FINE = '{"type":"mark","player":0,"points":1}'
POINTS = "a whole number of at least 1 is needed here"
PLAYER = "a whole number from 0 to 3 is needed here"
HALF = "Half of a character (a lone surrogate) stands"
READABLE_AND_YET_WRONG = [
    ('{"type":"mark","player":0,"points":1,"points":2}', "The name “points” is given twice."),
    ('{"type":"mark","player":0,"points":1,"\\u0070oints":2}', "The name “points” is given twice."),
    ('{"type":"mark","player":0,"points":"\\ud800"}', f"{HALF} here (column 154)."),
    (
        '{"type":"mark","player":0,"points":"\\udc00\\ud800"}',
        f"{HALF} here (column 154).",
    ),
    ('{"type":"mark","player":0,"\\ud83d":1}', f"{HALF} here (column 145)."),
    ('{"type":"mark","player":0,"points":%s}' % ("9" * 31), "A number has more than 30 digits."),
    (
        '{"type":"mark","player":0,"points":1e400}',
        f"points: {POINTS}, not so large a number.",
    ),
    (
        '{"type":"mark","player":0,"points":-1e400}',
        f"points: {POINTS}, not so large a number.",
    ),
    (
        '{"type":"mark","player":%s,"points":1}' % ("9" * 30),
        f"player: {PLAYER}, not so large a number.",
    ),
    ('{"type":"mark","player":0,"points":1e2}', f"points: {POINTS}, not 100.0."),
]


@pytest.mark.parametrize(("event", "message"), READABLE_AND_YET_WRONG, ids=[event[:60] for event, _ in READABLE_AND_YET_WRONG])
def test_what_decoders_pass_over_in_silence_is_told(event: str, message: str) -> None:
    found = refusal(records.answer_replay, (RAW % f"{FINE},{event},{FINE}").encode())
    assert (found.event, found.message) == (1, message)
    earlier = refusal(records.answer_replay, (RAW % f'{{"type":"oops"}},{event}').encode())
    assert earlier.event == 0


def test_minus_nought_is_nought() -> None:
    assert records.answer_replay(RAW % FINE.replace('"player":0', '"player":-0'))["scores"] == [1, 0]


def test_escapes_mean_the_characters_they_stand_for() -> None:
    assert records.answer_replay(RAW % '{"\\u0074ype":"m\\u0061rk","player":0,"points":1}')["scores"] == [1, 0]


def test_the_document_is_checked_before_its_events() -> None:
    late = '{"events":[{"type":"oops"}],"format":"companion-record/1","game":"tally","players":["Ana"]}'
    assert refusal(records.answer_replay, late.encode()).field == "players"
    twice = RAW % '{"type":"oops"}' + " "
    twice = twice.replace('"format"', '"game":"tally","format"', 1)
    found = refusal(records.answer_replay, twice.encode())
    assert (found.event, found.message) == (None, "The name “game” is given twice.")


def test_the_first_offending_event_is_the_one_that_is_told() -> None:
    assert refusal(records.answer_replay, tally(mark(0, 1), mark(0, 7), {"type": "oops"})).event == 1
    assert refusal(records.answer_replay, tally(mark(0, 1), {"type": "oops"}, mark(0, 7))).event == 1


def test_reading_a_record_looks_at_no_event() -> None:
    record = records.read_record(json.dumps(tally({"type": "oops"}, 5)))
    assert len(record) == 2
    assert record.game.slug == "tally"


# Look-ups


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ({"game": "tally", "player": 0, "points": 6}, {"may": True}),
        ({"game": "tally", "points": 7, "player": 0}, {"may": False}),
        ({"game": "tally", "scores": [3, 4]}, {"missing": [7, 6]}),
        ({"game": "tally", "scores": [3, 4], "goal": 5}, {"missing": [2, 1]}),
        ({"game": "tally", "ask": "best"}, {"may": True}),
        ({"game": "tally", "ask": "worst"}, {"may": False}),
    ],
)
def test_a_look_up_is_known_by_ask_or_by_its_parts(question: dict[str, Any], answer: dict[str, Any]) -> None:
    assert records.answer_legal(json.dumps(question)) == answer


LOOK_UPS: list[tuple[Any, str, str]] = [
    (5, "game", "game: this is missing. A look-up is an object with a game and what is to be looked up."),
    ({}, "game", "game: this is missing. A look-up is an object with a game and what is to be looked up."),
    ({"game": 5}, "game", "game: text is needed here, not 5."),
    ({"game": "tally", "ask": "most"}, "ask", "ask: there is no look-up “most”; possible: best or worst."),
    ({"game": "tally", "ask": 1}, "ask", "ask: text is needed here, not 1."),
    ({"game": "tally", "ask": "best", "goal": 1}, "goal", "goal: nothing of this name belongs here; possible: game or ask."),
    ({"game": "tally", "player": 0}, "points", "points: this is missing."),
    ({"game": "tally", "player": 0, "points": "6"}, "points", "points: a whole number is needed here, not the text “6”."),
    ({"game": "tally", "player": 0, "points": -1}, "points", "Nobody marks less than nothing."),
    ({"game": "tally", "scores": [1, 2, 3]}, "scores", "scores: a list of 2 is needed here, not a list of 3."),
    ({"game": "beloz", "ask": "best"}, "ask", "ask: there is no look-up “best”; possible: declarations."),
    ({"game": "bisque", "ask": "best"}, "ask", "ask: Bisque has no look-up of this name."),
    ({"game": "what-the-fish", "hand": []}, "ask", "ask: this is missing; it can be kill or protect."),
]


@pytest.mark.parametrize(("question", "field", "message"), LOOK_UPS, ids=lambda value: str(value)[:60])
def test_a_wrong_look_up_is_refused_at_its_place(question: Any, field: str, message: str) -> None:
    found = refusal(records.answer_legal, question)
    assert (found.event, found.field, found.message) == (None, field, message)


def test_a_name_given_twice_in_a_look_up_is_told_without_an_event() -> None:
    found = refusal(records.answer_legal, b'{"game":"tally","events":[{"a":1,"a":2}]}')
    assert (found.event, found.message) == (None, "The name “a” is given twice.")


# Draws


def rolls(*eyes: int, **parts: Any) -> dict[str, Any]:
    return tally(*({"type": "roll", "eyes": each} for each in eyes), options={"seal": SEAL}, seed=SEED.hex(), **parts)


def test_draws_are_derived_once_more() -> None:
    assert records.answer_verify(json.dumps(rolls(0, 1, 2, 3, 4, 5, 0))) == {"verified": 7, "seal": SEAL}


def test_the_first_draw_that_the_seed_does_not_give_is_told() -> None:
    found = refusal(records.answer_verify, rolls(0, 1, 5, 5))
    assert (found.event, found.message) == (2, "The seed rolls 2, not 5.")


def test_a_seed_that_was_not_sealed_is_told() -> None:
    found = refusal(records.answer_verify, {**rolls(0), "seed": "00" * 32})
    assert (found.event, found.message) == (None, "The seed is not the sealed one.")


def test_a_record_that_the_rules_refuse_is_not_verified() -> None:
    record = rolls(5)
    record["events"].append(mark(0, 9))
    assert refusal(records.answer_verify, record).event == 1


def test_without_seed_or_draws_there_is_nothing_to_verify() -> None:
    assert refusal(records.answer_verify, tally()).field == "seed"
    beloz = {"format": "companion-record/1", "game": "beloz", "players": ["Ana", "Bo", "Cy", "Di"], "events": []}
    found = refusal(records.answer_verify, beloz)
    assert (found.event, found.message) == (None, "The app draws nothing in BeloZ, so there is nothing to check.")
