"""How is a sheet filled? One form of cells: the round's own, and a column of them for each side."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Final

from companion.engine.sheet.expressions import Number, Scored, plain, written
from companion.engine.sheet.match import Bids, Box, End, Finish, Row, SheetState, with_bids
from companion.engine.sheet.reading import ReadColumn
from companion.engine.sheet.scoring import RowScore, bounds, check_bids, explained, resting, score_row, sheet_word
from companion.plugin import (
    DraftBody,
    Event,
    FormData,
    Name,
    Outcome,
    PageContext,
    PageView,
    Position,
    Rerender,
    RuleError,
    ScreenPage,
    Sentence,
    Submit,
    UpdateDraft,
    listing,
    say,
    say_n,
)
from companion.sheets import draft as drafts
from companion.sheets.boxes import BoxesView, Picked, boxes_view, offered, roll_of, save_label
from companion.sheets.typed import LONGEST, read, text_of

Cells = dict[str, Any]
MENDED: Final = ("whole", "half", "addends")  # kinds of columns of which one number may be mended
MOST_WRONG: Final = 12  # a number that is off by more was no slip
MOST_CARDS: Final = 12  # that are drawn for what is too many


@dataclass(frozen=True, slots=True)
class CellView:
    """A cell: its ``place`` in the form, its text, and what may be typed into it. ``fixed``: it is filled and only shown.

    ``hidden``: somebody else's bid, which lies face down until all have bid.
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


@dataclass(frozen=True, slots=True)
class LineView:
    """A column of the sheet as a line: a cell for each side, or a single cell for the round."""

    slug: str
    name: Sentence | Name
    kind: str
    optional: bool
    shared: bool
    negative: bool
    choices: tuple[tuple[str, Sentence | Name], ...]
    cells: tuple[CellView | None, ...]
    question: Sentence | Name | None = None


@dataclass(frozen=True, slots=True)
class SideView:
    """A side at the head of the form: its total before, what the cells bring it so far, and the total that makes."""

    side: int
    name: str
    before: str
    brings: str
    after: str
    good: bool
    leads: bool
    how: str
    out: bool
    rests: bool


@dataclass(frozen=True, slots=True)
class LargeView:
    """What stands large while it comes in: the sum of a column, and what it is compared with ("10 bids for 7 tricks").

    Each of the ``most`` is drawn as a card: ``taken`` are the sides that took one, ``filled`` how many are bid. ``more`` are
    too many. ``meaning`` says what the sum means, once all are in.
    """

    total: str
    name: Sentence | Name
    most: str
    of: Sentence | Name | None
    taken: tuple[int, ...]
    filled: int
    missing: int
    more: int
    meaning: str


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
    """What a row of a ledger moves, in a sentence; who leads after it; whether all of it comes to 0."""

    sentence: str
    leads: str
    together: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RowView(PageView):
    """The form: which ``part`` of a round it asks for ("bids", "row", "boxes", "end"), its lines, and the sides.

    ``verdict`` is what the cells come to so far, in words; ``save`` what the key says. ``missing`` counts empty cells.
    ``mends`` are the taps of which each would make a refused row right. ``unseen``: bids are hidden until all are in.
    ``boxes`` are the sheets of all sides, where one box after the other is filled.
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


class RowPage(ScreenPage[SheetState]):
    """The cells of a round, of boxes or of the table at the end; also those of an entry that is corrected."""

    template: ClassVar[str] = "games/sheet/row.html"

    def __init__(self, context: PageContext) -> None:
        super().__init__(context)
        self.sheet = self.state.sheet
        self.part = self._part()
        self.sides = range(len(self.state.sides))
        self.cells: tuple[Cells, ...] = ({},) * len(self.state.sides)
        self.shared: Cells = {}
        self.hidden = dict(self._hidden())
        self.box = ""  # the place of the one that was chosen
        self._mend()
        self._take_box()
        self._read_cells()

    def _part(self) -> str:
        shape = self.sheet.document.shape
        if shape != "rounds":
            return shape
        replaced = next(iter(self.context.replacing), None)
        if replaced is not None:
            return "bids" if isinstance(replaced, Bids) else "row"
        return "bids" if self.sheet.bids_first and self.state.bids is None else "row"

    @property
    def number(self) -> int:
        """The round that is entered, from 1."""
        return len(self.state.rows) + 1

    @property
    def outbox_label(self) -> str:
        """Return "Round 7" or "The bids of round 7"; of boxes and of the end what they are."""
        match self.part:
            case "bids":
                return say("The bids of round {n}", n=self.number)
            case "row":
                return say("Round {n}", n=self.number)
        return say("What was written down")

    def asked_now(self, column: ReadColumn) -> bool:
        """Return whether this form asks for a column."""
        before = column.column.when == "before"
        if self.part == "bids":
            return before
        return not (before and self.state.bids is not None)

    def columns(self) -> Iterator[tuple[ReadColumn, str, int]]:
        """Iterate over the open cells: the column, the place in the form, and the side."""
        for column in self.sheet.shared:
            if self.asked_now(column):
                yield column, f"r-{column.id}", 0
        for column in self.sheet.own:
            if self.asked_now(column):
                for side in self.state.playing:
                    if column.id not in self._filled(side):
                        yield column, f"c{side}-{column.id}", side

    def _filled(self, side: int) -> Mapping[str, Any]:
        """Return what a side has filled before, in boxes and at the end."""
        return self.state.filled[side] if self.state.filled else {}

    def prefill(self) -> FormData:
        """Return what phones share of the cells, or what was entered and is corrected."""
        data = FormData()
        context = self.context
        if context.shared and not context.replacing:
            for place, text in drafts.read(context.draft).items():
                data[place] = text
        sheet: Any = context.position.state.sheet
        for event in context.replacing:
            for place, slug, cell in _cells_of(event):
                column = sheet.column(slug)
                if column is not None:
                    data[place] = text_of(column, cell)
        return data

    @property
    def together(self) -> bool:
        """Whether several phones fill this form at the same time."""
        return self.context.shared and not self.context.replacing

    def _hidden(self) -> Iterator[tuple[str, str]]:
        """Iterate over the bids of others that lie face down on this phone, as long as somebody's is missing."""
        if self.part != "bids" or not self.together or not drafts.is_unseen(self.context.draft):
            return
        typed = drafts.read(self.context.draft)
        columns = list(self.columns())
        if all(place in typed for _, place, _ in columns):
            return
        viewer = self.context.viewer
        own = None if viewer is None else viewer % len(self.sides)  # partners sit opposite each other, and bid as one
        for _, place, side in columns:
            if place in typed and not place.startswith("r-") and side != own:
                yield place, typed[place]

    def _mend(self) -> None:
        """Put the number that one tap mends into its cell: "c1-tricks=2"."""
        place, _, text = self.form_data.get("mend", "").partition("=")
        if place in {place for _, place, _ in self.columns()}:
            self.form_data = FormData(self.form_data)
            self.form_data[place] = text[:LONGEST]

    def _take_box(self) -> None:
        """Put what the dice score, or else what was typed, into the box that was chosen."""
        if not self.by_boxes:
            return
        data = FormData(self.form_data)
        die = data.get("die", "")
        roll = data.get("roll", "")[:12]
        roll = roll[:-1] if die == "back" else roll + die
        data["roll"] = "".join(map(str, roll_of(self.state, roll)))
        box = data.get("box", "")[:LONGEST]
        column, _ = self._column_at(box)
        if column is not None:
            self.box = box
            offer = offered(self.state, roll_of(self.state, roll)).get(box)
            data[box] = data.get("typed", "") if offer is None else str(plain(offer))
        self.form_data = data

    @property
    def by_boxes(self) -> bool:
        """Whether this is the page on which one box after the other is filled."""
        return self.part == "boxes" and not self.context.replacing

    def _column_at(self, place: str) -> tuple[ReadColumn | None, int]:
        """Return the column and the side of a place: "c1-full-house"."""
        first, _, slug = place.partition("-")
        side = int(first[1:]) if first[:1] == "c" and first[1:].isdecimal() and len(first) < 4 else len(self.sides)
        return (self.sheet.column(slug) if side < len(self.sides) else None), side

    def _read_cells(self) -> None:
        """Read the text of each cell. What is no number is refused at its place."""
        self.cells = tuple({} for _ in self.sides)
        for column, place, side in (*self.columns(), *self._once_more()):
            try:
                cell = read(column, self.hidden.get(place) or self.form_data.get(place, ""))
            except RuleError as refused:
                self.errors.setdefault(place, refused.message)
                continue
            if cell is not None:
                (self.shared if place.startswith("r-") else self.cells[side])[column.id] = cell

    def _once_more(self) -> Iterator[tuple[ReadColumn, str, int]]:
        """Iterate over cells that are sent though they are filled, as another phone was faster: the rules say so."""
        if self.context.form_data is None or self.part not in {"boxes", "end"}:
            return
        for side in self.sides:
            for column in self.sheet.own:
                place = f"c{side}-{column.id}"
                if column.id in self._filled(side) and self.form_data.get(place):
                    yield column, place, side

    @cached_property
    def missing(self) -> tuple[str, ...]:
        """The places of cells that must still be filled before the row can be saved."""
        if self.part in {"boxes", "end"}:
            return ()
        return tuple(
            place
            for column, place, side in self.columns()
            if not column.may_lack and column.id not in (self.shared if place.startswith("r-") else self.cells[side])
        )

    def events(self) -> tuple[Event, ...] | None:
        """Return what saving enters, or None while something is missing or no number."""
        if self.errors or self.missing:
            return None
        match self.part:
            case "bids":
                return (Bids(self.cells, self.shared),)
            case "row":
                return (Row(self.cells, self.shared),)
            case "boxes":
                boxes = [Box(side, box, cell) for side in self.sides for box, cell in self.cells[side].items()]
                return tuple(boxes) or None
        counted = self._counted()
        return tuple(End(side, cells) for side, cells in enumerate(self.cells) if side in counted) or None

    def _counted(self) -> tuple[int, ...]:
        """Return the sides whose columns are all filled. Where there are none, those with a cell: what is missing is said."""
        begun = [side for side in self.sides if self.cells[side]]
        wanted = {column.id for column in self.sheet.own if not column.may_lack}
        return tuple(side for side in begun if wanted <= self.cells[side].keys()) or tuple(begun)

    def outcome(self) -> Outcome:
        """Share a cell with the other phones, end the match, or enter the row."""
        if self.form_data.get("finish"):
            return Submit((Finish(),), say("The match is over"))
        if self.form_data.get("share") and self.context.shared:
            places = self.form_data.get("share", "").split()[:100]
            on_sheet = {place for _, place, _ in self.columns()}
            cells = {place: self.form_data.get(place, "")[:LONGEST] for place in places if place in on_sheet}
            return UpdateDraft(lambda stored: drafts.with_cells(stored, cells), stay=True)
        if self.form_data.get("ask") or (self.by_boxes and self.form_data.get("die")):
            return Rerender()
        if (unseen := self.form_data.get("unseen")) and self.together:
            return self._share_all(unseen=unseen == "yes")
        if self.form_data.get("mend"):
            return self._share_all() if self.together else Rerender()
        events = self.events()
        if events is None:
            self._say_what_is_missing()
            return Rerender(wrong=True)
        position = self.position
        for event in events:
            self._event = event
            position = position.apply(event)
        return Submit(events, self._message(position.state), keep=self._kept(events))

    def _kept(self, events: tuple[Event, ...]) -> Callable[[DraftBody | None], DraftBody | None] | None:
        """Return how the columns that others are still filling stay shared, once these are counted."""
        counted = {event.player for event in events if isinstance(event, End)}
        others = {place: self.form_data.get(place, "") for _, place, side in self.columns() if side not in counted}
        typed = {place: text for place, text in others.items() if text}
        return (lambda stored: drafts.with_cells(stored, typed)) if self.together and counted and typed else None

    def _share_all(self, *, unseen: bool | None = None) -> UpdateDraft:
        """Share everything that was typed, as it is."""
        cells = {place: self.form_data.get(place, "")[:LONGEST] for _, place, _ in self.columns() if place not in self.hidden}
        return UpdateDraft(lambda stored: drafts.with_cells(stored, cells, unseen=unseen))

    _event: Event | None = None

    def _say_what_is_missing(self) -> None:
        if self.errors:
            return
        if not self.missing:
            self.errors[self.box] = (
                say("Nothing is filled in yet. Tap a cell, and type.")
                if not self.by_boxes
                else say("Tap what was rolled, or type what it scores.")
                if self.box
                else say("Tap a box first.")
            )
            return
        for column, place, _ in self.columns():
            if place in self.missing:
                self.errors.setdefault(place, say("{column} is missing.", column=sheet_word(self.sheet, column.column.name)))

    def _message(self, after: SheetState) -> Sentence:
        match self.part:
            case "bids":
                return say("The bids of round {n} are in", n=self.number)
            case "row":
                return say("Round {n} saved", n=self.number)
        return say("Written down")

    def place_of(self, field: str) -> str:
        """Return the cell that a field of the engine is about: "cells.1.tricks" is "c1-tricks"."""
        first, _, rest = field.partition(".")
        if first == "round" and rest:
            return f"r-{rest}"
        if first == "cells" and rest:
            side, _, slug = rest.partition(".")
            if side.isdecimal():
                return f"c{side}-{slug}" if slug else f"s{side}"
            return f"c{self._event.player}-{rest}" if isinstance(self._event, End) else ""
        if first in {"value", "box"} and isinstance(self._event, Box):
            return f"c{self._event.player}-{self._event.box}"
        return ""

    def _scored(self) -> RowScore | None:
        """Return the score of the cells that are filled."""
        state = self.state
        if self.part in {"boxes", "end"}:
            filled = tuple({**self._filled(side), **self.cells[side]} for side in self.sides)
            return self.asked(lambda: score_row(self.sheet, replace(state.around, number=1), filled, partly=True))
        row = with_bids(state, Row(self.cells, self.shared))
        return self.asked(lambda: score_row(self.sheet, state.around, row.cells, row.round, partly=True))

    def view(self) -> RowView:
        """Ask the engine what the cells come to, and return the form."""
        scored = self._scored()
        complete = not self.missing and not self.errors
        played: Position[SheetState] | None = None
        if complete and self.part in {"bids", "row"} and (events := self.events()):
            played = self.asked(lambda: self.position.apply(events[0]))
        mends = self._mends() if complete and self.errors.get("") else ()
        sides = tuple(self._sides(scored))
        boxes = boxes_view(self.state, self.form_data, self._picked()) if self.by_boxes else None
        return RowView(
            errors=self.errors,
            outbox_label=self.outbox_label,
            part=self.part,
            number=self.number,
            lines=tuple(self._lines(scored)),
            sides=sides,
            verdict=self._verdict(sides, complete=complete),
            save=self._save() if boxes is None else save_label(boxes.picked),
            missing=len(self.missing),
            large=self._large(scored),
            mends=mends,
            unseen=bool(self.hidden) or (self.together and drafts.is_unseen(self.context.draft)),
            may_hide=self.part == "bids" and self.together,
            open=any(True for _ in self.columns()),
            boxes=boxes,
            refusal=self._refusal(scored, mends),
            ledger=self._ledger(scored, played, complete=complete),
        )

    def _picked(self) -> Picked | None:
        """Ask the engine what the box that was chosen would make of the total."""
        column, side = self._column_at(self.box)
        if column is None:
            return None
        cell = self.cells[side].get(column.id)
        after = ""
        if cell is not None:
            event = self._event = Box(side, column.id, cell)
            position = self.asked(lambda: self.position.apply(event))
            after = "" if position is None else written(position.state.scores[side])
        name = sheet_word(self.sheet, column.column.name)
        return Picked(self.box, name, text_of(column, cell), written(self.state.scores[side]), after)

    def _save(self) -> Sentence:
        match self.part:
            case "bids":
                return say("Save the bids")
            case "row":
                return say("Save round {n}", n=self.number)
        return say("Write it down")

    def _sides(self, scored: RowScore | None) -> Iterator[SideView]:
        state = self.state
        before = state.scores
        lowest = self.sheet.document.wins == "lowest"
        brings: list[Number | None] = []
        for side in self.sides:
            ready = side in state.playing and self.part != "bids" and not any(
                place.startswith(f"c{side}-") for place in self.missing
            )  # fmt: skip
            filled = bool(self.cells[side]) or not self.missing
            number = None if scored is None or not ready or not filled else scored.scores[side]
            brings.append(number)
        ready_all = None not in [number for side, number in enumerate(brings) if side in state.playing]
        at_the_end = state.filled != ()
        after = [
            old if new is None else new + state.bonuses[side] if at_the_end else old + new
            for side, (old, new) in enumerate(zip(before, brings, strict=True))
        ]
        best = min(after) if lowest else max(after)
        alone = len(set(after)) > 1
        rests = resting(self.sheet, state.around) if self.part == "row" else ()
        for side in self.sides:
            new = brings[side]
            change = None if new is None else after[side] - before[side]
            yield SideView(
                side,
                state.sides[side],
                written(before[side]),
                "" if change is None else signed(change),
                written(after[side]) if change is not None else "",
                change is not None and (change < 0 if lowest else change > 0),
                alone and after[side] == best and (ready_all or self.part == "bids" or not any(self.cells)),
                "" if scored is None or change is None else explained(self.sheet, scored, side),
                side in state.out,
                side in rests,
            )

    def _refusal(self, scored: RowScore | None, mends: tuple[MendView, ...]) -> Refusal | None:
        """Return why the row can't be saved; of a ledger's numbers, how much went to nobody or came from nobody."""
        wrong = self.errors.get("")
        if not wrong or self.by_boxes:
            return None
        if scored is None or self.sheet.document.sum != 0 or not mends:
            return Refusal(wrong, say("Count again, or tap the number that is wrong:") if mends else "")
        won, lost = scored.won_and_lost
        n = int(max(won, lost) - min(won, lost))
        title = (
            say_n("{n} point went to nobody", "{n} points went to nobody", n)
            if lost > won
            else say_n("{n} point came from nobody", "{n} points came from nobody", n)
        )
        sums = {"lost": Name(written(lost)), "won": Name(written(won))}
        return Refusal(title, say("{lost} were lost and {won} won. Count again, or tap whose number is wrong:", **sums))

    def _ledger(self, scored: RowScore | None, played: Position[SheetState] | None, *, complete: bool) -> LedgerView | None:
        """Return what a ledger's row moves, and who leads once it is ``played``; None for other sheets."""
        state = self.state
        if self.sheet.document.sum != 0 or self.part != "row":
            return None
        if scored is None or not complete or not any(scored.scores):
            return LedgerView("", "", together=False)
        winners = [side for side in state.playing if scored.scores[side] > 0]
        n = scored.scores[winners[0]] if winners else 0
        names = listing([Name(state.sides[side]) for side in winners], "and")
        if len(winners) == 1:
            sentence = say("{player} wins {n}", player=names, n=Name(written(n)))
        elif winners and all(scored.scores[side] == n for side in winners):
            sentence = say("{players} win {n} each", players=names, n=Name(written(n)))
        else:
            sentence = say("{players} win", players=names)
        ahead: tuple[int, ...] = () if played is None else played.standing().ahead()
        leads = ""
        if played is not None and len(ahead) == 1:
            total = signed(played.state.scores[ahead[0]])
            leads = say("{player} leads with {n}", player=Name(state.sides[ahead[0]]), n=Name(total))
        return LedgerView(sentence, leads, together=played is not None)

    def _verdict(self, sides: tuple[SideView, ...], *, complete: bool) -> Sentence | str:
        if self.errors.get(""):
            return ""
        if self.missing:
            return say_n("{n} cell is still empty.", "{n} cells are still empty.", len(self.missing))
        if self.part == "bids":
            return say("All have bid.")
        if self.part == "row" and complete and self.sheet.document.sum != 0:
            brought = [say("{player} {n}", player=Name(side.name), n=Name(side.brings)) for side in sides if side.brings]
            return listing(brought, "comma")
        return ""

    def _large(self, scored: RowScore | None) -> LargeView | None:
        """Return what stands large while it comes in, for sheets on which bids are compared with what was taken."""
        if self.part not in {"bids", "row"} or not self.sheet.bids_first or self.hidden:
            return None
        bid = next((column for column in self.sheet.own if column.column.when == "before"), None)
        result = next((column for column in self.sheet.own if column.column.when != "before"), None)
        column = bid if self.part == "bids" else result
        if column is None or bid is None or scored is None or isinstance(column.most, int):
            return None
        most = int(bounds(column, scored.scored, 0)[1])
        worth = scored.scored.values[column.name]
        total = int(sum(worth))
        taken: tuple[int, ...] = ()
        if self.part == "row":
            taken = tuple(side for side in self.sides for _ in range(int(worth[side])))[:most]
        return LargeView(
            written(total),
            sheet_word(self.sheet, column.column.name),
            written(most),
            sheet_word(self.sheet, result.column.name) if result is not None and self.part == "bids" else None,
            taken,
            0 if self.part == "row" else min(total, most),
            max(0, most - total),
            min(max(0, total - most), MOST_CARDS),
            self._meaning(total, most),
        )

    def _meaning(self, total: int, most: int) -> str:
        if self.missing:
            return ""
        if self.part == "row":
            return say_n("{n} too many.", "{n} too many.", total - most) if total > most else ""
        if total == most:
            return say("Exactly {n}: all can make it.", n=most)
        if total > most:
            return say_n("{n} too many: somebody must miss.", "{n} too many: somebody must miss.", total - most)
        return say_n("{n} too few: somebody must take more.", "{n} too few: somebody must take more.", most - total)

    def _mends(self) -> tuple[MendView, ...]:
        """Return the taps that would make the row right: one number of a side changed, by as little as possible."""
        column = next(
            (candidate for candidate in self.sheet.own if self.asked_now(candidate) and candidate.column.kind in MENDED), None
        )
        if column is None or self.part not in {"row", "bids"}:
            return ()
        for by in self._differences():
            mends = tuple(self._mended(column, by))
            if mends:
                return mends
        return ()

    def _differences(self) -> Iterator[int]:
        """Iterate over what a number may be wrong by: what a ledger lacks, else a little more or less."""
        wanted, scored = self.sheet.document.sum, self._scored()
        if wanted is not None and scored is not None:
            yield int(wanted - sum(scored.scores))
            return
        for by in range(1, MOST_WRONG + 1):
            yield -by
            yield by

    def _mended(self, column: ReadColumn, by: int) -> Iterator[MendView]:
        for side in self.state.playing:
            cell = self.cells[side].get(column.id, 0)
            better = (*cell, by) if isinstance(cell, tuple) else cell + by
            cells = tuple({**cell, column.id: better} if number == side else cell for number, cell in enumerate(self.cells))
            row = with_bids(self.state, Row(cells, self.shared))
            try:
                if self.part == "bids":
                    check_bids(self.sheet, self.state.around, cells, self.shared)
                else:
                    score_row(self.sheet, self.state.around, row.cells, row.round)
            except RuleError:
                continue
            text = text_of(column, better)
            total = sum(better) if isinstance(better, tuple) else better
            label = signed(total) if self.sheet.document.sum == 0 else written(total)
            yield MendView(side, self.state.sides[side], f"c{side}-{column.id}", text, label)

    def _lines(self, scored: RowScore | None) -> Iterator[LineView]:
        sheet = self.sheet
        at = scored.scored if scored is not None else Scored({}, ())
        for column in (*sheet.shared, *sheet.own):
            of_side = column.column.of == "side"
            before = column.column.when == "before" and self.state.bids is not None and self.part == "row"
            if self.part == "bids" and not self.asked_now(column):
                continue
            cells: list[CellView | None] = []
            for side in self.sides if of_side else range(1):
                if of_side and side in self.state.out:
                    cells.append(None)
                    continue
                place = f"c{side}-{column.id}" if of_side else f"r-{column.id}"
                fixed: Mapping[str, Any] = self._filled(side) if of_side else {}
                if before and self.state.bids is not None:
                    fixed = self.state.bids.cells[side] if of_side else self.state.bids.round
                cells.append(self._cell(column, place, fixed, at, side))
            choices = tuple((choice.id, sheet_word(sheet, choice.name)) for choice in column.column.choices)
            yield LineView(
                column.id,
                sheet_word(sheet, column.column.name),
                column.column.kind,
                column.may_lack,
                not of_side,
                column.negative,
                choices,
                tuple(cells),
                None if column.column.question is None else sheet_word(sheet, column.column.question),
            )

    def _cell(self, column: ReadColumn, place: str, fixed: Mapping[str, Any], at: Scored, side: int) -> CellView:
        least, most = self._bounds(column, at, side)
        if place in self.hidden:
            return CellView(place, "", fixed=False, least="", most="", digits=0, hidden=True)
        text = text_of(column, fixed[column.id]) if column.id in fixed else self.form_data.get(place, "")
        worth = ""
        if column.column.kind in {"addends", "times", "table", "product"} and text and column.name in at.values:
            worth = written(at.values[column.name][side])
        return CellView(
            place,
            text[:LONGEST],
            column.id in fixed,
            written(least),
            written(most),
            len(str(plain(most))),
            worth if worth != text else "",
            self.errors.get(place, ""),
        )

    @staticmethod
    def _bounds(column: ReadColumn, at: Scored, side: int) -> tuple[Number, Number]:
        try:
            return bounds(column, at, side)
        except KeyError:  # nothing could be scored: what a bound depends on is not known
            return 0, 999


def _cells_of(event: Event) -> Iterator[tuple[str, str, Any]]:
    """Iterate over the cells of an event: the place in the form, the column and what stands there."""
    match event:
        case Row() | Bids():
            for side, cells in enumerate(event.cells):
                for slug, cell in cells.items():
                    yield f"c{side}-{slug}", slug, cell
            for slug, cell in event.round.items():
                yield f"r-{slug}", slug, cell
        case Box():
            yield f"c{event.player}-{event.box}", event.box, event.value
        case End():
            for slug, cell in event.cells.items():
                yield f"c{event.player}-{slug}", slug, cell


def signed(number: Number) -> str:
    """Return a number with its sign: "+40", "−20", "0"."""
    return f"+{written(number)}" if number > 0 else written(number)
