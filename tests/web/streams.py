"""How does a test hear a phone's open stream, and make a change that it tells of?"""

from __future__ import annotations

import time
from contextlib import contextmanager

from companion.storage import database, notifications
from companion.web.delivery import server_sent_events
from tests.server import PATIENCE


@contextmanager
def stream(app, table_id, phone=None, *, tells_phones=False, **how):
    """Yield an open stream's messages, read one by one; closed as a server closes it when the phone has gone.

    How many phones look on is told at some moment of the first seconds, so it is left out where it is not asked for.
    """
    with app.test_request_context():
        response = server_sent_events.stream(table_id, phone, **how)
    messages = iter(response.response)
    try:
        yield in_time(messages if tells_phones else without_phones(messages))
    finally:
        response.close()
        messages.close()


def without_phones(messages):
    """Yield the same messages, but for those that say how many phones look on."""
    return (message for message in messages if not message.startswith(b"event: phones"))


def in_time(messages):
    """Yield the same messages, for as long as anything gets to happen: an open stream never ends by itself."""
    until = time.monotonic() + PATIENCE
    for message in messages:
        yield message
        assert time.monotonic() < until, "it never came"


def until(condition):
    """Wait for something that another thread does."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)


def listens(app):
    """Return a question: does this process hear the others, and has it compared its numbers with the database's before?"""
    bus = app.extensions["companion-live"]._relay
    return lambda: bus is None or bus._echo > 0


def change(app, table_id):
    """Change the table; return its new number."""
    with app.app_context(), database.writing():
        return notifications.changed(table_id)
