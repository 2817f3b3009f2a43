"""What do the phones share of a hand? Before its first trick who has chosen a goal, at its end the goals that are turned up.

A goal is here only after its owner chose to show it. Before that it is on no phone but the owner's.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from companion.engine.bisque import COOKS, Reveal
from companion.screens.drafts import DraftCodec

Goals = tuple[str | None, ...]

HIDDEN: Goals = (None,) * COOKS

_Card = Annotated[str, msgspec.Meta(max_length=40)] | None
_Cook = Annotated[int, msgspec.Meta(ge=0, lt=COOKS)]


class HandDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The goals that lie open (None: hidden), and the players who have chosen theirs; which card it is, only they know."""

    goals: tuple[_Card, _Card, _Card] = (None, None, None)
    chosen: Annotated[tuple[_Cook, ...], msgspec.Meta(max_length=COOKS)] = ()


CODEC = DraftCodec(HandDraft)


def read(stored: Any) -> Goals:
    """Return the goals as the phones share them, None where one is hidden."""
    return CODEC.read(stored).goals


def chosen(stored: Any) -> tuple[int, ...]:
    """Return the players who have chosen their goal for this hand."""
    return CODEC.read(stored).chosen


def with_chosen(stored: Any, player: int) -> dict[str, Any] | None:
    """Return the draft after this player has chosen a goal too."""
    return CODEC.store(HandDraft(chosen=tuple(sorted({*chosen(stored), player}))))


def turned(goals: Goals, player: int, goal: str | None) -> Goals:
    """Return the goals after this player's was turned up, or down again (None)."""
    return (*goals[:player], goal, *goals[player + 1 :])


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
