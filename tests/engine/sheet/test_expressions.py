"""What can the expressions of score sheets say, and what is refused, and where?"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.engine.core import RuleError
from companion.engine.sheet.expressions import Known, Scored, exact, parse
from companion.engine.text import written

HALF = Fraction(1, 2)
KNOWN = {
    "bid": Known(0, 20),
    "tricks": Known(),
    "round": Known(1, alike=True),
    "players": Known(1, alike=True),
    "half": Known(),
    "half_or_more": Known(HALF),
}


def row() -> Scored:
    """Three sides in round 7; the third is out."""
    return Scored(
        {
            "bid": (2, 0, 4),
            "tricks": (3, 0, 9),
            "round": (7,) * 3,
            "players": (3,) * 3,
            "half": (HALF, 1 + HALF, 0),
            "half_or_more": (HALF, HALF, HALF),
        },
        (0, 1),
    )


def refused(text: str) -> str:
    with pytest.raises(RuleError) as raised:
        parse(text, KNOWN, "sheet.score")
    assert raised.value.field == "sheet.score"
    return raised.value.message


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        ("bid", 2, 0),
        ("7", 7, 7),
        ("2.5 * 2", 5, 5),
        ("half + 1", 1 + HALF, 2 + HALF),
        ("1 + 2 * 3", 7, 7),
        ("(1 + 2) * 3", 9, 9),
        ("10 - 3 - 2", 5, 5),
        ("-bid + 1", -1, 1),
        ("--bid", 2, 0),
        ("7 // 2", 3, 3),
        ("-7 // 2", -4, -4),  # downwards
        ("7 % 5", 2, 2),
        ("bid == 2", 1, 0),
        ("bid != 2", 0, 1),
        ("bid < 2 or tricks > 2", 1, 1),
        ("1 < bid < tricks <= 3", 1, 0),  # each with the next
        ("3 > bid < 1", 0, 1),
        ("1 == 1 == bid - 1", 1, 0),
        ("not 0 < bid < 9", 0, 1),
        ("bid and tricks", 1, 0),
        ("not bid", 0, 1),
        ("not not bid", 1, 0),
        ("1 if bid else 2", 1, 2),
        ("1 if bid == 9 else 2 if bid else 3", 2, 3),
        ("min(bid, 1)", 1, 0),
        ("max(bid, tricks, 1)", 3, 1),
        ("abs(bid - tricks)", 1, 0),
        ("sum(tricks)", 3, 3),  # whoever is out does not count
        ("max(tricks)", 3, 3),
        ("min(bid)", 0, 0),
        ("count(bid)", 1, 1),
        ("count(bid == max(bid))", 1, 1),
        ("rank(tricks)", 1, 2),
        ("rank(-tricks)", 2, 1),
        ("tricks // players", 1, 0),
        ("bid // max(1, count(bid))", 2, 0),
        # none of these divisors can be zero
        ("9 // (sum(bid) + 1)", 3, 3),
        ("9 // (bid // 2 + 1)", 4, 9),
        ("9 // (bid * round + 1)", 0, 9),
        ("9 // (bid * bid * half_or_more + 1)", 3, 9),
    ],
)
def test_it_is_reckoned_exactly(text: str, first: int, second: int) -> None:
    expression, at = parse(text, KNOWN), row()
    assert [expression.value(at, 0), expression.value(at, 1)] == [first, second]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("20 * bid + 10", "20 × 2 + 10"),
        ("20 * bid if bid else 10 * round", "20 × 2"),
        ("bid + 0", "2"),
        ("0 + bid", "2"),
        ("bid - 0", "2"),
        ("bid - (tricks - 1)", "2 − (3 − 1)"),
        ("(bid + 1) * tricks", "(2 + 1) × 3"),
        ("-10 * bid", "(−10) × 2"),
        ("-(bid + 1)", "−(2 + 1)"),
        ("half + half", "½ + ½"),
        ("max(bid, 9) - 1", "9 − 1"),
        ("0 + (bid - 2) + 20 * tricks - 0 - (bid + 1) + 5", "20 × 3 − (2 + 1) + 5"),
        ("bid - 2 - tricks", "2 − 2 − 3"),
        ("7 // 2", "3"),
    ],
)
def test_it_says_how_it_came_about(text: str, words: str) -> None:
    assert parse(text, KNOWN).explained(row(), 0) == words


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "A number or a name belongs here. Look at character 1."),
        ("1 +", "A number or a name belongs here. Look at character 4."),
        ("1 + else", "A number or a name belongs here. Look at character 5."),
        ("(1", "“)” is missing. Look at character 3."),
        ("1 if 2", "“else” is missing. Look at character 7."),
        ("1 2", "The expression should end before “2”. Look at character 3."),
        ("bid.real", "“.” means nothing in an expression. Look at character 4."),
        ("bid[0]", "“[” means nothing in an expression. Look at character 4."),
        ("'x'", "“'” means nothing in an expression. Look at character 1."),
        ("2 ** 9", "A number or a name belongs here. Look at character 4."),
        ("bid / 2", "“/” means nothing in an expression. Look at character 5."),
        ("Bid", "“B” means nothing in an expression. Look at character 1."),
        ("open(bid)", "There is no “open” here. There are abs, count, max, min, rank, sum. Look at character 1."),
        ("wish", "There is no “wish” here. There are bid, tricks, round, players, half, half_or_more. Look at character 1."),
        ("sum(bid, 1)", "sum() takes one number. Look at character 12."),
        ("1.25", "Only whole numbers and halves can be reckoned with. Look at character 1."),
        ("1234567890123", "A number has at most 12 digits. Look at character 1."),
        ("1 // 0", "This could divide by zero. Divide by max(1, …). Look at character 7."),
        ("1 // bid", "This could divide by zero. Divide by max(1, …). Look at character 9."),
        ("1 % (bid - 20)", "This could divide by zero. Divide by max(1, …). Look at character 15."),
        ("1 // (half_or_more * half_or_more - 0.5)", "This could divide by zero. Divide by max(1, …). Look at character 41."),
        ("1 // count(bid)", "This could divide by zero. Divide by max(1, …). Look at character 16."),
    ],
)
def test_what_can_t_be_read_is_refused_with_its_place(text: str, sentence: str) -> None:
    assert refused(text) == sentence


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("1" * 10_000, "An expression has at most 500 characters. This one has 10000."),
        ("(" * 450 + "1", "An expression is nested at most 40 deep. Look at character 41."),
        ("-" * 499 + "1", "An expression has at most 200 numbers, names and signs."),
        ("1+" * 249 + "1", "An expression has at most 200 numbers, names and signs."),
    ],
)
def test_it_has_limits(text: str, sentence: str) -> None:
    assert refused(text).startswith(sentence)


@pytest.mark.parametrize(
    "text",
    [
        "abs(" * 39 + "bid" + ")" * 39,
        "(0 <= " * 39 + "bid" + " <= 9)" * 39,
        "min(" * 39 + "bid" + ", 9)" * 39,
        "(1 + " * 39 + "bid" + ")" * 39,
        "(1 if " * 24 + "bid" + " else 0)" * 24,
        "-(0 - " * 39 + "bid" + ")" * 39,
        "bid" + " + bid" * 80,
    ],
)
def test_what_is_nested_is_reckoned_once(text: str) -> None:
    """Reckoned twice at each level it would take a day."""
    read = []

    class Bids(tuple[int, ...]):
        __slots__ = ()

        def __getitem__(self, side: Any) -> Any:
            read.append(side)
            assert len(read) < 1_000
            return super().__getitem__(side)

    at, expression = row(), parse(text, KNOWN)
    at.values["bid"] = Bids((2, 0, 4))
    expression.value(at, 0)
    expression.explained(at, 0)


@given(st.text(alphabet="bidrouns()+-*/%<>=!,. 0123456789ifelandotmxqk", max_size=80))
def test_no_text_does_anything_but_score_or_be_refused(text: str) -> None:
    try:
        expression = parse(text, KNOWN)
    except RuleError:
        return
    value = expression.value(row(), 0)
    assert isinstance(value, int | Fraction)
    assert expression.explained(row(), 0)
    assert not expression.alike or value == expression.value(row(), 1)


@pytest.mark.parametrize("text", ["round - 1", "sum(tricks) == round", "max(bid) * players", "count(bid > sum(tricks))"])
def test_what_is_the_same_for_all_sides_is_known_to_be(text: str) -> None:
    assert parse(text, KNOWN).alike


@pytest.mark.parametrize("text", ["bid", "sum(bid) - bid", "bid + sum(bid)", "rank(bid)", "max(bid, 3)", "abs(bid)"])
def test_what_is_each_side_s_own_is_known_to_be(text: str) -> None:
    assert not parse(text, KNOWN).alike


@given(st.integers(-(10**6), 10**6))
def test_halves_are_exact(doubled: int) -> None:
    number = exact(doubled / 2)
    assert number * 2 == doubled
    assert written(number).replace("−", "-").replace("½", "") in {str(int(number)), "", "-"}


def test_other_fractions_are_no_numbers_of_a_sheet() -> None:
    with pytest.raises(ValueError, match=r"0\.25"):
        exact(0.25)
