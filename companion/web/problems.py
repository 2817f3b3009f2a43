"""What is a program told when something can't be done? Problem details (RFC 9457), with the sentence for a person.

What the engine refuses says where: ``event`` (index from 0, or null for the document itself), ``field`` (the dotted path of the
wrong part in it), ``rule`` (as the engine cites it) and ``see``, the address of the entry that explains the rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus
from typing import Annotated

import msgspec
from flask import Response, request, url_for
from msgspec import UNSET, Meta, UnsetType
from werkzeug.exceptions import HTTPException, MethodNotAllowed, TooManyRequests

from companion.engine.records import RecordError
from companion.engine.text import Name, Sentence, listing, say, say_n
from companion.web.sentences import SentenceData, beside

MIMETYPE = "application/problem+json"
PREFIX = "/api/"

SENTENCES = {
    404: say("There is nothing at this address. /api/v1/openapi.json lists all that there is."),
    500: say("Something went wrong on our side. Please report what you sent."),
    503: say("The database can’t be reached just now. Try again in a moment."),
}


class Problem(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why a request was refused (RFC 9457). ``detail`` is the sentence that the command line and the pages give."""

    title: str
    status: int
    detail: str
    type: Annotated[str, Meta(description="about:blank, or the address that describes this kind of problem")] = "about:blank"
    event: Annotated[int | UnsetType | None, Meta(description="the event, from 0; null: the document itself")] = UNSET
    field: Annotated[str | UnsetType, Meta(description="dotted path of the wrong part in it, such as count.points")] = UNSET
    rule: Annotated[str | UnsetType, Meta(description="the section of the rules or the ruling behind it")] = UNSET
    see: Annotated[str | UnsetType, Meta(description="the address where the rule is explained")] = UNSET
    sentences: Annotated[dict[str, SentenceData] | UnsetType, Meta(description="what detail is made of")] = UNSET


def is_for_a_program() -> bool:
    """Return True for an address under /api/, where every answer is data."""
    return request.path.startswith(PREFIX)


def respond(problem: Problem) -> Response:
    """Return the answer that carries a problem."""
    sentences = beside({"detail": problem.detail})
    if sentences:
        problem = msgspec.structs.replace(problem, sentences=sentences)
    return Response(msgspec.json.encode(problem, enc_hook=str), status=problem.status, mimetype=MIMETYPE)


def of_status(status: int, detail: str | None = None) -> Response:
    """Return a problem of the kind that its status tells."""
    phrase = HTTPStatus(status).phrase
    return respond(Problem(phrase, status, detail or SENTENCES.get(status) or f"{phrase}."))


def of_error(error: HTTPException) -> Response:
    """Return what Flask would make a page of: an unknown address, a wrong method, too large a body, too many requests."""
    if isinstance(error, MethodNotAllowed):
        allowed = sorted(error.valid_methods or ())
        meant = [method for method in allowed if method not in ("HEAD", "OPTIONS")]
        response = of_status(405, _other_method(meant))
        response.headers["Allow"] = ", ".join(allowed)
        return response
    if isinstance(error, TooManyRequests):
        seconds = int(error.retry_after) if isinstance(error.retry_after, int | float) else 60
        wait = say_n(
            "Too many requests in a short time. Wait a second, then try again.",
            "Too many requests in a short time. Wait {n} seconds, then try again.",
            seconds,
        )
        response = of_status(429, wait)
        response.headers["Retry-After"] = str(seconds)
        return response
    own_words = error.description if error.description != type(error).description else None
    return of_status(error.code or 500, own_words)


def _other_method(meant: Sequence[str]) -> Sentence:
    methods = listing([Name(method) for method in meant], "or")
    return say("This address takes {methods}, not {method}.", methods=methods, method=Name(request.method[:20]))


def of_refusal(refusal: RecordError, *, unreadable: bool = False, see: str | None = None) -> Response:
    """Return a problem that the engine, or reading the document, found."""
    kind = "unreadable" if unreadable else "refused"
    return respond(
        Problem(
            title="This is not JSON that can be read" if unreadable else "The rules or the format refuse this",
            status=HTTPStatus.BAD_REQUEST if unreadable else HTTPStatus.UNPROCESSABLE_ENTITY,
            detail=refusal.message,
            type=url_for("api.page", _anchor=kind),
            event=refusal.event,
            field=refusal.field or UNSET,
            rule=refusal.rule or UNSET,
            see=see or UNSET,
        )
    )
