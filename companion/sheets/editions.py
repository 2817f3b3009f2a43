"""What is an edition of a sheet? The same name and the same maker, but changed: a match keeps the one it began with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from companion.engine.sheet.document import SheetDocument
from companion.engine.sheet.reading import read
from companion.plugin import Sentence, say
from companion.sheets.words import in_words


def is_edition_of(document: SheetDocument, other: SheetDocument) -> bool:
    """Return whether two documents are editions of one sheet."""
    return _whose(document) == _whose(other)


def _whose(document: SheetDocument) -> tuple[str, str]:
    return document.name.casefold(), (document.by or "").casefold()


def as_edition(document: SheetDocument, there: Iterable[SheetDocument]) -> SheetDocument:
    """Return a sheet as the next edition of those that are there; unchanged it is the edition that it was."""
    earlier = sorted((other for other in there if is_edition_of(document, other)), key=lambda other: -other.edition)
    for other in earlier:
        if msgspec.structs.replace(document, edition=other.edition) == other:
            return other
    return msgspec.structs.replace(document, edition=earlier[0].edition + 1) if earlier else document


def changes(before: SheetDocument, after: SheetDocument) -> Iterator[Sentence]:
    """Iterate over what changed from one edition to another, in the words by which each is told."""
    old, new = ([*in_words(read(each))] for each in (before, after))
    gone = [words for words in old if words not in new]
    came = [words for words in new if words not in old]
    for words in gone:
        yield say("Before: {words}", words=words)
    for words in came:
        yield say("Now: {words}", words=words)
    if not gone and not came:
        yield say("It scores as before. Only what may be typed has changed.")
