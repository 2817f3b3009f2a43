"""Which fish does the app draw? Settled in a sealed bag before anybody could know or choose it, provable afterwards.

Before the match the app makes a secret seed of 32 bytes and shows its :func:`seal`. Then, until the first draw, the phones
may add words of their own. The :func:`key` of all draws is made of seed and words: the app can't choose it, because it sealed
its seed before it saw the words (so somebody who does not trust the app should add one); the players can't, because they don't
know the seed. The n-th fish that the app draws is a pure function of the key, n, and what is in the bag, so a draw that was
undone comes out the same when it is made again. After the match the seed is shown, and anybody can work out every draw.

How exactly, so that it can be done without this code (all numbers big-endian):

- seal: SHA-256 of the seed, in hex digits.
- key: HMAC-SHA256, keyed with the seed, of ``companion-bag/1`` and then, for each word in order, the number of its bytes
  in UTF-8 (4 bytes) and those bytes.
- draw number n (from 0: how many fish the app drew before in this match): line up the fish in the bag by suit, in canonical
  order, and number them from 0. Read the bytes of HMAC-SHA256, keyed with the key, of n (8 bytes) and a block number
  (4 bytes, from 0), block after block. Skip bytes that are not below the largest multiple of the number of fish that is at
  most 256. The first other byte, divided by the number of fish, leaves the number of the fish drawn.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Iterator, Mapping, Sequence

from companion.engine.decktet import SUITS, Suit
from companion.engine.text import Sentence

SEED_BYTES = 32
MOST_FISH = 256  # a byte can tell no more fish apart
MOST_WORDS = 20
LONGEST_WORD = 200  # characters
_PURPOSE = b"companion-bag/1"


class DrawError(Exception):
    """A draw is not what seed and words make it. The message says which, and what it should have been.

    ``event`` is the index (from 0) of the event that holds the draw, or None when seed or seal are wrong as such.
    """

    def __init__(self, event: int | None, message: Sentence) -> None:
        super().__init__(message)
        self.event = event
        self.message = message


def seal(seed: bytes) -> str:
    """Return what is shown before the match: 64 hex digits that fix the seed without giving it away.

    >>> seal(bytes(32))[:8]
    '66687aad'
    """
    return hashlib.sha256(seed).hexdigest()


def key(seed: bytes, words: Sequence[str] = ()) -> bytes:
    """Return the 32 bytes that decide every draw. Another seed, word or order of words gives another key.

    Raises ValueError if the seed is not 32 bytes long.

    >>> key(bytes(32), ["tide"]).hex()[:8]
    'd6a05224'
    """
    if len(seed) != SEED_BYTES:
        raise ValueError(f"A seed has {SEED_BYTES} bytes, not {len(seed)}.")
    message = bytearray(_PURPOSE)
    for word in words:
        letters = word.encode("utf-8", "surrogatepass")
        # The length before each word keeps ("ab", "c") and ("a", "bc") apart.
        message += len(letters).to_bytes(4, "big") + letters
    return hmac.digest(seed, bytes(message), "sha256")


def draw(key: bytes, n: int, bag: Mapping[Suit, int]) -> Suit:
    """Return the suit of the fish that the app draws after ``n`` (from 0) others; ``bag`` tells how many are in it.

    Each fish in the bag is equally likely. Raises ValueError if the bag is empty or holds more than 256 fish.

    >>> draw(key(bytes(32)), 0, {"moons": 2, "suns": 1})
    'moons'
    """
    return draw_many(key, n, bag, 1)[0]


def draw_many(key: bytes, n: int, bag: Mapping[Suit, int], count: int) -> tuple[Suit, ...]:
    """Return the next ``count`` fish in the order in which they leave the bag, none of them put back between the draws.

    >>> draw_many(key(bytes(32)), 0, {"moons": 2, "suns": 1}, 3)
    ('moons', 'moons', 'suns')
    """
    fish = [suit for suit in SUITS for _ in range(bag.get(suit, 0))]
    return tuple(fish.pop(pick(_stream(key, n + place), len(fish))) for place in range(count))


def lot(key: bytes, size: int) -> int:
    """Return the number, from 0, of whom a lot falls on that is drawn among ``size`` people. Each is equally likely.

    Raises ValueError unless there are 1 to 256 people.

    >>> lot(key(bytes(32), ["Ana", "Bo", "Cy"]), 3)
    0
    """
    return pick(_stream(key, 0), size)


def pick(stream: Iterable[int], size: int) -> int:
    """Return a number from 0 up to ``size`` (excluded) out of a stream of bytes: all equally likely if the bytes are.

    256 is seldom a multiple of ``size``: bytes past the largest multiple would favour the first numbers, so they are skipped.
    Raises ValueError unless ``size`` is 1 to 256.

    >>> pick([255, 7], 3)
    1
    """
    if not 1 <= size <= MOST_FISH:
        raise ValueError(f"Can't draw from a bag of {size} fish.")
    limit = MOST_FISH - MOST_FISH % size
    return next(byte for byte in stream if byte < limit) % size


def _stream(key: bytes, n: int) -> Iterator[int]:
    block = 0
    while True:
        yield from hmac.digest(key, n.to_bytes(8, "big") + block.to_bytes(4, "big"), "sha256")
        block += 1
