"""The round that is being played, move by move, as the phones of a table share it. Nobody has to tap it."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from companion.engine.core import RuleError
from companion.engine.rivals import State
from companion.engine.rivals.turns import MOVES, Move, Turns, begin, follow, move
from companion.screens.page import UNKNOWN_KEY

MOST_MOVES = 100  # more than a round can have: 42 cards, and turns that end without one


class MovesDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The moves of this round so far, oldest first."""

    moves: Annotated[tuple[Move, ...], msgspec.Meta(max_length=MOST_MOVES)] = ()


def read(stored: Any) -> tuple[Move, ...]:
    """The moves as the database holds them; none if there are none, or if they make no sense."""
    try:
        return () if stored is None else msgspec.convert(stored, MovesDraft).moves
    except msgspec.MsgspecError:
        return ()


def turns_of(state: State, moves: tuple[Move, ...]) -> Turns:
    """Where the round stands after these moves; at its beginning if they can't have been."""
    start = begin(state.players, state.first_player, state.used)
    try:
        return follow(start, moves)
    except RuleError:
        return start


def told(tap: str) -> str:
    """What a player's tap did, for whoever takes it back: "whale on pack 2"."""
    kind, _, pack = tap.partition("-")
    return {
        "lay": f"whale on pack {pack}",
        "turtle": f"turtle on pack {pack}",
        "call": "call of the end",
        "no": "empty hand",
    }.get(kind, "")


def tapped(state: State, stored: Any, tap: str, seen: str) -> dict[str, Any] | None:
    """The draft after a tap on a phone that has ``seen`` so many moves. Raises RuleError when the move can't be."""
    moves = read(stored)
    if seen != str(len(moves)):
        raise RuleError("Another phone has tapped a move meanwhile. This is how the round stands now.")
    chosen = next((one for one in MOVES if one == tap), None)
    if chosen is None:
        raise RuleError(UNKNOWN_KEY)
    move(turns_of(state, moves), chosen)
    if len(moves) == MOST_MOVES:
        raise RuleError("This round has had more moves than there are cards. Submit the whales that lie there.")
    return {"moves": [*moves, chosen]}
