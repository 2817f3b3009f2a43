"""Is every example in the engine's docstrings true, and does every door have one?"""

from __future__ import annotations

import doctest
import inspect
from importlib import import_module
from pkgutil import walk_packages

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


def test_all_examples_are_true() -> None:
    assert [name for name in MODULES if doctest.testmod(import_module(name)).failed] == []


def test_every_door_shows_one() -> None:
    assert [door.__name__ for door in DOORS if ">>> " not in str(inspect.getdoc(door))] == []
