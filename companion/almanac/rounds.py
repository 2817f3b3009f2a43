"""How special was a round? Compared with all rounds of its game that the table has played."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from companion.almanac.played import Played, counted
from companion.engine.text import Sentence, say, say_n

WIDTHS = (1, 2, 5)  # of a bin, times a power of ten
MOST_BINS = 14


@dataclass(frozen=True, slots=True)
class OneRound:
    """A round of a match, by its place there (from 0), and a side in it."""

    match: Played
    place: int
    side: int

    @property
    def figure(self) -> float:
        """The side's figure in this round."""
        return self.match.rounds[self.place].gained[self.side]

    @property
    def called(self) -> Sentence:
        """Its name: "round 6"."""
        return self.match.reader.called(self.place + 1)

    @property
    def amount(self) -> Sentence:
        """Its figure in words: "233 points"."""
        return self.match.reader.amount(self.figure)


def every(matches: Iterable[Played]) -> Iterable[OneRound]:
    """Iterate over all rounds of matches that count, for each side, oldest first."""
    for match in counted(matches):
        for place, played in enumerate(match.rounds):
            for side in range(len(played.gained)):
                yield OneRound(match, place, side)


def best_round(matches: Iterable[Played], person: str | None = None) -> OneRound | None:
    """Return the round with the highest figure, of equal ones the first; of a ``person`` only those of their side."""
    candidates = (played for played in every(matches) if person is None or person in played.match.people_of(played.side))
    best = max(candidates, key=lambda played: played.figure, default=None)
    return best if best is not None and best.figure > 0 else None


def worst_round(matches: Iterable[Played]) -> OneRound | None:
    """Return the round with the lowest figure, of equal ones the first, in games where that is worth telling."""
    return min((played for played in every(matches) if played.match.reader.low), key=lambda played: played.figure, default=None)


def highest_figures(matches: Iterable[Played], game: str) -> list[float]:
    """Return the highest figure of each round of a game, sorted."""
    same_game = (match for match in counted(matches) if match.kind == game)
    return sorted(max(played.gained) for match in same_game for played in match.rounds)


@dataclass(frozen=True, slots=True)
class Bin:
    """How many rounds had a figure ``low`` to ``high`` (and a half); ``current`` is that of the round in question."""

    low: int
    high: int
    count: int
    current: bool


@dataclass(frozen=True, slots=True)
class Special:
    """How special a figure was: how many of all rounds had as much or more, and the histogram."""

    figure: float
    as_much: int
    of: int
    bins: tuple[Bin, ...]

    @property
    def share(self) -> Fraction:
        """The share of rounds that had as much or more."""
        return Fraction(self.as_much, self.of)

    @property
    def sentence(self) -> Sentence:
        """How special it was, in a sentence."""
        if self.of == 1:
            return say("It is the first round of this game here.")
        if self.as_much == 1:
            return say("No other of {of} rounds at this table counted as much.", of=self.of)
        if 2 * self.as_much <= self.of:
            return say_n(
                "Only {n} of {of} rounds at this table counted as much or more.",
                "Only {n} of {of} rounds at this table counted as much or more.",
                self.as_much,
                of=self.of,
            )
        return say_n(
            "{n} of {of} rounds at this table counted as much or more.",
            "{n} of {of} rounds at this table counted as much or more.",
            self.as_much,
            of=self.of,
        )


def special(figures: Sequence[float], figure: float) -> Special:
    """Return how special a figure was among all ``figures``, which are sorted and hold it.

    >>> special([0, 10, 20, 20, 35], 20).as_much
    3
    """
    return Special(figure, len(figures) - bisect_left(figures, figure), len(figures), _bins(figures, figure))


def _bins(figures: Sequence[float], figure: float) -> tuple[Bin, ...]:
    span = figures[-1] - figures[0] + 1
    width = next(times * 10**power for power in range(20) for times in WIDTHS if times * 10**power * (MOST_BINS - 1) >= span)
    bins = []
    for low in range(int(figures[0] // width * width), int(figures[-1] // 1) + 1, width):
        high = low + width - 1
        count = bisect_left(figures, high + 1) - bisect_left(figures, low)
        bins.append(Bin(low, high, count, low <= figure < low + width))
    return tuple(bins)
