"""What would keep Companion from starting on Windows? Modules that are not there, and names that no file may have.

It has not been tried there: these tests look with Windows' rules from here.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path, PureWindowsPath

CHECKOUT = Path(__file__).resolve().parents[2]
SHIPPED = ("companion", "static", "templates")  # what a wheel holds
RESERVED = {"CON", "PRN", "AUX", "NUL", *(f"{name}{number}" for name in ("COM", "LPT") for number in range(1, 10))}
LONGEST = 260  # characters that a path may have there, with the folder in which Companion lies


def names() -> list[PureWindowsPath]:
    files = [file for folder in SHIPPED for file in (CHECKOUT / folder).rglob("*") if "__pycache__" not in file.parts]
    return [PureWindowsPath(file.relative_to(CHECKOUT).as_posix()) for file in files]


def test_the_server_is_read_without_the_module_that_windows_has_not(tmp_path: Path) -> None:
    missing = "import sys; sys.modules['resource'] = None"
    command = [sys.executable, "-c", f"{missing}; import companion.server"]
    place = {**os.environ, "COMPANION_INSTANCE": str(tmp_path)}
    ended = subprocess.run(command, cwd=CHECKOUT, env=place, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr


def test_tables_are_backed_up_and_put_back_without_locks(tmp_path: Path) -> None:
    instance = tmp_path / "instance"
    place = {**os.environ, "COMPANION_INSTANCE": str(instance)}
    instance.mkdir()
    begun = "from companion.app import create_app; from companion.storage import migrations; migrations.migrate(create_app())"
    subprocess.run([sys.executable, "-c", begun], cwd=CHECKOUT, env=place, check=True)
    left = tmp_path / ".evening.backup-1.companion-partial"
    left.write_bytes(b"")
    os.utime(left, (0, 0))
    missing = "import sys; sys.modules['fcntl'] = None"
    for words in (["backup", str(tmp_path / "evening.backup")], ["restore", str(tmp_path / "evening.backup"), "--force"]):
        command = [sys.executable, "-c", f"{missing}; from companion.cli import main; main()", *words]
        ended = subprocess.run(command, cwd=CHECKOUT, env=place, capture_output=True, text=True, check=False)
        assert ended.returncode == 0, ended.stderr
    assert not left.exists()


def test_every_file_has_a_name_that_windows_takes() -> None:
    for path in names():
        for part in path.parts:
            assert not re.search(r'[<>:"|?*\x00-\x1f]|[. ]$', part), path
            assert part.partition(".")[0].upper() not in RESERVED, path
        assert len(str(path)) < LONGEST - 120, path


def test_no_two_files_differ_by_capitals_alone() -> None:
    assert [name for name, number in Counter(str(path).lower() for path in names()).items() if number > 1] == []
