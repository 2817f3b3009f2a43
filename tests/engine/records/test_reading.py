"""What is JSON, where are its parts, and how far may a record go, read with an eye on its size?"""

from __future__ import annotations

import json
from typing import Any, NoReturn

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from companion.engine.records import RecordError, UnreadableError
from companion.engine.records.reading import MAX_BYTES, MAX_EVENTS, MAX_PART, read_document

NO_JSON = [
    (b"", "There is nothing to read here: the document is empty."),
    (b" \n\t\r ", "There is nothing to read here: the document is empty."),
    (b"[", "This is not JSON: it ends before it is complete (column 2)."),
    (b'{"a"', "This is not JSON: it ends before it is complete (column 5)."),
    (b'{"a": 1,}', "This is not JSON: trailing comma in object (column 9)."),
    (b"[1,]", "This is not JSON: trailing comma in array (column 4)."),
    (b"[1,,2]", "This is not JSON: invalid character (column 4)."),
    (b"[1 2]", "This is not JSON: expected ',' or ']' (column 4)."),
    (b'{"a": 1\n "b": 2}', "This is not JSON: expected ',' or '}' (line 2, column 2)."),
    (b'{"a" 1}', "This is not JSON: expected ':' (column 6)."),
    (b"{1: 2}", "This is not JSON: expected '\"' (column 2)."),
    (b'"a": 1', "This is not JSON: there is more after its end (column 4)."),
    (b"{}\n{}", "This is not JSON: there is more after its end (line 2, column 1)."),
    (b"[1]x", "This is not JSON: there is more after its end (column 4)."),
    (b"[NaN]", "This is not JSON: invalid character (column 2)."),
    (b"[-Infinity]", "This is not JSON: invalid character (column 3)."),
    (b"[tru]", "This is not JSON: invalid character (column 3)."),
    (b"[01]", "This is not JSON: invalid number (column 3)."),
    (b'["a]', "This is not JSON: it ends before it is complete (column 5)."),
    (b'["\t"]', "This is not JSON: invalid character (column 3)."),
    (b'["\\x"]', "This is not JSON: invalid escaped character (column 4)."),
    ("[]".encode("utf-16"), "This is not UTF-8 text (column 1)."),
    ('["é", x]'.encode(), "This is not JSON: invalid character (column 7)."),
    (b'{\n  "a": "\xc3\xa9",\n  "\xff": 1\n}', "This is not UTF-8 text (line 3, column 4)."),
    (b'["\xed\xa0\x80"]', "This is not UTF-8 text (column 3)."),
    (b"[" * 100_000, "This is more than a record can hold: it is nested too deep."),
    (b'{"a": "\\u0041", "b": "\\ud800"}', "Half of a character (a lone surrogate) stands here (column 23)."),
]


@pytest.mark.parametrize(("data", "message"), NO_JSON, ids=[repr(data[:40]) for data, _ in NO_JSON])
def test_what_is_no_json_is_told_with_its_place(data: bytes, message: str) -> None:
    with pytest.raises(RecordError) as caught:
        read_document(data)
    assert (caught.value.event, caught.value.message) == (None, message)


def test_the_parts_of_an_object_are_found_by_name() -> None:
    found = read_document(b' {"a" : [1, {"b": 2}] , "\\u0062":"x","events":[{"c":[]}, 5 ,"x"], "d":{}} ')
    assert found.parts is not None
    assert {name: bytes(part) for name, part in found.parts.items() if name != "events"} == {
        "a": b'[1, {"b": 2}]',
        "b": b'"x"',
        "d": b"{}",
    }
    assert [bytes(event) for event in found.events] == [b'{"c":[]}', b"5", b'"x"']


@pytest.mark.parametrize("data", [b"5", b"[]", b'"events"', b'[["events", 1]]', b"null"])
def test_only_an_object_has_parts(data: bytes) -> None:
    found = read_document(data)
    assert found.parts is None
    assert not found.events


def _no_number(word: str) -> NoReturn:
    raise ValueError(word)


def _standard(data: bytes) -> bool:
    """Return whether the standard library's reader takes this as JSON, the words that only it knows aside."""
    try:
        json.loads(data.decode(), parse_constant=_no_number)
    except (ValueError, RecursionError):
        return False
    return True


def _readable(data: bytes) -> bool:
    try:
        read_document(data)
    except UnreadableError:
        return False
    except RecordError as fault:  # JSON, but with a name given twice, or with half of a character
        return "twice" in fault.message or "Half" in fault.message
    return True


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**9), 10**9)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=12,
)
WORDS = ("{", "}", "[", "]", ",", ":", '"', '"a"', '"b":', "\\", "\\u0041", "é", "null", "true")
NUMBERS = ("1", "-", "0", "1.5", "2e3", ".", "e", " ", "\n")
pieces = st.sampled_from(WORDS + NUMBERS)


@given(st.lists(pieces, max_size=14).map("".join))
@example("[0e5]")
@example('{"a":[{"b":[]}]}')
@example('{"a":1,"b":}')
def test_it_takes_what_the_standard_library_takes(text: str) -> None:
    data = text.encode()
    assert _readable(data) == _standard(data)


@given(
    st.lists(
        st.sampled_from([*(f"\\{each}" for each in '\\"/bfnrtuxX'), "\\u00e9", "\\u00C9", "\\u12", '"', "a", "0", ", "]),
        max_size=9,
    )
)
@example(["\\\\"])
@example(["\\\\", '\\"', ", "])
@example(["\\\\", '"', ", ", '"', "\\"])
@example(["\\u12", "0", "0"])
@example(["\\u00C9"])
@example(["\\X"])
@example(["a", '"', ", ", '"', "\\x", '"'])
def test_a_text_ends_where_the_standard_library_says_whatever_is_escaped(parts: list[str]) -> None:
    for text in ('["{}"]', '{{"{}": 1}}'):
        data = text.format("".join(parts)).encode()
        assert _readable(data) == _standard(data)


@given(json_values, st.sampled_from([None, 2]), st.booleans())
def test_every_json_value_is_readable_however_it_is_laid_out(value: Any, indent: int | None, ascii_only: bool) -> None:
    data = json.dumps(value, indent=indent, ensure_ascii=ascii_only).encode()
    found = read_document(data)
    if isinstance(value, dict):
        assert found.parts is not None
        assert {name: json.loads(bytes(part)) for name, part in found.parts.items()} == value
    else:
        assert found.parts is None


@given(st.dictionaries(st.text(st.characters(codec="utf-8"), max_size=3), st.integers(0, 9), min_size=1, max_size=4), st.data())
def test_a_name_given_twice_is_always_seen(value: dict[str, int], data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(value)))
    escaped = "".join(f"\\u{unit:04x}" for unit in memoryview(name.encode("utf-16-le", "surrogatepass")).cast("H"))
    text = json.dumps(value)[:-1] + f', "{escaped}": 0}}'
    with pytest.raises(RecordError, match="is given twice"):
        read_document(text.encode())


LIMITS = [
    (
        b'{"events":[' + b"0," * (MAX_EVENTS - 1) + b"0]}",
        b'{"events":[' + b"0," * MAX_EVENTS + b"0]}",
        "A record holds at most 20,000 events",
    ),
    (b"0" + b" " * (MAX_BYTES - 1), b"0" + b" " * MAX_BYTES, "larger than 4 MiB"),
]


@pytest.mark.parametrize(("most", "more", "message"), LIMITS, ids=[message for _, _, message in LIMITS])
def test_a_record_goes_so_far_and_no_further(most: bytes, more: bytes, message: str) -> None:
    read_document(most)
    with pytest.raises(UnreadableError, match=message) as caught:
        read_document(more)
    assert caught.value.event is None


def test_a_part_is_no_larger_than_any_game_needs() -> None:
    with pytest.raises(RecordError, match="options: this is larger than 64 KiB"):
        read_document(b'{"options":"' + b"x" * MAX_PART + b'"}')
    late = read_document(b'{"events":[0,"' + b"x" * MAX_PART + b'"]}')
    late.check_event(0)
    with pytest.raises(RecordError, match="larger than 64 KiB") as caught:
        late.check_event(1)
    assert caught.value.event == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"events":[0,{"a":1,"a":2}]}', "The name “a” is given twice."),
        ('{"events":[0,[{"b":{"a":1,"\\u0061":2}}]]}', "The name “a” is given twice."),
        ('{"events":[0,{"a":"\\ud800","b":"\\ud800"}]}', "Half of a character (a lone surrogate) stands here (column 20)."),
        ('{"events":["\\\\ud800",{"\\udc00":1}]}', "Half of a character (a lone surrogate) stands here (column 24)."),
        ('{"events":[0,{"a":' + "9" * 31 + "}]}", "A number has more than 30 digits."),
    ],
)
def test_what_is_readable_and_yet_wrong_is_told_at_its_event(text: str, message: str) -> None:
    found = read_document(text.encode())
    found.check_event(0)
    with pytest.raises(RecordError) as caught:
        found.check_event(1)
    assert (caught.value.event, caught.value.message) == (1, message)


@pytest.mark.parametrize("event", ['"' + "9" * 31 + '"', '"\\"' + "9" * 31 + '"', '"\\ud83d\\ude00"', "1E5", "9" * 30])
def test_what_is_just_allowed_is_no_fault(event: str) -> None:
    read_document(f'{{"events":[{event}]}}'.encode()).check_event(0)


def test_where_a_document_is_too_large_and_broken_the_first_of_both_is_told() -> None:
    most = 4 * 2**20
    for data, message in [
        (b"[x" + b" " * most, "This is not JSON: invalid character (column 2)."),
        (b"[" + b" " * (most - 2**16 - 2) + b"x" + b" " * 2**17, "This is not JSON: invalid character"),
        (b"[" + b" " * (most - 2**16 - 1) + b"x" + b" " * 2**17, "The document is larger than 4 MiB"),
        (b"[" + b" " * (most - 2) + b"x", "This is not JSON: invalid character"),
        (b"[" + b" " * most, "The document is larger than 4 MiB"),
    ]:
        with pytest.raises(UnreadableError) as caught:
            read_document(data)
        assert caught.value.message.startswith(message)
