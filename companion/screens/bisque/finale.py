"""How did a finished match of Bisque come out, and which was its best goal?"""

from __future__ import annotations

from companion.engine.bisque import State
from companion.engine.decktet import CARDS
from companion.matches.log import Log
from companion.screens.page import Finale, Moment, finale


def how_it_ended(log: Log) -> Finale:
    """Return the totals with the goal that scored most in one hand; of equal ones the first."""
    state: State = log.position.state
    goals = [
        (goal, hand, state.players[cook])
        for hand, result in enumerate(state.played, start=1)
        for cook, goal in enumerate(result.goals)
    ]
    goal, hand, name = max(goals, key=lambda each: each[0].points)
    moment = Moment(f"{goal.points} points in hand {hand}", f"{name}\u2019s goal: {CARDS[goal.goal].title}")
    return finale(log.standing, moment=moment)
