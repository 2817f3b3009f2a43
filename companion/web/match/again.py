"""Which line of the log is a correction about that a phone sends again? A log that lost lines may number the others anew."""

from __future__ import annotations

from flask import Response, abort, after_this_request, request

from companion.engine.text import say
from companion.matches import entries
from companion.web.match.context import MatchContext, sent_after

MISSING = say("This is about an entry that is missing here. Send that entry first, from the phone that made it.")


def tell_line(log: entries.Log, seq: int) -> None:
    """Tell the phone the number of the line that it made, and the key of the line that this one is about.

    The phone keeps both, so that it can send the line again if the server loses it.
    """
    of = log.written[seq - 1].of

    @after_this_request
    def tell(response: Response) -> Response:
        response.headers["Companion-Line"] = str(seq) if of is None else f"{seq} {log.written[of - 1].key}"
        return response


def is_sent_again() -> bool:
    """Return whether a phone sends again what names a line of the log."""
    return "of_key" in request.form


def line_named(context: MatchContext, number: int) -> int:
    """Return the number of the line that a form is about: as the form says, or by the line's key if it is sent again.

    424 with a sentence where no line has that key: the phone tries again later.
    """
    if not is_sent_again():
        return number
    receipt = entries.find_receipt(context.log, request.form["of_key"])
    if receipt is None:
        abort(424, MISSING)
    return receipt.seq


def entry_named(context: MatchContext, number: int) -> int:
    """Return the number of the entry that a form is about: the line named, or the one that this corrects or remarks on."""
    if not is_sent_again():
        return number
    line = context.log.written[line_named(context, number) - 1]
    return line.seq if line.of is None else line.of


def sent_before() -> frozenset[str]:
    """Return the keys of what this phone sent again before this."""
    return frozenset(sent_after()) if is_sent_again() else frozenset()


def known_lines(context: MatchContext) -> tuple[str, ...]:
    """Return the keys of the lines that are no news to the phone: its own, sent again, and the line that this form names.

    If another phone has entered the same, that line is news.
    """
    keys = sent_before() | {request.form.get("of_key")}
    return tuple(line.key for line in context.log.written if line.key in keys)
