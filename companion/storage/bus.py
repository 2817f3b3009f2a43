"""How do the processes of one Companion hear of each other?

By a bus: whatever one process says, all of them hear, itself included. PostgreSQL passes messages on by NOTIFY, a Valkey by
publish and subscribe; one process alone needs neither. A message may get lost. Nothing that matters is only said here.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, Protocol

from sqlalchemy import URL, Engine

from companion.storage import database

CHANNEL = "companion"  # the name under which messages are passed on
MEMORY, POSTGRESQL = "memory", "postgresql"
PATIENCE = 2.0  # seconds until a Valkey that says nothing counts as away


class Line(Protocol):
    """One open connection to the bus. It raises whatever goes wrong, and can't be used after that."""

    longest: int  # bytes that a message may have

    def say(self, message: str) -> None:
        """Send this to all processes, this one included."""

    def listen(self) -> None:
        """Receive from now on what any process sends."""

    def hear(self, seconds: float) -> list[str]:
        """Return the next messages; an empty list after so many seconds without one."""

    def close(self) -> None:
        """Close the connection."""


Opens = Callable[[], Line]


class PostgresqlLine:
    """A connection of its own to the database. PostgreSQL passes a message on once its transaction is stored."""

    longest = 7_900  # PostgreSQL takes less than 8,000 bytes

    def __init__(self, engine: Engine) -> None:
        """``engine`` has no pool: :func:`opens` says why."""
        self._connection = engine.raw_connection()
        line: Any = self._connection.driver_connection
        line.autocommit = True
        # NOTIFY serialises commits, so don't wait for the disk or a standby
        line.execute("SET synchronous_commit = off")
        self._line = line

    def say(self, message: str) -> None:
        """Send this to all processes, this one included."""
        self._line.execute("SELECT pg_notify(%s, %s)", (CHANNEL, message))

    def listen(self) -> None:
        """Receive from now on what any process sends."""
        self._line.execute(f"LISTEN {CHANNEL}")

    def hear(self, seconds: float) -> list[str]:
        """Return the next messages; an empty list after so many seconds without one."""
        return [notice.payload for notice in self._line.notifies(timeout=seconds, stop_after=1)]

    def close(self) -> None:
        """Close the connection."""
        self._connection.invalidate()


class ValkeyLine:
    """A connection to a Valkey. ``name`` keeps the Companions apart that share one."""

    longest = 1_000_000

    def __init__(self, address: str, name: str) -> None:
        import valkey  # an optional dependency: opens() checks that it is installed

        self._channel = f"{CHANNEL}:{name}"
        self._valkey: Any = valkey.Valkey.from_url(
            address, socket_connect_timeout=PATIENCE, socket_timeout=PATIENCE, decode_responses=True
        )
        self._heard: Any = None
        self._valkey.ping()

    def say(self, message: str) -> None:
        """Send this to all processes, this one included."""
        self._valkey.publish(self._channel, message)

    def listen(self) -> None:
        """Receive from now on what any process sends."""
        self._heard = self._valkey.pubsub(ignore_subscribe_messages=True)
        self._heard.subscribe(self._channel)

    def hear(self, seconds: float) -> list[str]:
        """Return the next messages; an empty list after so many seconds without one."""
        message = self._heard.get_message(timeout=seconds)
        return [] if message is None else [message["data"]]

    def close(self) -> None:
        """Close the connection."""
        if self._heard is not None:
            self._heard.close()
        self._valkey.close()


def opens(setting: str, url: URL, name: str) -> Opens | None:
    """Return what opens a line to the bus; None where this process needs none.

    Args:
        setting: "memory", "postgresql", or a Valkey's address.
        url: The database.
        name: What this Companion is called on a Valkey that others may use too.

    Raises:
        ValueError: the database is another one, or the Valkey's client is missing. The message is a sentence.
    """
    if setting == MEMORY:
        return None
    if setting != POSTGRESQL:
        if find_spec("valkey") is None:
            raise ValueError("A Valkey needs its client here: pip install '.[valkey]'")
        return lambda: ValkeyLine(setting, name)
    if url.get_backend_name() != "postgresql":
        raise ValueError("COMPANION_BUS is postgresql, but the tables are in an SQLite file. DATABASE_URL names another.")
    # beside the pool: by the connection that an idle Companion keeps there, a restore sees that it runs
    engine = database.open_engine(url)
    return lambda: PostgresqlLine(engine)
