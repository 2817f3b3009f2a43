"""Is an installed game found by its entry point, and a broken one, or one that is there already, refused?"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion import GAMES_GROUP, games
from companion.engine import GAMES, PACKAGES
from companion.screens.plugin import GamePlugin
from companion.settings import StartupError
from tests.web.tally import TALLY

CHECKOUT = Path(__file__).resolve().parents[2]


@pytest.fixture
def package(monkeypatch: pytest.MonkeyPatch) -> Iterator[SimpleNamespace]:
    """Yield a module of which a test says what is in it; afterwards its game is gone."""
    module = SimpleNamespace(PLUGIN=GamePlugin(game=TALLY))
    monkeypatch.setitem(sys.modules, "tally_of_the_tests", module)
    yield module
    games.PLUGINS.pop("tally", None)
    GAMES.pop("tally", None)
    PACKAGES.pop("tally", None)


def add(value: str = "tally_of_the_tests:PLUGIN") -> None:
    games.add([EntryPoint("tally", value, GAMES_GROUP)])


def test_its_game_is_one_more_of_all(package: SimpleNamespace) -> None:
    before = list(games.PLUGINS)
    add()
    assert list(games.PLUGINS) == [*before, "tally"]
    assert GAMES["tally"] is TALLY


def test_the_same_game_twice_is_refused(package: SimpleNamespace) -> None:
    add()
    with pytest.raises(StartupError, match="“tally” of tally_of_the_tests can't be played here: there is a game"):
        add()


@pytest.mark.parametrize(
    ("plugin", "sentence"),
    [
        (TALLY, "its entry point leads to a Game, not to a GamePlugin."),
        (GamePlugin(game=games.PLUGINS["bisque"].game), "there is a game “bisque” already."),
        (GamePlugin(game=TALLY, screens=games.PLUGINS["bisque"].screens), "its rules are called “tally”, its pages “bisque”."),
        (GamePlugin(game=TALLY, look_up=games.PLUGINS["bisque"].look_up), "its rules are called “tally”, its pages “bisque”."),
        (GamePlugin(game=replace(TALLY, seats=(2, 13))), "it is for up to 13 players, and a table has 12 seats."),
        (GamePlugin(game=TALLY, rules=CHECKOUT / "README.md"), "its rulebook can't be read (tally, line "),
        (GamePlugin(game=TALLY, rules=CHECKOUT / "none.md"), "its rulebook can't be read ("),
    ],
)
def test_what_can_not_be_a_game_is_refused(package: SimpleNamespace, plugin: object, sentence: str) -> None:
    package.PLUGIN = plugin
    with pytest.raises(StartupError) as refused:
        add()
    assert sentence in str(refused.value)
    assert "tally" not in games.PLUGINS
    assert "tally" not in GAMES


@pytest.mark.parametrize("value", ["no_such_module_here:PLUGIN", "tally_of_the_tests:NOTHING"])
def test_what_can_not_be_loaded_is_named_with_its_package(package: SimpleNamespace, value: str) -> None:
    with pytest.raises(StartupError, match=r"The game “tally” of \w+ can't be loaded \(\w+Error: "):
        add(value)


def test_the_command_line_gives_the_sentence_and_no_trace(tmp_path: Path) -> None:
    described = tmp_path / "broken_game-1.dist-info"
    described.mkdir()
    (described / "METADATA").write_text("Metadata-Version: 2.1\nName: broken-game\nVersion: 1\n")
    (described / "entry_points.txt").write_text(f"[{GAMES_GROUP}]\nchess = no_such_module_here:PLUGIN\n")
    program = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from companion.cli import main; main()"
    for command in (["schema"], ["run", "--port", "0", "--host", "127.0.0.1"]):
        ended = subprocess.run(
            [sys.executable, "-c", program, *command], cwd=CHECKOUT, capture_output=True, text=True, timeout=180, check=False
        )
        assert ended.returncode != 0
        assert "The game “chess” of broken-game can't be loaded (ModuleNotFoundError" in ended.stderr
        assert "Traceback" not in ended.stderr
