"""How is an entry corrected, however old, and what does that change?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec
from flask import abort, request
from flask.typing import ResponseReturnValue

from companion.engine.core import Event, RuleError
from companion.engine.records import RecordError, decode_event
from companion.engine.text import Sentence, said, say
from companion.matches import entries
from companion.screens.interface import PageContext, Rerender, Submit, named
from companion.web.delivery.toasts import leave_toast, with_totals
from companion.web.guard.access import players_only
from companion.web.match.again import entry_named, sent_before, tell_line
from companion.web.match.conflicts import as_entry, conflict_page
from companion.web.match.consequences import consequence, ends_with
from companion.web.match.context import MatchContext, load_match, sent_expected_seq, sent_key
from companion.web.match.entering import as_it_stands, place_of_sender, save
from companion.web.match.page import back_to_match, bp, describe_newest, entry_of, not_undone, refusal, refused_page
from companion.web.match.rendering import render


@bp.route("/t/<token>/m/<int:number>/entries/<int:seq>", methods=["GET", "POST"])
@players_only
def correct(token: str, number: int, seq: int) -> ResponseReturnValue:
    """Correct an entry, however old. Before saving, every total that changes is shown."""
    context = load_match(token, number)
    seq = entry_named(context, seq)
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
        turned = ""
        # a page asks again too when another phone has entered something, and opens with what was typed before a reload
        ready = form.ready() if request.method == "POST" or request.args else None
        if ready is not None and ready != entry.events:
            try:
                log_after = entries.preview_correction(context.match.id, seq, ready)
                changed = changes(context, log_after)
                turned = consequence(context, log_after)
            except entries.EntryRejected as refused:
                form.refuse(*why_not(context, entry, ready, refused))
        page = render(
            context,
            form.template,
            form=form.view(),
            page=None,
            entry=entry,
            description=context.screens.describe_entry(entry, context.log.standing.sides),
            called=context.name_of(entry),
            changed=changed,
            turned=turned,
            action=context.url("correct", seq=seq),
        )
        return page, status

    if request.method == "GET":
        doubt = context.log.doubts.get(seq)
        if doubt is not None and request.args.get("line") == str(doubt.seq):  # a phone's "No" has led here
            tell_line(context.log, doubt.seq)
        return again(200)
    events: tuple[Event, ...] = ()
    try:
        outcome = form.outcome()
        if not isinstance(outcome, Submit):
            return again(422 if isinstance(outcome, Rerender) and outcome.wrong else 200)
        events = outcome.events
        return put_right(context, entry, events)
    except entries.EntryRejected as refused:
        form.refuse(*why_not(context, entry, events, refused))
        return again(422)
    except RuleError as refused:
        form.refuse(refused.message, refused.field)
        return again(422)


def put_right(context: MatchContext, entry: entries.InForce, events: tuple[Event, ...]) -> ResponseReturnValue:
    """Correct an entry. Where another phone corrected the same one meanwhile, people look at both, unless they agree."""
    by = touched_since(context, entry)
    if by is not None and entry.events == events:
        entries.same(context.match.id, sent_key(), entry.touched)
        leave_toast(context, say("{player} had it already", player=named(context.who(by.player))))
        return back_to_match(context)
    if by is not None:
        mine = as_entry(context, entry, events)
        return (
            (conflict_page(context, entry, mine, sent_key()), 409)
            if mine
            else not_undone(context, say("{what} meanwhile.", what=describe_newest(context)))
        )
    name = context.name_of(entry)
    try:
        receipt = entries.correct(
            context.match.id,
            entry.seq,
            events,
            idempotency_key=sent_key(),
            expected_seq=context.log.seq,
            player=context.by,
            judged=entries.Judged(context.log.seq),
        )
    except entries.IdempotencyConflict:
        return not_undone(context, say("You sent a different one already."))
    except entries.Overtaken:
        context = as_it_stands(context)
        return put_right(context, entry_of(context, entry.seq), events)
    tell_line(receipt.after, receipt.seq)
    leave_toast(context, with_totals(context, say("{entry:C} corrected", entry=name), receipt), of=receipt.seq, sure=1)
    return back_to_match(context)


def touched_since(context: MatchContext, entry: entries.InForce) -> entries.Written | None:
    """Return the correction by which the entry says something else than the phone knows; what others did elsewhere is none."""
    line = entry.correction
    if line is None or line.seq <= sent_expected_seq(context) or line.key in {sent_key(), *sent_before()}:
        return None
    return line


def why_not(
    context: MatchContext, entry: entries.InForce, events: tuple[Event, ...], refused: entries.EntryRejected
) -> tuple[Sentence, str]:
    """Return why a correction can't be, and the field that it is about: a match that ends earlier has no later entries."""
    if refused.of is None:
        return refusal(context, refused), refused.error.field
    return ends_with(context, entry, events) or refusal(context, refused), ""


@dataclass(frozen=True, slots=True)
class Changed:
    """The numbers ``after`` one entry or round, usually the totals: the ``old`` ones, and the new ones after a correction."""

    after: int | str
    old: tuple[float | str | None, ...]
    new: tuple[float | str | None, ...]


def changes(context: MatchContext, new: entries.Log) -> tuple[Changed, ...]:
    """Return what a correction changes, oldest first, each after what the game calls the entry: by itself its number from 1."""
    corrected_values = context.screens.corrected_values
    before = {entry.seq: corrected_values(entry.after) for entry in context.log.entries}
    changed = []
    for number, entry in enumerate(new.entries, start=1):
        change_label = context.screens.change_label(entry, number)
        new_values = corrected_values(entry.after)
        if change_label is not None and before.get(entry.seq, new_values) != new_values:
            changed.append(Changed(change_label, before[entry.seq], new_values))
    return tuple(changed)


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
        abort(422, say("This form has expired. Look at the match again."))
    try:
        if "both" in request.form:
            return put_after_all(context, events)
        return put_right(context, entry_of(context, entry_named(context, seq)), events)
    except entries.IdempotencyConflict:
        return back_to_match(context)  # by a first tap
    except entries.EntryRejected as refused:
        return refused_page(context, refusal(context, refused), 422, title=say("Not saved"))


def put_after_all(context: MatchContext, events: tuple[Event, ...]) -> ResponseReturnValue:
    """Enter what was typed after all entries: both phones are right."""
    try:
        return save(context, place_of_sender(context), Submit(events, say("Saved")), entries.Judged(context.log.seq))
    except entries.Overtaken:
        return put_after_all(as_it_stands(context), events)


@bp.post("/t/<token>/m/<int:number>/entries/<int:seq>/kept")
@players_only
def keep(token: str, number: int, seq: int) -> ResponseReturnValue:
    """Keep another phone's entry, as a person chose. This phone's entry becomes an alias of that one."""
    context = load_match(token, number)
    stands = next((entry for entry in context.log.entries if entry.seq == seq), None)
    try:
        entries.same(context.match.id, sent_key(), seq if stands is None else stands.touched)
    except entries.NotFound as gone:
        abort(404, said(gone))
    if stands is not None:
        name = context.name_of(stands)
        leave_toast(context, say("{entry:C} stays as it was saved", entry=name))
    return back_to_match(context)
