"""How do templates print what they are given, and call what they name?

A page prints four hundred values and calls three hundred functions. Jinja finds out of each value whether it has markup of its
own, copying it twice, and of each call whether that wants to know where it is called. Here what a type says is enough, which
takes a fifth off a page's rendering. What is escaped is kept: most of it stood on the page before.
"""

from __future__ import annotations

from collections.abc import MutableMapping
from functools import lru_cache, partial
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any, Final

from flask.templating import Environment
from jinja2.compiler import CodeGenerator, Frame
from jinja2.nodes import Template
from jinja2.runtime import Context, Macro
from markupsafe import Markup, escape

from companion.engine.text import Sentence
from companion.web.language import words

MISSING: Final = object()
MOST: Final = 2_000  # texts that are kept
LONGEST: Final = 200  # letters of one: what somebody typed may be 64 KB, and stands on one page

escaped = lru_cache(MOST)(escape)

# What is called at once unless it is marked: whether its class is marked need not be asked
PLAIN: Final = frozenset((FunctionType, MethodType, BuiltinFunctionType, partial, type(escaped)))


def printed(value: Any) -> str:
    """Return what stands on a page for a value: markup as it is, a sentence in the phone's language, all else escaped."""
    kind = value.__class__
    if kind is Markup or (kind is str and (not value or value.isalnum())):
        return value  # type: ignore[no-any-return]  # by its class it is text
    if kind is int or kind is float:
        return str(value)
    text = words(value) if isinstance(value, Sentence) else value
    return escaped(text) if text.__class__ is str and len(text) <= LONGEST else escape(text)


class Calls(Context):
    """What a template knows; macros and plain functions are called at once."""

    def call(self, called: Any, /, *given: Any, _loop_vars: Any = None, _block_vars: Any = None, **named: Any) -> Any:
        """Return what it answers."""
        kind = called.__class__
        if kind is Macro:
            return called(self.eval_ctx, *given, **named)
        if kind in PLAIN and not hasattr(called, "jinja_pass_arg"):
            return called(*given, **named)
        return super().call(called, *given, _loop_vars=_loop_vars, _block_vars=_block_vars, **named)


class Prints(CodeGenerator):
    """What a template is compiled to: :func:`printed` stands where Jinja has its ``escape``.

    As ``finalize`` it would run before ``escape``, not in its place: a page of BeloZ then makes 26,500 calls instead of 20,500.
    """

    def visit_Template(self, node: Template, frame: Frame | None = None) -> None:  # noqa: N802  # Jinja's name
        """Write the template's module; the functions in it look ``escape`` up when they run."""
        super().visit_Template(node, frame)
        self.writeline(f"from {printed.__module__} import {printed.__name__} as escape")


class Templates(Environment):
    """Flask's, but all templates have one and the same dictionary of globals.

    Jinja gives each a chain of two, of which the first is empty; a page whose templates import twenty others is compared with
    it and copied from it twenty times, which was a twelfth of its rendering.
    """

    code_generator_class = Prints
    context_class = Calls

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Return an attribute, or else an item of that name: many are items, and nothing is raised on the way to them."""
        value = getattr(obj, attribute, MISSING)
        if value is not MISSING:
            return value
        try:
            return obj[attribute]
        except (TypeError, LookupError, AttributeError):
            return self.undefined(obj=obj, name=attribute)

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return a template's globals."""
        return super().make_globals(d) if d else self.globals
