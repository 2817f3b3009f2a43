"""How does any other game go? By a score sheet: a JSON document that says who fills which columns, and what they add up to.

:mod:`.document` has its parts, :mod:`.reading` checks them, :mod:`.expressions` reckons, :mod:`.scoring` scores a row, and
:mod:`.match` plays. :mod:`.presets` are the sheets that Companion brings.
"""

from __future__ import annotations

from companion.engine.sheet.match import GAME

__all__ = ["GAME"]
