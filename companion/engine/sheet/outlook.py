"""How far is a match by a score sheet from its end? Points to the total that ends it, and the rounds that are left."""

from __future__ import annotations

from math import ceil

import msgspec

from companion.engine.core import plain
from companion.engine.sheet.match import SheetState, limit_of
from companion.engine.text import Name, Sentence, say, say_n, written


class Nearest(msgspec.Struct, frozen=True):
    """The side that is nearest to a total that ends something, and how many points it has to it.

    ``out``: the side would drop out with them; else they end the match.
    """

    side: int
    points: float
    out: bool


def nearest(state: SheetState) -> Nearest | None:
    """Return the nearest side; None where no total ends anything, for totals below 0, and where several are equally near."""
    if state.ended or state.sheet.document.shape != "rounds":
        return None
    out = limit_of(state, "at") is None
    limit = limit_of(state, "out") if out else limit_of(state, "at")
    if limit is None or limit <= 0 or not state.playing:
        return None
    totals = state.totals if out else state.scores
    best = max(totals[side] for side in state.playing)
    leading = [side for side in state.playing if totals[side] == best]
    if len(leading) > 1 or best >= limit or best <= 0:
        return None
    return Nearest(leading[0], plain(limit - best), out)


def rounds_left(state: SheetState) -> int | None:
    """Return how many rounds are still to be played, with the one that is open; None where no number of rounds ends it."""
    rounds = limit_of(state, "rounds")
    return None if rounds is None else max(0, ceil(rounds) - len(state.rows))


def outlook(state: SheetState) -> Sentence | None:
    """Return what the end is short of, in a sentence; None where nothing of it is worth telling."""
    if rounds_left(state) == 1:
        return say("The last round.")
    near = nearest(state)
    if near is None:
        return None
    player = Name(state.sides[near.side])
    if near.out:
        people, more = state.sheet.people(1), Name(written(near.points))
        return say_n("{more} more and {player} is out.", "{more} more and {player} are out.", people, more=more, player=player)
    return say("{n} more for {player} ends it.", n=near.points, player=player)
