"""What was announced in the round so far, for the grid of cards and the list of declarations?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.engine.beloz.cards import CARDS, members
from companion.engine.beloz.declarations import (
    Declaration,
    DeclarationsVerdict,
    StraightFlush,
    declared_cards,
    describe,
)
from companion.engine.text import name, say
from companion.screens.interface import as_sentence


def cells_of(players: Sequence[str], declarations: Sequence[Declaration], speaker: int | None) -> dict[str, dict[str, str]]:
    """Return the grid: each card that was announced, whether by the ``speaker``, whose it is, and where it lies in its run."""
    cells: dict[str, dict[str, str]] = {}
    for declaration in declarations:
        state = "mine" if declaration.player == speaker else "taken"
        cards = [CARDS[card] for card in members(declared_cards(declaration))]
        joins = dict.fromkeys(cards, "one")
        if isinstance(declaration, StraightFlush):
            joins = {**dict.fromkeys(cards, "mid"), cards[0]: "end", cards[-1]: "top"}
        for card, join in joins.items():
            cells[card] = {"state": state, "owner": players[declaration.player], "join": join}
    return cells


def describe_all(
    players: Sequence[str], declarations: Sequence[Declaration], verdict: DeclarationsVerdict | None
) -> list[dict[str, Any]]:
    """Return each declaration in words, with what became of it, in the order in which they were announced."""
    return [
        {
            "tap": f"shown:{place}",
            "what": say(
                # NOTE: what a player announced: "Bo: run of three"
                "{player}: {declaration}",
                player=name(players[declaration.player]),
                declaration=as_sentence(describe(declaration)),
            ),
            "shown": declaration.shown,
            "status": verdict.statuses[place] if verdict else "",
        }
        for place, declaration in enumerate(declarations)
    ]
