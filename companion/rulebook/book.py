"""What a game's rules look like in words: sections of short entries, each with an address that stays, read from a text file.

The files (``beloz.md`` and so on) are Markdown of the simplest kind:

- ``# Title`` and a paragraph of introduction; ``## Section``; ``### Entry {address: rule; rule}``, where the rules are the
  sections of the rule text and the rulings ("B10") that the entry explains;
- paragraphs, each on one line, with ``**strong**`` words, ``[links](#address)`` to other entries and signs (``:moons:``);
- ``[[name]]`` stands for a figure out of the engine, and alone on its line for a table (:mod:`companion.rulebook.figures`).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Final, Literal

import msgspec
from markupsafe import Markup

_ENTRY = re.compile(r"### (?P<title>.+) \{(?P<address>[a-z0-9-]+)(?:: (?P<rules>.+))?\}")
_RULING = re.compile(r"[A-Z][0-9]+")
_FIGURE = re.compile(r"\[\[([a-z-]+)\]\]")
_MARKED = re.compile(r"\*\*(?P<strong>[^*]+)\*\*|\[(?P<link>[^\[\]]+)\]\(#(?P<address>[a-z0-9-]+)\)|:(?P<sign>[a-z-]+):")
_WORD = re.compile(r"[^\W_]+")

MOST_TERMS: Final = 8  # words that a search looks for; the others of a longer query are left out

# What people look for, and what stands in the texts instead. Words of one line find each other.
ALIKE: Final[tuple[tuple[str, ...], ...]] = (
    ("tie", "ties", "tied", "equal", "equally", "draw"),
    ("trump", "trumps", "flooded"),
    ("trick", "tricks", "expedition", "expeditions"),
    ("meld", "melds", "declaration", "declarations"),
    ("redeal", "again"),
)


class Piece(msgspec.Struct, frozen=True):
    """A few words of a paragraph: plain or strong, a link to the entry ``address``, or a suit or animal with its sign."""

    text: str
    kind: Literal["plain", "strong", "link", "sign"] = "plain"
    address: str = ""


class Table(msgspec.Struct, frozen=True):
    """A table of figures: what it is about, its column heads, and its rows, of which the first cell names the row."""

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


Figures = Mapping[str, str | Table]


class Entry(msgspec.Struct, frozen=True, dict=True):
    """One short entry. ``address`` stays as it is for ever; ``rules`` are the names by which the engine means this entry."""

    address: str
    title: str
    rules: tuple[str, ...] = ()
    blocks: tuple[str | Table, ...] = ()

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Every word that the entry says, for searching: without markup, in lower case, sorted."""
        cells = (" ".join(map(plain, _cells(block))) for block in self.blocks)
        return tuple(sorted(set(_WORD.findall(" ".join((self.title, *cells)).casefold()))))

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
    entries: tuple[Entry, ...]

    @property
    def address(self) -> str:
        """Where the section begins; no entry has such an address."""
        return f"section-{'-'.join(self.title.casefold().split())}"


class Book(msgspec.Struct, frozen=True, dict=True):
    """The rules of a game."""

    slug: str
    title: str
    lead: str
    sections: tuple[Section, ...]

    @property
    def entries(self) -> Iterable[Entry]:
        """All entries in order."""
        return (entry for section in self.sections for entry in section.entries)

    @cached_property
    def _named(self) -> Mapping[str, Entry]:
        named: dict[str, Entry] = {}
        for entry in self.entries:
            for name in entry.rules:
                named.setdefault(name.casefold(), entry)
        for entry in self.entries:
            named.setdefault(entry.address, entry)
        return named

    def find(self, rule: str) -> Entry | None:
        """The entry that explains this section of the rule text, ruling or duty, in capitals or not."""
        return self._named.get(rule.strip().casefold())

    def about(self, query: str) -> tuple[Entry, ...]:
        """The entries in which every word of the query begins a word, or is meant by one; all of them for an empty query."""
        wanted = terms(query)
        return tuple(entry for entry in self.entries if all(term.among(entry.words) for term in wanted))


class Term(msgspec.Struct, frozen=True):
    """A word that is searched for: it finds words that begin with it, and those that mean the same."""

    begin: str
    alike: frozenset[str]

    def finds(self, word: str) -> bool:
        """True for a word that is searched for; in lower case."""
        return word.startswith(self.begin) or word in self.alike

    def among(self, words: tuple[str, ...]) -> bool:
        """True when one of these sorted words is."""
        at = bisect_left(words, self.begin)
        return (at < len(words) and words[at].startswith(self.begin)) or not self.alike.isdisjoint(words)


def terms(query: str) -> tuple[Term, ...]:
    """The words of a query, each with those that mean the same."""
    begins = list(dict.fromkeys(_WORD.findall(query.casefold())))[:MOST_TERMS]
    return tuple(Term(begin, frozenset(_meant(begin))) for begin in begins)


def _meant(begin: str) -> Iterable[str]:
    """Words that mean the same as one that begins like this; two letters don't say which is meant."""
    for line in ALIKE:
        if len(begin) > 2 and any(word.startswith(begin) for word in line):
            yield from line


def marked(text: str, query: str) -> Markup:
    """The text with each word marked that the query finds."""
    wanted = terms(query)
    mark = Markup("<mark>{}</mark>")
    parts: list[str] = []
    at = 0
    for word in _WORD.finditer(text) if wanted else ():
        if any(term.finds(word[0].casefold()) for term in wanted):
            parts += [text[at : word.start()], mark.format(word[0])]
            at = word.end()
    return Markup().join((*parts, text[at:]))


def pieces(text: str) -> tuple[Piece, ...]:
    """A paragraph or a table's cell, taken apart at its markup."""
    found: list[Piece] = []
    at = 0
    for marked in _MARKED.finditer(text):
        found.append(Piece(text[at : marked.start()]))
        at = marked.end()
        match marked.lastgroup:
            case "strong":
                found.append(Piece(marked["strong"], "strong"))
            case "sign":
                found.append(Piece(marked["sign"], "sign"))
            case _:
                found.append(Piece(marked["link"], "link", marked["address"]))
    found.append(Piece(text[at:]))
    return tuple(piece for piece in found if piece.text)


def plain(text: str) -> str:
    """A paragraph or cell without its markup: what is searched, and sent to programs."""
    return "".join(piece.text.replace("-", " ") if piece.kind == "sign" else piece.text for piece in pieces(text))


def _cells(block: str | Table) -> Iterable[str]:
    if isinstance(block, str):
        return (block,)
    return (block.caption, *block.head, *(cell for row in block.rows for cell in row))


def read(slug: str, text: str, figures: Figures) -> Book:
    """The book of a game from its text. Raises ValueError, with the line, for a text that is not of this form."""
    lines = [line for line in enumerate(text.splitlines(), start=1) if line[1].strip()]
    title, lead = lines[0][1].removeprefix("# "), str(_block(lines[1][1], figures))
    sections: list[tuple[str, list[Entry]]] = []
    for number, line in lines[2:]:
        if line.startswith("## "):
            sections.append((line.removeprefix("## "), []))
        elif heading := _ENTRY.fullmatch(line):
            rules = tuple(rule.strip() for rule in (heading["rules"] or "").split(";") if rule.strip())
            sections[-1][1].append(Entry(heading["address"], heading["title"], rules))
        elif line.startswith("#") or not sections or not sections[-1][1]:
            raise ValueError(f"{slug}, line {number}: an entry begins with ### Title {{address: rule; rule}}")
        else:
            entry = sections[-1][1].pop()
            try:
                block = _block(line, figures)
            except KeyError as unknown:
                raise ValueError(f"{slug}, line {number}: there is no figure {unknown}") from None
            sections[-1][1].append(msgspec.structs.replace(entry, blocks=(*entry.blocks, block)))
    return Book(slug, title, lead, tuple(Section(title, tuple(entries)) for title, entries in sections))


def _block(line: str, figures: Figures) -> str | Table:
    """A paragraph with its figures filled in, or the table that it stands for."""
    if alone := _FIGURE.fullmatch(line):
        return figures[alone[1]]
    return _FIGURE.sub(lambda figure: str(figures[figure[1]]), line)
