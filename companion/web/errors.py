"""What does a person see when something can't be done? One sentence, and a way on; nothing that was stored is touched."""

from __future__ import annotations

from typing import Final

from flask import Flask, Response, current_app, jsonify, make_response, render_template, request
from flask.typing import ResponseReturnValue
from flask_wtf.csrf import CSRFError
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, ProgrammingError
from sqlalchemy.exc import TimeoutError as NoConnectionLeft
from werkzeug.exceptions import HTTPException, TooManyRequests

from companion.engine.text import Sentence, said, say
from companion.matches import entries
from companion.storage import faults
from companion.web import problems
from companion.web.language import words

OURS = (DataError, IntegrityError, ProgrammingError)  # the database is there, and was asked for something that can't be

TITLES = {
    400: say("Part of it got lost"),
    403: say("Not with this link"),
    404: say("Nothing here"),
    405: say("That doesn’t work here"),
    409: say("The match has moved on"),
    413: say("Too much at once"),
    429: say("Too fast"),
    500: say("Our mistake"),
    503: say("Back in a moment"),
}

SENTENCES = {
    400: say("Not everything reached Companion. Go back, reload the page and try again."),
    404: say("This page does not exist. Perhaps a letter of the address is missing."),
    405: say("You can’t do that from here. Go back and use the buttons on the page."),
    413: say("That is too much to send at once. Nothing was saved."),
    429: say("Too many tries in a short time. Wait a minute, then try again."),
    500: say("Something went wrong on our side. Nothing was lost: everything that was saved is still there."),
    503: say("Companion can’t open the tables right now. What you typed is still on your phone. Try again in a moment."),
}

ANY = say("Go back, reload the page and try again.")  # what the libraries say of other statuses is English, and for programs

FAULTS = {  # a title and a sentence
    faults.AWAY: (TITLES[503], SENTENCES[503]),
    faults.BUSY: (
        say("Back in a moment"),
        say(
            "Somebody else has been saving at this table for a while. "
            "What you typed is still on your phone. Try again in a moment."
        ),
    ),
    faults.FULL: (
        say("The disk is full"),
        say(
            "The disk is full. Nothing was lost. What you typed is still on your phone. "
            "Whoever runs this Companion has to make room. Then try again."
        ),
    ),
    faults.FAILING: (
        say("The disk fails"),
        say(
            "The disk can’t be read or written. What you typed is still on your phone. "
            "Whoever runs this Companion has to look after it. Then try again."
        ),
    ),
    faults.DAMAGED: (
        say("Saved data is damaged"),
        say(
            "What Companion has stored is damaged. What you typed is still on your phone. "
            "Whoever runs this Companion has to restore a backup."
        ),
    ),
}


ON_A_TELEVISION: Final = frozenset(("screen.show", "screen.by_code", "old_screen.show"))  # read from afar


def error_page(status: int, message: str | None = None, title: str | None = None) -> ResponseReturnValue:
    """Return the error page, or its sentence as JSON when a script asked."""
    if problems.is_for_a_program():
        return problems.of_status(status, message)
    sentence = message or SENTENCES.get(status, ANY)
    if wants_json():
        return jsonify(error=words(sentence)), status
    title = title or TITLES.get(status, say("That did not work"))
    page = "screen/error.html" if request.endpoint in ON_A_TELEVISION else "error.html"
    return render_template(page, status=status, title=title, sentence=sentence), status


def too_fast(error: TooManyRequests) -> Response:
    """Return the page for who asks too much, which says when to come back."""
    response = make_response(error_page(429))
    response.headers["Retry-After"] = str(error.retry_after or 60)
    return response


def wants_json() -> bool:
    """Return True when one of our scripts asks, or a program: the answer is then data, not a page."""
    best = request.accept_mimetypes.best_match(["text/html", "application/json"])
    return best == "application/json"


def init_app(app: Flask) -> None:
    """Give every failure its page."""

    @app.errorhandler(CSRFError)
    def forged(error: CSRFError) -> ResponseReturnValue:
        return error_page(
            400,
            say("This form has expired, perhaps because cookies were cleared. Reload the page and send it again."),
        )

    @app.errorhandler(HTTPException)
    def refused(error: HTTPException) -> ResponseReturnValue:
        if problems.is_for_a_program():
            return problems.of_error(error)
        own_words = error.description if isinstance(error.description, Sentence) else None
        if isinstance(error, TooManyRequests):
            return too_fast(error)
        return error_page(error.code or 500, own_words)

    @app.errorhandler(entries.NotFound)
    @app.errorhandler(entries.Unreadable)
    def gone(unknown: entries.NotFound | entries.Unreadable) -> ResponseReturnValue:
        return error_page(404, said(unknown))

    @app.errorhandler(DBAPIError)
    @app.errorhandler(NoConnectionLeft)
    @app.errorhandler(faults.BusyError)
    def database_away(error: DBAPIError | NoConnectionLeft | faults.BusyError) -> ResponseReturnValue:
        if isinstance(error, OURS):
            raise error
        current_app.logger.error("database: %s", type(getattr(error, "orig", error)).__name__)
        fault = faults.of(error)
        faults.note(app, fault)
        title, sentence = FAULTS[fault]
        response = make_response(error_page(503, None if fault is faults.AWAY else sentence, title))
        response.headers["Retry-After"] = str(fault.again)
        return response
