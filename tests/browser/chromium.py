"""Which Chromium do the browser tests drive? One that is here, else one that can be installed without a question.

As a program it makes sure that there is one, and says what to install when it can't.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

LIGHT = "chromium-headless-shell"  # without windows: the same pages take it less than half of the processor's time
NAMES = (LIGHT, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
APPS = tuple(
    f"{folder}/Applications/{name}.app/Contents/MacOS/{name}"
    for folder in ("", str(Path.home()))
    for name in ("Google Chrome", "Chromium")
)

WHAT_TO_INSTALL = (
    "The browser tests need Chromium or Chrome. On Debian: sudo apt install chromium-headless-shell. "
    "On macOS: brew install --cask chromium. Elsewhere: .venv/bin/playwright install --with-deps chromium"
)


def find() -> str | None:
    """Return the path of a Chromium that starts, or None."""
    candidates = [shutil.which(name) for name in NAMES] + [app for app in APPS if Path(app).is_file()]
    there = next((path for path in candidates if path and starts(path)), None)
    return there or next((path for path in (playwrights_own(),) if path and starts(path)), None)


def playwrights_own() -> str | None:
    """Return the one that ``playwright install`` put in place, if it did."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).is_file() else None


def starts(path: str) -> bool:
    """Return whether it is a browser, and not a stub that asks to install one."""
    try:
        asked = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=180, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return asked.returncode == 0 and "Chrom" in asked.stdout


def install() -> None:
    """Install one in the system's own way if that needs no password, else by playwright."""
    root: list[str] | None = [] if os.geteuid() == 0 else ["sudo", "-n"]
    if root and not succeeds([*root, "true"]):
        root = None
    if root is not None and is_debian():
        apt = [*root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq"]
        succeeds([*apt, "update"])
        succeeds([*apt, "install", "-y", LIGHT]) or succeeds([*apt, "install", "-y", "chromium"])
    if find():
        return
    succeeds([sys.executable, "-m", "playwright", "install", *(["--with-deps"] if root is not None else []), "chromium"])


def is_debian() -> bool:
    """Return whether this is Debian itself; others of its family have a stub under the same name."""
    release = Path("/etc/os-release")
    return release.is_file() and "ID=debian" in release.read_text("utf-8").splitlines() and shutil.which("apt-get") is not None


def succeeds(command: list[str]) -> bool:
    """Run a program, with its output shown and nobody to answer its questions."""
    try:
        return subprocess.run(command, stdin=subprocess.DEVNULL).returncode == 0
    except OSError:
        return False


def main() -> int:
    """Make sure of a browser. Without one the tests go on by hand and skip what needs it; in CI that is a failure.

    In CI, which has no other use for the machine, the light one is installed beside any other.
    """
    path = find()
    if path is None or (os.environ.get("CI") and is_debian() and not shutil.which(LIGHT)):
        print("Installing a browser for the tests.", flush=True)
        install()
        path = find()
    if path is None:
        print(WHAT_TO_INSTALL, file=sys.stderr)
        return 1 if os.environ.get("CI") else 0
    print(f"Browser: {path}")
    return 0


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    sys.exit(main())
