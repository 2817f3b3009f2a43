"""Why can't a record be taken? In a sentence with its place, for whoever wrote it, by hand or by program."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import inspect

from companion.engine.core import RuleError
from companion.engine.text import join_names

MOST_NAMED = 40  # more choices than these make a sentence that nobody reads
LONGEST_QUOTE = 40  # characters
LARGEST_QUOTE = 10**15  # numbers from here on are not written out


class RecordError(Exception):
    """A record, event or look-up that can't be taken: where, and what would be right.

    ``event`` is the index from 0 of the event that is wrong, or None when it is the document itself or a look-up. ``field`` is
    the dotted path of the wrong part in it ("count.points"), ``rule`` the rule behind a refusal; both may be empty.
    """

    def __init__(self, event: int | None, message: str, *, field: str = "", rule: str = "") -> None:
        super().__init__(message)
        self.event = event
        self.message = message
        self.field = field
        self.rule = rule

    @classmethod
    def from_rule(cls, event: int | None, refused: RuleError) -> RecordError:
        """What the rules said, at this event."""
        return cls(event, refused.message, field=refused.field, rule=refused.rule)


class UnreadableError(RecordError):
    """The bytes are no JSON, or more of it than a record can be. Reading came to ``at`` (an offset in bytes) and no further."""

    def __init__(self, event: int | None, message: str, *, at: int) -> None:
        super().__init__(event, message)
        self.at = at


def one_of(choices: Iterable[object]) -> str:
    """``lion, leopard or elephant``: what there is to choose from, cut short where it would fill a page."""
    named = [str(choice) for choice in choices]
    return ", ".join(named[:MOST_NAMED]) + " and so on" if len(named) > MOST_NAMED else join_names(named, "or")


def quoted(text: str) -> str:
    """The text in quotation marks, at most :data:`LONGEST_QUOTE` characters of it."""
    return f"“{text}”" if len(text) <= LONGEST_QUOTE else f"“{text[:LONGEST_QUOTE]}…”"


def unknown(what: str, given: object, known: Iterable[object]) -> str:
    """``there is no game “chess”; possible: beloz or bisque.``"""
    return f"there is no {what} {quoted(str(given))}; possible: {one_of(known)}."


def error_at(event: int | None, place: str, sentence: str) -> RecordError:
    """The refusal of what stands at this place, which is named first; without one it is the whole."""
    return RecordError(event, f"{place}: {sentence}" if place else sentence[:1].upper() + sentence[1:], field=place)


_REFUSAL = re.compile(r"(?P<what>.*?)(?: - at `(?:key in )?\$(?P<path>.*)`)?", re.DOTALL)
_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+|\.\.\.)\]")
_MISSING = re.compile(r"Object missing required field `(.*)`", re.DOTALL)
_UNKNOWN = re.compile(r"Object contains unknown field `(.*)`", re.DOTALL)
_TYPE_OR_VALUE = ("Expected ", "Invalid value ", "Invalid enum value ", "Number out of range", "Integer value out of range")


def describe_error(
    refusal: msgspec.ValidationError, wanted: Any, value: Any, event: int | None = None, within: str = ""
) -> RecordError:
    """What is wrong with ``value`` (JSON's terms), which is no ``wanted`` type: the place, what is needed there, what is there.

    Only the place is taken from the decoder's refusal; the rest is told from the type, so that it can name all that is allowed.
    ``within`` is the path of the value itself in the document.
    """
    found = _REFUSAL.fullmatch(str(refusal))
    what, path = (found["what"], found["path"] or "") if found else (str(refusal), "")
    steps = [name or index for name, index in _STEP.findall(path)]
    info: inspect.Type = inspect.type_info(wanted)
    above: inspect.Type | None = None
    for step in steps:
        above, (info, value) = info, _inside(info, value, step)
    if missing := _MISSING.fullmatch(what):
        steps.append(missing[1])
        sentence = "this is missing."
        if tags := _tags(info, missing[1]):
            sentence = f"this is missing; it can be {one_of(tags)}."
    elif surplus := _UNKNOWN.fullmatch(what):
        steps.append(surplus[1][:LONGEST_QUOTE])
        sentence = "nothing of this name belongs here" + _names(info, value)
    elif above is not None and (tags := _tags(above, steps[-1])):
        sentence = f"{one_of(tags)} is needed here, not {_shown(value)}."
    elif what.startswith(_TYPE_OR_VALUE):
        sentence = f"{_needed(info)} is needed here, not {_shown(value)}."
    else:  # a type's own check, whose sentence is already meant for people
        sentence = what
    place = ".".join([within, *steps] if within else steps)
    return error_at(event, place, sentence)


def _inside(info: inspect.Type, value: Any, step: str) -> tuple[inspect.Type, Any]:
    """The type and the value one step further in; ``...`` stands for any key of a mapping."""
    info = _branch(info, value)
    if isinstance(value, dict):
        value = value.get(step)
    elif isinstance(value, list | tuple) and step.isdecimal() and int(step) < len(value):
        value = value[int(step)]
    if isinstance(info, inspect.StructType):
        return next((field.type for field in info.fields if field.encode_name == step), inspect.AnyType()), value
    if isinstance(info, inspect.TupleType) and step.isdecimal() and int(step) < len(info.item_types):
        return info.item_types[int(step)], value
    if isinstance(info, inspect.CollectionType):
        return info.item_type, value
    return inspect.AnyType(), value


def _branch(info: inspect.Type, value: Any) -> inspect.Type:
    """Of a choice of types the one that this value means to be: a struct by its tag, else the first of the value's shape."""
    if isinstance(info, inspect.Metadata):
        return _branch(info.type, value)
    if not isinstance(info, inspect.UnionType):
        return info
    shape = inspect.StructType if isinstance(value, dict) else (inspect.CollectionType, inspect.TupleType)
    fitting = [_branch(kind, value) for kind in info.types]
    fitting = [kind for kind in fitting if isinstance(kind, shape)]
    for kind in fitting:
        if isinstance(kind, inspect.StructType) and kind.tag_field and value.get(kind.tag_field) == kind.tag:
            return kind
    return fitting[0] if fitting else info


def _kinds(info: inspect.Type) -> list[inspect.Type]:
    if isinstance(info, inspect.Metadata):
        return [info] if _description(info) else _kinds(info.type)
    return [kind for each in info.types for kind in _kinds(each)] if isinstance(info, inspect.UnionType) else [info]


def _tags(info: inspect.Type, name: str) -> list[object]:
    """The tags that tell the structs of this choice apart, if ``name`` is where they stand."""
    return [kind.tag for kind in _kinds(info) if isinstance(kind, inspect.StructType) and kind.tag_field == name]


def _names(info: inspect.Type, value: Any) -> str:
    info = _branch(info, value)
    if not isinstance(info, inspect.StructType):
        return "."
    names = [*filter(None, [info.tag_field]), *(field.encode_name for field in info.fields)]
    return f"; possible: {one_of(names)}." if names else "."


def _description(info: inspect.Type) -> str:
    """What the type itself says that it is, if it does."""
    extra = info.extra_json_schema if isinstance(info, inspect.Metadata) else None
    return str((extra or {}).get("description", ""))


def _needed(info: inspect.Type) -> str:
    return one_of(dict.fromkeys(_described(kind) for kind in _kinds(info)))


def _described(kind: inspect.Type) -> str:
    match kind:
        case inspect.Metadata():
            return _description(kind)
        case inspect.IntType():
            return "a whole number" + _span(kind)
        case inspect.FloatType():
            return "a number"
        case inspect.StrType():
            return "text" if kind.max_length is None else f"text of at most {kind.max_length} characters"
        case inspect.BoolType():
            return "true or false"
        case inspect.NoneType():
            return "null"
        case inspect.LiteralType():
            return one_of(kind.values)
        case inspect.TupleType():
            return f"a list of {len(kind.item_types)}"
        case inspect.CollectionType(min_length=fewest, max_length=most) if fewest is not None and fewest == most:
            return f"a list of {most}"
        case inspect.CollectionType(min_length=fewest, max_length=most):
            bounds = [f"at least {fewest}" if fewest else "", f"at most {most}" if most is not None else ""]
            return " and ".join(["a list", *filter(None, bounds)]).replace("list and", "list of")
        case inspect.StructType() if kind.tag_field:
            return f"an object with a “{kind.tag_field}”"
        case _:
            return "an object"


def _span(kind: inspect.IntType) -> str:
    least = kind.ge if kind.ge is not None else None if kind.gt is None else kind.gt + 1
    most = kind.le if kind.le is not None else None if kind.lt is None else kind.lt - 1
    if least is not None and most is not None:
        return f" from {least} to {most}"
    if least is not None:
        return f" of at least {least}"
    return "" if most is None else f" of at most {most}"


def _shown(value: Any) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() | float() if not abs(value) < LARGEST_QUOTE:  # or it is no number at all
            return "so large a number"
        case int() | float():
            return str(value)
        case str():
            return f"the text {quoted(value)}"
        case list() | tuple():
            return f"a list of {len(value)}"
        case _:
            return "an object"
