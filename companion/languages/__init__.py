"""Which languages are there, and how is a sentence said in one of them?

English is the source: a sentence carries its template and its parts (:mod:`companion.engine.text`). Every other language is one
folder with gettext catalogues, which are read once, when somebody first asks. A package has them compiled (``hatch_build.py``):
5 ms a language. A checkout has the texts, 30 ms a language, so that nobody compiles what they translate.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from companion.languages.catalogue import SOURCE, files_in, read
from companion.languages.language import Language

log = logging.getLogger(__name__)

FOLDERS = [Path(__file__).parent]  # each holds a folder a language; a test may add one
NEARLY_ALL = 0.95  # of the sentences: one that is new is said in English until it is translated, for a handful nobody waits

UNFINISHED: set[str] = set()  # languages that are offered however little of them is translated, to whoever translates them

ENGLISH = Language(SOURCE)


@cache
def languages() -> dict[str, Language]:
    """Return every language that there is by its code, English first, however much of it is translated."""
    folders: dict[str, list[Path]] = {}
    for folder in (child for parent in FOLDERS for child in sorted(parent.iterdir())):
        if files := files_in(folder):
            folders.setdefault(folder.name, []).extend(files)
    others = {code: Language(code, read(files)) for code, files in sorted(folders.items()) if code != SOURCE}
    return {SOURCE: ENGLISH, **others}


@cache
def offered() -> dict[str, Language]:
    """Return the languages that a phone may choose: those in which nearly every sentence is translated, or that are tried."""
    return {code: language for code, language in languages().items() if language.translated >= NEARLY_ALL or code in UNFINISHED}


def offer(unfinished: Iterable[str]) -> None:
    """Offer these languages too, and no other that is not finished."""
    codes = set(unfinished)
    if codes != UNFINISHED:
        UNFINISHED.clear()
        UNFINISHED.update(codes)
        forget()


def best(wanted: Iterable[str]) -> Language:
    """Return the language offered that fits these codes best, as a browser sends them: "fr-CH" is content with "fr"."""
    for code in wanted:
        parts = code.replace("_", "-").split("-")
        for length in range(len(parts), 0, -1):
            if language := offered().get("_".join(parts[:length])):
                return language
    return ENGLISH


def add(folders: Iterable[Path]) -> None:
    """Read the catalogues in these folders too, if they are there: those of installed games."""
    new = [folder for folder in folders if folder.is_dir() and folder not in FOLDERS]
    if new:
        FOLDERS.extend(new)
        forget()


def forget() -> None:
    """Read the catalogues anew when they are needed next."""
    languages.cache_clear()
    offered.cache_clear()


__all__ = ["ENGLISH", "FOLDERS", "SOURCE", "Language", "add", "best", "forget", "languages", "offer", "offered"]
