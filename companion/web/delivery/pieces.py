"""Which pieces of a page are drawn once, on whichever page they stand?

A sign takes 20 microseconds each time, a page has forty of them, and each looks the same wherever it stands.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from markupsafe import Markup

from companion.engine.text import Sentence
from companion.web.language import words

MOST: Final = 1_000  # of one macro, some 200 bytes each


def drawn_once(macro: Callable[..., Markup]) -> Callable[..., Markup]:
    """Return a template's macro that draws each thing once. It may read nothing but what it is given."""
    draw = lru_cache(maxsize=MOST, typed=True)(macro)

    def draw_or_recall(*given: Any, **named: Any) -> Markup:
        given = tuple(map(_said, given))  # two sentences may be one in English, and differ in other languages
        named = {name: _said(value) for name, value in named.items()}
        try:
            return draw(*given, **named)
        except TypeError:  # further attributes can't be looked up
            return macro(*given, **named)

    return draw_or_recall


def _said(given: Any) -> Any:
    return words(given) if isinstance(given, Sentence) else given
