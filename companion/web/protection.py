"""What stands between a form and a stranger: tokens against forged forms, limits against guessing and flooding."""

from __future__ import annotations

import flask_limiter
from flask_limiter.util import get_remote_address
from flask_wtf import CSRFProtect


class Limiter(flask_limiter.Limiter):
    """Limits are hung on single views. There is none for all pages, so there is nothing to look for before each request."""

    def _check_request_limit(self, callable_name: str | None = None, in_middleware: bool = True) -> None:
        if not in_middleware:
            super()._check_request_limit(callable_name, in_middleware)


csrf = CSRFProtect()
limiter = Limiter(get_remote_address, storage_uri="memory://", strategy="moving-window")
