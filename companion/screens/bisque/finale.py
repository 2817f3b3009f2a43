"""How did a finished match of Bisque come out, and which was its best goal?"""

from __future__ import annotations

from companion.engine.bisque import BisqueState
from companion.engine.decktet import CARDS
from companion.engine.text import Name, say, say_n
from companion.matches.log import Log
from companion.screens.interface import Finale, Moment, as_sentence, finale


def how_it_ended(log: Log) -> Finale:
    """Return the totals with the goal that scored most in one hand; of equal ones the first."""
    state: BisqueState = log.position.state
    goals = [
        (goal, hand, state.players[cook])
        for hand, result in enumerate(state.played, start=1)
        for cook, goal in enumerate(result.goals)
    ]
    goal, hand, name = max(goals, key=lambda played: played[0].points)
    scored = say_n("{n} point in hand {hand}", "{n} points in hand {hand}", goal.points, hand=hand)
    how = say("{player}’s goal: {card}", player=Name(name), card=as_sentence(CARDS[goal.goal].title))
    moment = Moment(scored, how)
    return finale(log.standing, moment=moment)
