"""What all tests share: how thorough the random examples are, and that CI proves everything."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, settings

from tests import said, server, warm

said.watch()
server.COMMAND[1:] = ["-m", "tests.said"]

R = TypeVar("R", pytest.TestReport, pytest.CollectReport)

CI = bool(os.environ.get("CI"))

# On a machine that does several things at once, a slow example says nothing about the code.
settings.register_profile("here", deadline=None, suppress_health_check=[HealthCheck.too_slow])
# CI tries the same examples each time: a change that breaks nothing is never blamed.
settings.register_profile("ci", settings.get_profile("here"), derandomize=True)
settings.load_profile("ci" if CI else "here")


@pytest.fixture(autouse=True)
def _every_sentence_can_be_translated() -> Iterator[None]:
    """Fail a test in which the program says something that no catalogue has."""
    yield
    missing = said.take_missing()
    assert not missing, f"say it with literal words, then run python -m tests.catalogues: {missing}"


@pytest.fixture(scope="session")
def compiled_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where compiled templates are kept, for all workers of this run."""
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if os.environ.get("PYTEST_XDIST_WORKER") else own) / "compiled-templates"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(autouse=True, scope="session")
def _servers_begin_at_once(compiled_folder: Path) -> Iterator[None]:
    server.WARM = warm.Warm(compiled_folder)
    yield
    server.WARM.end()
    server.WARM = None


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--both-databases", action="store_true", help="run every test that has a database on PostgreSQL too")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: Any) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    return prove((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    return prove((yield))


def prove(report: R) -> R:
    """A test that is skipped because something is missing here (a browser, PostgreSQL) has failed where CI runs it."""
    if CI and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        why = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.longrepr = f"In CI nothing is skipped. {why}"
    return report
