"""How do those wait who want the same? One after the other, each for its turn."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

from companion.storage.faults import BusyError


class Locks:
    """A lock for each key, kept while somebody holds it or waits for it."""

    def __init__(self) -> None:
        self._locks: dict[Hashable, list[Any]] = {}  # a lock, and how many are at it

    @contextmanager
    def take(self, key: Hashable, timeout: float = -1) -> Iterator[None]:
        """Hold a key's lock inside. Raises BusyError after ``timeout`` seconds of waiting; below zero: never."""
        lock = self._locks.setdefault(key, [Lock(), 0])
        lock[1] += 1
        try:
            if not lock[0].acquire(timeout=timeout):
                raise BusyError
            try:
                yield
            finally:
                lock[0].release()
        finally:
            lock[1] -= 1
            if not lock[1]:
                self._locks.pop(key, None)
