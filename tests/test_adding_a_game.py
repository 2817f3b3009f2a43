"""Does docs/adding-a-game.md work as it is written: every block of it, and every command, in a checkout made for it?"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests import new_game
from tests.server import CHECKOUT, GREETED, PATIENCE

COMMANDS = re.compile(r"^```sh\n(.*?)^```$", re.DOTALL | re.MULTILINE)
# What a checkout has beside Companion's own files, and a new one has not.
# What Python has compiled of them comes along, but for what it is just writing: to compile it once more shows nothing.
NOT_COPIED = shutil.ignore_patterns(
    ".git", ".venv", "instance", "build", "dist", "node_modules", "*.pyc.*", ".*_cache", "tests"
)
# What pip would fetch is at hand already: it reads no registry, and builds with what is installed.
# pip takes this variable the wrong way round: 0 is "without isolation".
OFFLINE = {"PIP_NO_INDEX": "1", "PIP_NO_BUILD_ISOLATION": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a new checkout with an environment of its own, as ``make run`` leaves it, and with the package."""
    folder = tmp_path_factory.mktemp("page") / "companion"
    shutil.copytree(CHECKOUT, folder, ignore=NOT_COPIED)
    new_game.environment(folder / ".venv")
    installing = [".venv/bin/python", "-m", "pip", "install", "--quiet", "--no-deps", "--ignore-installed", "-e", "."]
    subprocess.run(installing, cwd=folder, env=environment(), check=True)
    (folder / ".venv/installed").touch()
    shutil.copytree(new_game.PACKAGE, folder / "tests" / "plugin", ignore=NOT_COPIED)
    return folder


def environment() -> Mapping[str, str]:
    """Return what the commands see: nothing of the environment in which this test runs."""
    outer = ("PYTEST_", "PIP_", "MAKE", "MFLAGS", "VIRTUAL_ENV", "COMPANION_")
    return {**{name: value for name, value in os.environ.items() if not name.startswith(outer)}, **OFFLINE}


def run(command: str, folder: Path) -> str:
    """Run a line of the page to its end; return what it printed."""
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def home_while(command: str, folder: Path) -> str:
    """Run a line that serves until somebody ends it; return the home page that it served."""
    log = folder / "served"
    with log.open("wb") as output:
        serving = subprocess.Popen(
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
            assert serving.poll() is None, log.read_text("utf-8")
            assert time.monotonic() < until, log.read_text("utf-8")
            time.sleep(0.05)
        with urlopen(greeted.group(1)) as answer:
            return str(answer.read().decode())
    finally:
        os.killpg(serving.pid, signal.SIGTERM)
        serving.wait(PATIENCE)


def test_every_block_stands_in_its_file() -> None:
    blocks = list(new_game.BLOCK.finditer(new_game.PAGE))
    assert len(blocks) == 10
    for block in blocks:
        file = (new_game.PACKAGE / block["name"]).read_text("utf-8")
        for piece in block["text"].split("…\n"):
            assert piece in file, block["name"]


def test_whoever_follows_the_page_has_a_game(checkout: Path) -> None:
    lines = [line for block in COMMANDS.findall(new_game.PAGE) for line in block.splitlines()]
    assert len(lines) == 6
    copy, install, tests, serve, legal, remove = lines
    run(copy, checkout)
    run(install, checkout)
    assert "17 passed" in run(tests, checkout)
    assert "Magpie" in home_while(serve, checkout)
    assert '"legal":["silver-9"]' in run(legal, checkout)
    assert "magpie.Record" in run(".venv/bin/companion schema", checkout)
    run(remove, checkout)
    assert "magpie" not in run(".venv/bin/companion schema", checkout)
