"""How do phones hear that something changed at their table? By its new sequence number, no more."""

from __future__ import annotations

import hmac
from weakref import WeakSet

from flask import Flask, current_app
from sqlalchemy import bindparam, update

from companion.storage import bus, database
from companion.storage.hub import Hub
from companion.storage.models import Table, db
from companion.storage.statements import Statement
from companion.storage.table_states import TableState

_BUMP = Statement(
    update(Table)
    .where(Table.id == bindparam("table_id"))
    .values(seq=Table.seq + 1)
    .returning(Table.seq, Table.play_token, Table.watch_token)
)

_hubs: WeakSet[Hub] = WeakSet()


def init_app(app: Flask) -> None:
    """Give the application its hub, with the bus that its setting BUS asks for. Raises ValueError for one that can't be.

    The database must be there already.
    """
    with app.app_context():
        opens = bus.opens(app.config["BUS"], db.engine.url, app.config["BUS_NAME"])
        key = app.config["SECRET_KEY"]
        key = hmac.digest(key.encode() if isinstance(key, str) else key, b"companion bus", "sha256")
        extensions = app.extensions  # not the application: its hub would keep it for good
        new_hub = extensions["companion-live"] = Hub(db.engine, opens, key, lambda: database.forget(extensions))
        _hubs.add(new_hub)


def hub() -> Hub:
    """Return the present application's hub."""
    process_hub: Hub = current_app.extensions["companion-live"]
    return process_hub


def changed(table_id: int, *, links_stay: bool = False) -> int:
    """Note, inside :func:`database.writing`, that phones at this table have something new to show. Returns its new number.

    They hear of it once it is stored, and not before: PostgreSQL lets all transactions that notify wait for each other. The
    table's row stays locked until then, so call it last.

    ``links_stay`` where nothing in this transaction can replace the table's links: its streams then need not ask the database
    whether theirs still leads there.
    """
    ((seq, *links),) = _BUMP.all(database.connection(), table_id=table_id)
    state = TableState(seq, frozenset(links)) if links_stay else None
    present = hub()
    database.after_commit(lambda: present.tell(table_id, seq, state))
    return int(seq)


def phones(table_id: int) -> int:
    """Return how many phones look at this table just now, by the open streams of all processes."""
    return hub().phones(table_id)


def leave_all() -> None:
    """Tell every stream of this process to end, before the server stops: one after the other, within seconds."""
    for live_hub in list(_hubs):
        live_hub.leave()
