"""Make the wheel and one file that needs no Python, ``dist/companion``: ``make app`` calls this."""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
DIST, BUILD = CHECKOUT / "dist", CHECKOUT / "build" / "app"
ONE_FILE = ["--log-level", "WARN", "--noconfirm", "--onefile", "--name", "companion"]
FOLDERS = ["--workpath", str(BUILD / "work"), "--specpath", str(BUILD)]
PACKAGES = ["--collect-all", "companion", "--copy-metadata", "companion", "--collect-all", "babel"]


def run(*command: str | Path) -> None:
    """Run a program in the checkout, and end with it if it fails."""
    subprocess.run(command, cwd=CHECKOUT, check=True)


def main() -> None:
    """Build both. PyInstaller sees what a package holds where that is installed, not where it is worked on."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    shutil.rmtree(BUILD, ignore_errors=True)
    for old in [DIST / "companion", *DIST.glob("companion-*.whl")]:
        old.unlink(missing_ok=True)
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation")
    run(sys.executable, "-m", "venv", BUILD)
    (wheel,) = DIST.glob("companion-*.whl")
    run(BUILD / "bin" / "python", "-m", "pip", "install", "--quiet", "-c", "constraints.txt", wheel, "pyinstaller")
    run(BUILD / "bin" / "pyinstaller", *ONE_FILE, *FOLDERS, *PACKAGES, BUILD / "bin" / "companion")


if __name__ == "__main__":
    main()
