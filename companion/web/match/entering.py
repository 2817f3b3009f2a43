"""How does what was typed on a page become an entry, a shared draft, or the page again with the reason why not?"""

from __future__ import annotations

from typing import Any

from flask import abort, redirect, request
from flask.typing import ResponseReturnValue

from companion.engine.core import RuleError
from companion.engine.text import say
from companion.matches import arriving, entries, fairness
from companion.matches.drafts import OtherEntry
from companion.screens.interface import (
    Faster,
    PreviewDraw,
    Rerender,
    Submit,
    UpdateDraft,
    as_sentence,
    named,
    with_capital,
)
from companion.web.delivery.toasts import leave_toast, with_totals
from companion.web.guard.access import players_only
from companion.web.match.again import tell_line
from companion.web.match.conflicts import choose
from companion.web.match.context import (
    MatchContext,
    load_match,
    page_of,
    sent_after,
    sent_expected_seq,
    sent_key,
)
from companion.web.match.news import MatchOnPage
from companion.web.match.page import back_to_match, bp, describe_newest, match_page
from companion.web.match.rendering import render, shared_page


@bp.route("/t/<token>/m/<int:number>/<page>", methods=["GET", "POST"])
@players_only
def enter(token: str, number: int, page: str) -> ResponseReturnValue:
    """Show a page on which something is entered: asked first, then kept as a draft or stored."""
    context = load_match(token, number)
    if page not in context.screens.pages:
        abort(404)
    if request.method == "POST":
        return carry_out(context, page)

    def values(visit: MatchContext) -> dict[str, Any]:
        form = page_of(visit, page)
        return {"form": form.view(), "page": page, "action": visit.url("enter", page=page)}

    form = page_of(context, page)
    if (context.log.position.finished and not form.after_the_end) or page == context.screens.main:
        return redirect(context.address, 303)
    template = form.template
    if request.args:
        return render(context, template, **values(context))
    return shared_page(context, template, values, alike=False)


def carry_out(context: MatchContext, page: str) -> ResponseReturnValue:
    """Do what was asked on a page, or show the page again with the reason why not and what was typed.

    A phone that does not know the newest line means the match as it knows it: that is where its form is read. Where something
    changes between this look at the match and the moment of storing, nothing is stored, and it is judged anew.
    """
    place = place_of_sender(context)
    if not request.form.get("ask"):  # that saves nothing
        earlier = arriving.find_receipt(context.log, place.sent)
        answer = None if earlier is None else repeat(context, page, place.sent, earlier)
        if answer is not None:
            return answer
    read = context if place.meant is context.log else with_log(context, place.meant)
    form = page_of(read, page)

    def again(status: int, *, unseen: bool = False) -> ResponseReturnValue:
        if page == context.screens.main:
            return match_page(read, form=form.view()), status
        since = describe_newest(context) if read is not context or place.only_corrected else ""
        action = context.url("enter", page=page)
        page_html = render(read, form.template, form=form.view(), page=page, action=action, since=since, unseen=unseen)
        return page_html, status

    try:
        match form.outcome():
            case Rerender(wrong):
                return again(422 if wrong else 200)
            case UpdateDraft() | PreviewDraw() as late if place.known.head != context.log.head and not _in_any_order(
                context, late
            ):
                leave_toast(context, say("{what} meanwhile. Your tap wasn’t saved", what=describe_newest(context)))
                return back_to_match(context)
            case UpdateDraft(change, following, query, stay, step):
                entries.change_draft(
                    context.match.id, change, step=step, player=context.by, after=context.log.head, judged=read.shared
                )
                if stay:
                    read = with_log(context, context.log)
                    form = page_of(read, page)
                    return again(200)
                return redirect(context.url("enter", page=following, **query), 303) if following else back_to_match(context)
            case PreviewDraw(event, show_drawn, following, step, before):
                seen = context.log.seq
                fairness.look(
                    context.match.id,
                    event,
                    show_drawn,
                    before=before,
                    expected_seq=seen,
                    step=step,
                    player=context.by,
                    judged=read.shared,
                )
                return redirect(context.url("enter", page=following), 303)
            case Submit() if place.only_corrected and not has_seen(context):
                return again(422, unseen=True)
            case Submit() as entered:
                try:
                    return save(context, place, entered, entries.Judged(context.log.seq, read.shared))
                except entries.IdempotencyConflict as reused:
                    return sent_before(context, entered, reused)
    except entries.Overtaken:
        return carry_out(as_it_stands(context), page)
    except (OtherEntry, entries.Conflict):
        return back_to_match(context)  # saved at this very moment: the match's page tells it
    except entries.EntryRejected as refused:
        form.refuse(refused.error.message, refused.error.field)
        return again(424 if isinstance(refused, entries.OutOfOrder) else 422)  # the phone sends it once more after the other
    except Faster as faster:
        return too_late(context, faster)
    except RuleError as refused:
        form.refuse(refused.message, refused.field)
        return again(422)


def _in_any_order(context: MatchContext, step: UpdateDraft | PreviewDraw) -> bool:
    """Return whether a step belongs to the newest entry too: cells that are shared, where each fills their own."""
    return isinstance(step, UpdateDraft) and step.stay and not context.log.position.turns


def too_late(context: MatchContext, faster: Faster) -> ResponseReturnValue:
    """Lead back to the match, saying who was faster at what phones share, and what they did. Nothing was changed."""
    present = as_it_stands(context)
    step = present.shared.newest
    if faster.same and step is not None:
        if present.person is None or present.person != step.player:  # else its own tap, sent once more
            leave_toast(context, say("{player} had it already", player=named(present.who(step.player))))
    else:
        leave_toast(context, MatchOnPage.of(present).faster if step or present.shared.taken_back else faster.message)
    return redirect(context.url("enter", page=faster.following), 303) if faster.following else back_to_match(context)


def has_seen(context: MatchContext) -> bool:
    """Return False if the form says that its totals are older than the newest line. A form that shows none says nothing."""
    seen = request.form.get("seen", "")
    return not seen or seen == str(context.log.seq)


def as_it_stands(context: MatchContext) -> MatchContext:
    """Return the same visit with what others have changed at this very moment."""
    return with_log(context, entries.read(context.match.id))


def with_log(context: MatchContext, log: entries.Log) -> MatchContext:
    """Return the same visit where the match's log stands like this."""
    return MatchContext(context.access, context.match, log, context.screens)


def place_of_sender(context: MatchContext) -> arriving.Place:
    """Return where the entry belongs that a form sends, from what its phone had seen and entered before."""
    sent = arriving.Sent(sent_key(), sent_expected_seq(context), sent_after(), again="again" in request.form)
    return arriving.place(context.log, sent)


def save(context: MatchContext, place: arriving.Place, entered: Submit, judged: entries.Judged) -> ResponseReturnValue:
    """Enter what was typed, and say what became of it. Where others entered something else, people look at both and choose.

    Raises Overtaken where what it was ``judged`` by has changed.
    """
    arrival = arriving.enter(
        place,
        entered.events,
        player=context.by,
        judged=judged,
        by_app=entered.by_app,
        only_at_once=bool(entered.now),
    )
    match arrival:
        case arriving.Stored(receipt):
            if entered.keep is not None:
                entries.change_draft(context.match.id, entered.keep, player=context.by)
            tell_line(receipt.after, receipt.seq)
            leave_toast(context, of_entry(context, entered, receipt), of=receipt.seq, sure=1)
        case arriving.Same(theirs, by_sender=True):
            leave_toast(context, say("You already sent {entry}", entry=context.name_of(theirs)))
        case arriving.Same(theirs):
            leave_toast(context, say("{player} had it already", player=named(context.who(theirs.player))))
        case arriving.Different(theirs):
            return choose(context, theirs, entered, place.sent.key)
        case arriving.TooLate(newest):
            who = named(context.who(newest.player))
            raise RuleError(say("{player} was faster. {now}", player=who, now=with_capital(entered.now)))
    return back_to_match(context)


def repeat(context: MatchContext, page: str, sent: arriving.Sent, earlier: entries.Receipt) -> ResponseReturnValue | None:
    """Say of an entry what was said when it was stored: the reply was lost, and the phone sent it once more.

    Its form is read at the same position again, with the draft that belongs there. Returns None if it is no entry.
    """
    try:
        entered = page_of(with_log(context, earlier.before), page).outcome()
    except RuleError:
        return None
    if not isinstance(entered, Submit):
        return None
    try:
        arriving.check_again(earlier, sent, entered.events, by_app=entered.by_app)
    except entries.IdempotencyConflict as reused:
        return sent_before(context, entered, reused)
    undo = arriving.undone_by(context.log, earlier)
    if earlier.by_alias:
        who = named(context.who(earlier.after.written[-1].player))
        leave_toast(context, say("{player} had it already", player=who))
    elif undo is None:
        leave_toast(context, of_entry(context, entered, earlier), of=earlier.seq, sure=1)
    else:
        message = say("{message}, and undone since", message=as_sentence(entered.message))
        leave_toast(context, message, label=say("Redo"), of=undo, sure=1)
    return back_to_match(context)


def sent_before(context: MatchContext, entered: Submit, reused: entries.IdempotencyConflict) -> ResponseReturnValue:
    """Show what was saved when a form was sent before, beside the other thing that it says now."""
    stored = next((entry for entry in reused.log.entries if reused.seq in {entry.seq, entry.touched}), None)
    return choose(with_log(context, reused.log), stored, entered)


def of_entry(context: MatchContext, entered: Submit, receipt: entries.Receipt) -> str:
    """Return what is said of a stored entry, with the totals if it changed them."""
    return with_totals(context, entered.message, receipt) if entered.totals else entered.message
