"""Are names in small places whole for screen readers and as a title, and do two that begin alike stay apart?"""

from __future__ import annotations

import re

import pytest

from companion.web.short_names import name_lines, short_name
from tests.web.people import Phone, words

ALIKE = ("Maximilian", "Annabel", "Maxine", "Di")


@pytest.mark.parametrize(
    ("name", "among", "kept"),
    [
        ("Maximilian", ALIKE, ["Maxi", "mi", "lian"]),
        ("Maxine", ALIKE, ["Maxi", "ne", ""]),
        ("Maximilian", ("Maximilian", "Maximiliana"), ["Maximili", "an", ""]),  # the longer one goes on
        ("Maximiliana", ("Maximilian", "Maximiliana"), ["Maximilia", "na", ""]),
        ("Anna Berg", ("anna Bauer",), ["Anna B", "er", "g"]),
    ],
)
def test_the_letters_that_tell_two_names_apart_are_kept(name, among, kept):
    drawn = short_name(name, among)
    assert re.findall(r"<(?:span|i)>(.*?)</(?:span|i)>", drawn) == kept
    assert f'title="{name}"' in drawn
    assert f'<span class="visually-hidden">{name}</span>' in drawn


@pytest.mark.parametrize(("name", "drawn"), [("Di", "Di"), ("Annabel", '<span title="Annabel">Annabel</span>')])
def test_others_are_written_as_they_are(name, drawn):
    assert short_name(name, ALIKE) == drawn


def test_nobody_is_told_apart_from_the_own_name():
    assert 'class="alike"' not in short_name("Second card", ("first card", "second card", "third card"))


LONG = ("Wilhelmina-Wolfeschlegelsteinhausenberge", "Wilhelmina-Wolfeschlegelsteinhausenbergo", "Anna Maria")


@pytest.mark.parametrize(
    ("name", "lines", "drawn"),
    [
        ("Bo", 1, ["Bo"]),
        ("Anna Maria", 2, ["Anna", "Maria"]),  # between words
        ("Anna Maria", 1, ["Anna Ma…"]),
        ("Donaudampfer", 2, ["Donaudam", "pfer"]),
        (LONG[0], 1, ["Wilhe…ge"]),
        (LONG[1], 1, ["Wilhe…go"]),
        (LONG[0], 2, ["Wilhelmi", "na-Wo…ge"]),
    ],
)
def test_an_old_screen_has_lines_of_eight_letters(name, lines, drawn):
    assert name_lines(name, LONG, 8, lines) == drawn


def test_a_name_is_never_markup():
    for name in ("<b>Max", "<b>Maxine"):
        assert "<b>" not in short_name(name, ("<b>Max", "<b>Maxine"))


def test_a_screen_reader_hears_each_whole_name_once(app):
    ana = Phone(app).make_table(*ALIKE)
    seats = re.findall(r'<a class="tile seat.*?<b>(.*?)</b>', ana.open().text, re.DOTALL)
    heard = {words(re.sub(r'<span aria-hidden="true">.*?</span></span>', "", seat)).strip() for seat in seats}
    assert heard == set(ALIKE)
