"""What can a hand declare? The disjoint straight flushes and quads that are worth most.

Rule: Declarations; rulings B6, B9, B12.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, product
from typing import Literal

import msgspec

from companion.engine.beloz.cards import ANIMALS, NUMBERS, OF_ANIMAL, PLAIN_INDEX, PLAINS, Animal, Plain, as_set, pachyderms
from companion.engine.beloz.declarations import QUADS_POINTS, SHORTEST_RUN, Strength, run_points
from companion.engine.beloz.play import HandCards, parse_hand
from companion.engine.core import Answer, Question


class HandQuads(msgspec.Struct, frozen=True, tag_field="kind", tag="quads"):
    """Four cards of an animal that the hand holds."""

    animal: Animal


class HandStraightFlush(msgspec.Struct, frozen=True, tag_field="kind", tag="straight_flush"):
    """A run that the hand holds, by its card numbers."""

    plain: Plain
    lowest: int
    highest: int


class HandDeclarations(Question, frozen=True):
    """What can I declare? A hand, or a part of it, and the flooded plain."""

    game: Literal["beloz"]
    ask: Literal["declarations"]
    flooded: Plain
    hand: HandCards


class HandDeclarationsAnswer(Answer, frozen=True):
    """The most points, without BeloZ's 20; the declarations for them, strongest first; and whether the hand has BeloZ."""

    points: int
    declarations: list[HandQuads | HandStraightFlush]
    beloz: bool


Run = tuple[int, int]  # lowest and highest number


@cache
def _splits(numbers: int) -> tuple[tuple[Run, ...], ...]:
    """Return all ways to declare disjoint runs from a plain's cards (bit n - 1 for number n), none included (ruling B12)."""
    if not numbers:
        return ((),)
    highest = numbers.bit_length()
    below = numbers & ~(1 << highest - 1)
    ways = list(_splits(below))  # without the highest card
    lowest = highest
    while lowest > 1 and numbers >> lowest - 2 & 1:
        lowest -= 1
        if highest - lowest + 1 >= SHORTEST_RUN:
            rest = numbers & (1 << lowest - 1) - 1
            ways += [((lowest, highest), *runs) for runs in _splits(rest)]
    return tuple(ways)


# A declaration as it ranks (quads, points, highest number, flooded plain), then its length, its plain and itself
_Ranked = tuple[bool, int, int, bool, int, int, HandQuads | HandStraightFlush]


def _ranked_run(plain: Plain, run: Run, flooded: Plain) -> _Ranked:
    lowest, highest = run
    length = highest - lowest + 1
    declaration = HandStraightFlush(plain, lowest, highest)
    return False, run_points(length), highest, plain == flooded, length, -PLAIN_INDEX[plain], declaration


def _ranked_quads(animal: Animal) -> _Ranked:
    return True, QUADS_POINTS[animal], NUMBERS[animal], False, 4, 0, HandQuads(animal)


def _quads_cards(animals: tuple[Animal, ...]) -> int:
    """Return all the cards of these animals."""
    together = 0
    for animal in animals:
        together |= OF_ANIMAL[NUMBERS[animal] - 1]
    return together


def best_declarations(hand: int, flooded: Plain) -> tuple[int, list[HandQuads | HandStraightFlush]]:
    """Return the most points of a hand of up to eight cards (a set), and its declarations, strongest first (ruling B6).

    Among sets worth the same, take the one with the strongest declaration, then the next strongest; at last the longest run.
    """
    complete = [animal for animal in ANIMALS if animal in QUADS_POINTS and not OF_ANIMAL[NUMBERS[animal] - 1] & ~hand]
    best: tuple[int, list[Strength], list[int]] = (-1, [], [])
    chosen: list[_Ranked] = []
    for size in range(len(complete) + 1):
        for animals in combinations(complete, size):
            left = hand & ~_quads_cards(animals)
            for runs in product(*(_splits(left >> 8 * number & 0xFF) for number in range(4))):
                ranked = [_ranked_quads(animal) for animal in animals]
                ranked += [
                    _ranked_run(plain, run, flooded) for plain, of_plain in zip(PLAINS, runs, strict=True) for run in of_plain
                ]
                ranked.sort(key=lambda entry: entry[:6], reverse=True)
                merit = sum(entry[1] for entry in ranked), [entry[:4] for entry in ranked], [entry[4] for entry in ranked]
                if merit > best:
                    best, chosen = merit, ranked
    return sum(entry[1] for entry in chosen), [entry[6] for entry in chosen]


def answer_hand_declarations(question: HandDeclarations) -> HandDeclarationsAnswer:
    """Return what a hand can declare. Raises RuleError for cards that can't be a hand."""
    hand = as_set(parse_hand(question.hand))
    points, declarations = best_declarations(hand, question.flooded)
    pair = pachyderms(PLAIN_INDEX[question.flooded])
    return HandDeclarationsAnswer(points=points, declarations=declarations, beloz=not pair & ~hand)
