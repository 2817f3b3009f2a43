"""How does one language say a sentence: with which words, numbers, lists and dates?"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Mapping
from datetime import date
from decimal import Decimal, localcontext
from functools import cache, cached_property, lru_cache
from string import Formatter
from typing import Any, Literal, NamedTuple, TypeAlias
from unicodedata import bidirectional, normalize

from babel import Locale
from babel.dates import format_date
from babel.lists import format_list
from babel.numbers import format_decimal, format_percent
from markupsafe import Markup, escape

from companion.engine.text import Name, Part, Sentence, listing, written
from companion.languages.catalogue import Catalogue, Key

log = logging.getLogger(__name__)

ISOLATE, END = "\u2068", "\u2069"  # what stands between them does not turn the writing around it
NO_PARTS: Mapping[str, Any] = {}
BRITISH = Locale("en", "GB")  # whose dates begin with the day
PART = re.compile(r"\{[^}]*\}")
MINUS = "\N{MINUS SIGN}"  # as long as a figure
LONG = re.compile(r"\d{4}|-\d")  # English writes such a number another way, too
MOST_FIGURES = 4_000  # of one number
MOST_KEPT = 2_000  # finished sentences, about a megabyte
_CAPITAL = "C"
_TO_THE_LEFT = frozenset(("R", "AL"))
_VOWELS = frozenset("aeiouœæ")
STYLES: dict[str, Literal["standard", "or"]] = {"and": "standard", "or": "or"}


class Wish(NamedTuple):
    """The format of a part: the letters between its colon and its closing bracket."""

    spec: str
    before: tuple[str, ...]  # one of two words that stand before it: a vowel follows, or not
    forms: tuple[str, ...]  # of a term
    capital: bool


Pieces: TypeAlias = str | tuple[tuple[str, str | None, Wish | None], ...]  # text, the part after it, and how that is wanted


class Language:
    """English, or a language that a catalogue translates it into.

    >>> Language("fr").name, Language("ar").direction
    ('Français', 'rtl')
    """

    def __init__(self, code: str, catalogue: Catalogue | None = None) -> None:
        self.code = code
        self.catalogue = catalogue or Catalogue()
        self.is_source = catalogue is None
        self._ready: dict[Key, tuple[Pieces, ...]] = {}  # what was said before, taken apart
        self._said: dict[tuple[object, ...], str] = {}
        self._fixed: dict[Key, Markup] = {}
        self.locale = Locale.parse(code)  # what it knows is read when it is first asked, and that takes time

    @cached_property
    def direction(self) -> str:
        """Where its lines run: "ltr" or "rtl"."""
        return self.locale.text_direction

    @cached_property
    def name(self) -> str:
        """What it calls itself, with a capital letter."""
        own_name = self.locale.get_display_name(self.locale) or self.code
        return own_name[:1].upper() + own_name[1:]

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
        """Return a sentence in this language; other text unchanged. A broken translation gives English, and a log entry."""
        if not isinstance(text, Sentence):
            return text
        if self.is_source and (text.isascii() or not _turns_around(text)) and LONG.search(text) is None:
            return str(text)
        try:
            if text.joined:
                return self._join(text)
            key = _made_of(text)
            return self._said.get(key) or self._kept(key, text)
        except (KeyError, IndexError, ValueError, AttributeError, TypeError) as wrong:
            self._log(text.template, wrong)
            return str(text)

    def _kept(self, key: tuple[object, ...], text: Sentence) -> str:
        """Return a sentence put together, and keep it: a page says again most of what it said before the last entry."""
        forms = self._ready.get((text.context, text.template)) or self._take_apart(text)
        if not forms:
            return str(text)
        words = self._filled(forms[0] if len(forms) == 1 else forms[self._plural(text)], text.parts)
        if len(self._said) >= MOST_KEPT:
            self._said.clear()
        self._said[key] = words
        return words

    def _take_apart(self, text: Sentence) -> tuple[Pieces, ...]:
        """Return the plural forms of a sentence's translation, ready to be filled; none where it is to be said in English."""
        key = text.context, text.template
        if translations := self.catalogue.sentences.get(key):
            ready = self._ready[key] = tuple(map(_pieces, translations))
            return ready
        if not text.parts or (not self.is_source and _has_words(text.template)):
            return ()
        return tuple(map(_pieces, (text.template, text.plural))) if text.plural else (_pieces(text.template),)

    def _plural(self, text: Sentence) -> int:
        count = text.parts.get("n") if text.plural else 1  # what has no plural in English names one thing: "Round 4"
        return self.catalogue.form(count) if isinstance(count, int | float) else 0

    def _filled(self, pieces: Pieces, parts: Mapping[str, Part]) -> str:
        """Return the translation with its parts put in. Each is said as it is asked for, since terms have many forms."""
        if isinstance(pieces, str):
            return pieces
        words = []
        for before, name, wish in pieces:
            words.append(before)
            if name is not None:
                words.append(self._plain(parts[name]) if wish is None else self._wished(parts[name], wish))
        return "".join(words)

    def _plain(self, part: Part) -> str:
        """Return a part as it stands in a sentence that asks for nothing more."""
        if isinstance(part, Sentence):
            return self.say(part)
        return self.isolated(part) if isinstance(part, str) else self.number(part)

    def _wished(self, part: Part, wish: Wish) -> str:
        """Return a part as the sentence asks for it.

        A name or a term begins with a capital as ``{part:C}``, a term has further forms as ``{part:du}``. ``{name:d’|de }``
        puts one of two words before it, as in "d’Ana" and "de Bo". ``{points:,}`` groups digits as the language does.
        """
        if not isinstance(part, str):
            return self.number(part) if wish.spec == "," else format(part, wish.spec)
        words = (wish.forms and isinstance(part, Sentence) and self._in_form(part, wish.forms)) or self._plain(part)
        if wish.before:
            return f"{wish.before[0 if _begins_with_vowel(words) else 1]}{words}"
        return words[:1].upper() + words[1:] if wish.capital else words

    def _in_form(self, term: Sentence, wished: Iterable[str]) -> str:
        """Return a term in the first of these forms that it has; empty if it has none."""
        forms = self.catalogue.forms.get((term.context, term.template), NO_PARTS)
        return next((self._filled(_pieces(forms[name]), term.parts) for name in wished if name in forms), "")

    def _join(self, text: Sentence) -> str:
        items = [self._plain(part) for part in text.parts.values()]
        if len(items) == 1:
            return items[0]
        match text.joined:
            case "comma":
                return (", " if self.is_source else self.comma).join(items)
            case "text":
                return " ".join(items)
        if self.is_source:
            return str(listing(map(Name, items), text.joined))
        return _list_of(len(items), text.joined, self.locale).format(*items)

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
        words: str = format_date(day, pattern, BRITISH if self.code == "en" else self.locale)
        return words

    def number(self, number: float) -> str:
        """Return a number with its thousands apart as this language writes them, and with a true minus sign: "1,002½"."""
        if -1000 < number < 1000:
            return written(number)
        with localcontext(prec=MOST_FIGURES):  # a stranger's sheet may reckon with long ones
            thousands: str = format_decimal(int(abs(number)), locale=self.locale)
        return f"{MINUS if number < 0 else ''}{thousands}{'½' if number % 1 else ''}"

    def money(self, cents: int, *, plus: bool = False) -> str:
        """Return cents as an amount as this language writes it, without a currency: "3.10"; with ``plus`` also a plus sign."""
        words: str = format_decimal(Decimal(abs(cents)) / 100, "#,##0.00", locale=self.locale)
        return f"{MINUS if cents < 0 else '+' if plus and cents else ''}{words}"

    def percent(self, share: int) -> str:
        """Return a share in per cent as this language writes it."""
        words: str = format_percent(share / 100, locale=self.locale)
        return words

    # What templates say: text of HTML, with parts as %(name)s

    def markup(
        self,
        template: str,
        plural: str = "",
        count: float | None = None,
        context: str = "",
        parts: Mapping[str, Any] = NO_PARTS,
    ) -> Markup:
        """Return text of a template in this language, with its parts put in and escaped."""
        if not parts and not plural:
            return self._fixed.get((context, template)) or self._kept_markup(context, template)
        english = plural if plural and count != 1 else template
        escaped = {name: self._escaped(part) for name, part in parts.items()}
        forms = self.catalogue.sentences.get((context, template))
        if forms is not None:
            form = 0 if count is None or len(forms) == 1 else self.catalogue.form(count)
            try:
                return _filled_in(forms[form], escaped)
            except (KeyError, ValueError, TypeError) as wrong:
                self._log(template, wrong)
        return _filled_in(english, escaped)

    def _kept_markup(self, context: str, template: str) -> Markup:
        """Return text without parts, and keep it: a page has sixty of them, and there are no more than the templates say."""
        forms = self.catalogue.sentences.get((context, template))
        try:
            markup = self._fixed[context, template] = _filled_in(forms[0] if forms else template, NO_PARTS)
        except (KeyError, ValueError, TypeError) as wrong:
            self._log(template, wrong)
            markup = _filled_in(template, NO_PARTS)
        return markup

    def _escaped(self, part: Any) -> Any:
        if isinstance(part, Sentence):
            return escape(self.say(part))
        if isinstance(part, str) and not isinstance(part, Markup):
            return escape(self.isolated(part))
        return self.number(part) if part.__class__ in {int, float} else part

    def _log(self, template: str, wrong: Exception) -> None:
        log.error("%s: the translation of %r can't be used (%s: %s)", self.code, template, type(wrong).__name__, wrong)


@lru_cache(10_000)
def _pieces(template: str) -> Pieces:
    """Return what a template is made of: text, the part after it, if there is one, and how that is wanted."""
    if "{" not in template:
        return template
    return tuple((before, name, _wish(spec) if spec else None) for before, name, spec, _ in Formatter().parse(template))


def _wish(spec: str) -> Wish:
    before_vowel, bar, otherwise = spec.partition("|")
    words = () if bar else spec.split()
    return Wish(spec, (before_vowel, otherwise) if bar else (), tuple(w for w in words if w != _CAPITAL), _CAPITAL in words)


@cache
def _list_of(length: int, joined: Literal["and", "or"], locale: Locale) -> str:
    """Return the template of a list in this language: "{0}, {1} et {2}"."""
    return format_list([f"{{{place}}}" for place in range(length)], style=STYLES[joined], locale=locale)


def _begins_with_vowel(words: str) -> bool:
    """Return whether the first letter is a vowel, with or without an accent."""
    return normalize("NFD", words.lstrip(ISOLATE))[:1].casefold() in _VOWELS


def _made_of(text: Sentence) -> tuple[object, ...]:
    """Return what is equal for equal sentences alone: the same English words may be a name here and a term there."""
    if not text.parts:
        return text.context, text
    parts = [_made_of(part) if isinstance(part, Sentence) else part for part in text.parts.values()]
    return text.context, text.template, text.plural, text, *parts


@lru_cache(10_000)
def _has_words(template: str) -> bool:
    """Return whether a template says something besides its parts: "{card:C}" and "{score} – {other}" don't."""
    return any(letter.isalpha() for letter in PART.sub("", template))


def _turns_around(text: str) -> bool:
    """Return whether something in the text runs from right to left."""
    return any(letter >= "\u0590" and bidirectional(letter) in _TO_THE_LEFT for letter in text)


def _filled_in(text: str, values: Mapping[str, Any]) -> Markup:
    return Markup(text % values)  # noqa: S704  # templates and catalogues are ours, and what is put in is escaped
