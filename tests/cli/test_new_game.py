"""Does the API know the game of docs/adding-a-game.md, followed to the letter? The command line does: test_adding_a_game.py."""

from __future__ import annotations

import json
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from tests import new_game, said
from tests.server import PATIENCE, Server

RECORD = {
    "format": "companion-record/1",
    "game": "magpie",
    "players": ["Ana", "Bo", "Cy"],
    "options": {"target": 15},
    "events": [{"type": "round", "gold": [7, 3, 0]}, {"type": "round", "gold": [8, 0, 2]}],
}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    new_game.install(sys.executable, "--target", str(folder))
    return folder


def test_the_api_knows_it_and_describes_it(installed: Path, tmp_path: Path) -> None:
    server = Server(tmp_path / "instance", settings={"PYTHONPATH": said.path(installed)})
    server.start()

    def get(path: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        asked = urllib.request.Request(server.url + path, data, {"Content-Type": "application/json"})
        with urllib.request.urlopen(asked, timeout=PATIENCE) as answer:
            return json.loads(answer.read())

    try:
        (game,) = (game for game in get("/api/v1/games")["games"] if game["slug"] == "magpie")
        assert [look_up["schema"] for look_up in game["look_ups"]] == ["magpie.MayPlay"]
        assert [entry["id"] for entry in get(game["rules"])["entries"]] == ["dealing", "following", "gold", "end"]
        assert [option["name"] for option in get(game["data"])["options"]] == ["target"]
        answer = get("/api/v1/replay", RECORD)
        assert (answer["scores"], answer["winners"], answer["dealer"]) == ([15, 3, 2], [0], 2)
        described = get("/api/v1/openapi.json")
        assert "magpie" in json.dumps(described["paths"]["/api/v1/games/{slug}"])
        assert "magpie.Round" in described["components"]["schemas"]
    finally:
        assert server.stop() == 0
    assert "Traceback" not in server.complaints, server.complaints
