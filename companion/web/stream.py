"""How does a phone hear that its table has changed? By a stream that says the table's number, so that it looks again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from typing import Final

from flask import Blueprint, current_app
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import TooManyRequests

from companion.storage import notifications
from companion.web.access import resolve_link
from companion.web.limits import address_key, is_limited

bp = Blueprint("stream", __name__)

MOST_STREAMS: Final = (
    500  # of one address: all phones of a tournament in one network; whoever gets none looks every few seconds
)
BYE: Final = b"event: bye\ndata: bye\n\n"  # the server ends the stream, and there will be another


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
    return notifications.stream(
        table_id,
        seen.phone,
        lambda messages: counted(streams, address, while_it_leads(messages, hub, table_id, token)),
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


def while_it_leads(messages: notifications.Messages, hub: notifications.Hub, table_id: int, token: str) -> Iterator[bytes]:
    """Iterate over the messages of a table until this link no longer leads there."""
    with closing(messages):
        for message in messages:
            if not message.startswith(b"event: "):
                _, _, number = message.rpartition(b"data: ")
                if not hub.leads(token, table_id, int(number)):
                    return
            yield message
    yield BYE
