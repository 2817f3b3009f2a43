"""How do others have their turn in the midst of long work? One process serves everybody, one piece of work at a time."""

from __future__ import annotations

import time

from flask import g, has_request_context

PAUSE = 0.001  # seconds; with none, gevent goes round fifty times among those that work before it looks who has come


def breathe() -> None:
    """Let others go on. What they do meanwhile is not charged to this request."""
    begun = time.thread_time()
    time.sleep(PAUSE)
    if has_request_context():
        g.others_worked = g.get("others_worked", 0.0) + time.thread_time() - begun
