"""How does Companion answer inside a phone, without a network? As it does on a server: the same pages, by the same application.

A worker of the page's script (``static/js/pocket-worker.js``) runs this on Python as WebAssembly. It hands over what the page
asks, and keeps what changed in the phone's storage before the page hears that it was saved.
"""

from __future__ import annotations

import gc
import random
import re
import secrets
import sqlite3
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import unquote_to_bytes, urldefrag

from flask import render_template
from jinja2 import ModuleLoader
from sqlalchemy import select
from werkzeug.exceptions import HTTPException

from companion import guests
from companion.app import Companion, create_app
from companion.engine.text import say
from companion.guests import Guest
from companion.languages import languages
from companion.settings import Settings
from companion.storage.models import Table, db
from companion.web.delivery import shared_pages
from companion.web.match.stream import parts_for_all
from companion.web.table import carrying

if not hasattr(time, "thread_time"):
    time.thread_time = time.process_time  # Python as WebAssembly has one thread, and no clock for it

PREFIX: Final = "/pocket"  # what the addresses begin with that the phone answers itself, below the server's home page
LONGEST_TAG: Final = 35  # characters of a language's name
OF_A_MATCH: Final = re.compile(r"/t/([\w-]+)/m/(\d{1,9})/[^/]+\Z", re.ASCII)
DATABASE: Final = "companion.sqlite"
ROW: Final = re.compile(r'<section class="panel known\b.*?</section>', re.DOTALL)  # a table on the home page


class InPhone(Companion):
    """The application, whose pages take their styles and scripts from where the server's take them."""

    def url_for(self, endpoint: str, **values: Any) -> str:
        """Return an address; static files have theirs on the server."""
        address = super().url_for(endpoint, **values)
        root: str = self.config["SERVER_HOME"].rstrip("/")
        return root + address.removeprefix(root + PREFIX) if endpoint == "static" else address


@dataclass(frozen=True, slots=True)
class Kept:
    """What the phone's storage has: the database, the cookies that a browser would have, and the key that signs them.

    ``guests`` are the other phones that this one has let in to its tables.
    """

    database: bytes
    cookies: Mapping[str, str]
    key: str
    guests: Mapping[str, Guest] = field(default_factory=dict)

    @classmethod
    def of_storage(cls, database: bytes, cookies: Mapping[str, str], key: str, of_guests: Mapping[str, Any]) -> Kept:
        """Return what the worker has read, which keeps each guest as its link and its cookies."""
        return cls(database, cookies, key, {name: Guest(link, dict(held)) for name, (link, held) in of_guests.items()})

    @property
    def of_guests(self) -> dict[str, list[Any]]:
        """The guests as the worker keeps them."""
        return {name: [guest.link, guest.cookies] for name, guest in self.guests.items()}


@dataclass(frozen=True, slots=True)
class Tables:
    """The phone's tables as a home page shows them, and how many there are: pages show them without starting Python."""

    rows: str
    count: int


@dataclass(frozen=True, slots=True)
class Answer:
    """What a page gets: where it came from after redirects, and what has to be kept before, if anything has.

    ``name`` is that of the guest who asked, once that phone has said whose it is.
    """

    status: int
    headers: list[tuple[str, str]]
    page: bytes
    url: str
    redirected: bool
    keep: Kept | None
    name: str | None = None

    @property
    def text(self) -> str:
        """The answer's text."""
        return self.page.decode()


class Reply(NamedTuple):
    """What the application answers to which address below the phone's own."""

    address: str
    status: int
    headers: list[tuple[str, str]]
    page: bytes

    def told(self, name: str) -> str | None:
        """Return what a header says."""
        return next((value for header, value in self.headers if header == name), None)


class Stamp(NamedTuple):
    """Cookies, those of each guest, and how often the database has changed."""

    cookies: dict[str, str]
    of_guests: dict[str, dict[str, str]]
    version: int


class Phone:
    """Companion with everything that this phone has of it."""

    def __init__(
        self,
        folder: Path,
        stored: Kept | None = None,
        *,
        empty: bytes | None = None,
        templates: Path | None = None,
        version: str = "",
        root: str = "",
        site: bool = False,
    ) -> None:
        """Open it.

        Args:
            folder: where the database lies while Companion runs.
            stored: what the storage has; None the first time.
            empty: a database without any table, to begin with.
            templates: the folder of the compiled templates, or an archive.
            version: of the static files.
            root: the path below which the server lies, without a slash at its end.
            site: whether there is a folder of files instead of a server.
        """
        self._file = folder / DATABASE
        self._write(stored.database if stored else empty)
        settings = Settings.read({"COMPANION_INSTANCE": str(folder), "COMPANION_SERVICE_WORKER": "no"})
        self._prefix = root + PREFIX
        config = {
            "POCKET": True,
            "SERVER_HOME": f"{root}/",
            "SITE": site,
            "RATELIMIT_ENABLED": False,
            "SECRET_KEY": stored.key if stored else secrets.token_hex(32),
        }
        self.app = create_app(settings, config | ({"STATIC_VERSION": version} if version else {}), InPhone)
        if templates is not None:
            self.app.jinja_env.loader = ModuleLoader(templates)
        self.app.jinja_env.auto_reload = False
        guests.guard(self.app)
        self._known: Stamp
        self._guests: dict[str, Guest] = {}
        self._speaks: dict[str, str] = {}  # the language of each phone's pages, by the guest's name; this phone's own has none
        self._empty = empty
        self._bring_up_to_date(stored)
        self._empty = empty or self._file.read_bytes()
        self._language: dict[str, str] = {}
        self._open(stored)

    def load(self, stored: Kept | None) -> None:
        """Go on with what the storage has: another page of this phone changed it, or this one's change could not be kept.

        Raises:
            NewerDatabase: a page with a newer Companion has changed it.
        """
        self.close()
        self._write(stored.database if stored else self._empty)
        self.app.config["SECRET_KEY"] = stored.key if stored else secrets.token_hex(32)
        for extension in ("companion-logs", "companion-pages"):  # both describe the old database
            self.app.extensions.pop(extension, None)
        self._bring_up_to_date(stored)
        self._open(stored)

    def close(self) -> None:
        """Close the database and remove its file: the phone's stored copy is complete."""
        with self.app.app_context():
            db.engine.dispose()
        self._watch.close()
        self._write(None)

    def settle(self) -> None:
        """Close the database, and begin the search for garbage, which never looks again at what is there now.

        The worker keeps Python's memory as this leaves it, for later starts: no file may be open in it.
        """
        self.close()
        gc.collect()
        gc.freeze()
        gc.enable()

    def answer(self, method: str, url: str, headers: Mapping[str, str] | None = None, body: str = "") -> Answer:
        """Answer a page's request for an address of this phone, and follow where it leads."""
        headers = headers or {}
        self._hear("", headers)
        self._language = {name: words for name, words in headers.items() if name.lower() == "accept-language"}
        return self._answered(self._cookies, method, url, headers, body)

    def admit(self, link: str, guest: str = "") -> str:
        """Let another phone play at the table with this play link; return its secret name.

        Args:
            link: the table's play link.
            guest: the name that the phone was given before. With another one, or at another table, it is a new guest.
        """
        if guest not in self._guests or self._guests[guest].link != link:
            guest = secrets.token_urlsafe(16)
            self._guests = dict([*self._guests.items(), (guest, Guest(link, {}))][-guests.MOST :])
        return guest

    def answer_guest(self, guest: str, method: str, url: str, headers: Mapping[str, str], body: str = "") -> Answer:
        """Answer what another phone asks, with the cookies of its own that this phone keeps for it.

        Raises:
            KeyError: no phone was let in under this name.
        """
        admitted = self._guests[guest]
        self._hear(guest, headers)
        refused = guests.refuses(method, url, headers, body)
        visit = guests.Visit(admitted.link, refused)
        url = url if url.startswith(f"{self._prefix}/") else f"{self._prefix}/"
        understood = {name: words for name, words in headers.items() if name.lower() in guests.HEADERS}
        method, body = (method, body) if method == "POST" else ("GET", "")
        if refused:
            url, body = url.encode("ascii", "ignore").decode(), ""  # nothing else looks at them
        answer = self._answered(
            admitted.cookies, method, url[: guests.LONGEST_URL], understood, body[: guests.longest_body(url)], visit
        )
        return replace(answer, name=visit.name)

    def _hear(self, guest: str, headers: Mapping[str, str]) -> None:
        """Note the language of a phone's pages, which a browser names first."""
        accepted = next((words for name, words in headers.items() if name.lower() == "accept-language"), "")
        self._speaks[guest] = accepted.partition(",")[0][:LONGEST_TAG]

    def changed_parts(self, url: str) -> dict[str, str]:
        """Return what the match's own page needs, after this form, on phones that have it as it was before: JSON, by language.

        It is rendered once for all guests, who would else ask for the page one after the other. Nothing while there are none.
        """
        match = OF_A_MATCH.match(url.removeprefix(self._prefix))
        at_table = {tag for guest, tag in self._speaks.items() if guest in self._guests}
        if match is None or not at_table:
            return {}
        with self.app.app_context():
            spoken = [language for language in languages().values() if language.tag in at_table | {self._speaks.get("", "")}]
            try:
                parts_of = {
                    language.tag: parts_for_all(self._prefix, match[1], int(match[2]), language.code) for language in spoken
                }
            except HTTPException:  # the match is gone
                return {}
        return {tag: parts for tag, parts in parts_of.items() if parts}

    def _answered(
        self,
        cookies: dict[str, str],
        method: str,
        url: str,
        headers: Mapping[str, str],
        body: str,
        visit: guests.Visit | None = None,
    ) -> Answer:
        reply = self._ask(cookies, method, url.removeprefix(self._prefix), headers, body, visit)
        led = False
        while reply.status // 100 == 3 and (where := reply.told("Location")):
            led = True
            reply = self._ask(cookies, "GET", urldefrag(where).url.removeprefix(self._prefix), headers, visit=visit)
        if self.app.extensions.pop(carrying.REMOVED, None):
            self._forget_guests()
            self._watch.execute("VACUUM")  # what was deleted would stay to be read, in pages that are free
        page = reply.told("Content-Location")  # the page to which a form leads may be its answer
        stamp = self._stamp()
        changed, self._known = stamp != self._known, stamp
        return Answer(
            reply.status,
            reply.headers,
            reply.page,
            page or self._prefix + reply.address,
            led or page is not None,
            self.kept() if changed else None,
        )

    def _forget_guests(self) -> None:
        """Forget the phones whose table is no longer here: their cookies have names of people."""
        with self.app.app_context():
            links = set(db.session.execute(select(Table.play_token)).scalars())
        self._guests = {name: guest for name, guest in self._guests.items() if guest.link in links}

    def kept(self) -> Kept:
        """Return all that has to be kept."""
        key = self.app.config["SECRET_KEY"]
        return Kept(in_one_file(self._watch.serialize()), dict(self._cookies), key, copied(self._guests))

    def tables(self) -> Tables:
        """Return the phone's tables, for its other pages."""
        home = self._ask(self._cookies, "GET", "/", self._language | {"Companion-Fetch": "parts"})
        rows = ROW.findall(home.page.decode())
        return Tables("".join(rows), len(rows))

    def full(self, is_full: bool) -> str:
        """Return the page that says why nothing was saved: there is no room in the phone, or its browser keeps nothing."""
        why = (
            say("This phone’s storage is full. Nothing was saved, and nothing was lost: make room, then try again.")
            if is_full
            else say("This browser couldn’t save it. What was saved before is still there.")
        )
        with self.app.request_context(self._asked(self._cookies, "GET", "/", self._language)):
            return render_template("error.html", status=507, title=say("Not saved"), sentence=why)

    def _ask(
        self,
        cookies: dict[str, str],
        method: str,
        address: str,
        headers: Mapping[str, str],
        body: str = "",
        visit: guests.Visit | None = None,
    ) -> Reply:
        """Ask as a browser does, which has cookies."""
        begun: list[Any] = []
        application: Any = self.app
        environ = self._asked(cookies, method, address, headers, body)
        if visit is not None:
            environ[guests.VISIT] = visit
        answered = application(environ, lambda *given: begun.extend(given))
        try:
            page = b"".join(answered)
        finally:
            if hasattr(answered, "close"):
                answered.close()
        status, reply_headers, *_ = begun
        for name, value in reply_headers:
            if name == "Set-Cookie":
                set_cookie(cookies, value)
        return Reply(address or "/", int(status[:3]), reply_headers, page)

    def _asked(
        self, cookies: Mapping[str, str], method: str, address: str, headers: Mapping[str, str], body: str = ""
    ) -> dict[str, Any]:
        path, _, query = address.partition("?")
        path = unquote_to_bytes(path or "/").decode("latin-1")  # as WSGI has it
        environ = shared_pages.asked_for(self._prefix, path, host="localhost", method=method, query=query, body=body.encode())
        for name, value in headers.items():
            name = name.upper().replace("-", "_")
            environ[name if name == "CONTENT_TYPE" else f"HTTP_{name}"] = value
        if cookies:
            environ["HTTP_COOKIE"] = "; ".join(f"{name}={value}" for name, value in cookies.items())
        return environ

    def _write(self, database: bytes | None) -> None:
        self._file.parent.mkdir(parents=True, exist_ok=True)
        for file in self._file.parent.glob(f"{DATABASE}*"):
            file.unlink()
        if database is not None:
            self._file.write_bytes(database)

    def _bring_up_to_date(self, stored: Kept | None) -> None:
        if self._empty is None or (stored and revision(stored.database) != revision(self._empty)):
            from companion.storage import migrations  # Alembic is slow to load, and only a new version needs it

            migrations.migrate(self.app)

    def _open(self, stored: Kept | None) -> None:
        self._cookies = dict(stored.cookies) if stored else {}
        self._guests = copied(stored.guests) if stored else {}
        random.seed()  # a memory that was kept gives the same numbers at each start
        with self.app.app_context(), db.engine.connect():
            pass  # the first connection changes the file's journal: of that no other page need hear
        self._watch = sqlite3.connect(self._file)  # a connection that changes nothing is told when others did
        self._known = self._stamp()

    def _stamp(self) -> Stamp:
        """Return what changes whenever something has to be kept anew."""
        of_guests = {name: dict(guest.cookies) for name, guest in self._guests.items()}
        return Stamp(dict(self._cookies), of_guests, self._watch.execute("PRAGMA data_version").fetchone()[0])


def copied(others: Mapping[str, Guest]) -> dict[str, Guest]:
    """Return guests whose cookies change by themselves."""
    return {name: Guest(guest.link, dict(guest.cookies)) for name, guest in others.items()}


def set_cookie(cookies: dict[str, str], header: str) -> None:
    """Take what an answer's header says into a browser's cookies."""
    cookie, _, how = header.partition(";")
    name, _, value = cookie.partition("=")
    if "Max-Age=0" in how:
        cookies.pop(name, None)
    else:
        cookies[name] = value


def in_one_file(database: bytes) -> bytes:
    """Return a database that says of itself that no second file belongs to it: what opens it next may be able to have none."""
    return database[:18] + b"\1\1" + database[20:]


def revision(database: bytes) -> str:
    """Return which revision of the schema a database has."""
    connection = sqlite3.connect(":memory:")
    try:
        connection.deserialize(in_one_file(database))
        number: str = connection.execute("SELECT version_num FROM alembic_version").fetchone()[0]
    finally:
        connection.close()
    return number


def start(folder: str, version: str, root: str = "", site: bool = False) -> Phone:
    """Start Companion for the worker from the folder that ``pocket/build.py`` made. It loads this phone's tables.

    The worker has switched garbage collection off during the start, when there is next to no garbage.
    """
    built = Path(folder)
    empty = (built / "empty.sqlite").read_bytes()
    phone = Phone(Path("/phone"), empty=empty, templates=built / "templates.zip", version=version, root=root, site=site)
    phone.answer("GET", f"{root}{PREFIX}/")  # it loads what most pages need
    return phone
