"""Does docs/adding-a-game.md work as it is written: every file of it, then every command, in a folder with nothing else?"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests import new_game
from tests.server import CHECKOUT, PATIENCE

COMMANDS = re.compile(r"^```sh\n(.*?)^```$", re.DOTALL | re.MULTILINE)

# The page's own words are run; only what they would fetch is there already. pip installs from the folder alone, into a place of
# its own; pytest is the one that runs this; and make run, which goes on until somebody ends it, only reads every game.
PYTHON = """#!/bin/sh
export PYTHONPATH="{site}:{checkout}"
case "$*" in "-m pip install pytest "*)
    shift 4
    exec "{python}" -m pip install --quiet --no-deps --no-build-isolation --no-index --target "{site}" "$@"
esac
exec "{python}" "$@"
"""
COMPANION = """#!/bin/sh
exec "{here}/.venv/bin/python" -m companion "$@"
"""
MAKE = """#!/bin/sh
test "$*" = run && exec "{here}/.venv/bin/companion" schema
"""


def put(file: Path, text: str, **names: object) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text.format(**names), "utf-8")
    file.chmod(0o755)


def test_whoever_follows_the_page_has_a_game(tmp_path: Path) -> None:
    new_game.build(tmp_path)
    shutil.copy(CHECKOUT / "pyproject.toml", tmp_path)  # whose settings pytest finds above the package
    put(tmp_path / ".venv/bin/python", PYTHON, site=tmp_path / "site", checkout=CHECKOUT, python=sys.executable)
    put(tmp_path / ".venv/bin/companion", COMPANION, here=tmp_path)
    put(tmp_path / "bin/make", MAKE, here=tmp_path)
    blocks = COMMANDS.findall(new_game.PAGE)
    assert len(blocks) == 2
    path = f"{tmp_path / 'bin'}:{os.environ['PATH']}"
    own = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "PIP_"))}
    told = ""
    for block in blocks:
        done = subprocess.run(
            ["sh", "-e", "-c", block],
            cwd=tmp_path,
            env={**own, "PATH": path},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        told += done.stdout
    assert "17 passed" in told
    assert "magpie.Record" in told
    assert '"legal":["silver-9"]' in told
