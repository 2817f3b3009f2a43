"""What do the phones of a table share of the row that they fill? The text of each cell, by its place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec

from companion.plugin import DraftBody, DraftCodec
from companion.sheets.typed import LONGEST

_Place = Annotated[str, msgspec.Meta(max_length=40)]
_Text = Annotated[str, msgspec.Meta(max_length=LONGEST)]


class RowDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The cells that are typed so far: the text by the cell's place ("c1-tricks")."""

    cells: Annotated[dict[_Place, _Text], msgspec.Meta(max_length=500)] = msgspec.field(default_factory=dict)


CODEC = DraftCodec(RowDraft)


def read(stored: Any) -> Mapping[str, str]:
    """Return the cells that phones share."""
    return CODEC.read(stored).cells


def with_cells(stored: Any, cells: Mapping[str, str]) -> DraftBody | None:
    """Return the draft with these cells as one phone has typed them; an empty text takes a cell away."""
    merged = {place: text for place, text in {**read(stored), **cells}.items() if text}
    return CODEC.store(RowDraft(merged))
