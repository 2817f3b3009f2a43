"""Does every command that the documents name do what they say?

``make test`` runs these tests, and ``make pins`` asks the network for newer versions of everything. Of what takes minutes
(``make soak``, the benchmarks) every program is there, and tells of each option and name with which it is called.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import tomllib
import urllib.request
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import cache
from pathlib import Path

import pytest
from hypothesis import settings

from tests import new_game, said
from tests.caller import Caller
from tests.server import CHECKOUT, GREETED, PATIENCE, Server
from tests.test_docs import CODE, DOCS, HOSTING

API = (CHECKOUT / "docs" / "http-api.md").read_text("utf-8")
PYTEST = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))["tool"]["pytest"]["ini_options"]
MARKERS = {marker.partition(":")[0] for marker in PYTEST["markers"]}

MADE = [
    f"VENV={sys.prefix}",
    *(f"--old-file={sys.prefix}/installed{of}" for of in ("", "-tests", "-app", "-engines", "-cluster")),
]
EXAMPLES = re.findall(r"```console\n\$ (.*?)\n(.*?)```", DOCS, re.DOTALL)
TARGETS = re.findall(r"^\.PHONY: (.*)", (CHECKOUT / "Makefile").read_text("utf-8"), re.MULTILINE)[0].split()
PYTHON = sorted(
    {line.partition(" #")[0].strip() for line in re.findall(r"[\w./]*\bpython -m (?!pip\b)[^`\n]+", CODE)}
    - set(new_game.PAGE.splitlines())  # test_adding_a_game runs these, in a folder with the package
)


@pytest.fixture
def shell(tmp_path: Path) -> Callable[[str], str]:
    """Return what runs a line of a document where ``companion`` is this one; the line succeeds and complains of nothing."""
    folder = tmp_path / "shell"
    folder.mkdir()
    (folder / "companion").write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -m companion "$@"\n')
    (folder / "companion").chmod(0o755)
    environment = Server(tmp_path / "instance").environment
    environment |= {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": said.path(CHECKOUT)}

    def run(line: str) -> str:
        done = subprocess.run(
            ["/bin/sh", "-c", line], env=environment, cwd=folder, capture_output=True, text=True, timeout=PATIENCE
        )
        assert (done.returncode, done.stderr) == (0, ""), line
        return done.stdout

    return run


@cache
def told_by(*program: str) -> str:
    """Return what a program says of itself."""
    asked = subprocess.run([*program, "--help"], cwd=CHECKOUT, capture_output=True, text=True, timeout=PATIENCE)
    assert asked.returncode == 0, asked.stderr
    return asked.stdout


def check(words: Sequence[str]) -> None:
    """Check that a program can be called so: it is there, tells of these options and names, and the files exist."""
    name, *rest = words
    assert shutil.which(name) or (CHECKOUT / name).is_file(), name
    if not Path(name).name.startswith("python"):
        return
    count = 2 if rest[0] == "-m" else 1
    module, rest = rest[:count], rest[count:]
    told = told_by(sys.executable, *module)
    for before, word in zip(["", *rest], rest, strict=False):
        if module == ["-m", "pytest"] and before == "-m":
            assert word in MARKERS
        elif before == "--hypothesis-profile":
            settings.get_profile(word)  # raises what it does not know
        elif "/" in word:
            assert word.startswith("dist/") or (CHECKOUT / word).exists(), word  # a target makes dist/
        elif not word.isdecimal():
            assert re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", told), f"{module} knows no {word}"


def test_the_documents_name_each_target_and_no_other() -> None:
    assert set(re.findall(r"\bmake ([a-z]+(?:-[a-z]+)*)\b", CODE)) == set(TARGETS)


def test_all_that_targets_and_documents_call_is_there() -> None:
    """In one test: several targets call the same programs, and each is asked once what it knows."""
    for target in sorted({*TARGETS} - {"pins", "run"}):
        # make runs these tests, and a make that another one calls tells of folders, too
        make = ["make", "--dry-run", "--no-print-directory", *MADE, target]
        dry = subprocess.run(make, cwd=CHECKOUT, capture_output=True, text=True, timeout=PATIENCE)
        assert dry.returncode == 0, dry.stderr
        lines = dry.stdout.splitlines()
        assert lines, target
        for line in lines:
            command, *_ = re.split(r" > ?| \|\| ", line)
            check([word for word in shlex.split(command) if word != "exec"])
    for command in PYTHON:
        check([sys.executable, *shlex.split(command)[1:]])


@pytest.mark.parametrize(("command", "printed"), EXAMPLES)
def test_each_example_prints_what_is_shown(command: str, printed: str, shell: Callable[[str], str]) -> None:
    assert shell(command) == printed


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 2


def test_make_run_serves_phones_until_it_is_stopped(tmp_path: Path) -> None:
    printed = tmp_path / "printed"
    words = ["make", *MADE, "run", "PORT=0"]
    with printed.open("w") as out:
        host = subprocess.Popen(
            words,
            cwd=CHECKOUT,
            env=Server(tmp_path / "instance").environment,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # so that both make and Companion hear of Ctrl-C
        )
    try:
        until = time.monotonic() + PATIENCE
        while not (greeted := GREETED.search(printed.read_text("utf-8"))):
            assert host.poll() is None, printed.read_text("utf-8")
            assert time.monotonic() < until, printed.read_text("utf-8")
            time.sleep(0.05)
        port = greeted[1].rpartition(":")[2]
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=PATIENCE) as page:
            assert "Companion" in page.read().decode()
        os.killpg(host.pid, signal.SIGINT)
        host.wait(PATIENCE)
        with pytest.raises(OSError, match="refused"):
            urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=PATIENCE)
    finally:
        if host.poll() is None:
            os.killpg(host.pid, signal.SIGKILL)
            host.wait(PATIENCE)


def test_a_host_asks_keeps_and_moves_tables_with_the_commands_that_are_shown(
    tmp_path: Path, shell: Callable[[str], str]
) -> None:
    (asked,) = re.findall(r"^curl .*?(?=\n```)", API, re.MULTILINE | re.DOTALL)
    backup, restore = re.findall(r"^companion (?:backup|restore) .*?(?= +#)", HOSTING, re.MULTILINE)
    export, bring = re.findall(r"^companion (?:export|import) .*?(?= +#)", HOSTING, re.MULTILINE)
    here = Server(tmp_path / "instance")
    here.start()
    try:
        link = Caller(here.port).make_table("Ana", "Bo").rpartition("/")[2]
        _, url, _, header, _, body = shlex.split(asked.replace("\\\n", ""))
        question = urllib.request.Request(url.replace("8000", str(here.port)), body.encode(), dict([header.split(": ")]))
        with urllib.request.urlopen(question, timeout=PATIENCE) as answer:
            assert json.load(answer)["winner"] == 2
        shell(backup)
        shell(export.replace("…", link))
        brought = shell(bring)
    finally:
        here.stop()
    moved = re.findall(r"/t/([\w-]+)", brought)
    assert moved
    tables = tmp_path / "instance" / "companion.sqlite"
    tables.unlink()
    shell(restore)
    with closing(sqlite3.connect(tables)) as kept:
        links = {found for (found,) in kept.execute("SELECT play_token FROM tables")}
    assert links == {link}, "the table that was brought came after the backup"
