"""What do all tests share? How thorough the random examples are, in which order tests run, and that CI proves everything."""

from __future__ import annotations

import gc
import os
from collections.abc import Generator, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, settings

from tests import said, server, warm
from tests.languages import made_up

gc.disable()  # until all tests are collected: what that makes stays, and to look through it takes a tenth of the time
said.watch()

# Files that take long, the longest first. Whoever shares the tests among several workers begins with them: one that is left for
# the end is waited for by all others. A file that is missing here is only shared as the others are.
LONG = (
    "browser/test_whole_evening.py",
    "browser/test_offline.py",
    "browser/test_outbox.py",
    "browser/test_screen.py",
    "browser/test_beluga_cup_table.py",
    "browser/test_beloz_table.py",
    "browser/test_what_the_fish_table.py",
    "browser/test_bisque_table.py",
    "browser/test_made_up_languages.py",
    "test_commands.py",
    "browser/test_score_sheets.py",
    "browser/test_rivals_table.py",
    "browser/test_new_game.py",
    "web/test_shared_pages.py",
    "engine/records/test_hostile.py",
    "web/test_three_languages.py",
    "browser/test_following.py",
    "run/test_database_away.py",
    "browser/test_may_i.py",
    "browser/test_smoke.py",
    "browser/test_bisque_goals.py",
    "browser/test_taps.py",
    "browser/test_daily.py",
    "browser/test_toasts.py",
    "web/test_entries_machine.py",
    "web/test_taps_machine.py",
    "web/test_pocket.py",
    "web/test_bus.py",
    "run/test_half_open.py",
    "run/test_bus_away.py",
    "test_adding_a_game.py",
    "browser/test_rules.py",
    "browser/test_live.py",
    "browser/test_club.py",
    "browser/test_sheet.py",
    "test_wheel.py",
    "run/test_crash.py",
    "browser/test_knocks.py",
    "browser/test_overtaken.py",
    "web/test_outbox_machine.py",
    "web/test_api_schema.py",
    "browser/test_seals.py",
    "browser/test_server_stops.py",
    "browser/test_awake.py",
)

collect_ignore = ["plugin"]  # its own tests run where it is installed (test_adding_a_game.py)

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
    folder = (own.parent if os.environ.get("PYTEST_XDIST_WORKER") else own) / "compiled-templates"
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
    server.WARM = warm.Warm(compiled_folder)
    yield
    server.WARM.end()
    server.WARM = None


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Deal the long files out to the workers, each of which is given an equal part of all tests, one after the other."""
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    if workers > 1:
        items[:] = dealt(items, workers)


def pytest_collection_finish() -> None:
    """Let Python look for garbage seldom, and only among what tests make: looking took a seventh of the pages' tests.

    What is there already, all modules and tests, is never garbage. Of what a test makes nearly everything goes by itself.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20)
    gc.enable()


def dealt(items: list[pytest.Item], workers: int) -> list[pytest.Item]:
    """Return the tests so that every worker begins with long files, and has short tests between and after them."""
    here = Path(__file__).parent
    long: dict[str, list[pytest.Item]] = {name: [] for name in LONG}
    short: list[pytest.Item] = []
    for item in items:
        long.get(item.path.relative_to(here).as_posix(), short).append(item)
    files = [each for each in long.values() if each]
    order: list[pytest.Item] = []
    for worker in range(workers):
        part = (len(items) - len(order)) // (workers - worker)
        mine = files[worker :: 2 * workers] + files[2 * workers - 1 - worker :: 2 * workers]
        between = max(0, part - sum(map(len, mine))) // (len(mine) + 1)
        end = len(order) + part
        for file in mine:
            order += [*file, *short[:between]]
            del short[:between]
        rest = max(0, end - len(order))
        order += short[:rest]
        del short[:rest]
    return order + short


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--both-databases", action="store_true", help="run every test that has a database on PostgreSQL too")


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
