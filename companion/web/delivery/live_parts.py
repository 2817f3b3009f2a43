"""Which parts of a match's page changed, so that phones with the page need only these?

The page's templates name its parts (:mod:`companion.web.delivery.parts`): elements with ``data-live`` and an id. Those that
differ from the page before go out as they are; of a list only the children that differ. What is a phone's own is left empty:
the page's script fills in the form's tokens and keys (live.js), and what has the mark ``data-own`` stays as it was. An entry
sends 10 KB to four phones, where whole pages would be 23.3 KB. A phone that missed a change fetches the whole page.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import msgspec

from companion.web.delivery import server_sent_events
from companion.web.delivery.cache import Newest, cache
from companion.web.delivery.parts import children, inside
from companion.web.delivery.shared_pages import Page, with_blanks

SCRIPTS: Final = "numbers"  # the part that a page's script renews by the numbers of the message


def difference(old: Page, new: Page) -> tuple[list[str], dict[str, Any]]:
    """Return which parts are new, and of those that are lists the children: all in their order, and those that are new."""
    fresh: list[str] = []
    lists: dict[str, Any] = {}

    def compare(name: str) -> None:
        before, after = old.parts.get(name), new.parts[name]
        listed_before, listed_now = before and children(name, old.parts), children(name, new.parts)
        if listed_before and listed_now and listed_before[0] == listed_now[0]:
            order = listed_now[1]
            renewed = [child for child in order if child not in listed_before[1] or old.part(child) != new.part(child)]
            if renewed or order != listed_before[1]:
                lists[name] = {"order": order, "fresh": renewed}
        elif before != after:
            fresh.append(name)
        else:
            for child in inside(after.html):
                compare(child)

    for name in inside(new.frame):
        if name != SCRIPTS:
            compare(name)
    return fresh, lists


class Change(NamedTuple):
    """What a phone hears that has the page before: the table's new number, and the message with it."""

    seq: int
    message: bytes

    @property
    def parts(self) -> str:
        """The parts alone, as JSON."""
        return self.message.partition(b"data: ")[2].partition(b"\n")[0].decode()


def change(page: Page, before: Page, *, numbers: tuple[int, int], entries: int, phones: Callable[[], str]) -> Change | None:
    """Return what a phone needs that has the page ``before``.

    None if it needs more: something else on the page has changed, or the match is over.

    Args:
        numbers: the table's number on the page before, and now.
        entries: the log position that is on it.
        phones: says how many look on.
    """
    if before.frame != page.frame:
        return None
    fresh, lists = difference(before, page)

    def html_of(names: list[str]) -> dict[str, str]:
        return {name: with_blanks(page.part(name), phones=phones).strip() for name in names}

    changed_parts = html_of(fresh)
    lists = {name: {**changes, "fresh": html_of(changes["fresh"])} for name, changes in lists.items()}
    since, seq = numbers
    body = {"from": since, "to": seq, "entries": entries, "parts": changed_parts, "lists": lists}
    return Change(seq, b"event: parts\ndata: %b\n\n%b" % (msgspec.json.encode(body), server_sent_events.message(seq)))


def changes() -> Newest[Change]:
    """Return what the present application told last of each page that is alike for all phones with a link."""
    return cache().changes
