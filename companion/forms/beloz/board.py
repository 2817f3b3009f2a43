"""What a BeloZ match shows: the way to the target, the round in progress, every round with its sum, the chart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.engine.beloz import BelozState, PassedDeal
from companion.engine.beloz.cards import PLAIN_TITLES
from companion.engine.beloz.scoring import Round, RoundResult
from companion.forms.beloz import draft as drafts
from companion.forms.screens import JSON
from companion.log import InForce, Log


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the history: a round that was played, a deal that was passed, or the end that the players chose."""

    entry: InForce
    result: RoundResult | None
    title: str
    totals: tuple[int, int]

    @property
    def lines(self) -> list[dict[str, Any]]:
        """The sum behind the round's points."""
        lines = self.result.lines if self.result else ()
        return [{"label": line.what, "values": line.amounts} for line in lines]


def rows(log: Log) -> list[Row]:
    """The history, newest first."""
    told = []
    for entry in log.entries:
        event = entry.events[0]
        state: BelozState = entry.after.state
        if isinstance(event, Round):
            result = state.rounds.newest
            told.append(Row(entry, result, result.title if result else "", state.scores))
        elif isinstance(event, PassedDeal):
            dealer = log.position.players[entry.before.state.dealer]
            told.append(Row(entry, None, f"Nobody took {dealer}'s deal", state.scores))
        else:
            told.append(Row(entry, None, "The match was stopped", state.scores))
    return told[::-1]


def board(log: Log, stored: JSON | None, viewer: int | None) -> Mapping[str, Any]:
    """Everything that the match's page shows besides names and links."""
    state: BelozState = log.position.state
    draft = drafts.read(stored)
    target = state.options.target
    sides = log.position.standing().sides
    history = rows(log)
    points = [[0, 0], *([*row.totals] for row in reversed(history) if row.result)]
    return {
        "target": target,
        "number": len(state.rounds) + 1,
        "dealer": state.players[state.dealer],
        "opener": state.players[state.opener],
        "opener_index": state.opener,
        "sides": [
            {
                "side": side,
                "name": sides[side],
                "total": state.scores[side],
                "to_go": max(0, target - state.scores[side]),
                "href": "#rows",
                "opens": "sums",
            }
            for side in (0, 1)
        ],
        "draft": draft,
        "announced": len(draft.declarations) + (draft.beloz is not None),
        "bidder": None if draft.bidder is None else state.players[draft.bidder],
        "plain": None if draft.flooded is None else PLAIN_TITLES[draft.flooded],
        "rows": history,
        "series": [{"side": side, "name": sides[side], "points": [point[side] for point in points]} for side in (0, 1)],
        "sums": [{"label": line.what, "values": line.amounts} for line in log.position.standing().lines],
        "broken": sum(1 for row in history if row.result and row.result.contract == "broken"),
    }


def tell(entry: InForce, sides: Sequence[str]) -> str:
    """One line about an entry: "round 6: 41 for Bo & Di"."""
    event = entry.events[0]
    if isinstance(event, Round):
        number = len(entry.before.state.rounds) + 1
        return f"round {number}, {event.count.points} for {sides[event.count.team]}"
    if isinstance(event, PassedDeal):
        return "a passed deal"
    return "the end of the match"
