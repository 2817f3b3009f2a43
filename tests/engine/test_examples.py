"""Is every example in the engine's docstrings true, and does every door have one?"""

from __future__ import annotations

import doctest
import inspect
from importlib import import_module
from pkgutil import walk_packages

import pytest

from companion import engine
from companion.engine import core, fair_draw, records

MODULES = sorted(module.name for module in walk_packages(engine.__path__, f"{engine.__name__}."))
DOORS = [
    *(core.start, core.replay),
    *(
        function
        for module in (records, fair_draw)
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__ and not name.startswith("_")
    ),
]


@pytest.mark.parametrize("name", MODULES)
def test_its_examples_are_true(name: str) -> None:
    assert doctest.testmod(import_module(name)).failed == 0


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)
def test_it_shows_an_example(door: object) -> None:
    assert ">>> " in str(inspect.getdoc(door))
