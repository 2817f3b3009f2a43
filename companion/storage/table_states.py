"""How does the database have a table now, and which links lead there? Asked by many streams at once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from sqlalchemy import Engine, bindparam, select
from sqlalchemy.exc import SQLAlchemyError

from companion.storage.models import Table

AT_ONCE = 1_000  # tables that are read by one statement

_TABLES = select(Table.id, Table.seq, Table.play_token, Table.watch_token).where(
    Table.id.in_(bindparam("table_ids", expanding=True))
)


@dataclass(frozen=True, slots=True)
class TableState:
    """A table as the database has it: its number, and the links that lead there."""

    seq: int
    links: frozenset[str]


@dataclass(slots=True)
class Batch:
    """Tables that are read by one statement, and what came back."""

    tables: set[int] = field(default_factory=set)
    answer: Mapping[int, TableState] | None = None
    error: SQLAlchemyError | None = None


class TableStates:
    """Reads tables from the database, one batch at a time.

    Whoever asks while an answer is on its way joins the next batch: phones that come back all at once take one connection and
    a handful of statements, and none waits for a connection until it gives up.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._lock = threading.Lock()
        self._reading = threading.Lock()  # one batch at a time; meanwhile the next one grows
        self._batch = Batch()

    def read(self, tables: Iterable[int]) -> dict[int, TableState]:
        """Return these tables as the database has them; those that are gone are missing."""
        states: dict[int, TableState] = {}
        table_ids = list(tables)
        for first in range(0, len(table_ids), AT_ONCE):
            with self._engine.connect() as connection:
                rows = connection.execute(_TABLES, {"table_ids": table_ids[first : first + AT_ONCE]}).all()
            states.update((table_id, TableState(seq, frozenset(links))) for table_id, seq, *links in rows)
        return states

    def find(self, table_id: int, answered: Callable[[], TableState | None]) -> TableState | None:
        """Return the table as the database has it now or later; None when there is no such table.

        Args:
            table_id: The table.
            answered: Returns what another batch has found meanwhile, if that will do.
        """
        with self._lock:
            batch = self._batch
            batch.tables.add(table_id)
        with self._reading:
            if state := answered():
                return state
            if batch.answer is None and batch.error is None:
                with self._lock:
                    self._batch = Batch()
                try:
                    batch.answer = self.read(batch.tables)
                except SQLAlchemyError as away:
                    batch.error = away
        if batch.answer is None:
            raise batch.error or RuntimeError("the batch was not read")
        return batch.answer.get(table_id)
