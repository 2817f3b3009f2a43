"""Reading JSON with an eye on its size: what is JSON, where its parts are, and how far a record may go."""

from __future__ import annotations

import json
from typing import Any, NoReturn

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from companion.engine.records import RecordError, UnreadableError
from companion.engine.records.outline import MAX_BYTES, MAX_DEPTH, MAX_EVENTS, MAX_ITEMS, MAX_KEYS, read_outline

NO_JSON = [
    (b"", "There is nothing to read here: the document is empty."),
    (b" \n\t\r ", "There is nothing to read here: the document is empty."),
    (b"[", "This is not JSON: it ends before it is complete (column 2)."),
    (b'{"a"', "This is not JSON: a name with a colon is missing before the value (column 2)."),
    (b'{"a": ', "This is not JSON: it ends before it is complete (column 7)."),
    (b'{"a": 1,', "This is not JSON: it ends before it is complete (column 9)."),
    (b'{"a": 1,}', "This is not JSON: a comma stands before the closing bracket (column 8)."),
    (b"[1,]", "This is not JSON: a comma stands before the closing bracket (column 3)."),
    (b"[,1]", "This is not JSON: a value is missing before the comma (column 2)."),
    (b"[1,,2]", "This is not JSON: , can't stand here (column 4)."),
    (b"[1 2]", "This is not JSON: a comma is missing (column 4)."),
    (b'{"a": 1\n "b": 2}', "This is not JSON: a comma is missing (line 2, column 2)."),
    (b'{"a" 1}', "This is not JSON: a name with a colon is missing before the value (column 2)."),
    (b"{1: 2}", "This is not JSON: a name with a colon is missing before the value (column 2)."),
    (b"{'a': 2}", "This is not JSON: ' can't stand here (column 2)."),
    (b'{"a"}', "This is not JSON: a name with a colon is missing before the value (column 2)."),
    (b'{"a":}', "This is not JSON: a value is missing after the colon (column 6)."),
    (b'["a": 1]', "This is not JSON: a name can't stand here (column 2)."),
    (b'"a": 1', "This is not JSON: a name can't stand here (column 1)."),
    (b",", "This is not JSON: it ends before it is complete (column 2)."),
    (b",1", "This is not JSON: nothing can begin with a comma (column 1)."),
    (b"]", "This is not JSON: a bracket closes here that was not opened (column 1)."),
    (b"{]", "This is not JSON: a bracket closes here that was not opened (column 2)."),
    (b"[1}", "This is not JSON: a bracket closes here that was not opened (column 3)."),
    (b"[1]]", "This is not JSON: the document is complete, and yet there is more (column 4)."),
    (b"{}\n{}", "This is not JSON: the document is complete, and yet there is more (line 2, column 1)."),
    (b"[NaN]", "This is not JSON: NaN is no value; possible: true, false or null (column 2)."),
    (b"[-Infinity]", "This is not JSON: -Infinity is no value; possible: true, false or null (column 2)."),
    (b"[tru]", "This is not JSON: tru is no value; possible: true, false or null (column 2)."),
    (b"[1]x", "This is not JSON: the document is complete, and yet there is more (column 4)."),
    (b"[01]", "This is not JSON: a comma is missing (column 3)."),
    (b"[1.]", "This is not JSON: . can't stand here (column 3)."),
    (b"[+1]", "This is not JSON: + can't stand here (column 2)."),
    (b'["a]', "This is not JSON: a text has no end, or a character or backslash in it that JSON does not allow (column 2)."),
    (b'["\t"]', "This is not JSON: a text has no end, or a character or backslash in it that JSON does not allow (column 2)."),
    (b'["\\x"]', "This is not JSON: a text has no end, or a character or backslash in it that JSON does not allow (column 2)."),
    ("[]".encode("utf-16"), "This is not JSON: the byte 0xff can't stand here; is this UTF-8 text? (column 1)."),
    ('["é", x]'.encode(), "This is not JSON: x is no value; possible: true, false or null (column 7)."),
    (b'{\n  "a": "\xc3\xa9",\n  "\xff": 1\n}', "This is not UTF-8 text (line 3, column 4)."),
    (b'["\xed\xa0\x80"]', "This is not UTF-8 text (column 3)."),
]


@pytest.mark.parametrize(("data", "message"), NO_JSON, ids=[repr(data) for data, _ in NO_JSON])
def test_what_is_no_json_is_told_with_its_place(data: bytes, message: str) -> None:
    with pytest.raises(RecordError) as caught:
        read_outline(data)
    assert (caught.value.event, caught.value.message) == (None, message)


def test_the_parts_of_an_object_are_found_by_name() -> None:
    found = read_outline(b' {"a" : [1, {"b": 2}] , "\\u0062":"x","events":[{"c":[]}, 5 ,"x"], "d":{}} ', log=b"events")
    assert found.part("a") == b'[1, {"b": 2}]'
    assert found.part("b") == b'"x"'
    assert found.part("d") == b"{}"
    assert found.part("c") is None
    assert [found.data[start:end] for start, end in zip(found.starts, found.ends, strict=True)] == [b'{"c":[]}', b"5", b'"x"']


@pytest.mark.parametrize("data", [b"5", b"[]", b'"events"', b'[["events", 1]]', b"null"])
def test_only_an_object_has_parts(data: bytes) -> None:
    found = read_outline(data, log=b"events")
    assert found.parts is None
    assert found.part("events") is None
    assert not found.starts


def _no_number(word: str) -> NoReturn:
    raise ValueError(word)


def _standard(data: bytes) -> bool:
    """Whether the standard library's reader takes this as JSON, the words that only it knows aside."""
    try:
        json.loads(data.decode(), parse_constant=_no_number)
    except (ValueError, RecursionError):
        return False
    return True


def _readable(data: bytes) -> bool:
    try:
        read_outline(data)
    except UnreadableError:
        return False
    except RecordError as fault:  # JSON, but with a name given twice
        return "twice" in fault.message
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


@given(json_values, st.sampled_from([None, 2]), st.booleans())
def test_every_json_value_is_readable_however_it_is_laid_out(value: Any, indent: int | None, ascii_only: bool) -> None:
    data = json.dumps(value, indent=indent, ensure_ascii=ascii_only).encode()
    found = read_outline(data)
    if isinstance(value, dict):
        assert {name: json.loads(found.part(name) or b"") for name in value} == value
    else:
        assert found.parts is None


@given(st.dictionaries(st.text(max_size=3), st.integers(0, 9), min_size=1, max_size=4), st.data())
def test_a_name_given_twice_is_always_seen(value: dict[str, int], data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(value)))
    escaped = "".join(f"\\u{unit:04x}" for unit in memoryview(name.encode("utf-16-le", "surrogatepass")).cast("H"))
    text = json.dumps(value)[:-1] + f', "{escaped}": 0}}'
    with pytest.raises(RecordError, match="is given twice"):
        read_outline(text.encode())


LIMITS = [
    (b"[" * MAX_DEPTH + b"]" * MAX_DEPTH, b"[" * (MAX_DEPTH + 1), "nested more than 32 deep"),
    (
        b"{" + b",".join(b'"%d":0' % n for n in range(MAX_KEYS)) + b"}",
        b"{" + b",".join(b'"%d":0' % n for n in range(MAX_KEYS + 1)) + b"}",
        "one object has more than 64 names",
    ),
    (b"[" + b"0," * (MAX_ITEMS - 1) + b"0]", b"[" + b"0," * MAX_ITEMS + b"0]", "one list has more than 1,000 items"),
    (
        b'{"events":[' + b"0," * (MAX_EVENTS - 1) + b"0]}",
        b'{"events":[' + b"0," * MAX_EVENTS + b"0]}",
        "there are more than 20,000 events",
    ),
    (b"0" + b" " * (MAX_BYTES - 1), b"0" + b" " * MAX_BYTES, "larger than 4 MiB"),
]


@pytest.mark.parametrize(("most", "more", "message"), LIMITS, ids=[message for _, _, message in LIMITS])
def test_a_record_goes_so_far_and_no_further(most: bytes, more: bytes, message: str) -> None:
    read_outline(most, log=b"events")
    with pytest.raises(UnreadableError, match=message) as caught:
        read_outline(more, log=b"events")
    assert caught.value.event is None


def test_excess_within_an_event_is_told_at_the_event() -> None:
    with pytest.raises(UnreadableError) as caught:
        read_outline(b'{"events":[0,1,' + b"[" * 40, log=b"events")
    assert caught.value.event == 2
