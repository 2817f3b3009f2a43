"""What the phones share of a hand: before its first trick who has chosen a goal, at its end the goals that are turned up.

A goal is here only after its owner chose to show it. Before that it is on no phone but the owner's.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from companion.engine.bisque import COOKS, Reveal

Goals = tuple[str | None, ...]

HIDDEN: Goals = (None,) * COOKS

_Card = Annotated[str, msgspec.Meta(max_length=40)] | None
_Cook = Annotated[int, msgspec.Meta(ge=0, lt=COOKS)]


class _Stored(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    goals: tuple[_Card, _Card, _Card] = (None, None, None)
    chosen: Annotated[tuple[_Cook, ...], msgspec.Meta(max_length=COOKS)] = ()


def _read(stored: Any) -> _Stored:
    try:
        return msgspec.convert(stored, _Stored)
    except msgspec.ValidationError:
        return _Stored()


def read(stored: Any) -> Goals:
    """The goals as the phones share them, None where one is hidden; all hidden when there is nothing or it makes no sense."""
    return _read(stored).goals


def chosen(stored: Any) -> tuple[int, ...]:
    """The players who have chosen their goal for this hand; which card it is, only they know."""
    return _read(stored).chosen


def with_chosen(stored: Any, player: int) -> dict[str, Any]:
    """The draft after this player has chosen a goal too."""
    return {"chosen": sorted({*chosen(stored), player})}


def stored(goals: Goals) -> dict[str, Any] | None:
    """The goals in JSON's terms, or None when all are hidden."""
    return {"goals": list(goals)} if goals != HIDDEN else None


def turned(goals: Goals, player: int, goal: str | None) -> Goals:
    """The goals after this player's was turned up, or down again (None)."""
    return (*goals[:player], goal, *goals[player + 1 :])


def reveal(goals: Goals) -> Reveal | None:
    """The event that turns all of them up, once all are known."""
    first, second, third = goals
    return None if first is None or second is None or third is None else Reveal((first, second, third))


def text(goals: Goals) -> str:
    """The goals as one line, for a form to carry."""
    return ",".join(goal or "" for goal in goals)
