"""What can programs ask? The HTTP API, ``/api/v1/``: games, rules as data, legal look-ups, records replayed and verified.

It keeps nothing and knows nobody: no cookie is read or set, nothing is stored, and so no form's token is asked for. Bodies are
read and checked by msgspec, by the very types that the engine plays with. :mod:`.openapi` describes it all.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import msgspec
from flask import Blueprint, Response, abort, render_template, request
from sqlalchemy import and_, bindparam, or_, select
from werkzeug.exceptions import RequestEntityTooLarge, UnsupportedMediaType

from companion.engine import records
from companion.engine.core import Position
from companion.engine.records import MAX_BYTES, RecordError, UnreadableError
from companion.engine.records.errors import one_of
from companion.engine.records.reading import MAX_PART, PART_TOO_LARGE, TOO_LARGE
from companion.engine.text import Name, capital, say
from companion.games import PLUGINS, find_rule
from companion.languages import ENGLISH
from companion.matches import entries, fairness
from companion.screens.plugin import GamePlugin
from companion.storage.models import Match, MatchId, Table, db
from companion.storage.yielding import breathe
from companion.web import problems
from companion.web.api import catalogue, openapi, reference
from companion.web.guard.csrf import csrf
from companion.web.guard.limits import write_limiter
from companion.web.language import speaking
from companion.web.sentences import beside

bp = Blueprint("api", __name__, url_prefix="/api/v1")
csrf.exempt(bp)
write_limiter.exempt(bp)

_encode = partial(msgspec.json.encode, enc_hook=str)  # a sentence is its words

LOOK_UP_TOO_LARGE = capital(PART_TOO_LARGE)
MOST_LINES = 500  # of an explanation: the newest
TURN: Final = 0.02  # seconds of the processor until others have a turn: the longest records take some seconds
_LINK = re.compile(r"[A-Za-z0-9_-]{1,64}")
_MATCH = (
    select(Match.table_id, Match.number)
    .select_from(Table)
    .outerjoin(Match, and_(Match.table_id == Table.id, Match.number == bindparam("number")))
    .where(or_(Table.play_token == bindparam("token"), Table.watch_token == bindparam("token")))
)  # a row for the table that has the link, and in it the match or None


def _json(value: object) -> Response:
    return Response(_encode(value), mimetype="application/json")


def _kept(value: object) -> Response:
    """Return an answer that seldom changes; a client that has it already gets 304."""
    response = _json(value)
    response.add_etag()
    response.make_conditional(request)
    return response


def _body(most: int, larger: str) -> bytes:
    """Return the JSON text that was sent. 415 for another kind of body, 413 for more than ``most`` bytes."""
    if request.mimetype != "application/json":
        raise UnsupportedMediaType(
            say(
                "Send JSON, with the header Content-Type: application/json; here it says {type}.",
                type=Name(request.mimetype[:60]),
            )
            if request.mimetype
            else say("Send JSON, with the header Content-Type: application/json; here it is missing.")
        )
    if request.content_encoding not in (None, "", "identity"):
        encoding = Name(request.content_encoding[:40])
        raise UnsupportedMediaType(say("Send the body as it is, not in the encoding {encoding}.", encoding=encoding))
    request.max_content_length = most + 1  # a body that comes in chunks is cut off there, and nothing else is said
    try:
        data = request.get_data()
    except RequestEntityTooLarge:
        raise RequestEntityTooLarge(larger) from None
    if len(data) > most:
        raise RequestEntityTooLarge(larger)
    return data


def _record() -> bytes:
    return _body(MAX_BYTES, TOO_LARGE)


def _plugin(slug: str) -> GamePlugin:
    if slug not in PLUGINS:
        slugs = one_of(PLUGINS)
        abort(404, say("Companion knows no game called “{game}”; possible: {known}.", game=Name(slug[:40]), known=slugs))
    return PLUGINS[slug]


def _answered(answer: Callable[[bytes], dict[str, Any]], data: bytes) -> Response:
    try:
        return _json(answer(data))
    except UnreadableError as unreadable:
        return problems.of_refusal(unreadable, unreadable=True)
    except RecordError as refused:
        return problems.of_refusal(refused, see=_see(refused, data))


class _Named(msgspec.Struct):
    game: str


_NAMED: Final = msgspec.json.Decoder(_Named)


def _see(refused: RecordError, data: bytes) -> str | None:
    """Return the address of the entry about the rule that a document breaks."""
    if not refused.rule:
        return None
    try:
        slug = _NAMED.decode(data.removeprefix(b"\xef\xbb\xbf")).game
    except (msgspec.MsgspecError, UnicodeError):  # what is after the refused part may be no text at all
        return None
    entry = find_rule(slug, refused.rule)
    return None if entry is None else catalogue.address(slug, entry)


@bp.get("/")
def page() -> str:
    """Show the API to read: every address, what it takes and what it answers, from the same document that programs read.

    The document is English alone, so the page around it is too.
    """
    document = openapi.document()
    with speaking(ENGLISH):
        return render_template(
            "api/page.html", document=document, schemas=reference.schemas(document), name_of=reference.name_of
        )


@bp.get("/openapi.json")
def description() -> Response:
    """Answer with the API for programs: OpenAPI 3.1."""
    return _kept({**openapi.document(), "servers": [{"url": request.script_root or "/"}]})


@bp.get("/games")
def games() -> Response:
    """Answer which games there are."""
    return _kept(catalogue.GameList([catalogue.summary(plugin) for plugin in PLUGINS.values()]))


@bp.get("/games/<slug>")
def game(slug: str) -> Response:
    """Answer with a game's events, options, cards and figures."""
    return _kept(catalogue.game_data(_plugin(slug)))


@bp.get("/games/<slug>/rules")
def rule_book(slug: str) -> Response:
    """Answer with a game's rules in words, with the rulings."""
    plugin = _plugin(slug)
    if plugin.book is None:
        abort(404, say("{game} has no rules to read.", game=Name(plugin.title)))
    return _kept(catalogue.rule_book(plugin.book))


@bp.post("/legal")
def legal() -> Response:
    """Answer a look-up as records know it: may I play this?"""
    return _answered(_legal, _body(MAX_PART, LOOK_UP_TOO_LARGE))


def _legal(data: bytes) -> dict[str, Any]:
    game, question = records.decode_question(data)
    answer = records.ask(game, question)
    members: dict[str, Any] = {name: getattr(answer, name) for name in answer.__struct_fields__}
    sentences = beside(members)
    return {**members, "sentences": sentences} if sentences else members


@bp.post("/replay")
def replay() -> Response:
    """Answer how the match of a record stands."""
    return _answered(lambda data: records.replay_answer(_replayed(data)), _record())


def _replayed(data: bytes) -> Position[Any]:
    """Return the position after the last event of a record. Others have their turns in between."""
    record = records.read_record(data)
    position, since = record.start, time.thread_time()
    for _, after in record.positions():
        position = after
        if time.thread_time() - since > TURN:
            breathe()
            since = time.thread_time()
    return position


@bp.post("/explain")
def explain() -> Response:
    """Explain why the match of a record stands as it does."""
    return _answered(_explained, _record())


def _explained(data: bytes) -> dict[str, Any]:
    every = _replayed(data).standing().lines
    lines = every[-MOST_LINES:]
    sentences = beside({f"lines.{number}.what": line.what for number, line in enumerate(lines)})
    return {"lines": lines, "left_out": len(every) - len(lines), "sentences": sentences}


@bp.post("/verify")
def verify() -> Response:
    """Derive every draw of a record once more from its seed."""
    return _answered(records.answer_verify, _record())


@bp.get("/matches/<int(max=2147483647):number>/record")
def match_record(number: int) -> Response:
    """Answer with a match of a table as a record. The table's link comes in a header, so that no log along the way holds it."""
    kind, _, link = request.headers.get("Authorization", "").partition(" ")
    if kind.casefold() != "bearer" or not _LINK.fullmatch(link.strip()):
        return _who(
            say(
                "Send the last part of the table’s link, after /t/, in the header Authorization: Bearer. "
                "The link for playing and the one for watching both do."
            )
        )
    row = db.session.execute(_MATCH, {"token": link.strip(), "number": number}).one_or_none()
    if row is None:
        return _who(say("No table has this link. It may have been replaced: ask somebody at the table for the new one."))
    if row.number is None:
        abort(404, say("This table has no match number {number}.", number=number))
    try:
        return _json(fairness.record(MatchId(*row)))
    except entries.Unreadable as other:
        abort(409, str(other))


def _who(sentence: str) -> Response:
    response = problems.of_status(401, sentence)
    response.headers["WWW-Authenticate"] = 'Bearer realm="the table\'s link"'
    return response
