"""Do the lines of a chart lie where their totals are?"""

from __future__ import annotations

import pytest

from companion.web.chart import chart


@pytest.fixture(autouse=True)
def page(app):
    """Be in a request: numbers are written in the phone's language."""
    with app.test_request_context():
        yield


def line(*points, side=0):
    return {"side": side, "name": "Ana", "points": points}


def test_a_line_is_drawn_from_above_with_a_dot_a_round():
    drawn = chart([line(0, 72, 235), line(0, 90, 129, side=1)], target=501)
    assert drawn.box == "0 0 2 600"  # two rounds wide, and up to the next line of the grid above 501
    assert [curve.path for curve in drawn.curves] == ["M0 600 1 528 2 365", "M0 600 1 510 2 471"]
    assert drawn.curves[0].dots == "M1 528h0M2 365h0"
    assert (drawn.curves[0].x, drawn.curves[0].y) == (100, 60.83)
    assert drawn.grid == ((100, 0), (66.67, 200), (33.33, 400), (0, 600))
    assert drawn.goal == 16.5


def test_totals_below_zero_have_room():
    drawn = chart([line(0, -22, 5)])
    assert [number for _, number in drawn.grid] == [-30, -20, -10, 0, 10]
    assert drawn.curves[0].path == "M0 10 1 32 2 5"
    assert drawn.goal is None


def test_at_most_twelve_rounds_are_named_and_counted_from_the_first_of_the_match():
    drawn = chart([line(*range(25))], before=40)
    assert [number for _, number in drawn.labels] == [*range(42, 65, 2)]
    assert drawn.labels[0] == (8.33, 42)


def test_totals_are_said_for_whoever_does_not_see_the_lines():
    assert chart([line(0, 1200, -3, 2.5)]).curves[0].words == "0, 1,200, \u22123, 2½"


@pytest.mark.parametrize("points", [(0, 0), (0, 10**12), (0, 0.5)])
def test_whatever_the_totals_the_grid_has_few_lines(points):
    assert 2 <= len(chart([line(*points)]).grid) <= 1002
