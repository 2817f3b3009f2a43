"""What is remembered of a match? Its result, its rounds, when it was played, and what its game counts besides.

Facts name sides and players by their numbers, so that they stay true when somebody gets another name. Each game says how it
is to be read (:class:`Reader`); a game that says nothing is read by its scores.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import pairwise
from typing import Final

import msgspec

from companion.engine.core import plain
from companion.engine.text import Sentence, say, say_n, term
from companion.matches import kept_sentences
from companion.matches.log import InForce, Log

PAUSE: Final = 6 * 3600  # seconds without an entry after which an evening is over
VERSION: Final = 4  # of all that is read here; facts of another version are read anew


class Round(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A round of a match: its entry's number in the log, when it was entered, and what it brought each side.

    ``at`` is in seconds since 1970 (UTC). ``gained`` is the figure that rounds of the game are compared by, ``totals`` is how
    the sides stood after it.
    """

    seq: int
    at: int
    gained: tuple[int | float, ...]
    totals: tuple[int | float, ...]


class Facts(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A match as it is remembered.

    ``winners`` are sides, ``scores`` one number a side (None where a game has none). ``sittings`` are the times, from and to
    in seconds since 1970 (UTC), between which nobody paused for six hours. ``tallies`` count a thing of the game, a number a
    player. ``low_wins``: the fewest points won it. ``called`` is what the match is called where that is not its game's title:
    the name of its score sheet, as :mod:`companion.matches.kept_sentences` stores it, and ``tie`` how a tie was broken.
    """

    sides: int
    finished: bool
    stopped: bool
    winners: tuple[int, ...]
    scores: tuple[int | float | None, ...]
    rounds: tuple[Round, ...]
    sittings: tuple[tuple[int, int], ...]
    tallies: dict[str, tuple[int, ...]]
    low_wins: bool = False
    called: str = ""
    tie: str = ""


def seconds(moment: datetime) -> int:
    """Return a moment in UTC, as the database has it, in seconds since 1970."""
    return int(moment.replace(tzinfo=UTC).timestamp())


def scored_rounds(log: Log) -> Iterable[Round]:
    """Return the rounds of any game: entries that add a round to the standing, or that change a score where it has none."""
    before = log.start.standing()
    for entry in log.entries:
        after = entry.after.standing()
        earlier, scores = [score or 0 for score in before.scores], tuple(score or 0 for score in after.scores)
        more = len(after.rounds) > len(before.rounds or ()) if after.rounds is not None else scores != tuple(earlier)
        if more:
            gained = tuple(plain(score - score_before) for score_before, score in zip(earlier, scores, strict=True))
            yield Round(entry.seq, seconds(entry.at), gained, scores)
        before = after


def no_tallies(_log: Log) -> Mapping[str, Sequence[int]]:
    """Return nothing: the game counts nothing besides its scores."""
    return {}


# NOTE: after a result that is equal, how somebody won all the same: "Scrabble, by the rule for ties"
BY_RULE: Final = say("by the rule for ties")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """How a game's matches are read, and the words for what is read.

    ``rounds`` and ``tallies`` read a log. ``labels`` are the words of the tallies, in the order in which they are shown.
    ``shares`` names three tallies: how often something was tried, succeeded and failed. ``called`` names a round by its number
    from 1, ``amount`` its figure. ``decisive``: totals after a round are scores, so that whoever leads in them wins at the end.
    ``low``: a low figure of a round is worth telling too. ``scored``: scores tell by how much somebody won; where they don't,
    ``won`` stands beside the winner: "Free!". ``tie`` says how somebody won whose score others have too.
    """

    rounds: Callable[[Log], Iterable[Round]] = scored_rounds
    tallies: Callable[[Log], Mapping[str, Sequence[int]]] = no_tallies
    labels: Mapping[str, Sentence] = field(default_factory=dict)
    shares: tuple[str, str, str] | None = None
    called: Callable[[int], Sentence] = lambda n: term("round {n}", "what was entered", n=n)
    amount: Callable[[float], Sentence] = lambda n: say_n("{n} point", "{n} points", n)
    decisive: bool = True
    low: bool = True
    scored: bool = True
    won: Sentence | None = None
    tie: Sentence = BY_RULE


PLAIN: Final = Reader()


def sittings(entries: Sequence[InForce]) -> tuple[tuple[int, int], ...]:
    """Return the times in which entries followed each other without a pause of more than six hours."""
    times = sorted(seconds(entry.at) for entry in entries)
    if not times:
        return ()
    ends = [before for before, after in pairwise(times) if after - before > PAUSE]
    begins = [after for before, after in pairwise(times) if after - before > PAUSE]
    return tuple(zip([times[0], *begins], [*ends, times[-1]], strict=True))


def read(log: Log, reader: Reader = PLAIN, *, low_wins: bool = False, tie: str = "") -> Facts:
    """Return the facts of a match by its log. ``low_wins``: the fewest points win it. ``tie``: how a tie was broken."""
    standing = log.standing
    return Facts(
        sides=len(standing.sides),
        finished=standing.finished,
        stopped=standing.stopped,
        winners=tuple(standing.winners),
        scores=tuple(standing.scores),
        rounds=tuple(reader.rounds(log)),
        sittings=sittings(log.entries),
        tallies={name: tuple(counts) for name, counts in reader.tallies(log).items()},
        low_wins=low_wins,
        called="" if log.start.game.called is None else str(kept_sentences.store(log.start.title)),
        tie=kept_sentences.store(tie),
    )
