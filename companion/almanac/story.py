"""How did a match go? Sentences about who led, what turned it, and its best round, each with the round that it speaks of."""

from __future__ import annotations

from dataclasses import dataclass

from companion.almanac.played import Played
from companion.almanac.rounds import best_round
from companion.engine.text import Name, Sentence, capital, listing, say, say_n


@dataclass(frozen=True, slots=True)
class StoryLine:
    """A sentence of a match's story, and the round that it leads to, from 0."""

    sentence: Sentence
    round: int


def side_name(match: Played, side: int) -> Sentence:
    """Return who plays for a side: "Ana", "Ana & Cy"."""
    names = [Name(name) for name in match.people_of(side)]
    if len(names) == 2:
        return say("{one} & {other}", one=names[0], other=names[1])
    return listing(names)


def won_by(match: Played) -> Sentence:
    """Return whose win it was, side by side: "Ana & Cy", "Ana and Bo"."""
    return listing([side_name(match, side) for side in match.facts.winners])


def leaders(match: Played) -> list[int | None]:
    """Return who led after each round: the side alone ahead; while several are, nobody."""
    return [match.ahead(played.totals) for played in match.rounds]


def lead_changes(match: Played) -> list[int]:
    """Return the rounds after which another side led than the one that had led last."""
    changes, last = [], None
    for place, side in enumerate(leaders(match)):
        if side is not None and last is not None and side != last:
            changes.append(place)
        last = last if side is None else side
    return changes


def turning_point(match: Played) -> int | None:
    """Return the round with which the winner took the lead and never gave it back; None for shared wins."""
    if len(match.facts.winners) != 1 or not match.rounds:
        return None
    (winner,), led = match.facts.winners, leaders(match)
    if led[-1] != winner:
        return None
    return max((place + 1 for place, side in enumerate(led) if side != winner), default=0)


def story(match: Played) -> list[StoryLine]:
    """Return the story of a finished match, in the order of its rounds where two are equally worth telling."""
    lines: list[StoryLine] = []
    if match.reader.decisive and match.counts and len(match.rounds) > 1:
        lines.extend(_who_led(match))
    best = best_round([match])
    if best is not None and len(match.rounds) > 1:
        place, side = best.place, best.side
        lines.append(
            StoryLine(
                say(
                    "{side} had the best of all, {amount}, in {round}.",
                    side=side_name(match, side),
                    amount=match.reader.amount(match.rounds[place].gained[side]),
                    round=match.reader.called(place + 1),
                ),
                place,
            )
        )
    return lines


def _who_led(match: Played) -> list[StoryLine]:
    lines: list[StoryLine] = []
    called, changes, turned = match.reader.called, lead_changes(match), turning_point(match)
    if changes:
        often = say_n("The lead changed {n} time.", "The lead changed {n} times.", len(changes))
        lines.append(StoryLine(often, changes[-1]))
    if match.deficit is not None:
        winner = match.facts.winners[0]
        most, place = match.deficit
        names = side_name(match, winner)
        behind = say_n(
            "{side} was {amount} behind after {round}, and won all the same.",
            "{side} were {amount} behind after {round}, and won all the same.",
            len(match.people_of(winner)),
            side=names,
            amount=match.reader.amount(most),
            round=called(place + 1),
        )
        lines.append(StoryLine(behind, place))
    if turned is not None:
        names = side_name(match, match.facts.winners[0])
        if turned == 0:
            lines.append(StoryLine(say("{side} led from the first to the last.", side=names), 0))
        else:
            # NOTE: "Round 9 decided it: Ana & Cy took the lead and kept it."
            decided = say("{round:C} decided it: {side} took the lead and kept it.", round=called(turned + 1), side=names)
            lines.append(StoryLine(capital(decided), turned))
    return lines
