"""What do all tests share? How thorough the random examples are, in which order tests run, and that CI proves everything."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections.abc import Generator, Iterator
from contextlib import suppress
from itertools import chain, groupby, islice
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, settings

from tests import said, server, warm
from tests.languages import made_up
from tests.workers import Workers

gc.disable()  # until all tests are collected: what that makes stays, and to look through it takes a tenth of the time
said.watch()

# Files that take long, and all with a browser, the longest first: one that is left for the end is waited for by all workers.
LONG = (
    "browser/test_whole_evening.py",
    "browser/test_outbox.py",
    "browser/test_offline.py",
    "browser/test_bisque_table.py",
    "browser/test_beloz_table.py",
    "browser/test_beluga_cup_table.py",
    "browser/test_what_the_fish_table.py",
    "browser/test_score_sheets.py",
    "browser/test_rivals_table.py",
    "browser/test_screen.py",
    "browser/test_taps.py",
    "browser/test_may_i.py",
    "browser/test_new_game.py",
    "test_commands.py",
    "browser/test_smoke.py",
    "browser/test_club.py",
    "browser/test_live.py",
    "browser/test_bisque_goals.py",
    "run/test_bus_away.py",
    "run/test_database_away.py",
    "web/test_backup.py",
    "web/test_bus.py",
    "browser/test_following.py",
    "web/test_pocket.py",
    "web/test_every_game.py",
    "test_adding_a_game.py",
    "run/test_run.py",
    "browser/test_rules.py",
    "browser/test_daily.py",
    "browser/test_toasts.py",
    "browser/test_agreeing.py",
    "browser/test_choices.py",
    "web/test_migrations.py",
    "browser/test_sheet.py",
    "run/test_windows.py",
    "test_wheel.py",
    "run/test_crash.py",
    "web/test_three_languages.py",
    "browser/test_made_up_languages.py",
    "browser/test_heads.py",
    "browser/test_overtaken.py",
    "browser/test_back.py",
    "web/test_api_schema.py",
    "browser/test_knocks.py",
    "browser/test_seals.py",
    "browser/test_server_stops.py",
    "browser/test_arrival.py",
    "browser/test_doubts.py",
    "browser/test_prefix.py",
    "browser/test_awake.py",
    "browser/test_words.py",
    "web/test_entries_machine.py",
    "web/test_taps_machine.py",
    "web/test_outbox_machine.py",
)

collect_ignore = ["plugin"]  # its own tests run where it is installed (test_adding_a_game.py)

# whoever makes sure of a browser, and what it says
BROWSER = pytest.StashKey[subprocess.Popen[bytes]]()
BROWSER_LOG = pytest.StashKey[Path]()

R = TypeVar("R", pytest.TestReport, pytest.CollectReport)

CI = bool(os.environ.get("CI"))

# On a machine that does several things at once, a slow example says nothing about the code.
settings.register_profile("here", deadline=None, suppress_health_check=[HealthCheck.too_slow])
# CI tries the same examples each time: a change that breaks nothing is never blamed.
settings.register_profile("ci", settings.get_profile("here"), derandomize=True)
settings.register_profile("soak", settings.get_profile("here"), max_examples=3_000)  # for make soak
settings.load_profile("ci" if CI else "here")


def nothing_is_missing() -> None:
    """Fail when Companion has said something that no catalogue has, in this process or in a program that was started."""
    missing = said.take_missing()
    assert not missing, f"say it with literal words, then run python -m tests.catalogues: {missing}"


@pytest.fixture(autouse=True)
def _every_sentence_can_be_translated() -> Iterator[None]:
    yield
    nothing_is_missing()


@pytest.fixture(autouse=True, scope="session")
def _so_can_those_of_servers_that_end_last() -> Iterator[None]:
    yield
    nothing_is_missing()


@pytest.fixture(autouse=True)
def _files_are_as_open_as_before() -> Iterator[None]:
    """Put the umask back: commands keep what they write to themselves, and a later test writes for PostgreSQL's own user."""
    before = os.umask(0o022)
    os.umask(before)
    yield
    os.umask(before)


@pytest.fixture(scope="session")
def compiled_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where compiled templates are kept, for all workers of this run."""
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if own.name.startswith("worker-") else own) / "compiled-templates"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def made_up_languages(tmp_path_factory: pytest.TempPathFactory, compiled_folder: Path) -> Path:
    """Return the catalogues of two made-up languages, which one worker makes for all."""
    of_all = compiled_folder.parent / "made-up-languages"
    if not of_all.exists():
        made = tmp_path_factory.mktemp("languages") / "made-up"
        made_up.write(made)
        with suppress(OSError):  # another worker was faster
            made.rename(of_all)
    return of_all


@pytest.fixture(autouse=True, scope="session")
def _servers_begin_at_once(compiled_folder: Path) -> Iterator[None]:
    if server.WARM is not None:  # that of all workers
        yield
        return
    server.WARM = warm.Warm(compiled_folder)
    yield
    server.WARM.end()
    server.WARM = None


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the long files first for workers, with short ones between them: these need a processor while browsers wait."""
    if config.getoption("--workers"):
        files = {path: [*each] for path, each in groupby(items, lambda item: item.path)}
        here = Path(__file__).parent
        long = [files.pop(here / name) for name in LONG if here / name in files]
        short = reversed([*files.values()])  # the engine's, which are shortest, at the end
        between = len(files) // (len(long) + 1)
        items[:] = chain.from_iterable(chain(*([file, *islice(short, between)] for file in long), short))


def pytest_collection_finish(session: pytest.Session) -> None:
    """Let Python look for garbage seldom, and only among what tests make: looking took a seventh of the pages' tests.

    What is there already, all modules and tests, is never garbage. Of what a test makes nearly everything goes by itself.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20)
    gc.enable()
    browser = session.config.stash.get(BROWSER, None)
    if browser is not None and browser.wait():
        pytest.exit(session.config.stash[BROWSER_LOG].read_text("utf-8"), returncode=2)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--both-databases", action="store_true", help="run every test that has a database on PostgreSQL too")
    parser.addoption("--workers", type=int, default=0, help="how many processes share the tests")


@pytest.hookimpl(trylast=True)  # temporary folders can be had by then
def pytest_configure(config: pytest.Config) -> None:
    if workers := config.getoption("--workers"):
        config.pluginmanager.register(Workers(config, workers))
        # while the tests are collected, servers are made ready and a browser is found, or installed
        folder: Path = config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]
        (compiled := folder / "compiled-templates").mkdir()
        server.WARM = warm.Warm(compiled)
        server.WARM.begin()
        config.add_cleanup(server.WARM.end)
        log = config.stash[BROWSER_LOG] = folder / "browser"
        find = [sys.executable, str(Path(__file__).parent / "browser" / "chromium.py")]
        with log.open("w") as out:
            config.stash[BROWSER] = subprocess.Popen(find, stdin=subprocess.DEVNULL, stdout=out, stderr=out)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: Any) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    return prove((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    return prove((yield))


def prove(report: R) -> R:
    """Fail a test that CI would skip because something is missing there (a browser, PostgreSQL)."""
    if CI and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        why = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.longrepr = f"In CI nothing is skipped. {why}"
    return report
