"""Read a sheet's document into a frozen :class:`Sheet`: what one part says of another is checked once, here."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from companion.engine.core import RuleError
from companion.engine.sheet import dice
from companion.engine.sheet.document import Answer, Ask, Bound, Check, Column, SheetDocument, Teams
from companion.engine.sheet.expressions import LIMIT, Expression, Known, Number, Scored, exact, parse
from companion.engine.text import Name, Sentence, is_blank, listing, say, unseen, written

LARGEST: Final = LIMIT - 1  # what a cell may hold if its column does not say
MOST_IN_FORMULAS: Final = 16_000  # characters: a row of twelve is then scored in some milliseconds
_TOTAL: Final = re.compile(r"sum\((\w+)\) == (?!.*\b(?:or|and|if|not)\b)([\w +*()-]+)", re.ASCII)
_WORDS: Final = frozenset({"if", "else", "and", "or", "not"})
_OF_A_ROW: Final = {
    "round": Known(least=1, alike=True),
    "players": Known(least=1, alike=True),
    "dealer": Known(least=0, most=1),
    "total": Known(),
}


@dataclass(frozen=True, slots=True)
class Rule:
    """A check of a row: what must be true, and the sentence with reckoned parts, by their place in it.

    ``total``: it says to what a column comes ("sum(points) == 157"): the column's name, and the expression.
    """

    that: Expression
    say: str
    parts: tuple[tuple[str, Expression | None], ...]  # None: the name of the side that is wrong
    total: tuple[str, Expression] | None = None

    @property
    def names(self) -> frozenset[str]:
        """All names that the check and its sentence use."""
        return self.that.names.union(*(of.names for _, of in self.parts if of is not None))


@dataclass(frozen=True, slots=True)
class ReadColumn:
    """A column with its bounds as expressions or numbers.

    ``direct``: a whole number within the bounds, which are then the same for all sides, is worth itself.
    """

    column: Column
    id: str
    name: str  # as expressions write it
    direct: bool
    may_lack: bool
    least: Number | Expression
    most: Number | Expression
    by: Number
    points: tuple[Number, ...]
    choices: Mapping[str, Number]
    step: int  # of what is typed, 1 where halves may be
    halves: bool
    roll: Expression | None = None
    unsaid: Number = 0  # what an empty cell is worth where it may lack

    @property
    def negative(self) -> bool:
        """True where a number below 0 may be typed."""
        return isinstance(self.least, Expression) or self.least < 0


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """A sheet that was read: its document, and all expressions in it parsed.

    ``preset``: it is one of Companion's, whose words are translated. ``house`` are the answers to its
    questions. ``own`` are the columns that each side fills, ``shared`` those of the round. ``lowest``: the lowest total wins.
    ``tie_asked`` is the question whose answer says what breaks a tie, with that answer. ``weight`` is how many characters the
    formulas have that score a row.
    """

    document: SheetDocument
    preset: bool
    house: Mapping[str, Number]
    own: tuple[ReadColumn, ...]
    shared: tuple[ReadColumn, ...]
    score: Expression | None
    bonus: Expression | None
    groups: Mapping[str, tuple[str, ...]]
    rules: tuple[Rule, ...]
    early: tuple[Rule, ...]  # those that can be checked once what is asked before a round is there
    ends: Mapping[str, Number | Expression]
    tie: tuple[tuple[str, int], ...]
    rests: Expression | None = None
    sits_out: ReadColumn | None = None  # the tick that says so of whoever rests
    absent: tuple[str, ...] = ()  # names of columns that these house rules don't have
    sum: Number | Expression | None = None
    deals: Number | Expression = 1
    lowest: bool = False
    tie_asked: tuple[Ask, Answer] | None = None
    weight: int = 0

    @property
    def is_ledger(self) -> bool:
        """True where what one wins the others lose, all but what a formula says goes to nobody."""
        return self.sum is not None and (isinstance(self.sum, Expression) or self.sum == 0)

    def people(self, sides: int) -> int:
        """Return how many players so many sides are."""
        return sides * self.document.sides.of if isinstance(self.document.sides, Teams) else sides

    @property
    def bids_first(self) -> bool:
        """True where something is asked before a round is played."""
        return any(column.column.when == "before" for column in self.own)

    def column(self, slug: str) -> ReadColumn | None:
        """Return the column of this id, or None."""
        return next((column for column in (*self.own, *self.shared) if column.id == slug), None)


def as_name(slug: str) -> str:
    """Return an id as expressions write it: "small_straight"."""
    return slug.replace("-", "_")


@lru_cache(maxsize=256)
def read(document: SheetDocument, answers: tuple[tuple[str, float], ...] = (), *, preset: bool = False) -> Sheet:
    """Return the sheet of this document, with these answers to its questions; others have their usual one.

    Raises RuleError, whose field is the place in the options ("sheet.columns.2.most", "house.target").
    """
    return _Reader(document, answers).sheet(preset)


class _Reader:
    def __init__(self, document: SheetDocument, answers: tuple[tuple[str, float], ...]) -> None:
        self.document = document
        self.house = self._house(dict(answers))
        self.known: dict[str, Known] = dict(_OF_A_ROW)
        self.absent: list[str] = []
        for slug, number in self.house.items():
            self._add(as_name(slug), Known(number, number, alike=True), "asks")

    def sheet(self, preset: bool) -> Sheet:
        document = self.document
        self._words()
        if document.players[0] > document.players[1]:
            raise self._wrong("players", say("The fewest players come first, then the most."))
        if isinstance(document.sides, Teams) and document.players != (document.sides.teams * document.sides.of,) * 2:
            n = document.sides.teams * document.sides.of
            raise self._wrong("players", say("With these teams, {n} play: write [{n}, {n}].", n=n))
        # the round's own columns first, so that the sides' may be bounded by them
        shared = self._columns("round")
        columns = self._columns("side")
        if not columns or (document.shape == "boxes" and all(column.column.optional for column in columns)):
            raise self._wrong("columns", say("At least one column must be filled by each side."))
        if document.shape != "rounds":
            for at, column in enumerate(document.columns):
                if column.of == "round" or column.when == "before" or column.once:
                    raise self._wrong(f"columns.{at}", say("Only a sheet of rounds has columns of this kind."))
        rests = None if document.rests is None else parse(document.rests, self._before_a_row(columns), "sheet.rests")
        values = dict(self.known) | ({} if rests is None else {"rests": Known(0, 1)})
        score = None if document.score is None else parse(document.score, values, "sheet.score")
        groups = self._groups()
        of_match = {name: values[name] for name in (*(column.name for column in columns), "total", "players")}
        of_match |= {name: values[name] for name in map(as_name, self.house)} | {as_name(group): Known() for group in groups}
        columns = self._rolls(columns, of_match)
        bonus = None if document.bonus is None else parse(document.bonus, of_match, "sheet.bonus")
        rules = tuple(self._rule(check, at, {"score": Known(), **values}) for at, check in enumerate(document.checks))
        before = set(self._known_before())
        early = tuple(rule for rule in rules if rule.names <= before)
        chosen = [
            (ask, next(answer for answer in ask.answers if exact(answer.value) == self.house[ask.id])) for ask in document.asks
        ]
        tie_asked = next(((ask, answer) for ask, answer in chosen if answer.tie is not None), None)
        self._ties()
        sheet = Sheet(
            document,
            preset,
            self.house,
            columns,
            shared,
            score,
            bonus,
            groups,
            rules,
            early,
            self._ends(),
            tuple(map(_tie_break, document.tie if tie_asked is None else tie_asked[1].tie or ())),
            rests,
            None if rests is None else next((column for column in columns if column.name in rests.names), None),
            tuple(self.absent),
            self._sum({"score": Known(), **values}),
            self._limit(document.deals, "deals", 0),
            next((answer.wins for _, answer in chosen if answer.wins is not None), document.wins) == "lowest",
            tie_asked,
        )
        weight = _weight(sheet)
        if weight > MOST_IN_FORMULAS:
            long = say(
                "All formulas of a sheet have at most {most:,} characters together. These have {n:,}.",
                most=MOST_IN_FORMULAS,
                n=weight,
            )
            raise self._wrong("columns", long)
        return replace(sheet, weight=weight)

    def _wrong(self, place: str, sentence: Sentence) -> RuleError:
        return RuleError(sentence, field=f"sheet.{place}")

    def _words(self) -> None:
        """Refuse words of which a page would not show something."""
        document = self.document
        words = [("name", document.name), ("by", document.by or ""), ("about", (document.about or "").replace("\n", ""))]
        words += [(f"also.{at}", item) for at, item in enumerate(document.also)]
        words += [(f"checks.{at}.say", check.say) for at, check in enumerate(document.checks)]
        for at, ask in enumerate(document.asks):
            words.append((f"asks.{at}.question", ask.question))
            words += [(f"asks.{at}.answers.{n}", answer.name) for n, answer in enumerate(ask.answers)]
        for at, column in enumerate(document.columns):
            words.append((f"columns.{at}.name", column.name))
            words.append((f"columns.{at}.question", column.question or ""))
            for n, choice in enumerate(column.choices):
                words += [(f"columns.{at}.choices.{n}", text) for text in (choice.name, choice.question or "")]
        for place, text in words:
            if text and (unseen(text) is not None or is_blank(text)):
                raise self._wrong(place, say("Write letters, digits and signs here, nothing invisible."))

    def _house(self, answers: dict[str, float]) -> dict[str, Number]:
        house: dict[str, Number] = {}
        for at, ask in enumerate(self.document.asks):
            values = [self._exact(answer.value, f"asks.{at}.answers") for answer in ask.answers]
            if len(set(values)) < len(values):
                twice = next(value for value in values if values.count(value) > 1)
                raise self._wrong(f"asks.{at}.answers", say("“{name}” is there twice.", name=Name(written(twice))))
            given = answers.pop(ask.id, None)
            if given is not None and given not in values:
                names = listing([say("{n}", n=Name(f"{answer.value}")) for answer in ask.answers], "or")
                raise RuleError(
                    say("“{question}” has the answers {values}.", question=Name(ask.question), values=names),
                    field=f"house.{ask.id}",
                )
            if ask.id in house:
                raise self._wrong(f"asks.{at}.id", say("“{name}” is there twice.", name=Name(ask.id)))
            house[ask.id] = values[0] if given is None else exact(given)
        for surplus in answers:
            raise RuleError(say("This sheet asks nothing of the name “{name}”.", name=Name(surplus[:40])), field="house")
        return house

    def _exact(self, number: float, place: str) -> Number:
        try:
            return exact(number)
        except ValueError:
            raise self._wrong(place, say("Only whole numbers and halves can be reckoned with.")) from None

    def _add(self, name: str, value: Known, place: str) -> None:
        taken = {"player", *(("rests",) if self.document.rests is not None else ())}
        if name in self.known or name in _WORDS or name in taken:
            raise self._wrong(
                place, say("“{name}” is there already, or means something else. Take another id.", name=Name(name))
            )
        self.known[name] = value

    def _columns(self, of: str) -> tuple[ReadColumn, ...]:
        columns: list[ReadColumn] = []
        for at, column in enumerate(self.document.columns):
            if column.of == of:
                read = self._column(column, f"columns.{at}")
                if column.only is not None and not self._wanted(column.only, f"columns.{at}.only"):
                    for name in (read.name, f"{read.name}_number")[: 1 + (column.kind == "rank")]:
                        self._add(name, Known(0, 0, alike=True), f"columns.{at}.id")
                        self.absent.append(name)
                    continue
                columns.append(read)
                self._add(read.name, replace(self._bounds(read), alike=of == "round"), f"columns.{at}.id")
                if column.kind == "rank":
                    self._add(f"{read.name}_number", Known(), f"columns.{at}.id")
        return tuple(columns)

    def _wanted(self, only: str, place: str) -> Number:
        """Return the answer about house rules that a column depends on, or what a formula makes of several."""
        if only in self.house:
            return self.house[only]
        if re.fullmatch("[a-z0-9-]+", only):
            raise self._wrong(place, say("This sheet asks nothing of the name “{name}”.", name=Name(only)))
        known = {name: known for name, known in self._of_the_match().items() if name != "players"}
        answers: dict[str, Sequence[Number]] = {as_name(slug): (number,) for slug, number in self.house.items()}
        return parse(only, known, f"sheet.{place}").value(Scored(answers, (0,)), 0)

    def _column(self, column: Column, place: str) -> ReadColumn:
        kind = column.kind
        if kind == "choice" and len(column.choices) < 2:
            raise self._wrong(f"{place}.choices", say("A choice needs at least 2 answers."))
        if column.once and kind != "choice":
            raise self._wrong(f"{place}.once", say("Only a choice can be “once”."))
        if kind in {"table", "rank"} and not (isinstance(column.points, tuple) and column.points):
            raise self._wrong(f"{place}.points", say("This kind of column needs its points: [5, 3, 1]."))
        if kind == "rank" and column.of == "round":
            raise self._wrong(f"{place}.of", say("The round itself has no rank: this kind of column belongs to each side."))
        choices = {}
        for n, choice in enumerate(column.choices):
            if choice.id in choices:
                raise self._wrong(f"{place}.choices.{n}.id", say("“{name}” is there twice.", name=Name(choice.id)))
            choices[choice.id] = self._exact(choice.points, f"{place}.choices.{n}.points")
        known = self._known_before() if column.when == "before" else self.known
        least = self._bound(column.least, f"{place}.least", 0, known)
        most = self._bound(column.most, f"{place}.most", LARGEST, known)
        if not isinstance(least, Expression) and not isinstance(most, Expression) and least > most:
            raise self._wrong(f"{place}.most", say("The least is above the most."))
        points = tuple([self._exact(number, f"{place}.points") for number in _listed(column.points)])
        by = self._exact(column.by, f"{place}.by")
        alike = all(not isinstance(bound, Expression) or bound.alike for bound in (least, most))
        direct = alike and column.step == 1 and kind in {"whole", "half", "addends"}
        unasked = [choices[choice.id] for choice in column.choices if choice.question is None]
        asks = len(unasked) < len(choices)
        if asks and (column.of == "round" or len(unasked) != 1):
            raise self._wrong(f"{place}.choices", say("All choices of a player but one ask a question, or none does."))
        halves = kind == "half" or column.step < 1
        may_lack = column.optional or kind == "tick" or asks
        unsaid = unasked[0] if asks else 0
        step, name = int(max(1, column.step)), as_name(column.id)
        return ReadColumn(
            column, column.id, name, direct, may_lack, least, most, by, points, choices, step, halves, unsaid=unsaid
        )

    def _known_before(self) -> dict[str, Known]:
        """Return what is known while a round has not been played: not what is asked after it."""
        after = {as_name(column.id) for column in self.document.columns if column.when != "before"} - set(self.absent)
        return {name: known for name, known in self.known.items() if name.removesuffix("_number") not in after}

    def _bound(self, bound: Bound | None, place: str, default: Number, known: Mapping[str, Known]) -> Number | Expression:
        if bound is None:
            return default
        if isinstance(bound, str):
            return parse(bound, known, f"sheet.{place}")
        return self._exact(bound, place)

    def _bounds(self, column: ReadColumn) -> Known:
        """Return between which bounds the worth of a column lies, as far as its document alone tells."""
        least = None if isinstance(column.least, Expression) else column.least
        most = None if isinstance(column.most, Expression) else column.most
        values: Iterable[Number]
        match column.column.kind:
            case "whole" | "half" | "addends":
                if column.column.optional:  # an empty cell is worth 0
                    return Known(None if least is None else min(least, 0), None if most is None else max(most, 0))
                return Known(least, most)
            case "product" if least is not None and most is not None:
                values = (least * least, least * most, most * most, *((0,) if column.column.optional else ()))
            case "choice":
                values = (*column.choices.values(), 0) if column.column.optional else column.choices.values()
            case "table" | "rank":
                values = (*column.points, 0)
            case "tick":
                values = (column.points[0] if column.points else 1, 0)
            case "times" if least is not None and most is not None:
                values = (least * column.by, most * column.by, *((0,) if column.column.optional else ()))
            case _:
                return Known()
        return Known(min(values), max(values))

    def _before_a_row(self, columns: tuple[ReadColumn, ...]) -> dict[str, Known]:
        """Return what is known before any number stands in a row: also what was ticked."""
        ticks = [column.name for column in columns if column.column.kind == "tick"]
        return {name: self.known[name] for name in (*_OF_A_ROW, *ticks, *map(as_name, self.house))}

    def _rolls(self, columns: tuple[ReadColumn, ...], values: Mapping[str, Known]) -> tuple[ReadColumn, ...]:
        """Return the columns with what a roll of the sheet's dice scores in each."""
        document = self.document
        if document.goal is not None and document.goal.of not in {column.group for column in document.columns}:
            raise self._wrong("goal.of", say("There is no column of the group “{name}”.", name=Name(document.goal.of)))
        still_open = {f"{as_name(column.id)}_open": Known(least=0, most=1) for column in document.columns}
        known = {**values, **still_open, **dice.NAMES}
        read = {}
        for at, column in enumerate(document.columns):
            if column.roll is None:
                continue
            if document.dice is None or document.shape != "boxes":
                raise self._wrong(f"columns.{at}.roll", say("Only boxes of a sheet with dice score a roll."))
            read[column.id] = parse(column.roll, known, f"sheet.columns.{at}.roll")
        return tuple(replace(column, roll=read.get(column.id)) for column in columns)

    def _groups(self) -> dict[str, tuple[str, ...]]:
        groups: dict[str, tuple[str, ...]] = {}
        for at, column in enumerate(self.document.columns):
            if column.group is not None:
                if as_name(column.group) in self.known:
                    raise self._wrong(f"columns.{at}.group", say("“{name}” is there already.", name=Name(column.group)))
                groups[column.group] = (*groups.get(column.group, ()), as_name(column.id))
        return groups

    def _rule(self, check: Check, at: int, values: Mapping[str, Known]) -> Rule:
        place = f"checks.{at}"
        parts: list[tuple[str, Expression | None]] = []
        for piece in check.say.split("{")[1:]:
            inner, closed, _ = piece.partition("}")
            if not closed:
                raise self._wrong(f"{place}.say", say("“{sign}” is missing.", sign=Name("}")))
            parts.append((inner, None if inner == "player" else parse(inner, values, f"sheet.{place}.say")))
        total = _TOTAL.fullmatch(check.that)
        return Rule(
            parse(check.that, values, f"sheet.{place}.that"),
            check.say,
            tuple(parts),
            None if total is None else (total[1], parse(total[2], values, f"sheet.{place}.that")),
        )

    def _sum(self, values: Mapping[str, Known]) -> Number | Expression | None:
        given = self.document.sum
        if given is None:
            return None
        bound = self._bound(given, "sum", 0, values)
        if isinstance(bound, Expression) and not bound.alike:
            raise self._wrong("sum", say("This is not the same for all players. Write sum(…) around what each has."))
        return bound

    def _of_the_match(self) -> dict[str, Known]:
        """Return what is known before a match."""
        return {name: self.known[name] for name in ("players", *map(as_name, self.house))}

    def _limit(self, bound: Bound, place: str, least: int | None) -> Number | Expression:
        """Return what ends a match, or how long one deals, once it is no number out of bounds for any number of players."""
        limit = self._bound(bound, place, 0, self._of_the_match())
        answers: dict[str, Sequence[Number]] = {as_name(slug): (number,) for slug, number in self.house.items()}
        fewest, most = self.document.players
        for players in range(fewest, most + 1):
            known = Scored({**answers, "players": (players,)}, (0,))
            number = limit.value(known, 0) if isinstance(limit, Expression) else limit
            if too_large(number):
                raise self._wrong(place, say("This comes to more than 12 digits."))
            if least is not None and number < least:
                few = say("{n} is too few: {least} is the least.", n=Name(written(number)), least=Name(written(least)))
                raise self._wrong(place, few)
        return limit

    def _ends(self) -> dict[str, Number | Expression]:
        ends = self.document.ends
        given = {"rounds": (ends.rounds, 0), "at": (ends.at, None), "out": (ends.out, None)}
        bounds = {way: self._limit(bound, f"ends.{way}", least) for way, (bound, least) in given.items() if bound is not None}
        if self.document.shape == "rounds" and not bounds and not ends.hand:
            raise self._wrong("ends", say("Nothing ends this match. Write {example}.", example=Name('"hand": true')))
        return bounds

    def _ties(self) -> None:
        """Refuse columns that are not there in what breaks a tie, also in answers that were not chosen."""
        ids = {column.id for column in self.document.columns if column.of == "side"}
        ties = [("tie", self.document.tie)]
        for at, ask in enumerate(self.document.asks):
            ties += [(f"asks.{at}.answers.{n}.tie", answer.tie or ()) for n, answer in enumerate(ask.answers)]
        for place, tie in ties:
            for at, slug in enumerate(tie):
                if slug.removeprefix("-") not in ids:
                    raise self._wrong(f"{place}.{at}", say("There is no column “{name}”.", name=Name(slug)))


def _weight(sheet: Sheet) -> int:
    bounds = [bound for column in (*sheet.own, *sheet.shared) for bound in (column.least, column.most)]
    formulas = [of.text for of in (sheet.score, sheet.bonus, sheet.rests, sheet.sum, *bounds) if isinstance(of, Expression)]
    return sum(map(len, formulas)) + sum(len(rule.that.text) + len(rule.say) for rule in sheet.rules)


def _listed(points: tuple[float, ...] | float) -> tuple[float, ...]:
    return points if isinstance(points, tuple) else (points,)


def _tie_break(slug: str) -> tuple[str, int]:
    """Return the column that breaks a tie, and 1 if the most of it does, or -1 if the fewest."""
    return as_name(slug.removeprefix("-")), -1 if slug.startswith("-") else 1


def bound_of(bound: Number | Expression, value: Callable[[Expression], Number]) -> Number:
    """Return a bound as a number; ``value`` reckons an expression."""
    return value(bound) if isinstance(bound, Expression) else bound


def too_large(number: Number) -> bool:
    """Return whether a number has more digits than a sheet can hold."""
    return not -LIMIT < number < LIMIT


def half(number: Number) -> bool:
    """Return whether a number is not whole."""
    return number.denominator != 1
