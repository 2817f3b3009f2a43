"""Are settings read once, and does each say what it takes?"""

from __future__ import annotations

import ast
import dataclasses
import doctest
import re
from pathlib import Path

import pytest

from companion import settings
from companion.settings import Settings, StartupError

CHECKOUT = Path(__file__).resolve().parent.parent
HOSTING = (CHECKOUT / "docs" / "hosting.md").read_text("utf-8")
VARIABLES = Settings.variables()


def test_nothing_has_to_be_set() -> None:
    read = Settings.read({})
    assert read == Settings.read(dict.fromkeys((variable.name for variable in VARIABLES.values()), ""))
    assert (read.https, read.proxies) == (False, 0)
    assert read.instance == CHECKOUT / "instance"
    assert read.database_url == f"sqlite:///{CHECKOUT}/instance/companion.sqlite"


def test_the_database_lies_in_the_instance_folder_unless_it_has_an_address(tmp_path: Path) -> None:
    there = {"COMPANION_INSTANCE": str(tmp_path)}
    assert Settings.read(there).database_url == f"sqlite:///{tmp_path}/companion.sqlite"
    assert Settings.read({**there, "DATABASE_URL": "postgresql://one:5432,two/x"}).database_url == "postgresql://one:5432,two/x"


def test_an_installed_companion_has_the_folder_of_its_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(settings, "CHECKOUT", tmp_path)
    assert Settings.read({}).instance == settings.user_data_path("companion", appauthor=False)


def test_the_environment_is_read_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_PROXIES", "2")
    assert Settings.read().proxies == 2


def test_settings_stay_as_they_are() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Settings.read({}).https = True


def test_processes_hear_of_each_other_the_databases_own_way_unless_told_otherwise() -> None:
    assert Settings.read({}).bus == "memory"
    assert Settings.read({"DATABASE_URL": "postgresql://one/x"}).bus == "postgresql"
    assert Settings.read({"DATABASE_URL": "postgresql://one/x", "COMPANION_BUS": "memory"}).bus == "memory"
    assert Settings.read({"COMPANION_BUS": "valkeys://:word@one:6379/0"}).bus == "valkeys://:word@one:6379/0"


def test_limits_are_counted_in_the_valkey_that_is_the_bus_unless_told_otherwise() -> None:
    assert Settings.read({}).limits == Settings.read({"COMPANION_BUS": "postgresql"}).limits == "memory://"
    assert Settings.read({"COMPANION_BUS": "valkey://one/0"}).limits == "valkey://one/0"
    assert Settings.read({"COMPANION_BUS": "valkey://one/0", "COMPANION_LIMITS": "memory://"}).limits == "memory://"


@pytest.mark.parametrize("text", ["1", "true", "yes", "on", "True", "YES"])
def test_https_may_be_said_to_be_there(text: str) -> None:
    assert Settings.read({"COMPANION_HTTPS": text}).https is True


@pytest.mark.parametrize("text", ["0", "false", "no", "off", "No", "OFF"])
def test_https_may_be_said_not_to_be_there(text: str) -> None:
    assert Settings.read({"COMPANION_HTTPS": text}).https is False


@pytest.mark.parametrize(
    ("name", "text"),
    [
        *(("COMPANION_HTTPS", text) for text in ("maybe", "2", " 1", "y", "o", "-1", "nо", "\0")),
        *(("COMPANION_PROXIES", text) for text in ("two", "-1", "10", "1.0", "²", " 1", "1" * 5_000)),
        *(("COMPANION_UNFINISHED", text) for text in ("Italian", "it;pl", "it,", "../fr", "I")),
        *(("COMPANION_METRICS", text) for text in ("9100", "yes", "localhost:", "localhost:0", "localhost:65536", "a b:9100")),
        *(("COMPANION_PARTITIONS", text) for text in ("many", "-1", "257", "1000")),
        *(
            ("DATABASE_URL", text)
            for text in ("companion.sqlite", "mysql://x/y", "sqlite", "postgres", " sqlite://", "x sqlite://")
        ),
        *(("COMPANION_BUS", text) for text in ("redis://x", "valkey://", "sqlite", "Memory", " memory", "postgresql://x/y")),
        ("COMPANION_INSTANCE", "a\0b"),
    ],
)
def test_anything_else_is_refused_with_its_name_its_value_and_what_it_takes(name: str, text: str) -> None:
    (takes,) = (variable.takes for variable in VARIABLES.values() if variable.name == name)
    with pytest.raises(StartupError) as refused:
        Settings.read({name: text})
    assert str(refused.value) == f"{name} is {text!r}. It takes {takes}."


def test_a_password_is_not_said_back() -> None:
    with pytest.raises(StartupError) as refused:
        Settings.read({"DATABASE_URL": "mysql://companion:sec/r@et@db/x"})
    assert "sec" not in str(refused.value)
    assert "'mysql://…@db/x'" in str(refused.value)


def test_nothing_else_reads_the_environment() -> None:
    readers = []
    for file in (CHECKOUT / "companion").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            of_os = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "os"
            if of_os and node.attr in {"environ", "environb", "getenv", "getenvb"}:
                readers.append(file.name)
            if isinstance(node, ast.ImportFrom) and node.module == "os":
                readers.append(file.name)
    assert readers == ["settings.py"]


def test_each_is_told_with_what_it_takes_and_what_holds_without_it() -> None:
    rows = re.findall(r"^\| `([A-Z_]+)` \| (.*?) \| (.*?) \|", HOSTING, re.MULTILINE)
    told = [
        (variable.name, variable.takes, f"`{variable.default}`" if isinstance(variable.default, str) else None)
        for variable in VARIABLES.values()
    ]
    assert [(name, takes.replace("`", "")) for name, takes, _ in rows] == [(name, takes) for name, takes, _ in told]
    for (name, _, default), (_, _, fixed) in zip(rows, told, strict=True):
        assert default == fixed or (fixed is None and default), name


def test_its_examples_run() -> None:
    assert doctest.testmod(settings).failed == 0
