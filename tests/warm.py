"""How does a test get a Companion that begins at once? From a process that has read everything already, and forks.

A program that begins reads its modules, compiles its templates and packs its scripts: two seconds of a processor, and the tests
start a hundred and fifty. ``Warm`` is asked for servers and has them; ``python -m tests.warm FOLDER`` is the process that it
asks, over its standard input and output, a line of JSON each. A server ends as any program does, by itself or by a signal.
"""

from __future__ import annotations

if __name__ == "__main__":
    import companion.server  # which comes before anything else that opens sockets

import gc
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

Answer = dict[str, int | None]


class Forked:
    """A server that was forked, to be waited for and ended as a :class:`subprocess.Popen` is."""

    def __init__(self, warm: Warm, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._warm = warm

    def poll(self) -> int | None:
        """Return the exit status, if it has ended; a signal is a number below zero."""
        if self.returncode is None:
            self.returncode = self._warm.ask(ended=self.pid)["status"]
        return self.returncode

    def wait(self, timeout: float = float("inf")) -> int:
        """Return the exit status once it has ended."""
        until = time.monotonic() + timeout
        while (status := self.poll()) is None:
            if time.monotonic() > until:
                raise subprocess.TimeoutExpired("companion", timeout)
            time.sleep(0.005)
        return status

    def send_signal(self, number: int) -> None:
        """Send it a signal, if it has not ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it."""
        self.send_signal(signal.SIGKILL)


class Warm:
    """The process that forks servers: it begins with the first of them, and ends with whoever asks it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process: subprocess.Popen[str] | None = None
        self._lock = threading.Lock()

    def run(
        self,
        arguments: Sequence[str],
        environment: Mapping[str, str],
        out: Path,
        errors: Path,
        constants: Mapping[str, float] | None = None,
        open_files: int = 0,
        durable: bool = False,
        speaks: Path | None = None,
    ) -> Forked:
        """Run ``companion`` with these arguments and settings; what it prints goes into these files.

        ``constants`` are those of ``companion.server`` that are others here. 0 open files are as many as usual.
        A server that is ``durable`` waits for the disk, as Companion does. One that ``speaks`` has the languages of a folder.
        """
        for file in (out, errors):
            file.write_bytes(b"")
        asked = {
            "arguments": list(arguments),
            "environment": dict(environment),
            "out": str(out),
            "errors": str(errors),
            "constants": dict(constants or {}),
            "open_files": open_files,
            "durable": durable,
            "speaks": str(speaks or ""),
        }
        pid = self.ask(**asked)["pid"]
        assert pid is not None
        return Forked(self, pid)

    def ask(self, **what: Any) -> Answer:
        """Return its answer."""
        with self._lock:
            if self._process is None:
                self._process = subprocess.Popen(
                    [sys.executable, "-m", "tests.warm", str(self._folder)],
                    cwd=Path(__file__).resolve().parent.parent,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                )
            assert self._process.stdin is not None
            assert self._process.stdout is not None
            self._process.stdin.write(json.dumps(what) + "\n")
            self._process.stdin.flush()
            answer: Answer = json.loads(self._process.stdout.readline())
            return answer

    def end(self) -> None:
        """End it, and whatever it has forked that still runs."""
        if self._process is not None:
            self._process.communicate(timeout=60)


def prepare(compiled: Path) -> None:
    """Read all that a server will need."""
    import pytest

    from companion import languages
    from companion.app import Companion, create_app
    from companion.settings import Settings
    from companion.web.delivery import game_files, scripts, static_files, style_sheets
    from tests.compiled import ReadOnce, blueprints_once

    for module in ("companion.cli", "companion.storage.migrations"):  # which nothing above needs
        import_module(module)
    blueprints_once(pytest.MonkeyPatch())
    Companion.jinja_options = {"bytecode_cache": ReadOnce(str(compiled))}
    with tempfile.TemporaryDirectory() as instance:
        create_app(Settings.read({"COMPANION_INSTANCE": instance}))
    languages.offered()
    folder = static_files.asset_folder("static")
    for name in style_sheets.names(folder):
        static_files.smallest(style_sheets.sent(name, folder, game_files.colours()))
    for file in folder.rglob("*.*"):
        if file.suffix == ".js":
            static_files.smallest(scripts.sent(file).encode())
        elif file.suffix == ".svg":
            static_files.smallest(file.read_bytes())
    gc.collect()
    gc.freeze()


def main() -> None:
    """Fork a server whenever one is asked for. Returns in it, once it is to begin, and when nobody asks any more."""
    from gevent import monkey, reinit

    fork, wait = monkey.get_original("os", ["fork", "waitpid"])
    running: set[int] = set()
    asked = os.fdopen(os.dup(0), encoding="utf-8")
    answers = os.dup(1)
    with suppress(KeyboardInterrupt):
        for line in iter(asked.readline, ""):
            what = json.loads(line)
            if "ended" in what:
                pid, status = wait(what["ended"], os.WNOHANG)
                running.discard(pid)
                answer: Answer = {"status": os.waitstatus_to_exitcode(status) if pid else None}
            elif pid := fork():
                running.add(pid)
                answer = {"pid": pid}
            else:
                reinit()
                asked.close()
                os.close(answers)
                for number, file in enumerate((os.devnull, what["out"], what["errors"])):
                    opened = os.open(file, os.O_WRONLY | os.O_APPEND if number else os.O_RDONLY)
                    os.dup2(opened, number)
                    os.close(opened)
                os.environ.clear()
                os.environ.update(what["environment"])
                vars(sys.modules["companion.server"]).update(what["constants"])
                if not what["durable"]:
                    vars(sys.modules["companion.storage.database"])["SYNCHRONOUS"] = "OFF"
                if what["speaks"]:
                    languages = sys.modules["companion.languages"]
                    languages.FOLDERS[:] = [Path(what["speaks"])]
                    languages.forget()
                if what["open_files"]:
                    resource.setrlimit(resource.RLIMIT_NOFILE, (what["open_files"],) * 2)
                sys.argv[1:] = what["arguments"]
                return
            os.write(answers, f"{json.dumps(answer)}\n".encode())
    for pid in running:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    sys.exit()


if __name__ == "__main__":
    from companion.cli import main as companion

    prepare(Path(sys.argv[1]))
    main()
    companion(prog_name="companion")
