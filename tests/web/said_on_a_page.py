"""What does a page say to somebody who reads or hears it, and which of its words are of another language?"""

from __future__ import annotations

import json
import re
from functools import cache
from html import unescape

from companion import languages
from tests.languages import made_up

SAID_IN = (
    *("aria-label", "title", "placeholder", "alt", "data-title", "data-announce", "data-what", "data-outbox", "content"),
    *("data-everything", "data-label", "data-more", "data-one", "data-say", "data-share-text", "data-why"),
)
DRAWING = re.compile(r"(<svg\b[^>]*>).*?</svg>", re.DOTALL)  # whose lines say nothing, and are most of a page's elements
QUIET = re.compile(r"<!--.*?-->|<![^>]*>|<(script|style)\b.*?</\1>", re.DOTALL)
TOKEN = re.compile(r"<(/?)([a-z][\w-]*)([^>]*)>|([^<]+)")
OF_SCRIPTS = re.compile(r"\sdata-words(?![\w-])")
SAID = re.compile(rf'\s(?:{"|".join(SAID_IN)})="([^"]*)"')
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


def said(page: str) -> list[str]:
    """Return what a page says to somebody who reads or hears it, piece by piece.

    By patterns, since Companion writes its pages itself: with a parser the tests of whole matches took half as long again.
    """
    pieces: list[str] = []
    of_scripts = False
    for closing, tag, attributes, text in TOKEN.findall(DRAWING.sub(r"\1", QUIET.sub("", page))):
        if text and of_scripts:
            pieces += json.loads(unescape(text)).values()
        elif text:
            pieces.append(unescape(text))
        else:
            of_scripts = not closing and OF_SCRIPTS.search(attributes) is not None
            if tag != "meta":
                pieces += [unescape(value) for value in SAID.findall(attributes) if value]
    return pieces


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


@cache
def has_foreign(piece: str, code: str, names: str) -> bool:
    """Return whether words that this language does not have and another has are in a piece; most pieces are on many pages."""
    return not foreign_to(code, names).isdisjoint(words_of(PART.sub(" ", piece)))


def of_another_language(page: str, code: str, *names: str) -> list[str]:
    """Return the pieces of a page with words that this language does not have and another has."""
    page = re.sub(r'<(\w+)\b[^>]*translate="no"[^>]*>.*?</\1>', "", page, flags=re.DOTALL)  # says of which it is
    return [" ".join(piece.split()) for piece in said(page) if has_foreign(piece, code, " ".join(names))]


def unmarked(page: str) -> list[str]:
    """Return the pieces of a page that are not of the made-up language."""
    page = re.sub(r"<time\b.*?</time>", "", page, flags=re.DOTALL)  # as the locale writes it
    text = re.sub(r'<(p|div|b|span|code)\b[^>]*(translate="no"|aria-hidden="true")[^>]*>[^<]*</', "</", page)
    whole = "\n".join(said(text))
    before = ""
    while before != whole:
        before, whole = whole, re.sub(f"{made_up.OPEN}[^{made_up.OPEN}{made_up.CLOSE}]*{made_up.CLOSE}", " ", whole)
    pieces = [" ".join(line.split()) for line in whole.splitlines()]
    return [piece for piece in pieces if any(word not in UNTRANSLATED for word in re.findall(r"[A-Za-z]{2,}", piece))]
