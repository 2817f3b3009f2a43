"""Score what stands in a row: what each cell is worth, what the row brings each side, and how that came about."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Annotated, Final

import msgspec

from companion.engine.core import RuleError
from companion.engine.sheet.document import Amount
from companion.engine.sheet.expressions import Number, Scored, exact, whole
from companion.engine.sheet.reading import ReadColumn, Rule, Sheet, as_name, bound_of, half, too_large
from companion.engine.text import Name, Part, Sentence, listing, say, written

Cell = (
    bool
    | Amount
    | Annotated[str, msgspec.Meta(max_length=30)]
    | Annotated[tuple[Amount, ...], msgspec.Meta(max_length=60)]
    | None
)
Cells = Mapping[str, Cell]
NO_CELLS: Final[Cells] = {}


@dataclass(frozen=True, slots=True)
class Around:
    """What is around a row: its number from 1, the totals before it, who deals, who still plays, how the sides are called."""

    number: int
    totals: Sequence[Number]
    sides: tuple[str, ...]
    dealer: int | None = None
    playing: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class RowScore:
    """A scored row: what each column is worth to each side, and what the row brings it."""

    scored: Scored
    scores: tuple[Number, ...]

    @property
    def won_and_lost(self) -> tuple[Number, Number]:
        """How many points went to those who won some, and how many came from those who lost some."""
        return sum(score for score in self.scores if score > 0), -sum(score for score in self.scores if score < 0)


def sheet_word(sheet: Sheet, words: str) -> Sentence | Name:
    """Return a sheet's own words as a part of a sentence: presets' words are translated, others stay."""
    return Sentence(words, context=WORDS) if sheet.preset else Name(words)


WORDS: Final = "score sheet"  # the context of presets' words in the catalogues


def score_row(
    sheet: Sheet, around: Around, cells: Sequence[Cells], shared: Cells = NO_CELLS, *, partly: bool = False
) -> RowScore:
    """Return what a row is worth. Raises RuleError, whose field is the cell's place: "cells.1.tricks", "round.points".

    With ``partly`` an empty cell counts 0 and sums are not checked, so that an unfinished row has a score too.
    """
    scored = _values(sheet, around, cells, shared, partly=partly)
    values = scored.values
    if sheet.score is None:
        columns = [values[column.name] for column in sheet.own]
        scores = tuple([whole(sum(amounts)) for amounts in zip(*columns, strict=True)])
    else:
        worth = sheet.score.value
        playing = around.playing
        scores = tuple([whole(worth(scored, side)) if side in playing else 0 for side in range(len(cells))])
    for side, score in enumerate(scores):
        if wrong := wrong_score(score):
            raise RuleError(wrong, field=f"cells.{side}")
    values.setdefault("score", scores)  # a column may be called so
    if not partly:
        _check(sheet, sheet.rules, scored, around)
        _check_sum(sheet, scored, scores)
    return RowScore(scored, scores)


def wrong_score(score: Number) -> Sentence | None:
    """Return why a row or a bonus can't be worth so much, or None."""
    if too_large(score):
        return say("This comes to more than 12 digits.")
    return say("Only whole numbers and halves can be reckoned with.") if score.denominator > 2 else None


def check_filled(sheet: Sheet, around: Around, row: RowScore, filled: Sequence[Cells]) -> None:
    """Raise RuleError where boxes, or columns at the end, can't be so: each check once what it is about is filled.

    A column that may stay empty counts as filled once all others of its side are.
    """
    done = [bool(cells) and all(column.may_lack or column.id in cells for column in sheet.own) for cells in filled]
    for rule in sheet.rules:
        columns = [column for column in sheet.own if column.name in rule.that.names]
        named = {column.id for column in columns}
        of_all = rule.that.of_all or any(column.column.kind == "rank" for column in columns)
        whole_side = bool(rule.that.names & {"score", "total"})
        ready = [side for side, cells in enumerate(filled) if done[side] or (not whole_side and named <= cells.keys())]
        if not of_all or len(ready) == len(filled):
            _check(sheet, (rule,), row.scored, replace(around, playing=tuple(ready)))
    if all(done):
        _check_sum(sheet, row.scored, row.scores)


def check_bids(sheet: Sheet, around: Around, cells: Sequence[Cells], shared: Cells) -> None:
    """Raise RuleError where what is asked before a round can't be so."""
    scored = _values(sheet, around, cells, shared, early=True)
    _check(sheet, sheet.early, scored, around)


def resting(sheet: Sheet, around: Around, cells: Sequence[Cells]) -> tuple[int, ...]:
    """Return the sides that take no part in a row, as the rules propose, or as it is ticked."""
    if sheet.rests is None:
        return ()
    values = _before_a_row(sheet, around)
    for column in sheet.own:
        if column.column.kind == "tick":
            points = column.points[0] if column.points else 1
            values[column.name] = tuple([points if typed.get(column.id) is True else 0 for typed in cells])
    scored = Scored(values, around.playing)
    return tuple(side for side in around.playing if sheet.rests.value(scored, side))


def _before_a_row(sheet: Sheet, around: Around) -> dict[str, Sequence[Number]]:
    """Return what each name is worth to each side before anything stands in a row."""
    n = len(around.sides)
    values: dict[str, Sequence[Number]] = {
        "round": (around.number,) * n,
        "players": (sheet.people(n),) * n,
        "total": around.totals,
        "dealer": tuple([int(side == around.dealer) for side in range(n)]),
    }
    for slug, number in sheet.house.items():
        values[as_name(slug)] = (number,) * n
    for name in sheet.absent:
        values[name] = (0,) * n
    return values


def _values(
    sheet: Sheet, around: Around, cells: Sequence[Cells], shared: Cells, *, partly: bool = False, early: bool = False
) -> Scored:
    """Return what each column is worth to each side, after a look at each cell."""
    n = len(around.sides)
    if len(cells) != n:
        raise RuleError(say("A row has cells for each of {n}.", n=n), field="cells")
    values = _before_a_row(sheet, around)
    scored = Scored(values, around.playing)
    for column in sheet.shared:
        if early and column.column.when != "before":
            continue
        values[column.name] = (_worth(sheet, column, shared.get(column.id), scored, 0, "round", partly=partly),) * n
    for column in sheet.own:
        if early and column.column.when != "before":
            continue
        amounts: list[Number] = [0] * n
        values[column.name] = amounts
        slug, direct = column.id, column.direct
        least, most = bounds(column, scored, 0) if direct else (0, 0)
        for side in around.playing:
            cell = cells[side].get(slug)
            if direct and cell.__class__ is int and least <= cell <= most:
                amounts[side] = cell
                continue
            if cell is None and column.may_lack:
                amounts[side] = column.unsaid
                continue
            amounts[side] = _worth(sheet, column, cells[side].get(column.id), scored, side, f"cells.{side}", partly=partly)
        if column.column.kind == "rank":
            values[f"{column.name}_number"] = tuple(amounts)
            _rank(column, amounts, [side for side in around.playing if cells[side].get(column.id) is not None])
    if sheet.rests is not None and not early:
        values["rests"] = tuple([int(bool(sheet.rests.value(scored, side))) for side in range(n)])
    if not partly:
        _surplus(sheet, cells, shared, early=early)
    return scored


def _surplus(sheet: Sheet, cells: Sequence[Cells], shared: Cells, *, early: bool) -> None:
    """Refuse cells of columns that are not there, or not asked now."""
    _surplus_of(_asked(sheet.shared, early=early), shared, "round")
    columns = _asked(sheet.own, early=early)
    for side, given in enumerate(cells):
        _surplus_of(columns, given, f"cells.{side}")


def _asked(columns: Sequence[ReadColumn], *, early: bool) -> set[str]:
    """Return the ids of the columns that are asked now."""
    return {column.id for column in columns if not early or column.column.when == "before"}


def _surplus_of(wanted: set[str], given: Cells, place: str) -> None:
    for slug in given:
        if slug not in wanted:
            names = listing([Name(column) for column in sorted(wanted)], "or")
            known = say("There is no column “{name}”. There are {names}.", name=Name(slug), names=names)
            none = say("There is no column “{name}”.", name=Name(slug))
            raise RuleError(known if wanted else none, field=f"{place}.{slug}")


def _worth(sheet: Sheet, column: ReadColumn, cell: Cell, scored: Scored, side: int, place: str, *, partly: bool) -> Number:
    """Return what a cell is worth. Raises RuleError for what can't stand in it."""
    kind = column.column.kind
    field = f"{place}.{column.id}"
    if cell is None:
        if partly or column.may_lack:
            return column.unsaid
        raise RuleError(say("{column} is missing.", column=sheet_word(sheet, column.column.name)), field=field)
    if kind == "tick":
        if not isinstance(cell, bool):
            raise RuleError(say("Yes or no (true or false) belongs here."), field=field)
        return (column.points[0] if column.points else 1) if cell else 0
    if kind == "choice":
        if not isinstance(cell, str) or cell not in column.choices:
            raise RuleError(say("One of these belongs here: {choices}.", choices=_choices(sheet, column)), field=field)
        return column.choices[cell]
    if isinstance(cell, tuple):
        if kind not in {"addends", "product"}:
            raise RuleError(say("One number belongs here."), field=field)
        numbers = [_number(amount, field, halves=column.halves) for amount in cell]
        if kind == "product":
            if len(numbers) != 2:
                raise RuleError(say("Two numbers belong here: 4 × 3."), field=field)
            for number in numbers:
                _bounded(column, number, scored, side, field)
            return numbers[0] * numbers[1]
        total: Number = sum(numbers)
    else:
        total = _number(cell, field, halves=column.halves)
        if kind == "product":
            raise RuleError(say("Two numbers belong here: 4 × 3."), field=field)
    _bounded(column, total, scored, side, field)
    if kind == "times":
        return whole(total * column.by)
    if kind == "table":
        return column.points[max(0, min(int(total), len(column.points) - 1))]
    return total


def _choices(sheet: Sheet, column: ReadColumn) -> Sentence:
    return listing([sheet_word(sheet, choice.name) for choice in column.column.choices], "or")


def _number(cell: Cell, field: str, *, halves: bool) -> Number:
    if isinstance(cell, bool) or not isinstance(cell, int | float):
        raise RuleError(say("A number belongs here."), field=field)
    try:
        number = exact(cell)
    except ValueError:
        raise RuleError(say("Only whole numbers and halves can be reckoned with."), field=field) from None
    if not halves and half(number):
        raise RuleError(say("A whole number belongs here, without a half."), field=field)
    return number


def _bounded(column: ReadColumn, number: Number, scored: Scored, side: int, field: str) -> None:
    least, most = bounds(column, scored, side)
    step = column.step
    if number < least:
        raise RuleError(say("{n} is too few: {least} is the least.", n=_n(number), least=_n(least)), field=field)
    if number > most:
        raise RuleError(say("{n} is too many: {most} is the most.", n=_n(number), most=_n(most)), field=field)
    if step != 1 and number % step:
        near = whole(number // step * step)
        sentence = say(
            "{n} is not possible: it goes in steps of {step}. Near it: {below} or {above}.",
            n=_n(number),
            step=step,
            below=_n(near),
            above=_n(near + step),
        )
        raise RuleError(sentence, field=field)


def _n(number: Number) -> Name:
    return Name(written(number))


def bounds(column: ReadColumn, scored: Scored, side: int) -> tuple[Number, Number]:
    """Return the least and the most that may be typed into a column by a side."""
    return (
        bound_of(column.least, lambda bound: bound.value(scored, side)),
        bound_of(column.most, lambda bound: bound.value(scored, side)),
    )


def _rank(column: ReadColumn, amounts: list[Number], counted: Sequence[int]) -> None:
    """Put points by rank in place of the numbers that were typed, the highest first."""
    typed = {side: amounts[side] for side in counted}
    ordered = sorted(typed.values(), reverse=True)
    places = [*column.points, *[0] * len(ordered)]
    for side in range(len(amounts)):
        amounts[side] = 0
    for side, number in typed.items():
        first, alike = ordered.index(number), ordered.count(number)
        if column.column.ties == "split":
            unit = 2 if column.halves else 1
            amounts[side] = whole(Fraction(sum(places[first : first + alike]) * unit // alike, unit))
        else:
            amounts[side] = places[first]


def _check(sheet: Sheet, rules: Sequence[Rule], scored: Scored, around: Around) -> None:
    for rule in rules:
        sides = around.playing[:1] if rule.that.alike else around.playing
        wrong = [side for side in sides if not rule.that.value(scored, side)]
        if wrong:
            side = wrong[0]
            everybody = rule.that.alike or len(wrong) == len(sides) > 1
            raise RuleError(_said(sheet, rule, scored, side, around.sides[side]), field="" if everybody else f"cells.{side}")


def _said(sheet: Sheet, rule: Rule, scored: Scored, side: int, name: str) -> Sentence:
    """Return a check's sentence with what is reckoned in it."""
    parts: dict[str, Part] = {inner: Name(name) if of is None else _n(of.value(scored, side)) for inner, of in rule.parts}
    words = re.sub(r"\{(.*?)\}", lambda inner: str(parts[inner[1]]), rule.say)  # once: a name may have such brackets, too
    return Sentence(words, rule.say, parts, context=WORDS) if sheet.preset else say("{words}", words=Name(words))


def expected_sum(sheet: Sheet, scored: Scored) -> Number | None:
    """Return what all scores of a row come to, where the sheet says so."""
    return None if sheet.sum is None else bound_of(sheet.sum, lambda of: of.value(scored, scored.playing[0]))


def _check_sum(sheet: Sheet, scored: Scored, scores: Sequence[Number]) -> None:
    total, expected = whole(sum(scores)), expected_sum(sheet, scored)
    if expected is not None and total != expected:
        together = say(
            "Together all scores of a row come to {expected}. These come to {total}.", expected=_n(expected), total=_n(total)
        )
        raise RuleError(together, field="sum")


def reckoned(sheet: Sheet, row: RowScore, side: int) -> str:
    """Return the sum by which a row's score came about, without what it comes to: "20 × 2"."""
    if sheet.score is not None:
        return sheet.score.explained(row.scored, side)
    amounts = [written(row.scored.values[column.name][side]) for column in sheet.own]
    return " + ".join([f"({amount})" if amount[0] == "−" else amount for amount in amounts if amount != "0"]) or "0"


def explained(sheet: Sheet, row: RowScore, side: int) -> Sentence:
    """Return how a row's score came about: "Bid 2, Tricks 2: 20 × 2 = 40"."""
    values = row.scored.values
    parts = [
        say("{column} {n}", column=sheet_word(sheet, column.column.name), n=_n(values[column.name][side]))
        for column in sheet.own
        if column is not sheet.sits_out or values[column.name][side]
    ]
    score = written(row.scores[side])
    if sheet.score is None and len(parts) == 1:
        return parts[0]
    by = reckoned(sheet, row, side)
    if by == score:
        return say("{parts}: {score}", parts=listing(parts, "comma"), score=Name(score))
    return say("{parts}: {sum} = {score}", parts=listing(parts, "comma"), sum=Name(by), score=Name(score))
