"""Did a form come from a page of ours, for this phone? Its token tells, which a page elsewhere can't know."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from flask import Blueprint, current_app, g, request, session
from flask_wtf import CSRFProtect
from flask_wtf.csrf import validate_csrf
from wtforms import ValidationError

MOST_TOKENS: Final = 5_000  # of phones' forms, some 300 bytes each


class FormTokens(CSRFProtect):  # type: ignore[misc]  # the library has no types
    """Refuses forms without their phone's token.

    A phone's forms have the same token all evening. The library checks its signature each time, this once: an entry makes 150
    calls of 3,700 less. It looks at no referrer, as the library does not with ``WTF_CSRF_SSL_STRICT`` off.
    """

    def __init__(self) -> None:
        super().__init__()
        self._exempt: set[str] = set()

    def exempt(self, view: Any) -> Any:
        """Don't ask the forms of a blueprint or a view for a token: they change nothing."""
        if isinstance(view, Blueprint):
            self._exempt.add(view.name)
        return super().exempt(view)

    def protect(self, apply_exemptions: bool = False) -> None:
        """Refuse the present request, if it is a form without its token."""
        if apply_exemptions and request.blueprint in self._exempt:
            return
        if request.method == "POST" and request.endpoint and has_token_of_phone():
            g.csrf_valid = True
        else:
            super().protect(apply_exemptions)


def has_token_of_phone() -> bool:
    """Return True if the form has a token of this phone's; what has none, or a wrong one, is for the library to refuse."""
    try:
        return _is_right(current_app.secret_key, session.get("csrf_token"), request.form.get("csrf_token"))
    except ValidationError:
        return False


@lru_cache(MOST_TOKENS)
def _is_right(_key: str | bytes | None, _of_session: str | None, of_form: str | None) -> bool:
    """Check the token of a form. Ours have no time limit, so what was right stays right. Raises ValidationError."""
    validate_csrf(of_form)
    return True


csrf = FormTokens()
