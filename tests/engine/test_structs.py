"""What the engine hands out can be kept and shared: no event, state or answer changes once it is made."""

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


@pytest.mark.parametrize(
    "struct", sorted(STRUCTS, key=lambda each: (each.__module__, each.__name__)), ids=lambda one: one.__name__
)
def test_it_does_not_change(struct: type[msgspec.Struct]) -> None:
    assert struct.__struct_config__.frozen


@pytest.mark.parametrize("slug", sorted(engine.GAMES))
def test_events_options_and_questions_have_no_parts_but_their_own(slug: str) -> None:
    game = engine.GAMES[slug]
    for struct in (*game.event_types(), game.options, *game.questions):
        assert struct.__struct_config__.forbid_unknown_fields, struct
