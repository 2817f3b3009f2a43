"""A Chromium of which nobody records what it loads: what remembers that for a test takes tens of megabytes of a page's memory.

It is spoken to through a pipe, with the few words that a benchmark needs.
"""

from __future__ import annotations

import itertools
import json
import os
import select
import subprocess
import time
from pathlib import Path
from typing import Any, Self

HEARS, SAYS = 3, 4  # the files through which Chromium listens and answers
PATIENCE = 300.0  # seconds
LOOKS_AGAIN = 0.01  # seconds


class Chromium:
    """A browser of its own, with a folder for what it keeps."""

    def __init__(self, path: str, profile: Path, *arguments: str) -> None:
        theirs, self._to = os.pipe()
        self._from, ours = os.pipe()

        def connect() -> None:
            kept = os.dup(ours)  # it may have one of the two numbers
            os.dup2(theirs, HEARS)
            os.dup2(kept, SAYS)

        command = [path, "--headless", "--remote-debugging-pipe", f"--user-data-dir={profile}", *arguments, "about:blank"]
        self._process = subprocess.Popen(
            command, preexec_fn=connect, pass_fds=(HEARS, SAYS), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        os.close(theirs)
        os.close(ours)
        self._numbers = itertools.count(1)
        self._heard = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.ask("Browser.close")
        self._process.wait(PATIENCE)
        os.close(self._to)
        os.close(self._from)

    def ask(self, method: str, session: str = "", **given: Any) -> dict[str, Any]:
        """Say one thing to it, and return what it answers."""
        number = next(self._numbers)
        said = {"id": number, "method": method, "params": given, **({"sessionId": session} if session else {})}
        os.write(self._to, json.dumps(said).encode() + b"\0")
        until = time.monotonic() + PATIENCE
        while True:
            while b"\0" not in self._heard:
                if not select.select([self._from], [], [], max(0, until - time.monotonic()))[0]:
                    raise TimeoutError(method)
                self._heard += os.read(self._from, 1 << 16)
            first, _, self._heard = self._heard.partition(b"\0")
            told = json.loads(first)
            if told.get("id") == number:
                if "error" in told:
                    raise RuntimeError(f"{method}: {told['error']}")
                return dict(told["result"])

    def open(self, url: str) -> Tab:
        """Open a page."""
        target = self.ask("Target.createTarget", url=url)["targetId"]
        return Tab(self, self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"])


class Tab:
    """One of its pages."""

    def __init__(self, browser: Chromium, session: str) -> None:
        self._browser, self._session = browser, session

    def evaluate(self, script: str, given: object = None) -> Any:
        """Call a function of JavaScript's in it, and return what comes of it."""
        told = self._browser.ask(
            *("Runtime.evaluate", self._session),
            expression=f"({script})({json.dumps(given)})",
            awaitPromise=True,
            returnByValue=True,
        )
        if "exceptionDetails" in told:
            raise RuntimeError(str(told["exceptionDetails"]))
        return told["result"].get("value")

    def until(self, condition: str) -> None:
        """Wait until something is so in it."""
        until = time.monotonic() + PATIENCE
        while not self._is(condition):
            if time.monotonic() > until:
                raise TimeoutError(condition)
            time.sleep(LOOKS_AGAIN)

    def _is(self, condition: str) -> bool:
        try:
            return bool(self.evaluate(f"() => Boolean({condition})"))
        except RuntimeError:  # another page is just coming
            return False
