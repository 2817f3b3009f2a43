"""What BeloZ calls numbers and teams, and what is agreed on when nobody says anything."""

from __future__ import annotations

import msgspec
import pytest

from companion.engine.beloz import BelozOptions
from companion.engine.beloz.words import count_word, team_name
from companion.engine.text import join_names


def test_nobody_having_said_anything_it_goes_to_1000_and_equal_declarations_cancel() -> None:
    assert msgspec.to_builtins(BelozOptions()) == {"target": 1000, "tied_declarations": "none-count"}


def test_numbers_of_cards_are_words() -> None:
    words = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight"]
    assert [count_word(number) for number in range(9)] == words


@pytest.mark.parametrize(("things", "said"), [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")])
def test_things_are_listed_with_and(things: list[str], said: str) -> None:
    assert join_names(things) == said


def test_other_lists_end_in_or() -> None:
    assert join_names(["151", "153"], "or") == "151 or 153"


def test_partners_sit_opposite() -> None:
    players = ("Ana", "Bo", "Cy", "Di")
    assert [team_name(players, team) for team in (0, 1)] == ["Ana & Cy", "Bo & Di"]
