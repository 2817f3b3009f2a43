"""Parse and evaluate the small expressions of score sheets ("20 * bid if tricks == bid else 0").

An expression is parsed once, by the parser below, into closures over frozen values: no sheet's text is ever run as Python.
It has whole numbers and halves, exactly, ``+ - * // %``, comparisons, ``and or not``, ``a if b else c`` and five functions
over all sides. It can't loop, and a divisor that might be zero is refused when the expression is parsed.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as made
from fractions import Fraction
from typing import Final

from companion.engine.core import RuleError
from companion.engine.text import Name, Sentence, listing, say, written

Number = int | Fraction

MOST_CHARACTERS: Final = 500
MOST_NODES: Final = 200
MOST_DEPTH: Final = 40
MOST_DIGITS: Final = 12
LIMIT: Final = 10**MOST_DIGITS  # no number of a sheet reaches it

_TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d+)?)|([a-z][a-z0-9_]*)|(//|==|!=|<=|>=|[-+*%<>(),]))")
_WORDS: Final = frozenset({"if", "else", "and", "or", "not"})
FUNCTIONS: Final = frozenset({"sum", "count", "rank", "min", "max", "abs"})  # over all sides; min and max of one number too
_LOOSE, _SUM, _PRODUCT, _TIGHT = range(4)  # how much an explained part binds


class Scored:
    """The numbers of one row while it is scored.

    ``values`` maps each name to a number a side, ``playing`` are the sides that are still in the match. What an expression
    asks of all sides is reckoned once a row and kept in ``of_all``.
    """

    __slots__ = ("of_all", "playing", "values")

    def __init__(self, values: dict[str, Sequence[Number]], playing: Sequence[int]) -> None:
        self.values = values
        self.playing = playing
        self.of_all: dict[object, Mapping[int, Number]] = {}


Value = Callable[[Scored, int], Number]
Explained = Callable[[Scored, int], str]


@dataclass(frozen=True, slots=True)
class Known:
    """A name that an expression may use, with the bounds of its value where they are known.

    ``alike``: its value is the same for every side.
    """

    least: Number | None = None
    most: Number | None = None
    alike: bool = False


@dataclass(frozen=True, slots=True)
class _Part:
    value: Value
    explained: Explained
    least: Number | None = None
    most: Number | None = None
    binds: int = _TIGHT
    terms: tuple[tuple[str, _Part], ...] = ()  # of a sum, with the sign before each


@dataclass(frozen=True, slots=True)
class Expression:
    """A parsed expression: the ``names`` that it uses, its value for a side, and the sum by which that came about.

    ``alike``: its value is the same for every side, so it need be reckoned only once. ``of_all``: it asks for all sides' cells.

    >>> bid = parse("20 * bid if bid else 10 * round", {"bid": Known(), "round": Known()})
    >>> row = Scored({"bid": (2, 0), "round": (7, 7)}, (0, 1))
    >>> bid.value(row, 0), bid.value(row, 1), bid.explained(row, 0)
    (40, 70, '20 × 2')
    """

    text: str
    value: Value
    explained: Explained
    names: frozenset[str]
    alike: bool
    of_all: bool = False


def exact(number: float) -> Number:
    """Return a number as JSON holds it exactly, whole or with a half. Raises ValueError for other fractions.

    >>> exact(3.0), exact(0.5)
    (3, Fraction(1, 2))
    """
    if isinstance(number, int):
        return number
    if not (number * 2).is_integer():
        raise ValueError(number)
    return whole(Fraction(number))


def whole(number: Number) -> Number:
    """Return the number as an int where it is one."""
    return number.numerator if number.denominator == 1 else number


def parse(text: str, known: Mapping[str, Known], field: str = "") -> Expression:
    """Return the expression that this text says. Raises RuleError (with ``field``): what is wrong, and at which character."""
    parser = _Parser(text, known, field)
    part = parser.whole_text()
    return Expression(text, part.value, part.explained, frozenset(parser.names), parser.alike, parser.of_all)


@dataclass
class _Parser:
    text: str
    known: Mapping[str, Known]
    field: str
    names: set[str] = made(default_factory=set)
    nodes: int = 0
    depth: int = 0
    alike: bool = True
    of_all: bool = False

    def __post_init__(self) -> None:
        if len(self.text) > MOST_CHARACTERS:
            raise self._wrong(say("An expression has at most {most} characters. This one has {n}.", most=500, n=len(self.text)))
        self.tokens = list(self._read())
        self.at = 0

    def _wrong(self, sentence: Sentence) -> RuleError:
        return RuleError(sentence, field=self.field)

    def _here(self, sentence: Sentence) -> RuleError:
        place = self.tokens[self.at][1] + 1 if self.at < len(self.tokens) else len(self.text) + 1
        return self._wrong(listing([sentence, say("Look at character {n}.", n=place)], "text"))

    def _read(self) -> Iterator[tuple[str, int]]:
        at, end = 0, len(self.text.rstrip())
        while at < end:
            token = _TOKEN.match(self.text, at)
            if token is None:
                at += len(self.text[at:]) - len(self.text[at:].lstrip())
                unknown = say("“{sign}” means nothing in an expression.", sign=Name(self.text[at:].strip()[:1]))
                raise self._wrong(listing([unknown, say("Look at character {n}.", n=at + 1)], "text"))
            yield token[token.lastindex or 0], token.start(token.lastindex or 0)
            at = token.end()

    @property
    def next(self) -> str:
        return self.tokens[self.at][0] if self.at < len(self.tokens) else ""

    def _take(self, *wanted: str) -> str:
        """Return the next token if it is one of these, and go on behind it; else nothing."""
        token = self.next
        if token and token in wanted:
            self.at += 1
            return token
        return ""

    def _need(self, wanted: str) -> None:
        if not self._take(wanted):
            raise self._here(say("“{sign}” is missing.", sign=Name(wanted)))

    def _node(self) -> None:
        self.nodes += 1
        if self.nodes > MOST_NODES:
            raise self._wrong(say("An expression has at most {most} numbers, names and signs.", most=MOST_NODES))

    def whole_text(self) -> _Part:
        part = self._choice()
        if self.next:
            raise self._here(say("The expression should end before “{sign}”.", sign=Name(self.next[:20])))
        return part

    def _choice(self) -> _Part:
        self.depth += 1
        if self.depth > MOST_DEPTH:
            raise self._here(say("An expression is nested at most {most} deep.", most=MOST_DEPTH))
        part = self._any_of()
        if self._take("if"):
            self._node()
            condition = self._any_of()
            self._need("else")
            part = _chosen(part, condition, self._choice())
        self.depth -= 1
        return part

    def _any_of(self) -> _Part:
        part = self._each_of()
        while self._take("or"):
            self._node()
            part = _truth(part, self._each_of(), lambda a, b: lambda row, side: int(bool(a(row, side) or b(row, side))))
        return part

    def _each_of(self) -> _Part:
        part = self._negated()
        while self._take("and"):
            self._node()
            part = _truth(part, self._negated(), lambda a, b: lambda row, side: int(bool(a(row, side) and b(row, side))))
        return part

    def _negated(self) -> _Part:
        turned, written_not = False, False
        while self._take("not"):
            self._node()
            turned, written_not = not turned, True
        part = self._compared()
        if not written_not:
            return part
        value = part.value
        negated = (lambda row, side: int(not value(row, side))) if turned else (lambda row, side: int(bool(value(row, side))))
        return _number(negated, 0, 1)

    def _compared(self) -> _Part:
        part = self._sum()
        others: list[tuple[str, _Part]] = []
        while sign := self._take(*_COMPARED):
            self._node()
            others.append((sign, self._sum()))
        if len(others) > 1:
            return _number(_chained(part.value, [(_HOLDS[sign], other.value) for sign, other in others]), 0, 1)
        return _truth(part, others[0][1], _COMPARED[others[0][0]]) if others else part

    def _sum(self) -> _Part:
        part = self._product()
        while sign := self._take("+", "-"):
            self._node()
            part = (_added if sign == "+" else _taken_off)(part, self._product())
        return part

    def _product(self) -> _Part:
        part = self._signed()
        while sign := self._take("*", "//", "%"):
            self._node()
            other = self._signed()
            if sign == "*":
                part = _multiplied(part, other)
                continue
            if not ((other.least or 0) > 0 or (other.most or 0) < 0):
                raise self._here(say("This could divide by zero. Divide by max(1, …)."))
            part = (_divided if sign == "//" else _rest)(part, other)
        return part

    def _signed(self) -> _Part:
        minus = 0
        while self._take("-"):
            self._node()
            minus += 1
        part = self._atom()
        return _minus(part) if minus % 2 else part

    def _atom(self) -> _Part:
        self._node()
        if self._take("("):
            part = self._choice()
            self._need(")")
            return part
        token = self.next
        if not token or token in _WORDS or not (token[0].isdigit() or token[0].isalpha()):
            raise self._here(say("A number or a name belongs here."))
        if token[0].isdigit():
            return self._literal(token)
        self.at += 1
        if self.next == "(":
            return self._function(token)
        return self._named(token)

    def _literal(self, token: str) -> _Part:
        if len(token) > MOST_DIGITS:
            raise self._here(say("A number has at most {most} digits.", most=MOST_DIGITS))
        whole_part, _, rest = token.partition(".")
        if rest.strip("0") not in {"", "5"} or (rest.strip("0") == "5" and not rest.startswith("5")):
            raise self._here(say("Only whole numbers and halves can be reckoned with."))
        number: Number = int(whole_part) if not rest.strip("0") else int(whole_part) + Fraction(1, 2)
        self.at += 1
        return _constant(number)

    def _named(self, name: str) -> _Part:
        bounds = self.known.get(name)
        if bounds is None:
            self.at -= 1
            names = listing([Name(word) for word in list(self.known)[:MOST_DEPTH]], "comma")
            unknown = say("There is no “{name}” here. There are {names}.", name=Name(name[:40]), names=names)
            raise self._here(unknown)
        self.names.add(name)
        self.alike = self.alike and bounds.alike

        def value(row: Scored, side: int) -> Number:
            return row.values[name][side]

        return _number(value, bounds.least, bounds.most)

    def _function(self, name: str) -> _Part:
        if name not in FUNCTIONS:
            self.at -= 1
            names = listing([Name(function) for function in sorted(FUNCTIONS)], "comma")
            raise self._here(say("There is no “{name}” here. There are {names}.", name=Name(name[:40]), names=names))
        self._need("(")
        alike_before = self.alike
        parts = [self._choice()]
        while self._take(","):
            parts.append(self._choice())
        self._need(")")
        if len(parts) > 1 and name not in {"min", "max"}:
            raise self._here(say("{name}() takes one number.", name=Name(name)))
        if name == "abs":
            inner = parts[0].value
            # reckoned once: it may be nested
            return _number(lambda row, side: -amount if (amount := inner(row, side)) < 0 else amount, 0)
        if len(parts) > 1:
            return self._of_these(name, parts)
        self.of_all = True
        self.alike = alike_before and name != "rank"  # what is reckoned over all sides is the same for each of them
        return _of_all(name, parts[0])

    @staticmethod
    def _of_these(name: str, parts: list[_Part]) -> _Part:
        """Return the least or the most of several numbers of a side."""
        values = tuple(part.value for part in parts)
        least, most = [part.least for part in parts], [part.most for part in parts]
        lows, highs = [end for end in least if end is not None], [end for end in most if end is not None]
        if name == "max":
            low = max(lows, default=None)
            high = max(highs) if len(highs) == len(parts) else None
            return _number(lambda row, side: max([value(row, side) for value in values]), low, high)
        low = min(lows) if len(lows) == len(parts) else None
        high = min(highs, default=None)
        return _number(lambda row, side: min([value(row, side) for value in values]), low, high)


def _number(value: Value, least: Number | None = None, most: Number | None = None) -> _Part:
    """Return a part that is explained by its value alone."""
    return _Part(value, lambda row, side: written(value(row, side)), least, most)


def _constant(number: Number) -> _Part:
    text = written(number)
    return _Part(lambda _row, _side: number, lambda _row, _side: text, number, number)


_COMPARED: Final[dict[str, Callable[[Value, Value], Value]]] = {
    "==": lambda a, b: lambda row, side: int(a(row, side) == b(row, side)),
    "!=": lambda a, b: lambda row, side: int(a(row, side) != b(row, side)),
    "<=": lambda a, b: lambda row, side: int(a(row, side) <= b(row, side)),
    ">=": lambda a, b: lambda row, side: int(a(row, side) >= b(row, side)),
    "<": lambda a, b: lambda row, side: int(a(row, side) < b(row, side)),
    ">": lambda a, b: lambda row, side: int(a(row, side) > b(row, side)),
}


_HOLDS: Final[dict[str, Callable[[Number, Number], bool]]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
}


def _chained(first: Value, others: Sequence[tuple[Callable[[Number, Number], bool], Value]]) -> Value:
    """Return whether each number compares with the next: 1 < a < 5. Each is reckoned once: chains may stand within chains."""

    def value(row: Scored, side: int) -> Number:
        left = first(row, side)
        for holds, other in others:
            right = other(row, side)
            if not holds(left, right):
                return 0
            left = right
        return 1

    return value


def _truth(left: _Part, right: _Part, joined: Callable[[Value, Value], Value]) -> _Part:
    return _number(joined(left.value, right.value), 0, 1)


def _bracketed(part: _Part, binds: int, row: Scored, side: int) -> str:
    text = part.explained(row, side)
    if text.replace("½", "").isdecimal():  # a number by itself
        return text
    return f"({text})" if part.binds < binds or text.startswith("−") else text


def _terms_told(terms: tuple[tuple[str, _Part], ...]) -> Explained:
    """Return how a sum is told: without what is 0. Each term is reckoned once, however many there are."""
    (_, first), *others = terms

    def explained(row: Scored, side: int) -> str:
        total, text = first.value(row, side), first.explained(row, side)
        for sign, term in others:
            amount = term.value(row, side)
            if amount and sign == "-":
                text = f"{text} − {_bracketed(term, _PRODUCT, row, side)}"
            elif amount:
                text = f"{text} + {_bracketed(term, _SUM, row, side)}" if total else term.explained(row, side)
            total += -amount if sign == "-" else amount
        return text

    return explained


def _added(left: _Part, right: _Part) -> _Part:
    a, b = left.value, right.value
    terms = (*(left.terms or (("+", left),)), ("+", right))
    return _Part(
        lambda row, side: a(row, side) + b(row, side),
        _terms_told(terms),
        _both(left.least, right.least),
        _both(left.most, right.most),
        _SUM,
        terms,
    )


def _taken_off(left: _Part, right: _Part) -> _Part:
    a, b = left.value, right.value
    terms = (*(left.terms or (("+", left),)), ("-", right))
    least = None if left.least is None or right.most is None else left.least - right.most
    most = None if left.most is None or right.least is None else left.most - right.least
    return _Part(lambda row, side: a(row, side) - b(row, side), _terms_told(terms), least, most, _SUM, terms)


def _never_negative(part: _Part) -> bool:
    return part.least is not None and part.least >= 0


def _both(left: Number | None, right: Number | None) -> Number | None:
    return None if left is None or right is None else left + right


def _multiplied(left: _Part, right: _Part) -> _Part:
    a, b = left.value, right.value
    ends = [x * y for x in (left.least, left.most) for y in (right.least, right.most) if x is not None and y is not None]
    least, most = (min(ends), max(ends)) if len(ends) == 4 else (None, None)
    if least is None and left.least is not None and right.least is not None and min(left.least, right.least) >= 0:
        least = left.least * right.least

    def explained(row: Scored, side: int) -> str:
        if right.binds == _LOOSE and b(row, side) == 1:  # 4 × (2 if doubled else 1): nothing is doubled
            return left.explained(row, side)
        return f"{_bracketed(left, _PRODUCT, row, side)} × {_bracketed(right, _PRODUCT, row, side)}"

    return _Part(lambda row, side: a(row, side) * b(row, side), explained, least, most, _PRODUCT)


def _divided(left: _Part, right: _Part) -> _Part:
    a, b = left.value, right.value
    return _number(
        lambda row, side: a(row, side) // divisor if (divisor := b(row, side)) else 0,  # 0: its cell is still empty
        0 if _never_negative(left) and (right.least or 0) > 0 else None,
    )


def _rest(left: _Part, right: _Part) -> _Part:
    a, b = left.value, right.value
    return _number(
        lambda row, side: a(row, side) % divisor if (divisor := b(row, side)) else 0, 0 if (right.least or 0) > 0 else None
    )


def _minus(part: _Part) -> _Part:
    value = part.value

    def explained(row: Scored, side: int) -> str:
        if part.binds == _TIGHT:
            return written(-value(row, side))
        return f"−({part.explained(row, side)})"

    least = None if part.most is None else -part.most
    most = None if part.least is None else -part.least
    return _Part(lambda row, side: -value(row, side), explained, least, most)


def _chosen(yes: _Part, condition: _Part, no: _Part) -> _Part:
    a, test, b = yes.value, condition.value, no.value

    def explained(row: Scored, side: int) -> str:
        return yes.explained(row, side) if test(row, side) else no.explained(row, side)

    least = None if yes.least is None or no.least is None else min(yes.least, no.least)
    most = None if yes.most is None or no.most is None else max(yes.most, no.most)
    return _Part(lambda row, side: a(row, side) if test(row, side) else b(row, side), explained, least, most, _LOOSE)


def _of_all(name: str, part: _Part) -> _Part:
    """Return what a function makes of its argument at all sides that still play, reckoned once a row."""
    inner = part.value

    def reckoned(row: Scored) -> Mapping[int, Number]:
        values = {side: inner(row, side) for side in row.playing}
        if name == "rank":
            ordered = sorted(values.values(), reverse=True)
            return {side: ordered.index(value) + 1 for side, value in values.items()}
        everybody = values.values()
        match name:
            case "sum":
                total: Number = sum(everybody)
            case "count":
                total = sum(1 for value in everybody if value)
            case "min":
                total = min(everybody, default=0)
            case _:
                total = max(everybody, default=0)
        return dict.fromkeys(range(len(row.values["players"])), total)

    key = object()

    def value(row: Scored, side: int) -> Number:
        results = row.of_all.get(key)
        if results is None:
            results = row.of_all[key] = reckoned(row)
        return results.get(side, 0)

    least: Number | None = None
    most: Number | None = None
    if name in {"min", "max"}:
        least, most = part.least, part.most
    elif name == "count" or _never_negative(part):
        least = 0
    return _number(value, least, most)
