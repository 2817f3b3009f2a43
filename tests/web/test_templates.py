"""Templates print and call as Jinja's own do, which are compared with ours."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from flask import Flask
from flask.templating import Environment
from jinja2 import StrictUndefined, UndefinedError, pass_context, pass_eval_context
from markupsafe import Markup

from companion.app import create_app
from companion.engine.text import Name, say
from companion.settings import Settings
from companion.web.delivery.templates import Templates, escaped


class HasMarkup:
    """Something that says itself how it stands on a page."""

    def __html__(self) -> str:
        return "<i>&amp;</i>"


@pass_context
def sees(context: Any, *names: str) -> str:
    """Return what a function sees of the variables where it is called."""
    return ", ".join(f"{name}={context.get(name)}" for name in names)


@pass_eval_context
def escapes(context: Any) -> str:
    """Return whether what is printed there is escaped."""
    return str(context.autoescape)


class Table:
    """Something with a method, and that can be called itself."""

    name = "<Ana>"

    def says(self, word: str = "hi") -> str:
        return f"<{word}>"

    def __call__(self, *words: str) -> Markup:
        return Markup("<b>{}</b>").format(" & ".join(words))


GIVEN: dict[str, Any] = {
    "plain": "<a & b>",
    "markup": Markup("<b>&amp;</b>"),
    "own": HasMarkup(),
    "number": -7,
    "none": None,
    "yes": True,
    "half": 0.5,
    "some": [1, "<"],
    "name": Name("<Bo>"),
    "same": "<b>&amp;</b>",  # as the markup reads, and yet it is none
    "held": {"name": "<Di>", "items": "of its own"},
    "table": Table(),
    "adds": partial("{}+{}".format, "<"),
    "sees": sees,
    "escapes": escapes,
}
MACRO = "{% macro one(it, more='<') %}<u>{{ it }}{{ more }}{{ caller() if caller is defined }}</u>{% endmacro %}"
SOURCES = (
    *(f"{{{{ {name} }}}}" for name in GIVEN if name not in {"table", "sees", "escapes", "held", "adds"}),
    "{{ plain ~ markup }}{{ '<' }}{{ 1 if none }}",
    "{{ same }}{{ markup }}{{ same }}{{ markup }}",
    "{{ held.name }}{{ held['items'] }}{{ held.items() is iterable }}{{ held.none is defined }}{{ name.none is defined }}",
    "{{ plain.split('&')|join }}{{ adds('>') }}{{ some.copy() }}",
    "{% set kept %}<p>{{ plain }}</p>{% endset %}{{ kept }}{{ kept|upper }}",
    MACRO + "{{ one(plain) }}{{ one(markup, more=number) }}{% call one(none) %}{{ name }}{% endcall %}",
    "{% for each in some %}{{ table.says(each) }}{{ table(plain, 'x') }}{{ sees('each', 'plain') }}{% endfor %}",
    "{% with inner = 3 %}{{ sees('inner') }}{{ escapes() }}{% endwith %}",
    "{% autoescape false %}{{ plain }}{{ markup }}{{ escapes() }}{% endautoescape %}",
    "{% for each in some recursive %}{{ loop(each) if each is sequence and each is not string else each }}{% endfor %}",
    "{{ range(3)|list }}{{ dict(a='<')|xmlattr }}{{ table.name.lower() }}",
)


@pytest.fixture(scope="module")
def app() -> Flask:
    return Flask(__name__)


@pytest.mark.parametrize("source", SOURCES)
def test_what_is_printed_is_what_jinja_prints(app: Flask, source: str) -> None:
    ours, theirs = (kind(app, autoescape=True, undefined=StrictUndefined) for kind in (Templates, Environment))

    assert ours.from_string(source).render(GIVEN) == theirs.from_string(source).render(GIVEN) != ""


@pytest.mark.parametrize(
    "source", ["{{ misspelt }}", "{{ table.misspelt }}", "{{ misspelt() }}", "{{ table.says.misspelt() }}"]
)
def test_a_misspelt_name_is_an_error(app: Flask, source: str) -> None:
    with pytest.raises(UndefinedError):
        Templates(app, autoescape=True, undefined=StrictUndefined).from_string(source).render(GIVEN)


@pytest.mark.parametrize("source", ["{% macro one(it) %}{% endmacro %}{{ one(1, 2) }}", "{{ table.says(louder=1) }}"])
def test_what_is_called_wrongly_is_an_error(app: Flask, source: str) -> None:
    with pytest.raises(TypeError):
        Templates(app, autoescape=True).from_string(source).render(GIVEN)


def test_a_sentence_is_said_in_the_phones_language(tmp_path: Any) -> None:
    app = create_app(Settings.read({"COMPANION_INSTANCE": str(tmp_path)}))
    with app.test_request_context(headers={"Accept-Language": "fr"}):
        said = app.jinja_env.from_string("{{ it }}").render(
            it=say("{player}: {declaration}.", player=Name("<Bo>"), declaration=8)
        )

    assert said == "&lt;Bo&gt;\u00a0: 8."


def test_what_somebody_typed_at_length_is_escaped_and_not_kept(app: Flask) -> None:
    long = "<" * 64_000
    before = escaped.cache_info().currsize

    assert Templates(app, autoescape=True).from_string("{{ it }}").render(it=long) == "&lt;" * 64_000
    assert escaped.cache_info().currsize == before
