"""How did a finished Beluga Cup come out, and which was the longest run of zones that one player ate?"""

from __future__ import annotations

from dataclasses import replace

from companion.engine.beluga_cup import BelugaCup
from companion.engine.beluga_cup.scoring import fish_eaten, points
from companion.engine.text import Name, Sentence, say
from companion.matches.log import Log
from companion.screens.beluga_cup.board import rows
from companion.screens.interface import Finale, Moment, finale

LONG = 3  # zones in a row that are worth telling


def how_it_ended(log: Log) -> Finale:
    """Return the final score, who ate how many fish, and the longest run of zones."""
    state: BelugaCup = log.position.state
    first, second = fish_eaten(state.eaten)
    # NOTE: "Ana ate 23 fish, Bo 19"
    why = say(
        "{player} ate {first} fish, {other} {second}",
        player=Name(state.players[0]),
        first=first,
        other=Name(state.players[1]),
        second=second,
    )
    came_out = finale(log.standing, why, longest_run(log))
    mine, theirs = points(state.eaten)
    if mine == theirs and len(log.standing.winners) == 1:  # ruling U6: points are equal, and more fish win
        # NOTE: after the score of both, "3 to 3"
        return replace(came_out, others=say("to {score}, more fish", score=theirs), why=tie_broken(log))
    return came_out


def tie_broken(log: Log) -> Sentence:
    """Return why somebody wins with equal points: "Equal, more fish: Bo, 21 to 20"."""
    state: BelugaCup = log.position.state
    more, fewer = sorted(fish_eaten(state.eaten), reverse=True)
    winner = Name(state.players[log.standing.winners[0]])
    return say("Equal, more fish: {player}, {more} to {fewer}", player=winner, more=more, fewer=fewer)


def longest_run(log: Log) -> Moment | None:
    """Return the most zones that one player ate in a row, or None if nobody ate three."""
    eaters = [account.eater for row in reversed(rows(log)) for account in row.accounts if account.eater is not None]
    runs: list[list[int]] = []
    for eater in eaters:
        if runs and runs[-1][0] == eater:
            runs[-1].append(eater)
        else:
            runs.append([eater])
    best = max(runs, key=len, default=[])
    if len(best) < LONG:
        return None
    return Moment(
        say("{n} zones in a row", n=len(best)), say("{player} ate them all", player=Name(log.standing.sides[best[0]]))
    )
