"""Where is everything kept? In SQLite or PostgreSQL; and there is one way to change it, :func:`writing`.

A page reads in a transaction that ends with the request. Whatever changes something does so inside ``with writing():``, in one
transaction that is stored whole or not at all.
"""

from __future__ import annotations

import re
import sqlite3
import threading
import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any
from urllib.parse import unquote

from flask import Flask, current_app, g
from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, OperationalError
from sqlalchemy.pool import NullPool

from companion.storage import faults
from companion.storage.locks import Locks
from companion.storage.models import db
from companion.storage.statements import execute_raw
from companion.storage.yielding import breathe

SYNCHRONOUS = "FULL"  # what a phone was told is saved survives a power cut
BUSY_TIMEOUT = 5_000  # milliseconds to wait for another process that writes to the SQLite file
CONNECT_TIMEOUT = 5  # seconds until PostgreSQL counts as away
LOCK_TIMEOUT = 2_000  # milliseconds that PostgreSQL waits for a row that somebody else holds
STATEMENT_TIMEOUT = 10_000  # milliseconds that it works on anything that a phone asked for
AGAIN = 0.01  # seconds until SQLite is asked again whether another process still writes
TURN_TIMEOUT = 3  # seconds to wait for a connection, and for others of this process who change the same match or table
SILENCE_TIMEOUT = 10_000  # milliseconds without an acknowledgement from PostgreSQL until the connection counts as lost

SINCE = "companion-since"  # when a connection's writer began to wait

_SEVERAL = re.compile(r"(?P<before>postgres\w*(?:\+\w+)?://(?:[^@/]*@)?)(?P<hosts>[^@/?]+,[^@/?]+)(?P<after>(?:[/?].*)?)")

# SQLite has one writer at a time. The sqlite3 module blocks the whole process while it waits, so requests of this process wait
# here instead, and for another process they ask again and again: gevent serves others meanwhile.
_write_lock = threading.RLock()

# PostgreSQL has one writer of a row. Requests of this process wait here, without a connection: a row that stays locked would
# exhaust the pool otherwise.
_locks = Locks()


def init_app(app: Flask) -> None:
    """Tie the database to the application, as ``SQLALCHEMY_DATABASE_URI`` says: an address of SQLite or of PostgreSQL."""
    url = address(app.config["SQLALCHEMY_DATABASE_URI"])
    app.config["SQLALCHEMY_DATABASE_URI"] = url
    app.config["SQLALCHEMY_ENGINE_OPTIONS"] = {**engine_options(url), **app.config.get("SQLALCHEMY_ENGINE_OPTIONS", {})}
    db.init_app(app)
    with app.app_context():
        prepare(db.engine)
        if db.engine.dialect.name == "postgresql":
            event.listen(db.engine, "connect", _bound)
        extensions = app.extensions  # not the application: its pool would keep it for good
        event.listen(db.engine.pool, "invalidate", lambda *_: forget(extensions))
        app.extensions["companion-writer"] = db.engine.execution_options(companion_writing=True)


def forget(extensions: dict[str, Any]) -> None:
    """Drop cached logs and pages, and doubt what streams know, after a lost connection: another server may know less."""
    for name in ("companion-logs", "companion-pages"):
        extensions.pop(name, None)
    if "companion-live" in extensions:
        extensions["companion-live"].doubt()


def address(text: str | URL) -> URL:
    """Return a database address; PostgreSQL by any of its names means the psycopg driver.

    Several PostgreSQL servers, of which one takes over when another is lost, stand side by side as PostgreSQL's own programs
    take them: ``postgresql://companion@one:5432,two:5432/companion``. Raises ValueError with a sentence for what is no address,
    for other databases, and for PostgreSQL without its driver.
    """
    several = _SEVERAL.fullmatch(text) if isinstance(text, str) else None
    try:
        if several is None:
            url = make_url(text)
        else:
            url = make_url(several["before"] + several["after"])
            url = url.update_query_pairs([("host", unquote(host)) for host in several["hosts"].split(",")])
    except (ArgumentError, ValueError) as wrong:  # a port that is not a number raises ValueError
        raise ValueError(
            "DATABASE_URL is no address of a database. One is postgresql://companion@localhost:5432/companion."
        ) from wrong
    backend = url.get_backend_name()
    if backend in {"postgresql", "postgres"}:
        if find_spec("psycopg") is None:
            raise ValueError("PostgreSQL needs its driver here: pip install '.[postgresql]'")
        return url.set(drivername="postgresql+psycopg")
    if backend == "sqlite":
        return url
    raise ValueError(f"Companion keeps its tables in SQLite or PostgreSQL, not in {backend}.")


def engine_options(url: URL) -> dict[str, Any]:
    """Return how to open connections to this database."""
    if url.get_backend_name() == "sqlite":
        return {"hide_parameters": True, "connect_args": {"timeout": BUSY_TIMEOUT / 1000}}
    connecting: dict[str, Any] = {"connect_timeout": CONNECT_TIMEOUT, "tcp_user_timeout": SILENCE_TIMEOUT}
    hosts = url.query.get("host", "")
    if (not isinstance(hosts, str) or "," in hosts) and "target_session_attrs" not in url.query:
        connecting["target_session_attrs"] = "read-write"  # the primary: standbys are read-only
    return {
        "hide_parameters": True,  # an error that is logged tells of no link, and of no seed
        "pool_timeout": TURN_TIMEOUT,
        "pool_pre_ping": True,  # a restart of PostgreSQL then costs nobody an error page
        "connect_args": connecting,
    }


def prepare(engine: Engine) -> None:
    """Set up an engine's connections: SQLite's get durability, foreign keys and real transactions; PostgreSQL's have them."""
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _open_sqlite)
        event.listen(engine, "begin", _begin_sqlite)


def open_engine(url: URL) -> Engine:
    """Return the database at this address, beside the application's pool: each connection is opened anew, then closed."""
    options = engine_options(url)
    kept_options = {name: options[name] for name in ("hide_parameters", "connect_args") if name in options}
    engine = create_engine(url, poolclass=NullPool, **kept_options)
    prepare(engine)
    return engine


def _bound(connection: Any, _record: Any) -> None:
    """Let nothing that phones ask wait or work without an end."""
    connection.autocommit = True  # otherwise the first rollback would undo it
    connection.execute(f"SET lock_timeout = {LOCK_TIMEOUT}")
    connection.execute(f"SET statement_timeout = {STATEMENT_TIMEOUT}")
    connection.autocommit = False


def _open_sqlite(connection: Any, _record: Any) -> None:
    # None keeps the sqlite3 module from beginning and ending transactions by its own ideas: _begin_sqlite does it
    connection.isolation_level = None
    connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT}")
    _write_ahead(connection)
    for pragma in (
        f"synchronous = {SYNCHRONOUS}",
        "foreign_keys = ON",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Readers never wait for a writer, then. A new file is switched over once, and nobody else may write to it meanwhile.

    For that SQLite does not wait by itself, as it does for everything else.
    """
    until = time.monotonic() + BUSY_TIMEOUT / 1000
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as refused:
            if refused.sqlite_errorname != "SQLITE_BUSY" or time.monotonic() > until:
                raise
            time.sleep(0.01)
        else:
            return


def _begin_sqlite(connection: Connection) -> None:
    # a transaction that reads first and writes later may be refused at any moment; one that takes its turn first may not
    if connection.get_execution_options().get("companion_writing", False):
        _take_turn(connection)
    else:
        execute_raw(connection, "BEGIN")


def _take_turn(connection: Connection) -> None:
    """Begin to write. While another process does, others of this one are served: nothing is begun yet that they could disturb.

    Whoever has waited for others of this process already asks once more at least. Raises SQLAlchemy's OperationalError.
    """
    until = connection.info.pop(SINCE, time.monotonic()) + BUSY_TIMEOUT / 1000
    execute_raw(connection, "PRAGMA busy_timeout = 0")  # SQLite's own patience would block the whole process
    try:
        while True:
            try:
                execute_raw(connection, "BEGIN IMMEDIATE")
            except OperationalError as refused:
                if faults.of(refused) is not faults.BUSY or time.monotonic() > until:
                    raise
                breathe(AGAIN, holds=True)
            else:
                return
    finally:
        execute_raw(connection, f"PRAGMA busy_timeout = {BUSY_TIMEOUT}")


@contextmanager
def reading() -> Iterator[Connection]:
    """Lend a connection to read by: that of the :func:`writing` around this, else one of its own for a moment.

    In its own moment each statement sees what is stored when it runs, and nothing is held between them. Where the session is
    reading already, its connection is taken: requests that hold one and wait for a second could exhaust the pool (deadlock).
    """
    present = _present()
    if present is not None:
        yield present.connection
        return
    if db.session.registry.has() and db.session().in_transaction():
        yield db.session.connection()
        return
    with db.engine.connect() as opened:
        yield opened


@dataclass(frozen=True, slots=True)
class _Writing:
    """The transaction that changes something now, and what is to be called once it is stored."""

    connection: Connection
    afterwards: list[Callable[[], object]]


@contextmanager
def writing(of: tuple[str, Hashable] | None = None) -> Iterator[Connection]:
    """Change something in one transaction, by the yielded connection or by ``db.session``: they are the same one.

    It is committed at the end, and rolled back when anything is raised. What the session had read before is read anew. Inside
    another ``writing`` it is a part of that one. ``of`` says which match or table is changed, where others may want to as well.
    Nothing that waits (network, sleep) belongs in here. Raises RuntimeError when the session holds changes from before,
    BusyError when others have changed the same for too long, and SQLAlchemy's OperationalError when the database is away or
    locked: then nothing was stored, or (when the connection broke at the very end) it is unknown, and the same entry may safely
    be sent again.
    """
    present = _present()
    if present is not None:
        yield present.connection
        return
    if db.session.registry.has():
        session = db.session()
        if session.new or session.dirty or session.deleted:
            raise RuntimeError("Changes were made before writing() began; they belong inside it.")
        session.rollback()  # gives the reading connection back, so that nobody waits for the lock and holds one
    engine: Engine = current_app.extensions["companion-writer"]
    if engine.dialect.name == "sqlite":
        turn: AbstractContextManager[Any] = _write_lock
    else:
        turn = nullcontext() if of is None else _locks.take((str(engine.url), *of), TURN_TIMEOUT)
    since = time.monotonic()
    with turn, engine.connect() as connection:
        connection.info[SINCE] = since
        connection.begin()
        present = g.companion_writing = _Writing(connection, [])  # the session finds it there and joins in
        try:
            yield connection
            if db.session.registry.has():
                db.session.flush()
            connection.commit()
            if db.session.registry.has():
                db.session.commit()
        except BaseException:
            if db.session.registry.has():
                db.session.rollback()
            connection.rollback()
            raise
        finally:
            del g.companion_writing
    faults.forget_full(current_app)
    for call in present.afterwards:
        call()


def connection() -> Connection:
    """Return the connection of the present :func:`writing`. Raises RuntimeError outside of it."""
    return _needed().connection


def after_commit(call: Callable[[], object]) -> None:
    """Call this once the present ``writing`` is stored, and never if it is not. Raises RuntimeError outside ``writing``."""
    _needed().afterwards.append(call)


def is_writing() -> bool:
    """Return True inside a :func:`writing`, where what was read may not be stored yet."""
    return _present() is not None


def _present() -> _Writing | None:
    present: _Writing | None = g.get("companion_writing")
    return present


def _needed() -> _Writing:
    present = _present()
    if present is None:
        raise RuntimeError("There is no writing() to be a part of.")
    return present
