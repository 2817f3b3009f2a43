"""Where are the cards that nobody sees? How many wait in the draw pile, and which discarded ones no hand can hold.

It follows the players' drawing, so that a discarded card is not played before the next shuffle (ruling U12). What the players
discard from their hands is not known by name, so of those cards nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from companion.engine.beluga_cup.cards import HAND
from companion.engine.decktet import Card


class Pile(msgspec.Struct, frozen=True):
    """``left`` cards to draw, a number of cards in each of the ``hands``, ``discarded`` cards since the last shuffle.

    ``gone`` are those of the discarded ones that lay open on the table: till the next shuffle they are in nobody's hand.
    """

    left: int
    hands: tuple[int, int] = (HAND, HAND)
    discarded: int = 0
    gone: frozenset[str] = frozenset()

    def end_turn(self, player: int, spent: int, *, seen: Iterable[Card] = (), unseen: int = 0) -> Pile:
        """Return the pile after a turn: ``spent`` left the hand, ``seen`` and ``unseen`` were discarded, and it is six again.

        If the draw pile is empty, the discard pile is shuffled. Rule: Game play.
        """
        shown = frozenset(card.id for card in seen)
        gone = self.gone | shown
        discarded = self.discarded + len(shown) + unseen
        hand = max(0, self.hands[player] - spent)
        needed = HAND - hand
        left = self.left - needed
        if left < 0:
            gone = frozenset()
            left, discarded = left + discarded, 0
            needed, left = (needed + left, 0) if left < 0 else (needed, left)
        hand += needed
        return Pile(left, (hand, self.hands[1]) if player == 0 else (self.hands[0], hand), discarded, gone)


def deal(cards: int) -> Pile:
    """Return the draw pile of a deck of so many cards once both players have their hands."""
    return Pile(cards - 2 * HAND)
