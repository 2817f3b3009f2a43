"""How are logs kept at hand? Those of matches that are being played, so that no page need play a whole match again."""

from __future__ import annotations

import threading
from collections import OrderedDict

from companion.matches.log import Log
from companion.storage.models import MatchId

MOST_LINES = 20_000  # kept in all, by far enough for the evening's tables; some 50 MB if every line were a long one


class Logs:
    """The logs that were used last, by match. Logs only grow, so an old one is a good beginning for a newer one."""

    def __init__(self, most_lines: int = MOST_LINES) -> None:
        self._most_lines = most_lines
        self._lock = threading.Lock()
        self._logs: OrderedDict[MatchId, Log] = OrderedDict()
        self._lines = 0

    def get(self, match_id: MatchId) -> Log | None:
        """Return the newest log of this match that was kept, or None. The database may have more lines by now."""
        with self._lock:
            log = self._logs.get(match_id)
            if log is not None:
                self._logs.move_to_end(match_id)
            return log

    def keep(self, log: Log) -> None:
        """Keep a log whose lines are all stored, and let go of those that were not used for longest."""
        with self._lock:
            kept_log = self._logs.get(log.match_id)
            if kept_log is not None and kept_log.seq > log.seq:
                return
            self._forget(log.match_id)
            self._logs[log.match_id] = log
            self._lines += log.seq + 1
            while self._lines > self._most_lines and len(self._logs) > 1:
                self._forget(next(iter(self._logs)))

    def forget(self, match_id: MatchId) -> None:
        """Let go of a match's log, because the database has fewer lines: an older copy of it was put back."""
        with self._lock:
            self._forget(match_id)

    def _forget(self, match_id: MatchId) -> None:
        log = self._logs.pop(match_id, None)
        if log is not None:
            self._lines -= log.seq + 1
