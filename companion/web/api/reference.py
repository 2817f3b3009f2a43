"""How do people read the API's description? Each schema's parts, and what each can be, in words with links."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from companion.rulebook.book import Piece

JSON = dict[str, Any]

_LITERAL = re.compile(r"``([^`]+)``")
_NAMED = {"integer": "whole number", "number": "number", "string": "text", "boolean": "true or false", "null": "null"}

Words = tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A part of an object: its name, its type, whether it is required, and a description."""

    name: str
    kind: Words
    needed: bool
    note: str


@dataclass(frozen=True, slots=True)
class Schema:
    """A named schema: a description, and either an object's parts or a type."""

    name: str
    about: Words
    parts: tuple[Part, ...]
    kind: Words


def schemas(document: JSON) -> tuple[Schema, ...]:
    """Return all schemas of the description, in its order."""
    return tuple(_schema(name, schema) for name, schema in document["components"]["schemas"].items())


def name_of(reference: str) -> str:
    """Return the name at the end of a reference: ``beloz.Round``."""
    return reference.rpartition("/")[2]


def _schema(name: str, schema: JSON) -> Schema:
    required = schema.get("required", ())
    parts = tuple(
        Part(part, tuple(_kind(kind)), part in required, _note(kind)) for part, kind in schema.get("properties", {}).items()
    )
    return Schema(name, tuple(_about(schema.get("description", ""))), parts, () if parts else tuple(_kind(schema)))


def _about(text: str) -> Iterator[Piece]:
    at = 0
    for literal in _LITERAL.finditer(text):
        yield Piece(text[at : literal.start()])
        yield Piece(literal[1], "strong")
        at = literal.end()
    yield Piece(text[at:])


def _note(schema: JSON) -> str:
    notes = [schema["description"]] if "description" in schema else []
    if "default" in schema and schema["default"] is not None:
        notes.append(f"left out: {json.dumps(schema['default'])}")
    return "; ".join(notes)


def _kind(schema: JSON) -> Iterator[Piece]:
    match schema:
        case {"$ref": reference}:
            yield Piece(name_of(reference), "link", f"schema-{name_of(reference)}")
        case {"enum": values}:
            yield from _listed([[Piece(json.dumps(value), "strong")] for value in values])
        case {"anyOf": kinds}:
            yield from _listed([list(_kind(kind)) for kind in kinds])
        case {"prefixItems": kinds}:
            every = [list(_kind(kind)) for kind in kinds]
            same = all(kind == every[0] for kind in every)
            yield Piece(f"list of {len(every)}{':' if not same else ''} ")
            yield from every[0] if same else _listed(every, "and")
        case {"type": "array"}:
            span = _span(schema, "minItems", "maxItems")
            yield Piece(f"list{f' of {span}' if span else ''}, each ")
            yield from _kind(schema.get("items", {}))
        case {"type": "object"}:
            yield Piece("object")
        case {"type": str(named)}:
            span = _span(schema, "minimum", "maximum") or _span(schema, "minLength", "maxLength")
            yield Piece(_NAMED[named] + (f" {span}" if span else "") + (" characters" if span and named == "string" else ""))
        case _:
            yield Piece("anything")


def _listed(kinds: Iterable[list[Piece]], last: str = "or") -> Iterator[Piece]:
    every = list(kinds)
    for number, kind in enumerate(every):
        if number:
            yield Piece(f" {last} " if number == len(every) - 1 else ", ")
        yield from kind


def _span(schema: JSON, least: str, most: str) -> str:
    low, high = schema.get(least), schema.get(most)
    if low is not None and high is not None:
        return str(low) if low == high else f"{low:,} to {high:,}"
    if high is not None:
        return f"up to {high:,}"
    return "" if not low else f"{low:,} or more"
