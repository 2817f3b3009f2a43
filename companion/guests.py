"""What may other phones ask that play at a table of this phone? What a browser could ask a server with that table's link.

One phone is the table: it answers the pages of the others, which need no Companion of their own (``together-host.js``).
Each guest has cookies of its own here, so it is another phone to the application: with a seat, a language and forms of its own.
It reaches the pages of its one table and those that belong to no table, by their names. Whatever has no name in this list is
refused: this phone's home page and settings, its other tables, files, links, seeds, and what moves a table or removes it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from flask import Flask, Response, abort, g, request
from sqlalchemy import select

from companion.engine.text import Sentence, say
from companion.storage.models import Table, db

MOST: Final = 16  # phones that are remembered; the one that came first is forgotten for the next
VISIT: Final = "companion.visit"  # in a request's environment: the guest's visit, on whose behalf it is asked
LONGEST_URL: Final = 2_000  # characters
LONGEST_BODY: Final = 64_000
LONGEST_FILE: Final = 1_000_000  # characters of a table's file, which a phone sends that was the table before
LONGEST_HEADER: Final = 400
HEADERS: Final = frozenset(("accept", "accept-language", "content-type", "companion-fetch"))
HALVES: Final = re.compile("[\ud800-\udfff]")  # of a letter: no browser sends one
FORM: Final = "application/x-www-form-urlencoded"
BRINGS: Final = re.compile(r"/t/[\w-]+/bring\Z", re.ASCII)  # the one address that takes a file

AT_THE_TABLE: Final = frozenset(
    (
        *("bringing_back.bring",),
        *("almanac.evening", "almanac.index", "almanac.match", "almanac.person"),
        *("fairness.add_word", "fairness.show_seal"),
        *("match.agree", "match.correct", "match.doubt", "match.enter", "match.heads", "match.instead", "match.keep"),
        *("match.record", "match.rematch", "match.right", "match.show_match", "match.show_proof", "match.show_view"),
        *("match.stop", "match.tell_head", "match.undo"),
        *("may_i.ask_in_match", "may_i.from_match"),
        *("shelves.show_at", "shelves.show_item_at", "shelves.show_own_at"),
        *("table.choose", "table.draw_lot", "table.enter", "table.join", "table.matches", "table.newcomer", "table.person"),
        *("table.rename_table", "table.show_lots", "table.show_table", "table.sit", "table.start_match"),
    )
)
OF_NO_TABLE: Final = frozenset(
    (
        *("calculator.calculate", "language.choose", "may_i.ask", "may_i.empty_look_up"),
        *("practice.index", "practice.next_position", "practice.restart", "practice.show_day", "practice.show_position"),
        *("practice.today", "rules.index", "rules.show_book", "theme.choose_theme", "theme.show_choices"),
    )
)


@dataclass(frozen=True, slots=True)
class Guest:
    """Another phone: the play link of the table that it was let in to, and the cookies that its browser would have."""

    link: str
    cookies: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Visit:
    """A guest's question: at which table, and why it is refused, if its form alone is wrong. The answer fills in the name."""

    link: str
    refused: Sentence | None = None
    name: str | None = None


def refuses(method: object, url: object, headers: Mapping[str, object], body: object) -> Sentence | None:
    """Return why a question is none that Companion's pages ask; None if it may be one.

    >>> refuses("GET", "/pocket/t/abc", {}, "") is None
    True
    >>> refuses("DELETE", "/pocket/t/abc", {}, "").text
    'The phone that is the table does not understand this question.'
    """
    texts = isinstance(method, str) and isinstance(url, str) and isinstance(body, str)
    if not texts or method not in {"GET", "POST"} or not str(url).isascii() or HALVES.search(str(body)):
        return say("The phone that is the table does not understand this question.")
    understood = {name.lower(): words for name, words in headers.items() if name.lower() in HEADERS}
    too_long = any(not isinstance(words, str) or len(words) > LONGEST_HEADER for words in understood.values())
    if too_long or len(str(url)) > LONGEST_URL or len(str(body)) > longest_body(str(url)):
        return say("This is more than the phone that is the table takes at once. Send less.")
    if body and not BRINGS.search(str(url)) and not str(understood.get("content-type", "")).startswith(FORM):
        return say("The phone that is the table takes no files. Open them on that phone.")
    return None


def longest_body(url: str) -> int:
    """Return how many characters a question may hold that goes to this address."""
    return LONGEST_FILE if BRINGS.search(url) else LONGEST_BODY


def guard(app: Flask) -> None:
    """Let each guest's request end before any page, unless the page is one of those."""

    def stop() -> None:
        visit = request.environ.get(VISIT)
        if not isinstance(visit, Visit):
            return
        why = visit.refused
        if why is None and not is_open(visit.link):
            why = say("The phone that is the table shows guests this table only. Open anything else on your own phone.")
        if why is not None:
            abort(403, why)

    def note(response: Response) -> Response:
        visit = request.environ.get(VISIT)
        seen: Any = g.get("table_access")
        if isinstance(visit, Visit) and seen is not None:
            visit.name = seen.name
        return response

    @app.template_global()
    def is_guest() -> bool:
        """Return whether a page is for another phone, so that it leads nowhere that is closed to that."""
        return isinstance(request.environ.get(VISIT), Visit)

    app.before_request_funcs.setdefault(None, []).insert(0, stop)  # before whatever else looks at a request
    app.after_request(note)


def is_open(link: str) -> bool:
    """Return True if the page that is asked for is one that a guest with this play link may see."""
    if request.endpoint in OF_NO_TABLE:
        return True
    if request.endpoint not in AT_THE_TABLE:
        return False
    tokens = db.session.execute(select(Table.play_token, Table.watch_token).where(Table.play_token == link)).first()
    return tokens is not None and (request.view_args or {}).get("token") in tuple(tokens)
