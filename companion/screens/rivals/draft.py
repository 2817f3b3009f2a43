"""What do the phones share of a round that is being played? Its moves, as far as anybody taps them."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from companion.engine.core import RuleError
from companion.engine.rivals import RivalsState
from companion.engine.rivals.turns import MOVES, Move, Turns, begin, follow, move
from companion.engine.text import Name, say
from companion.screens.drafts import DraftCodec
from companion.screens.page import UNKNOWN_KEY

MOST_MOVES = 100  # more than a round can have: 42 cards, and turns that end without one


class MovesDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The moves of this round so far, oldest first."""

    moves: Annotated[tuple[Move, ...], msgspec.Meta(max_length=MOST_MOVES)] = ()


CODEC = DraftCodec(MovesDraft)


def read(stored: Any) -> tuple[Move, ...]:
    """Return the moves as the database holds them; none if they make no sense."""
    return CODEC.read(stored).moves


def turns_of(state: RivalsState, moves: tuple[Move, ...]) -> Turns:
    """Return where the round stands after these moves; at its beginning if they can't have been."""
    start = begin(state.players, state.first_player, state.used)
    try:
        return follow(start, moves)
    except RuleError:
        return start


def describe_step(tap: str, player: str) -> str:
    """Return what a player's tap did, for whoever takes it back: "Ana's whale on pack 2"."""
    kind, _, pack = tap.partition("-")
    who = Name(player)
    match kind:
        case "lay":
            return say("{player}'s whale on pack {pack}", player=who, pack=Name(pack))
        case "turtle":
            return say("{player}'s turtle on pack {pack}", player=who, pack=Name(pack))
        case "call":
            return say("{player}'s call of the end", player=who)
        case "no":
            return say("{player}'s empty hand", player=who)
    return ""


def tapped(state: RivalsState, stored: Any, tap: str, seen: str) -> dict[str, Any] | None:
    """Return the draft after a tap on a phone that has ``seen`` so many moves. Raises RuleError when the move can't be."""
    moves = read(stored)
    if seen != str(len(moves)):
        raise RuleError(say("Another phone has tapped a move meanwhile. This is how the round stands now."))
    chosen = next((one for one in MOVES if one == tap), None)
    if chosen is None:
        raise RuleError(UNKNOWN_KEY)
    move(turns_of(state, moves), chosen)
    if len(moves) == MOST_MOVES:
        raise RuleError(say("This round has had more moves than there are cards. Enter the whales that lie there."))
    return CODEC.store(MovesDraft((*moves, chosen)))
