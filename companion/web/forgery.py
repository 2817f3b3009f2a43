"""Did a form come from a page of ours, for this phone? Its token tells, which a page elsewhere can't know."""

from __future__ import annotations

import hmac
from functools import lru_cache
from typing import Any

from flask import Blueprint, current_app, g, request, session
from flask.globals import request_ctx
from flask_wtf import CSRFProtect
from itsdangerous import BadData, URLSafeTimedSerializer

from companion.web.shared_pages import MOST_TOKENS


class FormTokens(CSRFProtect):  # type: ignore[misc]  # the library has no types
    """Refuses forms without their phone's token.

    A phone's forms have the same token all evening. The library checks its signature each time, this once: an entry makes 150
    calls of 3,000 less.
    """

    def __init__(self) -> None:
        super().__init__()
        self._unread: set[str] = set()

    def exempt(self, view: Any) -> Any:
        """Don't ask the forms of a blueprint or a view for a token: they change nothing."""
        if isinstance(view, Blueprint):
            self._unread.add(view.name)
        return super().exempt(view)

    def protect(self, apply_exemptions: bool = False) -> None:
        """Refuse the present request, if it is a form without its token."""
        asked = request_ctx.request
        if apply_exemptions and asked.blueprint in self._unread:
            return
        if asked.method == "POST" and asked.endpoint and has_known_token():
            g.csrf_valid = True
        else:
            super().protect(apply_exemptions)


def has_known_token() -> bool:
    """Return True if the form has a token of this phone's; what has none, or a wrong one, is for the library to say."""
    key, sent, secret = current_app.secret_key, request.form.get("csrf_token"), session.get("csrf_token")
    if not (key and sent and secret):
        return False
    try:
        return hmac.compare_digest(_secret_in(key, sent), secret)
    except BadData:
        return False


@lru_cache(MOST_TOKENS)
def _secret_in(key: str | bytes, token: str) -> str:
    """Return what a token is signed for. Ours have no time limit, so what was right stays right. Raises BadData."""
    secret: str = URLSafeTimedSerializer(key, salt="wtf-csrf-token").loads(token)
    return secret


csrf = FormTokens()
