"""How does somebody doubt an entry or agree to it, and how is a doubt settled? By a correction, or by who says it is right."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from flask import redirect, request
from flask.typing import ResponseReturnValue

from companion.engine.text import say
from companion.matches import entries
from companion.matches.log import Author
from companion.screens.interface import named
from companion.web.delivery.toasts import leave_toast
from companion.web.guard.access import players_only
from companion.web.match.again import entry_named, tell_line
from companion.web.match.agreeing import answers_for
from companion.web.match.context import MatchContext, load_match, load_match_anew, sent_key
from companion.web.match.correcting import touched_since
from companion.web.match.news import describe_line
from companion.web.match.page import back_to_match, bp, describe_newest, entry_of, refusal, refused_page

DOUBT: Final = partial(entries.remark, kind="doubt")
AGREE: Final = partial(entries.remark, kind="agree")


@bp.post("/t/<token>/m/<int:number>/entries/<int:seq>/doubt")
@players_only
def doubt(token: str, number: int, seq: int) -> ResponseReturnValue:
    """Doubt an entry, for all phones to see. Nothing that counts changes by it."""
    context = load_match(token, number)
    return doubt_it(context, entry_named(context, seq))


@bp.post("/t/<token>/m/<int:number>/entries/<int:seq>/agree")
@players_only
def agree(token: str, number: int, seq: int) -> ResponseReturnValue:
    """Agree to an entry, for the other side. A “no” goes to :func:`doubt`."""
    context = load_match(token, number)
    return agree_to(context, entry_named(context, seq))


@bp.post("/t/<token>/m/<int:number>/entries/<int:seq>/right")
@players_only
def right(token: str, number: int, seq: int) -> ResponseReturnValue:
    """Say that an entry is right that somebody doubts: the doubt is taken back, as any line of the log is."""
    context = load_match(token, number)
    return settle(context, entry_named(context, seq))


def doubt_it(context: MatchContext, seq: int) -> ResponseReturnValue:
    """Write down a doubt about an entry, unless it says something else by now, or somebody doubts it already."""
    entry = entry_of(context, seq)
    if touched_since(context, entry) is not None:
        return refused_page(context, say("{what} meanwhile. Look again.", what=describe_newest(context)), 409)
    earlier = context.log.doubts.get(seq)
    if earlier is not None and earlier.key != sent_key():
        name = context.name_of(entry)
        leave_toast(context, say("{player} doubts it already: {entry}", player=named(context.who(earlier.player)), entry=name))
        return back_to_match(context)
    if "answer" not in request.form:
        return write(context, DOUBT, seq, lambda anew: doubt_it(anew, seq))
    answer = write(context, DOUBT, seq, lambda anew: doubt_it(anew, seq), by=answers_for(context, entry))
    doubt = load_match_anew(context).log.doubts.get(seq)
    if doubt is None:
        return answer
    return redirect(context.url("correct", seq=seq, line=doubt.seq), 303)  # both versions, one beside the other


def agree_to(context: MatchContext, seq: int) -> ResponseReturnValue:
    """Write down that the other side agrees, unless the entry says something else by now, or somebody has answered already."""
    entry = entry_of(context, seq)
    if touched_since(context, entry) is not None:
        return refused_page(context, say("{what} meanwhile. Look again.", what=describe_newest(context)), 409)
    name, doubt, by = context.name_of(entry), context.log.doubts.get(seq), answers_for(context, entry)
    agreed = context.log.agreement(seq, by if isinstance(by, int) else None)
    if doubt is not None:
        leave_toast(context, say("{player} doubts it already: {entry}", player=named(context.who(doubt.player)), entry=name))
        return back_to_match(context)
    if agreed is not None and agreed.key != sent_key():
        leave_toast(context, say("{player} agreed already: {entry}", player=named(context.who(agreed.player)), entry=name))
        return back_to_match(context)
    return write(context, AGREE, seq, lambda anew: agree_to(anew, seq), by=by)


def settle(context: MatchContext, seq: int) -> ResponseReturnValue:
    """Take back the doubt about an entry; where that is done already, say so."""
    entry = entry_of(context, seq)
    doubt = context.log.doubts.get(seq)
    if doubt is None:
        leave_toast(context, say("Nobody doubts it any more: {entry}", entry=context.name_of(entry)))
        return back_to_match(context)
    return write(context, entries.undo, doubt.seq, lambda anew: settle(anew, seq))


def write(
    context: MatchContext,
    kind: Callable[..., entries.Receipt],
    of: int,
    again: Callable[[MatchContext], ResponseReturnValue],
    *,
    by: Author = None,
) -> ResponseReturnValue:
    """Write a line about the line ``of``, and say it on the next page, with a button that takes it back.

    ``by`` is who says it, by default the phone's player. Where another phone was faster, the match is read anew and the tap
    judged ``again``.
    """
    try:
        receipt = kind(
            context.match.id,
            of,
            idempotency_key=sent_key(),
            expected_seq=context.log.seq,
            player=context.by if by is None else by,
            judged=entries.Judged(context.log.seq),
        )
    except entries.Overtaken:
        return again(load_match_anew(context))
    except entries.EntryRejected as refused:
        return refused_page(context, refusal(context, refused), 422)
    tell_line(receipt.after, receipt.seq)
    line = receipt.after.written[receipt.seq - 1]
    leave_toast(context, describe_line(context.screens, receipt.after, line), of=line.seq, sure=1)
    return back_to_match(context)
