"""What does a correction move elsewhere? Who wins with it, who leads since when, and whether the match ends earlier."""

from __future__ import annotations

from collections.abc import Sequence

from companion.engine.core import Event, Position, RuleError, Standing
from companion.engine.text import Name, Sentence, say, say_n
from companion.matches.log import InForce, Log
from companion.web.match.context import MatchContext
from companion.web.match.news import winners


def consequence(context: MatchContext, after: Log) -> str:
    """Return what a correction moves besides the totals, before it is saved; empty if it moves nothing."""
    return _who_wins(context, after.standing) or _who_leads(context, after)


def _who_wins(context: MatchContext, standing_after: Standing) -> str:
    """Return who wins if a correction is saved, where that is somebody else than now; empty where it changes no winner."""
    if context.log.standing.winners == standing_after.winners:
        return ""
    if not standing_after.winners:
        return say("Nobody has won then")
    names, people = winners(standing_after, len(context.match.players))
    return say_n("{names} wins with it", "{names} win with it", people, names=names)


def _who_leads(context: MatchContext, after: Log) -> str:
    """Return who leads with it since when, where that is not as it is now."""
    lowest_wins = context.screens.fewest_win(context.log)
    side, since = leads_since(after.entries, lowest_wins=lowest_wins)
    side_now, since_now = leads_since(context.log.entries, lowest_wins=lowest_wins)
    if (side, since and since.seq) == (side_now, since_now and since_now.seq):
        return ""
    if side is None or since is None:
        return say("Nobody leads with it")
    people = len(context.match.players) // len(context.log.standing.sides)
    name, entry = Name(context.log.standing.sides[side]), context.name_of(since)
    if side == side_now and since_now is not None:
        return say_n(
            "{name} leads since {entry} with it, not since {before}",
            "{name} lead since {entry} with it, not since {before}",
            people,
            name=name,
            entry=entry,
            before=context.name_of(since_now),
        )
    return say_n("{name} leads with it, since {entry}", "{name} lead with it, since {entry}", people, name=name, entry=entry)


def leads_since(entries: Sequence[InForce], *, lowest_wins: bool) -> tuple[int | None, InForce | None]:
    """Return the side that leads after these entries, and the entry since which it does; None while nobody does."""
    side, since = None, None
    for entry in reversed(entries):
        leader = _leader(entry.after.standing(), lowest_wins=lowest_wins)
        if since is None:
            side = leader
        elif leader != side:
            break
        since = entry
    return (None, None) if side is None else (side, since)


def _leader(standing: Standing, *, lowest_wins: bool) -> int | None:
    """Return the side that alone has the best score; None where several have it or some scores are not known yet."""
    ahead = standing.ahead(lowest_wins=lowest_wins)
    return ahead[0] if len(ahead) == 1 and None not in standing.scores else None


def ends_with(context: MatchContext, corrected: InForce, events: Sequence[Event]) -> Sentence | None:
    """Return which entry would end the match if one is corrected to these events, where others come after it."""
    position: Position[object] = corrected.before
    later = [entry for entry in context.log.entries if entry.seq > corrected.seq]
    for entry, next_entry in zip((corrected, *later), later, strict=False):
        try:
            for event in events if entry is corrected else entry.events:
                position = position.apply(event)
        except RuleError:
            return None
        if position.finished:
            after = context.name_of(next_entry)
            if entry is corrected:  # its name may be what it says no longer
                return say("The match ends with it then. Undo {next} and what came after it first.", next=after)
            return say(
                "The match ends with {entry} then. Undo {next} and what came after it first.",
                entry=context.name_of(entry),
                next=after,
            )
    return None
