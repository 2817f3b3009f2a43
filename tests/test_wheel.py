"""Does the built package carry its pages and migrations, and run where there is no checkout?"""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import urllib.request
import zipfile
from pathlib import Path

import pytest

from companion import __version__
from tests.server import CHECKOUT, PATIENCE, Server


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    run("-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(CHECKOUT))
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def elsewhere(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a virtual environment with the wheel in it, which borrows everything else from the one that runs the tests."""
    environment = tmp_path_factory.mktemp("elsewhere")
    run("-m", "venv", "--without-pip", str(environment))
    python = environment / "bin" / "python"
    run("-m", "pip", "--python", str(python), "install", "--quiet", "--no-deps", "--no-index", str(wheel))
    (packages,) = environment.glob("lib/python*/site-packages")
    # a folder named in a .pth file comes last, and its own .pth files (the editable install) are not read
    (packages / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n", "utf-8")
    return environment


def run(*arguments: str) -> None:
    done = subprocess.run([sys.executable, *arguments], cwd=CHECKOUT, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stdout + done.stderr


def files(folder: str) -> set[str]:
    found = (path for path in (CHECKOUT / folder).rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {str(path.relative_to(CHECKOUT)) for path in found}


def test_it_carries_everything_that_runs_and_nothing_else(wheel: Path) -> None:
    held = set(zipfile.ZipFile(wheel).namelist())
    pages = {f"companion/{path}" for path in files("templates") | files("static")}
    described = {name for name in held if name.startswith(f"companion-{__version__}.dist-info/")}
    texts = {path for path in files("companion/languages") if path.endswith(".po")}
    compiled = {path.replace(".po", ".mo") for path in texts if "/en/" not in path}  # English is in the program
    assert len(compiled) >= 6
    assert held - described == files("companion") - texts | compiled | pages
    assert "companion/storage/migrations/script.py.mako" in held
    assert f"companion-{__version__}.dist-info/licenses/LICENSE" in described


def test_it_serves_the_phones_from_another_folder(elsewhere: Path, tmp_path: Path) -> None:
    folder = tmp_path / "anywhere"
    folder.mkdir()
    server = Server(tmp_path / "instance", command=[str(elsewhere / "bin" / "companion")], folder=folder)
    server.start()
    try:
        asked = urllib.request.Request(server.url + "/", headers={"Accept-Language": "fr"})
        with urllib.request.urlopen(asked, timeout=PATIENCE) as answer:
            assert "À quoi joue-t-on" in answer.read().decode()
        with urllib.request.urlopen(server.url + "/", timeout=PATIENCE) as answer:
            page = answer.read().decode()
            assert answer.status == 200
        style = page.partition('rel="stylesheet" href="')[2].partition('"')[0].replace("&amp;", "&")
        assert style.startswith("/static/")
        with urllib.request.urlopen(server.url + style, timeout=PATIENCE) as answer:
            assert answer.status == 200
            assert answer.headers["Content-Type"].startswith("text/css")
    finally:
        assert server.stop() == 0


def test_it_is_the_wheel_that_runs(elsewhere: Path, tmp_path: Path) -> None:
    told = subprocess.run(
        [str(elsewhere / "bin" / "python"), "-c", "import companion; print(companion.__file__)"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert told.stdout.startswith(str(elsewhere)), told.stdout + told.stderr
