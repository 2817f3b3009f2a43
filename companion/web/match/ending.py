"""How does a match end on the phones? Who won, by how much, the series so far tonight, and words to share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.engine.text import Name, Part, Sentence, listing, say, say_n, term
from companion.screens.interface import Finale, Moment, as_sentence, named
from companion.tables import almanac
from companion.tables.results import Result
from companion.web.match.context import MatchContext


@dataclass(frozen=True, slots=True)
class Series:
    """The matches of one game that the same sides played tonight: a sentence, and which side won each (None: shared).

    A shared win counts for everybody who shares it.
    """

    sentence: str
    won: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class MatchEnding:
    """A finished match: ``side`` is the winning side, or None where several share the win."""

    side: int | None
    title: str
    result: str
    others: str
    why: str
    moment: Moment | None
    series: Series | None
    share: str
    told: str  # the result in words after the title, where the figures in a row are no sentence
    side_by_side: bool  # whether ``others`` goes on after the result, "1054 to 693", and names nobody

    @property
    def parts(self) -> dict[str, Part]:
        """Return the title and the figures, as parts of a sentence."""
        return {"title": as_sentence(self.title), "result": as_sentence(self.result), "others": as_sentence(self.others)}

    @property
    def announcement(self) -> str:
        """Return what a screen reader hears when the match ends."""
        if self.told:
            return say("{title}: {told}", title=as_sentence(self.title), told=as_sentence(self.told))
        if self.side_by_side:
            return say("{title}, {result} {others}", **self.parts)
        return say("{title}, {result}, {others}", **self.parts)


def ending(context: MatchContext) -> MatchEnding | None:
    """Return how the match ended, or None while it is played or when it was stopped."""
    standing = context.log.standing
    if not standing.winners:
        return None
    came_out = context.screens.finale(context.log)
    sides = sides_of(context.match.players, len(standing.sides))
    names = listing([Name(standing.sides[side]) for side in standing.winners])
    shared = len(standing.winners) > 1
    if shared:
        title = say("{names} win together", names=names)
    else:
        title = say_n("{names} wins", "{names} win", len(sides[standing.winners[0]]), names=names)
    others = came_out.others
    if shared and len(standing.sides) == len(standing.winners):
        others = say("each")
        if len(sides[0]) > 1:
            # NOTE: after a score that all teams have: "36 each"
            others = term("each", "teams")
    series = series_of(almanac.tonight(context.match.id, context.match.game), standing.sides, sides)
    game = context.log.start.title
    side_by_side = len(sides) < 3 or others != came_out.others
    result_of_side = replace(came_out, others=others)
    share = words_to_share(game, title, result_of_side, side_by_side=side_by_side)
    if series:
        share = listing([share, say("Tonight: {series}.", series=as_sentence(series.sentence))], "text")
    side = None if shared else standing.winners[0]
    return MatchEnding(
        side, title, came_out.result, others, came_out.why, came_out.moment, series, share, came_out.sentence, side_by_side
    )


def words_to_share(game: str, title: Sentence, came_out: Finale, *, side_by_side: bool) -> Sentence:
    """Return what is shared of a match: who won, by how much, and why where the figures are equal or none.

    ``side_by_side``: see :class:`MatchEnding`.
    """
    parts: dict[str, Part] = {"game": named(game), "title": title, "result": as_sentence(came_out.result)}
    others = as_sentence(came_out.others)
    # NOTE: what is shared of a match: "BeloZ: Ana & Cy win, 1054 to 693."
    if came_out.sentence:
        sentence = say("{game}: {title}: {told}.", game=named(game), title=title, told=as_sentence(came_out.sentence))
    elif not came_out.others:
        sentence = say("{game}: {title}, {result}.", **parts)
    elif side_by_side:
        sentence = say("{game}: {title}, {result} {others}.", **parts, others=others)
    else:  # NOTE: "Bisque: Ana wins, 31, Bo 25 and Cy 18."
        sentence = say("{game}: {title}, {result}, {others}.", **parts, others=others)
    if not came_out.why:
        return sentence
    why = as_sentence(came_out.why)
    return listing([sentence, why if why.endswith(".") else say("{why}.", why=why)], "text")


def sides_of(players: Sequence[str], count: int) -> tuple[frozenset[str], ...]:
    """Return who plays on each side: players take turns, so side 0 is every ``count``-th player from the first."""
    return tuple(frozenset(players[side::count]) for side in range(count))


def series_of(played: Sequence[Result], names: Sequence[str], sides: Sequence[frozenset[str]]) -> Series | None:
    """Return the series of these matches between these sides; None for the first one.

    Matches in which people sat in other teams don't count.
    """
    won: list[int | None] = []
    counts = [0] * len(sides)
    for match in played:
        if set(sides_of(match.players, len(sides))) != set(sides):
            continue
        winners = [side for side, people in enumerate(sides) if people <= set(match.winners)]
        won.append(winners[0] if len(winners) == 1 else None)
        for side in winners:
            counts[side] += 1
    if len(won) < 2:
        return None
    best = max(counts)
    leaders = [side for side, count in enumerate(counts) if count == best]
    if len(sides) == 2:
        first, second = sorted(counts, reverse=True)
        if len(leaders) > 1:
            return Series(say("Level at {first} to {second}", first=first, second=second), tuple(won))
        # NOTE: matches won tonight: "Ana & Cy are ahead 3 to 1"
        sentence = say_n(
            "{names} is ahead {first} to {second}",
            "{names} are ahead {first} to {second}",
            len(sides[leaders[0]]),
            names=Name(names[leaders[0]]),
            first=first,
            second=second,
        )
        return Series(sentence, tuple(won))
    ranked = sorted(range(len(sides)), key=lambda side: -counts[side])
    counts_by_name = [say("{name}\u00a0{score}", name=Name(names[side]), score=counts[side]) for side in ranked]
    return Series(listing(counts_by_name, "comma"), tuple(won))
