"""How did a finished match of What the Fish! come out? The fish that swam free, and the fiercest swim."""

from __future__ import annotations

from companion.engine.text import Name, say, say_n
from companion.engine.what_the_fish import Kill, Protect, WhatTheFishState
from companion.matches.log import Log
from companion.screens.interface import Finale, Moment
from companion.screens.what_the_fish.board import swim_of

FIERCE = 3  # cards on one fish that are worth telling


def how_it_ended(log: Log) -> Finale:
    """Return the free fish's number, how many fish died, and the swim with most KILL and PROTECT cards."""
    state: WhatTheFishState = log.position.state
    freed = list(state.endings)[-1]
    died = say_n("On the way {n} fish died.", "On the way {n} fish died.", state.died)
    # NOTE: after the number of the fish that won, in large figures before it: "11 swam free"
    on_the_way = died if state.died else say("On the way no fish died.")
    # NOTE: the fish by its number, after who wins: "Ana wins: the 11 swam free."
    summary = say("the {n} swam free", n=freed.rank)
    return Finale(str(freed.rank), say("swam free"), on_the_way, fiercest(log), summary)


def fiercest(log: Log) -> Moment | None:
    """Return the swim in which most KILL and PROTECT cards were played, or None if there were fewer than three."""
    cards: dict[int, int] = {}
    for entry in log.entries:
        played = sum(isinstance(event, Kill | Protect) for event in entry.events)
        cards[swim_of(entry)] = cards.get(swim_of(entry), 0) + played
    state: WhatTheFishState = log.position.state
    swim, most = max(cards.items(), key=lambda counted: counted[1])
    if most < FIERCE:
        return None
    fish = list(state.endings)[swim - 1]
    how = say("{player}’s {rank}, swim {swim}", player=Name(state.players[fish.player]), rank=fish.rank, swim=swim)
    return Moment(say("{n} cards on one fish", n=most), how, "kill")
