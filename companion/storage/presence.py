"""Which phones look at which table in the other processes, as far as those have said?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

Phones = Mapping[str, int]  # the match that each phone was shown last, 0 for none, by the phone's short name

SHORT: Final = 10  # characters of a phone's name that tell it from the others at its table
MOST_PHONES: Final = 500  # of a table that a process tells of
FORGOTTEN: Final = 60.0  # seconds of silence until nothing is kept of a process


def short(phone: str) -> str:
    """Return a phone's name as processes tell it to each other."""
    return phone[:SHORT]


class _Process:
    """What a process said, and when it said anything."""

    __slots__ = ("heard", "tables")

    def __init__(self) -> None:
        self.heard = 0.0
        self.tables: dict[int, Phones] = {}


class Presence:
    """The phones of all other processes. A process counts for as long as it is heard of."""

    def __init__(self, patience: float) -> None:
        """``patience``: seconds of silence until a process counts as gone, and its phones with it."""
        self._patience = patience
        self._processes: dict[str, _Process] = {}

    def hear(self, process: str, tables: Mapping[int, Phones], now: float) -> None:
        """Note that a process is there, and which phones look at these tables in it; none, if it tells of none."""
        known = self._processes.setdefault(process, _Process())
        known.heard = now
        for table_id, phones in tables.items():
            if phones:
                known.tables[table_id] = phones
            else:
                known.tables.pop(table_id, None)

    def at(self, table_id: int, now: float) -> Iterator[Phones]:
        """Iterate over the phones that look at a table, one process after the other."""
        for known in self._processes.values():
            if now - known.heard <= self._patience and (phones := known.tables.get(table_id)):
                yield phones

    def forget(self, now: float) -> None:
        """Let go of processes that have long been gone."""
        for process in [name for name, known in self._processes.items() if now - known.heard > FORGOTTEN]:
            del self._processes[process]
