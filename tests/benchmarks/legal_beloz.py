"""How long does BeloZ take to say which cards may be played?

    python -m tests.benchmarks legal_beloz

Plays random rounds, collects every position of theirs, and answers them all again: inside the engine (parsed cards in, set of
legal cards and duty out) and as a whole look-up (names in, names, duty and sentence out). Prints the best of several passes,
in microseconds a position. The aim for the first is 5.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence

from companion.engine.beloz.cards import CARDS, PLAINS, as_set, members
from companion.engine.beloz.play import DUTIES, LegalPlay, Played, answer_legal_play, leading, legal

Position = tuple[int, tuple[int, ...], int, int]  # flooded plain, cards on the table, hand (a set), player


def positions(rounds: int, seed: int) -> list[Position]:
    """Return every position of so many random rounds: 32 a round."""
    chance = random.Random(seed)
    found: list[Position] = []
    for _ in range(rounds):
        deck = list(range(32))
        chance.shuffle(deck)
        hands = [as_set(deck[8 * player : 8 * player + 8]) for player in range(4)]
        flooded = chance.randrange(4)
        first = chance.randrange(4)
        for _ in range(8):
            table: list[int] = []
            for place in range(4):
                player = (first + place) % 4
                found.append((flooded, tuple(table), hands[player], player))
                allowed, _ = legal(flooded, table, hands[player])
                card = chance.choice(members(allowed))
                hands[player] &= ~(1 << card)
                table.append(card)
            first = (first + leading(flooded, table)) % 4
    return found


def question(position: Position) -> LegalPlay:
    """Return a position as a look-up asks it."""
    flooded, table, hand, player = position
    first = player - len(table)
    return LegalPlay(
        game="beloz",
        flooded=PLAINS[flooded],
        expedition=[Played((first + place) % 4, CARDS[card]) for place, card in enumerate(table)],
        player=player,
        hand=[CARDS[card] for card in members(hand)],
    )


def best(passes: int, count: int, once: Callable[[], None]) -> float:
    """Return the microseconds that an answer takes in the fastest pass."""
    fastest = float("inf")
    for _ in range(passes):
        began = time.perf_counter()
        once()
        fastest = min(fastest, time.perf_counter() - began)
    return fastest / count * 1e6


def main() -> None:
    found = positions(rounds=300, seed=7)
    asked = [question(position) for position in found]

    def inside() -> None:
        for flooded, table, hand, _ in found:
            _, situation = legal(flooded, table, hand)
            DUTIES[situation]

    def whole(questions: Sequence[LegalPlay] = asked) -> None:
        for one in questions:
            answer_legal_play(one)

    print(f"{len(found)} positions of 300 random rounds, best of 7 passes")
    print(f"inside the engine: {best(7, len(found), inside):.2f} us a position (aim: at most 5)")
    print(f"whole look-up:     {best(7, len(found), whole):.2f} us a position, from names to the sentence")
