"""How does a phone hear that its table has changed? By a stream that says the table's number, so that it looks again."""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict
from collections.abc import Iterator
from contextlib import closing
from typing import Final

from flask import Blueprint, current_app
from flask.typing import ResponseReturnValue
from sqlalchemy import bindparam, select
from sqlalchemy.exc import SQLAlchemyError
from werkzeug.exceptions import TooManyRequests

from companion.storage import notifications
from companion.storage.models import Table
from companion.web.access import resolve_link
from companion.web.limits import address_key, is_limited

bp = Blueprint("stream", __name__)

MOST_STREAMS: Final = (
    500  # of one address: all phones of a tournament in one network; whoever gets none looks every few seconds
)
MOST_TABLES: Final = 5_000  # whose links are remembered
BYE: Final = b"event: bye\ndata: bye\n\n"  # the server ends the stream, and there will be another

_LINKS = select(Table.play_token, Table.watch_token).where(Table.id == bindparam("table_id"))


@bp.get("/t/<token>/live")
def follow(token: str) -> ResponseReturnValue:
    """Send the table's sequence numbers as server-sent events, to players and watchers alike.

    They say how many ``phones`` look on when that has changed, in all processes together. The stream ends as soon as its link
    has been replaced; when the server stops it says ``bye``.
    """
    seen = resolve_link(token)
    address, most = address_key(), current_app.config.get("MOST_STREAMS", MOST_STREAMS)
    streams: Counter[str] = current_app.extensions.setdefault("companion-streams", Counter())
    if is_limited() and streams[address] >= most:
        raise TooManyRequests(retry_after=60)
    table_id = seen.row.id
    hub = notifications.hub()
    links: Links = current_app.extensions.setdefault("companion-links", Links(hub))
    return notifications.stream(
        table_id,
        seen.phone,
        lambda messages: counted(streams, address, while_it_leads(messages, links, table_id, token)),
        counts=seen.may_enter,  # a screen that watches is none of the phones
    )


def counted(streams: Counter[str], address: str, messages: Iterator[bytes]) -> Iterator[bytes]:
    """Iterate over the same messages, while they count as one of this address's streams."""
    streams[address] += 1
    try:
        yield from messages
    finally:
        streams[address] -= 1
        if streams[address] <= 0:
            del streams[address]


def while_it_leads(messages: notifications.Messages, links: Links, table_id: int, token: str) -> Iterator[bytes]:
    """Iterate over the messages of a table until this link no longer leads there."""
    with closing(messages):
        for message in messages:
            if not message.startswith(b"event: "):
                _, _, number = message.rpartition(b"data: ")
                if not links.lead(token, table_id, int(number)):
                    return
            yield message
    yield BYE


class Links:
    """The links of the tables that are being followed: asked once for each of a table's numbers, for all its streams.

    Whatever replaces a link moves the table's number on, so what was asked at a number stays right until the next.
    """

    def __init__(self, hub: notifications.Hub) -> None:
        self._hub = hub
        self._lock = threading.Lock()
        self._known: OrderedDict[int, tuple[int, frozenset[str]]] = OrderedDict()

    def lead(self, token: str, table_id: int, seq: int) -> bool:
        """Return True if the table, at this number, has this link.

        False also while the database is away: the phone comes back.
        """
        with self._lock:
            known = self._known.get(table_id)
            if known is None or known[0] < seq:
                try:
                    with self._hub.engine.connect() as connection:
                        row = connection.execute(_LINKS, {"table_id": table_id}).one_or_none()
                except SQLAlchemyError:
                    return False
                known = self._known[table_id] = (seq, frozenset(row or ()))
                self._known.move_to_end(table_id)
                if len(self._known) > MOST_TABLES:
                    self._known.popitem(last=False)
            return token in known[1]
