"""How is a sheet filled? One form of cells: the round's own, and a column of them for each side."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from itertools import islice
from typing import Any, ClassVar, Final

from companion.engine.core import plain
from companion.engine.sheet.document import family_of
from companion.engine.sheet.expressions import Number, Scored, whole
from companion.engine.sheet.match import Bids, Box, End, Finish, Row, SheetState
from companion.engine.sheet.reading import ReadColumn
from companion.engine.sheet.scoring import RowScore, bounds, explained, reckoned, resting, sheet_word
from companion.engine.sheet.unfinished import (
    NUMBERS,
    Filling,
    Moved,
    Sketch,
    bid_and_result,
    bid_keys,
    extra,
    has_extra,
    lead,
    leading,
    left_over,
    mends,
    moved,
    nearest,
    sketch,
    stakes,
    tally,
)
from companion.plugin import (
    DraftBody,
    Event,
    FormData,
    Name,
    Outcome,
    PageContext,
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
    written,
)
from companion.sheets import draft as drafts
from companion.sheets.boxes import Picked, boxes_view, offered, roll_of, save_label
from companion.sheets.late import late
from companion.sheets.typed import LONGEST, read, text_of
from companion.sheets.views import (
    CellView,
    DigitsView,
    LargeView,
    LedgerView,
    LineView,
    MendView,
    PadView,
    Refusal,
    RowView,
    SideView,
)

Cells = dict[str, Any]
_PLACE: Final = re.compile(r"(?:c\d{1,2}|r)-\S{1,40}")
MOST_CARDS: Final = 12  # that are drawn for what is too many
MOST_IN_A_ROW: Final = 6  # players whose pieces have room for what a bid is worth
MOST_NAMES: Final = 3  # of whoever is missing; more are counted
MOST_KEYS: Final = 10  # numbers that have a key each


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
        self.mended: set[str] = set()  # the places that one tap has changed
        self._mend()
        self._take_box()
        self._read_cells()
        self.misread = bool(self.errors)  # a cell that holds no number, unlike a row that the rules refuse later
        self.left = self._leave()
        self.lacking: str | None = None  # the number of a ledger without which the row can't be so

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
        for place, text in context.query.items():  # what came too late, or was typed before a reload
            if context.replacing and _PLACE.fullmatch(place):
                data[place] = text[:LONGEST]
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
        viewers_side = None if viewer is None else self.state.side_of(viewer)  # partners bid as one
        for _, place, side in columns:
            if place in typed and not place.startswith("r-") and side != viewers_side:
                yield place, typed[place]

    def _mend(self) -> None:
        """Put the number that one tap mends into its cell: "c1-tricks=2"."""
        place, _, text = self.form_data.get("mend", "").partition("=")
        if place in {place for _, place, _ in self.columns()}:
            self.form_data = FormData(self.form_data)
            self.form_data[place] = text[:LONGEST]
            for other in self._alone(place, text, self.form_data):
                self.form_data[other] = ""
                self.mended.add(other)
            self.mended.add(place)

    def _alone(self, place: str, text: str, cells: Mapping[str, str]) -> Iterator[str]:
        """Iterate over the cells of others that are empty once this one says what is true of one side alone: who took it."""
        column, _ = self._column_at(place)
        if column is None or not text:
            return
        only = column is self.sheet.sits_out or any(choice.id == text and choice.question for choice in column.column.choices)
        for other, cell, _ in self.columns() if only else ():
            if other is column and cell != place and (text == cells.get(cell) or column is self.sheet.sits_out):
                yield cell

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

    def _leave(self) -> Filling | None:
        """Put the number that is left into the only empty cell of a row, and return it."""
        if self.part != "row" or self.errors:
            return None
        left = left_over(self.state, self.cells, self.shared)
        if left is not None:
            self.cells[left.side][left.column.id] = left.cell
        return left

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
        return self._full() or tuple(side for side in self.sides if self.cells[side])

    def _full(self) -> tuple[int, ...]:
        wanted = {column.id for column in self.sheet.own if not column.may_lack}
        return tuple(side for side in self.sides if self.cells[side] and wanted <= self.cells[side].keys())

    def outcome(self) -> Outcome:
        """Share a cell with the other phones, end the match, or enter the row."""
        if self.form_data.get("finish"):
            typed = self.together and bool(drafts.read(self.context.draft))
            over = say("The match is over. What was typed and not saved isn’t counted") if typed else say("The match is over")
            return Submit((Finish(),), over)
        round_now = f"{self.part}{self.number}"
        if self.form_data.get("share") and self.form_data.get("of", round_now) != round_now:
            return Rerender(wrong=True)  # it was typed for a round that was saved while it was on its way
        if self.form_data.get("share") and self.context.shared:
            places = self.form_data.get("share", "").split()[:100]
            on_sheet = {place for _, place, _ in self.columns()}
            cells = {place: self.form_data.get(place, "")[:LONGEST] for place in places if place in on_sheet}
            return UpdateDraft(lambda stored: drafts.with_cells(stored, self._with_alone(stored, cells)), stay=True)
        if self.form_data.get("ask") or (self.by_boxes and self.form_data.get("die")):
            return Rerender()
        if (unseen := self.form_data.get("unseen")) and self.together:
            return self._share_all(unseen=unseen == "yes")
        place, equals, text = self.form_data.get("put", "").partition("=")
        if equals and self.together and place in {place for _, place, _ in self.columns()}:
            return UpdateDraft(lambda stored: drafts.with_cells(stored, {place: text[:LONGEST]}))
        if (wanted := self.form_data.get("meaning")) and self.together:
            return UpdateDraft(lambda stored: drafts.with_meaning(stored, wanted=wanted == "yes"))
        if self.form_data.get("mend"):
            return self._share_all() if self.together else Rerender()
        events = self.events()
        if events is None:
            self._say_what_is_missing()
            return Rerender(wrong=True)
        position = self._after(events)
        return Submit(events, self._message(position.state), keep=self._kept(events))

    def _after(self, events: tuple[Event, ...]) -> Position[SheetState]:
        position = self.position
        for self._event in events:
            position = position.apply(self._event)
        return position

    def _kept(self, events: tuple[Event, ...]) -> Callable[[DraftBody | None], DraftBody | None] | None:
        """Return how the columns that others are still filling stay shared, once these are counted."""
        counted = {event.player for event in events if isinstance(event, End)}
        others = {place: self.form_data.get(place, "") for _, place, side in self.columns() if side not in counted}
        typed = {place: text for place, text in others.items() if text}
        return (lambda stored: drafts.with_cells(stored, typed)) if self.together and counted and typed else None

    def _share_all(self, *, unseen: bool | None = None) -> UpdateDraft:
        """Share everything that was typed. A cell that is empty here may be filled on another phone by now: it stays."""
        texts = {place: self.form_data.get(place, "")[:LONGEST] for _, place, _ in self.columns() if place not in self.hidden}
        cells = {place: text for place, text in texts.items() if text or place in self.mended}
        tapped = {place: cells[place] for place in self.mended if cells.get(place)}
        return UpdateDraft(lambda stored: drafts.with_cells(stored, cells | self._with_alone(stored, tapped), unseen=unseen))

    def _with_alone(self, stored: DraftBody | None, tapped: dict[str, str]) -> dict[str, str]:
        """Return cells with those that they empty, also of what other phones have tapped since: the last tap counts."""
        cells = {**drafts.read(stored), **tapped}
        return tapped | {other: "" for place, text in tapped.items() for other in self._alone(place, text, cells)}

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

    @cached_property
    def sketch(self) -> Sketch | None:
        """What the filled cells come to, as the engine reckons it; None for cells that can't be so."""
        return self.asked(lambda: sketch(self.state, self.cells, self.shared))

    def view(self) -> RowView:
        """Ask the engine what the cells come to, and return the form."""
        sketched = self.sketch
        scored = None if sketched is None else sketched.score
        complete = not self.missing and not self.misread and not self._waits_for_ticks()
        played: Position[SheetState] | None = None
        was_refused = "" in self.errors
        if complete and (events := self.events()) and not self.by_boxes and (self.part != "end" or self._full()):
            played = self.asked(lambda: self._after(events))
        if not was_refused and "" in self.errors and self._lacks_number():
            del self.errors[""]
            complete, self.lacking = False, self.docked
        given = self.context.form_data
        mends = tuple(self._mends()) if complete and self.errors.get("") else ()
        sides = tuple(self._sides(None if self.lacking else sketched))
        lines = tuple(self._lines(scored))
        boxes = boxes_view(self.state, self.form_data, self._picked()) if self.by_boxes else None
        return RowView(
            errors=self.errors,
            outbox_label=self.outbox_label,
            part=self.part,
            number=self.number,
            lines=lines,
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
            paired=self.paired,
            pad=self._pad(),
            digits=self._digits(lines),
            waits=bool(self.missing or self.lacking) or self._waits_for_ticks(),
            single=sum(not line.shared and line.kind not in {"tick", "choice"} for line in lines) == 1,
            has_extra=self._has_extra(),
            has_less=self._has_extra(less=True),
            meaning=self.meaning,
            late=() if given is None else tuple(late(self.state, given.getlist("late"), finished=self.position.finished)),
        )

    def _has_extra(self, *, less: bool = False) -> tuple[int, ...]:
        return has_extra(self.state, self.cells, self.shared, less=less) if self.paired and self.part == "row" else ()

    @cached_property
    def paired(self) -> bool:
        """Whether each side has a bid and what it took, at most with something on top: each player is then one piece."""
        if self.part not in {"bids", "row"} or bid_and_result(self.sheet) is None:
            return False
        return len(self.sheet.own) == 2 or extra(self.sheet) is not None

    @cached_property
    def meaning(self) -> bool:
        """Whether the table hears what its bids mean; it does unless it chose otherwise, in this match or an earlier one."""
        if self.part != "bids" or not self.together:
            return True
        wanted = drafts.meaning(self.context.draft)
        return (drafts.meaning(self.context.earlier("meaning")) if wanted is None else wanted) is not False

    def _pad(self) -> PadView | None:
        """Return keys for bids or tricks, where each number can have a key, and no other number is asked for."""
        if not self.paired or any(column.column.kind != "tick" and self.asked_now(column) for column in self.sheet.shared):
            return None
        keys = bid_keys(self.state, self.shared)
        if keys is None or not 0 < keys.most <= MOST_KEYS:
            return None
        nothing = f"±{written(keys.met)}" if keys.met > 0 and keys.missed == -keys.met else signed(keys.met)
        more = extra(self.sheet) if self.part == "row" else None
        steps = () if more is None else tuple(more.step * times for times in (1, 2, 3, 4, *((-1, -2) if more.negative else ())))
        return PadView(keys.most, nothing, steps, "" if more is None else sheet_word(self.sheet, more.column.name))

    def _digits(self, lines: tuple[LineView, ...]) -> DigitsView:
        """Return which keys there are beside digits, for the columns that can be typed now."""
        typed = {id(column): column for column, _, _ in self.columns() if column.column.kind not in {"tick", "choice"}}.values()
        kinds = {column.column.kind for column in typed}
        tick = next((line for line in lines if line.docked and line.kind == "tick"), None)
        needed = {
            "+": "addends" in kinds or "product" in kinds,
            "½": any(column.halves for column in typed),
            "-": any(column.negative for column in typed),
        }
        return DigitsView(tuple(sign for sign, is_needed in needed.items() if is_needed), tick)

    def _waits_for_ticks(self) -> bool:
        """Return whether a ledger asks who won, and nobody was tapped yet: then nothing is wrong so far."""
        return self.part == "row" and self.sheet.is_ledger and self._asks_who()

    def _asks_who(self) -> bool:
        """Return whether the sheet asks who won or played, and nobody was tapped yet."""
        ticks = {column.id for column in self.sheet.own if column.column.kind == "tick" and column is not self.sheet.sits_out}
        return bool(ticks) and not any(slug in ticks for cells in self.cells for slug in cells)

    def _lacks_number(self) -> bool:
        """Return whether somebody was tapped in a ledger, and its number is still to be typed: then nothing is wrong so far."""
        return self.docked is not None and self.docked not in self.shared and not self._asks_who()

    def _to_tap(self) -> Sentence | str:
        """Return what to tap first in a ledger."""
        if not self._asks_who():
            return ""
        return say("Tap who won.") if self.sheet.is_ledger else say("Tap a name.")

    @property
    def is_ledger(self) -> bool:
        """Whether a row moves points between players: it comes to 0, or the sheet is listed as a ledger."""
        return self.part == "row" and (self.sheet.is_ledger or family_of(self.sheet.document) == "ledger")

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

    def _sides(self, sketched: Sketch | None) -> Iterator[SideView]:
        state = self.state
        fewer = self.sheet.lowest
        leads = leading(state)
        ahead = sketched.ahead if sketched is not None and self.part != "bids" else ()
        rests = resting(self.sheet, state.around, self.cells) if self.part == "row" else ()
        total = signed if self.sheet.is_ledger else written
        for side in self.sides:
            brings = None if sketched is None or self.part == "bids" else sketched.brings[side]
            yield SideView(
                side,
                state.sides[side],
                total(state.scores[side]),
                "" if brings is None else signed(brings),
                "" if brings is None or sketched is None else total(sketched.totals[side]),
                "" if brings is None or sketched is None else _sum(state.scores[side], brings, sketched.totals[side]),
                brings is not None and (brings < 0 if fewer else brings > 0),
                side in leads and not ahead,
                side in ahead,
                "" if brings is None or sketched is None else explained(self.sheet, sketched.score, side),
                side in state.out,
                side in rests,
                side == state.around.dealer,
            )

    def _refusal(self, scored: RowScore | None, mends: tuple[MendView, ...]) -> Refusal | None:
        """Return why the row can't be saved; of a ledger's numbers, how much went to nobody or came from nobody."""
        wrong = self.errors.get("")
        if not wrong or self.by_boxes or list(self.errors.values()).count(wrong) > 1:  # a cell says it itself
            return None
        if scored is None or not self.sheet.is_ledger or not mends:
            return Refusal(wrong, say("Count again, or tap the number that is wrong:") if mends else "")
        won, lost = scored.won_and_lost
        n = plain(max(won, lost) - min(won, lost))
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
        if not self.is_ledger:
            return None
        row = None if scored is None or not complete else moved(state, scored)
        if scored is None or row is None or not (row.winners or row.losers):
            return LedgerView(self._to_tap(), "", "", together=False)
        sentence = self._moves(scored)
        ahead: tuple[int, ...] = () if played is None else played.standing().ahead()
        leads = ""
        if played is not None and len(ahead) == 1:
            total = signed(played.state.scores[ahead[0]])
            leads = say("{player} leads with {n}", player=Name(state.sides[ahead[0]]), n=Name(total))
        return LedgerView(
            sentence,
            self._reckoned(scored),
            leads,
            together=played is not None and self.sheet.is_ledger and not sum(scored.scores),
        )

    def _reckoned(self, scored: RowScore) -> str:
        """Return how the number of the first winner, or of who loses alone, came about, if it was not typed so: "4 × 2 = 8"."""
        row = moved(self.state, scored)
        for side in row.losers if self._one_loses(row) else row.winners:
            by, score = reckoned(self.sheet, scored, side), written(scored.scores[side])
            return "" if by == score or self.docked is None else f"{by} = {score}"
        return ""

    @cached_property
    def docked(self) -> str | None:
        """The round's own number of a ledger that asks who won: it is typed in the dock."""
        asks = any(column.column.kind == "tick" for column in self.sheet.own)
        if not self.is_ledger or not asks or self.context.replacing:
            return None
        return next((column.id for column in self.sheet.shared if column.column.kind in {"whole", "half"}), None)

    def _one_loses(self, row: Moved) -> bool:
        """Return whether one loses what no other wins, as at Skat."""
        return len(row.losers) == 1 and row.each_loses not in {None, row.each_wins} and not self.sheet.is_ledger

    def _moves(self, scored: RowScore) -> Sentence:
        """Return what a row of a ledger moves: "Ana and Cy beat Bo and Di by 4"."""
        row = moved(self.state, scored)
        winners, losers = (
            listing([Name(self.state.sides[side]) for side in sides], "and") for sides in (row.winners, row.losers)
        )
        n = row.each_wins
        if row.each_loses is not None and self._one_loses(row):
            return say("{player} loses {n}", player=losers, n=Name(written(row.each_loses)))
        if n is not None and n == row.each_loses:
            points = Name(written(n))
            return say_n(
                "{players} beats {others} by {points}",
                "{players} beat {others} by {points}",
                len(row.winners),
                players=winners,
                others=losers,
                points=points,
            )
        if n is not None and len(row.winners) == 1:
            return say("{player} wins {n}", player=winners, n=Name(written(n)))
        if n is not None:
            return say("{players} win {n} each", players=winners, n=Name(written(n)))
        return say("{players} win", players=winners)

    def _verdict(self, sides: tuple[SideView, ...], *, complete: bool) -> Sentence | str:
        if self.errors.get(""):
            return ""
        places = dict.fromkeys(self._column_at(place)[1] for place in self.missing if place.startswith("c"))
        if len(self.missing) == len(places) and 0 < len(places) <= MOST_NAMES:
            players = listing([Name(self.state.sides[side]) for side in places], "and")
            return say_n("{players} is missing.", "{players} are missing.", len(places), players=players)
        if len(self.missing) == 1 or self.lacking:
            column = self.sheet.column(self.lacking or self.missing[0].removeprefix("r-"))
            return say("{column} is missing.", column=sheet_word(self.sheet, column.column.name)) if column else ""
        if self.missing:
            return say_n("{n} cell is still empty.", "{n} cells are still empty.", len(self.missing))
        if self.part == "bids":
            return say("All have bid.")
        if self.part == "row" and complete and not self.is_ledger:
            brought = [say("{player} {n}", player=Name(side.name), n=Name(side.brings)) for side in sides if side.brings]
            return listing(brought, "comma")
        return ""

    def _large(self, scored: RowScore | None) -> LargeView | None:
        """Return what stands large while it comes in, for sheets on which bids are compared with what was taken."""
        if self.part not in {"bids", "row"} or not self.sheet.bids_first or self.hidden:
            return None
        early = self.part == "bids"
        at = None if scored is None else tally(self.state, scored, early=early)
        if at is None:
            return None
        result = next((column for column in self.sheet.own if column.column.when != "before"), None)
        each = () if early else (side for side in self.sides for _ in range(at.by_side[side]))
        taken = tuple(islice(each, max(0, at.most)))
        return LargeView(
            written(at.total),
            self._in_sentence(at.column.column.name, at.total),
            written(at.most),
            self._in_sentence(result.column.name, at.most) if result is not None and early else None,
            taken,
            None if self.left is None else self.left.side,
            min(at.total, at.most) if early else 0,
            max(0, at.most - at.total),
            min(max(0, at.total - at.most), MOST_CARDS),
            self._meaning(at.total, at.most) if self.meaning else "",
        )

    def _in_sentence(self, column: str, n: int) -> Sentence | Name:
        """Return a column's name as a word within a sentence: "10 bids for 7 tricks". A name of one's own stays as it is."""
        if self.sheet.preset and column == "Bid":
            # NOTE: behind a number, within a sentence: 10 bids for 7 tricks
            return say_n("bid", "bids", n)
        if self.sheet.preset and column == "Tricks":
            # NOTE: behind a number, within a sentence: 5 of 7 tricks
            return say_n("trick", "tricks", n)
        return sheet_word(self.sheet, column)

    def _meaning(self, total: int, most: int) -> str:
        if self.missing:
            return ""
        if self.part == "row":
            return (
                say_n("{n} too many.", "{n} too many.", total - most)
                if total > most
                else self._leads()
                if total == most
                else ""
            )
        if total == most:
            return say("Exactly {n}: all can make it.", n=most)
        if total > most:
            return say_n("{n} too many: somebody must miss.", "{n} too many: somebody must miss.", total - most)
        return say_n("{n} too few: somebody must take more.", "{n} too few: somebody must take more.", most - total)

    def _leads(self) -> str:
        """Return who is ahead once the row counts: "Cy leads with 330, 50 ahead"."""
        at = self.sketch
        by = None if at is None else lead(self.state, at.totals)
        if at is None or by is None or not at.ahead:
            return ""
        (first,) = at.ahead
        return say_n(
            "{player} leads with {total}, {by} ahead.",
            "{player} lead with {total}, {by} ahead.",
            self.sheet.people(1),
            player=Name(self.state.sides[first]),
            total=Name(written(at.totals[first])),
            by=Name(written(by)),
        )

    def _mends(self) -> Iterator[MendView]:
        """Iterate over the taps of which each would make the row right, as the engine knows them."""
        if self.part not in {"row", "bids"}:
            return
        for mend in mends(self.state, self.cells, self.shared, early=self.part == "bids"):
            cell: Any = mend.cell
            amount = sum(cell) if isinstance(cell, tuple) else cell
            label = signed(amount) if self.sheet.is_ledger else written(amount)
            yield MendView(
                mend.side, self.state.sides[mend.side], f"c{mend.side}-{mend.column.id}", text_of(mend.column, cell), label
            )

    def _lines(self, scored: RowScore | None) -> Iterator[LineView]:
        sheet = self.sheet
        at = scored.scored if scored is not None else Scored({}, ())
        staked = (
            stakes(self.state, self.cells, self.shared)
            if self.part == "bids" and len(self.sides) <= MOST_IN_A_ROW
            else (None,) * len(self.sides)
        )
        # what is corrected comes first
        boxes = {slug for event in self.context.replacing if isinstance(event, Box) for _, slug, _ in _cells_of(event)}
        for column in sorted((*sheet.shared, *sheet.own), key=lambda column: column.id not in boxes):
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
                stake = staked[side] if self.part == "bids" and of_side else None
                cells.append(self._cell(column, place, fixed, at, side, stake))
            choices = tuple((choice.id, sheet_word(sheet, choice.name)) for choice in column.column.choices)
            roles = tuple(
                (choice.id, sheet_word(sheet, choice.question))
                for choice in column.column.choices
                if choice.question and choice.players <= len(self.sides)
            )
            yield LineView(
                column.id,
                sheet_word(sheet, column.column.name),
                column.column.kind,
                column.halves,
                column.may_lack,
                not of_side,
                column.negative,
                choices,
                tuple(cells),
                None if column.column.question is None else sheet_word(sheet, column.column.question),
                docked=not of_side and self.docked is not None and (column.id == self.docked or column.column.kind == "tick"),
                before=column.column.when == "before",
                extra=self.paired and self.part == "row" and not self.context.replacing and extra(sheet) is column,
                sits=column is sheet.sits_out,
                roles=roles,
                note=say("for whoever hits the bid exactly") if any(cell and cell.stake for cell in cells) else None,
            )

    def _cell(
        self, column: ReadColumn, place: str, fixed: Mapping[str, Any], at: Scored, side: int, stake: Number | None
    ) -> CellView:
        least, most = self._bounds(column, at, side)
        if place in self.hidden:
            return CellView(place, "", fixed=False, least="", most="", digits=0, hidden=True)
        text = text_of(column, fixed[column.id]) if column.id in fixed else self.form_data.get(place, "")
        worth = ""
        if column.column.kind in {"addends", "times", "table", "product"} and text and column.name in at.values:
            worth = written(at.values[column.name][side])
        left = self.left if self.left is not None and place == f"c{self.left.side}-{self.left.column.id}" else None
        return CellView(
            place,
            text[:LONGEST],
            column.id in fixed,
            written(least),
            written(most),
            len(str(plain(most))),
            worth if worth != text.replace("-", "−") else "",
            self.errors.get(place, ""),
            stake="" if stake is None else signed(stake),
            rest="" if left is None else text_of(column, left.cell),
            name=self.state.sides[side],
            nearest=self._nearest(column, place, least, most) if self.errors.get(place) else "",
            sum=self._adds(column, side) if self.part == "end" and column.id in self.cells[side] else "",
        )

    def _adds(self, column: ReadColumn, side: int) -> str:
        """Return what a cell adds to all others of its player: "68 + 33 = 101"."""
        others = [dict(cells) for cells in self.cells]
        del others[side][column.id]
        before = self.asked(lambda: sketch(self.state, others))
        if before is None or self.sketch is None:
            return ""
        old, new = before.totals[side], self.sketch.totals[side]
        return _sum(old, whole(new - old), new)

    def _nearest(self, column: ReadColumn, place: str, least: Number, most: Number) -> str:
        """Return the nearest number that can stand in a cell, where the one that was typed can't."""
        try:
            cell = read(column, self.form_data.get(place, ""))
        except RuleError:
            return ""
        if column.column.kind not in NUMBERS or isinstance(cell, bool) or not isinstance(cell, int | float):
            return ""
        near = nearest(column, cell, least, most)
        return "" if near == cell else text_of(column, plain(near))

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


def _sum(before: Number, brings: Number, after: Number) -> str:
    """Return a sum as one would say it: "18 + 8 = 26", "−12 − 6 = −18"."""
    sign = "−" if brings < 0 else "+"
    return f"{written(before)} {sign} {written(max(brings, -brings))} = {written(after)}"


def signed(number: Number) -> str:
    """Return a number with its sign: "+40", "−20", "0"."""
    return f"+{written(number)}" if number > 0 else written(number)
