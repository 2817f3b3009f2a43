"""What do the phones share of a hand? Before its first trick who has chosen a goal, at its end the goals that are turned up.

A goal is here only after its owner chose to show it. Before that it is on no phone but the owner's.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from companion.engine.bisque import COOKS, Reveal
from companion.screens.drafts import DraftCodec
from companion.screens.interface import Faster

Goals = tuple[str | None, ...]

HIDDEN: Goals = (None,) * COOKS

_Card = Annotated[str, msgspec.Meta(max_length=40)] | None
_Cook = Annotated[int, msgspec.Meta(ge=0, lt=COOKS)]


class HandDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The open goals (None: hidden), and the players who have chosen a goal. The card itself stays on their phones.

    ``redeals`` counts new deals of the hand: a goal chosen before a new deal is void.
    """

    goals: tuple[_Card, _Card, _Card] = (None, None, None)
    chosen: Annotated[tuple[_Cook, ...], msgspec.Meta(max_length=COOKS)] = ()
    redeals: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 0


CODEC = DraftCodec(HandDraft)


def read(stored: Any) -> Goals:
    """Return the goals as the phones share them, None where one is hidden."""
    return CODEC.read(stored).goals


def chosen(stored: Any) -> tuple[int, ...]:
    """Return the players who have chosen their goal for this hand."""
    return CODEC.read(stored).chosen


def redeals(stored: Any) -> int:
    """Return how often this hand was dealt again."""
    return CODEC.read(stored).redeals


def with_chosen(stored: Any, player: int, *, has_chosen: bool = True) -> dict[str, Any] | None:
    """Return the draft after this player has chosen a goal too, or has none any more."""
    players = {*chosen(stored), player} if has_chosen else {*chosen(stored)} - {player}
    return CODEC.store(HandDraft(chosen=tuple(sorted(players)), redeals=redeals(stored)))


def dealt_again(stored: Any) -> dict[str, Any] | None:
    """Return the draft of the hand with new cards, from which nobody has chosen yet."""
    return CODEC.store(HandDraft(redeals=redeals(stored) + 1))


def turned(goals: Goals, player: int, goal: str | None) -> Goals:
    """Return the goals after this player's was turned up, or down again (None)."""
    return (*goals[:player], goal, *goals[player + 1 :])


def check_seen(seen: str | None, present: Goals, player: int, goal: str | None) -> None:
    """Raise Faster if this player's goal has changed on another phone since this one has ``seen`` the goals, as one line."""
    if seen is None or seen.count(",") != COOKS - 1:
        return
    if (seen.split(",")[player] or None) == present[player]:
        return
    raise Faster(same=present[player] == goal)


def stored(goals: Goals) -> dict[str, Any] | None:
    """Return the goals for the database, or None when all are hidden."""
    first, second, third = goals
    return CODEC.store(HandDraft((first, second, third)))


def reveal(goals: Goals) -> Reveal | None:
    """Return the event that turns all of them up, once all are known."""
    first, second, third = goals
    return None if first is None or second is None or third is None else Reveal((first, second, third))


def text(goals: Goals) -> str:
    """Return the goals as one line, for a form to carry."""
    return ",".join(goal or "" for goal in goals)
