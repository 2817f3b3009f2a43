"""Can everybody read the pages and tell the pieces apart? Contrast by WCAG 2.2, hues as three deficiencies show them."""

from __future__ import annotations

import itertools

import pytest

from companion.games import PLUGINS
from companion.screens.colours import CONTRAST, PRINTED, SAFE, SAFE_FILLS

# Machado, Oliveira and Fernandes 2009, severity 1, for linear red, green and blue
SEEN_BY = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
PIECES = {
    "beloz": ("north", "south", "east", "west"),
    "bisque": ("moons", "suns", "waves", "leaves", "wyrms", "knots"),
    "what-the-fish": ("fish", "kill", "protect", "wtf"),
}
TEXT = ("ink", "text-muted", "accent", "good", "bad")


def linear(colour):
    """Return linear red, green and blue of "#rrggbb", each from 0 to 1."""
    parts = (part / 255 for part in bytes.fromhex(colour[1:]))
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def contrast(one, other):
    """Return the contrast of two colours: 1 to 21."""
    dark, light = sorted(0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in (linear(one), linear(other)))
    return (light + 0.05) / (dark + 0.05)


def lab(colour, seen_by):
    """Return lightness and the two hues of CIELAB, as somebody with this deficiency sees the colour."""
    r, g, b = (min(1, max(0, sum(map(float.__mul__, row, linear(colour))))) for row in seen_by)
    x, y, z = (
        (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505,
        0.2126 * r + 0.7152 * g + 0.0722 * b,
        0.0193 * r + 0.1192 * g + 0.9505 * b,
    )
    cube = [part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in (x, y, z / 1.0888)]
    return 116 * cube[1] - 16, 500 * (cube[0] - cube[1]), 200 * (cube[1] - cube[2])


def test_contrast_is_what_wcag_says_of_known_greys():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("dark", [0, 1])
def test_strong_contrast_is_7_for_all_text(dark):
    for ground, text in itertools.product(("ground", "surface", "callout", "soft"), TEXT):
        assert contrast(CONTRAST[ground][dark], CONTRAST[text][dark]) >= 7, (ground, text)
    for ground, text in (("accent", "on-accent"), ("good", "on-good")):
        assert contrast(CONTRAST[ground][dark], CONTRAST[text][dark]) >= 7


@pytest.mark.parametrize("slug", PIECES)
@pytest.mark.parametrize("deficiency", SEEN_BY)
def test_pieces_of_a_game_are_told_apart_with_every_deficiency(slug, deficiency):
    for one, other in itertools.combinations(PIECES[slug], 2):
        seen = (lab(SAFE_FILLS[name].fill, SEEN_BY[deficiency]) for name in (one, other))
        assert sum((a - b) ** 2 for a, b in zip(*seen, strict=True)) ** 0.5 >= 15, (one, other)


def test_right_and_wrong_are_told_apart_with_every_deficiency():
    for dark, seen_by in itertools.product((0, 1), SEEN_BY.values()):
        good, bad = lab(SAFE["good"][dark], seen_by), lab(SAFE["bad"][dark], seen_by)
        assert sum((a - b) ** 2 for a, b in zip(good, bad, strict=True)) ** 0.5 >= 15


@pytest.mark.parametrize("fills", [PRINTED, SAFE_FILLS], ids=["printed", "safe"])
def test_glyphs_and_marks_are_read_on_every_game_s_pages(fills):
    for name, each in fills.items():
        assert contrast(each.fill, each.glyph) >= 4.5, name
        for plugin, dark in itertools.product(PLUGINS.values(), (0, 1)):
            for mark in (each.mark, SAFE["good"], SAFE["bad"]):
                assert contrast(mark[dark], plugin.theme.surface[dark]) >= 4.5, (name, plugin.title)
