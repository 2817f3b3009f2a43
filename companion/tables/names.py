"""What may people and tables be called? Anything that a person can read, and nothing that plays tricks on the page."""

from __future__ import annotations

import re
import unicodedata

LONGEST = 40  # characters
LONGEST_TYPED = 10 * LONGEST  # as they were typed: with letters in parts, and spaces that go

JOINERS = "\u200c\u200d"  # they shape letters of several scripts and hold emoji together
BLANK_LETTERS = "\u115f\u1160\u2800\u3164\uffa0"  # letters and symbols that show nothing
INVISIBLE = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))  # controls, marks that steer the writing, lone surrogates, line ends


class UnfitNameError(ValueError):
    """A name that can't be used; the message is a sentence that says why."""


def normalize(text: str | None, *, whose: str = "A name") -> str:
    """Return the name as it is kept: composed, with single spaces and none around it.

    Raises UnfitNameError for a blank name, one above 40 characters, and one with characters that don't show or that turn the
    writing round. ``whose`` begins the sentence: "A table's name".
    """
    if len(text or "") > LONGEST_TYPED:  # before anything else: composing takes a time that grows with the square of the length
        raise UnfitNameError(f"{whose} has at most {LONGEST} characters; this one has {len(text or ''):,}.")
    name = re.sub(r"[^\S\x1c-\x1f\x85\u2028\u2029]+", " ", unicodedata.normalize("NFC", text or "")).strip(" ")
    for place, letter in enumerate(name):
        if unicodedata.category(letter) in INVISIBLE and letter not in JOINERS:
            before = name[:place].strip()
            where = f"after “{before}”" if before else "at its beginning"
            raise UnfitNameError(f"{whose} can't hold characters that don't show; there is one {where}.")
    if not name.strip(JOINERS + BLANK_LETTERS + " "):
        raise UnfitNameError("Please type your name." if whose == "Your name" else f"{whose} needs at least one letter.")
    if len(name) > LONGEST:
        raise UnfitNameError(f"{whose} has at most {LONGEST} characters; this one has {len(name)}.")
    return name


def equal(one: str, other: str) -> bool:
    """Return True for names that people would take for one: they differ at most in capitals and in how letters are encoded."""
    return key(one) == key(other)


def key(name: str) -> str:
    """Return what names that people would take for one have in common."""
    return unicodedata.normalize("NFKC", name).casefold()
