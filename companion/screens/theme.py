"""How does a game look? Its signs, and its colours on light screens and on dark ones."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_HEX = re.compile(r"#[0-9a-fA-F]{6}")

Pair = tuple[str, str]  # a colour on light screens and on dark ones


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """The signs and colours of a game. What is not said looks like the home page, on a ``ground`` of its own in that colour.

    ``icon`` is a sign of Companion's own sprite ("fish"), or a symbol in a file of the game's ("tally.svg#sign"). ``figure``,
    ``land`` and ``back`` are drawings on its box on the home page; without a figure the icon stands there. ``style`` is a
    style sheet that all its pages load ("css/games/beloz.css", or of an installed game "games/tally/tally.css").

    The ten pairs from ``ground`` to ``edge`` colour its pages; ``box`` and the colours beside it are printed on its box, alike
    on all screens; ``sun``, ``near`` and ``far`` colour the drawing at the end of a match, otherwise made of the others.
    """

    icon: str = "cards"
    figure: str = ""
    land: str = ""
    back: str = ""
    style: str = ""
    ground: Pair = ("#efe9df", "#15130f")
    surface: Pair = ("#fcfaf6", "#211d18")
    callout: Pair = ("#e3dacb", "#0e0c09")
    line: Pair = ("#cfc3af", "#453d32")
    ink: Pair = ("#221c15", "#f5efe5")
    text_muted: Pair = ("#5f5445", "#bfb4a3")
    accent: Pair = ("#3a332a", "#eadfcb")
    on_accent: Pair = ("#ffffff", "#221c15")
    soft: Pair = ("#e5dbca", "#332c23")
    edge: Pair = ("#c9bca5", "#0a0806")
    box: str = "#3a332a"
    box_edge: str = "#221c15"
    box_side: str = "rgb(0 0 0 / 0.36)"
    on_box: str = "#ffffff"
    sun: Pair | None = None
    near: Pair | None = None
    far: Pair | None = None


HOME: Final = Theme()

ON_GROUND: Final = ("callout", "line", "soft", "edge")  # lighter or darker than the ground, and of its colour


def pair_of(theme: Theme, name: str) -> Pair:
    """Return a colour of a game's pages: as it says, else as the home page has it, on another ground in the ground's colour."""
    pair: Pair = getattr(theme, name)
    plain = pair == getattr(HOME, name) and theme.ground != HOME.ground and all(map(_HEX.fullmatch, theme.ground))
    if name not in ON_GROUND or not plain:
        return pair
    light, dark = (_as_light(ours, its, ground) for ours, its, ground in zip(theme.ground, pair, HOME.ground, strict=True))
    return light, dark


def _as_light(ground: str, its: str, home: str) -> str:
    """Return this ground as much lighter or darker as one of the home page's colours is than its ground."""
    ratio = sum(_parts(its)) / sum(_parts(home))
    return "#" + "".join(f"{min(255, round(part * ratio)):02x}" for part in _parts(ground))


def _parts(colour: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(colour[1:]))
