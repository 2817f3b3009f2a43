"""Where everything is kept: SQLite in one file, or PostgreSQL by its address; and the one way to change it, :func:`writing`.

A page reads in a transaction that ends with the request. Whatever changes something does so inside ``with writing():``, in one
transaction that is stored whole or not at all.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from flask import Flask
from sqlalchemy import URL, Connection, Engine, event, make_url
from sqlalchemy.orm import Session

from companion.models import db

BUSY_TIMEOUT = 5_000  # milliseconds that SQLite waits for another process to finish writing
CONNECT_TIMEOUT = 5  # seconds until PostgreSQL counts as away
SILENCE_TIMEOUT = 10_000  # milliseconds without an acknowledgement from PostgreSQL until the connection counts as lost

# SQLite has one writer at a time. The sqlite3 module waits for its turn with the whole process, so whoever waits inside the
# process must wait here, where other requests go on.
_write_lock = threading.RLock()


def init_app(app: Flask) -> None:
    """Tie the database to the application, as ``SQLALCHEMY_DATABASE_URI`` says: an address of SQLite or of PostgreSQL."""
    url = address(app.config["SQLALCHEMY_DATABASE_URI"])
    app.config["SQLALCHEMY_DATABASE_URI"] = url
    app.config["SQLALCHEMY_ENGINE_OPTIONS"] = {**engine_options(url), **app.config.get("SQLALCHEMY_ENGINE_OPTIONS", {})}
    db.init_app(app)
    with app.app_context():
        prepare(db.engine)


def migrate(app: Flask) -> None:
    """Bring the application's database to the present schema. Of several processes that start at once, one does it."""
    from companion import migrations  # Alembic is slow to load, and only the start needs it

    with app.app_context():
        migrations.upgrade(db.engine)


def address(text: str | URL) -> URL:
    """A database address; PostgreSQL by any of its names means the psycopg driver. Raises ValueError for other databases."""
    url = make_url(text)
    backend = url.get_backend_name()
    if backend in {"postgresql", "postgres"}:
        return url.set(drivername="postgresql+psycopg")
    if backend == "sqlite":
        return url
    raise ValueError(f"Companion keeps its tables in SQLite or PostgreSQL, not in {backend}.")


def engine_options(url: URL) -> dict[str, Any]:
    """How to open connections to this database."""
    if url.get_backend_name() == "sqlite":
        return {"hide_parameters": True, "connect_args": {"timeout": BUSY_TIMEOUT / 1000}}
    return {
        "hide_parameters": True,  # an error that is logged tells of no link, and of no seed
        "pool_pre_ping": True,  # a restart of PostgreSQL is then nobody's error page
        "connect_args": {"connect_timeout": CONNECT_TIMEOUT, "tcp_user_timeout": SILENCE_TIMEOUT},
    }


def prepare(engine: Engine) -> None:
    """Set up an engine's connections: SQLite's get durability, foreign keys and real transactions; PostgreSQL's have them."""
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _open_sqlite)
        event.listen(engine, "begin", _begin_sqlite)


def _open_sqlite(connection: Any, _record: Any) -> None:
    # None keeps the sqlite3 module from beginning and ending transactions by its own ideas: _begin_sqlite does it
    connection.isolation_level = None
    for pragma in (
        f"busy_timeout = {BUSY_TIMEOUT}",
        "journal_mode = WAL",  # readers never wait for a writer
        "synchronous = FULL",  # what a phone was told is saved survives a power cut
        "foreign_keys = ON",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    # a transaction that reads first and writes later may be refused at any moment; one that takes its turn first may not
    immediate = connection.get_execution_options().get("companion_writing", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")


@contextmanager
def writing() -> Iterator[Connection]:
    """One transaction that changes something, by the yielded connection or by ``db.session``: they are the same transaction.

    It is committed at the end, and rolled back when anything is raised. What the session had read before is read anew. Inside
    another ``writing`` it is a part of that one. Nothing that waits (network, sleep) belongs in here. Raises RuntimeError when
    the session holds changes from before, and SQLAlchemy's OperationalError when the database is away or locked: then nothing
    was stored, or (when the connection broke at the very end) it is unknown, and the same entry may safely be sent again.
    """
    session = db.session()
    if _pending(session) is not None:
        yield session.connection()
        return
    if session.new or session.dirty or session.deleted:
        raise RuntimeError("Changes were made before writing() began; they belong inside it.")
    session.rollback()  # gives the reading connection back, so that nobody waits for the lock and holds one
    afterwards: list[Callable[[], None]] = []
    with _write_lock if db.engine.dialect.name == "sqlite" else nullcontext():
        try:
            connection = session.connection(execution_options={"companion_writing": True})
            session.info["companion_writing"] = afterwards
            yield connection
            session.commit()
        except BaseException:
            session.rollback()
            raise
        finally:
            session.info.pop("companion_writing", None)
    for call in afterwards:
        call()


def after_commit(call: Callable[[], None]) -> None:
    """Call this once the present ``writing`` is stored, and never if it is not. Raises RuntimeError outside ``writing``."""
    afterwards = _pending(db.session())
    if afterwards is None:
        raise RuntimeError("There is no writing() to wait for.")
    afterwards.append(call)


def is_writing() -> bool:
    """True inside a :func:`writing`, where what was read may not be stored yet."""
    return _pending(db.session()) is not None


def _pending(session: Session) -> list[Callable[[], None]] | None:
    pending: list[Callable[[], None]] | None = session.info.get("companion_writing")
    return pending
