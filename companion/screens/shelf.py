"""What is on the shelf of a game that is many games? Items to choose from, each with what is asked before a match."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from werkzeug.datastructures import MultiDict

from companion.engine.text import Sentence

OWN = "own"  # in place of a slug, for an item that somebody made


@dataclass(frozen=True, slots=True)
class Question:
    """A question before a match: the field's name, the question, and its answers, each with its value; the first is usual."""

    name: str
    words: str
    answers: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class ShelfItem:
    """One of the games on a shelf: its ``slug`` in addresses, its ``title``, the ``group`` in which it is listed.

    ``note`` tells who plays it, ``about`` its scoring in words; ``also`` are further names under which people look for it.
    ``fields`` are what the form of a new match sends along. ``text`` holds all of an item that somebody made, and ``whose``
    says by whom and in which ``edition``; ``in_common`` is the same for all editions of it. ``example`` is what the page shows
    on which it was made.
    """

    slug: str
    title: str
    group: str
    note: str
    about: Sequence[str]
    players: tuple[int, int]
    also: Sequence[str] = ()
    questions: Sequence[Question] = ()
    fields: Mapping[str, str] = field(default_factory=dict)
    text: str = ""
    by: str = ""
    edition: int = 1
    in_common: tuple[str, str] | None = None
    whose: str = ""
    example: object = None


@dataclass(frozen=True, slots=True)
class Shelf:
    """A shelf: its ``title``, the ``groups`` in their order with a few words and an icon each, and its items.

    - ``item`` returns the one of a slug, or None; ``played`` what was played by these stored options.
    - ``received`` reads an item that somebody made, from a link, from what was typed or from a file; ``opened`` returns it as
      people read and mend it, right or wrong. Both raise RuleError.
    - ``maker`` is the template of the page on which people make one, and ``example`` the template of the example there.
    - ``made`` makes an item of what was typed there, and numbers its edition after those of these texts. Raises RuleError.
    - ``tapped`` returns what is typed after a tap on one of that page's own keys, or None.
    - ``typed`` returns what has to be typed there to make an item again, or None if it can't be made there.
    - ``changes`` says what changed from one edition to another.
    - ``document`` is an item that somebody made, as a file.
    """

    title: Sentence
    groups: Mapping[str, tuple[Sentence, Sentence, str]]
    items: Callable[[], Sequence[ShelfItem]]
    item: Callable[[str], ShelfItem | None]
    played: Callable[[Mapping[str, object]], ShelfItem | None]
    received: Callable[[str | bytes], ShelfItem]
    opened: Callable[[str | bytes], str]
    made: Callable[[MultiDict[str, str], Sequence[str]], ShelfItem]
    typed: Callable[[str], MultiDict[str, str] | None]
    changes: Callable[[str, str], Sequence[str]]
    document: Callable[[str], bytes]
    tapped: Callable[[MultiDict[str, str]], MultiDict[str, str] | None]
    maker: str
    example: str
