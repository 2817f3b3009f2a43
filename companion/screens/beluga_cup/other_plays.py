"""What else could have been played on a turn? Told after the match, from the table as it was seen then.

The log holds no hands. So it tells where else the same cards could have gone, and which other cards would have fitted there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.engine.beluga_cup import Account, BelugaCup, Note, Play, account, notes
from companion.engine.beluga_cup.match import apply
from companion.engine.core import RuleError
from companion.engine.text import Name, Sentence, say
from companion.matches.log import Log
from companion.screens.beluga_cup.board import ZoneView, zone_of
from companion.screens.interface import Reading

MOST_DIGITS = 6  # of an entry's number in an address


@dataclass(frozen=True, slots=True)
class OtherPlay:
    """The same cards elsewhere: the place in words, and what they would have done there."""

    place: Sentence
    account: Account


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherPlays(Reading):
    """A turn of a match that is over: its zone as it lay, what was played, and what else could have been.

    ``played`` is None while the match runs, and where the entry is no play; ``why`` says so.
    """

    why: Sentence | None = None
    played: Account | None = None
    zone: ZoneView | None = None
    elsewhere: Sequence[OtherPlay] = ()
    fitting: Sequence[Note] = ()


def other_plays(log: Log, viewer: int | None, query: Mapping[str, str]) -> OtherPlays:
    """Return what else could have been played by the entry that the address names (``entry=7``)."""
    if not log.position.finished:
        return OtherPlays(why=say("This is told once the match is over: until then it would help one player."))
    wanted = query.get("entry", "")
    number = int(wanted) if wanted.isdecimal() and len(wanted) <= MOST_DIGITS else 0
    steps = [step for entry in log.entries if entry.seq == number for step in entry.steps]
    turns = [(event, before.state, after.state) for event, before, after in steps if isinstance(event, Play)]
    if not turns:
        return OtherPlays(why=say("No card was played by this entry."))
    event, before, after = turns[-1]
    return OtherPlays(
        played=account(before, event, after),
        zone=zone_of(before, before.zone(event.zone), {}, viewer or 0, stopped=True),
        elsewhere=_elsewhere(before, event),
        fitting=[note for note in notes(before, event.zone, event.side) if note.fits and note.card.id not in event.cards],
    )


def _elsewhere(before: BelugaCup, event: Play) -> list[OtherPlay]:
    """Return every other side that would have taken the same cards, by the rules of that match."""
    plays = []
    for zone in before.zones:
        for side in (0, 1):
            other = Play(event.player, zone.number, side, event.cards)
            if other == event:
                continue
            try:
                after = apply(before, other)
            except RuleError:
                continue
            place = say("Zone {zone}, {player}’s side", zone=zone.number, player=Name(before.players[side]))
            plays.append(OtherPlay(place, account(before, other, after)))
    return plays
