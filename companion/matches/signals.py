"""What can whoever measures a match hear of? These signals, which cost next to nothing while nobody listens."""

from __future__ import annotations

from blinker import Signal

ENTRY_WRITTEN = Signal("An entry is stored. The sender is its kind; ``game`` is the game's slug.")
LOG_READ = Signal("A match was read from the database. The sender is the game's slug; ``seconds`` is how long that took.")
