"""Which parts is a page made of? A template names them with a tag, and notes each while the page is rendered.

::

    {% part "scores" of=(standing.sides, standing.scores) %}
    <section id="scores" data-live>...</section>
    {% endpart %}

``of`` is all that the part shows: a part that showed the same on one of the two pages before is not rendered again. Without
``of`` it is rendered on each page. A row of a list is a part ``in`` the list: ``{% part "entry-7" in "rows" of=entry %}``. A
part without a name is taken over too, and phones get it only with the part around it.

Where a page is rendered for one phone alone, the tag renders what is inside it, and notes nothing.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Hashable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import islice
from typing import Any, Final, NamedTuple

from flask import g
from jinja2 import Environment, nodes
from jinja2.ext import Extension
from jinja2.parser import Parser
from markupsafe import Markup

from companion.engine.core import Position
from companion.engine.text import Sentence
from companion.matches.log import InForce
from companion.web.language import words

_EDGE: Final = secrets.token_hex(8)  # nobody can type what a mark looks like
_BEGIN: Final = Markup("{}/").format(_EDGE)
_MARK: Final = re.compile(f"{_EDGE}/([^;]+);")


class Part(NamedTuple):
    """A part as it was rendered: its HTML, with a mark where a part inside it stands, and the list whose child it is."""

    html: str
    parent: str | None = None


Parts = Mapping[str, Part]


class Fragment(NamedTuple):
    """The HTML of a tag, and the parts in it. ``of`` must live as long as the key, which may hold an object's identity."""

    of: object
    html: Markup
    noted: Parts


Fragments = dict[Hashable, Fragment]


def with_parts(html: str, parts: Parts) -> str:
    """Return HTML with its parts in the places of their marks."""
    return _MARK.sub(lambda mark: with_parts(parts[mark[1]].html, parts), html)


def inside(html: str) -> list[str]:
    """Return the names of the parts whose marks stand in HTML."""
    return _MARK.findall(html)


def children(name: str, parts: Parts) -> tuple[str, list[str]] | None:
    """Return a list's own HTML and the names of its children; None if anything else is in it."""
    pieces = _MARK.split(parts[name].html)
    names, (first, *gaps, last) = pieces[1::2], (*pieces[::2], "")
    if gaps:
        last = gaps.pop()
    begin, end = first.strip(), last.strip()
    is_tag = begin.count("<") == end.count("<") == 1 and begin.endswith(">") and end.startswith("</")
    is_list = names and all(parts[child].parent == name for child in names) and not any(map(str.strip, gaps))
    return (begin + end, names) if is_tag and is_list else None


class Rendering:
    """What a page's tags note while it is rendered: its parts, and what can be taken over to the next page."""

    def __init__(self, older: Fragments | None) -> None:
        """Take over what ``older`` has; None renders every part."""
        self.parts: dict[str, Part] = {}
        self.fragments: Fragments = {}
        self._older = older
        self._open: list[tuple[Hashable, object, int]] = []
        self._common: Hashable = None  # what short names and the order of the sides depend on

    def begin(self, place: str, name: str | None, of: tuple[Any, ...] | None) -> Markup | None:
        """Return what stands in a tag's place if it shows what it showed before; else None, and it begins to be rendered."""
        key: Hashable = None
        if of is not None and self._older is not None:
            if self._common is None:
                self._common = g.get("people"), g.get("shown_sides")
            key = place, name, key_of(of), self._common
            try:
                fragment = self.fragments.get(key) or self._older.get(key)
            except TypeError:  # a part of an object that can change
                key = fragment = None
            if key is not None and fragment is not None:
                self.fragments[key] = fragment
                self.parts.update(fragment.noted)
                return fragment.html
        self._open.append((key, of, len(self.parts)))
        return None

    def end(self, html: Markup, name: str | None, parent: str | None) -> Markup:
        """Note what a tag has rendered; return what stands in its place."""
        key, of, before = self._open.pop()
        if name is not None and name not in self.parts:
            self.parts[name] = Part(html, parent)
            html = _BEGIN + name + ";"
        if key is not None:
            noted = dict(islice(self.parts.items(), before, None)) if len(self.parts) > before else {}
            self.fragments[key] = Fragment(of, html, noted)
        return html


def key_of(value: Any) -> Hashable:
    """Return what tells whether two values look the same on a page.

    Entries and positions never change and are large, so each is only like itself. Two sentences may be one in English and
    differ in the phone's language.
    """
    kind = value.__class__
    if kind is str or value is None:
        return value  # type: ignore[no-any-return]  # by its class it is text, or it is None
    if kind is int or kind is bool:
        return kind, value
    if isinstance(value, tuple | list):
        return tuple(map(key_of, value))
    if isinstance(value, dict):
        return tuple((name, key_of(entry)) for name, entry in value.items())
    if isinstance(value, Sentence):
        return words(value)
    if isinstance(value, InForce | Position):
        return id(value)
    return kind, value


_rendering: ContextVar[Rendering | None] = ContextVar("rendering", default=None)


@contextmanager
def noting(older: Fragments | None) -> Iterator[Rendering]:
    """Inside, tags note what they render, and take over what ``older`` has of it: nothing at all if that is None."""
    rendering = Rendering(older)
    before = _rendering.set(rendering)
    try:
        yield rendering
    finally:
        _rendering.reset(before)


class PartTag(Extension):
    """The tag ``part`` of templates."""

    def __init__(self, environment: Environment) -> None:
        super().__init__(environment)
        self.tags = {"part"}

    def parse(self, parser: Parser) -> list[nodes.Node]:
        """Return the tag's nodes: its body is rendered unless :meth:`Rendering.begin` has the HTML already."""
        stream = parser.stream
        line = next(stream).lineno
        name: nodes.Expr = nodes.Const(None)
        parent: nodes.Expr = nodes.Const(None)
        of: nodes.Expr = nodes.Const(None)
        if not stream.current.test_any("name:of", "block_end"):
            name = parser.parse_concat()
            if stream.skip_if("name:in"):
                parent = parser.parse_concat()
        if stream.skip_if("name:of"):
            stream.expect("assign")
            of = nodes.Tuple([parser.parse_expression()], "load")
        body = parser.parse_statements(("name:endpart",), drop_needle=True)
        html = parser.free_identifier(lineno=line)
        place = nodes.Const(f"{parser.name} {html.name}")
        unknown = nodes.Test(html, "none", [], [], None, None)
        render: list[nodes.Node] = [
            nodes.AssignBlock(html, None, body),
            nodes.Assign(html, self.call_method("end", [html, name, parent])),
        ]
        tag: list[nodes.Node] = [
            nodes.Assign(html, self.call_method("begin", [place, name, of])),
            nodes.If(unknown, render, [], []),
            nodes.Output([html]),
        ]
        return [node.set_lineno(line) for node in tag]

    def begin(self, place: str, name: str | None, of: tuple[Any, ...] | None) -> Markup | None:
        """Return what stands in the tag's place, None if it is still to be rendered."""
        rendering = _rendering.get()
        return None if rendering is None else rendering.begin(place, name, of)

    def end(self, html: Markup, name: str | None, parent: str | None) -> Markup:
        """Return what stands in the tag's place, now that it is rendered."""
        rendering = _rendering.get()
        return html if rendering is None else rendering.end(html, name, parent)
