"""Does docs/adding-a-game.md work as it is written: every file of it, then every command, in a checkout made for it?"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

from tests import new_game
from tests.server import CHECKOUT, GREETED, PATIENCE

COMMANDS = re.compile(r"^```sh\n(.*?)^```$", re.DOTALL | re.MULTILINE)
# What a checkout has beside Companion's own files, and a new one has not. What Python has compiled is copied:
# that spares seconds.
NOT_COPIED = shutil.ignore_patterns(".git", ".venv", "instance", "build", "dist", "node_modules", ".*_cache", "tests")
# What pip would fetch is at hand already: it reads no registry, and builds with what is installed.
# pip takes this variable the wrong way round: 0 is "without isolation".
OFFLINE = {"PIP_NO_INDEX": "1", "PIP_NO_BUILD_ISOLATION": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a new checkout with an environment of its own, as ``make run`` leaves it, and with the page's files."""
    folder = tmp_path_factory.mktemp("page") / "companion"
    shutil.copytree(CHECKOUT, folder, ignore=NOT_COPIED)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", ".venv"], cwd=folder, check=True)
    (site,) = folder.glob(".venv/lib/python*/site-packages")
    (site / "at-hand.pth").write_text(sysconfig.get_path("purelib"), "utf-8")
    installing = [".venv/bin/python", "-m", "pip", "install", "--quiet", "--no-deps", "--ignore-installed", "-e", "."]
    subprocess.run(installing, cwd=folder, env=environment(), check=True)
    (folder / ".venv/installed").touch()
    new_game.build(folder)
    return folder


def environment() -> Mapping[str, str]:
    """Return what the commands see: nothing of the environment in which this test runs."""
    outer = ("PYTEST_", "PIP_", "MAKE", "MFLAGS", "VIRTUAL_ENV", "COMPANION_")
    return {**{name: value for name, value in os.environ.items() if not name.startswith(outer)}, **OFFLINE}


RECORD = {
    "format": "companion-record/1",
    "game": "magpie",
    "players": ["Ana", "Bo", "Cy"],
    "options": {"target": 15},
    "events": [{"type": "round", "gold": [7, 3, 0]}, {"type": "round", "gold": [8, 0, 2]}],
}


def run(command: str, folder: Path, given: str = "") -> str:
    """Run a line of the page to its end; return what it printed."""
    done = subprocess.run(
        ["sh", "-c", command],
        input=given,
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@contextmanager
def serving(command: str, folder: Path) -> Iterator[str]:
    """Run a line that serves until somebody ends it; yield the address."""
    log = folder / "served"
    with log.open("wb") as output:
        server = subprocess.Popen(
            ["sh", "-c", f"exec {command}"],
            cwd=folder,
            env={**environment(), "PORT": "0", "PYTHONUNBUFFERED": "1"},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        until = time.monotonic() + PATIENCE
        while not (greeted := GREETED.search(log.read_text("utf-8"))):
            assert server.poll() is None, log.read_text("utf-8")
            assert time.monotonic() < until, log.read_text("utf-8")
            time.sleep(0.05)
        yield greeted.group(1)
        assert "Traceback" not in log.read_text("utf-8")
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(PATIENCE)


def get(address: str, path: str, body: Any = None) -> str:
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(address + path, data, {"Content-Type": "application/json"}), timeout=PATIENCE) as answer:
        return str(answer.read().decode())


def asks_about_it(address: str) -> None:
    """Check that the API knows the game and describes it."""
    (game,) = (game for game in json.loads(get(address, "/api/v1/games"))["games"] if game["slug"] == "magpie")
    assert [look_up["schema"] for look_up in game["look_ups"]] == ["magpie.MayPlay"]
    rules = json.loads(get(address, game["rules"]))["entries"]
    assert [entry["id"] for entry in rules] == ["dealing", "following", "gold", "end"]
    assert [option["name"] for option in json.loads(get(address, game["data"]))["options"]] == ["target"]
    assert json.loads(get(address, "/api/v1/replay", RECORD))["scores"] == [15, 3, 2]
    described = json.loads(get(address, "/api/v1/openapi.json"))
    assert "magpie" in json.dumps(described["paths"]["/api/v1/games/{slug}"])
    assert "magpie.Round" in described["components"]["schemas"]


def test_whoever_follows_the_page_has_a_game(checkout: Path) -> None:
    lines = [line for block in COMMANDS.findall(new_game.PAGE) for line in block.splitlines()]
    assert len(lines) == 5
    install, tests, serve, legal, remove = lines
    run(install, checkout)
    assert "17 passed" in run(tests, checkout)
    with serving(serve, checkout) as address:
        assert "Magpie" in get(address, "/")
        asks_about_it(address)
    assert '"legal":["silver-9"]' in run(legal, checkout)
    replayed = json.loads(run(".venv/bin/companion replay -", checkout, json.dumps(RECORD)))
    assert (replayed["scores"], replayed["winners"], replayed["dealer"]) == ([15, 3, 2], [0], 2)
    schema = ".venv/bin/companion schema"
    assert "magpie.Record" in run(schema, checkout)
    run(remove, checkout)
    assert "magpie" not in run(schema, checkout)
