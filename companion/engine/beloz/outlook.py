"""What does a contract still need? The least points that win the round, and those that win the match.

Rule: Scoring; rulings B4, B5, B9, B11, B13.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from companion.engine.beloz import BelozState
from companion.engine.beloz.cards import ROUND_POINTS, Plain
from companion.engine.beloz.declarations import Declaration, preview_declarations
from companion.engine.beloz.scoring import BELOZ, TEN_LAST
from companion.engine.beloz.seats import team_of
from companion.engine.core import RuleError
from companion.engine.text import Sentence, listing, name, say

IN_ROUND: Final = ROUND_POINTS + TEN_LAST  # 163: all cards and the last expedition


class Needs(msgspec.Struct, frozen=True):
    """What a contracting team needs of the 163 points of a round, without a Golden Round; at least 1.

    ``match`` is None where no number of points ends the match for the team, and below ``wins`` where its BeloZ does so with a
    broken contract too. ``wins`` is None where only all eight expeditions win the contract. ``loses`` tells whether the other
    team wins the match by a broken contract.
    """

    team: int
    wins: int | None
    match: int | None
    loses: bool


def needs(
    state: BelozState, bidder: int, flooded: Plain, declarations: Sequence[Declaration] = (), beloz: int | None = None
) -> Needs:
    """Return what the bidder's team needs in the round that is played now, with these declarations.

    With 0 to 0 and nothing declared, 82 beats 81. Raises RuleError when the declarations can't be true.
    """
    team, other = team_of(bidder), 1 - team_of(bidder)
    declared = [0, 0]
    verdict = preview_declarations(state.players, state.options, flooded, declarations, beloz)
    if verdict.team is not None:
        declared[verdict.team] += verdict.points
    beloz_of_team = 0
    if beloz is not None:
        declared[team_of(beloz)] += BELOZ
        beloz_of_team = BELOZ if team_of(beloz) == team else 0
    target = state.options.target
    least = max(1, (IN_ROUND + declared[other] - declared[team]) // 2 + 1)  # never equal: ruling B5
    lead = state.scores[team] - state.scores[other]
    ends = max(
        least,
        target - state.scores[team] - declared[team],
        (IN_ROUND + declared[other] - declared[team] - lead) // 2 + 1,
    )
    mine, broken = state.scores[team] + beloz_of_team, state.scores[other] + IN_ROUND + sum(declared) - beloz_of_team
    if mine >= target and mine > broken:
        ends = 1  # the team keeps its BeloZ, also when the contract is broken: ruling B11
    return Needs(
        team=team,
        wins=least if least <= IN_ROUND else None,
        match=ends if ends <= IN_ROUND else None,
        loses=least > 1 and broken >= target and broken > mine,
    )


def sentence(players: Sequence[str], bidder: int, needed: Needs) -> Sentence:
    """Return the needs in words: "Ana needs 62 of 163 for the round, 81 for the match."."""
    player = name(players[bidder])
    if needed.wins is None:
        first = say("{player} needs all eight expeditions for the round.", player=player)
    elif needed.match is None:
        first = say("{player} needs {points} of {all} for the round.", player=player, points=needed.wins, all=IN_ROUND)
    elif needed.match == needed.wins:
        first = say("{player} needs {points} of {all} for round and match.", player=player, points=needed.wins, all=IN_ROUND)
    else:
        first = say(
            "{player} needs {points} of {all} for the round, {match} for the match.",
            player=player,
            points=needed.wins,
            all=IN_ROUND,
            match=needed.match,
        )
    return listing([first, say("A broken contract loses the match.")], "text") if needed.loses else first


def outlook(
    state: BelozState, bidder: int, flooded: Plain, declarations: Sequence[Declaration] = (), beloz: int | None = None
) -> Sentence | None:
    """Return the needs in words; None while the declarations can't be true."""
    try:
        return sentence(state.players, bidder, needs(state, bidder, flooded, declarations, beloz))
    except RuleError:
        return None
