"""How did a finished Beluga Cup come out, and which was the longest run of zones that one player ate?"""

from __future__ import annotations

from companion.engine.beluga_cup import BelugaCup
from companion.engine.beluga_cup.scoring import fish_eaten
from companion.engine.text import Name, say
from companion.matches.log import Log
from companion.screens.beluga_cup.board import rows
from companion.screens.page import Finale, Moment, finale

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
    return finale(log.standing, why, longest_run(log))


def longest_run(log: Log) -> Moment | None:
    """Return the most zones that one player ate in a row, or None if nobody ate three."""
    eaters = [told.eater for row in reversed(rows(log)) for told in row.accounts if told.eater is not None]
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
