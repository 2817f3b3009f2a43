"""Is what README.md, CHANGELOG.md, CONTRIBUTING.md and docs/ say true?"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from companion import __version__, cli
from companion.engine import GAMES
from companion.games import PLUGINS
from companion.settings import Settings

CHECKOUT = Path(__file__).resolve().parent.parent
README = (CHECKOUT / "README.md").read_text("utf-8")
CHANGELOG = (CHECKOUT / "CHANGELOG.md").read_text("utf-8")
PAGES = [CHECKOUT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")]
PAGES += sorted((CHECKOUT / "docs").rglob("*.md"))
DOCS = "\n".join(page.read_text("utf-8") for page in PAGES)
HOSTING = (CHECKOUT / "docs" / "hosting.md").read_text("utf-8")
FAIR_DRAWS = (CHECKOUT / "docs" / "fair-draws.md").read_text("utf-8")
ARCHITECTURE = (CHECKOUT / "docs" / "architecture.md").read_text("utf-8")
PYPROJECT = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))
PROJECT = PYPROJECT["project"]

CODE = "\n".join(re.findall(r"```.*?```|`[^`]+`", DOCS, re.DOTALL))


def test_it_begins_with_the_two_commands() -> None:
    assert README.splitlines()[:5] == [
        "# Companion",
        "",
        "```sh",
        "make run    # Companion for the phones around your table",
        "make test   # every test there is",
    ]


def test_the_program_that_checks_draws_is_the_one_that_is_tried_on_many_records_and_it_runs(tmp_path: Path) -> None:
    program, *_ = re.findall(r"```python\n(.*?)```", FAIR_DRAWS, re.DOTALL)
    tried = (CHECKOUT / "tests" / "engine" / "fair_draw" / "independent_verifier.py").read_text("utf-8")
    assert program in re.sub(r"  # noqa.*", "", tried)
    (tmp_path / "check.py").write_text(program, "utf-8")
    match = CHECKOUT / "tests" / "engine" / "beluga_cup" / "match.json"
    ran = subprocess.run([sys.executable, "-I", tmp_path / "check.py", match], capture_output=True, text=True, timeout=180)
    assert (ran.stdout, ran.stderr) == ("43 fish, each as seed and words draw it\n", "")


def test_each_command_and_option_of_companion_is_told_and_exists() -> None:
    assert set(cli.main.commands) == set(re.findall(r"\bcompanion ([a-z]+)", CODE))
    options = {option for parameter in cli.main.commands["run"].params for option in parameter.opts}
    assert options == set(re.findall(r"companion run (--[a-z-]+)", HOSTING))


def test_the_proxies_that_are_shown_do_what_companion_needs() -> None:
    (caddy,) = re.findall(r"```\n(cards\.example \{.*?)```", HOSTING, re.DOTALL)
    (nginx,) = re.findall(r"```\n(server \{.*?)```", HOSTING, re.DOTALL)
    assert caddy.startswith("cards.example {")  # a bare name is served by HTTPS, with a certificate of its own
    assert "flush_interval -1" in caddy
    assert {line.strip().partition("  ")[0] for line in nginx.splitlines()} >= {
        "listen 443 ssl;",
        "ssl_protocols TLSv1.2 TLSv1.3;",
        "access_log off;",
        "proxy_buffering off;",
        "proxy_set_header X-Forwarded-For $remote_addr;",
        "proxy_set_header X-Forwarded-Proto $scheme;",
        "proxy_set_header X-Forwarded-Host $host;",
    }


def test_the_ways_to_https_at_home_do_what_companion_needs() -> None:
    home = HOSTING.partition("## HTTPS in a living room")[2].partition("\n## ")[0]
    (caddy,) = re.findall(r"```\n(home\.cards\.example \{.*?)```", home, re.DOTALL)
    assert re.search(r"tls \{\n +dns \w+ \{env\.\w+\}", caddy)  # nothing is reachable from outside
    assert "flush_interval -1" in caddy
    (command,) = re.findall(r"```sh\n(.*?)\n```", home, re.DOTALL)
    *settings, program, run, host, here, url, address = command.split(" ")
    read = Settings.read(dict(setting.split("=") for setting in settings))
    assert (read.https, read.proxies) == (True, 1)
    given = cli.main.commands["run"].make_context("run", [host, here, url, address])
    assert (program, run, given.params["host"], given.params["public_url"]) == ("companion", "run", here, address)
    assert address == f"https://{caddy.split(' ')[0]}"


def test_the_service_that_is_shown_can_be_read_by_systemd(tmp_path: Path) -> None:
    (unit,) = re.findall(r"```\n(\[Unit\].*?)```", HOSTING, re.DOTALL)
    assert set(re.findall(r"COMPANION_\w+", unit)) == {"COMPANION_INSTANCE", "COMPANION_HTTPS", "COMPANION_PROXIES"}
    if shutil.which("systemd-analyze") is None:
        return
    file = tmp_path / "companion.service"
    file.write_text(unit.replace("/opt/companion/bin/companion", "/bin/true"))
    checked = subprocess.run(["systemd-analyze", "verify", file], capture_output=True, text=True, timeout=180)
    assert "companion.service" not in checked.stderr, checked.stderr


@pytest.mark.parametrize("title", [game.title for game in GAMES.values()])
def test_each_game_is_named(title: str) -> None:
    assert f"**{title}**" in README.replace("\n", " ")
    assert title in CHANGELOG


def test_games_without_pages_are_told_as_a_limit() -> None:
    limits = README.partition("## What this version can't do yet")[2].partition("##")[0]
    told = re.search(r"on the phones\.(.*?)(?:is|are) here with all", limits, re.DOTALL)
    missing = told[1] if told else ""
    assert {game.title for game in GAMES.values() if game.title in missing} == {
        game.title for slug, game in GAMES.items() if slug not in PLUGINS
    }


def test_each_file_and_folder_that_is_named_exists() -> None:
    told = set(re.findall(r"`((?:companion|templates|static|tests|docs)/[a-z_./-]+)`", DOCS))
    assert len(told) > 40
    assert [path for path in sorted(told) if not (CHECKOUT / path).exists()] == []


def test_the_house_that_is_drawn_has_every_module() -> None:
    """Each module beside the packages stands in the table, with or without its ending."""
    modules = {file.name for file in (CHECKOUT / "companion").glob("*.py")} - {"__init__.py", "__main__.py"}
    assert modules == set(re.findall(r"`companion/([a-z]+\.py)`", ARCHITECTURE.partition("## The trip")[0]))


def test_the_house_is_drawn_as_imports_are_held() -> None:
    drawn = re.findall(r"^  (\w+)/? ", ARCHITECTURE.partition("## The house")[2].partition("| where")[0], re.MULTILINE)
    contracts = PYPROJECT["tool"]["importlinter"]["contracts"]
    (layers,) = [contract["layers"] for contract in contracts if contract["type"] == "layers" and "containers" not in contract]
    held = [name.removeprefix("companion.") for layer in layers for name in layer.split(" | ")]
    assert drawn == [name for name in held if name != "__main__"]


def test_the_wings_of_the_web_are_drawn_as_imports_are_held() -> None:
    drawn = re.findall(r"^  (\w+)/ ", ARCHITECTURE.partition("## The wings of the web")[2].partition("\n## ")[0], re.MULTILINE)
    contracts = PYPROJECT["tool"]["importlinter"]["contracts"]
    (layers,) = [contract["layers"] for contract in contracts if contract.get("containers") == ["companion.web"]]
    held = [name for layer in layers for name in layer.split(" | ")]
    assert drawn == [name for name in held if (CHECKOUT / "companion" / "web" / name).is_dir()]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_each_link_leads_to_a_file(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text("utf-8")):
        assert (page.parent / target).is_file(), target


def test_the_front_page_is_short() -> None:
    assert len(README.splitlines()) <= 130


def test_decisions_are_few_and_all_listed() -> None:
    folder = CHECKOUT / "docs" / "decisions"
    records = sorted(file.name for file in folder.glob("0*.md"))
    assert 8 <= len(records) <= 12
    assert re.findall(r"^\| \[\d+\]\(([\w.-]+)\)", (folder / "README.md").read_text("utf-8"), re.MULTILINE) == records


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_prose_fits_on_a_screen(page: Path) -> None:
    prose = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    assert [line for line in prose.splitlines() if len(line) > 140 and not line.startswith("|")] == []


def test_each_dependency_is_told_with_its_reason() -> None:
    told = (CHECKOUT / "docs" / "dependencies.md").read_text("utf-8")
    extras = [name for names in PROJECT["optional-dependencies"].values() for name in names]
    asked = {re.split(r"[^\w-]", name)[0] for name in [*PROJECT["dependencies"], *extras]}
    rows = re.findall(r"^\| ([\w, -]+?)(?: \(|\s*\|)", told, re.MULTILINE)
    assert asked == {name.strip() for row in rows for name in row.split(",")} - {"package", "---"}


def test_the_changelog_tells_of_this_version() -> None:
    told = re.findall(r"^## (\S+)", CHANGELOG, re.MULTILINE)
    assert next(version for version in told if version != "Unreleased") == __version__


def test_versions_are_exact_and_come_from_nowhere_in_particular() -> None:
    pins = (CHECKOUT / "constraints.txt").read_text("utf-8").splitlines()
    for pin in pins:
        assert re.fullmatch(r"#.*|[A-Za-z0-9._-]+==[A-Za-z0-9.]+", pin), pin
    assert not re.search(r"https?:|//", "\n".join(pins))


def test_everything_that_the_project_asks_for_has_its_version() -> None:
    def plain(name: str) -> str:
        return re.sub(r"[-_.]+", "-", re.split(r"[^\w.-]", name)[0]).lower()

    pins = {plain(pin) for pin in (CHECKOUT / "constraints.txt").read_text("utf-8").splitlines()}
    extras = [name for names in PROJECT["optional-dependencies"].values() for name in names]
    assert {plain(name) for name in [*PROJECT["dependencies"], *extras]} <= pins
