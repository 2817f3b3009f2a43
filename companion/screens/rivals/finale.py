"""How did a finished match of Rivals come out, and which was the richest round?"""

from __future__ import annotations

from companion.engine.rivals import RivalsState, taken, verdict
from companion.engine.text import Name, say, say_n
from companion.matches.log import Log
from companion.screens.interface import Finale, Moment, finale


def how_it_ended(log: Log) -> Finale:
    """Return both values, why one of equals wins, and the first round in which somebody took most cards."""
    state: RivalsState = log.position.state
    first, second = state.totals or (0, 0)
    why = verdict(state.players, state.counted)[0] if state.counted is not None and first == second else ""
    cards, number, name = max(
        (
            (cards, number, state.players[player])
            for number, played in enumerate(state.rounds, start=1)
            for player, cards in enumerate(taken(played.packs))
        ),
        key=lambda captured: captured[0],
    )
    moment = None
    if cards > 1:
        won = say_n("{n} card in round {round}", "{n} cards in round {round}", cards, round=number)
        moment = Moment(won, say("{player} took them", player=Name(name)))
    return finale(log.standing, why, moment)
