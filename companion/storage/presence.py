"""Which phones look at a table through another process? Each process tells the others."""

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

    def hear(self, process: str, tables: Mapping[int, Phones], moment: float) -> None:
        """Note that a process is there, and which phones look at these tables in it; none, if it tells of none."""
        sender = self._processes.setdefault(process, _Process())
        sender.heard = moment
        for table_id, phones in tables.items():
            if phones:
                sender.tables[table_id] = phones
            else:
                sender.tables.pop(table_id, None)

    def at(self, table_id: int, moment: float) -> Iterator[Phones]:
        """Iterate over the phones that look at a table, one process after the other."""
        for process in self._processes.values():
            if moment - process.heard <= self._patience and (phones := process.tables.get(table_id)):
                yield phones

    def forget(self, moment: float) -> None:
        """Let go of processes that have long been gone."""
        for process in [name for name, process in self._processes.items() if moment - process.heard > FORGOTTEN]:
            del self._processes[process]
