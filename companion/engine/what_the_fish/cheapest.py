"""Which cards of a hand kill or save a fish with the least waste?"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import combinations
from typing import Annotated, Literal

import msgspec

from companion.engine.core import Answer, Question, RuleError
from companion.engine.text import Name, Sentence, say
from companion.engine.what_the_fish.cards import DECK, Total, Value
from companion.engine.what_the_fish.duel import Duel

Ask = Literal["kill", "protect"]

MANY = 20  # cards: the sets of so many are tried at any values
MOST_POINTS = 10_000  # of a hand of more cards: it has few different totals; no printed deck comes near
FEW = 6  # cards of which all sets are tried sooner than those of both halves
_HAND = msgspec.Meta(max_length=DECK, description=str(say("a hand of at most 93 cards")))


class Cheapest(Question, frozen=True):
    """Which cards of a hand kill (or protect) with the least waste, when ``already`` lies in the layer that is being built."""

    game: Literal["what-the-fish"]
    ask: Ask
    to_beat: Total
    already: Total
    hand: Annotated[tuple[Value, ...], _HAND]


class CheapestAnswer(Answer, frozen=True):
    """Whether the hand is enough; if so the cards with the fewest points over, then the fewest cards, in the hand's order."""

    enough: bool
    cheapest: tuple[int, ...]
    why: Sentence


def cheapest(hand: tuple[int, ...], missing: int) -> tuple[int, ...] | None:
    """Return the cards whose sum reaches ``missing`` (1 or more) with the fewest points over, then the fewest cards; else None.

    Of sets that are equal in both, the one whose cards come earlier in the hand. Exact: of a few cards all sets are tried; of
    more, every total of one half of the hand meets the least that it needs of the other half.

    >>> cheapest((20, 10, 9), 19)
    (10, 9)
    """
    least = sum(hand) + 1
    if least <= missing:
        return None
    if len(hand) < FEW:
        chosen = hand
        for size in range(1, len(hand) + 1):
            for some in combinations(hand, size):
                if missing <= (total := sum(some)) < least:
                    least, chosen = total, some
        return chosen
    # A way to lay cards is a number: how many, and minus the set of them as bits, the hand's first card the highest bit. The
    # least is the best, and the ways of both halves add up.
    last = len(hand) - 1
    cards = [(card, (1 << len(hand)) - (1 << last - place)) for place, card in enumerate(hand)]
    totals, rests = _totals(cards[::2]), _totals(cards[1::2])
    rising = sorted(rests)
    best = min(
        [
            (total + rising[place], way + rests[rising[place]])
            for total, way in totals.items()
            if (place := bisect_left(rising, missing - total)) < len(rising)
        ]
    )
    laid = -best[1]
    return tuple([card for place, card in enumerate(hand) if laid >> last - place & 1])


def _totals(cards: Sequence[tuple[int, int]]) -> dict[int, int]:
    """Return each total that some of these cards make, with the best way to make it."""
    totals = {0: 0}
    for card, alone in cards:
        for total, way in list(totals.items()):
            laid = way + alone
            if laid < totals.get(total + card, laid + 1):
                totals[total + card] = laid
    return totals


def asked(duel: Duel, ask: Ask, hand: tuple[int, ...] = ()) -> Cheapest:
    """Return the question as a swim raises it: which cards of the hand kill, or save, with what lies in that layer already."""
    already, to_beat = duel.joined("attack" if ask == "kill" else "protection")
    return Cheapest("what-the-fish", ask, to_beat, already, hand)


def answer(question: Cheapest) -> CheapestAnswer:
    """Return the cheapest set of cards of the hand that goes strictly above ``to_beat`` (ruling W1).

    Raises RuleError when ``already`` is above it, so that nothing is needed, and for a hand too large to be tried.
    """
    to_beat, already, hand = question.to_beat, question.already, question.hand
    if len(hand) > MANY and sum(hand) > MOST_POINTS:
        message = say(
            "A hand of more than {n} cards is tried up to {most:,} points, not {points:,}.",
            n=MANY,
            most=MOST_POINTS,
            points=sum(hand),
        )
        raise RuleError(message, field="hand")
    if already > to_beat:
        raise RuleError(
            say("{already} is above {number} already: nothing more is needed.", already=already, number=to_beat),
            rule="W1",
            field="already",
        )
    missing = to_beat + 1 - already
    cards = cheapest(hand, missing)
    if cards is None:
        why = say("It takes {n} or more. You have {total} so far.", n=missing, total=sum(hand))
        return CheapestAnswer(enough=False, cheapest=(), why=why)
    summed = Name(" + ".join(map(str, cards)) + (f" = {sum(cards)}" if len(cards) > 1 else ""))
    why = (
        say("{sum} kills it: {n} or more is needed.", sum=summed, n=missing)
        if question.ask == "kill"
        else say("{sum} saves it: {n} or more is needed.", sum=summed, n=missing)
    )
    return CheapestAnswer(enough=True, cheapest=cards, why=why)
