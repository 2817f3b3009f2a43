"""What belongs to a game? Its rules and its screens, in one object. A part that the game lacks is None."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
from werkzeug.datastructures import MultiDict

from companion.almanac.facts import PLAIN, Reader
from companion.engine.core import Game, start
from companion.languages import ENGLISH, FOLDERS, Language
from companion.rulebook import ALIKE
from companion.rulebook.book import Book, BookEntry, Figures, read, read_alike, translated
from companion.screens.interface import Screens
from companion.screens.look_up import LookUp
from companion.screens.options import OptionsForm
from companion.screens.practice import Practice
from companion.screens.shelf import Shelf
from companion.screens.theme import HOME, Theme


@dataclass(frozen=True, eq=False, kw_only=True)
class GamePlugin:
    """One game: its rules, and all that phones show of it. Menus, pages and the API offer no more than it has.

    ``screens`` are its pages at a table, ``look_up`` answers "May I?", ``calculators`` reckon without a table, by the word that
    their addresses ask for (``what=``), the first without one; ``practice`` has exercises, ``options_form`` asks what players
    agree on before a match. ``rules`` is the text of its rulebook, ``figures`` fills in the numbers there, ``cards`` are its
    cards as data for programs. ``almanac`` reads finished matches for a table's statistics, by default by their scores.
    A translation lies beside the text (``rules.fr.md``), or in
    the folder of its language (``rules/<slug>.md``). ``folder`` is where a game of an installed package has its
    ``templates`` and ``static`` files: pages find them as ``games/<slug>/<name>``. A game that is many games, as score sheets
    are, has them on a ``shelf``: then home lists that shelf, and no box.
    """

    game: Game[Any]
    screens: Screens | None = None
    look_up: type[LookUp] | None = None
    calculators: Mapping[str, type[LookUp]] = field(default_factory=dict)
    practice: Practice | None = None
    options_form: type[OptionsForm] | None = None
    rules: Path | None = None
    figures: Callable[[], Figures] | None = None
    cards: Callable[[], Sequence[msgspec.Struct]] | None = None
    almanac: Reader = PLAIN
    theme: Theme = HOME
    folder: Path | None = None
    shelf: Shelf | None = None

    @property
    def slug(self) -> str:
        """Its name in addresses and records: "beluga-cup"."""
        return self.game.slug

    @property
    def title(self) -> str:
        """Its name for people: "Beluga Cup"."""
        return self.game.title

    def ask_options(self, typed: MultiDict[str, str] | None = None, agreed: Mapping[str, object] | None = None) -> OptionsForm:
        """Return the form of what can be agreed on; one without fields if there is nothing to choose.

        It holds what was ``typed``, else what was ``agreed`` on last time.
        """
        prefilled = {name: str(value) for name, value in (agreed or {}).items() if isinstance(value, int | str)}
        return (self.options_form or OptionsForm)(formdata=typed, data=prefilled)

    @cached_property
    def first(self) -> str:
        """What a match's first player does, "deals" or "starts"; "" where the order of players means nothing."""
        if self.screens is None:
            return ""
        if self.screens.first is not None:
            return self.screens.first
        return "deals" if "dealer" in start(self.game, self.screens.sample_players).standing().details else ""

    @cached_property
    def book(self) -> Book | None:
        """Its rules to read, or None without a text. Raises ValueError for a text that is not of the form."""
        if self.rules is None:
            return None
        return read(self.slug, self.rules.read_text("utf-8"), self._figures, read_alike(ALIKE.read_text("utf-8")))

    @cached_property
    def _figures(self) -> Figures:
        return self.figures() if self.figures else {}

    @cached_property
    def _translations(self) -> dict[Language, Book]:
        return {}

    def book_in(self, language: Language) -> Book | None:
        """Return its rules in a language; in English, if nobody has translated them."""
        if self.book is None or language.is_source:
            return self.book
        if language not in self._translations:
            self._translations[language] = self._translated(self.book, language)
        return self._translations[language]

    def _translated(self, book: Book, language: Language) -> Book:
        folders = [parent / language.code / "rules" for parent in FOLDERS]
        beside = [] if self.rules is None else [self.rules.with_suffix(f".{language.code}.md")]
        text = next((file for file in (*beside, *(folder / f"{self.slug}.md" for folder in folders)) if file.exists()), None)
        if text is None:
            return book
        alike = "".join(file.read_text("utf-8") for folder in folders if (file := folder / ALIKE.name).exists())
        return translated(book, language.tag, text.read_text("utf-8"), self._figures, read_alike(alike), language.say)

    def find_rule(self, rule: str, language: Language = ENGLISH) -> BookEntry | None:
        """Return the entry that explains a rule: a section of the rule text, a ruling ("B10") or a duty ("leak")."""
        book = self.book_in(language)
        return None if book is None else book.find(rule)
