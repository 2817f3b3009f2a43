"""What does a row come to before it is saved? Its score so far, stakes of bids, the number that is left, what mends it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from companion.engine.core import RuleError, Standing, plain
from companion.engine.sheet.expressions import Number, exact, whole
from companion.engine.sheet.match import Row, SheetState, with_bids
from companion.engine.sheet.reading import ReadColumn, Sheet
from companion.engine.sheet.scoring import NO_CELLS, Cell, Cells, RowScore, bounds, check_bids, expected_sum, score_row

NUMBERS: Final = ("whole", "half", "addends")  # kinds of columns in which one number may be mended, or be what is left
MOST_TRIED: Final = 300  # numbers that are tried for the last cell
MOST_TO_TRY: Final = 20_000  # characters that all sides' formulas have, where numbers are tried in a row
MOST_COUNTED: Final = 60  # bids or tricks of a round that are counted one by one
MOST_WRONG: Final = 12  # a number that is off by more was no slip


@dataclass(frozen=True, slots=True)
class Sketch:
    """An unfinished row: its score so far, what it brings each side (None while something is missing), and the totals then.

    ``ahead`` are the sides with the best of these totals, once nothing is missing.
    """

    score: RowScore
    brings: tuple[Number | None, ...]
    totals: tuple[Number, ...]
    ahead: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Filling:
    """A number for the cell of a side: what is left for it, or what would mend the row."""

    side: int
    column: ReadColumn
    cell: Cell


@dataclass(frozen=True, slots=True)
class Tally:
    """A column's sum, and what it is compared with: the bids or tricks that there are. ``by_side`` are its parts."""

    column: ReadColumn
    total: int
    most: int
    by_side: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BidKeys:
    """The most that can be bid in a round; what a bid of 0 has if it is met, or missed (None: by how much matters)."""

    most: int
    met: Number
    missed: Number | None


@dataclass(frozen=True, slots=True)
class Moved:
    """What a row of a ledger moves: who wins, who loses, and how much each of these has if they all have as much, else None."""

    winners: tuple[int, ...]
    losers: tuple[int, ...]
    each_wins: Number | None
    each_loses: Number | None


def leading(state: SheetState, totals: Sequence[Number] | None = None) -> tuple[int, ...]:
    """Return the sides that are ahead by these totals, else by those of the match; none while all have the same."""
    counted = state.scores if totals is None else totals
    scores = tuple(plain(counted[side]) if side in state.playing else None for side in range(len(state.sides)))
    return Standing(scores, state.sides, False, ()).ahead(lowest_wins=state.sheet.lowest)


def lead(state: SheetState, totals: Sequence[Number] | None = None) -> Number | None:
    """Return how far one side is ahead of the next by these totals, else by those of the match; None unless it leads alone.

    >>> from companion.engine.sheet.match import SheetOptions, start
    >>> match = start(("Ana", "Bo", "Cy"), SheetOptions("hearts"))  # where the lowest total wins
    >>> lead(match, (26, 3, 10)), lead(match, (3, 3, 10)), lead(match)
    (7, None, None)
    """
    counted = state.scores if totals is None else totals
    best, *others = sorted((counted[side] for side in state.playing), reverse=not state.sheet.lowest)
    if not others or others[0] == best:
        return None
    by: Number = others[0] - best if best < others[0] else best - others[0]
    return by


def sketch(state: SheetState, cells: Sequence[Cells], shared: Cells = NO_CELLS) -> Sketch:
    """Return what these cells come to, also while some are missing. Raises RuleError for what can't stand in one.

    >>> from companion.engine.sheet.match import SheetOptions, start
    >>> sketch(start(("Ana", "Bo"), SheetOptions("plain")), ({"points": 7}, {})).brings
    (7, None)
    """
    return _of_columns(state, cells) if state.filled else _of_a_row(state, _row(state, cells, shared))


def _row(state: SheetState, cells: Sequence[Cells], shared: Cells) -> Row:
    return with_bids(state, Row(tuple(dict(typed) for typed in cells), dict(shared)))


def _of_a_row(state: SheetState, row: Row) -> Sketch:
    sheet = state.sheet
    score = score_row(sheet, state.around, row.cells, row.round, partly=True)
    waits = any(_lacks(column, row.round) for column in sheet.shared)
    brings = tuple(
        None if waits or side not in state.playing or _lacking(sheet, typed) else score.scores[side]
        for side, typed in enumerate(row.cells)
    )
    totals = tuple(whole(old + (new or 0)) for old, new in zip(state.scores, brings, strict=True))
    complete = all(brings[side] is not None for side in state.playing)
    return Sketch(score, brings, totals, leading(state, totals) if complete else ())


def _of_columns(state: SheetState, cells: Sequence[Cells]) -> Sketch:
    """Return what the columns of a sheet of boxes, or of the table at the end, come to."""
    filled = tuple({**before, **typed} for before, typed in zip(state.filled, cells, strict=True))
    after = replace(state, filled=filled)
    score = score_row(state.sheet, replace(state.around, number=1), filled, partly=True)
    brings = tuple(
        whole(new - old) if typed else None for typed, new, old in zip(cells, after.scores, state.scores, strict=True)
    )
    complete = not any(_lacking(state.sheet, typed) for typed in filled)
    return Sketch(score, brings, after.scores, leading(after) if complete else ())


def _lacks(column: ReadColumn, cells: Cells) -> bool:
    return not column.may_lack and cells.get(column.id) is None


def _lacking(sheet: Sheet, cells: Cells) -> bool:
    """Return whether a side's cells are not all there."""
    return any(_lacks(column, cells) for column in sheet.own)


def moved(state: SheetState, score: RowScore) -> Moved:
    """Return who wins and who loses by a row, and how much each does.

    >>> from companion.engine.sheet.match import SheetOptions, start
    >>> four = start(("Ana", "Bo", "Cy", "Di"), SheetOptions("doppelkopf"))
    >>> moved(four, sketch(four, ({"won": True}, {}, {}, {}), {"points": 4}).score)
    Moved(winners=(0,), losers=(1, 2, 3), each_wins=12, each_loses=4)
    """
    winners = tuple(side for side in state.playing if score.scores[side] > 0)
    losers = tuple(side for side in state.playing if score.scores[side] < 0)
    won, lost = {score.scores[side] for side in winners}, {-score.scores[side] for side in losers}
    return Moved(winners, losers, won.pop() if len(won) == 1 else None, lost.pop() if len(lost) == 1 else None)


def tally(state: SheetState, score: RowScore, *, early: bool) -> Tally | None:
    """Return the sum of the bids (``early``) or of what was taken, and of how many.

    None where a sheet has no such sums, or where they are too large to count one by one.
    """
    columns = state.sheet.own
    before = next((column for column in columns if column.column.when == "before"), None)
    column = before if early else next((column for column in columns if column.column.when != "before"), None)
    if before is None or column is None or isinstance(column.most, int) or column.halves:
        return None
    worth = tuple(map(int, score.scored.values[column.name]))
    most = int(bounds(column, score.scored, state.playing[0])[1])
    return Tally(column, sum(worth), most, worth) if most <= MOST_COUNTED and min(worth) >= 0 else None


def stakes(state: SheetState, bids: Sequence[Cells], shared: Cells = NO_CELLS) -> tuple[Number | None, ...]:
    """Return what each side has of its bid if it takes just as many; None without a bid, and on sheets without such bids.

    >>> from companion.engine.sheet.match import SheetOptions, start
    >>> stakes(start(("Ana", "Bo"), SheetOptions("skull-king")), ({"bid": 1}, {"bid": 0}))
    (20, 10)
    """
    pair = bid_and_result(state.sheet)
    nothing: tuple[None, ...] = (None,) * len(state.sides)
    if pair is None:
        return nothing
    bid, result = pair
    given = [cells.get(bid.id) for cells in bids]
    cells = [
        {**typed, result.id: number} if isinstance(number, int) else typed for typed, number in zip(bids, given, strict=True)
    ]
    try:
        score = score_row(state.sheet, state.around, cells, shared, partly=True)
    except RuleError:
        return nothing
    return tuple(None if number is None else new for number, new in zip(given, score.scores, strict=True))


def bid_keys(state: SheetState, shared: Cells = NO_CELLS) -> BidKeys | None:
    """Return what can be bid in a round, and the stake of bidding nothing; None where that is not known, or there are no bids.

    >>> from companion.engine.sheet.match import SheetOptions, start
    >>> bid_keys(start(("Ana", "Bo"), SheetOptions("skull-king")))
    BidKeys(most=1, met=10, missed=-10)
    >>> bid_keys(start(("Ana", "Bo", "Cy"), SheetOptions("wizard", None, {})), {})
    BidKeys(most=1, met=20, missed=-10)
    """
    sheet, pair = state.sheet, bid_and_result(state.sheet)
    given = {**(state.bids.round if state.bids is not None else {}), **shared}
    if pair is None or not state.playing or any(_lacks(column, given) for column in sheet.shared):
        return None
    bid, result = pair
    side = state.playing[0]

    def score(taken: int) -> RowScore:
        return score_row(sheet, state.around, [{bid.id: 0, result.id: taken}] * len(state.sides), given, partly=True)

    try:
        met = score(0)
        most = int(bounds(result, met.scored, side)[1])
        if most > MOST_COUNTED:
            return None
        missed = {score(taken).scores[side] for taken in range(1, most + 1)}
    except RuleError:
        return None
    return BidKeys(int(bounds(bid, met.scored, side)[1]), met.scores[side], missed.pop() if len(missed) == 1 else None)


def extra(sheet: Sheet) -> ReadColumn | None:
    """Return the column of what comes on top of a bid, where that, the bid and what was taken are all that a side has."""
    pair = bid_and_result(sheet)
    others = [column for column in sheet.own if pair is not None and column not in pair]
    one = others[0] if len(others) == 1 else None
    return one if one is not None and one.column.kind == "addends" and one.column.optional and not one.halves else None


def has_extra(state: SheetState, cells: Sequence[Cells], shared: Cells = NO_CELLS, *, less: bool = False) -> tuple[int, ...]:
    """Return the sides to whom something on top would count as their row is now; or (``less``) something that is taken off.

    >>> from companion.engine.sheet.match import SheetOptions, start
    >>> match, row = start(("Ana", "Bo"), SheetOptions("skull-king")), ({"bid": 1, "tricks": 1}, {"bid": 1, "tricks": 0})
    >>> has_extra(match, row), has_extra(match, row, less=True)
    ((0,), (1,))
    """
    column = extra(state.sheet)
    row = _row(state, cells, shared)
    if column is None:
        return ()

    def scores(amount: int | None) -> tuple[Number, ...]:
        with_it = tuple({**typed, column.id: amount} for typed in row.cells)
        return score_row(state.sheet, state.around, with_it, row.round, partly=True).scores

    try:
        more, without = scores(-column.step if less else column.step), scores(None)
    except RuleError:
        return ()
    return tuple(side for side in state.playing if not _lacking(state.sheet, row.cells[side]) and more[side] != without[side])


def bid_and_result(sheet: Sheet) -> tuple[ReadColumn, ReadColumn] | None:
    """Return the column of bids and that of what was taken, where a sheet has one of each, and scores them."""
    needed = [column for column in sheet.own if not column.may_lack]
    before = [column for column in needed if column.column.when == "before"]
    after = [column for column in needed if column.column.when != "before"]
    if sheet.score is None or len(before) != 1 or len(after) != 1 or before[0].halves or after[0].halves:
        return None
    return (before[0], after[0]) if before[0].column.kind == after[0].column.kind == "whole" else None


def nearest(column: ReadColumn, number: float, least: Number, most: Number) -> Number:
    """Return the number nearest to this one that a column's bounds and steps allow.

    >>> from companion.engine.sheet.match import SheetOptions, start
    >>> points = start(("Ana", "Bo", "Cy"), SheetOptions("tarot")).sheet.column("points")
    >>> nearest(points, 95, 0, 91), nearest(points, 40.5, 0, 91)
    (91, Fraction(81, 2))
    """
    step = column.step
    near = min(max(exact(number), least), most)
    if step == 1:
        return near
    below = near // step * step
    return whole(below if near - below <= step - (near - below) or below + step > most else below + step)


def left_over(state: SheetState, cells: Sequence[Cells], shared: Cells = NO_CELLS) -> Filling | None:
    """Return the number that must stand in the only cell that is empty, where just one makes the row right; else None.

    >>> from companion.engine.sheet.match import SheetOptions, start
    >>> hearts = start(("Ana", "Bo", "Cy"), SheetOptions("hearts"))
    >>> left = left_over(hearts, ({"points": 3}, {"points": 20}, {}))
    >>> (left.side, left.cell)
    (2, 3)
    """
    row, sheet = _row(state, cells, shared), state.sheet
    if _takes_long(state):
        return None
    empty = [(side, column) for side in state.playing for column in sheet.own if _lacks(column, row.cells[side])]
    if len(empty) != 1 or len(state.playing) < 2 or any(_lacks(column, row.round) for column in sheet.shared):
        return None
    ((side, column),) = empty
    if column.column.kind not in (*NUMBERS, "rank"):
        return None
    fits: list[Cell] = []
    try:
        score = score_row(sheet, state.around, row.cells, row.round, partly=True)
    except RuleError:
        return None
    for number in _to_try(state, score, side, column):
        if _is_right(state, row, Filling(side, column, plain(number))):
            fits.append(plain(number))
        if len(fits) > 1:
            return None
    return Filling(side, column, fits[0]) if fits else None


def _takes_long(state: SheetState) -> bool:
    """Return whether a sheet has so many formulas that trying numbers keeps people waiting, as only a stranger’s has."""
    return state.sheet.weight * len(state.playing) > MOST_TO_TRY


def _to_try(state: SheetState, score: RowScore, side: int, column: ReadColumn) -> Iterator[Number]:
    """Iterate over the numbers that may be left: what a sum lacks, where one is declared; else all, where they are few."""
    sheet = state.sheet
    for rule in sheet.rules:
        if rule.total is not None and rule.total[0] in {column.name, f"{column.name}_number"}:
            yield whole(rule.total[1].value(score.scored, side) - sum(score.scored.values[rule.total[0]]))
            return
    if (expected := expected_sum(sheet, score.scored)) is not None:
        yield whole(expected - sum(score.scores))
        return
    least, most = bounds(column, score.scored, side)
    unit = _unit(column)
    if most - least <= MOST_TRIED * unit:
        yield from (whole(least + unit * steps) for steps in range(int((most - least) / unit) + 1))


def _unit(column: ReadColumn) -> Number:
    """Return by how much two numbers of a column differ at the least."""
    return Fraction(1, 2) if column.halves else 1


def _is_right(state: SheetState, row: Row, filling: Filling, *, early: bool = False) -> bool:
    """Return whether a row is right with a number in its cell; of bids (``early``) whether these can be so."""
    cells = tuple(
        {**typed, filling.column.id: filling.cell} if side == filling.side else typed for side, typed in enumerate(row.cells)
    )
    try:
        if early:
            check_bids(state.sheet, state.around, cells, row.round)
        else:
            score_row(state.sheet, state.around, cells, row.round)
    except RuleError:
        return False
    return True


def mends(state: SheetState, cells: Sequence[Cells], shared: Cells = NO_CELLS, *, early: bool = False) -> tuple[Filling, ...]:
    """Return the changes of a single number that would make a wrong row right: for each side one, by as little as possible.

    >>> from companion.engine.sheet.match import SheetOptions, start
    >>> hearts = start(("Ana", "Bo", "Cy"), SheetOptions("hearts"))
    >>> [(mend.side, mend.cell) for mend in mends(hearts, ({"points": 1}, {"points": 0}, {"points": 24}))]
    [(0, 2), (1, 1), (2, 25)]
    """
    sheet = state.sheet
    row = Row(tuple(dict(typed) for typed in cells), dict(shared)) if early else _row(state, cells, shared)
    columns = (column for column in sheet.own if (column.column.when == "before") == early)
    column = next((column for column in columns if column.column.kind in NUMBERS), None)
    if column is None or _takes_long(state):
        return ()
    for by in _differences(state, row, _unit(column), early=early):
        changed = (Filling(side, column, _changed(row.cells[side].get(column.id), by)) for side in state.playing)
        right = tuple(filling for filling in changed if _is_right(state, row, filling, early=early))
        if right:
            return right
    return ()


def _changed(cell: Cell, by: Number) -> Cell:
    if isinstance(cell, tuple):
        return (*cell, plain(by))
    changed: Cell = plain(exact(cell) + by if isinstance(cell, int | float) else by)
    return changed


def _differences(state: SheetState, row: Row, unit: Number, *, early: bool) -> Iterator[Number]:
    """Iterate over what a number may be wrong by: what a ledger lacks, else a little less or more."""
    if state.sheet.sum is not None and not early:
        score = score_row(state.sheet, state.around, row.cells, row.round, partly=True)
        yield (expected_sum(state.sheet, score.scored) or 0) - sum(score.scores)
        return
    for by in range(1, MOST_WRONG + 1):
        yield -by * unit
        yield by * unit
