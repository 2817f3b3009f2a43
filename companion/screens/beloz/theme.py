"""What does BeloZ look like? Its signs, and its colours on light screens and on dark ones."""

from __future__ import annotations

from companion.screens.theme import Theme

THEME = Theme(
    icon="lion",
    figure="figure-beloz",
    land="land-beloz",
    back="back-beloz",
    ground=("#f4e8d6", "#18110a"),
    surface=("#fffaf1", "#261c12"),
    callout=("#e8d7bd", "#100b06"),
    line=("#d3bc99", "#4f3e2b"),
    ink=("#26190d", "#f9eedf"),
    text_muted=("#67523b", "#c9b499"),
    accent=("#9a3e12", "#f2a466"),
    on_accent=("#ffffff", "#2b1505"),
    soft=("#f8dcc3", "#43270f"),
    edge=("#cfb68f", "#0c0804"),
    box="#a5470f",
    box_edge="#622104",
    box_side="#662406",
    sun=("#f5a742", "#c9782a"),
    near=("#481b04", "#1e0c02"),
    far=("#7c300c", "#4a1d06"),
)
