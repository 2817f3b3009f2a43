"""How does a name look where there is little room?

The style shortens what does not fit, with an ellipsis at the end. Two people whose names begin alike would then look the same,
so the first letters in which they differ are kept.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from flask import g
from markupsafe import Markup, escape

from companion.web.language import words

SHOWN = 4  # letters that every seat has room for
ALIKE = 2  # letters that the smallest seat shows of a longer name
KEPT = 2  # letters that are kept from where two names differ


def know(people: Sequence[str]) -> None:
    """Remember who is named on the page that is being made."""
    g.people = tuple(people)


def short_name(name: str, among: Sequence[str] | None = None) -> Markup:
    """Return a name for a small place: whole for screen readers and as a title, and told apart from the names ``among``."""
    name = words(name)  # where there are no names, a seat is called by a word
    if isinstance(name, Markup) or len(name) <= SHOWN:
        return escape(name)
    others = g.get("people", ()) if among is None else among
    folded = name.casefold()
    shared = max((_shared(folded, other) for other in map(str.casefold, others) if other != folded), default=0)
    if shared < ALIKE:
        return Markup('<span title="{0}">{0}</span>').format(name)
    start = min(shared, len(name) - KEPT)
    begins, middle, ends = name[:start], name[start : start + KEPT], name[start + KEPT :]
    drawn = Markup('<span aria-hidden="true"><span>{}</span><i>{}</i><span>{}</span></span>').format(begins, middle, ends)
    return Markup('<span class="alike" title="{0}"><span class="visually-hidden">{0}</span>{1}</span>').format(name, drawn)


def name_lines(name: str, among: Sequence[str], room: int, lines: int) -> list[str]:
    """Return a name in at most so many ``lines`` of ``room`` letters, for screens that break and shorten nothing themselves.

    What tells a name from the names ``among`` stays, behind an ellipsis.

    >>> name_lines("Wilhelmina", ["Wilhelmine"], 8, 1)
    ['Wilhe…na']
    """
    wrapped = textwrap.wrap(name, room)
    if len(wrapped) <= lines:
        return wrapped
    room_in_all = room * lines
    if len(name) > room_in_all:
        folded = name.casefold()
        shared = max((_shared(folded, other) for other in map(str.casefold, among) if other != folded), default=0)
        start = min(shared, len(name) - KEPT)
        end = name[start : start + 2 * KEPT] if start > room_in_all - 2 * KEPT else ""
        name = f"{name[: room_in_all - len(end) - 1]}…{end}"
    return [name[at : at + room] for at in range(0, len(name), room)]


def _shared(name: str, other: str) -> int:
    """Return how many letters the two begin with alike."""
    return next((place for place, (a, b) in enumerate(zip(name, other, strict=False)) if a != b), min(len(name), len(other)))
