"""Whom does a match ask whether its newest entry is right, and in which words? Nothing waits for the answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.engine.text import Name, Sentence, listing, say, say_n
from companion.matches.log import Author, InForce
from companion.screens.interface import Value, named, with_capital
from companion.web.match.context import MatchContext


@dataclass(frozen=True, slots=True)
class Question:
    """What the other sides are asked about an entry: its line's number, the question, the entry, and the word for yes.

    ``asked`` are the players on whose phones it is asked: of each side that has a phone and has not answered. None of them if
    nobody of the others has a phone. Then each phone asks, ``yes`` has their names, and one tap answers for all.
    """

    entry: int
    title: Sentence
    value: Value
    yes: Sentence
    unanswered: Sequence[int]


def question(context: MatchContext) -> Question | None:
    """Return what the other sides are asked now; None at a table that did not choose it, and once each has answered.

    A side without a phone is not waited for, while another one has one. Where nobody knows who entered it, one answer is
    enough.
    """
    entry = context.log.to_agree
    if entry is None or context.match.number < context.access.row.newest or not context.access.row.agrees:
        return None
    value = context.screens.value(entry, context.log.standing.sides)
    line = context.log.written[entry.touched - 1]
    who = named(context.who(line.player))
    if line.kind == "correct":
        title = say("{who} corrected {entry}. Right?", who=who, entry=context.name_of(entry))
    elif value.number:
        title = say("{who} entered {number}. Right?", who=who, number=named(value.number))
    else:
        title = say("{who} entered this. Right?", who=who)
    others = _others(context, entry)
    with_phone = tuple(player for player in others if player in context.seated and context.seated[player].phone)
    unanswered = tuple(player for player in with_phone if context.log.agreement(entry.seq, player) is None)
    if entry.seq in context.log.agreed and (not unanswered or context.log.side_of(line.player) is None):
        return None
    yes = say("Yes, {number}", number=named(value.number)) if value.number else say("Yes")
    if not with_phone and context.log.side_of(line.player) is not None:
        names = listing([Name(context.match.players[player]) for player in others])
        yes = say_n("{names} agrees", "{names} agree", len(others), names=names)
    return Question(entry.seq, title, value, yes, unanswered)


def answers_for(context: MatchContext, entry: InForce) -> Author:
    """Return who answers on this phone: its player, or on a phone of the entry's own side the first of the other side.

    So Bo agrees on Ana's phone, where he has none of his own.
    """
    line = context.log.written[entry.touched - 1]
    others = _others(context, entry)
    if context.log.side_of(line.player) is None or context.viewer in others:
        return context.by
    return others[0]


def said_by(context: MatchContext, entry: InForce) -> Sentence:
    """Return what an entry says, and who entered or corrected it, for whoever puts another version beside it."""
    line = context.log.written[entry.touched - 1]
    sentence = with_capital(context.screens.describe_entry(entry, context.log.standing.sides))
    # NOTE: two versions of an entry. This is the first: "Ana says: Round 5, 98 for Ana & Cy"
    return say("{who} says: {what}", who=named(context.who(line.player)), what=sentence)


def _others(context: MatchContext, entry: InForce) -> list[int]:
    """Return the players who are not on the side of whoever entered it; all of them if nobody knows who that was."""
    log = context.log
    side = log.side_of(log.written[entry.touched - 1].player)
    return [player for player in range(len(context.match.players)) if side is None or log.side_of(player) != side]
