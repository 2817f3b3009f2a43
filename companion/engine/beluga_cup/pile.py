"""Where are the cards that nobody sees? How many wait in the draw pile, and which discarded ones no hand can hold.

Nobody sees from outside when the deck is shuffled, so :class:`Pile` follows every way of following the rules (ruling U13). Two
numbers tell a way: at the moment of a shuffle the draw pile is empty, so its new cards are all that are neither on the table
nor in a hand. Players discard from their hands face down, so those cards have no name here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from companion.engine.beluga_cup.cards import HAND
from companion.engine.decktet import Card

Hands = tuple[int, int]  # how many cards each player holds
Way = tuple[int, int]  # cards left in the draw pile, and the first turn whose discards are not shuffled in


class Pile(msgspec.Struct, frozen=True):
    """The unseen ones of a deck's ``cards`` after so many turns, in each of the ``ways`` that the rules allow.

    ``discarded`` says in which turn a card came among the discards, for each that lay open on the table and was not played
    again. In a way, those of its first turn and later ones still lie there; the others may be in any hand.
    """

    cards: int
    hands: Hands
    ways: tuple[Way, ...]
    discarded: Mapping[str, int] = {}
    turn: int = 0

    @property
    def left(self) -> int | None:
        """How many cards wait in the draw pile, or None where that is not known."""
        possible = {left for left, _ in self.ways}
        return possible.pop() if len(possible) == 1 else None

    def rests(self, card: Card) -> bool:
        """Return whether the card lies among the discards in every way, so that no hand can hold it (rulings U12 and U13)."""
        turn = self.discarded.get(card.id)
        return turn is not None and all(since <= turn for _, since in self.ways)

    def play(self, played: Iterable[Card]) -> Pile | None:
        """Return the pile once a hand turned out to hold these cards, or None where no way allows that.

        Ways in which one of them would still lie among the discards are ruled out.
        """
        back = [self.discarded[card.id] for card in played if card.id in self.discarded]
        if not back:
            return self
        last = max(back)
        ways = tuple([way for way in self.ways if way[1] > last])
        if not ways:
            return None
        names = {card.id for card in played}
        discarded = {card: turn for card, turn in self.discarded.items() if card not in names}
        return Pile(self.cards, self.hands, ways, discarded, self.turn)

    def end_turn(self, player: int, spent: int, table: int, *, seen: Iterable[Card] = (), unseen: int = 0) -> Pile:
        """Return the pile after a turn: ``spent`` left the hand and ``unseen`` were discarded from it, and it is six again.

        ``table`` cards lie on the table now, ``seen`` were put among the discards, before or after the player drew. If the draw
        pile ran out, it was shuffled when its last card was drawn, or when the next one was needed (ruling U13).
        """
        hand = max(0, self.hands[player] - spent)
        available = self.cards - table - self.hands[1 - player] - hand
        needed = min(HAND - hand, available)
        hand, rest = hand + needed, available - needed
        discarded = self.discarded
        if names := [card.id for card in seen]:
            discarded = {**discarded, **dict.fromkeys(names, self.turn)}
        ways: dict[Way, None] = {}  # each of them once, in order
        for left, since in self.ways:
            if left > needed:
                ways[left - needed, since] = None
                continue
            ways[rest, self.turn + 1] = None
            if names and rest >= len(names):
                ways[rest - len(names), self.turn] = None  # discarded after the draw
            if left == needed:
                ways[0, since] = None  # not shuffled yet
        hands = (hand, self.hands[1]) if player == 0 else (self.hands[0], hand)
        return Pile(self.cards, hands, tuple(ways), discarded, self.turn + 1)

    def shuffle(self, table: int) -> Pile:
        """Return the pile after the whole deck was shuffled, but for the hands and what lies on the table."""
        way = (max(0, self.cards - table - sum(self.hands)), self.turn)
        return Pile(self.cards, self.hands, (way,), self.discarded, self.turn)


class CountedPile(msgspec.Struct, frozen=True):
    """The draw pile of editions 1 and 2, before ruling U13: it was shuffled in one way alone, when the next card was needed.

    ``left`` cards to draw, a number of cards in each of the ``hands``, ``discarded`` cards since the last shuffle, ``gone`` are
    those of them that lay open on the table.
    """

    left: int
    hands: Hands = (HAND, HAND)
    discarded: int = 0
    gone: frozenset[str] = frozenset()

    def rests(self, card: Card) -> bool:
        """Return whether the card lies among the discards."""
        return card.id in self.gone

    def play(self, played: Iterable[Card]) -> CountedPile | None:
        """Return the pile, or None if one of these cards lies among the discards (ruling U12)."""
        return None if any(card.id in self.gone for card in played) else self

    def end_turn(self, player: int, spent: int, _table: int, *, seen: Iterable[Card] = (), unseen: int = 0) -> CountedPile:
        """Return the pile after a turn, as :meth:`Pile.end_turn` does; what was discarded is shuffled with the rest."""
        seen_ids = frozenset([card.id for card in seen])
        gone = self.gone | seen_ids
        discarded = self.discarded + len(seen_ids) + unseen
        hand = max(0, self.hands[player] - spent)
        needed = HAND - hand
        left = self.left - needed
        if left < 0:
            gone = frozenset()
            left, discarded = left + discarded, 0
            needed, left = (needed + left, 0) if left < 0 else (needed, left)
        hand += needed
        return CountedPile(left, (hand, self.hands[1]) if player == 0 else (self.hands[0], hand), discarded, gone)

    def shuffle(self, _table: int) -> CountedPile:
        """Return the pile with all discards in it."""
        return CountedPile(self.left + self.discarded, self.hands)


def deal(cards: int) -> Pile:
    """Return the draw pile of a deck of so many cards once both players have their hands."""
    return Pile(cards, (HAND, HAND), ((cards - 2 * HAND, 0),))
