"""How is the game of docs/adding-a-game.md built and installed? From the page's own blocks, where a test says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tests.server import CHECKOUT

PAGE = (CHECKOUT / "docs" / "adding-a-game.md").read_text("utf-8")
FILE = re.compile(r"^`(?P<name>[\w./-]+)`\n\n```\w+\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE)


def build(folder: Path) -> Path:
    """Write every file of the page below the folder; returns where the package is."""
    for block in FILE.finditer(PAGE):
        file = folder / "magpie" / block["name"]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(block["text"], "utf-8")
    return folder / "magpie"


def install(package: Path, into: Path) -> None:
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
        [sys.executable, "-m", "pip", "install", *options, str(package)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
