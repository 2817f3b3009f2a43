"""What do the phones of a table share of the row that they fill? The text of each cell, by its place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final

import msgspec

from companion.plugin import DraftBody, DraftCodec
from companion.sheets.typed import LONGEST

MOST_CENTS: Final = 10_000  # that a point may be worth
AGREED: Final = ("rate", "money", "paid", "meaning")  # parts that the table's file carries

_Place = Annotated[str, msgspec.Meta(max_length=40)]
_Text = Annotated[str, msgspec.Meta(max_length=LONGEST)]


class RowDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The cells that are typed so far: the text by the cell's place ("c1-tricks").

    ``unseen``: bids lie face down on all phones until all are in. ``paid``: payments that were handed over.
    ``rate``: the cents that a point is worth, by which payments are said if ``money`` is true.
    ``meaning``: whether it is said what the bids mean; None where nobody chose.
    """

    cells: Annotated[dict[_Place, _Text], msgspec.Meta(max_length=500)] = msgspec.field(default_factory=dict)
    unseen: bool = False
    paid: Annotated[tuple[_Place, ...], msgspec.Meta(max_length=40)] = ()
    rate: Annotated[float, msgspec.Meta(ge=0.5, le=MOST_CENTS, multiple_of=0.5)] | None = None
    money: bool = False
    meaning: bool | None = None


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
    after = before.unseen if unseen is None else unseen
    return CODEC.store(msgspec.structs.replace(before, cells=merged, unseen=after))


def paid(stored: Any) -> tuple[str, ...]:
    """Return the payments that were handed over."""
    return CODEC.read(stored).paid


def with_paid(stored: Any, payment: str) -> DraftBody | None:
    """Return the draft with a payment as handed over, or as open again."""
    before = CODEC.read(stored)
    others = tuple(paid for paid in before.paid if paid != payment)
    return CODEC.store(msgspec.structs.replace(before, paid=others if payment in before.paid else (*others, payment)))


def rate(stored: Any) -> float | None:
    """Return the cents that a point is worth, None where nothing was agreed on."""
    return CODEC.read(stored).rate


def in_money(stored: Any) -> bool:
    """Return whether payments are said in money, and not in points."""
    return CODEC.read(stored).money


def with_rate(stored: Any, cents: float, *, money: bool) -> DraftBody | None:
    """Return the draft with what a point is worth, and whether payments are said in money."""
    return CODEC.store(msgspec.structs.replace(CODEC.read(stored), rate=cents, money=money))


def meaning(stored: Any) -> bool | None:
    """Return whether the table wants to hear what the bids mean; None where it has not said."""
    return CODEC.read(stored).meaning


def with_meaning(stored: Any, *, wanted: bool) -> DraftBody | None:
    """Return the draft with the table's choice to hear what the bids mean."""
    return CODEC.store(msgspec.structs.replace(CODEC.read(stored), meaning=wanted))
