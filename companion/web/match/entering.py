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
from companion.matches.late import is_at_once
from companion.screens.page import (
    Faster,
    PageContext,
    PreviewDraw,
    Rerender,
    ScreenPage,
    Submit,
    UpdateDraft,
    as_sentence,
    named,
    with_capital,
)
from companion.storage.models import now
from companion.web.delivery.toasts import leave_toast, with_totals
from companion.web.guard.access import players_only
from companion.web.match.conflicts import choose
from companion.web.match.context import (
    MatchContext,
    load_match,
    render,
    sent_after,
    sent_expected_seq,
    sent_field,
    sent_key,
    shared_page,
)
from companion.web.match.page import back_to_match, bp, describe_newest, match_page, page_context


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

    def values(visit: MatchContext) -> dict[str, Any]:
        form_page = context.screens.pages[page](page_context(visit))
        return {"form": form_page.view(), "page": page, "action": visit.url("enter", page=page)}

    if request.args:
        return render(context, form.template, **values(context))
    return shared_page(context, form.template, values, alike=False)


def carry_out(context: MatchContext, form: ScreenPage[Any], page: str) -> ResponseReturnValue:
    """Do what was asked on a page, or show the page again with the reason why not and what was typed.

    A phone that does not know the newest line means the match as it knows it: that is where its form is read. Except in games
    without turns, where everything is about what lies there now, and where others only corrected something: that counts for
    what is typed, too. Where something changes between this look at the match and the moment of storing, nothing is stored,
    and it is judged anew.
    """
    place = place_of_sender(context)
    log_seen = place.known
    corrected = log_seen is not context.log and log_seen.head == context.log.head
    as_known = context.log.position.game.turns and log_seen is not context.log and not corrected
    read = with_log(context, log_seen) if as_known else context
    if read is not context:
        form = context.screens.pages[page](page_context(read))

    def again(status: int, *, unseen: bool = False) -> ResponseReturnValue:
        if page == context.screens.main:
            return match_page(read, form=form.view()), status
        since = describe_newest(context) if read is not context or corrected else ""
        action = context.url("enter", page=page)
        page_html = render(read, form.template, form=form.view(), page=page, action=action, since=since, unseen=unseen)
        return page_html, status

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
            case UpdateDraft() | PreviewDraw() if log_seen.head != context.log.head:
                leave_toast(context, say("{what} meanwhile. Your tap wasn't saved", what=describe_newest(context)))
                return back_to_match(context)
            case UpdateDraft(change, following, query, stay, what):
                entries.change_draft(
                    context.match.id, change, what=what, player=context.by, after=context.log.head, judged=read.shared
                )
                if stay:
                    context = read = MatchContext(context.access, context.match, context.log, context.screens)
                    form = context.screens.pages[page](page_context(context))
                    return again(200)
                return redirect(context.url("enter", page=following, **query), 303) if following else back_to_match(context)
            case PreviewDraw(event, show_drawn, following, what, before):
                seen = context.log.seq
                fairness.look(
                    context.match.id,
                    event,
                    show_drawn,
                    before=before,
                    expected_seq=seen,
                    what=what,
                    player=context.by,
                    judged=read.shared,
                )
                return redirect(context.url("enter", page=following), 303)
            case Submit() if corrected and not has_seen(context):
                return again(422, unseen=True)
            case Submit() as entered:
                return save(context, place, entered, entries.Judged(context.log.seq, read.shared))
    except entries.Overtaken:
        here = as_it_stands(context)
        return carry_out(here, here.screens.pages[page](page_context(here)), page)
    except entries.IdempotencyConflict as reused:
        return sent_before(context, page, reused)
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


def too_late(context: MatchContext, faster: Faster) -> ResponseReturnValue:
    """Lead back to the match, saying who was faster at what phones share, and what they did. Nothing was changed."""
    present = as_it_stands(context)
    step = present.shared.newest
    if faster.same and step is not None:
        if present.person is None or present.person != step.player:  # else its own tap, sent once more
            leave_toast(context, say("{player} had it already", player=named(present.who(step.player))))
    else:
        leave_toast(context, present.faster if step or present.shared.taken_back else faster.message)
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


def place_of_sender(context: MatchContext) -> entries.Place:
    """Return where the entry belongs that a form sends, from what its phone had seen and entered before."""
    return entries.place(context.log, entries.Sent(sent_key(), sent_expected_seq(context), sent_after()))


def save(context: MatchContext, place: entries.Place, entered: Submit, judged: entries.Judged) -> ResponseReturnValue:
    """Enter what was typed. What another phone entered in its place meanwhile counts as done if it says the same.

    Where it says something else, people look at both and choose. Raises Overtaken where what it was ``judged`` by has changed.
    """
    expected_seq, log, game = sent_expected_seq(context), context.log, context.log.position.game
    theirs = counterpart(context, place, entered)
    if place.is_open and theirs is None:
        raise entries.OutOfOrder
    if theirs is not None and says_same(context, place, theirs, entered):
        entries.same(context.match.id, sent_key(), theirs.touched)
        leave_toast(context, say("{player} had it already", player=named(context.who(theirs.player))))
        return back_to_match(context)
    if entered.now and place.known is not log:
        newest = next(line for line in reversed(log.written) if line.key not in sent_after())
        raise RuleError(
            say("{player} was faster. {now}", player=named(context.who(newest.player)), now=with_capital(entered.now))
        )
    if theirs is not None and not game.turns:
        return choose(context, theirs, entered, sent_key())
    if game.turns:
        if log.head != place.known.head:
            return choose(context, theirs, entered, sent_key())
        expected_seq = log.seq  # only what it knows came since, and corrections: they are not in its way
    try:
        receipt = entries.record(
            context.match.id,
            entered.events,
            idempotency_key=sent_key(),
            expected_seq=expected_seq,
            player=context.by,
            by_app=entered.by_app,
            judged=judged,
        )
    except entries.IdempotencyConflict:
        raise
    except entries.Conflict as conflict:
        if conflict.error is None:
            raise
        other = place_of_sender(context).counterpart
        if other is not None and other.player == context.person is not None and other.events == entered.events:
            entries.same(context.match.id, sent_key(), other.touched)
            leave_toast(context, say("You already sent {entry}", entry=as_sentence(context.screens.name(other, context.sides))))
            return back_to_match(context)
        raise conflict.error from conflict  # without turns it is about what lies there now, and what was typed stays
    toast = with_totals(context, entered.message, receipt) if entered.totals else entered.message
    leave_toast(context, toast, of=receipt.seq, sure=1)
    return back_to_match(context)


def counterpart(context: MatchContext, place: entries.Place, entered: Submit) -> entries.InForce | None:
    """Return the entry of others with which this one is compared.

    Without turns that is one that says the same, for the same card may come twice; never one from this phone's own player.
    """
    if context.log.position.game.turns:
        return place.counterpart
    others = (theirs for theirs in place.theirs if theirs.player is None or theirs.player != context.person)
    return next((theirs for theirs in others if theirs.events == entered.events), None)


def says_same(context: MatchContext, place: entries.Place, theirs: entries.InForce, entered: Submit) -> bool:
    """Return whether another phone's entry is what this one sends.

    In a game without turns only at the same moment, or where both phones entered the same before it, too: the same card may
    come twice, so otherwise people are asked.
    """
    if context.log.position.game.turns:
        before = context.log.as_of(theirs.seq - 1)
        return theirs.events == entered.events or (entered.by_app and entries.same_draw(before, entered.events, theirs.events))
    return is_at_once(theirs, now()) or (place.follows_theirs and theirs == place.counterpart)


def sent_before(context: MatchContext, page: str, reused: entries.IdempotencyConflict) -> ResponseReturnValue:
    """Show what was saved when a form was sent before, beside the other thing that it says now."""
    context = with_log(context, reused.log)
    before = with_log(context, reused.log.as_of(reused.seq - 1))
    outcome = context.screens.pages[page](page_context(before)).outcome()
    stored = next((entry for entry in reused.log.entries if reused.seq in {entry.seq, entry.touched}), None)
    return choose(context, stored, outcome) if isinstance(outcome, Submit) else back_to_match(context)


def tell_again(context: MatchContext, page: str, earlier: entries.Receipt) -> bool:
    """Say of an entry what was said when it was stored: the reply was lost, and the phone sent it once more.

    Returns False if no entry was sent. Raises IdempotencyConflict if what was sent is not what is stored.
    """
    line = context.log.written[earlier.seq - 1]
    stored = line.events
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
    if earlier.by_alias:
        leave_toast(context, say("{player} had it already", player=named(context.who(line.player))))
        return True
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
