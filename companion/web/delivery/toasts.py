"""What does the next page say of what was just done, once, and with which button to take it back? That is a toast."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Mapping
from typing import Any, Final, Protocol

import msgspec
from flask import Response, after_this_request, current_app, g, request

from companion.engine.text import say
from companion.matches import entries
from companion.screens.interface import Screens, as_sentence
from companion.web.language import words

TOAST = "toast"  # the cookie that carries what the next page is to say
TOAST_KEPT = 600  # seconds; an older toast is dropped
SIGNATURE = 16  # bytes before what it says
PARTS = ("Companion-Fetch", "parts")  # the header of a page that takes some parts of the answer, and never its toast
WHOLE = ("Companion-Fetch", "whole")  # the header of a page that sends a form and shows the whole answer


class MatchAtAddress(Protocol):
    """What a toast needs to know of a match."""

    @property
    def address(self) -> str:
        """Where the match is shown."""

    @property
    def screens(self) -> Screens:
        """The screens of the match's game, with its words."""


class Toast(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What was done, for the next page to say, with what the form of its button sends; without fields there is no button."""

    message: str
    label: str
    fields: dict[str, str | int]


_TOAST: Final = msgspec.json.Decoder(Toast)


def leave_toast(match: MatchAtAddress, message: str, *, label: str = say("Undo"), **fields: str | int) -> None:
    """Say this on the next page, with a button that sends these ``fields``: the line of the log or the step to take back.

    A cookie of its own carries it: to sign the session's anew with every entry would take longer. It is signed for this match,
    or another page of this host could put words and an "Undo" of its own here. Where the page is the answer, none is needed.
    """
    g.toast = Toast(words(message), words(label), fields)
    path = match.address

    @after_this_request
    def keep(response: Response) -> Response:
        if "toast" in g:
            content = msgspec.json.encode(g.toast)
            value = base64.urlsafe_b64encode(_signature(path, content) + content).decode()
            secure = bool(current_app.config["SESSION_COOKIE_SECURE"])
            response.set_cookie(TOAST, value, max_age=TOAST_KEPT, path=path, secure=secure, httponly=True, samesite="Lax")
        return response


def _signature(path: str, content: bytes) -> bytes:
    """Return what only this Companion can write before what is said at this address."""
    key = current_app.secret_key or ""
    key = hashlib.sha256(key.encode() if isinstance(key, str) else key).digest()
    return hashlib.blake2b(path.encode() + b"\0" + content, key=key, digest_size=SIGNATURE, person=b"toast").digest()


def takes_parts() -> bool:
    """Return True if only some parts of the answer are shown: what a page says once is left for who shows all of it."""
    name, parts = PARTS
    return request.headers.get(name) == parts


def toast_waits() -> bool:
    """Return True if the last entry left something to say, and this is the page to say it.

    The stream can tell a phone of its own entry before the reply is there; what it fetches then would swallow the toast.
    """
    return bool(request.cookies.get(TOAST)) and not takes_parts()


def with_totals(match: MatchAtAddress, message: str, receipt: entries.Receipt) -> str:
    """Return what was done, and every total if that changed one: "Round 6 saved. Ana & Cy 774, Bo & Di 424"."""
    totals = match.screens.totals(receipt.after.standing)
    if totals == match.screens.totals(receipt.before.standing):
        return message
    return say("{message}. {totals}", message=as_sentence(message), totals=as_sentence(totals))


def take_toast(match: MatchAtAddress) -> Mapping[str, Any] | None:
    """Return what the last entry left to say, once."""
    if "toast" in g:
        return _shown(g.pop("toast"))
    if not toast_waits():
        return None
    value = request.cookies[TOAST]
    path = match.address

    @after_this_request
    def drop(response: Response) -> Response:
        response.delete_cookie(TOAST, path=path)
        return response

    try:
        carried = base64.urlsafe_b64decode(value)
        signature, content = carried[:SIGNATURE], carried[SIGNATURE:]
        if not hmac.compare_digest(signature, _signature(path, content)):
            return None
        left = _TOAST.decode(content)
    except (ValueError, msgspec.MsgspecError):
        return None
    return _shown(left)


def _shown(toast: Toast) -> Mapping[str, Any]:
    return {"text": toast.message, "label": toast.label, "fields": toast.fields}
