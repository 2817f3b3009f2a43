"""Can what the engine hands out be kept and shared? No event, state or answer changes once it is made."""

from __future__ import annotations

import importlib
import inspect
import pkgutil

import msgspec
import pytest

from companion import engine

MODULES = [importlib.import_module(each.name) for each in pkgutil.walk_packages(engine.__path__, "companion.engine.")]
STRUCTS = {
    each
    for module in MODULES
    for _, each in inspect.getmembers(module, inspect.isclass)
    if issubclass(each, msgspec.Struct) and each.__module__.startswith("companion.engine") and ".records" not in each.__module__
}


def test_none_of_them_changes() -> None:
    assert STRUCTS
    assert [struct for struct in STRUCTS if not struct.__struct_config__.frozen] == []


@pytest.mark.parametrize("slug", sorted(engine.GAMES))
def test_events_options_and_questions_have_no_parts_but_their_own(slug: str) -> None:
    game = engine.GAMES[slug]
    for struct in (*game.event_types(), game.options, *game.questions):
        assert struct.__struct_config__.forbid_unknown_fields, struct


@pytest.mark.parametrize(
    ("slug", "title", "seats", "events", "look_ups", "turns"),
    [
        ("beloz", "BeloZ", (4, 4), 2, 2, True),
        ("beluga-cup", "Beluga Cup", (2, 2), 7, 1, True),
        ("bisque", "Bisque", (3, 3), 2, 2, True),
        ("rivals", "Rivals", (2, 2), 2, 1, True),
        ("what-the-fish", "What the Fish!", (2, 6), 8, 1, False),
    ],
)
def test_the_five_games(slug: str, title: str, seats: tuple[int, int], events: int, look_ups: int, turns: bool) -> None:
    game = engine.GAMES[slug]
    assert (game.slug, game.title, game.seats, game.turns) == (slug, title, seats, turns)
    assert (len(game.events), len(game.questions)) == (events, look_ups)
    assert game.event_types()[-1].__name__ == "Stop"
    assert (game.verify is not None) == (game.draws is not None) == (slug == "beluga-cup")
