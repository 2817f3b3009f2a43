"""The rules of each game in short linked entries, in our own words: one text file a game, named by its slug.

The engine says which rule it relies on ("B10", "Scoring"); :meth:`Book.find` gives the entry that explains it.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from companion.engine import GAMES
from companion.rulebook.book import Book, Entry, read
from companion.rulebook.figures import game_figures

__all__ = ["Book", "Entry", "book", "find"]

_FOLDER = Path(__file__).parent


@cache
def book(slug: str) -> Book | None:
    """The rules of this game, or None for a game without a text."""
    file = _FOLDER / f"{slug}.md"
    if slug not in GAMES or not file.is_file():
        return None
    return read(slug, file.read_text("utf-8"), game_figures(slug))


def find(slug: str, rule: str) -> Entry | None:
    """The entry of a game that explains this rule: a section of the rule text, a ruling ("B10") or a duty ("leak")."""
    rules = book(slug)
    return None if rules is None else rules.find(rule)
