"""Who waits for the next number of a table, in this process?"""

from __future__ import annotations

import queue
import time
from collections import Counter
from contextlib import suppress

from companion.storage.table_states import TableState


class Channel:
    """A table that somebody is looking at: its newest number, the streams that wait for the next, and whether they must end.

    ``state`` is how the database had the table when it was asked last. ``phones`` has how many of these streams each phone
    has: one that left a page is a stream here until it is noticed. ``told`` is how many phones its streams were
    told of; ``counted`` how many there were at the last tick.
    """

    __slots__ = ("acting", "closed", "counted", "doubted", "phones", "seq", "state", "streams", "told")

    def __init__(self) -> None:
        self.seq = -1
        self.doubted: int | None = None  # the number that the database did not have when it was asked last
        self.state: TableState | None = None
        self.streams: set[Subscription] = set()
        self.phones: Counter[str] = Counter()
        self.counted = self.told = 0
        self.acting = ""  # the phone that sent the newest form
        self.closed = False

    def wake(self) -> None:
        """Let every stream look again."""
        for stream in self.streams:
            stream.wake()


class Subscription:
    """One stream's place in a hub. It is given the newest number only, however many it has missed."""

    __slots__ = ("_bell", "_channel", "_ends", "_given", "_told")

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._ends = False
        self._given = channel.seq
        self._told = 0
        self._bell: queue.SimpleQueue[None] = queue.SimpleQueue()

    @property
    def closed(self) -> bool:
        """True when the stream should end."""
        return self._ends or self._channel.closed

    def end(self) -> None:
        """Let the stream end."""
        self._ends = True
        self.wake()

    def wake(self) -> None:
        """Wake the stream, unless it is woken already."""
        if self._bell.empty():
            self._bell.put(None)

    def wait(self, timeout: float) -> int | None:
        """Return the table's newest number as soon as it was not given before.

        None after ``timeout`` seconds, at the end, and when another number of phones looks on.
        """
        channel = self._channel
        end = time.monotonic() + timeout
        while not self.closed:
            seq = channel.seq
            if seq > self._given:
                self._given = seq
                return seq
            if channel.told != self._told:
                return None
            left = end - time.monotonic()
            if left <= 0:
                return None
            with suppress(queue.Empty):
                self._bell.get(timeout=left)
        return None

    def phones(self) -> int | None:
        """Return how many phones look on, if it was another number when this was asked last."""
        count = self._channel.told
        if count == self._told:
            return None
        self._told = count
        return count

    def given(self, seq: int) -> None:
        """Note that the stream knows this number already, from elsewhere."""
        self._given = max(self._given, seq)
