"""Why can't a record be taken? In a sentence with its place, for whoever wrote it, by hand or by program."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import inspect

from companion.engine.core import RuleError
from companion.engine.text import Name, Part, Sentence, capital, listing, say, say_n

MOST_NAMED = 40  # more choices than these make a sentence that nobody reads
LONGEST_QUOTE = 40  # characters
LARGEST_QUOTE = 10**15  # numbers from here on are not written out


class RecordError(Exception):
    """A record, event or look-up that can't be taken: where, and what would be right.

    ``event`` is the index from 0 of the event that is wrong, or None when it is the document itself or a look-up. ``field`` is
    the dotted path of the wrong part in it ("count.points"), ``rule`` the rule behind a refusal; both may be empty.
    """

    def __init__(self, event: int | None, message: Sentence, *, field: str = "", rule: str = "") -> None:
        super().__init__(message)
        self.event = event
        self.message = message
        self.field = field
        self.rule = rule

    @property
    def sentence(self) -> Sentence:
        """The message without the field's path, for a page that shows it beside the field."""
        bare = self.message.parts.get("sentence")
        return capital(bare) if self.field and isinstance(bare, Sentence) else self.message

    @classmethod
    def from_rule(cls, event: int | None, refused: RuleError) -> RecordError:
        """Return what the rules said, at this event."""
        return cls(event, refused.message, field=refused.field, rule=refused.rule)


class UnreadableError(RecordError):
    """The bytes are not JSON, or more of it than a record can be. Reading came to ``at`` (an offset in bytes), no further."""

    def __init__(self, event: int | None, message: Sentence, *, at: int) -> None:
        super().__init__(event, message)
        self.at = at


def one_of(choices: Iterable[object]) -> Sentence:
    """``lion, leopard or elephant``: what there is to choose from, cut short where it would fill a page.

    A choice that is not a sentence is a word of records, the same in every language.
    """
    named: list[Part] = [choice if isinstance(choice, Sentence) else Name(choice) for choice in choices]
    if len(named) <= MOST_NAMED:
        return listing(named, "or")
    return say("{choices} and so on", choices=listing(named[:MOST_NAMED], "comma"))


def quoted(text: str) -> Sentence:
    """Return the text in quotation marks, at most :data:`LONGEST_QUOTE` characters of it."""
    return say("“{text}”", text=Name(text if len(text) <= LONGEST_QUOTE else f"{text[:LONGEST_QUOTE]}…"))


def unknown(complaint: Sentence, choices: Iterable[object]) -> Sentence:
    """``there is no game “chess”; possible: beloz or bisque.``"""
    return say("{complaint}; possible: {known}.", complaint=complaint, known=one_of(choices))


def error_at(event: int | None, place: str, sentence: Sentence) -> RecordError:
    """Return the refusal of one field, named first by its ``place``. An empty place means the whole document."""
    message = say("{place}: {sentence}", place=Name(place), sentence=sentence) if place else capital(sentence)
    return RecordError(event, message, field=place)


_REFUSAL = re.compile(r"(?P<what>.*?)(?: - at `(?:key in )?\$(?P<path>.*)`)?", re.DOTALL)
_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+|\.\.\.)\]")
_MISSING = re.compile(r"Object missing required field `(.*)`", re.DOTALL)
_UNKNOWN = re.compile(r"Object contains unknown field `(.*)`", re.DOTALL)
_TYPE_OR_VALUE = ("Expected ", "Invalid value ", "Invalid enum value ", "Number out of range", "Integer value out of range")


def describe_error(
    refusal: msgspec.ValidationError, wanted: Any, value: Any, event: int | None = None, within: str = ""
) -> RecordError:
    """Return why ``value`` (in JSON's terms) is not of the ``wanted`` type: the place, what is needed, what is there.

    Only the place is taken from the decoder's refusal; the rest is told from the type, so that it can name all that is allowed.
    ``within`` is the path of the value itself in the document.
    """
    located = _REFUSAL.fullmatch(str(refusal))
    problem, path = (located["what"], located["path"] or "") if located else (str(refusal), "")
    steps = [name or index for name, index in _STEP.findall(path)]
    info: inspect.Type = inspect.type_info(wanted)
    above: inspect.Type | None = None
    for step in steps:
        above, (info, value) = info, _inside(info, value, step)
    if missing := _MISSING.fullmatch(problem):
        steps.append(missing[1])
        sentence = say("this is missing.")
        if tags := _tags(info, missing[1]):
            sentence = say("this is missing; it can be {choices}.", choices=one_of(tags))
    elif surplus := _UNKNOWN.fullmatch(problem):
        steps.append(surplus[1][:LONGEST_QUOTE])
        sentence = _surplus(info, value)
    elif above is not None and (tags := _tags(above, steps[-1])):
        sentence = _instead(one_of(tags), value)
    elif problem.startswith(_TYPE_OR_VALUE):
        sentence = _instead(_needed(info), value)
    else:  # a type's own check, whose sentence is already meant for people
        sentence = say("{what}", what=Name(problem))
    place = ".".join([within, *steps] if within else steps)
    return error_at(event, place, sentence)


def _inside(info: inspect.Type, value: Any, step: str) -> tuple[inspect.Type, Any]:
    """Return the type and the value one step further in; ``...`` stands for any key of a mapping."""
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
    """Return the one of a choice of types that this value means to be: a struct by its tag, else the first of its shape."""
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
    return [kind for member in info.types for kind in _kinds(member)] if isinstance(info, inspect.UnionType) else [info]


def _tags(info: inspect.Type, name: str) -> list[object]:
    """Return the tags that tell the structs of this choice apart, if ``name`` is where they stand."""
    return [kind.tag for kind in _kinds(info) if isinstance(kind, inspect.StructType) and kind.tag_field == name]


def _instead(needed: Sentence, value: Any) -> Sentence:
    return say("{needed} is needed here, not {value}.", needed=needed, value=_shown(value))


def _surplus(info: inspect.Type, value: Any) -> Sentence:
    info = _branch(info, value)
    names: list[str] = []
    if isinstance(info, inspect.StructType):
        names = [*filter(None, [info.tag_field]), *(field.encode_name for field in info.fields)]
    if not names:
        return say("nothing of this name belongs here.")
    return say("nothing of this name belongs here; possible: {names}.", names=one_of(names))


def _description(info: inspect.Type) -> str:
    """Return what the type itself says that it is, if it does."""
    extra = info.extra_json_schema if isinstance(info, inspect.Metadata) else None
    return str((extra or {}).get("description", ""))


def _needed(info: inspect.Type) -> Sentence:
    return one_of(dict.fromkeys(_described(kind) for kind in _kinds(info)))


def _described(kind: inspect.Type) -> Sentence:
    match kind:
        case inspect.Metadata():
            return Sentence(_description(kind))
        case inspect.IntType():
            return _whole_number(kind)
        case inspect.FloatType():
            return say("a number")
        case inspect.StrType(max_length=None):
            return say("text")
        case inspect.StrType(max_length=int(most)):
            return say_n("text of at most {n} character", "text of at most {n} characters", most)
        case inspect.BoolType():
            return say("true or false")
        case inspect.NoneType():
            return say("null")
        case inspect.LiteralType():
            return one_of(kind.values)
        case inspect.TupleType():
            return say("a list of {n}", n=len(kind.item_types))
        case inspect.CollectionType(min_length=fewest, max_length=most):
            return _list(fewest, most)
        case inspect.StructType(tag_field=str(tag)):
            return say("an object with a “{tag}”", tag=Name(tag))
        case _:
            return say("an object")


def _list(fewest: int | None, most: int | None) -> Sentence:
    if most is None:
        return say("a list of at least {fewest}", fewest=fewest) if fewest else say("a list")
    if fewest == most:
        return say("a list of {n}", n=most)
    if fewest:
        return say("a list of at least {fewest} and at most {most}", fewest=fewest, most=most)
    return say("a list of at most {most}", most=most)


def _whole_number(kind: inspect.IntType) -> Sentence:
    least = kind.ge if kind.ge is not None else None if kind.gt is None else kind.gt + 1
    most = kind.le if kind.le is not None else None if kind.lt is None else kind.lt - 1
    if least is not None and most is not None:
        return say("a whole number from {least:,} to {most:,}", least=least, most=most)
    if least is not None:
        return say("a whole number of at least {least:,}", least=least)
    return say("a whole number") if most is None else say("a whole number of at most {most:,}", most=most)


def _shown(value: Any) -> Part:
    match value:
        case None:
            return say("null")
        case bool():
            return Name("true" if value else "false")
        case int() | float() if not abs(value) < LARGEST_QUOTE:  # or it is NaN
            return say("so large a number")
        case int():
            return value
        case float():
            return Name(value)
        case str():
            return say("the text {quote}", quote=quoted(value))
        case list() | tuple():
            return say("a list of {n}", n=len(value))
        case _:
            return say("an object")
