"""What does an open stream send, and when?"""

from __future__ import annotations

import logging
import zlib
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing
from typing import Final

from flask import Response
from sqlalchemy.exc import SQLAlchemyError

from companion.storage.hub import Hub
from companion.storage.models import db
from companion.storage.notifications import hub

HEARTBEAT = 8.0  # seconds of silence until a stream says that it is still there; pages wait twice as long for it (live.js)
BEAT = b"event: beat\ndata: beat\n\n"  # what it says then: scripts hear nothing of a comment
RETRY = 2000  # milliseconds that a phone waits before it comes back

# A message of changed parts has some 6 KB and is like the one before it, which a window of 8 KB still holds: 140 bytes remain
# (1,350 without the one before), in 0.04 ms. A stream holds 40 KB for that; zlib's own sizes take 256 KB and are no quicker.
GZIP: Final = 16 + 13  # with gzip's header; the window is 2 ** 13 bytes
GZIP_MEMORY: Final = 4

Messages = Generator[bytes, None, None]

logger = logging.getLogger(__name__)


def stream(
    table_id: int,
    phone: str | None = None,
    through: Callable[[Messages], Iterator[bytes]] = iter,
    *,
    counts: bool = True,
) -> Response:
    """Server-sent events: the table's number at once, then whenever it changes, as ``id`` and ``data``.

    Another number of phones that look on is an event of its own, ``phones``.

    The number comes at once also for a phone that names the last one it saw (Last-Event-ID): the phone may have missed the
    page for that number. The request's database session ends here, so that an open stream holds no connection. ``through``
    may change the messages on their way.
    """
    db.session.remove()
    headers: Mapping[str, str] = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return Response(through(messages(hub(), table_id, phone, counts=counts)), mimetype="text/event-stream", headers=headers)


def messages(source: Hub, table_id: int, phone: str | None = None, *, counts: bool = True) -> Messages:
    """Return the messages of :func:`stream`. The subscription lasts from the first message to the last."""
    with source.subscribe(table_id, phone, counts=counts) as subscription:
        # read after subscribing: what is stored in between comes again, and is not lost
        if subscription.closed:
            return
        try:
            present = source.present(table_id)
        except SQLAlchemyError:
            logger.warning("the database is away; a stream ends and its phone comes back")
            return
        if present is None:
            return
        subscription.given(present.seq)
        yield f"retry: {RETRY}\n".encode() + message(present.seq)
        while not subscription.closed:
            newer = subscription.wait(HEARTBEAT)
            count = subscription.phones()
            if newer is not None:
                yield message(newer)
            if count is not None:
                yield b"event: phones\ndata: %d\n\n" % count
            elif newer is None and not subscription.closed:
                yield BEAT


def gzipped(messages: Messages) -> Messages:
    """Return a stream's messages as gzip, each in a piece that can be read when it has come."""
    compressor = zlib.compressobj(wbits=GZIP, memLevel=GZIP_MEMORY)
    with closing(messages):
        for plain in messages:
            yield compressor.compress(plain) + compressor.flush(zlib.Z_SYNC_FLUSH)
    yield compressor.flush()


def message(seq: int) -> bytes:
    """Return one server-sent event."""
    return f"id: {seq}\ndata: {seq}\n\n".encode()
