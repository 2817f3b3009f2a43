"""Who sits around the table, for the keys to tap a player?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.engine.beloz.seats import team_of, turn_from


def seats(players: Sequence[str], first: int = 0) -> list[dict[str, Any]]:
    """Return all players in turn order from the ``first``, each with seat, name and team."""
    return [{"seat": seat, "name": players[seat], "side": team_of(seat)} for seat in turn_from(first)]
