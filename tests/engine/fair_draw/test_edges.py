"""What does the bag do at its edges: words that are no text, bytes that run out, a wrong draw?"""

from __future__ import annotations

import hashlib
import hmac
from itertools import islice

import pytest

from companion.engine.fair_draw import DrawError, _stream, draw, key
from companion.engine.text import say

SEED = bytes(range(32))


def test_a_word_with_half_a_character_is_a_word_too() -> None:
    """Phones can send it. The letters of D800 are ED A0 80."""
    message = b"companion-bag/1" + b"\0\0\0\3" + b"\xed\xa0\x80"
    assert key(SEED, ("\ud800",)) == hmac.new(SEED, message, hashlib.sha256).digest()


def test_the_bytes_of_a_draw_do_not_run_out() -> None:
    """32 bytes a block; the number of the draw has eight bytes, that of the block four."""
    expected = b"".join(
        hmac.new(SEED, bytes([0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, block]), hashlib.sha256).digest() for block in (0, 1, 2)
    )
    assert bytes(islice(_stream(SEED, 258), 96)) == expected


def test_a_bag_of_one_fish_gives_that_one() -> None:
    assert draw(SEED, 0, {"wyrms": 1}) == "wyrms"
    with pytest.raises(ValueError, match="Can't draw from a bag of 0 fish"):
        draw(SEED, 0, {"wyrms": 0})


def test_a_wrong_draw_tells_which() -> None:
    error = DrawError(7, say("Zone 2 got a moon."))
    assert (error.event, error.message, str(error)) == (7, "Zone 2 got a moon.", "Zone 2 got a moon.")
