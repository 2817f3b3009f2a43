"""How did a finished BeloZ match come out, and which was its best round?"""

from __future__ import annotations

from companion.engine.beloz import BelozState
from companion.engine.text import Name, say, say_n
from companion.matches.log import Log
from companion.screens.interface import Finale, Moment, as_sentence, finale


def how_it_ended(log: Log) -> Finale:
    """Return the final score with the round in which a team scored most; of equal ones the first."""
    state: BelozState = log.position.state
    best = max(state.rounds, key=lambda result: max(result.scores))
    taker = state.players[best.bidder]
    if best.contract == "broken":
        how, icon = say("{player}’s contract broke", player=Name(taker)), "shield-broken"
    elif best.golden is not None:
        how, icon = say("{team} won all eight", team=Name(log.standing.sides[best.golden])), "star"
    else:
        how, icon = as_sentence(best.title), "shield-check"
    scored = say_n("{n} point in round {round}", "{n} points in round {round}", max(best.scores), round=best.number)
    return finale(log.standing, moment=Moment(scored, how, icon))
