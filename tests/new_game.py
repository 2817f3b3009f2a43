"""Where is the game of docs/adding-a-game.md, and how is it installed?"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tests.server import CHECKOUT

PACKAGE = CHECKOUT / "tests" / "plugin"
PAGE = (CHECKOUT / "docs" / "adding-a-game.md").read_text("utf-8")
BLOCK = re.compile(r"^\[`(?P<name>[\w./-]+)`\]\([^)]*\)\n\n```\w+\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE)


def install(into: Path) -> None:
    """Install the package as ``pip install`` does, but into a folder that only those see who have it on their path."""
    options = (
        "--quiet",
        "--disable-pip-version-check",
        "--no-deps",
        "--no-build-isolation",
        "--no-index",
        "--target",
        str(into),
    )
    done = subprocess.run(
        [sys.executable, "-m", "pip", "install", *options, str(PACKAGE)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
