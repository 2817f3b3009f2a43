"""Does SECURITY.md leave no requirement of level 1 out, and name tests that exist?"""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent.parent
SECURITY = (CHECKOUT / "SECURITY.md").read_text("utf-8")
ROWS = re.findall(r"^\| (V\d+\.\d+\.\d+) \| (.+?) \| (.+?) \|$", SECURITY, re.MULTILINE)

# OWASP ASVS 5.0.0, level 1
LEVEL_1 = re.findall(
    r"\S+",
    """
1.2.1 1.2.2 1.2.3 1.2.4 1.2.5 1.3.1 1.3.2 1.5.1 2.1.1 2.2.1 2.2.2 2.3.1 3.2.1 3.2.2 3.3.1 3.4.1 3.4.2 3.5.1 3.5.2 3.5.3 4.1.1
4.4.1 5.2.1 5.2.2 5.3.1 5.3.2 6.1.1 6.2.1 6.2.2 6.2.3 6.2.4 6.2.5 6.2.6 6.2.7 6.2.8 6.3.1 6.3.2 6.4.1 6.4.2 7.2.1 7.2.2 7.2.3
7.2.4 7.4.1 7.4.2 8.1.1 8.2.1 8.2.2 8.3.1 9.1.1 9.1.2 9.1.3 9.2.1 10.4.1 10.4.2 10.4.3 10.4.4 10.4.5 11.3.1 11.3.2 11.4.1 12.1.1
12.2.1 12.2.2 13.4.1 14.2.1 14.3.1 15.1.1 15.2.1 15.3.1
""",
)

SERVED = [file for file in sorted((CHECKOUT / "companion").rglob("*.py")) if "migrations" not in file.parts]


@cache
def defined(path: Path) -> set[str]:
    """Return the tests of a file, as pytest names them."""
    found = set()
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.ClassDef):
            found |= {f"{node.name}::{inner.name}" for inner in node.body if isinstance(inner, ast.FunctionDef)}
    return found


def test_no_requirement_of_level_1_is_left_out_and_none_is_told_twice():
    items = [item.removeprefix("V") for item, _, _ in ROWS]
    assert len(LEVEL_1) == len(set(LEVEL_1)) == 70
    assert set(LEVEL_1) - set(items) == set()
    assert len(items) == len(set(items))
    assert items == sorted(items, key=lambda item: [int(number) for number in item.split(".")])


def test_each_test_that_is_named_exists():
    for item, _, test in ROWS:
        named = re.fullmatch(r"`(tests/[\w/]+\.py)(?:::([\w:]+))?`", test)
        assert named is not None, item
        file = CHECKOUT / named[1]
        assert file.is_file(), test
        assert not named[2] or named[2] in defined(file), test


COMMANDS = {"subprocess", "pickle", "marshal", "shelve", "xml", "lxml", "yaml", "ctypes", "cryptography", "pty"}
CLIENTS = {"urllib.request", "http.client", "requests", "httpx", "aiohttp", "ftplib", "smtplib", "telnetlib", "urllib3"}


def test_the_server_runs_no_commands_evaluates_nothing_and_asks_nobody_else():
    for file in SERVED:
        imported, called, members = set(), set(), set()
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            match node:
                case ast.Import(names=names):
                    imported |= {name.name for name in names}
                case ast.ImportFrom(module=str(module)):
                    imported.add(module)
                case ast.Call(func=ast.Name(id=name)):
                    called.add(name)
                case ast.Attribute(attr=name):
                    members.add(name)
        assert not {name.partition(".")[0] for name in imported} & COMMANDS, file
        assert not imported & CLIENTS, file
        assert not called & {"eval", "exec", "compile", "__import__"}, file
        assert not members & {"system", "popen", "render_template_string"}, file


def test_no_password_is_asked_for():
    for template in (CHECKOUT / "templates").rglob("*.html"):
        assert "password" not in template.read_text("utf-8").lower(), template
    code = "\n".join(file.read_text("utf-8").lower() for file in SERVED)
    assert "oauth" not in code
    assert set(re.findall(r"\w*password\w*", code)) <= {"hide_password"}


def test_it_says_how_soon_weaknesses_are_mended():
    assert "within a week" in SECURITY
    assert "within a month" in SECURITY
    assert "make pins" in SECURITY
