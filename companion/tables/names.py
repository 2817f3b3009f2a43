"""What may people and tables be called? Anything that a person can read, and nothing that plays tricks on the page."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache

from companion import languages
from companion.engine.text import Name, Sentence, is_blank, listing, say, unseen

# NOTE: begins a sentence: "Your name has at most 40 characters"
A_NAME, YOUR_NAME, A_TABLES_NAME = say("A name"), say("Your name"), say("A table’s name")

# what a table is called at first, by the day of the week on which it was made
DAYS = (
    say("Monday table"),
    say("Tuesday table"),
    say("Wednesday table"),
    say("Thursday table"),
    say("Friday table"),
    say("Saturday table"),
    say("Sunday table"),
)
NUMBERED = re.compile(r"(.+) ([1-9][0-9]?)")  # "Sunday table 2"

LONGEST = 40  # characters
LONGEST_TYPED = 10 * LONGEST  # as they were typed: with letters in parts, and spaces that go


class UnfitNameError(ValueError):
    """A name that can't be used; the message is a sentence that says why."""


def normalize(text: str | None, *, whose: Sentence = A_NAME) -> str:
    """Return the name as it is kept: composed, with single spaces and none around it.

    Raises UnfitNameError for a blank name, one above 40 characters, and one with characters that don't show or that turn the
    writing round. ``whose`` begins the sentence: "A table's name".
    """
    if len(text or "") > LONGEST_TYPED:  # before anything else: composing takes a time that grows with the square of the length
        raise UnfitNameError(too_long(whose, len(text or "")))
    name = re.sub(r"[^\S\x1c-\x1f\x85\u2028\u2029]+", " ", unicodedata.normalize("NFC", text or "")).strip(" ")
    if (place := unseen(name)) is not None:
        before = name[:place].strip()
        where = say("after “{letters}”", letters=Name(before)) if before else say("at its beginning")
        raise UnfitNameError(say("{whose} can’t have invisible characters. There is one {where}.", whose=whose, where=where))
    if is_blank(name):
        raise UnfitNameError(
            say("Please type your name.") if whose == YOUR_NAME else say("{whose} needs at least one letter.", whose=whose)
        )
    if len(name) > LONGEST:
        raise UnfitNameError(too_long(whose, len(name)))
    return name


def too_long(whose: Sentence, length: int) -> Sentence:
    """Return why a name of this length can't be used."""
    return say("{whose} has at most {most} characters. This one has {length:,}.", whose=whose, most=LONGEST, length=length)


def equal(first: str, second: str) -> bool:
    """Return True for names that people would take for one: they differ at most in capitals and in how letters are encoded."""
    return key(first) == key(second)


def key(name: str) -> str:
    """Return what names that people would take for one have in common."""
    return unicodedata.normalize("NFKC", name).casefold()


def shown(name: str) -> Name | Sentence:
    """Return a table's name as it is shown: that of a day as a sentence, in whatever language it was given; others stay.

    >>> shown("Table du lundi 2"), shown("Skat")
    ('Monday table 2', 'Skat')
    """
    given = _given(tuple(languages.offered()))
    if day := given.get(name):
        return day
    numbered = NUMBERED.fullmatch(name)
    if numbered is not None and (day := given.get(numbered[1])):
        return listing((day, int(numbered[2])), "text")
    return Name(name)


@lru_cache(1)
def _given(codes: tuple[str, ...]) -> Mapping[str, Sentence]:
    """Return the days' tables by their names in these languages."""
    return {languages.offered()[code].say(day): day for code in codes for day in DAYS}
