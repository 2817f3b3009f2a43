"""Has every side of two to six its name, its total, and a lane of its own on the way to the target?"""

from __future__ import annotations

import re

import pytest
from flask import g

from tests.web.forms_on_a_page import PageReader

NAMES = ("Ana", "Bo", "Cy", "Di", "Eli", "Fay")

pytestmark = pytest.mark.sqlite


def board(app, number, first=0):
    sides = [{"side": side, "name": NAMES[side], "total": 10 * side} for side in range(number)]
    with app.test_request_context():
        g.shown_sides = (first, NAMES[:number])
        return str(app.jinja_env.get_template("components/ui.html").module.score_header(sides, 100, "beloz"))


@pytest.mark.parametrize("number", range(2, 7))
def test_every_side_has_its_name_its_total_and_its_lane(app, number):
    drawn = board(app, number)
    words = PageReader(drawn).words
    assert all(f"{name} {10 * side}" in words for side, name in enumerate(NAMES[:number])), words
    assert re.findall(r'class="track-pawn" data-side="(\d)"', drawn) == [str(side) for side in range(number)]
    assert re.findall(r'<use href="[^"]*#pawn-(\d)" x="-9"', drawn) == [str(side) for side in range(number)]
    assert len(set(re.findall(r'class="track-pawn"[^>]* y="(\d+)"', drawn))) == number


def test_the_sides_are_shown_as_people_know_them(app):
    """Counted from the first seat at the table, whoever dealt first in this match."""
    words = PageReader(board(app, 4, first=2)).words
    assert [name for name in words.split() if name in NAMES] == ["Cy", "Di", "Ana", "Bo"]


def test_the_page_of_all_pieces_opens(client):
    page = client.get("/components")
    assert page.status_code == 200
    assert "Score of 6 sides" in page.text
