"""How does a phone hear that its table has changed? It listens to a stream of numbers, and fetches its page after each."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from typing import Final

from flask import Blueprint, current_app, request, url_for
from flask.globals import app_ctx
from flask.typing import ResponseReturnValue
from sqlalchemy.exc import SQLAlchemyError
from werkzeug.exceptions import HTTPException, TooManyRequests

from companion.storage import notifications
from companion.storage.hub import Hub
from companion.storage.models import MatchId
from companion.web.delivery import server_sent_events
from companion.web.delivery.live_parts import Change, changes
from companion.web.delivery.server_sent_events import Messages
from companion.web.delivery.shared_pages import nobodys_request
from companion.web.guard.access import TableAccess, resolve_link
from companion.web.guard.limits import address_key, is_limited
from companion.web.language import chosen
from companion.web.match.context import load_match
from companion.web.match.page import change_of, newest_matches

bp = Blueprint("stream", __name__)

MOST_STREAMS: Final = (
    500  # of one address: all phones of a tournament in one network; whoever gets none looks every few seconds
)
BYE: Final = b"event: bye\ndata: bye\n\n"  # the server ends the stream, and there will be another


@bp.get("/t/<token>/live")
def follow(token: str) -> ResponseReturnValue:
    """Send the table's sequence numbers as server-sent events, to players and watchers alike.

    They say how many ``phones`` look on when that has changed, in all processes together. For a page that shows a ``match``
    they tell its changed ``parts`` before the number, where these are all that it needs. The stream ends as soon as its link
    has been replaced; when the server stops it says ``bye``.
    """
    seen = resolve_link(token)
    address, most = address_key(), current_app.config.get("MOST_STREAMS", MOST_STREAMS)
    streams: Counter[str] = current_app.extensions.setdefault("companion-streams", Counter())
    if is_limited() and streams[address] >= most:
        raise TooManyRequests(retry_after=60)
    table_id = seen.row.id
    hub = notifications.hub()
    match = request.args.get("match", type=int)
    page = None if match is None else PageInSight(hub, seen, match)
    packs = request.accept_encodings["gzip"] > 0

    def told(messages: Messages) -> Messages:
        all_of_them = counted(streams, address, while_it_leads(messages, hub, table_id, token, page))
        return server_sent_events.gzipped(all_of_them) if packs else all_of_them

    response = server_sent_events.stream(
        table_id,
        seen.phone,
        told,
        counts=seen.may_enter,  # a watching screen does not count as a phone
    )
    response.vary.add("Accept-Encoding")
    if packs:
        response.content_encoding = "gzip"
    return response


def counted(streams: Counter[str], address: str, messages: Messages) -> Messages:
    """Iterate over the same messages, while they count as one of this address's streams."""
    streams[address] += 1
    try:
        yield from messages
    finally:
        streams[address] -= 1
        if streams[address] <= 0:
            del streams[address]


def while_it_leads(messages: Messages, hub: Hub, table_id: int, token: str, page: PageInSight | None = None) -> Messages:
    """Iterate over the messages of a table until this link no longer leads there."""
    with closing(messages):
        for message in messages:
            if message.startswith(b"event: "):
                yield message
                continue
            _, _, number = message.rpartition(b"data: ")
            if not hub.leads(token, table_id, int(number)):
                return
            # the first number comes with "retry": of that one the phone knows whether it has the page
            parts = page.parts(int(number)) if page is not None and message.startswith(b"id: ") else None
            yield parts or message
    yield BYE


def parts_for_all(root: str, token: str, number: int, code: str) -> str:
    """Return the changed parts of the match's own page, in the language ``code``: JSON, as streams tell them.

    Nothing if a phone that has the page before needs more, or if each seat has a page of its own. Where one phone is the table
    for others, nobody has a stream.
    """
    with nobodys_request(root, f"/t/{token}/m/{number}", code, phone=""):
        context = load_match(token, number)
        change = change_of(context) if context.seats_alike else None
    return "" if change is None else change.parts


class PageInSight:
    """The page of a match that a phone has in sight, and what it needs to show the next."""

    def __init__(self, hub: Hub, access: TableAccess, match: int) -> None:
        self._hub, self._access, self._match = hub, access, match
        self._app = app_ctx.app
        self._root, self._path = request.root_path, url_for("match.show_match", token=access.token, number=match)
        self._language = chosen().code
        self._told = 0
        self._changes, self._matches = changes(), newest_matches()

    def parts(self, number: int) -> bytes | None:
        """Return the table's newest number with all that changed; None if the page has to be fetched for it, or has it.

        The phone that sent the newest form is answered with the page.
        """
        if self._hub.is_acting(self._access.row.id, self._access.phone):
            return None
        change = self._changes.at((self._root, self._path, self._language), number)
        if change is None:
            try:
                with self._app.app_context():
                    change = self._find_out(number)
            except (SQLAlchemyError, HTTPException):
                return None
        if change is None or change.seq <= self._told:
            return None
        self._told = change.seq
        return change.message

    def _find_out(self, number: int) -> Change | None:
        """Return what has changed, of the match as whoever entered something was just shown it, or looked up once more."""
        page, access = (self._root, self._path, self._language), self._access
        context = self._matches.at(MatchId(access.row.id, self._match), number)
        if context is not None and (context.seats_alike or not access.may_enter):
            with nobodys_request(*page):
                return change_of(context.seen_by(access))
        with nobodys_request(*page, phone=access.phone):  # whose seat decides
            return change_of(load_match(access.token, self._match))
