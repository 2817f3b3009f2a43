"""How does a round go, move by move? Whose turn it is, the actions left, and whether the end may be called.

Turns are not events, and a match works without this module: a round is entered once it is over. Players who tap their moves
as they make them get their questions answered here. The values of cards that lie face down stay unknown.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, get_args

import msgspec

from companion.engine.core import RuleError
from companion.engine.rivals.whales import ACTIONS, MOST_ON_PACK, TURTLES, WHALES
from companion.engine.text import Sentence, name, say

Move = Literal["lay-1", "lay-2", "lay-3", "turtle-1", "turtle-2", "turtle-3", "no-cards", "call"]
MOVES: tuple[Move, ...] = get_args(Move)
FIRST_ACTIONS = 1  # of the first player's first turn (ruling V7)

Packs = tuple[int, int, int]


class Turns(msgspec.Struct, frozen=True):
    """A round in progress. ``player`` is to move and has ``actions`` left; ``laid`` are both players' whales on each pack.

    ``used`` are the whales that each had laid down in earlier rounds, ``lost`` those that turtles took in this one,
    ``turtles`` those that each has played in it. ``empty`` is how many turns in a row ended for want of cards.
    ``called_by`` is who called the end, or None.
    """

    players: tuple[str, ...]
    player: int
    used: tuple[int, int]
    actions: int = FIRST_ACTIONS
    laid: tuple[Packs, Packs] = ((0, 0, 0), (0, 0, 0))
    lost: tuple[int, int] = (0, 0)
    turtles: tuple[int, int] = (0, 0)
    empty: int = 0
    called_by: int | None = None

    @property
    def over(self) -> bool:
        """True once the end was called, or neither player had a card left (ruling V3)."""
        return self.called_by is not None or self.empty == len(self.players)

    @property
    def why_not_call(self) -> Sentence | None:
        """Why the player to move may not call the end now; None when it may be called (ruling V3)."""
        for player, packs in enumerate(self.laid):
            for number, whales in enumerate(packs, 1):
                if not whales:
                    return say(
                        "To end the round, both need a whale on every pack. {player} has none on pack {pack}.",
                        player=name(self.players[player]),
                        pack=number,
                    )
        return None


def begin(players: tuple[str, ...], first_player: int, used: tuple[int, int]) -> Turns:
    """Return a round before its first move."""
    return Turns(players, first_player, used)


def follow(turns: Turns, moves: Iterable[Move]) -> Turns:
    """Return the round after these moves. Raises RuleError at the first that the rules refuse."""
    for action in moves:
        turns = move(turns, action)
    return turns


def move(turns: Turns, action: Move) -> Turns:
    """Return the round after one move of whose turn it is. Raises RuleError with the reason when the rules refuse it."""
    if turns.over:
        raise RuleError(
            say("This round is over. Take a move back, or enter the whales that lie there."), rule="End of the round"
        )
    kind, _, number = action.partition("-")
    if kind == "lay":
        return _spent(_lay(turns, int(number)))
    if kind == "turtle":
        return _spent(_turtle(turns, int(number)))
    if kind == "call":
        if turns.why_not_call:
            raise RuleError(turns.why_not_call, rule="V3")
        return msgspec.structs.replace(turns, called_by=turns.player)
    return _next_turn(turns, empty=turns.empty + 1)


def _lay(turns: Turns, number: int) -> Turns:
    player, who = turns.player, name(turns.players[turns.player])
    if turns.laid[player][number - 1] == MOST_ON_PACK:
        raise RuleError(
            say("{player} has {n} whales on pack {pack} already, the most there.", player=who, n=MOST_ON_PACK, pack=number),
            rule="Play a card",
            field=f"packs.{number - 1}.{player}",
        )
    if turns.used[player] + turns.lost[player] + sum(turns.laid[player]) == WHALES:
        raise RuleError(say("{player} has laid all {n} whales of the match.", player=who, n=WHALES), rule="V1")
    return _changed(turns, player, number, 1)


def _turtle(turns: Turns, number: int) -> Turns:
    player, other = turns.player, 1 - turns.player
    if not turns.laid[other][number - 1]:
        raise RuleError(
            say(
                "A turtle needs a whale that lies face down. {player} has none on pack {pack}.",
                player=name(turns.players[other]),
                pack=number,
            ),
            rule="V8",
            field=f"packs.{number - 1}.{other}",
        )
    if turns.turtles[player] == TURTLES:
        all_played = say("{player} has played all {n} turtles.", player=name(turns.players[player]), n=TURTLES)
        raise RuleError(all_played, rule="V1")
    taken = _changed(turns, other, number, -1)
    return msgspec.structs.replace(taken, lost=_more(turns.lost, other), turtles=_more(turns.turtles, player))


def _changed(turns: Turns, player: int, number: int, by: int) -> Turns:
    """Return the round with more or fewer whales of a player on a pack."""
    first, second, third = turns.laid[player]
    packs = (first + by * (number == 1), second + by * (number == 2), third + by * (number == 3))
    laid = (packs, turns.laid[1]) if player == 0 else (turns.laid[0], packs)
    return msgspec.structs.replace(turns, laid=laid)


def _more(numbers: tuple[int, int], player: int) -> tuple[int, int]:
    return numbers[0] + (player == 0), numbers[1] + (player == 1)


def _spent(turns: Turns) -> Turns:
    """Return the round with one action less in this turn; the other player's turn begins after the last."""
    if turns.actions > 1:
        return msgspec.structs.replace(turns, actions=turns.actions - 1, empty=0)
    return _next_turn(turns, empty=0)


def _next_turn(turns: Turns, *, empty: int) -> Turns:
    return msgspec.structs.replace(turns, player=1 - turns.player, actions=ACTIONS, empty=empty)
