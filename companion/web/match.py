"""A match on the phones: what it shows, what is entered, undone and corrected. No game is known here by name."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import msgspec
from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    make_response,
    redirect,
    request,
    url_for,
)
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from companion.engine.core import Event, RuleError, Sentence, Stop
from companion.engine.records import RecordError, decode_event, encode_event
from companion.engine.text import join_names
from companion.matches import drafts, entries, fairness
from companion.matches.drafts import NotNewest, OtherEntry
from companion.matches.log import cancelled, replay_entry
from companion.screens.page import Page, PageContext, PreviewDraw, Rerender, Submit, UpdateDraft, view_of, with_capital
from companion.storage import notifications
from companion.storage.models import now
from companion.tables import results
from companion.web import sides
from companion.web.access import players_only
from companion.web.ending import ending
from companion.web.match_context import (
    MatchContext,
    leave_toast,
    load_match,
    render,
    sent_after,
    sent_expected_seq,
    sent_field,
    sent_key,
    toast_waits,
    with_totals,
)
from companion.web.news import describe_line, describe_undo, step_name, to
from companion.web.short_names import short_name

SAME_MOMENT = 5  # seconds in which two phones that enter the same mean the same card

bp = Blueprint("match", __name__)
bp.add_app_template_global(sides.shown_side)
bp.add_app_template_global(sides.as_shown)
bp.add_app_template_filter(short_name)


@bp.get("/t/<token>/m/<int:number>")
def show_match(token: str, number: int) -> ResponseReturnValue:
    """The match as it stands. Answers 304 while nothing that it shows has changed."""
    context = load_match(token, number)
    if toast_waits():
        return match_page(context)  # without a tag: the browser would keep it, and say once more what was said
    phones = notifications.phones(context.access.row.id)
    build, theme = current_app.config["BUILD_ID"], request.cookies.get("theme", "")
    access = context.access
    shown = f"{build} {access.row.seq} {context.log.seq} {phones} {access.name} {access.phone} {theme} {context.next_match}"
    tag = hashlib.blake2b(shown.encode(), digest_size=12).hexdigest()
    if request.if_none_match.contains_weak(tag):
        return Response(status=304)
    response = make_response(match_page(context))
    response.set_etag(tag, weak=True)
    return response


def match_page(context: MatchContext, **values: Any) -> str:
    """The match's own page, with the form that belongs on it if its game has one there."""
    main = context.screens.main
    form = context.screens.pages[main](page_context(context)) if main else None
    action = context.url("enter", page=main) if main else None
    template = f"games/{context.match.game}/match.html"
    values = {
        "form": None if form is None else view_of(form),
        "page": main,
        "action": action,
        "board": context.board,
        "draft": context.draft,
        "ending": ending(context),
        "not_done": "Not done",
        **values,
    }
    return render(context, template, **values)


def page_context(context: MatchContext) -> PageContext:
    """What a page needs to know of this match to be filled in."""
    return PageContext(
        position=context.log.position,
        draft=context.draft,
        shared=True,
        form_data=request.form if request.method == "POST" and request.endpoint == "match.enter" else None,
        query=request.args,
        viewer=context.viewer,
    )


@bp.route("/t/<token>/m/<int:number>/<page>", methods=["GET", "POST"])
@players_only
def enter(token: str, number: int, page: str) -> ResponseReturnValue:
    """A page on which something is entered: asked first, then kept as a draft or stored."""
    context = load_match(token, number)
    if page not in context.screens.pages:
        abort(404)
    form = context.screens.pages[page](page_context(context))
    if request.method == "GET":
        if context.log.position.finished or page == context.screens.main:
            return redirect(context.address, 303)
        return render(context, form.template, form=view_of(form), page=page, action=context.url("enter", page=page))
    return carry_out(context, form, page)


def carry_out(context: MatchContext, form: Page, page: str) -> ResponseReturnValue:
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
            return match_page(read, form=view_of(form)), status
        since = describe_newest(context) if read is not context else ""
        action = context.url("enter", page=page)
        return render(read, form.template, form=view_of(form), page=page, action=action, since=since), status

    asks = bool(request.form.get("ask"))  # and saves nothing
    out_of_date = sent_expected_seq(context) < context.log.seq
    is_again = out_of_date and not asks and sent_field("idempotency_key")
    earlier = entries.find_receipt(context.match.id, sent_key()) if is_again else None
    try:
        if earlier is not None and tell_again(context, page, earlier):
            return redirect(context.address, 303)
        match form.outcome():
            case Rerender(wrong):
                return again(422 if wrong else 200)
            case UpdateDraft() | PreviewDraw() if known.log.head != context.log.head:
                leave_toast(context, f"{describe_newest(context)} meanwhile. Your tap was not kept")
                return redirect(context.address, 303)
            case UpdateDraft(change, following, query, stay, what):
                entries.change_draft(context.match.id, change, what=what, player=context.viewer, after=context.log.head)
                if stay:
                    context = read = MatchContext(context.access, context.match, context.log, context.screens)
                    form = context.screens.pages[page](page_context(context))
                    return again(200)
                return redirect(context.url("enter", page=following, **query) if following else context.address, 303)
            case PreviewDraw(event, show_drawn, following, what):
                fairness.look(
                    context.match.id, event, show_drawn, expected_seq=context.log.seq, what=what, player=context.viewer
                )
                return redirect(context.url("enter", page=following), 303)
            case Submit() as entered:
                return save(context, known, entered)
    except entries.IdempotencyConflict as reused:
        return sent_before(context, page, reused)
    except (OtherEntry, entries.Conflict):
        return redirect(context.address, 303)  # saved at this very moment: the match's page tells it
    except entries.EntryRejected as refused:
        form.refuse(refused.error.message, refused.error.field)
        return again(422)
    except RuleError as refused:
        form.refuse(refused.message, refused.field)
        return again(422)


def known_to_sender(context: MatchContext) -> MatchContext:
    """The match as the phone knows it that sent the form: without what others entered since."""
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
            leave_toast(context, f"{context.who(theirs.player)} had it already")
            return redirect(context.address, 303)
        if log.position.game.turns and log.head != known.log.head:
            return choose(context, theirs, entered)
        expected_seq = (
            log.seq if log.position.game.turns else expected_seq
        )  # only corrections came since: they are not in its way
    enter_them = entries.draw if entered.by_app else entries.record
    try:
        receipt = enter_them(
            context.match.id,
            entered.events,
            idempotency_key=sent_key(),
            expected_seq=expected_seq,
            after=sent_after(),
            player=context.viewer,
        )
    except entries.IdempotencyConflict:
        raise
    except entries.Conflict as conflict:
        context = MatchContext(context.access, context.match, conflict.log, context.screens)
        if conflict.error is None:  # entered at this very moment
            return save(context, known_to_sender(context), entered)
        theirs = entered_since(context.log, known_to_sender(context).log)
        if theirs is not None and theirs.player == context.viewer is not None and theirs.events == entered.events:
            leave_toast(context, f"You already sent {context.screens.name(theirs, context.sides)}")
            return redirect(context.address, 303)
        raise conflict.error from conflict  # without turns it is about what lies there now, and what was typed stays
    said = with_totals(context, entered.message, receipt) if entered.totals else entered.message
    leave_toast(context, said, of=receipt.seq, sure=1)
    return redirect(context.address, 303)


def sent_before(context: MatchContext, page: str, reused: entries.IdempotencyConflict) -> ResponseReturnValue:
    """A form that was sent before with something else in it: people look at what was saved then, and at this."""
    context = MatchContext(context.access, context.match, reused.log, context.screens)
    before = MatchContext(context.access, context.match, reused.log.as_of(reused.seq - 1), context.screens)
    outcome = context.screens.pages[page](page_context(before)).outcome()
    stored = next((one for one in reused.log.entries if one.seq == reused.seq), None)
    return choose(context, stored, outcome) if isinstance(outcome, Submit) else redirect(context.address, 303)


def entered_since(log: entries.Log, known: entries.Log) -> entries.InForce | None:
    """The entry that others made where the sender's belongs: the first in force that it does not know."""
    return next((entry for entry in log.entries if entry.seq > known.seq), None)


def says_same(context: MatchContext, before: entries.Log, theirs: entries.InForce, entered: Submit) -> bool:
    """Whether another phone's entry is what this one sends.

    In a game without turns only at the same moment, and never for one phone's own two taps: the same card may come twice.
    """
    if not context.log.position.game.turns:
        own = theirs.player is not None and theirs.player == context.viewer
        if own or (now() - theirs.at).total_seconds() > SAME_MOMENT:
            return False
    return theirs.events == entered.events or (entered.by_app and entries.same_draw(before, entered.events, theirs.events))


def choose(context: MatchContext, theirs: entries.InForce | None, entered: Submit) -> ResponseReturnValue:
    """Both entries beside each other, with what each means, and what to do about it; nothing was stored."""
    mine = None if theirs is None or entered.by_app else as_entry(context, theirs, entered.events)
    if theirs is None or mine is None:
        leave_toast(context, f"Not saved: {describe_newest(context)} meanwhile")
        return redirect(context.address, 303)
    return conflict_page(context, theirs, mine), 409


def as_entry(context: MatchContext, theirs: entries.InForce, events: tuple[Event, ...]) -> entries.InForce | None:
    """What was typed as an entry in the place of another's, or None where the rules forbid it there."""
    line = entries.Written(theirs.seq, "", context.viewer, theirs.at, "events", None, events)
    try:
        return replay_entry(theirs.before, line, None)
    except entries.EntryRejected:
        return None


def conflict_page(context: MatchContext, theirs: entries.InForce, mine: entries.InForce) -> str:
    """Theirs left, mine right. A number is shown where the two differ in it, else both in words."""
    values = [context.screens.value(entry, context.sides) for entry in (theirs, mine)]
    numbers = values[0].number != values[1].number
    return render(
        context,
        "match/conflict.html",
        name=with_capital(context.screens.name(theirs, context.sides)),
        who=context.who(theirs.player if theirs.correction is None else theirs.correction.player),
        values=values,
        numbers=numbers,
        standings=[entry.after.standing() for entry in (theirs, mine)],
        theirs=theirs,
        after=name_after(context, mine),
        events=msgspec.json.encode([encode_event(event) for event in mine.events]).decode(),
    )


def name_after(context: MatchContext, mine: entries.InForce) -> str:
    """What the typed entry would be called after all others, empty where the rules forbid it there: both may be right."""
    line = entries.Written(context.log.seq + 1, "", context.viewer, mine.at, "events", None, mine.events)
    try:
        return context.screens.name(replay_entry(context.log.position, line, None), context.sides)
    except entries.EntryRejected:
        return ""


@bp.post("/t/<token>/m/<int:number>/entries/<int:seq>/instead")
@players_only
def instead(token: str, number: int, seq: int) -> ResponseReturnValue:
    """Put what this phone typed in the place of another's entry, or after all, as people chose when they saw both."""
    context = load_match(token, number)
    game = context.log.position.game
    try:
        given = msgspec.json.decode(request.form.get("events", "").encode(), type=list[dict[str, Any]])
        events = tuple(decode_event(game, event) for event in given)
    except (msgspec.MsgspecError, RecordError):
        abort(422, "This form has expired. Look at the match again.")
    try:
        if "both" in request.form:
            return save(context, known_to_sender(context), Submit(events, "Saved"))
        return put_right(context, entry_of(context, seq), events)
    except entries.IdempotencyConflict:
        return redirect(context.address, 303)  # by a first tap
    except entries.EntryRejected as refused:
        return refused_page(context, refusal(context, refused), 422, title="Not saved")


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
        enter_them = entries.draw if outcome.by_app else entries.record
        enter_them(
            context.match.id,
            outcome.events,
            idempotency_key=sent_key(),
            expected_seq=sent_expected_seq(context),
            player=context.viewer,
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
        leave_toast(context, f"{outcome.message}, and undone since", label="Redo", of=undone, sure=1)
    return True


def entry_of(context: MatchContext, seq: int) -> entries.InForce:
    """The entry in force with this number, or 404."""
    try:
        return context.log.entry(seq)
    except entries.NotFound:
        abort(404, "This entry is no longer there: it has been undone.")


def refusal(context: MatchContext, refused: entries.EntryRejected) -> Sentence:
    """Why it can't be; where an entry that comes later forbids it, also which one that is, and the way out."""
    for entry in context.log.entries:
        if entry.seq == refused.of:
            name = context.screens.name(entry, context.sides)
            way_out = f"Undo {name} first." if entry.seq == context.log.head else f"Correct {name} first, or undo back to it."
            return Sentence(f"Then {name} no longer fits: {refused.error.message} {way_out}", refused.error.rule)
    return refused.sentence


@bp.route("/t/<token>/m/<int:number>/entries/<int:seq>", methods=["GET", "POST"])
@players_only
def correct(token: str, number: int, seq: int) -> ResponseReturnValue:
    """Correct an entry, however old. Before saving, every total that changes is shown."""
    context = load_match(token, number)
    entry = entry_of(context, seq)
    form = context.screens.correction_page(
        PageContext(
            position=entry.before,
            replacing=entry.events,
            later=tuple(event for later in context.log.entries if later.seq > seq for event in later.events),
            form_data=request.form if request.method == "POST" else None,
            query=request.args,
            viewer=context.viewer,
        )
    )

    def again(status: int) -> ResponseReturnValue:
        changed: tuple[Changed, ...] = ()
        ready = form.ready() if request.method == "POST" else None
        if ready is not None:
            try:
                changed = changes(context, entries.preview_correction(context.match.id, seq, ready))
            except entries.EntryRejected as refused:
                form.refuse(refusal(context, refused), refused.error.field if refused.of is None else "")
        page = render(
            context,
            form.template,
            form=view_of(form),
            page=None,
            entry=entry,
            description=context.screens.describe_entry(entry, context.sides),
            changed=changed,
            action=context.url("correct", seq=seq),
        )
        return page, status

    if request.method == "GET":
        return again(200)
    try:
        outcome = form.outcome()
        if not isinstance(outcome, Submit):
            return again(422 if isinstance(outcome, Rerender) and outcome.wrong else 200)
        return put_right(context, entry, outcome.events)
    except entries.EntryRejected as refused:
        form.refuse(refusal(context, refused), refused.error.field if refused.of is None else "")
        return again(422)
    except RuleError as refused:
        form.refuse(refused.message, refused.field)
        return again(422)


def put_right(context: MatchContext, entry: entries.InForce, events: tuple[Event, ...]) -> ResponseReturnValue:
    """Correct an entry. Where another phone corrected the same one meanwhile, people look at both, unless they agree."""
    by = touched_since(context, entry)
    if by is not None and entry.events == events:
        leave_toast(context, f"{context.who(by.player)} had it already")
        return redirect(context.address, 303)
    if by is not None:
        mine = as_entry(context, entry, events)
        return (
            (conflict_page(context, entry, mine), 409)
            if mine
            else not_undone(context, f"{describe_newest(context)} meanwhile.")
        )
    name = with_capital(context.screens.name(entry, context.sides))
    try:
        receipt = entries.correct(
            context.match.id, entry.seq, events, idempotency_key=sent_key(), expected_seq=context.log.seq, player=context.viewer
        )
    except entries.IdempotencyConflict:
        return not_undone(context, "This form was sent before, with something else in it.")
    except entries.Conflict as conflict:  # entered at this very moment
        context = MatchContext(context.access, context.match, conflict.log, context.screens)
        return put_right(context, entry_of(context, entry.seq), events)
    leave_toast(context, with_totals(context, f"{name} corrected", receipt), of=receipt.seq, sure=1)
    return redirect(context.address, 303)


def touched_since(context: MatchContext, entry: entries.InForce) -> entries.Written | None:
    """The correction by which the entry says something else than the phone knows; what others did elsewhere is none."""
    line = entry.correction
    return line if line is not None and line.seq > sent_expected_seq(context) and line.key != sent_key() else None


@dataclass(frozen=True, slots=True)
class Changed:
    """What a game compares ``after`` one entry or round, usually the totals: as it is, and as it would become."""

    after: int | str
    old: tuple[int | str | None, ...]
    new: tuple[int | str | None, ...]


def changes(context: MatchContext, new: entries.Log) -> tuple[Changed, ...]:
    """What a correction changes, oldest first, each after what the game calls the entry: by itself its number from 1."""
    corrected_values = context.screens.corrected_values
    before = {entry.seq: corrected_values(entry.after) for entry in context.log.entries}
    changed = []
    for number, entry in enumerate(new.entries, start=1):
        change_label = context.screens.change_label(entry, number)
        new_values = corrected_values(entry.after)
        if change_label is not None and before.get(entry.seq, new_values) != new_values:
            changed.append(Changed(change_label, before[entry.seq], new_values))
    return tuple(changed)


@bp.get("/t/<token>/m/<int:number>/see/<view>")
def show_view(token: str, number: int, view: str) -> ResponseReturnValue:
    """A page of the match on which something is only read; who watches may read it too."""
    context = load_match(token, number)
    if view not in context.screens.views:
        abort(404)
    shown = context.screens.views[view]
    return render(
        context, shown.template, view=view, board=context.board, **shown.show(context.log, context.viewer, request.args)
    )


@bp.route("/t/<token>/m/<int:number>/undo", methods=["GET", "POST"])
@players_only
def undo(token: str, number: int) -> ResponseReturnValue:
    """Take back the open round's newest step, or an entry, a correction or an undo: the one named, or the newest.

    A form says which one it means. Where nothing is played any more, it is asked first what that would do.
    """
    context = load_match(token, number)
    if request.method == "GET":
        return sure_page(context, request.args.get("of", type=int))
    if "step" in request.form or "again" in request.form:
        return change_step(context)
    of = request.form.get("of", type=int)
    if context.closed and "sure" not in request.form:
        return redirect(context.url("undo", of=of), 303)
    earlier = undone_since(context, of)
    if earlier is not None and earlier.key != sent_key():
        leave_toast(context, f"{context.who(earlier.player)} had undone it already")
        return redirect(context.address, 303)
    newer = context.shared.newest if "newest" in request.form and earlier is None else None
    if newer is not None:
        return not_undone(context, f"Since then: {step_name(newer)}.")
    try:
        receipt = entries.undo(
            context.match.id, of, idempotency_key=sent_key(), expected_seq=sent_expected_seq(context), player=context.viewer
        )
    except entries.Conflict as conflict:
        context = MatchContext(context.access, context.match, conflict.log, context.screens)
        return not_undone(context, f"{describe_newest(context)} meanwhile.")
    except entries.EntryRejected as refused:
        return refused_page(context, refusal(context, refused), 422)
    except entries.NotFound:
        return refused_page(context, "There is nothing to undo.", 422)
    leave_undone(context, receipt)
    return redirect(context.address, 303)


def change_step(context: MatchContext) -> ResponseReturnValue:
    """Take back the step that the form names, or do it again, if it is still the newest; one that is gone already is done."""
    head = request.form.get("head", 0, type=int)
    back, again = request.form.get("step", ""), request.form.get("again", "")
    try:
        if back:
            step = entries.undo_step(context.match.id, back, after=head, player=context.viewer)
            leave_toast(context, f"Undone: {step_name(step)}", label="Redo", again=step.id, head=head)
        else:
            step = entries.redo_step(context.match.id, again, after=head)
            leave_toast(context, f"Back again: {step_name(step)}", step=step.id, head=head)
    except OtherEntry:
        return not_undone(load_match(context.access.token, context.match.number), f"{describe_newest(context)} meanwhile.")
    except NotNewest as other:
        shared = drafts.shared(context.match.id, head)
        if back not in {step.id for step in shared.done} and again not in {step.id for step in shared.undone}:
            return redirect(context.address, 303)  # another phone did it, or this one by a first tap
        return not_undone(context, f"Since then: {step_name(other.newest)}." if other.newest else "")
    page = request.form.get("page")
    return redirect(context.url("enter", page=page) if page in context.screens.pages else context.address, 303)


def undone_since(context: MatchContext, of: int | None) -> entries.Written | None:
    """The undo of this line that counts and that the phone has not seen: another's, or its own whose reply it did not get."""
    gone = cancelled(context.log.written)
    for line in context.log.written[max(sent_expected_seq(context), 0) :]:
        if line.kind == "undo" and line.of == of and line.seq not in gone:
            return line
    return None


def leave_undone(context: MatchContext, receipt: entries.Receipt) -> None:
    """Say what an undo took back or brought back, with the totals if that changed them, and offer the contrary."""
    before, after = receipt.before, receipt.after
    line = after.written[receipt.seq - 1]
    totals = context.screens.summary(after.standing)
    changed = f" ({totals})" if totals != context.screens.summary(before.standing) else ""
    name, brings_back = describe_undo(context.screens, before, after, line)
    if brings_back:
        leave_toast(context, f"{with_capital(name)} is back{changed}", of=line.seq, sure=1)
    else:
        leave_toast(context, f"{with_capital(name)} undone{changed}", label="Redo", of=line.seq, sure=1)


def sure_page(context: MatchContext, of: int | None) -> ResponseReturnValue:
    """Ask before something is undone that nobody is busy with: what would be undone, and what comes of it."""
    try:
        after = entries.preview_undo(context.match.id, of)
    except entries.EntryRejected as refused:
        return refused_page(context, refusal(context, refused), 422)
    except entries.NotFound:
        return refused_page(context, "There is nothing to undo.", 422)
    name, brings_back = describe_undo(context.screens, context.log, after, after.written[-1])
    standing = context.screens.summary(after.standing)
    goes_on = context.log.position.finished and not after.position.finished
    return render(
        context,
        "match/undo.html",
        of=after.written[-1].of,
        label=to("Redo" if brings_back else "Undo", name),
        outcome=f"Match {context.match.number} {'goes on again' if goes_on else 'then stands at'}: {standing}.",
    )


def describe_newest(context: MatchContext) -> str:
    """What the log's newest line did: "Ana saved round 3"."""
    return (
        describe_line(context.screens, context.log, context.log.written[-1], context.match.players)
        if context.log.written
        else "It was undone"
    )


def not_undone(context: MatchContext, why: str) -> ResponseReturnValue:
    """The match as it stands, saying that something newer is there than what the button named."""
    return refused_page(context, f"{why} Look again, then undo what you mean.".strip(), 409, title="Not undone")


def refused_page(context: MatchContext, sentence: str, status: int, title: str = "Not done") -> ResponseReturnValue:
    """The match as it stands, with a sentence why something was not done."""
    return match_page(context, refused=sentence, not_done=title), status


@bp.post("/t/<token>/m/<int:number>/stop")
@players_only
def stop(token: str, number: int) -> ResponseReturnValue:
    """End the match where it stands; nobody wins. It can be undone like any entry."""
    context = load_match(token, number)
    try:
        receipt = entries.record(
            context.match.id,
            (Stop(),),
            idempotency_key=sent_key(),
            expected_seq=sent_expected_seq(context),
            player=context.viewer,
        )
    except entries.Conflict as conflict:
        context = MatchContext(context.access, context.match, conflict.log, context.screens)
        return refused_page(context, f"{describe_newest(context)} meanwhile. The match goes on.", 409, title="Not stopped")
    except entries.EntryRejected as refused:
        return refused_page(context, refused.sentence, 422)
    leave_toast(context, "The match is stopped", of=receipt.seq, sure=1)
    return redirect(context.address, 303)


@bp.post("/t/<token>/m/<int:number>/rematch")
@players_only
def rematch(token: str, number: int) -> ResponseReturnValue:
    """The same players once more, the next dealer dealing first; where a newer match is being played, that one.

    Who has left the table is not put into a match by it.
    """
    context = load_match(token, number)
    if not context.log.position.finished:
        return refused_page(context, "This match is still being played. End it first.", 422)
    newest = results.newest(context.match.table_id)[0]
    if newest.running:
        return redirect(url_for("match.show_match", token=token, number=newest.number), 303)
    around = {player.name for player in context.access.table.players}
    gone = [player for player in context.match.players if player not in around]
    if gone:
        is_gone = f"{join_names(gone)} {'is' if len(gone) == 1 else 'are'} not at this table any more"
        return refused_page(context, f"{is_gone}. Go back to the table and choose there who plays the next match.", 422)
    first = context.screens.dealer(context.log.standing)
    players = [*context.match.players[first:], *context.match.players[:first]]
    newer = entries.open_match(
        context.match.table_id,
        context.match.game,
        players,
        context.log.position.options,
        after=newest.number,
        by=context.access.name,
    )
    return redirect(url_for("match.show_match", token=token, number=newer), 303)


@bp.get("/t/<token>/m/<int:number>/record.json")
def record(token: str, number: int) -> ResponseReturnValue:
    """The match as a record that anybody can keep, read and replay."""
    context = load_match(token, number)
    body = msgspec.json.format(msgspec.json.encode(fairness.record(context.match.id)), indent=2)
    return Response(
        body + b"\n",
        mimetype="application/json",
        headers={"Content-Disposition": f'attachment; filename="{context.match.game}-{number}.json"'},
    )
