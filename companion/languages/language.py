"""How does one language say a sentence: with which words, numbers, lists and dates?"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from datetime import date
from functools import cache, cached_property, lru_cache
from string import Formatter
from typing import Any, Literal
from unicodedata import bidirectional, normalize

from babel import Locale
from babel.dates import format_date
from babel.lists import format_list
from babel.numbers import format_decimal
from markupsafe import Markup, escape

from companion.engine.text import Name, Part, Sentence, listing
from companion.languages.catalogue import Catalogue, Key

log = logging.getLogger(__name__)

ISOLATE, END = "\u2068", "\u2069"  # what stands between them does not turn the writing around it
NO_PARTS: Mapping[str, Any] = {}
BRITISH = Locale("en", "GB")  # whose dates begin with the day
PART = re.compile(r"\{[^}]*\}")
_CAPITAL = "C"
_TO_THE_LEFT = frozenset(("R", "AL"))
_VOWELS = frozenset("aeiouœæ")
STYLES: dict[str, Literal["standard", "or"]] = {"and": "standard", "or": "or"}


class Language:
    """English, or a language that a catalogue translates it into.

    >>> Language("fr").name, Language("ar").direction
    ('Français', 'rtl')
    """

    def __init__(self, code: str, catalogue: Catalogue | None = None) -> None:
        self.code = code
        self.catalogue = catalogue or Catalogue()
        self.is_source = catalogue is None
        self.locale = Locale.parse(code)  # what it knows is read when it is first asked, and that takes time

    @cached_property
    def direction(self) -> str:
        """Where its lines run: "ltr" or "rtl"."""
        return self.locale.text_direction

    @cached_property
    def name(self) -> str:
        """What it calls itself, with a capital letter."""
        own = self.locale.get_display_name(self.locale) or self.code
        return own[:1].upper() + own[1:]

    @property
    def tag(self) -> str:
        """The code as HTML has it: "pt-BR"."""
        return self.code.replace("_", "-")

    @property
    def translated(self) -> float:
        """The part of the sentences that are translated, from 0 to 1."""
        if self.is_source:
            return 1.0
        return len(self.catalogue.sentences) / self.catalogue.total if self.catalogue.total else 0.0

    def say(self, text: str) -> str:
        """Return a sentence in this language; other text as it is. What can't be said is said in English, and logged."""
        if not isinstance(text, Sentence):
            return text
        if self.is_source and (text.isascii() or not _turns_around(text)):
            return str(text)
        try:
            return self._say(text)
        except (KeyError, IndexError, ValueError, AttributeError, TypeError) as wrong:
            self._log(text.template, wrong)
            return str(text)

    def _say(self, text: Sentence) -> str:
        if text.joined:
            return self._join(text)
        count = text.parts.get("n") if text.plural else None
        translation = self._look_up((text.context, text.template), count if isinstance(count, int) else None)
        if translation is None:
            if not self.is_source and _has_words(text.template):
                return str(text)
            translation = text.plural if text.plural and count != 1 else text.template
        if not text.parts and "{" not in translation:
            return translation
        return self._filled(translation, text)

    def _filled(self, translation: str, text: Sentence) -> str:
        """Return the translation with its parts put in. Each is said as it is asked for, since terms have many forms."""
        parts = text.parts
        return "".join(
            [
                before if name is None else before + self._written(parts[name], spec)
                for before, name, spec in _pieces(translation)
            ]
        )

    def _look_up(self, key: Key, count: int | None = None) -> str | None:
        forms = self.catalogue.sentences.get(key)
        if forms is None:
            return None
        return forms[0] if count is None or len(forms) == 1 else forms[self.catalogue.plural(abs(count))]

    def _written(self, part: Part, spec: str = "") -> str:
        """Return a part as it stands in a sentence of this language.

        A name or a term begins with a capital as ``{part:C}``, a term has further forms as ``{part:du}``. ``{name:d’|de }``
        puts one of two words before it, as in "d’Ana" and "de Bo". ``{points:,}`` groups digits as the language does.
        """
        if not isinstance(part, str):
            grouped: str = format(part, spec) if spec != "," or self.is_source else format_decimal(part, locale=self.locale)
            return grouped
        words = self.say(part) if isinstance(part, Sentence) else self.isolated(part)
        if not spec:
            return words
        before_vowel, bar, otherwise = spec.partition("|")
        if bar:
            return f"{before_vowel if _begins_with_vowel(words) else otherwise}{words}"
        for wish in spec.split():
            if wish != _CAPITAL and isinstance(part, Sentence):
                form = self.catalogue.forms.get((part.context, part.template), NO_PARTS).get(wish)
                words = words if form is None else self._filled(form, part)
        return words[:1].upper() + words[1:] if _CAPITAL in spec.split() else words

    def _join(self, text: Sentence) -> str:
        items = [self._written(part) for part in text.parts.values()]
        match text.joined:
            case "comma":
                return (", " if self.is_source else self.comma).join(items)
            case "text":
                return " ".join(items)
        if self.is_source:
            return str(listing(map(Name, items), text.joined))
        return format_list(items, style=STYLES[text.joined], locale=self.locale)

    @cached_property
    def comma(self) -> str:
        """What stands between the items of a list, but before the last."""
        pattern: str = self.locale.list_patterns["standard"]["middle"]
        return pattern.replace("{0}", "").replace("{1}", "")

    def isolated(self, name: str) -> str:
        """Return a name so that it does not turn the sentence around it; most names can't."""
        if self.direction == "ltr" and (name.isascii() or not _turns_around(name)):
            return name
        return f"{ISOLATE}{name}{END}"

    def date(self, day: date, pattern: str = "long") -> str:
        """Return a day as this language writes it: long, medium or short, or the parts of a pattern, as "EEEE"."""
        written: str = format_date(day, pattern, BRITISH if self.code == "en" else self.locale)
        return written

    # What templates say: text of HTML, with parts as %(name)s

    def markup(
        self,
        template: str,
        plural: str = "",
        count: int | None = None,
        context: str = "",
        parts: Mapping[str, Any] = NO_PARTS,
    ) -> Markup:
        """Return text of a template in this language, with its parts put in and escaped."""
        english = plural if plural and count != 1 else template
        shown = {name: self._escaped(part) for name, part in parts.items()}
        translation = self._look_up((context, template), count if plural else None)
        if translation is not None:
            try:
                return _filled_in(translation, shown)
            except (KeyError, ValueError, TypeError) as wrong:
                self._log(template, wrong)
        return _filled_in(english, shown)

    def _escaped(self, part: Any) -> Any:
        if isinstance(part, Sentence):
            return escape(self.say(part))
        if isinstance(part, str) and not isinstance(part, Markup):
            return escape(self.isolated(part))
        return part

    def _log(self, template: str, wrong: Exception) -> None:
        log.error("%s: the translation of %r can't be used (%s: %s)", self.code, template, type(wrong).__name__, wrong)


@lru_cache(10_000)
def _pieces(template: str) -> tuple[tuple[str, str | None, str], ...]:
    """Return what a template is made of: text, the part after it, if there is one, and how that is written."""
    return tuple((before, name, spec or "") for before, name, spec, _ in Formatter().parse(template))


def _begins_with_vowel(words: str) -> bool:
    """Return whether the first letter is a vowel, with or without an accent."""
    return normalize("NFD", words.lstrip(ISOLATE))[:1].casefold() in _VOWELS


@cache
def _has_words(template: str) -> bool:
    """Return whether a template says something besides its parts: "{card:C}" and "{score} – {other}" don't."""
    return any(letter.isalpha() for letter in PART.sub("", template))


def _turns_around(text: str) -> bool:
    """Return whether something in the text runs from right to left."""
    return any(letter >= "\u0590" and bidirectional(letter) in _TO_THE_LEFT for letter in text)


def _filled_in(text: str, shown: Mapping[str, Any]) -> Markup:
    return Markup(text % shown)  # noqa: S704  # templates and catalogues are ours, and what is put in is escaped
