"""Does a small piece that is drawn once look on every page as if it had been drawn for it?"""

from __future__ import annotations

import pytest
from markupsafe import Markup

from companion.engine.text import term
from companion.web.delivery.pieces import drawn_once

pytestmark = pytest.mark.sqlite


@pytest.fixture
def drawn():
    """Return what was drawn."""
    return []


@pytest.fixture
def piece(drawn):
    def macro(name, label="", attrs=None):
        drawn.append(name)
        return Markup("<i {}>{} {}</i>").format(attrs or "", name, label)

    return drawn_once(macro)


def test_it_is_drawn_once_and_again_for_another_label_or_kind_of_text(piece, drawn):
    assert piece("fish", label="a & b") == piece("fish", label="a & b") == "<i >fish a &amp; b</i>"
    assert drawn == ["fish"]
    assert piece("fish", label=Markup("a & b")) == "<i >fish a & b</i>"
    assert piece("fish", label="none") == "<i >fish none</i>"
    assert drawn == ["fish"] * 3


def test_attributes_that_cant_be_looked_up_are_drawn_each_time(piece, drawn):
    assert piece("fish", attrs={"a": 1}) == piece("fish", attrs={"a": 1}) == "<i {&#39;a&#39;: 1}>fish </i>"
    assert drawn == ["fish"] * 2


def test_what_is_one_word_in_english_is_two_in_another_language(app, piece, monkeypatch):
    with app.test_request_context():
        monkeypatch.setattr("companion.web.delivery.pieces.words", lambda sentence: f"{sentence} ({sentence.context})")
        plain, seat = (piece("fish", label=term("North", what)) for what in ("plain", "seat"))
    assert (plain, seat) == ("<i >fish North (plain)</i>", "<i >fish North (seat)</i>")
