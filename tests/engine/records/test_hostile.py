"""Is every record, event or look-up answered or refused, within bounds of time and memory?"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion import engine
from companion.engine import records
from companion.engine.records import MAX_BYTES, RecordError
from tests.engine.records.five_games import LOOK_UPS, MATCHES

ANSWERS: list[Callable[[Any], Any]] = [records.answer_replay, records.answer_legal, records.answer_verify]
DOCUMENTS = [document for document, _ in MATCHES + LOOK_UPS]


def answered_or_refused(data: bytes | str) -> None:
    for answer in ANSWERS:
        refusal = None
        try:
            json.dumps(answer(data), allow_nan=False)
        except RecordError as refused:
            refusal = refused
        if refusal is not None:
            assert refusal.message
            assert refusal.event is None or refusal.event >= 0


@given(st.binary(max_size=200) | st.text(max_size=200))
def test_any_bytes_and_any_text(data: bytes | str) -> None:
    answered_or_refused(data)


odd = st.sampled_from(
    [
        None,
        True,
        False,
        0,
        -1,
        1,
        2,
        3,
        7,
        8,
        9,
        10**9,
        10**18,
        10**25,
        0.5,
        5.0,
        1e300,
        "",
        "5",
        "stop",
        "north-lion",
        "excuse",
        [],
        {},
    ]
)
values = st.recursive(
    odd | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=5),
    max_leaves=10,
)
KEYS = ["format", "game", "players", "options", "events", "seed", "type", "ask", "player", "hand", "zones", "packs", "trick"]


@given(
    st.dictionaries(st.sampled_from(KEYS), values),
    st.sampled_from(["beloz", "beluga-cup", "bisque", "rivals", "what-the-fish", 5]),
)
def test_any_object(value: dict[str, Any], game: Any) -> None:
    answered_or_refused(json.dumps({"game": game, **value}))


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the path of every part of a JSON value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, part in inner for place in places(part, (*path, key)))]


def changed(value: Any, path: tuple[Any, ...], change: Callable[[Any], Any]) -> Any:
    if not path:
        return change(value)
    copy = value.copy()
    copy[path[0]] = changed(value[path[0]], path[1:], change)
    return copy


def _instead(new: Any, _: Any) -> Any:
    return new


def _without_one(which: int, value: Any) -> Any:
    if isinstance(value, dict) and value:
        gone = sorted(value)[which % len(value)]
        return {key: part for key, part in value.items() if key != gone}
    if isinstance(value, list) and value:
        return value[: which % len(value)] + value[which % len(value) + 1 :]
    return value


def _with_more(value: Any) -> Any:
    if isinstance(value, list):
        return [*value, *value]
    return {**value, "more": 1} if isinstance(value, dict) else [value]


@given(st.sampled_from(DOCUMENTS), st.data())
def test_good_records_and_look_ups_with_something_changed(document: dict[str, Any], data: st.DataObject) -> None:
    for _ in range(data.draw(st.integers(1, 3))):
        path = data.draw(st.sampled_from(places(document)))
        elsewhere = data.draw(st.sampled_from(DOCUMENTS))
        other = data.draw(st.sampled_from(places(elsewhere)))
        new, which = data.draw(values), data.draw(st.integers(0, 9))
        changes: list[Callable[[Any], Any]] = [
            partial(_instead, new),
            partial(_instead, _at(elsewhere, other)),
            partial(_without_one, which),
            _with_more,
        ]
        document = changed(document, path, data.draw(st.sampled_from(changes)))
    answered_or_refused(json.dumps(document))


def _at(value: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        value = value[step]
    return value


@given(st.sampled_from([json.dumps(document).encode() for document in DOCUMENTS]), st.data())
def test_good_records_and_look_ups_with_some_bytes_changed(text: bytes, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = min(len(text), start + data.draw(st.integers(0, 4)))
    answered_or_refused(text[:start] + data.draw(st.binary(max_size=4)) + text[end:])


@given(st.sampled_from(sorted(engine.GAMES)), values)
def test_any_value_as_event_or_options(slug: str, value: Any) -> None:
    game = engine.GAMES[slug]
    for decode in (records.decode_event, records.decode_options):
        for given_as in (value, json.dumps(value)):
            with suppress(RecordError):
                decode(game, given_as)


# Measured in processes of their own: an answer is one line, and memory stays small.

MEASURE = """
import os, re, sys, time
from pathlib import Path
from companion.cli import main
for name in sys.argv[2:]:
    if child := os.fork():
        os.waitpid(child, 0)
        continue
    for stream, end in enumerate((name, name + ".answer")):
        os.dup2(os.open(end, (os.O_WRONLY | os.O_CREAT) if stream else os.O_RDONLY), stream)
    start, status = time.process_time(), 0
    try:
        main([sys.argv[1], "-"])
    except SystemExit as end:
        status = end.code or 0
    used = re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())  # getrusage counts the parent's too
    Path(name + ".took").write_text(f"{status} {int(used[1]) // 1024} {time.process_time() - start}")
    sys.exit()
"""


@dataclass
class Measured:
    """What came of a file: the lines of the answer, the exit status, MiB that were used at most, seconds of a processor."""

    lines: list[str]
    status: int
    used: int
    seconds: float


def replayed(folder: Path, *files: bytes) -> list[Measured]:
    """Return what becomes of files that are replayed, each in a fork of one program: to begin takes longer than most."""
    names = [folder / str(number) for number in range(len(files))]
    for name, data in zip(names, files, strict=True):
        name.write_bytes(data)
    subprocess.run([sys.executable, "-c", MEASURE, "replay", *map(str, names)], check=True, timeout=180)
    measured = []
    for name in names:
        status, used, seconds = name.with_suffix(".took").read_text().split()
        lines = name.with_suffix(".answer").read_text("utf-8").splitlines()
        measured.append(Measured(lines, int(status), int(used), float(seconds)))
    return measured


HEAD = b'{"format":"companion-record/1","game":"beloz","players":["Ana","Bo","Cy","Di"],"events":['
PASSED = b'{"type":"passed-deal"},'
ROUND = json.dumps(MATCHES[0][0]["events"][0], separators=(",", ":")).encode() + b","


def hostile() -> dict[str, tuple[bytes, int | None]]:
    """Return records that are too much, and the event at which each is refused; they take 160 MB, and are made when needed."""
    texts = b",".join([b"[" + b",".join([b'"ab"'] * 900) + b"]"] * 900)
    return {
        "a million events": (HEAD + PASSED * 10**6 + b'{"type":"passed-deal"}]}', None),
        "a million events on as many lines": (HEAD + (PASSED + b"\n") * 10**6 + b'{"type":"passed-deal"}]}', None),
        "two hundred thousand events": (HEAD + PASSED * 200_000 + b'{"type":"passed-deal"}]}', None),
        "nested": (HEAD + PASSED + b"[" * 4_000_000, None),
        "nested objects": (HEAD + b'{"a":' * 800_000, None),
        "a number of five thousand digits": (HEAD + PASSED + ROUND.replace(b"98", b"9" * 5000)[:-1] + b"]}", 1),
        "a number of millions of digits": (HEAD + PASSED + ROUND.replace(b"98", b"9" * 4_000_000)[:-1] + b"]}", 1),
        "a huge exponent": (HEAD + PASSED + ROUND.replace(b"98", b"1e400")[:-1] + b"]}", 1),
        "a text of millions of bytes": (HEAD + PASSED + b'{"type":"' + b"x" * 4_000_000 + b'"}]}', 1),
        "a text of millions of escapes": (HEAD + PASSED + b'{"type":"' + b"\\u0041" * 600_000 + b'"}]}', 1),
        "a name of millions of bytes": (HEAD + PASSED + b'{"' + b"x" * 4_000_000 + b'":1}]}', 1),
        "a player's name of millions of bytes": (HEAD.replace(b"Ana", "🐟".encode() * 1_000_000) + b"]}", None),
        "a list of millions": (HEAD + PASSED + b"[" + b"1," * 2_000_000 + b"1]]}", 1),
        "an object of a hundred thousand names": (HEAD + b"{" + b",".join(b'"%d":0' % n for n in range(100_000)) + b"}]}", 0),
        "blanks": (b" " * 30_000_000, None),
        "a line that does not end": (b"x" * 30_000_000, None),
        "a name given twice in every event": (HEAD + b",".join([b'{"a":1,"a":2}'] * 19_999) + b"]}", 0),
        "a name given twice half a million times": (
            HEAD + b",".join([b"[" + b",".join([b'{"a":1,"a":2}'] * 30) + b"]"] * 9_000) + b"]}",
            0,
        ),
        "an event of half a million texts": (HEAD + PASSED + b"[" + texts + b"]]}", 1),
        "options of half a million texts": (HEAD + b'],"options":{"target":[' + texts + b"]}}", None),
        "NaN": (HEAD + PASSED + b"NaN]}", None),
        "a byte that is no text": (HEAD + b'"\xff"]}', None),
        "millions of brackets that close": (b"]" * 4_000_000, None),
    }


def test_hostile_records_are_refused_in_little_memory(tmp_path: Path) -> None:
    sent = hostile()
    answers = replayed(tmp_path, *(data for data, _ in sent.values()))
    for (what, (_, event)), answer in zip(sent.items(), answers, strict=True):
        (line,) = answer.lines
        error = json.loads(line)["error"]
        assert error["event"] == event, what
        assert len(error["message"]) < 300, what
        assert answer.status == 2, what
        assert answer.used < 50, what
        assert answer.seconds < 10, what


def test_the_longest_matches_are_replayed_in_little_memory(tmp_path: Path) -> None:
    passed = HEAD + (PASSED * 20_000)[:-1] + b"]}"
    played = HEAD + (ROUND * 13_000)[:-1] + b'],"options":{"target":1000000000}}'
    answers = replayed(tmp_path, passed, played)
    assert json.loads(answers[0].lines[0])["dealer"] == 0
    assert json.loads(answers[1].lines[0])["scores"] == [148 * 13_000, 55 * 13_000]
    for answer in answers:
        assert (answer.status, answer.used < 50) == (0, True)


def test_a_hand_of_more_cards_than_anybody_holds_is_refused() -> None:
    asked = {"game": "what-the-fish", "ask": "kill", "to_beat": 9, "already": 0, "hand": [1] * 94}
    with pytest.raises(RecordError, match="hand: a hand of at most 93 cards is needed here, not a list of 94"):
        records.answer_legal(json.dumps(asked))


def test_a_large_hand_of_huge_cards_is_refused_at_once() -> None:
    huge = [10**9 - 2**place for place in range(21)]  # each set has a total of its own
    asked = {"game": "what-the-fish", "ask": "kill", "to_beat": 9, "already": 0, "hand": huge}
    with pytest.raises(RecordError, match="A hand of more than 20 cards is tried up to 10,000 points"):
        records.answer_legal(json.dumps(asked))


def test_a_file_of_many_lines_is_answered_in_little_memory(tmp_path: Path) -> None:
    line = json.dumps(MATCHES[2][0]).encode() + b"\n"
    many = MAX_BYTES // len(line) + 1000  # more than a document may be
    (answer,) = replayed(tmp_path, line * many)
    assert len(answer.lines) == many
    assert set(answer.lines) == {answer.lines[0]}
    assert (answer.status, answer.used < 50) == (0, True)
