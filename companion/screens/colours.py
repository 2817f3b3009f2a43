"""Which colours have printed pieces, and phones that ask for strong contrast or for hues that everybody tells apart?

Printed pieces are cardboard: they look alike on light screens and on dark ones. Colour is never the only sign: suits, plains,
sides and tasks have a shape or a word too. For people who confuse some hues, red and green give way to blue, orange and yellow,
after the palette of Okabe and Ito, and colours of one game differ in lightness. Every pair is (light screens, dark screens).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from companion.screens.theme import Pair


@dataclass(frozen=True, slots=True)
class Print:
    """A printed colour: its ``fill``, the ``glyph`` on it, and the same hue as a ``mark`` on a page."""

    fill: str
    glyph: str
    mark: Pair


PRINTED: Final = {
    "north": Print("#1d5ca6", "#ffffff", ("#1d5ca6", "#8dbdf7")),
    "south": Print("#b5312a", "#ffffff", ("#a92b25", "#ff9c8f")),
    "east": Print("#2a7439", "#ffffff", ("#23682f", "#84d492")),
    "west": Print("#f2b92b", "#2a1b00", ("#7a5400", "#f6cb58")),
    "moons": Print("#5c6673", "#ffffff", ("#4f5966", "#c3ccd8")),
    "suns": Print("#f08a1c", "#2b1400", ("#9c4a00", "#ffb366")),
    "waves": Print("#1f66b8", "#ffffff", ("#1b5ca8", "#8fc1fb")),
    "leaves": Print("#774621", "#ffffff", ("#6f3f1c", "#dba77b")),
    "wyrms": Print("#27753c", "#ffffff", ("#216934", "#82d497")),
    "knots": Print("#f4c430", "#2a1d00", ("#745300", "#f8d564")),
    "fish": Print("#0b7f83", "#ffffff", ("#0b7f83", "#7cd6d9")),
    "kill": Print("#c4161f", "#ffffff", ("#c4161f", "#ff9a8d")),
    "protect": Print("#1b7a34", "#ffffff", ("#1b7a34", "#86d79a")),
    "wtf": Print("#6b2fa0", "#ffffff", ("#6b2fa0", "#cba5ee")),
}

_BLUE: Final = Print("#0a56b0", "#ffffff", ("#0a4a8f", "#9cc8ff"))
_ORANGE: Final = Print("#e0762f", "#0f0400", ("#7a3000", "#ffb27a"))
_YELLOW: Final = Print("#f7e463", "#2a1d00", ("#5c4700", "#f7e463"))
_GREEN: Final = Print("#63cda8", "#00261a", ("#00543c", "#8fe5c4"))

SAFE_FILLS: Final = {
    "north": _BLUE,
    "south": _ORANGE,
    "east": _GREEN,
    "west": _YELLOW,
    "moons": Print("#22262d", "#ffffff", ("#22262d", "#cfd5de")),
    "suns": _ORANGE,
    "waves": _BLUE,
    "leaves": Print("#d08fb2", "#22000f", ("#7d2350", "#f2b5d3")),
    "wyrms": Print("#1d9a74", "#00150d", ("#00543c", "#8fe5c4")),
    "knots": _YELLOW,
    "fish": _GREEN,
    "kill": Print("#963300", "#ffffff", ("#7a3000", "#ffb27a")),
    "protect": _BLUE,
    "wtf": _YELLOW,
}

SAFE: Final[dict[str, Pair]] = {
    "good": ("#0a4a8f", "#9cc8ff"),
    "bad": ("#7a3000", "#ffb27a"),
    "on-good": ("#ffffff", "#06152b"),
}

CONTRAST: Final[dict[str, Pair]] = {
    "ground": ("#ffffff", "#000000"),
    "surface": ("#ffffff", "#000000"),
    "callout": ("#f2f2f2", "#141414"),
    "line": ("#000000", "#ffffff"),
    "ink": ("#000000", "#ffffff"),
    "text-muted": ("#000000", "#ffffff"),
    "accent": ("#003a8c", "#ffe04d"),
    "on-accent": ("#ffffff", "#000000"),
    "soft": ("#dbe7ff", "#3a3000"),
    "edge": ("#000000", "#ffffff"),
    "piece-line": ("#000000", "#ffffff"),
    "good": ("#00501c", "#7dff9e"),
    "bad": ("#8c0010", "#ffb8b0"),
    "on-good": ("#ffffff", "#000000"),
}


def printed(fills: dict[str, Print], root: str = "") -> str:
    """Return the style rules of printed pieces, each found by ``data-fill`` below ``root``."""
    return "".join(
        f'{root}[data-fill="{name}"]{{--fill:{ink.fill};--glyph:{ink.glyph};--mark-l:{ink.mark[0]};--mark-d:{ink.mark[1]};}}'
        for name, ink in fills.items()
    )


def rules() -> str:
    """Return both as style rules: by ``data-colours`` on the page, and strong contrast where the phone asks for it itself."""
    contrast = _pages('[data-colours="contrast"]', CONTRAST)
    preferred = _pages(":root:not([data-colours])", CONTRAST) + ":root:not([data-colours]){--scenery:none;}"
    safe = _pages('[data-colours="safe"]', SAFE) + printed(SAFE_FILLS, '[data-colours="safe"] ')
    scenery = '[data-colours="contrast"]{--scenery:none;}'
    return f"{contrast}{scenery}@media (prefers-contrast: more){{{preferred}}}{safe}"


def _pages(root: str, colours: dict[str, Pair]) -> str:
    lines = "".join(f"--{name}:var(--light,{light}) var(--dark,{dark});" for name, (light, dark) in colours.items())
    return f"{root},{root} [data-game],{root} .lobby{{{lines}}}"
