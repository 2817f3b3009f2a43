"""What changed on a match's page, so that phones which have the page need only that?

A page's live parts are the elements with ``data-live`` and an id. Those that differ from the page before go out as they are; of
a part whose children all have ids (the rows) only the children that differ. What is a phone's own is left empty: the page's
script fills in the form's tokens and keys (live.js), and what has the mark ``data-own`` stays as it was. An entry sends 10 KB
to four phones, 23.3 KB before; whoever has another page than the one before fetches it as ever.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

import msgspec

from companion.web import server_sent_events
from companion.web.packed_stream import Shared
from companion.web.shared_pages import Page

_MARK: Final = "data-live"
_LIVE: Final = re.compile(r'<(\w+)(?=[^>]*\sid="([^"]+)")(?=[^>]*\sdata-live[\s>])[^>]*>')
_STREAM: Final = re.compile(r'<div id="stream"[^>]*>')
_RUNS: Final = re.compile(r"\sdata-awake")  # the match goes on
_CHILD: Final = re.compile(r'\s*<(\w+)(?=[^>]*\sid="([^"]+)")[^>]*>')

Children = dict[str, str]


def parts(html: str) -> dict[str, str]:
    """Return the live parts of a page by their ids."""
    tags = (_LIVE.match(html, html.rindex("<", 0, mark)) for mark in _marks(html))  # to try each tag takes ten times as long
    return {tag[2]: html[tag.start() : end_of(html, tag)] for tag in tags if tag}


def _marks(html: str) -> Iterator[int]:
    """Return where ``data-live`` stands, inside a tag or elsewhere."""
    place = html.find(_MARK)
    while place >= 0:
        yield place
        place = html.find(_MARK, place + len(_MARK))


def end_of(html: str, opened: re.Match[str]) -> int:
    """Return where the element ends that is opened here: in HTML of ours, whose text and attributes hold no markup."""
    depth = 0
    for tag in re.compile(rf"<(/?){opened[1]}\b").finditer(html, html.index("<", opened.start())):
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
    found: Children = {}
    while part[place:end].strip():
        child = _CHILD.match(part, place, end)
        if child is None or child[2] in found:
            return None
        place = end_of(part, child)
        found[child[2]] = part[child.start() : place].strip()
    return found


def difference(old: Mapping[str, str], new: Mapping[str, str]) -> tuple[dict[str, str], dict[str, Any]]:
    """Return the parts that are new, and of those that are lists the children: all in their order, and those that are new."""
    whole: dict[str, str] = {}
    lists: dict[str, Any] = {}
    for name, part in new.items():
        before = old.get(name)
        if part == before:
            continue
        now, then = children(part), None if before is None else children(before)
        if now and then and part.partition(">")[0] == (before or "").partition(">")[0]:
            fresh = {child: html for child, html in now.items() if then.get(child) != html}
            lists[name] = {"order": list(now), "fresh": fresh}
        else:
            whole[name] = part
    return whole, lists


class Change(NamedTuple):
    """What a phone hears that has the page before: the table's new number, and the message with it."""

    seq: int
    message: Shared


def rest(html: str, live: Mapping[str, str]) -> tuple[str, bool]:
    """Return what stands around a page's live parts, but for what the stream itself says; and whether the match goes on."""
    for part in live.values():
        html = html.replace(part, "", 1)
    stream = _STREAM.search(html)
    return _STREAM.sub("", html, count=1), bool(stream and _RUNS.search(stream[0]))


def change(page: Page, before: Page, *, numbers: tuple[int, int], entries: int, phones: str) -> Change | None:
    """Return what a phone needs that has the page ``before``.

    None if it needs more: something else on the page has changed, or the match is over.

    Args:
        numbers: the table's number on the page before, and now.
        entries: the log position that is on it.
        phones: how many look on.
    """
    old, new = (each.with_blanks(phones=phones) for each in (before, page))
    then, now = parts(old), parts(new)
    if then.keys() != now.keys() or rest(old, then) != rest(new, now):
        return None
    whole, lists = difference(then, now)
    since, seq = numbers
    told = {"from": since, "to": seq, "entries": entries, "parts": whole, "lists": lists}
    return Change(seq, Shared(b"event: parts\ndata: %b\n\n%b" % (msgspec.json.encode(told), server_sent_events.message(seq))))
