"""Which are the five games that Companion has in code? What holds for a rulebook, a look-up or a box at home holds for these.

Score sheets, one more game in the registry, have none of them (tests/web/test_sheets.py).
"""

from __future__ import annotations

FIVE = ("beloz", "beluga-cup", "bisque", "rivals", "what-the-fish")
