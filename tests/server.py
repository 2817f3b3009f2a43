"""How do tests get a real server, as ``companion run`` starts it, in a process of its own?"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from companion.settings import Settings
from tests.warm import Forked, Warm

CHECKOUT = Path(__file__).resolve().parent.parent
PATIENCE = 120.0  # seconds that anything gets to happen: as a rule it takes one, on a busy machine many

COMMAND = [sys.executable, "-m", "companion"]
WARM: Warm | None = None  # what it is forked from instead, where pytest runs

GREETED = re.compile(r"^Companion is on the table: (\S+)$", re.MULTILINE)


class Server:
    """Companion serving on a free port of 127.0.0.1. Stopped and started again it keeps its port, its tables and its key."""

    def __init__(
        self,
        instance: Path,
        *,
        command: Sequence[str] = (),
        folder: Path = CHECKOUT,
        settings: Mapping[str, str] | None = None,
        arguments: Sequence[str] = (),
        constants: Mapping[str, float] | None = None,
        open_files: int = 0,
        durable: bool = False,
        speaks: Path | None = None,
    ) -> None:
        self.instance = instance
        self.url = ""
        self.port = 0
        self._command = command
        self._arguments = ["run", "--host", "127.0.0.1", *arguments]
        self._folder = folder
        self._changed = (constants, open_files, durable, speaks)  # of a server that is forked
        unset = {variable.name for variable in Settings.variables().values()}
        kept = {name: value for name, value in os.environ.items() if name not in unset}
        self.environment = {**kept, "PYTHONUNBUFFERED": "1", "COMPANION_INSTANCE": str(instance), **(settings or {})}
        self._process: subprocess.Popen[bytes] | Forked | None = None

    def start(self) -> None:
        """Begin to serve; returns once phones can come."""
        self.instance.mkdir(parents=True, exist_ok=True)
        self._process = self.begin()
        until = time.monotonic() + PATIENCE
        while not (greeted := GREETED.search(self.output)):
            ended = self._process.poll()
            if ended is not None or time.monotonic() > until:
                self.stop()
                raise RuntimeError(f"The server did not begin (status {ended}).\n{self.output}\n{self.complaints}")
            time.sleep(0.02)
        self.url = greeted.group(1)
        if not self.port:
            self.port = int(self.url.rpartition(":")[2])

    def begin(self) -> subprocess.Popen[bytes] | Forked:
        """Begin to serve, and wait for nothing."""
        arguments = [*self._arguments, "--port", str(self.port)]
        out, errors = self.instance / "stdout", self.instance / "stderr"
        same = (self._folder, self.environment.get("PYTHONPATH")) == (CHECKOUT, os.environ.get("PYTHONPATH"))
        if WARM is not None and same and not self._command:
            return WARM.run(arguments, self.environment, out, errors, *self._changed)
        assert not any(self._changed)
        with out.open("wb") as said, errors.open("wb") as complained:
            return subprocess.Popen(
                [*(self._command or COMMAND), *arguments],
                cwd=self._folder,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=complained,
            )

    def stop(self, number: int | None = None) -> int:
        """End it, by SIGTERM unless another signal is given; returns the exit status."""
        if self._process is None:
            raise RuntimeError("The server was never started.")
        if self._process.poll() is None:
            self._process.terminate() if number is None else self._process.send_signal(number)
        try:
            status = self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            raise
        return status

    @property
    def is_running(self) -> bool:
        """Return whether it serves."""
        return self._process is not None and self._process.poll() is None

    def restart(self) -> None:
        """Stop without a word and begin again: what a power cut does to the memory of tables."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self.start()

    @property
    def pid(self) -> int:
        """The number of its process. Raises RuntimeError when it was never started."""
        if self._process is None:
            raise RuntimeError("The server was never started.")
        return self._process.pid

    @property
    def output(self) -> str:
        """What it has printed since it was started last."""
        return (self.instance / "stdout").read_text("utf-8")

    @property
    def complaints(self) -> str:
        """What it has logged since it was started last."""
        return (self.instance / "stderr").read_text("utf-8")
