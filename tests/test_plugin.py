"""Does a game's package need nothing of Companion but what is promised?"""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from companion import plugin
from companion.plugin import Standing, score_line
from tests import new_game

PROMISED = {"companion.plugin", "companion.testing"}


def imported(text: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom):
            yield str(node.module)
        elif isinstance(node, ast.Import):
            yield from (each.name for each in node.names)


def test_the_game_of_the_page_on_adding_one_uses_nothing_else() -> None:
    texts = [file.read_text("utf-8") for file in new_game.PACKAGE.rglob("*.py")]
    used = {module for text in texts for module in imported(text) if module.partition(".")[0] == "companion"}
    assert "companion.plugin" in used
    assert used <= PROMISED


def test_everything_promised_is_there_once() -> None:
    assert len(plugin.__all__) == len(set(plugin.__all__))
    assert all(hasattr(plugin, name) for name in plugin.__all__)


@pytest.mark.parametrize(
    ("sides", "scores", "told"),
    [
        (("Ana", "Bo"), (541, 424), "541 to 424"),
        (("Ana", "Bo"), (None, 424), "– to 424"),
        (("Ana", "Bo", "Cy"), (70, 6, 32), "Ana\u00a070, Bo\u00a06, Cy\u00a032"),
        (("Ana",), (70,), "Ana\u00a070"),
    ],
)
def test_only_two_sides_are_told_without_names(sides: tuple[str, ...], scores: tuple[int | None, ...], told: str) -> None:
    standing = Standing(scores=scores, sides=sides, finished=False, winners=())
    assert score_line(standing) == told
