"""What does Bisque look like? Its signs, and its colours on light screens and on dark ones."""

from __future__ import annotations

from companion.screens.theme import Theme

THEME = Theme(
    icon="pot",
    figure="figure-bisque",
    land="land-bisque",
    style="css/games/bisque.css",
    ground=("#f8ebe4", "#1a0e0e"),
    surface=("#fffcfa", "#291818"),
    callout=("#eedad0", "#110808"),
    line=("#ddbfb2", "#573a38"),
    ink=("#2b1214", "#faece8"),
    text_muted=("#6e4c48", "#d0b0aa"),
    accent=("#a31c3b", "#ff96a3"),
    on_accent=("#ffffff", "#3a0713"),
    soft=("#fad8d6", "#4a1a23"),
    edge=("#d8b5a7", "#0c0505"),
    box="#a31c3b",
    box_edge="#5e0b20",
    box_side="#640d22",
    sun=("#fff3e2", "#5e2430"),
)
