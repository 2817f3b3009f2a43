"""What do the phones share before an entry is complete? The moves of a round, and at last each player's half of the count."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from companion.engine.core import RuleError
from companion.engine.rivals import RivalsState
from companion.engine.rivals.turns import MOVES, Move, Turns, begin, follow, move
from companion.engine.rivals.whales import WHALES, Whale
from companion.engine.text import Name, say
from companion.screens.drafts import DraftCodec
from companion.screens.interface import UNKNOWN_KEY, Faster

MOST_MOVES = 100  # more than a round can have: 42 cards, and turns that end without one


Half = Annotated[tuple[Whale, ...], msgspec.Meta(max_length=WHALES)]  # the values that one player captured
Halves = tuple[Half | None, Half | None]


class MovesDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The moves of this round so far, oldest first; after the last round the ``halves`` of the count, None while uncounted."""

    moves: Annotated[tuple[Move, ...], msgspec.Meta(max_length=MOST_MOVES)] = ()
    halves: Halves = (None, None)


CODEC = DraftCodec(MovesDraft)


def read(stored: Any) -> tuple[Move, ...]:
    """Return the moves as the database holds them; none if they make no sense."""
    return CODEC.read(stored).moves


def read_halves(stored: Any) -> Halves:
    """Return the halves of the count that phones have shared."""
    return CODEC.read(stored).halves


def with_half(stored: Any, player: int, values: Half) -> dict[str, Any] | None:
    """Return the draft with one player's half of the count."""
    first, second = read_halves(stored)
    return CODEC.store(MovesDraft(halves=(values, second) if player == 0 else (first, values)))


def text(moves: tuple[Move, ...]) -> str:
    """Return the moves as one line, for a form to carry."""
    return ",".join(moves)


def turns_of(state: RivalsState, moves: tuple[Move, ...]) -> Turns:
    """Return where the round stands after these moves; at its beginning if they can't have been."""
    start = begin(state.players, state.first_player, state.used)
    try:
        return follow(start, moves)
    except RuleError:
        return start


def _had(state: RivalsState, moves: tuple[Move, ...], chosen: Move, by: str, seen: str) -> bool:
    """Return whether the first move that the phone has not ``seen`` is the one that it taps."""
    moves_seen = next((number for number in range(len(moves)) if seen in {text(moves[:number]), str(number)}), None)
    if moves_seen is None or moves[moves_seen] != chosen:
        return False
    return by in {"", str(turns_of(state, moves[:moves_seen]).player)}


def describe_step(tap: str, player: str) -> str:
    """Return what a player's tap did, for whoever takes it back: "Ana's whale on pack 2"."""
    kind, _, pack = tap.partition("-")
    who = Name(player)
    match kind:
        case "lay":
            return say("{player}’s whale on pack {pack}", player=who, pack=Name(pack))
        case "turtle":
            return say("{player}’s turtle on pack {pack}", player=who, pack=Name(pack))
        case "call":
            return say("{player} calls the end", player=who)
        case "no":
            return say("{player}’s empty hand", player=who)
    return ""


def tapped(state: RivalsState, stored: Any, tap: str, seen: str) -> dict[str, Any] | None:
    """Return the draft after a tap on a phone that has ``seen`` these moves, in one line (or, on an older page, so many).

    Taps are words: ``lay-2:0`` (the first player lays a whale on pack 2), ``turtle-1:1``, ``call:0``, ``no-cards:1``. Raises
    Faster when another phone has tapped a move meanwhile, and RuleError when the move can't be.
    """
    moves = read(stored)
    word, _, by = tap.partition(":")
    chosen = next((possible for possible in MOVES if possible == word), None)
    if chosen is None:
        raise RuleError(UNKNOWN_KEY)
    turns = turns_of(state, moves)
    if seen not in {text(moves), str(len(moves))} or by not in {"", str(turns.player)}:
        raise Faster(same=_had(state, moves, chosen, by, seen), following="round" if chosen == "call" else None)
    move(turns, chosen)
    if len(moves) == MOST_MOVES:
        raise RuleError(say("Too many moves for this round. Enter the whales that lie there."))
    return CODEC.store(MovesDraft((*moves, chosen)))
