"""When does a thread in the background begin, and when does it end?"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable


class Workers:
    """Threads that start when they are needed and end when they are not. Starting and ending happen under one lock."""

    def __init__(self, lock: threading.Lock, is_needed: Callable[[], bool]) -> None:
        """``is_needed`` is asked while ``lock`` is held."""
        self._lock = lock
        self._is_needed = is_needed
        self._threads: dict[str, threading.Thread] = {}
        self._end = threading.Event()

    @property
    def running(self) -> set[str]:
        """The names of the threads that work."""
        return set(self._threads)

    @property
    def ended(self) -> bool:
        return self._end.is_set()

    def start(self, name: str, work: Callable[[], None]) -> None:
        """Let a thread of this name do the work, unless one does. Call it with the lock held."""
        thread = self._threads.get(name)
        if not self.ended and (thread is None or not thread.is_alive()):
            self._threads[name] = threading.Thread(target=work, name=f"companion-{name}", daemon=True)
            self._threads[name].start()

    def goes_on(self, name: str, *, until: float = 0.0) -> bool:
        """Return False when this thread shall end: it is not needed, and the moment ``until`` has come."""
        with self._lock:
            if not self.ended and (self._is_needed() or time.monotonic() < until):
                return True
            self._threads.pop(name, None)
            return False

    def sleep(self, seconds: float) -> None:
        """Sleep, but not past the end."""
        self._end.wait(seconds)

    def end(self) -> None:
        """Let all threads end, and start none again."""
        with self._lock:
            self._end.set()
