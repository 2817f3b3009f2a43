"""How is a rulebook read? From a text file: sections of short entries, each with an address that stays.

The files (``beloz.md`` and so on) are Markdown of the simplest kind:

- ``# Title`` and a paragraph of introduction; ``## Section``; ``### Entry {address: rule; rule}``, where the rules are the
  sections of the rule text and the rulings ("B10") that the entry explains;
- paragraphs, each on one line, with ``**strong**`` words, ``[links](#address)`` to other entries and signs (``:moons:``);
- ``[[name]]`` stands for a figure out of the engine, and alone on its line for a table (:mod:`companion.rulebook.figures`).

A translation has the same form. It names what each part was made from: ``# Title {@version}``, ``## Section {section}``,
``### Entry {address @version}``, where the version is :func:`version` of the English entry. So a page can tell which of its
entries are older than the English ones (:func:`translated`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Final, Literal, TypeAlias

import msgspec
from markupsafe import Markup

_ENTRY = re.compile(r"### (?P<title>.+) \{(?P<address>[a-z0-9-]+)(?: @(?P<version>[0-9a-f]{8})|: (?P<rules>.+))?\}")
_SECTION = re.compile(r"## (?P<title>.+?)(?: \{(?P<address>[a-z0-9-]+)\})?")
_TITLE = re.compile(r"# (?P<title>.+?)(?: \{@(?P<version>[0-9a-f]{8})\})?")
_RULING = re.compile(r"[A-Z][0-9]+")
_FIGURE = re.compile(r"\[\[([a-z-]+)\]\]")
_MARKED = re.compile(
    r"\*\*(?P<strong>[^*]+)\*\*|\[(?P<link>[^\[\]]+)\]\(#(?P<address>[a-z0-9-]+)\)|:(?P<sign>[a-z-]+)(?:\|(?P<word>[^:]+))?:"
)
_WORD = re.compile(r"[^\W_]+")

MOST_TERMS: Final = 8  # words that a search looks for; the others of a longer query are left out
_LIGATURES = str.maketrans({"œ": "oe", "æ": "ae"})  # that people write as two letters when they look for a word

Alike: TypeAlias = tuple[tuple[str, ...], ...]
Speak: TypeAlias = Callable[[str], str]


class Piece(msgspec.Struct, frozen=True):
    """A few words of a paragraph: plain or strong, a link to the entry ``address``, or a suit or animal with its ``sign``."""

    text: str
    kind: Literal["plain", "strong", "link", "sign"] = "plain"
    address: str = ""
    sign: str = ""


class BookTable(msgspec.Struct, frozen=True):
    """A table of figures: what it is about, its column heads, and its rows, of which the first cell names the row."""

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


Figures = Mapping[str, str | BookTable]


class BookEntry(msgspec.Struct, frozen=True, dict=True):
    """One short entry. ``address`` stays as it is for ever; ``rules`` are the names by which the engine means this entry.

    ``version`` is that of the English text. In a translation ``outdated`` is the English entry if it changed since, and
    ``untranslated`` is set where the English entry stands in for one that is missing.
    """

    address: str
    title: str
    rules: tuple[str, ...] = ()
    blocks: tuple[str | BookTable, ...] = ()
    version: str = ""
    outdated: BookEntry | None = None
    untranslated: bool = False

    @cached_property
    def words(self) -> str:
        """What the entry says, for searching: its words without markup, in lower case, each between spaces."""
        cells = (" ".join(map(plain, _cells(block))) for block in self.blocks)
        return f" {_spaced(' '.join((self.title, *cells)))} "

    @property
    def code(self) -> str:
        """The ruling that the entry tells ("B10"), or nothing."""
        return next((rule for rule in self.rules if _RULING.fullmatch(rule)), "")

    @property
    def text(self) -> str:
        """Its paragraphs as plain text."""
        return "\n".join(plain(block) for block in self.blocks if isinstance(block, str))


class Section(msgspec.Struct, frozen=True):
    """Entries about one thing: set-up, scoring, rulings."""

    title: str
    entries: tuple[BookEntry, ...]
    name: str  # the English title, as an address has it

    @property
    def address(self) -> str:
        """Where the section begins; no entry has such an address."""
        return f"section-{self.name}"


class Book(msgspec.Struct, frozen=True, dict=True):
    """The rules of a game in one language.

    ``alike`` has lines of words and phrases that find each other: what players say, and what stands in the text instead. The
    lead of a translation is the English one if that changed since: then ``lead_untranslated`` is set.
    """

    slug: str
    title: str
    lead: str
    sections: tuple[Section, ...]
    alike: Alike = ()
    language: str = "en"
    version: str = ""
    lead_untranslated: bool = False

    @property
    def entries(self) -> Iterable[BookEntry]:
        """All entries in order."""
        return (entry for section in self.sections for entry in section.entries)

    @cached_property
    def _named(self) -> Mapping[str, BookEntry]:
        named: dict[str, BookEntry] = {}
        for entry in self.entries:
            for name in entry.rules:
                named.setdefault(name.casefold(), entry)
        for entry in self.entries:
            named.setdefault(entry.address, entry)
        return named

    def find(self, rule: str) -> BookEntry | None:
        """Return the entry that explains this section of the rule text, ruling or duty, in capitals or not."""
        return self._named.get(rule.strip().casefold())

    def about(self, query: str) -> tuple[BookEntry, ...]:
        """Return the entries that say each part of the query, or what means the same; all for an empty query."""
        wanted = self.terms(query)
        return tuple(entry for entry in self.entries if all(term.among(entry.words) for term in wanted))

    def terms(self, query: str) -> tuple[Term, ...]:
        """Return what a query looks for, each part with what means the same in this book."""
        return terms(query, self.alike)

    @property
    def outdated(self) -> Iterable[BookEntry]:
        """The entries whose English text changed since they were translated."""
        return (entry for entry in self.entries if entry.outdated is not None)


class Term(msgspec.Struct, frozen=True):
    """A word or a phrase that is searched for: it finds words that begin so, and words and phrases that mean the same."""

    begins: tuple[str, ...]
    alike: frozenset[str] = frozenset()

    def among(self, words: str) -> bool:
        """Return True when these words, each between spaces, say it."""
        return all(f" {begin}" in words for begin in self.begins) or any(f" {phrase} " in words for phrase in self.alike)

    def places(self, words: Sequence[str]) -> Iterable[int]:
        """Yield which of these words say it, by their numbers."""
        for at, word in enumerate(words):
            if word.startswith(self.begins):
                yield at
            for phrase in map(str.split, self.alike):
                if words[at : at + len(phrase)] == phrase:
                    yield from range(at, at + len(phrase))


def searched(word: str) -> str:
    """Return a word as it is searched for: in lower case, without accents, "noeud" for "nœud" and "strasse" for "Straße".

    >>> searched("Égalité")
    'egalite'
    """
    letters = unicodedata.normalize("NFD", word.casefold().translate(_LIGATURES))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def _spaced(text: str) -> str:
    return " ".join(map(searched, _WORD.findall(text)))


def terms(query: str, alike: Alike = ()) -> tuple[Term, ...]:
    """Return what a query looks for: its phrases, in any order of their words, then its other words."""
    left = list(dict.fromkeys(_spaced(query).split()))[:MOST_TERMS]
    meant: dict[tuple[str, ...], set[str]] = {}
    for line in alike:
        for phrase in line:
            if phrase_words := _asked(left, phrase):
                meant.setdefault(phrase_words, set()).update(line)
    terms_found = []
    for phrase_words in sorted(meant, key=len, reverse=True):
        if len(phrase_words) > 1 and set(phrase_words) <= set(left):
            terms_found.append(Term(phrase_words, frozenset(meant[phrase_words])))
            left = [word for word in left if word not in phrase_words]
    return (*terms_found, *(Term((word,), frozenset(meant.get((word,), ()))) for word in left))


def _asked(words: Sequence[str], phrase: str) -> tuple[str, ...]:
    """Return the words that ask for a phrase, one for each of its words; two letters don't say which longer one is meant."""
    fitted = []
    for word_of_phrase in phrase.split():
        fitting = (word for word in words if word == word_of_phrase or (len(word) > 2 and word_of_phrase.startswith(word)))
        fitted.append(next(fitting, ""))
    return tuple(sorted(fitted)) if all(fitted) and len(set(fitted)) == len(fitted) else ()


def read_alike(text: str) -> Alike:
    """Return the lines of words and phrases that find each other, from a text file: one set a line, with commas between."""
    return tuple(tuple(map(_spaced, line.split(","))) for line in text.splitlines() if line.strip())


def marked(text: str, wanted: tuple[Term, ...]) -> Markup:
    """Return the text with each word marked that is searched for."""
    words = list(_WORD.finditer(text)) if wanted else []
    searched_words = [searched(word[0]) for word in words]
    mark = Markup("<mark>{}</mark>")
    parts: list[str] = []
    at = 0
    for number in sorted({place for term in wanted for place in term.places(searched_words)}):
        word = words[number]
        parts += [text[at : word.start()], mark.format(word[0])]
        at = word.end()
    return Markup().join((*parts, text[at:]))


def pieces(text: str) -> tuple[Piece, ...]:
    """Return a paragraph or a table's cell, taken apart at its markup."""
    parts: list[Piece] = []
    at = 0
    for marked in _MARKED.finditer(text):
        parts.append(Piece(text[at : marked.start()]))
        at = marked.end()
        match marked.lastgroup:
            case "strong":
                parts.append(Piece(marked["strong"], "strong"))
            case "address":
                parts.append(Piece(marked["link"], "link", marked["address"]))
            case _:
                parts.append(Piece(marked["word"] or marked["sign"].replace("-", " "), "sign", sign=marked["sign"]))
    parts.append(Piece(text[at:]))
    return tuple(piece for piece in parts if piece.text)


def plain(text: str) -> str:
    """Return a paragraph or cell without its markup: what is searched, and sent to programs."""
    return "".join(piece.text for piece in pieces(text))


def _cells(block: str | BookTable) -> Iterable[str]:
    if isinstance(block, str):
        return (block,)
    return (block.caption, *block.head, *(cell for row in block.rows for cell in row))


@dataclass
class _Part:
    """A heading of a text as it is written, and the lines below it, each with its number."""

    heading: re.Match[str]
    lines: list[tuple[int, str]]

    @property
    def version(self) -> str:
        """The version of the English text. A translation names the version it was made from."""
        return version(self.heading["title"], (line for _, line in self.lines))


@dataclass
class _Source:
    """A text, taken apart: the title with the lead, and the entries of each section."""

    slug: str
    top: _Part
    sections: list[tuple[re.Match[str], list[_Part]]]


def version(title: str, paragraphs: Iterable[str]) -> str:
    """Return eight figures that stand for an English entry as it is written: another text has others."""
    return sha256("\n".join((title, *paragraphs)).encode()).hexdigest()[:8]


def read(slug: str, text: str, figures: Figures, alike: Alike = (), speak: Speak = str) -> Book:
    """Return the book of a game from its English text.

    Raises ValueError, with the line, for a text that is not of this form.
    """
    source = _parse(slug, text)
    sections = []
    for heading, parts in source.sections:
        title = heading["title"]
        entries = (_entry(slug, part, figures, speak) for part in parts)
        sections.append(Section(title, tuple(entries), "-".join(title.casefold().split())))
    top = source.top
    return Book(slug, top.heading["title"], _lead(slug, top, figures, speak), tuple(sections), alike, version=top.version)


def translated(book: Book, language: str, text: str, figures: Figures, alike: Alike = (), speak: Speak = str) -> Book:
    """Return an English book in another language. Entries without a translation stay English.

    ``speak`` says the figures in that language. Raises ValueError, with the line, for a text that is not of the form, or that
    translates what the English book does not have.
    """
    source = _parse(book.slug, text)
    titles: dict[str, str] = {}
    translations: dict[str, _Part] = {}
    for heading, parts in source.sections:
        titles[heading["address"] or ""] = heading["title"]
        for part in parts:
            if not part.heading["version"]:
                raise ValueError(f"{book.slug}, “{part.heading[0]}”: the version is missing")
            translations[part.heading["address"]] = part
    unknown = (titles.keys() - {section.name for section in book.sections}) | (
        translations.keys() - {entry.address for entry in book.entries}
    )
    if unknown:
        raise ValueError(f"{book.slug}: the English text has no {', '.join(sorted(unknown))}")

    def entry(english: BookEntry) -> BookEntry:
        part = translations.get(english.address)
        if part is None:
            return msgspec.structs.replace(english, untranslated=True)
        translation = _entry(book.slug, part, figures, speak)
        outdated = english if part.heading["version"] != english.version else None
        return msgspec.structs.replace(translation, rules=english.rules, version=english.version, outdated=outdated)

    sections = tuple(
        Section(titles.get(section.name, section.title), tuple(map(entry, section.entries)), section.name)
        for section in book.sections
    )
    outdated = source.top.heading["version"] != book.version
    return Book(
        book.slug,
        source.top.heading["title"],
        book.lead if outdated else _lead(book.slug, source.top, figures, speak),
        sections,
        alike,
        language,
        book.version,
        outdated,
    )


def _parse(slug: str, text: str) -> _Source:
    lines: Sequence[tuple[int, str]] = [line for line in enumerate(text.splitlines(), start=1) if line[1].strip()]
    title = _TITLE.fullmatch(lines[0][1])
    if title is None:
        raise ValueError(f"{slug}, line {lines[0][0]}: a text begins with # Title")
    source = _Source(slug, _Part(title, [lines[1]]), [])
    for number, line in lines[2:]:
        if section := _SECTION.fullmatch(line):
            source.sections.append((section, []))
        elif source.sections and (heading := _ENTRY.fullmatch(line)):
            source.sections[-1][1].append(_Part(heading, []))
        elif line.startswith("#") or not source.sections or not source.sections[-1][1]:
            raise ValueError(f"{slug}, line {number}: an entry begins with ### Title {{address: rule; rule}}")
        else:
            source.sections[-1][1][-1].lines.append((number, line))
    return source


def _entry(slug: str, part: _Part, figures: Figures, speak: Speak) -> BookEntry:
    heading = part.heading
    rules = tuple(rule.strip() for rule in (heading["rules"] or "").split(";") if rule.strip())
    return BookEntry(heading["address"], heading["title"], rules, tuple(_blocks(slug, part, figures, speak)), part.version)


def _lead(slug: str, top: _Part, figures: Figures, speak: Speak) -> str:
    return "".join(str(block) for block in _blocks(slug, top, figures, speak))


def _blocks(slug: str, part: _Part, figures: Figures, speak: Speak) -> Iterable[str | BookTable]:
    """Return the paragraphs below a heading with their figures filled in, and the tables that some of them stand for."""
    for number, line in part.lines:
        try:
            alone = _FIGURE.fullmatch(line)
            figure = figures[alone[1]] if alone else _FIGURE.sub(lambda inside: speak(_words(figures[inside[1]])), line)
        except KeyError as unknown:
            raise ValueError(f"{slug}, line {number}: there is no figure {unknown}") from None
        yield said(figure, figures, speak) if isinstance(figure, BookTable) else _signed(speak(figure), figures, speak)


def _words(figure: str | BookTable) -> str:
    return figure if isinstance(figure, str) else figure.caption


def said(table: BookTable, figures: Figures, speak: Speak = str) -> BookTable:
    """Return a table of figures in a language."""

    def cell(words: str) -> str:
        return _signed(speak(words), figures, speak)

    return BookTable(cell(table.caption), tuple(map(cell, table.head)), tuple(tuple(map(cell, row)) for row in table.rows))


def _signed(text: str, figures: Figures, speak: Speak) -> str:
    """Return the text in which each sign has its word, if it is one of the figures: ``:moons|lunes:``."""

    def worded(sign: re.Match[str]) -> str:
        word = figures.get(sign["sign"] or "")
        return f":{sign['sign']}|{speak(word)}:" if isinstance(word, str) else sign[0]

    return _MARKED.sub(worded, text)
