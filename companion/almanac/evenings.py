"""Which matches were played on one evening, and who won it? It ends after six hours without an entry, not at midnight."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from companion.almanac.facts import PAUSE
from companion.almanac.played import Played, counted


@dataclass(frozen=True)
class Evening:
    """An evening, from its first entry to its last, in seconds since 1970, with the matches that ended on it, oldest first."""

    begun: int
    ended: int
    matches: tuple[Played, ...]

    @cached_property
    def played(self) -> tuple[Played, ...]:
        """The matches that count."""
        return tuple(counted(self.matches))

    @cached_property
    def wins(self) -> tuple[tuple[str, int], ...]:
        """Whoever won, with the number of matches; most first, then as they came to win. A shared win counts for all."""
        counts: Counter[str] = Counter()
        for match in self.played:
            counts.update(name for name in match.players if name in match.winners)
        return tuple(counts.most_common())

    @property
    def winners(self) -> tuple[str, ...]:
        """Whoever won most matches."""
        return tuple(name for name, won in self.wins if won == self.wins[0][1])

    @property
    def number(self) -> int:
        """The number of its first match that was played here, 0 if none was. Addresses have it."""
        return next((match.number for match in self.matches if match.number), 0)


def evenings(matches: Sequence[Played]) -> list[Evening]:
    """Return the evenings of a table, oldest first. A match that was paused belongs to the evening on which it ended.

    Example: entries at 21:00 and 02:30 are one evening. Entries at 14:00 and 20:01 are two.
    """
    spans = sorted((begun, ended, index) for index, match in enumerate(matches) for begun, ended in match.facts.sittings)
    grouped: list[tuple[int, int]] = []
    of_match: dict[int, int] = {}
    for begun, ended, index in spans:
        if grouped and begun - grouped[-1][1] <= PAUSE:
            grouped[-1] = (grouped[-1][0], max(grouped[-1][1], ended))
        else:
            grouped.append((begun, ended))
        of_match[index] = len(grouped) - 1  # later sittings come later
    belonging: dict[int, list[Played]] = {}
    for index, match in enumerate(matches):
        if index in of_match:
            belonging.setdefault(of_match[index], []).append(match)
    return [
        Evening(*grouped[place], tuple(sorted(on_it, key=lambda match: (match.at, match.number))))
        for place, on_it in sorted(belonging.items())
    ]


def comeback(matches: Iterable[Played]) -> Played | None:
    """Return the match whose winner had been farthest behind, by the winner's final score; None where nobody was."""
    return max(counted(matches), key=_how_far_behind, default=None) if any(map(_how_far_behind, counted(matches))) else None


def _how_far_behind(match: Played) -> Fraction:
    if match.deficit is None:
        return Fraction(0)
    return Fraction(match.deficit[0]) / Fraction(max(1, *(abs(score or 0) for score in match.facts.scores)))
