"""Is a part of a page rendered again just where something that it shows has changed, and is the change told as parts?"""

from __future__ import annotations

import json
import re

import pytest
from jinja2 import TemplateSyntaxError
from markupsafe import Markup

from companion.engine.text import term
from companion.web.delivery import live_parts
from companion.web.delivery.cache import NAME, Cache
from companion.web.delivery.parts import noting
from companion.web.delivery.shared_pages import Page
from tests.web.test_shared_pages import GAMES, around

pytestmark = pytest.mark.sqlite

ROWS = """<h1>{{ title }}</h1>
{% part "now" %}<p id="now" data-live>{{ now }}</p>{% endpart %}
{% part "rows" %}<ul id="rows" class="{{ look }}" data-live>
{% for row in rows %}{% part "row-" ~ row in "rows" %}<li id="row-{{ row }}">{{ row }}{{ note }}</li>{% endpart %}
{% else %}<li>None</li>{% endfor %}</ul>{% endpart %}"""
VALUES = {"title": "Cards", "now": 1, "rows": [2, 1], "look": "rows", "note": ""}


@pytest.fixture
def drawn():
    """Return what was rendered."""
    return []


@pytest.fixture
def render(app, drawn):
    """Return what renders a template as the next page of the same view, and returns its text."""
    older = {}
    templates = {}

    def draw(value):
        drawn.append(value)
        return value

    def rendered(source, **values):
        template = templates.setdefault(source, app.jinja_env.from_string(source))
        with app.test_request_context(), noting(dict(older)) as rendering:
            frame = template.render(draw=draw, **values)
        older.update(rendering.fragments)
        rendered.page = Page(frame, rendering.parts)
        return "".join(rendered.page.pieces)

    return rendered


class TestItIsRenderedAgain:
    PIECE = "{% part of=(it, more) %}<i>{{ draw(it) }}{{ more }}</i>{% endpart %}"

    def test_where_something_that_it_shows_has_changed(self, render, drawn):
        assert [render(self.PIECE, it=it, more=1) for it in "aab"] == ["<i>a1</i>", "<i>a1</i>", "<i>b1</i>"]
        assert drawn == ["a", "b"]

    def test_for_markup_that_reads_like_text_and_for_true_that_counts_like_one(self, render, drawn):
        values = ["a & b", Markup("a & b"), 1, True]
        assert [render(self.PIECE, it=it, more="") for it in values] == [
            "<i>a &amp; b</i>",
            "<i>a & b</i>",
            "<i>1</i>",
            "<i>True</i>",
        ]
        assert len(drawn) == 4

    def test_for_what_is_one_word_in_english_and_two_in_another_language(self, render, monkeypatch):
        for module in ("parts", "templates"):
            monkeypatch.setattr(f"companion.web.delivery.{module}.words", lambda sentence: f"{sentence} ({sentence.context})")
        north = [term("North", context) for context in ("plain", "seat")]
        assert [render(self.PIECE, it=it, more="") for it in north] == ["<i>North (plain)</i>", "<i>North (seat)</i>"]

    def test_each_time_where_it_shows_something_that_can_change_or_says_nothing_of_it(self, render, drawn):
        for source in (self.PIECE, "{% part %}<i>{{ draw(it) }}{% endpart %}"):
            assert render(source, it={1}, more=[]) == render(source, it={1}, more=[])
        assert len(drawn) == 4

    def test_with_other_values_in_the_dictionary_of_its_attributes(self, render, drawn):
        source = "{% part of=attrs %}<i{{ attrs|xmlattr }}>{{ draw(1) }}</i>{% endpart %}"
        assert [render(source, attrs={"a": value}) for value in "xxy"] == ['<i a="x">1</i>'] * 2 + ['<i a="y">1</i>']
        assert drawn == [1, 1]

    def test_with_what_it_has_inside(self, render, drawn):
        source = '{% part of=it %}<b>{% part "a" of=it %}<i id="a" data-live>{{ draw(it) }}</i>{% endpart %}</b>{% endpart %}'
        texts = [render(source, it=1) for _ in range(3)]
        assert texts == ['<b><i id="a" data-live>1</i></b>'] * 3
        assert drawn == [1]
        assert render.page.parts["a"].html == '<i id="a" data-live>1</i>'


class TestTheTag:
    def test_leaves_what_is_inside_as_it_would_be_without_it(self, app):
        source = '{% set a = 1 %}{% macro m() %}{% part "x" of=a %}<p>{{ a }}{{ caller() }}</p>{% endpart %}{% endmacro %}'
        with app.test_request_context():
            page = app.jinja_env.from_string(source + "{% call m() %}&lt;{% endcall %}").render()
        assert page == "<p>1&lt;</p>"

    def test_takes_a_block_that_another_template_fills_in(self, render, app, monkeypatch):
        base = app.jinja_env.from_string('<b>{% part "x" %}<p id="x">{% block it %}{% endblock %}</p>{% endpart %}</b>')
        assert render("{% extends base %}{% block it %}{{ draw(1) }}{% endblock %}", base=base) == '<b><p id="x">1</p></b>'

    @pytest.mark.parametrize("source", ["{% part %}", "{% part 'a' of=1 in 'b' %}", "{% part of 1 %}{% endpart %}"])
    def test_written_otherwise_is_an_error(self, app, source):
        with pytest.raises(TemplateSyntaxError):
            app.jinja_env.from_string(source)


class TestTheChange:
    def told(self, render, source=ROWS, before=VALUES, **changed):
        render(source, **before)
        old = render.page
        render(source, **{**before, **changed})
        change = live_parts.change(render.page, old, numbers=(1, 3), entries=2, phones=str)
        if change is None:
            return None
        body = json.loads(change.message.partition(b"data: ")[2].partition(b"\n")[0])
        assert (body.pop("from"), body.pop("to"), body.pop("entries")) == (1, 3, 2)
        return body

    def test_is_whole_parts_and_of_a_list_the_new_children_with_the_order_of_all(self, render):
        assert self.told(render, now=2, rows=[3, 2, 1]) == {
            "parts": {"now": '<p id="now" data-live>2</p>'},
            "lists": {"rows": {"order": ["row-3", "row-2", "row-1"], "fresh": {"row-3": '<li id="row-3">3</li>'}}},
        }

    def test_is_the_order_alone_where_a_child_has_gone(self, render):
        assert self.told(render, rows=[1]) == {"parts": {}, "lists": {"rows": {"order": ["row-1"], "fresh": {}}}}

    def test_is_every_child_that_looks_different(self, render):
        assert set(self.told(render, note="!")["lists"]["rows"]["fresh"]) == {"row-1", "row-2"}

    @pytest.mark.parametrize("changed", [{"rows": []}, {"look": "rows long"}])
    def test_is_all_of_a_list_that_is_another_or_no_list(self, render, changed):
        told = self.told(render, **changed)
        assert list(told["parts"]) == ["rows"]
        assert not told["lists"]

    def test_is_all_of_a_part_with_more_in_it_than_its_children(self, render):
        source = """{% part "u" %}<ul id="u">{% for row in rows %}{% part row in "u" %}<li id="{{ row }}"></li>{% endpart %}
        {%- endfor %} words</ul>{% endpart %}"""
        told = self.told(render, source, before={"rows": ["a"]}, rows=["b", "a"])
        assert told == {"parts": {"u": '<ul id="u"><li id="b"></li><li id="a"></li> words</ul>'}, "lists": {}}

    def test_is_a_part_inside_another_that_has_not_changed(self, render):
        source = '{% part "a" %}<div id="a">{% part "b" %}<i id="b">{{ now }}</i>{% endpart %} words</div>{% endpart %}'
        assert self.told(render, source, now=2)["parts"] == {"b": '<i id="b">2</i>'}

    def test_is_none_where_something_else_on_the_page_has_changed_too(self, render):
        assert self.told(render, title="Fish", now=2) is None

    def test_is_nothing_of_what_the_pages_script_renews_itself(self, render):
        source = '<div id="stream"{% part "numbers" %} data-seq="{{ now }}"{% endpart %}></div>'
        assert self.told(render, source, now=2) == {"parts": {}, "lists": {}}


@pytest.mark.parametrize("game", GAMES)
def test_every_live_element_on_the_page_of_a_match_is_a_part(app, game):
    """One that is none would make every phone fetch its page, whenever that element changes."""
    ana, *_ = phones = around(app, game)
    app.extensions[NAME] = Cache()
    for step in (None, "/stop"):
        if step:
            ana.enters(step)
        for phone in phones:
            phone.sees()
        for page in (view.page for view in app.extensions[NAME].pages()):
            assert not re.search(r"<[^>]*\sdata-live[\s>]", page.frame)
            assert len(page.parts) > 6
            for name, part in page.parts.items():
                if name != live_parts.SCRIPTS:
                    assert re.match(rf'\s*<\w+(?: [^>]*)? id="{name}"', part.html), part.html[:200]
