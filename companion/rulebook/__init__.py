"""Where are the rules to read? Short linked entries in our own words, one text a game and language, figures filled in.

The English texts lie here, the others in the folders of their languages (``companion/languages/fr/rules``).

The engine says which rule it relies on ("B10", "Scoring"); :meth:`Book.find` gives the entry that explains it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from companion.rulebook.book import Book, BookEntry, read

__all__ = ["ALIKE", "TEXTS", "Book", "BookEntry", "read"]

TEXTS: Final = Path(__file__).parent  # where the texts of Companion's own games lie
ALIKE: Final = TEXTS / "alike.txt"  # words that find each other in a search, a line each; other languages have their own
