"""What does BeloZ call teams, and what is agreed on when nobody says anything?"""

from __future__ import annotations

import msgspec

from companion.engine.beloz import BelozOptions
from companion.engine.beloz.words import team_name


def test_nobody_having_said_anything_it_goes_to_1000_and_equal_declarations_cancel() -> None:
    assert msgspec.to_builtins(BelozOptions()) == {"target": 1000, "tied_declarations": "none-count"}


def test_partners_sit_opposite() -> None:
    players = ("Ana", "Bo", "Cy", "Di")
    assert [team_name(players, team) for team in (0, 1)] == ["Ana & Cy", "Bo & Di"]
