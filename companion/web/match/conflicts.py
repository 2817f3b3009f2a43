"""What do people see when two phones entered different things in the same place? Both, beside each other."""

from __future__ import annotations

import msgspec
from flask.typing import ResponseReturnValue

from companion.engine.core import Event
from companion.engine.records import encode_event
from companion.engine.text import say
from companion.matches import entries
from companion.matches.log import replay_entry
from companion.screens.interface import Fact, Submit, Value, with_capital
from companion.web.delivery.toasts import leave_toast
from companion.web.match.context import MatchContext
from companion.web.match.page import back_to_match, describe_newest
from companion.web.match.rendering import render


def choose(context: MatchContext, theirs: entries.InForce | None, entered: Submit, key: str = "") -> ResponseReturnValue:
    """Show both entries beside each other, with what each means, and what to do about it; nothing was stored.

    Both buttons send the ``key`` of the typed entry, so that the phone's later entries find their place after it.
    """
    mine = None if theirs is None or entered.by_app else as_entry(context, theirs, entered.events)
    if theirs is None or mine is None:
        leave_toast(context, say("Not saved: {what} meanwhile", what=describe_newest(context)))
        return back_to_match(context)
    return conflict_page(context, theirs, mine, key), 409


def as_entry(context: MatchContext, theirs: entries.InForce, events: tuple[Event, ...]) -> entries.InForce | None:
    """Return what was typed as an entry in the place of another's, or None where the rules forbid it there."""
    line = entries.Written(theirs.seq, "", context.person, theirs.at, "events", None, events)
    try:
        return replay_entry(theirs.before, line, None)
    except entries.EntryRejected:
        return None


def conflict_page(context: MatchContext, theirs: entries.InForce, mine: entries.InForce, key: str = "") -> str:
    """Show theirs left, mine right: a number where the two differ in it, the facts in which they differ, else both in words.

    The answer goes out under this ``key``, or under a new one for each where nothing follows from it.
    """
    values = [context.screens.value(entry, context.log.standing.sides) for entry in (theirs, mine)]
    numbers = (values[0].number, values[0].meaning) != (values[1].number, values[1].meaning)
    name = context.name_of(theirs)
    by = theirs.player if theirs.correction is None else theirs.correction.player
    return render(
        context,
        "match/conflict.html",
        name=with_capital(name),
        question=say("{entry:C} was entered twice", entry=name),
        who=context.who(by),
        is_named=bool(context.log.who(by)),
        key=key,
        mine_here=by == context.person is not None,
        values=values,
        numbers=numbers,
        facts=differing(*values),
        standings=[entry.after.standing() for entry in (theirs, mine)],
        alike=theirs.events == mine.events,
        theirs=theirs,
        after=name_after(context, mine),
        events=msgspec.json.encode([encode_event(event) for event in mine.events]).decode(),
    )


def differing(theirs: Value, mine: Value) -> list[tuple[str, tuple[Fact | None, Fact | None]]]:
    """Return the facts that the two entries tell differently, each by its subject; None where one says nothing of it.

    Entries of which no fact is about the same are of different kinds, a card and a discard: their words tell that.
    """
    facts = [{fact.topic: fact for fact in value.facts} for value in (theirs, mine)]
    if facts[0].keys().isdisjoint(facts[1]):
        return []
    pairs = [(subject, (facts[0].get(subject), facts[1].get(subject))) for subject in {**facts[0], **facts[1]}]
    return [(subject, pair) for subject, pair in pairs if pair[0] != pair[1]]


def name_after(context: MatchContext, mine: entries.InForce) -> str:
    """Return what the typed entry is called after all others, empty where it is forbidden there: both may be right."""
    line = entries.Written(context.log.seq + 1, "", context.person, mine.at, "events", None, mine.events)
    try:
        return context.name_of(replay_entry(context.log.position, line, None))
    except entries.EntryRejected:
        return ""
