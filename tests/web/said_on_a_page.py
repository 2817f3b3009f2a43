"""What does a page say to somebody who reads or hears it, and which of its words are of another language?"""

from __future__ import annotations

import json
import re
from functools import cache
from html.parser import HTMLParser

from companion import languages
from tests.languages import made_up

SAID_IN = (
    *("aria-label", "title", "placeholder", "alt", "data-title", "data-announce", "data-what", "data-outbox", "content"),
    *("data-everything", "data-label", "data-more", "data-one", "data-say", "data-share-text", "data-why"),
)
SILENT = ("script", "style", "svg")
DRAWING = re.compile(r"(<svg\b[^>]*>).*?</svg>", re.DOTALL)  # whose lines say nothing, and are most of a page's elements
PART = re.compile(r"\{[^}]*\}|%\(\w+\)[sd]|<[^>]*>|&\w+;")
WORD = re.compile(r"\b[^\W\d_]{2,}\b")
# names of games and of languages, what is printed on cards, and what browsers read
SAME = """
BeloZ Beluga Bisque Communist Companion Cup Deutsch Effect Elvis English FISH Fish Flint Flush Français KILL Manifesto PROTECT
Rivals Tax The WTF What application cover device fit http initial json localhost noarchive nofollow noindex scale viewport width
"""

# words that are the same in every language: names, games, what is printed on cards, and the names of the languages
PRINTED = """
A BeloZ Beluga Bisque Companion Cup English Esperanto FILE FISH Fish Flint Flush KILL Kitchen PROTECT Re Rivals
Tuesday WTF What application companion cover device fit http initial json kaj localhost noarchive nofollow noindex
scale t table the verify viewport width
"""
UNTRANSLATED = {"Ana", "Bo", "Cy", "Di", "Eli", "Flo", *PRINTED.split()}


class Words(HTMLParser):
    """What a page says to somebody who reads or hears it, piece by piece."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.said: list[str] = []
        self.silent = 0
        self.of_scripts = False
        self.feed(DRAWING.sub(r"\1</svg>", page))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.silent += tag in SILENT
        self.of_scripts = "data-words" in dict(attrs)
        self.said += [value for name, value in attrs if name in SAID_IN and value and tag != "meta"]

    def handle_endtag(self, tag: str) -> None:
        self.of_scripts = False
        self.silent -= tag in SILENT

    def handle_data(self, data: str) -> None:
        if self.of_scripts:
            self.said += json.loads(data).values()
        elif not self.silent:
            self.said.append(data)


@cache
def vocabulary(code: str) -> frozenset[str]:
    """Return every word that a language's catalogue has."""
    texts = [text for forms in languages.languages()[code].catalogue.sentences.values() for text in forms]
    if code == languages.SOURCE:
        other = languages.languages()["fr"].catalogue.sentences
        texts = [english for _, english in other]
    return frozenset(word for text in texts for word in words_of(PART.sub(" ", text)))


def words_of(text: str) -> list[str]:
    """Return the words of a text, without regard to capitals."""
    return [word.casefold() for word in WORD.findall(text)]


@cache
def foreign_to(code: str, names: str) -> frozenset[str]:
    """Return the words that this language does not have and another has."""
    others = {word for other in ("en", "fr", "de") if other != code for word in vocabulary(other)}
    return frozenset(others - vocabulary(code) - set(words_of(f"{SAME} {names}")))


def of_another_language(page: str, code: str, *names: str) -> list[str]:
    """Return the pieces of a page with words that this language does not have and another has."""
    foreign = foreign_to(code, " ".join(names))
    page = re.sub(r'<(\w+)\b[^>]*translate="no"[^>]*>.*?</\1>', "", page, flags=re.DOTALL)  # says of which it is
    return [" ".join(piece.split()) for piece in Words(page).said if foreign & set(words_of(PART.sub(" ", piece)))]


def unmarked(page: str) -> list[str]:
    """Return the pieces of a page that are not of the made-up language."""
    page = re.sub(r"<time\b.*?</time>", "", page, flags=re.DOTALL)  # as the locale writes it
    text = re.sub(r'<(p|div|b|span|code)\b[^>]*(translate="no"|aria-hidden="true")[^>]*>[^<]*</', "</", page)
    whole = "\n".join(Words(text).said)
    before = ""
    while before != whole:
        before, whole = whole, re.sub(f"{made_up.OPEN}[^{made_up.OPEN}{made_up.CLOSE}]*{made_up.CLOSE}", " ", whole)
    pieces = [" ".join(line.split()) for line in whole.splitlines()]
    return [piece for piece in pieces if any(word not in UNTRANSLATED for word in re.findall(r"[A-Za-z]{2,}", piece))]
