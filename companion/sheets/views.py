"""What do pages show of a sheet that is being filled? The cells with what may stand in them, and what they come to so far."""

from __future__ import annotations

from dataclasses import dataclass

from companion.plugin import Name, PageView, Sentence
from companion.sheets.boxes import BoxesView
from companion.sheets.late import LateView


@dataclass(frozen=True, slots=True)
class CellView:
    """A cell: its ``place`` in the form, its text, and what may be typed into it. ``fixed``: it is filled and only shown.

    ``hidden``: somebody else's bid, which lies face down until all have bid. ``stake`` is what a bid has if it is met, ``rest``
    the number that is left for the only empty cell, ``nearest`` the nearest that can stand in one. ``name`` is whose it is,
    ``sum`` what it adds to its player's others at the end: "68 + 33 = 101".
    """

    place: str
    text: str
    fixed: bool
    least: str
    most: str
    digits: int
    worth: str = ""
    error: str = ""
    hidden: bool = False
    stake: str = ""
    rest: str = ""
    name: str = ""
    nearest: str = ""
    sum: str = ""


@dataclass(frozen=True, slots=True)
class LineView:
    """A column of the sheet as a line: a cell for each side, or a single cell for the round.

    ``before``: it is bid. ``extra``: it comes on top of a bid that is met. ``docked``: it stands above the keys, as the number
    of a ledger does. ``note`` says what is written below the cells. ``sits``: it says who sits out. ``roles`` are choices that
    one side alone has, each with its question: "Who took?"
    """

    slug: str
    name: Sentence | Name
    kind: str
    halves: bool
    optional: bool
    shared: bool
    negative: bool
    choices: tuple[tuple[str, Sentence | Name], ...]
    cells: tuple[CellView | None, ...]
    question: Sentence | Name | None = None
    docked: bool = False
    note: Sentence | None = None
    before: bool = False
    extra: bool = False
    sits: bool = False
    roles: tuple[tuple[str, Sentence | Name], ...] = ()


@dataclass(frozen=True, slots=True)
class SideView:
    """A side at the head of the form: its total before, what the cells bring it so far, and the total that makes.

    ``leads``: it is ahead before the row; ``ahead``: it is after it. ``sum`` says it as one would aloud: "18 + 8 = 26".
    """

    side: int
    name: str
    before: str
    brings: str
    after: str
    sum: str
    good: bool
    leads: bool
    ahead: bool
    how: str
    out: bool
    rests: bool
    deals: bool


@dataclass(frozen=True, slots=True)
class LargeView:
    """What stands large while it comes in: the sum of a column, and what it is compared with ("10 bids for 7 tricks").

    Each of the ``most`` is drawn as a card: ``taken`` are the sides that took one, ``left`` the one whose number is what is
    left, ``filled`` how many are bid. ``more`` are too many. ``meaning`` says what the sum means, once all are in.
    """

    total: str
    name: Sentence | Name
    most: str
    of: Sentence | Name | None
    taken: tuple[int, ...]
    left: int | None
    filled: int
    missing: int
    more: int
    meaning: str


@dataclass(frozen=True, slots=True)
class PadView:
    """The keys of bids and tricks: a key for each number up to ``most``, of which 0 tells its stake (``nothing``).

    ``steps`` are keys for what comes on top or off, as the column of this name (``extra``) has it.
    """

    most: int
    nothing: str
    steps: tuple[int, ...]
    extra: Sentence | Name | str


@dataclass(frozen=True, slots=True)
class DigitsView:
    """What the pad has beside digits: ``signs`` ("+" also between factors, "½", "-").

    ``tick`` is a tick of the round that has a key: "Doubled".
    """

    signs: tuple[str, ...]
    tick: LineView | None


@dataclass(frozen=True, slots=True)
class MendView:
    """A tap that mends a row: it puts the text into the cell of one side."""

    side: int
    name: str
    place: str
    text: str
    told: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a row can't be so: in a few words, then the sums, and what would mend it."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class LedgerView:
    """What a row of a ledger moves, in a sentence, or what to tap first; how a winner's number came about; who leads then.

    ``together``: it comes to 0.
    """

    sentence: str
    sum: str
    leads: str
    together: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RowView(PageView):
    """The form: which ``part`` of a round it asks for ("bids", "row", "boxes", "end"), its lines, and the sides.

    ``verdict`` is what the cells come to so far, in words; ``save`` what the key says. ``missing`` counts empty cells.
    ``mends`` are the taps of which each would make a refused row right. ``unseen``: bids are hidden until all are in.
    ``boxes`` are the sheets of all sides, where one box after the other is filled. ``paired``: it is a sheet of bids and what
    was taken, nothing else; ``pad`` are its keys. ``has_extra`` are the sides to whom something on top would count,
    ``has_less`` those whom something that is taken off would cost.
    ``digits`` is the pad of all others. ``waits``: somebody's part is missing. ``single``: each side has one cell to type into.
    ``meaning``: the table hears what its bids mean. ``late``: what came too late for the round that it was typed for.
    """

    part: str
    number: int
    lines: tuple[LineView, ...]
    sides: tuple[SideView, ...]
    verdict: str
    save: str
    missing: int
    large: LargeView | None
    mends: tuple[MendView, ...]
    unseen: bool
    may_hide: bool
    open: bool
    boxes: BoxesView | None
    refusal: Refusal | None
    ledger: LedgerView | None
    paired: bool
    pad: PadView | None
    digits: DigitsView
    waits: bool
    single: bool
    has_extra: tuple[int, ...]
    has_less: tuple[int, ...]
    meaning: bool
    late: tuple[LateView, ...]
