"""What does Rivals look like? Its signs, and its colours on light screens and on dark ones."""

from __future__ import annotations

from companion.screens.theme import Theme

THEME = Theme(
    icon="general",
    figure="figure-rivals",
    land="land-rivals",
    style="css/games/rivals.css",
    ground=("#e2ece5", "#0a1613"),
    surface=("#fafdfb", "#13241f"),
    callout=("#cfded4", "#050d0b"),
    line=("#b0c6b8", "#31504a"),
    ink=("#0f2420", "#e6f3ee"),
    text_muted=("#435f57", "#a3c2b8"),
    accent=("#12594d", "#74d1ba"),
    on_accent=("#ffffff", "#03261f"),
    soft=("#c6e5da", "#133f36"),
    edge=("#a5bdae", "#030907"),
    box="#12594d",
    box_edge="#07302a",
    box_side="#06372f",
    sun=("#fafdfb", "#1d4a40"),
)
