"""How do several processes share the tests? One collects them and forks workers, each of which takes a file at a time.

``pytest --workers 4``. To collect all tests takes ten seconds of a processor, which only the first process spends.
"""

from __future__ import annotations

import os
import signal
import struct
import traceback
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain, groupby, pairwise
from multiprocessing.connection import Connection, Pipe, wait
from typing import Any, NoReturn

import pytest

from tests import said

NUMBER = struct.Struct("i")


class Workers:
    """The processes that run tests. In the first of them all reports come together; in a worker it sends those of its tests."""

    def __init__(self, config: pytest.Config, count: int) -> None:
        self._config = config
        self._count = count
        self._first: Connection | None = None  # where a worker sends its reports
        self._reports: list[dict[str, Any]] = []  # a worker's, of the test that it runs

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        """Run all tests, if they could be collected."""
        if session.testsfailed or session.config.option.collectonly:
            return None
        files = [list(items) for _, items in groupby(session.items, lambda item: item.path)]
        queue, numbers = os.pipe()
        for number in range(len(files)):
            os.write(numbers, NUMBER.pack(number))  # a pipe holds thousands, and gives each of them to one worker
        os.close(numbers)
        running: dict[Connection, int] = {}
        unreported = {item.nodeid: item for item in session.items}
        try:
            for worker in range(self._count):
                told, tells = Pipe(duplex=False)
                if pid := os.fork():
                    tells.close()
                    running[told] = pid
                else:
                    self._first = tells
                    self._work(session, chain.from_iterable(map(files.__getitem__, taken_from(queue))), f"worker-{worker}")
            while running:
                for told in wait(list(running)):
                    try:
                        nodeid, location, reports = told.recv()
                    except (EOFError, OSError):  # it has ended, perhaps amid a report
                        os.waitpid(running.pop(told), 0)
                        continue
                    self._report(nodeid, location, reports)
                    del unreported[nodeid]
                    if session.shouldfail:
                        raise session.Failed(session.shouldfail)
        finally:
            for pid in running.values():
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGINT)
                os.waitpid(pid, 0)
        for item in unreported.values():
            lost = pytest.TestReport(item.nodeid, item.location, {}, "failed", "The worker that had taken it is gone.", "call")
            session.config.hook.pytest_runtest_logreport(report=lost)
        return True

    def _report(self, nodeid: str, location: tuple[str, int | None, str], reports: list[dict[str, Any]]) -> None:
        hook = self._config.hook
        hook.pytest_runtest_logstart(nodeid=nodeid, location=location)
        for each in reports:
            hook.pytest_runtest_logreport(report=hook.pytest_report_from_serializable(config=self._config, data=each))
        hook.pytest_runtest_logfinish(nodeid=nodeid, location=location)

    def _work(self, session: pytest.Session, items: Iterator[pytest.Item], name: str) -> NoReturn:
        """Run tests as long as there are any; this process began as a copy of the first one, in the middle of its work."""
        try:
            plugins, folders = self._config.pluginmanager, self._config._tmp_path_factory  # type: ignore[attr-defined]
            plugins.unregister(name="terminalreporter")
            captured = plugins.getplugin("capturemanager")
            captured.stop_global_capturing()
            captured.start_global_capturing()  # into files of its own
            captured.suspend_global_capture()
            folders._basetemp = folders.getbasetemp() / name
            folders._basetemp.mkdir()
            said.apart(folders.mktemp("sentences"))
            for item, next_item in pairwise(chain(items, [None])):
                self._config.hook.pytest_runtest_protocol(item=item, nextitem=next_item)
        except KeyboardInterrupt:
            pass  # the first process was told so too
        except BaseException:
            traceback.print_exc()
        finally:
            with suppress(BaseException):
                session._setupstate.teardown_exact(None)  # type: ignore[attr-defined]
            os._exit(0)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the report of a part of a test, in a worker."""
        if self._first:
            self._reports.append(self._config.hook.pytest_report_to_serializable(config=self._config, report=report))

    def pytest_runtest_logfinish(self, nodeid: str, location: tuple[str, int | None, str]) -> None:
        """Send what there is to report of a test, from a worker."""
        if self._first:
            self._first.send((nodeid, location, self._reports))
            self._reports = []


def taken_from(queue: int) -> Iterator[int]:
    """Yield the next number that no other worker has, until none is left."""
    while number := os.read(queue, NUMBER.size):
        yield NUMBER.unpack(number)[0]
