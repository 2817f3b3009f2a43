"""What does Beluga Cup look like? Its signs, and its colours on light screens and on dark ones."""

from __future__ import annotations

from companion.screens.theme import Theme

THEME = Theme(
    icon="beluga",
    figure="figure-beluga-cup",
    land="land-beluga-cup",
    style="css/games/beluga-cup.css",
    ground=("#dfedf2", "#06151d"),
    surface=("#fafdfe", "#0e2530"),
    callout=("#c9dfe8", "#030d13"),
    line=("#a9c8d5", "#2b5060"),
    ink=("#0b2530", "#e6f4f9"),
    text_muted=("#3d5d6b", "#9fc2cf"),
    accent=("#075b7d", "#72ccea"),
    on_accent=("#ffffff", "#04222e"),
    soft=("#c8e6f0", "#123c4c"),
    edge=("#9cbfce", "#02090d"),
    box="#0a6186",
    box_edge="#04344c",
    box_side="#04364f",
    sun=("#f7fcfe", "#174a5e"),
    near=("#075b7d", "#bfe6f4"),
)
