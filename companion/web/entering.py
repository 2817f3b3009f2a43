"""How does what was typed on a page become an entry, a shared draft, or the page again with the reason why not?"""

from __future__ import annotations

from typing import Any

from flask import abort, redirect, request
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from companion.engine.core import RuleError
from companion.engine.text import say
from companion.matches import entries, fairness
from companion.matches.drafts import OtherEntry
from companion.screens.page import PageContext, PreviewDraw, Rerender, ScreenPage, Submit, UpdateDraft, as_sentence, named
from companion.storage.models import now
from companion.web.access import players_only
from companion.web.conflicts import choose
from companion.web.match import back_to_match, bp, describe_newest, match_page, page_context
from companion.web.match_context import (
    MatchContext,
    load_match,
    render,
    sent_after,
    sent_expected_seq,
    sent_field,
    sent_key,
    shared_page,
)
from companion.web.toasts import leave_toast, with_totals

SAME_MOMENT = 5  # seconds in which two phones that enter the same mean the same card


@bp.route("/t/<token>/m/<int:number>/<page>", methods=["GET", "POST"])
@players_only
def enter(token: str, number: int, page: str) -> ResponseReturnValue:
    """Show a page on which something is entered: asked first, then kept as a draft or stored."""
    context = load_match(token, number)
    if page not in context.screens.pages:
        abort(404)
    form = context.screens.pages[page](page_context(context))
    if request.method == "POST":
        return carry_out(context, form, page)
    if context.log.position.finished or page == context.screens.main:
        return redirect(context.address, 303)

    def values(here: MatchContext) -> dict[str, Any]:
        asked = context.screens.pages[page](page_context(here))
        return {"form": asked.view(), "page": page, "action": here.url("enter", page=page)}

    if request.args:
        return render(context, form.template, **values(context))
    return shared_page(context, form.template, values, alike=False)


def carry_out(context: MatchContext, form: ScreenPage[Any], page: str) -> ResponseReturnValue:
    """Do what was asked on a page, or show the page again with the reason why not and what was typed.

    A phone that does not know the newest line means the match as it knows it: that is where its form is read, except in games
    without turns, where everything is about what lies there now.
    """
    known = known_to_sender(context)
    read = known if context.log.position.game.turns else context
    if read is not context:
        form = context.screens.pages[page](page_context(read))

    def again(status: int) -> ResponseReturnValue:
        if page == context.screens.main:
            return match_page(read, form=form.view()), status
        since = describe_newest(context) if read is not context else ""
        action = context.url("enter", page=page)
        return render(read, form.template, form=form.view(), page=page, action=action, since=since), status

    asks = bool(request.form.get("ask"))  # and saves nothing
    out_of_date = sent_expected_seq(context) < context.log.seq
    is_again = out_of_date and not asks and sent_field("idempotency_key")
    earlier = entries.find_receipt(context.match.id, sent_key()) if is_again else None
    try:
        if earlier is not None and tell_again(context, page, earlier):
            return back_to_match(context)
        match form.outcome():
            case Rerender(wrong):
                return again(422 if wrong else 200)
            case UpdateDraft() | PreviewDraw() if known.log.head != context.log.head:
                leave_toast(context, say("{what} meanwhile. Your tap was not kept", what=describe_newest(context)))
                return back_to_match(context)
            case UpdateDraft(change, following, query, stay, what):
                entries.change_draft(context.match.id, change, what=what, player=context.by, after=context.log.head)
                if stay:
                    context = read = MatchContext(context.access, context.match, context.log, context.screens)
                    form = context.screens.pages[page](page_context(context))
                    return again(200)
                return redirect(context.url("enter", page=following, **query), 303) if following else back_to_match(context)
            case PreviewDraw(event, show_drawn, following, what):
                fairness.look(context.match.id, event, show_drawn, expected_seq=context.log.seq, what=what, player=context.by)
                return redirect(context.url("enter", page=following), 303)
            case Submit() as entered:
                return save(context, known, entered)
    except entries.IdempotencyConflict as reused:
        return sent_before(context, page, reused)
    except (OtherEntry, entries.Conflict):
        return back_to_match(context)  # saved at this very moment: the match's page tells it
    except entries.EntryRejected as refused:
        form.refuse(refused.error.message, refused.error.field)
        return again(422)
    except RuleError as refused:
        form.refuse(refused.message, refused.field)
        return again(422)


def known_to_sender(context: MatchContext) -> MatchContext:
    """Return the match as the phone knows it that sent the form: without what others entered since."""
    own = sent_after()
    unknown = next((line for line in context.log.written[sent_expected_seq(context) :] if line.key not in own), None)
    if unknown is None or unknown.key == sent_key():
        return context
    return MatchContext(context.access, context.match, context.log.as_of(unknown.seq - 1), context.screens)


def save(context: MatchContext, known: MatchContext, entered: Submit) -> ResponseReturnValue:
    """Enter what was typed. What another phone entered in its place meanwhile counts as done if it says the same.

    Where it says something else, people look at both and choose.
    """
    expected_seq, log = sent_expected_seq(context), context.log
    entries.check_forerunner(log, sent_after())
    if known is not context:
        theirs = entered_since(log, known.log)
        if theirs is not None and says_same(context, log.as_of(theirs.seq - 1), theirs, entered):
            leave_toast(context, say("{player} had it already", player=named(context.who(theirs.player))))
            return back_to_match(context)
        if log.position.game.turns and log.head != known.log.head:
            return choose(context, theirs, entered)
        if log.position.game.turns:
            expected_seq = log.seq  # only corrections came since: they are not in its way
    try:
        receipt = entries.record(
            context.match.id,
            entered.events,
            idempotency_key=sent_key(),
            expected_seq=expected_seq,
            after=sent_after(),
            player=context.by,
            by_app=entered.by_app,
        )
    except entries.IdempotencyConflict:
        raise
    except entries.Conflict as conflict:
        context = MatchContext(context.access, context.match, conflict.log, context.screens)
        if conflict.error is None:  # entered at this very moment
            return save(context, known_to_sender(context), entered)
        theirs = entered_since(context.log, known_to_sender(context).log)
        if theirs is not None and theirs.player == context.person is not None and theirs.events == entered.events:
            leave_toast(
                context, say("You already sent {entry}", entry=as_sentence(context.screens.name(theirs, context.sides)))
            )
            return back_to_match(context)
        raise conflict.error from conflict  # without turns it is about what lies there now, and what was typed stays
    said = with_totals(context, entered.message, receipt) if entered.totals else entered.message
    leave_toast(context, said, of=receipt.seq, sure=1)
    return back_to_match(context)


def sent_before(context: MatchContext, page: str, reused: entries.IdempotencyConflict) -> ResponseReturnValue:
    """Show what was saved when a form was sent before, beside the other thing that it says now."""
    context = MatchContext(context.access, context.match, reused.log, context.screens)
    before = MatchContext(context.access, context.match, reused.log.as_of(reused.seq - 1), context.screens)
    outcome = context.screens.pages[page](page_context(before)).outcome()
    stored = next((one for one in reused.log.entries if one.seq == reused.seq), None)
    return choose(context, stored, outcome) if isinstance(outcome, Submit) else back_to_match(context)


def entered_since(log: entries.Log, known: entries.Log) -> entries.InForce | None:
    """Return the entry that others made where the sender's belongs: the first in force that it does not know."""
    return next((entry for entry in log.entries if entry.seq > known.seq), None)


def says_same(context: MatchContext, before: entries.Log, theirs: entries.InForce, entered: Submit) -> bool:
    """Return whether another phone's entry is what this one sends.

    In a game without turns only at the same moment, and never for one phone's own two taps: the same card may come twice.
    """
    if not context.log.position.game.turns:
        own = theirs.player is not None and theirs.player == context.person
        if own or (now() - theirs.at).total_seconds() > SAME_MOMENT:
            return False
    return theirs.events == entered.events or (entered.by_app and entries.same_draw(before, entered.events, theirs.events))


def tell_again(context: MatchContext, page: str, earlier: entries.Receipt) -> bool:
    """Say of an entry what was said when it was stored: the reply was lost, and the phone sent it once more.

    Returns False if no entry was sent. Raises IdempotencyConflict if what was sent is not what is stored.
    """
    stored = context.log.written[earlier.seq - 1].events
    outcome = None
    # what phones shared of it is gone: as for a correction, the form brings all of it; or it was one tap that needs none of it
    for replacing, shared in ((stored, False), ((), False), ((), True)):
        page_context = PageContext(
            earlier.before.position,
            replacing=replacing,
            shared=shared,
            form_data=MultiDict(request.form),
            query=request.args,
            viewer=context.viewer,
        )
        try:
            tried = context.screens.pages[page](page_context).outcome()
        except RuleError:
            continue
        if isinstance(tried, Submit):
            outcome = tried
            if tried.events == stored:
                break
    if outcome is None:
        return False
    if outcome.events != stored:
        entries.record(
            context.match.id,
            outcome.events,
            idempotency_key=sent_key(),
            expected_seq=sent_expected_seq(context),
            player=context.by,
            by_app=outcome.by_app,
        )
    undone = next((line.seq for line in context.log.written if line.kind == "undo" and line.of == earlier.seq), None)
    if undone is None or any(entry.seq == earlier.seq for entry in context.log.entries):
        leave_toast(
            context,
            with_totals(context, outcome.message, earlier) if outcome.totals else outcome.message,
            of=earlier.seq,
            sure=1,
        )
    else:
        leave_toast(
            context,
            say("{message}, and undone since", message=as_sentence(outcome.message)),
            label=say("Redo"),
            of=undone,
            sure=1,
        )
    return True
