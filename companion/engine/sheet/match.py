"""How does a match by a score sheet go? Rows, boxes or columns are filled, until the sheet says that it is over."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Annotated, Final

import msgspec

from companion.engine.core import (
    JSON,
    Event,
    Game,
    Line,
    Lines,
    Options,
    PersistentList,
    RuleError,
    Standing,
    check_seats,
    plain,
)
from companion.engine.sheet import dice, presets
from companion.engine.sheet.document import MOST_PLAYERS, Amount, Id, SheetDocument, Teams
from companion.engine.sheet.expressions import Expression, Number, Scored, whole
from companion.engine.sheet.reading import Sheet, as_name, bound_of, read
from companion.engine.sheet.scoring import (
    NO_CELLS,
    Around,
    Cell,
    Cells,
    RowScore,
    check_bids,
    check_filled,
    explained,
    score_row,
    sheet_word,
    wrong_score,
)
from companion.engine.text import Name, Sentence, listing, name, say

MOST_WORK: Final = 10**8  # characters of formulas that all rows of a match reckon: some seconds
Player = Annotated[int, msgspec.Meta(ge=0, lt=MOST_PLAYERS)]
Choice = tuple[str, int | None, Cell]  # the column's id, whose it is (of the round's own: who deals), and what was chosen
RowCells = Annotated[tuple[dict[Id, Cell], ...], msgspec.Meta(max_length=MOST_PLAYERS)]


class SheetOptions(Options, frozen=True):
    """Which sheet is played by, and the answers to its questions about house rules.

    ``preset`` names one of Companion's. ``sheet`` is a whole document, which a stored match always has: it then counts.
    """

    preset: Annotated[str, msgspec.Meta(max_length=30)] | None = None
    sheet: SheetDocument | None = None
    house: dict[Annotated[str, msgspec.Meta(max_length=30)], Amount] = msgspec.field(default_factory=dict)


class Row(Event, frozen=True, tag="row"):
    """A round is over: what stands in each side's cells, in order, and in those of the round itself."""

    cells: RowCells
    round: dict[Id, Cell] = msgspec.field(default_factory=dict)


class Bids(Event, frozen=True, tag="bids"):
    """What is asked before a round is played: the cells of those columns alone."""

    cells: RowCells
    round: dict[Id, Cell] = msgspec.field(default_factory=dict)


class Box(Event, frozen=True, tag="box"):
    """A player fills a box, once for the whole match."""

    player: Player
    box: Id
    value: Cell


class End(Event, frozen=True, tag="end"):
    """A player is counted: what stands in all of the columns."""

    player: Player
    cells: dict[Id, Cell]


class Finish(Event, frozen=True, tag="finish"):
    """The players end a match that ends by hand: whoever is ahead wins."""


@dataclass(frozen=True, slots=True)
class Played:
    """A row that was played: its cells, what it was worth, and who dealt it."""

    cells: tuple[Cells, ...]
    shared: Cells
    score: RowScore
    around: Around


@dataclass(frozen=True)
class SheetState:
    """A match by a sheet: the rows that were played, or what stands in each side's columns (``filled``).

    ``totals`` are without the sheet's bonus. ``bids`` are those of the round that is being played, if it has any yet.
    ``of_rows`` are what each column came to in all ``rows``. ``taken`` has the round of each choice that is made only once.
    Both grow with each row. To look through all rows each time would take minutes in a long match.
    """

    sheet: Sheet
    players: tuple[str, ...]
    sides: tuple[str, ...]
    totals: tuple[Number, ...]
    of_rows: Mapping[str, tuple[Number, ...]]
    taken: Mapping[Choice, int]
    rows: PersistentList[Played] = PersistentList.EMPTY
    bids: Bids | None = None
    filled: tuple[Cells, ...] = ()
    dealer: int | None = None
    out: frozenset[int] = frozenset()
    ended: bool = False

    @property
    def playing(self) -> tuple[int, ...]:
        """The sides that are still in the match."""
        return tuple(side for side in range(len(self.sides)) if side not in self.out)

    def side_of(self, player: int) -> int:
        """Return the side of a player: partners sit opposite each other."""
        return player % len(self.sides)

    @property
    def around(self) -> Around:
        """What is around the row that is being filled."""
        dealer = None if self.dealer is None else self.side_of(self.dealer)
        return Around(len(self.rows) + 1, self.totals, self.sides, dealer, self.playing)

    @cached_property
    def whole(self) -> RowScore | None:
        """What is filled so far as one row, for sheets of boxes and of columns at the end."""
        if self.sheet.document.shape == "rounds":
            return None
        return score_row(self.sheet, replace(self.around, number=1), self.filled, partly=True)

    @cached_property
    def scores(self) -> tuple[Number, ...]:
        """Each side's total, with the sheet's bonus."""
        totals = self.totals
        if self.whole is not None:  # whoever has filled nothing yet has nothing, whatever a row of zeros would be worth
            totals = tuple(score if cells else 0 for score, cells in zip(self.whole.scores, self.filled, strict=True))
        return tuple(map(whole, map(sum, zip(totals, self.bonuses, strict=True))))

    @cached_property
    def bonuses(self) -> tuple[Number, ...]:
        """What each side gets once for its whole sheet."""
        sheet, n = self.sheet, len(self.sides)
        if sheet.bonus is None:
            return (0,) * n
        scored = Scored(self.sums, range(n))
        return tuple(0 if _filled_nothing(self, side) else whole(sheet.bonus.value(scored, side)) for side in range(n))

    @cached_property
    def sums(self) -> dict[str, Sequence[Number]]:
        """What each column and group came to for each side, as the bonus knows them."""
        sheet, n = self.sheet, len(self.sides)
        sums: dict[str, Sequence[Number]] = {
            "players": (sheet.people(n),) * n,
            "total": self.totals if self.whole is None else self.whole.scores,
            **(self.of_rows if self.whole is None else _added(sheet, self.of_rows, self.whole)),
        }
        sums |= dict.fromkeys(sheet.absent, (0,) * n)
        for group, members in sheet.groups.items():
            sums[as_name(group)] = tuple(map(sum, zip(*(sums[member] for member in members), strict=True)))
        return sums | {as_name(slug): (number,) * n for slug, number in sheet.house.items()}


def _added(sheet: Sheet, sums: Mapping[str, tuple[Number, ...]], row: RowScore) -> dict[str, tuple[Number, ...]]:
    """Return what each column comes to with one more row."""
    values = row.scored.values
    return {
        column.name: tuple(map(sum, zip(sums[column.name], values[column.name], strict=True)))
        for column in (*sheet.own, *sheet.shared)
    }


def sheet_of(options: SheetOptions) -> Sheet:
    """Return the sheet that was agreed on, by default the plain one. Raises RuleError for one that can't be played by."""
    document, answers = options.sheet, tuple(sorted(options.house.items()))
    if document is None:
        try:
            document = presets.preset(options.preset or presets.PLAIN)
        except KeyError:
            sheets = listing([Name(preset) for preset in presets.names()], "comma")
            raise RuleError(
                say("There is no sheet “{name}”. There are {names}.", name=Name(options.preset or ""), names=sheets),
                field="options.preset",
            ) from None
    elif options.preset is not None:
        document = presets.in_todays_words(options.preset, document)
    try:
        return read(document, answers, preset=options.preset is not None or options.sheet is None)
    except RuleError as refused:
        raise RuleError(refused.message, field=f"options.{refused.field}") from None


def settled(options: SheetOptions) -> SheetOptions:
    """Return the options with the whole sheet in them, and an answer to each of its questions: so a match stores them."""
    sheet = sheet_of(options)
    preset = options.preset if options.sheet is not None else options.preset or presets.PLAIN
    return SheetOptions(preset, sheet.document, {slug: plain(number) for slug, number in sheet.house.items()})


def called(options: SheetOptions) -> Sentence | Name:
    """Return the name of the sheet that was agreed on."""
    sheet = sheet_of(options)
    return sheet_word(sheet, sheet.document.name)


def start(players: tuple[str, ...], options: SheetOptions) -> SheetState:
    """Return the state before the first round. Raises RuleError if the sheet is for other numbers of players."""
    sheet = sheet_of(options)
    document = sheet.document
    check_seats(sheet_word(sheet, document.name), document.players, len(players))
    sides = players
    if isinstance(document.sides, Teams):
        n = document.sides.teams
        sides = tuple(" & ".join(players[team::n]) for team in range(n))
    filled: tuple[Cells, ...] = () if document.shape == "rounds" else (NO_CELLS,) * len(sides)
    dealer = None if document.dealer is None else 0
    nothing = (0,) * len(sides)
    of_rows = {column.name: nothing for column in (*sheet.own, *sheet.shared)}
    return SheetState(sheet, players, sides, nothing, of_rows, {}, filled=filled, dealer=dealer)


def apply(state: SheetState, event: Event) -> SheetState:
    """Return the match after one more event. Raises RuleError with the place of what is wrong."""
    after = _applied(state, event)
    for side, bonus in enumerate(after.bonuses):
        if wrong := wrong_score(bonus):
            words = say("{player}, bonus: {sum}", player=name(state.sides[side]), sum=wrong)
            raise RuleError(words, field=f"cells.{side}")
    return after


def _applied(state: SheetState, event: Event) -> SheetState:
    shape = state.sheet.document.shape
    match event:
        case Row() if shape == "rounds":
            return _row(state, event)
        case Bids() if shape == "rounds" and state.sheet.bids_first:
            if state.bids is not None:
                raise RuleError(say("The bids of this round are there already. Correct them instead."))
            check_bids(state.sheet, state.around, event.cells, event.round)
            return replace(state, bids=event)
        case Box() if shape == "boxes":
            return _box(state, event)
        case End() if shape == "end":
            return _end(state, event)
        case Finish() if state.sheet.document.ends.hand:
            return replace(state, ended=True)
    raise RuleError(say("This sheet has no entry of that kind."))


def with_bids(state: SheetState, event: Row) -> Row:
    """Return the row with the bids of the round, where it does not bring them itself."""
    if state.bids is None or len(event.cells) != len(state.bids.cells):
        return event
    cells = tuple(_joined(bids, results) for bids, results in zip(state.bids.cells, event.cells, strict=True))
    return Row(cells, _joined(state.bids.round, event.round))


def _joined(bids: Cells, results: Cells) -> dict[str, Cell]:
    """Return cells of a row with those of its bids. An empty cell says nothing: it leaves a bid as it is."""
    return {**results, **bids, **{slug: cell for slug, cell in results.items() if cell is not None}}


def _row(state: SheetState, event: Row) -> SheetState:
    most = MOST_WORK // max(1, state.sheet.weight * len(state.sides))
    if len(state.rows) >= most:
        raise RuleError(say("With so many formulas a match has at most {n:,} rounds.", n=most))
    event = with_bids(state, event)
    around = state.around
    taken = _taken(state, event)
    score = score_row(state.sheet, around, event.cells, event.round)
    totals = tuple([whole(total + new) for total, new in zip(state.totals, score.scores, strict=True)])
    of_rows = _added(state.sheet, state.of_rows, score)
    rows = state.rows.add(Played(event.cells, event.round, score, around))
    out = state.out
    if (limit := limit_of(state, "out")) is not None:
        out = frozenset(side for side, total in enumerate(totals) if side in out or _reached(total, limit))
    dealer = _next_dealer(state, score, out)
    return SheetState(state.sheet, state.players, state.sides, totals, of_rows, taken, rows, None, (), dealer, out)


def _taken(state: SheetState, event: Row) -> Mapping[Choice, int]:
    """Return what is taken after a row. Raises RuleError for a choice that was made before and can be made once a match."""
    new: dict[Choice, int] = {}
    for column in (*state.sheet.own, *state.sheet.shared):
        if not column.column.once:
            continue
        of_round = column.column.of == "round"
        for side in range(1 if of_round else len(state.sides)):
            cell = (event.round if of_round else event.cells[side] if side < len(event.cells) else {}).get(column.id)
            if cell is None:
                continue
            choice = column.id, state.around.dealer if of_round else side, cell
            if (n := state.taken.get(choice)) is not None:
                place = f"round.{column.id}" if of_round else f"cells.{side}.{column.id}"
                raise RuleError(say("This was taken in round {n} already. Take another.", n=n), field=place)
            new[choice] = len(state.rows) + 1
    return {**state.taken, **new} if new else state.taken


def _next_dealer(state: SheetState, score: RowScore, out: frozenset[int]) -> int | None:
    """Return who deals next, as a player's index: nobody who is out, while others play."""
    if state.dealer is None:
        return None
    n, way = len(state.players), state.sheet.document.dealer
    step = -1 if way == "right" else 1
    if way in {"winner", "loser"}:
        best = max if (way == "winner") != state.sheet.lowest else min
        dealer = best(state.playing, key=lambda side: score.scores[side])
    elif (len(state.rows) + 1) % max(1, _of_the_match(state, state.sheet.deals)):
        dealer = state.dealer
    else:
        dealer = (state.dealer + step) % n
    while state.side_of(dealer) in out and len(out) < len(state.sides):
        dealer = (dealer + step) % n
    return dealer


def offers(state: SheetState, side: int, roll: Sequence[int]) -> dict[str, Number]:
    """Return what a roll of the sheet's dice would score a side in each box that is still open, by the box's id.

    >>> yahtzee = start(("Ana", "Bo"), SheetOptions("yahtzee"))
    >>> {box: amount for box, amount in offers(yahtzee, 0, (3, 3, 3, 5, 5)).items() if amount}
    {'threes': 9, 'fives': 10, 'three-of-a-kind': 19, 'full-house': 25, 'chance': 19}
    """
    n = len(state.sides)
    filled = state.filled[side] if state.filled else NO_CELLS
    still_open = {f"{column.name}_open": int(column.id not in filled) for column in state.sheet.own}
    alike = {name: (number,) * n for name, number in {**still_open, **dice.facts(roll)}.items()}
    scored = Scored({**state.sums, **alike}, range(n))
    open_boxes = [column for column in state.sheet.own if column.roll is not None and column.id not in filled]
    return {column.id: whole(column.roll.value(scored, side)) for column in open_boxes if column.roll is not None}


def to_fill(state: SheetState) -> tuple[Id, ...]:
    """Return the boxes that each side has to fill before the match is over."""
    return tuple(column.id for column in state.sheet.own if not column.column.optional)


def roller(state: SheetState) -> tuple[int, int]:
    """Return which side rolls next, and which turn of its own that is: the first of those who have filled the fewest boxes.

    >>> roller(start(("Ana", "Bo"), SheetOptions("yahtzee")))
    (0, 1)
    """
    filled = [sum(box in cells for box in to_fill(state)) for cells in state.filled]
    return filled.index(min(filled)), min(filled) + 1


def limit_of(state: SheetState, of: str) -> Number | None:
    """Return a number that ends the match, if the sheet has one of this name, and not 0: "rounds", "at" or "out"."""
    bound = state.sheet.ends.get(of)
    return None if bound is None else _of_the_match(state, bound) or None


def _of_the_match(state: SheetState, bound: Number | Expression) -> Number:
    values: dict[str, Sequence[Number]] = {as_name(slug): (number,) for slug, number in state.sheet.house.items()}
    return bound_of(bound, lambda of: of.value(Scored({**values, "players": (len(state.players),)}, (0,)), 0))


def _reached(total: Number, limit: Number) -> bool:
    return total <= limit if limit < 0 else total >= limit


def _box(state: SheetState, event: Box) -> SheetState:
    column = state.sheet.column(event.box)
    if not event.player < len(state.sides):
        raise RuleError(say("There are {n} players.", n=len(state.sides)), field="player")
    if column is None:
        boxes = listing([Name(column.id) for column in state.sheet.own], "comma")
        raise RuleError(say("There is no box “{name}”. There are {names}.", name=Name(event.box), names=boxes), field="box")
    if event.value is None:
        raise RuleError(say("A number belongs here."), field="value")
    before = state.filled[event.player]
    if event.box in before:
        box = sheet_word(state.sheet, column.column.name)
        raise RuleError(say("{player} has filled {box} already.", player=Name(state.sides[event.player]), box=box), field="box")
    return _filled(state, event.player, {**before, event.box: event.value}, event.box)


def _filled(state: SheetState, side: int, cells: Cells, box: str = "") -> SheetState:
    """Return the state with these cells of a side, once each of them can stand there."""
    filled = (*state.filled[:side], cells, *state.filled[side + 1 :])
    after = replace(state, filled=filled)
    try:
        if after.whole is not None:
            check_filled(state.sheet, replace(state.around, number=1), after.whole, filled)
    except RuleError as refused:
        field = "value" if box and refused.field == f"cells.{side}.{box}" else refused.field.replace(f"cells.{side}.", "cells.")
        raise RuleError(refused.message, field=field) from None
    return after


def _end(state: SheetState, event: End) -> SheetState:
    if not event.player < len(state.sides):
        raise RuleError(say("There are {n} players.", n=len(state.sides)), field="player")
    if state.filled[event.player]:
        raise RuleError(
            say("{player} is counted already. Correct that entry.", player=Name(state.sides[event.player])), field="player"
        )
    columns = {column.id for column in state.sheet.own}
    for slug in event.cells:
        if slug not in columns:
            names = listing([Name(column) for column in sorted(columns)], "or")
            raise RuleError(
                say("There is no column “{name}”. There are {names}.", name=Name(slug), names=names), field=f"cells.{slug}"
            )
    for column in state.sheet.own:
        if event.cells.get(column.id) is None and not column.column.optional and column.column.kind != "tick":
            missing = say("{column} is missing.", column=sheet_word(state.sheet, column.column.name))
            raise RuleError(missing, field=f"cells.{column.id}")
    cells = event.cells or {state.sheet.own[0].id: None}  # whoever has nothing in any column is counted as well
    return _filled(state, event.player, cells)


def finished(state: SheetState) -> bool:
    """Return True once one of the sheet's ends is reached."""
    if state.ended:
        return True
    document = state.sheet.document
    if document.shape == "end":
        return all(state.filled)
    rounds, at = limit_of(state, "rounds"), limit_of(state, "at")
    if at is not None and any(_reached(total, at) for total in state.scores):
        return True
    if document.shape == "boxes":
        return all(box in cells for cells in state.filled for box in to_fill(state))
    if rounds is not None and len(state.rows) >= rounds:
        return True
    return len(state.sides) - len(state.out) <= document.ends.left and bool(state.out)


def winners(state: SheetState) -> tuple[int, ...]:
    """Return who is ahead by the totals, and where they are equal by the columns that break a tie."""
    sheet = state.sheet
    sign = -1 if sheet.lowest else 1
    sides = (
        [side for side in state.playing if not _filled_nothing(state, side)]
        or list(state.playing)
        or list(range(len(state.sides)))
    )

    def key(side: int) -> tuple[Number, ...]:
        return (sign * state.scores[side], *(way * state.sums[name][side] for name, way in sheet.tie))

    best = max(map(key, sides))
    return tuple(side for side in sides if key(side) == best)


def _filled_nothing(state: SheetState, side: int) -> bool:
    return bool(state.filled) and not state.filled[side]


def standing(state: SheetState) -> Standing:
    """Return scores, rounds and how each number came about."""
    over = finished(state)
    details: dict[str, JSON] = {}
    if state.dealer is not None:
        details["dealer"] = state.dealer
    if state.filled:
        details["cells"] = [dict(cells) for cells in state.filled]
    if state.bids is not None:
        details["bids"] = [dict(cells) for cells in state.bids.cells]
    rounds = tuple(tuple(map(plain, row.score.scores)) for row in state.rows)
    return Standing(
        scores=tuple(map(plain, state.scores)),
        sides=state.sides,
        finished=over,
        winners=winners(state) if over else (),
        lines=Lines(lambda: _lines(state)),
        rounds=rounds,
        details=details,
    )


def _lines(state: SheetState) -> Iterator[Line | Callable[[], Line]]:
    """Iterate over a line a row and side, which is made once it is read, and one for each bonus."""
    sheet, n = state.sheet, len(state.sides)
    for number, row in enumerate(state.rows, 1):
        for side in row.around.playing:
            yield partial(_line_of_round, state, number, row.score, side)
    if state.whole is not None:
        for side in range(n):
            if state.filled[side]:
                words = say("{player}: {sum}", player=name(state.sides[side]), sum=explained(sheet, state.whole, side))
                yield _line(state, words, side, state.whole.scores[side])
    for side, bonus in enumerate(state.bonuses):
        if bonus and sheet.bonus is not None:
            reckoned = Name(sheet.bonus.explained(Scored(state.sums, range(n)), side))
            words = say("{player}, bonus: {sum}", player=name(state.sides[side]), sum=reckoned)
            yield _line(state, words, side, bonus)


def _line_of_round(state: SheetState, number: int, row: RowScore, side: int) -> Line:
    words = say("Round {n}, {player}: {sum}", n=number, player=name(state.sides[side]), sum=explained(state.sheet, row, side))
    return _line(state, words, side, row.scores[side])


def _line(state: SheetState, words: Sentence, side: int, amount: Number) -> Line:
    return Line(words, tuple([plain(amount) if other == side else None for other in range(len(state.sides))]))


GAME: Game[SheetState] = Game(
    slug="sheet",
    title="Score sheet",
    seats=(2, MOST_PLAYERS),
    options=SheetOptions,
    events=(Row, Bids, Box, End, Finish),
    start=start,
    apply=apply,
    finished=finished,
    standing=standing,
    settle=settled,
    called=called,
    any_order=lambda state: state.sheet.document.shape != "rounds",
)
