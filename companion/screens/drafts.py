"""How is the entry that phones share before it is complete kept, and carried by a form?"""

from __future__ import annotations

from typing import Any, Generic, TypeVar

import msgspec

D = TypeVar("D", bound=msgspec.Struct)


class DraftCodec(Generic[D]):
    """Read and write a game's draft: a frozen struct of which every part has a default, for as long as it is not known.

    What makes no sense, or is of an older version, is read as an empty draft: a draft is never worth an error.
    """

    def __init__(self, kind: type[D]) -> None:
        self.kind = kind
        self._decoder = msgspec.json.Decoder(kind)  # made here, where there is one thread: see engine.core.Game

    def read(self, stored: Any) -> D:
        """Return the draft as the database holds it, or as a form carries it in one line; an empty one for None and ""."""
        if not stored:
            return self.kind()
        try:
            if isinstance(stored, str):
                return self._decoder.decode(stored)
            return msgspec.convert(stored, self.kind)
        except msgspec.MsgspecError:
            return self.kind()

    def store(self, draft: D) -> dict[str, Any] | None:
        """Return the draft for the database, or None when nothing is known."""
        built: dict[str, Any] = msgspec.json.decode(self.text(draft))
        return None if draft == self.kind() else built

    def text(self, draft: D) -> str:
        """Return the draft as one line, for a form to carry."""
        return msgspec.json.encode(draft).decode()
