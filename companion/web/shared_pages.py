"""Which pages are rendered once for all phones of a table, and how is each phone's own put in its place?

A page of a match is rendered in a request of nobody: without cookies, session, query or headers, so that nothing of whoever
happened to ask first can be on it. Where something of a phone's own belongs stands a :func:`slot`. The text is kept by what it
was made of, and whoever asks meanwhile has only the slots filled.
"""

from __future__ import annotations

import io
import re
import secrets
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final, NamedTuple

from flask import current_app, g, request
from markupsafe import Markup

from companion.storage.models import db
from companion.web.language import chosen
from companion.web.theme import theme

MOST: Final = 500  # pages that are kept, some 30 KB each

_EDGE: Final = secrets.token_hex(8)  # nobody can type what a slot looks like
_SLOT: Final = re.compile(f"{_EDGE}-([a-z_]+);")


def slot(name: str) -> Markup:
    """Return what stands on a shared page where a phone's own belongs."""
    return Markup(f"{_EDGE}-{name};")  # noqa: S704  # the names are ours


class Page:
    """A page for all phones: text and, between its pieces, the names of what each phone has of its own there."""

    __slots__ = ("pieces",)

    def __init__(self, text: str) -> None:
        self.pieces: tuple[str, ...] = tuple(_SLOT.split(text))  # text, name, text, ..., name, text

    def filled(self, own: Mapping[str, Callable[[], str]]) -> str:
        """Return the page with a phone's own in its places: for each of these it is asked anew."""
        filled = [*self.pieces]
        filled[1::2] = [own[name]() for name in self.pieces[1::2]]
        return "".join(filled)


class View(NamedTuple):
    """Who sees one and the same page: by its address, in a language, light or dark; and ``by`` whatever else it differs."""

    root: str
    path: str
    language: str
    theme: str | None
    by: Hashable


class Kept:
    """The newest page of a view, with what it was made of. One thread renders at a time."""

    __slots__ = ("lock", "newest")

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.newest: tuple[Hashable, Page] | None = None


class SharedPages:
    """The pages that were asked for last, by view."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._kept: OrderedDict[View, Kept] = OrderedDict()

    def of(self, view: View) -> Kept:
        """Return the place of a view."""
        with self._lock:
            kept = self._kept.setdefault(view, Kept())
            self._kept.move_to_end(view)
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return kept


def shared(made_of: Hashable, render: Callable[[], str], *, by: Hashable = None) -> Page:
    """Return the page of the present address, rendered now unless it was before.

    Args:
        made_of: everything that the page tells: rendered anew when that has changed.
        render: called in a request of nobody.
        by: for whom it differs, besides language and theme: a seat, for example.
    """
    pages: SharedPages = current_app.extensions.setdefault("companion-pages", SharedPages())
    view = View(request.root_path, request.path, chosen().code, theme(), by)
    kept = pages.of(view)
    newest = kept.newest
    if newest is not None and newest[0] == made_of:
        return newest[1]
    if db.session.registry.has():
        db.session.rollback()  # whoever waits holds no connection: the one that renders may need it
    with kept.lock:
        newest = kept.newest
        if newest is None or newest[0] != made_of:
            with nobodys_request(view):
                newest = made_of, Page(render())
            kept.newest = newest
    return newest[1]


@contextmanager
def nobodys_request(view: View) -> Iterator[None]:
    """Inside: a request for this view's address that nobody made, and nothing of the one that was made."""
    environ = {
        "REQUEST_METHOD": "GET",
        "SCRIPT_NAME": view.root,
        "PATH_INFO": view.path,
        "QUERY_STRING": "",
        "SERVER_NAME": "companion.invalid",  # a page names no host
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    app = current_app._get_current_object()  # type: ignore[attr-defined]
    with app.app_context(), app.request_context(environ):
        g.language, g.theme = view.language, view.theme
        yield
