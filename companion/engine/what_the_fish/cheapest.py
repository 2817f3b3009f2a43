"""Which cards of a hand kill or save a fish with the least waste."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from companion.engine.core import Answer, Question, RuleError
from companion.engine.what_the_fish.cards import DECK, Total, Value
from companion.engine.what_the_fish.duel import Duel

Ask = Literal["kill", "protect"]

MOST_TOTALS = 2**18  # different totals that a search follows: those of any 18 cards, or of any hand of cards of the usual size


class Cheapest(Question, frozen=True):
    """Which cards of a hand kill (or protect) with the least waste, when ``already`` lies in the layer that is being built."""

    game: Literal["what-the-fish"]
    ask: Ask
    to_beat: Total
    already: Total
    hand: Annotated[tuple[Value, ...], msgspec.Meta(max_length=DECK)]


class CheapestAnswer(Answer, frozen=True):
    """Whether the hand is enough; if so the cards with the fewest points over, then the fewest cards, in the hand's order."""

    enough: bool
    cheapest: tuple[int, ...]
    why: str


def cheapest(hand: tuple[int, ...], missing: int) -> tuple[int, ...] | None:
    """The cards whose sum reaches ``missing`` (1 or more) with the fewest points over, then the fewest cards; else None.

    Of sets that are equal in both, the one whose cards come earlier in the hand. Exact: it follows every total that falls
    short of ``missing``. Raises RuleError for a hand with more of these than ``MOST_TOTALS``.
    """
    unseen = sum(hand)
    if unseen < missing:
        return None
    last = len(hand) - 1
    # From each total to the best way to lay it: how many cards, and minus the set of them as bits, the hand's first card the
    # highest bit, so that of two ways the lesser pair is the better one.
    short: dict[int, tuple[int, int]] = {0: (0, 0)}
    best: tuple[int, int, int] | None = None
    for position, card in enumerate(hand):
        unseen -= card
        longer: dict[int, tuple[int, int]] = {}
        for total, (count, cards) in short.items():
            reached, way = total + card, (count + 1, cards - (1 << (last - position)))
            if reached >= missing:
                if best is None or (reached - missing, *way) < best:
                    best = (reached - missing, *way)
            elif reached + unseen >= missing:
                longer[reached] = way
        for total, way in longer.items():
            if total not in short or way < short[total]:
                short[total] = way
        if len(short) > MOST_TOTALS:
            raise RuleError("These cards make too many totals to compare them all. Ask with fewer cards.", field="hand")
    if best is None:
        return None
    return tuple(card for position, card in enumerate(hand) if -best[2] >> (last - position) & 1)


def asked(duel: Duel, ask: Ask, hand: tuple[int, ...] = ()) -> Cheapest:
    """The question as a swim raises it: which cards of the hand kill, or save, with what lies in that layer already."""
    already, to_beat = duel.joined("attack" if ask == "kill" else "protection")
    return Cheapest("what-the-fish", ask, to_beat, already, hand)


def answer(question: Cheapest) -> CheapestAnswer:
    """The cheapest set of cards of the hand that goes strictly above ``to_beat`` (ruling W1).

    Raises RuleError when ``already`` is above it, so that nothing is needed.
    """
    to_beat, already, hand = question.to_beat, question.already, question.hand
    if already > to_beat:
        raise RuleError(f"{already} is above {to_beat} already: nothing more is needed.", rule="W1", field="already")
    missing = to_beat + 1 - already
    cards = cheapest(hand, missing)
    if cards is None:
        return CheapestAnswer(
            enough=False, cheapest=(), why=f"It takes {missing} or more; these cards are {sum(hand)} together."
        )
    shown = " + ".join(map(str, cards)) + (f" = {sum(cards)}" if len(cards) > 1 else "")
    does = "kills" if question.ask == "kill" else "saves"
    return CheapestAnswer(enough=True, cheapest=cards, why=f"{shown} {does} it: {missing} or more is needed.")
