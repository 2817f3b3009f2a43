"""In which order are the sides of a match shown, and with which pawns?

The engine counts sides from the first dealer, who is another one in every match. People keep their pawn and their place on the
screen all evening: both are counted from the first seat at the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flask import g
from sqlalchemy import bindparam, select

from companion.storage import database
from companion.storage.models import Player
from companion.storage.statements import Statement

_SEATED = Statement(select(Player.name).where(Player.table_id == bindparam("table_id")).order_by(Player.seat))


def first_shown(table_id: int, players: Sequence[str], sides: Sequence[str]) -> int:
    """Return the side of whoever of the ``players`` has the lowest seat at the table."""
    with database.reading() as connection:
        seated = [name for (name,) in _SEATED.all(connection, table_id=table_id)]
    return next((players.index(name) for name in seated if name in players), 0) % len(sides)


def keep(table_id: int, players: Sequence[str], sides: Sequence[str]) -> None:
    """Show that side before the others, on the page that is being made."""
    g.shown_sides = first_shown(table_id, players, sides), tuple(sides)


def shown_side(side: int) -> int:
    """Return the number of a side's pawn."""
    first, sides = g.get("shown_sides", (0, ()))
    return (side - first) % len(sides) if isinstance(side, int) and 0 <= side < len(sides) else side


def as_shown(values: Sequence[Any], names: Sequence[str] = ()) -> Sequence[Any]:
    """Return what there is for each side in the order in which the sides are shown.

    With ``names`` it is only done if these are the sides: other columns stay as they are.
    """
    first, sides = g.get("shown_sides", (0, ()))
    if len(values) != len(sides) or (names and tuple(names) != sides):
        return values
    return [*values[first:], *values[:first]]
