"""What stands between a form and a stranger: tokens against forged forms, limits against guessing and flooding."""

from __future__ import annotations

from flask import current_app, request
from flask_limiter import Limiter
from flask_limiter.util import get_remote_address
from flask_wtf import CSRFProtect

WRITES = "3000 per minute"  # forms from one address: far more than a room full of phones sends, and no flood

READING = frozenset(("GET", "HEAD", "OPTIONS"))


def most_writes() -> str:
    """How much one address may send; the setting MOST_WRITES overrides it."""
    return str(current_app.config.get("MOST_WRITES", WRITES))


def only_reads() -> bool:
    """True for requests that change nothing."""
    return request.method in READING


csrf = CSRFProtect()
limiter = Limiter(
    get_remote_address,
    storage_uri="memory://",
    strategy="moving-window",
    application_limits=[most_writes],
    application_limits_exempt_when=only_reads,
)
