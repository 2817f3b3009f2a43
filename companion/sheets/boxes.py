"""What does a sheet of boxes look like? Two columns a player: what is filled, and what the roll would score in the rest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from companion.engine.sheet.dice import FACES
from companion.engine.sheet.expressions import Expression, Number
from companion.engine.sheet.match import SheetState, offers, roller, to_fill
from companion.engine.sheet.reading import ReadColumn, as_name
from companion.engine.sheet.scoring import sheet_word
from companion.plugin import Name, Sentence, say, written
from companion.sheets.typed import text_of

MOST_SUMS: Final = 6  # that are keys of their own; a box with more of them is typed


@dataclass(frozen=True, slots=True)
class BoxView:
    """A box at its ``place`` in the form: its number as ``text``, or the points that the roll would score there as ``offer``.

    ``face`` is the only face of a die that counts in it. ``sums`` are all numbers that can stand there, if they are few.
    """

    place: str
    name: Sentence | Name
    text: str
    offer: str
    face: int
    kind: str
    most: str
    negative: bool
    rolled: bool
    sums: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GoalView:
    """A side's sum towards the bonus, the sum that earns it, the share in per cent; ``bonus`` is empty until it is earned."""

    reached: str
    needed: str
    percent: int
    bonus: str


@dataclass(frozen=True, slots=True)
class SideBoxes:
    """All boxes of a side in two columns. Below the first stands the way to the bonus. ``seats`` are those of its players."""

    side: int
    seats: tuple[int, ...]
    name: str
    total: str
    columns: tuple[tuple[BoxView, ...], tuple[BoxView, ...]]
    goal: GoalView | None


@dataclass(frozen=True, slots=True)
class Picked:
    """The box that was chosen, as the dock tells it: "115 + 25 = 140"."""

    place: str
    name: Sentence | Name
    text: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class BoxesView:
    """The sheets of all sides, of which the one ``at`` is in sight, the roll so far, and what was chosen.

    ``turn`` of ``turns`` is whose turn it is: that of ``turn_of``, the side with the fewest boxes filled.
    """

    sides: tuple[SideBoxes, ...]
    at: int
    roller: str
    turn_of: int
    turn: int
    turns: int
    dice: int
    roll: tuple[int, ...]
    typed: str
    picked: Picked | None


def roll_of(state: SheetState, text: str) -> tuple[int, ...]:
    """Return the dice of a text: "33355", at most as many as the sheet has."""
    return tuple(int(face) for face in text if face in "123456")[: state.sheet.document.dice or 0]


def offered(state: SheetState, roll: Sequence[int]) -> Mapping[str, Number]:
    """Return what a whole roll would score in each open box, by its place in the form."""
    if not roll or len(roll) != state.sheet.document.dice:
        return {}
    return {f"c{side}-{box}": amount for side in range(len(state.sides)) for box, amount in offers(state, side, roll).items()}


def boxes_view(state: SheetState, form: Mapping[str, str], picked: Picked | None) -> BoxesView:
    """Return what boxes.html shows of this state and of what was typed."""
    side, turn = roller(state)
    at = form.get("at", "")
    roll = roll_of(state, form.get("roll", ""))
    numbers = offered(state, roll)
    return BoxesView(
        sides=tuple(_of_side(state, number, numbers) for number in range(len(state.sides))),
        at=int(at) if at.isascii() and at.isdigit() and int(at[:3]) < len(state.sides) else side,
        roller=state.sides[side],
        turn_of=side,
        turn=turn,
        turns=len(to_fill(state)),
        dice=state.sheet.document.dice or 0,
        roll=roll,
        typed=form.get("typed", ""),
        picked=picked,
    )


def _of_side(state: SheetState, side: int, numbers: Mapping[str, Number]) -> SideBoxes:
    goal = state.sheet.document.goal
    views = [(column, _box(state, column, side, numbers)) for column in state.sheet.own]
    first = tuple(view for column, view in views if goal is not None and column.column.group == goal.of)
    if goal is None:
        first = tuple(view for _, view in views[: (len(views) + 1) // 2])
    rest = tuple(view for _, view in views if view not in first)
    seats = tuple(player for player in range(len(state.players)) if state.side_of(player) == side)
    return SideBoxes(side, seats, state.sides[side], written(state.scores[side]), (first, rest), _goal(state, side))


def _goal(state: SheetState, side: int) -> GoalView | None:
    goal = state.sheet.document.goal
    if goal is None:
        return None
    reached = state.sums[as_name(goal.of)][side]
    percent = max(0, min(100, int(100 * reached / goal.at))) if goal.at else 100
    return GoalView(written(reached), str(goal.at), percent, f"+{written(state.bonuses[side])}" if state.bonuses[side] else "")


def _box(state: SheetState, column: ReadColumn, side: int, numbers: Mapping[str, Number]) -> BoxView:
    place = f"c{side}-{column.id}"
    filled: Mapping[str, Any] = state.filled[side]
    offer = numbers.get(place)
    faces = [face for face in FACES if column.roll is not None and f"dice_{face}" in column.roll.names]
    return BoxView(
        place=place,
        name=sheet_word(state.sheet, column.column.name),
        text=text_of(column, filled[column.id]) if column.id in filled else "",
        offer="" if offer is None else f"+{written(offer)}" if offer > 0 else written(offer),
        face=faces[0] if len(faces) == 1 else 0,
        kind=column.column.kind,
        most="" if isinstance(column.most, Expression) else written(column.most),
        negative=column.negative,
        rolled=column.roll is not None,
        sums=tuple(_sums(column)),
    )


def _sums(column: ReadColumn) -> Iterator[str]:
    """Iterate over all numbers that can stand in a box, where they are few."""
    if column.column.kind not in {"whole", "times", "table"} or not isinstance(column.least, int):
        return
    if not isinstance(column.most, int) or column.halves:
        return
    numbers = range(-(-column.least // column.step) * column.step, column.most + 1, column.step)
    if len(numbers) <= MOST_SUMS:
        yield from map(str, numbers)


def save_label(picked: Picked | None) -> Sentence:
    """Return what the key says: "Write 25, Full house", and of a zero "Strike Large straight"."""
    if picked is None or not picked.after:
        return say("Write it down")
    if picked.text == "0":
        return say("Strike {column}", column=picked.name)
    return say("Write {n}, {column}", n=Name(picked.text), column=picked.name)
