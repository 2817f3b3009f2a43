"""The short way into a small look-up leads where the long one does."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.engine import records
from companion.engine.records.plain import plain_object

LOOK_UP = b'{"game": "bisque", "trick": ["4-moons-suns", "ace-moons", "9-waves-wyrms"]}'


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (b"{}", {}),
        (b' {"a" : [1, {"b": null}],\r\n\t"c": "d"} ', {"a": [1, {"b": None}], "c": "d"}),
        (b'{"a": {"b": 1}, "b": 2}', {"a": {"b": 1}, "b": 2}),
        (b'{"a": 1' + b"0" * 99 + b"}", None),
        (b'{"a": 1' + b"0" * 19 + b"}", {"a": 10**19}),
        (b'{"a": 1, "a": 1}', None),
        (b'{"b": {"a": 1, "a": 1}}', None),
        (b'{"a": NaN}', None),
        (b'{"a": -Infinity}', None),
        (b'{"a": "\\u0041"}', None),
        (b'{"a\\n": 1}', None),
        ('{"a": "é"}'.encode(), None),
        (b'\xef\xbb\xbf{"a": 1}', None),
        (b'{"a": "\x7f"}', None),
        (b'{"a": "\t"}', None),
        (b'{"a": 1', None),
        (b'{"a": 1} {}', None),
        (b"", None),
        (b"[1]", None),
        (b'"a"', None),
        (b"7", None),
        (b'{"a": ' + b"[" * 31 + b"]" * 31 + b"}", json.loads('{"a": ' + "[" * 31 + "]" * 31 + "}")),
        (b'{"a": ' + b"[" * 32 + b"]" * 32 + b"}", None),
        (b'{"a": [' + b"0," * 63 + b"0]}", {"a": [0] * 64}),
        (b'{"a": [' + b"0," * 64 + b"0]}", None),
        (b'{"a": 1}' + b" " * 3992, {"a": 1}),
        (b'{"a": 1}' + b" " * 3993, None),
    ],
    ids=lambda value: str(value)[:30],
)
def test_only_what_is_plain_goes_the_short_way(text: bytes, found: dict[str, Any] | None) -> None:
    assert plain_object(text) == found


def test_text_that_is_no_bytes_goes_the_long_way() -> None:
    assert plain_object(LOOK_UP.decode()) is None
    assert records.decode_question(LOOK_UP.decode()) == records.decode_question(LOOK_UP)


@pytest.mark.parametrize("game", ["[]", "{}", "null", "7", '"whist"', '["bisque"]'])
def test_a_game_that_is_none_is_told_alike(game: str) -> None:
    short, long = both_ways(f'{{"game": {game}, "trick": []}}'.encode())
    assert short == long
    assert short[1] == "game"


def both_ways(text: bytes) -> tuple[Any, Any]:
    """What is made of a text, and of the same text with so much white space before it that it goes the long way."""
    answers: list[Any] = []
    for data in (text, b" " * 5000 + text):
        try:
            answers.append(records.answer_legal(data))
        except records.RecordError as refused:
            answers.append((type(refused), refused.field, refused.rule, refused.event, refused.message.split(" (")[0]))
    return answers[0], answers[1]


PIECES = [
    b'"game"',
    b'"bisque"',
    b'"trick"',
    b'"hand"',
    b'"ask"',
    b'"kill"',
    b"null",
    b"1",
    b"-0",
    b"1e2",
    b"[]",
    b"{}",
    b"true",
]


@given(st.lists(st.sampled_from([*PIECES, b"{", b"}", b"[", b"]", b":", b",", b" ", b'"a"', b'"a'])))
def test_any_pieces_are_taken_alike(pieces: list[bytes]) -> None:
    short, long = both_ways(b"".join(pieces))
    assert short == long


@given(
    st.integers(0, len(LOOK_UP)), st.integers(0, len(LOOK_UP)), st.sampled_from([b"", *PIECES, b'"ace-moons",', b'"ask": "x",'])
)
def test_look_ups_with_something_changed_are_taken_alike(at: int, to: int, piece: bytes) -> None:
    short, long = both_ways(LOOK_UP[: min(at, to)] + piece + LOOK_UP[max(at, to) :])
    assert short == long
