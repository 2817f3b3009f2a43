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
    (
        b'["a", "\\\\", "\\x"]',
        "This is not JSON: a text has no end, or a character or backslash in it that JSON does not allow (column 13).",
    ),
    (b'["\\x"]', "This is not JSON: a text has no end, or a character or backslash in it that JSON does not allow (column 2)."),
    ("[]".encode("utf-16"), "This is not JSON: the byte 0xff can't stand here; is this UTF-8 text? (column 1)."),
    ('["é", x]'.encode(), "This is not JSON: x is no value; possible: true, false or null (column 7)."),
    (b'{\n  "a": "\xc3\xa9",\n  "\xff": 1\n}', "This is not UTF-8 text (line 3, column 4)."),
    (b'["\xed\xa0\x80"]', "This is not UTF-8 text (column 3)."),
    (b"\n]", "This is not JSON: a bracket closes here that was not opened (line 2, column 1)."),
    (b",\n1", "This is not JSON: nothing can begin with a comma (line 1, column 1)."),
    (b"[1 2]\n", "This is not JSON: a comma is missing (column 4)."),
    (b"[1 2]\n\n", "This is not JSON: a comma is missing (line 1, column 4)."),
    ('["\u0080\u00bf", x]'.encode(), "This is not JSON: x is no value; possible: true, false or null (column 8)."),
    (b"[\x7f]", "This is not JSON: the byte 0x7f can't stand here; is this UTF-8 text? (column 2)."),
    (b"[\x1f]", "This is not JSON: the byte 0x1f can't stand here; is this UTF-8 text? (column 2)."),
    (b"[!]", "This is not JSON: ! can't stand here (column 2)."),
    (b'"\\ud800"', "Half of a character (a lone surrogate) stands in a text (column 1)."),
    (b'["\\u0041", "\\ud800", 1]', "Half of a character (a lone surrogate) stands in a text (column 12)."),
    (b'{"\xff": 1, "\xff": 2}', "The name “\ufffd” is given twice (column 10)."),
]
LONG = "y" * 3998
TOO_LONG = "y" * 3999  # 4,001 bytes with its quotation marks
HALF = "Half of a character (a lone surrogate) stands in a"
FAULTS = [
    (f'{{"events":[0,{{"{TOO_LONG}":1}}]}}', 1, "A name is too long (column 15)."),
    (f'{{"events":[0,{{"a":"{TOO_LONG}"}}]}}', 1, "A text is longer than 4,000 bytes (column 19)."),
    ('{"events":[0,{"a":"\\ud800","b":"\\ud800"}]}', 1, f"{HALF} text (column 19)."),
    ('{"events":[{"a":"\\ud800"},{"\\ud800":1}]}', 0, f"{HALF} text (column 17)."),
]
EXCESS = [
    ('{"events":[0,{"a":[' + "0," * 1000 + "0]}]}", 1, "one list has more than 1,000 items (column 2020)."),
    ('{"events":[{' + ",".join(f'"{n:02}":0' for n in range(65)) + "}]}", 0, "one object has more than 64 names (column 466)."),
    ('{"events":[], "a": [' + "0," * 1000 + "0]}", None, "one list has more than 1,000 items (column 2021)."),
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


@pytest.mark.parametrize(("text", "event", "message"), FAULTS)
def test_the_first_fault_within_an_event_is_kept_with_its_place(text: str, event: int, message: str) -> None:
    fault = read_outline(text.encode(), log=b"events").fault
    assert fault is not None
    assert (fault.event, fault.message) == (event, message)


@pytest.mark.parametrize("text", [f'{{"events":[{{"{LONG}":1}}]}}', f'{{"events":[{{"a":"{LONG}"}}]}}', '{"events":[1E5]}'])
def test_what_is_just_allowed_is_no_fault(text: str) -> None:
    assert read_outline(text.encode(), log=b"events").fault is None


@pytest.mark.parametrize(("text", "event", "message"), EXCESS)
def test_excess_is_told_where_it_begins(text: str, event: int | None, message: str) -> None:
    with pytest.raises(UnreadableError) as caught:
        read_outline(text.encode(), log=b"events")
    assert (caught.value.event, caught.value.message) == (event, f"This is more than a record can hold: {message}")


def test_a_fault_after_the_events_is_the_documents_own() -> None:
    with pytest.raises(RecordError) as caught:
        read_outline(b'{"events":[{"a":"\\ud800"}],"b":"\\ud800"}', log=b"events")
    assert (caught.value.event, caught.value.message) == (None, f"{HALF} text (column 32).")


def test_where_a_document_is_too_large_and_broken_the_first_of_both_is_told() -> None:
    most = 4 * 2**20
    for data, message in [
        (b"[x" + b" " * most, "This is not JSON: x is no value; possible: true, false or null (column 2)."),
        (b"[" + b" " * (most - 2**16 - 2) + b"x" + b" " * 2**17, "This is not JSON: x is no value"),
        (b"[" + b" " * (most - 2**16 - 1) + b"x" + b" " * 2**17, "The document is larger than 4 MiB"),
        (b"[" + b" " * (most - 2) + b"x", "This is not JSON: x is no value"),
        (b"[" + b" " * most, "The document is larger than 4 MiB"),
    ]:
        with pytest.raises(UnreadableError) as caught:
            read_outline(data)
        assert caught.value.message.startswith(message)


def test_half_of_a_character_is_found_at_the_edge_of_what_is_looked_at_in_one_go() -> None:
    before = b'["' + b'", "'.join([b"a" * 3000] * 21) + b'", "'  # 2 + 63,000 + 80 + 4 bytes
    with pytest.raises(RecordError) as caught:
        read_outline(before + b"a" * 2449 + b'\xc3"]')
    assert caught.value.message == "This is not UTF-8 text (column 65536)."
