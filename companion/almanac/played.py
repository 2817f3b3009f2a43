"""A match as statistics see it: its game, its people by their present names, and its facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from companion.almanac.facts import PLAIN, Facts, Reader, Round
from companion.engine.text import Sentence
from companion.matches import kept_sentences


@dataclass(frozen=True)
class Played:
    """A match of a table. ``number`` is its number there, 0 if it was played elsewhere.

    Player ``i`` plays for side ``i % sides``, as players take turns.
    """

    number: int
    game: str
    title: str
    players: tuple[str, ...]
    facts: Facts
    reader: Reader = PLAIN

    @cached_property
    def kind(self) -> str:
        """The game under which the match is counted. Each score sheet is a game of its own, known by its name.

        An edited sheet that kept its name is the same game. No game's slug has a tilde.
        """
        return f"~{self.title.casefold()}" if self.facts.called else self.game

    @property
    def low_wins(self) -> bool:
        """True if the fewest points win: a sheet says that for itself."""
        return self.facts.low_wins

    @property
    def counts(self) -> bool:
        """True if it was played to its end and somebody has won: stopped matches count for nobody."""
        return self.facts.finished and not self.facts.stopped and bool(self.facts.winners)

    @property
    def at(self) -> int:
        """When it ended, in seconds since 1970."""
        return self.facts.sittings[-1][1] if self.facts.sittings else 0

    def side(self, player: int) -> int:
        """Return the side for which a player plays."""
        return player % self.facts.sides

    def people_of(self, side: int) -> tuple[str, ...]:
        """Return who plays for a side, by the alphabet."""
        return tuple(sorted(self.players[side :: self.facts.sides], key=str.casefold))

    @cached_property
    def winners(self) -> frozenset[str]:
        """The people who won."""
        return frozenset(name for player, name in enumerate(self.players) if self.side(player) in self.facts.winners)

    @property
    def teams(self) -> bool:
        """True if people share sides."""
        return len(self.players) > self.facts.sides

    @property
    def rounds(self) -> tuple[Round, ...]:
        """Its rounds."""
        return self.facts.rounds

    def ahead(self, totals: tuple[float, ...]) -> int | None:
        """Return the side that is ahead with these totals, None if several are."""
        best = min(totals) if self.low_wins else max(totals)
        leading = [side for side, total in enumerate(totals) if total == best]
        return leading[0] if len(leading) == 1 else None

    def lead(self, totals: tuple[float, ...], side: int) -> float:
        """Return by how much a side is ahead of the best of the others; below 0 if it is behind."""
        others = [total for other, total in enumerate(totals) if other != side]
        if not others:
            return 0
        return min(others) - totals[side] if self.low_wins else totals[side] - max(others)

    @property
    def ranked(self) -> bool:
        """True if its scores show who won: all are known, and nobody has a better one than whoever won."""
        scores = tuple(score for score in self.facts.scores if score is not None)
        if not self.facts.winners or len(scores) != self.facts.sides or not self.reader.scored:
            return False
        return self.lead(scores, self.facts.winners[0]) >= 0

    @property
    def tied(self) -> bool:
        """True if a rule broke a tie: somebody has the winner's score and has not won."""
        scores, winners = self.facts.scores, self.facts.winners
        return self.ranked and any(scores[side] == scores[winners[0]] for side in range(len(scores)) if side not in winners)

    @property
    def tie(self) -> Sentence:
        """How somebody won whose score others have too: a sheet says by which column, other games what they always say."""
        tie = kept_sentences.read(self.facts.tie)
        return tie if isinstance(tie, Sentence) else self.reader.tie

    @property
    def margin(self) -> float | None:
        """By how much the winner won. None for shared wins, and where the scores don't show who won."""
        if len(self.facts.winners) != 1 or not self.ranked:
            return None
        return self.lead(tuple(score or 0 for score in self.facts.scores), self.facts.winners[0])

    @property
    def deficit(self) -> tuple[float, int] | None:
        """How far the winner was behind at the most, and after which round (from 0). None if never, and for shared wins."""
        if len(self.facts.winners) != 1 or not self.reader.decisive:
            return None
        behind = [-self.lead(round_.totals, self.facts.winners[0]) for round_ in self.rounds]
        most = max(behind, default=0)
        return (most, behind.index(most)) if most > 0 else None


def counted(matches: Iterable[Played]) -> Iterator[Played]:
    """Iterate over the matches that count."""
    return (match for match in matches if match.counts)
