"""Are the cards of BeloZ those of ruling B1's table, and are piles counted by their cards?"""

from __future__ import annotations

import pytest

from companion.engine.beloz.cards import (
    ANIMALS,
    CARDS,
    COLOURS,
    FLOODED_STRENGTH,
    NUMBERS,
    PLAINS,
    card_points,
    pile_points,
)
from companion.engine.core import RuleError

TABLE = [  # ruling B1: animal, number, points dry, points flooded, strength in the flooded plain
    ("lion", 8, 11, 11, 6),
    ("leopard", 7, 10, 10, 5),
    ("elephant", 6, 4, 4, 4),
    ("rhinoceros", 5, 3, 3, 3),
    ("crocodile", 4, 2, 20, 8),
    ("water-snake", 3, 0, 15, 7),
    ("monkey", 2, 0, 0, 2),
    ("meerkat", 1, 0, 0, 1),
]


@pytest.mark.parametrize(("animal", "number", "dry", "flooded", "strength"), TABLE)
def test_each_animal_has_its_number_points_and_strength(
    animal: str, number: int, dry: int, flooded: int, strength: int
) -> None:
    assert NUMBERS[animal] == number
    assert ANIMALS[number - 1] == animal
    assert card_points([f"east-{animal}"], "north") == dry
    assert card_points([f"east-{animal}"], "east") == flooded
    assert FLOODED_STRENGTH[number - 1] == strength


def test_there_are_32_cards_named_by_plain_and_animal() -> None:
    assert set(CARDS) == {f"{plain}-{row[0]}" for plain in ("north", "east", "south", "west") for row in TABLE}
    assert len(CARDS) == 32


def test_the_plains_have_the_colours_of_ruling_B2() -> None:
    assert COLOURS == {"north": "blue", "south": "red", "east": "green", "west": "yellow"}


@pytest.mark.parametrize("flooded", PLAINS)
def test_all_the_cards_are_worth_153(flooded: str) -> None:
    assert card_points(CARDS, flooded) == 153
    assert pile_points(CARDS, flooded) == 153
    assert card_points([card for card in CARDS if card.startswith(flooded)], flooded) == 63
    dry = next(plain for plain in PLAINS if plain != flooded)
    assert card_points([card for card in CARDS if card.startswith(dry)], flooded) == 30


def test_a_pile_counts_its_cards() -> None:
    pile = ["south-crocodile", "south-water-snake", "north-lion", "north-crocodile"]
    assert pile_points(pile, "south") == 20 + 15 + 11 + 2
    assert pile_points(pile, "west") == 2 + 0 + 11 + 2
    assert pile_points([], "west") == 0


def test_a_pile_has_four_cards_an_expedition() -> None:
    with pytest.raises(RuleError) as refused:
        pile_points(["north-lion", "north-leopard", "north-monkey", "east-lion", "west-lion"], "south")
    assert refused.value.message == "5 cards can’t be a pile: each expedition has four. Take 1 off or add 3."
    assert refused.value.field == "cards"


@pytest.mark.parametrize(
    ("cards", "field", "message"),
    [
        (
            ["north-lion", "north-tiger"],
            "cards.1",
            "“north-tiger” is not a BeloZ card. Cards are like north-lion or west-water-snake.",
        ),
        (["east-lion", "north-lion", "east-lion"], "cards.2", "The East lion is here twice. There is only one."),
        (["x" * 50], "cards.0", f"“{'x' * 40}…” is not a BeloZ card. Cards are like north-lion or west-water-snake."),
    ],
)
def test_what_is_no_card_or_comes_twice_is_refused(cards: list[str], field: str, message: str) -> None:
    with pytest.raises(RuleError) as refused:
        card_points(cards, "north")
    assert (refused.value.field, refused.value.message) == (field, message)
