"""How do the statements of every tap run? With as little as possible between them and the database.

SQLite answers such a statement in two microseconds; SQLAlchemy's way there and back takes thirty. So a :class:`Statement` is
written and compiled by SQLAlchemy once, and on SQLite it is then handed to the driver as it is. On PostgreSQL, where most of
the time is spent between the processes, it runs as any other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, Dialect, Select
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql.dml import UpdateBase

Row = Sequence[Any]
Processor = Callable[[Any], Any]


class Statement:
    """One statement with bound parameters. It runs in the transaction of the connection that it is given.

    A parameter that is not given a value has the one that the statement was written with; columns get no defaults here.
    Whatever the driver complains of is raised as SQLAlchemy's DBAPIError, as everywhere.
    """

    __slots__ = ("_columns", "_parameters", "_plain", "_sql", "statement")

    def __init__(self, statement: Select[*tuple[Any, ...]] | UpdateBase) -> None:
        self.statement = statement
        dialect = sqlite.dialect(json_deserializer=msgspec.json.decode)  # four times in each request
        compiled = statement.compile(dialect=dialect)
        self._sql = str(compiled)
        self._parameters: tuple[tuple[str, Any, Processor | None], ...] = tuple(
            (name, compiled.params[name], compiled.binds[name].type.dialect_impl(dialect).bind_processor(dialect))
            for name in compiled.positiontup or ()
        )
        columns = statement.selected_columns if isinstance(statement, Select) else statement.exported_columns
        self._columns: tuple[Processor | None, ...] = tuple(
            column.type.dialect_impl(dialect).result_processor(dialect, None) for column in columns
        )
        self._plain = not any(self._columns)

    def all(self, connection: Connection, **values: Any) -> Sequence[Row]:
        """Run it and return every row."""
        if connection.dialect.name != "sqlite":
            result = connection.execute(self.statement, values)
            return result.all() if result.returns_rows else ()
        given = [
            values.get(name, default) if convert is None else convert(values.get(name, default))
            for name, default, convert in self._parameters
        ]
        rows = execute_raw(connection, self._sql, given)
        if self._plain:
            return rows
        return [
            tuple(value if convert is None else convert(value) for value, convert in zip(row, self._columns, strict=True))
            for row in rows
        ]

    def one(self, connection: Connection, **values: Any) -> Row | None:
        """Run it and return the first row, or None."""
        rows = self.all(connection, **values)
        return rows[0] if rows else None


def execute_raw(connection: Connection, sql: str, parameters: Sequence[Any] = ()) -> Sequence[Row]:
    """Run SQL by SQLite's own driver; every row that it gives."""
    cursor = connection.connection.cursor()
    try:
        rows: list[Row] = cursor.execute(sql, parameters).fetchall()
    except connection.dialect.loaded_dbapi.Error as error:
        raise wrap_error(connection.dialect, sql, parameters, error) from error
    finally:
        cursor.close()
    return rows


def wrap_error(dialect: Dialect, sql: str, parameters: Sequence[Any], error: Exception) -> BaseException:
    """Return the driver's error as SQLAlchemy would tell it, without what the parameters were."""
    return DBAPIError.instance(sql, tuple(parameters), error, dialect.loaded_dbapi.Error, hide_parameters=True, dialect=dialect)
