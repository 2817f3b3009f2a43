"""How did a finished BeloZ match come out, and which was its best round?"""

from __future__ import annotations

from companion.engine.beloz import BelozState
from companion.matches.log import Log
from companion.screens.page import Finale, Moment, finale


def how_it_ended(log: Log) -> Finale:
    """Return the final score with the round in which a team scored most; of equal ones the first."""
    state: BelozState = log.position.state
    best = max(state.rounds, key=lambda result: max(result.scores))
    taker = state.players[best.bidder]
    if best.contract == "broken":
        how, icon = f"{taker}\u2019s contract broke", "shield-broken"
    elif best.golden is not None:
        how, icon = f"{log.standing.sides[best.golden]} won all eight", "star"
    else:
        how, icon = best.title, "shield-check"
    return finale(log.standing, moment=Moment(f"{max(best.scores)} points in round {best.number}", how, icon))
