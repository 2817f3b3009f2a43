"""What did each person, pair and team come to? Wins, streaks, partners and opponents, and what each game counts.

Everything counts matches that were played to their end. A shared win counts for everybody who shares it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, pairwise
from statistics import median_low

from companion.almanac.facts import PAUSE
from companion.almanac.played import Played, counted

ENOUGH = 5  # matches, from which on partners and opponents are told


@dataclass(slots=True)
class Share:
    """So many of so many: matches won, or contracts."""

    won: int = 0
    of: int = 0

    def add(self, won: bool) -> None:
        """Count one more."""
        self.won += won
        self.of += 1

    @property
    def share(self) -> Fraction:
        """The part that was won; 0 of nothing."""
        return Fraction(self.won, self.of) if self.of else Fraction(0)

    @property
    def percent(self) -> int:
        """The share in per cent, to the nearest whole number."""
        return (200 * self.won + self.of) // (2 * self.of) if self.of else 0


@dataclass(slots=True)
class Person:
    """One person's matches. ``streak`` is how many of the newest were won in a row, ``longest`` the most there ever were.

    ``partners`` are matches together and those of them that were won; ``opponents`` are matches on different sides and those
    of them that the other one won.
    """

    name: str
    matches: Share = field(default_factory=Share)
    streak: int = 0
    longest: int = 0
    partners: dict[str, Share] = field(default_factory=dict)
    opponents: dict[str, Share] = field(default_factory=dict)

    @property
    def best_with(self) -> tuple[str, Share] | None:
        """The partner with the highest share of wins, of at least five matches together."""
        return _highest(self.partners)

    @property
    def hard_to_beat(self) -> tuple[str, Share] | None:
        """The opponent with the highest share of wins, of at least five matches against each other."""
        return _highest(self.opponents)


def _highest(shares: dict[str, Share]) -> tuple[str, Share] | None:
    """Return who has the highest share; of equal ones who has more matches, then who came first."""
    enough = [(name, share) for name, share in shares.items() if share.of >= ENOUGH and share.won]
    return max(enough, key=lambda rival: (rival[1].share, rival[1].of), default=None)


def people(matches: Iterable[Played]) -> list[Person]:
    """Return everybody in matches that count (given oldest first), most wins first, then by fewer matches."""
    by_name: dict[str, Person] = {}
    for match in counted(matches):
        for name in match.players:
            person = by_name.setdefault(name, Person(name))
            won = name in match.winners
            person.matches.add(won)
            person.streak = person.streak + 1 if won else 0
            person.longest = max(person.longest, person.streak)
        for (seat, name), (other_seat, other) in combinations(enumerate(match.players), 2):
            if match.side(seat) == match.side(other_seat):
                by_name[name].partners.setdefault(other, Share()).add(name in match.winners)
                by_name[other].partners.setdefault(name, Share()).add(name in match.winners)
            else:
                by_name[name].opponents.setdefault(other, Share()).add(other in match.winners)
                by_name[other].opponents.setdefault(name, Share()).add(name in match.winners)
    return sorted(by_name.values(), key=lambda person: (-person.matches.won, person.matches.of))


def teams(matches: Iterable[Played]) -> dict[tuple[str, ...], Share]:
    """Return each team of two or more with its matches, most wins first, then by fewer matches."""
    by_team: dict[tuple[str, ...], Share] = {}
    for match in counted(matches):
        if match.teams:
            for side in range(match.facts.sides):
                by_team.setdefault(match.people_of(side), Share()).add(side in match.facts.winners)
    return dict(sorted(by_team.items(), key=lambda team: (-team[1].won, team[1].of)))


def averages(matches: Iterable[Played], person: str) -> Fraction | None:
    """Return a person's average score in matches of one game; None where matches have no scores."""
    scores = [
        score
        for match in counted(matches)
        if person in match.players and match.reader.scored
        if (score := match.facts.scores[match.side(match.players.index(person))]) is not None
    ]
    return Fraction(sum(scores)) / len(scores) if scores else None


def tallies(matches: Iterable[Played], person: str | None = None, *, but: str | None = None) -> dict[str, int]:
    """Return what a game counts, for one person or for all ``but`` one, over matches of that game."""
    sums: dict[str, int] = {}
    for match in counted(matches):
        for name, numbers in match.facts.tallies.items():
            of_players = zip(match.players, numbers, strict=True)
            of_them = sum(number for who, number in of_players if who != but and person in {None, who})
            sums[name] = sums.get(name, 0) + of_them
    return sums


def closest(matches: Sequence[Played]) -> Played | None:
    """Return the match that was won by least, measured by the higher score; of equal ones the newest."""
    return min(((_width(match), -place, match) for place, match in _with_margin(matches)), default=(0, 0, None))[2]


def clearest(matches: Sequence[Played]) -> Played | None:
    """Return the match that was won by most, measured in the same way; of equal ones the newest."""
    return max(((_width(match), place, match) for place, match in _with_margin(matches)), default=(0, 0, None))[2]


def _with_margin(matches: Sequence[Played]) -> Iterable[tuple[int, Played]]:
    return ((place, match) for place, match in enumerate(matches) if match.counts and match.margin is not None)


def _width(match: Played) -> Fraction:
    return Fraction(match.margin or 0) / Fraction(max(1, *(abs(score or 0) for score in match.facts.scores)))


def minutes_a_round(matches: Iterable[Played]) -> int | None:
    """Return how many minutes a round usually takes, the median of all; None without two rounds in a row."""
    lasted = [
        after.at - before.at
        for match in counted(matches)
        for before, after in pairwise(match.rounds)
        if 0 < after.at - before.at <= PAUSE
    ]
    return max(1, (median_low(lasted) + 30) // 60) if lasted else None


def wins_over_time(matches: Sequence[Played], ends: Sequence[int], names: Sequence[str]) -> list[tuple[str, list[int]]]:
    """Return for each of these people how many matches they had won by each moment of ``ends``, which are sorted."""
    lines = {name: [0] * len(ends) for name in names}
    for match in counted(matches):
        place = next((place for place, end in enumerate(ends) if match.at <= end), len(ends) - 1)
        for name in match.winners & lines.keys():
            lines[name][place] += 1
    for numbers in lines.values():
        for place in range(1, len(numbers)):
            numbers[place] += numbers[place - 1]
    return list(lines.items())
