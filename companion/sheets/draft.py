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
    """The cells that are typed so far: the text by the cell's place ("c1-tricks").

    ``unseen``: bids lie face down on all phones until all are in. ``paid``: payments that were handed over.
    """

    cells: Annotated[dict[_Place, _Text], msgspec.Meta(max_length=500)] = msgspec.field(default_factory=dict)
    unseen: bool = False
    paid: Annotated[tuple[_Place, ...], msgspec.Meta(max_length=40)] = ()


CODEC = DraftCodec(RowDraft)


def read(stored: Any) -> Mapping[str, str]:
    """Return the cells that phones share."""
    return CODEC.read(stored).cells


def is_unseen(stored: Any) -> bool:
    """Return whether bids stay unseen until all are in."""
    return CODEC.read(stored).unseen


def with_cells(stored: Any, cells: Mapping[str, str], *, unseen: bool | None = None) -> DraftBody | None:
    """Return the draft with these cells as one phone has typed them; an empty text takes a cell away.

    ``unseen`` hides the bids of the others, or shows them; None changes nothing.
    """
    before = CODEC.read(stored)
    merged = {place: text for place, text in {**before.cells, **cells}.items() if text}
    return CODEC.store(RowDraft(merged, before.unseen if unseen is None else unseen, before.paid))


def paid(stored: Any) -> tuple[str, ...]:
    """Return the payments that were handed over."""
    return CODEC.read(stored).paid


def with_paid(stored: Any, payment: str) -> DraftBody | None:
    """Return the draft with a payment as handed over, or as open again."""
    before = CODEC.read(stored)
    others = tuple(each for each in before.paid if each != payment)
    return CODEC.store(msgspec.structs.replace(before, paid=others if payment in before.paid else (*others, payment)))
