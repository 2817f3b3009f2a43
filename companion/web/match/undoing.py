"""What does Undo take back, and Redo bring back: the open round's newest step, or an entry?"""

from __future__ import annotations

from flask import redirect, request
from flask.typing import ResponseReturnValue

from companion.engine.text import Part, say
from companion.matches import drafts, entries
from companion.matches.drafts import NotNewest, OtherEntry
from companion.matches.log import cancelled
from companion.screens.interface import as_sentence, named
from companion.web.delivery.toasts import leave_toast
from companion.web.guard.access import players_only
from companion.web.match.again import is_sent_again, known_lines, line_named, tell_line
from companion.web.match.context import MatchContext, load_match, load_match_anew, sent_expected_seq, sent_key
from companion.web.match.news import describe_line, describe_undo, step_name, sure_to_redo, sure_to_undo, to_redo, to_undo
from companion.web.match.page import back_to_match, bp, describe_newest, not_undone, refusal, refused_page
from companion.web.match.rendering import render


@bp.route("/t/<token>/m/<int:number>/undo", methods=["GET", "POST"])
@players_only
def undo(token: str, number: int) -> ResponseReturnValue:
    """Take back the open round's newest step, or an entry, a correction or an undo: the one named, or the newest.

    The form names the line. In a finished match a page shows the result first, and asks.
    """
    context = load_match(token, number)
    if request.method == "GET":
        return sure_page(context, request.args.get("of", type=int))
    if "step" in request.form or "again" in request.form:
        return change_step(context)
    of = request.form.get("of", type=int)
    if is_sent_again():
        return take_back(context, line_named(context, 0))
    if context.closed and "sure" not in request.form:
        return redirect(context.url("undo", of=of), 303)
    return take_back(context, of)


def take_back(context: MatchContext, of: int | None) -> ResponseReturnValue:
    """Take the line out of force that a form names, unless its key meant the newest and something newer is there."""
    earlier = undone_since(context, of)
    if earlier is not None and earlier.key != sent_key():
        leave_toast(context, say("{player} had undone it already", player=named(context.who(earlier.player))))
        return back_to_match(context)
    again = is_sent_again()
    newer = context.shared.newest if "newest" in request.form and earlier is None and not again else None
    if newer is not None:
        return not_undone(context, say("Since then: {newer}.", newer=as_sentence(step_name(newer))))
    try:
        receipt = entries.undo(
            context.match.id,
            of,
            idempotency_key=sent_key(),
            expected_seq=sent_expected_seq(context),
            after=known_lines(context),
            player=context.by,
            as_newest=again or meant_newest(context, of),
            judged=entries.Judged(context.log.seq, context.shared),
        )
    except entries.Overtaken:
        return take_back(load_match_anew(context), of)
    except entries.Conflict as conflict:
        context = MatchContext(context.access, context.match, conflict.log, context.screens)
        return not_undone(context, say("{what} meanwhile.", what=describe_newest(context)))
    except entries.EntryRejected as refused:
        return refused_page(context, refusal(context, refused), 422)
    except entries.NotFound:
        return refused_page(context, say("There is nothing to undo."), 422)
    tell_line(receipt.after, receipt.seq)
    leave_undone(context, receipt)
    return back_to_match(context)


def meant_newest(context: MatchContext, of: int | None) -> bool:
    """Return True for the keys Undo and Redo, which offer the newest; False for Remove, on the page of the entry itself."""
    redoes = of is not None and 0 < of <= context.log.seq and context.log.written[of - 1].kind == "undo"
    return redoes or bool({"newest", "sure"} & request.form.keys())


def change_step(context: MatchContext) -> ResponseReturnValue:
    """Take back the step that the form names, or do it again, if it is still the newest; one that is gone already is done."""
    head = request.form.get("head", 0, type=int)
    back, again = request.form.get("step", ""), request.form.get("again", "")
    try:
        if back:
            step = entries.undo_step(context.match.id, back, after=head, player=context.by)
            leave_toast(
                context, say("Undone: {step}", step=as_sentence(step_name(step))), label=say("Redo"), again=step.id, head=head
            )
        else:
            step = entries.redo_step(context.match.id, again, after=head)
            leave_toast(context, say("Back again: {step}", step=as_sentence(step_name(step))), step=step.id, head=head)
    except OtherEntry:
        return not_undone(
            load_match_anew(context),
            say("{what} meanwhile.", what=describe_newest(context)),
        )
    except NotNewest as other:
        shared = drafts.shared(context.match.id, head)
        if back not in {step.id for step in shared.done} and again not in {step.id for step in shared.undone}:
            return back_to_match(context)  # another phone did it, or this one by a first tap
        since = say("Since then: {newer}.", newer=as_sentence(step_name(other.newest))) if other.newest else ""
        return not_undone(context, since)
    page = request.form.get("page")
    return redirect(context.url("enter", page=page), 303) if page in context.screens.pages else back_to_match(context)


def undone_since(context: MatchContext, of: int | None) -> entries.Written | None:
    """Return the undo of this line that counts and that the phone has not seen: another's, or its own unanswered one."""
    gone = cancelled(context.log.written)
    for line in context.log.written[max(sent_expected_seq(context), 0) :]:
        if line.kind == "undo" and line.of == of and line.seq not in gone:
            return line
    return None


def leave_undone(context: MatchContext, receipt: entries.Receipt) -> None:
    """Say what an undo took back or brought back, with the totals if that changed them, and offer the contrary."""
    before, after = receipt.before, receipt.after
    line = after.written[receipt.seq - 1]
    if after.is_remark(line):
        leave_toast(context, describe_line(context.screens, after, line), of=line.seq, sure=1)
        return
    totals = context.screens.summary(after.standing)
    parts: dict[str, Part] = {"totals": as_sentence(totals)} if totals != context.screens.summary(before.standing) else {}
    name, brings_back = describe_undo(context.screens, before, after, line)
    if brings_back:
        back = say("{entry:C} is back ({totals})", entry=name, **parts) if parts else say("{entry:C} is back", entry=name)
        leave_toast(context, back, of=line.seq, sure=1)
    else:
        undone = say("{entry:C} undone ({totals})", entry=name, **parts) if parts else say("{entry:C} undone", entry=name)
        leave_toast(context, undone, label=say("Redo"), of=line.seq, sure=1)


def sure_page(context: MatchContext, of: int | None) -> ResponseReturnValue:
    """Ask before an undo in a finished match, with the result that it would have."""
    try:
        after = entries.preview_undo(context.match.id, of)
    except entries.EntryRejected as refused:
        return refused_page(context, refusal(context, refused), 422)
    except entries.NotFound:
        return refused_page(context, say("There is nothing to undo."), 422)
    name, brings_back = describe_undo(context.screens, context.log, after, after.written[-1])
    standing = context.screens.summary(after.standing)
    goes_on = context.log.position.finished and not after.position.finished
    return render(
        context,
        "match/undo.html",
        of=after.written[-1].of,
        question=sure_to_redo(name) if brings_back else sure_to_undo(name),
        label=to_redo(name) if brings_back else to_undo(name),
        outcome=say("Match {n} goes on again: {scores}.", n=context.match.number, scores=as_sentence(standing))
        if goes_on
        else say("Match {n} then stands at: {scores}.", n=context.match.number, scores=as_sentence(standing)),
    )
