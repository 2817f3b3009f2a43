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
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import lru_cache, partial
from typing import Any, Final, NamedTuple

from flask import current_app, g, request, session
from flask.globals import app_ctx
from flask_wtf.csrf import generate_csrf
from markupsafe import Markup

from companion.languages import languages
from companion.storage.models import db
from companion.web import language, theme
from companion.web.delivery.cache import cache
from companion.web.delivery.parts import Fragments, Parts, noting, with_parts

SESSION: Final = "companion.session"  # in a request's environment: the session that it has without a cookie

_EDGE: Final = secrets.token_hex(8)  # nobody can type what a slot looks like
_SLOT: Final = re.compile(f"{_EDGE}-([a-z_]+);")


@lru_cache
def slot(name: str) -> Markup:
    """Return what stands on a shared page where a phone's own belongs."""
    return Markup("{}-{};").format(_EDGE, name)


def csrf_token() -> str:
    """Return the token of this phone's forms, or where it belongs on a page for all."""
    return slot("csrf_token") if "theme_marks" in g else own_csrf_token()


def own_csrf_token() -> str:
    """Return the token of this phone's forms."""
    if "csrf_token" not in session:
        return str(generate_csrf())
    return cache().token((current_app.secret_key, session["csrf_token"]), generate_csrf)


class Page:
    """A page for all phones: text and, between its pieces, the names of what each phone has of its own there.

    ``frame`` is the page with marks where its ``parts`` stand, ``made_of`` everything that the page shows, and ``before`` the
    page that phones were last told about.
    """

    def __init__(self, frame: str, parts: Parts, made_of: Hashable = None, before: Page | None = None) -> None:
        self.frame = frame
        self.parts = parts
        self.pieces: tuple[str, ...] = tuple(_SLOT.split(with_parts(frame, parts)))  # text, name, text, ..., name, text
        self.made_of = made_of
        self.before = before
        self.change: Any = None  # the parts for a phone that has the page before

    def filled(self, parts: Mapping[str, Callable[[], str]]) -> str:
        """Return the page with a phone's own in its places: for each of these it is asked anew."""
        marks = {**theme.marks(), **language.marks()}
        parts = {"csrf_token": own_csrf_token, **{name: partial(str, mark) for name, mark in marks.items()}, **parts}
        filled = [*self.pieces]
        filled[1::2] = [parts[name]() for name in self.pieces[1::2]]
        return "".join(filled)

    def part(self, name: str) -> str:
        """Return the HTML of a part, with slots."""
        return with_parts(self.parts[name].html, self.parts)


def with_blanks(html: str, **alike: Callable[[], str]) -> str:
    """Return HTML with nothing in its slots, but for what is ``alike`` for all phones."""
    return _SLOT.sub(lambda place: alike.get(place[1], str)(), html)


class PageKey(NamedTuple):
    """Who sees one and the same page: by its address and in a language; and ``by`` whatever else it differs."""

    root: str
    path: str
    language: str
    by: Hashable


class View:
    """The newest page of a view, and what its tags rendered for it and for the one before. One thread renders at a time.

    Whose turn it is goes to and fro, and what was undone is often entered again.
    """

    __slots__ = ("fragments", "lock", "older", "page")

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.page: Page | None = None
        self.fragments: Fragments = {}
        self.older: Fragments = {}


def shared(made_of: Hashable, render: Callable[[], str], *, path: str = "", by: Hashable = None) -> Page:
    """Return the page of an address, rendered now unless it was before.

    Args:
        made_of: everything that the page tells: rendered anew when that has changed.
        render: called in a request of nobody.
        path: the address; the present request's if it is left out.
        by: for whom it differs, besides the language: a seat, for example.
    """
    key = PageKey(request.root_path, path or request.path, language.chosen().code, by)
    view = cache().page(key, View)
    page = view.page
    if page is not None and page.made_of == made_of:
        return page
    if db.session.registry.has():
        db.session.rollback()  # no connection is held while waiting: the request that renders may need it
    with view.lock:
        page = view.page
        if page is None or page.made_of != made_of:
            older = {**view.older, **view.fragments} if cache().on else None
            with a_request_of_nobody(key), noting(older) as rendering:
                text = render()
            view.older, view.fragments = view.fragments, rendering.fragments
            before = page and (page.before or page)  # where entries come faster than they are told, phones skip some
            if page is not None:
                page.before = None  # one is enough
            page = view.page = Page(text, rendering.parts, made_of, before)
    return page


def a_request_of_nobody(key: PageKey) -> AbstractContextManager[None]:
    """Return a request without a phone for a page. If the present request is one already, it goes on."""
    where = key.root, key.path, key.language
    return nullcontext() if g.get("nobodys") == where else nobodys_request(*where)


def asked_for(root: str, path: str, *, host: str, method: str = "GET", query: str = "", body: bytes = b"") -> dict[str, Any]:
    """Return a request that came over no network, as WSGI has it; ``path`` is below ``root``, and no longer quoted."""
    return {
        "REQUEST_METHOD": method,
        "SCRIPT_NAME": root,
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "CONTENT_LENGTH": str(len(body)),
        "SERVER_NAME": host,
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }


@contextmanager
def nobodys_request(root: str, path: str, code: str, phone: str | None = None) -> Iterator[None]:
    """Inside: a made-up request for this address, in the language ``code``, without the real request's values.

    It has no session, so code that wants to write there fails. With ``phone`` the session has that phone's name alone.
    """
    environ = asked_for(root, path, host="companion.invalid")  # a page names no host
    app = app_ctx.app
    sessions: Any = app.session_interface
    environ[SESSION] = sessions.make_null_session(app) if phone is None else sessions.session_class({"phone": phone})
    with app.app_context(), app.request_context(environ):
        g.language = code
        g.nobodys = (root, path, code) if phone is None else None
        g.theme_marks = {name: slot(name) for name in theme.marks()}
        g.language_marks = {name: slot(name) for name in language.marks()}
        with language.speaking(languages()[code]):
            yield
