"""What is an edition of a sheet? The same name and the same maker, but changed: a match keeps the one it began with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from companion.engine.sheet.document import SheetDocument
from companion.engine.sheet.reading import read
from companion.plugin import Sentence, say
from companion.sheets.words import in_words


def name_and_maker(document: SheetDocument) -> tuple[str, str]:
    """Return what all editions of a sheet have in common."""
    return document.name.casefold(), (document.by or "").casefold()


def as_edition(document: SheetDocument, others: Iterable[SheetDocument]) -> SheetDocument:
    """Return a sheet with its edition: one more than the newest of these, or its old one where nothing changed."""
    same = [other for other in others if name_and_maker(other) == name_and_maker(document)]
    earlier = sorted(same, key=lambda other: -other.edition)
    for other in earlier:
        if msgspec.structs.replace(document, edition=other.edition) == other:
            return other
    return msgspec.structs.replace(document, edition=earlier[0].edition + 1) if earlier else document


def changes(before: SheetDocument, after: SheetDocument) -> Iterator[Sentence]:
    """Iterate over what changed from one edition to another, in the words by which each is told."""
    old, new = ([*in_words(read(document))] for document in (before, after))
    gone = [words for words in old if words not in new]
    came = [words for words in new if words not in old]
    for words in gone:
        yield say("Before: {words}", words=words)
    for words in came:
        yield say("Now: {words}", words=words)
    if not gone and not came:
        yield say("It scores as before. Only what may be typed has changed.")
