"""What does a refusal say of a wrong value? The place, what is needed there, and what is there."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import Meta, Struct

from companion.engine.records.errors import RecordError, describe_error, error_at, one_of, quoted
from companion.engine.text import say


class Cod(Struct, tag="cod"):
    """A fish with a weight."""

    weight: int = 1


class Eel(Struct, tag="eel"):
    """A fish with a length, and a note."""

    length: Annotated[int, Meta(ge=1)] = 1
    note: str = ""


class Empty(Struct):
    """Nothing at all."""


class Moody(Struct):
    """Refuses to be made."""

    mood: int

    def __post_init__(self) -> None:
        """Refuse every value."""
        raise ValueError("Not\ntoday.")


class Shoal(Struct):
    """Fish of several kinds."""

    fish: list[Cod | Eel] = []
    pair: tuple[int, str] = (1, "")


WITH_X = Annotated[str, Meta(pattern="^x", extra_json_schema={"description": "64 hex digits"})]
MANY = " or ".join([", ".join(f"w{n:02}" for n in range(39)), "w39"])
TABLE: list[tuple[Any, Any, str]] = [
    (int, "x", "A whole number is needed here, not the text “x”."),
    (int, None, "A whole number is needed here, not null."),
    (int, True, "A whole number is needed here, not true."),
    (int, [1, 2], "A whole number is needed here, not a list of 2."),
    (int, {}, "A whole number is needed here, not an object."),
    (int, 10.0**15 - 0.5, "A whole number is needed here, not 999999999999999.5."),
    (Annotated[int, Meta(le=9)], 10**15 - 1, "A whole number of at most 9 is needed here, not 999999999999999."),
    (Annotated[int, Meta(le=9)], 10**15, "A whole number of at most 9 is needed here, not so large a number."),
    (Annotated[int, Meta(gt=2, lt=9)], 9, "A whole number from 3 to 8 is needed here, not 9."),
    (Annotated[int, Meta(ge=2, le=9)], 10, "A whole number from 2 to 9 is needed here, not 10."),
    (Annotated[int, Meta(gt=2)], 2, "A whole number of at least 3 is needed here, not 2."),
    (Annotated[int, Meta(ge=2)], 1, "A whole number of at least 2 is needed here, not 1."),
    (Annotated[int, Meta(lt=9)], 9, "A whole number of at most 8 is needed here, not 9."),
    (float, "x", "A number is needed here, not the text “x”."),
    (bool, 1, "True or false is needed here, not 1."),
    (str, False, "Text is needed here, not false."),
    (Annotated[str, Meta(max_length=3)], "four", "Text of at most 3 characters is needed here, not the text “four”."),
    (str | None, 5, "Text or null is needed here, not 5."),
    (Literal["a", "b", "c"], "d", "A, b or c is needed here, not the text “d”."),
    (tuple[int, int], 5, "A list of 2 is needed here, not 5."),
    (tuple[int, int], [5], "A list of 2 is needed here, not a list of 1."),
    (list[int], 5, "A list is needed here, not 5."),
    (Annotated[list[int], Meta(min_length=2, max_length=2)], [1], "A list of 2 is needed here, not a list of 1."),
    (Annotated[list[int], Meta(min_length=2)], [1], "A list of at least 2 is needed here, not a list of 1."),
    (Annotated[list[int], Meta(max_length=1)], [1, 2], "A list of at most 1 is needed here, not a list of 2."),
    (
        Annotated[list[int], Meta(min_length=2, max_length=3)],
        [1],
        "A list of at least 2 and at most 3 is needed here, not a list of 1.",
    ),
    (WITH_X, "y", "64 hex digits is needed here, not the text “y”."),
    (Cod, 5, "An object with a “type” is needed here, not 5."),
    (Empty, 5, "An object is needed here, not 5."),
    (Cod | Eel, {"type": "ray"}, "type: cod or eel is needed here, not the text “ray”."),
    (Cod | Eel, {}, "type: this is missing; it can be cod or eel."),
    (Cod | Eel, {"type": "eel", "length": 0}, "length: a whole number of at least 1 is needed here, not 0."),
    (Shoal, {"fish": [{"type": "cod"}, {"type": "eel", "note": 1}]}, "fish.1.note: text is needed here, not 1."),
    (Shoal, {"pair": [1, 2]}, "pair.1: text is needed here, not 2."),
    (Shoal, {"pair": ["1", ""]}, "pair.0: a whole number is needed here, not the text “1”."),
    (Moody, {"mood": 1}, "Not\ntoday."),
    (Moody, {}, "mood: this is missing."),
]  # fmt: skip


def told(wanted: Any, value: Any, **more: Any) -> RecordError:
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.convert(value, wanted)
    return describe_error(caught.value, wanted, value, **more)


@pytest.mark.parametrize(("wanted", "value", "message"), TABLE)
def test_what_is_needed_and_what_is_there(wanted: Any, value: Any, message: str) -> None:
    refusal = told(wanted, value)
    assert (refusal.event, refusal.message, refusal.rule) == (None, message, "")


def test_a_surplus_name_is_told_with_those_that_belong_there() -> None:
    class Strict(Struct, tag="strict", forbid_unknown_fields=True):
        one: int = 1
        two: int = 2

    class Bare(Struct, forbid_unknown_fields=True):
        pass

    refusal = told(Strict, {"type": "strict", "three": 3})
    assert refusal.message == "three: nothing of this name belongs here; possible: type, one or two."
    assert told(Bare, {"three": 3}).message == "three: nothing of this name belongs here."
    assert told(Bare, {"a\nb": 3}).message == "a\nb: nothing of this name belongs here."


def test_the_place_begins_where_the_value_itself_stands() -> None:
    refusal = told(Shoal, {"pair": [1, 2]}, event=4, within="options")
    assert (refusal.event, refusal.field) == (4, "options.pair.1")
    assert refusal.message == "options.pair.1: text is needed here, not 2."
    assert told(int, "x", within="seed").message == "seed: a whole number is needed here, not the text “x”."


def test_a_refusal_without_a_place_is_about_the_whole() -> None:
    refusal = error_at(None, "", say("nothing is there."))
    assert (refusal.message, refusal.field, refusal.rule) == ("Nothing is there.", "", "")


def test_forty_choices_are_named_and_no_more() -> None:
    words = [f"w{n:02}" for n in range(41)]
    assert one_of(words[:1]) == "w00"
    assert one_of(words[:2]) == "w00 or w01"
    assert one_of(words[:40]) == MANY
    assert one_of(words) == ", ".join(words[:40]) + " and so on"


def test_forty_letters_are_quoted_and_no_more() -> None:
    assert quoted("x" * 40) == "“" + "x" * 40 + "”"
    assert quoted("x" * 41) == "“" + "x" * 40 + "…”"
