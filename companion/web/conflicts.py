"""What do people see when two phones entered different things in the same place? Both, beside each other."""

from __future__ import annotations

import msgspec
from flask.typing import ResponseReturnValue

from companion.engine.core import Event
from companion.engine.records import encode_event
from companion.engine.text import say
from companion.matches import entries
from companion.matches.log import replay_entry
from companion.screens.page import Submit, with_capital
from companion.web.match import back_to_match, describe_newest
from companion.web.match_context import MatchContext, render
from companion.web.toasts import leave_toast


def choose(context: MatchContext, theirs: entries.InForce | None, entered: Submit) -> ResponseReturnValue:
    """Show both entries beside each other, with what each means, and what to do about it; nothing was stored."""
    mine = None if theirs is None or entered.by_app else as_entry(context, theirs, entered.events)
    if theirs is None or mine is None:
        leave_toast(context, say("Not saved: {what} meanwhile", what=describe_newest(context)))
        return back_to_match(context)
    return conflict_page(context, theirs, mine), 409


def as_entry(context: MatchContext, theirs: entries.InForce, events: tuple[Event, ...]) -> entries.InForce | None:
    """Return what was typed as an entry in the place of another's, or None where the rules forbid it there."""
    line = entries.Written(theirs.seq, "", context.person, theirs.at, "events", None, events)
    try:
        return replay_entry(theirs.before, line, None)
    except entries.EntryRejected:
        return None


def conflict_page(context: MatchContext, theirs: entries.InForce, mine: entries.InForce) -> str:
    """Show theirs left, mine right. A number is shown where the two differ in it, else both in words."""
    values = [context.screens.value(entry, context.sides) for entry in (theirs, mine)]
    numbers = values[0].number != values[1].number
    by = theirs.player if theirs.correction is None else theirs.correction.player
    return render(
        context,
        "match/conflict.html",
        name=with_capital(context.screens.name(theirs, context.sides)),
        who=context.who(by),
        is_named=bool(context.log.who(by)),
        mine_here=by == context.person is not None,
        values=values,
        numbers=numbers,
        standings=[entry.after.standing() for entry in (theirs, mine)],
        theirs=theirs,
        after=name_after(context, mine),
        events=msgspec.json.encode([encode_event(event) for event in mine.events]).decode(),
    )


def name_after(context: MatchContext, mine: entries.InForce) -> str:
    """Return what the typed entry is called after all others, empty where it is forbidden there: both may be right."""
    line = entries.Written(context.log.seq + 1, "", context.person, mine.at, "events", None, mine.events)
    try:
        return context.screens.name(replay_entry(context.log.position, line, None), context.sides)
    except entries.EntryRejected:
        return ""
