"""Which cards of a hand kill or save a fish with the least waste."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from math import isqrt
from typing import Annotated, Literal

import msgspec

from companion.engine.core import Answer, Question, RuleError
from companion.engine.what_the_fish.cards import DECK, Total, Value
from companion.engine.what_the_fish.duel import Duel

Ask = Literal["kill", "protect"]

# How far a search goes before it gives up; no hand of cards of the usual size comes near. Each bound is one of memory, too:
# a search needs less than 25 MB.
MOST_TOTALS = 2**15  # different totals of half the cards: those of any 15, so that every hand of 30 cards is answered
MOST_BITS = 2**27  # that are kept where totals lie close together, as those of the whole deck do


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

    Of sets that are equal in both, the one whose cards come earlier in the hand. Exact. Raises RuleError for a hand of many
    cards so large and different that it would take too long.
    """
    alone = min((card for card in hand if card >= missing), default=None)  # such a card is never laid with others
    others = tuple([card for card in hand if card < missing])
    if sum(others) < missing:
        return None if alone is None else (alone,)
    together = _by_bits(others, missing) if _close_together(others, missing) else _by_totals(others, missing)
    return together if alone is None or sum(together) < alone else (alone,)


def _close_together(hand: Sequence[int], missing: int) -> bool:
    """Whether so many cards make totals so close to each other that sets of them are quicker than one after the other."""
    cards = len(hand)
    return 2 ** ((cards + 1) // 2) > MOST_TOTALS and 2 * cards * (isqrt(cards) + 1) * _width(hand, missing) <= MOST_BITS


def _width(hand: Sequence[int], missing: int) -> int:
    """How far apart the totals of equally many cards can lie that matter, whether cards are laid or kept."""
    spare = sum(hand) - missing
    highest = spare if spare < missing else missing + max(hand) - 1
    return 1 + min(highest, sum(hand) - len(hand) * min(hand))


def _by_totals(hand: tuple[int, ...], missing: int) -> tuple[int, ...]:
    """As :func:`cheapest`, of cards that are enough together: every total of one half meets what it lacks in the other's."""
    # A way to lay cards is a number: how many, and minus the set of them as bits, the hand's first card the highest bit. The
    # least is the best, and the ways of both halves add up.
    last = len(hand) - 1
    cards = [(card, (1 << len(hand)) - (1 << last - place)) for place, card in enumerate(hand)]
    one, other = cards[::2], cards[1::2]
    totals = _totals(one, sum(card for card, _ in other), missing)
    rests = _totals(other, sum(card for card, _ in one), missing)
    rising = sorted(rests)
    best = min(
        (total + rest, way + rests[rest])
        for total, way in totals.items()
        for rest in [rising[bisect_left(rising, missing - total)]]  # there is one: with all the others, it would be enough
    )
    laid = -best[1]
    return tuple(card for place, card in enumerate(hand) if laid >> last - place & 1)


def _totals(cards: Sequence[tuple[int, int]], beside: int, missing: int) -> dict[int, int]:
    """From each total of these cards that can matter to the best way to lay it, where ``beside`` can come from others."""
    within = beside + sum(card for card, _ in cards)
    totals = {0: 0}
    enough: tuple[int, int] | None = None  # the least total that needs no other card
    for card, alone in cards:
        within -= card
        longer = {total: way for total, way in totals.items() if total + within >= missing}
        for total, way in totals.items():
            reached, laid = total + card, way + alone
            if reached >= missing:
                enough = (reached, laid) if enough is None else min(enough, (reached, laid))
            elif reached + within >= missing and laid < longer.get(reached, laid + 1):
                longer[reached] = laid
        totals = longer
        if len(totals) > MOST_TOTALS:
            raise RuleError("These cards make too many totals to compare them all. Ask with fewer cards.", field="hand")
    return totals if enough is None else {**totals, enough[0]: enough[1]}


def _by_bits(hand: tuple[int, ...], missing: int) -> tuple[int, ...]:
    """As :func:`_by_totals`, of cards below ``missing``: sets of totals are numbers with bit n set for the total n.

    There is a set for each number of cards, and only what a card has above the lowest counts in it. Either the cards to lay
    are looked for, or those to keep, whichever are worth less.
    """
    low, spare = min(hand), sum(hand) - missing
    above = [card - low for card in hand]
    keeps = spare < missing
    width = _width(hand, missing)
    within = (1 << width) - 1
    totals = [1]
    for points in above:
        shorter = (0, *totals) if points < width else (0,) * (len(totals) + 1)
        totals = [without | more << points & within for without, more in zip((*totals, 0), shorter, strict=True)]
    ways: list[tuple[int, int, int]] = []  # points over, cards laid, and what the chosen cards have above the lowest
    for count, found in enumerate(totals):
        if keeps:
            room = spare - count * low
            fits = found & (1 << min(room + 1, width)) - 1 if room >= 0 else 0
            if fits:
                most = fits.bit_length() - 1
                ways.append((room - most, len(hand) - count, most))
        else:
            needed = max(0, missing - count * low)
            enough = found >> needed
            if enough:
                least = needed + (enough & -enough).bit_length() - 1
                ways.append((count * low + least - missing, count, least))
    _, laid, points = min(ways)
    chosen = _exactly(above, len(hand) - laid if keeps else laid, points, first=not keeps)
    return tuple(card for card, chose in zip(hand, chosen, strict=True) if chose != keeps)


def _exactly(hand: Sequence[int], count: int, total: int, *, first: bool) -> list[bool]:
    """Which cards, exactly so many, make exactly this total, as some do: the first of the hand that can, or the last."""
    # What the cards behind a place leave of the total: for each number of them a set of rests. Only some places are kept;
    # those between are worked out once more on the way from the first card to the last.
    stride = isqrt(len(hand)) + 1
    left = [1 << total] + [0] * count
    behind = {len(hand): left}
    for place in range(len(hand) - 1, -1, -1):
        left = _with(left, hand[place])
        if place % stride == 0:
            behind[place] = left
    rest = total
    chosen: list[bool] = []
    for start in range(0, len(hand), stride):
        end = min(start + stride, len(hand))
        block = [behind[end]]
        for place in range(end - 1, start, -1):
            block.append(_with(block[-1], hand[place]))
        for card, left in zip(hand[start:end], reversed(block), strict=True):
            takes = _makes(left, count - 1, total, rest - card) if first else not _makes(left, count, total, rest)
            chosen.append(takes)
            if takes:
                count, rest = count - 1, rest - card
    return chosen


def _with(left: Sequence[int], card: int) -> list[int]:
    """What is left by number of cards, if this card may be one of them too."""
    return [without | more >> card for without, more in zip(left, (0, *left[:-1]), strict=True)]


def _makes(left: Sequence[int], count: int, total: int, points: int) -> bool:
    """Whether so many of the cards that leave this of the total can make these points."""
    return count >= 0 and points >= 0 and bool(left[count] >> total - points & 1)


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
