"""Who sits where? The two teams, and the turn order in which players are numbered 0 to 3."""

from __future__ import annotations


def team_of(player: int) -> int:
    """Return the team of a player: partners sit opposite each other."""
    return player % 2


def turn_from(player: int) -> tuple[int, ...]:
    """Return all players in turn order, this one first."""
    return tuple((player + step) % 4 for step in range(4))
