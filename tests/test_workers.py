"""Do workers run every test once, and does a test that none of them could report fail the run?"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

CONFTEST = """
from tests.workers import Workers

def pytest_configure(config):
    config.pluginmanager.register(Workers(config, 2))
"""
GOOD = """
import pytest

@pytest.mark.parametrize("number", range(3))
def test_good(number, capfd):
    print("heard")
    assert capfd.readouterr().out == "heard\\n"
"""
BAD = """
import os

def test_bad():
    print("said before")
    assert 1 == 2

def test_deadly():
    os.kill(os.getpid(), 9)

def test_never_begun():
    pass
"""


def test_what_workers_tell_and_what_a_killed_one_no_longer_can(tmp_path: Path) -> None:
    for name, text in (("conftest", CONFTEST), ("test_bad", BAD), ("test_good", GOOD)):
        (tmp_path / f"{name}.py").write_text(text, "utf-8")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-c",
        "/dev/null",
        "-p",
        "no:cacheprovider",
        "-rA",
        f"--rootdir={tmp_path}",
        tmp_path,
    ]
    run = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parent.parent, timeout=120)
    assert run.returncode == 1, run.stdout + run.stderr
    outcomes = sorted(re.findall(r"^(PASSED|FAILED) .*::(\S+)", run.stdout, re.MULTILINE))
    assert outcomes == [
        *(("FAILED", f"test_{name}") for name in ("bad", "deadly", "never_begun")),
        *(("PASSED", f"test_good[{number}]") for number in range(3)),
    ]
    assert "said before" in run.stdout
