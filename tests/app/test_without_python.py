"""Does Companion run where nobody has installed it? As one file without Python, and from its wheel by pipx and by uvx.

``make app`` builds the file and the wheel into ``dist`` first.
"""

from __future__ import annotations

import os
import subprocess
import sys
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.cookiejar import CookieJar
from pathlib import Path

import pytest

from companion import __version__
from tests.server import CHECKOUT, PATIENCE, Server

pytestmark = pytest.mark.app

DIST = CHECKOUT / "dist"
APP = DIST / "companion"
TOOLS = Path(sys.executable).parent


@contextmanager
def serving(command: list[str], folder: Path, **settings: str) -> Iterator[str]:
    """Run Companion by this command in a folder of its own, and yield its address."""
    place = folder / "anywhere"
    place.mkdir()
    server = Server(folder / "instance", command=command, folder=place, settings=settings)
    server.start()
    try:
        yield server.url
    finally:
        server.stop()


def begin_beloz(url: str) -> str:
    """Sit down four people to BeloZ as a browser without scripts does; return the page that follows."""
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
    with browser.open(f"{url}/tables/new?game=beloz", timeout=PATIENCE) as answer:
        page = answer.read().decode()
    token = page.partition('name="csrf_token" value="')[2].partition('"')[0]
    people = {f"person_{seat}": name for seat, name in enumerate(("Ana", "Bo", "Cy", "Di"))}
    sent = urllib.parse.urlencode({"csrf_token": token, "table": "Kitchen table", "game": "beloz", **people}).encode()
    with browser.open(f"{url}/tables", sent, timeout=PATIENCE) as answer:
        return answer.read().decode()


def test_one_file_seats_a_table_where_there_is_no_python(tmp_path: Path) -> None:
    with serving([str(APP)], tmp_path, PATH="/nonexistent", HOME=str(tmp_path)) as url:
        page = begin_beloz(url)
    assert all(name in page for name in ("Ana", "Bo", "Cy", "Di"))
    assert (tmp_path / "instance" / "companion.sqlite").is_file()


def test_one_file_speaks_three_languages_and_has_every_game(tmp_path: Path) -> None:
    with serving([str(APP)], tmp_path) as url:
        for code, title in (("en", "on the table"), ("fr", "joue-t-on"), ("de", "auf dem Tisch")):
            asked = urllib.request.Request(url, headers={"Accept-Language": code})
            with urllib.request.urlopen(asked, timeout=PATIENCE) as answer:
                page = answer.read().decode()
            assert title in page
            assert all(game in page for game in ("BeloZ", "Beluga Cup", "Bisque", "Rivals", "What the Fish!"))


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the wheel and all that it needs, as a local index."""
    folder = tmp_path_factory.mktemp("index")
    (wheel,) = DIST.glob(f"companion-{__version__}-*.whl")
    download = ["-m", "pip", "download", "--quiet", "-c", "constraints.txt", "--dest", str(folder), str(wheel), "pip>=26.1"]
    subprocess.run([sys.executable, *download], cwd=CHECKOUT, check=True)
    return folder


def test_uvx_runs_the_wheel(index: Path, tmp_path: Path) -> None:
    offline = ["--offline", "--no-config", "--no-index", "--find-links", str(index), "--python", sys.executable]
    place = {**os.environ, "HOME": str(tmp_path), "UV_CACHE_DIR": str(tmp_path / "uv"), "UV_BUILD_CONSTRAINT": ""}  # as below
    command = [str(TOOLS / "uvx"), *offline, "companion", "--version"]
    ended = subprocess.run(command, cwd=tmp_path, env=place, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    assert __version__ in ended.stdout


def test_pipx_runs_the_wheel_and_seats_a_table(index: Path, tmp_path: Path) -> None:
    home = {"HOME": str(tmp_path), "PIPX_HOME": str(tmp_path / "pipx"), "PIPX_DEFAULT_PYTHON": sys.executable}
    home |= {"PIP_CONSTRAINT": "", "PIP_BUILD_CONSTRAINT": ""}  # make names them, as files of this folder
    command = [
        str(TOOLS / "pipx"),
        "run",
        "--backend",
        "pip",
        "--pip-args",
        f"--no-index --find-links {index}",
        "--spec",
        "companion",
        "companion",
    ]
    with serving(command, tmp_path, **home) as url:
        assert "Ana" in begin_beloz(url)
