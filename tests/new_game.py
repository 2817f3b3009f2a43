"""Where is the game of docs/adding-a-game.md, and how is it installed?"""

from __future__ import annotations

import re
import subprocess
import sys
import sysconfig
from pathlib import Path

from tests.server import CHECKOUT

PACKAGE = CHECKOUT / "tests" / "plugin"
PAGE = (CHECKOUT / "docs" / "adding-a-game.md").read_text("utf-8")
BLOCK = re.compile(r"^\[`(?P<name>[\w./-]+)`\]\([^)]*\)\n\n```\w+\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE)


def environment(folder: Path) -> Path:
    """Make a fresh environment, which sees Companion and what it needs where they are; return its Python."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    (site,) = folder.glob("lib/python*/site-packages")
    (site / "at-hand.pth").write_text(f"{sysconfig.get_path('purelib')}\n{CHECKOUT}\n", "utf-8")
    return folder / "bin" / "python"


def install(python: Path | str, *where: str) -> None:
    """Install the package into the environment of a Python, or with ``--target`` into a folder."""
    pip(python, "install", "--no-deps", "--no-build-isolation", "--no-index", *where, str(PACKAGE))


def remove(python: Path) -> None:
    """Remove the package from an environment."""
    pip(python, "uninstall", "--yes", "companion-magpie")


def pip(python: Path | str, *arguments: str) -> None:
    """Let pip do something in the environment of a Python."""
    done = subprocess.run(
        [python, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
