"""Can nobody choose the draws, is every fish equally likely, and can anybody work the draws out afterwards?"""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from itertools import count as numbers
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.engine.decktet import SUITS
from companion.engine.fair_draw import draw, draw_many, key, pick, seal

SEED = bytes(range(32))
FULL = dict.fromkeys(SUITS, 7)

# What chi-square exceeds by chance once in a thousand times, as tables of statistics have it, by its degrees of freedom
ONCE_IN_A_THOUSAND = {1: 10.828, 2: 13.816, 3: 16.266, 5: 20.515}


def assert_as_often(seen: list[int], expected: list[float]) -> None:
    """Pearson's test: what was counted differs from what was expected no more than chance explains."""
    assert sum(seen) == pytest.approx(sum(expected))
    chi_square = sum((one - other) ** 2 / other for one, other in zip(seen, expected, strict=True))
    assert chi_square < ONCE_IN_A_THOUSAND[len(seen) - 1]


# Known answers, worked out with openssl from the description in companion/engine/fair_draw.py


def test_the_seal_is_the_sha_256_of_the_seed() -> None:
    assert seal(SEED) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


def test_the_key_is_made_of_seed_and_words() -> None:
    assert key(SEED, []).hex() == "bff6810ac60d6949fe8be299c4795cc8085f77faadb8a5c571ea23e1847e0a5e"
    assert key(SEED, ["pearl", "flü"]).hex() == "07071ef1bd8444be359fceda7fa6c73d287e91acfa8471872161bf1713d56ba5"


def test_draws_follow_from_key_number_and_bag() -> None:
    k = key(SEED, ["pearl", "flü"])
    # Block 04…: fish 4 of 42 is a moon. Block 1d…: fish 29 of the 41 left is a wyrm. Block ce…: 206 mod 40 = 6 is a sun.
    assert draw(k, 0, FULL) == "moons"
    assert draw(k, 1, {**FULL, "moons": 6}) == "wyrms"
    assert draw(k, 2, {**FULL, "moons": 6, "wyrms": 6}) == "suns"
    assert draw_many(k, 0, FULL, 3) == ("moons", "wyrms", "suns")
    # Block ff6e…: ff is skipped (252 = 6 x 42), and 6e = 110 leaves 26: a leaf.
    assert draw(k, 5, FULL) == "leaves"


# No fish is likelier than another: exact, not by trying


def test_of_all_256_bytes_each_fish_is_drawn_by_equally_many() -> None:
    """A byte either decides or is skipped; those that decide are shared out evenly, so equally likely bytes give equal fish."""
    for size in range(1, 257):
        drawn_by: Counter[int | None] = Counter()
        for byte in range(256):
            stream = iter([byte])
            try:
                drawn_by[pick(stream, size)] += 1
            except StopIteration:  # skipped: it wanted another
                drawn_by[None] += 1
        skipped = drawn_by.pop(None, 0)
        assert set(drawn_by) == set(range(size)), size
        assert set(drawn_by.values()) == {(256 - skipped) // size}, size
        assert skipped < size


def test_bytes_past_the_largest_multiple_are_skipped() -> None:
    # 6 x 37 = 222 is the largest multiple of 37: 222 itself is the first byte to be skipped.
    assert pick(iter([255, 222, 3, 9]), 37) == 3
    assert pick(iter([221]), 37) == 36
    assert pick(iter([255]), 1) == 0


@pytest.mark.parametrize("size", [-1, 0, 257])
def test_an_empty_bag_or_one_of_more_than_256_fish_is_refused(size: int) -> None:
    with pytest.raises(ValueError, match="bag"):
        pick(iter([0]), size)


def test_drawing_from_an_empty_bag_is_refused() -> None:
    with pytest.raises(ValueError, match="bag of 0 fish"):
        draw(key(SEED), 0, {})


# ... and the bytes look like chance (fixed seeds: this never fails by bad luck)


@pytest.mark.parametrize(
    "bag",
    [
        FULL,
        dict.fromkeys(SUITS, 12),
        {"moons": 1, "suns": 2, "waves": 3, "leaves": 4, "wyrms": 5, "knots": 6},
        {"moons": 30, "knots": 1, "waves": 6},
        {"suns": 1, "leaves": 1},
    ],
)
def test_over_many_seeds_each_suit_comes_as_often_as_its_fish(bag: dict[str, int]) -> None:
    trials = 4000
    drawn = Counter(draw(key(sha256(f"seed {trial}".encode()).digest()), 0, bag) for trial in range(trials))
    fish = sum(bag.values())
    assert_as_often([drawn[suit] for suit in bag], [trials * number / fish for number in bag.values()])


def test_over_many_seeds_two_fish_drawn_in_a_row_are_independent() -> None:
    # 3 + 3 fish without putting back: the same suit twice with probability 2/5, each of the four pairs as it should.
    bag, trials = {"moons": 3, "knots": 3}, 4000
    pairs = Counter(draw_many(key(sha256(f"pair {trial}".encode()).digest()), 5, bag, 2) for trial in range(trials))
    expected = {("moons", "moons"): 0.2, ("knots", "knots"): 0.2, ("moons", "knots"): 0.3, ("knots", "moons"): 0.3}
    assert_as_often([pairs[pair] for pair in expected], [trials * share for share in expected.values()])


def test_the_draws_of_one_key_come_as_often_as_their_fish() -> None:
    drawn = Counter(draw(key(SEED), n, FULL) for n in range(6000))
    assert_as_often([drawn[suit] for suit in SUITS], [1000.0] * len(SUITS))


# What decides a draw, and what does not

bags = st.fixed_dictionaries(dict.fromkeys(SUITS, st.integers(0, 12))).filter(lambda bag: sum(bag.values()) > 0)
word_lists = st.lists(st.text(min_size=1, max_size=8), max_size=5)


@given(st.binary(min_size=32, max_size=32), word_lists, st.integers(0, 500), bags, st.data())
def test_a_draw_undone_and_made_again_gives_the_same_fish(
    seed: bytes, words: list[str], n: int, bag: dict[str, int], data: st.DataObject
) -> None:
    amount = data.draw(st.integers(0, min(4, sum(bag.values()))))
    shuffled = {suit: bag[suit] for suit in data.draw(st.permutations(SUITS))}
    fish = draw_many(key(seed, words), n, bag, amount)
    assert fish == draw_many(key(seed, words), n, shuffled, amount)
    assert len(fish) == amount
    assert all(number <= bag[suit] for suit, number in Counter(fish).items())


def test_a_whole_bag_comes_out_fish_by_fish() -> None:
    assert Counter(draw_many(key(SEED), 0, FULL, 42)) == FULL


@given(word_lists, word_lists)
def test_different_words_give_different_keys(words: list[str], others: list[str]) -> None:
    assert (key(SEED, words) == key(SEED, others)) == (words == others)


@pytest.mark.parametrize(
    ("words", "others"),
    [
        (["ab", "c"], ["a", "bc"]),
        (["a", "b"], ["b", "a"]),
        (["ab"], ["a", "b"]),
        ([], [""]),
        (["a"], ["a", ""]),
        (["a\x00\x00\x00\x01b"], ["a", "b"]),
        (["A"], ["a"]),
        (["a"], ["a "]),
    ],
)
def test_words_can_not_be_taken_for_other_words(words: list[str], others: list[str]) -> None:
    assert key(SEED, words) != key(SEED, others)


def test_another_seed_word_number_or_bag_changes_the_draws() -> None:
    def forty(k: bytes, first: int = 0) -> tuple[str, ...]:
        return tuple(draw(k, n, FULL) for n in islice(numbers(first), 40))

    draws = forty(key(SEED, ["pearl"]))
    assert draws != forty(key(SEED[:-1] + b"\x1e", ["pearl"]))
    assert draws != forty(key(SEED, ["Pearl"]))
    assert draws != forty(key(SEED, ["pearl"]), first=1)


@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_seed_has_32_bytes(length: int) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        key(bytes(length))
