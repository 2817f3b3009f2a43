"""How do two people play Beluga Cup? A table with a bag and a deck of cards, and the rules as the rule text has them.

It knows the rules in its own words (suits and ranks from the names of the cards, counting anew each time), so that it can tell
whether the engine is right about what is legal, who eats, and who wins.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import combinations
from random import Random
from typing import Any

from companion.engine.decktet import BASIC, COURTS, PAWNS

SUITS = ["moons", "suns", "waves", "leaves", "wyrms", "knots"]
DECKS = {
    "basic": [card.id for card in BASIC],
    "courts": [card.id for card in (*BASIC, *COURTS)] + ["excuse"],
    "pawns": [card.id for card in (*BASIC, *PAWNS)],
}


def suits_of(card: str) -> list[str]:
    return card.split("-")[1:]


def never() -> bool:
    return False


class Table:
    """Two people, a bag and a deck of cards: what is really in the hands, and the rules as the rule text has them.

    The draw pile is shuffled when the next card is needed, or ``at_once`` when its last one is drawn. An eaten zone's cards
    are discarded before the player draws, or ``after`` it. Both are asked each time.
    """

    def __init__(
        self,
        deck: str,
        fish_per_suit: int,
        rng: Random,
        at_once: Callable[[], bool] = never,
        after: Callable[[], bool] = never,
    ) -> None:
        self.rng, self.at_once, self.after = rng, at_once, after
        self.shuffles = 0
        self.bag = [suit for suit in SUITS for _ in range(fish_per_suit)]
        self.pile = list(DECKS[deck])
        rng.shuffle(self.pile)
        self.hands = [[self.pile.pop() for _ in range(6)] for _ in range(2)]
        self.seen_discards: list[str] = []
        self.unseen_discards: list[str] = []
        self.fish: list[list[str]] = [[], [], [], []]
        self.sides: list[list[list[str]]] = [[[], []] for _ in range(4)]
        self.eaten: list[list[str]] = [[], []]
        self.turn = 1  # the non-dealer
        self.empty = {1, 2, 3, 4}
        self.over = False

    def lacking(self, zone: int, side: int) -> Counter[str]:
        played = Counter(suit for card in self.sides[zone - 1][side] for suit in suits_of(card))
        return Counter(self.fish[zone - 1]) - played  # only what is above zero stays

    def may_place(self, cards: tuple[str, ...], zone: int, side: int) -> bool:
        lacking = self.lacking(zone, side)
        needed = any(suit in lacking for card in cards for suit in suits_of(card))
        if len(cards) == 1:
            return needed
        return needed and all(card.startswith("ace") and suits_of(card)[0] in self.fish[zone - 1] for card in cards)

    def legal(self, player: int) -> set[tuple[Any, ...]]:
        hand = self.hands[player]
        groups = [(card,) for card in hand]
        groups += [group for size in range(2, 7) for group in combinations([c for c in hand if c.startswith("ace")], size)]
        plays: set[tuple[Any, ...]] = {
            ("place", zone, side, frozenset(group))
            for zone in range(1, 5)
            for side in (0, 1)
            for group in groups
            if self.may_place(group, zone, side)
        }
        if "excuse" in hand:
            for zone in range(1, 5):
                if self.sides[zone - 1] == [[], []] and self.fish[zone - 1]:
                    plays.add(("swap", zone))
                plays |= {("take", zone, card) for card in self.sides[zone - 1][player]}
        return plays

    def worth(self, card: str, zone: int) -> int:
        first = card.split("-")[0]
        if first in ("pawn", "court"):
            return 4 * sum(fish in suits_of(card) for fish in self.fish[zone - 1])
        return {"ace": 1, "crown": 10}.get(first) or int(first)

    def fill(self, zone: int, fish: list[str]) -> None:
        for suit in fish:
            self.bag.remove(suit)
        self.fish[zone - 1] = list(fish)
        self.empty.discard(zone)

    def place(self, cards: list[str], zone: int, side: int) -> None:
        for card in cards:
            self.hands[self.turn].remove(card)
        self.sides[zone - 1][side] += cards
        player = self.turn
        if not self.lacking(zone, 0) and not self.lacking(zone, 1):
            totals = [sum(self.worth(card, zone) for card in side) for side in self.sides[zone - 1]]
            winner = player if totals[0] == totals[1] else totals.index(max(totals))
            eaten = self.sides[zone - 1][0] + self.sides[zone - 1][1]
            self.sides[zone - 1] = [[], []]
            self.eat(zone, winner)
            self.end_turn(1 - winner, eaten)
            return
        self.end_turn(1 - player)

    def eat(self, zone: int, winner: int) -> None:
        self.eaten[winner] += self.fish[zone - 1]
        self.fish[zone - 1] = []
        if len(self.bag) < zone:
            self.over = True
        else:
            self.empty = {zone}

    def swap(self, zone: int, drawn: list[str], returned: list[str]) -> None:
        for suit in drawn:
            self.bag.remove(suit)
        self.fish[zone - 1] += drawn
        for suit in returned:
            self.fish[zone - 1].remove(suit)
        self.bag += returned

    def play_excuse(self) -> None:
        self.hands[self.turn].remove("excuse")
        self.seen_discards.append("excuse")

    def end_turn(self, next_turn: int, eaten: list[str] | None = None) -> None:
        later = self.after()
        if not later:
            self.seen_discards += eaten or []
        hand = self.hands[self.turn]
        while len(hand) < 6 and self.available(eaten if later else None):
            hand.append(self.pile.pop())
            if not self.pile and self.at_once():
                self.shuffle()
        if later:
            self.seen_discards += eaten or []
        if not self.pile and self.at_once():
            self.shuffle()
        self.turn = next_turn

    def available(self, eaten: list[str] | None) -> bool:
        """Shuffle if the pile is empty; whoever has nothing else to shuffle discards the eaten zone first."""
        if not self.pile:
            if not self.seen_discards and not self.unseen_discards and eaten:
                self.seen_discards += eaten
                eaten.clear()
            self.shuffle()
        return bool(self.pile)

    def shuffle(self) -> None:
        self.pile += self.seen_discards + self.unseen_discards
        self.shuffles += bool(self.seen_discards)
        self.seen_discards, self.unseen_discards = [], []
        self.rng.shuffle(self.pile)

    def points(self) -> list[int]:
        mine, theirs = Counter(self.eaten[0]), Counter(self.eaten[1])
        return [
            sum(theirs[suit] for suit in SUITS if mine[suit] > theirs[suit]),
            sum(mine[suit] for suit in SUITS if theirs[suit] > mine[suit]),
        ]
