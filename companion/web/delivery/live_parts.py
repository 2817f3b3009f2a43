"""Which parts of a match's page changed, so that phones with the page need only these?

A page's live parts are the elements with ``data-live`` and an id. Those that differ from the page before go out as they are; of
a part whose children all have ids (the rows) only the children that differ. What is a phone's own is left empty: the page's
script fills in the form's tokens and keys (live.js), and what has the mark ``data-own`` stays as it was. An entry sends 10 KB
to four phones, where whole pages would be 23.3 KB. A phone that missed a change fetches the whole page.
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping
from functools import cache
from typing import Any, Final, Generic, NamedTuple, TypeVar

import msgspec
from flask import current_app

from companion.web.delivery import server_sent_events
from companion.web.delivery.packed_stream import Shared
from companion.web.delivery.shared_pages import Page, slot

MOST_KEPT: Final = 500  # pages with their newest change, some 10 KB each

_MARK: Final = "data-live"
_IN_TAG: Final = r'(?:[^">]|"[^"]*")*?'  # a value may be anybody's words, and say what it likes
_LIVE: Final = re.compile(rf'<(\w+)(?={_IN_TAG}\sid="([^"]+)")(?={_IN_TAG}\sdata-live[\s>])[^>]*>')
_STREAM: Final = re.compile(r'<div id="stream"[^>]*>')
_RUNS: Final = re.compile(rf"<div{_IN_TAG}\sdata-awake")  # the match goes on
_CHILD: Final = re.compile(rf'\s*<(\w+)(?={_IN_TAG}\sid="([^"]+)")[^>]*>')
_PHONES: Final = slot("phones")

Children = dict[str, str]
T = TypeVar("T")


def parts(html: str) -> dict[str, str]:
    """Return the live parts of a page by their ids."""
    return {name: html[start:end] for name, start, end in _parts(html)}


def _parts(html: str) -> Iterator[tuple[str, int, int]]:
    """Yield the id of each live part, and where it begins and ends."""
    for mark in _marks(html):  # to try each tag takes ten times as long
        tag = _LIVE.match(html, html.rindex("<", 0, mark))
        if tag:
            yield tag[2], tag.start(), end_of(html, tag)


def _marks(html: str) -> Iterator[int]:
    """Return where ``data-live`` stands, inside a tag or elsewhere."""
    place = html.find(_MARK)
    while place >= 0:
        yield place
        place = html.find(_MARK, place + len(_MARK))


@cache
def _either(name: str) -> re.Pattern[str]:
    """Return what finds where an element of this name begins or ends."""
    return re.compile(rf"<(/?){name}\b")


def end_of(html: str, opened: re.Match[str]) -> int:
    """Return where the element ends that is opened here: in HTML of ours, whose text and attributes hold no markup."""
    depth = 0
    for tag in _either(opened[1]).finditer(html, html.index("<", opened.start())):
        depth += -1 if tag[1] else 1
        if not depth:
            return html.index(">", tag.end()) + 1
    return opened.end()  # it has no end of its own


def children(part: str) -> Children | None:
    """Return the children of a part by their ids, None if anything in it is none of them. A template has no children."""
    if part.startswith("<template"):
        return None
    place = part.index(">") + 1
    end = part.rindex("<")
    children_by_id: Children = {}
    while part[place:end].strip():
        child = _CHILD.match(part, place, end)
        if child is None or child[2] in children_by_id:
            return None
        place = end_of(part, child)
        children_by_id[child[2]] = part[child.start() : place].strip()
    return children_by_id


def difference(old: Mapping[str, str], new: Mapping[str, str]) -> tuple[dict[str, str], dict[str, Any]]:
    """Return the parts that are new, and of those that are lists the children: all in their order, and those that are new."""
    fresh_parts: dict[str, str] = {}
    lists: dict[str, Any] = {}
    for name, part in new.items():
        before = old.get(name)
        if part == before:
            continue
        children_now, children_before = children(part), None if before is None else children(before)
        if children_now and children_before and part.partition(">")[0] == (before or "").partition(">")[0]:
            fresh = {child: html for child, html in children_now.items() if children_before.get(child) != html}
            lists[name] = {"order": list(children_now), "fresh": fresh}
        else:
            fresh_parts[name] = part
    return fresh_parts, lists


class View(NamedTuple):
    """A page as it is compared: its live parts, what stands around them, and whether the match goes on."""

    live: Mapping[str, str]
    rest: str
    runs: bool


def view(page: Page) -> View:
    """Return a page as it is compared: found once, for each is compared twice. How many phones look on is left out."""
    if page.view is None:
        html = page.with_blanks(phones=_PHONES)
        live: dict[str, str] = {}
        around, place = [], 0
        for name, start, end in _parts(html):
            live[name] = html[start:end]
            if start >= place:  # else it is a part of the one before
                around.append(html[place:start])
                place = end
        rest = "".join([*around, html[place:]])
        stream = _STREAM.search(rest)
        page.view = View(live, _STREAM.sub("", rest, count=1), bool(stream and _RUNS.match(stream[0])))
    parsed: View = page.view
    return parsed


class Change(NamedTuple):
    """What a phone hears that has the page before: the table's new number, and the message with it."""

    seq: int
    message: Shared


def change(page: Page, before: Page, *, numbers: tuple[int, int], entries: int, phones: Callable[[], str]) -> Change | None:
    """Return what a phone needs that has the page ``before``.

    None if it needs more: something else on the page has changed, or the match is over.

    Args:
        numbers: the table's number on the page before, and now.
        entries: the log position that is on it.
        phones: says how many look on.
    """
    view_before, view_now = view(before), view(page)
    if view_before.live.keys() != view_now.live.keys() or view_before[1:] != view_now[1:]:
        return None
    changed_parts, lists = difference(view_before.live, view_now.live)
    changed_parts = {name: part.replace(_PHONES, phones()) if _PHONES in part else part for name, part in changed_parts.items()}
    since, seq = numbers
    body = {"from": since, "to": seq, "entries": entries, "parts": changed_parts, "lists": lists}
    return Change(seq, Shared(b"event: parts\ndata: %b\n\n%b" % (msgspec.json.encode(body), server_sent_events.message(seq))))


class Newest(Generic[T]):
    """What was found out at the newest number of each table, so that the streams that are about to ask need not."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: OrderedDict[Hashable, tuple[int, T]] = OrderedDict()

    def at(self, key: Hashable, number: int) -> T | None:
        """Return what was found out at this number, or at a newer one."""
        entry = self._known.get(key)
        return entry[1] if entry is not None and entry[0] >= number else None

    def keep(self, key: Hashable, number: int, value: T) -> None:
        """Keep what was found out at this number."""
        with self._lock:
            self._known[key] = number, value
            self._known.move_to_end(key)
            if len(self._known) > MOST_KEPT:
                self._known.popitem(last=False)


def changes() -> Newest[Change]:
    """Return what the present application told last of each page that is alike for all phones with a link."""
    newest: Newest[Change] = current_app.extensions.setdefault("companion-changes", Newest())
    return newest
