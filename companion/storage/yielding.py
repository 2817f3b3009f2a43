"""How do others have their turn in the midst of long work? One process serves everybody, one piece of work at a time."""

from __future__ import annotations

import threading
import time
from contextlib import nullcontext

from flask import g, has_request_context

PAUSE = 0.001  # seconds; with none, gevent goes round fifty times among those that work before it looks who has come

_line = threading.Lock()  # of all long work one piece is done at a time, however many ask for some


def breathe(seconds: float = PAUSE, *, holds: bool = False) -> None:
    """Let others go on for some seconds. What they do meanwhile is not charged to this request.

    ``holds``: others wait for something that this work holds, so it does not stand in line behind them.
    """
    begun = time.thread_time()
    with nullcontext() if holds else _line:
        time.sleep(seconds)
    if has_request_context():
        g.others_worked = g.get("others_worked", 0.0) + time.thread_time() - begun
