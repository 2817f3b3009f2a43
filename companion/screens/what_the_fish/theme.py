"""How does What the Fish! look? Its signs, and its colours for light screens and dark ones."""

from __future__ import annotations

from companion.screens.theme import Theme

THEME = Theme(
    icon="fish",
    figure="figure-what-the-fish",
    land="land-what-the-fish",
    style="css/games/what-the-fish.css",
    ground=("#ffd61f", "#17111f"),
    surface=("#fffbea", "#261e31"),
    callout=("#f2c200", "#0d0913"),
    line=("#17111f", "#5a4d6b"),
    ink=("#17111f", "#fff6d6"),
    text_muted=("#4a3f2b", "#c9bfd6"),
    accent=("#17111f", "#ffd61f"),
    on_accent=("#ffe14d", "#17111f"),
    soft=("#fff0a8", "#3a2f4a"),
    edge=("#17111f", "#07040b"),
    box="#ffd61f",
    box_edge="#17111f",
    box_side="#f2c200",
    on_box="#17111f",
    sun=("#c4161f", "#c4161f"),
    near=("#ffffff", "#ffffff"),
    far=("#17111f", "#ffd61f"),
)
