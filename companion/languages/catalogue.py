"""What do the catalogues of a language hold?"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from gettext import c2py
from pathlib import Path

from babel.messages.pofile import read_po

Key = tuple[str, str]  # context and English template

FORM = re.compile(r";\s*(\w+):\s*")  # begins a further form of a term: "lion; le: le lion; du: du lion"


def one_or_many(count: int) -> int:
    """Return the plural form of English: 0 for one, 1 for many."""
    return int(count != 1)


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The sentences of a language by context and English template, a tuple with one text for each plural form.

    ``forms`` are further forms of terms, by their names. ``total`` counts the sentences that there are to translate.
    """

    sentences: Mapping[Key, tuple[str, ...]] = field(default_factory=dict)
    forms: Mapping[Key, Mapping[str, str]] = field(default_factory=dict)
    plural: Callable[[int], int] = one_or_many
    total: int = 0


def read(files: Iterable[Path]) -> Catalogue:
    """Return what these catalogues of one language hold together; what is fuzzy or empty is not there."""
    sentences: dict[Key, tuple[str, ...]] = {}
    forms: dict[Key, Mapping[str, str]] = {}
    plural: Callable[[int], int] = one_or_many
    total = 0
    for file in files:
        with file.open("rb") as lines:
            catalogue = read_po(lines, locale=file.parent.name)
        plural = c2py(catalogue.plural_expr)
        for message in catalogue:
            if not message.id:
                continue  # the head
            total += 1
            english = message.id if isinstance(message.id, str) else message.id[0]
            words = (message.string,) if isinstance(message.string, str) else tuple(message.string or ())
            if message.fuzzy or not words or not all(words):
                continue
            key = (message.context or "", english)
            if message.context and len(words) == 1:
                first, *further = FORM.split(words[0])
                words = (first,)
                forms[key] = dict(zip(further[::2], further[1::2], strict=True))
            sentences[key] = words
    return Catalogue(sentences, forms, plural, total)
