"""Where do exercises get their chance from? From a number alone, so that every machine makes the same exercise of it.

The standard library's ``random`` may change what it makes of a seed. This stream is written down instead: SHA-256 of the words
``companion-exercise/1``, the subject, the number and a block number, block after block. A byte becomes a place in a list as in
:func:`companion.engine.fair_draw.pick`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import TypeVar

from companion.engine.fair_draw import pick

T = TypeVar("T")


class Chance:
    """A stream of choices that depends on a subject and a number only.

    >>> Chance("beloz", 7).choice("abc") == Chance("beloz", 7).choice("abc")
    True
    """

    def __init__(self, subject: str, number: int) -> None:
        """Begin the stream of this subject and number."""
        self._bytes = _stream(f"companion-exercise/1 {subject} {number}")

    def below(self, size: int) -> int:
        """Return a number from 0 up to ``size`` (excluded), all equally likely; ``size`` is 1 to 256."""
        return pick(self._bytes, size)

    def choice(self, choices: Sequence[T]) -> T:
        """Return one of up to 256 things."""
        return choices[self.below(len(choices))]

    def shuffled(self, things: Sequence[T]) -> list[T]:
        """Return up to 256 things in a new order, every order equally likely."""
        mixed = list(things)
        for last in range(len(mixed) - 1, 0, -1):
            other = self.below(last + 1)
            mixed[last], mixed[other] = mixed[other], mixed[last]
        return mixed


def _stream(seed: str) -> Iterator[int]:
    block = 0
    while True:
        yield from hashlib.sha256(f"{seed} {block}".encode()).digest()
        block += 1
